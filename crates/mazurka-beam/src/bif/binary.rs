//! The module `binary`.

use num_bigint::{BigInt, BigUint, Sign};

use super::binaries::{binary, bytes_at, range_of};
use super::convert::bytes;
use super::{BifResult, arith, proper, size};
use crate::meter;
use crate::raise::Raise;
use crate::term::{Bits, Term};

table! {
    "binary" {
        "at"/2 => at,
        "compile_pattern"/1 => compile_pattern,
        "copy"/1 => copy,
        "copy"/2 => copies,
        "decode_unsigned"/1 => decode_unsigned,
        "decode_unsigned"/2 => decode_unsigned_as,
        "encode_unsigned"/1 => encode_unsigned,
        "encode_unsigned"/2 => encode_unsigned_as,
        "first"/1 => first,
        "last"/1 => last,
        "longest_common_prefix"/1 => longest_common_prefix,
        "longest_common_suffix"/1 => longest_common_suffix,
        "match"/2 => first_match,
        "match"/3 => first_match_within,
        "matches"/2 => matches,
        "matches"/3 => matches_within,
        "referenced_byte_size"/1 => referenced_byte_size,
        "split"/2 => split,
        "split"/3 => split_as,
    }
}

/// The byte at an index, which counts from 0.
fn at(term: &Term, index: &Term) -> BifResult {
    let bits = binary(term)?;
    let byte = match index {
        Term::Int(index) => usize::try_from(*index)
            .ok()
            .and_then(|index| bits.part(index.checked_mul(8)?, 8))
            .and_then(|byte| byte.iter().next()),
        _ => None,
    };
    byte.map(|byte| Term::Int(byte.into()))
        .ok_or_else(Raise::badarg)
}

fn first(term: &Term) -> BifResult {
    at(term, &Term::Int(0))
}

fn last(term: &Term) -> BifResult {
    at(term, &Term::Int(binary(term)?.byte_len() as i64 - 1))
}

/// In the real machine the result depends on how the binary was built. Here it is its own size.
fn referenced_byte_size(term: &Term) -> BifResult {
    match term {
        Term::Bits(bits) => Ok(size(bits.byte_len())),
        _ => Err(Raise::badarg()),
    }
}

fn copy(term: &Term) -> BifResult {
    binary(term)?;
    Ok(term.clone())
}

/// The largest result of `binary:copy/2`, in bytes. The real machine allows larger ones and
/// terminates if it runs out of memory.
const COPIES_MAX: u64 = 1 << 32;

fn copies(term: &Term, count: &Term) -> BifResult {
    // Zero copies of a bit string that is not a binary are allowed.
    if let (Term::Bits(_), Term::Int(0)) = (term, count) {
        return Ok(Term::binary(&[]));
    }
    let bytes = subject(term)?;
    let count = arith::to_big(count).and_then(|count| u64::try_from(count).ok());
    let count = count.ok_or_else(Raise::badarg)?;
    match (bytes.len() as u64).checked_mul(count) {
        Some(0) => Ok(Term::binary(&[])),
        Some(length) if length <= COPIES_MAX => {
            meter::spend(length as usize)?;
            let copies = bytes.repeat(count as usize);
            Ok(Term::Bits(Bits::from_vec(copies).into()))
        }
        _ => Err(Raise::system_limit()),
    }
}

/// [`copies`] since OTP 27.
pub(super) fn whole_copies(term: &Term, count: &Term) -> BifResult {
    binary(term)?;
    copies(term, count)
}

/// Whether the least significant byte comes first.
fn is_little(endianness: &Term) -> Result<bool, Raise> {
    match endianness {
        Term::Atom(atom) if atom.name() == "little" => Ok(true),
        Term::Atom(atom) if atom.name() == "big" => Ok(false),
        _ => Err(Raise::badarg()),
    }
}

fn subject(term: &Term) -> Result<std::borrow::Cow<'_, [u8]>, Raise> {
    bytes(term).ok_or_else(Raise::badarg)
}

fn decode_unsigned(term: &Term) -> BifResult {
    let bytes = subject(term)?;
    arith::within_limit(BigInt::from_bytes_be(Sign::Plus, &bytes))
}

fn decode_unsigned_as(term: &Term, endianness: &Term) -> BifResult {
    let (bytes, little) = (subject(term)?, is_little(endianness)?);
    arith::within_limit(if little {
        BigInt::from_bytes_le(Sign::Plus, &bytes)
    } else {
        BigInt::from_bytes_be(Sign::Plus, &bytes)
    })
}

fn unsigned(term: &Term) -> Result<BigUint, Raise> {
    arith::to_big(term)
        .and_then(|big| big.try_into().ok())
        .ok_or_else(Raise::badarg)
}

