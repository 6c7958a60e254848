//! Evaluates guards and bodies.

use super::compile::{Code, Op};
use super::pattern::Bindings;
use super::{Dialect, Matched};
use crate::meter;
use crate::term::{Atom, Map, PidTerm, Term};

/// Whether all guards are true. A guard that fails is not.
pub(super) fn guards(guards: &[Code], term: &Term, bindings: &Bindings, me: PidTerm) -> bool {
    guards.iter().all(|code| {
        let value = evaluate(code, term, bindings, me, None);
        matches!(value, Some(Term::Atom(Atom::TRUE)))
    })
}

/// Evaluates all expressions of a body. The result is the value of the last one, or for traced calls
/// the message that an action sets. The value of a part that fails is `'EXIT'`.
pub(super) fn body(
    body: &[Code],
    dialect: Dialect,
    term: &Term,
    bindings: &Bindings,
    me: PidTerm,
) -> Matched {
    let mut matched = Matched::none();
    for code in body {
        let value = evaluate(code, term, bindings, me, Some(&mut matched));
        if dialect == Dialect::Table {
            matched.value = value.unwrap_or_else(|| Atom::EXIT_TAG.into());
        }
    }
    matched
}

impl Matched {
    fn none() -> Matched {
        Matched {
            value: Atom::TRUE.into(),
            flags: Vec::new(),
        }
    }
}

/// The value of an expression. In a guard, which has no result to set, it is `None` if a part fails.
fn evaluate(
    code: &Code,
    term: &Term,
    bindings: &Bindings,
    me: PidTerm,
    mut matched: Option<&mut Matched>,
) -> Option<Term> {
    if let [Op::Constant(value)] = &code[..] {
        return Some(value.clone());
    }
    let mut stack: Vec<Term> = Vec::new();
    let mut at = 0;
    let catches = matched.is_some();
    let caught = |value: Option<Term>| match value {
        None if catches => Some(Term::Atom(Atom::EXIT_TAG)),
        value => value,
    };
    while let Some(op) = code.get(at) {
        meter::work(1).ok()?;
        at += 1;
        match op {
            Op::Constant(value) => stack.push(value.clone()),
            Op::Variable(number) => stack.push(bindings.get(*number)?.clone()),
            Op::Whole => stack.push(term.clone()),
            Op::All => stack.push(Term::list(bindings.values().cloned())),
            Op::Myself => stack.push(Term::Pid(me)),
            Op::Call(native, of) => {
                let from = stack.len().checked_sub(*of)?;
                let value = caught(native(&stack[from..]).ok())?;
                stack.truncate(from);
                stack.push(value);
            }
            Op::Tuple(of) => {
                let elements = stack.split_off(stack.len().checked_sub(*of)?);
                stack.push(Term::tuple(elements));
            }
            Op::Cons => {
                let (tail, head) = (stack.pop()?, stack.pop()?);
                stack.push(Term::cons(head, tail));
            }
            Op::Map(of) => {
                let entries = stack.split_off(stack.len().checked_sub(2 * of)?);
                let entries = entries
                    .chunks(2)
                    .map(|pair| (pair[0].clone(), pair[1].clone()));
                stack.push(Term::Map(entries.collect::<Map>()));
            }
            Op::Booleans { of, all } => {
                let values = stack.split_off(stack.len().checked_sub(*of)?);
                let values: Option<Vec<bool>> = values.iter().map(boolean).collect();
                let value = values.map(|values| match all {
                    true => values.into_iter().all(|value| value),
                    false => values.into_iter().any(|value| value),
                });
                stack.push(caught(value.map(|value| Atom::bool(value).into()))?);
            }
            Op::JumpIf { value, to } => match boolean(stack.last()?) {
                Some(found) if found != *value => _ = stack.pop(),
                Some(_) => at = *to,
                None => {
                    *stack.last_mut()? = caught(None)?;
                    at = *to;
                }
            },
            Op::Action(name) => {
                let argument = stack.pop()?;
                match (*name, &mut matched) {
                    ("message", Some(matched)) => matched.value = argument,
                    ("return_trace" | "exception_trace", Some(matched)) => {
                        matched.flags.push(name);
                    }
                    _ => {}
                }
                stack.push(Atom::TRUE.into());
            }
        }
    }
    stack.pop()
}

fn boolean(term: &Term) -> Option<bool> {
    match term {
        Term::Atom(Atom::TRUE) => Some(true),
        Term::Atom(Atom::FALSE) => Some(false),
        _ => None,
    }
}
