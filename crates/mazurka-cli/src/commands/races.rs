//! `mazurka races`

use crate::args::Races;
use anyhow::Result;
use mazurka_report::text::{Messages, count, shorten, width};
use mazurka_report::{Exit, files};
use mazurka_trace::{At, Event, Tag};
use std::collections::BTreeSet;
use std::io::Write;

/// Lists every receive with its race set.
pub fn run(args: &Races) -> Result<Exit> {
    let trace = files::read_trace(&args.file)?;
    let causality = trace.check()?;
    let messages = Messages::new(&trace);
    let mut out = super::stdout();
    let (mut receives, mut with_race) = (0, 0);
    for (at, event) in trace.events() {
        if event.accepts().is_none() {
            continue;
        }
        let others = causality.race_set(&at);
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
    let total = count(receives, "receive");
    write!(out, "{total}, {with_race} with a race")?;
    match reads.len() {
        0 => writeln!(out)?,
        reads => writeln!(out, "; {} with a choice", count(reads as u64, "read"))?,
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn write_receive(
    out: &mut impl Write,
    messages: &Messages<'_>,
    at: &At,
    event: &Event,
    others: &BTreeSet<Tag>,
) -> Result<()> {
    let name = |tag: &Tag| {
        let value = shorten(messages.value(tag), width().saturating_sub(50).max(20));
        format!("{tag} ({value} from {})", messages.sender(tag))
    };
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
