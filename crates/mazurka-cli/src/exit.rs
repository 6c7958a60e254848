//! Error messages and exit codes.

use anstyle::{AnsiColor, Style};
use mazurka_engine::Fault;
use mazurka_report::files::FileError;
use mazurka_report::{DriveFailure, Exit};
use std::io::{self, Write};

/// This exit code if the output was written or its reader closed the pipe; else the error.
pub fn after_writing(exit: Exit, written: anyhow::Result<()>) -> anyhow::Result<Exit> {
    match written {
        Err(error) if !is_broken_pipe(&error) => Err(match error.is::<io::Error>() {
            // An error about a file names it.
            true => error.context("cannot write the report to standard output"),
            false => error,
        }),
        _ => Ok(exit),
    }
}

/// Prints an error and returns its exit code. A closed pipe (`mazurka … | head`) is no error.
pub fn of_error(error: &anyhow::Error) -> Exit {
    if is_broken_pipe(error) {
        return Exit::Fine;
    }
    print_error(&format!("{error:#}"));
    match error.downcast_ref::<DriveFailure>() {
        Some(DriveFailure::Fault(fault)) => Exit::of_fault(fault),
        _ => error
            .downcast_ref::<Fault>()
            .map_or(Exit::Usage, Exit::of_fault),
    }
}

/// Prints an error to stderr, as clap prints its own.
pub fn print_error(message: &str) {
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    // An error while writing to stderr is ignored: there is no other channel.
    let message = mazurka_report::text::visible_lines(message);
    let _ = writeln!(anstream::stderr().lock(), "{red}error:{red:#} {message}");
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut kinds = error.chain().filter_map(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        io.or_else(|| cause.downcast_ref::<FileError>()?.io_kind())
    });
    kinds.any(|kind| kind == io::ErrorKind::BrokenPipe)
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
        let hidden = DriveFailure::Fault(Fault::Nondeterminism { what: what() });
        assert_eq!(of_error(&hidden.into()), Exit::Nondeterministic);
        assert_eq!(of_error(&anyhow::anyhow!("no such file")), Exit::Usage);
        let pipe = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert_eq!(
            of_error(&anyhow::Error::from(pipe()).context("cannot write")),
            Exit::Fine
        );
        let file = FileError::Read {
            path: "it".into(),
            error: mazurka_files::ReadError::Io(pipe()),
        };
        assert_eq!(of_error(&file.into()), Exit::Fine);
    }
}
