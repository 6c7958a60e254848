//! Helpers to write scripted programs, and to compare their traces with those of brute force.

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
/// In the entry process: the first process that it spawned.
pub const CHILD: Target = Target::Known(1);
/// In the second child: the first child of the same process.
pub const SIBLING: Target = Target::Known(2);

/// A program with these roles. The entry process has role 0.
pub fn script(roles: &[&[Instruction]]) -> Script {
    Script {
        roles: roles.iter().map(|role| role.to_vec()).collect(),
    }
}

/// The entry process spawns one process for each of `children`, then executes `entry`.
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

fn explorer(
    script: &Script,
    delivery: Delivery,
    timeouts: Timeouts,
) -> Explorer<Script, SendersFirst> {
    let options = Options {
        delivery,
        timeouts,
        ..Options::default()
    };
    Explorer::new(script.clone(), SendersFirst, options)
}

fn collect(script: &Script, delivery: Delivery, timeouts: Timeouts) -> Collect {
    let mut collect = Collect::default();
    explorer(script, delivery, timeouts)
        .run(&mut collect)
        .expect("all is modelled");
    collect
}

/// The fault that stops the exploration of a program.
pub fn fault(script: &Script, delivery: Delivery) -> String {
    let mut explorer = explorer(script, delivery, Timeouts::default());
    let fault = explorer.run(&mut Collect::default());
    fault.expect_err("something is not modelled").to_string()
}

/// Every trace, in the order in which exploration finds them.
pub fn explored(script: &Script) -> Vec<Trace> {
    collect(script, Delivery::P2p, Timeouts::default()).traces
}

/// All traces by exploration. They must be those of brute force, each found once.
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

/// All traces that exploration with these options finds, once or more often.
pub fn traces_by(
    script: &Script,
    algorithm: Algorithm,
    options: &Options,
) -> BTreeSet<CanonicalTrace> {
    found_by(script, algorithm.into(), options).0
}

/// All traces that exploration with these options finds, and the number of executions.
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