fn encode_unsigned(term: &Term) -> BifResult {
    Ok(Term::binary(&unsigned(term)?.to_bytes_be()))
}

fn encode_unsigned_as(term: &Term, endianness: &Term) -> BifResult {
    let (number, little) = (unsigned(term)?, is_little(endianness)?);
    Ok(Term::binary(&if little {
        number.to_bytes_le()
    } else {
        number.to_bytes_be()
    }))
}

/// The binaries of a non-empty list.
fn all(list: &Term) -> Result<Vec<Vec<u8>>, Raise> {
    let binaries = proper(list).ok_or_else(Raise::badarg)?;
    if binaries.is_empty() {
        return Err(Raise::badarg());
    }
    binaries
        .iter()
        .map(|binary| Ok(subject(binary)?.into_owned()))
        .collect()
}

fn longest_common_prefix(list: &Term) -> BifResult {
    let binaries = all(list)?;
    let one = &binaries[0];
    let common = |other: &Vec<u8>| one.iter().zip(other).take_while(|(a, b)| a == b).count();
    Ok(size(binaries.iter().map(common).min().unwrap_or(0)))
}

fn longest_common_suffix(list: &Term) -> BifResult {
    let binaries = all(list)?;
    let one = binaries[0].iter().rev();
    let common = |other: &Vec<u8>| {
        let pairs = one.clone().zip(other.iter().rev());
        pairs.take_while(|(a, b)| a == b).count()
    };
    Ok(size(binaries.iter().map(common).min().unwrap_or(0)))
}

/// The binaries to search for, the longest first.
struct Patterns {
    all: Vec<Vec<u8>>,
    /// For each byte, whether a pattern starts with it.
    is_first_byte: [bool; 256],
}

impl Patterns {
    /// The patterns for a search in this range. If the range ends at the first byte, the term is
    /// not checked.
    fn up_to(term: &Term, (start, length): (usize, usize)) -> Result<Patterns, Raise> {
        if start + length > 0 {
            return Patterns::new(term);
        }
        Ok(Patterns {
            all: Vec::new(),
            is_first_byte: [false; 256],
        })
    }

    /// Patterns from a binary, a list of binaries, or a result of `compile_pattern`.
    fn new(term: &Term) -> Result<Patterns, Raise> {
        let term = match term {
            Term::Tuple(pair) => match (pair.first(), pair.get(1), pair.len()) {
                (Some(Term::Atom(kind)), Some(inner @ Term::Bits(_)), 2) if kind.name() == "bm" => {
                    inner
                }
                (Some(Term::Atom(kind)), Some(inner @ Term::Cons(_)), 2) if kind.name() == "ac" => {
                    inner
                }
                _ => return Err(Raise::badarg()),
            },
            _ => term,
        };
        let mut binaries = match term {
            Term::Bits(_) => vec![subject(term)?.into_owned()],
            _ => all(term)?,
        };
        let mut is_first_byte = [false; 256];
        for binary in &binaries {
            let first = *binary.first().ok_or_else(Raise::badarg)?;
            is_first_byte[usize::from(first)] = true;
        }
        binaries.sort_by_key(|binary| std::cmp::Reverse(binary.len()));
        Ok(Patterns {
            all: binaries,
            is_first_byte,
        })
    }

    /// The first position from `start` at which a pattern occurs, and the length of the longest
    /// pattern there.
    fn find(&self, bytes: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
        (start..end)
            .filter(|&at| self.is_first_byte[usize::from(bytes[at])])
            .find_map(|at| {
                let rest = &bytes[at..end];
                let found = self.all.iter().find(|pattern| rest.starts_with(pattern))?;
                Some((at, found.len()))
            })
    }

    /// All occurrences, without overlap.
    fn find_all(&self, bytes: &[u8], (start, length): (usize, usize)) -> Vec<(usize, usize)> {
        let (mut at, end) = (start, start + length);
        let mut found = Vec::new();
        while let Some((place, length)) = self.find(bytes, at, end) {
            found.push((place, length));
            at = place + length;
        }
        found
    }
}

/// A checked pattern. Its contents are opaque to programs.
fn compile_pattern(pattern: &Term) -> BifResult {
    Patterns::new(pattern)?;
    match pattern {
        Term::Tuple(_) => Err(Raise::badarg()),
        Term::Bits(_) => Ok(Term::tuple([Term::atom("bm"), pattern.clone()])),
        Term::Cons(cons) if matches!(cons.tail, Term::Nil) => {
            Ok(Term::tuple([Term::atom("bm"), cons.head.clone()]))
        }
        _ => Ok(Term::tuple([Term::atom("ac"), pattern.clone()])),
    }
}

/// The options of the functions below.
struct Options {
    scope: (usize, usize),
    global: bool,
    trim: bool,
    trim_all: bool,
}

