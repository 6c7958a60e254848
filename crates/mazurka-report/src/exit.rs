//! Exit codes.

use mazurka_engine::Fault;
use std::process::ExitCode;

/// How a command ended. The numbers are part of the command's interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything was looked at and nothing is wrong, or all that was expected to be wrong is.
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
    /// The code for a program that cannot be run on.
    #[must_use]
    pub fn of_fault(fault: &Fault) -> Exit {
        match fault {
            Fault::Nondeterminism { .. } => Exit::Nondeterministic,
            Fault::Unsupported { .. } => Exit::NotModelled,
            Fault::Interrupted { .. } => Exit::Stopped,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
