//! Match contexts: a bit string and the position of the match in it.

use std::cell::Cell;
use std::rc::Rc;

use super::{Flags, float, integer, utf};
use crate::term::{Bits, Term};

/// A bit string that is being matched, and the current position.
///
/// Registers that contain the same context share its position, which instructions advance in place.
/// So a snapshot of a process needs copies of its contexts; see [`Copies`]. A context belongs to
/// one process and is never part of a message.
pub struct Context {
    bits: Bits,
    /// In bits from the start, and never beyond the end. It is atomic only because terms may be
    /// sent from one thread to another; no two threads use one context.
    position: Cell<usize>,
}

impl Context {
    /// A context at the start of a bit string.
    pub fn new(bits: Bits) -> Context {
        Context::at(bits, 0)
    }

    fn at(bits: Bits, position: usize) -> Context {
        Context {
            bits,
            position: Cell::new(position),
        }
    }

    /// An independent context at the same position.
    pub fn fork(&self) -> Context {
        Context::at(self.bits.clone(), self.position())
    }

    /// The whole bit string.
    pub fn whole(&self) -> &Bits {
        &self.bits
    }

    /// The current position, in bits from the start.
    pub fn position(&self) -> usize {
        self.position.get()
    }

    /// Sets the position to an earlier result of [`Context::position`], or to the end if it is
    /// beyond the end.
    pub fn set_position(&self, position: usize) {
        let position = position.min(self.bits.bit_len());
        self.position.set(position);
    }

    /// The number of bits left.
    pub fn remaining(&self) -> usize {
        self.bits.bit_len() - self.position()
    }

    /// The bits left.
    pub fn tail(&self) -> Bits {
        self.part(self.remaining())
    }

    /// Skips `size` bits, if that many are left, and returns the position before them.
    fn take(&self, size: usize) -> Option<usize> {
        let at = self.position();
        if self.bits.bit_len() - at < size {
            return None;
        }
        self.position.set(at + size);
        Some(at)
    }

    /// The next `size` bits; the caller has checked that they exist.
    fn part(&self, size: usize) -> Bits {
        self.bits
            .part(self.position(), size)
            .unwrap_or_else(|| Bits::from_bytes(&[]))
    }

    /// Skips `size` bits.
    pub fn skip(&self, size: usize) -> Option<()> {
        self.take(size).map(|_| ())
    }

    /// Reads an integer of `size` bits.
    pub fn integer(&self, size: usize, flags: Flags) -> Option<Term> {
        let at = self.take(size)?;
        Some(integer::read(&self.bits, at, size, flags))
    }

    /// Reads a float of `size` bits. It does not match if floats do not have this size, or if it is
    /// not finite.
    pub fn float(&self, size: usize, flags: Flags) -> Option<f64> {
        if self.remaining() < size {
            return None;
        }
        let float = float::read(&self.bits, self.position(), size, flags.little)?;
        self.skip(size)?;
        Some(float)
    }

    /// Reads a bit string of `size` bits.
    pub fn bits(&self, size: usize) -> Option<Bits> {
        if self.remaining() < size {
            return None;
        }
        let part = self.part(size);
        self.skip(size)?;
        Some(part)
    }

    /// Reads all bits left, if their number is a multiple of `unit`.
    pub fn rest(&self, unit: usize) -> Option<Bits> {
        if !self.is_multiple_of(unit) {
            return None;
        }
        self.bits(self.remaining())
    }

    /// Whether the number of bits left is a multiple of `unit`.
    pub fn is_multiple_of(&self, unit: usize) -> bool {
        unit != 0 && self.remaining().is_multiple_of(unit)
    }

    /// Whether the next bits are the first `size` bits of `string`. If so, skips them.
    pub fn string(&self, string: &[u8], size: usize) -> bool {
        if self.remaining() < size || string.len() < size.div_ceil(8) {
            return false;
        }
        let at = self.position();
        let whole = (0..size / 8).all(|index| string[index] == self.bits.octet(at + index * 8));
        let rest = size % 8;
        let same = whole && {
            let index = size / 8;
            // Shift out the bits that are not compared.
            rest == 0 || (string[index] ^ self.bits.octet(at + index * 8)) >> (8 - rest) == 0
        };
        same && self.skip(size).is_some()
    }

    /// Reads a character in UTF-8.
    pub fn utf8(&self) -> Option<char> {
        self.character(utf::read_utf8)
    }

    /// Reads a character in UTF-16.
    pub fn utf16(&self, flags: Flags) -> Option<char> {
        self.character(|octets, len| utf::read_utf16(octets, len, flags.little))
    }

    /// Reads a character in UTF-32.
    pub fn utf32(&self, flags: Flags) -> Option<char> {
        self.character(|octets, len| utf::read_utf32(octets, len, flags.little))
    }

