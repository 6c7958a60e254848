//! Writes the external term format.

use std::io::Write;
use std::slice;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use num_bigint::{BigInt, Sign};

use super::external::{COMPRESSED, VERSION};
use super::fun::{Fun, Lambda};
use super::list::ListIter;
use super::map::Iter;
use super::{Atom, Bits, Term};
use crate::meter;

/// Options of [`encode`].
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Option `minor_version`: since 1 floats are binary, since 2 all atoms are in UTF-8.
    pub minor_version: u8,
    /// Compression level, from 0 (none) to 9.
    pub compression: u32,
    /// Whether the numbers of ports always take eight bytes.
    pub wide_ports: bool,
}

impl Format {
    /// The defaults of OTP 25.
    pub const OTP_25: Format = Format {
        minor_version: 1,
        compression: 0,
        wide_ports: false,
    };

    /// The defaults of OTP 26 and later.
    pub const OTP_26: Format = Format {
        minor_version: 2,
        compression: 0,
        wide_ports: true,
    };
}

/// Encodes a term as `term_to_binary` does. Map entries are in the order of their keys.
pub fn encode(term: &Term, format: Format) -> Vec<u8> {
    let mut writer = Writer {
        bytes: vec![VERSION],
        format,
    };
    let mut stack = vec![Work::Term(term)];
    while let Some(work) = stack.pop() {
        let size = match work {
            Work::Term(Term::Bits(bits)) => bits.byte_len(),
            _ => 1,
        };
        if meter::spend(size).is_err() {
            break;
        }
        match work {
            Work::Term(term) => writer.write_head(term, &mut stack),
            Work::Slice(mut terms) => {
                if let Some(term) = terms.next() {
                    stack.extend([Work::Slice(terms), Work::Term(term)]);
                }
            }
            Work::List(mut elements) => match elements.next() {
                Some(element) => stack.extend([Work::List(elements), Work::Term(element)]),
                None => stack.push(Work::Term(elements.rest())),
            },
            Work::Entries(mut entries) => {
                if let Some((key, value)) = entries.next() {
                    stack.extend([Work::Entries(entries), Work::Term(value), Work::Term(key)]);
                }
            }
            Work::Close { length_at } => writer.close(length_at),
        }
    }
    compressed(writer.bytes, format.compression)
}

