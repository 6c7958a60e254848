//! The readers, one file each.

mod debug_info;
mod drive;
mod literal;
mod load;
mod log;
mod options;
mod run;
mod term;
mod token;
mod trace;

use crate::Target;

/// All targets.
#[must_use]
pub fn all() -> Vec<Box<dyn Target>> {
    vec![
        Box::new(load::Load::default()),
        Box::new(run::Run::default()),
        Box::new(debug_info::DebugInfo::default()),
        Box::new(literal::Literal::default()),
        Box::new(trace::Traces::default()),
        Box::new(log::Logs::default()),
        Box::new(token::Tokens::default()),
        Box::new(term::Terms),
        Box::new(drive::Drive::default()),
        Box::new(options::Options),
    ]
}
