//! Erlang's order of all terms, and its two equalities.

use std::cmp::Ordering;
use std::rc::Rc;
use std::slice;

use super::fun::Fun;
use super::map::Iter;
use super::number::{compare_big, compare_int};
use super::{Term, Tuple};
use crate::meter;

/// Erlang's order, in which an integer equals the float of the same value: `<`, `==`, `lists:sort`.
pub fn compare(one: &Term, other: &Term) -> Ordering {
    walk(one, other, Numbers::ByValue)
}

/// The order of map keys: every integer comes before every float, and `-0.0` before `0.0`. Terms
/// that are equal in this order cannot be distinguished by any program.
pub fn compare_exactly(one: &Term, other: &Term) -> Ordering {
    walk(one, other, Numbers::ByType(Zeros::Differ))
}

/// Erlang's `==`.
pub fn equal(one: &Term, other: &Term) -> bool {
    compare(one, other).is_eq()
}

/// Erlang's `=:=`.
pub fn exactly_equal(one: &Term, other: &Term, zeros: Zeros) -> bool {
    walk(one, other, Numbers::ByType(zeros)).is_eq()
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        compare_exactly(self, other).is_eq()
    }
}

impl Eq for Term {}

/// Whether `0.0 =:= -0.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zeros {
    /// Up to OTP 26.
    Same,
    /// Since OTP 27.
    Differ,
}

#[derive(Clone, Copy)]
enum Numbers {
    ByValue,
    ByType(Zeros),
}

/// A comparison that is needed only if all earlier ones gave "equal".
enum Work<'a> {
    Terms(&'a Term, &'a Term, Numbers),
    Slices(slice::Iter<'a, Term>, slice::Iter<'a, Term>, Numbers),
    Keys(Iter<'a>, Iter<'a>),
    Values(Iter<'a>, Iter<'a>, Numbers),
}

/// The number of parts compared between two checks of the brake.
const CHECK_EVERY: u32 = 1 << 16;

fn walk<'a>(one: &'a Term, other: &'a Term, numbers: Numbers) -> Ordering {
    let mut stack: Vec<Work<'a>> = Vec::new();
    let mut order = step(one, other, numbers, &mut stack);
    let mut parts = 0_u32;
    while order.is_eq() {
        // Terms with shared parts may have exponentially many parts, so the brake is checked.
        parts += 1;
        if parts.is_multiple_of(CHECK_EVERY) && !meter::ask(0) {
            return Ordering::Equal;
        }
        order = match stack.pop() {
            None => return Ordering::Equal,
            Some(Work::Terms(one, other, numbers)) => step(one, other, numbers, &mut stack),
            Some(Work::Slices(mut ones, mut others, numbers)) => {
                match (ones.next(), others.next()) {
                    (Some(one), Some(other)) => {
                        stack.push(Work::Slices(ones, others, numbers));
                        step(one, other, numbers, &mut stack)
                    }
                    _ => Ordering::Equal,
                }
            }
            Some(Work::Keys(mut ones, mut others)) => match (ones.next(), others.next()) {
                (Some((one, _)), Some((other, _))) => {
                    stack.push(Work::Keys(ones, others));
                    step(one, other, Numbers::ByType(Zeros::Differ), &mut stack)
                }
                _ => Ordering::Equal,
            },
            Some(Work::Values(mut ones, mut others, numbers)) => {
                match (ones.next(), others.next()) {
                    (Some((_, one)), Some((_, other))) => {
                        stack.push(Work::Values(ones, others, numbers));
                        step(one, other, numbers, &mut stack)
                    }
                    _ => Ordering::Equal,
                }
            }
        };
    }
    order
}

