//! Mazurka itself: a whole check of the gallery's program, errors looked for and all.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use mazurka_engine::{SendersFirst, Settings, check};

use crate::measure::{Extent, Measurement, Program, timed};

pub fn fan_in(senders: usize) -> Measurement {
    measure(Program::FanIn { senders }, "fan-in", &[("n", senders)])
}

pub fn client_server(clients: usize, rounds: usize) -> Measurement {
    measure(
        Program::ClientServer { clients, rounds },
        "client-server",
        &[("clients", clients), ("rounds", rounds)],
    )
}

fn measure(program: Program, name: &str, params: &[(&str, usize)]) -> Measurement {
    let params: BTreeMap<String, String> = params
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.to_string()))
        .collect();
    let actors = mazurka_gallery::find(name)
        .expect("the gallery has it")
        .instantiate(&params)
        .expect("the parameters fit");
    let (report, seconds) = timed(|| {
        check(actors, SendersFirst, &Settings::default(), |_| {
            ControlFlow::Continue(())
        })
        .expect("gallery programs are modelled")
    });
    assert!(report.is_complete() && report.found.is_empty());
    Measurement {
        tool: concat!("mazurka ", env!("CARGO_PKG_VERSION")),
        program,
        executions: report.progress.executions,
        blocked: report.progress.blocked,
        // Every step of the explored tree leads to a state of its own.
        states: Some(report.progress.transitions),
        seconds,
        extent: Extent::EachOnce,
    }
}
