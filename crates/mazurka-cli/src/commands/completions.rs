//! `mazurka completions`

use crate::args::{Cli, Completions};
use anyhow::Result;
use clap::CommandFactory;
use mazurka_report::Exit;
use std::io::Write;

/// Prints a completion script.
pub fn run(args: &Completions) -> Result<Exit> {
    // Into memory first: clap panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "mazurka", &mut script);
    let mut out = super::stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Fine)
}
