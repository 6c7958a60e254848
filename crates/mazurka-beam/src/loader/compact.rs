//! The compact encoding of a number with a three-bit tag. Operands consist of such numbers.

use num_bigint::BigInt;

use crate::bytes::{Problem, Reader, Reading};

/// Tags, in the low three bits of the first byte.
pub(super) mod tag {
    pub const UNSIGNED: u8 = 0;
    pub const INTEGER: u8 = 1;
    pub const ATOM: u8 = 2;
    pub const X: u8 = 3;
    pub const Y: u8 = 4;
    pub const LABEL: u8 = 5;
    pub const CHARACTER: u8 = 6;
    pub const EXTENDED: u8 = 7;
}

/// A tagged number.
pub(super) struct Tagged<'a> {
    /// The whole first byte. If the tag is `EXTENDED`, it identifies the kind of operand.
    pub first: u8,
    number: Number<'a>,
}

enum Number<'a> {
    Short(u64),
    /// Two's complement, big-endian.
    Long(&'a [u8]),
}

impl Tagged<'_> {
    pub(super) fn tag(&self) -> u8 {
        self.first & 7
    }

    /// The number, if it is not negative and fits into 64 bits.
    pub(super) fn unsigned(&self) -> Option<u64> {
        match self.number {
            Number::Short(number) => Some(number),
            Number::Long(bytes) => u64::try_from(BigInt::from_signed_bytes_be(bytes)).ok(),
        }
    }

    /// The number as a signed integer.
    pub(super) fn integer(&self) -> BigInt {
        match self.number {
            Number::Short(number) => number.into(),
            Number::Long(bytes) => BigInt::from_signed_bytes_be(bytes),
        }
    }
}

pub(super) fn read<'a>(reader: &mut Reader<'a>) -> Reading<Tagged<'a>> {
    let first = reader.u8()?;
    let high = first >> 5;
    let number = if first & 0b0_1000 == 0 {
        Number::Short((first >> 4).into())
    } else if first & 0b1_0000 == 0 {
        Number::Short(u64::from(high) << 8 | u64::from(reader.u8()?))
    } else if high < 7 {
        Number::Long(reader.take(usize::from(high) + 2)?)
    } else {
        let length = length(reader)?;
        Number::Long(reader.take(length)?)
    };
    Ok(Tagged { first, number })
}

/// Reads a number that must have the tag `UNSIGNED`.
pub(super) fn unsigned(reader: &mut Reader<'_>) -> Reading<u64> {
    let tagged = read(reader)?;
    match tagged.unsigned() {
        Some(number) if tagged.tag() == tag::UNSIGNED => Ok(number),
        _ => Err(reader.fault(Problem::Expected("an unsigned number"))),
    }
}

/// Reads the length of a number of nine or more bytes. The length is a tagged number itself. A
/// length that again needs nine or more bytes is refused, so that a file cannot nest them.
fn length(reader: &mut Reader<'_>) -> Reading<usize> {
    let mut ahead = reader.clone();
    if ahead.u8()? & 0xf8 == 0xf8 {
        return Err(reader.fault(Problem::OutOfRange("the length of a number")));
    }
    let length = unsigned(reader)?;
    reader.check_count(length.saturating_add(9), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], tag: u8, number: &str) {
        let mut reader = Reader::new(bytes);
        let tagged = read(&mut reader).expect("a number");
        assert_eq!(tagged.tag(), tag);
        assert_eq!(tagged.integer().to_string(), number);
        assert_eq!(reader.remaining(), 0);
        for length in 0..bytes.len() {
            assert!(read(&mut Reader::new(&bytes[..length])).is_err());
        }
    }

    #[test]
    fn numbers_of_every_length() {
        check(&[0x91], tag::INTEGER, "9");
        check(&[0b0110_1001, 0x12], tag::INTEGER, "786");
        check(&[0b0001_1001, 0xff, 0xfe], tag::INTEGER, "-2");
        check(&[0b0011_1001, 1, 0, 0], tag::INTEGER, "65536");
        check(
            &[0xf9, 0x00, 1, 0, 0, 0, 0, 0, 0, 0, 0],
            tag::INTEGER,
            "18446744073709551616",
        );
        check(
            &[0xf9, 0x10, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            tag::INTEGER,
            "-4722366482869645213696",
        );
    }

    #[test]
    fn lengths_do_not_nest() {
        assert!(read(&mut Reader::new(&[0xff; 1000])).is_err());
        let negative = read(&mut Reader::new(&[0b0001_1000, 0xff, 0xfe])).expect("a number");
        assert_eq!(negative.unsigned(), None);
    }
}
