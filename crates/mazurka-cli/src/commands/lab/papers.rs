//! `mazurka lab papers`

use super::evaluations::{Mark, Published, ROWS, Row, Subject};
use super::measure::{KILLED, Measured, Measurer, Run};
use super::{directed, preemptions};
use crate::args::{Papers, TableFormat};
use crate::exit::{after_writing, print_error};
use crate::table::{Cell, Column, Table};
use crate::watch::{catch_interrupts, interrupted};
use anyhow::{Context, Result, bail};
use mazurka_engine::Delivery;
use mazurka_lab::Algorithm;
use mazurka_report::{CheckOptions, Exit, Plan, on_off};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// The version of the JSON form.
const VERSION: u32 = 1;

/// Runs the subjects of a paper and puts the published figures beside ours.
pub fn run(args: &Papers) -> Result<Exit> {
    if let Some(file) = &args.preemption_plot {
        return preemptions::run(args, file);
    }
    if args.directed {
        return directed::run(args);
    }
    let rows = rows(args)?;
    catch_interrupts()?;
    let planned = 2 * rows.len();
    let mut measurer = Measurer::new(planned);
    let mut compared = Vec::new();
    'rows: for row in rows {
        for (algorithm, published) in [
            (Algorithm::Dpor, row.dpor),
            (Algorithm::TransDpor, row.transdpor),
        ] {
            if interrupted() {
                break 'rows;
            }
            let one = Compared::new(args, row, algorithm, published, &mut measurer)?;
            compared.push(one);
        }
    }
    drop(measurer);
    after_writing(exit(&compared), write(args, &compared, planned))
}

/// The rows of the paper that are asked for.
fn rows(args: &Papers) -> Result<Vec<&'static Row>> {
    let asked = |row: &&Row| {
        let subject = args.subjects.is_empty() || args.subjects.iter().any(|s| s == row.subject);
        subject && (args.table.is_none() || args.table == row.source.table())
    };
    let rows: Vec<&Row> = ROWS.iter().filter(asked).collect();
    if rows.is_empty() {
        bail!("that table has no such subject; leave out --table, or name another --subject");
    }
    Ok(rows)
}

/// One exploration of the paper, done again.
struct Compared {
    row: &'static Row,
    subject: &'static Subject,
    plan: Plan,
    published: Published,
    measured: Measured,
    mark: Mark,
}

impl Compared {
    fn new(
        args: &Papers,
        row: &'static Row,
        algorithm: Algorithm,
        published: Published,
        measurer: &mut Measurer,
    ) -> Result<Compared> {
        let subject = Subject::find(row.subject).context("a row without its subject")?;
        let published = published.without(subject.boots);
        let plan = Plan {
            order: Some(row.order),
            sleep_sets: Some(row.source.sleep_sets()),
            ..Plan::of(algorithm)
        };
        let measured = measurer.run(&Run {
            program: subject.arguments(),
            plan,
            options: CheckOptions {
                // Messages between actors may overtake each other.
                delivery: vec![Delivery::Unordered],
                keep_going: !subject.to_first_error,
                max_seconds: Some(args.max_seconds),
                ..CheckOptions::default()
            },
        })?;
        if let Some(trouble) = measured.end.trouble() {
            print_error(&format!("{}, {plan}: {trouble}", subject.name));
        }
        Ok(Compared {
            row,
            subject,
            plan,
            published,
            mark: Mark::new(&published, &measured),
            measured,
        })
    }
}

/// Errors of the subjects are expected, and so may differences be.
fn exit(compared: &[Compared]) -> Exit {
    let exit = |one: &Compared| match one.measured.exit() {
        Exit::Bug if !one.measured.end.is_early() => Exit::Fine,
        Exit::Bug => Exit::Stopped,
        other => other,
    };
    let stopped = interrupted().then_some(Exit::Stopped);
    Exit::gravest(compared.iter().map(exit).chain(stopped))
}

const COLUMNS: [Column; 10] = [
    Column::words("subject"),
    Column::words("order"),
    Column::words("sleep sets"),
    Column::words("algorithm"),
    Column::numbers("published paths"),
    Column::numbers("published transitions"),
    Column::numbers("measured paths"),
    Column::numbers("measured transitions"),
    Column::words("ended"),
    Column::words("mark"),
];

fn write(args: &Papers, compared: &[Compared], planned: usize) -> Result<()> {
    let mut table = Table::new(&COLUMNS);
    for one in compared {
        table.push(cells(one));
    }
    let mut out = super::stdout();
    let object = Json {
        mazurka: "papers",
        version: VERSION,
        max_seconds: args.max_seconds.as_secs_f64(),
        interrupted: interrupted(),
        rows: compared.iter().map(JsonRow::new).collect(),
    };
    table.write(&mut out, args.format, &object)?;
    if matches!(args.format, TableFormat::Text | TableFormat::Markdown) {
        for note in notes(compared, planned) {
            writeln!(out, "\n{note}")?;
        }
    }
    out.flush()?;
    Ok(())
}

