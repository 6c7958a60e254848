//! Reads the external term format, in which `.beam` files store literals.
//!
//! Decoding uses an explicit stack, so only the length of the input limits the depth of a term.
//! Every element takes at least one byte of input, so memory is proportional to the input.

use flate2::read::ZlibDecoder;
use num_bigint::{BigInt, BigUint, Sign};

use super::atom::{ATOM_CHARACTERS_MAX, Atom};
use super::fun::{Fun, Lambda};
use super::identifier::{PidTerm, Port, Reference};
use super::{Bits, Map, Term};
use crate::bytes::{Problem, Reader, Reading, inflate};

pub(super) const VERSION: u8 = 131;
pub(super) const COMPRESSED: u8 = 80;

/// Whether decoding may create atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atoms {
    /// New atoms are created.
    Any,
    /// A new atom is a fault.
    Existing,
}

/// Decodes bytes that `term_to_binary` produced.
///
/// # Errors
/// The bytes are not exactly one term.
pub fn decode(bytes: &[u8]) -> Reading<Term> {
    let mut reader = Reader::new(bytes);
    let term = decode_from(&mut reader, Atoms::Any)?;
    match reader.remaining() {
        0 => Ok(term),
        surplus => Err(reader.fault(Problem::Surplus(surplus))),
    }
}

/// Decodes the next term.
///
/// # Errors
/// The next bytes are not a term.
pub fn decode_from(reader: &mut Reader<'_>, atoms: Atoms) -> Reading<Term> {
    if reader.u8()? != VERSION {
        return Err(reader.fault(Problem::Expected("version 131 of the external term format")));
    }
    let mut ahead = reader.clone();
    if ahead.u8()? != COMPRESSED {
        return body(reader, atoms);
    }
    *reader = ahead;
    let size = reader.u32()?;
    let here = reader.clone();
    let rest = reader.rest();
    let mut decoder = ZlibDecoder::new(rest);
    // Offsets inside compressed data would not help, so all faults get the offset of its start.
    let plain = inflate(&mut decoder).map_err(|problem| here.fault(problem))?;
    if plain.len() != size as usize {
        return Err(here.fault(Problem::Damaged));
    }
    let used = usize::try_from(decoder.total_in()).unwrap_or(rest.len());
    *reader = here.clone();
    reader.take(used.min(rest.len()))?;
    body(&mut Reader::new(&plain), atoms).map_err(|fault| here.fault(fault.problem))
}

/// A compound term whose parts are being read.
struct Frame {
    kind: Kind,
    parts: Vec<Term>,
    /// The total number of parts.
    wanted: usize,
}

enum Kind {
    Tuple,
    /// The last part is the tail.
    List,
    /// Keys and values alternate.
    Map,
    /// The parts are module, function and arity.
    Export,
    /// The parts are module, old index, old unique number, creator, then the environment.
    Local {
        arity: u32,
    },
    /// A pid, port or reference with this tag and number of words. The only part is the node.
    Identifier(u8, usize),
}

/// Decodes a term that follows the version byte.
fn body(reader: &mut Reader<'_>, atoms: Atoms) -> Reading<Term> {
    let mut frames: Vec<Frame> = Vec::new();
    loop {
        let mut term = match read_head(reader, atoms)? {
            Decoded::Complete(term) => term,
            Decoded::Partial(frame) if frame.wanted > 0 => {
                frames.push(frame);
                continue;
            }
            Decoded::Partial(frame) => finish(frame, reader)?,
        };
        loop {
            let Some(mut frame) = frames.pop() else {
                return Ok(term);
            };
            frame.parts.push(term);
            if frame.parts.len() < frame.wanted {
                frames.push(frame);
                break;
            }
            term = finish(frame, reader)?;
        }
    }
}

enum Decoded {
    Complete(Term),
    Partial(Frame),
}

