//! How a node is made: user code runs, an object serves a request, or a signal ends the process.

use super::Behaviours;
use super::node::{Edge, Effect, Effects, Ending, Local, Node, Snapshot, Wait};
use crate::frontend::{Action, ActionsOf, Demand, Fault, Frontend, Input, Outcome, Turn, Turned};
use crate::ids::{NodeId, ObjectKey, Pid, PidKind, ValueId};
use crate::liveness::{LivenessOperation, LivenessRequest, OwnLinks};
use crate::message::Payload;
use crate::object::Served;
use crate::operation::{Answer, Operation, Request};
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
                let wait = node.wait;
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
                    Edge::Value(value) => self.take(pid, edge, local, &state, wait, value),
                    Edge::Killed { .. } => unreachable!("handled above"),
                }
            }
            Snapshot::Bearer(state, bearer) => {
                let (state, bearer) = (state.clone(), *bearer);
                let alive = self.read_alive(edge);
                let answer = Answer::Pid(alive.then_some(bearer));
                self.run(pid, edge, local, |frontend, _, turn| {
                    frontend.answer(&state, Input::Answer(&answer), turn)
                })
            }
            Snapshot::Object(state) => {
                let PidKind::Object(key) = self.pids.kind(pid) else {
                    unreachable!("an object's pid")
                };
                let Edge::Value(value) = edge else {
                    unreachable!("objects do not time out")
                };
                let served = match self.values.payload(value) {
                    Payload::Request { from, request } => state.serve(key, *from, request),
                    Payload::Answer(Answer::Bool(alive)) => state.liveness_read(*alive),
                    _ => unreachable!("objects get requests and read liveness objects"),
                };
                Ok(self.object_node(pid, edge, served))
            }
            Snapshot::Over { .. } => unreachable!("it has ended"),
        }
    }

    /// The answer of a liveness object.
    fn read_alive(&self, edge: Edge) -> bool {
        let Edge::Value(value) = edge else {
            unreachable!("a read of a liveness object gives an answer")
        };
        matches!(
            self.values.payload(value),
            Payload::Answer(Answer::Bool(true))
        )
    }

    /// The node of a process after it has received a message or an answer.
    fn take(
        &mut self,
        pid: Pid,
        edge: Edge,
        local: Rc<Local>,
        state: &F::State,
        wait: Wait,
        value: ValueId,
    ) -> Result<Node<F>, Fault> {
        match self.values.payload(value) {
            // A bearer counts only while it is alive, so its liveness is read next.
            Payload::Answer(Answer::Pid(Some(bearer))) if matches!(wait, Wait::Read { object } if self.is_name(object)) =>
            {
                let bearer = *bearer;
                let object = self.pids.liveness(bearer);
                let snapshot = Snapshot::Bearer(state.clone(), bearer);
                Ok(Node::new(pid, edge, snapshot, Wait::Read { object }, local))
            }
            _ => match self.values.handed_by(value) {
                None => self.run(pid, edge, local, |frontend, values, turn| {
                    let input = match values.payload(value) {
                        Payload::Answer(answer) => Input::Answer(answer),
                        payload => Input::Message(payload),
                    };
                    frontend.answer(state, input, turn)
                }),
                Some(sender) => self.take_handed(pid, edge, local, state, (sender, value)),
            },
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
            frontend.answer(state, Input::Message(values.payload(value)), turn)
        })?;
        let value = self.values.intern(Payload::Answer(Answer::Ok));
        node.effects.insert(0, Effect::Send { to: sender, value });
        node.acknowledges = true;
        Ok(node)
    }

    fn is_name(&self, pid: Pid) -> bool {
        matches!(self.pids.kind(pid), PidKind::Object(ObjectKey::Name(_)))
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
                let constraint = self.values.intern_constraint(constraint);
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
                    let value = self.values.intern(Payload::Request { from: pid, request });
                    effects.push(Effect::Send { to: object, value });
                    Wait::Answer
                };
                (Snapshot::User(state), wait)
            }
            Demand::Ask(operation) => {
                let object = self.object_of(&operation);
                let wait = if operation.is_read() {
                    Wait::Read { object }
                } else {
                    let request = Request::Operation(operation);
                    let value = self.values.intern(Payload::Request { from: pid, request });
                    effects.push(Effect::Send { to: object, value });
                    Wait::Answer
                };
                (Snapshot::User(state), wait)
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
                    value: self.values.intern(Payload::User(value)),
                },
                Action::Signal { to, reason } => Effect::Send {
                    to,
                    value: self.values.intern(Payload::Exit { from: me, reason }),
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

    /// The object that serves an operation.
    fn object_of(&mut self, operation: &Operation<F::Value>) -> Pid {
        let mut named = |value: &F::Value| self.values.intern(Payload::User(value.clone()));
        let key = match operation {
            Operation::Register { name, .. }
            | Operation::Unregister { name }
            | Operation::WhereIs { name } => ObjectKey::Name(named(name)),
            Operation::Put { table, key, .. }
            | Operation::PutNew { table, key, .. }
            | Operation::Take { table, key }
            | Operation::Get { table, key } => ObjectKey::Cell {
                table: named(table),
                key: named(key),
            },
            Operation::Add { counter, .. } | Operation::Count { counter } => {
                ObjectKey::Counter(named(counter))
            }
        };
        let Behaviours {
            frontend,
            values,
            pids,
            ..
        } = self;
        pids.object(key, |pids| crate::show::object(frontend, pids, values, key))
    }

    pub(super) fn object_node(
        &mut self,
        pid: Pid,
        edge: Edge,
        served: Served<F::Value>,
    ) -> Node<F> {
        let effects = served
            .sends
            .into_iter()
            .map(|(to, payload)| Effect::Send {
                to,
                value: self.values.intern(payload),
            })
            .collect();
        let wait = match served.reads_liveness_of {
            Some(process) => Wait::Read {
                object: self.pids.liveness(process),
            },
            None => Wait::Serve,
        };
        let local = Rc::new(Local {
            daemon: true,
            ..Local::default()
        });
        let snapshot = Snapshot::Object(Box::new(served.state));
        Node {
            effects,
            publishes: served.publishes,
            ..Node::new(pid, edge, snapshot, wait, local)
        }
    }

    /// The node of a process that a signal ended after `after` of its effects.
    fn killed(&self, from: NodeId, value: ValueId, after: u32) -> Node<F> {
        let node = self.node(from);
        let Payload::Exit { reason, .. } = self.values.payload(value) else {
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
