//! Behaviour trees: everything that the processes can do, each local history once.
//!
//! A node is a local history: the effects since the last input, and the demand that the
//! process makes now. An edge is an input. User code runs only to make a node. Nodes that the
//! current graph does not use are evicted when they take more memory than the budget allows, with
//! everything that only they refer to; an execution that needs one of them again runs that step
//! again.

mod budget;
mod make;
mod node;
mod poll;
mod sweep;
#[cfg(test)]
mod tests;

pub(crate) use node::{Edge, Effect, Local, Node};
pub use node::{Ending, Wait};

use crate::answer::Answer;
use crate::brake::Brake;
use crate::frontend::{ActionsOf, Asked, Fault, Frontend, KeyOf, SharedObjects, Source};
use crate::ids::{KeyId, NodeId, ObjectKey, PidId, PidKind, PidTable, RootId, ValueId};
use crate::liveness::Ties;
use crate::message::{Content, Request};
use crate::object::{ObjectState, Reaction};
use crate::options::Options;
use crate::table::Table;
use crate::timeouts::Timeouts;
use crate::values::Values;
use budget::Budget;
use node::Snapshot;
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Root<S> {
    pid: PidId,
    /// `None` for a shared object.
    start: Option<S>,
    local: Rc<Local>,
}

/// The behaviour trees of all processes of one program.
pub(crate) struct Behaviours<F: Frontend> {
    pub frontend: F,
    pub pids: PidTable,
    pub values: Values<F>,
    /// The keys of the shared objects of the front-end. They are never dropped: their pids have their
    /// numbers.
    keys: Table<KeyOf<F>>,
    nodes: Vec<Node<F>>,
    /// Places of evicted nodes. A node's memory is freed only when a new node takes its place:
    /// freeing and allocating together is cheap.
    free: Vec<NodeId>,
    roots: Table<Root<F::Start>>,
    /// Per root, the node after its start, if it has been made and not been evicted.
    started: Vec<Option<NodeId>>,
    /// Estimated memory of the nodes.
    node_bytes: usize,
    /// Number of nodes made, by running user code or an object.
    pub made: u64,
    /// Number of steps whose node existed already.
    found: u64,
    /// Whether the search uses distances from an error. Otherwise no front-end is asked for them.
    pub uses_distances: bool,
    /// Whether any node so far has a hint on its distance from an error.
    pub reports_distances: bool,
    budget: Budget,
    /// Scratch buffer, reused between steps.
    actions: ActionsOf<F>,
    /// Which timeouts may fire at any time.
    timeouts: Timeouts,
    /// Whether each step of user code is run twice, and the results are compared.
    distrust: bool,
    /// Shared with the front-end.
    brake: Brake,
}

impl<F: Frontend> Behaviours<F> {
    pub(crate) fn new(frontend: F, options: &Options) -> Self {
        let brake = options.brake.released();
        frontend.set_brake(brake.clone());
        // Front-ends that run steps twice themselves compare more than actions and demands.
        let distrust = options.distrust && !frontend.check_determinism();
        Behaviours {
            frontend,
            pids: PidTable::new(),
            values: Values::new(),
            keys: Table::new(),
            nodes: Vec::new(),
            free: Vec::new(),
            roots: Table::new(),
            started: Vec::new(),
            node_bytes: 0,
            made: 0,
            uses_distances: options.use_distances(),
            reports_distances: false,
            found: 0,
            budget: Budget::new(options.node_memory),
            actions: Vec::new(),
            timeouts: options.timeouts,
            distrust,
            brake,
        }
    }

    /// Fails if a message could not be matched, or the brake stopped a comparison of messages.
    ///
    /// Both happen in functions that cannot return an error: closing an order, filling a table. What
    /// was computed then is wrong. So every operation that decides how an execution continues
    /// (applying a step, listing candidates, listing race variants) ends with this check, and so
    /// does every observation of an execution.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Fault> {
        match self.values.fault() {
            None if !self.brake.has_refused() => Ok(()),
            fault => Err(failed(fault)),
        }
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node<F> {
        let node = &self.nodes[id.index()];
        debug_assert!(node.alive, "nodes that a graph uses are not evicted");
        node
    }

    /// Lower bound of the number of steps from this node to an error, if the program gives a hint. It does
    /// not depend on what was found before: the order of candidates depends on it.
    #[inline]
    pub(crate) fn distance(&self, id: NodeId) -> Option<u32> {
        match self.uses_distances {
            true => self.distance_in(self.node(id)),
            false => None,
        }
    }