fn read_head(reader: &mut Reader<'_>, atoms: Atoms) -> Reading<Decoded> {
    let tag = reader.u8()?;
    let term = match tag {
        97 => Term::Int(reader.u8()?.into()),
        98 => Term::Int(i32::from_be_bytes(reader.array()?).into()),
        70 => finite(f64::from_be_bytes(reader.array()?), reader)?,
        99 => old_float(reader)?,
        100 | 118 => {
            let length = reader.u16()?;
            atom(reader, length.into(), tag == 118, atoms)?
        }
        115 | 119 => {
            let length = reader.u8()?;
            atom(reader, length.into(), tag == 119, atoms)?
        }
        104 => {
            let arity = reader.u8()?;
            return part(reader, Kind::Tuple, arity.into());
        }
        105 => {
            let arity = reader.u32()?;
            return part(reader, Kind::Tuple, arity.into());
        }
        106 => Term::Nil,
        107 => {
            let length = reader.u16()?;
            let bytes = reader.take(length.into())?;
            Term::list(bytes.iter().map(|&byte| Term::Int(byte.into())))
        }
        108 => {
            let length = reader.u32()?;
            return part(reader, Kind::List, u64::from(length) + 1);
        }
        109 => {
            let length = reader.u32()?;
            Term::binary(reader.take(length as usize)?)
        }
        77 => bit_string(reader)?,
        110 => {
            let length = reader.u8()?;
            integer(reader, length.into())?
        }
        111 => {
            let length = reader.u32()?;
            integer(reader, length as usize)?
        }
        116 => {
            let entries = reader.u32()?;
            return part(reader, Kind::Map, u64::from(entries) * 2);
        }
        113 => return part(reader, Kind::Export, 3),
        112 => return local(reader),
        88 | 103 | 89 | 102 | 120 => return part(reader, Kind::Identifier(tag, 0), 1),
        90 | 114 => {
            let words = reader.u16()?;
            return part(reader, Kind::Identifier(tag, words.into()), 1);
        }
        _ => return Err(reader.fault(Problem::UnknownTag(tag))),
    };
    Ok(Decoded::Complete(term))
}

fn part(reader: &Reader<'_>, kind: Kind, wanted: u64) -> Reading<Decoded> {
    let wanted = reader.check_count(wanted, 1)?;
    Ok(Decoded::Partial(Frame {
        kind,
        parts: Vec::new(),
        wanted,
    }))
}

fn finish(frame: Frame, reader: &mut Reader<'_>) -> Reading<Term> {
    let mut parts = frame.parts;
    Ok(match frame.kind {
        Kind::Tuple => Term::tuple(parts),
        Kind::List => {
            let tail = parts.pop().unwrap_or(Term::Nil);
            Term::list_onto(parts, tail)
        }
        Kind::Map => map(parts, reader)?,
        Kind::Export => match <[Term; 3]>::try_from(parts) {
            Ok(
                [
                    Term::Atom(module),
                    Term::Atom(name),
                    Term::Int(arity @ 0..=255),
                ],
            ) => Term::fun(Fun::Export {
                module,
                name,
                arity: arity as u32,
            }),
            _ => return Err(reader.fault(Problem::Expected("a function, its module and arity"))),
        },
        Kind::Local { arity } => {
            let environment = parts.split_off(parts.len().min(4));
            match parts.as_slice() {
                [
                    Term::Atom(module),
                    Term::Int(index),
                    Term::Int(unique),
                    Term::Pid(_),
                ] => {
                    Term::fun(Fun::Local(Lambda {
                        module: *module,
                        // Both are 32-bit values, so the sign does not matter.
                        index: *index as u32,
                        unique: *unique as u32,
                        arity,
                        environment,
                    }))
                }
                _ => return Err(reader.fault(Problem::Expected("the description of a fun"))),
            }
        }
        Kind::Identifier(tag, words) => match parts.first() {
            Some(Term::Atom(Atom::NONODE)) => identifier(tag, words, reader)?,
            Some(Term::Atom(node)) => {
                return Err(reader.fault(Problem::OtherNode(node.name().into())));
            }
            _ => return Err(reader.fault(Problem::Expected("the name of a node"))),
        },
    })
}

