//! Futures as processes that are run again from their recorded inputs.

use crate::Pid;
use crate::live::{Again, Live};
use crate::message::Reason;
use crate::stage::{Action, Counts, Demand, Given};
use crate::start::Start;
use crate::trouble::misuse_fault;
use mazurka_engine::Fault;
use mazurka_replay::{Ran, Recording, Rerun, Runner};
use std::rc::Rc;

/// Runs processes that are futures.
pub struct Futures;

/// A local history of a process.
pub type History = mazurka_replay::History<Futures>;

/// What a process did on one input.
pub(crate) type Step = mazurka_replay::Step<Futures>;

/// What is recorded of a step besides actions and demand.
pub struct Notes {
    /// The counters of the process since its start.
    pub(crate) counts: Counts,
    /// What it printed, if that is shown: the number of actions before it, and the text. Boxed twice:
    /// it is nearly always nothing, and there are many histories.
    #[expect(clippy::box_collection, reason = "a history should be small")]
    pub(crate) output: Option<Box<Vec<(usize, String)>>>,
    /// The least number of steps to an error, if the program gave one.
    pub(crate) distance: Option<u32>,
    /// The backtrace of the panic that ended it, if backtraces are recorded.
    pub(crate) backtrace: Option<String>,
    /// The memory of the future that waits here.
    pub(crate) future_bytes: usize,
    /// Whether the program would abort here. Such a history was not run and must not be.
    pub(crate) is_doomed: bool,
}

impl Notes {
    /// What the process printed since its last input: the number of actions before it, and the text.
    pub(crate) fn output(&self) -> &[(usize, String)] {
        self.output.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl Runner for Futures {
    type Pid = Pid;
    type Start = Start;
    type Input = Given;
    type Action = Action;
    type Demand = Demand;
    type Notes = Notes;
    type Process = Live;

    fn start(&self, pid: &Pid, start: &Start) -> Result<Ran<Self>, Fault> {
        let (live, step) = Live::begin(start, *pid);
        let step = step.map_err(|misuse| misuse_fault(misuse, *pid, 0))?;
        Ok((live.if_waiting(), step))
    }

    fn feed(&self, mut live: Live, at: &Rc<History>, given: &Given) -> Result<Ran<Self>, Fault> {
        let step = live.go_on(at, given.clone());
        let step = step.map_err(|misuse| misuse_fault(misuse, *at.pid(), at.input_count() + 1))?;
        Ok((live.if_waiting(), step))
    }

    /// All inputs are fed while the stage is open, and actions are compared instead of recorded.
    fn rerun(&self, recording: &Recording<'_, Self>) -> Result<Rerun<Self>, Fault> {
        let (live, again) = Live::again(recording.start(), recording.first(), recording.steps());
        Ok(match again {
            Again::Arrived => Rerun::Arrived(live),
            Again::Stopped(inputs, step) => {
                let after = u32::try_from(inputs).expect("inputs are counted in 32 bits");
                let step = step.map_err(|misuse| misuse_fault(misuse, *recording.pid(), after))?;
                Rerun::Stopped { inputs, step }
            }
        })
    }

    fn is_same_demand(first: &Demand, second: &Demand) -> bool {
        first.looks_like(second)
    }

    fn role(&self, start: &Start) -> String {
        start.role()
    }
}

/// The step of a process that would abort the program, with the counters of its history. It is not
/// run.
pub(crate) fn doomed_step(reason: Reason, counts: Counts) -> Step {
    Step {
        repeated: 0,
        actions: Vec::new(),
        demand: Demand::Exit(reason),
        notes: Notes {
            counts,
            output: None,
            distance: None,
            backtrace: None,
            future_bytes: 0,
            is_doomed: true,
        },
    }
}

/// The inputs of a history and then this one, as texts.
pub(crate) fn inputs_then(history: &History, last: &Given) -> Vec<String> {
    let mut inputs = vec![last.to_string()];
    inputs.extend(history.inputs_backward().map(Given::to_string));
    inputs.reverse();
    inputs
}

/// The memory that a history takes while its process waits there, whether or not it still does.
pub(crate) fn bytes(history: &History) -> usize {
    size_of::<History>() + size_of_val(history.actions()) + history.notes().future_bytes
}

impl Demand {
    /// Whether both have the same text in the source.
    #[inline]
    pub(crate) fn looks_like(&self, other: &Demand) -> bool {
        match (self, other) {
            (
                Demand::Receive {
                    constraint,
                    timeout_ms,
                },
                Demand::Receive {
                    constraint: other,
                    timeout_ms: other_timeout,
                },
            ) => constraint.looks_like(other) && timeout_ms == other_timeout,
            _ => self == other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Incoming;
    use crate::{Value, distance, receive};
    use mazurka_replay::Replayer;

    #[test]
    fn a_distance_applies_to_the_next_wait_only() {
        let start = Start::entry(|| async {
            distance(2);
            receive::<i32>().await;
            distance(1);
            receive::<i32>().await;
            receive::<i32>().await;
        });
        let message = || Given::Message(Incoming::User(Value::new(7)));
        let replayer = Replayer::new(Futures);
        let mut history = replayer.start(Pid::entry(), &start).expect("it waits");
        let mut distances = vec![history.notes().distance];
        for _ in 0..3 {
            history = replayer.answer(&history, message()).expect("it goes on");
            distances.push(history.notes().distance);
        }
        assert_eq!(distances, [Some(2), Some(1), None, None]);
    }
}
