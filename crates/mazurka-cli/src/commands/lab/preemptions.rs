//! `mazurka lab papers --preemption-plot`: how the number of schedules grows with the preemption
//! bound, with and without blocking avoidance (Christakis, Gotovos, Sagonas 2013, Figure 8).

use super::evaluations::{Panel, Point, SCHEDULED, Series, Subject, draw};
use super::measure::{Ended, KILLED, Measured, Measurer, Run};
use crate::args::{Papers, TableFormat};
use crate::exit::{after_writing, print_error};
use crate::table::{Cell, Column, Table};
use crate::watch::{catch_interrupts, interrupted};
use anyhow::Result;
use mazurka_engine::Delivery;
use mazurka_files::shown;
use mazurka_lab::Algorithm;
use mazurka_report::files::{Kind, Outputs};
use mazurka_report::{CheckOptions, Exit, Plan, on_off};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// The version of the JSON form.
const VERSION: u32 = 1;

/// Without blocking avoidance, and with it, in the order of the lines drawn.
const AVOIDANCE: [(bool, &str); 2] = [
    (false, "without blocking avoidance"),
    (true, "with blocking avoidance"),
];

/// The greatest bound of the figure.
const LAST_BOUND: u32 = 7;

/// Erlang's mailboxes.
const DELIVERY: Delivery = Delivery::Mailbox;

/// Counts, draws and prints.
pub fn run(args: &Papers, file: &Path) -> Result<Exit> {
    // Counting takes minutes: that its picture has no place is better known before.
    let outputs = Outputs::new(Vec::new(), args.force);
    outputs.check(file, Kind::Svg)?;
    catch_interrupts()?;
    let counts = count(args)?;
    let interrupted = interrupted();
    let drawn = match interrupted {
        // Half a picture is none, and must not replace a whole one.
        true => {
            print_error(&format!(
                "Ctrl-C ended it, so {} was not written",
                shown(file)
            ));
            Ok(())
        }
        false => write_svg(&outputs, file, &counts),
    };
    let written = drawn.and_then(|()| write_table(args, &counts, interrupted));
    let early = |count: &Counted| count.is_lower_bound();
    let exit = match interrupted || counts.iter().any(early) {
        true => Exit::Stopped,
        false => Exit::Fine,
    };
    after_writing(exit, written)
}

/// The schedules of a subject within a bound. Those of a greater bound include them.
struct Counted {
    subject: &'static Subject,
    blocking_avoidance: bool,
    bound: u32,
    /// Nothing if a lower bound had to be stopped already.
    measured: Option<Measured>,
}

impl Counted {
    fn schedules(&self) -> Option<u64> {
        Some(self.measured.as_ref()?.figures?.paths)
    }

    /// The preemption bound itself is what we ask for.
    fn is_lower_bound(&self) -> bool {
        match &self.measured {
            None => true,
            Some(measured) => measured.end.is_early() && !is_preemption_bound(&measured.end),
        }
    }
}

fn is_preemption_bound(end: &Ended) -> bool {
    end.name() == "preemption-bound"
}

fn count(args: &Papers) -> Result<Vec<Counted>> {
    let lines = SCHEDULED
        .iter()
        .flat_map(|subject| AVOIDANCE.map(|(on, _)| (subject, on)));
    let mut measurer = Measurer::new(SCHEDULED.len() * AVOIDANCE.len() * (LAST_BOUND as usize + 1));
    let mut counts: Vec<Counted> = Vec::new();
    for (subject, on) in lines {
        let mut stopped = false;
        for bound in 0..=LAST_BOUND {
            let measured = match stopped || interrupted() {
                true => {
                    measurer.skip();
                    None
                }
                false => Some(measurer.run(&Run {
                    program: subject.arguments(),
                    plan: Plan {
                        blocking_avoidance: Some(on),
                        preemption_bound: Some(bound),
                        ..Plan::of(Algorithm::Interleavings)
                    },
                    options: CheckOptions {
                        delivery: vec![DELIVERY],
                        keep_going: true,
                        max_seconds: Some(args.max_seconds),
                        ..CheckOptions::default()
                    },
                })?),
            };
            if let Some(trouble) = measured.as_ref().and_then(|m| m.end.trouble()) {
                print_error(&format!("{}: {trouble}", subject.program));
            }
            let counted = Counted {
                subject,
                blocking_avoidance: on,
                bound,
                measured,
            };
            stopped |= counted.is_lower_bound();
            counts.push(counted);
        }
    }
    Ok(counts)
}

