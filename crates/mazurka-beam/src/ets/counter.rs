//! `ets:update_counter/3,4` and `ets:update_element/3`.

use num_bigint::BigInt;

use super::row::{Row, Shape};
use crate::bif::arith;
use crate::raise::Raise;
use crate::term::{Atom, Term, compare};

/// The increments of one call, and the object to start with if there is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UpdateCounter {
    increments: Vec<Increment>,
    /// Whether the increments are a list, so that the results are.
    in_list: bool,
    default: Option<Term>,
    /// The key of a new object.
    key: Term,
}

/// An increment of one element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Increment {
    /// The index of the element, from 0; by default that after the key.
    index: Option<usize>,
    amount: Term,
    /// The threshold, and the value that the counter gets when it passes it.
    limit: Option<(Term, Term)>,
}

impl UpdateCounter {
    /// The increments that a term describes.
    pub fn parse(key: &Term, term: &Term, default: Option<Term>) -> Option<UpdateCounter> {
        let (increments, in_list) = match term {
            Term::Nil | Term::Cons(_) => {
                let mut elements = term.elements();
                let all: Option<Vec<Increment>> = elements.by_ref().map(in_tuple).collect();
                matches!(elements.rest(), Term::Nil).then_some(())?;
                (all?, true)
            }
            Term::Tuple(_) => (vec![in_tuple(term)?], false),
            amount => {
                let increment = Increment {
                    index: None,
                    amount: integer(amount)?,
                    limit: None,
                };
                (vec![increment], false)
            }
        };
        Some(UpdateCounter {
            increments,
            in_list,
            default,
            key: key.clone(),
        })
    }

    /// Whether it creates an object if there is none.
    pub(super) fn has_default(&self) -> bool {
        self.default.is_some()
    }

    pub(super) fn apply(&self, shape: Shape, row: &[Term]) -> Result<(Term, Option<Row>), Raise> {
        let mut elements = match (row.first(), &self.default) {
            (Some(Term::Tuple(object)), _) => object.to_vec(),
            (None, Some(Term::Tuple(object))) => {
                let mut object = object.to_vec();
                *object.get_mut(shape.key_index).ok_or_else(Raise::badarg)? = self.key.clone();
                object
            }
            _ => return Err(Raise::badarg()),
        };
        let mut results = Vec::new();
        for increment in &self.increments {
            let index = increment.index.unwrap_or(shape.key_index + 1);
            let counter = elements.get_mut(index).filter(|_| index != shape.key_index);
            let counter = counter.ok_or_else(Raise::badarg)?;
            *counter = increment.of(counter)?;
            results.push(counter.clone());
        }
        let changes = !self.increments.is_empty() || row.is_empty();
        let row = changes.then(|| Row::from_iter([Term::tuple(elements)]));
        let result = match (self.in_list, &results[..]) {
            (false, [result]) => result.clone(),
            _ => Term::list(results),
        };
        Ok((result, row))
    }
}

impl Increment {
    /// The new value of a counter.
    fn of(&self, counter: &Term) -> Result<Term, Raise> {
        let counter = integer(counter).ok_or_else(Raise::badarg)?;
        let new = arith::add(&counter, &self.amount)?;
        Ok(match &self.limit {
            Some((threshold, value)) => {
                let is_down = compare(&self.amount, &Term::Int(0)).is_lt();
                let is_past = match is_down {
                    true => compare(&new, threshold).is_lt(),
                    false => compare(&new, threshold).is_gt(),
                };
                if is_past { value.clone() } else { new }
            }
            None => new,
        })
    }
}

/// `{Position, Amount}` or `{Position, Amount, Threshold, Value}`.
fn in_tuple(term: &Term) -> Option<Increment> {
    let Term::Tuple(tuple) = term else {
        return None;
    };
    let (position, amount, limit) = match &***tuple {
        [position, amount] => (position, amount, None),
        [position, amount, threshold, value] => (
            position,
            amount,
            Some((integer(threshold)?, integer(value)?)),
        ),
        _ => return None,
    };
    Some(Increment {
        index: Some(index(position)?),
        amount: integer(amount)?,
        limit,
    })
}

fn integer(term: &Term) -> Option<Term> {
    matches!(term, Term::Int(_) | Term::Big(_)).then(|| term.clone())
}

/// The index, from 0, of a position that counts from 1. One that is too large for any tuple is
/// refused when it is used.
fn index(position: &Term) -> Option<usize> {
    match position {
        Term::Int(position) => usize::try_from(position.checked_sub(1)?).ok(),
        Term::Big(big) if **big > BigInt::from(0) => Some(usize::MAX),
        _ => None,
    }
}

/// The elements that the argument of `update_element/3` describes. What is not valid has an index that
/// no tuple has: it is an error only if there is an object to update.
pub(crate) fn elements(term: &Term) -> Option<Vec<(usize, Term)>> {
    const NOWHERE: (usize, Term) = (usize::MAX, Term::Nil);
    let one = |term: &Term| match term {
        Term::Tuple(pair) => match &***pair {
            [position, value] => Some((index(position)?, value.clone())),
            _ => None,
        },
        _ => None,
    };
    match term {
        Term::Nil | Term::Cons(_) => {
            let mut elements = term.elements();
            let all = elements.by_ref().map(|term| one(term).unwrap_or(NOWHERE));
            let all: Vec<_> = all.collect();
            let rest = (!matches!(elements.rest(), Term::Nil)).then_some(NOWHERE);
            Some(all.into_iter().chain(rest).collect())
        }
        Term::Tuple(_) => Some(vec![one(term).unwrap_or(NOWHERE)]),
        _ => None,
    }
}

pub(super) fn update_element(
    shape: Shape,
    row: &[Term],
    elements: &[(usize, Term)],
) -> Result<(Term, Option<Row>), Raise> {
    let Some(Term::Tuple(object)) = row.first() else {
        return Ok((Atom::FALSE.into(), None));
    };
    let mut object = object.to_vec();
    for (index, value) in elements {
        let element = object.get_mut(*index).filter(|_| *index != shape.key_index);
        *element.ok_or_else(Raise::badarg)? = value.clone();
    }
    let object = Term::tuple(object);
    let row = (row[0] != object).then(|| Row::from_iter([object]));
    Ok((Atom::TRUE.into(), row))
}
