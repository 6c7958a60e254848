//! How a node is made: user code runs, an object serves a request, or a signal ends the process.

use super::Behaviours;
use super::node::{Edge, Effect, Effects, Ending, Local, Node, ReadSoFar, Snapshot, Wait};
use crate::answer::Answer;
use crate::frontend::{
    Action, ActionsOf, Asked, Demand, Fault, Frontend, Input, KeyOf, OperationOf, Outcome, Reading,
    SharedObjects, Source, Turn, Turned,
};
use crate::ids::{KeyId, NodeId, ObjectKey, Pid, PidKind, ValueId};
use crate::liveness::{LivenessOperation, LivenessRequest, LivenessServed, OwnLinks};
use crate::message::{Content, Payload, Request};
use crate::object::{self, ObjectState, Reaction};
use crate::values::Values;
use std::rc::Rc;

impl<F: Frontend> Behaviours<F> {
    #[inline(always)]
    pub(super) fn make(&mut self, from: NodeId, edge: Edge) -> Result<Node<F>, Fault> {
        let node = self.node(from);
        let pid = node.pid;
        if let Edge::Killed { value, after } = edge {
            return Ok(self.killed(from, value, after));
        }
        let local = node.after.clone();
        match &node.snapshot {
            Snapshot::User(state) => {
                let state = state.clone();
                match edge {
                    Edge::Timeout => self.run(pid, edge, local, |frontend, _, turn| {
                        frontend.answer(&state, Input::Timeout, turn)
                    }),
                    Edge::Choice(chosen) => {
                        let answer = Answer::Int(i64::from(chosen));
                        self.run(pid, edge, local, |frontend, _, turn| {
                            frontend.answer(&state, Input::Answer(&answer), turn)
                        })
                    }
                    Edge::Value(value) => self.take(pid, edge, local, &state, value),
                    Edge::Killed { .. } => unreachable!("handled above"),
                }
            }
            Snapshot::Reading(state, so_far) => {
                let state = state.clone();
                let (operation, seen) = so_far.and(self.seen(edge));
                self.read_on(pid, edge, local, state, operation, seen)
            }
            Snapshot::Object(state) => {
                let reaction = self.react(pid, state, edge);
                Ok(self.object_node(pid, edge, reaction))
            }
            Snapshot::Over { .. } => unreachable!("it has ended"),
        }
    }

    /// What a read has seen.
    fn seen(&self, edge: Edge) -> &Answer<F::Value> {
        let Edge::Value(value) = edge else {
            unreachable!("a read sees an answer")
        };
        let Content::Answer(answer) = self.values.content(value) else {
            unreachable!("a read sees an answer")
        };
        answer
    }

    /// What an object does with an input: a request, or what it has read for one.
    fn react(&self, pid: Pid, state: &ObjectState<F>, edge: Edge) -> Reaction<F> {
        let Edge::Value(value) = edge else {
            unreachable!("objects do not time out")
        };
        match (state, self.values.content(value), self.pids.kind(pid)) {
            (
                ObjectState::Liveness(state),
                Content::Request {
                    by,
                    request: Request::Liveness(request),
                },
                PidKind::Object(ObjectKey::Life(of)),
            ) => {
                let mut state = state.clone();
                let LivenessServed {
                    answer,
                    sends,
                    publishes,
                } = state.serve(of, *by, request);
                Reaction {
                    answer: answer.map(|answer| (*by, answer)),
                    sends,
                    publishes,
                    ..Reaction::none(ObjectState::Liveness(state))
                }
            }
            (
                ObjectState::Shared {
                    state,
                    pending: None,
                },
                Content::Request {
                    by,
                    request: Request::Operation(operation),
                },
                PidKind::Object(ObjectKey::Shared(key)),
            ) => {
                let request = Asked { by: *by, operation };
                object::serve(self.key(key), state, request, Vec::new())
            }
            (
                ObjectState::Shared {
                    state,
                    pending: Some(pending),
                },
                Content::Answer(answer),
                PidKind::Object(ObjectKey::Shared(key)),
            ) => pending.resume(self.key(key), state, answer.clone()),
            _ => unreachable!("objects get requests, and what they read for them"),
        }
    }

    /// The node of a process that has seen this for a read: it reads something else, or has its answer.
    fn read_on(
        &mut self,
        pid: Pid,
        edge: Edge,
        local: Rc<Local>,
        state: F::State,
        operation: OperationOf<F>,
        seen: Vec<Answer<F::Value>>,
    ) -> Result<Node<F>, Fault> {
        match F::Objects::read(&operation, &seen) {
            Reading::Read(source) => {
                let object = self.source(source);
                let so_far = ReadSoFar { operation, seen };
                let snapshot = Snapshot::Reading(state, Box::new(so_far));
                Ok(Node::new(pid, edge, snapshot, Wait::Read { object }, local))
            }
            Reading::Done(answer) => self.run(pid, edge, local, |frontend, _, turn| {
                frontend.answer(&state, Input::Answer(&answer), turn)
            }),
        }
    }

