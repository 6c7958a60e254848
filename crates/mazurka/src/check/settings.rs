//! The settings of a check, one method each.

use super::Check;
use crate::Kind;
use mazurka_engine::{Delivery, Place, Sampler, Strategy, Timeouts, Valuations};
use mazurka_lab::{Algorithm, Order};
use mazurka_report::seconds;
use std::path::PathBuf;
use std::time::Duration;

impl Check {
    /// The name of the program in reports and logs. The default is the name of the test.
    pub fn name(mut self, name: impl Into<String>) -> Check {
        self.name = Some(name.into());
        self
    }

    /// Which messages a receive may take (`MAZURKA_DELIVERY`). The default is
    /// [`Delivery::Mailbox`], the matching message that was sent first: channels and mailboxes within
    /// one operating system process behave like that. Between machines, messages of two senders may
    /// overtake each other: [`Delivery::P2p`].
    pub fn delivery(self, delivery: Delivery) -> Check {
        self.deliveries(&[delivery])
    }

    /// Checks the program under each of these delivery models and reports where they differ
    /// (`MAZURKA_DELIVERY`, a list with commas). The counts of the result are sums over the models, its
    /// findings are those of all models, and it passes if the check passes under each.
    pub fn deliveries(mut self, models: &[Delivery]) -> Check {
        if !models.is_empty() {
            self.settings.options.delivery = models.to_vec();
        }
        self
    }

    /// When timeouts and sleeps may fire (`MAZURKA_TIMEOUTS`).
    pub fn timeouts(mut self, timeouts: Timeouts) -> Check {
        self.settings.options.timeouts = timeouts;
        self
    }

    /// The algorithm that finds executions (`MAZURKA_ALGORITHM`).
    pub fn algorithm(mut self, algorithm: Algorithm) -> Check {
        self.settings.options.algorithm = algorithm;
        self
    }

    /// The order in which the published algorithms try messages (`MAZURKA_ORDER`).
    pub fn order(mut self, order: Order) -> Check {
        self.settings.options.order = Some(order);
        self
    }

    /// Whether `dpor`, `transdpor` and `naive` use sleep sets (`MAZURKA_SLEEP_SETS`).
    pub fn sleep_sets(mut self, on: bool) -> Check {
        self.settings.options.sleep_sets = Some(on);
        self
    }

    /// Whether `interleavings` uses blocking avoidance (`MAZURKA_BLOCKING_AVOIDANCE`).
    pub fn blocking_avoidance(mut self, on: bool) -> Check {
        self.settings.options.blocking_avoidance = Some(on);
        self
    }

    /// How often `interleavings` may preempt a process that could have continued
    /// (`MAZURKA_PREEMPTION_BOUND`).
    pub fn preemption_bound(mut self, bound: u32) -> Check {
        self.settings.options.preemption_bound = Some(bound);
        self
    }

    /// The order in which the optimal algorithm explores executions (`MAZURKA_STRATEGY`).
    pub fn strategy(mut self, strategy: Strategy) -> Check {
        self.settings.options.strategy = Some(strategy);
        self
    }

    /// The seed of a random strategy, or of a sample (`MAZURKA_SEED`).
    pub fn seed(mut self, seed: u64) -> Check {
        self.settings.options.seed = Some(seed);
        self
    }

    /// How executions are scored (`MAZURKA_VALUATION`). If no strategy is set, the one with the best
    /// score is explored first.
    pub fn valuation(mut self, valuations: impl Into<Valuations>) -> Check {
        self.settings.options.valuations = Some(valuations.into());
        self
    }

    /// The decisions that the valuations influence (`MAZURKA_DIRECT`). The default is
    /// [`Place::USUAL`].
    pub fn direct(mut self, places: &[Place]) -> Check {
        self.settings.options.direct = places.to_vec();
        self
    }

    /// Makes `best-first` abandon an execution when its score falls more than this percentage behind
    /// the best known score (`MAZURKA_THRESHOLD`).
    pub fn threshold(mut self, percent: u32) -> Check {
        self.settings.options.threshold = Some(percent);
        self
    }

    /// Runs several searches in turns, until one finds an error (`MAZURKA_HUNT`).
    pub fn hunt(mut self, on: bool) -> Check {
        self.settings.options.hunt = on;
        self
    }

    /// Runs this many random executions instead of exploring (`MAZURKA_SAMPLE`). A sample verifies
    /// nothing, so a check without errors passes only if it may be
    /// [incomplete](Check::allow_incomplete).
    pub fn sample(mut self, executions: u64) -> Check {
        self.settings.options.sample = Some(executions);
        self
    }

    /// How each execution of a sample is chosen (`MAZURKA_SAMPLER`).
    pub fn sampler(mut self, sampler: Sampler) -> Check {
        self.settings.options.sampler = Some(sampler);
        self
    }

