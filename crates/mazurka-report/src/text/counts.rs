//! The table of settings and counts of a check.

use super::{count, visible, wrap};
use crate::outcome::Outcome;
use crate::plan::Plan;
use mazurka_engine::{Delivery, Premise, Sampler, Timeouts};
use mazurka_lab::Algorithm;
use std::io::{self, Write};

/// Writes the table.
pub(super) fn write(out: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    let is_shown = |name: &str| outcome.options.verbose || !DETAILS.contains(&name);
    for (name, value) in rows(outcome).iter().filter(|(name, _)| is_shown(name)) {
        let value = visible(value);
        writeln!(out, "{}", wrap(&format!("{name:<16} {value}"), 2, 19))?;
    }
    Ok(())
}

/// Rows that are shown only if all counts are requested.
pub(crate) const DETAILS: [&str; 2] = ["transitions", "behaviour nodes"];

/// The table: names and values.
pub(crate) fn rows(outcome: &Outcome) -> Vec<(&'static str, String)> {
    let progress = outcome.progress.unwrap_or_default();
    let executions = match outcome.plan.algorithm.has_schedules() {
        true => "schedules",
        false => "executions",
    };
    let mut rows = vec![
        ("program", outcome.subject.to_string()),
        (executions, progress.executions.to_string()),
        ("transitions", progress.transitions.to_string()),
        ("behaviour nodes", progress.behaviour_nodes.to_string()),
        ("seconds", format!("{:.3}", outcome.seconds)),
        ("delivery", delivery(outcome.options.model())),
        ("timeouts", timeouts(outcome.options.timeouts)),
    ];
    let premises = outcome.premises.iter();
    rows.extend(premises.map(|premise| {
        let Premise { value, means, .. } = premise;
        (premise.name, format!("{value} ({means})"))
    }));
    if progress.blocked > 0 {
        let blocked = format!("{} (begun and given up, same as others)", progress.blocked);
        rows.insert(2, ("blocked", blocked));
    }
    if progress.cut_short > 0 {
        rows.insert(2, ("cut short", progress.cut_short.to_string()));
    }
    if let Some(sampling) = outcome.plan.sampling {
        let sampler = match sampling.sampler {
            Sampler::Pct { bug_depth } => format!("pct, bug depth {bug_depth}"),
            other => other.to_string(),
        };
        let sampler = format!("{sampler}, seed {}", sampling.seed);
        rows.insert(1, ("sampler", sampler));
    } else if !outcome.hunters.is_empty() {
        rows.insert(1, ("hunted by", hunted_by(outcome)));
    } else if outcome.plan != Plan::of(Algorithm::Optimal) {
        rows.insert(1, ("algorithm", outcome.plan.to_string()));
    }
    rows
}

/// The search that ended the hunt, and the number of executions of the others.
fn hunted_by(outcome: &Outcome) -> String {
    let others = outcome.hunters.iter().filter(|hunter| !hunter.ended_it);
    let executions: u64 = others.map(|hunter| hunter.progress.executions).sum();
    if !outcome.hunters.iter().any(|hunter| hunter.ended_it) {
        let hunters = outcome.hunters.len();
        let executions = count(executions, "execution");
        return format!("{hunters} searches in vain, which ran {executions} in all");
    }
    format!(
        "{} (the other {} ran {})",
        outcome.plan,
        outcome.hunters.len() - 1,
        count(executions, "execution")
    )
}

fn delivery(model: Delivery) -> String {
    let means = match model {
        Delivery::Unordered => "a receive takes any matching message",
        Delivery::P2p => "a receive takes the first matching message of any sender",
        Delivery::Causal => "a receive takes a matching message with none sent causally before it",
        Delivery::Mailbox => "a receive takes the matching message that was sent first",
    };
    format!("{model} ({means})")
}

fn timeouts(setting: Timeouts) -> String {
    let means = match setting {
        Timeouts::Below(limit) => {
            format!("below {limit} ms at any time, longer ones when nothing else can happen")
        }
        Timeouts::AnyTime => "all at any time".to_owned(),
        Timeouts::WhenQuiet => "only when nothing else can happen".to_owned(),
        Timeouts::Never => "none fires".to_owned(),
    };
    format!("{setting} ({means})")
}
