//! The engine of Mazurka: it runs every causally different execution of a message-passing
//! program exactly once.
//!
//! A [`Frontend`] turns one kind of program into demands and actions. Behaviour trees run
//! its code once for every local history; an execution graph records what each process has
//! consumed; the [`Explorer`] walks from one execution to the next.

#[cfg(test)]
extern crate self as mazurka_engine;

mod accepts;
mod answer;
mod behaviour;
mod bits;
mod bounded;
mod brake;
mod candidates;
mod canonical;
mod check;
mod choose;
mod coverage;
mod cut;
mod diagnose;
mod direct;
mod drive;
mod explore;
mod frontend;
mod frontier;
mod graph;
mod guide;
mod hunt;
mod ids;
mod liveness;
mod merge;
mod message;
mod named;
mod notes;
mod object;
pub mod objects;
mod observe;
mod options;
mod order;
mod parts;
mod portable;
#[cfg(test)]
#[allow(dead_code, unused_imports, reason = "tests use a part of it")]
#[path = "../../mazurka-lab/src/oracle/program/mod.rs"]
mod random_programs;
mod repeats;
mod sample;
mod show;
mod spine;
mod strategy;
mod symptom;
mod table;
mod timeouts;
mod tree;
mod turns;
mod values;
mod variant;
mod verdict;
mod view;
pub mod world;

pub use answer::Answer;
pub use bounded::Bounded;
pub use brake::Brake;
pub use canonical::CanonicalTrace;
pub use check::{
    Found, Gathering, KEPT_PER_SYMPTOM, Report, Settings, Watcher, check, check_by, check_with,
};
pub use coverage::Clause;
pub use diagnose::{Diagnosis, Effort, NoReturn, Parting, diagnose};
pub use direct::{Directed, Direction, Measured, Place, Valuation, Valuations, reports_distances};
pub use drive::{Departure, DriveError, Driven, Waiting, drive, drive_as_far_as_it_fits, retrace};
pub use explore::{Explorer, explore};
pub use frontend::{
    Action, ActionsOf, Asked, Demand, DemandOf, Describe, Fault, Frontend, Hints, INTERNAL, Input,
    KeyOf, Mode, NoObjects, ObjectStateOf, OperationOf, Outcome, Premise, Reading, RequiredPart,
    Served, SharedObjects, Show, Source, StepPart, Turn, Turned,
};
pub use graph::Pick;
pub use guide::{ByHash, Candidate, DemandKind, Guide, SendersFirst, Standing};
pub use hunt::{Hunt, Hunter, hunt};
pub use ids::{ObjectKey, PidId, PidKind, PidTable};
pub use liveness::LivenessOperation;
pub use mazurka_trace::Delivery;
pub use merge::merge_clauses;
pub use message::{Payload, Reason};
pub use named::by_name;
pub use objects::Operation;
pub use observe::{Observer, Pace, Prefix, Progress, Stopped, ended};
pub use options::Options;
pub use portable::{AdoptError, PortableItem, PortablePick, PortablePid, PortableStep};
pub use repeats::{Repeated, Repeats};
pub use sample::{Estimate, Sampled, Sampler, Sampling};
pub use strategy::Strategy;
pub use symptom::{Symptom, without_digits};
pub use timeouts::Timeouts;
pub use tree::{ExecutionTree, TreeEnd, TreeNode, Varied};
pub use verdict::{Finding, Kind, StoppedDaemon};
pub use view::Execution;
