//! What the command adds to a check: progress on a terminal, and Ctrl-C.

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mazurka_engine::{Finding, Progress};
use mazurka_report::{CheckOptions, Host, Subject, replay_command};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The command as the host of a check.
pub struct Terminal {
    bar: Option<ProgressBar>,
}

impl Terminal {
    /// Shows progress if there is a terminal to show it on.
    pub fn new() -> Terminal {
        Terminal {
            bar: terminal_bar(),
        }
    }
}

impl Drop for Terminal {
    /// Takes the progress off the terminal.
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Host for Terminal {
    fn replay_line(
        &self,
        subject: &Subject,
        options: &CheckOptions,
        finding: &Finding,
        log: &Path,
    ) -> Option<String> {
        Some(replay_command(subject, options, finding, log))
    }

    fn progress(&mut self, progress: &Progress) {
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

    fn interrupted(&self) -> bool {
        interrupted()
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
