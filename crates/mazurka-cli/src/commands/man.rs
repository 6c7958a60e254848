//! `mazurka man`

use crate::args::{Cli, Man};
use anyhow::{Context, Result};
use clap::CommandFactory;
use mazurka_report::{Exit, files};
use std::io::Write;

/// Writes the manual pages.
pub fn run(args: &Man) -> Result<Exit> {
    match &args.output {
        Some(directory) => {
            files::make_directory(directory)?;
            clap_mangen::generate_to(Cli::command(), directory)
                .with_context(|| format!("cannot write to {}", directory.display()))?;
        }
        None => {
            let mut out = super::stdout();
            clap_mangen::Man::new(Cli::command()).render(&mut out)?;
            out.flush()?;
        }
    }
    Ok(Exit::Fine)
}
