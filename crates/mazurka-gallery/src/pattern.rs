//! Patterns of receives.

use crate::term::Term;
use mazurka_engine::PidTable;
use std::rc::Rc;

/// A pattern for messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Any message.
    Any,
    /// Exactly this term.
    Exactly(Term),
    /// Any process.
    Process,
    /// A tuple with this number of elements, each of which matches.
    Tuple(Rc<[Pattern]>),
}

impl<T: Into<Term>> From<T> for Pattern {
    fn from(term: T) -> Self {
        Pattern::Exactly(term.into())
    }
}

/// A tuple pattern: `pattern!["ping", Pattern::Process]` is `{ping, M} when is_pid(M)`.
#[macro_export]
macro_rules! pattern {
    ($($element:expr),* $(,)?) => {
        $crate::Pattern::Tuple(::std::rc::Rc::from([$($crate::Pattern::from($element)),*]))
    };
}

impl Pattern {
    /// Whether this pattern matches the message.
    #[must_use]
    pub fn takes(&self, value: &Term) -> bool {
        match (self, value) {
            (Pattern::Any, _) | (Pattern::Process, Term::Pid(_)) => true,
            (Pattern::Exactly(wanted), value) => wanted == value,
            (Pattern::Tuple(wanted), Term::Tuple(elements)) => {
                wanted.len() == elements.len()
                    && wanted
                        .iter()
                        .zip(elements.iter())
                        .all(|(pattern, element)| pattern.takes(element))
            }
            _ => false,
        }
    }

    /// Whether the pattern names no process, so that any process may send a matching message.
    #[must_use]
    pub fn is_from_anyone(&self) -> bool {
        match self {
            Pattern::Any | Pattern::Process => true,
            Pattern::Exactly(term) => !matches!(term, Term::Pid(_)),
            Pattern::Tuple(elements) => elements.iter().all(Pattern::is_from_anyone),
        }
    }

    /// The pattern in Erlang syntax: `{ping, M} when is_pid(M)`.
    #[must_use]
    pub fn show(&self, pids: &PidTable) -> String {
        let mut shown = Shown {
            pids,
            guards: Vec::new(),
        };
        let mut text = String::new();
        shown.write(self, &mut text);
        if !shown.guards.is_empty() {
            text.push_str(" when ");
            text.push_str(&shown.guards.join(", "));
        }
        text
    }
}

/// Formats a pattern. Each guard introduces one variable.
struct Shown<'a> {
    pids: &'a PidTable,
    guards: Vec<String>,
}

impl Shown<'_> {
    fn write(&mut self, pattern: &Pattern, text: &mut String) {
        match pattern {
            Pattern::Any => text.push('_'),
            Pattern::Exactly(term) => term.write(self.pids, text),
            Pattern::Process => {
                let name = match self.guards.len() {
                    0 => "M".into(),
                    1 => "N".into(),
                    more => format!("M{more}"),
                };
                self.guards.push(format!("is_pid({name})"));
                text.push_str(&name);
            }
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuple;

    fn check(pattern: Pattern, expected: &str) {
        assert_eq!(pattern.show(&PidTable::new()), expected);
    }

    #[test]
    fn patterns_look_like_erlang() {
        check(Pattern::from(tuple!["from", 1]), "{from, 1}");
        check(
            pattern![
                Pattern::Process,
                pattern!["reply", Pattern::Process],
                Pattern::Any
            ],
            "{M, {reply, N}, _} when is_pid(M), is_pid(N)",
        );
    }

    #[test]
    fn matching() {
        let ping = pattern!["ping", Pattern::Process];
        assert!(ping.takes(&tuple!["ping", PidTable::ENTRY]));
        assert!(!ping.takes(&tuple!["ping", 0]));
        assert!(!ping.takes(&tuple!["ping", PidTable::ENTRY, 1]));
        assert!(!ping.takes(&tuple!["pong", PidTable::ENTRY]));
        assert!(Pattern::Any.takes(&tuple![]));
    }
}
