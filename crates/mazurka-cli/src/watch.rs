//! What the command adds to a check: progress on a terminal, and Ctrl-C.

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mazurka_engine::{Finding, Progress};
use mazurka_report::text::about;
use mazurka_report::{CheckOptions, Forecaster, Host, Subject, replay_command};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The command as the host of a check.
pub struct Terminal {
    bar: Option<ProgressBar>,
    started: Instant,
    forecaster: Forecaster,
}

impl Terminal {
    /// Shows progress if there is a terminal to show it on.
    pub fn new() -> Terminal {
        Terminal {
            bar: terminal_bar(),
            started: Instant::now(),
            forecaster: Forecaster::default(),
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
        let elapsed = self.started.elapsed();
        bar.set_message(line(progress, &mut self.forecaster, elapsed));
        bar.tick();
    }

    fn interrupted(&self) -> bool {
        interrupted()
    }
}

/// How far a check has come. What is to come is said first: the rest may not fit on the line.
fn line(progress: &Progress, forecaster: &mut Forecaster, elapsed: Duration) -> String {
    let executions = progress.executions + progress.cut_short;
    let made = format!(
        "{} transitions, {} behaviour nodes",
        progress.transitions, progress.behaviour_nodes
    );
    if let Some(sampled) = progress.sampled {
        let in_all = sampled.traces.map(|estimate| {
            let (low, high) = (about(estimate.low), about(estimate.high));
            let traces = about(estimate.traces);
            format!("; about {traces} traces in all (95 %: {low} to {high})")
        });
        let in_all = in_all.unwrap_or_default();
        let distinct = sampled.distinct;
        return format!("{executions} executions sampled, {distinct} distinct{in_all}, {made}");
    }
    let to_come = forecaster.look(progress, elapsed).map(|forecast| {
        let (low, high) = (about(forecast.lately.0), about(forecast.lately.1));
        let (in_all, left) = (about(forecast.executions), time(forecast.left));
        format!(" of about {in_all}, {left} left (lately {low} to {high} in all)")
    });
    let to_come = to_come.unwrap_or_default();
    let frontier = progress.frontier;
    format!("{executions} executions{to_come}, {made}, {frontier} to look at")
}

/// A time that is not known exactly.
fn time(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..=99 => format!("{seconds} s"),
        100..=5_999 => format!("{} min", seconds / 60),
        6_000..=359_999 => format!("{} h", seconds / 3_600),
        360_000..=86_399_999 => format!("{} days", seconds / 86_400),
        _ => "years".to_owned(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_engine::{Estimate, Sampled};

    #[test]
    fn says_what_is_to_come() {
        let progress = Progress {
            executions: 250,
            share: 0.05,
            transitions: 3_000,
            behaviour_nodes: 40,
            frontier: 7,
            ..Progress::default()
        };
        let mut forecaster = Forecaster::default();
        let mut at = |seconds| line(&progress, &mut forecaster, Duration::from_secs(seconds));
        let made = "3000 transitions, 40 behaviour nodes, 7 to look at";
        assert_eq!(at(0), format!("250 executions, {made}"));
        assert_eq!(
            at(10),
            format!(
                "250 executions of about 5000, 3 min left (lately 5000 to 5000 in all), {made}"
            )
        );
    }

    #[test]
    fn says_what_a_sample_tells() {
        let progress = Progress {
            executions: 250,
            sampled: Some(Sampled {
                distinct: 200,
                traces: Some(Estimate {
                    traces: 5_040.3,
                    low: 4_801.0,
                    high: 5_299.0,
                    dives: 100,
                }),
            }),
            ..Progress::default()
        };
        assert_eq!(
            line(&progress, &mut Forecaster::default(), Duration::ZERO),
            "250 executions sampled, 200 distinct; about 5040 traces in all (95 %: 4800 to 5300), \
             0 transitions, 0 behaviour nodes"
        );
    }

    #[test]
    fn times_are_rough() {
        let told = [0, 99, 100, 6_000, 400_000, u64::MAX]
            .map(Duration::from_secs)
            .map(time);
        assert_eq!(told, ["0 s", "99 s", "1 min", "1 h", "4 days", "years"]);
    }
}
