//! Sizes and parts of binaries, and lists of their bytes.

use std::rc::Rc;

use super::{BifResult, index, size};
use crate::meter;
use crate::raise::Raise;
use crate::term::{Bits, Cons, Term};

table! {
    "erlang" {
        "binary_part"/2 => binary_part_of,
        "binary_part"/3 => binary_part,
        "binary_to_list"/1 => binary_to_list,
        "binary_to_list"/3 => binary_to_list_between,
        "bit_size"/1 => bit_size,
        "bitstring_to_list"/1 => bitstring_to_list,
        "byte_size"/1 => byte_size,
        "size"/1 => size_of,
        "split_binary"/2 => split_binary,
    }
    "binary" {
        "part"/2 => binary_part_of,
        "part"/3 => binary_part,
    }
}

fn bits(term: &Term) -> Result<&Rc<Bits>, Raise> {
    match term {
        Term::Bits(bits) => Ok(bits),
        _ => Err(Raise::badarg()),
    }
}

/// The bit string of a term, if it consists of whole bytes.
pub(super) fn binary(term: &Term) -> Result<&Rc<Bits>, Raise> {
    bits(term).and_then(|bits| match bits.is_binary() {
        true => Ok(bits),
        false => Err(Raise::badarg()),
    })
}

/// The start and length of a part in bytes. If `length` is negative, the part ends at `start`.
pub(super) fn range(start: &Term, length: &Term, size: usize) -> Option<(usize, usize)> {
    let (Term::Int(start), Term::Int(length)) = (start, length) else {
        return None;
    };
    let other = start.checked_add(*length)?;
    let first = usize::try_from(*start.min(&other)).ok()?;
    let end = usize::try_from(*start.max(&other)).ok()?;
    (end <= size).then_some((first, end - first))
}

/// The range of a pair `{Start, Length}`.
pub(super) fn range_of(pair: &Term, size: usize) -> Option<(usize, usize)> {
    match pair {
        Term::Tuple(pair) if pair.len() == 2 => range(&pair[0], &pair[1], size),
        _ => None,
    }
}

/// A part of a binary, which shares its bytes.
pub(super) fn bytes_at(bits: &Bits, (start, length): (usize, usize)) -> BifResult {
    match bits.part(start * 8, length * 8) {
        Some(part) => Ok(Term::Bits(Rc::new(part))),
        None => Err(Raise::badarg()),
    }
}

fn binary_part(term: &Term, start: &Term, length: &Term) -> BifResult {
    let bits = bits(term)?;
    let range = range(start, length, bits.bit_len() / 8).ok_or_else(Raise::badarg)?;
    bytes_at(bits, range)
}

fn binary_part_of(term: &Term, pair: &Term) -> BifResult {
    let bits = bits(term)?;
    let range = range_of(pair, bits.bit_len() / 8).ok_or_else(Raise::badarg)?;
    bytes_at(bits, range)
}

/// [`binary_part`] since OTP 27.
pub(super) fn whole_binary_part(term: &Term, start: &Term, length: &Term) -> BifResult {
    binary(term)?;
    binary_part(term, start, length)
}

/// [`binary_part_of`] since OTP 27.
pub(super) fn whole_binary_part_of(term: &Term, pair: &Term) -> BifResult {
    binary(term)?;
    binary_part_of(term, pair)
}

/// Memory per element while a list is built.
const CELL_BYTES: usize = std::mem::size_of::<Cons>() + std::mem::size_of::<Term>();

/// A list of `count` bytes, followed by `tail`.
fn list_of(bytes: impl Iterator<Item = u8>, count: usize, tail: Term) -> BifResult {
    meter::spend(count.saturating_mul(CELL_BYTES))?;
    let bytes: Vec<Term> = bytes.map(|byte| Term::Int(byte.into())).collect();
    Ok(Term::list_onto(bytes, tail))
}

fn binary_to_list(term: &Term) -> BifResult {
    let bits = binary(term)?;
    list_of(bits.iter(), bits.byte_len(), Term::Nil)
}

/// Positions count from 1; `last` is inclusive.
fn binary_to_list_between(term: &Term, first: &Term, last: &Term) -> BifResult {
    let bits = bits(term)?;
    match (index(first), index(last)) {
        (Some(first), Some(last)) if first <= last && last < bits.bit_len() / 8 => {
            match bits.part(first * 8, (last - first + 1) * 8) {
                Some(part) => list_of(part.iter(), part.byte_len(), Term::Nil),
                None => Err(Raise::badarg()),
            }
        }
        _ => Err(Raise::badarg()),
    }
}

/// [`binary_to_list_between`] since OTP 27.
pub(super) fn whole_binary_to_list_between(term: &Term, first: &Term, last: &Term) -> BifResult {
    binary(term)?;
    binary_to_list_between(term, first, last)
}

/// If bits are left after the last whole byte, the last element is a bit string of them.
fn bitstring_to_list(term: &Term) -> BifResult {
    let bits = bits(term)?;
    let whole = bits.bit_len() / 8;
    let tail = match bits.part(whole * 8, bits.tail_len()) {
        Some(rest) if rest.bit_len() > 0 => Term::list([Term::Bits(Rc::new(rest))]),
        _ => Term::Nil,
    };
    list_of(bits.iter().take(whole), whole, tail)
}

/// The length in bits. Since OTP 27 compiled code also applies it to a match context, where it
/// means the bits left.
fn bit_len(term: &Term) -> Result<usize, Raise> {
    match term {
        Term::Context(context) => Ok(context.remaining()),
        _ => Ok(bits(term)?.bit_len()),
    }
}

fn bit_size(term: &Term) -> BifResult {
    Ok(size(bit_len(term)?))
}

fn byte_size(term: &Term) -> BifResult {
    Ok(size(bit_len(term)?.div_ceil(8)))
}

/// `size/1` of a tuple or a binary.
fn size_of(term: &Term) -> BifResult {
    match term {
        Term::Tuple(tuple) => Ok(size(tuple.len())),
        _ => Ok(size(bits(term)?.bit_len() / 8)),
    }
}

fn split_binary(term: &Term, position: &Term) -> BifResult {
    let bits = bits(term)?;
    let Term::Int(position) = position else {
        return Err(Raise::badarg());
    };
    let position = usize::try_from(*position)
        .ok()
        .filter(|&position| position <= bits.bit_len() / 8)
        .ok_or_else(Raise::badarg)?;
    let rest = bits.part(position * 8, bits.bit_len() - position * 8);
    let rest = rest.ok_or_else(Raise::badarg)?;
    let first = bytes_at(bits, (0, position))?;
    Ok(Term::tuple([first, Term::Bits(Rc::new(rest))]))
}