/// Compares the outermost level of two terms and pushes their parts onto the stack, first part
/// last.
fn step<'a>(
    one: &'a Term,
    other: &'a Term,
    numbers: Numbers,
    stack: &mut Vec<Work<'a>>,
) -> Ordering {
    match (one, other) {
        (Term::Int(one), Term::Int(other)) => one.cmp(other),
        (Term::Atom(one), Term::Atom(other)) if one == other => Ordering::Equal,
        (Term::Atom(one), Term::Atom(other)) => one.cmp(other),
        (Term::Cons(one), Term::Cons(other)) => {
            if !Rc::ptr_eq(one, other) {
                stack.push(Work::Terms(&one.tail, &other.tail, numbers));
                stack.push(Work::Terms(&one.head, &other.head, numbers));
            }
            Ordering::Equal
        }
        (Term::Tuple(one), Term::Tuple(other)) => tuples(one, other, numbers, stack),
        (Term::Map(one), Term::Map(other)) => {
            if one.is_same(other) {
                return Ordering::Equal;
            }
            stack.push(Work::Values(one.iter(), other.iter(), numbers));
            stack.push(Work::Keys(one.iter(), other.iter()));
            one.len().cmp(&other.len())
        }
        (Term::Bits(one), Term::Bits(other)) => one.compare(other),
        (Term::Context(one), Term::Context(other)) => one
            .whole()
            .compare(other.whole())
            .then(one.position().cmp(&other.position())),
        (
            Term::Return { to, frame },
            Term::Return {
                to: other_to,
                frame: other_frame,
            },
        ) => (to.module.cmp(&other_to.module))
            .then(to.pc.cmp(&other_to.pc))
            .then(frame.cmp(other_frame)),
        (Term::Pid(one), Term::Pid(other)) => one.cmp(other),
        (Term::Reference(one), Term::Reference(other)) => one.cmp(other),
        (Term::Port(one), Term::Port(other)) => one.cmp(other),
        (Term::Fun(one), Term::Fun(other)) => {
            if Rc::ptr_eq(one, other) {
                return Ordering::Equal;
            }
            funs(one, other, numbers, stack)
        }
        _ => match rank(one).cmp(&rank(other)) {
            Ordering::Equal => compare_numbers(one, other, numbers),
            order => order,
        },
    }
}

fn tuples<'a>(
    one: &'a Rc<Tuple>,
    other: &'a Rc<Tuple>,
    numbers: Numbers,
    stack: &mut Vec<Work<'a>>,
) -> Ordering {
    if !Rc::ptr_eq(one, other) {
        stack.push(Work::Slices(one.iter(), other.iter(), numbers));
    }
    one.len().cmp(&other.len())
}

/// Local funs come before exported ones.
fn funs<'a>(one: &'a Fun, other: &'a Fun, numbers: Numbers, stack: &mut Vec<Work<'a>>) -> Ordering {
    match (one, other) {
        (Fun::Local(one), Fun::Local(other)) => {
            let (ones, others) = (&one.environment, &other.environment);
            stack.push(Work::Slices(ones.iter(), others.iter(), numbers));
            one.module
                .cmp(&other.module)
                .then(one.index.cmp(&other.index))
                .then(one.unique.cmp(&other.unique))
                .then(ones.len().cmp(&others.len()))
        }
        (Fun::Export { .. }, Fun::Local(_)) => Ordering::Greater,
        (Fun::Local(_), Fun::Export { .. }) => Ordering::Less,
        (
            Fun::Export {
                module,
                name,
                arity,
            },
            Fun::Export {
                module: other_module,
                name: other_name,
                arity: other_arity,
            },
        ) => module
            .cmp(other_module)
            .then(name.cmp(other_name))
            .then(arity.cmp(other_arity)),
    }
}

/// Two numbers, or two empty lists.
fn compare_numbers(one: &Term, other: &Term, numbers: Numbers) -> Ordering {
    match (one, other, numbers) {
        (Term::Float(one), Term::Float(other), Numbers::ByType(Zeros::Differ)) => {
            one.total_cmp(other)
        }
        (Term::Float(one), Term::Float(other), _) => {
            one.partial_cmp(other).unwrap_or(Ordering::Equal)
        }
        (Term::Float(_), _, Numbers::ByType(_)) => Ordering::Greater,
        (_, Term::Float(_), Numbers::ByType(_)) => Ordering::Less,
        (Term::Int(int), Term::Float(float), _) => compare_int(*int, *float),
        (Term::Float(float), Term::Int(int), _) => compare_int(*int, *float).reverse(),
        (Term::Big(big), Term::Float(float), _) => compare_big(big, *float),
        (Term::Float(float), Term::Big(big), _) => compare_big(big, *float).reverse(),
        (Term::Big(one), Term::Big(other), _) => one.cmp(other),
        // A big integer is outside the range of 64 bits, so its sign decides.
        (Term::Big(big), Term::Int(_), _) => big.sign().cmp(&num_bigint::Sign::NoSign),
        (Term::Int(_), Term::Big(big), _) => num_bigint::Sign::NoSign.cmp(&big.sign()),
        _ => Ordering::Equal,
    }
}

