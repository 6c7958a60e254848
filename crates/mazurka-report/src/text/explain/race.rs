//! The race that decides.

use super::super::{style, styled};
use super::outcome::Outcome;
use super::{Explained, ordering};
use mazurka_engine::NoReturn;
use mazurka_trace::Event;
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
        return match diagnosis.no_return {
            NoReturn::Always => writeln!(
                out,
                "  {heading} none. However messages race, the error is there.\n"
            ),
            _ => writeln!(
                out,
                "  {heading} not known. No execution without this error was found among those \
                 explored\n  for this; that does not mean that there is none.\n"
            ),
        };
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
    let step = step.map_or_else(String::new, |step| format!(", at step {step},"));
    let place = trace
        .place(&parting.at)
        .or(parting.passing.place(&parting.at));
    let place = place.map_or_else(String::new, |place| format!(" ({place})"));
    writeln!(out, "  {} {who}{step}{place}", styled(style::BOLD, heading))?;
    let bad = styled(style::BAD, "✗");
    let good = styled(style::GOOD, "✓");
    writeln!(out, "    {bad} {}", failing.told())?;
    let otherwise = match parting.all_is_well {
        true => "",
        false => "  (this error does not happen then, but another does)",
    };
    writeln!(out, "    {good} {}{otherwise}", passing.told())?;
    writeln!(out, "  {}\n", ordering::why(explained, &failing, &passing))
}
