//! Arrays of counters: `atomics` and `counters`.
//!
//! Each index of an array is a counter of its own, so operations on different indices commute. Two
//! operations on one index conflict unless both only read it, also two additions.
//!
//! A table records the size of each array. An array is known only to processes that learned of it after
//! it was made, so reading the record conflicts with nothing.

use mazurka_engine::Operation;
use num_bigint::BigInt;

use super::Pending;
use super::native::{Answer, Asking, Context, Next, Row};
use crate::raise::Raise;
use crate::term::{Atom, Map, Reference, Term};

pub(super) const TABLE: &[Row<Asking>] = &[
    ("erts_internal", "atomics_new", 2, new_atomics),
    ("erts_internal", "counters_new", 1, new_counters),
    ("erts_internal", "counters_get", 2, get),
    ("erts_internal", "counters_add", 3, add),
    ("erts_internal", "counters_put", 3, put),
    ("erts_internal", "counters_info", 1, counters_info),
    ("atomics", "get", 2, get),
    ("atomics", "put", 3, put),
    ("atomics", "add", 3, add),
    ("atomics", "add_get", 3, add_get),
    ("atomics", "exchange", 3, exchange),
    ("atomics", "compare_exchange", 4, compare_exchange),
    ("atomics", "info", 1, info),
];

/// The only option of `erts_internal:atomics_new/2`: the elements have a sign.
const SIGNED: i64 = 1;

/// What to do with an array.
#[derive(Clone, Copy, Debug)]
pub enum Call {
    /// Return an element.
    Get,
    /// Set an element.
    Put,
    /// Add to an element.
    Add,
    /// Add to an element and return it.
    AddGet,
    /// Set an element and return what it was.
    Exchange,
    /// Set an element if it has the expected value.
    CompareExchange,
    /// Describe the array.
    Info {
        /// Whether with the limits of its elements.
        limits: bool,
    },
}

/// How the answer of an element becomes the result.
#[derive(Clone, Copy, Debug)]
pub enum Outcome {
    /// `ok`
    Ok,
    /// The value.
    Value {
        /// Whether it has a sign.
        is_signed: bool,
    },
    /// `ok` if the value is the expected one, otherwise the value.
    Compared {
        /// Whether it has a sign.
        is_signed: bool,
        /// The expected value.
        expected: i64,
    },
}

fn table() -> Term {
    Term::atom("$atomics")
}

fn new_atomics(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    match arguments[1] {
        Term::Int(options) => new(context, &arguments[0], options & SIGNED != 0),
        _ => Err(Raise::badarg()),
    }
}

fn new_counters(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    new(context, &arguments[0], true)
}

fn new(context: &mut Context<'_>, size: &Term, is_signed: bool) -> Result<Next, Raise> {
    let Term::Int(1..) = size else {
        return Err(Raise::badarg());
    };
    let array = Term::Reference(context.process.make_reference());
    let operation = Operation::Put {
        table: table(),
        key: array.clone(),
        value: Term::tuple([size.clone(), Atom::bool(is_signed).into()]),
    };
    Ok(Next::Ask(operation, Pending::Return(array)))
}

fn get(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    find(Call::Get, arguments)
}

fn put(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    find(Call::Put, arguments)
}

fn add(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    find(Call::Add, arguments)
}

fn add_get(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    find(Call::AddGet, arguments)
}

fn exchange(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    find(Call::Exchange, arguments)
}

fn compare_exchange(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    find(Call::CompareExchange, arguments)
}

fn info(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    find(Call::Info { limits: true }, arguments)
}

fn counters_info(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    find(Call::Info { limits: false }, arguments)
}

/// Looks up the array in the first argument.
fn find(call: Call, arguments: &[Term]) -> Result<Next, Raise> {
    let Term::Reference(array) = arguments[0] else {
        return Err(Raise::badarg());
    };
    let operation = Operation::Get {
        table: table(),
        key: arguments[0].clone(),
    };
    let rest = arguments[1..].to_vec();
    Ok(Next::Ask(operation, Pending::Array(call, array, rest)))
}

