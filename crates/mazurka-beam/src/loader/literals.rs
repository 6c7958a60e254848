//! Literals, chunk `LitT`.

use flate2::read::ZlibDecoder;

use crate::bytes::{Fault, Problem, Reader, Reading, inflate};
use crate::term::{Term, decode};

/// Reads the chunk: a word and the table. Up to OTP 27 the table is compressed, and the word is its
/// decompressed size. Since OTP 28 the table is not compressed, and the word is 0.
pub(super) fn read(reader: &mut Reader<'_>) -> Reading<Vec<Term>> {
    let size = reader.u32()? as usize;
    if size == 0 {
        let start = reader.offset();
        return table(&mut Reader::new(reader.rest()), start);
    }
    let here = reader.clone();
    let plain = inflate(ZlibDecoder::new(reader.rest())).map_err(|problem| here.fault(problem))?;
    if plain.len() != size {
        return Err(here.fault(Problem::Damaged));
    }
    table(&mut Reader::new(&plain), 0)
}

/// Reads the table. `start` is its position in the chunk, for the offsets of faults.
fn table(reader: &mut Reader<'_>, start: usize) -> Reading<Vec<Term>> {
    let moved = |by: usize| {
        move |fault: Fault| Fault {
            offset: fault.offset + by,
            ..fault
        }
    };
    // A literal has at least a size (four bytes), a format version and a tag.
    let count = reader.count(6).map_err(moved(start))?;
    let mut literals = Vec::with_capacity(count);
    for _ in 0..count {
        let size = reader.u32().map_err(moved(start))?;
        let offset = start + reader.offset();
        let bytes = reader.take(size as usize).map_err(moved(start))?;
        literals.push(decode(bytes).map_err(moved(offset))?);
    }
    Ok(literals)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    const TABLE: &[u8] = &[0, 0, 0, 2, 0, 0, 0, 2, 131, 106, 0, 0, 0, 3, 131, 97, 7];

    fn check(bytes: &[u8], expected: &str) {
        let text = match read(&mut Reader::new(bytes)) {
            Ok(literals) => format!("{literals:?}"),
            Err(fault) => fault.to_string(),
        };
        assert_eq!(text, expected);
    }

    #[test]
    fn plain() {
        let plain = [&[0; 4], TABLE].concat();
        check(&plain, "[[], 7]");
        check(&plain[..20], "offset 18: truncated");
        let mut unknown = plain.clone();
        unknown[13] = 1;
        check(
            &unknown,
            "offset 14: unknown tag 1 of the external term format",
        );
    }

    #[test]
    fn compressed() {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(TABLE).expect("memory");
        let compressed = encoder.finish().expect("memory");
        let with_size = |size: u8| [&[0, 0, 0, size], &compressed[..]].concat();
        check(&with_size(17), "[[], 7]");
        check(&with_size(16), "offset 4: compressed data is damaged");
        check(&with_size(17)[..12], "offset 4: compressed data is damaged");
    }
}
