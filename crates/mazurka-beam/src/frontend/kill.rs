//! Kills from outside: which processes may be killed, and at which points.
//!
//! A kill from outside is concurrent with everything, so where it strikes is a choice of its target
//! alone. A process that may be killed stops at each of its *points* and asks the engine whether it is
//! killed there ([`Demand::Disturb`]): before each of its visible actions, before each receive, and
//! before its end. So what it does between two points is one step, and every execution with a kill at
//! one of the points exists exactly once. No killer, no message and no counter is part of the
//! execution.

use std::collections::VecDeque;
use std::rc::Rc;

use mazurka_engine::{
    Answer, Demand, DemandOf, Fault, LivenessOperation, Operation, Outcome, Reason, Turn,
};

use super::patterns::Pattern;
use super::{Done, Program, Snapshot};
use crate::code::Address;
use crate::ets::What;
use crate::machine::{Effect, Process, Stop};
use crate::term::{PidTerm, Term};

/// Which processes may be killed from outside, and how many of them in one execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kills {
    /// Processes that may be killed.
    pub victims: Vec<Pattern>,
    /// The number of kills in an execution.
    pub max: u32,
}

impl Default for Kills {
    fn default() -> Kills {
        Kills {
            victims: Vec::new(),
            max: Kills::MAX_DEFAULT,
        }
    }
}

impl Kills {
    /// The number of kills in an execution unless another one is given.
    pub const MAX_DEFAULT: u32 = 1;
}

/// What a process has computed and not done yet, because it may be killed before.
#[derive(Clone)]
pub(super) struct Rest {
    effects: VecDeque<(Effect, Address)>,
    stop: Stop,
}

impl Rest {
    /// Where the process is: at its next action, if it has one left.
    pub(super) fn place(&self) -> Option<Address> {
        self.effects.front().map(|(_, place)| *place)
    }
}

/// Whether another process can see the effect.
fn is_visible(effect: &Effect) -> bool {
    match effect {
        Effect::Spawn { .. }
        | Effect::Send { .. }
        | Effect::SendToAlias { .. }
        | Effect::Fire { .. }
        | Effect::Signal { .. } => true,
        Effect::TrapExit(_) | Effect::Output(_) | Effect::Log { .. } => false,
    }
}

/// Whether a process may be killed before this stop. Reads are no points: to be killed before one is
/// like being killed after it.
fn is_point(stop: &Stop) -> bool {
    let is_internal =
        |name: &Term| matches!(name, Term::Atom(name) if name.name().starts_with('$'));
    match stop {
        Stop::Receive { .. } | Stop::Exit(_) => true,
        Stop::Liveness(operation) => matches!(
            operation,
            LivenessOperation::Link(_) | LivenessOperation::Unlink(_)
        ),
        Stop::Ask(operation) => match operation {
            Operation::Register { .. } | Operation::Unregister { .. } => true,
            Operation::Put { table, .. }
            | Operation::PutNew { table, .. }
            | Operation::Take { table, .. } => !is_internal(table),
            Operation::Add { counter, .. }
            | Operation::Advance { counter, .. }
            | Operation::Exchange { counter, .. }
            | Operation::CompareExchange { counter, .. } => !is_internal(counter),
            Operation::WhereIs { .. } | Operation::Get { .. } | Operation::Count { .. } => false,
        },
        Stop::Table(request) => match &request.what {
            What::Key { call, .. } => !call.is_read(),
            What::Resolve { .. }
            | What::Exists { .. }
            | What::Describe { .. }
            | What::Whole { .. } => false,
            What::Create { .. }
            | What::Bind { .. }
            | What::Unbind { .. }
            | What::Delete { .. }
            | What::Change { .. } => true,
        },
        Stop::Names
        | Stop::Halt { .. }
        | Stop::Unsupported(_)
        | Stop::Interrupted { .. }
        | Stop::Endless { .. } => false,
    }
}

impl Program {
    /// Lines up effects of a process that may be killed. The group leader answers at once, since its
    /// answers are part of the step.
    pub(super) fn line_up(
        &self,
        process: &mut Process,
        effects: impl Iterator<Item = (Effect, Address)>,
        line: &mut VecDeque<(Effect, Address)>,
        turn: &mut Turn<'_, Self>,
    ) -> Result<(), Fault> {
        for (effect, place) in effects {
            match effect {
                Effect::Send { to, value } if to == PidTerm::leader() => {
                    let mut done = Done::default();
                    self.ask_leader(process, value, place, &mut done, turn)?;
                    let printed = done.output.into_iter();
                    line.extend(printed.map(|(_, text)| (Effect::Output(text), place)));
                }
                effect => line.push_back((effect, place)),
            }
        }
        Ok(())
    }

    /// Does what a process has computed up to its next point, and asks there whether it is killed.
    /// `is_idle`: the process waits as it did before, so this wait is no point.
    pub(super) fn go_to_point(
        &self,
        snapshot: &mut Snapshot,
        (mut effects, stop): (VecDeque<(Effect, Address)>, Stop),
        is_idle: bool,
        turn: &mut Turn<'_, Self>,
    ) -> Result<DemandOf<Self>, Fault> {
        while let Some((effect, place)) = effects.pop_front() {
            if is_visible(&effect) {
                effects.push_front((effect, place));
                break;
            }
            let Snapshot { process, done, .. } = snapshot;
            self.perform(process, effect, place, done, turn)?;
        }
        if effects.is_empty() && (is_idle || !is_point(&stop)) {
            return self.stopped(snapshot, stop, turn);
        }
        snapshot.rest = Some(Rest { effects, stop });
        let limit = self.0.rules.kills.max;
        Ok(Demand::Disturb { limit })
    }

    /// Continues a process at a point: it is killed, or does what it has computed up to the next one.
    pub(super) fn pass_point(
        &self,
        state: &Snapshot,
        rest: &Rest,
        answer: &Answer<Term>,
        turn: &mut Turn<'_, Self>,
    ) -> Outcome<Self> {
        let mut snapshot = Snapshot {
            process: state.process.clone(),
            done: Done::default(),
            rest: None,
            service: state.service,
            signals: state.signals.clone(),
        };
        let demand = match answer {
            Answer::Int(0) => {
                let Rest { mut effects, stop } = rest.clone();
                match effects.pop_front() {
                    Some((effect, place)) => {
                        let Snapshot { process, done, .. } = &mut snapshot;
                        self.perform(process, effect, place, done, turn)?;
                        self.go_to_point(&mut snapshot, (effects, stop), false, turn)?
                    }
                    None => self.stopped(&mut snapshot, stop, turn)?,
                }
            }
            _ => Demand::Exit(Reason::Killed),
        };
        Ok((Rc::new(snapshot), demand))
    }
}
