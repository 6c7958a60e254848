//! A heartbeat of the exploring thread, read by the thread that supervises it. While a process neither
//! waits nor ends, the counter does not change.

use crate::Pid;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// What the exploring thread runs.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    /// Odd while a process runs.
    beats: AtomicU64,
    process: AtomicUsize,
    inputs: AtomicU32,
}

/// A process that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Running {
    beat: u64,
    pub process: Option<Pid>,
    pub inputs: u32,
}

impl Pulse {
    /// Only the exploring thread writes, so no lock is needed.
    fn beat(&self) {
        let beats = self.beats.load(Ordering::Relaxed);
        self.beats.store(beats + 1, Ordering::Release);
    }

    /// The process that runs now, if one does.
    pub(crate) fn running(&self) -> Option<Running> {
        let beat = self.beats.load(Ordering::Acquire);
        (beat % 2 == 1).then(|| Running {
            beat,
            process: Pid::numbered(self.process.load(Ordering::Relaxed)),
            inputs: self.inputs.load(Ordering::Relaxed),
        })
    }
}

thread_local! {
    static PULSE: RefCell<Option<Arc<Pulse>>> = const { RefCell::new(None) };
    static RUNS: Cell<u64> = const { Cell::new(0) };
}

/// Sets the pulse of this thread.
pub(crate) fn share(pulse: Arc<Pulse>) {
    PULSE.set(Some(pulse));
}

/// Records that a process, which has had this many inputs, is about to run.
pub(crate) fn begin(process: Pid, inputs: u32) {
    RUNS.set(RUNS.get() + 1);
    PULSE.with_borrow(|pulse| {
        if let Some(pulse) = pulse {
            pulse.process.store(process.number(), Ordering::Relaxed);
            pulse.inputs.store(inputs, Ordering::Relaxed);
            pulse.beat();
        }
    });
}

/// Records that it continues with its next step.
pub(crate) fn go_on() {
    RUNS.set(RUNS.get() + 1);
}

/// Records that it waits or has ended.
pub(crate) fn end() {
    PULSE.with_borrow(|pulse| {
        if let Some(pulse) = pulse {
            pulse.beat();
        }
    });
}

/// The number of steps that processes have run on this thread.
pub(crate) fn runs() -> u64 {
    RUNS.get()
}
