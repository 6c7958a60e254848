//! Every test of a program, one check each.

use super::{check, write};
use crate::args::{Check, Format, TableFormat};
use crate::exit::after_writing;
use crate::measure::gravest;
use crate::program::Chosen;
use crate::table::{Cell, Column, Table};
use crate::watch::interrupted;
use anyhow::Result;
use mazurka_report::files::Outputs;
use mazurka_report::{End, Exit, Outcome};
use std::io::Write;

const COLUMNS: [Column; 4] = [
    Column::words("test"),
    Column::numbers("executions"),
    Column::numbers("errors"),
    Column::words("ended"),
];

/// Checks each, and puts the results into a table.
pub fn run(args: &Check, outputs: &Outputs, all: Vec<Chosen>) -> Result<Exit> {
    let mut outcomes = Vec::new();
    for chosen in all {
        if interrupted() {
            break;
        }
        let name = chosen.subject().params.get("entry").cloned();
        outcomes.push(check(args, chosen, name)?);
    }
    let stopped = interrupted().then_some(Exit::Stopped);
    let exits = outcomes.iter().map(Outcome::exit);
    let exit = gravest(exits.chain(stopped));
    let exit = after_writing(exit, write_all(args, &outcomes))?;
    Ok(args.output.write(outputs, &outcomes, exit))
}

fn write_all(args: &Check, outcomes: &[Outcome]) -> Result<()> {
    let mut out = crate::commands::stdout();
    match args.format {
        Format::Json => {
            let reports: Result<Vec<String>, _> = outcomes.iter().map(Outcome::to_json).collect();
            writeln!(out, "[{}]", reports?.join(","))?;
        }
        Format::Github => {
            for outcome in outcomes {
                outcome.write_github(&mut out)?;
            }
        }
        Format::Text => {
            // What went well has a line in the table and needs no report.
            for outcome in outcomes
                .iter()
                .filter(|outcome| outcome.exit() != Exit::Fine)
            {
                write(outcome, args.format)?;
                writeln!(out)?;
            }
            let mut table = Table::new(&COLUMNS);
            for outcome in outcomes {
                table.push(row(outcome));
            }
            table.write(&mut out, TableFormat::Text, &())?;
        }
    }
    out.flush()?;
    Ok(())
}

fn row(outcome: &Outcome) -> Vec<Cell> {
    let name = outcome.subject.params.get("entry");
    let executions = outcome.progress.map(|progress| progress.executions);
    let errors = outcome.found.iter().filter(|kept| kept.found.is_error);
    vec![
        Cell::new(name.map_or("", String::as_str)),
        Cell::maybe(executions),
        Cell::new(errors.count()),
        Cell::new(match (&outcome.end, outcome.exit()) {
            (_, Exit::Nondeterministic) => "not deterministic",
            (End::Fault(_), _) => "not modelled",
            (_, Exit::Fine) => "passed",
            (_, Exit::Stopped) => "stopped early",
            (_, _) => "failed",
        }),
    ]
}
