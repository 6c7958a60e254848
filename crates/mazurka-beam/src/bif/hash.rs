//! The portable hashes of terms, `phash` and `phash2`.
//!
//! Programs observe the values: they determine partitions and the order of `dict` and `sets`. So
//! the results must be exactly those of OTP.

use std::slice;

use super::BifResult;
use crate::meter;
use crate::raise::Raise;
use crate::term::{Atom, Bits, Fun, Lambda, Term};

table! {
    "erlang" {
        "phash"/2 => phash,
        "phash2"/1 => phash2,
        "phash2"/2 => phash2_below,
    }
}

/// 2³², the largest range.
const RANGE_MAX: i64 = 1 << 32;
/// The size of the result of `phash2/1`, in bits.
const DEFAULT_BITS: u32 = 27;

fn range(term: &Term) -> Result<u64, Raise> {
    match term {
        Term::Int(range @ 1..=RANGE_MAX) => Ok(*range as u64),
        _ => Err(Raise::badarg()),
    }
}

fn phash(term: &Term, limit: &Term) -> BifResult {
    let range = range(limit)?;
    Ok(Term::Int((u64::from(hash(term)) % range) as i64 + 1))
}

fn phash2(term: &Term) -> BifResult {
    let mask = (1 << DEFAULT_BITS) - 1;
    Ok(Term::Int((hash2(term) & mask).into()))
}

fn phash2_below(term: &Term, limit: &Term) -> BifResult {
    let range = range(limit)?;
    Ok(Term::Int((u64::from(hash2(term)) % range) as i64))
}

/// The hash of an atom's name: hashpjw (Aho, Sethi, Ullman 1986), where each Latin-1 character
/// counts as one byte.
fn name_hash(atom: Atom) -> u32 {
    let mut sum = 0_u32;
    let mut add = |byte: u8| {
        sum = (sum << 4).wrapping_add(byte.into());
        let high = sum & 0xf000_0000;
        sum ^= high >> 24 ^ high;
    };
    for character in atom.name().chars() {
        match u8::try_from(character) {
            Ok(byte) => add(byte),
            Err(_) => character
                .encode_utf8(&mut [0; 4])
                .bytes()
                .for_each(&mut add),
        }
    }
    sum
}

/// The magnitude of an integer in little-endian words, and whether it is negative.
fn words(term: &Term) -> Option<(Vec<u64>, bool)> {
    match term {
        Term::Int(int) => Some((vec![int.unsigned_abs()], *int < 0)),
        Term::Big(big) => Some((
            big.iter_u64_digits().collect(),
            big.sign() == num_bigint::Sign::Minus,
        )),
        _ => None,
    }
}

/// The whole bytes of a bit string, and the number and value of the bits after them.
fn split(bits: &Bits) -> (Vec<u8>, usize, u8) {
    let mut bytes: Vec<u8> = bits.iter().collect();
    match bits.tail_len() {
        0 => (bytes, 0, 0),
        tail => {
            let last = bytes.pop().unwrap_or(0) >> (8 - tail);
            (bytes, tail, last)
        }
    }
}

/// The two words of a float; `0.0` and `-0.0` give the same.
fn float_words(float: f64) -> (u32, u32) {
    let bits = (float + 0.0).to_bits();
    (bits as u32, (bits >> 32) as u32)
}

/// A pending part of `phash2`.
enum Work<'a> {
    Term(&'a Term),
    /// The end of a map entry: the current hash is that of the entry.
    Entry,
    /// The end of a map: restores the hash before the map and the entries of the enclosing map.
    Map {
        before: u32,
        entries: u32,
    },
}

/// The golden ratio, whose multiples distinguish types.
const GOLDEN: u32 = 0x9e37_79b9;

const fn times(factor: u32) -> u32 {
    GOLDEN.wrapping_mul(factor)
}

/// The number that the empty list adds to a hash, and its own hash if it is the whole term.
const NIL_ADDS: u32 = 2;
const NIL_ALONE: u32 = 3_468_870_702;

