//! `mazurka replay`

use super::along::run_along;
use crate::args::Replay;
use crate::exit::after_writing;
use anyhow::Result;
use mazurka_report::{Exit, Followed};
use std::io::Write;

/// Runs a program along a log or a trace and shows what happens.
pub fn run(args: &Replay) -> Result<Exit> {
    args.pictures.check()?;
    let followed = run_along(&args.run, Some(&args.file), &args.errors)?;
    let exit = after_writing(followed.exit(), write(&followed, args.pictures.diagram))?;
    Ok(args.pictures.write(&[followed.picture()], "", exit))
}

fn write(followed: &Followed, diagram: bool) -> Result<()> {
    let mut out = super::stdout();
    followed.write_text(&mut out)?;
    if diagram {
        writeln!(out)?;
        followed.write_diagram(&mut out)?;
    }
    out.flush()?;
    Ok(())
}
