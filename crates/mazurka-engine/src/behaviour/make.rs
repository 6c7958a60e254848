//! How a node is made: user code runs, an object serves a request, or a signal ends the process.

use super::Behaviours;
use super::node::{Edge, Effect, Effects, Ending, Local, Node, ReadSoFar, Snapshot, Wait};
use crate::answer::Answer;
use crate::frontend::{
    Action, ActionsOf, Asked, Demand, DemandOf, Fault, Frontend, Input, KeyOf, Mode, OperationOf,
    Outcome, Reading, SharedObjects, Source, Turn, Turned,
};
use crate::ids::{KeyId, NodeId, ObjectKey, PidId, PidKind, ValueId};
use crate::liveness::{Courier, LivenessOperation, Ties};
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
            Snapshot::Liveness(state, operation) => {
                let (state, operation) = (state.clone(), *operation);
                self.answered(pid, edge, local, state, operation)
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
    fn react(&self, pid: PidId, state: &ObjectState<F>, edge: Edge) -> Reaction<F> {
        let Edge::Value(value) = edge else {
            unreachable!("objects do not time out")
        };
        match (state, self.values.content(value), self.pids.kind(pid)) {
            (
                ObjectState::Liveness(_),
                Content::Request {
                    request: Request::Die(end),
                    ..
                },
                PidKind::Object(ObjectKey::Liveness(of)),
            ) => Reaction {
                couriers: Courier::known_at_end(of, end).collect(),
                publishes: true,
                ..Reaction::none(ObjectState::Liveness(Some(end.clone())))
            },
            (
                ObjectState::Courier { .. },
                Content::Request {
                    request: Request::Die(end),
                    ..
                },
                PidKind::Object(ObjectKey::Courier(courier)),
            ) => {
                let message = courier.message(end);
                let sent = message.is_some();
                Reaction {
                    brings: message.map(|message| (courier, message)),
                    publishes: sent,
                    ..Reaction::none(ObjectState::Courier { sent })
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
        pid: PidId,
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

    /// The node of a process after it has read liveness for an operation, or whether a courier has
    /// delivered its message.
    fn answered(
        &mut self,
        pid: PidId,
        edge: Edge,
        mut local: Rc<Local>,
        state: F::State,
        operation: LivenessOperation,
    ) -> Result<Node<F>, Fault> {
        let seen = self.seen(edge).clone();
        let is_alive = seen == Answer::Bool(true);
        let mut answer = Answer::Ok;
        let mut tie = None;
        match operation {
            LivenessOperation::Link(with) => {
                let ties = &mut Rc::make_mut(&mut local).ties;
                tie = Some((with, ties.link(with, is_alive)));
            }
            LivenessOperation::Monitor { pid: of, reference } => {
                let ties = &mut Rc::make_mut(&mut local).ties;
                tie = Some((of, ties.monitor(of, reference, is_alive)));
            }
            LivenessOperation::Unlink(from) => {
                let is_under_way = seen == Answer::Bool(true);
                Rc::make_mut(&mut local).ties.unlink(from, is_under_way);
            }
            LivenessOperation::Demonitor { pid: of, reference }
            | LivenessOperation::Flush { pid: of, reference } => {
                let ties = &mut Rc::make_mut(&mut local).ties;
                let monitor = ties.monitor_tie(of, reference);
                if let (Answer::Bool(true), Some(tie)) = (&seen, monitor) {
                    ties.ignore(of, tie);
                }
                answer = seen;
            }
            LivenessOperation::Notify { .. } => unreachable!("it is answered at once"),
            LivenessOperation::Links | LivenessOperation::IsAlive(_) => answer = seen,
        }
        let courier = tie.map(|(of, tie)| {
            let courier = Courier { of, to: pid, tie };
            Effect::Courier(self.pids.courier(courier))
        });
        self.run_after(pid, edge, local, courier, |frontend, _, turn| {
            frontend.answer(&state, Input::Answer(&answer), turn)
        })
    }

    /// The node of a process after it has received a message or an answer.
    fn take(
        &mut self,
        pid: PidId,
        edge: Edge,
        mut local: Rc<Local>,
        state: &F::State,
        value: ValueId,
    ) -> Result<Node<F>, Fault> {
        if let Some((of, tie)) = self.values.tie(value) {
            Rc::make_mut(&mut local).ties.received(of, tie);
        }
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
        pid: PidId,
        edge: Edge,
        local: Rc<Local>,
        state: &F::State,
        (sender, value): (PidId, ValueId),
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
        pid: PidId,
        edge: Edge,
        before: Rc<Local>,
        code: impl FnMut(&F, &Values<F>, &mut Turn<'_, F>) -> Outcome<F>,
    ) -> Result<Node<F>, Fault> {
        self.run_after(pid, edge, before, None, code)
    }

    /// The same, with a first effect that is part of the input.
    #[inline(always)]
    fn run_after(
        &mut self,
        pid: PidId,
        edge: Edge,
        before: Rc<Local>,
        first: Option<Effect>,
        code: impl FnMut(&F, &Values<F>, &mut Turn<'_, F>) -> Outcome<F>,
    ) -> Result<Node<F>, Fault> {
        let mut after = Rc::clone(&before);
        let mut effects: Effects = first.into_iter().collect();
        let (mut state, mut demand) = self.run_once(pid, &mut after, &mut effects, code)?;
        while let Demand::Liveness(operation) = demand
            && let Some(answer) = self.local_answer(pid, operation, &mut after, &mut effects)
        {
            (state, demand) =
                self.run_once(pid, &mut after, &mut effects, |frontend, _, turn| {
                    frontend.answer(&state, Input::Answer(&answer), turn)
                })?;
        }
        let (snapshot, wait) = self.demanded(pid, &after, &mut effects, state, demand)?;
        Ok(Node {
            effects,
            after,
            ..Node::new(pid, edge, snapshot, wait, before)
        })
    }

    /// Runs user code up to its next demand, and adds its actions to the effects.
    #[inline(always)]
    fn run_once(
        &mut self,
        pid: PidId,
        local: &mut Rc<Local>,
        effects: &mut Effects,
        mut code: impl FnMut(&F, &Values<F>, &mut Turn<'_, F>) -> Outcome<F>,
    ) -> Result<(F::State, DemandOf<F>), Fault> {
        let actions = std::mem::take(&mut self.actions);
        let mut turn = Turn::new(pid, &mut self.pids, local.spawned, local.mode, actions);
        let (state, demand) = code(&self.frontend, &self.values, &mut turn)?;
        let Turned {
            actions,
            spawned,
            mode,
            patient,
        } = turn.finish();
        if self.distrust {
            let mut again = Turn::new(pid, &mut self.pids, local.spawned, local.mode, Vec::new());
            let (_, second) = code(&self.frontend, &self.values, &mut again)?;
            let again = again.finish();
            if second != demand || again.actions != actions || again.mode != mode {
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
        if spawned != local.spawned || mode != local.mode || patient != local.patient {
            let local = Rc::make_mut(local);
            local.spawned = spawned;
            local.mode = mode;
            local.patient = patient;
        }
        self.effects(pid, actions, local, effects);
        Ok((state, demand))
    }

    /// What a demand is in terms of the graph. A request is sent as the last effect.
    #[inline(always)]
    fn demanded(
        &mut self,
        pid: PidId,
        local: &Local,
        effects: &mut Effects,
        state: F::State,
        demand: DemandOf<F>,
    ) -> Result<(Snapshot<F>, Wait), Fault> {
        Ok(match demand {
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
                if let LivenessOperation::Link(with) = operation {
                    effects.push(Effect::Link(with));
                }
                let object = self.read_by(pid, &local.ties, operation);
                (Snapshot::Liveness(state, operation), Wait::Read { object })
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
            Demand::Choose(of) => (Snapshot::User(state), Wait::Choose { of, limit: None }),
            Demand::Disturb { limit } => {
                let limit = Some(limit);
                (Snapshot::User(state), Wait::Choose { of: 2, limit })
            }
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
        })
    }

    /// The answer to an operation that concerns the process alone, which it gets at once.
    fn local_answer(
        &mut self,
        pid: PidId,
        operation: LivenessOperation,
        local: &mut Rc<Local>,
        effects: &mut Effects,
    ) -> Option<Answer<F::Value>> {
        match operation {
            LivenessOperation::Link(with) => local.ties.is_linked(with).then_some(Answer::Ok),
            // The exit signal has ended the process, or has not arrived. If it is trapped, it may be in
            // the mailbox.
            LivenessOperation::Unlink(from) if !local.trapping => {
                Rc::make_mut(local).ties.cut(from);
                effects.push(Effect::Unlink(from));
                Some(Answer::Ok)
            }
            LivenessOperation::Notify { pid: of, reference } => {
                let tie = Rc::make_mut(local).ties.monitor(of, reference, true);
                let courier = Courier { of, to: pid, tie };
                effects.push(Effect::Courier(self.pids.courier(courier)));
                Some(Answer::Ok)
            }
            LivenessOperation::Demonitor { pid: of, reference } => {
                let tie = local.ties.monitor_tie(of, reference);
                tie.is_none().then_some(Answer::Bool(false))
            }
            LivenessOperation::Flush { pid: of, reference } => {
                if let Some(tie) = local.ties.monitor_tie(of, reference) {
                    Rc::make_mut(local).ties.ignore(of, tie);
                }
                Some(Answer::Ok)
            }
            _ => None,
        }
    }

    /// The object that an operation on liveness reads: the liveness of a process, or a courier.
    fn read_by(&mut self, pid: PidId, ties: &Ties, operation: LivenessOperation) -> PidId {
        let (of, tie) = match operation {
            LivenessOperation::Link(of)
            | LivenessOperation::Monitor { pid: of, .. }
            | LivenessOperation::Notify { pid: of, .. }
            | LivenessOperation::IsAlive(of) => return self.pids.liveness(of),
            LivenessOperation::Links => return self.pids.liveness(pid),
            LivenessOperation::Unlink(of) => (of, ties.link_tie(of)),
            LivenessOperation::Demonitor { pid: of, reference }
            | LivenessOperation::Flush { pid: of, reference } => {
                let tie = ties.monitor_tie(of, reference);
                (of, tie.expect("otherwise it is answered at once"))
            }
        };
        self.pids.courier(Courier { of, to: pid, tie })
    }

    #[inline]
    fn effects(
        &mut self,
        me: PidId,
        mut actions: ActionsOf<F>,
        local: &mut Rc<Local>,
        effects: &mut Effects,
    ) {
        for action in actions.drain(..) {
            effects.push(match action {
                Action::Spawn {
                    pid,
                    start,
                    link,
                    monitor,
                } => {
                    let child = Local {
                        ties: Ties::at_spawn(me, link, monitor),
                        ..Local::default()
                    };
                    let root = self.root(pid, Some(start), child);
                    if link || monitor.is_some() {
                        Rc::make_mut(local).ties.spawned(pid, link, monitor);
                    }
                    Effect::Spawn {
                        pid,
                        root,
                        link,
                        monitor,
                    }
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
    }

    /// What is read.
    fn source(&mut self, source: Source<KeyOf<F>>) -> PidId {
        match source {
            Source::Liveness(of) => self.pids.liveness(of),
            Source::Object(key) => self.object(key),
        }
    }

    /// The pid of an object of the front-end.
    fn object(&mut self, key: KeyOf<F>) -> PidId {
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

    pub(super) fn object_node(&mut self, pid: PidId, edge: Edge, reaction: Reaction<F>) -> Node<F> {
        let mut effects = Effects::new();
        if let Some((to, answer)) = reaction.answer {
            let value = self.values.intern(Content::Answer(answer));
            effects.push(Effect::Send { to, value });
        }
        if let Some((courier, message)) = reaction.brings {
            let value = self.values.intern_brought(courier, message);
            effects.push(Effect::Send {
                to: courier.to,
                value,
            });
        }
        for courier in reaction.couriers {
            effects.push(Effect::Courier(self.pids.courier(courier)));
        }
        let wait = match reaction.reads {
            Some(source) => {
                let object = self.source(source);
                assert!(object != pid, "an object knows its own state");
                Wait::Read { object }
            }
            None => Wait::Serve,
        };
        let local = Rc::new(Local {
            mode: Mode::Idle,
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
                match *effect {
                    Effect::Spawn {
                        pid, link, monitor, ..
                    } => local.ties.spawned(pid, link, monitor),
                    Effect::Unlink(from) => local.ties.cut(from),
                    Effect::Send { .. }
                    | Effect::TrapExit(_)
                    | Effect::Courier(_)
                    | Effect::Link(_) => {}
                }
            }
            // If it was to halt the program, it did not come to it.
            if !node.after.mode.has_halted() {
                local.mode = node.after.mode;
            }
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
