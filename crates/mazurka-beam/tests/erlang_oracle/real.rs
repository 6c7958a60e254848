//! Every outcome on the real machine is among those that exploration finds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

use mazurka_beam::Program;
use mazurka_engine::{Delivery, Execution, Observer, Options, SendersFirst, explore};
use mazurka_lab::oracle::{Instruction, Pattern, Script, Shape};
use mazurka_trace::{Event, Trace};

use super::batch::{Batch, entry, name};
use super::translate::{Style, translate};
use super::{setting, shapes};

/// The default number of programs of each shape.
const PROGRAMS: u64 = 8;
/// The number of runs of each program.
const RUNS: u64 = 200;
/// The number of programs that run at the same time.
const WORKERS: u64 = 24;
/// Larger programs are skipped.
const EXECUTIONS_MAX: u64 = 5_000;
/// On a busy computer, a program that has not ended can seem idle. At most one run in this number of
/// runs of a program may look like that.
const RUNS_PER_UNFINISHED: u64 = 50;

/// An outcome: the end of each process, and what it has observed.
type Outcome = String;

/// Counts of what was compared.
#[derive(Debug, Default)]
struct Tally {
    programs: u64,
    too_large: u64,
    runs: u64,
    /// Outcomes seen on the real machine.
    seen: usize,
    /// Outcomes found by exploring the same programs.
    explored: usize,
    /// Runs that seemed idle before their end.
    unfinished: u64,
}

fn check(shape: Shape) {
    let first = setting("MAZURKA_ERLANG_SEED", 0);
    let programs = setting("MAZURKA_ERLANG_PROGRAMS", PROGRAMS);
    let runs = setting("MAZURKA_ERLANG_RUNS", RUNS);
    let seeds: Vec<u64> = (first..first + programs).collect();
    let texts: Vec<String> = (0..)
        .zip(&seeds)
        .map(|(number, &seed)| {
            let script = tamed(shapes::script(shape, seed));
            let script = match seed % 3 {
                0 => shapes::twofold(script),
                _ => script,
            };
            translate(&name(number), &script, Style::Reporting, seed)
        })
        .collect();
    let modules = [
        ("oracle_help", include_str!("oracle_help.erl")),
        ("oracle_world", include_str!("oracle_world.erl")),
    ];
    let batch = Batch::compile(&texts, &modules);
    let mut tally = Tally::default();
    let mut explored: BTreeMap<usize, BTreeSet<Outcome>> = BTreeMap::new();
    for (number, text) in texts.iter().enumerate() {
        let outcomes = |delivery| Outcomes::of(batch.program(number), delivery);
        let found = outcomes(Delivery::Mailbox).and_then(|found| {
            let more = outcomes(Delivery::P2p)?;
            assert!(found.is_subset(&more), "{shape:?} {number}\n{text}");
            Some(found)
        });
        match found {
            Some(found) => _ = explored.insert(number, found),
            None => tally.too_large += 1,
        }
    }
    tally.programs = explored.len() as u64;
    tally.runs = runs * tally.programs;
    tally.explored = explored.values().map(BTreeSet::len).sum();
    let mut wrong = String::new();
    let mut unfinished: BTreeMap<usize, u64> = BTreeMap::new();
    for seen in run(&batch, explored.keys().copied(), runs) {
        let (number, outcome) = (seen.number, &seen.outcome);
        tally.seen += 1;
        if explored[&number].contains(outcome) {
            continue;
        }
        let is_part = |whole: &Outcome| is_part(outcome, whole);
        if explored[&number].iter().any(is_part) {
            tally.unfinished += seen.times;
            let times = unfinished.entry(number).or_default();
            *times += seen.times;
            if *times <= 1 + runs / RUNS_PER_UNFINISHED {
                continue;
            }
        }
        _ = writeln!(
            wrong,
            "{shape:?} {}: not explored, seen {} times: {outcome}\n{}",
            seeds[number], seen.times, texts[number]
        );
    }
    println!("{shape:?}: {tally:?}");
    assert!(wrong.is_empty(), "{wrong}");
}

/// The script without instructions that take seconds.
fn tamed(mut script: Script) -> Script {
    for role in &mut script.roles {
        // A receive for a message that no process sends becomes a long sleep.
        role.retain(|instruction| {
            !matches!(
                instruction,
                Instruction::Receive {
                    pattern: Pattern::Equals(99),
                    ..
                }
            )
        });
        for instruction in role {
            if let Instruction::Receive { timeout_ms, .. } = instruction {
                *timeout_ms = timeout_ms.filter(|&time| time < 1000);
            }
        }
    }
    script
}

/// Collects the outcomes of an exploration.
#[derive(Default)]
struct Outcomes {
    all: BTreeSet<Outcome>,
    executions: u64,
}

