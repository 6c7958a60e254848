//! A hash that is equal for terms that are `=:=`, and the same in every run. Of a very large term
//! only the first [`PARTS_MAX`] parts are hashed.

use std::hash::{Hash, Hasher};
use std::slice;

use super::fun::Fun;
use super::map::Iter;
use super::{Bits, Term};

enum Work<'a> {
    Term(&'a Term),
    Slice(slice::Iter<'a, Term>),
    Entries(Iter<'a>),
}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut stack = Vec::new();
        visit(self, state, &mut stack);
        let mut parts = 0;
        while let Some(work) = stack.pop() {
            parts += 1;
            if parts > PARTS_MAX {
                return;
            }
            match work {
                Work::Term(term) => visit(term, state, &mut stack),
                Work::Slice(mut terms) => {
                    if let Some(term) = terms.next() {
                        stack.push(Work::Slice(terms));
                        visit(term, state, &mut stack);
                    }
                }
                Work::Entries(mut entries) => {
                    if let Some((key, value)) = entries.next() {
                        stack.push(Work::Entries(entries));
                        stack.push(Work::Term(value));
                        visit(key, state, &mut stack);
                    }
                }
            }
        }
    }
}

/// The number of parts of a term that are hashed. A small term in memory may have far more parts,
/// because parts can be shared.
const PARTS_MAX: usize = 1 << 16;

/// Hashes the start of a term, with a number for its type, and pushes its parts onto the stack.
fn visit<'a, H: Hasher>(term: &'a Term, state: &mut H, stack: &mut Vec<Work<'a>>) {
    match term {
        Term::Int(int) => (0_u8, int).hash(state),
        Term::Big(big) => (1_u8, big).hash(state),
        // `0.0` and `-0.0` have the same hash, because up to OTP 26 they are `=:=`.
        Term::Float(float) => (2_u8, (float + 0.0).to_bits()).hash(state),
        Term::Atom(atom) => (3_u8, atom).hash(state),
        Term::Reference(reference) => (4_u8, reference).hash(state),
        Term::Fun(fun) => match &**fun {
            Fun::Export {
                module,
                name,
                arity,
            } => (5_u8, module, name, arity).hash(state),
            Fun::Local(lambda) => {
                (6_u8, lambda.module, lambda.index, lambda.unique).hash(state);
                stack.push(Work::Slice(lambda.environment.iter()));
            }
        },
        Term::Port(port) => (7_u8, port).hash(state),
        Term::Pid(pid) => (8_u8, pid).hash(state),
        Term::Tuple(tuple) => {
            (9_u8, tuple.len()).hash(state);
            stack.push(Work::Slice(tuple.iter()));
        }
        Term::Map(map) => {
            (10_u8, map.len()).hash(state);
            stack.push(Work::Entries(map.iter()));
        }
        Term::Nil => 11_u8.hash(state),
        Term::Cons(cons) => {
            12_u8.hash(state);
            stack.push(Work::Term(&cons.tail));
            stack.push(Work::Term(&cons.head));
        }
        Term::Bits(bits) => {
            13_u8.hash(state);
            visit_bits(bits, state);
        }
        Term::Context(context) => {
            (14_u8, context.position()).hash(state);
            visit_bits(context.whole(), state);
        }
        Term::Return { to, frame } => (15_u8, to, frame).hash(state),
    }
}

fn visit_bits<H: Hasher>(bits: &Bits, state: &mut H) {
    bits.bit_len().hash(state);
    match bits.as_bytes() {
        Some(bytes) => state.write(bytes),
        // One call, as above: several writes may give another hash than one.
        None => state.write(&bits.iter().collect::<Vec<u8>>()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::hash_map::DefaultHasher;
    use std::rc::Rc;

    use super::*;

    fn hash(term: &Term) -> u64 {
        let mut hasher = DefaultHasher::new();
        term.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn zeros_and_shifted_bits_hash_alike() {
        assert_eq!(hash(&0.0.into()), hash(&(-0.0).into()));
        let shifted = Bits::from_bytes(&[0x12, 0x34, 0x50]).part(4, 16);
        let shifted = Term::Bits(Rc::new(shifted.expect("within")));
        let whole = Term::binary(&[0x23, 0x45]);
        assert_eq!(shifted, whole);
        assert_eq!(hash(&shifted), hash(&whole));
    }

    #[test]
    fn different_terms_have_different_hashes() {
        assert_ne!(hash(&1.into()), hash(&1.0.into()));
        assert_ne!(hash(&Term::tuple([])), hash(&Term::Nil));
        let flat = Term::list([1.into(), 2.into()]);
        let nested = Term::list([Term::list([1.into()]), 2.into()]);
        assert_ne!(hash(&flat), hash(&nested));
    }
}
