//! The program that is checked.

use mazurka_trace::Params;
use std::fmt;
use std::path::PathBuf;

/// A program as reports and logs name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its name, by which a log identifies its program.
    pub id: String,
    /// All its parameters.
    pub params: Params,
    /// How its author marks a process as a daemon: the end of a sentence, in lines that fit
    /// a terminal.
    pub daemon_hint: String,
    /// The known files of its source.
    pub sources: Vec<PathBuf>,
}

/// The hint for programs of the built-in front-ends.
const DAEMON_HINT: &str = "in the code of\n\
    the program, call `turn.daemon()` when the process starts to serve.";

impl Subject {
    /// A program with these parameters.
    #[must_use]
    pub fn new(id: impl Into<String>, params: Params) -> Subject {
        Subject {
            id: id.into(),
            params,
            daemon_hint: DAEMON_HINT.to_owned(),
            sources: Vec::new(),
        }
    }
}

/// `gallery:fan-in n=3`
impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)?;
        for (name, value) in self.params.iter() {
            write!(f, " {name}={value}")?;
        }
        Ok(())
    }
}
