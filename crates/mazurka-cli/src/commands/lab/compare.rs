//! `mazurka lab compare`

use super::measure::{Ended, Figures, KILLED, Measured, Measurer, Run};
use crate::args::{Compare, OfCompare, Offer, SleepSetRows, TableFormat};
use crate::exit::{after_writing, print_error};
use crate::program::Chosen;
use crate::table::{Cell, Column, Table};
use crate::watch::{catch_interrupts, interrupted};
use anyhow::Result;
use mazurka_lab::{Algorithm, Order};
use mazurka_report::{CheckOptions, Exit, Params, Plan, Subject, on_off};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;

/// The version of the JSON form.
const VERSION: u32 = 1;

/// Runs a program with several algorithms and puts what they need side by side.
pub fn run(args: &Compare) -> Result<Exit> {
    let chosen = Chosen::new(&args.program)?;
    let options = args.settings.onto(CheckOptions {
        delivery: vec![chosen.usual_delivery()],
        keep_going: !args.to_first_error,
        ..OfCompare::usual()
    })?;
    let subject = chosen.subject();
    let plans = plans(args);
    catch_interrupts()?;
    let planned = plans.len();
    let mut measurer = Measurer::new(planned);
    let mut rows = Vec::new();
    for plan in plans {
        if interrupted() {
            break;
        }
        let measured = measurer.run(&Run {
            program: chosen.arguments(),
            plan,
            options: options.clone(),
        })?;
        rows.push((plan, measured));
    }
    drop(measurer);
    print_troubles(&rows);
    let stopped = interrupted().then_some(Exit::Stopped);
    let exits = rows.iter().map(|(_, measured)| measured.exit());
    let exit = Exit::gravest(exits.chain(stopped));
    after_writing(exit, write(args, &options, subject, &rows, planned))
}

/// A plan for each row.
fn plans(args: &Compare) -> Vec<Plan> {
    let all_but_schedules = |algorithm: &Algorithm| !algorithm.has_schedules();
    let algorithms: Vec<Algorithm> = match args.algorithms.is_empty() {
        true => Algorithm::ALL
            .into_iter()
            .filter(all_but_schedules)
            .collect(),
        false => once_each(&args.algorithms),
    };
    let orders = once_each(&args.orders);
    let sleep_sets = args.sleep_sets.map_or(&[][..], SleepSetRows::each);
    let rows = |&algorithm| Plan::rows(algorithm, &orders, sleep_sets);
    algorithms.iter().flat_map(rows).collect()
}

fn once_each<T: Copy + Ord>(items: &[T]) -> Vec<T> {
    let mut seen = BTreeSet::new();
    let new = |item: &T| seen.insert(*item);
    items.iter().copied().filter(new).collect()
}

/// Prints what went wrong with the runs themselves, each problem once.
fn print_troubles(rows: &[(Plan, Measured)]) {
    let mut printed = BTreeSet::new();
    for (plan, measured) in rows {
        if let Some(trouble) = measured.end.trouble()
            && printed.insert(trouble)
        {
            print_error(&format!("{plan}: {trouble}"));
        }
    }
}

const COLUMNS: [Column; 10] = [
    Column::words("algorithm"),
    Column::words("order"),
    Column::words("sleep sets"),
    Column::numbers("paths"),
    Column::numbers("blocked"),
    Column::numbers("transitions"),
    Column::numbers("seconds"),
    Column::numbers("memory MiB"),
    Column::numbers("errors"),
    Column::words("ended"),
];

fn write(
    args: &Compare,
    options: &CheckOptions,
    subject: &Subject,
    rows: &[(Plan, Measured)],
    planned: usize,
) -> Result<()> {
    let mut table = Table::new(&COLUMNS);
    for (plan, measured) in rows {
        table.push(cells(plan, measured));
    }
    let mut out = super::stdout();
    let prose = matches!(args.format, TableFormat::Text | TableFormat::Markdown);
    if prose {
        writeln!(
            out,
            "{subject}, delivery {}, timeouts {}\n",
            options.model(),
            options.timeouts
        )?;
    }
    table.write(&mut out, args.format, &object(args, options, subject, rows))?;
    if prose {
        for note in notes(rows, planned) {
            writeln!(out, "\n{note}")?;
        }
    }
    out.flush()?;
    Ok(())
}

