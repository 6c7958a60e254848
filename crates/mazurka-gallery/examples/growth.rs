//! How the cost of one execution, and of the report of errors in it, grows.
//!
//! ```text
//! cargo run --release -p mazurka-gallery --example growth
//! ```
//!
//! prints the tables of `docs/benchmarks.md` as Markdown: processor time and peak memory. Every figure
//! is measured in a process of its own, so that its peak memory is known: this program runs itself
//! once for each. An argument after `--` selects the tables whose titles contain it.

use mazurka_engine::{Delivery, Options, Reason, SendersFirst, Settings, check};
use mazurka_gallery::{Actors, Next, Pattern, Start, Term, Turn, done, receive, start};
use mazurka_report::{CheckOptions, Host, LogAt, Params, Subject, html, memory};
use std::error::Error;
use std::ops::ControlFlow;
use std::process::Command;
use std::time::Instant;

/// A figure that takes longer is left out.
const SECONDS_MAX: u64 = 20;

/// A table: programs by sizes.
struct Table {
    title: &'static str,
    /// What the sizes count.
    unit: &'static str,
    /// Each with the largest size that is measured.
    programs: &'static [(&'static str, i64)],
    sizes: &'static [i64],
}

const PROCESSES: [i64; 4] = [10, 100, 1_000, 10_000];
const ERROR_EVENTS: [i64; 3] = [1_000, 10_000, 100_000];

const TABLES: [Table; 7] = [
    Table {
        title: "One clean execution, by processes",
        unit: "processes",
        // Of 10,000 senders, `fan-in` puts 50 million prefixes into the frontier: 4 GB.
        programs: &[("pairs", 10_000), ("chain", 10_000), ("fan-in", 1_000)],
        sizes: &PROCESSES,
    },
    Table {
        title: "One clean execution, by events",
        unit: "events",
        programs: &[
            ("ping-pong", 1_000_000),
            ("mailbox", 1_000_000),
            ("calls", 1_000_000),
        ],
        sizes: &[100, 1_000, 10_000, 100_000, 1_000_000],
    },
    Table {
        title: "Report of an error as text, by events",
        unit: "events",
        programs: &[
            ("text ping-pong", 100_000),
            ("text mailbox", 100_000),
            ("text calls", 100_000),
            ("text two-senders", 100_000),
        ],
        sizes: &ERROR_EVENTS,
    },
    Table {
        title: "Report of an error as HTML, by events",
        unit: "events",
        programs: &[
            ("html ping-pong", 100_000),
            ("html mailbox", 100_000),
            ("html calls", 100_000),
            ("html two-senders", 100_000),
        ],
        sizes: &ERROR_EVENTS,
    },
    Table {
        title: "Report of an error as JSON, by events",
        unit: "events",
        programs: &[
            ("json ping-pong", 100_000),
            ("json mailbox", 100_000),
            ("json calls", 100_000),
            ("json two-senders", 100_000),
        ],
        sizes: &ERROR_EVENTS,
    },
    Table {
        title: "Report of an error as text, by processes",
        unit: "processes",
        // The pid of the last process of a chain names all others.
        programs: &[("text pairs", 10_000), ("text chain", 1_000)],
        sizes: &PROCESSES,
    },
    Table {
        title: "Report of many errors of one execution, by errors",
        unit: "errors",
        programs: &[
            ("text all-fail", 1_000),
            ("html all-fail", 1_000),
            ("json all-fail", 1_000),
        ],
        sizes: &[10, 100, 1_000],
    },
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [flag, what, size] if flag == "--one" => measure(what, size.parse()?),
        [title] => print_tables(title),
        _ => print_tables(""),
    }
}

fn print_tables(title_part: &str) -> Result<(), Box<dyn Error>> {
    for table in TABLES
        .iter()
        .filter(|table| table.title.contains(title_part))
    {
        println!("### {}\n", table.title);
        let heads = table.programs.iter().map(|(name, _)| format!(" {name} |"));
        println!("| {} |{}", table.unit, heads.collect::<String>());
        println!("| ---: |{}", " ---: |".repeat(table.programs.len()));
        for &size in table.sizes {
            let cells = table.programs.iter().map(|&(name, max)| match size <= max {
                true => cell(name, size),
                false => Ok("not measured".to_owned()),
            });
            let cells = cells.collect::<Result<Vec<String>, _>>()?;
            println!("| {} | {} |", grouped(size), cells.join(" | "));
        }
        println!();
    }
    Ok(())
}

