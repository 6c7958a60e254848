//! Behaviour trees: all that the processes can ever do, each local history once.
//!
//! A node is a local history: the effects since the last input, and the demand that the
//! process makes now. An edge is an input. User code runs only to make a node. Nodes that
//! no execution holds are dropped when they take more memory than the budget allows; the
//! next execution that needs one of them runs that step again.

use crate::frontend::{Action, ActionsOf, Demand, Fault, Frontend, Input, Outcome, Turn, Turned};
use crate::ids::{ConstraintId, NodeId, ObjectKey, Pid, PidKind, PidTable, RootId, ValueId};
use crate::message::{Payload, Reason};
use crate::object::{ObjectState, Served};
use crate::operation::{Answer, End, Operation, Request};
use crate::values::Values;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// What a process waits for, in terms of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// A message that satisfies the constraint, or a timeout.
    Receive {
        constraint: ConstraintId,
        timeout_ms: Option<u64>,
    },
    /// The answer of the object that it has sent a request to.
    Answer,
    /// A version of this object.
    Read { object: Pid },
    /// Any request: an object that is idle.
    Serve,
    /// Nothing any more.
    Ended(Ending),
}

/// How a process ended, as far as every execution asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// As it should, or struck by a signal: whoever sent that has the reason.
    Fine,
    Crash,
    Assertion,
}

impl Ending {
    fn of<V>(reason: &Reason<V>) -> Self {
        match reason {
            Reason::Crash(_) => Ending::Crash,
            Reason::Assertion(_) => Ending::Assertion,
            _ => Ending::Fine,
        }
    }
}

/// A visible effect, interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Spawn { pid: Pid, root: RootId, link: bool },
    Send { to: Pid, value: ValueId },
    TrapExit(bool),
}

/// Most nodes have one effect or none: those need no memory of their own.
pub(crate) type Effects = SmallVec<[Effect; 1]>;

/// What a process has gathered that is not in the front-end's state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Local {
    pub spawned: u32,
    pub trapping: bool,
    pub daemon: bool,
    /// Whom it has tied itself to, or was tied to at its spawn.
    pub links: Vec<Pid>,
    /// Whose ties it has undone.
    pub unlinked: Vec<Pid>,
    /// Who has watched it since its spawn.
    pub watchers: Vec<(Pid, u64)>,
}

impl Local {
    fn link(&mut self, with: Pid) {
        self.unlinked.retain(|link| *link != with);
        if !self.links.contains(&with) {
            self.links.push(with);
        }
    }

    fn unlink(&mut self, from: Pid) {
        self.links.retain(|link| *link != from);
        if !self.unlinked.contains(&from) {
            self.unlinked.push(from);
        }
    }
}

/// What a node can go on from.
enum Snapshot<F: Frontend> {
    /// User code.
    User(F::State),
    /// User code in the middle of an operation that takes two looks: it found this
    /// process under a name and must see whether it lives.
    Bearer(F::State, Pid),
    /// A shared object. Boxed, because most nodes are not objects and should be small.
    Object(Box<ObjectState<F::Value>>),
    /// A process that has ended.
    Over(Reason<F::Value>),
}

/// An input, as far as the process can see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// It consumed this message, or read this answer.
    Value(ValueId),
    Timeout,
    /// It was struck by this signal after so many of the node's effects.
    Struck {
        value: ValueId,
        after: u32,
    },
}

pub(crate) struct Node<F: Frontend> {
    snapshot: Snapshot<F>,
    pub effects: Effects,
    pub wait: Wait,
    /// Whether readers of this object see a new version.
    pub publishes: bool,
    /// Before the effects.
    pub before: Rc<Local>,
    /// After them.
    pub after: Rc<Local>,
    pid: Pid,
    edge: Edge,
    parent: NodeId,
    first_child: NodeId,
    next_sibling: NodeId,
    kept: bool,
}

impl<F: Frontend> Node<F> {
    /// A node without children that changes nothing but its snapshot.
    #[inline(always)]
    fn new(pid: Pid, edge: Edge, snapshot: Snapshot<F>, wait: Wait, local: Rc<Local>) -> Self {
        Node {
            snapshot,
            effects: Effects::new(),
            wait,
            publishes: false,
            before: Rc::clone(&local),
            after: local,
            pid,
            edge,
            parent: NodeId::NONE,
            first_child: NodeId::NONE,
            next_sibling: NodeId::NONE,
            kept: false,
        }
    }

