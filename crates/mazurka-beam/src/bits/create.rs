//! `bs_create_bin`: builds a bit string from segments.

use std::rc::Rc;

use super::builder::Builder;
use super::float::Problem;
use super::{BITS_MAX, Flags, segment_size, utf8_size, utf16_size};
use crate::raise::Raise;
use crate::term::{Atom, Bits, Term};

/// The type of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer.
    Integer,
    /// A float.
    Float,
    /// A bit string.
    Binary,
    /// A character in UTF-8.
    Utf8,
    /// A character in UTF-16.
    Utf16,
    /// A character in UTF-32.
    Utf32,
}

impl Kind {
    /// Its name in [`Failure::cause`].
    pub fn name(self) -> &'static str {
        match self {
            Kind::Integer => "integer",
            Kind::Float => "float",
            Kind::Binary => "binary",
            Kind::Utf8 => "utf8",
            Kind::Utf16 => "utf16",
            Kind::Utf32 => "utf32",
        }
    }
}

/// The size of a segment.
#[derive(Clone, Copy, Debug)]
pub enum Size<'a> {
    /// The whole bit string, or the size of the encoded character.
    Natural,
    /// A number of units.
    Units(&'a Term),
}

/// A segment of the bit string to build.
#[derive(Clone, Copy, Debug)]
pub enum Segment<'a> {
    /// Constant bytes.
    String(&'a [u8]),
    /// A value.
    Value {
        /// Its type.
        kind: Kind,
        /// Its number among the segments of the expression, from 1.
        number: u32,
        /// The unit of its size, in bits.
        unit: usize,
        /// Its encoding.
        flags: Flags,
        /// The value.
        value: &'a Term,
        /// Its size.
        size: Size<'a>,
    },
}

/// The first segment, if the others are appended to it.
pub struct Append {
    /// The bit string. If it is not shared, it is extended in place.
    pub value: Term,
    /// Its number among the segments of the expression.
    pub number: u32,
    /// Its length must be a multiple of this number of bits.
    pub unit: usize,
}

/// The reason why a bit string cannot be built.
#[derive(Clone, Debug)]
pub struct Failure {
    /// `badarg` or `system_limit`.
    pub reason: Atom,
    /// The number of the segment that fails.
    pub number: u32,
    /// The type of that segment.
    pub kind: Kind,
    /// The problem: `type`, `size`, `unit`, `short`, `invalid` or `no_float`.
    pub problem: &'static str,
    /// The value or the size that fails.
    pub value: Term,
}

impl Failure {
    /// The `cause` of `error_info` in the stack trace.
    pub fn cause(&self) -> Term {
        Term::tuple([
            Term::Int(self.number.into()),
            Term::atom(self.kind.name()),
            Term::atom(self.problem),
            self.value.clone(),
        ])
    }
}

impl From<Failure> for Raise {
    fn from(failure: Failure) -> Raise {
        Raise::error(failure.reason)
    }
}

/// Builds a bit string. As in the real virtual machine, the first pass over the segments computes
/// their sizes and the second one appends their values, so an invalid size is reported before an
/// invalid value. An invalid UTF-8 character is detected in the first pass if `utf8_has_size` is
/// set (OTP 27 and later), otherwise in the second.
///
/// # Errors
/// `badarg` for an invalid value or size, `system_limit` if the result is too long.
pub fn create<'a>(
    append: Option<Append>,
    segments: impl Iterator<Item = Segment<'a>> + Clone,
    utf8_has_size: bool,
) -> Result<Bits, Failure> {
    let mut total = 0_usize;
    for segment in segments.clone() {
        total = total.saturating_add(size(segment, utf8_has_size)?);
    }
    let mut builder = match append {
        Some(append) => start(append, total)?,
        None => {
            let mut builder = Builder::new();
            builder.reserve(total).map_err(|raise| Failure {
                reason: reason(&raise),
                number: 1,
                kind: Kind::Integer,
                problem: "size",
                value: Term::Int(i64::try_from(total).unwrap_or(i64::MAX)),
            })?;
            builder
        }
    };
    for segment in segments {
        put(segment, &mut builder)?;
    }
    Ok(builder.finish())
}

