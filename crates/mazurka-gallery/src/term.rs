//! Values: a small part of Erlang's terms.

use crate::actor::Failure;
use mazurka_engine::{PidId, PidTable, Reason};
use std::fmt::Write as _;
use std::rc::Rc;

/// A value. Cloning one copies nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A named constant.
    Atom(&'static str),
    /// A number.
    Int(i64),
    /// A process.
    Pid(PidId),
    /// Several values.
    Tuple(Rc<[Term]>),
}

impl From<&'static str> for Term {
    fn from(name: &'static str) -> Self {
        Term::Atom(name)
    }
}

impl From<i64> for Term {
    fn from(number: i64) -> Self {
        Term::Int(number)
    }
}

impl From<PidId> for Term {
    fn from(pid: PidId) -> Self {
        Term::Pid(pid)
    }
}

/// A tuple: `tuple!["val", 1]` is `{val, 1}`.
#[macro_export]
macro_rules! tuple {
    ($($element:expr),* $(,)?) => {
        $crate::Term::Tuple(::std::rc::Rc::from([$($crate::Term::from($element)),*]))
    };
}

/// Access to parts of a value. If a part is missing, `?` ends the process with a failure, as a failed
/// match does in Erlang. There is no panic.
impl Term {
    /// An element of a tuple, counted from 0.
    ///
    /// # Errors
    /// The value is not a tuple, or the tuple is too short.
    pub fn at(&self, index: usize) -> Result<&Term, Failure> {
        match self {
            Term::Tuple(elements) => elements.get(index).ok_or_else(|| self.bad_match()),
            _ => Err(self.bad_match()),
        }
    }

    /// An element of a tuple, which is a number.
    ///
    /// # Errors
    /// There is no such element, or it is not a number.
    pub fn int(&self, index: usize) -> Result<i64, Failure> {
        match self.at(index)? {
            Term::Int(number) => Ok(*number),
            _ => Err(self.bad_match()),
        }
    }

    /// An element of a tuple, which is a process.
    ///
    /// # Errors
    /// There is no such element, or it is not a process.
    pub fn pid(&self, index: usize) -> Result<PidId, Failure> {
        match self.at(index)? {
            Term::Pid(pid) => Ok(*pid),
            _ => Err(self.bad_match()),
        }
    }

    fn bad_match(&self) -> Failure {
        Reason::Crash(tuple!["badmatch", self.clone()])
    }

    /// The value in Erlang syntax, such as `{val, 1}`. Processes are shown as logical pids.
    #[must_use]
    pub fn show(&self, pids: &PidTable) -> String {
        let mut text = String::new();
        self.write(pids, &mut text);
        text
    }

    pub(crate) fn write(&self, pids: &PidTable, text: &mut String) {
        match self {
            Term::Atom(name) if is_plain(name) => text.push_str(name),
            Term::Atom(name) => {
                let _ = write!(text, "'{name}'");
            }
            Term::Int(number) => {
                let _ = write!(text, "{number}");
            }
            Term::Pid(pid) => text.push_str(&pids.name(*pid).unwrap_or_default()),
            Term::Tuple(elements) => {
                text.push('{');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        text.push_str(", ");
                    }
                    element.write(pids, text);
                }
                text.push('}');
            }
        }
    }
}

/// Whether an atom needs no quotes.
fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '@')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(term: Term, expected: &str) {
        assert_eq!(term.show(&PidTable::new()), expected);
    }

    #[test]
    fn terms_look_like_erlang() {
        check(tuple!["val", 1], "{val, 1}");
        check(tuple!["Go", PidTable::ENTRY, tuple![]], "{'Go', P, {}}");
    }

    #[test]
    fn what_is_not_there_is_a_failed_match() {
        let term = tuple!["val", 1];
        assert_eq!(term.int(1), Ok(1));
        assert_eq!(
            term.pid(1),
            Err(Reason::Crash(tuple!["badmatch", term.clone()]))
        );
        assert!(term.at(2).is_err());
        assert!(Term::Int(1).at(0).is_err());
    }
}