    /// Why the process ended, if this is its end.
    pub(crate) fn end(&self) -> Option<&Reason<F::Value>> {
        match &self.snapshot {
            Snapshot::Over(reason) => Some(reason),
            _ => None,
        }
    }

    /// Whether a signal ended the process and not its own code.
    pub(crate) fn was_struck(&self) -> bool {
        matches!(self.edge, Edge::Struck { .. })
    }

    /// Whether the process has found a bearer under a name and looks whether it lives.
    pub(crate) fn looks_at_bearer(&self) -> bool {
        matches!(self.snapshot, Snapshot::Bearer(..))
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(self.effects.as_slice()) + NODE_OVERHEAD
    }
}

/// What a node costs beyond its own size: the front-end's snapshot, mostly. A guess on
/// the large side; the budget is about orders of magnitude.
const NODE_OVERHEAD: usize = 96;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Root<S> {
    pid: Pid,
    /// Nothing for a shared object.
    start: Option<S>,
    local: Rc<Local>,
}

/// The behaviour trees of all processes of one program.
pub(crate) struct Behaviours<F: Frontend> {
    pub frontend: F,
    pub pids: PidTable,
    pub values: Values<F>,
    nodes: Vec<Option<Node<F>>>,
    free: Vec<NodeId>,
    roots: Vec<(Root<F::Start>, Option<NodeId>)>,
    by_root: FxHashMap<Root<F::Start>, RootId>,
    /// Estimated memory of the nodes.
    bytes: usize,
    /// How often user code or an object ran to make a node.
    pub made: u64,
    /// Empty between two runs of user code; kept for its memory.
    actions: ActionsOf<F>,
    /// Runs each step of user code twice and compares.
    pub distrust: bool,
}

