//! Progress on a terminal, Ctrl-C, and the signals that end a command.

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mazurka_engine::Progress;
use mazurka_report::text::{about, count};
use mazurka_report::{CheckOptions, Forecaster, Host, LogAt, Subject, replay_command};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// The command as the host of a check or a replay.
pub struct Terminal {
    bar: Option<ProgressBar>,
    /// The interval of progress lines, and the time of the next one.
    log_every: Option<(Duration, Duration)>,
    /// The program being checked, if there are several.
    name: Option<String>,
    started: Instant,
    forecaster: Forecaster,
    rate: Rate,
    check_line: Option<String>,
}

impl Terminal {
    /// Shows progress if stderr is a terminal, and writes a progress line every `log_every`, if given.
    pub fn checking(name: Option<String>, log_every: Option<Duration>) -> Terminal {
        Terminal {
            bar: terminal_bar(),
            log_every: log_every.map(|every| (every, every)),
            name,
            started: Instant::now(),
            forecaster: Forecaster::default(),
            rate: Rate::default(),
            check_line: None,
        }
    }

    /// For a replay; `check_line` is the command that checks the same program.
    pub fn replaying(check_line: String) -> Terminal {
        let mut terminal = Terminal::checking(None, None);
        terminal.check_line = Some(check_line);
        terminal
    }

    /// Writes a progress line if its time has come.
    fn log(&mut self, line: &str, elapsed: Duration) {
        let Some((every, next)) = &mut self.log_every else {
            return;
        };
        if elapsed < *next {
            return;
        }
        while *next <= elapsed {
            *next += *every;
        }
        let name = match &self.name {
            Some(name) => format!("{name}: "),
            None => String::new(),
        };
        let line = format!("{name}{} s: {line}", elapsed.as_secs());
        match &self.bar {
            Some(bar) => bar.println(line),
            // An error while writing to stderr is ignored: there is no other channel.
            None => drop(writeln!(std::io::stderr(), "{line}")),
        }
    }
}

impl Drop for Terminal {
    /// Removes the progress from the terminal.
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
        log: LogAt<'_>,
    ) -> Option<String> {
        Some(replay_command(subject, options, log))
    }

    fn check_line(&self, _: &Subject) -> Option<String> {
        self.check_line.clone()
    }

    fn progress(&mut self, progress: &Progress) {
        if self.bar.is_none() && self.log_every.is_none() {
            return;
        }
        let elapsed = self.started.elapsed();
        let rate = self.rate.update(progress, elapsed);
        let line = line(progress, &mut self.forecaster, rate, elapsed);
        self.log(&line, elapsed);
        if let Some(bar) = &self.bar {
            bar.set_message(match &self.name {
                Some(name) => format!("{name}: {line}"),
                None => line,
            });
            bar.tick();
        }
    }

    fn interrupts(&self) -> fn() -> bool {
        interrupted
    }
}

/// The progress of a check. The forecast comes first, since the end may not fit on the line. Unknown
/// figures are left out.
fn line(
    progress: &Progress,
    forecaster: &mut Forecaster,
    rate: Option<f64>,
    elapsed: Duration,
) -> String {
    let executions = count(progress.seen(), "execution");
    let mut parts = Vec::new();
    match progress.sampled {
        Some(sampled) => {
            parts.push(format!("{executions} sampled"));
            parts.push(format!("{} distinct", sampled.distinct));
            parts.extend(
                sampled
                    .traces
                    .map(|estimate| format!("about {} traces in all", about(estimate.traces))),
            );
        }
        None => match forecaster.look(progress, elapsed) {
            Some(forecast) => {
                let (low, high) = (about(forecast.lately.0), about(forecast.lately.1));
                let (in_all, left) = (about(forecast.executions), time(forecast.left));
                parts.push(format!(
                    "{executions} of about {in_all} (lately {low} to {high})"
                ));
                parts.push(format!("{left} left"));
            }
            None => parts.push(executions),
        },
    }
    parts.push(match progress.errors {
        0 => "no errors".to_owned(),
        errors => count(errors, "error"),
    });
    parts.extend(rate.map(|rate| match rate < 10.0 {
        true => format!("{rate:.1}/s"),
        false => format!("{}/s", about(rate)),
    }));
    if progress.frontier > 0 {
        parts.push(format!("{} prefixes to explore", progress.frontier));
    }
    if progress.depth > 0 {
        parts.push(format!("depth {}", progress.depth));
    }
    if progress.blocked > 0 {
        parts.push(format!("{} given up", progress.blocked));
    }
    parts.join(", ")
}

