//! Searches with match specifications.

use std::rc::Rc;

use super::row::{KeyCall, Kind, Row, Shape};
use super::table::{Table, end_of_table};
use super::tree::Direction;
use crate::match_spec::{Dialect, Spec, has_variable};
use crate::meter;
use crate::raise::Raise;
use crate::term::{Atom, PidTerm, Term};

/// What a search does with the objects that match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Lists the results.
    Collect,
    /// Counts the results that are `true`.
    Count,
    /// Deletes the objects whose results are `true`; returns their number.
    Delete,
    /// Replaces objects by their results; returns their number.
    Replace,
}

/// A search of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Search {
    /// The specification; an empty list, which matches nothing, is none.
    spec: Option<Rc<Spec>>,
    action: Action,
    direction: Direction,
    /// The most results in one call.
    limit: Option<usize>,
    /// Where to continue: the last key, and how many of its objects have been visited.
    after: Option<(Term, usize)>,
    /// The table as the program names it, for continuations.
    name: Term,
    me: PidTerm,
}

/// Marks a compiled specification. The real machine has a reference instead.
const COMPILED: &str = "$mazurka_match_spec";

impl Search {
    /// A search for all objects that match.
    ///
    /// # Errors
    /// `badarg`: the specification is not valid.
    pub fn new(
        name: &Term,
        spec: &Term,
        action: Action,
        (me, release): (PidTerm, u32),
    ) -> Result<Search, Raise> {
        let spec = match spec {
            Term::Nil => None,
            spec => {
                let spec = Spec::compile(spec, Dialect::Table, release);
                Some(Rc::new(spec.map_err(|_| Raise::badarg())?))
            }
        };
        Ok(Search {
            spec,
            action,
            direction: Direction::Up,
            limit: None,
            after: None,
            name: name.clone(),
            me,
        })
    }

    /// The same search from the largest key.
    #[must_use]
    pub fn reversed(self) -> Search {
        Search {
            direction: Direction::Down,
            ..self
        }
    }

    /// The same search for this many results at a time.
    ///
    /// # Errors
    /// `badarg`: not a positive integer.
    pub fn limited(self, limit: &Term) -> Result<Search, Raise> {
        let limit = match limit {
            Term::Int(limit @ 1..) => usize::try_from(*limit).ok(),
            _ => None,
        };
        match limit {
            Some(limit) => Ok(Search {
                limit: Some(limit),
                ..self
            }),
            None => Err(Raise::badarg()),
        }
    }

    /// The search that a continuation continues, and the name of its table.
    ///
    /// # Errors
    /// `badarg`: the term is no continuation.
    pub fn continued(term: &Term, caller: (PidTerm, u32)) -> Result<(Term, Search), Raise> {
        let Term::Tuple(parts) = term else {
            return Err(Raise::badarg());
        };
        let [
            name,
            key,
            Term::Int(visited),
            limit,
            spec,
            Term::Atom(is_down),
        ] = &***parts
        else {
            return Err(Raise::badarg());
        };
        let spec = compiled(spec).ok_or_else(Raise::badarg)?;
        let search = Search::new(name, spec, Action::Collect, caller)?.limited(limit)?;
        let visited = usize::try_from(*visited).map_err(|_| Raise::badarg())?;
        let direction = match *is_down {
            Atom::TRUE => Direction::Down,
            _ => Direction::Up,
        };
        let search = Search {
            after: Some((key.clone(), visited)),
            direction,
            ..search
        };
        Ok((name.clone(), search))
    }

    /// Whether it changes nothing.
    pub fn is_read(&self) -> bool {
        matches!(self.action, Action::Collect | Action::Count)
    }

    /// The one key that all objects have that can match, if it follows from the specification.
    pub fn key(&self, shape: Shape) -> Option<&Term> {
        let mut found: Option<&Term> = None;
        for head in self.spec.as_ref()?.heads() {
            let key = shape.key(head)?;
            // The real machine looks up a key without variables, even if it is a map, which as a
            // pattern matches other maps, too.
            if has_variable(key) || found.is_some_and(|other| other != key) {
                return None;
            }
            found = Some(key);
        }
        found
    }

