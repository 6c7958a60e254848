//! The state of a process between two visible operations.

use std::rc::Rc;

use super::alias::Alias;
use super::ask::Waiting;
use super::effect::Start;
use super::run::After;
use super::stack::Stack;
use super::stop::End;
use super::ties::Watch;
use super::timers::Timer;
use crate::code::{Address, Library, Mfa};
use crate::ets::TableId;
use crate::term::{Atom, Map, PidTerm, Reference, Term};

/// A snapshot of a process. Cloning it copies no terms, except for match contexts of bit strings,
/// which have a position.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its pid.
    pub pid: PidTerm,
    details: Rc<Details>,
    pub(super) state: State,
    /// Its call stack.
    pub(super) stack: Stack,
    pub(super) handlers: Vec<Handler>,
}

/// The part of a process that rarely changes. Snapshots share it.
#[derive(Clone, Debug)]
pub struct Details {
    /// Its group leader.
    pub leader: PidTerm,
    /// Its dictionary.
    pub dictionary: Map,
    /// Its flags.
    pub flags: Flags,
    /// The number of references it has created.
    pub references: u32,
    /// The number of unique integers it has created.
    pub uniques: u32,
    /// The number of processes it has spawned.
    pub children: u32,
    /// Its monitors.
    pub watches: Vec<Watch>,
    /// The processes that it has sent a signal with the reason `kill`.
    pub killed: Vec<PidTerm>,
    /// Messages that it receives before those in the mailbox: answers of the group leader, and the
    /// message that woke it from hibernation.
    pub replies: Vec<Term>,
    /// The function it was started with.
    pub initial: Mfa,
    /// Its clock, in microseconds.
    pub clock_us: u64,
    /// How often it has read its clock.
    pub clock_readings: u64,
    /// The tables that it has fixed, and how often.
    pub fixes: Vec<(TableId, u32)>,
    /// The tables for which it has named an heir.
    pub bequests: Vec<TableId>,
    /// Its aliases that are active.
    pub aliases: Vec<Alias>,
    /// The numbers of its monitors that ended with a reply. Their `DOWN` messages do not arrive.
    pub muted: Vec<u64>,
    /// The timers that it has started and that may not have fired.
    pub timers: Vec<Timer>,
    /// Whether it may be killed from outside.
    pub may_be_killed: bool,
    /// Whether its failure, or waiting for ever, is no error.
    pub is_ignored: bool,
}

impl Details {
    /// Whether both are the same but for the clocks.
    fn are_same(&self, other: &Details) -> bool {
        let Details {
            leader,
            dictionary,
            flags,
            references,
            uniques,
            children,
            watches,
            killed,
            replies,
            initial,
            clock_us: _,
            clock_readings,
            fixes,
            bequests,
            aliases,
            muted,
            timers,
            may_be_killed,
            is_ignored,
        } = self;
        *leader == other.leader
            && flags.trap_exit == other.flags.trap_exit
            && are_same_maps(&flags.others, &other.flags.others)
            && *references == other.references
            && *uniques == other.uniques
            && *children == other.children
            && *clock_readings == other.clock_readings
            && *initial == other.initial
            && *fixes == other.fixes
            && *bequests == other.bequests
            && *aliases == other.aliases
            && *muted == other.muted
            && *timers == other.timers
            && *may_be_killed == other.may_be_killed
            && *is_ignored == other.is_ignored
            && *watches == other.watches
            && *killed == other.killed
            && *replies == other.replies
            && are_same_maps(dictionary, &other.dictionary)
    }
}

fn are_same_maps(one: &Map, other: &Map) -> bool {
    Term::Map(one.clone()) == Term::Map(other.clone())
}

impl std::ops::Deref for Process {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.details
    }
}

impl std::ops::DerefMut for Process {
    fn deref_mut(&mut self) -> &mut Details {
        Rc::make_mut(&mut self.details)
    }
}

