//! `mazurka gallery`

use crate::args::Gallery;
use anyhow::{Result, bail};
use mazurka_engine::Delivery;
use mazurka_gallery::{Mistake, Program, find, programs};
use mazurka_report::text::{style, styled};
use mazurka_report::{CheckOptions, Exit};
use std::collections::BTreeMap;
use std::io::Write;

/// Lists the programs, or describes one.
pub fn run(args: &Gallery) -> Result<Exit> {
    let mut out = super::stdout();
    match &args.name {
        None => write_list(&mut out)?,
        Some(name) => {
            let name = name.strip_prefix("gallery:").unwrap_or(name);
            match find(name) {
                Ok(program) => write_program(&mut out, program)?,
                Err(error) => bail!("{error} (`mazurka gallery` lists all programs)"),
            }
        }
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn write_list(out: &mut impl Write) -> Result<()> {
    for program in programs() {
        let name = styled(style::BOLD, format!("gallery:{}", program.name));
        writeln!(out, "{name}  {}", program.about)?;
        let parameters: Vec<String> = program
            .parameters
            .iter()
            .map(|parameter| format!("{}={}", parameter.name, parameter.default))
            .collect();
        if !parameters.is_empty() {
            writeln!(out, "    parameters: {}", parameters.join(", "))?;
        }
        if program.delivery != CheckOptions::DELIVERY {
            writeln!(out, "    delivery: {}, as in its paper", program.delivery)?;
        }
        if let Some(wrong) = &program.wrong {
            writeln!(
                out,
                "    wrong on purpose: {}, {}",
                mistake(wrong.kind),
                wrong.about
            )?;
        }
        if let Some(traces) = known_traces(program) {
            writeln!(out, "    traces: {traces}")?;
        }
    }
    Ok(())
}

fn write_program(out: &mut impl Write, program: &Program) -> Result<()> {
    let name = format!("gallery:{}", program.name);
    writeln!(out, "{}\n{}", styled(style::BOLD, &name), program.about)?;
    if !program.parameters.is_empty() {
        writeln!(out, "\nParameters (--param NAME=VALUE):")?;
    }
    for parameter in program.parameters {
        writeln!(
            out,
            "  {}  {} ({} to {}, {} if not given)",
            parameter.name, parameter.about, parameter.min, parameter.max, parameter.default
        )?;
    }
    let because = match program.delivery == CheckOptions::DELIVERY {
        true => "as within one node",
        false => "as in its paper",
    };
    writeln!(
        out,
        "\nDelivery if --delivery is not given:\n  {}, {because}",
        program.delivery
    )?;
    if let Some(wrong) = &program.wrong {
        writeln!(out, "\nWrong on purpose: {}", mistake(wrong.kind))?;
        writeln!(out, "  {}", wrong.about)?;
    }
    if let Some(traces) = known_traces(program) {
        writeln!(
            out,
            "\nKnown number of traces without parameters given:\n  {traces}"
        )?;
    }
    writeln!(out, "\nTry:\n  mazurka check {name}{}", options(program))?;
    Ok(())
}

/// The options needed to show the error, if the defaults do not show it.
fn options(program: &Program) -> String {
    match &program.wrong {
        None => String::new(),
        Some(wrong) if wrong.kind == Mistake::Nondeterminism => " --distrust".to_owned(),
        Some(_) => failing(program).unwrap_or_default(),
    }
}

/// The first options with which a program fails: none, another delivery model, or another value of one
/// parameter.
fn failing(program: &Program) -> Option<String> {
    /// How many values of a parameter are tried.
    const VALUES_MAX: usize = 10;
    let usual = BTreeMap::new();
    let goes_wrong = |params: &BTreeMap<String, String>| {
        let models = [program.delivery].into_iter().chain(Delivery::ALL);
        let mut models = models.filter(|model| program.goes_wrong(params, *model));
        let model = models.next()?;
        Some(match model == program.delivery {
            true => String::new(),
            false => format!(" --delivery {model}"),
        })
    };
    let with_param = || {
        let parameters = program.parameters.iter();
        let values = parameters.flat_map(|parameter| {
            let values = (parameter.min..=parameter.max).take(VALUES_MAX);
            values.map(|value| (parameter.name, value))
        });
        let mut found = values.filter_map(|(name, value)| {
            let params = BTreeMap::from([(name.to_owned(), value.to_string())]);
            let model = goes_wrong(&params)?;
            Some(format!(" --param {name}={value}{model}"))
        });
        found.next()
    };
    goes_wrong(&usual).or_else(with_param)
}

/// `720 (unordered), 120 (p2p, causal, mailbox)`
fn known_traces(program: &Program) -> Option<String> {
    let mut by_number: Vec<(u128, Vec<&str>)> = Vec::new();
    for delivery in Delivery::ALL {
        let Some(traces) = program.known_traces(&BTreeMap::new(), delivery) else {
            continue;
        };
        match by_number.iter_mut().find(|(number, _)| *number == traces) {
            Some((_, models)) => models.push(delivery.name()),
            None => by_number.push((traces, vec![delivery.name()])),
        }
    }
    let texts: Vec<String> = by_number
        .iter()
        .map(
            |(traces, models)| match models.len() == Delivery::ALL.len() {
                true => traces.to_string(),
                false => format!("{traces} ({})", models.join(", ")),
            },
        )
        .collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

fn mistake(kind: Mistake) -> &'static str {
    match kind {
        Mistake::Crash => "crash",
        Mistake::Assertion => "assertion",
        Mistake::Deadlock => "deadlock",
        Mistake::Nondeterminism => "nondeterminism",
    }
}
