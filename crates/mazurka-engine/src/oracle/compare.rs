//! One random program, explored in several ways and by brute force.

use super::brute::{TooLarge, brute};
use super::canonical::CanonicalTrace;
use super::generate::{Shape, generate};
use super::script::Script;
use crate::explore::{Explorer, Observer, Options};
use crate::frontier::Strategy;
use crate::guide::{ByHash, Guide, SendersFirst, mix};
use crate::timeouts::Timeouts;
use crate::view::Execution;
use mazurka_trace::Delivery;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::ControlFlow;

/// One random test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// What the program may use.
    pub shape: Shape,
    /// Which program.
    pub seed: u64,
    /// How messages are delivered.
    pub delivery: Delivery,
}

impl Case {
    /// The program.
    #[must_use]
    pub fn program(&self) -> Script {
        generate(self.shape, self.seed)
    }

    /// The timeout setting goes with the seed.
    #[must_use]
    pub fn timeouts(&self) -> Timeouts {
        match self.seed % 4 {
            0 | 1 => Timeouts::default(),
            2 => Timeouts::AnyTime,
            _ => Timeouts::WhenQuiet,
        }
    }
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Programs compared.
    pub programs: u64,
    /// Programs that were too large for brute force.
    pub too_large: u64,
    /// Of those, how many have more than one trace.
    pub racy: u64,
    /// Their traces by brute force.
    pub traces: u64,
    /// Explorations made, each compared with all traces of its program.
    pub explorations: u64,
    /// The most traces of one program.
    pub most: u64,
}

impl Tally {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Tally) -> Tally {
        Tally {
            programs: self.programs + other.programs,
            too_large: self.too_large + other.too_large,
            racy: self.racy + other.racy,
            traces: self.traces + other.traces,
            explorations: self.explorations + other.explorations,
            most: self.most.max(other.most),
        }
    }
}

/// An exploration that did not find exactly the traces that there are.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The test.
    pub case: Case,
    /// How it was explored.
    pub exploration: String,
    /// Traces that exploration did not find.
    pub missing: Vec<CanonicalTrace>,
    /// Traces that it found and that do not exist.
    pub invented: Vec<CanonicalTrace>,
    /// Traces that it found more than once.
    pub repeated: Vec<CanonicalTrace>,
    /// How many traces there are.
    pub traces: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:?} explored {}: {} missing, {} invented, {} repeated of {} traces",
            self.case,
            self.exploration,
            self.missing.len(),
            self.invented.len(),
            self.repeated.len(),
            self.traces,
        )?;
        for (role, instructions) in self.case.program().roles.iter().enumerate() {
            writeln!(f, "role {role}: {instructions:?}")?;
        }
        let kinds = [
            ("missing", &self.missing),
            ("invented", &self.invented),
            ("repeated", &self.repeated),
        ];
        for (kind, traces) in kinds {
            if let Some(trace) = traces.first() {
                writeln!(f, "first {kind}: {trace:#?}")?;
            }
        }
        Ok(())
    }
}

/// Collects traces and notices those found twice.
#[derive(Default)]
struct Collect {
    found: BTreeSet<CanonicalTrace>,
    repeated: Vec<CanonicalTrace>,
}

impl Observer<Script> for Collect {
    fn execution(&mut self, execution: &Execution<'_, Script>) -> ControlFlow<()> {
        let trace = execution.canonical();
        if !self.found.insert(trace.clone()) {
            self.repeated.push(trace);
        }
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        *self = Collect::default();
    }
}

/// Programs with more configurations than this are left out.
const CONFIGURATIONS: usize = 20_000;

/// Compares every way of exploring with brute force.
///
/// # Errors
/// The first exploration that differs.
///
/// # Panics
/// If a scripted program cannot be run, which is an error of ours.
pub fn check_case(case: Case) -> Result<Tally, Box<Difference>> {
    let script = case.program();
    let expected = match brute(&script, case.delivery, case.timeouts(), CONFIGURATIONS) {
        Ok(expected) => expected,
        Err(TooLarge) => {
            return Ok(Tally {
                too_large: 1,
                ..Tally::default()
            });
        }
    };
    let seed = mix(case.seed);
    // Memory for a handful of nodes, so that dropped ones are made again.
    let scarce = 2_000;
    let ample = 64 << 20;
    compare(case, &expected, SendersFirst, Strategy::Dfs, ample)?;
    compare(
        case,
        &expected,
        SendersFirst,
        Strategy::Random { seed },
        scarce,
    )?;
    compare(case, &expected, ByHash { seed }, Strategy::Dfs, scarce)?;
    compare(
        case,
        &expected,
        ByHash { seed: !seed },
        Strategy::Random { seed },
        ample,
    )?;
    compare(
        case,
        &expected,
        ByHash { seed: seed / 2 },
        Strategy::Bfs,
        ample,
    )?;
    Ok(Tally {
        programs: 1,
        racy: u64::from(expected.len() > 1),
        traces: expected.len() as u64,
        explorations: 5,
        most: expected.len() as u64,
        too_large: 0,
    })
}

fn compare<G: Guide + fmt::Debug>(
    case: Case,
    expected: &BTreeSet<CanonicalTrace>,
    guide: G,
    strategy: Strategy,
    node_memory: usize,
) -> Result<(), Box<Difference>> {
    let options = Options {
        delivery: case.delivery,
        timeouts: case.timeouts(),
        strategy,
        node_memory,
        ..Options::default()
    };
    let exploration = format!("{strategy:?} with {guide:?}");
    let mut collect = Collect::default();
    Explorer::new(case.program(), guide, options)
        .run(&mut collect)
        .expect("all is modelled");
    let missing: Vec<_> = expected.difference(&collect.found).cloned().collect();
    let invented: Vec<_> = collect.found.difference(expected).cloned().collect();
    if missing.is_empty() && invented.is_empty() && collect.repeated.is_empty() {
        return Ok(());
    }
    Err(Box::new(Difference {
        case,
        exploration,
        missing,
        invented,
        repeated: collect.repeated,
        traces: expected.len(),
    }))
}