/// Starts with the bit string to append to.
fn start(append: Append, total: usize) -> Result<Builder, Failure> {
    let failure = |reason, problem, value| Failure {
        reason,
        number: append.number,
        kind: Kind::Binary,
        problem,
        value,
    };
    let Term::Bits(bits) = append.value else {
        return Err(failure(Atom::BADARG, "type", append.value));
    };
    if append.unit == 0 || !bits.bit_len().is_multiple_of(append.unit) {
        return Err(failure(Atom::BADARG, "unit", Term::Bits(bits)));
    }
    if bits.bit_len().saturating_add(total) > BITS_MAX {
        return Err(failure(Atom::SYSTEM_LIMIT, "size", Term::Bits(bits)));
    }
    Builder::append(bits, total).map_err(|raise| failure(reason(&raise), "size", Term::Nil))
}

fn reason(raise: &Raise) -> Atom {
    match &raise.reason {
        Term::Atom(atom) => *atom,
        _ => Atom::BADARG,
    }
}

/// The size of a segment in bits. Checks what the real virtual machine checks in its first pass.
fn size(segment: Segment<'_>, utf8_has_size: bool) -> Result<usize, Failure> {
    let (kind, number, unit, value, size) = match segment {
        Segment::String(bytes) => return Ok(bytes.len() * 8),
        Segment::Value {
            kind,
            number,
            unit,
            value,
            size,
            ..
        } => (kind, number, unit, value, size),
    };
    let failure = |reason, problem, value: &Term| Failure {
        reason,
        number,
        kind,
        problem,
        value: value.clone(),
    };
    match (kind, size) {
        (Kind::Utf8, _) if utf8_has_size && super::utf::character(value).is_none() => {
            Err(failure(Atom::BADARG, "type", value))
        }
        (Kind::Utf8, _) => Ok(utf8_size(value) * 8),
        (Kind::Utf16, _) => Ok(utf16_size(value) * 8),
        (Kind::Utf32, _) => match super::utf::character(value) {
            Some(_) => Ok(32),
            None => Err(failure(Atom::BADARG, "type", value)),
        },
        (_, Size::Units(size)) => {
            segment_size(size, unit).map_err(|raise| failure(reason(&raise), "size", size))
        }
        (_, Size::Natural) => match value {
            Term::Bits(bits) => Ok(bits.bit_len()),
            _ => Err(failure(Atom::BADARG, "type", value)),
        },
    }
}

/// Appends a segment whose size has been checked.
fn put(segment: Segment<'_>, builder: &mut Builder) -> Result<(), Failure> {
    let size = size(segment, false)?;
    let (kind, number, unit, flags, value, natural) = match segment {
        Segment::String(bytes) => {
            builder.put_octets(bytes.iter().copied());
            return Ok(());
        }
        Segment::Value {
            kind,
            number,
            unit,
            flags,
            value,
            size,
        } => {
            let natural = matches!(size, Size::Natural);
            (kind, number, unit, flags, value, natural)
        }
    };
    let put = match kind {
        Kind::Integer => builder.put_integer(value, size, flags).ok_or("type"),
        Kind::Utf8 => builder.put_utf8(value).ok_or("type"),
        Kind::Utf16 => builder.put_utf16(value, flags).ok_or("type"),
        Kind::Utf32 => builder.put_utf32(value, flags).ok_or("type"),
        Kind::Float => builder
            .put_float(value, size, flags)
            .map_err(|problem| match problem {
                Problem::Size => "invalid",
                Problem::Type => "type",
                Problem::Range => "no_float",
            }),
        Kind::Binary => match value {
            Term::Bits(bits) if natural => put_all(bits, unit, builder),
            Term::Bits(bits) => put_part(bits, size, builder),
            _ => Err("type"),
        },
    };
    put.map_err(|problem| Failure {
        reason: Atom::BADARG,
        number,
        kind,
        problem,
        // `invalid` refers to the size, not to the value.
        value: match problem {
            "invalid" => Term::Int(i64::try_from(size).unwrap_or(i64::MAX)),
            _ => value.clone(),
        },
    })
}

