//! `mazurka replay`

use super::along::run_along;
use crate::args::Replay;
use crate::exit::after_writing;
use anyhow::Result;
use mazurka_report::{Exit, Followed};
use std::io::Write;

/// Runs a program along a log or a trace and shows what happens.
pub fn run(args: &Replay) -> Result<Exit> {
    let followed = run_along(&args.run, Some(&args.file), &args.errors)?;
    after_writing(followed.exit(), write(&followed))
}

fn write(followed: &Followed) -> Result<()> {
    let mut out = super::stdout();
    followed.write_text(&mut out)?;
    out.flush()?;
    Ok(())
}
