//! One random program, explored in several ways and by brute force.

use super::brute::{TooLarge, brute};
use super::program::{Case, Script, Shape, mix};
use super::share::share;
use crate::algorithm::{Algorithm, AlgorithmOptions, Order, SleepSets};
use crate::explore::explore;
use mazurka_engine::CanonicalTrace;
use mazurka_engine::Execution;
use mazurka_engine::Hunter;
use mazurka_engine::Options;
use mazurka_engine::Strategy;
use mazurka_engine::{ByHash, Guide, SendersFirst};
use mazurka_engine::{Directed, Direction, Place, Valuation, Valuations};
use mazurka_engine::{Observer, Progress, Stopped};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::ControlFlow;

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Programs compared.
    pub programs: u64,
    /// Those with more than one trace.
    pub racy: u64,
    /// Their traces by brute force.
    pub traces: u64,
    /// Explorations made, each compared with all traces of its program.
    pub explorations: u64,
    /// The most traces of one program.
    pub most: u64,
    /// Programs that were left out as too large, for brute force or for an algorithm with
    /// little reduction.
    pub too_large: u64,
}

impl Tally {
    /// The sum of both.
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

/// An exploration that did not find exactly the traces of brute force, each as often as allowed.
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
    /// The number of traces by brute force.
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

/// Collects traces and records those found twice.
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

/// Published algorithms without much reduction stop after this many executions.
const EXECUTIONS: u64 = 5_000;

/// Memory for a few behaviour nodes, so that nodes are evicted and made again.
const SCARCE: usize = 2_000;

/// Compares every way of exploring, by these algorithms, with brute force.
///
/// # Errors
/// The first exploration that differs.
///
/// # Panics
/// If a scripted program cannot be run, which is an error of ours.
pub fn check_case(case: Case, algorithms: &[Algorithm]) -> Result<Tally, Box<Difference>> {
    compare(case, |comparison| {
        for &algorithm in algorithms {
            comparison.by(algorithm)?;
        }
        Ok(())
    })
}

/// Compares each of these searches with brute force: every trace once.
///
/// # Errors
/// The first search that differs.
///
/// # Panics
/// If a scripted program cannot be run, which is an error of ours.
pub fn check_searches(case: Case, searches: &[Hunter]) -> Result<Tally, Box<Difference>> {
    compare(case, |comparison| {
        for search in searches {
            comparison.along(search.strategy, search.direction)?;
        }
        Ok(())
    })
}

/// Compares with brute force, if that can be done.
fn compare(
    case: Case,
    explore: impl FnOnce(&mut Comparison<'_>) -> Result<(), Box<Difference>>,
) -> Result<Tally, Box<Difference>> {
    let script = case.program();
    let too_large = Tally {
        too_large: 1,
        ..Tally::default()
    };
    let expected = match brute(&script, case.delivery, case.timeouts(), CONFIGURATIONS) {
        Ok(expected) => expected,
        Err(TooLarge) => return Ok(too_large),
    };
    let mut comparison = Comparison {
        case,
        expected: &expected,
        explorations: 0,
        all_finished: true,
    };
    explore(&mut comparison)?;
    let traces = expected.len() as u64;
    Ok(match comparison.all_finished {
        true => Tally {
            programs: 1,
            too_large: 0,
            racy: u64::from(traces > 1),
            traces,
            explorations: comparison.explorations,
            most: traces,
        },
        false => too_large,
    })
}

fn sleep_settings(algorithm: Algorithm) -> &'static [bool] {
    match algorithm.sleep_sets() {
        SleepSets::Always => &[true],
        SleepSets::Never => &[false],
        SleepSets::Optional { .. } => &[true, false],
    }
}

/// One program, its traces by brute force, and what has been compared.
struct Comparison<'e> {
    case: Case,
    expected: &'e BTreeSet<CanonicalTrace>,
    explorations: u64,
    /// No exploration was stopped at a limit.
    all_finished: bool,
}