enum Work<'a> {
    Term(&'a Term),
    Slice(slice::Iter<'a, Term>),
    List(ListIter<'a>),
    Entries(Iter<'a>),
    /// Writes the length of the bytes from `length_at` up to here into the field at `length_at`.
    Close {
        length_at: usize,
    },
}

/// The compressed form of an encoded term, if it is shorter.
fn compressed(bytes: Vec<u8>, level: u32) -> Vec<u8> {
    let plain = &bytes[1..];
    let (Ok(size), 1..) = (u32::try_from(plain.len()), level) else {
        return bytes;
    };
    let mut all = vec![VERSION, COMPRESSED];
    all.extend(size.to_be_bytes());
    let mut encoder = ZlibEncoder::new(all, Compression::new(level.min(9)));
    let written = encoder.write_all(plain);
    match written.and_then(|()| encoder.finish()) {
        Ok(all) if all.len() < bytes.len() => all,
        _ => bytes,
    }
}

/// The longest list of bytes that is written as a string.
const STRING_MAX: usize = 0xffff - 1;

struct Writer {
    bytes: Vec<u8>,
    format: Format,
}

impl Writer {
    fn put(&mut self, bytes: impl AsRef<[u8]>) {
        self.bytes.extend_from_slice(bytes.as_ref());
    }

    /// Writes a tag and a count of four bytes.
    fn tag(&mut self, tag: u8, count: usize) {
        self.put([tag]);
        self.put((count as u32).to_be_bytes());
    }

    /// Writes `tag` and a count of one byte, or, if the count does not fit, `long` and four bytes.
    fn short_tag(&mut self, tag: u8, long: u8, count: usize) {
        match u8::try_from(count) {
            Ok(count) => self.put([tag, count]),
            Err(_) => self.tag(long, count),
        }
    }

    /// Writes the start of a term and pushes its parts onto the stack.
    fn write_head<'a>(&mut self, term: &'a Term, stack: &mut Vec<Work<'a>>) {
        match term {
            Term::Int(int) => self.int(*int),
            Term::Big(big) => self.big(big),
            Term::Float(float) => self.float(*float),
            Term::Atom(atom) => self.atom(*atom),
            Term::Nil => self.put([106]),
            Term::Bits(bits) => self.bits(bits),
            Term::Context(context) => self.bits(&context.tail()),
            Term::Return { .. } => self.put([106]),
            Term::Tuple(tuple) => {
                self.short_tag(104, 105, tuple.len());
                stack.push(Work::Slice(tuple.iter()));
            }
            Term::Map(map) => {
                self.tag(116, map.len());
                stack.push(Work::Entries(map.iter()));
            }
            Term::Cons(_) => self.list(term, stack),
            Term::Pid(pid) => {
                self.put([88]);
                self.atom(Atom::NONODE);
                self.put(pid.number().to_be_bytes());
                self.put(pid.serial().to_be_bytes());
                self.put([0; 4]);
            }
            Term::Port(port) => {
                match u32::try_from(port.0) {
                    Ok(number) if number >> 28 == 0 && !self.format.wide_ports => {
                        self.put([89]);
                        self.atom(Atom::NONODE);
                        self.put(number.to_be_bytes());
                    }
                    _ => {
                        self.put([120]);
                        self.atom(Atom::NONODE);
                        self.put(port.0.to_be_bytes());
                    }
                }
                self.put([0; 4]);
            }
            Term::Reference(reference) => {
                self.put([90, 0, 3]);
                self.atom(Atom::NONODE);
                self.put([0; 4]);
                for word in reference.0.iter().rev() {
                    self.put(word.to_be_bytes());
                }
            }
            Term::Fun(fun) => match &**fun {
                Fun::Export {
                    module,
                    name,
                    arity,
                } => {
                    self.put([113]);
                    self.atom(*module);
                    self.atom(*name);
                    self.int((*arity).into());
                }
                Fun::Local(lambda) => self.lambda(lambda, stack),
            },
        }
    }

    fn int(&mut self, int: i64) {
        if let Ok(byte) = u8::try_from(int) {
            self.put([97, byte]);
        } else if let Ok(int) = i32::try_from(int) {
            self.put([98]);
            self.put(int.to_be_bytes());
        } else {
            self.big(&BigInt::from(int));
        }
    }

    fn big(&mut self, big: &BigInt) {
        let (sign, bytes) = big.to_bytes_le();
        self.short_tag(110, 111, bytes.len());
        self.put([u8::from(sign == Sign::Minus)]);
        self.put(bytes);
    }

    fn float(&mut self, float: f64) {
        if self.format.minor_version > 0 {
            self.put([70]);
            self.put(float.to_be_bytes());
            return;
        }
        let text = format!("{float:.20e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = match exponent.strip_prefix('-') {
            Some(exponent) => ('-', exponent),
            None => ('+', exponent),
        };
        let mut text = format!("{mantissa}e{sign}{exponent:0>2}").into_bytes();
        text.resize(31, 0);
        self.put([99]);
        self.put(text);
    }

    fn atom(&mut self, atom: Atom) {
        let name = atom.name();
        let latin1: Result<Vec<u8>, _> = name.chars().map(u8::try_from).collect();
        match latin1 {
            Ok(bytes) if self.format.minor_version < 2 => {
                self.put([100]);
                self.put((bytes.len() as u16).to_be_bytes());
                self.put(bytes);
            }
            _ => {
                match u8::try_from(name.len()) {
                    Ok(length) => self.put([119, length]),
                    Err(_) => {
                        self.put([118]);
                        self.put((name.len() as u16).to_be_bytes());
                    }
                }
                self.put(name);
            }
        }
    }

    fn bits(&mut self, bits: &Bits) {
        match bits.tail_len() {
            0 => self.tag(109, bits.byte_len()),
            tail => {
                self.tag(77, bits.byte_len());
                self.put([tail as u8]);
            }
        }
        match bits.as_bytes() {
            Some(bytes) => self.put(bytes),
            None => self.bytes.extend(bits.iter()),
        }
    }

    fn list<'a>(&mut self, list: &'a Term, stack: &mut Vec<Work<'a>>) {
        let mut elements = list.elements();
        let mut bytes = elements
            .by_ref()
            .map_while(|element| match element {
                Term::Int(byte) => u8::try_from(*byte).ok(),
                _ => None,
            })
            .take(STRING_MAX + 1)
            .collect::<Vec<u8>>();
        let count = list.elements().count();
        if count == bytes.len() && count <= STRING_MAX && matches!(elements.rest(), Term::Nil) {
            self.put([107]);
            self.put((count as u16).to_be_bytes());
            self.bytes.append(&mut bytes);
            return;
        }
        self.tag(108, count);
        stack.push(Work::List(list.elements()));
    }

    /// Writes a local fun. The creator and the long unique number, which only the real virtual
    /// machine uses, are zero.
    fn lambda<'a>(&mut self, lambda: &'a Lambda, stack: &mut Vec<Work<'a>>) {
        self.put([112]);
        let length_at = self.bytes.len();
        self.put([0; 4]);
        self.put([lambda.arity as u8]);
        self.put([0; 16]);
        self.put(lambda.index.to_be_bytes());
        self.put((lambda.environment.len() as u32).to_be_bytes());
        self.atom(lambda.module);
        self.int(lambda.index.into());
        self.int(lambda.unique.into());
        self.put([88]);
        self.atom(Atom::NONODE);
        self.put([0; 12]);
        stack.push(Work::Close { length_at });
        stack.push(Work::Slice(lambda.environment.iter()));
    }

    fn close(&mut self, length_at: usize) {
        let length = (self.bytes.len() - length_at) as u32;
        self.bytes[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode;
    use super::*;

    fn check(term: &Term) {
        for minor_version in 0..3 {
            for compression in [0, 6] {
                let bytes = encode(
                    term,
                    Format {
                        minor_version,
                        compression,
                        ..Format::OTP_25
                    },
                );
                assert!(decode(&bytes).expect("a term") == *term);
            }
        }
    }

    #[test]
    fn encoded_terms_can_be_decoded() {
        check(&Term::list((0..300).map(Term::Int)));
        check(&Term::list_onto([1.into(), 2.into()], 3.into()));
        check(&Term::list((0..70_000).map(|_| Term::Int(7))));
        check(&Term::binary(&[1; 1000]));
        let lambda = |value| {
            Term::fun(Fun::Local(Lambda {
                module: Atom::ERLANG,
                index: 3,
                unique: u32::MAX,
                arity: 2,
                environment: vec![value, Term::Nil],
            }))
        };
        check(&lambda(lambda(0.1.into())));
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        const DEPTH: usize = 1_000_000;
        let nested = (0..DEPTH).fold(Term::Nil, |inner, _| Term::tuple([inner]));
        assert_eq!(encode(&nested, Format::OTP_25).len(), 2 * DEPTH + 2);
    }
}