impl Outcomes {
    /// The outcomes of a program; `None` if it has too many executions.
    fn of(program: Program, delivery: Delivery) -> Option<BTreeSet<Outcome>> {
        let options = Options {
            delivery,
            ..Options::default()
        };
        let mut outcomes = Outcomes::default();
        let explored = explore(program, SendersFirst, &options, &mut outcomes);
        explored.expect("random programs are modelled");
        // Deeply nested values are not printed in full.
        let whole = outcomes.all.iter().all(|outcome| !outcome.contains('…'));
        (whole && outcomes.executions <= EXECUTIONS_MAX).then_some(outcomes.all)
    }
}

impl Observer<Program> for Outcomes {
    fn execution(&mut self, execution: &Execution<'_, Program>) -> ControlFlow<()> {
        self.all.insert(outcome(&execution.trace()));
        self.executions += 1;
        match self.executions > EXECUTIONS_MAX {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn restart(&mut self) {
        *self = Outcomes::default();
    }
}

/// The outcome in the form that the real machine writes.
fn outcome(trace: &Trace) -> Outcome {
    let mut text = String::new();
    let mut processes: Vec<_> = trace.processes.iter().collect();
    processes.retain(|(pid, _)| !trace.objects.contains(*pid));
    processes.sort_by_key(|(pid, _)| pid.to_string());
    for (pid, events) in processes {
        let mut seen = "nothing";
        let mut end = None;
        for event in events {
            match event {
                Event::Send { to, value, .. } if to == pid => {
                    let noted = value.strip_prefix("{note, ");
                    seen = noted.map_or(seen, |noted| &noted[..noted.len() - 1]);
                }
                Event::Exit { reason } => {
                    end = Some(reason.strip_prefix("exit with ").unwrap_or(reason));
                }
                _ => {}
            }
        }
        _ = match end {
            Some("normal") => write!(text, "{pid}=normal:{seen};"),
            Some(reason) => write!(text, "{pid}=ended:{reason};"),
            None => write!(text, "{pid}=waits:{seen};"),
        };
    }
    text.replace(' ', "")
}

/// Whether `part` is an intermediate state of a run with the outcome `whole`: every end and every
/// observation in it also occurs in the outcome.
fn is_part(part: &str, whole: &str) -> bool {
    let whole: BTreeMap<&str, &str> = whole.split(';').filter_map(|w| w.split_once('=')).collect();
    part.split(';')
        .filter_map(|p| p.split_once('='))
        .all(|(pid, way)| {
            let Some(whole) = whole.get(pid) else {
                return false;
            };
            match way.strip_prefix("waits:[") {
                // The last observation comes first.
                Some(seen) => {
                    let of_whole = whole.split_once(':').map_or("", |(_, seen)| seen);
                    whole.starts_with("ended") || of_whole.ends_with(seen)
                }
                None => way == *whole,
            }
        })
}

/// An outcome on the real machine.
struct Seen {
    number: usize,
    times: u64,
    outcome: Outcome,
}

/// Runs all programs in one instance of the real machine.
fn run(batch: &Batch, programs: impl Iterator<Item = usize>, runs: u64) -> Vec<Seen> {
    let folder = tempfile::tempdir().expect("a folder");
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/erlang_oracle/real");
    let sources = ["oracle_world.erl", "oracle_real.erl"].map(|file| here.join(file));
    command(
        Command::new("erlc")
            .arg("-o")
            .arg(folder.path())
            .args(sources),
    );
    let mut list = String::new();
    for number in programs {
        let (module, function) = entry(number);
        _ = writeln!(list, "{{{number}, {module}, {function}}}.");
    }
    let (programs, out) = (folder.path().join("programs"), folder.path().join("out"));
    fs::write(&programs, list).expect("a file");
    command(
        Command::new("erl")
            .args(["-noshell", "+S", "2", "-pa"])
            .arg(batch.folder())
            // The last folder is searched first.
            .arg("-pa")
            .arg(folder.path())
            .arg("-eval")
            .arg(format!(
                "oracle_real:main({:?}, {:?}, {runs}, {WORKERS}), halt().",
                programs.display().to_string(),
                out.display().to_string()
            )),
    );
    let text = fs::read_to_string(out).expect("outcomes");
    let seen = |line: &str| {
        let mut parts = line.splitn(3, '\t');
        let mut part = || parts.next().expect("three parts");
        Seen {
            number: part().parse().expect("a number"),
            times: part().parse().expect("a number"),
            outcome: part().to_owned(),
        }
    };
    text.lines().map(seen).collect()
}

fn command(command: &mut Command) {
    let output = command.output().expect("a command of Erlang");
    assert!(output.status.success(), "{output:?}");
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
