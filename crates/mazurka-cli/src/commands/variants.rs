//! `mazurka variants`

use crate::args::{VariantFormat, Variants};
use anyhow::{Result, anyhow, bail};
use mazurka_files::shown;
use mazurka_report::Exit;
use mazurka_report::files::{self, Kind, Names, Outputs};
use mazurka_report::text::{Messages, shorten};
use mazurka_trace::{At, Causality, RaceSet, Tag, Trace};
use std::io::Write;

/// Writes a file for each race variant of a trace.
pub fn run(args: &Variants) -> Result<Exit> {
    let trace = files::read_trace(&args.file)?;
    let causality = trace.check()?;
    let races = chosen_races(args, &causality)?;
    let mut names = Names::default();
    let mut variants = Vec::new();
    for race in &races {
        for tag in &race.others {
            let stem = format!("{}-{}-takes-{tag}", race.at.pid, race.at.index + 1);
            variants.push((race, tag, names.json(&args.output, &stem)));
        }
    }
    let outputs = Outputs::new(vec![args.file.clone()], args.force);
    files::make_directory(&args.output)?;
    for (_, _, path) in &variants {
        outputs.check(path, Kind::Execution)?;
    }
    let messages = Messages::new(&trace);
    let mut out = super::stdout();
    for (race, tag, path) in variants {
        let contents = contents(args, &causality, race, tag)?;
        outputs.write(&path, Kind::Execution, &contents)?;
        let what = describe(&messages, race, tag);
        writeln!(out, "{}: {what}", shown(&path))?;
    }
    match (races.is_empty(), args.receives.is_empty()) {
        (true, true) => writeln!(out, "No receive had a choice, so there are no variants.")?,
        (true, false) => writeln!(
            out,
            "None of these receives had a choice, so there are no variants."
        )?,
        _ => {}
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn contents(
    args: &Variants,
    causality: &Causality<'_>,
    race: &RaceSet,
    tag: &Tag,
) -> Result<String> {
    let variant = causality
        .variant(&race.at, tag)
        .ok_or_else(|| anyhow!("{} has no variant for {tag}; please report this", race.at))?;
    Ok(match args.format {
        VariantFormat::Log => variant.log().to_json(),
        VariantFormat::Trace => variant.to_json(),
    })
}

fn describe(messages: &Messages<'_>, race: &RaceSet, tag: &Tag) -> String {
    let name = |tag| {
        let value = shorten(messages.value(tag), 40);
        format!("{tag} ({value} from {})", messages.sender(tag))
    };
    let instead = match &race.consumed {
        Some(consumed) => format!("instead of {}", name(consumed)),
        None => "instead of timing out".to_owned(),
    };
    format!("{} takes {} {instead}", race.at, name(tag))
}

/// The races of the receives given by `--receive`, or all races.
fn chosen_races(args: &Variants, causality: &Causality<'_>) -> Result<Vec<RaceSet>> {
    let mut races = causality.races();
    if args.receives.is_empty() {
        return Ok(races);
    }
    let mut named = Vec::new();
    for name in &args.receives {
        named.push(find_receive(causality.trace(), name)?);
    }
    races.retain(|race| named.contains(&race.at));
    Ok(races)
}

/// Finds a receive by `PROCESS:POSITION` or by the tag of its message.
fn find_receive(trace: &Trace, name: &str) -> Result<At> {
    if let Some((at, _)) = trace
        .events()
        .find(|(_, event)| event.consumes().is_some_and(|tag| tag.as_str() == name))
    {
        return Ok(at);
    }
    let position = name
        .rsplit_once(':')
        .and_then(|(pid, position)| Some((pid, position.parse::<usize>().ok()?.checked_sub(1)?)));
    let Some((pid, index)) = position else {
        bail!(
            "--receive {name}: no receive of the trace takes a message with this tag; \
             give a tag or PROCESS:POSITION (`mazurka races` lists both)"
        );
    };
    let at = At::new(pid, index);
    match trace.event(&at) {
        Some(event) if event.accepts().is_some() => Ok(at),
        Some(event) => bail!("--receive {name}: {at} is not a receive but `{event}`"),
        None if !trace.processes.contains_key(pid) => {
            bail!("--receive {name}: the trace has no process {pid}")
        }
        None => bail!(
            "--receive {name}: {pid} has only {} events",
            trace.events_of(&at.pid).len()
        ),
    }
}