    fn distance_in(&self, node: &Node<F>) -> Option<u32> {
        match &node.snapshot {
            Snapshot::User(state) | Snapshot::Reading(state, _) | Snapshot::Liveness(state, _) => {
                self.frontend.hints().distance(state)
            }
            Snapshot::Object(_) | Snapshot::Over { .. } => None,
        }
    }

    /// Whether the nodes exceed the memory budget.
    pub(crate) fn are_too_many(&mut self) -> bool {
        !self.budget.fits(self.bytes(), self.made, self.found)
    }

    /// The estimated memory of the nodes and of all that they refer to.
    fn bytes(&self) -> usize {
        let others = self.roots.bytes() + self.values.bytes();
        self.node_bytes.saturating_add(others)
    }

    /// The root of the entry process.
    pub(crate) fn entry(&mut self) -> RootId {
        let start = self.frontend.entry();
        self.root(PidTable::ENTRY, Some(start), Local::default())
    }

    /// The root of a shared object.
    pub(crate) fn object_root(&mut self, pid: PidId) -> RootId {
        self.root(pid, None, Local::default())
    }

    /// What the root's process runs, as text; `first` is the node of its first demand.
    pub(crate) fn show_root(&self, root: RootId, first: Option<NodeId>) -> Option<String> {
        let start = self.roots.get(root.index()).start.as_ref()?;
        let first = first.and_then(|node| self.node(node).state());
        Some(self.frontend.describe().process(start, first, &self.pids))
    }

    /// The name of a process that is registered under `name`.
    pub(crate) fn show_registered(&self, root: RootId, name: &str) -> String {
        match &self.roots.get(root.index()).start {
            Some(start) => {
                let describe = self.frontend.describe();
                describe.registered(name.to_owned(), start, &self.pids)
            }
            None => name.to_owned(),
        }
    }

    fn root(&mut self, pid: PidId, start: Option<F::Start>, local: Local) -> RootId {
        let root = Root {
            pid,
            start,
            local: Rc::new(local),
        };
        if let Some(id) = self.roots.find(&root) {
            return RootId(id);
        }
        let id = RootId(self.roots.add(root));
        match self.started.get_mut(id.index()) {
            Some(reused) => *reused = None,
            None => self.started.push(None),
        }
        id
    }

    /// The node of a process after its start.
    pub(crate) fn start(&mut self, root: RootId) -> Result<NodeId, Fault> {
        if let Some(node) = self.started[root.index()] {
            return Ok(node);
        }
        let Root { pid, start, local } = self.roots.get(root.index()).clone();
        let node = match start {
            None => {
                let PidKind::Object(key) = self.pids.kind(pid) else {
                    unreachable!("a process has a start")
                };
                let reaction = match key {
                    ObjectKey::Liveness(_) => Reaction::none(ObjectState::Liveness(None)),
                    ObjectKey::Courier(courier) => Reaction {
                        reads: Some(Source::Liveness(courier.of)),
                        ..Reaction::none(ObjectState::Courier { sent: false })
                    },
                    ObjectKey::Shared(key) => {
                        let state = F::Objects::initial(self.key(key));
                        Reaction::none(ObjectState::idle(state))
                    }
                };
                self.object_node(pid, Edge::Timeout, reaction)
            }
            Some(start) => self.run(pid, Edge::Timeout, local, |frontend, _, turn| {
                frontend.start(&start, turn)
            })?,
        };
        let id = self.insert(node);
        self.started[root.index()] = Some(id);
        Ok(id)
    }

    /// The node that an input leads to.
    pub(crate) fn step(&mut self, from: NodeId, edge: Edge) -> Result<NodeId, Fault> {
        let mut child = self.node(from).first_child;
        while child != NodeId::NONE {
            let node = self.node(child);
            if node.edge == edge {
                self.found += 1;
                return Ok(child);
            }
            child = node.next_sibling;
        }
        let node = self.make(from, edge)?;
        let id = self.insert(node);
        self.adopt(from, id);
        Ok(id)
    }

