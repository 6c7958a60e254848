//! What is measured, how often, and the table of results.

use std::fmt;
use std::time::Instant;

/// A program that every tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// `senders` processes each send one distinct message to one receiver.
    FanIn { senders: usize },
    /// `clients` processes each do `rounds` rounds of request and reply with one server.
    ClientServer { clients: usize, rounds: usize },
    /// A master registers at a registry and sends its address to `workers` processes, which
    /// register, too.
    Registry { workers: usize },
    /// `participants` processes vote, and acknowledge what was decided.
    TwoPhaseCommit { participants: usize },
}

impl Program {
    /// The number of executions that differ in the order in which messages are taken.
    pub fn executions(self) -> u64 {
        match self {
            Program::FanIn { senders } => factorial(senders),
            Program::ClientServer { clients, rounds } => {
                let orders_of_one_client = factorial(rounds);
                (0..clients).fold(factorial(clients * rounds), |orders, _| {
                    orders / orders_of_one_client
                })
            }
            Program::Registry { workers } => factorial(workers + 1),
            Program::TwoPhaseCommit { participants } => factorial(participants).pow(2),
        }
    }
}

fn factorial(n: usize) -> u64 {
    (1..=n as u64).product()
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Program::FanIn { senders } => write!(f, "fan-in {senders}"),
            Program::ClientServer { clients, rounds } => {
                write!(f, "client-server {clients} {rounds}")
            }
            Program::Registry { workers } => write!(f, "registry {workers}"),
            Program::TwoPhaseCommit { participants } => {
                write!(f, "two-phase-commit {participants}")
            }
        }
    }
}

/// How one tool runs a program; nothing if it is not written for that tool.
pub type Tool = fn(Program) -> Option<Measurement>;

/// One run of one tool on one program.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The tool's name and version.
    pub tool: &'static str,
    /// What it ran.
    pub program: Program,
    /// Complete executions that it reported.
    pub executions: u64,
    /// Executions that it began and could not finish.
    pub blocked: u64,
    /// Distinct states, if the tool counts them.
    pub states: Option<u64>,
    /// How often a process really ran from one receive to the next, if the tool counts that.
    pub runs: Option<u64>,
    /// Wall-clock time of the exploration.
    pub seconds: f64,
    /// Whether `executions` should equal [`Program::executions`].
    pub extent: Extent,
}

/// How much of the program's behaviour a run covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Each execution exactly once.
    EachOnce,
    /// Every interleaving on its own, up to a limit: the tool has no reduction, by design.
    Unreduced,
}

impl Measurement {
    fn executions_per_second(&self) -> f64 {
        self.executions as f64 / self.seconds
    }

    fn count_is_right(&self) -> bool {
        match self.extent {
            Extent::EachOnce => self.executions == self.program.executions() && self.blocked == 0,
            Extent::Unreduced => true,
        }
    }
}

/// Runs `explore` and measures its time.
pub fn timed<T>(explore: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = explore();
    (result, start.elapsed().as_secs_f64())
}

/// Runs `program` under every tool `repetitions` times. The tools take turns, so that a busy
/// spell of the machine falls on all of them.
pub fn run(program: Program, tools: &[Tool], repetitions: usize) -> Table {
    assert!(repetitions > 0);
    let mut runs: Vec<Vec<Measurement>> = tools.iter().map(|_| Vec::new()).collect();
    for _ in 0..repetitions {
        for (tool, runs) in tools.iter().zip(&mut runs) {
            runs.extend(tool(program));
        }
    }
    runs.retain(|runs| !runs.is_empty());
    Table {
        program,
        repetitions,
        rows: runs.into_iter().map(Row::new).collect(),
    }
}

/// The results of one program.
pub struct Table {
    program: Program,
    repetitions: usize,
    rows: Vec<Row>,
}

/// The repetitions of one tool.
struct Row {
    best: Measurement,
    median_seconds: f64,
    all_counts_right: bool,
}

impl Row {
    fn new(mut runs: Vec<Measurement>) -> Row {
        runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        Row {
            all_counts_right: runs.iter().all(Measurement::count_is_right),
            median_seconds: runs[runs.len() / 2].seconds,
            best: runs.swap_remove(0),
        }
    }

    fn verdict(&self) -> String {
        let Measurement {
            program, blocked, ..
        } = self.best;
        match self.best.extent {
            Extent::EachOnce if self.all_counts_right => "each once".to_owned(),
            Extent::EachOnce => format!(
                "WRONG: expected {}, and {blocked} blocked",
                program.executions()
            ),
            Extent::Unreduced => "interleavings, no reduction".to_owned(),
        }
    }
}

impl Table {
    /// Whether every tool reported the number of executions that it should.
    pub fn all_counts_right(&self) -> bool {
        self.rows.iter().all(|row| row.all_counts_right)
    }

    /// The best speed of Mazurka's library, if it was measured: that is what peers are compared
    /// with, because it runs ordinary code as they do.
    fn mazurka_speed(&self) -> Option<f64> {
        self.rows
            .iter()
            .find(|row| row.best.tool.starts_with("mazurka library"))
            .map(|row| row.best.executions_per_second())
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Table {
            program,
            repetitions,
            ..
        } = self;
        writeln!(
            f,
            "{program}: {} executions, best of {repetitions}",
            program.executions()
        )?;
        writeln!(
            f,
            "  {:<22} {:>10} {:>10} {:>10} {:>10} {:>10} {:>12} {:>12} {:>12}  count",
            "tool",
            "executions",
            "states",
            "runs",
            "best s",
            "median s",
            "exec/s",
            "states/s",
            "library/this"
        )?;
        for row in &self.rows {
            let best = &row.best;
            let speed = best.executions_per_second();
            let states = best.states.map(|states| states.to_string());
            let states_speed = best
                .states
                .map(|states| format!("{:.0}", states as f64 / best.seconds));
            let ratio = self
                .mazurka_speed()
                .map(|mazurka| format!("{:.2}", mazurka / speed));
            let or_dash = |cell: Option<String>| cell.unwrap_or_else(|| "-".to_owned());
            writeln!(
                f,
                "  {:<22} {:>10} {:>10} {:>10} {:>10.4} {:>10.4} {:>12.0} {:>12} {:>12}  {}",
                best.tool,
                best.executions,
                or_dash(states),
                or_dash(best.runs.map(|runs| runs.to_string())),
                best.seconds,
                row.median_seconds,
                speed,
                or_dash(states_speed),
                or_dash(ratio),
                row.verdict(),
            )?;
        }
        Ok(())
    }
}