fn put_all(bits: &Rc<Bits>, unit: usize, builder: &mut Builder) -> Result<(), &'static str> {
    if unit == 0 || !bits.bit_len().is_multiple_of(unit) {
        return Err("unit");
    }
    builder.put_bits(bits);
    Ok(())
}

fn put_part(bits: &Rc<Bits>, size: usize, builder: &mut Builder) -> Result<(), &'static str> {
    let part = bits.part(0, size).ok_or("short")?;
    builder.put_bits(&part);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<'a>(kind: Kind, number: u32, value: &'a Term, size: Option<&'a Term>) -> Segment<'a> {
        Segment::Value {
            kind,
            number,
            unit: if kind == Kind::Binary { 8 } else { 1 },
            flags: Flags::default(),
            value,
            size: size.map_or(Size::Natural, Size::Units),
        }
    }

    fn check(append: Option<Term>, segments: &[Segment<'_>], expected: &str) {
        let append = append.map(|value| Append {
            value,
            number: 1,
            unit: 8,
        });
        let text = match create(append, segments.iter().copied(), false) {
            Ok(bits) => Term::Bits(Rc::new(bits)).to_string(),
            Err(failure) => format!("{:?}: {}", failure.reason, failure.cause()),
        };
        assert_eq!(text, expected);
    }

    #[test]
    fn segments_are_appended_in_order() {
        let (size, number) = (Term::Int(16), Term::Int(0x6263));
        let (float, half) = (Term::Float(1.0), Term::binary(b"xy"));
        check(
            Some(Term::binary(b"a")),
            &[
                value(Kind::Integer, 2, &number, Some(&size)),
                Segment::String(b"de"),
                value(Kind::Float, 3, &float, Some(&size)),
                value(Kind::Binary, 4, &half, None),
                value(Kind::Utf8, 5, &Term::Int(0xe9), None),
            ],
            "<<97,98,99,100,101,60,0,120,121,195,169>>",
        );
    }

    #[test]
    fn sizes_are_checked_before_values() {
        let (wrong, size, huge) = (Term::Nil, Term::Int(8), Term::Int(i64::MAX));
        check(
            None,
            &[
                value(Kind::Integer, 1, &wrong, Some(&size)),
                value(Kind::Integer, 2, &size, Some(&huge)),
            ],
            "system_limit: {2,integer,size,9223372036854775807}",
        );
        check(
            Some(Term::Nil),
            &[value(Kind::Integer, 2, &size, Some(&wrong))],
            "badarg: {2,integer,size,[]}",
        );
        check(
            Some(Term::Nil),
            &[value(Kind::Integer, 2, &wrong, Some(&size))],
            "badarg: {1,binary,type,[]}",
        );
        check(
            None,
            &[value(Kind::Float, 2, &wrong, Some(&size))],
            "badarg: {2,float,invalid,8}",
        );
        check(
            None,
            &[value(Kind::Binary, 1, &Term::binary(b"a"), Some(&size))],
            "badarg: {1,binary,short,<<97>>}",
        );
    }

    #[test]
    fn a_total_size_beyond_the_limit_fails() {
        let (zero, large) = (Term::Int(0), Term::Int(BITS_MAX as i64));
        let segment = value(Kind::Integer, 1, &zero, Some(&large));
        check(
            None,
            &[segment, segment],
            "system_limit: {1,integer,size,68719476736}",
        );
    }
}
