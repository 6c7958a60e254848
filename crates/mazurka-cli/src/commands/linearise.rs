//! `mazurka linearise`

use crate::args::Linearise;
use anyhow::Result;
use mazurka_report::text::{Sequence, count, width};
use mazurka_report::{Exit, files};
use mazurka_trace::Causality;
use std::io::Write;

/// Prints the events of a trace in one order, or in all.
pub fn run(args: &Linearise) -> Result<Exit> {
    let trace = files::read_trace(&args.file)?;
    let causality = trace.check()?;
    let sequence = Sequence::new(&trace, width()).tagged();
    let mut out = super::stdout();
    if args.all {
        write_all(&mut out, &sequence, &causality, args.limit)?;
    } else if args.random {
        sequence.write(&mut out, &causality.random_linearisation(args.seed))?;
    } else {
        let fewest = causality.fewest_switches(Causality::SWITCH_BUDGET);
        sequence.write(&mut out, &fewest.interleaving)?;
        let switches =
            count(fewest.switches as u64, "context switche").replace("switche ", "switch ");
        match fewest.exact {
            true => writeln!(out, "{switches}")?,
            false => writeln!(out, "{switches}; there may be an order with fewer")?,
        }
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn write_all(
    out: &mut impl Write,
    sequence: &Sequence<'_>,
    causality: &Causality<'_>,
    limit: Option<u64>,
) -> Result<()> {
    let mut orders = causality.linearisations();
    let mut number = 0;
    while limit.is_none_or(|limit| number < limit) {
        let Some(order) = orders.next() else {
            writeln!(out, "{}", count(number, "order"))?;
            return Ok(());
        };
        number += 1;
        writeln!(out, "Order {number}:")?;
        sequence.write(out, &order)?;
        writeln!(out)?;
    }
    match orders.next() {
        None => writeln!(out, "{}", count(number, "order"))?,
        Some(_) => writeln!(out, "{}, and there are more", count(number, "order"))?,
    }
    Ok(())
}