    /// The node of a process after it has received a message or an answer.
    fn take(
        &mut self,
        pid: Pid,
        edge: Edge,
        local: Rc<Local>,
        state: &F::State,
        value: ValueId,
    ) -> Result<Node<F>, Fault> {
        match self.values.handed_by(value) {
            None => self.run(pid, edge, local, |frontend, values, turn| {
                let input = match values.content(value) {
                    Content::Message(payload) => Input::Message(payload),
                    Content::Answer(answer) => Input::Answer(answer),
                    Content::Request { .. } => unreachable!("only objects get requests"),
                };
                frontend.answer(state, input, turn)
            }),
            Some(sender) => self.take_handed(pid, edge, local, state, (sender, value)),
        }
    }

    /// The node of a process after it has received a message whose sender waits for the receipt: its
    /// first effect is to send that. Not inlined, because most messages have no such sender.
    #[inline(never)]
    fn take_handed(
        &mut self,
        pid: Pid,
        edge: Edge,
        local: Rc<Local>,
        state: &F::State,
        (sender, value): (Pid, ValueId),
    ) -> Result<Node<F>, Fault> {
        let mut node = self.run(pid, edge, local, |frontend, values, turn| {
            let message = values.payload(value).expect("a message is handed over");
            frontend.answer(state, Input::Message(message), turn)
        })?;
        let value = self.values.intern(Content::Answer(Answer::Ok));
        node.effects.insert(0, Effect::Send { to: sender, value });
        node.acknowledges = true;
        Ok(node)
    }