/// The hash of `phash2`.
fn hash2(term: &Term) -> u32 {
    let mut hash = 0_u32;
    let mut entries = 0_u32;
    let mut stack = vec![Work::Term(term)];
    while let Some(work) = stack.pop() {
        if !meter::may_continue(1) {
            break;
        }
        match work {
            Work::Term(term) => visit(term, &mut hash, &mut entries, &mut stack),
            Work::Entry => {
                entries ^= hash;
                hash = 0;
            }
            Work::Map {
                before,
                entries: around,
            } => {
                hash = before;
                mix_in(&mut hash, entries, 0, times(19));
                entries = around;
            }
        }
    }
    hash
}

fn visit<'a>(term: &'a Term, hash: &mut u32, entries: &mut u32, stack: &mut Vec<Work<'a>>) {
    match term {
        // Only registers and stacks hold these.
        Term::Context(_) | Term::Return { .. } => {}
        Term::Atom(atom) if *hash == 0 => *hash = name_hash(*atom),
        Term::Atom(atom) => mix_in(hash, name_hash(*atom), 0, times(3)),
        Term::Nil if *hash == 0 => *hash = NIL_ALONE,
        Term::Nil => mix_in(hash, NIL_ADDS, 0, times(2)),
        Term::Int(int @ -0x800_0000..0x800_0000) => {
            if *int < 0 {
                mix_in(hash, int.unsigned_abs() as u32, 0, GOLDEN);
            }
            mix_in(hash, *int as u32, 0, GOLDEN);
        }
        Term::Int(_) | Term::Big(_) => {
            let (words, negative) = words(term).unwrap_or_default();
            let constant = times(if negative { 10 } else { 11 });
            for word in words {
                mix_in(hash, word as u32, (word >> 32) as u32, constant);
            }
        }
        Term::Float(float) => {
            let (low, high) = float_words(*float);
            mix_in(hash, high, low, times(12));
        }
        Term::Pid(pid) => mix_in(hash, pid.number(), 0, times(5)),
        Term::Port(port) => mix_in(hash, port.0 as u32, (port.0 >> 32) as u32, times(6)),
        Term::Reference(reference) => mix_in(hash, reference.0[2], 0, times(7)),
        Term::Cons(_) => visit_list(term, hash, stack),
        Term::Tuple(tuple) => {
            mix_in(hash, tuple.len() as u32, 0, times(9));
            stack.extend(tuple.iter().rev().map(Work::Term));
        }
        Term::Map(map) => {
            mix_in(hash, map.len() as u32, 0, times(16));
            if map.is_empty() {
                return;
            }
            stack.push(Work::Map {
                before: *hash,
                entries: *entries,
            });
            (*hash, *entries) = (0, 0);
            for (key, value) in map {
                stack.extend([Work::Entry, Work::Term(value), Work::Term(key)]);
            }
        }
        Term::Fun(fun) => visit_fun(fun, hash, stack),
        Term::Bits(bits) => {
            let (bytes, tail, last) = split(bits);
            let start = times(13).wrapping_add(*hash);
            if bits.bit_len() == 0 {
                *hash = start;
                return;
            }
            *hash = block_hash(&bytes, start);
            if tail > 0 {
                mix_in(hash, tail as u32, last.into(), times(15));
            }
        }
    }
}

/// Hashes a list. Bytes at its start are hashed four at a time.
fn visit_list<'a>(list: &'a Term, hash: &mut u32, stack: &mut Vec<Work<'a>>) {
    let (mut group, mut count) = (0_u32, 0);
    let mut elements = list.elements();
    let mut other = None;
    for element in elements.by_ref() {
        let Term::Int(byte @ 0..=255) = element else {
            other = Some(element);
            break;
        };
        group = group << 8 | *byte as u32;
        count += 1;
        if count == 4 {
            mix_in(hash, group, 0, times(4));
            (group, count) = (0, 0);
        }
    }
    if count > 0 {
        mix_in(hash, group, 0, times(4));
    }
    stack.push(Work::Term(elements.rest()));
    stack.extend(other.map(Work::Term));
}

