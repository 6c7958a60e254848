//! Measures how the cost of one execution, and of the report of an error in it, grows with its
//! length.
//!
//! ```text
//! cargo run --release -p mazurka-gallery --example growth
//! ```
//!
//! prints the tables of `docs/benchmarks.md`. Every figure comes from a separate process, so that its
//! memory can be measured: this program runs itself once for each. An argument after `--` selects the
//! tables whose titles contain it.

use mazurka_engine::{Delivery, Finding, Options, Reason, SendersFirst, Settings, check};
use mazurka_gallery::{Actors, Next, Pattern, Start, Term, Turn, done, receive, start};
use mazurka_report::{CheckOptions, Host, LogAt, Subject, html, memory};
use std::error::Error;
use std::ops::ControlFlow;
use std::process::Command;
use std::time::Instant;

/// The time limit for one figure.
const SECONDS_MAX: u64 = 120;

const TABLES: [(&str, &[&str], &[i64]); 5] = [
    (
        "one clean execution, by processes",
        &["pairs", "fan-in"],
        &[10, 100, 1_000, 10_000],
    ),
    (
        "one clean execution, by events",
        &["ping-pong", "mailbox", "calls"],
        &[100, 1_000, 10_000, 100_000, 1_000_000],
    ),
    (
        "report of an error as text, by events",
        &[
            "text ping-pong",
            "text mailbox",
            "text calls",
            "text two-senders",
        ],
        &[100, 1_000, 10_000, 100_000],
    ),
    (
        "report of an error as HTML, by events",
        &[
            "html ping-pong",
            "html mailbox",
            "html calls",
            "html two-senders",
        ],
        &[100, 1_000, 10_000, 100_000],
    ),
    (
        "report of an error as JSON, by events",
        &[
            "json ping-pong",
            "json mailbox",
            "json calls",
            "json two-senders",
        ],
        &[100, 1_000, 10_000, 100_000],
    ),
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
    let wanted = TABLES
        .iter()
        .filter(|(title, ..)| title.contains(title_part));
    for (title, programs, sizes) in wanted {
        println!("### {title}\n");
        let heads: Vec<String> = programs.iter().map(|name| format!(" {name} |")).collect();
        println!("| size |{}", heads.concat());
        println!("| ---: |{}", " ---: |".repeat(programs.len()));
        for size in *sizes {
            let cells: Result<Vec<String>, _> =
                programs.iter().map(|name| cell(name, *size)).collect();
            println!("| {size} | {} |", cells?.join(" | "));
        }
        println!();
    }
    Ok(())
}

/// One figure, measured in a separate process.
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
        form => report(entry, form)?,
    }
    let seconds = started.elapsed().as_secs_f64();
    let bytes = memory::peak().unwrap_or(0);
    println!("{seconds:.3} s, {} MB", bytes / 1_000_000);
    Ok(())
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

fn report(entry: Start, form: &str) -> Result<(), Box<dyn Error>> {
    let options = CheckOptions {
        delivery: Delivery::Mailbox,
        max_depth: u64::MAX,
        ..CheckOptions::default()
    };
    let subject = Subject::new("growth", std::collections::BTreeMap::new());
    let outcome = mazurka_report::run(subject, Actors::new(entry), &options, &mut Quiet)?;
    assert_eq!(outcome.errors().count(), 1, "one error");
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
    fn replay_line(
        &self,
        _: &Subject,
        _: &CheckOptions,
        _: &Finding,
        _: LogAt<'_>,
    ) -> Option<String> {
        None
    }
}

/// A program with about `size` processes or events. If `fails`, it fails at the end.
fn program(name: &str, size: i64, fails: bool) -> Result<Start, String> {
    let fails = i64::from(fails);
    Ok(match name {
        "pairs" => start!(pairs, size / 2),
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
    for _ in 0..args.int(0)? {
        let taker = turn.spawn(start!(taker));
        turn.spawn(start!(sender, taker, 1));
    }
    done()
}

fn taker(_: &Term, _: &mut Turn<'_>) -> Next {
    receive(Pattern::Any, |_, _| done())
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

fn ping(left: i64, fails: i64, other: mazurka_engine::Pid, turn: &mut Turn<'_>) -> Next {
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

/// As ping-pong, but every receive has a different constraint, like calls with references.
fn calls(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (rounds, fails) = (args.int(0)?, args.int(1)?);
    let other = turn.spawn(start!(pong, rounds));
    call(rounds, fails, other, turn)
}

fn call(left: i64, fails: i64, other: mazurka_engine::Pid, turn: &mut Turn<'_>) -> Next {
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
