//! Binaries and bit strings: ranges of bits in shared bytes.

use std::cmp::Ordering;
use std::rc::Rc;

/// A bit string: a range of bits. Parts of it share its bytes.
#[derive(Clone)]
pub struct Bits {
    /// A vector, so that a sole owner can append to it in place.
    bytes: Rc<Vec<u8>>,
    /// Start of the range, in bits from the start of `bytes`.
    start: usize,
    /// Length in bits.
    len: usize,
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        super::write::write_bits(self, f)
    }
}

impl Bits {
    /// A binary with a copy of these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Bits {
        Bits::from_vec(bytes.to_vec())
    }

    /// A binary of these bytes, which are not copied.
    pub fn from_vec(bytes: Vec<u8>) -> Bits {
        Bits {
            start: 0,
            len: bytes.len() * 8,
            bytes: Rc::new(bytes),
        }
    }

    /// The first `len` bits of these bytes, if there are that many.
    pub fn from_bits(bytes: &[u8], len: usize) -> Option<Bits> {
        Bits::from_bytes(bytes).part(0, len)
    }

    /// The part of `len` bits that starts at bit `start`, if there are that many.
    pub fn part(&self, start: usize, len: usize) -> Option<Bits> {
        let end = start.checked_add(len)?;
        (end <= self.len).then(|| Bits {
            bytes: Rc::clone(&self.bytes),
            start: self.start + start,
            len,
        })
    }

    /// The length in bits.
    pub fn bit_len(&self) -> usize {
        self.len
    }

    /// Whether it is a binary, that is, its length is a multiple of 8 bits.
    pub fn is_binary(&self) -> bool {
        self.len.is_multiple_of(8)
    }

    /// The number of bits after the last whole byte.
    pub fn tail_len(&self) -> usize {
        self.len % 8
    }

    /// The length in bytes, rounded up.
    pub fn byte_len(&self) -> usize {
        self.len.div_ceil(8)
    }

    /// The bytes in memory, if the bit string consists of whole bytes and is byte-aligned.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        let first = self.start / 8;
        let aligned = self.start.is_multiple_of(8) && self.is_binary();
        aligned.then(|| &self.bytes[first..first + self.len / 8])
    }

    /// All bytes. If bits are left after the last whole byte, they are the high bits of one more
    /// byte, whose low bits are zero.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..self.byte_len()).map(|index| self.byte(index))
    }

    /// Erlang's order: by the first bit that differs, then by length.
    pub fn compare(&self, other: &Bits) -> Ordering {
        if let (Some(one), Some(other)) = (self.as_bytes(), other.as_bytes()) {
            return one.cmp(other);
        }
        let common = self.len.min(other.len);
        let whole = common / 8;
        let bytes = self.iter().take(whole).cmp(other.iter().take(whole));
        bytes
            .then_with(|| {
                let mask = high_bits(common % 8);
                match common % 8 {
                    0 => Ordering::Equal,
                    _ => (self.byte(whole) & mask).cmp(&(other.byte(whole) & mask)),
                }
            })
            .then(self.len.cmp(&other.len))
    }

    /// The underlying vector and the length in bits, if this is the only owner of the vector and
    /// starts at its first bit. The vector is truncated to the length of the bit string.
    ///
    /// # Errors
    /// Returns the bit string unchanged if its bytes are shared, or if it starts at another bit.
    pub fn into_vec(self) -> Result<(Vec<u8>, usize), Bits> {
        let Bits { bytes, start, len } = self;
        if start > 0 {
            return Err(Bits { bytes, start, len });
        }
        match Rc::try_unwrap(bytes) {
            Ok(mut bytes) => {
                bytes.truncate(len.div_ceil(8));
                if let (Some(last), 1..) = (bytes.last_mut(), len % 8) {
                    *last &= high_bits(len % 8);
                }
                Ok((bytes, len))
            }
            Err(bytes) => Err(Bits { bytes, start, len }),
        }
    }

    /// The eight bits that start at bit `at`. Bits beyond the end are zero.
    pub fn octet(&self, at: usize) -> u8 {
        let Some(left) = self.len.checked_sub(at) else {
            return 0;
        };
        let at = self.start + at;
        let (first, shift) = (at / 8, at % 8);
        let mut byte = self.bytes.get(first).map_or(0, |byte| byte << shift);
        if shift > 0
            && let Some(next) = self.bytes.get(first + 1)
        {
            byte |= next >> (8 - shift);
        }
        if left < 8 {
            byte & high_bits(left)
        } else {
            byte
        }
    }

    /// The byte at `index`, which must be less than `byte_len`.
    fn byte(&self, index: usize) -> u8 {
        self.octet(index * 8)
    }
}

/// A byte in which only the `count` highest bits are set; `count` is at most 7.
fn high_bits(count: usize) -> u8 {
    !(0xff_u8 >> count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sole_owner_gets_the_vector() {
        let bits = Bits::from_bytes(&[0xff, 0xff, 0xff]);
        let part = bits.part(0, 11).expect("within");
        let part = part.into_vec().expect_err("shared");
        drop(bits);
        let (bytes, len) = part.into_vec().expect("alone");
        assert_eq!((&bytes[..], len), (&[0xff, 0b1110_0000][..], 11));
        let later = Bits::from_bytes(&[1, 2]).part(8, 8).expect("within");
        assert!(later.into_vec().is_err());
    }

    #[test]
    fn parts_start_at_any_bit() {
        let whole = Bits::from_bytes(&[0b1010_0101, 0b1100_0011, 0xff]);
        let part = whole.part(4, 11).expect("within");
        assert_eq!(part.iter().collect::<Vec<_>>(), [0b0101_1100, 0b0010_0000]);
        assert_eq!(
            (part.bit_len(), part.byte_len(), part.tail_len()),
            (11, 2, 3)
        );
        assert!(part.as_bytes().is_none());
        assert_eq!(
            whole.part(8, 16).expect("within").as_bytes(),
            Some(&[0b1100_0011, 0xff][..])
        );
        assert!(whole.part(20, 5).is_none());
        assert!(whole.part(usize::MAX, 5).is_none());
    }

    #[test]
    fn order_is_by_bit_and_then_by_length() {
        let check = |one: (&[u8], usize), other: (&[u8], usize), expected| {
            let one = Bits::from_bits(one.0, one.1).expect("enough");
            let other = Bits::from_bits(other.0, other.1).expect("enough");
            assert_eq!(one.compare(&other), expected);
            assert_eq!(other.compare(&one), expected.reverse());
        };
        check((&[1, 2], 16), (&[1, 2], 16), Ordering::Equal);
        check((&[1], 8), (&[1, 0], 16), Ordering::Less);
        check((&[0b1000_0000], 1), (&[0b0111_1111], 8), Ordering::Greater);
        check((&[0b1000_0000], 1), (&[0b1000_0000], 3), Ordering::Less);
        check((&[], 0), (&[0], 1), Ordering::Less);
    }
}
