//! Checks every test of a program and prints a table.

use super::{check, write};
use crate::args::{Check, Format, TableFormat};
use crate::exit::after_writing;
use crate::program::Chosen;
use crate::table::{Cell, Column, Table};
use crate::watch::interrupted;
use anyhow::Result;
use mazurka_report::files::Outputs;
use mazurka_report::{CheckOptions, End, Exit, Outcome, text};
use std::io::Write;

const COLUMNS: [Column; 4] = [
    Column::words("test"),
    Column::numbers("executions"),
    Column::numbers("errors"),
    Column::words("ended"),
];

/// Checks each program and writes their reports and a table.
pub fn run(args: &Check, outputs: &Outputs, all: Vec<Chosen>) -> Result<Exit> {
    let mut tests = Vec::new();
    for chosen in all {
        if interrupted() {
            break;
        }
        let name = chosen.subject().params.get("entry").map(str::to_owned);
        tests.push(check(args, &chosen, name)?);
    }
    let differences = differences(&tests)?;
    let outcomes: Vec<Outcome> = tests.into_iter().flatten().collect();
    let stopped = interrupted().then_some(Exit::Stopped);
    let exits = outcomes.iter().map(Outcome::exit);
    let exit = Exit::gravest(exits.chain(stopped));
    let exit = after_writing(exit, write_all(args, &outcomes, &differences))?;
    Ok(args.output.write(outputs, &outcomes, exit))
}

/// The differences between the delivery models of each test, as text.
fn differences(tests: &[Vec<Outcome>]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for outcomes in tests {
        if !mazurka_report::differences(outcomes).is_empty() && outcomes.len() > 1 {
            writeln!(text, "\n{}", name(&outcomes[0]))?;
            text::write_differences(&mut text, outcomes)?;
        }
    }
    Ok(text)
}

fn write_all(args: &Check, outcomes: &[Outcome], differences: &[u8]) -> Result<()> {
    let has_models = args.options(CheckOptions::DELIVERY)?.for_each_model().len() > 1;
    let mut out = crate::commands::stdout();
    match args.format {
        Format::Json => {
            writeln!(out, "{}", Outcome::all_to_json(outcomes)?)?;
        }
        Format::Github => {
            for outcome in outcomes {
                outcome.write_github(&mut out)?;
            }
        }
        Format::Text => {
            // A test that passed has only its line in the table.
            for outcome in outcomes
                .iter()
                .filter(|outcome| outcome.exit() != Exit::Fine)
            {
                write(outcome, args.format)?;
                writeln!(out)?;
            }
            let mut table = Table::new(&COLUMNS);
            for outcome in outcomes {
                table.push(row(outcome, has_models));
            }
            table.write(&mut out, TableFormat::Text, &())?;
            out.write_all(differences)?;
        }
    }
    out.flush()?;
    Ok(())
}

fn name(outcome: &Outcome) -> &str {
    outcome.subject.params.get("entry").unwrap_or_default()
}

fn row(outcome: &Outcome, has_models: bool) -> Vec<Cell> {
    let name = match has_models {
        true => format!("{}, {}", name(outcome), outcome.options.model()),
        false => name(outcome).to_owned(),
    };
    let executions = outcome.progress.map(|progress| progress.executions);
    let errors = outcome.found.iter().filter(|kept| kept.found.is_error);
    vec![
        Cell::new(name),
        Cell::maybe(executions),
        Cell::new(errors.count()),
        Cell::new(match (&outcome.end, outcome.exit()) {
            (_, Exit::Nondeterministic) => "not deterministic",
            (End::Fault(_), Exit::NotModelled) => "not modelled",
            (_, Exit::Fine) => "passed",
            (_, Exit::Stopped) => "stopped early",
            (_, _) => "failed",
        }),
    ]
}
