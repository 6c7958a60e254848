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

    /// Nothing can happen: the shortest long timeout fires, equal ones by pid. It comes
    /// after everything, so its process knows all that anybody knows.
    pub(super) fn quiet_timeout(
        &mut self,
        configuration: &Configuration<F>,
    ) -> Result<Option<Configuration<F>>, Fault> {
        let waiting = configuration.processes.iter().filter_map(|process| {
            let timeout_ms = timeout_of(process)?;
            self.when_quiet(timeout_ms).then_some((timeout_ms, process))
        });
        let shortest = waiting.min_by(|(a, p), (b, q)| {
            let by_pid = || self.pids.cmp(p.pid, q.pid);
            a.cmp(b).then_with(by_pid)
        });
        let Some((_, process)) = shortest else {
            return Ok(None);
        };
        let mut next = configuration.clone();
        next.process(process.pid).past = everything(configuration);
        self.time_out(&next, process.pid).map(Some)
    }
}

/// The timeout with which a process waits.
fn timeout_of<F: Frontend>(process: &Process<F>) -> Option<u64> {
    match process.running.as_ref()?.demand {
        Demand::Receive { timeout_ms, .. } if process.ended.is_none() => timeout_ms,
        _ => None,
    }
}

fn everything<F: Frontend>(configuration: &Configuration<F>) -> Past {
    let of_processes = configuration.processes.iter().map(|process| &process.past);
    let of_things = configuration.things.iter().map(|thing| &thing.past);
    of_processes.chain(of_things).flatten().copied().collect()
}
