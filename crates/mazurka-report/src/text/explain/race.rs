//! The race that decides.

use super::super::names::process_of_liveness;
use super::super::{abbreviate, shorten, shorten_place, style, styled, width, wrap};
use super::outcome::Outcome;
use super::{Explained, ordering, paragraph};
use mazurka_engine::NoReturn;
use mazurka_trace::{At, Event, Tag};
use std::io::{self, Write};

/// The race that decides about an error, in words.
pub(crate) struct Race {
    /// `The race:`, `The choice:` if the process itself chooses, or `From outside:`.
    label: &'static str,
    /// `store (P.1) takes a message at cache.erl:27 (step 8)`
    about: String,
    /// The input in the failing and in the passing execution, each with the place of its send.
    sides: [(String, Option<String>); 2],
    /// The same as a sentence: `takes {lookup, k} from client P.3, sent at cache.erl:25`.
    pub(crate) failing: String,
    /// The same for the passing execution.
    pub(crate) passing: String,
    /// Why either can happen.
    pub(crate) why: String,
    no_return: Option<String>,
    all_is_well: bool,
}

impl Race {
    /// The race, if one is known.
    pub(super) fn new(explained: &Explained<'_>) -> Option<Race> {
        let parting = explained.parting()?;
        let names = &explained.names;
        let failing = Outcome::new(explained.trace, names, &parting.at);
        let passing = Outcome::new(&parting.passing, names, &parting.at);
        let step = explained.number(&parting.at);
        let step = step.map_or_else(String::new, |step| format!(" (step {step})"));
        let about = about(explained, &parting.at, &failing, &passing);
        // Both sides get the same width, which leaves space for the longer place.
        let places = [failing.sent_at(), passing.sent_at()];
        let longest = places.iter().flatten().map(|place| place.chars().count());
        let beside = longest
            .max()
            .map_or(0, |longest| longest + SENT_AT.len() + 2);
        // If too little is left, the place goes to a separate line.
        let available = width().saturating_sub(SIDE_INDENT);
        let available = match available.saturating_sub(beside) {
            beside if beside >= VALUE_MIN => beside,
            _ => available,
        };
        let side = |outcome: &Outcome<'_>| {
            let place = outcome.sent_at().map(str::to_owned);
            (outcome.what(available), place)
        };
        let is_choice = matches!(failing.event(), Some(Event::Choose { .. }));
        Some(Race {
            label: match failing.outside() {
                Some(_) => "From outside:",
                None if is_choice => "The choice:",
                None => "The race:",
            },
            about: format!("{about}{step}"),
            sides: [side(&failing), side(&passing)],
            failing: failing.sentence(),
            passing: passing.sentence(),
            why: ordering::why(explained, &failing, &passing),
            no_return: explained.no_return(&once(explained, &parting.at, &failing)),
            all_is_well: parting.all_is_well,
        })
    }
}

const SENT_AT: &str = "sent at ";
/// The columns before the input of a side: `      failing   `.
const SIDE_INDENT: usize = 16;
/// The minimum width of a value beside its place.
const VALUE_MIN: usize = 24;

/// Writes which outcome of which demand leads to the error, and which does not.
pub(super) fn write(out: &mut impl Write, explained: &Explained<'_>) -> io::Result<()> {
    let Some(race) = Race::new(explained) else {
        return write_unknown(out, explained);
    };
    writeln!(out, "{}", paragraph(race.label, &race.about))?;
    write_sides(out, &race.sides)?;
    if !race.all_is_well {
        let text = "The passing execution does not have this error, but another one.";
        writeln!(out, "{}", wrap(text, 2, 2))?;
    }
    writeln!(out, "{}", wrap(&race.why, 2, 2))?;
    match &race.no_return {
        Some(text) => writeln!(out, "{}", wrap(text, 2, 2)),
        None => Ok(()),
    }
}

/// Writes the input of each side, with the places beside it if both fit.
fn write_sides(out: &mut impl Write, sides: &[(String, Option<String>); 2]) -> io::Result<()> {
    let columns = |text: &str| text.chars().count();
    let column = sides.iter().map(|(what, _)| columns(what)).max();
    let column = column.unwrap_or(0);
    let available = width().saturating_sub(SIDE_INDENT);
    let fits = |place: &String| column + 2 + SENT_AT.len() + columns(place) <= available;
    let is_beside = sides
        .iter()
        .filter_map(|(_, place)| place.as_ref())
        .all(fits);
    let labels = [
        styled(style::BAD, "failing"),
        styled(style::GOOD, "passing"),
    ];
    for (label, (what, place)) in labels.into_iter().zip(sides) {
        let place = place.as_ref().map(|place| {
            let place = shorten_place(place, available.saturating_sub(SENT_AT.len()));
            styled(style::FAINT, format!("{SENT_AT}{place}"))
        });
        match place {
            Some(place) if is_beside => {
                writeln!(out, "      {label}   {what:<column$}  {place}")?;
            }
            Some(place) => {
                writeln!(out, "      {label}   {}", shorten(what, available))?;
                writeln!(out, "{}{place}", " ".repeat(SIDE_INDENT))?;
            }
            None => writeln!(out, "      {label}   {}", shorten(what, available))?,
        }
    }
    Ok(())
}

