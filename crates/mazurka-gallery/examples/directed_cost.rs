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
    Delivery, Directed, Direction, Frontend, Options, Place, SendersFirst, Settings, Strategy,
    Valuation, check,
};
use mazurka_gallery::{Built, find};
use std::collections::BTreeMap;
use std::error::Error;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

const REPETITIONS: usize = 9;

type Params = &'static [(&'static str, &'static str)];

/// Programs in which nothing goes wrong, their parameters, and their delivery model.
const PROGRAMS: [(&str, Params, Delivery); 4] = [
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
];

type Way = (String, Strategy, Option<Valuation>);

fn main() -> Result<(), Box<dyn Error>> {
    let plain = [
        Strategy::Dfs,
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
    for (name, params, delivery) in PROGRAMS {
        let mut best = vec![Duration::MAX; ways.len()];
        let mut executions = 0;
        for _ in 0..REPETITIONS {
            for (way, best) in ways.iter().zip(&mut best) {
                let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
                let params: BTreeMap<String, String> = params.iter().map(owned).collect();
                let (time, number) = match find(name)?.instantiate(&params)? {
                    Built::Actors(program) => explore(program, way, delivery)?,
                    Built::Rust(program) => explore(program, way, delivery)?,
                };
                executions = number;
                *best = time.min(*best);
            }
        }
        println!("{name} {params:?}, {delivery}: {executions} executions");
        for ((way, ..), time) in ways.iter().zip(&best) {
            let ratio = time.as_secs_f64() / best[0].as_secs_f64();
            println!("  {way:<22} {ratio:.2}");
        }
    }
    Ok(())
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
            let direction = Direction::new((*valuation).into(), &Place::ALL);
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
