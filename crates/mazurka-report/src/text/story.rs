//! How one execution went wrong: its sequence, and the race that led there.

use super::sequence::is_bookkeeping;
use super::{Messages, Sequence, shorten, source, style, styled, width};
use crate::diagram::Diagram;
use crate::outcome::Kept;
use crate::subject::Subject;
use mazurka_engine::{Diagnosis, Finding, Kind};
use mazurka_trace::{At, Causality, Event, Interleaving, Pid, RaceSet, ReadChoice, Trace};
use std::collections::HashMap;
use std::io::{self, Write};

/// Executions with more events are not put in order: that takes too long to wait for.
pub(crate) const EVENTS_MAX: usize = 3_000;

/// Writes the sequence of an execution that ends in `findings`. `whole` writes every event,
/// however many there are, with its number.
pub(super) fn write_sequence(
    out: &mut impl Write,
    trace: &Trace,
    findings: &[&Finding],
    whole: bool,
) -> io::Result<()> {
    let events = trace.event_count();
    if events > EVENTS_MAX {
        writeln!(out, "    ({events} events, too many to show)")?;
        return Ok(());
    }
    let causality = match trace.check() {
        Ok(causality) => causality,
        Err(error) => {
            writeln!(
                out,
                "    (it cannot be put in order: {error}; please report this)"
            )?;
            return Ok(());
        }
    };
    let order = in_order(&causality);
    let mut sequence = Sequence::new(trace, width());
    match whole {
        true => {
            sequence = sequence.numbered();
            sequence.write(out, &order)?;
        }
        false => sequence.write_ends(out, &order)?,
    }
    for finding in findings {
        if matches!(
            finding.kind,
            Kind::Deadlock | Kind::Stuck | Kind::DepthBound
        ) {
            sequence.write_end(out, &finding.process, &finding.message)?;
        }
    }
    Ok(())
}

/// Draws an execution that ends in `findings`.
pub(super) fn write_diagram(
    out: &mut impl Write,
    trace: &Trace,
    findings: &[&Finding],
    diagnosis: Option<&Diagnosis>,
) -> io::Result<()> {
    match Diagram::new(trace, findings, diagnosis) {
        Ok(diagram) => diagram.write(out, width()),
        Err(error) => writeln!(out, "    (no diagram: {error})"),
    }
}

/// Writes the race that leads to a finding, and the source lines of both.
pub(super) fn write_race(
    out: &mut impl Write,
    subject: &Subject,
    trace: &Trace,
    finding: &Finding,
) -> io::Result<()> {
    if trace.event_count() > EVENTS_MAX {
        return Ok(());
    }
    let Ok(causality) = trace.check() else {
        return Ok(()); // the sequence has said so
    };
    let order = places(&in_order(&causality));
    write_race_of(out, subject, &Choices::new(causality, order), finding)
}

/// Writes the race among these that leads to a finding, and the source lines of both.
pub(super) fn write_race_of(
    out: &mut impl Write,
    subject: &Subject,
    choices: &Choices<'_>,
    finding: &Finding,
) -> io::Result<()> {
    let trace = choices.causality.trace();
    let choice = choices.leading_to(finding);
    let mut places = Vec::new();
    places.extend(source::place_in(&finding.message));
    places.extend(choice.into_iter().flat_map(|choice| choice.places(trace)));
    match choice {
        Some(Choice::Receive(race)) => write_receive(out, trace, race)?,
        Some(Choice::Read(read)) => write_read(out, trace, read)?,
        Some(Choice::Own { at, of, chosen }) => {
            let heading = styled(style::BOLD, "The choice that leads to it:");
            let at = with_place(trace, at);
            writeln!(out, "  {heading} {at} chose {chosen} of {of}")?;
        }
        None => write_no_choice(out, &finding.process, choices.choices.len())?,
    }
    source::write_lines(out, &subject.sources, &places)
}

/// Writes the source lines of an error and of the race that decides.
pub(super) fn write_places(out: &mut impl Write, subject: &Subject, kept: &Kept) -> io::Result<()> {
    let mut places = Vec::new();
    places.extend(source::place_in(&kept.found.finding.message));
    let parting = kept.diagnosis.as_ref().and_then(|d| d.parting.as_ref());
    if let Some(parting) = parting {
        for trace in [&*kept.found.trace, &parting.passing] {
            let messages = Messages::new(trace);
            let event = trace.event(&parting.at);
            let taken = event.and_then(Event::consumes);
            let sent = taken.and_then(|tag| messages.sent(tag));
            let at = [Some(&parting.at), sent].into_iter().flatten();
            places.extend(at.filter_map(|at| trace.place(at)).map(str::to_owned));
        }
    }
    source::write_lines(out, &subject.sources, &places)
}