/// number < atom < reference < fun < port < pid < tuple < map < nil < list < bit string
fn rank(term: &Term) -> u8 {
    match term {
        Term::Int(_) | Term::Big(_) | Term::Float(_) => 0,
        Term::Atom(_) => 1,
        Term::Reference(_) => 2,
        Term::Fun(_) => 3,
        Term::Port(_) => 4,
        Term::Pid(_) => 5,
        Term::Tuple(_) => 6,
        Term::Map(_) => 7,
        Term::Nil => 8,
        Term::Cons(_) => 9,
        Term::Bits(_) => 10,
        Term::Context(_) => 11,
        Term::Return { .. } => 12,
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::super::{Map, PidTerm, Port, Reference};
    use super::*;

    fn map(entries: &[(Term, Term)]) -> Term {
        entries.iter().cloned().collect::<Map>().into()
    }

    #[test]
    fn types_in_order() {
        let terms = [
            Term::Int(1 << 60),
            Term::from(BigInt::from(1) << 80),
            Term::Float(1.0e300),
            Term::atom("a"),
            Term::Reference(Reference([0, 0, 1])),
            Term::fun(Fun::Export {
                module: super::super::Atom::ERLANG,
                name: super::super::Atom::EXIT,
                arity: 1,
            }),
            Term::Port(Port(1)),
            Term::Pid(PidTerm::new(1, 0)),
            Term::tuple([]),
            Map::new().into(),
            Term::Nil,
            Term::list([Term::Int(0)]),
            Term::binary(b""),
        ];
        for (i, one) in terms.iter().enumerate() {
            for (j, other) in terms.iter().enumerate() {
                assert_eq!(compare(one, other), i.cmp(&j), "{one} and {other}");
            }
        }
    }

    #[test]
    fn tuples_by_size_lists_by_element() {
        let check = |one: Term, other: Term| {
            assert_eq!(compare(&one, &other), Ordering::Less, "{one} {other}");
            assert_eq!(compare(&other, &one), Ordering::Greater, "{one} {other}");
        };
        check(Term::tuple([9.into()]), Term::tuple([1.into(), 1.into()]));
        check(Term::list([1.into(), 1.into()]), Term::list([9.into()]));
        check(Term::cons(1.into(), 5.into()), Term::list([1.into()]));
        check(
            Term::tuple([1.into(), 2.into()]),
            Term::tuple([1.0.into(), 3.into()]),
        );
    }

    #[test]
    fn maps_by_size_then_keys_then_values() {
        let check = |one: &Term, other: &Term, expected| {
            assert_eq!(compare(one, other), expected, "{one} {other}");
        };
        let a = map(&[(1.into(), 9.into())]);
        let b = map(&[(2.into(), 1.into())]);
        let c = map(&[(1.0.into(), 1.into())]);
        let d = map(&[(1.into(), 9.0.into())]);
        check(&a, &b, Ordering::Less);
        check(&b, &c, Ordering::Less);
        check(&a, &d, Ordering::Equal);
        assert_ne!(a, d);
        check(
            &c,
            &map(&[(0.into(), 0.into()), (1.into(), 0.into())]),
            Ordering::Less,
        );
    }

    #[test]
    fn three_kinds_of_equality() {
        let check = |one: Term, other: Term, loose, old, new| {
            assert_eq!(equal(&one, &other), loose);
            assert_eq!(exactly_equal(&one, &other, Zeros::Same), old);
            assert_eq!(exactly_equal(&one, &other, Zeros::Differ), new);
            assert_eq!(one == other, new);
        };
        check(1.into(), 1.into(), true, true, true);
        check(1.into(), 1.0.into(), true, false, false);
        check(0.0.into(), (-0.0).into(), true, true, false);
        check(
            Term::list([1.into()]),
            Term::list([1.0.into()]),
            true,
            false,
            false,
        );
        check(Term::Nil, Term::Nil, true, true, true);
        check(Term::Nil, Term::binary(b""), false, false, false);
    }
}
