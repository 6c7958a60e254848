//! Damage to bytes and to text.

use crate::Random;

/// The maximum size of a piece that is removed, repeated or moved.
const PIECE_MAX: usize = 40;

/// Damages bytes in one to four places.
pub(crate) fn bytes(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..=random.below(4) {
        damage_once(random, bytes);
    }
}

fn damage_once(random: &mut Random, bytes: &mut Vec<u8>) {
    /// Bytes at the limits of ranges.
    const EDGES: [u8; 10] = [0, 1, 2, 7, 8, 15, 16, 127, 128, 255];
    if bytes.is_empty() {
        bytes.push(random.byte());
        return;
    }
    let at = random.below(bytes.len());
    let piece = at..(at + 1 + random.below(PIECE_MAX)).min(bytes.len());
    match random.below(8) {
        0 => bytes[at] = random.byte(),
        1 => bytes[at] = *random.pick(&EDGES),
        2 => bytes[at] ^= 1 << random.below(8),
        3 => bytes.insert(at, random.byte()),
        4 => drop(bytes.drain(piece)),
        5 => {
            let copy = bytes[piece].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, copy);
        }
        6 => {
            // In place, so that the bytes after it do not move.
            let to = random.below(bytes.len() - piece.len() + 1);
            bytes.copy_within(piece, to);
        }
        _ => match random.once_in(4) {
            true => bytes.truncate(at),
            false => write_number(random, &mut bytes[at..]),
        },
    }
}

/// Writes a four-byte number, like counts and sizes.
fn write_number(random: &mut Random, place: &mut [u8]) {
    let number = (random.number() as u32).to_be_bytes();
    for (to, from) in place.iter_mut().zip(number) {
        *to = from;
    }
}

/// Damages one to four tokens of a text: words, quoted strings and punctuation. Sometimes inserts one
/// of `words`.
pub(crate) fn text(random: &mut Random, text: &str, words: &[&str]) -> String {
    let number = random.number().to_string();
    let mut tokens = tokens(text);
    for _ in 0..=random.below(4) {
        if tokens.is_empty() {
            tokens.push(*random.pick(words));
            continue;
        }
        let at = random.below(tokens.len());
        let other = tokens[random.below(tokens.len())];
        let piece = at..(at + 1 + random.below(PIECE_MAX)).min(tokens.len());
        match random.below(10) {
            // Replace it by a token of the same kind, so that the text keeps its form.
            0..4 => {
                let alike: Vec<&str> = { tokens.iter().copied() }
                    .filter(|token| kind(token) == kind(tokens[at]))
                    .collect();
                tokens[at] = *random.pick(&alike);
            }
            4 => tokens[at] = *random.pick(words),
            5 => tokens[at] = &number,
            6 => tokens.insert(at, other),
            7 => drop(tokens.drain(piece)),
            8 => {
                let copy = tokens[piece].to_vec();
                tokens.splice(at..at, copy);
            }
            _ => tokens.truncate(at + random.below(tokens.len() - at + 1)),
        }
    }
    tokens.concat()
}

/// The kind of a token, determined by its first character.
fn kind(token: &str) -> u8 {
    match token.chars().next() {
        Some(c) if c.is_ascii_digit() => 0,
        Some(c) if c.is_alphabetic() => 1,
        Some(c) if c.is_whitespace() => 2,
        Some('"') => 3,
        _ => 4,
    }
}

fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            '"' => rest[1..].find('"').map(|end| end + 2),
            c if is_word(c) => rest.find(|c| !is_word(c)),
            c if c.is_whitespace() => rest.find(|c: char| !c.is_whitespace()),
            c => Some(c.len_utf8()),
        };
        let (token, after) = rest.split_at(length.unwrap_or(rest.len()));
        tokens.push(token);
        rest = after;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_concatenate_to_the_text() {
        let text = r#"{"a b": [1, 2.5, λx], 'q' "open"#;
        let tokens = tokens(text);
        assert_eq!(tokens.concat(), text);
        assert_eq!(tokens[..4], ["{", "\"a b\"", ":", " "]);
    }
}
