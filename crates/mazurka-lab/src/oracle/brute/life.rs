//! The lives of processes: who is tied to whom, and who is told of an end.

use super::Successors;
use super::configuration::Configuration;
use super::history::{Seen, Sender};
use super::object::{Object, Thing};
use super::process::Process;
use mazurka_engine::Frontend;
use mazurka_engine::Pid;
use mazurka_engine::{Answer, Operation};
use mazurka_engine::{Payload, Reason};

impl<F: Frontend> Configuration<F> {
    /// The life of `of` serves a link, a monitor, the undoing of one, or a question for links.
    pub(super) fn tie(
        &mut self,
        asker: Pid,
        of: Pid,
        operation: &Operation<F::Value>,
    ) -> Answer<F::Value> {
        let life = self.thing(&Object::Life(of));
        let reason = Reason::NoProcess;
        match *operation {
            Operation::Link(_) => {
                if life.dead {
                    life.outbox
                        .push((asker, Payload::Exit { from: of, reason }));
                } else {
                    add(&mut life.links, asker);
                    remove(&mut life.unlinked, asker);
                }
                let asker = self.process(asker);
                add(&mut asker.links, of);
                remove(&mut asker.unlinked, of);
            }
            Operation::Unlink(_) => {
                remove(&mut life.links, asker);
                add(&mut life.unlinked, asker);
                let asker = self.process(asker);
                remove(&mut asker.links, of);
                add(&mut asker.unlinked, of);
            }
            Operation::Monitor { reference, .. } => {
                if life.dead {
                    let down = Payload::Down {
                        reference,
                        from: of,
                        reason,
                    };
                    life.outbox.push((asker, down));
                } else {
                    life.watchers.push((asker, reference));
                }
            }
            Operation::Demonitor { reference, .. } => {
                life.watchers
                    .retain(|watcher| *watcher != (asker, reference));
                life.unwatched.push((asker, reference));
                return Answer::Bool(!life.dead);
            }
            Operation::Links => {
                let life = life.clone();
                return Answer::Pids(self.process(asker).linked(&life));
            }
            _ => unreachable!("not about lives"),
        }
        Answer::Ok
    }

    /// The end of a process becomes known, if it is not known yet.
    pub(super) fn death(&self, process: &Process<F>) -> Option<Self> {
        let reason = process.ended.as_ref()?;
        let from = process.pid;
        let is_known = |thing: &Thing<_>| thing.object == Object::Life(from) && thing.dead;
        if self.things.iter().any(is_known) {
            return None;
        }
        let mut next = self.clone();
        let life = next.thing(&Object::Life(from));
        life.dead = true;
        life.history.push(Seen::Died);
        life.past.extend(process.past.iter().copied());
        life.in_a_row = process.in_a_row;
        life.publish();
        for link in process.linked(life) {
            let reason = reason.clone();
            life.outbox.push((link, Payload::Exit { from, reason }));
        }
        let unwatched = &life.unwatched;
        let since_spawn = process.watchers.iter().filter(|w| !unwatched.contains(w));
        for &(watcher, reference) in since_spawn.chain(&life.watchers) {
            let reason = reason.clone();
            let down = Payload::Down {
                reference,
                from,
                reason,
            };
            life.outbox.push((watcher, down));
        }
        Some(next)
    }

    /// Each life that has somebody to tell tells the next one.
    pub(super) fn news_of_ends(&self) -> Successors<F> {
        let mut all = Vec::new();
        for thing in &self.things {
            if let (Object::Life(of), false) = (&thing.object, thing.outbox.is_empty()) {
                let mut next = self.clone();
                let (to, payload) = next.thing(&thing.object).outbox.remove(0);
                next.send(Sender::Life(*of), to, payload);
                all.push(next);
            }
        }
        all
    }
}

impl<F: Frontend> Process<F> {
    /// With whom it is linked: by what it knows itself, then by what its life knows.
    fn linked(&self, life: &Thing<F::Value>) -> Vec<Pid> {
        let mut linked = Vec::new();
        for &link in &self.links {
            if !life.unlinked.contains(&link) {
                add(&mut linked, link);
            }
        }
        for &link in &life.links {
            if !self.unlinked.contains(&link) {
                add(&mut linked, link);
            }
        }
        linked
    }
}

fn add(pids: &mut Vec<Pid>, pid: Pid) {
    if !pids.contains(&pid) {
        pids.push(pid);
    }
}

fn remove(pids: &mut Vec<Pid>, pid: Pid) {
    pids.retain(|&other| other != pid);
}
