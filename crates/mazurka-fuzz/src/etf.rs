//! The parts of a term in the external term format.

use crate::{Random, damage};
use std::ops::Range;

/// Damages a term. Usually one part is replaced by another part of it, so that the result is still a
/// term.
pub(crate) fn damage(random: &mut Random, term: &mut Vec<u8>) {
    if random.once_in(4) {
        return damage::bytes(random, term);
    }
    for _ in 0..=random.below(3) {
        let parts = parts(term);
        if parts.is_empty() {
            return damage::bytes(random, term);
        }
        let to = random.pick(&parts).clone();
        let part = match random.below(4) {
            0 => small_term(random),
            _ => term[random.pick(&parts).clone()].to_vec(),
        };
        // Limit the size.
        if term.len() + part.len() < 1 << 16 {
            term.splice(to, part);
        }
    }
}

/// A small random term.
fn small_term(random: &mut Random) -> Vec<u8> {
    let number = random.number();
    match random.below(9) {
        0 => vec![97, random.byte()],
        1 => [&[98], &(number as u32).to_be_bytes()[..]].concat(),
        2 => vec![106],
        3 => vec![104, 0],
        4 => vec![119, 1, b'a'],
        5 => [&[70], &number.to_be_bytes()[..]].concat(),
        6 => [&[110, 8, random.byte() & 1], &number.to_le_bytes()[..]].concat(),
        7 => vec![109, 0, 0, 0, 2, random.byte(), random.byte()],
        _ => vec![77, 0, 0, 0, 1, 1 + (random.byte() & 7), random.byte()],
    }
}

/// The positions of the parts of a term in its bytes. The first is the whole term after the version
/// byte. Stops at the first part that cannot be parsed.
pub(crate) fn parts(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    // Incomplete parts: their index, and the number of sub-parts still missing.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut at = usize::from(bytes.first() == Some(&131));
    while let Some((head, inside)) = shape(&bytes[at..]) {
        let end = at + head;
        if end > bytes.len() || inside > bytes.len() - end {
            break;
        }
        parts.push(at..end);
        at = end;
        open.push((parts.len() - 1, inside));
        while let Some((number, left)) = open.last_mut() {
            if *left > 0 {
                *left -= 1;
                break;
            }
            parts[*number].end = at;
            open.pop();
        }
        if open.is_empty() {
            break;
        }
    }
    // Remove parts that were not complete.
    let unfinished: Vec<usize> = open.iter().map(|(number, _)| *number).collect();
    let numbered = parts.into_iter().enumerate();
    let finished = numbered.filter(|(number, _)| !unfinished.contains(number));
    finished.map(|(_, part)| part).collect()
}

/// The number of bytes before the parts of a term, and the number of its parts.
fn shape(term: &[u8]) -> Option<(usize, usize)> {
    let long = |at: usize| {
        let four = term.get(at..)?.first_chunk::<4>()?;
        Some(u32::from_be_bytes(*four) as usize)
    };
    let short = |at: usize| {
        let two = term.get(at..)?.first_chunk::<2>()?;
        Some(usize::from(u16::from_be_bytes(*two)))
    };
    let byte = |at: usize| term.get(at).copied().map(usize::from);
    Some(match *term.first()? {
        70 => (9, 0),
        77 => (6 + long(1)?, 0),
        97 => (2, 0),
        98 => (5, 0),
        100 | 118 => (3 + short(1)?, 0),
        104 => (2, byte(1)?),
        105 => (5, long(1)?),
        106 => (1, 0),
        107 => (3 + short(1)?, 0),
        108 => (5, long(1)? + 1),
        109 => (5 + long(1)?, 0),
        110 => (3 + byte(1)?, 0),
        111 => (6 + long(1)?, 0),
        115 | 119 => (2 + byte(1)?, 0),
        116 => (5, 2 * long(1)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_beam::source::parse_term;
    use mazurka_beam::term::{Format, decode, encode};

    #[test]
    fn every_part_is_a_term() {
        let text = "{a, [1, 2.5, {}], #{k => <<\"b\">>, 70000 => \"text\"}, [x | y]}";
        let bytes = encode(&parse_term(text).unwrap(), Format::OTP_25);
        let parts = parts(&bytes);
        assert_eq!(parts[0], 1..bytes.len());
        assert_eq!(parts.len(), 15);
        for part in parts {
            decode(&[&[131], &bytes[part]].concat()).unwrap();
        }
    }
}
