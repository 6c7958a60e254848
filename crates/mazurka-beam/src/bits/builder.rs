//! Builders of bit strings.

use std::rc::Rc;

use super::float;
use super::{Flags, integer, is_all, segment_size, utf};
use crate::meter;
use crate::raise::Raise;
use crate::term::{Bits, Term};

/// The maximum length of a bit string: 4 GiB. A longer one raises `system_limit`; the real virtual
/// machine would try to allocate the memory and terminate if it cannot.
pub const BITS_MAX: usize = 1 << 35;

/// A bit string that grows at its end.
#[derive(Default)]
pub struct Builder {
    /// Unused bits of the last byte are zero.
    bytes: Vec<u8>,
    len: usize,
}

impl Builder {
    /// An empty builder.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Appends to a bit string, in place if it is not shared. Reserves memory for `more` bits.
    ///
    /// # Errors
    /// `system_limit`: the result would be too long.
    pub fn append(bits: Rc<Bits>, more: usize) -> Result<Builder, Raise> {
        let unshared = Rc::try_unwrap(bits).map(Bits::into_vec);
        let shared = match unshared {
            Ok(Ok((bytes, len))) => {
                let mut builder = Builder { bytes, len };
                builder.reserve_with(more, Vec::try_reserve)?;
                return Ok(builder);
            }
            Ok(Err(bits)) => Rc::new(bits),
            Err(bits) => bits,
        };
        let mut builder = Builder::new();
        let total = shared.bit_len().saturating_add(more);
        builder.reserve_with(total, Vec::try_reserve_exact)?;
        builder.put_bits(&shared);
        Ok(builder)
    }

    /// Reserves memory for `more` bits.
    ///
    /// # Errors
    /// `system_limit`: the result would be too long.
    pub fn reserve(&mut self, more: usize) -> Result<(), Raise> {
        self.reserve_with(more, Vec::try_reserve_exact)
    }

    fn reserve_with<E>(
        &mut self,
        more: usize,
        reserve: impl FnOnce(&mut Vec<u8>, usize) -> Result<(), E>,
    ) -> Result<(), Raise> {
        if self.len.saturating_add(more) > BITS_MAX {
            return Err(Raise::system_limit());
        }
        meter::spend(more / 8)?;
        // One more byte, because the last one may be incomplete.
        reserve(&mut self.bytes, more / 8 + 1).map_err(|_| Raise::system_limit())
    }

    /// The length in bits.
    pub fn bit_len(&self) -> usize {
        self.len
    }

    /// Appends the `count` highest bits of a byte; `count` is at most 8.
    pub fn put_octet(&mut self, octet: u8, count: usize) {
        let count = count.min(8);
        if count == 0 {
            return;
        }
        let octet = octet & !(0xff_u16 >> count) as u8;
        let used = self.len % 8;
        match self.bytes.last_mut() {
            Some(last) if used > 0 => {
                *last |= octet >> used;
                if used + count > 8 {
                    self.bytes.push(octet << (8 - used));
                }
            }
            _ => self.bytes.push(octet),
        }
        self.len += count;
    }

    /// Appends whole bytes.
    pub fn put_octets(&mut self, octets: impl IntoIterator<Item = u8>) {
        if self.len.is_multiple_of(8) {
            self.bytes.extend(octets);
            self.len = self.bytes.len() * 8;
        } else {
            for octet in octets {
                self.put_octet(octet, 8);
            }
        }
    }

    /// Appends a bit string.
    pub fn put_bits(&mut self, bits: &Bits) {
        match bits.as_bytes() {
            Some(bytes) => self.put_octets(bytes.iter().copied()),
            None => {
                let (whole, rest) = (bits.bit_len() / 8, bits.tail_len());
                self.put_octets((0..whole).map(|index| bits.octet(index * 8)));
                self.put_octet(bits.octet(whole * 8), rest);
            }
        }
    }

    /// Appends the `size` lowest bits of an integer. `None` if the value is not an integer.
    pub fn put_integer(&mut self, value: &Term, size: usize, flags: Flags) -> Option<()> {
        integer::write(value, size, flags.little, self)
    }

    /// Appends a number as a float.
    pub(super) fn put_float(
        &mut self,
        value: &Term,
        size: usize,
        flags: Flags,
    ) -> Result<(), float::Problem> {
        float::write(value, size, flags.little, self)
    }

    /// Appends a character in UTF-8. `None` if the value is not a character.
    pub fn put_utf8(&mut self, value: &Term) -> Option<()> {
        let mut buffer = [0; 4];
        let text = utf::character(value)?.encode_utf8(&mut buffer);
        self.put_octets(text.bytes());
        Some(())
    }

