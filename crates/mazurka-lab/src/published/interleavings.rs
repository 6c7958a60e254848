//! Every schedule of visible actions (Christakis, Gotovos and Sagonas 2013).
//!
//! A process is scheduled up to and including its next visible action: a spawn, a send, a
//! receive, an operation on a shared object, its end. The couriers of a process that has ended are
//! scheduled as well: each sends its message.
//!
//! The only reduction is *blocking avoidance*: a process is not scheduled if it would only find that it
//! must wait. Without it, that is an action as well.
//!
//! A *preemption* is a switch away from a process that could have continued. A switch from a process
//! that must wait or has ended does not count. With a bound on preemptions the schedules
//! without any come first, then those with one, and so on (Musuvathi and Qadeer 2007). Each
//! round repeats the schedules of the earlier rounds. Their number grows fast, so that costs little.

use super::search::Watched;
use super::state::{Move, State};
use crate::algorithm::AlgorithmOptions;
use mazurka_engine::PidId;
use mazurka_engine::world::Wait;
use mazurka_engine::world::{NONE, Pick};
use mazurka_engine::{Fault, Frontend};
use mazurka_engine::{Observer, Stopped};
use mazurka_trace::Delivery;
use std::ops::ControlFlow;

/// What the scheduler can do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Act(Move),
    /// The process finds that it must wait.
    Block(PidId),
}

impl Choice {
    fn pid(self) -> PidId {
        match self {
            Choice::Act(mv) => mv.pid,
            Choice::Block(pid) => pid,
        }
    }
}

/// A point of a schedule.
struct Point {
    choices: Vec<Choice>,
    /// Number of choices that have been tried or left out.
    tried: usize,
    /// The process that was scheduled last.
    running: Option<PidId>,
    preemptions: u32,
    /// Processes that have found that they must wait, with the number of steps that they had made.
    blocked: Vec<(PidId, usize)>,
}

pub(super) struct Schedules<'s, F: Frontend> {
    state: &'s mut State<F>,
    blocking_avoidance: bool,
    /// The preemptions allowed in this round, and whether there are schedules with more.
    bound: u32,
    has_more: bool,
    /// Earlier rounds have tried all schedules with at most this many preemptions.
    known: Option<u32>,
    points: Vec<Point>,
}

impl<'s, F: Frontend> Schedules<'s, F> {
    pub(super) fn new(state: &'s mut State<F>, by: &AlgorithmOptions) -> Self {
        Schedules {
            state,
            blocking_avoidance: by.blocking_avoidance,
            bound: u32::MAX,
            has_more: false,
            known: None,
            points: Vec::new(),
        }
    }

    /// All schedules within the bound, those with fewer preemptions first.
    pub(super) fn run(
        mut self,
        max: Option<u32>,
        watched: &mut Watched<'_, impl Observer<F>>,
    ) -> Result<Stopped, Fault> {
        let first = if max.is_some() { 0 } else { u32::MAX };
        self.bound = first;
        loop {
            match self.round(watched)? {
                Round::Stopped(stopped) => return Ok(stopped),
                Round::Missed => {
                    watched.restart();
                    self.known = None;
                    self.bound = first;
                }
                Round::Over if !self.has_more => return Ok(watched.all_done()),
                Round::Over if Some(self.bound) == max => return Ok(Stopped::PreemptionBound),
                Round::Over => {
                    self.known = Some(self.bound);
                    self.bound += 1;
                }
            }
        }
    }

    /// All schedules with at most `bound` preemptions.
    fn round(&mut self, watched: &mut Watched<'_, impl Observer<F>>) -> Result<Round, Fault> {
        self.state.begin()?;
        self.has_more = false;
        self.points.clear();
        self.arrive(None, 0, Vec::new());
        self.state.world.check()?;
        // If set, the round stops for this reason unless nothing is left to try.
        let mut stop = None;
        while let Some(here) = self.points.last() {
            let deep = self.state.world.is_cut();
            let over = here.choices.is_empty();
            if (over || deep)
                && here.tried == 0
                && !self.is_known(here.preemptions)
                && let ControlFlow::Break(stopped) = watched.executed(self.state, !over)
            {
                stop = Some(stopped);
            }
            let next = match deep {
                true => None,
                false => self.next(),
            };
            let Some((choice, preemptions)) = next else {
                self.back();
                continue;
            };
            if let Some(stopped) = stop {
                return Ok(Round::Stopped(stopped));
            }
            self.take(choice, preemptions)?;
            if self.state.world.has_missed() {
                return Ok(Round::Missed);
            }
            let go_on = match self.is_known(preemptions) {
                true => watched.repeated(self.state, 1),
                false => watched.moved(self.state),
            };
            if let ControlFlow::Break(stopped) = go_on {
                return Ok(Round::Stopped(stopped));
            }
        }
        Ok(match stop {
            Some(stopped) if self.has_more => Round::Stopped(stopped),
            _ => Round::Over,
        })
    }

    /// Whether an earlier round has tried the schedules with this many preemptions.
    fn is_known(&self, preemptions: u32) -> bool {
        self.known.is_some_and(|known| preemptions <= known)
    }

    /// The next choice at the last point that is within the bound, and the number of preemptions with it.
    fn next(&mut self) -> Option<(Choice, u32)> {
        let here = self.points.last_mut()?;
        let could_go_on = |&choice: &Choice| could_go_on_with(here.running, choice);
        let running = here.choices.iter().any(could_go_on);
        while let Some(&choice) = here.choices.get(here.tried) {
            here.tried += 1;
            let interrupts = running && !could_go_on_with(here.running, choice);
            let preemptions = here.preemptions + u32::from(interrupts);
            if preemptions <= self.bound {
                return Some((choice, preemptions));
            }
            self.has_more = true;
        }
        None
    }