/// Flags of a process. Those that have no effect here are only stored and returned.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// Whether exit signals become messages.
    pub trap_exit: bool,
    /// The other flags that have been set.
    pub others: Map,
}

/// The execution state of a process.
#[derive(Clone, Debug)]
pub(super) enum State {
    /// It has not run yet.
    Start(Vec<Term>),
    /// It waits at this receive, or at this wait instruction.
    Receive {
        at: Address,
        /// The timeout, or 0 if there is none.
        timeout_ms: u64,
    },
    /// It waits for an answer in a native function.
    Native(Box<Waiting>),
    /// It hibernates.
    Hibernating(Box<Call>),
    /// It has ended in this way, and waits until an heir has got one of its tables.
    Ending(Box<End>),
    /// It is running, or has ended.
    Running,
}

/// The call that a hibernating process makes when it wakes up.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub module: Atom,
    pub name: Atom,
    pub arguments: Term,
}

/// Where a process waits.
pub(crate) enum Position {
    /// At this receive, or at this wait instruction.
    Receive(Address),
    /// In a native function.
    Call {
        /// The call of the function.
        at: Address,
        /// Whether the caller returns then.
        returns: bool,
    },
    /// It hibernates, and calls this function when it wakes up.
    Hibernating(Mfa),
}

/// An exception handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Handler {
    pub module: Atom,
    pub pc: u32,
    /// The start of its function's frame.
    pub frame: usize,
    /// The register that represents it, counted from the bottom of the stack.
    pub slot: usize,
}

impl Process {
    /// A process that has not run yet.
    pub fn new(pid: PidTerm, start: &Start) -> Process {
        Process {
            pid,
            details: Rc::new(Details {
                leader: start.leader,
                dictionary: Map::new(),
                flags: Flags::default(),
                references: 0,
                uniques: 0,
                children: 0,
                watches: Vec::new(),
                killed: Vec::new(),
                replies: Vec::new(),
                initial: start.mfa(),
                clock_us: start.clock_us,
                clock_readings: 0,
                fixes: Vec::new(),
                bequests: Vec::new(),
                aliases: Vec::new(),
                muted: Vec::new(),
                timers: Vec::new(),
                may_be_killed: false,
                is_ignored: false,
            }),
            state: State::Start(start.arguments.clone()),
            stack: Stack::default(),
            handlers: Vec::new(),
        }
    }

    /// Sets its clock to this time, unless it is later already.
    pub fn advance_clock(&mut self, clock_us: u64) {
        if self.clock_us < clock_us {
            self.clock_us = clock_us;
        }
    }

    /// Whether both wait at the same receive in the same state. The clocks may differ, if the process
    /// has not read its clock in between.
    pub fn is_at_same_receive(&self, other: &Process) -> bool {
        let (
            State::Receive { at, timeout_ms },
            State::Receive {
                at: other_at,
                timeout_ms: other_timeout_ms,
            },
        ) = (&self.state, &other.state)
        else {
            return false;
        };
        at == other_at
            && timeout_ms == other_timeout_ms
            && self.handlers == other.handlers
            && (Rc::ptr_eq(&self.details, &other.details) || self.details.are_same(&other.details))
            && self.stack == other.stack
    }

    /// Creates a new reference.
    pub fn make_reference(&mut self) -> Reference {
        let reference = Reference::of(self.pid, self.references);
        self.references += 1;
        reference
    }

    /// Creates the pid of a new child.
    pub fn make_child(&mut self) -> PidTerm {
        let child = self.pid.child(self.children);
        self.children += 1;
        child
    }

    /// The approximate size of a snapshot in bytes, without the terms it shares.
    pub fn bytes(&self) -> usize {
        size_of::<Process>() + size_of_val(self.stack.cells()) + size_of_val(&*self.handlers)
    }