    /// Appends a character in UTF-16. `None` if the value is not a character.
    pub fn put_utf16(&mut self, value: &Term, flags: Flags) -> Option<()> {
        let mut buffer = [0; 2];
        let units = utf::character(value)?.encode_utf16(&mut buffer);
        for unit in units {
            self.put_octets(match flags.little {
                true => unit.to_le_bytes(),
                false => unit.to_be_bytes(),
            });
        }
        Some(())
    }

    /// Appends a character in UTF-32. `None` if the value is not a character.
    pub fn put_utf32(&mut self, value: &Term, flags: Flags) -> Option<()> {
        let number = u32::from(utf::character(value)?);
        self.put_octets(match flags.little {
            true => number.to_le_bytes(),
            false => number.to_be_bytes(),
        });
        Some(())
    }

    /// Returns the bit string.
    pub fn finish(self) -> Bits {
        let whole = Bits::from_vec(self.bytes);
        whole.part(0, self.len).unwrap_or(whole)
    }
}

/// A bit string under construction by the instructions of OTP 24 and earlier: the first one gives
/// the total length, and each of the following ones appends a segment.
pub struct Construction {
    builder: Builder,
    /// The total length in bits.
    end: usize,
    is_complete: bool,
}

impl Construction {
    /// `bs_init2` and `bs_init_bits`: starts a bit string of `size` units.
    ///
    /// # Errors
    /// `badarg` if `size` is not a valid size, `system_limit` if it is too large.
    pub fn init(size: &Term, unit: usize) -> Result<Construction, Raise> {
        let end = segment_size(size, unit)?;
        let mut builder = Builder::new();
        builder.reserve(end)?;
        Ok(Construction::new(builder, end))
    }

    fn new(builder: Builder, end: usize) -> Construction {
        Construction {
            builder,
            end,
            is_complete: false,
        }
    }

    /// `bs_append` and `bs_private_append`: extends a bit string, whose length is a multiple of
    /// `unit`, by `size` bits.
    ///
    /// # Errors
    /// As [`Construction::init`], and `badarg` if `bits` is not such a bit string.
    pub fn append(bits: Term, size: &Term, unit: usize) -> Result<Construction, Raise> {
        let size = segment_size(size, 1)?;
        match bits {
            Term::Bits(bits) if unit != 0 && bits.bit_len().is_multiple_of(unit) => {
                let end = bits.bit_len().saturating_add(size);
                let builder = Builder::append(bits, size)?;
                Ok(Construction::new(builder, end))
            }
            _ => Err(Raise::badarg()),
        }
    }

    /// `bs_put_integer`.
    ///
    /// # Errors
    /// `badarg`: the value is not an integer, or the size is invalid.
    pub fn put_integer(
        &mut self,
        value: &Term,
        size: &Term,
        unit: usize,
        flags: Flags,
    ) -> Result<(), Raise> {
        let size = self.checked_size(size, unit)?;
        self.builder
            .put_integer(value, size, flags)
            .ok_or_else(Raise::badarg)
    }

    /// `bs_put_float`.
    ///
    /// # Errors
    /// `badarg`: the value is not a number, or there is no float of this size.
    pub fn put_float(
        &mut self,
        value: &Term,
        size: &Term,
        unit: usize,
        flags: Flags,
    ) -> Result<(), Raise> {
        let size = self.checked_size(size, unit)?;
        self.builder
            .put_float(value, size, flags)
            .map_err(|_| Raise::badarg())
    }

    /// `bs_put_binary`: appends the first `size` units of a bit string, or all of it.
    ///
    /// # Errors
    /// `badarg`: the value is not a bit string, is too short, or is not a multiple of the unit.
    pub fn put_binary(&mut self, value: &Term, size: &Term, unit: usize) -> Result<(), Raise> {
        let Term::Bits(bits) = value else {
            return Err(Raise::badarg());
        };
        let part = if is_all(size) {
            (unit != 0 && bits.bit_len().is_multiple_of(unit)).then(|| Bits::clone(bits))
        } else {
            bits.part(0, self.checked_size(size, unit)?)
        };
        let part = part.ok_or_else(Raise::badarg)?;
        self.builder.put_bits(&part);
        Ok(())
    }

    /// `bs_put_string`.
    pub fn put_string(&mut self, string: &[u8]) {
        self.builder.put_octets(string.iter().copied());
    }

    /// `bs_put_utf8`.
    ///
    /// # Errors
    /// `badarg`: it is not a character.
    pub fn put_utf8(&mut self, value: &Term) -> Result<(), Raise> {
        self.builder.put_utf8(value).ok_or_else(Raise::badarg)
    }

