//! Short words for scripted programs, and all traces of one, checked against brute force.

#![allow(dead_code, reason = "each test file uses some of it")]

use mazurka_engine::{Delivery, Execution, Explorer, Observer, Options, SendersFirst, Timeouts};
use mazurka_lab::oracle::Instruction::{self, Receive, Send, Spawn};
use mazurka_lab::oracle::{CanonicalTrace, Pattern, Script, Target, Term, brute};
use mazurka_lab::{Algorithm, AlgorithmOptions, explore};
use mazurka_trace::Trace;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

pub const ME: Target = Target::Known(0);
pub const PARENT: Target = Target::Known(1);
/// To the entry process: the first process that it spawned.
pub const CHILD: Target = Target::Known(1);
/// To a second child: its elder sibling, spawned by the same process.
pub const SIBLING: Target = Target::Known(2);

/// A program in which the entry process, role 0, runs the first of these.
pub fn script(roles: &[&[Instruction]]) -> Script {
    Script {
        roles: roles.iter().map(|role| role.to_vec()).collect(),
    }
}

/// The entry process starts one process for each of `children`, then goes on with `entry`.
pub fn family(entry: &[Instruction], children: &[&[Instruction]]) -> Script {
    let mut first: Vec<Instruction> = (1..=children.len()).map(spawn).collect();
    first.extend(entry);
    let mut roles = vec![first];
    roles.extend(children.iter().map(|child| child.to_vec()));
    Script { roles }
}

pub fn spawn(role: usize) -> Instruction {
    Spawn {
        role,
        link: false,
        monitor: false,
    }
}

pub fn send(to: Target, value: i64) -> Instruction {
    let value = Term::Constant(value);
    Send { to, value }
}

pub const fn receive(pattern: Pattern) -> Instruction {
    Receive {
        pattern,
        timeout_ms: None,
    }
}

pub const ANY: Instruction = receive(Pattern::Any);

pub fn receive_after(pattern: Pattern, timeout_ms: u64) -> Instruction {
    Receive {
        pattern,
        timeout_ms: Some(timeout_ms),
    }
}

/// Collects all executions.
#[derive(Default)]
pub struct Collect {
    canonical: Vec<CanonicalTrace>,
    traces: Vec<Trace>,
}

impl Observer<Script> for Collect {
    fn execution(&mut self, execution: &Execution<'_, Script>) -> ControlFlow<()> {
        self.canonical.push(execution.canonical());
        self.traces.push(execution.trace());
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        *self = Collect::default();
    }
}

fn collect(script: &Script, delivery: Delivery, timeouts: Timeouts) -> Collect {
    let options = Options {
        delivery,
        timeouts,
        ..Options::default()
    };
    let mut collect = Collect::default();
    Explorer::new(script.clone(), SendersFirst, options)
        .run(&mut collect)
        .expect("all is modelled");
    collect
}

/// Every trace, in the order in which exploration finds them.
pub fn explored(script: &Script) -> Vec<Trace> {
    collect(script, Delivery::P2p, Timeouts::default()).traces
}

/// All traces by exploration, which must be those of brute force, none twice.
pub fn all_traces(
    script: &Script,
    delivery: Delivery,
    timeouts: Timeouts,
) -> BTreeSet<CanonicalTrace> {
    let found = collect(script, delivery, timeouts).canonical;
    let set: BTreeSet<_> = found.iter().cloned().collect();
    assert_eq!(
        found.len(),
        set.len(),
        "a trace was found twice: {script:?}"
    );
    let expected = brute(script, delivery, timeouts, 100_000).expect("a small program");
    assert_eq!(set, expected, "{script:?} under {delivery}, {timeouts}");
    set
}

/// All traces that exploration with these options finds, however often.
pub fn traces_by(
    script: &Script,
    algorithm: Algorithm,
    options: &Options,
) -> BTreeSet<CanonicalTrace> {
    found_by(script, algorithm.into(), options).0
}

/// All traces that exploration with these options finds, and in how many executions.
pub fn found_by(
    script: &Script,
    by: AlgorithmOptions,
    options: &Options,
) -> (BTreeSet<CanonicalTrace>, usize) {
    let mut collect = Collect::default();
    explore(script.clone(), SendersFirst, &by, options, &mut collect).expect("all is modelled");
    let executions = collect.canonical.len();
    (collect.canonical.into_iter().collect(), executions)
}