/// The recent number of executions per second.
#[derive(Debug, Default)]
struct Rate {
    /// The two latest samples: time and number of executions.
    samples: [(Duration, u64); 2],
}

impl Rate {
    /// The shortest time between two samples.
    const PERIOD: Duration = Duration::from_secs(2);

    fn update(&mut self, progress: &Progress, elapsed: Duration) -> Option<f64> {
        let executions = progress.seen();
        let [before, latest] = &mut self.samples;
        // An exploration may restart.
        if executions < before.1 {
            (*before, *latest) = ((elapsed, executions), (elapsed, executions));
        }
        if elapsed.saturating_sub(latest.0) >= Self::PERIOD {
            *before = std::mem::replace(latest, (elapsed, executions));
        }
        let time = elapsed.saturating_sub(before.0).as_secs_f64();
        (time >= 1.0).then(|| (executions.saturating_sub(before.1)) as f64 / time)
    }
}

/// A rough time.
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
    // If the template is ever wrong, the default one is used.
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
        bar.set_style(style);
    }
    Some(bar)
}

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether the user pressed Ctrl-C, or a signal asked the command to end.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Makes Ctrl-C, SIGTERM and SIGHUP set a flag, so that the command can still write its report. A second
/// signal ends the command at once.
pub fn catch_interrupts() -> Result<()> {
    /// The exit code that shells use for a command ended by SIGINT.
    const ENDED_BY_INTERRUPT: i32 = 130;
    for signal in signals() {
        // In this order, so that the first signal does not find the flag set.
        flag::register_conditional_shutdown(signal, ENDED_BY_INTERRUPT, Arc::clone(&INTERRUPTED))
            .and_then(|_| flag::register(signal, Arc::clone(&INTERRUPTED)))
            .context("cannot catch Ctrl-C")?;
    }
    Ok(())
}

fn signals() -> Vec<i32> {
    let mut signals = vec![SIGINT, SIGTERM];
    #[cfg(unix)]
    if !ignores_hangup() {
        signals.push(signal_hook::consts::SIGHUP);
    }
    signals
}

/// Whether SIGHUP is ignored, as `nohup` sets it; then it must stay ignored.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // SIGHUP is signal 1, the lowest bit. If the mask cannot be read, SIGHUP is left
    // alone.
    ignored.is_none_or(|mask| mask & 1 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_engine::{Estimate, Sampled};

    #[test]
    fn the_line_starts_with_the_forecast() {
        let progress = Progress {
            executions: 250,
            fraction: 0.05,
            frontier: 7,
            depth: 12,
            errors: 1,
            ..Progress::default()
        };
        let mut forecaster = Forecaster::default();
        let mut at = |seconds, rate| {
            let elapsed = Duration::from_secs(seconds);
            line(&progress, &mut forecaster, rate, elapsed)
        };
        assert_eq!(
            at(0, None),
            "250 executions, 1 error, 7 prefixes to explore, depth 12"
        );
        assert_eq!(
            at(10, Some(25.0)),
            "250 executions of about 5000 (lately 5000 to 5000), 3 min left, 1 error, 25/s, \
             7 prefixes to explore, depth 12"
        );
    }

    #[test]
    fn the_line_of_a_sample() {
        let progress = Progress {
            executions: 250,
            sampled: Some(Sampled {
                distinct: 200,
                traces: Some(Estimate {
                    traces: 5_040.3,
                    at_least: 200.0,
                    dives: 100,
                }),
            }),
            ..Progress::default()
        };
        assert_eq!(
            line(&progress, &mut Forecaster::default(), None, Duration::ZERO),
            "250 executions sampled, 200 distinct, about 5040 traces in all, no errors"
        );
    }

    #[test]
    fn the_rate_is_recent() {
        let mut rate = Rate::default();
        let mut at = |seconds, executions| {
            let progress = Progress {
                executions,
                ..Progress::default()
            };
            rate.update(&progress, Duration::from_secs(seconds))
        };
        assert_eq!(at(0, 0), None);
        assert_eq!(at(1, 100), Some(100.0));
        assert_eq!(at(2, 200), Some(100.0));
        at(4, 200);
        assert_eq!(at(6, 200), Some(0.0), "old executions do not count");
        assert_eq!(at(7, 10), None, "the exploration restarted");
        assert_eq!(at(8, 20), Some(10.0));
    }

    #[test]
    fn times_are_rough() {
        let texts = [0, 99, 100, 6_000, 400_000, u64::MAX]
            .map(Duration::from_secs)
            .map(time);
        assert_eq!(texts, ["0 s", "99 s", "1 min", "1 h", "4 days", "years"]);
    }
}
