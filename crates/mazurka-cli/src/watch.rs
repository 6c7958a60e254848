//! Watches an exploration: progress on a terminal, and the bounds that need a clock.

use crate::args::Check;
use crate::memory;
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mazurka_engine::Progress;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why we stopped an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The bound on seconds.
    Time,
    /// The bound on memory.
    Memory,
    /// Ctrl-C.
    Interrupt,
}

/// Looks at an exploration now and then.
pub struct Watch {
    started: Instant,
    looked: Instant,
    max_time: Option<Duration>,
    max_memory: Option<u64>,
    bar: Option<ProgressBar>,
    stop: Option<Stop>,
}

/// How often the terminal and the memory are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

impl Watch {
    /// Starts the clock.
    pub fn new(args: &Check) -> Watch {
        let now = Instant::now();
        Watch {
            started: now,
            looked: now,
            max_time: args.max_seconds,
            max_memory: args.max_memory.map(|mib| mib.saturating_mul(1 << 20)),
            bar: terminal_bar(),
            stop: None,
        }
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Why we stopped the exploration, if we did.
    pub fn stopped(&self) -> Option<Stop> {
        self.stop
    }

    /// Looks, and says whether to go on.
    pub fn look(&mut self, progress: &Progress) -> ControlFlow<()> {
        let now = Instant::now();
        self.stop = self.stop.or_else(|| self.reason(now));
        if now - self.looked >= LOOK_EVERY {
            self.looked = now;
            self.show(progress);
        }
        match self.stop {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    /// Takes the progress off the terminal.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn reason(&self, now: Instant) -> Option<Stop> {
        let too_long = |max| now - self.started >= max;
        let too_much = |max| memory::in_use().is_some_and(|bytes| bytes >= max);
        if interrupted() {
            Some(Stop::Interrupt)
        } else if self.max_time.is_some_and(too_long) {
            Some(Stop::Time)
        } else if now - self.looked >= LOOK_EVERY && self.max_memory.is_some_and(too_much) {
            Some(Stop::Memory)
        } else {
            None
        }
    }

    fn show(&self, progress: &Progress) {
        let Some(bar) = &self.bar else {
            return;
        };
        bar.set_message(format!(
            "{} executions, {} transitions, {} behaviour nodes, {} to look at",
            progress.executions + progress.cut_short,
            progress.transitions,
            progress.behaviour_nodes,
            progress.frontier,
        ));
        bar.tick();
    }
}

/// A line of progress, if there is a terminal to show it on.
pub fn terminal_bar() -> Option<ProgressBar> {
    if !std::io::stderr().is_terminal() {
        return None;
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    // The template is ours; should it ever be wrong, the default one will do.
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
        bar.set_style(style);
    }
    Some(bar)
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the user pressed Ctrl-C.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// From now on Ctrl-C asks politely. A second one ends the command at once.
pub fn catch_interrupts() -> Result<()> {
    /// What a shell gives a command that SIGINT ended.
    const ENDED_BY_INTERRUPT: i32 = 130;
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(ENDED_BY_INTERRUPT);
        }
    })
    .context("cannot catch Ctrl-C")
}
