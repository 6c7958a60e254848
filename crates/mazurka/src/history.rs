//! Local histories: what a process was given, and what it did then.
//!
//! A history is a node of a behaviour tree. The process that waits there may be alive; if it
//! has gone on with another input, it is run again, alone and from its start, with the same
//! inputs. Then it must do the same again.

use crate::Pid;
use crate::constraint::Kind;
use crate::doomed;
use crate::live::{Departed, Live, Played};
use crate::message::Incoming;
use crate::stage::{Action, Counts, Demand, Given};
use crate::start::Start;
use crate::trouble::{Difference, Done, Trouble};
use std::cell::RefCell;
use std::rc::Rc;

/// A local history of one process.
pub struct History {
    me: Pid,
    origin: Origin,
    /// How many inputs it has had.
    inputs: u32,
    counts: Counts,
    actions: Vec<Action>,
    /// What it has printed, if that is shown: after how many actions, and what. Boxed twice: it is
    /// nearly always nothing, and histories are many.
    #[expect(clippy::box_collection, reason = "a history should be small")]
    output: Option<Box<Vec<(usize, String)>>>,
    demand: Demand,
    distance: Option<u32>,
    backtrace: Option<String>,
    live_bytes: usize,
    /// Whether it is [doomed]: known without being run.
    is_doomed: bool,
    /// The process that waits here, unless it has gone on.
    live: RefCell<Option<Live>>,
}

enum Origin {
    /// It has just started.
    Start(Start),
    /// It was there and got this.
    After(Rc<History>, Given),
    /// Only while it is dropped.
    Gone,
}

impl History {
    /// A process runs from its start to its first demand.
    pub(crate) fn begin(start: &Start, me: Pid) -> Result<Rc<History>, Trouble> {
        let origin = Origin::Start(start.clone());
        if let Some(reason) = doomed::end_of(me, Vec::new) {
            let (live, played) = Live::doomed(reason, Counts::default());
            return Ok(Self::new(me, origin, 0, live, played));
        }
        let (live, played) = Live::begin(start, me);
        let played = played.map_err(|misuse| Trouble::Misuse(misuse, me, 0))?;
        Ok(Self::new(me, origin, 0, live, played))
    }

    /// The process that waits here gets an answer and runs to its next demand.
    pub(crate) fn answer(self: &Rc<Self>, given: Given) -> Result<Rc<History>, Trouble> {
        let inputs = self.inputs + 1;
        let origin = Origin::After(Rc::clone(self), given.clone());
        if let Some(reason) = doomed::end_of(self.me, || self.inputs_then(&given)) {
            let (live, played) = Live::doomed(reason, self.counts);
            return Ok(Self::new(self.me, origin, inputs, live, played));
        }
        let mut live = self.enliven()?;
        let played = live
            .go_on(self, given)
            .map_err(|misuse| Trouble::Misuse(misuse, self.me, inputs))?;
        Ok(Self::new(self.me, origin, inputs, live, played))
    }

    /// Asks the process that waits here whether it would take a message.
    pub(crate) fn takes(self: &Rc<Self>, message: &Incoming) -> Result<bool, Trouble> {
        // A guard that panics does so again when the message is there, and then the process
        // crashes as it should.
        const IF_IT_PANICS: bool = true;
        let given = || Given::Message(message.clone());
        if doomed::end_of(self.me, || self.inputs_then(&given())).is_some() {
            return Ok(IF_IT_PANICS);
        }
        let mut live = self.enliven()?;
        let verdict = live.probe(self, message.clone());
        if live.is_alive() {
            *self.live.borrow_mut() = Some(live);
        }
        Ok(verdict.unwrap_or(IF_IT_PANICS))
    }

    /// Runs the process again, from its start to here, and compares.
    pub(crate) fn again(self: &Rc<Self>) -> Result<Live, Trouble> {
        let mut way: Vec<(&Rc<History>, &Given)> = Vec::with_capacity(self.inputs as usize);
        let mut at = self;
        let start = loop {
            match &at.origin {
                Origin::After(before, given) => {
                    way.push((at, given));
                    at = before;
                }
                Origin::Start(start) => break start,
                Origin::Gone => unreachable!("only while it is dropped"),
            }
        };
        let (live, differs) = Live::again(start, at, way.iter().rev().copied());
        if let Some(Departed { inputs, played }) = differs {
            let at = match inputs {
                0 => at,
                n => way[way.len() - n].0,
            };
            let played = played.map_err(|misuse| Trouble::Misuse(misuse, self.me, at.inputs))?;
            at.compare(start.role(), &played)?;
        }
        Ok(live)
    }

