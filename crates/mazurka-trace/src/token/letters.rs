//! Base64 with `-` and `_` and without padding (RFC 4648, section 5).

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(count(bytes.len()));
    for group in bytes.chunks(3) {
        let at = |n: usize| u32::from(group.get(n).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for n in 0..=group.len() {
            let letter = (bits >> (18 - 6 * n)) & 63;
            text.push(char::from(LETTERS[letter as usize]));
        }
    }
    text
}

/// Returns the bytes, or the index (from 0) and the value of the first character that is not in the
/// alphabet. Trailing bits that do not fill a byte are ignored.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, (usize, char)> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut have) = (0_u32, 0);
    for (at, character) in text.chars().enumerate() {
        let value = LETTERS
            .iter()
            .position(|&letter| char::from(letter) == character);
        let value = value.ok_or((at, character))? as u32;
        bits = (bits << 6 | value) & 0xffff;
        have += 6;
        if have >= 8 {
            have -= 8;
            bytes.push((bits >> have) as u8);
        }
    }
    Ok(bytes)
}

/// The number of letters that encode this number of bytes.
pub(super) fn count(bytes: usize) -> usize {
    bytes / 3 * 4 + [0, 2, 3][bytes % 3]
}
