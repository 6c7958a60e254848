//! Characters in nested lists, as code points and encoded.
//!
//! Binaries are in UTF-8 or Latin-1. Other encodings raise `badarg` here; for them the machine must
//! call `unicode:characters_to_binary_int/2` and `unicode:characters_to_list_int/2`, which are
//! written in Erlang.

use std::rc::Rc;

use super::convert::{bytes, characters};
use super::{BifResult, boolean, small};
use crate::meter;
use crate::raise::Raise;
use crate::term::{Atom, Bits, Cons, Term};

table! {
    "unicode" {
        "bin_is_7bit"/1 => bin_is_7bit,
        "characters_to_binary"/2 => characters_to_binary,
        "characters_to_list"/2 => characters_to_list,
    }
}

fn bin_is_7bit(term: &Term) -> BifResult {
    Ok(boolean(bytes(term).is_some_and(|bytes| bytes.is_ascii())))
}

/// `unicode:characters_to_binary/2` of data in UTF-8 or Latin-1.
pub(crate) fn characters_to_binary(data: &Term, encoding: &Term) -> BifResult {
    // If the only element of a list is an invalid binary, the result contains the rest of the
    // binary, without the list.
    let data = match data {
        Term::Cons(cons) => match (&cons.head, &cons.tail) {
            (Term::Bits(_), Term::Nil) => &cons.head,
            _ => data,
        },
        _ => data,
    };
    let converted = convert(data, encoding)?;
    Ok(converted.result(|text| Term::binary(text.as_bytes())))
}

fn characters_to_list(data: &Term, encoding: &Term) -> BifResult {
    let converted = convert(data, encoding)?;
    Ok(converted.result(characters))
}

struct Converted {
    text: String,
    end: End,
}

enum End {
    Whole,
    /// An invalid character; the term is the data from there.
    Error(Term),
    /// The data ends within a character; the term is its first bytes.
    Incomplete(Term),
}

impl Converted {
    fn result(self, form: impl Fn(&str) -> Term) -> Term {
        let text = form(&self.text);
        match self.end {
            End::Whole => text,
            End::Error(rest) => Term::tuple([Atom::ERROR.into(), text, rest]),
            End::Incomplete(rest) => Term::tuple([Term::atom("incomplete"), text, rest]),
        }
    }
}

fn convert(data: &Term, encoding: &Term) -> Result<Converted, Raise> {
    let latin1 = match encoding {
        Term::Atom(atom) => match atom.name() {
            "latin1" => true,
            "utf8" | "unicode" => false,
            _ => return Err(Raise::badarg()),
        },
        _ => return Err(Raise::badarg()),
    };
    check(data).ok_or_else(Raise::badarg)?;
    let mut reader = Reader {
        latin1,
        text: String::new(),
        partial: Vec::new(),
    };
    let end = match reader.read(data) {
        Ok(()) if reader.partial.is_empty() => End::Whole,
        Ok(()) => {
            let partial = Term::binary(&reader.partial);
            match is_valid_start(&reader.partial) {
                true => End::Incomplete(partial),
                false => End::Error(partial),
            }
        }
        Err(rest) if reader.partial.is_empty() => End::Error(rest),
        Err(rest) => End::Error(Term::list([Term::binary(&reader.partial), rest])),
    };
    Ok(Converted {
        text: reader.text,
        end,
    })
}

/// Whether nested lists contain only integers and binaries.
fn check(data: &Term) -> Option<()> {
    let mut tails = vec![data];
    while let Some(mut term) = tails.pop() {
        loop {
            meter::work(1).ok()?;
            match term {
                Term::Nil => break,
                Term::Bits(bits) if bits.is_binary() => break,
                Term::Cons(cons) => match &cons.head {
                    _ if small(&cons.head).is_some() => term = &cons.tail,
                    // Not a character, so reading stops here.
                    Term::Int(_) | Term::Big(_) => return Some(()),
                    head => {
                        tails.push(&cons.tail);
                        term = head;
                    }
                },
                _ => return None,
            }
        }
    }
    Some(())
}

struct Reader {
    latin1: bool,
    text: String,
    /// The first bytes of a character, which the next binary must complete.
    partial: Vec<u8>,
}

