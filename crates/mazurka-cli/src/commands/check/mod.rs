//! `mazurka check`

mod tests;

use crate::args::{Check, Format};
use crate::exit::{after_writing, say_error};
use crate::program::{Chosen, Visitor, inputs};
use crate::watch::{Terminal, catch_interrupts};
use anyhow::{Result, bail};
use mazurka_engine::{Delivery, Frontend};
use mazurka_files::shown;
use mazurka_report::{CheckOptions, End, Exit, OptionsError, Outcome, Plan, Subject};
use std::io::Write;

/// Runs every execution and reports what goes wrong.
pub fn run(args: &Check) -> Result<Exit> {
    // What is wrong with the options is said before what is wrong with the program.
    Plan::new(&args.options(Delivery::default()))?;
    if args.output.pictures.diagram && args.format != Format::Text {
        bail!(
            "--diagram draws in the text for people: leave out --format, or use --svg or --mermaid"
        );
    }
    if !args.no_logs && args.log_dir.exists() && !args.log_dir.is_dir() {
        bail!("--log-dir {}: it is not a directory", shown(&args.log_dir));
    }
    let outputs = args.output.check(inputs(&args.target.program))?;
    let mut chosen = Chosen::all(&args.target.program)?;
    catch_interrupts()?;
    match (chosen.pop(), chosen.is_empty()) {
        (Some(only), true) => {
            let outcome = check(args, only, None)?;
            let exit = after_writing(outcome.exit(), write(&outcome, args.format))?;
            Ok(args.output.write(&outputs, &[outcome], exit))
        }
        (last, _) => tests::run(args, &outputs, chosen.into_iter().chain(last).collect()),
    }
}

/// Checks one program; it has a name if there are several.
fn check(args: &Check, chosen: Chosen, name: Option<String>) -> Result<Outcome> {
    let options = args.options(chosen.usual_delivery());
    let checker = Checker {
        options: &options,
        terminal: Terminal::checking(name, args.log_every),
    };
    Ok(chosen.visit(checker)?)
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

fn write(outcome: &Outcome, format: Format) -> Result<()> {
    if let Some(error) = &outcome.unwritten {
        say_error(&error.to_string());
    }
    if let End::Fault(fault) = &outcome.end {
        say_error(&format!("{}: {fault}", outcome.subject.id));
    }
    let mut out = super::stdout();
    match (format, &outcome.end) {
        (Format::Github, _) => outcome.write_github(&mut out)?,
        (Format::Json, _) => writeln!(out, "{}", outcome.to_json()?)?,
        (Format::Text, End::Fault(_)) => {}
        (Format::Text, _) => outcome.write_text(&mut out)?,
    }
    out.flush()?;
    Ok(())
}
