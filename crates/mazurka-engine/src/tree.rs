//! The tree of executions: from which execution each one was found, and how it differs.

use crate::check::Settings;
use crate::frontend::Frontend;
use crate::graph::{Pick, Slot};
use crate::observe::Prefix;
use crate::verdict::Kind;
use crate::view::Execution;
use rustc_hash::FxHashMap;

/// The prefixes that an exploration popped from its frontier, in that order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExecutionTree {
    /// The prefixes. The first is the empty one.
    pub nodes: Vec<TreeNode>,
    /// Number of prefixes that were popped and not kept.
    pub left_out: u64,
}

/// One prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// The prefix whose exploration pushed this one, by its index; none for the first.
    pub parent: Option<usize>,
    /// The difference to what was explored there.
    pub varied: Option<Varied>,
    /// The execution that continues it; none if it only branches.
    pub end: Option<TreeEnd>,
}

/// What a process, or a shared object, does differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Varied {
    /// The process or object.
    pub process: String,
    /// What it takes, reads or chooses, or that it times out.
    pub now: String,
    /// What it did in the parent's execution, if that is known.
    pub before: Option<String>,
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeEnd {
    /// How many executions were explored before it.
    pub number: u64,
    /// The kinds of its errors.
    pub errors: Vec<Kind>,
    /// Whether a bound cut it short.
    pub cut_short: bool,
}

/// Maximum number of steps of executions that are kept in total.
const STEPS_MAX: usize = 500_000;

/// An execution tree that grows during an exploration.
pub(crate) struct Growing {
    tree: ExecutionTree,
    max: usize,
    executions: u64,
    /// The index of the current prefix, if it is kept.
    current: Option<usize>,
    /// For each prefix kept: what the processes of its execution consumed, by process and step.
    did: Vec<FxHashMap<(String, u32), String>>,
    steps: usize,
}

impl Growing {
    /// A tree that keeps at most `max` prefixes.
    pub fn new(max: usize) -> Self {
        Growing {
            tree: ExecutionTree::default(),
            max,
            executions: 0,
            current: None,
            did: Vec::new(),
            steps: 0,
        }
    }

    pub fn prefix<F: Frontend>(&mut self, prefix: &Prefix<'_, F>) {
        if self.tree.nodes.len() >= self.max {
            self.tree.left_out += 1;
            self.current = None;
            return;
        }
        // Those with lower numbers are all kept.
        let parent = prefix.from.and_then(|from| usize::try_from(from).ok());
        let varied = parent.and_then(|parent| {
            let path = prefix.execution.graph.path();
            let last = path.last()?;
            let execution = &prefix.execution;
            let process = execution.name(last.slot);
            let before = self.did[parent].get(&(process.clone(), last.index));
            Some(Varied {
                before: before.cloned(),
                now: execution.taken(last.slot, last.index)?,
                process,
            })
        });
        self.current = Some(self.tree.nodes.len());
        self.did.push(FxHashMap::default());
        self.tree.nodes.push(TreeNode {
            parent,
            varied,
            end: None,
        });
    }

    pub fn execution<F: Frontend>(&mut self, execution: &Execution<'_, F>, settings: &Settings) {
        let number = self.executions;
        self.executions += 1;
        let Some(current) = self.current else {
            return;
        };
        let mut errors = Vec::new();
        if execution.is_remarkable() {
            let kinds = execution.findings().into_iter().map(|found| found.kind);
            errors.extend(kinds.filter(|&kind| settings.is_error(kind)));
            errors.dedup();
        }
        self.tree.nodes[current].end = Some(TreeEnd {
            number,
            errors,
            cut_short: execution.cut_short,
        });
        self.steps += execution.len();
        if self.steps <= STEPS_MAX {
            for placed in execution.graph.path() {
                if let Some(taken) = execution.taken(placed.slot, placed.index) {
                    let who = (execution.name(placed.slot), placed.index);
                    self.did[current].insert(who, taken);
                }
            }
        }
    }

    pub fn restart(&mut self) {
        *self = Growing::new(self.max);
    }

    pub fn finish(self) -> ExecutionTree {
        self.tree
    }
}

impl<F: Frontend> Execution<'_, F> {
    /// What a step consumes, as text; nothing if it had no choice.
    fn taken(&self, slot: Slot, index: u32) -> Option<String> {
        let process = self.graph.process(slot);
        let step = process.steps.get(index as usize)?;
        Some(match step.pick {
            Pick::Start | Pick::GoOn => return None,
            Pick::Timeout | Pick::QuietTimeout => "timeout".to_owned(),
            Pick::Choice(chosen) => format!("choice {chosen}"),
            Pick::Version(version) => format!("version {version}"),
            Pick::Message { .. } => {
                let message = process.inbox.get(step.consumed as usize)?;
                let sender = self.name(message.sender);
                format!("{} from {sender}", self.value(message.value))
            }
        })
    }
}
