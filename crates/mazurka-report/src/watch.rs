//! The bounds that need a clock or information from the system.

use crate::host::Host;
use crate::hunt;
use crate::memory;
use crate::options::CheckOptions;
use mazurka_engine::{Brake, Progress};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;
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

/// The limits of one check. Clones share their state.
#[derive(Clone)]
pub(crate) struct Limits(Rc<Shared>);

struct Shared {
    started: Instant,
    /// When the time is up.
    deadline: Option<Instant>,
    max_memory: Option<u64>,
    interrupted: fn() -> bool,
    /// When the memory is checked next.
    next_look: Cell<Instant>,
    stop: Cell<Option<Stop>>,
}

/// The interval at which progress is shown and the memory is checked.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// An operation that takes more memory than this asks first.
const MUCH_MEMORY: usize = 1 << 20;

impl Limits {
    /// Starts the clock. `interrupted` returns whether the user wants the check to stop.
    pub(crate) fn new(
        max_time: Option<Duration>,
        max_memory: Option<u64>,
        interrupted: fn() -> bool,
    ) -> Limits {
        let now = Instant::now();
        Limits(Rc::new(Shared {
            started: now,
            // A bound beyond the range of the clock is no deadline.
            deadline: max_time.and_then(|max| now.checked_add(max)),
            max_memory: max_memory.map(|mib| mib.saturating_mul(1 << 20)),
            interrupted,
            next_look: Cell::new(now + LOOK_EVERY),
            stop: Cell::new(None),
        }))
    }

    /// What programs ask inside long steps.
    pub(crate) fn brake(&self) -> Brake {
        let limits = self.clone();
        Brake::new(move |bytes| limits.look(Instant::now(), bytes).is_none())
    }

    /// The reason to stop, if there is one now or if this many more bytes were in use.
    fn look(&self, now: Instant, bytes: usize) -> Option<Stop> {
        let stop = self.0.stop.get().or_else(|| self.reason(now, bytes));
        self.0.stop.set(stop);
        stop
    }

    fn reason(&self, now: Instant, bytes: usize) -> Option<Stop> {
        let limits = &*self.0;
        if (limits.interrupted)() {
            return Some(Stop::Interrupt);
        }
        if limits.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(Stop::Time);
        }
        let much = bytes >= MUCH_MEMORY;
        if !much && now < limits.next_look.get() {
            return None;
        }
        limits.next_look.set(now + LOOK_EVERY);
        let bytes = bytes as u64;
        // If the system runs out of memory, it kills the command, and all findings are lost.
        let is_absent = much && memory::available().is_some_and(|available| bytes > available);
        let is_too_much = limits.max_memory.is_some_and(|max| {
            let in_use = memory::in_use();
            in_use.is_some_and(|in_use| in_use.saturating_add(bytes) >= max)
        });
        (is_absent || is_too_much).then_some(Stop::Memory)
    }
}

/// Checks the limits of an exploration at intervals.
pub(crate) struct Watch {
    limits: Limits,
    shown: Instant,
}

impl Watch {
    /// Starts the clock.
    pub(crate) fn new(options: &CheckOptions, host: &impl Host) -> Watch {
        let max_time = match options.hunt {
            true => Some(hunt::time(options)),
            false => options.max_seconds,
        };
        Watch {
            limits: Limits::new(max_time, options.max_memory, host.interrupts()),
            shown: Instant::now(),
        }
    }

    /// What programs ask inside long steps.
    pub(crate) fn brake(&self) -> Brake {
        self.limits.brake()
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.limits.0.started.elapsed()
    }

    /// Why we stopped the exploration, if we did.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.limits.0.stop.get()
    }

    /// Checks the limits and shows progress. Returns whether to continue.
    pub(crate) fn look(&mut self, progress: &Progress, host: &mut impl Host) -> ControlFlow<()> {
        let now = Instant::now();
        let stop = self.limits.look(now, 0);
        if now - self.shown >= LOOK_EVERY {
            self.shown = now;
            host.progress(progress);
        }
        match stop {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}
