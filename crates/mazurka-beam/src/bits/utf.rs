//! Characters in UTF-8, UTF-16 and UTF-32.

use crate::term::Term;

/// The character at the start of `octets`, of which only the first `len` are valid, and its length
/// in bytes.
pub(super) fn read_utf8(octets: [u8; 4], len: usize) -> Option<(char, usize)> {
    let used = match octets[0] {
        0x00..=0x7f => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let octets = octets.get(..len)?.get(..used)?;
    let character = std::str::from_utf8(octets).ok()?.chars().next()?;
    Some((character, used))
}

pub(super) fn read_utf16(octets: [u8; 4], len: usize, little: bool) -> Option<(char, usize)> {
    let [a, b, c, d] = octets;
    let unit = |pair| match little {
        true => u16::from_le_bytes(pair),
        false => u16::from_be_bytes(pair),
    };
    let units = [unit([a, b]), unit([c, d])];
    let character = char::decode_utf16(units.into_iter().take(len / 2)).next()?;
    let character = character.ok()?;
    Some((character, character.len_utf16() * 2))
}

pub(super) fn read_utf32(octets: [u8; 4], len: usize, little: bool) -> Option<(char, usize)> {
    if len < 4 {
        return None;
    }
    let number = match little {
        true => u32::from_le_bytes(octets),
        false => u32::from_be_bytes(octets),
    };
    Some((char::from_u32(number)?, 4))
}

/// The character of a term, if it is a code point that can be encoded.
pub(super) fn character(term: &Term) -> Option<char> {
    match term {
        Term::Int(number) => char::from_u32(u32::try_from(*number).ok()?),
        _ => None,
    }
}

/// `bs_utf8_size`: the length of a character in bytes. The result is 4 if the term is not a
/// character; that is detected when it is appended.
pub fn utf8_size(term: &Term) -> usize {
    character(term).map_or(4, char::len_utf8)
}

/// `bs_utf16_size`: the length of a character in bytes. The result is 2 if the term is not a
/// character.
pub fn utf16_size(term: &Term) -> usize {
    character(term).map_or(2, |character| character.len_utf16() * 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn padded(octets: &[u8]) -> [u8; 4] {
        let mut array = [0; 4];
        array[..octets.len()].copy_from_slice(octets);
        array
    }

    #[test]
    fn utf8() {
        let check = |octets: &[u8], expected| {
            assert_eq!(read_utf8(padded(octets), octets.len()), expected);
        };
        check(b"a", Some(('a', 1)));
        check("€a".as_bytes(), Some(('€', 3)));
        check("🙂".as_bytes(), Some(('🙂', 4)));
        check(&[0xe2, 0x82], None);
        check(&[0x80], None);
        check(&[0xc0, 0x80], None);
        check(&[0xed, 0xa0, 0x80], None);
        check(&[0xf4, 0x90, 0x80, 0x80], None);
        check(&[0xef, 0xbf, 0xbf], Some(('\u{ffff}', 3)));
        check(&[], None);
    }

    #[test]
    fn utf16_and_utf32() {
        let check16 = |octets: &[u8], little, expected| {
            assert_eq!(read_utf16(padded(octets), octets.len(), little), expected);
        };
        check16(&[0, 0x61], false, Some(('a', 2)));
        check16(&[0x61, 0], true, Some(('a', 2)));
        check16(&[0xd8, 0x3d, 0xde, 0x42], false, Some(('🙂', 4)));
        check16(&[0xd8, 0x3d, 0, 0x61], false, None);
        check16(&[0xde, 0x42, 0xd8, 0x3d], false, None);
        check16(&[0xd8, 0x3d], false, None);
        check16(&[0], false, None);
        let check32 = |number: u32, expected| {
            let octets = number.to_be_bytes();
            assert_eq!(read_utf32(octets, 4, false), expected);
        };
        check32(0x10_ffff, Some(('\u{10ffff}', 4)));
        check32(0x11_0000, None);
        check32(0xd800, None);
        assert_eq!(read_utf32([0x61, 0, 0, 0], 4, true), Some(('a', 4)));
        assert_eq!(read_utf32([0; 4], 3, true), None);
    }

    #[test]
    fn sizes() {
        let check = |term: Term, sizes| assert_eq!((utf8_size(&term), utf16_size(&term)), sizes);
        check(0x61.into(), (1, 2));
        check(0x1f642.into(), (4, 4));
        check((-1).into(), (4, 2));
        check(Term::Nil, (4, 2));
    }
}
