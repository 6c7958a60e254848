//! The external term format.

use super::convert::bytes;
use super::{BifResult, proper, size};
use crate::bytes::Reader;
use crate::raise::Raise;
use crate::term::{Atoms, Format, Term, decode_from, encode};

table! {
    "erlang" {
        "binary_to_term"/1 => binary_to_term,
        "binary_to_term"/2 => binary_to_term_as,
        "term_to_binary"/1 => term_to_binary,
        "term_to_binary"/2 => term_to_binary_as,
        "term_to_iovec"/1 => term_to_iovec,
        "term_to_iovec"/2 => term_to_iovec_as,
    }
}

/// The default compression level.
const LEVEL: u32 = 6;

fn format(options: &Term, mut format: Format) -> Result<Format, Raise> {
    for option in proper(options).ok_or_else(Raise::badarg)? {
        match &option {
            Term::Atom(atom) => match atom.name() {
                "compressed" => format.compression = LEVEL,
                // Map entries are always written in the order of their keys.
                "deterministic" => {}
                _ => return Err(Raise::badarg()),
            },
            Term::Tuple(pair) => match (pair.first(), pair.get(1), pair.len()) {
                (Some(Term::Atom(name)), Some(Term::Int(value)), 2) => {
                    match (name.name(), *value) {
                        ("minor_version", 0..=2) => format.minor_version = *value as u8,
                        ("compressed", 0..=9) => format.compression = *value as u32,
                        _ => return Err(Raise::badarg()),
                    }
                }
                _ => return Err(Raise::badarg()),
            },
            _ => return Err(Raise::badarg()),
        }
    }
    Ok(format)
}

fn term_to_binary(term: &Term) -> BifResult {
    Ok(Term::binary(&encode(term, Format::OTP_25)))
}

fn term_to_binary_as(term: &Term, options: &Term) -> BifResult {
    let format = format(options, Format::OTP_25)?;
    Ok(Term::binary(&encode(term, format)))
}

/// [`term_to_binary`] since OTP 26.
pub(super) fn term_to_binary_since_26(term: &Term) -> BifResult {
    Ok(Term::binary(&encode(term, Format::OTP_26)))
}

/// [`term_to_binary_as`] since OTP 26.
pub(super) fn term_to_binary_since_26_as(term: &Term, options: &Term) -> BifResult {
    Ok(Term::binary(&encode(
        term,
        format(options, Format::OTP_26)?,
    )))
}

/// The result has one element.
fn term_to_iovec(term: &Term) -> BifResult {
    Ok(Term::list([term_to_binary(term)?]))
}

fn term_to_iovec_as(term: &Term, options: &Term) -> BifResult {
    Ok(Term::list([term_to_binary_as(term, options)?]))
}

/// [`term_to_iovec`] since OTP 26.
pub(super) fn term_to_iovec_since_26(term: &Term) -> BifResult {
    Ok(Term::list([term_to_binary_since_26(term)?]))
}

/// [`term_to_iovec_as`] since OTP 26.
pub(super) fn term_to_iovec_since_26_as(term: &Term, options: &Term) -> BifResult {
    Ok(Term::list([term_to_binary_since_26_as(term, options)?]))
}

/// The term at the start of a binary, and the number of bytes it takes.
fn decoded(binary: &Term, atoms: Atoms) -> Result<(Term, usize), Raise> {
    let bytes = bytes(binary).ok_or_else(Raise::badarg)?;
    let mut reader = Reader::new(&bytes);
    match decode_from(&mut reader, atoms) {
        Ok(term) => Ok((term, reader.offset())),
        Err(_) => Err(Raise::badarg()),
    }
}

fn binary_to_term(binary: &Term) -> BifResult {
    Ok(decoded(binary, Atoms::Any)?.0)
}

fn binary_to_term_as(binary: &Term, options: &Term) -> BifResult {
    let (mut atoms, mut with_size) = (Atoms::Any, false);
    for option in proper(options).ok_or_else(Raise::badarg)? {
        match &option {
            Term::Atom(atom) if atom.name() == "safe" => atoms = Atoms::Existing,
            Term::Atom(atom) if atom.name() == "used" => with_size = true,
            _ => return Err(Raise::badarg()),
        }
    }
    let (term, used) = decoded(binary, atoms)?;
    Ok(if with_size {
        Term::tuple([term, size(used)])
    } else {
        term
    })
}