/// Parses options. Only `split` accepts others than `scope`.
fn options(term: &Term, length: usize, splitting: bool) -> Result<Options, Raise> {
    let mut options = Options {
        scope: (0, length),
        global: false,
        trim: false,
        trim_all: false,
    };
    for option in proper(term).ok_or_else(Raise::badarg)? {
        match &option {
            Term::Tuple(pair) => match (pair.first(), pair.get(1), pair.len()) {
                (Some(Term::Atom(name)), Some(scope), 2) if name.name() == "scope" => {
                    options.scope = range_of(scope, length).ok_or_else(Raise::badarg)?;
                }
                _ => return Err(Raise::badarg()),
            },
            Term::Atom(name) if splitting => match name.name() {
                "global" => options.global = true,
                "trim" => options.trim = true,
                "trim_all" => options.trim_all = true,
                _ => return Err(Raise::badarg()),
            },
            _ => return Err(Raise::badarg()),
        }
    }
    Ok(options)
}

fn pair((start, length): (usize, usize)) -> Term {
    Term::tuple([size(start), size(length)])
}

fn first_match(term: &Term, pattern: &Term) -> BifResult {
    first_match_within(term, pattern, &Term::Nil)
}

fn first_match_within(term: &Term, pattern: &Term, extra: &Term) -> BifResult {
    let bytes = subject(term)?;
    let options = options(extra, bytes.len(), false)?;
    let (start, length) = options.scope;
    let patterns = Patterns::up_to(pattern, options.scope)?;
    Ok(match patterns.find(&bytes, start, start + length) {
        Some(found) => pair(found),
        None => Term::atom("nomatch"),
    })
}

fn matches(term: &Term, pattern: &Term) -> BifResult {
    matches_within(term, pattern, &Term::Nil)
}

fn matches_within(term: &Term, pattern: &Term, extra: &Term) -> BifResult {
    let bytes = subject(term)?;
    let options = options(extra, bytes.len(), false)?;
    let patterns = Patterns::up_to(pattern, options.scope)?;
    let found = patterns.find_all(&bytes, options.scope);
    Ok(Term::list(found.into_iter().map(pair)))
}

fn split(term: &Term, pattern: &Term) -> BifResult {
    split_as(term, pattern, &Term::Nil)
}

fn split_as(term: &Term, pattern: &Term, extra: &Term) -> BifResult {
    let bits = binary(term)?;
    let bytes = subject(term)?;
    let options = options(extra, bytes.len(), true)?;
    let patterns = Patterns::up_to(pattern, options.scope)?;
    let found = if options.global {
        patterns.find_all(&bytes, options.scope)
    } else {
        let (start, length) = options.scope;
        patterns
            .find(&bytes, start, start + length)
            .into_iter()
            .collect()
    };
    let mut parts = Vec::new();
    let mut at = 0;
    for (start, length) in found {
        parts.push((at, start - at));
        at = start + length;
    }
    parts.push((at, bytes.len() - at));
    if options.trim_all {
        parts.retain(|&(_, length)| length > 0);
    } else if options.trim {
        let kept = parts.iter().rposition(|&(_, length)| length > 0);
        parts.truncate(kept.map_or(0, |last| last + 1));
    }
    let parts: Result<Vec<Term>, Raise> =
        parts.into_iter().map(|part| bytes_at(bits, part)).collect();
    Ok(Term::list(parts?))
}

/// [`first_match`] since OTP 27.
pub(super) fn checked_match(term: &Term, pattern: &Term) -> BifResult {
    Patterns::new(pattern)?;
    first_match(term, pattern)
}

/// [`first_match_within`] since OTP 27.
pub(super) fn checked_match_within(term: &Term, pattern: &Term, extra: &Term) -> BifResult {
    Patterns::new(pattern)?;
    first_match_within(term, pattern, extra)
}

/// [`matches`] since OTP 27.
pub(super) fn checked_matches(term: &Term, pattern: &Term) -> BifResult {
    Patterns::new(pattern)?;
    matches(term, pattern)
}

/// [`matches_within`] since OTP 27.
pub(super) fn checked_matches_within(term: &Term, pattern: &Term, extra: &Term) -> BifResult {
    Patterns::new(pattern)?;
    matches_within(term, pattern, extra)
}

/// [`split`] since OTP 27.
pub(super) fn checked_split(term: &Term, pattern: &Term) -> BifResult {
    Patterns::new(pattern)?;
    split(term, pattern)
}

/// [`split_as`] since OTP 27.
pub(super) fn checked_split_as(term: &Term, pattern: &Term, extra: &Term) -> BifResult {
    Patterns::new(pattern)?;
    split_as(term, pattern, extra)
}
