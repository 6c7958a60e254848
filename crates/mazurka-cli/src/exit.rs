//! Exit codes, and errors on their way out.

use anstyle::{AnsiColor, Style};
use mazurka_engine::Fault;
use std::io::{self, Write};
use std::process::ExitCode;

/// How a command ended. The numbers are part of the command's interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything was looked at and nothing is wrong.
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
    pub fn of_fault(fault: &Fault) -> Exit {
        match fault {
            Fault::Nondeterminism { .. } => Exit::Nondeterministic,
            Fault::Unsupported { .. } => Exit::NotModelled,
        }
    }

    /// This code, whether or not somebody read the output to its end.
    pub fn after_writing(self, written: anyhow::Result<()>) -> anyhow::Result<Exit> {
        match written {
            Err(error) if !is_broken_pipe(&error) => Err(error),
            _ => Ok(self),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Tells the user about an error. `mazurka … | head` is none.
pub fn of_error(error: &anyhow::Error) -> Exit {
    if is_broken_pipe(error) {
        return Exit::Fine;
    }
    say_error(&format!("{error:#}"));
    error
        .downcast_ref::<Fault>()
        .map_or(Exit::Usage, Exit::of_fault)
}

/// Prints an error to stderr, as clap prints its own.
pub fn say_error(message: &str) {
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    // If stderr is gone there is nobody left to tell.
    let _ = writeln!(anstream::stderr().lock(), "{red}error:{red:#} {message}");
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what() -> String {
        "it".to_owned()
    }

    #[test]
    fn codes_of_errors() {
        let unsupported: anyhow::Error = Fault::Unsupported { what: what() }.into();
        assert_eq!(of_error(&unsupported), Exit::NotModelled);
        let hidden: anyhow::Error = Fault::Nondeterminism { what: what() }.into();
        assert_eq!(of_error(&hidden), Exit::Nondeterministic);
        assert_eq!(of_error(&anyhow::anyhow!("no such file")), Exit::Usage);
        let pipe = io::Error::from(io::ErrorKind::BrokenPipe);
        assert_eq!(
            of_error(&anyhow::Error::from(pipe).context("cannot write")),
            Exit::Fine
        );
    }
}
