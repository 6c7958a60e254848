//! Frontier items as plain data, which another explorer of the same program can continue: in another
//! thread, after a restart, or on another machine.
//!
//! Numbers that an explorer assigns in the order of discovery mean nothing to another one. So a
//! portable item names processes by their paths in the spawn tree and shared objects by their names.
//! An explorer that adopts an item makes its steps again, which creates the objects, and so finds
//! their numbers.

use crate::frontend::{Fault, Frontend};
use crate::graph::{Entry, Pick};
use crate::ids::{ObjectKey, PidId, PidKind, PidTable};
use serde::{Deserialize, Serialize};

/// A prefix of executions that has not been explored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortableItem {
    /// The version of this format.
    pub version: u32,
    /// Its steps, in order.
    pub steps: Vec<PortableStep>,
    /// Whether the race variants of its last step are part of it. If not, the explorer that gave it
    /// away has them.
    pub with_variants: bool,
    /// Estimated fraction of all executions that it leads to, assuming equal subtrees.
    pub fraction: f64,
}

/// A step of a [`PortableItem`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortableStep {
    /// The process or object that makes the step.
    pub process: PortablePid,
    /// What it consumes.
    pub pick: PortablePick,
    /// When the step was first added.
    pub stamp: u32,
    /// The step ends before the effect with this index, or at its demand.
    pub upto: Option<u32>,
    /// The stamp of the first effect that has its own.
    pub effects_stamp: u32,
    /// No race variant may drop it.
    pub fixed: bool,
    /// It does not consume its preferred candidate.
    pub flipped: bool,
}

/// A process or a shared object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PortablePid {
    /// A process: its path in the spawn tree, empty for the entry process.
    Process(Vec<u32>),
    /// The liveness of a process.
    Liveness(Vec<u32>),
    /// Another shared object, by its name.
    Object(String),
}

/// What a step consumes, as [`Pick`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PortablePick {
    /// See [`Pick::Start`].
    Start,
    /// See [`Pick::GoOn`].
    GoOn,
    /// See [`Pick::Timeout`].
    Timeout,
    /// See [`Pick::QuietTimeout`].
    QuietTimeout,
    /// See [`Pick::Message`].
    Message {
        /// The process that sent it.
        sender: PortablePid,
        /// How many messages it had sent before.
        seq: u32,
    },
    /// See [`Pick::Version`].
    Version(u32),
    /// See [`Pick::Choice`].
    Choice(u32),
}

/// Why an item cannot be adopted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdoptError {
    /// It was written by another version of Mazurka.
    #[error("the item has format version {found}, not {expected}")]
    Version {
        /// Its version.
        found: u32,
        /// The version that can be read.
        expected: u32,
    },
    /// It belongs to another program: no process or object has this name.
    #[error("step {step} of the item is of {name}, which this program does not have")]
    Unknown {
        /// The number of the step, from 1.
        step: usize,
        /// The process or object.
        name: String,
    },
    /// A step cannot be made.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl PortableItem {
    /// The version of the format.
    pub const VERSION: u32 = 1;

    /// All executions of a program.
    #[must_use]
    pub fn root() -> Self {
        PortableItem {
            version: PortableItem::VERSION,
            steps: Vec::new(),
            with_variants: false,
            fraction: 1.0,
        }
    }
}

impl PortableStep {
    pub(crate) fn new(entry: &Entry, pids: &PidTable) -> Self {
        PortableStep {
            process: PortablePid::new(entry.pid, pids),
            pick: match entry.pick {
                Pick::Start => PortablePick::Start,
                Pick::GoOn => PortablePick::GoOn,
                Pick::Timeout => PortablePick::Timeout,
                Pick::QuietTimeout => PortablePick::QuietTimeout,
                Pick::Message { sender, seq } => PortablePick::Message {
                    sender: PortablePid::new(sender, pids),
                    seq,
                },
                Pick::Version(version) => PortablePick::Version(version),
                Pick::Choice(chosen) => PortablePick::Choice(chosen),
            },
            stamp: entry.stamp,
            upto: (entry.upto != Entry::ALL).then_some(entry.upto),
            effects_stamp: entry.effects_stamp,
            fixed: entry.fixed,
            flipped: entry.flipped,
        }
    }

    /// The step in terms of this explorer, or the process or object that it does not know.
    pub(crate) fn entry(&self, pids: &mut PidTable) -> Result<Entry, String> {
        let pick = match &self.pick {
            PortablePick::Start => Pick::Start,
            PortablePick::GoOn => Pick::GoOn,
            PortablePick::Timeout => Pick::Timeout,
            PortablePick::QuietTimeout => Pick::QuietTimeout,
            PortablePick::Message { sender, seq } => Pick::Message {
                sender: sender.pid(pids)?,
                seq: *seq,
            },
            PortablePick::Version(version) => Pick::Version(*version),
            PortablePick::Choice(chosen) => Pick::Choice(*chosen),
        };
        Ok(Entry {
            pid: self.process.pid(pids)?,
            pick,
            stamp: self.stamp,
            fixed: self.fixed,
            flipped: self.flipped,
            upto: self.upto.unwrap_or(Entry::ALL),
            effects_stamp: self.effects_stamp,
        })
    }
}

impl PortablePid {
    fn new(pid: PidId, pids: &PidTable) -> Self {
        match pids.kind(pid) {
            PidKind::Entry | PidKind::Child { .. } => PortablePid::Process(pids.path(pid)),
            PidKind::Object(ObjectKey::Liveness(of)) => PortablePid::Liveness(pids.path(of)),
            PidKind::Object(_) => {
                let name = pids.object_name(pid).expect("an object has a name");
                PortablePid::Object(name.to_owned())
            }
        }
    }

    fn pid(&self, pids: &mut PidTable) -> Result<PidId, String> {
        match self {
            PortablePid::Process(path) => Ok(pids.process(path)),
            PortablePid::Liveness(path) => {
                let of = pids.process(path);
                Ok(pids.liveness(of))
            }
            PortablePid::Object(name) => {
                let known = pids.object_named(name);
                known.ok_or_else(|| name.clone())
            }
        }
    }
}

/// An explorer's part in exchanging items.
pub(crate) fn adopt<F: Frontend>(
    item: &PortableItem,
    world: &mut crate::world::World<F>,
) -> Result<Vec<Entry>, AdoptError> {
    if item.version != PortableItem::VERSION {
        return Err(AdoptError::Version {
            found: item.version,
            expected: PortableItem::VERSION,
        });
    }
    world.truncate(0);
    for (at, step) in item.steps.iter().enumerate() {
        let entry = step.entry(&mut world.behaviours.pids);
        let entry = entry.map_err(|name| AdoptError::Unknown { step: at + 1, name })?;
        world.apply(entry)?;
    }
    let made = world.graph.path().iter().map(|placed| placed.entry);
    Ok(made.collect())
}
