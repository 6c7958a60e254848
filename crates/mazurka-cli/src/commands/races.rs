//! `mazurka races`

use crate::args::Races;
use anyhow::Result;
use mazurka_report::text::{Messages, count, shorten, width};
use mazurka_report::{Exit, files};
use mazurka_trace::{At, Event, Orphan, Tag};
use std::collections::{BTreeSet, HashMap};
use std::io::Write;

/// Lists every receive with its race set, and the messages that were never received.
pub fn run(args: &Races) -> Result<Exit> {
    let trace = files::read_trace(&args.file)?;
    let causality = trace.check()?;
    let messages = Messages::new(&trace);
    let mut out = super::stdout();
    // All at once, because the race set of one receive takes time in proportion to the events before.
    let races = causality.races().into_iter();
    let mut races: HashMap<At, BTreeSet<Tag>> = races.map(|race| (race.at, race.others)).collect();
    let (mut receives, mut with_race) = (0, 0);
    for (at, event) in trace.events() {
        if event.accepts().is_none() {
            continue;
        }
        let others = races.remove(&at).unwrap_or_default();
        receives += 1;
        with_race += u64::from(!others.is_empty());
        write_receive(&mut out, &messages, &at, event, &others)?;
    }
    let reads = causality.read_choices();
    for read in &reads {
        let others: Vec<_> = read.others.iter().map(u32::to_string).collect();
        writeln!(
            out,
            "{}: read version {} of {} and could have read version {}",
            read.at,
            read.version,
            read.object,
            others.join(", ")
        )?;
    }
    let orphans = trace.orphans();
    // Requests to shared objects, such as the end of a process to its liveness, are not messages of the
    // program.
    let of_program = |orphan: &&Orphan| !trace.objects.contains(&orphan.to);
    let orphans = orphans.iter().filter(of_program);
    let mut never_received = 0;
    for orphan in orphans {
        never_received += 1;
        let message = name(&messages, &orphan.tag);
        let (sent, to) = (&orphan.sent, &orphan.to);
        writeln!(
            out,
            "{sent}: sent {message} to {to}, which never received it"
        )?;
    }
    let total = count(receives, "receive");
    write!(out, "{total}, {with_race} with a race")?;
    if !reads.is_empty() {
        write!(out, "; {} with a choice", count(reads.len() as u64, "read"))?;
    }
    match never_received {
        0 => writeln!(out)?,
        orphans => writeln!(out, "; {}", count(orphans, "orphan"))?,
    }
    out.flush()?;
    Ok(Exit::Fine)
}

/// `P.1#0 (hello from P.1)`
fn name(messages: &Messages<'_>, tag: &Tag) -> String {
    let value = shorten(messages.value(tag), width().saturating_sub(50).max(20));
    format!("{tag} ({value} from {})", messages.sender(tag))
}

fn write_receive(
    out: &mut impl Write,
    messages: &Messages<'_>,
    at: &At,
    event: &Event,
    others: &BTreeSet<Tag>,
) -> Result<()> {
    let name = |tag: &Tag| name(messages, tag);
    let took = match event.consumes() {
        Some(tag) => format!("took {}", name(tag)),
        None => "timed out".to_owned(),
    };
    let choice = match others.is_empty() {
        true => "and had no choice",
        false => "and could have taken",
    };
    writeln!(out, "{at}: {took} {choice}")?;
    for tag in others {
        writeln!(out, "    {}", name(tag))?;
    }
    Ok(())
}
