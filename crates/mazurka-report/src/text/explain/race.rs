//! The race that decides.

use super::super::{Messages, shorten, style, styled, wrap};
use super::outcome::Outcome;
use super::{Explained, ordering};
use mazurka_engine::NoReturn;
use mazurka_trace::{At, Event};
use std::io::{self, Write};

/// Writes which outcome of which demand leads to the error, and which does not.
pub(super) fn write(out: &mut impl Write, explained: &Explained<'_>) -> io::Result<()> {
    let Explained {
        trace,
        diagnosis,
        names,
        ..
    } = explained;
    let Some(parting) = &diagnosis.parting else {
        let heading = styled(style::BOLD, "Decisive race:");
        let told = match diagnosis.no_return {
            NoReturn::Always => "none. However messages race, the error is there.",
            _ => {
                "not known. No execution without this error was found among those explored for \
                 this; that does not mean that there is none."
            }
        };
        return writeln!(out, "{}\n", wrap(&format!("{heading} {told}"), 2, 4));
    };
    let failing = Outcome::new(trace, *names, &parting.at);
    let passing = Outcome::new(&parting.passing, *names, &parting.at);
    let is_choice = matches!(failing.event(), Some(Event::Choose { .. }));
    let heading = match is_choice {
        true => "Decisive choice:",
        false => "Decisive race:",
    };
    let who = names.of(&parting.at.pid);
    let step = explained.number(&parting.at);
    let step = step.map_or_else(String::new, |step| format!(" at step {step}"));
    let place = trace
        .place(&parting.at)
        .or(parting.passing.place(&parting.at));
    let place = place.map_or_else(String::new, |place| format!(" ({place})"));
    let heading = styled(style::BOLD, heading);
    let serves = serves(explained, &parting.at);
    let told = format!("{heading} {who}{step}{place}{serves}");
    writeln!(out, "{}", wrap(&told, 2, 4))?;
    let bad = styled(style::BAD, "✗");
    let good = styled(style::GOOD, "✓");
    writeln!(out, "{}", wrap(&format!("{bad} {}", failing.told()), 4, 6))?;
    let otherwise = match parting.all_is_well {
        true => "",
        false => "  (this error does not happen then, but another does)",
    };
    let passes = format!("{good} {}{otherwise}", passing.told());
    writeln!(out, "{}", wrap(&passes, 4, 6))?;
    let why = ordering::why(explained, &failing, &passing);
    writeln!(out, "{}\n", wrap(&why, 2, 2))
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