    pub(crate) fn me(&self) -> Pid {
        self.me
    }

    /// How many inputs it has had.
    pub(crate) fn inputs(&self) -> u32 {
        self.inputs
    }

    /// Whether it can be run without aborting the program.
    pub(crate) fn can_be_run(&self) -> bool {
        !self.is_doomed
    }

    /// What it has counted so far.
    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }

    /// Its inputs and then this one, as texts.
    pub(crate) fn inputs_then(&self, last: &Given) -> Vec<String> {
        let mut inputs = vec![last.to_string()];
        let mut at = self;
        while let Origin::After(before, given) = &at.origin {
            inputs.push(given.to_string());
            at = before;
        }
        inputs.reverse();
        inputs
    }

    pub(crate) fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// What it has printed since its last input: after how many actions, and what.
    pub(crate) fn output(&self) -> &[(usize, String)] {
        self.output.as_deref().map_or(&[], Vec::as_slice)
    }

    pub(crate) fn demand(&self) -> &Demand {
        &self.demand
    }

    /// How far from an error it is at least, if the program has said so.
    pub(crate) fn distance(&self) -> Option<u32> {
        self.distance
    }

    /// Of the panic that ended it, if those are noted.
    pub(crate) fn backtrace(&self) -> Option<&str> {
        self.backtrace.as_deref()
    }

    /// The memory it takes when the process is alive, whether it still is or not.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(self.actions.as_slice()) + self.live_bytes
    }

    fn new(me: Pid, origin: Origin, inputs: u32, live: Live, played: Played) -> Rc<History> {
        let history = Rc::new(History {
            me,
            origin,
            inputs,
            counts: played.counts,
            actions: played.actions,
            output: (!played.output.is_empty()).then(|| Box::new(played.output)),
            demand: played.demand,
            distance: played.distance,
            backtrace: played.backtrace,
            live_bytes: live.bytes(),
            is_doomed: played.is_doomed,
            live: RefCell::new(Some(live).filter(Live::is_alive)),
        });
        if let Demand::Receive { constraint, .. } = &history.demand
            && let Kind::Asked(asked) = &constraint.0
        {
            *asked.history.borrow_mut() = Rc::downgrade(&history);
        }
        history
    }

    /// The process that waits here: still, or again.
    fn enliven(self: &Rc<Self>) -> Result<Live, Trouble> {
        let waiting = self.live.borrow_mut().take();
        waiting.map_or_else(|| self.again(), Ok)
    }

    /// Whether a second run did the same.
    fn compare(&self, role: String, second: &Played) -> Result<(), Trouble> {
        let all = second.repeated == self.actions.len() && second.actions.is_empty();
        if all && self.demand.looks_like(&second.demand) {
            return Ok(());
        }
        let done = |action: Option<&Action>, demand: &Demand| match action {
            Some(action) => Done::Action(action.clone()),
            None => Done::Demand(demand.clone()),
        };
        let last_input = match &self.origin {
            Origin::After(_, given) => Some(given.clone()),
            _ => None,
        };
        Err(Trouble::Different(Box::new(Difference {
            process: self.me,
            role,
            inputs: self.inputs,
            last_input,
            first: done(self.actions.get(second.repeated), &self.demand),
            second: done(second.actions.first(), &second.demand),
        })))
    }
}

impl Demand {
    /// Whether both look the same in the source.
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

/// A long chain of histories is taken apart link by link, not by recursion.
impl Drop for History {
    fn drop(&mut self) {
        let mut origin = std::mem::replace(&mut self.origin, Origin::Gone);
        while let Origin::After(before, _) = origin {
            origin = match Rc::into_inner(before) {
                Some(mut history) => std::mem::replace(&mut history.origin, Origin::Gone),
                None => break,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Value, distance, receive};

    #[test]
    fn a_distance_is_told_of_the_next_wait_alone() {
        let start = Start::entry(|| async {
            distance(2);
            receive::<i32>().await;
            distance(1);
            receive::<i32>().await;
            receive::<i32>().await;
        });
        let message = || Given::Message(Incoming::User(Value::new(7)));
        let mut history = History::begin(&start, Pid::entry()).ok().unwrap();
        let mut told = vec![history.distance()];
        for _ in 0..3 {
            history = history.answer(message()).ok().unwrap();
            told.push(history.distance());
        }
        assert_eq!(told, [Some(2), Some(1), None, None]);
    }
}