fn cells(one: &Compared) -> Vec<Cell> {
    let (published, measured) = (&one.published, &one.measured);
    let figures = measured.figures;
    let early = measured.end.is_early();
    vec![
        Cell::new(one.subject.name),
        Cell::new(one.row.order),
        Cell::new(on_off(one.row.source.sleep_sets())),
        Cell::new(one.plan.algorithm),
        Cell::new(published.paths).at_least(published.at_least),
        Cell::maybe(published.transitions).at_least(published.at_least),
        Cell::maybe(figures.map(|f| f.paths)).at_least(early),
        Cell::maybe(figures.map(|f| f.transitions)).at_least(early),
        Cell::new(measured.end.text()),
        Cell::new(one.mark.name()),
    ]
}

/// Notes for readers of the table; `planned` is the number of rows to run.
fn notes(compared: &[Compared], planned: usize) -> Vec<String> {
    let mut notes = vec![
        "The published figures are those of Tasharofi, Karmani, Lauterburg, Legay, Marinov and \
         Agha 2012. Most of its programs start with a message that boots the first actor. Ours have no \
         such message, so one transition is subtracted from the printed figures, except for \
         leader4, shortpath4 and shortpath5, which have none in the paper either."
            .to_owned(),
    ];
    if compared.iter().any(|one| one.published.at_least) {
        notes.push(
            "Published figures with >= are how far the authors' exploration came in four hours; \
             ours agrees if it goes at least as far."
                .to_owned(),
        );
    }
    if compared.iter().any(|one| one.measured.is_lower_bound()) {
        notes.push(
            "Measured figures with >= are those of runs that were stopped early; --max-seconds \
             gives them more time."
                .to_owned(),
        );
    }
    if compared.iter().any(|one| one.measured.was_killed()) {
        notes.push(KILLED.to_owned());
    }
    let mut differing: Vec<&Subject> = Vec::new();
    for one in compared.iter().filter(|one| one.mark == Mark::Differs) {
        if !differing.iter().any(|known| known.name == one.subject.name) {
            differing.push(one.subject);
        }
    }
    let (known, unknown): (Vec<&Subject>, Vec<&Subject>) = differing
        .into_iter()
        .partition(|subject| subject.note.is_some());
    for subject in known {
        let reason = subject.note.unwrap_or_default();
        notes.push(format!("{} differs: {reason}", subject.name));
    }
    if !unknown.is_empty() {
        let names: Vec<&str> = unknown.iter().map(|subject| subject.name).collect();
        notes.push(format!(
            "No reason is known for what differs in {}.",
            names.join(", ")
        ));
    }
    if interrupted() && compared.len() < planned {
        notes.push("Ctrl-C ended it: the remaining rows were not run.".to_owned());
    }
    notes
}

#[derive(Serialize)]
struct Json<'o> {
    mazurka: &'static str,
    version: u32,
    max_seconds: f64,
    interrupted: bool,
    rows: Vec<JsonRow<'o>>,
}

#[derive(Serialize)]
struct JsonRow<'o> {
    source: &'static str,
    subject: &'static str,
    program: &'static str,
    params: BTreeMap<String, String>,
    delivery: &'static str,
    to_first_error: bool,
    order: &'static str,
    sleep_sets: bool,
    algorithm: &'static str,
    published_paths: u64,
    published_transitions: Option<u64>,
    published_at_least: bool,
    paths: Option<u64>,
    blocked: Option<u64>,
    transitions: Option<u64>,
    seconds: Option<f64>,
    peak_memory_bytes: Option<u64>,
    stopped: &'o str,
    fault: Option<&'o str>,
    mark: &'static str,
    note: Option<&'static str>,
}

impl<'o> JsonRow<'o> {
    fn new(one: &'o Compared) -> Self {
        let figures = one.measured.figures.as_ref();
        JsonRow {
            source: one.row.source.name(),
            subject: one.subject.name,
            program: one.subject.program,
            params: one.subject.params(),
            delivery: Delivery::Unordered.name(),
            to_first_error: one.subject.to_first_error,
            order: one.row.order.name(),
            sleep_sets: one.row.source.sleep_sets(),
            algorithm: one.plan.algorithm.name(),
            published_paths: one.published.paths,
            published_transitions: one.published.transitions,
            published_at_least: one.published.at_least,
            paths: figures.map(|f| f.paths),
            blocked: figures.map(|f| f.blocked),
            transitions: figures.map(|f| f.transitions),
            seconds: figures.map(|f| f.seconds),
            peak_memory_bytes: figures.and_then(|f| f.memory),
            stopped: one.measured.end.name(),
            fault: one.measured.end.trouble(),
            mark: one.mark.name(),
            note: one.subject.note.filter(|_| one.mark == Mark::Differs),
        }
    }
}