fn write_unknown(out: &mut impl Write, explained: &Explained<'_>) -> io::Result<()> {
    let Some(diagnosis) = explained.diagnosis else {
        return Ok(());
    };
    let text = match diagnosis.no_return {
        NoReturn::Always => "No race decides: every execution of the program has this error.",
        _ => {
            "The race that decides is not known: no passing execution was found among those \
             explored to explain this error."
        }
    };
    writeln!(out, "{}", wrap(text, 2, 2))
}

/// What the race is about: `store (P.1) takes a message at cache.erl:27`.
fn about(
    explained: &Explained<'_>,
    at: &At,
    failing: &Outcome<'_>,
    passing: &Outcome<'_>,
) -> String {
    let names = &explained.names;
    let who = names.with_pid(&at.pid);
    let trace = explained.trace;
    let other = explained.parting().map(|parting| &parting.passing);
    let place = trace.place(at).or_else(|| other?.place(at));
    let place = place.map_or_else(String::new, |place| format!(" at {place}"));
    if let Some(bearer) = process_of_liveness(&at.pid) {
        let mut sides = [failing, passing].into_iter();
        let request = sides.find(|side| side.sender().as_ref() != Some(&bearer));
        let request = request.and_then(|side| Some((side.value()?, side.sender()?)));
        let ends = names.with_pid(&bearer);
        return match request {
            Some((value, sender)) => format!(
                "{ends} ends while {} calls {}",
                names.of(&sender),
                abbreviate(value, VALUE_MIN)
            ),
            None => format!("{ends} ends"),
        };
    }
    match (failing.event(), passing.event()) {
        (Some(Event::Read { .. }), _) if trace.objects.contains(&at.pid) => {
            match served(explained, at) {
                Some(tag) => {
                    let messages = &explained.messages;
                    let sender = names.with_pid(&messages.sender(tag).into());
                    let value = abbreviate(messages.value(tag), 2 * VALUE_MIN);
                    let place = messages.sent(tag).and_then(|at| trace.place(at));
                    let place = place.map_or_else(String::new, |place| format!(" at {place}"));
                    format!("{sender} calls {value}{place}")
                }
                None => format!("a request to {who}"),
            }
        }
        (Some(Event::Read { object: of, .. }), _) => match process_of_liveness(of) {
            Some(process) => format!("{who} looks for {}{place}", names.with_pid(&process)),
            None => format!("{who} reads {}{place}", names.of(of)),
        },
        (Some(Event::Choose { .. }), _) if failing.is_from_outside() => format!("{who}{place}"),
        (Some(Event::Choose { .. }), _) => format!("{who} chooses{place}"),
        _ if trace.objects.contains(&at.pid) => format!("two requests to {who}"),
        (Some(Event::Receive { .. }), Some(Event::Receive { .. })) => {
            format!("{who} takes a message{place}")
        }
        (Some(Event::Timeout { constraint, .. }), _) if constraint == "nothing" => {
            format!("{who} sleeps{place}")
        }
        (Some(Event::Receive { .. } | Event::Timeout { .. }), _) => {
            format!("{who} waits for a message{place}")
        }
        _ => format!("{who}{place}"),
    }
}

/// What the process has done after the race in the failing execution: `store has taken {lookup, k}`.
fn once(explained: &Explained<'_>, at: &At, failing: &Outcome<'_>) -> String {
    let who = explained.names.of(&at.pid);
    let is_object = explained.trace.objects.contains(&at.pid);
    match failing.event() {
        Some(Event::Receive { tag, .. }) if !is_object => {
            let value = abbreviate(explained.messages.value(tag), 40);
            format!("{who} has taken {value}")
        }
        Some(Event::Timeout { constraint, .. }) if constraint != "nothing" => {
            format!("{who} has timed out")
        }
        Some(Event::Killed { .. }) => format!("{who} is killed there"),
        Some(Event::Choose { .. }) if failing.outside() == Some("kill") => {
            format!("{who} is killed there")
        }
        Some(Event::Read { object, .. }) if !is_object && process_of_liveness(object).is_none() => {
            format!("{who} has read that")
        }
        _ => "that is so".to_owned(),
    }
}

/// The request for which an object reads another one.
fn served<'t>(explained: &Explained<'t>, at: &At) -> Option<&'t Tag> {
    let events = explained.trace.events_of(&at.pid);
    let before = events.iter().take(at.index).rev();
    before.filter_map(Event::consumes).next()
}
