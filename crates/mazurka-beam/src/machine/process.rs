//! A process between two visible operations.

use super::ask::Waiting;
use super::effect::Start;
use super::ties::Watch;
use crate::bits::Copies;
use crate::code::{Address, Mfa};
use crate::term::{Atom, Map, Pid, Reference, Term};

/// A snapshot of a process. Cloning it copies no term, apart from bit strings that are being
/// matched, which know how far.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its pid.
    pub pid: Pid,
    /// Its group leader.
    pub leader: Pid,
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
    /// Answers of the group leader that it has not received yet.
    pub replies: Vec<Term>,
    /// What it runs: the function that it began with.
    pub initial: Mfa,
    pub(super) state: State,
    /// The registers of all frames. Register 0 of the current frame is the last one, so that
    /// dropping the first registers of a frame is cheap.
    pub(super) stack: Stack,
    pub(super) frames: Vec<Frame>,
    pub(super) handlers: Vec<Handler>,
}

/// The registers of all frames.
#[derive(Debug, Default)]
pub(super) struct Stack(Vec<Term>);

impl std::ops::Deref for Stack {
    type Target = Vec<Term>;

    #[inline(always)]
    fn deref(&self) -> &Vec<Term> {
        &self.0
    }
}

impl std::ops::DerefMut for Stack {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<Term> {
        &mut self.0
    }
}

impl Clone for Stack {
    /// Match contexts move on while a process runs, so each snapshot has its own.
    fn clone(&self) -> Stack {
        let mut copies = Copies::default();
        Stack(self.0.iter().map(|term| copies.copy(term)).collect())
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
    /// It is being run, or has ended.
    Away,
}

/// Where to go on after a return.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub module: Atom,
    pub pc: u32,
    /// How many registers the stack had at the call.
    pub stack: u32,
}

/// What catches exceptions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handler {
    pub module: Atom,
    pub pc: u32,
    /// How many frames there were.
    pub frames: u32,
    /// The register that stands for it, counted from the bottom of the stack.
    pub slot: u32,
}

impl Process {
    /// A process that has not run yet.
    pub fn new(pid: Pid, start: &Start) -> Process {
        Process {
            pid,
            leader: start.leader,
            dictionary: Map::new(),
            flags: Flags::default(),
            references: 0,
            uniques: 0,
            children: 0,
            watches: Vec::new(),
            replies: Vec::new(),
            initial: start.mfa(),
            state: State::Start(start.arguments.clone()),
            stack: Stack::default(),
            frames: Vec::new(),
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
    pub fn make_child(&mut self) -> Pid {
        let child = self.pid.child(self.children);
        self.children += 1;
        child
    }

    /// Roughly how many bytes a snapshot takes, apart from the terms that it shares.
    pub fn bytes(&self) -> usize {
        size_of::<Process>()
            + size_of_val(&**self.stack)
            + size_of_val(&*self.frames)
            + size_of_val(&*self.handlers)
    }

    /// The registers of the current frame.
    pub(super) fn frame(&self) -> &[Term] {
        let below = self.frames.last().map_or(0, |frame| frame.stack as usize);
        self.stack.get(below..).unwrap_or(&[])
    }
}
