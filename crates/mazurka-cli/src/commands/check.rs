//! `mazurka check`

use crate::args::{Check, Format};
use crate::exit::{Exit, say_error};
use crate::outcome::{End, Kept, Outcome};
use crate::plan::Plan;
use crate::program::Chosen;
use crate::watch::{Watch, catch_interrupts};
use crate::{files, memory, text};
use anyhow::{Result, bail};
use mazurka_engine::{Found, Options, Report, SendersFirst, Settings};
use mazurka_trace::Log;
use std::collections::BTreeMap;
use std::io::Write;

/// Runs every execution and reports what goes wrong.
pub fn run(args: &Check) -> Result<Exit> {
    let plan = Plan::new(&args.choice)?;
    let chosen = Chosen::new(&args.target.program)?;
    if args.max_memory.is_some() && memory::in_use().is_none() {
        bail!("--max-memory: this system does not tell how much memory is in use");
    }
    catch_interrupts()?;
    let mut watch = Watch::new(args);
    let settings = settings(args, &plan);
    let report = mazurka_engine::check(chosen.actors(), SendersFirst, &settings, |progress| {
        watch.look(progress)
    });
    watch.finish();
    let end = End::new(&report, watch.stopped());
    let seconds = watch.elapsed().as_secs_f64();
    let (progress, found) = match report {
        Ok(Report {
            progress, found, ..
        }) => (Some(progress), found),
        Err(_) => (None, Vec::new()),
    };
    let outcome = Outcome {
        args,
        plan,
        chosen: &chosen,
        end,
        progress,
        found: keep(args, &chosen, found),
        seconds,
        peak_memory: memory::peak(),
    };
    outcome.exit().after_writing(write(&outcome))
}

fn settings(args: &Check, plan: &Plan) -> Settings {
    let mut explore = Options {
        delivery: args.target.delivery,
        timeouts: args.target.timeouts,
        max_depth: Some(usize::try_from(args.max_depth).unwrap_or(usize::MAX)),
        max_executions: args.target.max_executions,
        distrust: args.distrust,
        ..Options::default()
    };
    plan.set_up(&mut explore);
    if let Some(mib) = args.max_memory {
        // What can be dropped and made again should not fill the memory allowed.
        let quarter = usize::try_from(mib.saturating_mul((1 << 20) / 4)).unwrap_or(usize::MAX);
        explore.node_memory = explore.node_memory.min(quarter);
    }
    Settings {
        explore,
        keep_going: args.keep_going,
        errors: args.errors.clone(),
    }
}

/// Puts the log of each finding with it, and those of errors into files.
fn keep(args: &Check, chosen: &Chosen, found: Vec<Found>) -> Vec<Kept> {
    let with_log = |found: Found| {
        let log = Log {
            program: Some(chosen.id().to_owned()),
            params: chosen.params().clone(),
            ..found.trace.log()
        };
        let file = None;
        Kept { found, log, file }
    };
    let mut kept: Vec<Kept> = found.into_iter().map(with_log).collect();
    if args.no_logs {
        return kept;
    }
    // What was found is worth more than its files: tell, and go on to the report.
    if let Err(error) = write_logs(args, chosen, &mut kept) {
        say_error(&format!("{error:#}"));
    }
    kept
}

fn write_logs(args: &Check, chosen: &Chosen, kept: &mut [Kept]) -> Result<()> {
    let mut numbers: BTreeMap<&'static str, u32> = BTreeMap::new();
    let mut names = files::Names::default();
    for kept in kept.iter_mut().filter(|kept| kept.found.is_error) {
        files::make_directory(&args.log_dir)?;
        let kind = kept.found.finding.kind.name();
        let number = numbers.entry(kind).or_default();
        *number += 1;
        let stem = format!("{}-{kind}-{number}", chosen.id());
        let path = names.json(&args.log_dir, &stem);
        files::write(&path, &kept.log.to_json())?;
        kept.file = Some(path);
    }
    Ok(())
}

fn write(outcome: &Outcome<'_>) -> Result<()> {
    if let End::Fault(fault) = &outcome.end {
        say_error(&format!("{}: {fault}", outcome.chosen.id()));
    }
    let mut out = super::stdout();
    match (outcome.args.format, &outcome.end) {
        (Format::Json, _) => writeln!(out, "{}", outcome.to_json()?)?,
        (Format::Text, End::Fault(_)) => {}
        (Format::Text, _) => text::write_verdict(&mut out, outcome)?,
    }
    out.flush()?;
    Ok(())
}