fn write_svg(outputs: &Outputs, file: &Path, counts: &[Counted]) -> Result<()> {
    let series = |subject: &Subject, on: bool, name| {
        let line = counts
            .iter()
            .filter(|c| c.subject.program == subject.program && c.blocking_avoidance == on);
        let point = |counted: &Counted| {
            Some(Point {
                x: counted.bound,
                y: counted.schedules().filter(|&schedules| schedules > 0)?,
                at_least: counted.is_lower_bound(),
            })
        };
        Series {
            name,
            points: line.filter_map(point).collect(),
        }
    };
    let panels = SCHEDULED.each_ref().map(|subject| Panel {
        title: subject.name,
        series: AVOIDANCE.map(|(on, name)| series(subject, on, name)).into(),
    });
    let title = "Schedules within a preemption bound";
    let svg = draw(title, "preemption bound", "schedules", &panels);
    Ok(outputs.write(file, Kind::Svg, &svg)?)
}

const COLUMNS: [Column; 5] = [
    Column::words("program"),
    Column::words("blocking avoidance"),
    Column::numbers("preemption bound"),
    Column::numbers("schedules"),
    Column::words("ended"),
];

fn write_table(args: &Papers, counts: &[Counted], interrupted: bool) -> Result<()> {
    let mut table = Table::new(&COLUMNS);
    for counted in counts {
        let params = counted.subject.params();
        let params = params
            .iter()
            .map(|(name, value)| format!(" {name}={value}"));
        let program = counted.subject.program.to_owned() + &params.collect::<String>();
        table.push(vec![
            Cell::new(program),
            Cell::new(on_off(counted.blocking_avoidance)),
            Cell::new(counted.bound),
            Cell::maybe(counted.schedules()).at_least(counted.is_lower_bound()),
            Cell::new(ended(counted)),
        ]);
    }
    let object = Json {
        mazurka: "preemption-bounds",
        version: VERSION,
        delivery: DELIVERY.name(),
        max_seconds: args.max_seconds.as_secs_f64(),
        interrupted,
        rows: counts.iter().map(JsonRow::new).collect(),
    };
    let mut out = super::stdout();
    table.write(&mut out, args.format, &object)?;
    if matches!(args.format, TableFormat::Text | TableFormat::Markdown) {
        for note in notes(counts, interrupted) {
            writeln!(out, "\n{note}")?;
        }
    }
    out.flush()?;
    Ok(())
}

/// Notes for readers of the table.
fn notes(counts: &[Counted], interrupted: bool) -> Vec<&'static str> {
    let any = |holds: fn(&Counted) -> bool| counts.iter().any(holds);
    let mut notes =
        vec!["Each row counts the schedules with at most as many preemptions as its bound."];
    if any(|counted| counted.is_lower_bound() && counted.schedules().is_some()) {
        notes.push(
            "Figures with >= are those of runs that were stopped early: lower bounds. Greater \
             preemption bounds were then not run; --max-seconds gives each run more time.",
        );
    }
    if any(|counted| counted.measured.as_ref().is_some_and(Measured::was_killed)) {
        notes.push(KILLED);
    }
    if interrupted && counts.last().is_some_and(|last| last.measured.is_none()) {
        notes.push("Ctrl-C ended it: the remaining rows were not run.");
    }
    notes
}

fn ended(counted: &Counted) -> String {
    match &counted.measured {
        None => "not run".to_owned(),
        Some(measured) if is_preemption_bound(&measured.end) => "within the bound".to_owned(),
        Some(measured) => measured.end.text(),
    }
}

#[derive(Serialize)]
struct Json<'o> {
    mazurka: &'static str,
    version: u32,
    delivery: &'static str,
    max_seconds: f64,
    interrupted: bool,
    rows: Vec<JsonRow<'o>>,
}

#[derive(Serialize)]
struct JsonRow<'o> {
    program: &'static str,
    params: BTreeMap<String, String>,
    blocking_avoidance: bool,
    preemption_bound: u32,
    schedules: Option<u64>,
    at_least: bool,
    stopped: Option<&'o str>,
}

impl<'o> JsonRow<'o> {
    fn new(counted: &'o Counted) -> Self {
        JsonRow {
            program: counted.subject.program,
            params: counted.subject.params(),
            blocking_avoidance: counted.blocking_avoidance,
            preemption_bound: counted.bound,
            schedules: counted.schedules(),
            at_least: counted.is_lower_bound(),
            stopped: counted.measured.as_ref().map(|m| m.end.name()),
        }
    }
}
