//! What directed search costs where there is nothing to find: the time of a whole exploration by
//! each strategy and valuation, as a multiple of depth first, all by turns in one process. It is the
//! time on a processor, where the system tells (Linux), so that others may be busy, too.
//!
//! ```text
//! cargo run --release -p mazurka-gallery --example directed_cost
//! ```
//!
//! Names of strategies and valuations after `--` measure only these.

use mazurka_engine::{
    Delivery, Directed, Direction, Frontend, Options, SendersFirst, Settings, Strategy, Valuation,
    Valuations, check,
};
use mazurka_gallery::{Built, find};
use std::collections::BTreeMap;
use std::error::Error;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

const REPETITIONS: usize = 5;

type Params = &'static [(&'static str, &'static str)];

/// Programs in which nothing goes wrong, their parameters, and their delivery model.
const PROGRAMS: [(&str, Params, Delivery); 9] = [
    ("fan-in", &[("n", "9")], Delivery::P2p),
    (
        "client-server",
        &[("clients", "3"), ("rounds", "4")],
        Delivery::P2p,
    ),
    ("registry", &[("n", "7")], Delivery::Unordered),
    (
        "chameneos",
        &[("creatures", "4"), ("n", "3")],
        Delivery::P2p,
    ),
    ("pipesort", &[("n", "5")], Delivery::Unordered),
    ("fibonacci", &[("n", "8")], Delivery::P2p),
    (
        "philosophers",
        &[("n", "13"), ("fixed", "1")],
        Delivery::P2p,
    ),
    ("two-phase-commit", &[("n", "6")], Delivery::P2p),
    (
        "regsim-2-level",
        &[("groups", "3"), ("n", "3")],
        Delivery::P2p,
    ),
];

type Way = (String, Strategy, Option<Valuation>);

fn main() -> Result<(), Box<dyn Error>> {
    let plain = [
        Strategy::Dfs,
        Strategy::Bfs,
        Strategy::Random { seed: 1 },
        Strategy::Mcts { seed: 1 },
    ];
    let plain = plain.map(|strategy| (strategy.to_string(), strategy, None));
    let valued = Valuation::ALL.map(|valuation| {
        let best = Strategy::BestFirst { threshold: None };
        (valuation.to_string(), best, Some(valuation))
    });
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |(name, ..): &Way| name == "dfs" || wanted.is_empty() || wanted.contains(name);
    let ways = plain.into_iter().chain(valued).filter(is_wanted);
    let ways: Vec<Way> = ways.collect();
    let mut rows: Vec<String> = ways
        .iter()
        .map(|(way, ..)| format!("| `{way}` |"))
        .collect();
    for (at, &(name, params, delivery)) in PROGRAMS.iter().enumerate() {
        let (times, executions) = measure(&ways, name, params, delivery)?;
        let (milliseconds, params) = (1e3 * times[0], params.iter());
        let params: Vec<String> = params
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        let (number, params) = (at + 1, params.join(" "));
        println!(
            "{number}. `{name}` {params}, {delivery}: {executions} executions, {milliseconds:.0} ms"
        );
        for (row, time) in rows.iter_mut().zip(&times) {
            *row += &format!(" {:.2} |", time / times[0]);
        }
    }
    let numbers: Vec<String> = (1..=PROGRAMS.len())
        .map(|number| number.to_string())
        .collect();
    println!("\n| | {} |", numbers.join(" | "));
    println!("| --- |{}", " ---: |".repeat(PROGRAMS.len()));
    println!("{}", rows.join("\n"));
    Ok(())
}

/// The least time that each way takes for a program, in seconds, and its executions.
fn measure(
    ways: &[Way],
    name: &str,
    params: Params,
    delivery: Delivery,
) -> Result<(Vec<f64>, u64), Box<dyn Error>> {
    let owned = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    let params: BTreeMap<String, String> = params.iter().map(owned).collect();
    let mut best = vec![f64::INFINITY; ways.len()];
    let mut executions = 0;
    for _ in 0..REPETITIONS {
        for (way, best) in ways.iter().zip(&mut best) {
            let (time, number) = match find(name)?.instantiate(&params)? {
                Built::Actors(program) => explore(program, way, delivery)?,
                Built::Rust(program) => explore(program, way, delivery)?,
            };
            executions = number;
            *best = time.as_secs_f64().min(*best);
        }
    }
    Ok((best, executions))
}

fn explore<F: Frontend>(
    program: F,
    (_, strategy, valuation): &Way,
    delivery: Delivery,
) -> Result<(Duration, u64), Box<dyn Error>> {
    let mut settings = Settings {
        explore: Options {
            delivery,
            strategy: *strategy,
            ..Options::default()
        },
        ..Settings::default()
    };
    let go_on = |_: &_| ControlFlow::Continue(());
    let start = Clock::start();
    let report = match valuation {
        None => check(program, SendersFirst, &settings, go_on)?,
        Some(valuation) => {
            let direction = Direction::from(Valuations::from(*valuation));
            settings.explore.direction = direction;
            check(program, Directed::new(&direction), &settings, go_on)?
        }
    };
    Ok((start.elapsed(), report.progress.executions))
}

/// A stopwatch.
struct Clock {
    on_processor: Option<Duration>,
    start: Instant,
}

impl Clock {
    fn start() -> Self {
        Clock {
            on_processor: on_processor(),
            start: Instant::now(),
        }
    }

    fn elapsed(&self) -> Duration {
        let elapsed = self.start.elapsed();
        match (self.on_processor, on_processor()) {
            (Some(before), Some(now)) => now - before,
            _ => elapsed,
        }
    }
}

/// How long this thread has been on a processor, if the system tells.
fn on_processor() -> Option<Duration> {
    // The system adds it up when it takes a thread off its processor.
    std::thread::sleep(Duration::from_micros(1));
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