    /// The address of the receive at which it waits.
    pub fn receive_place(&self) -> Option<Address> {
        match &self.state {
            State::Receive { at, .. } => Some(*at),
            _ => None,
        }
    }

    /// The address where it waits: the innermost call in the program's own code, if there is one.
    pub fn place(&self, library: &Library) -> Option<Address> {
        let here = match &self.state {
            State::Receive { at, .. } => *at,
            State::Native(waiting) => Address {
                module: waiting.at.module,
                pc: waiting.at.pc.saturating_sub(1),
            },
            State::Start(_) | State::Hibernating(_) | State::Ending(_) | State::Running => {
                return None;
            }
        };
        Some(self.own_place(library, here))
    }

    /// Whether it waits in the loop of one of OTP's behaviours for something to do.
    pub fn waits_for_work(&self, library: &Library) -> bool {
        match &self.state {
            State::Receive { at, .. } => {
                let loops: &[&str] = match at.module.name() {
                    "gen_server" => &["loop"],
                    "gen_statem" => &["loop_receive"],
                    "gen_event" => &["fetch_msg"],
                    "gen_fsm" => &["loop"],
                    "sys" => &["suspend_loop"],
                    _ => return false,
                };
                let code = library.code(at.module).ok();
                let function = code.and_then(|code| code.function_at(at.pc));
                function.is_some_and(|function| loops.contains(&function.mfa.name.name()))
            }
            State::Hibernating(call) => {
                call.module.name() == "proc_lib" && call.name.name() == "wake_up"
            }
            _ => false,
        }
    }

    /// The name that it has given itself with `proc_lib:set_label/1`.
    pub fn label(&self) -> Option<&Term> {
        let key = Atom::existing("$process_label")?;
        self.dictionary.get(&key.into())
    }

    /// Where it waits, for an analysis of what follows. `None` if it has not started or has ended.
    pub(crate) fn position(&self) -> Option<Position> {
        match &self.state {
            State::Receive { at, .. } => Some(Position::Receive(*at)),
            State::Native(waiting) => Some(Position::Call {
                at: Address {
                    module: waiting.at.module,
                    pc: waiting.at.pc.saturating_sub(1),
                },
                returns: matches!(waiting.after, After::Return { .. }),
            }),
            State::Hibernating(call) => Some(Position::Hibernating(Mfa {
                module: call.module,
                name: call.name,
                arity: call.arguments.elements().count() as u32,
            })),
            State::Start(_) | State::Ending(_) | State::Running => None,
        }
    }

    /// The calls whose functions have not returned, the innermost first.
    pub(crate) fn calls(&self) -> impl Iterator<Item = Address> + '_ {
        self.stack.calls()
    }

    /// The outermost function of the program's own code on the call stack, ignoring funs.
    pub fn outermost_function(&self, library: &Library) -> Option<Mfa> {
        let here = match &self.state {
            State::Receive { at, .. } => *at,
            State::Native(waiting) => Address {
                module: waiting.at.module,
                pc: waiting.at.pc.saturating_sub(1),
            },
            State::Start(_) | State::Hibernating(_) | State::Ending(_) | State::Running => {
                return None;
            }
        };
        let named = |at: Address| {
            let code = library.code(at.module).ok().filter(|code| code.is_own)?;
            let mfa = code.function_at(at.pc)?.mfa;
            // The name that the compiler gives to a fun.
            (!mfa.name.name().starts_with('-')).then_some(mfa)
        };
        let places = [here].into_iter().chain(self.stack.calls());
        places.filter_map(named).last()
    }

    /// This address, or that of the innermost caller in the program's own code.
    pub(super) fn own_place(&self, library: &Library, here: Address) -> Address {
        let is_own = |module| library.code(module).is_ok_and(|code| code.is_own);
        if is_own(here.module) {
            return here;
        }
        let mut callers = self.stack.calls().filter(|call| is_own(call.module));
        callers.next().unwrap_or(here)
    }
}
