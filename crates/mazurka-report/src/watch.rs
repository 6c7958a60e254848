//! The bounds that need a clock or a look at the system.

use crate::host::Host;
use crate::hunt;
use crate::memory;
use crate::options::CheckOptions;
use mazurka_engine::Progress;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Why we stopped an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The bound on seconds.
    Time,
    /// The bound on memory.
    Memory,
    /// The user: Ctrl-C.
    Interrupt,
}

/// Looks at an exploration now and then.
pub(crate) struct Watch {
    started: Instant,
    looked: Instant,
    max_time: Option<Duration>,
    max_memory: Option<u64>,
    stop: Option<Stop>,
}

/// How often progress is shown and the memory is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

impl Watch {
    /// Starts the clock.
    pub(crate) fn new(options: &CheckOptions) -> Watch {
        let now = Instant::now();
        Watch {
            started: now,
            looked: now,
            max_time: match options.hunt {
                true => Some(hunt::time(options)),
                false => options.max_seconds,
            },
            max_memory: options.max_memory.map(|mib| mib.saturating_mul(1 << 20)),
            stop: None,
        }
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Why we stopped the exploration, if we did.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stop
    }

    /// Looks, and says whether to go on.
    pub(crate) fn look(&mut self, progress: &Progress, host: &mut impl Host) -> ControlFlow<()> {
        let now = Instant::now();
        self.stop = self.stop.or_else(|| self.reason(now, host));
        if now - self.looked >= LOOK_EVERY {
            self.looked = now;
            host.progress(progress);
        }
        match self.stop {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    fn reason(&self, now: Instant, host: &impl Host) -> Option<Stop> {
        let too_long = |max| now - self.started >= max;
        let too_much = |max| memory::in_use().is_some_and(|bytes| bytes >= max);
        if host.interrupted() {
            Some(Stop::Interrupt)
        } else if self.max_time.is_some_and(too_long) {
            Some(Stop::Time)
        } else if now - self.looked >= LOOK_EVERY && self.max_memory.is_some_and(too_much) {
            Some(Stop::Memory)
        } else {
            None
        }
    }
}