impl Comparison<'_> {
    /// Compares an algorithm under each of its settings.
    fn by(&mut self, algorithm: Algorithm) -> Result<(), Box<Difference>> {
        match algorithm {
            Algorithm::Optimal => self.optimal(),
            // They reorder choices freely, and would exceed the limit.
            _ if self.case.shape == Shape::Disturbances => Ok(()),
            Algorithm::TransDpor => self.transdpor(),
            Algorithm::Interleavings => self.interleavings(),
            Algorithm::Odpor | Algorithm::Source | Algorithm::Dpor | Algorithm::Naive => {
                for sleep_sets in sleep_settings(algorithm) {
                    self.published(algorithm, sleep_sets)?;
                }
                Ok(())
            }
        }
    }

    /// The optimal algorithm, with any guide, strategy and memory limit: every trace once.
    fn optimal(&mut self) -> Result<(), Box<Difference>> {
        let seed = mix(self.case.seed);
        let ample = 64 << 20;
        let random = Strategy::Random { seed };
        self.guided(SendersFirst, Strategy::Dfs, ample)?;
        self.guided(SendersFirst, random, SCARCE)?;
        self.guided(ByHash { seed }, Strategy::Dfs, SCARCE)?;
        self.guided(ByHash { seed: !seed }, random, ample)?;
        self.guided(ByHash { seed: seed / 2 }, Strategy::Bfs, ample)?;
        self.shared(seed)?;
        self.directed(seed)
    }

    /// For each strategy that uses valuations: one valuation at all places, and several at some places.
    fn directed(&mut self, seed: u64) -> Result<(), Box<Difference>> {
        let one = Valuation::ALL[(seed % 11) as usize];
        let everywhere = Direction::new(one.into(), &Place::ALL);
        let threshold = [None, Some(0), Some(10), Some(50), Some(200)][(seed >> 8) as usize % 5];
        self.along(Strategy::BestFirst { threshold }, everywhere)?;
        let drawn = mix(seed ^ 0xd1ec);
        let mut some = Valuations::none();
        for (at, valuation) in Valuation::ALL.into_iter().enumerate() {
            if drawn >> (at * 2) & 3 == 0 {
                some = some.with(valuation, 1 + (drawn >> (24 + at)) as u16 % 4);
            }
        }
        let places: Vec<Place> = Place::ALL
            .into_iter()
            .filter(|&place| drawn >> (40 + place as u32) & 1 == 1)
            .collect();
        self.along(Strategy::Mcts { seed }, Direction::new(some, &places))?;
        let threshold = Some(drawn as u32 % 200).filter(|&percent| percent < 100);
        self.along(
            Strategy::BestFirst { threshold },
            Direction::new(some, &places),
        )
    }

    fn along(&mut self, strategy: Strategy, direction: Direction) -> Result<(), Box<Difference>> {
        let how = format!("{strategy:?} along {direction:?}");
        let options = Options {
            strategy,
            direction,
            ..self.options()
        };
        let by = AlgorithmOptions::default();
        self.explore(Directed::new(&direction), &by, &options, how, Twice::Never)?;
        Ok(())
    }

    fn guided<G: Guide + fmt::Debug>(
        &mut self,
        guide: G,
        strategy: Strategy,
        node_memory: usize,
    ) -> Result<(), Box<Difference>> {
        let how = format!("{strategy:?} with {guide:?}");
        let options = Options {
            strategy,
            node_memory,
            ..self.options()
        };
        let by = AlgorithmOptions::default();
        self.explore(guide, &by, &options, how, Twice::Never)?;
        Ok(())
    }

    /// No trace missing; with sleep sets, none twice.
    fn published(
        &mut self,
        algorithm: Algorithm,
        &sleep_sets: &bool,
    ) -> Result<Progress, Box<Difference>> {
        let order = Order::ALL[(mix(self.case.seed) % 3) as usize];
        let by = AlgorithmOptions {
            algorithm,
            order,
            sleep_sets,
            ..AlgorithmOptions::default()
        };
        let options = Options {
            max_executions: Some(EXECUTIONS),
            ..self.options()
        };
        let how = format!("{algorithm} in order {order}, sleep sets {sleep_sets}");
        let twice = match sleep_sets {
            true => Twice::Never,
            false => Twice::Allowed,
        };
        let progress = self.explore(SendersFirst, &by, &options, how.clone(), twice)?;
        if algorithm == Algorithm::Odpor && progress.blocked > 0 {
            return Err(self.difference(format!("{how}: {} blocked", progress.blocked)));
        }
        Ok(progress)
    }

    /// TransDPOR explores no more executions than DPOR: without sleep sets, that is a theorem. With
    /// sleep sets both complete equally many, and the number of blocked executions depends on the order.
    fn transdpor(&mut self) -> Result<(), Box<Difference>> {
        self.published(Algorithm::TransDpor, &true)?;
        let less = self.published(Algorithm::TransDpor, &false)?;
        let more = self.published(Algorithm::Dpor, &false)?;
        let is_more = less.executions > more.executions || less.transitions > more.transitions;
        if self.all_finished && is_more {
            let how = format!("transdpor: {less:?}, more than dpor: {more:?}");
            return Err(self.difference(how));
        }
        Ok(())
    }

    /// `interleavings` with default settings, and with one variation: with or without blocking
    /// avoidance, with a bound on preemptions that is too high to matter.
    fn interleavings(&mut self) -> Result<(), Box<Difference>> {
        let other = match mix(self.case.seed) % 3 {
            0 => (false, None),
            1 => (true, Some(1_000)),
            _ => (false, Some(1_000)),
        };
        for (blocking_avoidance, preemption_bound) in [(true, None), other] {
            let by = AlgorithmOptions {
                algorithm: Algorithm::Interleavings,
                blocking_avoidance,
                preemption_bound,
                ..AlgorithmOptions::default()
            };
            let options = Options {
                max_executions: Some(EXECUTIONS),
                ..self.options()
            };
            let how = format!(
                "interleavings, blocking avoidance {blocking_avoidance}, \
                 preemption bound {preemption_bound:?}"
            );
            self.explore(SendersFirst, &by, &options, how, Twice::Allowed)?;
        }
        Ok(())
    }

    fn options(&self) -> Options {
        let node_memory = match mix(self.case.seed) & 1 {
            0 => SCARCE,
            _ => Options::default().node_memory,
        };
        // The programs are small: with the default nearly every item would be chosen.
        let free_choices = match mix(self.case.seed) >> 1 & 3 {
            0 => Options::default().free_choices,
            choices => choices * choices,
        };
        Options {
            delivery: self.case.delivery,
            timeouts: self.case.timeouts(),
            free_choices,
            node_memory,
            ..Options::default()
        }
    }

    /// Several explorers in turns, which pass items to each other as text, and each of which has met
    /// processes, objects and values in another order before: every trace once.
    fn shared(&mut self, seed: u64) -> Result<(), Box<Difference>> {
        let strategy = match seed % 3 {
            0 => Strategy::Dfs,
            1 => Strategy::Bfs,
            _ => Strategy::Random { seed },
        };
        let options = Options {
            strategy,
            ..self.options()
        };
        // One guide orders by numbers computed from the content, the other by the content itself.
        self.shared_by(ByHash { seed }, &options, seed)?;
        self.shared_by(SendersFirst, &options, seed)
    }

    fn shared_by<G: Guide + fmt::Debug + Copy>(
        &mut self,
        guide: G,
        options: &Options,
        seed: u64,
    ) -> Result<(), Box<Difference>> {
        let mut collect = Collect::default();
        share(self.case.program(), guide, options, seed, &mut collect);
        let how = format!("{:?} with {guide:?}, shared", options.strategy);
        self.compare(collect, true, how, Twice::Never)
    }

    fn explore(
        &mut self,
        guide: impl Guide,
        by: &AlgorithmOptions,
        options: &Options,
        how: String,
        twice: Twice,
    ) -> Result<Progress, Box<Difference>> {
        let mut collect = Collect::default();
        let (stopped, progress) = explore(self.case.program(), guide, by, options, &mut collect)
            .expect("all is modelled");
        let finished = stopped == Stopped::Complete;
        self.all_finished &= finished;
        self.compare(collect, finished, how, twice)?;
        Ok(progress)
    }

    /// Compares what an exploration has found with brute force.
    fn compare(
        &mut self,
        collect: Collect,
        finished: bool,
        how: String,
        twice: Twice,
    ) -> Result<(), Box<Difference>> {
        self.explorations += 1;
        let missing: Vec<_> = match finished {
            true => self.expected.difference(&collect.found).cloned().collect(),
            false => Vec::new(),
        };
        let invented: Vec<_> = collect.found.difference(self.expected).cloned().collect();
        let repeated = match twice {
            Twice::Never => collect.repeated,
            Twice::Allowed => Vec::new(),
        };
        if missing.is_empty() && invented.is_empty() && repeated.is_empty() {
            return Ok(());
        }
        Err(Box::new(Difference {
            missing,
            invented,
            repeated,
            ..*self.difference(how)
        }))
    }

    fn difference(&self, exploration: String) -> Box<Difference> {
        Box::new(Difference {
            case: self.case,
            exploration,
            missing: Vec::new(),
            invented: Vec::new(),
            repeated: Vec::new(),
            traces: self.expected.len(),
        })
    }
}

/// Whether a trace may be found twice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Twice {
    Never,
    Allowed,
}
