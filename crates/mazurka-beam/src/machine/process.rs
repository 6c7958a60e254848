//! A process between two visible operations.

use std::rc::Rc;

use super::ask::Waiting;
use super::effect::Start;
use super::stack::Stack;
use super::ties::Watch;
use crate::code::{Address, Library, Mfa};
use crate::term::{Atom, Map, PidTerm, Reference, Term};

/// A snapshot of a process. Cloning it copies no term, apart from bit strings that are being
/// matched, which know how far.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its pid.
    pub pid: PidTerm,
    affairs: Rc<Affairs>,
    pub(super) state: State,
    /// The frames of its calls.
    pub(super) stack: Stack,
    pub(super) handlers: Vec<Handler>,
}

/// What a process has besides what it is doing. It changes seldom, so snapshots share it.
#[derive(Clone, Debug)]
pub struct Affairs {
    /// Its group leader.
    pub leader: PidTerm,
    /// Its dictionary.
    pub dictionary: Map,
    /// Its flags.
    pub flags: Flags,
    /// How many references it has made.
    pub references: u32,
    /// How many unique integers it has made.
    pub uniques: u32,
    /// How many processes it has spawned.
    pub children: u32,
    /// Its monitors.
    pub watches: Vec<Watch>,
    /// Messages before all others, which it has not received yet: answers of the group leader, and
    /// what has woken it from hibernation.
    pub replies: Vec<Term>,
    /// What it runs: the function that it began with.
    pub initial: Mfa,
}

impl std::ops::Deref for Process {
    type Target = Affairs;

    fn deref(&self) -> &Affairs {
        &self.affairs
    }
}

impl std::ops::DerefMut for Process {
    fn deref_mut(&mut self) -> &mut Affairs {
        Rc::make_mut(&mut self.affairs)
    }
}

/// Flags of a process. Those that have no effect here are stored and given back.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// Whether exit signals are messages.
    pub trap_exit: bool,
    /// All others that have been set.
    pub others: Map,
}

/// What a process is doing.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// It has not run yet.
    Start(Vec<Term>),
    /// It waits at a receive, or at a wait without one.
    Receive(Address),
    /// It waits for an answer, within a native function.
    Native(Box<Waiting>),
    /// It hibernates.
    Hibernating(Box<Call>),
    /// It is being run, or has ended.
    Away,
}

/// What a process does when it wakes up.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub module: Atom,
    pub name: Atom,
    pub arguments: Term,
}

/// What catches exceptions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handler {
    pub module: Atom,
    pub pc: u32,
    /// Where the frame of its function begins.
    pub frame: usize,
    /// The register that stands for it, counted from the bottom of the stack.
    pub slot: usize,
}

impl Process {
    /// A process that has not run yet.
    pub fn new(pid: PidTerm, start: &Start) -> Process {
        Process {
            pid,
            affairs: Rc::new(Affairs {
                leader: start.leader,
                dictionary: Map::new(),
                flags: Flags::default(),
                references: 0,
                uniques: 0,
                children: 0,
                watches: Vec::new(),
                replies: Vec::new(),
                initial: start.mfa(),
            }),
            state: State::Start(start.arguments.clone()),
            stack: Stack::default(),
            handlers: Vec::new(),
        }
    }

    /// A reference that nobody has.
    pub fn make_reference(&mut self) -> Reference {
        let reference = Reference::of(self.pid, self.references);
        self.references += 1;
        reference
    }

    /// The pid of a new child.
    pub fn make_child(&mut self) -> PidTerm {
        let child = self.pid.child(self.children);
        self.children += 1;
        child
    }

    /// Roughly how many bytes a snapshot takes, apart from the terms that it shares.
    pub fn bytes(&self) -> usize {
        size_of::<Process>() + size_of_val(self.stack.cells()) + size_of_val(&*self.handlers)
    }

    /// Where it waits, in the program's own code if that has a part in it.
    pub fn place(&self, library: &Library) -> Option<Address> {
        let here = match &self.state {
            State::Receive(at) => *at,
            State::Native(waiting) => Address {
                module: waiting.at.module,
                pc: waiting.at.pc.saturating_sub(1),
            },
            State::Start(_) | State::Hibernating(_) | State::Away => return None,
        };
        Some(self.own_place(library, here))
    }

    /// The first function of the program's own code that led to where it waits, funs aside.
    pub fn outermost_function(&self, library: &Library) -> Option<Mfa> {
        let here = match &self.state {
            State::Receive(at) => *at,
            State::Native(waiting) => Address {
                module: waiting.at.module,
                pc: waiting.at.pc.saturating_sub(1),
            },
            State::Start(_) | State::Hibernating(_) | State::Away => return None,
        };
        let named = |at: Address| {
            let code = library.code(at.module).ok().filter(|code| code.is_own)?;
            let mfa = code.function_at(at.pc)?.mfa;
            // The compiler's name of a fun.
            (!mfa.name.name().starts_with('-')).then_some(mfa)
        };
        let places = [here].into_iter().chain(self.stack.calls());
        places.filter_map(named).last()
    }

    /// This place, or the nearest one that led there and is in the program's own code.
    pub(super) fn own_place(&self, library: &Library, here: Address) -> Address {
        let is_own = |module| library.code(module).is_ok_and(|code| code.is_own);
        if is_own(here.module) {
            return here;
        }
        let mut callers = self.stack.calls().filter(|call| is_own(call.module));
        callers.next().unwrap_or(here)
    }
}
