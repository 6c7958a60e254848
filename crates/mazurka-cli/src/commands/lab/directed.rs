//! `mazurka lab papers --directed`: how far each search goes to the bug, beside the figures of Laurent
//! 2023 (Figure 17).

use super::evaluations::{HUNTED, Hunted, Way, ways};
use crate::args::{Papers, TableFormat};
use crate::exit::after_writing;
use crate::table::{Cell, Column, Table};
use crate::watch::{catch_interrupts, interrupted, terminal_bar};
use anyhow::Result;
use mazurka_engine::{
    Directed, Frontend, Options, Progress, Report, Settings, Strategy, Valuation, Valuations,
    check, reports_distances,
};
use mazurka_gallery::Built;
use mazurka_report::Exit;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The version of the JSON form.
const VERSION: u32 = 1;

/// Searches, and prints.
pub fn run(args: &Papers) -> Result<Exit> {
    catch_interrupts()?;
    let mut rows = Vec::new();
    let bar = terminal_bar();
    for subject in HUNTED {
        for way in ways() {
            if interrupted() {
                break;
            }
            if let Some(bar) = &bar {
                bar.set_message(format!("{}: {}", subject.name, name(&way)));
                bar.tick();
            }
            if can_compute(subject, &way)? {
                rows.push(search(args, subject, way)?);
            }
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let early = interrupted() || rows.iter().any(|row| row.missed > 0);
    let exit = match early {
        true => Exit::Stopped,
        false => Exit::Fine,
    };
    after_writing(exit, write(args, &rows))
}

/// One search for the bug of one subject, with all seeds.
struct Row {
    subject: &'static Hunted,
    way: Way,
    /// Graphs that were reached for the first time.
    graphs: Spread,
    /// Steps, including repeated ones.
    steps: Spread,
    executions: Spread,
    /// The number of seeds that did not find it in time.
    missed: usize,
}

fn search(args: &Papers, subject: &'static Hunted, way: Way) -> Result<Row> {
    let seeds = match way.strategy.seed() {
        Some(_) => 1..=args.seeds,
        None => 1..=1,
    };
    let mut row = Row {
        subject,
        way,
        graphs: Spread::default(),
        steps: Spread::default(),
        executions: Spread::default(),
        missed: 0,
    };
    for seed in seeds {
        let (progress, found) = one(subject, &way, seed, args.max_seconds)?;
        row.graphs.add(progress.transitions);
        row.steps.add(progress.transitions + progress.repeated);
        row.executions.add(progress.executions);
        row.missed += usize::from(!found);
    }
    Ok(row)
}

/// Whether the program reports distances, if the search needs them.
fn can_compute(subject: &Hunted, way: &Way) -> Result<bool> {
    if way.valuation != Some(Valuation::Distance) {
        return Ok(true);
    }
    let options = Options::default();
    Ok(match instantiate(subject)? {
        Built::Actors(program) => reports_distances(&program, &options)?,
        Built::Rust(program) => reports_distances(&program, &options)?,
    })
}

fn instantiate(subject: &Hunted) -> Result<Built> {
    let on = |name: &&str| ((*name).to_owned(), "1".to_owned());
    let params: BTreeMap<String, String> = subject.switches.iter().map(on).collect();
    Ok(mazurka_gallery::find(subject.program)?.instantiate(&params)?)
}

/// The figures of one search, and whether it found the bug.
fn one(subject: &Hunted, way: &Way, seed: u64, time: Duration) -> Result<(Progress, bool)> {
    let program = instantiate(subject)?;
    let valuations = way.valuation.map_or(Valuations::none(), Valuations::from);
    let settings = Settings {
        explore: Options {
            strategy: way.strategy.with_seed(seed),
            direction: valuations.into(),
            ..Options::default()
        },
        ..Settings::default()
    };
    let report = match program {
        Built::Actors(program) => explore(program, &settings, time)?,
        Built::Rust(program) => explore(program, &settings, time)?,
    };
    let found = report.errors().next().is_some();
    Ok((report.progress, found))
}

fn explore<F: Frontend>(program: F, settings: &Settings, time: Duration) -> Result<Report> {
    let started = Instant::now();
    let guide = Directed::new(&settings.explore.direction);
    let report = check(program, guide, settings, |_| {
        match interrupted() || started.elapsed() > time {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    Ok(report)
}

/// Numbers, reported by their mean and standard deviation.
#[derive(Default)]
struct Spread(Vec<u64>);

impl Spread {
    fn add(&mut self, number: u64) {
        self.0.push(number);
    }

    fn mean(&self) -> f64 {
        let sum: u64 = self.0.iter().sum();
        sum as f64 / self.0.len().max(1) as f64
    }

    fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares = self.0.iter().map(|&number| (number as f64 - mean).powi(2));
        (squares.sum::<f64>() / self.0.len().max(1) as f64).sqrt()
    }

    /// `17`, or `23±15` of several.
    fn text(&self) -> String {
        match self.0[..] {
            [only] => only.to_string(),
            _ => format!("{:.0}±{:.0}", self.mean(), self.deviation()),
        }
    }
}

fn name(way: &Way) -> String {
    let threshold = match way.strategy {
        Strategy::BestFirst {
            threshold: Some(threshold),
        } => format!(", threshold {threshold}%"),
        _ => String::new(),
    };
    match way.valuation {
        Some(valuation) => format!("{} by {valuation}{threshold}", way.strategy),
        None => way.strategy.to_string(),
    }
}

const COLUMNS: [Column; 6] = [
    Column::words("subject"),
    Column::words("search"),
    Column::numbers("graphs"),
    Column::numbers("steps"),
    Column::numbers("executions"),
    Column::numbers("published states / transitions"),
];

fn write(args: &Papers, rows: &[Row]) -> Result<()> {
    let mut table = Table::new(&COLUMNS);
    for row in rows {
        let early = row.missed > 0;
        table.push(vec![
            Cell::new(row.subject.name),
            Cell::new(name(&row.way)),
            Cell::new(row.graphs.text()).at_least(early),
            Cell::new(row.steps.text()).at_least(early),
            Cell::new(row.executions.text()).at_least(early),
            Cell::maybe(row.subject.published(&row.way)),
        ]);
    }
    let mut out = super::stdout();
    let object = Json {
        mazurka: "directed",
        version: VERSION,
        seeds: args.seeds,
        max_seconds: args.max_seconds.as_secs_f64(),
        interrupted: interrupted(),
        rows: rows.iter().map(JsonRow::new).collect(),
    };
    table.write(&mut out, args.format, &object)?;
    if matches!(args.format, TableFormat::Text | TableFormat::Markdown) {
        writeln!(
            out,
            "\nHow far each search goes to the first error: graphs reached, steps done (some \
             again), executions run to their end. Of random and mcts: mean ± standard deviation \
             of {} seeds. Published: Laurent 2023, states visited and transitions executed by \
             another reduction on MPI programs, where a send and a receive are several \
             transitions; depth first goes by depth there, and A* by the distance in the control \
             flow.",
            args.seeds
        )?;
        if rows.iter().any(|row| row.missed > 0) {
            writeln!(
                out,
                "\nFigures with >= are those of searches that did not find it in {} seconds; \
                 --max-seconds gives them more time.",
                args.max_seconds.as_secs_f64()
            )?;
        }
    }
    out.flush()?;
    Ok(())
}

#[derive(Serialize)]
struct Json<'o> {
    mazurka: &'static str,
    version: u32,
    seeds: u64,
    max_seconds: f64,
    interrupted: bool,
    rows: Vec<JsonRow<'o>>,
}

#[derive(Serialize)]
struct JsonRow<'o> {
    subject: &'static str,
    program: &'static str,
    switches: &'static [&'static str],
    strategy: String,
    threshold: Option<u32>,
    valuation: Option<&'static str>,
    graphs: f64,
    graphs_deviation: f64,
    steps: f64,
    steps_deviation: f64,
    executions: f64,
    runs: usize,
    missed: usize,
    published: Option<&'o str>,
}

impl<'o> JsonRow<'o> {
    fn new(row: &'o Row) -> JsonRow<'o> {
        JsonRow {
            subject: row.subject.name,
            program: row.subject.program,
            switches: row.subject.switches,
            strategy: row.way.strategy.to_string(),
            threshold: match row.way.strategy {
                Strategy::BestFirst { threshold } => threshold,
                _ => None,
            },
            valuation: row.way.valuation.map(|valuation| valuation.name()),
            graphs: row.graphs.mean(),
            graphs_deviation: row.graphs.deviation(),
            steps: row.steps.mean(),
            steps_deviation: row.steps.deviation(),
            executions: row.executions.mean(),
            runs: row.graphs.0.len(),
            missed: row.missed,
            published: row.subject.published(&row.way),
        }
    }
}