    /// Whether it is a valid replacement: one that cannot change keys.
    pub fn keeps_keys(&self, shape: Shape) -> bool {
        let Some(spec) = &self.spec else { return true };
        let keeps = |clause: &Term| match clause {
            Term::Tuple(parts) => match &***parts {
                [head, _, body] => keeps_key(shape, head, body),
                _ => false,
            },
            _ => false,
        };
        shape.kind != Kind::Bag && spec.source().elements().all(keeps)
    }

    pub(super) fn apply(&self, table: &mut Table) -> Result<(Term, bool), Raise> {
        if self.action == Action::Replace && !self.keeps_keys(table.shape()) {
            return Err(Raise::badarg());
        }
        match self.action {
            Action::Collect => Ok((self.collect(table)?, false)),
            Action::Count => {
                let mut count = 0;
                self.each(table, |_, result| {
                    count += i64::from(is_true(result));
                    true
                })?;
                Ok((Term::Int(count), false))
            }
            Action::Delete | Action::Replace => self.change(table),
        }
    }

    /// The same search of the objects with one key.
    pub(super) fn in_row(
        &self,
        shape: Shape,
        key: &Term,
        row: &[Term],
    ) -> Result<(Term, Option<Row>), Raise> {
        let mut table = Table::new(shape);
        table.set_row(key, row.into());
        let (value, has_changed) = self.apply(&mut table)?;
        Ok((value, has_changed.then(|| table.row(key).into())))
    }

    /// Calls `visit` with each object that matches and its result, until it returns false. Returns
    /// where it stopped.
    fn each(
        &self,
        table: &Table,
        mut visit: impl FnMut(&Term, &Term) -> bool,
    ) -> Result<Option<(Term, usize)>, Raise> {
        let Some(spec) = &self.spec else {
            return Ok(None);
        };
        let mut visit_row = |key: &Term, row: &[Term], from: usize| {
            for (at, object) in row.iter().enumerate().skip(from) {
                meter::work(1)?;
                if let Some(matched) = spec.run(object, self.me)
                    && !visit(object, &matched.value)
                {
                    return Ok(Some((key.clone(), at + 1)));
                }
            }
            Ok(None)
        };
        if let Some(key) = self.key(table.shape()) {
            let visited = self.after.as_ref().map_or(0, |(_, visited)| *visited);
            return visit_row(key, table.row(key), visited);
        }
        let mut last: Option<Term> = None;
        if let Some((key, visited)) = &self.after {
            let stopped = visit_row(key, table.row(key), *visited)?;
            if stopped.is_some() {
                return Ok(stopped);
            }
            last = Some(key.clone());
        }
        while let Some((key, row)) = table.next_row(last.as_ref(), self.direction) {
            let stopped = visit_row(key, row, 0)?;
            if stopped.is_some() {
                return Ok(stopped);
            }
            last = Some(key.clone());
        }
        Ok(None)
    }

    fn collect(&self, table: &Table) -> Result<Term, Raise> {
        let mut results: Vec<Term> = Vec::new();
        let stopped = self.each(table, |_, result| {
            results.push(result.clone());
            self.limit.is_none_or(|limit| results.len() < limit)
        })?;
        let Some(limit) = self.limit else {
            return Ok(Term::list(results));
        };
        if results.is_empty() {
            return Ok(end_of_table());
        }
        let next = match (stopped, &self.spec) {
            (Some((key, visited)), Some(spec)) => Term::tuple([
                self.name.clone(),
                key,
                count(visited),
                count(limit),
                compiled_term(spec.source()),
                Atom::bool(self.direction == Direction::Down).into(),
            ]),
            _ => end_of_table(),
        };
        Ok(Term::tuple([Term::list(results), next]))
    }

    /// The deletions or replacements of single objects that a search consists of.
    pub(super) fn changes(&self, table: &Table) -> Result<Vec<(Term, KeyCall)>, Raise> {
        let shape = table.shape();
        let mut calls = Vec::new();
        self.each(table, |object, result| {
            let Some(key) = shape.key(object) else {
                return true;
            };
            match self.action {
                Action::Delete if is_true(result) => {
                    calls.push((key.clone(), KeyCall::DeleteObject(object.clone())));
                }
                Action::Replace => {
                    let call = KeyCall::Replace(object.clone(), result.clone());
                    calls.push((key.clone(), call));
                }
                _ => {}
            }
            true
        })?;
        Ok(calls)
    }