fn visit_fun<'a>(fun: &'a Fun, hash: &mut u32, stack: &mut Vec<Work<'a>>) {
    match fun {
        Fun::Export {
            module,
            name,
            arity,
        } => {
            mix_in(hash, *arity, name_hash(*module), GOLDEN);
            mix_in(hash, name_hash(*name), 0, times(14));
        }
        Fun::Local(lambda) => {
            let free = lambda.environment.len() as u32;
            mix_in(hash, free, name_hash(lambda.module), GOLDEN);
            mix_in(hash, lambda.index, lambda.unique, GOLDEN);
            stack.extend(lambda.environment.iter().rev().map(Work::Term));
        }
    }
}

fn mix_in(hash: &mut u32, one: u32, other: u32, constant: u32) {
    let one = constant.wrapping_add(one);
    let other = constant.wrapping_add(other);
    *hash = mix(one, other, *hash)[2];
}

/// The mixing step of Jenkins (1997), "Hash functions".
fn mix(mut a: u32, mut b: u32, mut c: u32) -> [u32; 3] {
    for [right, left, last] in [[13, 8, 13], [12, 16, 5], [3, 10, 15]] {
        a = a.wrapping_sub(b).wrapping_sub(c) ^ c >> right;
        b = b.wrapping_sub(c).wrapping_sub(a) ^ a << left;
        c = c.wrapping_sub(a).wrapping_sub(b) ^ b >> last;
    }
    [a, b, c]
}

/// Hashes bytes, twelve at a time. The lowest byte of the last word is the length.
fn block_hash(bytes: &[u8], start: u32) -> u32 {
    let [mut a, mut b, mut c] = [GOLDEN, GOLDEN, start];
    let word = |bytes: &[u8]| {
        let padded: [u8; 4] = std::array::from_fn(|at| bytes.get(at).copied().unwrap_or(0));
        u32::from_le_bytes(padded)
    };
    let part = |bytes: &[u8], from: usize| word(bytes.get(from..).unwrap_or_default());
    let mut blocks = bytes.chunks_exact(12);
    for block in blocks.by_ref() {
        [a, b, c] = mix(
            a.wrapping_add(part(block, 0)),
            b.wrapping_add(part(block, 4)),
            c.wrapping_add(part(block, 8)),
        );
    }
    let rest = blocks.remainder();
    c = c
        .wrapping_add(bytes.len() as u32)
        .wrapping_add(part(rest, 8) << 8);
    mix(
        a.wrapping_add(part(rest, 0)),
        b.wrapping_add(part(rest, 4)),
        c,
    )[2]
}

/// The prime factors of `phash`, just above 2²⁸.
const PRIMES: [u32; 14] = [
    268_440_163,
    268_439_161,
    268_435_459,
    268_436_141,
    268_438_633,
    268_437_017,
    268_438_039,
    268_437_511,
    268_439_627,
    268_440_479,
    268_440_577,
    268_440_581,
    268_440_593,
    268_440_611,
];

