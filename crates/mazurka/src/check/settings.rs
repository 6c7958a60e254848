//! The settings of a check, one method each.

use super::Check;
use crate::Kind;
use mazurka_engine::{Delivery, Place, Sampler, Strategy, Timeouts, Valuations};
use mazurka_lab::{Algorithm, Order};
use std::path::PathBuf;
use std::time::Duration;

impl Check {
    /// The name of the program in reports and logs; that of the test if not given.
    pub fn name(mut self, name: impl Into<String>) -> Check {
        self.name = Some(name.into());
        self
    }

    /// Which messages a receive may take (`MAZURKA_DELIVERY`). [`Delivery::Mailbox`], the message
    /// that was sent first, if not given: that is how channels and mailboxes within one operating system
    /// process behave. Between machines messages of two senders may overtake each other:
    /// [`Delivery::P2p`].
    pub fn delivery(self, delivery: Delivery) -> Check {
        self.deliveries(&[delivery])
    }

    /// Checks the program under each of these delivery models and reports where they differ
    /// (`MAZURKA_DELIVERY`, a list with commas). The result adds up their numbers, has what was found under
    /// any of them, and passes if all do.
    pub fn deliveries(mut self, models: &[Delivery]) -> Check {
        self.settings.set_models(models);
        self
    }

    /// When timeouts and sleeps may end (`MAZURKA_TIMEOUTS`).
    pub fn timeouts(mut self, timeouts: Timeouts) -> Check {
        self.settings.options.timeouts = timeouts;
        self
    }

    /// How executions are found (`MAZURKA_ALGORITHM`).
    pub fn algorithm(mut self, algorithm: Algorithm) -> Check {
        self.settings.options.algorithm = algorithm;
        self
    }

    /// The order in which the algorithms of the literature try messages (`MAZURKA_ORDER`).
    pub fn order(mut self, order: Order) -> Check {
        self.settings.options.order = Some(order);
        self
    }

    /// Whether dpor, transdpor and naive use sleep sets (`MAZURKA_SLEEP_SETS`).
    pub fn sleep_sets(mut self, on: bool) -> Check {
        self.settings.options.sleep_sets = Some(on);
        self
    }

    /// Whether interleavings avoids blocking (`MAZURKA_BLOCKING_AVOIDANCE`).
    pub fn blocking_avoidance(mut self, on: bool) -> Check {
        self.settings.options.blocking_avoidance = Some(on);
        self
    }

    /// How often interleavings may interrupt a process that could have gone on
    /// (`MAZURKA_PREEMPTION_BOUND`).
    pub fn preemption_bound(mut self, bound: u32) -> Check {
        self.settings.options.preemption_bound = Some(bound);
        self
    }

    /// The order in which the optimal algorithm looks at executions (`MAZURKA_STRATEGY`).
    pub fn strategy(mut self, strategy: Strategy) -> Check {
        self.settings.options.strategy = Some(strategy);
        self
    }

    /// The seed of a random strategy, or of a sample (`MAZURKA_SEED`).
    pub fn seed(mut self, seed: u64) -> Check {
        self.settings.options.seed = Some(seed);
        self
    }

    /// What makes an execution promising (`MAZURKA_VALUATION`); without a strategy, the most
    /// promising one is looked at first.
    pub fn valuation(mut self, valuations: impl Into<Valuations>) -> Check {
        self.settings.options.valuations = Some(valuations.into());
        self
    }

    /// Where the valuations have a say (`MAZURKA_DIRECT`): at the
    /// [usual places](Place::USUAL), unless this says otherwise.
    pub fn direct(mut self, places: &[Place]) -> Check {
        self.settings.options.direct = places.to_vec();
        self
    }

    /// Lets `best-first` leave an execution when its value is worse than the best known one by more
    /// than this percentage of it (`MAZURKA_THRESHOLD`).
    pub fn threshold(mut self, percent: u32) -> Check {
        self.settings.options.threshold = Some(percent);
        self
    }

    /// Looks for errors in several ways by turns, until the first one (`MAZURKA_HUNT`).
    pub fn hunt(mut self, on: bool) -> Check {
        self.settings.options.hunt = on;
        self
    }

    /// Runs this many executions, left to chance, instead of exploring (`MAZURKA_SAMPLE`). Nothing
    /// is verified by that, so without an error the check passes only if it may be
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

    /// How many events must come in a certain order for the errors that [`Sampler::Pct`] looks for
    /// (`MAZURKA_BUG_DEPTH`).
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
    /// It is not a length of time.
    pub fn max_seconds(mut self, seconds: f64) -> Check {
        self.settings.options.max_seconds = Some(time("max_seconds", seconds));
        self
    }

    /// Stops when this much memory, in MiB, is in use (`MAZURKA_MAX_MEMORY`; Linux only).
    pub fn max_memory(mut self, mebibytes: u64) -> Check {
        self.settings.options.max_memory = Some(mebibytes);
        self
    }

    /// How many seconds a process may run without waiting for anything before it is said to
    /// loop for ever; 10 if not given (`MAZURKA_MAX_STEP_SECONDS`).
    ///
    /// # Panics
    /// It is not a length of time.
    pub fn max_step_seconds(mut self, seconds: f64) -> Check {
        self.settings.max_step = time("max_step_seconds", seconds);
        self
    }

    /// Gathers all distinct errors instead of stopping at the first (`MAZURKA_KEEP_GOING`).
    pub fn keep_going(mut self, on: bool) -> Check {
        self.settings.options.keep_going = on;
        self
    }

    /// After an execution with a stuck process and no other error, explores this many more, to look
    /// for errors of other kinds; 10,000 if not given, and 0 stops at the first
    /// (`MAZURKA_AFTER_STUCK`). A process that should have called [`daemon`](crate::daemon) is stuck
    /// in every execution, and must not hide an error that only some have.
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

    /// The program is meant to have an error of this kind: the check passes only if it is
    /// found, and nothing else. May be called several times (`MAZURKA_EXPECT`, a list with
    /// commas).
    pub fn expect(mut self, kind: Kind) -> Check {
        self.settings.options.expect.push(kind);
        self
    }

    /// Runs every step of the program twice, not only the first ones, to find out whether it
    /// is deterministic (`MAZURKA_DISTRUST`).
    pub fn distrust(mut self, on: bool) -> Check {
        self.settings.options.distrust = on;
        self
    }

    /// Where the logs of errors go; `mazurka-logs` in cargo's target directory if not given
    /// (`MAZURKA_LOG_DIR`).
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

    /// Lets a check pass that a bound ended early, or that only samples, if nothing was wrong so far
    /// (`MAZURKA_ALLOW_INCOMPLETE`). That is not a verification, and the report says so.
    pub fn allow_incomplete(mut self, on: bool) -> Check {
        self.settings.allow_incomplete = on;
        self
    }
}

fn time(setting: &str, seconds: f64) -> Duration {
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => time,
        _ => panic!("{setting}({seconds}): give a number of seconds above 0"),
    }
}
