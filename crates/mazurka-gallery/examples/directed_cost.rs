//! Measures the overhead of directed search on correct programs: the time of a complete exploration
//! with each strategy and valuation, relative to depth-first search.
//!
//! ```text
//! cargo run --release -p mazurka-gallery --example directed_cost
//! ```
//!
//! All configurations take turns in one process, and the minimum time of each is compared with the
//! minimum time of depth-first search: other load on the machine makes single runs longer, never
//! shorter. The first table has the programs on which the budget of choices was tuned, the second
//! one other programs. Arguments after `--` select programs by prefix.

use mazurka_engine::{
    Delivery, Directed, Direction, Frontend, Options, Place, SendersFirst, Settings, Stopped,
    Strategy, Valuation, Valuations, check,
};
use mazurka_gallery::{Built, find};
use std::collections::BTreeMap;
use std::error::Error;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The number of runs for each program: more if a run is short.
const TURNS: std::ops::RangeInclusive<usize> = 7..=101;
/// The approximate total time for each configuration.
const TIME: Duration = Duration::from_millis(200);

/// A correct program with its parameters and delivery model.
type Program = (&'static str, Delivery);

/// The programs on which the constants of the budget were tuned.
const TUNED: [Program; 53] = [
    ("fan-in n=6", Delivery::P2p),
    ("fan-in n=7", Delivery::P2p),
    ("fan-in n=9", Delivery::P2p),
    ("client-server clients=3 rounds=4", Delivery::P2p),
    ("registry n=7", Delivery::Unordered),
    ("regsim-2-level groups=3 n=2", Delivery::P2p),
    ("regsim-2-level groups=3 n=3", Delivery::P2p),
    ("chameneos creatures=4 n=3", Delivery::P2p),
    ("chameneos creatures=3 n=4", Delivery::Mailbox),
    ("pipesort n=5", Delivery::Unordered),
    ("ring n=5", Delivery::Unordered),
    ("fibonacci n=7", Delivery::P2p),
    ("quicksort n=14", Delivery::P2p),
    ("philosophers n=13 fixed=1", Delivery::P2p),
    ("two-phase-commit n=5", Delivery::P2p),
    ("two-phase-commit n=6", Delivery::P2p),
    ("bank n=3 selective=1", Delivery::P2p),
    ("minesweeper rows=2 columns=3 fixed=1", Delivery::P2p),
    ("heat n=2 pieces=3 fixed=1", Delivery::P2p),
    ("attach clients=3 ping=1", Delivery::Mailbox),
    ("counter n=6 reads=2", Delivery::P2p),
    ("counter n=8 reads=1", Delivery::P2p),
    ("name-race n=5 fixed=1", Delivery::P2p),
    ("shortpath graph=5", Delivery::Unordered),
    ("shortpath graph=4", Delivery::Unordered),
    ("le-erlang n=3", Delivery::P2p),
    ("le-erlang n=3", Delivery::Mailbox),
    ("lost-update n=5 fixed=1", Delivery::P2p),
    ("lost-update n=6 fixed=1", Delivery::P2p),
    ("name-race n=6 fixed=1", Delivery::P2p),
    ("attach clients=3", Delivery::P2p),
    ("attach clients=3 ping=1", Delivery::Unordered),
    ("heat n=1 pieces=3 fixed=1", Delivery::P2p),
    ("pi n=6", Delivery::Unordered),
    ("client-server clients=4 rounds=2", Delivery::Mailbox),
    ("two-phase-commit n=4", Delivery::Causal),
    ("counter n=5 reads=4", Delivery::P2p),
    ("counter n=4 reads=2", Delivery::Mailbox),
    ("regsim-2-level groups=2 n=4", Delivery::P2p),
    ("philosophers n=10 fixed=1", Delivery::Mailbox),
    ("minesweeper rows=2 columns=2 fixed=1", Delivery::P2p),
    ("quicksort n=10", Delivery::Unordered),
    ("fibonacci n=8", Delivery::P2p),
    ("registry n=6", Delivery::P2p),
    ("bank n=4 selective=1", Delivery::P2p),
    ("fan-in n=2", Delivery::P2p),
    ("fan-in n=3", Delivery::P2p),
    ("fan-in n=4", Delivery::P2p),
    ("client-server clients=2 rounds=2", Delivery::P2p),
    ("counter n=2 reads=1", Delivery::P2p),
    ("two-phase-commit n=2", Delivery::P2p),
    ("two-phase-commit n=3", Delivery::P2p),
    ("registry n=2", Delivery::P2p),
];

/// Programs that were not used for tuning.
const HELD_OUT: [Program; 56] = [
    ("fan-in n=8", Delivery::Mailbox),
    ("registry n=7", Delivery::Causal),
    ("registry n=5", Delivery::Unordered),
    ("regsim-2-level groups=4 n=2", Delivery::P2p),
    ("regsim-2-level groups=2 n=3", Delivery::Unordered),
    ("client-server clients=2 rounds=8", Delivery::Unordered),
    ("client-server clients=4 rounds=3", Delivery::P2p),
    ("fibonacci n=6", Delivery::Mailbox),
    ("fibonacci n=7", Delivery::Unordered),
    ("quicksort n=12", Delivery::Causal),
    ("pi n=8", Delivery::P2p),
    ("pipesort n=4", Delivery::Unordered),
    ("chameneos creatures=3 n=3", Delivery::Unordered),
    ("philosophers n=8 fixed=1", Delivery::Unordered),
    ("ring n=4", Delivery::Unordered),
    ("two-phase-commit n=5", Delivery::Unordered),
    ("two-phase-commit n=4 timeout=1", Delivery::P2p),
    ("counter n=7 reads=2", Delivery::P2p),
    ("counter n=5 reads=1", Delivery::Unordered),
    ("counter n=3 reads=8", Delivery::P2p),
    ("attach clients=4", Delivery::P2p),
    ("attach clients=3", Delivery::Unordered),
    ("lost-update n=7 fixed=1", Delivery::Mailbox),
    ("name-race n=7 fixed=1", Delivery::Mailbox),
    ("le-erlang n=3", Delivery::Unordered),
    ("bank n=3 selective=1", Delivery::Unordered),
    ("heat n=1 pieces=4 fixed=1", Delivery::P2p),
    ("minesweeper rows=2 columns=3 fixed=1", Delivery::Unordered),
    ("fan-in n=2", Delivery::Mailbox),
    ("fan-in n=4", Delivery::Unordered),
    ("counter n=2 reads=2", Delivery::P2p),
    ("counter n=3 reads=1", Delivery::Unordered),
    ("quicksort n=3", Delivery::P2p),
    ("fibonacci n=3", Delivery::P2p),
    ("fibonacci n=4", Delivery::P2p),
    ("pi n=2", Delivery::P2p),
    ("pi n=3", Delivery::Unordered),
    ("philosophers n=2 fixed=1", Delivery::P2p),
    ("ring n=3", Delivery::Unordered),
    ("lost-update n=2 fixed=1", Delivery::P2p),
    ("name-race n=2 fixed=1", Delivery::P2p),
    ("regsim-2-level groups=2 n=1", Delivery::P2p),
    ("chameneos creatures=2 n=2", Delivery::P2p),
    ("client-server clients=3 rounds=1", Delivery::P2p),
    ("client-server clients=2 rounds=1", Delivery::Causal),
    ("attach clients=1", Delivery::P2p),
    ("attach clients=2", Delivery::Mailbox),
    ("pipesort n=3", Delivery::Unordered),
    ("le-erlang n=2", Delivery::Unordered),
    ("registry n=3", Delivery::Unordered),
    ("registry n=4", Delivery::Causal),
    ("selective", Delivery::P2p),
    ("two-phase-commit n=2 timeout=1", Delivery::P2p),
    ("ping-pong-register fixed=1", Delivery::P2p),
    ("pairs n=3", Delivery::P2p),
    ("fan-in-tagged n=3", Delivery::P2p),
];

/// A column of the table: the maximum over several configurations.
struct Column {
    title: &'static str,
    configurations: Vec<Configuration>,
}

struct Configuration {
    name: String,
    strategy: Strategy,
    direction: Option<Direction>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    table(&TUNED, 1, &wanted)?;
    println!();
    table(&HELD_OUT, 4711, &wanted)
}

/// Measures programs, with this seed for random choices.
fn table(programs: &[Program], seed: u64, wanted: &[String]) -> Result<(), Box<dyn Error>> {
    let columns = columns(seed);
    let titles: Vec<&str> = columns.iter().map(|column| column.title).collect();
    println!("| program | executions | `dfs` | {} |", titles.join(" | "));
    println!("| --- | ---: | ---: |{}", " --- |".repeat(titles.len()));
    for &(text, delivery) in programs {
        let is_wanted = |wanted: &String| text.starts_with(wanted);
        if wanted.is_empty() || wanted.iter().any(is_wanted) {
            row(text, delivery, &columns)?;
        }
    }
    Ok(())
}

fn columns(seed: u64) -> Vec<Column> {
    let plain = |title, strategy: Strategy| Column {
        title,
        configurations: vec![Configuration {
            name: String::new(),
            strategy,
            direction: None,
        }],
    };
    let best_first = |title, threshold, places: &[Place]| Column {
        title,
        configurations: Valuation::ALL
            .map(|valuation| Configuration {
                name: format!(" `{valuation}`"),
                strategy: Strategy::BestFirst { threshold },
                direction: Some(Direction::new(valuation.into(), places)),
            })
            .into(),
    };
    vec![
        plain("`bfs`", Strategy::Bfs),
        plain("`random`", Strategy::Random { seed }),
        plain("`mcts`", Strategy::Mcts { seed }),
        best_first("`best-first`, at most", None, &Place::USUAL),
        best_first("at all places", None, &Place::ALL),
        best_first("and `--threshold 0`", Some(0), &Place::ALL),
    ]
}

/// Measures a program and prints its row.
fn row(text: &str, delivery: Delivery, columns: &[Column]) -> Result<(), Box<dyn Error>> {
    let plain = Configuration {
        name: String::new(),
        strategy: Strategy::Dfs,
        direction: None,
    };
    let (time, executions) = explore(text, delivery, &plain)?;
    let turns = TIME.div_duration_f64(time) as usize;
    let turns = turns.clamp(*TURNS.start(), *TURNS.end());
    let mut least_plain = Duration::MAX;
    let mut least: Vec<Vec<Duration>> = columns
        .iter()
        .map(|column| vec![Duration::MAX; column.configurations.len()])
        .collect();
    for _ in 0..turns {
        let (time, _) = explore(text, delivery, &plain)?;
        least_plain = least_plain.min(time);
        for (column, least) in columns.iter().zip(&mut least) {
            for (configuration, least) in column.configurations.iter().zip(least) {
                let (time, number) = explore(text, delivery, configuration)?;
                assert_eq!(
                    number, executions,
                    "{text}: {}{}",
                    configuration.strategy, configuration.name
                );
                *least = time.min(*least);
            }
        }
    }
    let time = match least_plain.as_secs_f64() {
        seconds if seconds < 1e-3 => format!("{:.1} µs", 1e6 * seconds),
        seconds => format!("{:.1} ms", 1e3 * seconds),
    };
    print!("| `{text}`, {delivery} | {executions} | {time} |");
    for (column, least) in columns.iter().zip(least) {
        let names = column
            .configurations
            .iter()
            .map(|configuration| &configuration.name);
        let most = least.into_iter().zip(names).max();
        let (time, name) = most.ok_or("a column without configurations")?;
        print!(" {:.2}{name} |", time.div_duration_f64(least_plain));
    }
    println!();
    Ok(())
}

/// The duration and the number of executions of a complete exploration.
fn explore(
    text: &str,
    delivery: Delivery,
    configuration: &Configuration,
) -> Result<(Duration, u64), Box<dyn Error>> {
    fn run<F: Frontend>(program: F, explore: Options) -> Result<(Duration, u64), Box<dyn Error>> {
        let settings = Settings {
            explore,
            ..Settings::default()
        };
        let go_on = |_: &_| ControlFlow::Continue(());
        let guide = Directed::new(&settings.explore.direction);
        let is_directed = settings.explore.direction.places().next().is_some();
        let start = Instant::now();
        let report = match is_directed {
            true => check(program, guide, &settings, go_on)?,
            false => check(program, SendersFirst, &settings, go_on)?,
        };
        let time = start.elapsed();
        assert_eq!(report.stopped, Stopped::Complete);
        Ok((time, report.progress.executions))
    }
    let (name, params) = text.split_once(' ').unwrap_or((text, ""));
    let params: BTreeMap<String, String> = params
        .split_terminator(' ')
        .filter_map(|param| param.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    let options = Options {
        delivery,
        strategy: configuration.strategy,
        direction: configuration
            .direction
            .unwrap_or_else(|| Direction::new(Valuations::none(), &[])),
        ..Options::default()
    };
    match find(name)?.instantiate(&params)? {
        Built::Actors(program) => run(program, options),
        Built::Rust(program) => run(program, options),
    }
}
