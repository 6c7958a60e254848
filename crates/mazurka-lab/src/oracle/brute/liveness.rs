//! Liveness of processes: links and monitors, and the messages that an end causes.

use super::Successors;
use super::configuration::Configuration;
use super::history::{Seen, Sender};
use super::object::{Liveness, Object, Thing};
use super::process::Process;
use mazurka_engine::Frontend;
use mazurka_engine::Pid;
use mazurka_engine::{Answer, LivenessOperation};
use mazurka_engine::{Payload, Reason};

impl<F: Frontend> Configuration<F> {
    /// The liveness of `of` serves a link, an unlink, a monitor, a demonitor, or a query for links.
    pub(super) fn tie(
        &mut self,
        asker: Pid,
        of: Pid,
        operation: LivenessOperation,
    ) -> Answer<F::Value> {
        let liveness = &mut self.thing(&Object::Liveness(of)).liveness;
        let reason = Reason::NoProcess;
        match operation {
            LivenessOperation::Link(_) => {
                if liveness.dead {
                    liveness
                        .outbox
                        .push((asker, Payload::Exit { from: of, reason }));
                } else {
                    add(&mut liveness.links, asker);
                    remove(&mut liveness.unlinked, asker);
                }
                let asker = self.process(asker);
                add(&mut asker.links, of);
                remove(&mut asker.unlinked, of);
            }
            LivenessOperation::Unlink(_) => {
                remove(&mut liveness.links, asker);
                add(&mut liveness.unlinked, asker);
                let asker = self.process(asker);
                remove(&mut asker.links, of);
                add(&mut asker.unlinked, of);
            }
            LivenessOperation::Monitor { reference, .. } => {
                if liveness.dead {
                    let down = Payload::Down {
                        reference,
                        from: of,
                        reason,
                    };
                    liveness.outbox.push((asker, down));
                } else {
                    liveness.watchers.push((asker, reference));
                }
            }
            LivenessOperation::Demonitor { reference, .. } => {
                liveness
                    .watchers
                    .retain(|watcher| *watcher != (asker, reference));
                liveness.unwatched.push((asker, reference));
                return Answer::Bool(!liveness.dead);
            }
            LivenessOperation::Links => {
                let liveness = liveness.clone();
                return Answer::Pids(self.process(asker).linked(&liveness));
            }
            LivenessOperation::IsAlive(_) => unreachable!("a read is not served"),
        }
        Answer::Ok
    }

    /// Publishes the end of a process, unless it has been published.
    pub(super) fn death(&self, process: &Process<F>) -> Option<Self> {
        let reason = process.ended.as_ref()?;
        let from = process.pid;
        let is_known =
            |thing: &Thing<F>| thing.object == Object::Liveness(from) && thing.liveness.dead;
        if self.things.iter().any(is_known) {
            return None;
        }
        let mut next = self.clone();
        let thing = next.thing(&Object::Liveness(from));
        thing.history.push(Seen::Died);
        thing.past.extend(process.past.iter().copied());
        thing.in_a_row = process.in_a_row;
        thing.publish();
        let liveness = &mut thing.liveness;
        liveness.dead = true;
        for link in process.linked(liveness) {
            let reason = reason.clone();
            liveness.outbox.push((link, Payload::Exit { from, reason }));
        }
        let unwatched = &liveness.unwatched;
        let since_spawn = process.watchers.iter().filter(|w| !unwatched.contains(w));
        for &(watcher, reference) in since_spawn.chain(&liveness.watchers) {
            let reason = reason.clone();
            let down = Payload::Down {
                reference,
                from,
                reason,
            };
            liveness.outbox.push((watcher, down));
        }
        Some(next)
    }

    /// For each liveness object with messages in its outbox: it sends the first of them.
    pub(super) fn news_of_ends(&self) -> Successors<F> {
        let mut all = Vec::new();
        for thing in &self.things {
            if let (Object::Liveness(of), false) = (&thing.object, thing.liveness.outbox.is_empty())
            {
                let mut next = self.clone();
                let (to, payload) = next.thing(&thing.object).liveness.outbox.remove(0);
                next.send(Sender::Liveness(*of), to, payload);
                all.push(next);
            }
        }
        all
    }
}

impl<F: Frontend> Process<F> {
    /// The processes that it is linked with: first those recorded in the process, then those recorded
    /// in its liveness.
    fn linked(&self, liveness: &Liveness<F::Value>) -> Vec<Pid> {
        let mut linked = Vec::new();
        for &link in &self.links {
            if !liveness.unlinked.contains(&link) {
                add(&mut linked, link);
            }
        }
        for &link in &liveness.links {
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
