//! `mazurka replay`

use super::along::run_along;
use crate::args::Replay;
use crate::exit::Exit;
use crate::text::{self, process_with_role, style, styled};
use anyhow::Result;
use mazurka_engine::{Driven, Finding};
use std::io::Write;

/// Runs a program along a log or a trace and shows what happens.
pub fn run(args: &Replay) -> Result<Exit> {
    let (chosen, driven) = run_along(&args.run, Some(&args.file))?;
    let is_error =
        |finding: &Finding| finding.kind.is_error() || args.errors.contains(&finding.kind);
    let (errors, warnings): (Vec<_>, Vec<_>) = driven.findings.iter().cloned().partition(is_error);
    let exit = match errors.is_empty() {
        true => Exit::Fine,
        false => Exit::Bug,
    };
    exit.after_writing(write(chosen.id(), &driven, &errors, &warnings))
}

fn write(program: &str, driven: &Driven, errors: &[Finding], warnings: &[Finding]) -> Result<()> {
    let mut out = super::stdout();
    let delivery = driven.trace.delivery;
    writeln!(out, "{program} under {delivery} delivery:\n")?;
    let ends: Vec<&Finding> = errors.iter().collect();
    text::write_sequence(&mut out, &driven.trace, &ends, true)?;
    writeln!(out)?;
    for finding in errors {
        write_finding(&mut out, styled(style::BAD, finding.kind), finding)?;
        text::write_race(&mut out, &driven.trace, finding)?;
        text::write_advice(&mut out, finding)?;
    }
    for finding in warnings {
        let kind = format!("warning: {}", finding.kind);
        write_finding(&mut out, styled(style::WARN, kind), finding)?;
    }
    if errors.is_empty() {
        writeln!(out, "{}", styled(style::GOOD, "Nothing goes wrong."))?;
    }
    out.flush()?;
    Ok(())
}

fn write_finding(out: &mut impl Write, kind: String, finding: &Finding) -> Result<()> {
    let process = process_with_role(finding);
    let message = text::shorten(&finding.message, usize::MAX);
    writeln!(out, "{kind} in process {process}: {message}")?;
    Ok(())
}
