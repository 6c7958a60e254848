//! Local histories of processes.

use crate::difference::Difference;
use crate::runner::{Runner, Step};
use mazurka_engine::Fault;
use std::cell::RefCell;
use std::rc::Rc;

/// A local history of a process: its inputs, what it did on the last one, and its demand.
///
/// Histories form a tree; each holds its parent. The process that waits here may be running. If it
/// was given another input since, it is run again when needed.
pub struct History<R: Runner> {
    pid: R::Pid,
    origin: Origin<R>,
    inputs: u32,
    actions: Vec<R::Action>,
    demand: R::Demand,
    notes: R::Notes,
    /// The process that waits here, if it is running.
    process: RefCell<Option<R::Process>>,
}

enum Origin<R: Runner> {
    Start(R::Start),
    Input(Rc<History<R>>, R::Input),
    /// Only while the history is dropped.
    Dropped,
}

impl<R: Runner> History<R> {
    /// The history of a process that was started and did this.
    pub fn started(pid: R::Pid, start: R::Start, step: Step<R>) -> Rc<History<R>> {
        History::new(pid, Origin::Start(start), 0, step)
    }

    /// The history of the process of this one after one more input, on which it did this.
    pub fn after(self: &Rc<Self>, input: R::Input, step: Step<R>) -> Rc<History<R>> {
        let origin = Origin::Input(Rc::clone(self), input);
        History::new(self.pid.clone(), origin, self.inputs + 1, step)
    }

    fn new(pid: R::Pid, origin: Origin<R>, inputs: u32, step: Step<R>) -> Rc<History<R>> {
        Rc::new(History {
            pid,
            origin,
            inputs,
            actions: step.actions,
            demand: step.demand,
            notes: step.notes,
            process: RefCell::new(None),
        })
    }

    /// The process.
    pub fn pid(&self) -> &R::Pid {
        &self.pid
    }

    /// The number of inputs it has had.
    pub fn input_count(&self) -> u32 {
        self.inputs
    }

    /// The last input; none at the start.
    pub fn last_input(&self) -> Option<&R::Input> {
        self.inputs_backward().next()
    }

    /// Its inputs, the last one first.
    pub fn inputs_backward(&self) -> impl Iterator<Item = &R::Input> {
        let mut at = self;
        std::iter::from_fn(move || match &at.origin {
            Origin::Input(before, input) => {
                at = before;
                Some(input)
            }
            Origin::Start(_) | Origin::Dropped => None,
        })
    }

    /// What it did on its last input, or at its start.
    pub fn actions(&self) -> &[R::Action] {
        &self.actions
    }

    /// What it waits for.
    pub fn demand(&self) -> &R::Demand {
        &self.demand
    }

    /// What else the front-end remembers of the last step.
    pub fn notes(&self) -> &R::Notes {
        &self.notes
    }

    /// Whether a re-run that did this did the same.
    pub fn is_repeated_by(&self, second: &Step<R>) -> bool {
        let done = self.common_actions(second);
        done == self.actions.len()
            && done == second.repeated + second.actions.len()
            && R::is_same_demand(&self.demand, &second.demand)
    }

    /// The number of actions, from the first, that a re-run repeated.
    pub(crate) fn common_actions(&self, second: &Step<R>) -> usize {
        let left = self.actions.iter().skip(second.repeated);
        let common = left.zip(&second.actions).take_while(|(a, b)| a == b);
        second.repeated + common.count()
    }

    /// The fault if a re-run did something else.
    pub(crate) fn compare(&self, role: String, second: &Step<R>) -> Result<(), Fault> {
        match self.is_repeated_by(second) {
            true => Ok(()),
            false => Err(Difference::new(self, role, second).into()),
        }
    }

    /// The process that waits here, if it is running.
    pub(crate) fn take_process(&self) -> Option<R::Process> {
        self.process.borrow_mut().take()
    }

    pub(crate) fn set_process(&self, process: R::Process) {
        self.process.replace(Some(process));
    }

    pub(crate) fn is_running(&self) -> bool {
        self.process.borrow().is_some()
    }

    /// The way from the start of the process to here.
    pub(crate) fn recording<'h>(self: &'h Rc<Self>) -> Recording<'h, R> {
        let mut backward = Vec::with_capacity(self.inputs as usize);
        let mut at = self;
        let start = loop {
            match &at.origin {
                Origin::Input(before, input) => {
                    backward.push((input, at));
                    at = before;
                }
                Origin::Start(start) => break start,
                Origin::Dropped => unreachable!("only while it is dropped"),
            }
        };
        Recording {
            start,
            first: at,
            backward,
        }
    }
}

/// What a process was given and what it did, from its start to some history.
pub struct Recording<'h, R: Runner> {
    start: &'h R::Start,
    first: &'h Rc<History<R>>,
    /// Its inputs and the histories that they led to, the last one first.
    backward: Vec<(&'h R::Input, &'h Rc<History<R>>)>,
}

impl<'h, R: Runner> Recording<'h, R> {
    /// The process.
    pub fn pid(&self) -> &'h R::Pid {
        &self.first.pid
    }

    /// How it was started.
    pub fn start(&self) -> &'h R::Start {
        self.start
    }

    /// Its first demand, and what it did before.
    pub fn first(&self) -> &'h Rc<History<R>> {
        self.first
    }

    /// Its inputs, in order, and the histories that they led to.
    pub fn steps(&self) -> impl Iterator<Item = (&'h R::Input, &'h Rc<History<R>>)> + '_ {
        self.backward.iter().rev().copied()
    }

    /// The history after this many inputs.
    pub(crate) fn after(&self, inputs: usize) -> &'h Rc<History<R>> {
        match inputs {
            0 => self.first,
            n => self.backward[self.backward.len() - n].1,
        }
    }
}

/// A long chain of histories is dropped in a loop: recursion would overflow the stack.
impl<R: Runner> Drop for History<R> {
    fn drop(&mut self) {
        let mut origin = std::mem::replace(&mut self.origin, Origin::Dropped);
        while let Origin::Input(before, _) = origin {
            origin = match Rc::into_inner(before) {
                Some(mut history) => std::mem::replace(&mut history.origin, Origin::Dropped),
                None => break,
            };
        }
    }
}
