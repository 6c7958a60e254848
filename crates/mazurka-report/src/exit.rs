//! Exit codes.

use mazurka_engine::Fault;
use std::process::ExitCode;

/// How a command ended. The numbers are part of the command's interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything was explored without errors, or exactly the expected errors were found.
    Fine = 0,
    /// The program has a bug.
    Bug = 1,
    /// The command cannot be carried out as given.
    Usage = 2,
    /// A bound, or Ctrl-C, ended it early.
    Stopped = 3,
    /// The program is not deterministic.
    Nondeterministic = 4,
    /// The program uses something that is not modelled.
    NotModelled = 5,
}

impl Exit {
    /// The code for several checks: the most severe one.
    #[must_use]
    pub fn gravest(exits: impl IntoIterator<Item = Exit>) -> Exit {
        let grave = |exit: &Exit| match exit {
            Exit::Fine => 0,
            Exit::Stopped => 1,
            Exit::NotModelled => 2,
            Exit::Nondeterministic => 3,
            Exit::Bug => 4,
            Exit::Usage => 5,
        };
        exits.into_iter().max_by_key(grave).unwrap_or(Exit::Fine)
    }

    /// The code for a program that cannot continue because of this fault.
    #[must_use]
    pub fn of_fault(fault: &Fault) -> Exit {
        match fault {
            Fault::Nondeterminism { .. } => Exit::Nondeterministic,
            Fault::Unsupported { .. } | Fault::Again => Exit::NotModelled,
            Fault::Interrupted { .. } => Exit::Stopped,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gravest_counts() {
        assert_eq!(Exit::gravest([]), Exit::Fine);
        assert_eq!(Exit::gravest([Exit::Stopped, Exit::Fine]), Exit::Stopped);
        assert_eq!(
            Exit::gravest([Exit::Stopped, Exit::Bug, Exit::Fine]),
            Exit::Bug
        );
        assert_eq!(
            Exit::gravest([Exit::Nondeterministic, Exit::Stopped]),
            Exit::Nondeterministic
        );
    }
}
