//! What directed search costs where there is nothing to find: the time of a whole exploration by
//! each strategy and valuation, as a multiple of depth first's. It takes a few minutes.
//!
//! ```text
//! cargo run --release -p mazurka-gallery --example directed_cost
//! ```
//!
//! All searches take turns in one process, and the least time of each is compared with the least time
//! of depth first: other load on the machine makes single runs longer, never shorter. Arguments after
//! `--` select the programs whose description starts with one of them.

use mazurka_engine::{
    Delivery, Directed, Direction, Frontend, Options, Place, SendersFirst, Settings, Stopped,
    Strategy, Valuation, Valuations, check,
};
use mazurka_gallery::{Built, find};
use std::collections::BTreeMap;
use std::error::Error;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Runs of each search of a program; more if a run is short.
const TURNS: std::ops::RangeInclusive<usize> = 3..=21;
/// Approximate time for each search.
const TIME: Duration = Duration::from_millis(50);
/// Seed of the random strategies.
const SEED: u64 = 1;

/// Programs without errors, with their parameters and delivery models: from 6 to 500,000 executions,
/// with short and long executions, with and without shared objects.
const PROGRAMS: [(&str, Delivery); 14] = [
    ("fan-in n=3", Delivery::P2p),
    ("counter n=2 reads=1", Delivery::P2p),
    ("registry n=2", Delivery::P2p),
    ("two-phase-commit n=3", Delivery::P2p),
    ("le-erlang n=3", Delivery::Mailbox),
    ("lost-update n=5 fixed=1", Delivery::P2p),
    ("fan-in n=6", Delivery::P2p),
    ("philosophers n=10 fixed=1", Delivery::Mailbox),
    ("client-server clients=4 rounds=2", Delivery::Mailbox),
    ("chameneos creatures=3 n=4", Delivery::Mailbox),
    ("counter n=6 reads=2", Delivery::P2p),
    ("attach clients=3 ping=1", Delivery::Mailbox),
    ("minesweeper rows=2 columns=3 fixed=1", Delivery::P2p),
    ("two-phase-commit n=6", Delivery::P2p),
];

/// A column of the table: searches, of which the most expensive one is shown.
struct Column {
    title: &'static str,
    ways: Vec<Way>,
}

struct Way {
    name: String,
    strategy: Strategy,
    direction: Option<Direction>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let columns = columns();
    let titles: Vec<&str> = columns.iter().map(|column| column.title).collect();
    println!("| program | executions | `dfs` | {} |", titles.join(" | "));
    println!("| --- | ---: | ---: |{}", " --- |".repeat(titles.len()));
    for (text, delivery) in PROGRAMS {
        let is_wanted = |wanted: &String| text.starts_with(wanted);
        if wanted.is_empty() || wanted.iter().any(is_wanted) {
            row(text, delivery, &columns)?;
        }
    }
    Ok(())
}

fn columns() -> Vec<Column> {
    let plain = |title, strategy: Strategy| Column {
        title,
        ways: vec![Way {
            name: String::new(),
            strategy,
            direction: None,
        }],
    };
    let best_first = |title, threshold, places: &[Place]| {
        // None of the programs reports distances.
        let all = Valuation::ALL.into_iter();
        let valuations = all.filter(|&valuation| valuation != Valuation::Distance);
        let way = |valuation: Valuation| Way {
            name: format!(" `{valuation}`"),
            strategy: Strategy::BestFirst { threshold },
            direction: Some(Direction::new(valuation.into(), places)),
        };
        let ways = valuations.map(way).collect();
        Column { title, ways }
    };
    vec![
        plain("`bfs`", Strategy::Bfs),
        plain("`random`", Strategy::Random { seed: SEED }),
        plain("`mcts`", Strategy::Mcts { seed: SEED }),
        best_first("`best-first`, at most", None, &Place::USUAL),
        best_first("`--threshold 0`, at most", Some(0), &Place::USUAL),
    ]
}

/// Measures a program and prints its row.
fn row(text: &str, delivery: Delivery, columns: &[Column]) -> Result<(), Box<dyn Error>> {
    let plain = Way {
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
        .map(|column| vec![Duration::MAX; column.ways.len()])
        .collect();
    for _ in 0..turns {
        let (time, _) = explore(text, delivery, &plain)?;
        least_plain = least_plain.min(time);
        for (column, least) in columns.iter().zip(&mut least) {
            for (way, least) in column.ways.iter().zip(least) {
                let (time, number) = explore(text, delivery, way)?;
                assert_eq!(number, executions, "{text}: {}{}", way.strategy, way.name);
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
        let names = column.ways.iter().map(|way| &way.name);
        let most = least.into_iter().zip(names).max();
        let (time, name) = most.ok_or("a column without ways")?;
        print!(" {:.2}{name} |", time.div_duration_f64(least_plain));
    }
    println!();
    Ok(())
}

/// The time of a whole exploration, and its number of executions.
fn explore(text: &str, delivery: Delivery, way: &Way) -> Result<(Duration, u64), Box<dyn Error>> {
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
        strategy: way.strategy,
        direction: way
            .direction
            .unwrap_or_else(|| Direction::new(Valuations::none(), &[])),
        ..Options::default()
    };
    match find(name)?.instantiate(&params)? {
        Built::Actors(program) => run(program, options),
        Built::Rust(program) => run(program, options),
    }
}
