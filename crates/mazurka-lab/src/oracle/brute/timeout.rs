//! When a timeout fires: at any time, or when the logical time reaches it. The time advances when
//! nothing else can happen.

use super::World;
use super::configuration::Configuration;
use super::history::Past;
use super::process::Process;
use mazurka_engine::{Demand, Frontend, Mode, Timeouts};

/// The maximum number of consecutive timeouts of daemons while another process waits.
const PATIENCE: u32 = 5;

impl<F: Frontend> World<'_, F> {
    /// Whether the timeout of a waiting process may fire at any time. After a timeout of a daemon has
    /// fired, its next one fires only when nothing else can happen.
    pub(super) fn may_fire(&self, process: &Process<F>, timeout_ms: u64) -> bool {
        self.any_time(timeout_ms) && (timeout_ms == 0 || process.in_a_row == 0)
    }

    /// A poll, `after 0`, may always find nothing.
    pub(super) fn any_time(&self, timeout_ms: u64) -> bool {
        match self.timeouts {
            Timeouts::AnyTime => true,
            Timeouts::Below(limit) => timeout_ms == 0 || timeout_ms < limit,
            Timeouts::WhenQuiet | Timeouts::Never => timeout_ms == 0,
        }
    }

    fn when_quiet(&self, timeout_ms: u64) -> bool {
        match self.timeouts {
            Timeouts::WhenQuiet => true,
            Timeouts::Below(limit) => timeout_ms >= limit,
            Timeouts::AnyTime | Timeouts::Never => false,
        }
    }

    /// Whether a long timeout may fire: its deadline has been reached.
    pub(super) fn is_due(&self, configuration: &Configuration<F>, process: &Process<F>) -> bool {
        self.deadline_ms(process)
            .is_some_and(|deadline_ms| deadline_ms <= configuration.now_ms)
    }

    /// Advances the time until a long timeout may fire, when nothing else can happen; not if all
    /// processes with such timeouts are daemons that no other process waits for.
    pub(super) fn later(&self, configuration: &Configuration<F>) -> Option<Configuration<F>> {
        let alive = || {
            let all = configuration.processes.iter();
            all.filter(|process| process.ended.is_none())
        };
        let mode = |process: &Process<F>| {
            let running = process.running.as_ref();
            running.map_or(Mode::Ordinary, |running| running.mode)
        };
        if alive().any(|process| mode(process).has_halted()) {
            return None;
        }
        let is_daemon = |process: &Process<F>| mode(process).is_daemon();
        let some_wait = alive().any(|process| match mode(process) {
            Mode::Ordinary => true,
            Mode::Busy => process.in_a_row < PATIENCE,
            Mode::Idle | Mode::Halted { .. } => false,
        });
        let goes_on = alive().any(|process| {
            let is_work = some_wait && process.in_a_row < PATIENCE;
            self.deadline_ms(process).is_some() && (!is_daemon(process) || is_work)
        });
        if !goes_on {
            return None;
        }
        let waiting = configuration.processes.iter();
        let deadline_ms = waiting
            .filter_map(|process| self.deadline_ms(process))
            .min()?;
        let mut later = configuration.clone();
        later.now_ms = deadline_ms;
        later.known_by_now = everything(configuration);
        Some(later)
    }

    /// The deadline of the long timeout of a waiting process.
    fn deadline_ms(&self, process: &Process<F>) -> Option<u64> {
        let running = process.running.as_ref()?;
        match running.demand {
            Demand::Receive {
                timeout_ms: Some(timeout_ms),
                ..
            } if process.ended.is_none()
                && !process.polls
                && (self.when_quiet(timeout_ms)
                    || self.any_time(timeout_ms) && !self.may_fire(process, timeout_ms)) =>
            {
                Some(running.since_ms.saturating_add(timeout_ms))
            }
            _ => None,
        }
    }
}

fn everything<F: Frontend>(configuration: &Configuration<F>) -> Past {
    let of_processes = configuration.processes.iter().map(|process| &process.past);
    let of_things = configuration.things.iter().map(|thing| &thing.past);
    of_processes.chain(of_things).flatten().copied().collect()
}