/// Continues with the array, whose size and sign are the answer.
pub(super) fn found(
    call: Call,
    array: Reference,
    arguments: &[Term],
    answer: &Answer,
) -> Result<Next, Raise> {
    let Answer::Value(Some(Term::Tuple(array_is))) = answer else {
        return Err(Raise::badarg());
    };
    let [Term::Int(size), Term::Atom(is_signed)] = &***array_is else {
        return Err(Raise::badarg());
    };
    let is_signed = *is_signed == Atom::TRUE;
    if let Call::Info { limits } = call {
        return Ok(Next::Value(describe(*size, is_signed, limits)));
    }
    let counter = match &arguments[0] {
        Term::Int(index) if (1..=*size).contains(index) => {
            Term::tuple([Term::Reference(array), Term::Int(*index)])
        }
        _ => return Err(Raise::badarg()),
    };
    let count = |at: usize| bits(&arguments[at], is_signed).ok_or_else(Raise::badarg);
    let value = Outcome::Value { is_signed };
    let (operation, outcome) = match call {
        Call::Get | Call::Info { .. } => (Operation::Count { counter }, value),
        Call::Put => {
            let count = count(1)?;
            (Operation::Exchange { counter, count }, Outcome::Ok)
        }
        Call::Exchange => {
            let count = count(1)?;
            (Operation::Exchange { counter, count }, value)
        }
        Call::Add | Call::AddGet => {
            let amount = any_bits(&arguments[1]).ok_or_else(Raise::badarg)?;
            let outcome = match call {
                Call::Add => Outcome::Ok,
                _ => value,
            };
            (Operation::Add { counter, amount }, outcome)
        }
        Call::CompareExchange => {
            let (expected, count) = (count(1)?, count(2)?);
            let operation = Operation::CompareExchange {
                counter,
                expected,
                count,
            };
            let outcome = Outcome::Compared {
                is_signed,
                expected,
            };
            (operation, outcome)
        }
    };
    Ok(Next::Ask(operation, Pending::Element(outcome)))
}

/// The result of an operation on an element.
pub(super) fn done(outcome: Outcome, answer: i64) -> Term {
    match outcome {
        Outcome::Ok => Atom::OK.into(),
        Outcome::Value { is_signed } => value(answer, is_signed),
        Outcome::Compared { expected, .. } if answer == expected => Atom::OK.into(),
        Outcome::Compared { is_signed, .. } => value(answer, is_signed),
    }
}

/// An element as a term.
fn value(bits: i64, is_signed: bool) -> Term {
    match is_signed {
        true => Term::Int(bits),
        false => Term::from(BigInt::from(bits as u64)),
    }
}

/// The bits of a term, if it is a valid element.
fn bits(term: &Term, is_signed: bool) -> Option<i64> {
    match term {
        Term::Int(bits) if is_signed || *bits >= 0 => Some(*bits),
        Term::Big(big) if !is_signed => Some(u64::try_from(&**big).ok()? as i64),
        _ => None,
    }
}

/// The bits of a term that is added: any integer of 64 bits, with or without a sign.
fn any_bits(term: &Term) -> Option<i64> {
    bits(term, true).or_else(|| bits(term, false))
}

fn describe(size: i64, is_signed: bool, limits: bool) -> Term {
    let (min, max) = match is_signed {
        true => (Term::Int(i64::MIN), Term::Int(i64::MAX)),
        false => (Term::Int(0), Term::from(BigInt::from(u64::MAX))),
    };
    // The memory that the real machine takes for an array.
    let memory = Term::Int(size.saturating_mul(8).saturating_add(40));
    let mut entries = vec![("size", Term::Int(size)), ("memory", memory)];
    if limits {
        entries.extend([("min", min), ("max", max)]);
    }
    let entries = entries.into_iter();
    Term::Map(Map::from_iter(
        entries.map(|(key, value)| (Term::atom(key), value)),
    ))
}
