//! Damaged inputs for everything that Mazurka reads, and what must hold for each.
//!
//! A [`Target`] is one reader. It generates inputs from a [`Random`] source, mostly real files with
//! some damage that respects their structure, and runs the reader on them. The reader may accept or
//! refuse an input; it must not panic, and must not take longer than a second. What else must hold
//! is asserted in the target: what is written can be read again, a variant of a trace is a trace.
//!
//! [`fuzz`] runs a target on many inputs. Each input depends on the seed and on its own number
//! only, so a finding is reproduced by `--seed S --first N --inputs 1`.
//!
//! | file | its noun |
//! | --- | --- |
//! | `random` | the source of all choices |
//! | `damage` | damage to bytes and to text |
//! | `etf`, `beam_file` | the parts of a term in the external term format; the chunks of a `.beam` file |
//! | `corpus` | the real files and programs that inputs begin with |
//! | `targets/` | the readers, a file for each |
//! | `harness` | many inputs, a time limit, findings |

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

/// A reader of inputs that are not trusted.
pub trait Target {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it reads.
    fn about(&self) -> &'static str;

    /// Makes an input.
    fn generate(&mut self, random: &mut Random) -> Vec<u8>;

    /// Reads an input. A panic is a finding.
    fn read(&mut self, input: &[u8]) -> Answer;
}

/// What a reader made of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is a good one.
    Accepted,
    /// It is not.
    Refused,
}

impl Answer {
    /// Accepted, if there is something.
    pub(crate) fn of<T>(found: Option<T>) -> Answer {
        match found {
            Some(_) => Answer::Accepted,
            None => Answer::Refused,
        }
    }
}