/// A number with commas: `10,000`.
fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// One figure, measured by a process of its own.
fn cell(what: &str, size: i64) -> Result<String, Box<dyn Error>> {
    let output = Command::new("timeout")
        .arg(SECONDS_MAX.to_string())
        .arg(std::env::current_exe()?)
        .args(["--one", what, &size.to_string()])
        .output()?;
    Ok(match output.status.success() {
        true => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        false => format!("over {SECONDS_MAX} s"),
    })
}

fn measure(what: &str, size: i64) -> Result<(), Box<dyn Error>> {
    let (form, name) = what.split_once(' ').unwrap_or(("", what));
    let entry = program(name, size, !form.is_empty())?;
    let started = Instant::now();
    match form {
        "" => run_clean(entry)?,
        form => report(entry, form, if name == "all-fail" { size } else { 1 })?,
    }
    let seconds = processor_seconds().unwrap_or_else(|| started.elapsed().as_secs_f64());
    let bytes = memory::peak().unwrap_or(0);
    println!("{seconds:.2} s, {} MB", bytes.div_ceil(1_000_000));
    Ok(())
}

/// Processor time of this process, where `/proc` has it: it does not depend on what else runs on the
/// machine.
fn processor_seconds() -> Option<f64> {
    /// The unit of times in `/proc` on Linux.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the command, in parentheses, may have spaces.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
}

fn run_clean(entry: Start) -> Result<(), Box<dyn Error>> {
    let settings = Settings {
        explore: Options {
            delivery: Delivery::Mailbox,
            max_executions: Some(1),
            max_depth: None,
            max_processes: None,
            ..Options::default()
        },
        ..Settings::default()
    };
    let watch = |_: &_| ControlFlow::Continue(());
    let report = check(Actors::new(entry), SendersFirst, &settings, watch)?;
    assert_eq!(report.progress.executions, 1, "one complete execution");
    assert!(report.found.is_empty(), "an execution without errors");
    Ok(())
}

fn report(entry: Start, form: &str, errors: i64) -> Result<(), Box<dyn Error>> {
    let options = CheckOptions {
        delivery: vec![Delivery::Mailbox],
        max_depth: u64::MAX,
        max_processes: u64::MAX,
        ..CheckOptions::default()
    };
    let subject = Subject::new("growth", Params::default());
    let outcome = mazurka_report::run(subject, Actors::new(entry), &options, &mut Quiet)?;
    let not_kept: u64 = outcome.errors().map(|kept| kept.found.not_kept).sum();
    let found = outcome.errors().count() as u64 + not_kept;
    assert_eq!(found, errors.unsigned_abs(), "all errors are counted");
    let text = match form {
        "text" => outcome.to_text(),
        "html" => html(&[&outcome]),
        _ => outcome.to_json()?,
    };
    assert!(text.contains("boom"), "the error is in the report");
    Ok(())
}

/// Adds nothing to a check.
struct Quiet;

impl Host for Quiet {
    fn replay_line(&self, _: &Subject, _: &CheckOptions, _: LogAt<'_>) -> Option<String> {
        None
    }
}

/// A program of about this many processes or events, which fails in the end if `fails`.
fn program(name: &str, size: i64, fails: bool) -> Result<Start, String> {
    let fails = i64::from(fails);
    Ok(match name {
        "pairs" => start!(pairs, size / 2, fails),
        "chain" => start!(chain, size, fails),
        "all-fail" => start!(all_fail, size),
        "fan-in" => start!(fan_in, size),
        "ping-pong" => start!(ping_pong, size / 4, fails),
        "mailbox" => start!(mailbox, size / 2, fails),
        "calls" => start!(calls, size / 4, fails),
        "two-senders" => start!(two_senders, size / 4, fails),
        _ => return Err(format!("there is no program {name}")),
    })
}

fn end(fails: i64) -> Next {
    match fails {
        0 => done(),
        _ => Err(Reason::Crash(Term::from("boom"))),
    }
}

