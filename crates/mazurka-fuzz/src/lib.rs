//! Runs every reader of Mazurka on damaged inputs, and checks properties of the results.
//!
//! A [`Target`] is one reader. It generates inputs from a [`Random`] source, mostly real files with
//! some damage that respects their structure, and runs the reader on them. The reader may accept or
//! refuse an input; it must not panic, and must not take longer than a second. Targets assert further
//! properties: written data can be read back, a variant of a trace is a trace.
//!
//! [`fuzz`] runs a target on many inputs. Each input depends only on the seed and its own number, so
//! `--seed S --first N --inputs 1` reproduces a finding.
//!
//! | file | what it defines |
//! | --- | --- |
//! | `random` | the random number generator |
//! | `damage` | damage to bytes and to text |
//! | `etf`, `beam_file` | the parts of a term in the external term format; the chunks of a `.beam` file |
//! | `corpus` | the real files and programs from which inputs are generated |
//! | `targets/` | the readers, one file each |
//! | `harness` | running many inputs, the time limit, findings |

mod beam_file;
mod corpus;
mod damage;
mod etf;
mod harness;
mod random;
mod targets;

pub use harness::{Finding, Report, TIME_MAX, Work, fuzz};
pub use random::Random;
pub use targets::all;

/// A reader of untrusted inputs.
pub trait Target {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// A description of its inputs.
    fn about(&self) -> &'static str;

    /// Generates an input.
    fn generate(&mut self, random: &mut Random) -> Vec<u8>;

    /// Reads an input. A panic is a finding.
    fn read(&mut self, input: &[u8]) -> Answer;
}

/// Whether a reader accepted an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The reader accepted it.
    Accepted,
    /// The reader refused it.
    Refused,
}

impl Answer {
    /// `Accepted` for `Some`, `Refused` for `None`.
    pub(crate) fn of<T>(found: Option<T>) -> Answer {
        match found {
            Some(_) => Answer::Accepted,
            None => Answer::Refused,
        }
    }
}
