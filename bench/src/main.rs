//! Measures Mazurka and published peers on the same programs, in one process, on one thread.
//!
//! ```text
//! cargo run --release --manifest-path bench/Cargo.toml -- [--quick]
//! ```
//!
//! * **fan-in N**: a receiver and N senders that each send it one distinct message; the
//!   receiver takes N messages from anyone. N! executions.
//! * **client-server C K**: C clients each do K rounds of *send a request, wait for the
//!   reply*; one server takes C·K requests from anyone, one at a time, and replies to each.
//!   (C·K)! / (K!)^C executions.
//! * **registry N**: a master registers at a registry and sends its address to N workers, which
//!   then register, too. (N + 1)! executions.
//! * **two-phase-commit N**: a coordinator asks N participants for their votes, then tells them
//!   the decision and waits for their acknowledgements. (N!)² executions.
//!
//! The last two are written for Mazurka's library and for TraceForge alone, the peer that runs
//! the same kind of code. *runs* is the number of times that a process really ran from one
//! receive to the next, to be compared with *states*, the steps explored.
//!
//! No two messages are ever in flight between the same two processes, so every delivery model
//! from unordered to FIFO has the same executions, and each tool runs under its fastest.

mod mazurka;
mod measure;
mod peers;

use std::process::ExitCode;

use measure::{Program, Tool};
use peers::{must, shuttle, stateright, traceforge};

/// Mazurka and its peers.
const TOOLS: &[Tool] = &[
    mazurka::engine,
    mazurka::library,
    traceforge::run,
    must::run,
    stateright::run,
    shuttle::run,
];

/// Each program with its number of repetitions.
const FULL: &[(Program, usize)] = &[
    (Program::FanIn { senders: 7 }, 15),
    (Program::FanIn { senders: 8 }, 7),
    (Program::FanIn { senders: 9 }, 3),
    (CLIENT_SERVER_3_3, 15),
    (Program::Registry { workers: 6 }, 7),
    (TWO_PHASE_COMMIT_4, 15),
];

/// A few seconds: does everything still run, and are the counts right?
const QUICK: &[(Program, usize)] = &[
    (Program::FanIn { senders: 7 }, 1),
    (CLIENT_SERVER_3_3, 1),
    (Program::Registry { workers: 5 }, 1),
    (TWO_PHASE_COMMIT_4, 1),
];

const TWO_PHASE_COMMIT_4: Program = Program::TwoPhaseCommit { participants: 4 };

const CLIENT_SERVER_3_3: Program = Program::ClientServer {
    clients: 3,
    rounds: 3,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runs = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => FULL,
        ["--quick"] => QUICK,
        _ => {
            eprintln!("usage: mazurka-bench [--quick]");
            return ExitCode::from(2);
        }
    };
    if cfg!(debug_assertions) {
        eprintln!("warning: this is not a release build; its figures mean nothing");
    }

    let mut all_counts_right = true;
    for &(program, repetitions) in runs {
        let table = measure::run(program, TOOLS, repetitions);
        println!("{table}");
        all_counts_right &= table.all_counts_right();
    }
    if !all_counts_right {
        eprintln!("error: an execution count is wrong; see the rows marked WRONG");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