impl<F: Frontend> Behaviours<F> {
    pub(crate) fn new(frontend: F) -> Self {
        Behaviours {
            frontend,
            pids: PidTable::new(),
            values: Values::new(),
            nodes: Vec::new(),
            free: Vec::new(),
            roots: Vec::new(),
            by_root: FxHashMap::default(),
            bytes: 0,
            made: 0,
            actions: Vec::new(),
            distrust: false,
        }
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node<F> {
        self.nodes[id.index()]
            .as_ref()
            .expect("nodes that an execution holds are not dropped")
    }

    /// The estimated memory of the nodes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The root of the entry process.
    pub(crate) fn entry(&mut self) -> RootId {
        let start = self.frontend.entry();
        self.root(PidTable::ENTRY, Some(start), Local::default())
    }

    /// The root of a shared object.
    pub(crate) fn object_root(&mut self, pid: Pid) -> RootId {
        self.root(pid, None, Local::default())
    }

    /// What the root's process runs, as text.
    pub(crate) fn show_root(&self, root: RootId) -> Option<String> {
        let start = self.roots[root.index()].0.start.as_ref()?;
        Some(self.frontend.show_start(start, &self.pids))
    }

    fn root(&mut self, pid: Pid, start: Option<F::Start>, local: Local) -> RootId {
        let root = Root {
            pid,
            start,
            local: Rc::new(local),
        };
        if let Some(&id) = self.by_root.get(&root) {
            return id;
        }
        let id = RootId(u32::try_from(self.roots.len()).expect("fewer than 2^32 roots"));
        self.roots.push((root.clone(), None));
        self.by_root.insert(root, id);
        id
    }

    /// The node in which a process is after it has started.
    pub(crate) fn start(&mut self, root: RootId) -> Result<NodeId, Fault> {
        if let Some(node) = self.roots[root.index()].1 {
            return Ok(node);
        }
        let Root { pid, start, local } = self.roots[root.index()].0.clone();
        let node = match start {
            None => {
                let PidKind::Object(key) = self.pids.kind(pid) else {
                    unreachable!("a process has a start")
                };
                self.object_node(
                    pid,
                    Edge::Timeout,
                    Served {
                        state: ObjectState::initial(key),
                        sends: Vec::new(),
                        publishes: false,
                        looks_at: None,
                    },
                )
            }
            Some(start) => self.run(pid, Edge::Timeout, local, |frontend, _, turn| {
                frontend.start(&start, turn)
            })?,
        };
        let id = self.insert(node);
        self.roots[root.index()].1 = Some(id);
        Ok(id)
    }

    /// The node that an input leads to.
    pub(crate) fn step(&mut self, from: NodeId, edge: Edge) -> Result<NodeId, Fault> {
        let mut child = self.node(from).first_child;
        while child != NodeId::NONE {
            let node = self.node(child);
            if node.edge == edge {
                return Ok(child);
            }
            child = node.next_sibling;
        }
        let node = self.make(from, edge)?;
        let id = self.insert(node);
        self.adopt(from, id);
        Ok(id)
    }

    /// The answer that a reader gets from an object in this node.
    pub(crate) fn read(&mut self, version: NodeId) -> ValueId {
        let answer = match &self.node(version).snapshot {
            Snapshot::Object(state) => state.read(),
            _ => unreachable!("only objects have versions"),
        };
        self.values.intern(Payload::Answer(answer))
    }

    /// The message by which a process that has ended in this node tells its life.
    pub(crate) fn die(&mut self, node: NodeId) -> ValueId {
        let node = self.node(node);
        let reason = node.end().expect("it has ended").clone();
        let request = Request::Die(End {
            reason,
            links: node.after.links.clone(),
            unlinked: node.after.unlinked.clone(),
            watchers: node.after.watchers.clone(),
        });
        let from = node.pid;
        self.values.intern(Payload::Request { from, request })
    }

    /// Drops every node that is not in `keep`, which must hold the parents of what it holds.
    pub(crate) fn drop_all_but(&mut self, keep: impl Iterator<Item = NodeId>) {
        for id in keep {
            if let Some(node) = &mut self.nodes[id.index()] {
                node.kept = true;
            }
        }
        for (_, root) in &mut self.roots {
            if root.is_some_and(|id| self.nodes[id.index()].as_ref().is_some_and(|n| !n.kept)) {
                *root = None;
            }
        }
        for index in 0..self.nodes.len() {
            if self.nodes[index].as_ref().is_some_and(|node| !node.kept) {
                let node = self.nodes[index].take().expect("just seen");
                self.bytes -= node.bytes();
                self.free
                    .push(NodeId(u32::try_from(index).expect("was an id")));
            }
        }
        // The children's lists anew, from the survivors.
        for node in self.nodes.iter_mut().flatten() {
            node.first_child = NodeId::NONE;
            node.next_sibling = NodeId::NONE;
            node.kept = false;
        }
        for index in 0..self.nodes.len() {
            let parent = self.nodes[index].as_ref().map(|node| node.parent);
            if let Some(parent) = parent
                && parent != NodeId::NONE
            {
                self.adopt(parent, NodeId(u32::try_from(index).expect("was an id")));
            }
        }
    }

    #[inline(always)]
    fn insert(&mut self, node: Node<F>) -> NodeId {
        self.made += 1;
        self.bytes += node.bytes();
        if let Some(id) = self.free.pop() {
            self.nodes[id.index()] = Some(node);
            return id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        self.nodes.push(Some(node));
        id
    }

    fn adopt(&mut self, parent: NodeId, child: NodeId) {
        let siblings = &mut self.nodes[parent.index()]
            .as_mut()
            .expect("a parent outlives its children")
            .first_child;
        let sibling = std::mem::replace(siblings, child);
        let child = self.nodes[child.index()].as_mut().expect("it exists");
        child.parent = parent;
        child.next_sibling = sibling;
    }

    #[inline(always)]
    fn make(&mut self, from: NodeId, edge: Edge) -> Result<Node<F>, Fault> {
        let node = self.node(from);
        let pid = node.pid;
        if let Edge::Struck { value, after } = edge {
            return Ok(self.struck(from, value, after));
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
                    Edge::Value(value) => self.take(pid, edge, local, &state, wait, value),
                    Edge::Struck { .. } => unreachable!("handled above"),
                }
            }
            Snapshot::Bearer(state, bearer) => {
                let (state, bearer) = (state.clone(), *bearer);
                let lives = self.lives(edge);
                let answer = Answer::Pid(lives.then_some(bearer));
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
                    Payload::Answer(Answer::Bool(lives)) => state.looked(*lives),
                    _ => unreachable!("objects get requests and look at lives"),
                };
                Ok(self.object_node(pid, edge, served))
            }
            Snapshot::Over(_) => unreachable!("it has ended"),
        }
    }

    fn lives(&self, edge: Edge) -> bool {
        let Edge::Value(value) = edge else {
            unreachable!("a look at a life gives an answer")
        };
        matches!(
            self.values.payload(value),
            Payload::Answer(Answer::Bool(true))
        )
    }

    /// A process of the program takes a message or an answer.
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
            // A name's bearer counts only while it lives: look at its life as well.
            Payload::Answer(Answer::Pid(Some(bearer))) if matches!(wait, Wait::Read { object } if self.is_name(object)) =>
            {
                let bearer = *bearer;
                let object = self.pids.object(ObjectKey::Life(bearer));
                let snapshot = Snapshot::Bearer(state.clone(), bearer);
                Ok(Node::new(pid, edge, snapshot, Wait::Read { object }, local))
            }
            _ => self.run(pid, edge, local, |frontend, values, turn| {
                let input = match values.payload(value) {
                    Payload::Answer(answer) => Input::Answer(answer),
                    payload => Input::Message(payload),
                };
                frontend.answer(state, input, turn)
            }),
        }
    }

    fn is_name(&self, pid: Pid) -> bool {
        matches!(self.pids.kind(pid), PidKind::Object(ObjectKey::Name(_)))
    }

    /// Runs user code and turns what it did into a node.
    #[inline(always)]
    fn run(
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
        // Most steps change nothing here; then nothing is copied.
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
            Demand::Ask(operation) => {
                match &operation {
                    Operation::Link(with) => Rc::make_mut(&mut after).link(*with),
                    Operation::Unlink(from) => Rc::make_mut(&mut after).unlink(*from),
                    _ => {}
                }
                let object = self.object_of(&operation);
                let wait = if operation.is_read() {
                    Wait::Read { object }
                } else {
                    let value = self.values.intern(Payload::Request {
                        from: pid,
                        request: Request::Operation(operation),
                    });
                    effects.push(Effect::Send { to: object, value });
                    Wait::Answer
                };
                (Snapshot::User(state), wait)
            }
            Demand::Exit(reason) => {
                // A process cannot end by a signal that it did not get.
                let reason = reason.when_struck();
                let ending = Ending::of(&reason);
                (Snapshot::Over(reason), Wait::Ended(ending))
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
                        links: if link { vec![me] } else { Vec::new() },
                        watchers: monitor
                            .map(|reference| (me, reference))
                            .into_iter()
                            .collect(),
                        ..Local::default()
                    };
                    let root = self.root(pid, Some(start), child);
                    if link {
                        Rc::make_mut(local).links.push(pid);
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

    fn object_of(&mut self, operation: &Operation<F::Value>) -> Pid {
        let mut named = |value: &F::Value| self.values.intern(Payload::User(value.clone()));
        let key = match operation {
            Operation::Link(pid)
            | Operation::Unlink(pid)
            | Operation::Monitor { pid, .. }
            | Operation::Demonitor { pid, .. }
            | Operation::IsAlive(pid) => ObjectKey::Life(*pid),
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
        self.pids.object(key)
    }

    fn object_node(&mut self, pid: Pid, edge: Edge, served: Served<F::Value>) -> Node<F> {
        let effects = served
            .sends
            .into_iter()
            .map(|(to, payload)| Effect::Send {
                to,
                value: self.values.intern(payload),
            })
            .collect();
        let wait = match served.looks_at {
            Some(process) => Wait::Read {
                object: self.pids.object(ObjectKey::Life(process)),
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

    /// The end of a process that a signal struck after some of its effects.
    fn struck(&self, from: NodeId, value: ValueId, after: u32) -> Node<F> {
        let node = self.node(from);
        let Payload::Exit { reason, .. } = self.values.payload(value) else {
            unreachable!("only signals strike")
        };
        let done = &node.effects[..after as usize];
        let local = if done.len() == node.effects.len() {
            node.after.clone()
        } else {
            // Only the ties made by what it still did.
            let mut local = (*node.before).clone();
            for effect in done {
                if let Effect::Spawn {
                    pid, link: true, ..
                } = effect
                {
                    local.links.push(*pid);
                }
            }
            Rc::new(local)
        };
        let snapshot = Snapshot::Over(reason.clone().when_struck());
        let edge = Edge::Struck { value, after };
        Node::new(node.pid, edge, snapshot, Wait::Ended(Ending::Fine), local)
    }
}
