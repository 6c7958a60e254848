//! Messages as terms.

use mazurka_engine::{LivenessOperation, Payload};
use rustc_hash::FxHashMap;

use super::pids::Pids;
use super::{reasons, stamp};
use crate::machine::{Process, Watch};
use crate::term::{Atom, PidTerm, Term};

/// Monitors by their numbers. A number means the same monitor in all executions.
#[derive(Default)]
pub(super) struct Monitors(FxHashMap<u64, Watch>);

impl Monitors {
    /// The number of the monitor that a process has of its child from the start.
    pub(super) fn of_spawn(&mut self, watch: Watch) -> u64 {
        self.add(watch)
    }

    /// Records the monitor that this operation of a process makes, if it makes one.
    pub(super) fn note(&mut self, process: &Process, operation: LivenessOperation<PidTerm>) {
        if let LivenessOperation::Monitor { .. } | LivenessOperation::Notify { .. } = operation
            && let Some(watch) = process.watches.last()
        {
            self.add(watch.clone());
        }
    }

    fn add(&mut self, watch: Watch) -> u64 {
        let number = watch.number();
        self.0.entry(number).or_insert(watch);
        number
    }

    /// A message as the program sees it.
    pub(super) fn message(&self, payload: &Payload<Term>, pids: &Pids) -> Term {
        match payload {
            Payload::User(term) => stamp::message(term).clone(),
            Payload::Exit { from, reason } => Term::tuple([
                Atom::EXIT_TAG.into(),
                Term::Pid(pids.ours(*from)),
                reasons::term(reason),
            ]),
            Payload::Down {
                reference,
                from,
                reason,
            } => {
                let watch = self.0.get(reference).expect("recorded when it was made");
                let whom = match watch.name {
                    Some(name) => Term::tuple([name.into(), Atom::NONODE.into()]),
                    None => Term::Pid(pids.ours(*from)),
                };
                Term::tuple([
                    watch.tag(),
                    Term::Reference(watch.reference),
                    Term::atom("process"),
                    whom,
                    reasons::term(reason),
                ])
            }
        }
    }
}
