//! Which messages a receive takes.

use crate::term::Term;
use mazurka_engine::{Payload, Pid, PidTable};
use std::fmt::Write as _;
use std::rc::Rc;

/// A pattern, with the guards that gallery programs need.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Everything, exit and down messages too.
    Any,
    /// This very term.
    Exactly(Term),
    /// Any number.
    Integer,
    /// A number greater than this one.
    MoreThan(i64),
    /// This number or a smaller one.
    AtMost(i64),
    /// Any process.
    Process,
    /// A tuple of as many elements, each of which matches.
    Tuple(Rc<[Pattern]>),
    /// What one of these takes: the clauses of a receive.
    OneOf(Rc<[Pattern]>),
    /// An exit signal that has become a message: from this process, or from anyone.
    Exit(Option<Pid>),
    /// The news that a monitored process has ended: by this reference, or any.
    Down(Option<u64>),
}

impl<T: Into<Term>> From<T> for Pattern {
    fn from(term: T) -> Self {
        Pattern::Exactly(term.into())
    }
}

/// A tuple pattern: `pattern!["val", Pattern::MoreThan(0)]` is `{val, M} when M > 0`.
#[macro_export]
macro_rules! pattern {
    ($($element:expr),* $(,)?) => {
        $crate::Pattern::Tuple(::std::rc::Rc::from([$($crate::Pattern::from($element)),*]))
    };
}

impl Pattern {
    /// What one of these takes.
    #[must_use]
    pub fn one_of<const N: usize>(clauses: [Pattern; N]) -> Pattern {
        Pattern::OneOf(Rc::from(clauses))
    }

    /// Whether a receive with this pattern takes this message.
    #[must_use]
    pub fn matches(&self, message: &Payload<Term>) -> bool {
        match (self, message) {
            (Pattern::Any, _) => true,
            (Pattern::OneOf(clauses), _) => clauses.iter().any(|clause| clause.matches(message)),
            (Pattern::Exit(wanted), Payload::Exit { from, .. }) => {
                wanted.is_none_or(|wanted| wanted == *from)
            }
            (Pattern::Down(wanted), Payload::Down { reference, .. }) => {
                wanted.is_none_or(|wanted| wanted == *reference)
            }
            (_, Payload::User(value)) => self.takes(value),
            _ => false,
        }
    }

    fn takes(&self, value: &Term) -> bool {
        match (self, value) {
            (Pattern::Any, _)
            | (Pattern::Integer, Term::Int(_))
            | (Pattern::Process, Term::Pid(_)) => true,
            (Pattern::Exactly(wanted), value) => wanted == value,
            (Pattern::MoreThan(limit), Term::Int(number)) => number > limit,
            (Pattern::AtMost(limit), Term::Int(number)) => number <= limit,
            (Pattern::Tuple(wanted), Term::Tuple(elements)) => {
                wanted.len() == elements.len()
                    && wanted
                        .iter()
                        .zip(elements.iter())
                        .all(|(pattern, element)| pattern.takes(element))
            }
            (Pattern::OneOf(clauses), value) => clauses.iter().any(|clause| clause.takes(value)),
            _ => false,
        }
    }

    /// As Erlang writes it: `{val, M} when M > 0; error`.
    #[must_use]
    pub fn show(&self, pids: &PidTable) -> String {
        match self {
            Pattern::OneOf(clauses) => {
                let clauses: Vec<_> = clauses.iter().map(|clause| clause.show(pids)).collect();
                clauses.join("; ")
            }
            clause => {
                let mut shown = Shown {
                    pids,
                    guards: Vec::new(),
                };
                let mut text = String::new();
                shown.write(clause, &mut text);
                if !shown.guards.is_empty() {
                    let _ = write!(text, " when {}", shown.guards.join(", "));
                }
                text
            }
        }
    }
}

/// One clause on its way to text; each guard has brought one variable.
struct Shown<'a> {
    pids: &'a PidTable,
    guards: Vec<String>,
}

impl Shown<'_> {
    fn write(&mut self, pattern: &Pattern, text: &mut String) {
        match pattern {
            Pattern::Any => text.push('_'),
            Pattern::Exactly(term) => term.write(self.pids, text),
            Pattern::Integer => self.guarded(text, |name| format!("is_integer({name})")),
            Pattern::MoreThan(limit) => self.guarded(text, |name| format!("{name} > {limit}")),
            Pattern::AtMost(limit) => self.guarded(text, |name| format!("{name} =< {limit}")),
            Pattern::Process => self.guarded(text, |name| format!("is_pid({name})")),
            Pattern::Tuple(elements) => {
                text.push('{');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        text.push_str(", ");
                    }
                    self.write(element, text);
                }
                text.push('}');
            }
            Pattern::OneOf(_) => {
                let _ = write!(text, "({})", pattern.show(self.pids));
            }
            Pattern::Exit(from) => {
                let from = from.and_then(|pid| self.pids.name(pid));
                let _ = write!(text, "{{'EXIT', {}, _}}", from.as_deref().unwrap_or("_"));
            }
            Pattern::Down(reference) => {
                let reference = reference.map_or("_".into(), |number| number.to_string());
                let _ = write!(text, "{{'DOWN', {reference}, process, _, _}}");
            }
        }
    }

    fn guarded(&mut self, text: &mut String, guard: impl Fn(&str) -> String) {
        let name = match self.guards.len() {
            0 => "M".into(),
            1 => "N".into(),
            more => format!("M{more}"),
        };
        self.guards.push(guard(&name));
        text.push_str(&name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuple;
    use mazurka_engine::Reason;

    fn check(pattern: Pattern, expected: &str) {
        assert_eq!(pattern.show(&PidTable::new()), expected);
    }

    #[test]
    fn patterns_look_like_erlang() {
        let val = pattern!["val", Pattern::MoreThan(0)];
        check(
            Pattern::one_of([val, Pattern::from("error")]),
            "{val, M} when M > 0; error",
        );
        check(
            pattern![Pattern::Process, pattern!["withdraw", Pattern::AtMost(5)]],
            "{M, {withdraw, N}} when is_pid(M), N =< 5",
        );
        check(
            pattern!["reply", Pattern::one_of([1.into(), 2.into()]), Pattern::Any],
            "{reply, (1; 2), _}",
        );
        check(Pattern::Exit(Some(PidTable::ENTRY)), "{'EXIT', P, _}");
        check(Pattern::Down(None), "{'DOWN', _, process, _, _}");
    }

    #[test]
    fn patterns_take_what_they_say() {
        let val = pattern!["val", Pattern::MoreThan(0)];
        let user = |term| Payload::User(term);
        assert!(val.matches(&user(tuple!["val", 1])));
        assert!(!val.matches(&user(tuple!["val", 0])));
        assert!(!val.matches(&user(tuple!["val", 1, 1])));
        assert!(!val.matches(&user(tuple!["val", "one"])));
        let exit = Payload::Exit {
            from: PidTable::ENTRY,
            reason: Reason::Normal,
        };
        assert!(Pattern::Any.matches(&exit));
        assert!(Pattern::one_of([val.clone(), Pattern::Exit(None)]).matches(&exit));
        assert!(!Pattern::Down(None).matches(&exit));
        assert!(!val.matches(&exit));
    }
}