    /// What the process or object in the node `reader` sees when it reads an object in the node
    /// `version`.
    pub(crate) fn read(&mut self, reader: NodeId, version: NodeId) -> ValueId {
        let (reader, version) = (self.node(reader), self.node(version));
        let Snapshot::Object(object) = &version.snapshot else {
            unreachable!("only objects have versions")
        };
        let answer = match &**object {
            ObjectState::Liveness(end) => Answer::Bool(end.is_none()),
            ObjectState::Courier { sent } => Answer::Bool(!sent),
            ObjectState::Shared { state, .. } => {
                let key = self
                    .key_of(version.pid)
                    .expect("an object of the front-end");
                let operation = reader.reads_for().expect("it reads for an operation");
                F::Objects::look(key, state, operation)
            }
        };
        self.values.intern(Content::Answer(answer))
    }

    /// What a courier reads of a liveness object in the node `version`: the end.
    pub(crate) fn read_end(&mut self, version: NodeId) -> ValueId {
        let version = self.node(version);
        let (PidKind::Object(ObjectKey::Liveness(by)), Snapshot::Object(object)) =
            (self.pids.kind(version.pid), &version.snapshot)
        else {
            unreachable!("couriers read liveness")
        };
        let ObjectState::Liveness(Some(end)) = &**object else {
            unreachable!("couriers wait for the end")
        };
        let request = Request::Die(end.clone());
        self.values.intern(Content::Request { by, request })
    }

    /// Whether a process that has ended had a link to another, as its liveness object knows in this node.
    pub(crate) fn had_linked(&self, liveness: NodeId, with: PidId) -> bool {
        let Snapshot::Object(object) = &self.node(liveness).snapshot else {
            return false;
        };
        matches!(&**object, ObjectState::Liveness(Some(end)) if end.links.contains(&with))
    }

    /// Whether receives with the same constraint accept the same messages after these nodes.
    #[inline]
    pub(crate) fn accept_same(&self, one: NodeId, other: NodeId) -> bool {
        let (one, other) = (&self.node(one).after, &self.node(other).after);
        Rc::ptr_eq(one, other) || one.ties.accept_same(&other.ties)
    }

    /// The links and monitors of a process before its first step.
    pub(crate) fn ties_at_start(&self, root: RootId) -> &Ties {
        &self.roots.get(root.index()).local.ties
    }

    /// Whether an object in this node can serve a request now.
    #[inline]
    pub(crate) fn is_ready(&self, object: NodeId, request: ValueId) -> bool {
        !F::Objects::MAKES_WAIT || self.grants(self.node(object), request)
    }

    fn grants(&self, object: &Node<F>, request: ValueId) -> bool {
        let Content::Request {
            by,
            request: Request::Operation(operation),
        } = self.values.content(request)
        else {
            return true;
        };
        let (key, state) = (self.key_of(object.pid), object.object_state());
        let (Some(key), Some(state)) = (key, state) else {
            unreachable!("an operation is asked of an object of the front-end")
        };
        F::Objects::is_ready(key, state, Asked { by: *by, operation })
    }

    fn key(&self, id: KeyId) -> &KeyOf<F> {
        self.keys.get(id.index())
    }

    /// The key of an object of the front-end.
    pub(crate) fn key_of(&self, object: PidId) -> Option<&KeyOf<F>> {
        match self.pids.kind(object) {
            PidKind::Object(ObjectKey::Shared(key)) => Some(self.key(key)),
            _ => None,
        }
    }

    /// The message from a process that has ended in this node to its liveness object.
    pub(crate) fn die(&mut self, node: NodeId) -> ValueId {
        let node = self.node(node);
        let reason = node.end().expect("it has ended").clone();
        let end = node.after.ties.end(reason);
        let (by, request) = (node.pid, Request::Die(end));
        self.values.intern(Content::Request { by, request })
    }

    #[inline(always)]
    fn insert(&mut self, node: Node<F>) -> NodeId {
        self.made += 1;
        if self.uses_distances && !self.reports_distances {
            self.reports_distances = self.distance_in(&node).is_some();
        }
        self.node_bytes = self.node_bytes.saturating_add(node.bytes(&self.frontend));
        if let Some(id) = self.free.pop() {
            self.nodes[id.index()] = node;
            return id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        self.nodes.push(node);
        id
    }

    fn adopt(&mut self, parent: NodeId, child: NodeId) {
        let siblings = &mut self.nodes[parent.index()].first_child;
        let sibling = std::mem::replace(siblings, child);
        let child = &mut self.nodes[child.index()];
        child.parent = parent;
        child.next_sibling = sibling;
    }
}

#[cold]
fn failed(fault: Option<&Fault>) -> Fault {
    fault.cloned().unwrap_or_else(|| Fault::Interrupted {
        what: "comparing two messages".to_owned(),
    })
}
