//! Erlang's values: immutable, reference-counted, of any depth.
//!
//! No function here recurses along a term. Lists of a million elements and tuples nested a million
//! levels deep are dropped, compared, hashed and printed in constant stack space.

mod atom;
mod bits;
mod encode;
mod external;
mod fun;
mod hash;
mod identifier;
mod list;
mod map;
mod number;
mod order;
mod release;
mod write;

use std::rc::Rc;

use num_bigint::BigInt;

use crate::bits::Context;
use crate::code::Address;

pub use atom::{ATOM_CHARACTERS_MAX, Atom};
pub use bits::Bits;
pub use encode::{Format, encode};
pub use external::{Atoms, decode, decode_from};
pub use fun::{Fun, Lambda};
pub use identifier::{PidTerm, Port, Reference};
pub use list::{Cons, ListIter};
pub use map::{Iter as MapIter, Map};
pub(crate) use number::{big_to_float, nearest_float};
pub use order::{Zeros, compare, compare_exactly, equal, exactly_equal};
pub use write::write_atom;
pub(crate) use write::{is_lower, is_reserved, is_upper};

/// An Erlang value.
///
/// Rust's `==` distinguishes all values that a program can distinguish: it is `=:=` of OTP 27 and
/// later. See [`exactly_equal`] for earlier releases, [`equal`] for `==` and [`compare`] for `<`.
/// `Term` does not implement `Ord`, because in Erlang's order `1` and `1.0` are equal.
#[derive(Clone)]
pub enum Term {
    /// An integer that fits into 64 bits.
    Int(i64),
    /// An integer that does not fit into 64 bits. `Term::from` chooses the right variant.
    Big(Rc<BigInt>),
    /// A float, always finite.
    Float(f64),
    /// An atom.
    Atom(Atom),
    /// A reference.
    Reference(Reference),
    /// A fun.
    Fun(Rc<Fun>),
    /// A port.
    Port(Port),
    /// A pid.
    Pid(PidTerm),
    /// A tuple.
    Tuple(Rc<Tuple>),
    /// A map.
    Map(Map),
    /// The empty list.
    Nil,
    /// A non-empty list.
    Cons(Rc<Cons>),
    /// A binary, or a bit string.
    Bits(Rc<Bits>),
    /// A bit string that is being matched. Only registers contain it; programs never see it.
    Context(Rc<Context>),
    /// The return address of a call. Only stacks contain it, between frames; programs never see it.
    Return {
        /// The next instruction of the caller.
        to: Address,
        /// The stack position of the caller's frame.
        frame: u32,
    },
}

/// The elements of a tuple.
pub struct Tuple {
    elements: Box<[Term]>,
}

impl std::ops::Deref for Tuple {
    type Target = [Term];

    fn deref(&self) -> &[Term] {
        &self.elements
    }
}

impl Tuple {
    /// Replaces an element; copies the tuple first if it is shared.
    pub(crate) fn set(tuple: &mut Rc<Tuple>, index: usize, value: Term) -> bool {
        if index >= tuple.elements.len() {
            return false;
        }
        if let Some(own) = Rc::get_mut(tuple) {
            own.elements[index] = value;
        } else {
            let mut elements = tuple.elements.clone();
            elements[index] = value;
            *tuple = Rc::new(Tuple { elements });
        }
        true
    }
}

impl Term {
    /// A tuple of these elements.
    pub fn tuple(elements: impl IntoIterator<Item = Term>) -> Term {
        let elements = elements.into_iter().collect();
        Term::Tuple(Rc::new(Tuple { elements }))
    }

    /// The atom with this name.
    pub fn atom(name: &str) -> Term {
        Term::Atom(Atom::new(name))
    }

    /// A binary of these bytes.
    pub fn binary(bytes: &[u8]) -> Term {
        Term::Bits(Rc::new(Bits::from_bytes(bytes)))
    }

    /// A fun.
    pub fn fun(fun: Fun) -> Term {
        Term::Fun(Rc::new(fun))
    }
}

impl From<i64> for Term {
    fn from(value: i64) -> Term {
        Term::Int(value)
    }
}

impl From<f64> for Term {
    fn from(value: f64) -> Term {
        Term::Float(value)
    }
}

impl From<BigInt> for Term {
    fn from(value: BigInt) -> Term {
        match i64::try_from(&value) {
            Ok(small) => Term::Int(small),
            Err(_) => Term::Big(Rc::new(value)),
        }
    }
}

impl From<Atom> for Term {
    fn from(atom: Atom) -> Term {
        Term::Atom(atom)
    }
}

impl From<Map> for Term {
    fn from(map: Map) -> Term {
        Term::Map(map)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::hash_map::DefaultHasher;
    use std::hash::{Hash, Hasher};

    use super::*;

    const DEPTH: usize = 1_000_000;

    fn hash(term: &Term) -> u64 {
        let mut hasher = DefaultHasher::new();
        term.hash(&mut hasher);
        hasher.finish()
    }

    /// Runs every operation that could overflow the stack.
    fn check_deep(make: impl Fn() -> Term) {
        let (one, other) = (make(), make());
        assert!(one == other);
        assert!(compare(&one, &other).is_eq());
        assert_eq!(hash(&one), hash(&other));
        assert!(!one.to_string().is_empty());
    }

    #[test]
    fn a_term_is_two_words() {
        assert_eq!(size_of::<Term>(), 16);
    }

    #[test]
    fn a_long_list_needs_no_stack() {
        check_deep(|| Term::list((0..DEPTH as i64).map(Term::Int)));
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        check_deep(|| (0..DEPTH).fold(Term::Nil, |inner, _| Term::tuple([inner])));
        check_deep(|| (0..DEPTH).fold(Term::Nil, |inner, _| Term::list([inner])));
        check_deep(|| {
            (0..DEPTH).fold(Term::Nil, |inner, _| {
                Map::new().insert(Term::Int(1), inner).into()
            })
        });
        check_deep(|| {
            (0..DEPTH).fold(Term::Nil, |inner, _| {
                Term::fun(Fun::Local(Lambda {
                    module: Atom::ERLANG,
                    index: 0,
                    unique: 0,
                    arity: 0,
                    environment: vec![inner],
                }))
            })
        });
    }

    #[test]
    fn integers_that_fit_into_64_bits_are_int() {
        assert!(matches!(
            Term::from(BigInt::from(i64::MIN)),
            Term::Int(i64::MIN)
        ));
        let large = BigInt::from(i64::MAX) + 1;
        assert!(matches!(Term::from(large), Term::Big(_)));
    }
}
