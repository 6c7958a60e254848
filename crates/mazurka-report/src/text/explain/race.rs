//! The race that decides.

use super::super::{Messages, shorten, style, styled, wrap};
use super::outcome::Outcome;
use super::{Explained, ordering};
use mazurka_engine::NoReturn;
use mazurka_trace::{At, Event};
use std::io::{self, Write};

/// The race that decides about an error, in words.
pub(crate) struct Race {
    /// Whether it is the process itself that chooses.
    is_choice: bool,
    /// `bank P.1 at step 4 (bank.erl:12)`
    pub(crate) who: String,
    /// What it gets in the failing execution: `takes Withdraw(100) from customer P.2`.
    pub(crate) failing: String,
    /// What it gets in the passing one.
    pub(crate) passing: String,
    /// Why nothing orders the two.
    pub(crate) why: String,
    all_is_well: bool,
}

impl Race {
    /// The race, if one is known.
    pub(super) fn new(explained: &Explained<'_>) -> Option<Race> {
        let Explained { trace, names, .. } = explained;
        let parting = explained.diagnosis.parting.as_ref()?;
        let failing = Outcome::new(trace, *names, &parting.at);
        let passing = Outcome::new(&parting.passing, *names, &parting.at);
        let who = names.of(&parting.at.pid);
        let step = explained.number(&parting.at);
        let step = step.map_or_else(String::new, |step| format!(" at step {step}"));
        let place = trace
            .place(&parting.at)
            .or(parting.passing.place(&parting.at));
        let place = place.map_or_else(String::new, |place| format!(" ({place})"));
        let serves = serves(explained, &parting.at);
        Some(Race {
            is_choice: matches!(failing.event(), Some(Event::Choose { .. })),
            who: format!("{who}{step}{place}{serves}"),
            failing: failing.told(),
            passing: passing.told(),
            why: ordering::why(explained, &failing, &passing),
            all_is_well: parting.all_is_well,
        })
    }
}

/// Writes which outcome of which demand leads to the error, and which does not.
pub(super) fn write(out: &mut impl Write, explained: &Explained<'_>) -> io::Result<()> {
    let Some(race) = Race::new(explained) else {
        let heading = styled(style::BOLD, "Decisive race:");
        let told = match explained.diagnosis.no_return {
            NoReturn::Always => "none. However messages race, the error is there.",
            _ => {
                "not known. No execution without this error was found among those explored for \
                 this; that does not mean that there is none."
            }
        };
        return writeln!(out, "{}\n", wrap(&format!("{heading} {told}"), 2, 4));
    };
    let heading = match race.is_choice {
        true => "Decisive choice:",
        false => "Decisive race:",
    };
    let told = format!("{} {}", styled(style::BOLD, heading), race.who);
    writeln!(out, "{}", wrap(&told, 2, 4))?;
    let fails = format!("{} {}", styled(style::BAD, "✗"), race.failing);
    writeln!(out, "{}", wrap(&fails, 4, 6))?;
    let otherwise = match race.all_is_well {
        true => "",
        false => " (this error does not happen then, but another does)",
    };
    let passes = format!("{} {}{otherwise}", styled(style::GOOD, "✓"), race.passing);
    writeln!(out, "{}", wrap(&passes, 4, 6))?;
    writeln!(out, "{}\n", wrap(&race.why, 2, 2))
}

/// What an object that looks at another one does that for.
fn serves(explained: &Explained<'_>, at: &At) -> String {
    let trace = explained.trace;
    let events = trace.events_of(&at.pid);
    let before = events.iter().take(at.index).rev();
    let request = before.filter_map(Event::consumes).next();
    match request {
        Some(tag) if trace.objects.contains(&at.pid) && looks(trace.event(at)) => {
            let messages = Messages::new(trace);
            let sender = explained.names.of(&messages.sender(tag).into());
            let place = messages.sent(tag).and_then(|at| trace.place(at));
            let place = place.map_or_else(String::new, |place| format!(" ({place})"));
            let value = shorten(messages.value(tag), 60);
            format!(" when it serves {value} from {sender}{place}")
        }
        _ => String::new(),
    }
}

fn looks(event: Option<&Event>) -> bool {
    matches!(event, Some(Event::Read { .. }))
}
