//! `mazurka lab`: published algorithms compared with each other, with published figures, and with
//! brute force.

mod compare;
mod directed;
mod evaluations;
mod measure;
mod oracle;
mod papers;
mod preemptions;

pub use evaluations::subject_names;

use super::stdout;
use crate::args::Lab;
use anyhow::Result;
use mazurka_report::Exit;

/// Carries out a command of the laboratory.
pub fn run(command: &Lab) -> Result<Exit> {
    match command {
        Lab::Compare(args) => compare::run(args),
        Lab::Papers(args) => papers::run(args),
        Lab::Oracle(args) => oracle::run(args),
    }
}
