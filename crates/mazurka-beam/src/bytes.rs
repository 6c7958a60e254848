//! Reading from bytes that nobody vouches for.

use std::io::Read;

use thiserror::Error;

use crate::loader::NEWEST_RELEASE;

/// What is wrong with some bytes, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("offset {offset}: {problem}")]
pub struct Fault {
    /// Bytes from the start of what was read.
    pub offset: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What can be wrong with some bytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The bytes end too early.
    #[error("truncated")]
    Truncated,
    /// There is more than there should be.
    #[error("{0} bytes too many")]
    Surplus(usize),
    /// Text that is not UTF-8.
    #[error("text that is not UTF-8")]
    NotUtf8,
    /// Erlang's atoms have at most 255 characters.
    #[error("an atom of more than 255 characters")]
    AtomTooLong,
    /// An index that points nowhere.
    #[error("{what} {index} does not exist")]
    NoSuch {
        /// What the index is an index of.
        what: &'static str,
        /// The index.
        index: u64,
    },
    /// A number outside its range.
    #[error("{0} is out of range")]
    OutOfRange(&'static str),
    /// Something else was expected.
    #[error("{0} is expected here")]
    Expected(&'static str),
    /// The same thing twice.
    #[error("{what} {index} is there twice")]
    Twice {
        /// What is there twice.
        what: &'static str,
        /// Which one.
        index: u64,
    },
    /// An operand of an unknown kind.
    #[error("an operand of the unknown kind {0:#04x}")]
    UnknownOperand(u8),
    /// A tag that the external term format does not have.
    #[error("unknown tag {0} of the external term format")]
    UnknownTag(u8),
    /// A pid, port or reference of another node.
    #[error("an identifier of another node, {0}")]
    OtherNode(String),
    /// An instruction that none of the known releases has.
    #[error("made by OTP newer than {NEWEST_RELEASE}: opcode {0} is unknown")]
    UnknownOpcode(u32),
    /// Another layout of the code.
    #[error("made by OTP newer than {NEWEST_RELEASE}: instruction set {0} is unknown")]
    UnknownInstructionSet(u32),
    /// Compressed data that does not decompress.
    #[error("compressed data is damaged")]
    Damaged,
    /// Decompressed data beyond all reason.
    #[error("decompressed data of more than {DECOMPRESSED_MAX} bytes")]
    TooLarge,
    /// The chunk is not in the file.
    #[error("the chunk is missing")]
    Missing,
}

/// The largest decompressed file or chunk. The largest file of OTP is smaller by a factor of 100.
pub const DECOMPRESSED_MAX: usize = 1 << 28;

/// What reading gives.
pub type Reading<T> = Result<T, Fault>;

/// A place in some bytes.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// At the start of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    /// How far it is from the start.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// How much is left.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Everything that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }

    /// A problem at this place.
    pub fn fault(&self, problem: Problem) -> Fault {
        Fault {
            offset: self.at,
            problem,
        }
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Reading<&'a [u8]> {
        match self.bytes[self.at..].get(..count) {
            Some(taken) => {
                self.at += count;
                Ok(taken)
            }
            None => Err(self.fault(Problem::Truncated)),
        }
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Reading<[u8; N]> {
        match self.bytes[self.at..].first_chunk() {
            Some(array) => {
                self.at += N;
                Ok(*array)
            }
            None => Err(self.fault(Problem::Truncated)),
        }
    }

    /// One byte.
    pub fn u8(&mut self) -> Reading<u8> {
        self.array().map(|[byte]| byte)
    }

    /// Two bytes, the higher first.
    pub fn u16(&mut self) -> Reading<u16> {
        self.array().map(u16::from_be_bytes)
    }

    /// Four bytes, the highest first.
    pub fn u32(&mut self) -> Reading<u32> {
        self.array().map(u32::from_be_bytes)
    }

    /// A number of things that take at least `each` bytes of what is left. So a count is never
    /// larger than the file, and memory may be set aside for it.
    pub fn count(&mut self, each: usize) -> Reading<usize> {
        let count = self.u32()?;
        self.room_for(u64::from(count), each)
    }

    /// The count itself, if that many things can be in what is left.
    pub fn room_for(&self, count: u64, each: usize) -> Reading<usize> {
        match usize::try_from(count) {
            Ok(count) if count <= self.remaining() / each.max(1) => Ok(count),
            _ => Err(self.fault(Problem::Truncated)),
        }
    }
}

/// Decompresses all of it, within [`DECOMPRESSED_MAX`].
pub(crate) fn inflate(compressed: impl Read) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let limit = DECOMPRESSED_MAX as u64 + 1;
    match compressed.take(limit).read_to_end(&mut bytes) {
        Ok(length) if length > DECOMPRESSED_MAX => Err(Problem::TooLarge),
        Ok(_) => Ok(bytes),
        Err(_) => Err(Problem::Damaged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_big_endian_and_ends_are_noticed() {
        let mut reader = Reader::new(&[1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(reader.u32(), Ok(0x0102_0304));
        assert_eq!(reader.u16(), Ok(0x0506));
        let fault = Fault {
            offset: 6,
            problem: Problem::Truncated,
        };
        assert_eq!(reader.u16(), Err(fault.clone()));
        assert_eq!(reader.take(2), Err(fault));
        assert_eq!(reader.u8(), Ok(7));
        assert_eq!(reader.rest(), &[] as &[u8]);
    }

    #[test]
    fn a_count_fits_what_is_left() {
        let bytes = [0, 0, 0, 2, 9, 9, 9, 9];
        assert_eq!(Reader::new(&bytes).count(2), Ok(2));
        assert!(Reader::new(&bytes).count(3).is_err());
    }
}