fn cells(plan: &Plan, measured: &Measured) -> Vec<Cell> {
    let early = measured.end.is_early();
    let number = |field: fn(&Figures) -> u64| {
        Cell::maybe(measured.figures.as_ref().map(field)).at_least(early)
    };
    let seconds = measured.figures.map(|f| format!("{:.3}", f.seconds));
    let mib = |bytes: u64| format!("{:.1}", bytes as f64 / f64::from(1 << 20));
    let memory = measured.figures.and_then(|f| f.memory).map(mib);
    vec![
        Cell::new(plan.algorithm),
        Cell::maybe(plan.order),
        Cell::maybe(plan.sleep_sets.map(on_off)),
        number(|f| f.paths),
        number(|f| f.blocked),
        number(|f| f.transitions),
        Cell::maybe(seconds).at_least(early),
        Cell::maybe(memory).at_least(early),
        number(|f| f.errors),
        Cell::new(measured.end.text()),
    ]
}

/// Notes for readers of the table; `planned` is the number of rows to run.
fn notes(rows: &[(Plan, Measured)], planned: usize) -> Vec<&'static str> {
    let any = |holds: fn(&Measured) -> bool| rows.iter().any(|(_, measured)| holds(measured));
    let mut notes = vec![
        "Paths are complete executions; blocked ones were started and given up because they are \
         equivalent to others. Transitions do not count starts of processes.",
    ];
    if any(Measured::is_lower_bound) {
        notes.push("Figures with >= are lower bounds: the run was stopped early.");
    }
    if any(|measured| measured.end.name() == "depth-bound") {
        notes.push("Executions were cut short at the default --max-depth of mazurka check.");
    }
    if any(Measured::was_killed) {
        notes.push(KILLED);
    }
    if interrupted() && rows.len() < planned {
        notes.push("Ctrl-C ended it: the remaining rows were not run.");
    }
    notes
}

fn object<'o>(
    args: &Compare,
    options: &CheckOptions,
    subject: &'o Subject,
    rows: &'o [(Plan, Measured)],
) -> Json<'o> {
    Json {
        mazurka: "comparison",
        version: VERSION,
        program: &subject.id,
        params: &subject.params,
        delivery: options.model().name(),
        timeouts: options.timeouts.to_string(),
        to_first_error: args.to_first_error,
        max_seconds: options.max_seconds.unwrap_or_default().as_secs_f64(),
        max_executions: options.max_executions,
        interrupted: interrupted(),
        rows: rows.iter().map(|(plan, m)| JsonRow::new(plan, m)).collect(),
    }
}

#[derive(Serialize)]
struct Json<'o> {
    mazurka: &'static str,
    version: u32,
    program: &'o str,
    params: &'o Params,
    delivery: &'static str,
    timeouts: String,
    to_first_error: bool,
    max_seconds: f64,
    max_executions: Option<u64>,
    interrupted: bool,
    rows: Vec<JsonRow<'o>>,
}

#[derive(Serialize)]
struct JsonRow<'o> {
    algorithm: &'static str,
    order: Option<&'static str>,
    sleep_sets: Option<bool>,
    paths: Option<u64>,
    blocked: Option<u64>,
    transitions: Option<u64>,
    seconds: Option<f64>,
    peak_memory_bytes: Option<u64>,
    errors: Option<u64>,
    complete: bool,
    stopped: &'o str,
    fault: Option<&'o str>,
}

impl<'o> JsonRow<'o> {
    fn new(plan: &Plan, measured: &'o Measured) -> Self {
        let figures = measured.figures.as_ref();
        JsonRow {
            algorithm: plan.algorithm.name(),
            order: plan.order.map(Order::name),
            sleep_sets: plan.sleep_sets,
            paths: figures.map(|f| f.paths),
            blocked: figures.map(|f| f.blocked),
            transitions: figures.map(|f| f.transitions),
            seconds: figures.map(|f| f.seconds),
            peak_memory_bytes: figures.and_then(|f| f.memory),
            errors: figures.map(|f| f.errors),
            complete: measured.end == Ended::Complete,
            stopped: measured.end.name(),
            fault: measured.end.trouble(),
        }
    }
}