/// Pairs of processes; one of each pair sends the other a message.
fn pairs(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (pairs, fails) = (args.int(0)?, args.int(1)?);
    for pair in 1..=pairs {
        let fails = if pair == pairs { fails } else { 0 };
        let taker = turn.spawn(start!(taker, fails));
        turn.spawn(start!(sender, taker, 1));
    }
    done()
}

fn taker(args: &Term, _: &mut Turn<'_>) -> Next {
    let fails = args.int(0)?;
    receive(Pattern::Any, move |_, _| end(fails))
}

/// Each process spawns the next one and sends it a message, so that the last one knows of all.
fn chain(args: &Term, turn: &mut Turn<'_>) -> Next {
    link(args.int(0)?, args.int(1)?, turn)
}

fn link(left: i64, fails: i64, turn: &mut Turn<'_>) -> Next {
    if left == 0 {
        return end(fails);
    }
    let next = turn.spawn(start!(next_link, left - 1, fails));
    turn.send(next, Term::Int(left));
    done()
}

fn next_link(args: &Term, _: &mut Turn<'_>) -> Next {
    let (left, fails) = (args.int(0)?, args.int(1)?);
    receive(Pattern::Any, move |_, turn| link(left, fails, turn))
}

/// All processes but the first one fail.
fn all_fail(args: &Term, turn: &mut Turn<'_>) -> Next {
    for _ in 0..args.int(0)? {
        turn.spawn(start!(fail));
    }
    done()
}

fn fail(_: &Term, _: &mut Turn<'_>) -> Next {
    end(1)
}

/// Sends as many messages.
fn sender(args: &Term, turn: &mut Turn<'_>) -> Next {
    let to = args.pid(0)?;
    for n in 0..args.int(1)? {
        turn.send(to, Term::Int(n));
    }
    done()
}

/// All processes send one message each to the first one.
fn fan_in(args: &Term, turn: &mut Turn<'_>) -> Next {
    let senders = args.int(0)? - 1;
    for _ in 0..senders {
        turn.spawn(start!(sender, turn.me(), 1));
    }
    take(senders, 0)
}

fn take(left: i64, fails: i64) -> Next {
    match left {
        0 => end(fails),
        _ => receive(Pattern::Any, move |_, _| take(left - 1, fails)),
    }
}

/// Two processes that send a message back and forth.
fn ping_pong(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (rounds, fails) = (args.int(0)?, args.int(1)?);
    let other = turn.spawn(start!(pong, rounds));
    ping(rounds, fails, other, turn)
}

fn ping(left: i64, fails: i64, other: mazurka_engine::PidId, turn: &mut Turn<'_>) -> Next {
    if left == 0 {
        return end(fails);
    }
    turn.send(other, mazurka_gallery::tuple![turn.me(), left]);
    receive(Pattern::Any, move |_, turn| {
        ping(left - 1, fails, other, turn)
    })
}

fn pong(args: &Term, _: &mut Turn<'_>) -> Next {
    answer(args.int(0)?)
}

fn answer(left: i64) -> Next {
    if left == 0 {
        return done();
    }
    receive(Pattern::Any, move |message, turn| {
        let (from, number) = (message.pid(0)?, message.int(1)?);
        turn.send(from, Term::Int(number));
        answer(left - 1)
    })
}

/// A process that sends itself all messages before it receives the first one.
fn mailbox(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (messages, fails) = (args.int(0)?, args.int(1)?);
    for n in 0..messages {
        turn.send(turn.me(), Term::Int(n));
    }
    take(messages, fails)
}

/// Like `ping-pong`, but every receive has a different constraint, as calls with references do.
fn calls(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (rounds, fails) = (args.int(0)?, args.int(1)?);
    let other = turn.spawn(start!(pong, rounds));
    call(rounds, fails, other, turn)
}

fn call(left: i64, fails: i64, other: mazurka_engine::PidId, turn: &mut Turn<'_>) -> Next {
    if left == 0 {
        return end(fails);
    }
    turn.send(other, mazurka_gallery::tuple![turn.me(), left]);
    receive(Pattern::from(left), move |_, turn| {
        call(left - 1, fails, other, turn)
    })
}

/// Two processes that send the same number of messages to the first one.
fn two_senders(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (messages, fails) = (args.int(0)?, args.int(1)?);
    turn.spawn(start!(sender, turn.me(), messages));
    turn.spawn(start!(sender, turn.me(), messages));
    take(2 * messages, fails)
}