    /// Reads a character, which takes at most four bytes in every encoding. `read` gets the next
    /// four bytes and how many of them exist, and returns how many it used.
    fn character(
        &self,
        read: impl FnOnce([u8; 4], usize) -> Option<(char, usize)>,
    ) -> Option<char> {
        let at = self.position();
        let octets = [0, 8, 16, 24].map(|offset| self.bits.octet(at + offset));
        let (character, used) = read(octets, (self.remaining() / 8).min(4))?;
        self.skip(used * 8)?;
        Some(character)
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} at {}", self.bits, self.position())
    }
}

/// The term that a program sees in a register: for a match context, the bits left to match.
pub fn seen(term: &Term) -> Term {
    match term {
        Term::Context(context) => Term::Bits(Rc::new(context.tail())),
        term => term.clone(),
    }
}

/// Copies registers such that registers that shared a context share one copy of it afterwards.
#[derive(Default)]
pub struct Copies {
    /// A process has one or two contexts at a time, so a linear search is fast enough.
    known: Vec<(Rc<Context>, Rc<Context>)>,
}

impl Copies {
    /// The copy of a register's term.
    #[inline(always)]
    pub fn copy(&mut self, term: &Term) -> Term {
        match *term {
            // Most terms on a stack are of these kinds.
            Term::Int(int) => Term::Int(int),
            Term::Atom(atom) => Term::Atom(atom),
            Term::Return { to, frame } => Term::Return { to, frame },
            Term::Nil => Term::Nil,
            Term::Context(ref context) => Term::Context(self.context(context)),
            ref term => term.clone(),
        }
    }

    fn context(&mut self, context: &Rc<Context>) -> Rc<Context> {
        let known = self.known.iter().find(|(old, _)| Rc::ptr_eq(old, context));
        if let Some((_, new)) = known {
            return Rc::clone(new);
        }
        let new = Rc::new(context.fork());
        self.known.push((Rc::clone(context), Rc::clone(&new)));
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BIG: Flags = Flags {
        little: false,
        signed: false,
    };

    fn context(bytes: &[u8]) -> Context {
        Context::new(Bits::from_bytes(bytes))
    }

    #[test]
    fn reads_advance_the_position() {
        let context = context(b"\x12\x34ab\xc3\xa9z");
        assert_eq!(context.integer(4, BIG), Some(1.into()));
        assert_eq!(context.integer(12, BIG), Some(0x234.into()));
        assert!(!context.string(b"ac", 16));
        assert!(context.string(b"ac", 14));
        assert_eq!(context.position(), 30);
        context.set_position(16);
        assert!(context.string(b"ab", 16));
        assert_eq!(context.utf8(), Some('é'));
        assert_eq!(context.remaining(), 8);
        assert!(context.bits(9).is_none());
        assert!(context.integer(9, BIG).is_none());
        assert!(context.float(16, BIG).is_none());
        assert!(context.skip(9).is_none());
        assert!(!context.string(b"za", 16));
        assert!(context.rest(16).is_none() && context.rest(0).is_none());
        assert_eq!(context.tail().as_bytes(), Some(&b"z"[..]));
        assert_eq!(context.rest(8).expect("all").as_bytes(), Some(&b"z"[..]));
        assert_eq!(context.remaining(), 0);
        assert_eq!(context.integer(0, BIG), Some(0.into()));
        context.set_position(1_000);
        assert_eq!(context.position(), 56);
    }

    #[test]
    fn truncated_characters_do_not_match() {
        assert_eq!(context(b"\xc3").utf8(), None);
        assert_eq!(context(b"").utf8(), None);
        assert_eq!(context(&[0xd8, 0]).utf16(BIG), None);
        assert_eq!(context(&[0, 0, 0]).utf32(BIG), None);
        // Zero bits beyond the end do not belong to the bit string.
        let cut = Context::new(Bits::from_bits(&[0x40], 7).expect("enough"));
        assert_eq!(cut.utf8(), None);
    }

    #[test]
    fn copies_share_contexts_like_the_originals() {
        let one = Rc::new(context(b"abc"));
        let other = Rc::new(context(b"abc"));
        let registers = [&one, &one, &other].map(|context| Term::Context(Rc::clone(context)));
        let mut copies = Copies::default();
        let copied = registers.each_ref().map(|term| copies.copy(term));
        one.skip(8);
        let contexts = copied.each_ref().map(|term| match term {
            Term::Context(context) => context,
            term => panic!("{term}"),
        });
        contexts[0].skip(16);
        let positions = contexts.map(|context| context.position());
        assert_eq!(positions, [16, 16, 0]);
        assert_eq!((one.position(), other.position()), (8, 0));
    }
}
