//! `mazurka check`

mod tests;

use crate::args::{Check, Format};
use crate::exit::{after_writing, print_error};
use crate::program::{Chosen, Visitor, inputs};
use crate::watch::{Terminal, catch_interrupts, interrupted};
use anyhow::{Result, bail};
use mazurka_engine::Frontend;
use mazurka_files::shown;
use mazurka_report::{
    CheckOptions, Exit, OptionsError, Outcome, Plan, Subject, compare_models, text,
};
use std::io::Write;

/// Runs every execution and reports what goes wrong.
pub fn run(args: &Check) -> Result<Exit> {
    // Bad options are reported before the program is compiled.
    Plan::new(&args.options(CheckOptions::DELIVERY)?)?;
    if args.output.pictures.diagram && args.format != Format::Text {
        bail!(
            "--diagram is part of the text report: leave out --format, or use --svg or --mermaid"
        );
    }
    if !args.no_logs && args.log_dir.exists() && !args.log_dir.is_dir() {
        bail!("--log-dir {}: not a directory", shown(&args.log_dir));
    }
    let outputs = args.output.check(inputs(&args.program))?;
    let mut chosen = Chosen::all(&args.program)?;
    catch_interrupts()?;
    match (chosen.pop(), chosen.is_empty()) {
        (Some(only), true) => {
            let outcomes = check(args, &only, None)?;
            let exit = Exit::gravest(outcomes.iter().map(Outcome::exit));
            let exit = after_writing(exit, write_models(&outcomes, args.format))?;
            Ok(args.output.write(&outputs, &outcomes, exit))
        }
        (last, _) => tests::run(args, &outputs, chosen.into_iter().chain(last).collect()),
    }
}

/// Checks one program under each delivery model of the arguments. `name` is shown in the progress if
/// several programs are checked.
fn check(args: &Check, chosen: &Chosen, name: Option<String>) -> Result<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    for options in args.options(chosen.usual_delivery())?.for_each_model() {
        if interrupted() && !outcomes.is_empty() {
            break;
        }
        let checker = Checker {
            options: &options,
            terminal: Terminal::checking(name.clone(), args.log_every),
        };
        outcomes.push(chosen.again().visit(checker)?);
    }
    if outcomes.len() > 1 {
        compare_models(&mut outcomes);
    }
    Ok(outcomes)
}

struct Checker<'c> {
    options: &'c CheckOptions,
    terminal: Terminal,
}

impl Visitor for Checker<'_> {
    type Output = Result<Outcome, OptionsError>;

    fn visit<F: Frontend>(mut self, subject: Subject, frontend: F) -> Self::Output {
        mazurka_report::run(subject, frontend, self.options, &mut self.terminal)
    }
}

/// Writes the report of one program under one or several delivery models.
fn write_models(outcomes: &[Outcome], format: Format) -> Result<()> {
    if let [only] = outcomes {
        return write(only, format);
    }
    outcomes.iter().for_each(print_troubles);
    let mut out = super::stdout();
    match format {
        Format::Json => writeln!(out, "{}", Outcome::all_to_json(outcomes)?)?,
        Format::Text => text::write_models(&mut out, outcomes)?,
        Format::Github => {
            for outcome in outcomes {
                outcome.write_github(&mut out)?;
            }
        }
    }
    out.flush()?;
    Ok(())
}

/// Prints errors of the check itself to the standard error.
fn print_troubles(outcome: &Outcome) {
    if let Some(error) = &outcome.unwritten {
        print_error(&error.to_string());
    }
    if let Some(fault) = outcome.fault() {
        print_error(&format!("{}: {fault}", outcome.subject.id));
    }
}

fn write(outcome: &Outcome, format: Format) -> Result<()> {
    print_troubles(outcome);
    let mut out = super::stdout();
    match (format, outcome.fault()) {
        (Format::Github, _) => outcome.write_github(&mut out)?,
        (Format::Json, _) => writeln!(out, "{}", outcome.to_json()?)?,
        (Format::Text, Some(_)) => {}
        (Format::Text, None) => outcome.write_text(&mut out)?,
    }
    out.flush()?;
    Ok(())
}
