//! Nested lists of bytes and binaries.

use std::borrow::Cow;

use super::{BifResult, size};
use crate::meter;
use crate::raise::Raise;
use crate::term::{Bits, Term};

table! {
    "erlang" {
        "iolist_size"/1 => iolist_size,
        "iolist_to_binary"/1 => iolist_to_binary,
        "iolist_to_iovec"/1 => iolist_to_iovec,
        "list_to_binary"/1 => list_to_binary,
        "list_to_bitstring"/1 => list_to_bitstring,
    }
    "binary" {
        "list_to_bin"/1 => list_to_binary,
    }
}

/// A leaf of nested lists.
pub(super) enum Leaf<'a> {
    Byte(u8),
    Bits(&'a Bits),
}

/// Visits all leaves in order. Returns `None` if the list contains another type. The whole term or
/// a tail may be a binary, but not a byte.
pub(super) fn leaves<'a>(
    term: &'a Term,
    mut visit: impl FnMut(Leaf<'a>) -> Option<()>,
) -> Option<()> {
    let mut tails = vec![term];
    while let Some(mut term) = tails.pop() {
        loop {
            match term {
                Term::Nil => break,
                Term::Bits(bits) => {
                    meter::spend(bits.byte_len()).ok()?;
                    visit(Leaf::Bits(bits))?;
                    break;
                }
                Term::Cons(cons) => {
                    meter::work(1).ok()?;
                    if let Term::Int(byte) = cons.head {
                        visit(Leaf::Byte(u8::try_from(byte).ok()?))?;
                        term = &cons.tail;
                    } else {
                        tails.push(&cons.tail);
                        term = &cons.head;
                    }
                }
                _ => return None,
            }
        }
    }
    Some(())
}

/// The bytes of nested lists. `None` if they contain a bit string that is not a binary.
pub(super) fn flatten(term: &Term) -> Option<Cow<'_, [u8]>> {
    if let Term::Bits(bits) = term
        && let Some(bytes) = bits.as_bytes()
    {
        return Some(Cow::Borrowed(bytes));
    }
    let mut bytes = Vec::new();
    leaves(term, |leaf| {
        match leaf {
            Leaf::Byte(byte) => bytes.push(byte),
            Leaf::Bits(bits) => match bits.as_bytes() {
                Some(more) => bytes.extend(more),
                None if bits.is_binary() => bytes.extend(bits.iter()),
                None => return None,
            },
        }
        Some(())
    })?;
    Some(Cow::Owned(bytes))
}

fn iolist_size(term: &Term) -> BifResult {
    let mut count = 0_usize;
    leaves(term, |leaf| {
        count = count.checked_add(match leaf {
            Leaf::Byte(_) => 1,
            Leaf::Bits(bits) if bits.is_binary() => bits.byte_len(),
            Leaf::Bits(_) => return None,
        })?;
        Some(())
    })
    .ok_or_else(Raise::badarg)?;
    Ok(size(count))
}

fn iolist_to_binary(term: &Term) -> BifResult {
    match term {
        Term::Bits(bits) if bits.is_binary() => Ok(term.clone()),
        _ => match flatten(term) {
            Some(bytes) => Ok(Term::Bits(Bits::from_vec(bytes.into_owned()).into())),
            None => Err(Raise::badarg()),
        },
    }
}

/// The result has one element; the real machine splits large data into several.
fn iolist_to_iovec(term: &Term) -> BifResult {
    let binary = iolist_to_binary(term)?;
    match &binary {
        Term::Bits(bits) if bits.bit_len() == 0 => Ok(Term::Nil),
        _ => Ok(Term::list([binary])),
    }
}

fn list_to_binary(term: &Term) -> BifResult {
    match term {
        Term::Nil | Term::Cons(_) => iolist_to_binary(term),
        _ => Err(Raise::badarg()),
    }
}

fn list_to_bitstring(term: &Term) -> BifResult {
    if !matches!(term, Term::Nil | Term::Cons(_)) {
        return Err(Raise::badarg());
    }
    let mut joined = Joined::default();
    leaves(term, |leaf| {
        match leaf {
            Leaf::Byte(byte) => joined.push(byte, 8),
            Leaf::Bits(bits) => joined.append(bits),
        }
        Some(())
    })
    .ok_or_else(Raise::badarg)?;
    match Bits::from_bits(&joined.bytes, joined.len) {
        Some(bits) => Ok(Term::Bits(bits.into())),
        None => Err(Raise::badarg()),
    }
}

/// Concatenated bits. Unused bits of the last byte are zero.
#[derive(Default)]
struct Joined {
    bytes: Vec<u8>,
    /// Length in bits.
    len: usize,
}

impl Joined {
    /// Appends the `count` highest bits of a byte, whose other bits are zero.
    fn push(&mut self, byte: u8, count: usize) {
        let used = self.len % 8;
        match self.bytes.last_mut() {
            Some(last) if used > 0 => {
                *last |= byte >> used;
                if used + count > 8 {
                    self.bytes.push(byte << (8 - used));
                }
            }
            _ => self.bytes.push(byte),
        }
        self.len += count;
    }

    fn append(&mut self, bits: &Bits) {
        if self.len.is_multiple_of(8)
            && let Some(bytes) = bits.as_bytes()
        {
            self.bytes.extend(bytes);
            self.len += bits.bit_len();
            return;
        }
        let mut left = bits.bit_len();
        for byte in bits.iter() {
            let count = left.min(8);
            self.push(byte, count);
            left -= count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_nesting_needs_no_stack() {
        const DEPTH: i64 = 1_000_000;
        let nested = (0..DEPTH).fold(Term::Nil, |inner, n| {
            Term::list([Term::Int(n & 0xff), inner])
        });
        assert_eq!(iolist_size(&nested).expect("bytes"), Term::Int(DEPTH));
        let nested = (0..DEPTH).fold(Term::Nil, |inner, _| Term::list([inner, Term::Int(1)]));
        let binary = iolist_to_binary(&nested).expect("bytes");
        assert_eq!(iolist_size(&binary).expect("bytes"), Term::Int(DEPTH));
    }

    #[test]
    fn bits_are_joined_at_any_offset() {
        let three = || Term::Bits(Bits::from_bits(&[0b1010_0000], 3).expect("enough").into());
        let list = Term::list([three(), 0xff.into(), three(), three(), Term::binary(&[1])]);
        let joined = list_to_bitstring(&list).expect("bits");
        // 101 11111111 101 101 00000001
        assert_eq!(joined.to_string(), "<<191,246,128,1:1>>");
    }
}