    /// `bs_put_utf16`.
    ///
    /// # Errors
    /// `badarg`: it is not a character.
    pub fn put_utf16(&mut self, value: &Term, flags: Flags) -> Result<(), Raise> {
        self.builder
            .put_utf16(value, flags)
            .ok_or_else(Raise::badarg)
    }

    /// `bs_put_utf32`.
    ///
    /// # Errors
    /// `badarg`: it is not a character.
    pub fn put_utf32(&mut self, value: &Term, flags: Flags) -> Result<(), Raise> {
        self.builder
            .put_utf32(value, flags)
            .ok_or_else(Raise::badarg)
    }

    /// Returns the bit string, once, as soon as it has its total length; no instruction marks the
    /// end. Empty segments may still follow; they are checked and have no effect.
    pub fn complete(&mut self) -> Option<Bits> {
        if self.is_complete || self.builder.bit_len() < self.end {
            return None;
        }
        self.is_complete = true;
        self.end = 0;
        Some(std::mem::take(&mut self.builder).finish())
    }

    /// The size of a segment in bits, checked against the bits left of the total length.
    fn checked_size(&self, size: &Term, unit: usize) -> Result<usize, Raise> {
        let size = segment_size(size, unit).map_err(|_| Raise::badarg())?;
        if size > self.end.saturating_sub(self.builder.bit_len()) {
            return Err(Raise::badarg());
        }
        Ok(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_at_any_place() {
        let mut builder = Builder::new();
        builder.put_octet(0b1010_1111, 3);
        builder.put_octet(0xff, 0);
        builder.put_octets([0xff, 0]);
        builder.put_octet(0b1100_0000, 5);
        builder.put_octet(0x80, 1);
        let bits = builder.finish();
        assert_eq!(bits.bit_len(), 25);
        let bytes: Vec<u8> = bits.iter().collect();
        assert_eq!(bytes, [0b1011_1111, 0b1110_0000, 0b0001_1000, 0b1000_0000]);
    }

    #[test]
    fn appending_in_place() {
        let mut bits = Rc::new(Bits::from_bits(&[0xff], 4).expect("enough"));
        for number in 0..1000 {
            let mut builder = Builder::append(bits, 8).expect("below the size limit");
            builder
                .put_integer(&number.into(), 8, Flags::default())
                .expect("an integer");
            bits = Rc::new(builder.finish());
        }
        assert_eq!(bits.bit_len(), 8004);
        assert_eq!(bits.octet(4 + 8 * 255), 255);
    }

    #[test]
    fn appending_to_shared_bits_copies_them() {
        let bits = Rc::new(Bits::from_bytes(b"abc"));
        let mut builder = Builder::append(Rc::clone(&bits), 8).expect("below the size limit");
        builder.put_octets(*b"d");
        assert_eq!(builder.finish().as_bytes(), Some(&b"abcd"[..]));
        assert_eq!(bits.as_bytes(), Some(&b"abc"[..]));
        let part = Rc::new(bits.part(4, 4).expect("within"));
        let mut builder = Builder::append(part, 8).expect("below the size limit");
        builder.put_octet(0x20, 4);
        assert_eq!(builder.finish().as_bytes(), Some(&[0x12][..]));
    }

    #[test]
    fn instructions_before_otp_25() {
        let all = Term::Atom(crate::term::Atom::ALL);
        let mut one = Construction::init(&4.into(), 8).expect("a size");
        one.put_string(b"a");
        one.put_integer(&0x6263.into(), &2.into(), 8, Flags::default())
            .expect("an integer");
        assert!(one.complete().is_none());
        one.put_utf8(&0x64.into()).expect("a character");
        let bits = one.complete().expect("all four bytes");
        one.put_integer(&1.into(), &0.into(), 8, Flags::default())
            .expect("no bit more");
        assert!(one.put_binary(&Term::Nil, &0.into(), 8).is_err());
        assert!(one.complete().is_none());
        let one = Term::Bits(Rc::new(bits));
        assert_eq!(one, Term::binary(b"abcd"));

        let mut other =
            Construction::append(one.clone(), &24.into(), 8).expect("below the size limit");
        assert!(other.put_binary(&Term::Nil, &all, 8).is_err());
        assert!(other.put_binary(&one, &5.into(), 8).is_err());
        assert!(other.put_utf8(&0xd800.into()).is_err());
        assert!(
            other
                .put_integer(&1.into(), &100.into(), 8, Flags::default())
                .is_err()
        );
        other.put_binary(&one, &3.into(), 8).expect("enough");
        let bits = other.complete().expect("all of it");
        assert_eq!(bits.as_bytes(), Some(&b"abcdabc"[..]));
        assert!(Construction::append(Term::Nil, &1.into(), 8).is_err());
        assert!(Construction::init(&(-1).into(), 8).is_err());
    }
}