    /// The depth of the bugs that [`Sampler::Pct`] searches for: the number of events that must happen
    /// in a certain order (`MAZURKA_BUG_DEPTH`).
    pub fn bug_depth(mut self, events: u32) -> Check {
        self.settings.options.bug_depth = Some(events);
        self
    }

    /// Cuts executions short after this many steps (`MAZURKA_MAX_DEPTH`).
    pub fn max_depth(mut self, steps: u64) -> Check {
        self.settings.options.max_depth = steps;
        self
    }

    /// Cuts executions short that have more than this many processes
    /// (`MAZURKA_MAX_PROCESSES`).
    pub fn max_processes(mut self, processes: u64) -> Check {
        self.settings.options.max_processes = processes;
        self
    }

    /// Stops after this many executions (`MAZURKA_MAX_EXECUTIONS`).
    pub fn max_executions(mut self, executions: u64) -> Check {
        self.settings.options.max_executions = Some(executions);
        self
    }

    /// Stops after this many seconds (`MAZURKA_MAX_SECONDS`).
    ///
    /// # Panics
    /// If it is not a positive, finite number.
    pub fn max_seconds(mut self, seconds: f64) -> Check {
        self.settings.options.max_seconds = Some(time("max_seconds", seconds));
        self
    }

    /// Stops when this much memory, in MiB, is in use (`MAZURKA_MAX_MEMORY`; Linux only).
    pub fn max_memory(mut self, mebibytes: u64) -> Check {
        self.settings.options.max_memory = Some(mebibytes);
        self
    }

    /// How many seconds a process may run without waiting for anything before it is assumed to
    /// loop for ever (`MAZURKA_MAX_STEP_SECONDS`). The default is 10.
    ///
    /// # Panics
    /// If it is not a positive, finite number.
    pub fn max_step_seconds(mut self, seconds: f64) -> Check {
        self.settings.max_step = time("max_step_seconds", seconds);
        self
    }

    /// Collects all distinct errors instead of stopping at the first (`MAZURKA_KEEP_GOING`).
    pub fn keep_going(mut self, on: bool) -> Check {
        self.settings.options.keep_going = on;
        self
    }

    /// After an execution with a stuck process and no other error, explores this many more, to find
    /// errors of other kinds (`MAZURKA_AFTER_STUCK`). The default is 10,000; 0 stops at the first. A
    /// process that should have called [`daemon`](crate::daemon) is stuck in every execution, and must
    /// not hide an error that only some executions have.
    pub fn after_stuck(mut self, executions: u64) -> Check {
        self.settings.options.after_stuck = executions;
        self
    }

    /// Reports every step, the failing and the passing execution side by side, and all counts
    /// (`MAZURKA_VERBOSE`).
    pub fn verbose(mut self, on: bool) -> Check {
        self.settings.options.verbose = on;
        self
    }

    /// Treats a kind of warning as an error; may be called several times (`MAZURKA_ERROR`, a
    /// list with commas).
    pub fn error(mut self, kind: Kind) -> Check {
        self.settings.options.errors.push(kind);
        self
    }

    /// Expects an error of this kind: the check passes only if it is found, and no error of another
    /// kind. May be called several times (`MAZURKA_EXPECT`, a list with commas).
    pub fn expect(mut self, kind: Kind) -> Check {
        self.settings.options.expect.push(kind);
        self
    }

    /// Runs every step of the program twice, not only the first ones, to test whether the program is
    /// deterministic (`MAZURKA_DISTRUST`).
    pub fn distrust(mut self, on: bool) -> Check {
        self.settings.options.distrust = on;
        self
    }

    /// The directory for the logs of errors (`MAZURKA_LOG_DIR`). The default is `mazurka-logs` in
    /// cargo's target directory.
    pub fn log_dir(mut self, directory: impl Into<PathBuf>) -> Check {
        self.settings.options.log_dir = Some(directory.into());
        self
    }

    /// Writes no logs of errors (`MAZURKA_NO_LOGS`).
    pub fn no_logs(mut self, on: bool) -> Check {
        self.settings.no_logs = on;
        self
    }

    /// Makes the report one JSON object (`MAZURKA_FORMAT`, `text` or `json`).
    pub fn json(mut self, on: bool) -> Check {
        self.settings.json = on;
        self
    }

    /// Makes a check pass that a bound ended early, or that only samples, if it found no error
    /// (`MAZURKA_ALLOW_INCOMPLETE`). That is not a verification, and the report states it.
    pub fn allow_incomplete(mut self, on: bool) -> Check {
        self.settings.allow_incomplete = on;
        self
    }
}

fn time(setting: &str, number: f64) -> Duration {
    seconds(number).unwrap_or_else(|why| panic!("{setting}({number}): {why}"))
}