    fn take(&mut self, choice: Choice, preemptions: u32) -> Result<(), Fault> {
        let here = self.points.last().expect("it is taken from there");
        let mut blocked = here.blocked.clone();
        match choice {
            Choice::Act(mv) => self.state.act(mv)?,
            Choice::Block(pid) => blocked.push((pid, self.state.steps(pid))),
        }
        self.arrive(Some(choice.pid()), preemptions, blocked);
        self.state.world.check()
    }

    fn back(&mut self) {
        self.points.pop();
        if let Some(before) = self.points.last()
            && let Choice::Act(_) = before.choices[before.tried - 1]
        {
            self.state.undo();
        }
    }

    /// Adds the point that the schedule has reached.
    fn arrive(&mut self, running: Option<PidId>, preemptions: u32, blocked: Vec<(PidId, usize)>) {
        self.state.world.evict();
        let mut choices: Vec<_> = self.state.actions().into_iter().map(Choice::Act).collect();
        if !self.blocking_avoidance {
            let waiting = self.state.waiting();
            let unblocked = waiting.filter(|waiting| !blocked.contains(waiting));
            choices.extend(unblocked.map(|(pid, _)| Choice::Block(pid)));
        }
        // The running process comes first.
        choices.sort_by_key(|&choice| !could_go_on_with(running, choice));
        self.points.push(Point {
            choices,
            tried: 0,
            running,
            preemptions,
            blocked,
        });
    }
}

/// How a round ended.
enum Round {
    Over,
    Stopped(Stopped),
    /// A process missed a signal, or a first operation on a liveness object was made.
    Missed,
}

fn could_go_on_with(running: Option<PidId>, choice: Choice) -> bool {
    Some(choice.pid()) == running
}

impl<F: Frontend> State<F> {
    fn steps(&self, pid: PidId) -> usize {
        let slot = self.graph().slot(pid).expect("it is scheduled");
        self.graph().process(slot).steps.len()
    }

    /// The actions that are possible.
    fn actions(&mut self) -> Vec<Move> {
        let enabled = self.enabled();
        let mut actions = enabled.clone();
        if self.graph().delivery == Delivery::Mailbox {
            actions.retain(|&mv| self.world.is_object(mv.pid) || self.is_in_time(mv, &enabled));
        }
        actions.sort_by_key(|mv| self.graph().slot(mv.pid));
        actions
    }

    /// Under `mailbox`: whether no earlier message must be consumed instead.
    fn is_in_time(&self, mv: Move, enabled: &[Move]) -> bool {
        let slot = self.graph().slot(mv.pid).expect("it can move");
        let place = |mv: &Move| match mv.pick {
            Pick::Message { sender, seq } => self.graph().find_message(slot, sender, seq),
            _ => None,
        };
        let rivals = enabled.iter().filter(|rival| rival.pid == mv.pid);
        let Some(first) = rivals.filter_map(place).min() else {
            return true;
        };
        let process = self.graph().process(slot);
        match mv.pick {
            Pick::Message { .. } => place(&mv) == Some(first),
            // The signal check may have been before this message came, and the action comes now.
            Pick::GoOn => {
                let message = &process.inbox[first as usize];
                let sender = self.graph().process(message.sender);
                let sent = sender.steps[message.step as usize].stamp;
                process.steps.last().is_some_and(|last| last.stamp < sent)
            }
            _ => false,
        }
    }

    /// The processes that must wait, with the number of their steps.
    fn waiting(&self) -> impl Iterator<Item = (PidId, usize)> + '_ {
        let slots = (0..).zip(self.graph().processes());
        slots.filter_map(|(slot, process)| {
            let step = process.steps.last()?;
            let waits = matches!(step.wait, Wait::Receive { .. } | Wait::HandedOver { .. })
                && !step.looks
                && !self.graph().is_enabled(slot);
            waits.then_some((process.pid, process.steps.len()))
        })
    }

    /// Makes a move and, if it is an operation on a shared object or an end, the steps of the object.
    fn act(&mut self, mv: Move) -> Result<(), Fault> {
        self.make_and(mv, |state| state.serve(mv.pid))
    }

    /// The object that a process has asked serves it, unless it is busy.
    fn serve(&mut self, pid: PidId) -> Result<(), Fault> {
        let slot = self.graph().slot(pid).expect("it has acted");
        let process = self.graph().process(slot);
        let Some(step) = process.steps.last().filter(|step| !step.looks) else {
            return Ok(());
        };
        let wants_answer = match step.wait {
            Wait::Answer => true,
            Wait::Ended(_) => false,
            _ => return Ok(()),
        };
        let Some(&(object, index)) = process.sends.last() else {
            return Ok(());
        };
        let seq = u32::try_from(process.sends.len()).expect("few sends") - 1;
        if object == NONE || !self.graph().process(object).is_object {
            return Ok(());
        }
        let server = self.graph().process(object);
        let busy = server.steps.last().is_some_and(|step| step.looks);
        let is_next = self.graph().waiting(object).eq([index]);
        if busy || !is_next {
            return Ok(());
        }
        let sent_before = server.sends.len();
        let server = server.pid;
        self.step(server, Pick::Message { sender: pid, seq })?;
        self.finish_reads(server)?;
        if !wants_answer {
            return Ok(());
        }
        // The answer is the first message that the object sends.
        while self.graph().process(object).sends.len() == sent_before {
            self.step(server, Pick::GoOn)?;
        }
        let seq = u32::try_from(sent_before).expect("few sends");
        self.step(
            pid,
            Pick::Message {
                sender: server,
                seq,
            },
        )
    }
}
