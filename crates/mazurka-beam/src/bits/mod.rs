//! The bit syntax: matching and constructing bit strings.
//!
//! This module does not depend on the interpreter. A [`Context`] is a bit string that is being
//! matched; [`Builder`] and [`create`] construct new ones. Sizes are in bits unless stated
//! otherwise.

mod builder;
mod command;
mod context;
mod create;
mod float;
mod integer;
mod utf;

pub use builder::{BITS_MAX, Builder, Construction};
pub use command::{Command, Target, run};
pub use context::{Context, Copies, seen};
pub use create::{Append, Failure, Kind, Segment, Size, create};
pub use utf::{utf8_size, utf16_size};

use crate::raise::Raise;
use crate::term::{Atom, Term};

/// The encoding of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// The least significant byte comes first.
    pub little: bool,
    /// The most significant bit is a sign. Only relevant for matching integers.
    pub signed: bool,
}

impl Flags {
    /// Decodes the number that most instructions use.
    pub fn from_number(number: u64) -> Flags {
        const LITTLE: u64 = 2;
        const SIGNED: u64 = 4;
        const NATIVE: u64 = 16;
        let native_is_little = cfg!(target_endian = "little");
        Flags {
            little: number & LITTLE != 0 || number & NATIVE != 0 && native_is_little,
            signed: number & SIGNED != 0,
        }
    }

    /// Decodes the list of names that `bs_create_bin` and `bs_match` use.
    pub fn from_list(list: &Term) -> Flags {
        let mut flags = Flags::default();
        let mut rest = list;
        while let Term::Cons(cons) = rest {
            if let Term::Atom(atom) = &cons.head {
                match atom.name() {
                    "little" => flags.little = true,
                    "native" => flags.little = cfg!(target_endian = "little"),
                    "signed" => flags.signed = true,
                    _ => {}
                }
            }
            rest = &cons.tail;
        }
        flags
    }
}

/// The size of a field to match, in bits. `None` if `size` is not a valid size: then the match
/// fails for every bit string.
pub fn field_size(size: &Term, unit: usize) -> Option<usize> {
    match size {
        Term::Int(size) => usize::try_from(*size).ok()?.checked_mul(unit),
        _ => None,
    }
}

/// The size of a segment to build, in bits.
///
/// # Errors
/// `badarg` if `size` is not a valid size, `system_limit` if it is too large.
pub fn segment_size(size: &Term, unit: usize) -> Result<usize, Raise> {
    let bits = match size {
        Term::Int(size) if *size >= 0 => usize::try_from(*size)
            .ok()
            .and_then(|size| size.checked_mul(unit)),
        Term::Big(size) if size.sign() == num_bigint::Sign::Plus => None,
        _ => return Err(Raise::badarg()),
    };
    bits.filter(|&bits| bits <= BITS_MAX)
        .ok_or_else(Raise::system_limit)
}

/// `bs_add`: the sum of a size and `more` units.
///
/// # Errors
/// `badarg` if an operand is not a valid size, `system_limit` if the sum is too large.
pub fn add_sizes(size: &Term, more: &Term, unit: usize) -> Result<Term, Raise> {
    let is_size = |term: &Term| match term {
        Term::Int(size) => *size >= 0,
        Term::Big(size) => size.sign() == num_bigint::Sign::Plus,
        _ => false,
    };
    if !is_size(size) || !is_size(more) {
        return Err(Raise::badarg());
    }
    let (Term::Int(size), Term::Int(more)) = (size, more) else {
        return Err(Raise::system_limit());
    };
    let sum = i64::try_from(unit)
        .ok()
        .and_then(|unit| more.checked_mul(unit))
        .and_then(|more| more.checked_add(*size));
    sum.map(Term::Int).ok_or_else(Raise::system_limit)
}

/// Whether a size operand is `all`: the segment takes the whole bit string.
pub fn is_all(size: &Term) -> bool {
    matches!(size, Term::Atom(atom) if *atom == Atom::ALL)
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;

    #[test]
    fn flags() {
        let check = |number, little, signed| {
            assert_eq!(Flags::from_number(number), Flags { little, signed });
        };
        check(0, false, false);
        check(2, true, false);
        check(4, false, true);
        check(16, cfg!(target_endian = "little"), false);
        let list = Term::list([Term::atom("signed"), Term::atom("little")]);
        let both = Flags {
            little: true,
            signed: true,
        };
        assert_eq!(Flags::from_list(&list), both);
        assert_eq!(Flags::from_list(&Term::Nil), Flags::default());
    }

    #[test]
    fn sizes_of_fields() {
        let check = |size: Term, unit, expected| assert_eq!(field_size(&size, unit), expected);
        check(3.into(), 8, Some(24));
        check((-1).into(), 8, None);
        check(2.0.into(), 8, None);
        check(i64::MAX.into(), 8, None);
        check((BigInt::from(1) << 70_u8).into(), 1, None);
    }

    #[test]
    fn sizes_of_segments() {
        let check = |size: Term, expected: &str| {
            let text = match segment_size(&size, 8) {
                Ok(size) => size.to_string(),
                Err(raise) => raise.reason.to_string(),
            };
            assert_eq!(text, expected, "{size}");
        };
        check(3.into(), "24");
        check((-1).into(), "badarg");
        check(2.0.into(), "badarg");
        check(Atom::ALL.into(), "badarg");
        check(i64::MAX.into(), "system_limit");
        check((BigInt::from(1) << 70_u8).into(), "system_limit");
        check((-(BigInt::from(1) << 70_u8)).into(), "badarg");
    }

    #[test]
    fn sums_of_sizes() {
        let check = |one: Term, other: Term, expected: &str| {
            let text = match add_sizes(&one, &other, 8) {
                Ok(size) => size.to_string(),
                Err(raise) => raise.reason.to_string(),
            };
            assert_eq!(text, expected, "{one} {other}");
        };
        check(3.into(), 2.into(), "19");
        check(3.into(), (-2).into(), "badarg");
        check((BigInt::from(1) << 70_u8).into(), (-2).into(), "badarg");
        check((BigInt::from(1) << 70_u8).into(), 2.into(), "system_limit");
        check(1.into(), i64::MAX.into(), "system_limit");
        check(Term::Nil, 1.into(), "badarg");
    }
}