    /// Runs user code and makes a node of its actions and its demand.
    #[inline(always)]
    pub(super) fn run(
        &mut self,
        pid: Pid,
        edge: Edge,
        before: Rc<Local>,
        mut code: impl FnMut(&F, &Values<F>, &mut Turn<'_, F>) -> Outcome<F>,
    ) -> Result<Node<F>, Fault> {
        let actions = std::mem::take(&mut self.actions);
        let mut turn = Turn::new(pid, &mut self.pids, before.spawned, before.daemon, actions);
        let (state, demand) = code(&self.frontend, &self.values, &mut turn)?;
        let Turned {
            actions,
            spawned,
            daemon,
        } = turn.finish();
        if self.distrust {
            let mut again = Turn::new(
                pid,
                &mut self.pids,
                before.spawned,
                before.daemon,
                Vec::new(),
            );
            let (_, second) = code(&self.frontend, &self.values, &mut again)?;
            let again = again.finish();
            if second != demand || again.actions != actions || again.daemon != daemon {
                return Err(Fault::Nondeterminism {
                    what: crate::show::two_behaviours(
                        &self.frontend,
                        &self.pids,
                        pid,
                        (&actions, &demand),
                        (&again.actions, &second),
                    ),
                });
            }
        }
        // Copied only if something changes, which most steps do not do.
        let mut after = Rc::clone(&before);
        if spawned != before.spawned || daemon != before.daemon {
            let after = Rc::make_mut(&mut after);
            after.spawned = spawned;
            after.daemon = daemon;
        }
        let mut effects = self.effects(pid, actions, &mut after);
        let (snapshot, wait) = match demand {
            Demand::Receive {
                constraint,
                timeout_ms,
            } => {
                let constraint = self.values.intern_constraint(&self.frontend, constraint);
                (
                    Snapshot::User(state),
                    Wait::Receive {
                        constraint,
                        timeout_ms,
                    },
                )
            }
            Demand::Liveness(operation) => {
                match operation {
                    LivenessOperation::Link(with) => Rc::make_mut(&mut after).link(with),
                    LivenessOperation::Unlink(from) => Rc::make_mut(&mut after).unlink(from),
                    _ => {}
                }
                let object = self.pids.liveness(operation.target(pid));
                let wait = if operation.is_read() {
                    Wait::Read { object }
                } else {
                    let request = Request::Liveness(match operation {
                        LivenessOperation::Links => LivenessRequest::Links(after.links.clone()),
                        operation => LivenessRequest::Operation(operation),
                    });
                    let value = self.values.intern(Content::Request { by: pid, request });
                    effects.push(Effect::Send { to: object, value });
                    Wait::Answer
                };
                (Snapshot::User(state), wait)
            }
            Demand::Ask(operation) if F::Objects::is_read(&operation) => {
                let seen = Vec::new();
                let Reading::Read(source) = F::Objects::read(&operation, &seen) else {
                    panic!("a read of a shared object reads one: {operation:?}")
                };
                let object = self.source(source);
                let so_far = ReadSoFar { operation, seen };
                let snapshot = Snapshot::Reading(state, Box::new(so_far));
                (snapshot, Wait::Read { object })
            }
            Demand::Ask(operation) => {
                let to = self.object(F::Objects::key(&operation));
                let request = Request::Operation(operation);
                let value = self.values.intern(Content::Request { by: pid, request });
                effects.push(Effect::Send { to, value });
                (Snapshot::User(state), Wait::Answer)
            }
            Demand::HandOver { to, value } => {
                let value = self.values.intern_handed(value, pid);
                effects.push(Effect::Send { to, value });
                (Snapshot::User(state), Wait::HandedOver { to, value })
            }
            Demand::Choose(0) => {
                return Err(Fault::Unsupported {
                    what: crate::show::no_way_to_go(&self.pids, pid),
                });
            }
            Demand::Choose(of) => (Snapshot::User(state), Wait::Choose { of }),
            Demand::Exit(reason) => {
                // `Kill` is the reason of a signal; a process that ends with it ends as `Killed`.
                let reason = reason.when_struck();
                let ending = Ending::of(&reason);
                // The state of an ended process is kept only if it has notes.
                let state = self
                    .frontend
                    .describe()
                    .has_notes(&state)
                    .then(|| Box::new(state));
                (Snapshot::Over { reason, state }, Wait::Ended(ending))
            }
        };
        Ok(Node {
            effects,
            after,
            ..Node::new(pid, edge, snapshot, wait, before)
        })
    }

    #[inline]
    fn effects(&mut self, me: Pid, mut actions: ActionsOf<F>, local: &mut Rc<Local>) -> Effects {
        let mut effects = Effects::new();
        for action in actions.drain(..) {
            effects.push(match action {
                Action::Spawn {
                    pid,
                    start,
                    link,
                    monitor,
                } => {
                    let child = Local {
                        links: OwnLinks {
                            made: link.then_some(me).into_iter().collect(),
                            undone: Vec::new(),
                        },
                        watchers: monitor
                            .map(|reference| (me, reference))
                            .into_iter()
                            .collect(),
                        ..Local::default()
                    };
                    let root = self.root(pid, Some(start), child);
                    if link {
                        Rc::make_mut(local).links.made.push(pid);
                    }
                    Effect::Spawn { pid, root, link }
                }
                Action::Send { to, value } => Effect::Send {
                    to,
                    value: self.values.intern(Content::Message(Payload::User(value))),
                },
                Action::Signal { to, reason } => Effect::Send {
                    to,
                    value: (self.values)
                        .intern(Content::Message(Payload::Exit { from: me, reason })),
                },
                Action::TrapExit(on) => {
                    if local.trapping != on {
                        Rc::make_mut(local).trapping = on;
                    }
                    Effect::TrapExit(on)
                }
            });
        }
        self.actions = actions;
        effects
    }

    /// What is read.
    fn source(&mut self, source: Source<KeyOf<F>>) -> Pid {
        match source {
            Source::Liveness(of) => self.pids.liveness(of),
            Source::Object(key) => self.object(key),
        }
    }

    /// The pid of an object of the front-end.
    fn object(&mut self, key: KeyOf<F>) -> Pid {
        let id = match self.keys.find(&key) {
            Some(id) => id,
            None => self.keys.add(key),
        };
        let Behaviours {
            frontend,
            pids,
            keys,
            ..
        } = self;
        pids.object(ObjectKey::Shared(KeyId(id)), |pids| {
            crate::show::object(frontend, pids, keys.get(id as usize))
        })
    }

    pub(super) fn object_node(&mut self, pid: Pid, edge: Edge, reaction: Reaction<F>) -> Node<F> {
        let answer = reaction.answer.into_iter();
        let answer = answer.map(|(to, answer)| (to, Content::Answer(answer)));
        let sends = reaction.sends.into_iter();
        let sends = sends.map(|(to, payload)| (to, Content::Message(payload)));
        let send = |(to, content)| Effect::Send {
            to,
            value: self.values.intern(content),
        };
        let effects = answer.chain(sends).map(send).collect();
        let wait = match reaction.reads {
            Some(source) => {
                let object = self.source(source);
                assert!(object != pid, "an object knows its own state");
                Wait::Read { object }
            }
            None => Wait::Serve,
        };
        let local = Rc::new(Local {
            daemon: true,
            ..Local::default()
        });
        let snapshot = Snapshot::Object(Box::new(reaction.state));
        Node {
            effects,
            publishes: reaction.publishes,
            ..Node::new(pid, edge, snapshot, wait, local)
        }
    }

    /// The node of a process that a signal ended after `after` of its effects.
    fn killed(&self, from: NodeId, value: ValueId, after: u32) -> Node<F> {
        let node = self.node(from);
        let Some(Payload::Exit { reason, .. }) = self.values.payload(value) else {
            unreachable!("only signals kill")
        };
        let done = &node.effects[..after as usize];
        let local = if done.len() == node.effects.len() {
            node.after.clone()
        } else {
            // Only the links of the effects that it performed.
            let mut local = (*node.before).clone();
            for effect in done {
                if let Effect::Spawn {
                    pid, link: true, ..
                } = effect
                {
                    local.links.made.push(*pid);
                }
            }
            local.daemon = node.after.daemon;
            Rc::new(local)
        };
        let snapshot = Snapshot::Over {
            reason: reason.clone().when_struck(),
            state: None,
        };
        let edge = Edge::Killed { value, after };
        Node::new(node.pid, edge, snapshot, Wait::Ended(Ending::Fine), local)
    }
}
