//! What the engine may know about an Erlang program beyond how to run it.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use mazurka_engine::{Clause, Hints, Payload, Premise, RequiredPart};
use rustc_hash::FxHasher;

use super::{Inner, Program, Snapshot, coverage, stamp};
use crate::code::Instruction;
use crate::machine::{Constraint, is_timer_request};
use crate::term::Term;

/// Of parts that equal no part with a hash.
const NO_HASH: u64 = 0;

/// The place of the alias that a message was sent to.
const ALIAS: u32 = u32::MAX;

/// A hash of a term, if no term of another kind is exactly equal to it. Only terms whose hash takes
/// constant time have one.
fn hash(term: &Term) -> Option<u64> {
    let mut hasher = FxHasher::default();
    match term {
        Term::Int(number) => (0, number).hash(&mut hasher),
        Term::Atom(atom) => (1, atom).hash(&mut hasher),
        Term::Reference(reference) => (2, reference).hash(&mut hasher),
        Term::Pid(pid) => (3, pid).hash(&mut hasher),
        _ => return None,
    }
    Some(hasher.finish())
}

impl Hints<Program> for Program {
    fn distance(&self, state: &Rc<Snapshot>) -> Option<u32> {
        let Inner {
            distances,
            library,
            entry,
            ..
        } = &*self.0;
        distances.of(&state.process, library, entry)
    }

    fn state_bytes(&self, state: &Rc<Snapshot>) -> usize {
        let output = state.done.output.iter().map(|(_, text)| text.len() + 32);
        state.process.bytes() + output.sum::<usize>()
    }

    fn takes_from_anyone(&self, constraint: &Constraint) -> bool {
        match constraint {
            Constraint::Anything(_) | Constraint::Mailbox(_) => true,
            Constraint::Code { registers, .. } => registers.is_empty(),
            Constraint::Alias(_) | Constraint::TimerRequest => true,
            Constraint::Nothing
            | Constraint::Halted(_)
            | Constraint::Down { .. }
            | Constraint::TimerAnswer(_)
            | Constraint::Signal { .. } => false,
        }
    }

    fn required_part(&self, constraint: &Constraint) -> Option<RequiredPart> {
        if let Constraint::Alias(alias) = constraint {
            let hash = hash(&Term::Reference(*alias))?;
            return Some(RequiredPart { place: ALIAS, hash });
        }
        let Constraint::Code { at, registers, .. } = constraint else {
            return None;
        };
        let code = self.library().code(at.module).ok()?;
        let Instruction::Receive { info, .. } = code.instructions.get(at.pc as usize)? else {
            return None;
        };
        let (place, value) = code.receives[*info as usize].required(registers)?;
        let hash = hash(value)?;
        Some(RequiredPart { place, hash })
    }

    fn part(&self, message: &Payload<Term>, place: u32) -> Option<u64> {
        // Other payloads become terms only when they are matched.
        let Payload::User(message) = message else {
            return None;
        };
        if place == ALIAS {
            let alias = stamp::alias(message).map(Term::Reference);
            return Some(alias.as_ref().and_then(hash).unwrap_or(NO_HASH));
        }
        let element = match stamp::message(message) {
            Term::Tuple(tuple) => tuple.get(place as usize),
            _ => None,
        };
        Some(element.and_then(hash).unwrap_or(NO_HASH))
    }

    /// A message to an alias that is not active is lost on purpose. So is the message of a timer
    /// to a process that has ended, and a request to a timer that has.
    fn may_be_lost(&self, message: &Payload<Term>, receiver: Option<&Rc<Snapshot>>) -> bool {
        let Payload::User(message) = message else {
            return false;
        };
        match (stamp::via(message), receiver) {
            (None, _) => is_timer_request(stamp::message(message)),
            (Some(_), None) => true,
            (Some(via), Some(state)) => {
                via.timer().is_none() && state.process.active_alias(via).is_none()
            }
        }
    }

    fn clauses(&self) -> Vec<Clause> {
        coverage::since(self.library(), &self.0.taken_before)
    }

    fn premises(&self) -> Vec<Premise> {
        let library = self.library();
        let clocks = library.clock_was_read().then(|| library.clocks().premise());
        clocks.into_iter().chain(self.0.rules.premises()).collect()
    }
}