fn map(parts: Vec<Term>, reader: &Reader<'_>) -> Reading<Term> {
    let mut map = Map::new();
    let mut parts = parts.into_iter();
    let mut entries = 0;
    while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
        map = map.insert(key, value);
        entries += 1;
        if map.len() < entries {
            return Err(reader.fault(Problem::Twice {
                what: "the key of map entry",
                index: entries as u64,
            }));
        }
    }
    Ok(map.into())
}

/// Reads the head of a local fun. Its size and its long unique number are not needed.
fn local(reader: &mut Reader<'_>) -> Reading<Decoded> {
    let _size = reader.u32()?;
    let arity = reader.u8()?.into();
    let _unique: [u8; 16] = reader.array()?;
    let _index = reader.u32()?;
    let free = reader.u32()?;
    part(reader, Kind::Local { arity }, u64::from(free) + 4)
}

/// Reads the rest of an identifier, after the name of its node.
fn identifier(tag: u8, words: usize, reader: &mut Reader<'_>) -> Reading<Term> {
    Ok(match tag {
        88 | 103 => {
            let (number, serial) = (reader.u32()?, reader.u32()?);
            reader.take(if tag == 88 { 4 } else { 1 })?;
            Term::Pid(PidTerm::new(number, serial))
        }
        89 | 102 => {
            let number = reader.u32()?;
            reader.take(if tag == 89 { 4 } else { 1 })?;
            Term::Port(Port(number.into()))
        }
        120 => {
            let number = u64::from_be_bytes(reader.array()?);
            reader.u32()?;
            Term::Port(Port(number))
        }
        _ => {
            reader.take(if tag == 90 { 4 } else { 1 })?;
            // The least significant word comes first.
            let mut numbers = [0; 3];
            if words > numbers.len() {
                return Err(reader.fault(Problem::OutOfRange("the length of a reference")));
            }
            for number in numbers.iter_mut().rev().take(words) {
                *number = reader.u32()?;
            }
            Term::Reference(Reference(numbers))
        }
    })
}

fn finite(float: f64, reader: &Reader<'_>) -> Reading<Term> {
    if float.is_finite() {
        Ok(Term::Float(float))
    } else {
        Err(reader.fault(Problem::Expected("a finite float")))
    }
}

/// Reads a float as text, in 31 bytes padded with zeros.
fn old_float(reader: &mut Reader<'_>) -> Reading<Term> {
    let bytes: [u8; 31] = reader.array()?;
    let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    match std::str::from_utf8(text).unwrap_or_default().parse() {
        Ok(float) if text.contains(&b'.') => finite(float, reader),
        _ => Err(reader.fault(Problem::Expected("a float as text"))),
    }
}

fn atom(reader: &mut Reader<'_>, length: usize, utf8: bool, atoms: Atoms) -> Reading<Term> {
    let bytes = reader.take(length)?;
    let name = if utf8 {
        String::from_utf8(bytes.to_vec()).map_err(|_| reader.fault(Problem::NotUtf8))?
    } else {
        bytes.iter().copied().map(char::from).collect()
    };
    if name.chars().count() > ATOM_CHARACTERS_MAX {
        return Err(reader.fault(Problem::AtomTooLong));
    }
    match atoms {
        Atoms::Any => Ok(Term::atom(&name)),
        Atoms::Existing => match Atom::existing(&name) {
            Some(atom) => Ok(Term::Atom(atom)),
            None => Err(reader.fault(Problem::Expected("an existing atom"))),
        },
    }
}

