//! Measures how often the lower bound of a sample holds, and how tight it is: compares many samples of
//! each program with the exact number of traces.
//!
//! ```text
//! cargo run --release -p mazurka-gallery --example sampling_coverage -- 200
//! ```
//!
//! The argument is the number of samples of each program, with the seeds 0, 1, …; the default is 200.
//! The exact number is the program's closed form, or else the result of exploring it.

use mazurka_engine::{
    Delivery, Frontend, Options, Sampler, Sampling, SendersFirst, Settings, Stopped, check,
};
use mazurka_gallery::{Built, find};
use std::collections::BTreeMap;
use std::error::Error;
use std::ops::ControlFlow;

/// The number of executions in each sample.
const SAMPLE: u64 = 100;

/// Programs with balanced trees of executions, for which every dive is nearly exact, and with skewed
/// ones.
const PROGRAMS: [(&str, Delivery); 24] = [
    ("fan-in n=8", Delivery::Mailbox),
    ("registry n=5", Delivery::Unordered),
    ("regsim-2-level", Delivery::P2p),
    ("bank n=3 selective=1", Delivery::Mailbox),
    ("philosophers n=9 fixed=1", Delivery::Mailbox),
    ("ring n=4", Delivery::Unordered),
    ("two-phase-commit n=4", Delivery::Mailbox),
    ("client-server clients=3 rounds=3", Delivery::Mailbox),
    ("client-server clients=4 rounds=4", Delivery::Mailbox),
    ("fibonacci n=7", Delivery::Unordered),
    ("quicksort n=10", Delivery::Unordered),
    ("pipesort n=5", Delivery::Unordered),
    ("chameneos n=2 creatures=4", Delivery::Unordered),
    ("leader n=4", Delivery::Unordered),
    ("shortpath graph=5", Delivery::Unordered),
    ("lost-update n=3", Delivery::Mailbox),
    ("counter n=5 reads=2", Delivery::Mailbox),
    ("minesweeper rows=2 fixed=1", Delivery::Mailbox),
    ("le-erlang", Delivery::Unordered),
    ("attach ping=1", Delivery::Mailbox),
    ("attach clients=3", Delivery::Mailbox),
    ("heat n=3 pieces=1", Delivery::Mailbox),
    ("paxos proposers=2 acceptors=3", Delivery::Mailbox),
    ("paxos proposers=3 acceptors=3", Delivery::Mailbox),
];

fn main() -> Result<(), Box<dyn Error>> {
    let runs = std::env::args().nth(1);
    let runs: u64 = runs.map_or(Ok(200), |text| text.parse())?;
    println!(
        "| program | delivery | traces | bound is true | bound / traces | estimate / traces |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    let (mut held, mut all) = (0, 0);
    for (text, delivery) in PROGRAMS {
        let (program, traces) = prepare(text, delivery)?;
        let mut bounds = Vec::new();
        let mut estimates = Vec::new();
        for seed in 0..runs {
            let (bound, estimate) = sample(program.clone(), delivery, seed)?;
            bounds.push(bound / traces);
            estimates.push(estimate / traces);
        }
        let is_true = bounds.iter().filter(|&&bound| bound <= 1.0).count() as u64;
        println!(
            "| `{text}` | {delivery} | {traces} | {is_true} of {runs} | {} | {} |",
            spread(&mut bounds),
            spread(&mut estimates)
        );
        held += is_true;
        all += runs;
    }
    let percent = held as f64 / all as f64 * 100.0;
    println!("\nThe bound is true in {held} of {all} samples ({percent:.2} %).");
    Ok(())
}

/// The median and the range of the middle 90 %: `0.91 (0.85 to 0.96)`.
fn spread(numbers: &mut [f64]) -> String {
    numbers.sort_by(f64::total_cmp);
    let at = |percent: usize| numbers[(numbers.len() - 1) * percent / 100];
    format!("{:.2} ({:.2} to {:.2})", at(50), at(5), at(95))
}

/// The program, and its number of traces.
fn prepare(text: &str, delivery: Delivery) -> Result<(Built, f64), Box<dyn Error>> {
    let (name, params) = text.split_once(' ').unwrap_or((text, ""));
    let params: BTreeMap<String, String> = { params.split_whitespace() }
        .filter_map(|param| param.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let program = find(name)?;
    let built = program.instantiate(&params)?;
    if let Some(known) = program.known_traces(&params, delivery) {
        return Ok((built, known as f64));
    }
    let options = Options {
        delivery,
        ..Options::default()
    };
    let report = run(built.clone(), options)?;
    if report.stopped != Stopped::Complete {
        return Err(format!("{text} was not explored to its end").into());
    }
    Ok((built, report.progress.executions as f64))
}

/// The lower bound and the estimate of one sample.
fn sample(program: Built, delivery: Delivery, seed: u64) -> Result<(f64, f64), Box<dyn Error>> {
    let options = Options {
        delivery,
        sampling: Some(Sampling {
            executions: SAMPLE,
            sampler: Sampler::Uniform,
            seed,
        }),
        ..Options::default()
    };
    let sampled = run(program, options)?.progress.sampled;
    let estimate = sampled.and_then(|sampled| sampled.traces);
    let estimate = estimate.ok_or("a sample without an estimate")?;
    Ok((estimate.at_least, estimate.traces))
}

fn run(program: Built, options: Options) -> Result<mazurka_engine::Report, Box<dyn Error>> {
    fn run<F: Frontend>(program: F, options: Options) -> Result<mazurka_engine::Report, String> {
        let settings = Settings {
            explore: options,
            // Errors do not matter here.
            keep_going: true,
            ..Settings::default()
        };
        let go_on = |_: &_| ControlFlow::Continue(());
        check(program, SendersFirst, &settings, go_on).map_err(|fault| fault.to_string())
    }
    Ok(match program {
        Built::Actors(program) => run(program, options)?,
        Built::Rust(program) => run(program, options)?,
    })
}
