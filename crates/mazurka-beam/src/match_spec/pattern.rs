//! Patterns: terms in which `'_'` matches anything and `'$1'`, `'$2'`, … are variables.

use smallvec::SmallVec;

use crate::meter;
use crate::term::{Atom, Term};

/// The values of variables, in the order of their numbers.
#[derive(Default)]
pub(super) struct Bindings(SmallVec<[(u32, Term); 4]>);

impl Bindings {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn get(&self, variable: u32) -> Option<&Term> {
        let at = self.0.binary_search_by_key(&variable, |entry| entry.0).ok();
        at.map(|at| &self.0[at].1)
    }

    /// The values of all variables.
    pub(super) fn values(&self) -> impl DoubleEndedIterator<Item = &Term> {
        self.0.iter().map(|(_, value)| value)
    }

    /// Gives a variable its value. Returns false if it has another one.
    fn bind(&mut self, variable: u32, value: &Term) -> bool {
        match self.0.binary_search_by_key(&variable, |entry| entry.0) {
            Ok(at) => self.0[at].1 == *value,
            Err(at) => {
                self.0.insert(at, (variable, value.clone()));
                true
            }
        }
    }
}

/// The number of a variable: `'$7'` is 7.
pub(super) fn variable(atom: Atom) -> Option<u32> {
    let digits = atom.name().strip_prefix('$')?;
    let is_plain = digits == "0" || !digits.starts_with('0');
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_plain && is_number).then(|| digits.parse().ok())?
}

/// Matches a term, and binds the variables of the pattern.
pub(super) fn matches(pattern: &Term, term: &Term, bindings: &mut Bindings) -> bool {
    let mut stack: SmallVec<[(&Term, &Term); 8]> = SmallVec::new();
    stack.push((pattern, term));
    while let Some((pattern, term)) = stack.pop() {
        if !meter::may_continue(1) {
            return false;
        }
        let matches = match (pattern, term) {
            (Term::Atom(atom), _) => match variable(*atom) {
                Some(variable) => bindings.bind(variable, term),
                None => is_anything(*atom) || matches!(term, Term::Atom(other) if other == atom),
            },
            (Term::Tuple(patterns), Term::Tuple(terms)) => {
                stack.extend(patterns.iter().zip(terms.iter()));
                patterns.len() == terms.len()
            }
            (Term::Cons(patterns), Term::Cons(terms)) => {
                stack.push((&patterns.tail, &terms.tail));
                stack.push((&patterns.head, &terms.head));
                true
            }
            (Term::Map(patterns), Term::Map(terms)) => patterns.iter().all(|(key, pattern)| {
                let value = terms.get(key);
                stack.extend(value.map(|value| (pattern, value)));
                value.is_some()
            }),
            (Term::Tuple(_) | Term::Cons(_) | Term::Map(_), _) => false,
            (pattern, term) => pattern == term,
        };
        if !matches {
            return false;
        }
    }
    true
}

fn is_anything(atom: Atom) -> bool {
    atom.name() == "_"
}

/// Whether a part of the term is a variable or `'_'`.
pub(crate) fn has_variable(term: &Term) -> bool {
    any(
        term,
        |part| matches!(part, Term::Atom(atom) if is_anything(*atom) || variable(*atom).is_some()),
    )
}

/// Calls `visit` with every part of a pattern outside the keys of maps, until it returns true.
pub(super) fn any<'t>(term: &'t Term, mut visit: impl FnMut(&'t Term) -> bool) -> bool {
    let mut stack = vec![term];
    while let Some(part) = stack.pop() {
        if !meter::may_continue(1) || visit(part) {
            return true;
        }
        match part {
            Term::Tuple(tuple) => stack.extend(tuple.iter()),
            Term::Cons(cons) => stack.extend([&cons.tail, &cons.head]),
            Term::Map(map) => stack.extend(map.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    false
}
