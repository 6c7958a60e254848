//! The atom table, chunk `AtU8`.

use super::compact;
use crate::bytes::{Problem, Reader, Reading};
use crate::term::{ATOM_CHARACTERS_MAX, Atom};

/// Reads the table. Up to OTP 27 the length of a name is one byte, which is too little for 255
/// multi-byte characters. OTP 28 writes a negative count, and lengths in the encoding of operands.
pub(super) fn read(reader: &mut Reader<'_>) -> Reading<Vec<Atom>> {
    let count = i32::from_be_bytes(reader.array()?);
    let long = count < 0;
    let count = reader.check_count(count.unsigned_abs().into(), 1)?;
    let mut atoms = Vec::with_capacity(count);
    for _ in 0..count {
        let length = if long {
            compact::unsigned(reader)?
        } else {
            reader.u8()?.into()
        };
        let length = reader.check_count(length, 1)?;
        let name = std::str::from_utf8(reader.take(length)?);
        let name = name.map_err(|_| reader.fault(Problem::NotUtf8))?;
        if name.chars().count() > ATOM_CHARACTERS_MAX {
            return Err(reader.fault(Problem::AtomTooLong));
        }
        atoms.push(Atom::new(name));
    }
    Ok(atoms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str) {
        let text = match read(&mut Reader::new(bytes)) {
            Ok(atoms) => format!("{atoms:?}"),
            Err(fault) => fault.to_string(),
        };
        assert_eq!(text, expected);
    }

    #[test]
    fn both_forms() {
        check(b"\0\0\0\x02\x01a\x02bc", "[a, bc]");
        check(b"\xff\xff\xff\xfe\x10a\x20bc", "[a, bc]");
        check(b"\0\0\0\x02\x01a\x02b", "offset 7: truncated");
        check(b"\0\0\0\x01\x01\xff", "offset 6: text that is not UTF-8");
        check(b"\x80\0\0\0\x10a", "offset 4: truncated");
    }

    #[test]
    fn long_names() {
        let name = "λ".repeat(255);
        // The length, 510, has eleven bits: three in the first byte, eight in the second.
        let mut bytes = vec![0xff, 0xff, 0xff, 0xff, 0b0010_1000, 0xfe];
        bytes.extend(name.as_bytes());
        check(&bytes, &format!("[{name}]"));
        bytes[5] = 0xff;
        bytes.push(b'x');
        check(&bytes, "offset 517: an atom of more than 255 characters");
    }
}
