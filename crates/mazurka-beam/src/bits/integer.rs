//! Integers of any number of bits.
//!
//! In big-endian order the most significant bits come first. In little-endian order the least
//! significant byte comes first; an incomplete last byte has the most significant bits.

use num_bigint::{BigInt, Sign};

use super::Flags;
use super::builder::Builder;
use crate::term::{Bits, Term};

/// Reads the integer in the `size` bits that start at `at`; the caller has checked that they exist.
pub(super) fn read(bits: &Bits, at: usize, size: usize, flags: Flags) -> Term {
    if size <= 64 {
        small(bits, at, size, flags)
    } else {
        large(bits, at, size, flags)
    }
}

fn small(bits: &Bits, at: usize, size: usize, flags: Flags) -> Term {
    if size == 0 {
        return Term::Int(0);
    }
    let mut value = 0_u64;
    for byte in bytes(bits, at, size, flags.little).rev() {
        value = value << 8 | u64::from(byte);
    }
    if flags.signed {
        let unused = 64 - size;
        return Term::Int((value << unused) as i64 >> unused);
    }
    match i64::try_from(value) {
        Ok(value) => Term::Int(value),
        Err(_) => BigInt::from(value).into(),
    }
}

fn large(bits: &Bits, at: usize, size: usize, flags: Flags) -> Term {
    let mut bytes: Vec<u8> = bytes(bits, at, size, flags.little).collect();
    if !flags.signed {
        return BigInt::from_bytes_le(Sign::Plus, &bytes).into();
    }
    if let (Some(last), used @ 1..) = (bytes.last_mut(), size % 8) {
        let unused = 8 - used;
        *last = ((*last << unused) as i8 >> unused) as u8;
    }
    BigInt::from_signed_bytes_le(&bytes).into()
}

/// The bytes of the integer in little-endian order. Missing bits of the most significant byte are
/// zero.
fn bytes(
    bits: &Bits,
    at: usize,
    size: usize,
    little: bool,
) -> impl DoubleEndedIterator<Item = u8> + '_ {
    let (whole, rest) = (size / 8, size % 8);
    (0..size.div_ceil(8)).map(move |index| match (index < whole, little) {
        (true, true) => bits.octet(at + index * 8),
        (true, false) => bits.octet(at + size - (index + 1) * 8),
        (false, true) => bits.octet(at + index * 8) >> (8 - rest),
        (false, false) => bits.octet(at) >> (8 - rest),
    })
}

/// Appends the `size` lowest bits of an integer. `None` if the value is not an integer.
pub(super) fn write(value: &Term, size: usize, little: bool, builder: &mut Builder) -> Option<()> {
    match value {
        Term::Int(value) => {
            let fill = if *value < 0 { 0xff } else { 0 };
            put(&value.to_le_bytes(), fill, size, little, builder);
        }
        Term::Big(value) => {
            let fill = if value.sign() == Sign::Minus { 0xff } else { 0 };
            put(&value.to_signed_bytes_le(), fill, size, little, builder);
        }
        _ => return None,
    }
    Some(())
}

/// Appends an integer of `size` bits. `bytes` are its lower bytes, in little-endian order; all
/// higher bytes are `fill`.
fn put(bytes: &[u8], fill: u8, size: usize, little: bool, builder: &mut Builder) {
    let (whole, rest) = (size / 8, size % 8);
    let byte = |index: usize| bytes.get(index).copied().unwrap_or(fill);
    let top = |builder: &mut Builder| {
        if rest > 0 {
            builder.put_octet(byte(whole) << (8 - rest), rest);
        }
    };
    if little {
        builder.put_octets((0..whole).map(byte));
        top(builder);
    } else {
        top(builder);
        builder.put_octets((0..whole).rev().map(byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: impl Into<Term>, size: usize, flags: (bool, bool), bytes: &[u8]) {
        let (little, signed) = flags;
        let value = value.into();
        for offset in 0..8 {
            let mut builder = Builder::new();
            builder.put_octet(0xa5, offset);
            write(&value, size, little, &mut builder).expect("an integer");
            let bits = builder.finish();
            assert_eq!(bits.bit_len(), offset + size);
            let part = bits.part(offset, size).expect("within");
            assert_eq!(part.iter().collect::<Vec<_>>(), bytes, "{value}:{size}");
            let flags = Flags { little, signed };
            assert_eq!(read(&bits, offset, size, flags), value, "{value}:{size}");
        }
    }

    const BIG: (bool, bool) = (false, false);
    const BIG_SIGNED: (bool, bool) = (false, true);
    const LITTLE: (bool, bool) = (true, false);
    const LITTLE_SIGNED: (bool, bool) = (true, true);

    #[test]
    fn integers_survive_a_round_trip() {
        check(0, 0, BIG, &[]);
        check(5, 3, BIG, &[0b1010_0000]);
        check(-3, 3, BIG_SIGNED, &[0b1010_0000]);
        check(0xabc, 12, BIG, &[0xab, 0xc0]);
        check(0xabc, 12, LITTLE, &[0xbc, 0xa0]);
        check(-1, 12, LITTLE_SIGNED, &[0xff, 0xf0]);
        check(1, 32, LITTLE, &[1, 0, 0, 0]);
        check(i64::MIN, 64, BIG_SIGNED, &[0x80, 0, 0, 0, 0, 0, 0, 0]);
        check(BigInt::from(u64::MAX), 64, BIG, &[0xff; 8]);
        let ones = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xf0];
        check(-1, 68, BIG_SIGNED, &ones);
        check(
            BigInt::from(1) << 67_u8,
            68,
            BIG,
            &[0x80, 0, 0, 0, 0, 0, 0, 0, 0],
        );
        check(
            -(BigInt::from(1) << 67_u8),
            68,
            LITTLE_SIGNED,
            &[0, 0, 0, 0, 0, 0, 0, 0, 0x80],
        );
        check(7, 72, LITTLE, &[7, 0, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn high_bits_that_do_not_fit_are_dropped() {
        let mut builder = Builder::new();
        write(&0x1234.into(), 8, false, &mut builder).expect("an integer");
        write(&(-1).into(), 4, false, &mut builder).expect("an integer");
        let big = Term::from((BigInt::from(1) << 80_u8) + 3);
        write(&big, 4, false, &mut builder).expect("an integer");
        assert!(write(&1.0.into(), 8, false, &mut builder).is_none());
        assert_eq!(builder.finish().as_bytes(), Some(&[0x34, 0xf3][..]));
    }
}