fn bit_string(reader: &mut Reader<'_>) -> Reading<Term> {
    let length = reader.u32()? as usize;
    let last = usize::from(reader.u8()?);
    let bytes = reader.take(length)?;
    let unused = match (length, last) {
        (0, 0) => 0,
        (1.., 1..=8) => 8 - last,
        _ => return Err(reader.fault(Problem::OutOfRange("the bits in the last byte"))),
    };
    match Bits::from_bits(bytes, length * 8 - unused) {
        Some(bits) => Ok(Term::Bits(bits.into())),
        None => Err(reader.fault(Problem::Truncated)),
    }
}

/// Reads a big integer: a sign and a little-endian magnitude.
fn integer(reader: &mut Reader<'_>, length: usize) -> Reading<Term> {
    let sign = match reader.u8()? {
        0 => Sign::Plus,
        _ => Sign::Minus,
    };
    let magnitude = BigUint::from_bytes_le(reader.take(length)?);
    Ok(BigInt::from_biguint(sign, magnitude).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str) {
        let mut all = vec![VERSION];
        all.extend(bytes);
        match decode(&all) {
            Ok(term) => assert_eq!(term.to_string(), expected),
            Err(fault) => assert_eq!(fault.to_string(), expected),
        }
        for length in 0..all.len() {
            assert!(decode(&all[..length]).is_err(), "cut to {length}");
        }
    }

    #[test]
    fn numbers() {
        check(&[97, 255], "255");
        check(&[98, 0xff, 0xff, 0xff, 0xfe], "-2");
        check(
            &[110, 8, 1, 0, 0, 0, 0, 0, 0, 0, 0x80],
            "-9223372036854775808",
        );
        check(
            &[110, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            "18446744073709551616",
        );
        check(&[110, 0, 1], "0");
        check(&[70, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0], "1.5");
        let mut text = [0; 32];
        text[0] = 99;
        text[1..8].copy_from_slice(b"2.50e+1");
        check(&text, "25.0");
        check(
            &[70, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0],
            "offset 10: a finite float is expected here",
        );
    }

    #[test]
    fn compound() {
        check(&[104, 2, 97, 1, 104, 0], "{1,{}}");
        check(&[105, 0, 0, 0, 1, 106], "{[]}");
        check(&[107, 0, 2, 97, 98], "[97,98]");
        check(&[108, 0, 0, 0, 1, 97, 1, 97, 2], "[1|2]");
        check(&[108, 0, 0, 0, 0, 97, 2], "2");
        check(&[116, 0, 0, 0, 1, 97, 1, 106], "#{1 => []}");
        check(&[116, 0, 0, 0, 0], "#{}");
        check(&[109, 0, 0, 0, 1, 7], "<<7>>");
        check(&[77, 0, 0, 0, 1, 3, 0b1010_0000], "<<5:3>>");
        check(
            &[116, 0, 0, 0, 2, 97, 1, 106, 97, 1, 106],
            "offset 12: the key of map entry 2 is a duplicate",
        );
    }

    #[test]
    fn atoms_of_four_kinds() {
        check(&[100, 0, 1, 0xe9], "é");
        check(&[115, 1, 0xe9], "é");
        check(&[118, 0, 2, 0xc3, 0xa9], "é");
        check(&[119, 2, 0xc3, 0xa9], "é");
        check(&[119, 1, 0xe9], "offset 4: text that is not UTF-8");
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        const DEPTH: usize = 1_000_000;
        let mut bytes = vec![VERSION];
        bytes.extend([104, 1].repeat(DEPTH));
        bytes.push(106);
        let term = decode(&bytes).expect("a term");
        assert_eq!(term.to_string().len(), 2 * DEPTH + 2);
    }

    #[test]
    fn huge_counts_are_refused_at_once() {
        check(&[105, 0xff, 0xff, 0xff, 0xff], "offset 6: truncated");
        check(&[108, 0xff, 0xff, 0xff, 0xff], "offset 6: truncated");
        check(&[116, 0xff, 0xff, 0xff, 0xff], "offset 6: truncated");
        check(&[111, 0xff, 0xff, 0xff, 0xff, 0], "offset 7: truncated");
    }
}
