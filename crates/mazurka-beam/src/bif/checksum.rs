//! Checksums of bytes.

use std::sync::LazyLock;

use super::BifResult;
use super::convert::bytes;
use super::iolist::{flatten, leaves};
use crate::raise::Raise;
use crate::term::Term;

table! {
    "erlang" {
        "adler32"/1 => adler32,
        "adler32"/2 => adler32_from,
        "adler32_combine"/3 => adler32_combine,
        "crc32"/1 => crc32,
        "crc32"/2 => crc32_from,
        "crc32_combine"/3 => crc32_combine,
        "md5"/1 => md5,
        "md5_final"/1 => md5_final,
        "md5_init"/0 => md5_init,
        "md5_update"/2 => md5_update,
    }
}

/// An unsigned number of 32 bits.
fn word(term: &Term) -> Result<u32, Raise> {
    match term {
        Term::Int(int) => u32::try_from(*int).map_err(|_| Raise::badarg()),
        _ => Err(Raise::badarg()),
    }
}

fn data(term: &Term) -> Result<std::borrow::Cow<'_, [u8]>, Raise> {
    flatten(term).ok_or_else(Raise::badarg)
}

/// The largest prime below 2¹⁶.
const ADLER: u64 = 65_521;

fn adler(start: u32, bytes: &[u8]) -> u32 {
    let (mut low, mut high) = (
        u64::from(start & 0xffff) % ADLER,
        u64::from(start >> 16) % ADLER,
    );
    for &byte in bytes {
        low = (low + u64::from(byte)) % ADLER;
        high = (high + low) % ADLER;
    }
    (high << 16 | low) as u32
}

fn adler32(term: &Term) -> BifResult {
    Ok(Term::Int(adler(1, &data(term)?).into()))
}

fn adler32_from(start: &Term, term: &Term) -> BifResult {
    let (sum, bytes) = (word(start)?, data(term)?);
    // An invalid start value is returned unchanged if the data is `[]`, but reduced if the data
    // contains at least one byte or binary, even an empty one.
    let mut is_added = false;
    leaves(term, |_| {
        is_added = true;
        Some(())
    });
    let sum = if is_added { adler(sum, &bytes) } else { sum };
    Ok(Term::Int(sum.into()))
}

/// The checksum of two concatenated pieces, from the checksum of each and the length of the second.
fn adler32_combine(one: &Term, other: &Term, second: &Term) -> BifResult {
    let (one, other) = (u64::from(word(one)?), u64::from(word(other)?));
    let length = u64::from(word(second)?);
    if length == 0 {
        return Ok(Term::Int(one as i64));
    }
    let times = length % ADLER;
    let mut low = (one & 0xffff) + (other & 0xffff) + ADLER - 1;
    let mut high = (one >> 16) + (other >> 16) + times * (one & 0xffff) % ADLER + ADLER - times;
    // Not a remainder: zlib subtracts as often as valid checksums need, so results for invalid ones
    // would differ.
    let less = |sum: u64, by: u64| if sum >= by { sum - by } else { sum };
    low = less(less(low, ADLER), ADLER);
    high = less(less(high, 2 * ADLER), ADLER);
    Ok(Term::Int((high << 16 | low) as i64))
}

/// The polynomial of CRC-32, with the highest power in the lowest bit.
const CRC: u32 = 0xedb8_8320;

/// The product of a polynomial and x.
fn shifted(crc: u32) -> u32 {
    crc >> 1 ^ if crc & 1 == 1 { CRC } else { 0 }
}

const CRC_TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut crc, mut bit) = (byte as u32, 0);
        while bit < 8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { CRC } else { 0 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

fn crc(start: u32, bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!start, |crc, byte| {
        crc >> 8 ^ CRC_TABLE[usize::from(crc as u8 ^ byte)]
    })
}

fn crc32(term: &Term) -> BifResult {
    Ok(Term::Int(crc(0, &data(term)?).into()))
}

fn crc32_from(start: &Term, term: &Term) -> BifResult {
    Ok(Term::Int(crc(word(start)?, &data(term)?).into()))
}

/// As [`adler32_combine`].
fn crc32_combine(one: &Term, other: &Term, second: &Term) -> BifResult {
    let (one, other, mut count) = (word(one)?, word(other)?, word(second)?);
    // x⁸, then its squares.
    let mut square = 1 << 23;
    let mut power = 1 << 31;
    while count > 0 {
        if count & 1 == 1 {
            power = product(power, square);
        }
        square = product(square, square);
        count >>= 1;
    }
    Ok(Term::Int((product(one, power) ^ other).into()))
}

/// The product of two polynomials, modulo [`CRC`].
fn product(one: u32, other: u32) -> u32 {
    let (mut sum, mut power) = (0, one);
    for bit in (0..32).rev() {
        if other >> bit & 1 == 1 {
            sum ^= power;
        }
        power = shifted(power);
    }
    sum
}

/// The state of an MD5 computation (RFC 1321).
struct Md5 {
    state: [u32; 4],
    /// The number of bytes so far.
    length: u64,
    /// The bytes of an incomplete block.
    rest: Vec<u8>,
}

