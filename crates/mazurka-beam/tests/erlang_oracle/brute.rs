//! Exploration finds the same traces as brute force and as the original scripts.

use std::collections::BTreeSet;

use mazurka_engine::{Delivery, Options};
use mazurka_lab::oracle::{CanonicalTrace, Case, Script, Shape, brute};

use super::batch::{Batch, name};
use super::setting;
use super::shapes::{is_one_to_one, script};
use super::traces::Traces;
use super::translate::{Style, translate};

/// The default number of programs of each shape.
const PROGRAMS: u64 = 30;
/// The number of programs compiled together.
const PER_BATCH: u64 = 400;
/// Larger programs are skipped.
const CONFIGURATIONS_MAX: usize = 10_000;
const EXECUTIONS_MAX: u64 = 2_000;
/// Memory for only a few states, so that processes must be re-run often.
const SCARCE: usize = 4_000;

/// Counts of what was compared.
#[derive(Debug, Default)]
struct Tally {
    /// Pairs of a program and a delivery model.
    compared: u64,
    /// Pairs with more than one trace.
    racy: u64,
    traces: usize,
    /// Pairs that were also compared with the script.
    with_script: u64,
    too_large: u64,
}

fn check(shape: Shape) {
    let first = setting("MAZURKA_ERLANG_SEED", 0);
    let programs = setting("MAZURKA_ERLANG_PROGRAMS", PROGRAMS);
    let mut tally = Tally::default();
    let last = first + programs;
    for begin in (first..last).step_by(PER_BATCH as usize) {
        let seeds: Vec<u64> = (begin..last.min(begin + PER_BATCH)).collect();
        check_batch(shape, &seeds, &mut tally);
    }
    println!("{shape:?}: {tally:?}");
    assert!(
        tally.compared > programs && tally.racy > programs / 4,
        "{tally:?}"
    );
}

fn check_batch(shape: Shape, seeds: &[u64], tally: &mut Tally) {
    let scripts: Vec<Script> = seeds.iter().map(|&seed| script(shape, seed)).collect();
    let style = |seed, script| match is_one_to_one(script) && seed % 4 != 0 {
        true => Style::Plain,
        false => Style::Own,
    };
    let texts: Vec<String> = (0..)
        .zip(seeds.iter().zip(&scripts))
        .map(|(number, (&seed, script))| {
            translate(&name(number), script, style(seed, script), seed)
        })
        .collect();
    let help = ("oracle_help", include_str!("oracle_help.erl"));
    let batch = Batch::compile(&texts, &[help]);
    for (number, (&seed, script)) in seeds.iter().zip(&scripts).enumerate() {
        for delivery in Delivery::ALL {
            let case = Case {
                shape,
                seed,
                delivery,
            };
            let comparison = Comparison {
                case,
                script,
                batch: &batch,
                number,
                with_script: style(seed, script) == Style::Plain,
                text: &texts[number],
            };
            comparison.run(tally);
        }
    }
}

/// One program and one delivery model.
struct Comparison<'c> {
    case: Case,
    script: &'c Script,
    batch: &'c Batch,
    number: usize,
    with_script: bool,
    text: &'c str,
}

impl Comparison<'_> {
    fn run(&self, tally: &mut Tally) {
        let program = || self.batch.program(self.number);
        let (delivery, timeouts) = (self.case.delivery, self.case.timeouts());
        let options = Options {
            delivery,
            timeouts,
            node_memory: match self.case.seed % 2 {
                0 => SCARCE,
                _ => Options::default().node_memory,
            },
            ..Options::default()
        };
        let expected = brute(&program(), delivery, timeouts, CONFIGURATIONS_MAX);
        let found = expected.ok().and_then(|expected| {
            Some((expected, Traces::of(program(), &options, EXECUTIONS_MAX)?))
        });
        let Some((expected, found)) = found else {
            tally.too_large += 1;
            return;
        };
        self.same(&found.distinct, &expected, "brute force");
        assert_eq!(
            found.executions as usize,
            found.distinct.len(),
            "{:?}: some traces are found twice\n{}",
            self.case,
            self.text
        );
        if self.with_script {
            let of_script = Traces::of(self.script.clone(), &options, EXECUTIONS_MAX);
            let of_script = of_script.expect("it has the same number of traces");
            let found = found.distinct.into_iter().map(renamed).collect();
            let of_script = of_script.distinct.into_iter().map(renamed).collect();
            self.same(&found, &of_script, "the script");
            tally.with_script += 1;
        }
        tally.compared += 1;
        tally.racy += u64::from(expected.len() > 1);
        tally.traces += expected.len();
    }

    fn same(
        &self,
        found: &BTreeSet<CanonicalTrace>,
        expected: &BTreeSet<CanonicalTrace>,
        whose: &str,
    ) {
        assert!(
            found == expected,
            "{:?}: {} traces, not the {} of {whose}\nfirst invented: {:#?}\nfirst missing: {:#?}\n{}",
            self.case,
            found.len(),
            expected.len(),
            found.difference(expected).next(),
            expected.difference(found).next(),
            self.text
        );
    }
}

/// The trace with the names used in scripts, which are numbers, and without the references of monitors.
fn renamed(trace: CanonicalTrace) -> CanonicalTrace {
    let renamed = |text: String| {
        let mut text = text.replace("name(n", "name(");
        for tie in [":spawned ", ":monitor "] {
            if let Some((before, reference)) = text.split_once(tie) {
                let rest = reference.trim_start_matches(|c: char| c.is_ascii_digit());
                text = format!("{before}{tie}{rest}");
            }
        }
        text
    };
    trace
        .into_iter()
        .map(|(who, consumed)| (renamed(who), consumed.into_iter().map(renamed).collect()))
        .collect()
}

#[test]
fn messages() {
    check(Shape::Messages);
}

#[test]
fn timeouts() {
    check(Shape::Timeouts);
}

#[test]
fn signals() {
    check(Shape::Signals);
}

#[test]
fn objects() {
    check(Shape::Objects);
}

#[test]
fn everything() {
    check(Shape::Everything);
}
