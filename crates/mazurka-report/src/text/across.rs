//! Several delivery models, side by side.

use super::{
    abbreviate, headline, listed, models, process_with_role, style, styled, visible, width, wrap,
};
use crate::exit::Exit;
use crate::models::differences;
use crate::outcome::{End, Outcome};
use std::io::{self, Write};

/// Writes the verdicts of checks of one program, each under another delivery model: a line for each,
/// where they differ, and the reports of those that did not pass.
///
/// # Errors
/// `out` cannot be written to.
pub fn write_models(out: &mut impl Write, outcomes: &[Outcome]) -> io::Result<()> {
    for outcome in outcomes {
        let model = styled(style::BOLD, format!("{:<9}", outcome.options.model()));
        let text = match outcome.fault() {
            Some(fault) => format!("{model} Cannot be run: {}", visible(&fault.to_string())),
            None => format!("{model} {}", headline::headline(outcome)),
        };
        writeln!(out, "{}", wrap(&text, 0, 10))?;
    }
    writeln!(out)?;
    write_differences(out, outcomes)?;
    let failed = { outcomes.iter() }.filter(|outcome| outcome.exit() != Exit::Fine);
    for outcome in failed.filter(|outcome| outcome.fault().is_none()) {
        let model = outcome.options.model();
        writeln!(out, "\n{}", styled(style::BOLD, format!("Under {model}:")))?;
        outcome.write_text(out)?;
    }
    Ok(())
}

/// The same without colours.
#[must_use]
pub fn models_text(outcomes: &[Outcome]) -> String {
    super::plain(|out| write_models(out, outcomes))
}

/// Writes where checks of one program, each under another delivery model, differ.
///
/// # Errors
/// `out` cannot be written to.
pub fn write_differences(out: &mut impl Write, outcomes: &[Outcome]) -> io::Result<()> {
    let differing = differences(outcomes);
    for kept in &differing {
        let finding = &kept.found.finding;
        let only = styled(style::BAD, models::only_under(kept));
        let message = abbreviate(&finding.message, 2 * width());
        let process = process_with_role(finding);
        let text = format!("{only}: {} in process {process}: {message}", finding.kind);
        writeln!(out, "{}", wrap(&text, 0, 2))?;
    }
    if differing.is_empty() {
        let is_clean = outcomes
            .iter()
            .all(|outcome| outcome.errors().next().is_none());
        let names = named(outcomes.iter());
        match is_clean {
            true => writeln!(out, "No difference: no errors under {names}.")?,
            false => writeln!(out, "No difference: the same errors under {names}.")?,
        }
    }
    let unfinished = { outcomes.iter() }.filter(|outcome| outcome.end != End::Complete);
    let unfinished: Vec<&Outcome> = unfinished.collect();
    match unfinished.is_empty() {
        true => Ok(()),
        false => {
            let models = named(unfinished);
            let text = format!(
                "Not everything was explored under {models}: other errors may be there, too."
            );
            writeln!(out, "{}", wrap(&text, 0, 2))
        }
    }
}

/// `mailbox and p2p`
fn named<'o>(outcomes: impl IntoIterator<Item = &'o Outcome>) -> String {
    let outcomes = outcomes.into_iter();
    let names: Vec<&str> = outcomes
        .map(|outcome| outcome.options.model().name())
        .collect();
    listed(&names, "and")
}