const BLOCK: usize = 64;
/// The size of state and length in the binary of an unfinished computation.
const HEADER: usize = 24;

const ROTATIONS: [[u32; 4]; 4] = [
    [7, 12, 17, 22],
    [5, 9, 14, 20],
    [4, 11, 16, 23],
    [6, 10, 15, 21],
];

/// 2³² times the absolute sine of 1, 2, …, 64. A float is precise enough.
static SINES: LazyLock<[u32; BLOCK]> = LazyLock::new(|| {
    std::array::from_fn(|step| (((step + 1) as f64).sin().abs() * 4_294_967_296.0) as u32)
});

impl Md5 {
    fn new() -> Md5 {
        Md5 {
            state: [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476],
            length: 0,
            rest: Vec::new(),
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        self.length = self.length.wrapping_add(bytes.len() as u64);
        self.rest.extend(bytes);
        let rest = std::mem::take(&mut self.rest);
        let mut blocks = rest.chunks_exact(BLOCK);
        for block in blocks.by_ref() {
            self.block(block);
        }
        self.rest = blocks.remainder().to_vec();
    }

    fn block(&mut self, block: &[u8]) {
        let words: Vec<u32> = block
            .chunks_exact(4)
            .map(|word| {
                word.iter()
                    .rev()
                    .fold(0, |sum, &byte| sum << 8 | u32::from(byte))
            })
            .collect();
        let [mut a, mut b, mut c, mut d] = self.state;
        for step in 0..BLOCK {
            let (mixed, word) = match step / 16 {
                0 => (b & c | !b & d, step),
                1 => (b & d | c & !d, 5 * step + 1),
                2 => (b ^ c ^ d, 3 * step + 5),
                _ => (c ^ (b | !d), 7 * step),
            };
            let sum = a
                .wrapping_add(mixed)
                .wrapping_add(words[word % 16])
                .wrapping_add(SINES[step]);
            let rotated = sum.rotate_left(ROTATIONS[step / 16][step % 4]);
            (a, d, c, b) = (d, c, b, b.wrapping_add(rotated));
        }
        for (word, add) in self.state.iter_mut().zip([a, b, c, d]) {
            *word = word.wrapping_add(add);
        }
    }

    fn finish(mut self) -> Term {
        let bits = self.length.wrapping_mul(8);
        let zeros = (2 * BLOCK - 9 - self.rest.len()) % BLOCK;
        self.update(&[0x80]);
        self.update(&vec![0; zeros]);
        self.update(&bits.to_le_bytes());
        let digest: Vec<u8> = self
            .state
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        Term::binary(&digest)
    }

    /// The state as a binary, which is opaque to programs.
    fn save(&self) -> Term {
        let mut bytes: Vec<u8> = self
            .state
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        bytes.extend(self.length.to_le_bytes());
        bytes.extend(&self.rest);
        Term::binary(&bytes)
    }

    fn load(term: &Term) -> Result<Md5, Raise> {
        let bytes = bytes(term).ok_or_else(Raise::badarg)?;
        let (header, rest) = bytes
            .split_first_chunk::<HEADER>()
            .ok_or_else(Raise::badarg)?;
        let word = |at: usize| {
            header[at..at + 4]
                .iter()
                .rev()
                .fold(0, |sum, &byte| sum << 8 | u32::from(byte))
        };
        let length = u64::from(word(20)) << 32 | u64::from(word(16));
        if rest.len() as u64 != length % BLOCK as u64 {
            return Err(Raise::badarg());
        }
        Ok(Md5 {
            state: [word(0), word(4), word(8), word(12)],
            length,
            rest: rest.to_vec(),
        })
    }
}

fn md5(term: &Term) -> BifResult {
    let mut sum = Md5::new();
    sum.update(&data(term)?);
    Ok(sum.finish())
}

fn md5_init() -> BifResult {
    Ok(Md5::new().save())
}

fn md5_update(context: &Term, term: &Term) -> BifResult {
    let mut sum = Md5::load(context)?;
    sum.update(&data(term)?);
    Ok(sum.save())
}

fn md5_final(context: &Term) -> BifResult {
    Ok(Md5::load(context)?.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_in_pieces_equal_checksums_of_the_whole() {
        let (one, other) = (Term::binary(&[7; 100]), Term::binary(&[9; 77]));
        let both = Term::list([one.clone(), other.clone()]);
        let context = md5_update(&md5_init().unwrap(), &one).unwrap();
        let context = md5_update(&context, &other).unwrap();
        assert_eq!(md5_final(&context).unwrap(), md5(&both).unwrap());
        let combined = crc32_combine(
            &crc32(&one).unwrap(),
            &crc32(&other).unwrap(),
            &Term::Int(77),
        );
        assert_eq!(combined.unwrap(), crc32(&both).unwrap());
        let combined = adler32_combine(
            &adler32(&one).unwrap(),
            &adler32(&other).unwrap(),
            &Term::Int(77),
        );
        assert_eq!(combined.unwrap(), adler32(&both).unwrap());
    }
}
