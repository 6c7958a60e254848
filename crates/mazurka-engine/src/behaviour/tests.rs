//! Memory does not grow with the number of histories.

use crate::answer::Answer;
use crate::explore::explore;
use crate::frontend::{Demand, Fault, Frontend, Hints, Input, NoObjects, Outcome, Turn};
use crate::guide::SendersFirst;
use crate::ids::PidTable;
use crate::message::{Payload, Reason};
use crate::observe::{Observer, Progress};
use crate::options::Options;
use crate::view::Execution;
use std::ops::ControlFlow;

/// A program whose entry process, `rounds` times, chooses one of two alternatives, starts a process
/// whose start depends on all choices so far, and waits for a message that only that process sends.
struct Fresh {
    rounds: u32,
    state_bytes: usize,
}

/// All choices so far, as binary digits after a 1.
type Chosen = u64;

const NOTHING_CHOSEN: Chosen = 1;

#[derive(Clone)]
enum State {
    Chooses(Chosen),
    Waits(Chosen),
    Over,
}

impl Fresh {
    fn next(&self, chosen: Chosen) -> (State, Demand<Chosen, Chosen>) {
        match chosen >> self.rounds {
            0 => (State::Chooses(chosen), Demand::Choose(2)),
            _ => (State::Over, Demand::Exit(Reason::Normal)),
        }
    }
}

impl Frontend for Fresh {
    type Value = Chosen;
    type Constraint = Chosen;
    /// What the entry process had chosen then.
    type Start = Chosen;
    type State = State;
    type Objects = NoObjects;

    fn fresh_copy(&self) -> Self {
        Fresh { ..*self }
    }

    fn entry(&self) -> Chosen {
        NOTHING_CHOSEN
    }

    fn start(&self, start: &Chosen, turn: &mut Turn<'_, Self>) -> Outcome<Self> {
        if *start == NOTHING_CHOSEN {
            return Ok(self.next(*start));
        }
        turn.send(PidTable::ENTRY, *start);
        Ok((State::Over, Demand::Exit(Reason::Normal)))
    }

    fn answer(
        &self,
        state: &State,
        input: Input<'_, Chosen>,
        turn: &mut Turn<'_, Self>,
    ) -> Outcome<Self> {
        Ok(match (state, input) {
            (State::Chooses(chosen), Input::Answer(Answer::Int(way))) => {
                let chosen = chosen << 1 | way.unsigned_abs();
                turn.spawn(chosen);
                let demand = Demand::Receive {
                    constraint: chosen,
                    timeout_ms: None,
                };
                (State::Waits(chosen), demand)
            }
            (State::Waits(chosen), Input::Message(Payload::User(told))) => {
                assert_eq!(told, chosen);
                self.next(*chosen)
            }
            _ => unreachable!("it demands nothing else"),
        })
    }

    fn matches(&self, message: &Payload<Chosen>, constraint: &Chosen) -> Result<bool, Fault> {
        Ok(*message == Payload::User(*constraint))
    }

    fn hints(&self) -> &dyn Hints<Self> {
        self
    }
}

impl Hints<Fresh> for Fresh {
    fn state_bytes(&self, _: &State) -> usize {
        self.state_bytes
    }
}

/// The largest numbers of ids in use at once.
#[derive(Debug, Default, PartialEq, Eq)]
struct Numbers {
    nodes: usize,
    roots: usize,
    constraints: usize,
    values: usize,
}

impl Observer<Fresh> for Numbers {
    fn execution(&mut self, execution: &Execution<'_, Fresh>) -> ControlFlow<()> {
        // They never become fewer.
        let behaviours = execution.behaviours;
        let [_, values, _, constraints] = behaviours.values.sizes();
        *self = Numbers {
            nodes: behaviours.nodes.len(),
            roots: behaviours.roots.numbers(),
            constraints,
            values,
        };
        ControlFlow::Continue(())
    }
}

const ROUNDS: u32 = 10;

fn run(node_memory: usize, state_bytes: usize) -> (Progress, Numbers) {
    let fresh = Fresh {
        rounds: ROUNDS,
        state_bytes,
    };
    let options = Options {
        node_memory,
        ..Options::default()
    };
    let mut numbers = Numbers::default();
    let result = explore(fresh, SendersFirst, &options, &mut numbers);
    let (_, progress) = result.expect("all is modelled");
    (progress, numbers)
}

const AMPLE: usize = 1 << 30;
const SCARCE: usize = 1;

/// Histories of the entry process after at least one choice.
const HISTORIES: usize = (2 << ROUNDS) - 2;

#[test]
fn with_ample_memory_everything_stays() {
    let (progress, numbers) = run(AMPLE, 0);
    let expected = Numbers {
        // Each history before and after it receives from the process that it started, and that
        // process.
        nodes: 1 + 3 * HISTORIES,
        roots: 1 + HISTORIES,
        constraints: HISTORIES,
        values: HISTORIES,
    };
    assert_eq!(progress.executions, 1 << ROUNDS);
    assert_eq!(numbers, expected);
}

/// One execution takes a root, a constraint and a message for each round, and three nodes. What
/// is not in use may take as much again before it is dropped.
#[test]
fn with_scarce_memory_tables_stay_small() {
    let (progress, numbers) = run(SCARCE, 0);
    assert_eq!(progress.executions, 1 << ROUNDS);
    let most = 3 * ROUNDS as usize;
    assert!(
        numbers.roots <= most
            && numbers.constraints <= most
            && numbers.values <= most
            && numbers.nodes <= 3 * most,
        "{numbers:?}"
    );
}

#[test]
fn large_states_are_dropped_sooner() {
    let nodes = |state_bytes| run(256 << 20, state_bytes).1.nodes;
    let all = 1 + 3 * HISTORIES;
    assert_eq!(nodes(0), all);
    assert_eq!(nodes(1 << 10), all);
    let some = nodes(1 << 20);
    assert!(some <= 10 * ROUNDS as usize, "{some}");
    // Sums of large values do not overflow.
    assert!(nodes(usize::MAX) <= all);
}