impl Reader {
    /// Reads all data, or returns the data from the first error.
    fn read(&mut self, data: &Term) -> Result<(), Term> {
        // The tails of the lists around the current one.
        let mut tails: Vec<&Term> = Vec::new();
        let mut term = data;
        loop {
            let rest = match term {
                Term::Cons(cons) => {
                    if let Term::Cons(_) = cons.head {
                        tails.push(&cons.tail);
                        term = &cons.head;
                        continue;
                    }
                    match self.head(cons, term) {
                        Ok(()) => {
                            term = &cons.tail;
                            continue;
                        }
                        Err(rest) => Some(rest),
                    }
                }
                Term::Bits(bits) => self.binary(bits).err(),
                _ => None,
            };
            if let Some(rest) = rest {
                let around = tails.into_iter().rev();
                return Err(around.fold(rest, |rest, tail| Term::cons(rest, tail.clone())));
            }
            match tails.pop() {
                Some(tail) => term = tail,
                None => return Ok(()),
            }
        }
    }

    /// Reads the first element of a list, which is not a list itself.
    fn head(&mut self, cons: &Cons, list: &Term) -> Result<(), Term> {
        match &cons.head {
            Term::Int(code) => {
                let character = u32::try_from(*code).ok().and_then(char::from_u32);
                match character.filter(|&c| !self.latin1 || u32::from(c) <= 0xff) {
                    Some(character) if self.partial.is_empty() => {
                        self.text.push(character);
                        Ok(())
                    }
                    _ => Err(list.clone()),
                }
            }
            Term::Bits(bits) => self
                .binary(bits)
                .map_err(|rest| Term::cons(rest, cons.tail.clone())),
            Term::Big(_) => Err(list.clone()),
            _ => Ok(()),
        }
    }

    fn binary(&mut self, bits: &Rc<Bits>) -> Result<(), Term> {
        if meter::spend(bits.byte_len()).is_err() {
            return Err(Term::Nil);
        }
        let copied: Vec<u8>;
        let bytes = match bits.as_bytes() {
            Some(bytes) => bytes,
            None => {
                copied = bits.iter().collect();
                &copied
            }
        };
        if self.latin1 {
            self.text.extend(bytes.iter().copied().map(char::from));
            return Ok(());
        }
        let from = |at: usize| match bits.part(at * 8, (bytes.len() - at) * 8) {
            Some(rest) => Term::Bits(Rc::new(rest)),
            None => Term::Bits(Rc::clone(bits)),
        };
        let mut at = 0;
        if let Some(&first) = self.partial.first() {
            let missing = sequence_length(first).unwrap_or(1) - self.partial.len();
            if bytes.len() < missing {
                self.partial.extend(bytes);
                return Ok(());
            }
            let mut whole = self.partial.clone();
            whole.extend(&bytes[..missing]);
            match std::str::from_utf8(&whole) {
                Ok(character) => self.text.push_str(character),
                Err(_) => return Err(from(0)),
            }
            self.partial.clear();
            at = missing;
        }
        let rest = &bytes[at..];
        let valid = match std::str::from_utf8(rest) {
            Ok(text) => {
                self.text.push_str(text);
                return Ok(());
            }
            Err(error) => error.valid_up_to(),
        };
        self.text
            .push_str(std::str::from_utf8(&rest[..valid]).unwrap_or_default());
        at += valid;
        let rest = &bytes[at..];
        match sequence_length(rest[0]) {
            Some(length) if rest.len() < length => {
                self.partial = rest.to_vec();
                Ok(())
            }
            _ => Err(from(at)),
        }
    }
}

/// The length in bytes of a character with this first byte.
fn sequence_length(first: u8) -> Option<usize> {
    match first {
        0x00..0x80 => Some(1),
        0xc0..0xe0 => Some(2),
        0xe0..0xf0 => Some(3),
        0xf0..0xf8 => Some(4),
        _ => None,
    }
}

/// Whether these bytes are a proper prefix of a valid character.
fn is_valid_start(bytes: &[u8]) -> bool {
    bytes[1..].iter().all(|byte| byte & 0xc0 == 0x80)
}