/// A pending part of `phash`.
enum PhashWork<'a> {
    Term(&'a Term),
    /// The rest of a list.
    Tail(&'a Term),
    ListEnd,
    Elements(slice::Iter<'a, Term>),
    TupleEnd(u32),
}

/// The state of `phash`: each step multiplies by the n-th prime and adds a number.
struct Product(u32);

impl Product {
    fn step(&mut self, prime: usize, add: u32) {
        self.0 = self.0.wrapping_mul(PRIMES[prime - 1]).wrapping_add(add);
    }

    fn bytes(&mut self, prime: usize, bytes: &[u8]) {
        for &byte in bytes {
            self.step(prime, byte.into());
        }
    }
}

/// The hash of `phash`.
fn hash(term: &Term) -> u32 {
    let mut hash = Product(0);
    let mut stack = vec![PhashWork::Term(term)];
    while let Some(work) = stack.pop() {
        if !meter::may_continue(1) {
            break;
        }
        match work {
            PhashWork::Term(term) => phash_visit(term, &mut hash, &mut stack),
            PhashWork::Tail(Term::Cons(cons)) => {
                phash_visit_list(cons.as_ref(), &mut hash, &mut stack)
            }
            PhashWork::Tail(tail) => stack.extend([PhashWork::ListEnd, PhashWork::Term(tail)]),
            PhashWork::ListEnd => hash.step(8, 0),
            PhashWork::Elements(mut elements) => {
                if let Some(element) = elements.next() {
                    stack.extend([PhashWork::Elements(elements), PhashWork::Term(element)]);
                }
            }
            PhashWork::TupleEnd(arity) => hash.step(9, arity),
        }
    }
    hash.0
}

fn phash_visit_list<'a>(
    first: &'a crate::term::Cons,
    hash: &mut Product,
    stack: &mut Vec<PhashWork<'a>>,
) {
    match &first.head {
        Term::Int(byte @ 0..=255) => {
            hash.step(2, *byte as u32);
            stack.push(PhashWork::Tail(&first.tail));
        }
        head => stack.extend([PhashWork::Tail(&first.tail), PhashWork::Term(head)]),
    }
}

fn phash_visit<'a>(term: &'a Term, hash: &mut Product, stack: &mut Vec<PhashWork<'a>>) {
    match term {
        // Only registers and stacks hold these.
        Term::Context(_) | Term::Return { .. } => {}
        Term::Nil => hash.step(3, 1),
        Term::Atom(atom) => hash.step(1, name_hash(*atom)),
        Term::Int(_) | Term::Big(_) => {
            let (words, negative) = words(term).unwrap_or_default();
            let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            if words.last().is_none_or(|word| word >> 32 == 0) {
                bytes.truncate(bytes.len().saturating_sub(4));
            }
            hash.bytes(2, &bytes);
            hash.step(if negative { 4 } else { 3 }, 0);
        }
        Term::Float(float) => {
            let (low, high) = float_words(*float);
            hash.step(6, low ^ high);
        }
        Term::Pid(pid) => {
            hash.bytes(5, &pid.number().to_le_bytes());
            hash.step(6, 0);
        }
        Term::Port(port) => {
            let (low, high) = (port.0 as u32, (port.0 >> 32) as u32);
            if high > 0 {
                hash.bytes(11, &high.to_le_bytes());
            }
            hash.bytes(9, &low.to_le_bytes());
            hash.step(10, 0);
        }
        Term::Reference(reference) => {
            hash.bytes(9, &reference.0[2].to_le_bytes());
            hash.step(10, 0);
        }
        Term::Cons(cons) => phash_visit_list(cons.as_ref(), hash, stack),
        Term::Tuple(tuple) => stack.extend([
            PhashWork::TupleEnd(tuple.len() as u32),
            PhashWork::Elements(tuple.iter()),
        ]),
        Term::Map(_) => hash.step(13, PRIMES[13].wrapping_add(hash2(term))),
        Term::Fun(fun) => match &**fun {
            Fun::Export {
                module,
                name,
                arity,
            } => {
                hash.step(11, *arity);
                hash.step(1, name_hash(*module));
                hash.step(1, name_hash(*name));
            }
            Fun::Local(lambda) => phash_visit_lambda(lambda, hash, stack),
        },
        Term::Bits(bits) => {
            let (bytes, tail, last) = split(bits);
            hash.bytes(1, &bytes);
            if tail > 0 {
                hash.step(1, last.into());
                hash.step(12, tail as u32);
            }
            hash.step(4, bytes.len() as u32);
        }
    }
}

fn phash_visit_lambda<'a>(lambda: &'a Lambda, hash: &mut Product, stack: &mut Vec<PhashWork<'a>>) {
    hash.step(10, lambda.environment.len() as u32);
    hash.step(1, name_hash(lambda.module));
    hash.step(2, lambda.index);
    hash.step(2, lambda.unique);
    stack.push(PhashWork::Elements(lambda.environment.iter()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_nesting_needs_no_stack() {
        const DEPTH: usize = 1_000_000;
        let nested = (0..DEPTH).fold(Term::Nil, |inner, _| Term::tuple([inner]));
        hash(&nested);
        hash2(&nested);
        let list = Term::list((0..DEPTH as i64).map(Term::Int));
        hash(&list);
        hash2(&list);
    }
}