/// The choice that leads to a finding, as far as a trace tells.
pub(crate) fn leading_choice(trace: &Trace, finding: &Finding) -> Option<Choice> {
    let causality = trace.check().ok()?;
    let order = places(&in_order(&causality));
    let choices = Choices::new(causality, order);
    choices.leading_to(finding).cloned()
}

/// All that could have gone another way in an execution.
pub(crate) struct Choices<'t> {
    causality: Causality<'t>,
    /// The order in which the execution is shown.
    order: HashMap<At, usize>,
    choices: Vec<Choice>,
}

impl<'t> Choices<'t> {
    /// Those of an execution that is shown in this order, but for what front-ends keep for
    /// themselves.
    pub(crate) fn new(causality: Causality<'t>, order: HashMap<At, usize>) -> Self {
        let mut choices: Vec<Choice> = causality.races().into_iter().map(Choice::Receive).collect();
        choices.extend(causality.read_choices().into_iter().map(Choice::Read));
        let events = causality.trace().events();
        choices.extend(events.filter_map(|(at, event)| match *event {
            Event::Choose {
                of: of @ 2..,
                chosen,
            } => Some(Choice::Own { at, of, chosen }),
            _ => None,
        }));
        choices.retain(|choice| !choice.is_bookkeeping());
        Choices {
            causality,
            order,
            choices,
        }
    }

    /// The event that could have gone another way and leads to a finding.
    pub(crate) fn decided_at(&self, finding: &Finding) -> Option<&At> {
        self.leading_to(finding).map(Choice::at)
    }

    /// The last choice, in the order shown, in the causal past of the last event of a process.
    /// A process that waits for ever has not done what others wait for in turn, so then a choice
    /// elsewhere will do.
    fn leading_to(&self, finding: &Finding) -> Option<&Choice> {
        let pid = finding.process.as_str().into();
        let last = last_event(self.causality.trace(), &pid)?;
        let place = |choice: &&Choice| self.order.get(choice.at()).copied();
        let leads_there = |at: &At| *at == last || self.causality.happened_before(at, &last);
        let choices = self.choices.iter();
        let before = choices.clone().filter(|choice| leads_there(choice.at()));
        let elsewhere = match finding.kind {
            Kind::Deadlock | Kind::Stuck => choices.max_by_key(place),
            _ => None,
        };
        before.max_by_key(place).or(elsewhere)
    }
}

/// Something that could have gone another way.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    /// Which message was taken.
    Receive(RaceSet),
    /// Which version was read.
    Read(ReadChoice),
    /// What a process chose by itself.
    Own {
        /// Where.
        at: At,
        /// Of how many.
        of: u32,
        /// Which one.
        chosen: u32,
    },
}

impl Choice {
    /// Whether it is about what a front-end keeps for itself.
    fn is_bookkeeping(&self) -> bool {
        let object = match self {
            Choice::Read(read) => read.object.as_str(),
            _ => "",
        };
        is_bookkeeping(self.at().pid.as_str()) || is_bookkeeping(object)
    }

    /// Where.
    pub(crate) fn at(&self) -> &At {
        match self {
            Choice::Receive(race) => &race.at,
            Choice::Read(read) => &read.at,
            Choice::Own { at, .. } => at,
        }
    }
}

impl Choice {
    /// Where in the source it was made, and where the messages come from that it was about.
    fn places(&self, trace: &Trace) -> Vec<String> {
        let messages = Messages::new(trace);
        let mut at = vec![self.at()];
        if let Choice::Receive(race) = self {
            let tags = race.consumed.iter().chain(&race.others);
            let sent = tags.filter_map(|tag| messages.sent(tag));
            at.extend(sent);
        }
        let places = at.into_iter().filter_map(|at| trace.place(at));
        places.map(str::to_owned).collect()
    }
}

/// An execution that can be put in order, and not too long to be.
pub(crate) fn ordered(trace: &Trace) -> Result<Causality<'_>, String> {
    let events = trace.event_count();
    if events > EVENTS_MAX {
        return Err(format!("it has {events} events, too many"));
    }
    trace.check().map_err(|error| error.to_string())
}

/// The order in which we show an execution.
pub(crate) fn in_order(causality: &Causality<'_>) -> Interleaving {
    causality
        .fewest_switches(Causality::SWITCH_BUDGET)
        .interleaving
}

/// `P.1 (worker)`
#[must_use]
pub fn process_with_role(finding: &Finding) -> String {
    match &finding.role {
        Some(role) if !role.is_empty() => format!("{} ({})", finding.process, shorten(role, 60)),
        _ => finding.process.clone(),
    }
}

