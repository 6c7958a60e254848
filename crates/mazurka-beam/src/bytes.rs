//! Reads from bytes that are not trusted.

use std::io::Read;

use thiserror::Error;

use crate::loader::NEWEST_RELEASE;

/// A problem in the bytes that were read, and its position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("offset {offset}: {problem}")]
pub struct Fault {
    /// Position of the problem, in bytes from the start of the input.
    pub offset: usize,
    /// The problem.
    pub problem: Problem,
}

/// The kinds of problems that reading can meet.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The input ends too early.
    #[error("truncated")]
    Truncated,
    /// Bytes are left after the end of the value.
    #[error("{0} bytes too many")]
    Surplus(usize),
    /// Text that is not UTF-8.
    #[error("text that is not UTF-8")]
    NotUtf8,
    /// An atom with more than Erlang's maximum of 255 characters.
    #[error("an atom of more than 255 characters")]
    AtomTooLong,
    /// An index that its table does not have.
    #[error("{what} {index} does not exist")]
    NoSuch {
        /// What the index refers to.
        what: &'static str,
        /// The index.
        index: u64,
    },
    /// A number outside its range.
    #[error("{0} is out of range")]
    OutOfRange(&'static str),
    /// The input has something other than what is expected.
    #[error("{0} is expected here")]
    Expected(&'static str),
    /// A second definition of the same thing.
    #[error("{what} {index} is a duplicate")]
    Twice {
        /// What is duplicated.
        what: &'static str,
        /// Its index.
        index: u64,
    },
    /// An operand of an unknown kind.
    #[error("unknown operand kind {0:#04x}")]
    UnknownOperand(u8),
    /// A tag that the external term format does not have.
    #[error("unknown tag {0} of the external term format")]
    UnknownTag(u8),
    /// A pid, port or reference of another node.
    #[error("an identifier of another node, {0}")]
    OtherNode(String),
    /// An instruction that no known release has.
    #[error("made by OTP newer than {NEWEST_RELEASE}: opcode {0} is unknown")]
    UnknownOpcode(u32),
    /// An unknown version of the instruction encoding.
    #[error("made by OTP newer than {NEWEST_RELEASE}: instruction set {0} is unknown")]
    UnknownInstructionSet(u32),
    /// Compressed data that cannot be decompressed.
    #[error("compressed data is damaged")]
    Damaged,
    /// Decompressed data larger than [`DECOMPRESSED_MAX`].
    #[error("decompressed data of more than {DECOMPRESSED_MAX} bytes")]
    TooLarge,
    /// The file does not contain the chunk.
    #[error("the chunk is missing")]
    Missing,
}

/// The largest decompressed file or chunk, in bytes. It is 100 times the size of OTP's largest
/// file.
pub const DECOMPRESSED_MAX: usize = 1 << 28;

/// The result of reading a `T`.
pub type Reading<T> = Result<T, Fault>;

/// A cursor over bytes.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the start of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    /// The current position, in bytes from the start.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The number of bytes left.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Takes all bytes that are left.
    pub fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }

    /// A fault with this problem at the current position.
    pub fn fault(&self, problem: Problem) -> Fault {
        Fault {
            offset: self.at,
            problem,
        }
    }

    /// Takes the next `count` bytes.
    pub fn take(&mut self, count: usize) -> Reading<&'a [u8]> {
        match self.bytes[self.at..].get(..count) {
            Some(taken) => {
                self.at += count;
                Ok(taken)
            }
            None => Err(self.fault(Problem::Truncated)),
        }
    }

    /// Takes the next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Reading<[u8; N]> {
        match self.bytes[self.at..].first_chunk() {
            Some(array) => {
                self.at += N;
                Ok(*array)
            }
            None => Err(self.fault(Problem::Truncated)),
        }
    }

    /// Reads one byte.
    pub fn u8(&mut self) -> Reading<u8> {
        self.array().map(|[byte]| byte)
    }

    /// Reads a big-endian number of two bytes.
    pub fn u16(&mut self) -> Reading<u16> {
        self.array().map(u16::from_be_bytes)
    }

    /// Reads a big-endian number of four bytes.
    pub fn u32(&mut self) -> Reading<u32> {
        self.array().map(u32::from_be_bytes)
    }

    /// Reads the number of items that follow, each of which takes at least `each` bytes. The count
    /// is checked against the bytes left, so memory can be reserved for it safely.
    pub fn count(&mut self, each: usize) -> Reading<usize> {
        let count = self.u32()?;
        self.check_count(u64::from(count), each)
    }

    /// Returns `count` if that many items of at least `each` bytes fit into the bytes left.
    pub fn check_count(&self, count: u64, each: usize) -> Reading<usize> {
        match usize::try_from(count) {
            Ok(count) if count <= self.remaining() / each.max(1) => Ok(count),
            _ => Err(self.fault(Problem::Truncated)),
        }
    }
}

/// Decompresses to at most [`DECOMPRESSED_MAX`] bytes.
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
    fn numbers_are_big_endian_and_truncation_is_reported() {
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
    fn a_count_must_fit_the_bytes_left() {
        let bytes = [0, 0, 0, 2, 9, 9, 9, 9];
        assert_eq!(Reader::new(&bytes).count(2), Ok(2));
        assert!(Reader::new(&bytes).count(3).is_err());
    }
}