    /// Deletes or replaces objects.
    fn change(&self, table: &mut Table) -> Result<(Term, bool), Raise> {
        let calls = self.changes(table)?;
        let mut has_changed = false;
        for (key, call) in &calls {
            has_changed |= table.key(key, call)?.1;
        }
        Ok((count(calls.len()), has_changed))
    }
}

/// The value of `ets:match_spec_compile/1`.
pub(crate) fn compiled_term(spec: &Term) -> Term {
    Term::tuple([Term::atom(COMPILED), spec.clone()])
}

/// The specification that was compiled to this term.
pub(crate) fn compiled(term: &Term) -> Option<&Term> {
    match term {
        Term::Tuple(pair) => match &***pair {
            [Term::Atom(tag), spec] if tag.name() == COMPILED => Some(spec),
            _ => None,
        },
        _ => None,
    }
}

fn is_true(term: &Term) -> bool {
    matches!(term, Term::Atom(Atom::TRUE))
}

fn count(count: usize) -> Term {
    Term::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

/// Whether the real machine can tell that the result of a clause has the same key as the object.
fn keeps_key(shape: Shape, head: &Term, body: &Term) -> bool {
    let mut expressions = body.elements();
    let (Some(result), None) = (expressions.next(), expressions.next()) else {
        return false;
    };
    if matches!(result, Term::Atom(whole) if whole.name() == "$_") {
        return true;
    }
    let Term::Tuple(parts) = result else {
        return false;
    };
    let (tuple, is_constant) = match &***parts {
        [tuple @ Term::Tuple(_)] => (tuple, false),
        [Term::Atom(name), tuple @ Term::Tuple(_)] if name.name() == "const" => (tuple, true),
        _ => return false,
    };
    let Some(new) = shape.key(tuple) else {
        return false;
    };
    let position = i64::try_from(shape.key_index + 1).unwrap_or(i64::MAX);
    if let Term::Tuple(call) = new
        && let [Term::Atom(name), Term::Int(of), Term::Atom(whole)] = &***call
        && (name.name(), *of, whole.name()) == ("element", position, "$_")
        && !is_constant
    {
        return true;
    }
    shape
        .key(head)
        .is_some_and(|old| is_same(old, new, is_constant))
}

/// Whether an expression returns what the pattern has matched.
fn is_same(pattern: &Term, expression: &Term, is_constant: bool) -> bool {
    let mut stack = vec![(pattern, expression, is_constant)];
    while let Some((pattern, expression, is_constant)) = stack.pop() {
        let same = match (pattern, expression) {
            (Term::Cons(one), Term::Cons(other)) => {
                stack.push((&one.head, &other.head, is_constant));
                stack.push((&one.tail, &other.tail, is_constant));
                true
            }
            (_, Term::Tuple(call)) if !is_constant => match &***call {
                [tuple @ Term::Tuple(inner)] => match pattern {
                    Term::Tuple(patterns) if patterns.len() == inner.len() => {
                        let pairs = patterns.iter().zip(inner.iter());
                        stack.extend(pairs.map(|(one, other)| (one, other, false)));
                        matches!(tuple, Term::Tuple(_))
                    }
                    _ => false,
                },
                [Term::Atom(name), constant] if name.name() == "const" => {
                    stack.push((pattern, constant, true));
                    true
                }
                _ => false,
            },
            (Term::Tuple(one), Term::Tuple(other)) => {
                stack.extend(
                    one.iter()
                        .zip(other.iter())
                        .map(|(one, other)| (one, other, true)),
                );
                one.len() == other.len()
            }
            (Term::Atom(one), Term::Atom(other)) => {
                one == other && one.name() != "_" && !(is_constant && has_variable(pattern))
            }
            (pattern, expression) => pattern == expression,
        };
        if !same {
            return false;
        }
    }
    true
}