/// The last event of a process, or its spawn if it did nothing.
fn last_event(trace: &Trace, pid: &Pid) -> Option<At> {
    match trace.events_of(pid).len() {
        0 => trace
            .events()
            .find(|(_, event)| event.spawns() == Some(pid))
            .map(|(at, _)| at),
        events => Some(At::new(pid.clone(), events - 1)),
    }
}

fn places(order: &Interleaving) -> HashMap<At, usize> {
    let mut seen: HashMap<&Pid, usize> = HashMap::new();
    let mut places = HashMap::new();
    for (place, (pid, _)) in order.events.iter().enumerate() {
        let index = seen.entry(pid).or_default();
        places.insert(At::new(pid.clone(), *index), place);
        *index += 1;
    }
    places
}

const HEADING: &str = "The race that leads to it:";

fn write_receive(out: &mut impl Write, trace: &Trace, race: &RaceSet) -> io::Result<()> {
    let heading = styled(style::BOLD, HEADING);
    let messages = Messages::new(trace);
    let room = width().saturating_sub(40).max(20);
    let name = |tag| {
        let value = shorten(messages.value(tag), room);
        let place = in_brackets(messages.sent(tag).and_then(|at| trace.place(at)));
        format!("{value} from {}{place}  [{tag}]", messages.sender(tag))
    };
    let at = with_place(trace, &race.at);
    match &race.consumed {
        Some(tag) => writeln!(out, "  {heading} {at} took\n    {}", name(tag))?,
        None => writeln!(out, "  {heading} {at} timed out")?,
    }
    writeln!(out, "  and could have taken instead")?;
    for tag in &race.others {
        writeln!(out, "    {}", name(tag))?;
    }
    Ok(())
}

/// `P.1 event 3 (bank.erl:12)`
fn with_place(trace: &Trace, at: &At) -> String {
    format!("{at}{}", in_brackets(trace.place(at)))
}

fn in_brackets(place: Option<&str>) -> String {
    place.map_or_else(String::new, |place| format!(" ({place})"))
}

fn write_read(out: &mut impl Write, trace: &Trace, read: &ReadChoice) -> io::Result<()> {
    let heading = styled(style::BOLD, HEADING);
    let ReadChoice {
        at,
        object,
        version,
        ..
    } = read;
    writeln!(
        out,
        "  {heading} {} read {object} {}",
        with_place(trace, at),
        after_change(trace, object, *version)
    )?;
    writeln!(out, "  and could have read it instead")?;
    for other in &read.others {
        writeln!(out, "    {}", after_change(trace, object, *other))?;
    }
    Ok(())
}

/// Which version of an object, in terms of the request that made it.
pub(crate) fn after_change(trace: &Trace, object: &Pid, version: u32) -> String {
    let messages = Messages::new(trace);
    let (mut published, mut request) = (0, None);
    for event in trace.events_of(object) {
        match event {
            Event::Receive { tag, .. } => request = Some(tag),
            Event::Publish => {
                published += 1;
                if published == version {
                    break;
                }
            }
            _ => {}
        }
    }
    match request {
        Some(tag) if version > 0 => {
            let value = shorten(messages.value(tag), 40);
            format!("after {value} from {}  [{tag}]", messages.sender(tag))
        }
        _ => "before any change".to_owned(),
    }
}

fn write_no_choice(out: &mut impl Write, pid: &str, elsewhere: usize) -> io::Result<()> {
    let heading = styled(style::BOLD, HEADING);
    write!(
        out,
        "  {heading} none among messages. No receive before the end of {pid} could have taken \
         another one"
    )?;
    // Whether a timeout could have fired, or a signal struck elsewhere, a trace does not say.
    match elsewhere {
        0 => writeln!(out, ", nor could any other.")?,
        1 => writeln!(out, "; one elsewhere could.")?,
        _ => writeln!(out, "; {elsewhere} elsewhere could.")?,
    }
    Ok(())
}

/// What the user can do about it, besides mending the program.
pub(super) fn write_advice(
    out: &mut impl Write,
    finding: &Finding,
    daemon_hint: &str,
) -> io::Result<()> {
    // Servers wait for requests, not to be rid of a message.
    if finding.kind == Kind::Stuck && !finding.message.ends_with("to be received") {
        let process = &finding.process;
        let hint = daemon_hint.replace('\n', "\n  ");
        writeln!(
            out,
            "  If {process} is a server that may wait for ever, mark it as a daemon: {hint}"
        )?;
    }
    Ok(())
}

/// What the host knows about an error, as it has it.
pub(super) fn write_details(out: &mut impl Write, details: Option<&str>) -> io::Result<()> {
    for line in details.unwrap_or_default().lines() {
        let line = shorten(&line.replace('\t', "    "), usize::MAX);
        writeln!(out, "{}", format!("  {line}").trim_end())?;
    }
    Ok(())
}
