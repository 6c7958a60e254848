//! When a timeout fires: at any time, or when nothing else can happen.

use super::World;
use super::configuration::Configuration;
use super::history::Past;
use super::process::Process;
use crate::frontend::{Demand, Fault, Frontend};
use crate::timeouts::Timeouts;

impl<F: Frontend> World<'_, F> {
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

    /// Nothing can happen: the long timeout with the earliest deadline fires, equal ones by
    /// pid, and it is as late as that. It comes after everything, so its process knows all
    /// that anybody knows.
    pub(super) fn quiet_timeout(
        &mut self,
        configuration: &Configuration<F>,
    ) -> Result<Option<Configuration<F>>, Fault> {
        let waiting = configuration.processes.iter().filter_map(|process| {
            let (since_ms, timeout_ms) = timeout_of(process)?;
            let deadline_ms = since_ms.saturating_add(timeout_ms);
            self.when_quiet(timeout_ms)
                .then_some((deadline_ms, process))
        });
        let earliest = waiting.min_by(|(a, p), (b, q)| {
            let by_pid = || self.pids.cmp(p.pid, q.pid);
            a.cmp(b).then_with(by_pid)
        });
        let Some((deadline_ms, process)) = earliest else {
            return Ok(None);
        };
        let mut next = configuration.clone();
        next.now_ms = deadline_ms;
        next.process(process.pid).past = everything(configuration);
        self.time_out(&next, process.pid).map(Some)
    }
}

/// Since when, and with which timeout, a process waits.
fn timeout_of<F: Frontend>(process: &Process<F>) -> Option<(u64, u64)> {
    let running = process.running.as_ref()?;
    match running.demand {
        Demand::Receive { timeout_ms, .. } if process.ended.is_none() => {
            Some((running.since_ms, timeout_ms?))
        }
        _ => None,
    }
}

fn everything<F: Frontend>(configuration: &Configuration<F>) -> Past {
    let of_processes = configuration.processes.iter().map(|process| &process.past);
    let of_things = configuration.things.iter().map(|thing| &thing.past);
    of_processes.chain(of_things).flatten().copied().collect()
}
