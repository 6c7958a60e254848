//! The interface between the engine and a kind of program.
//!
//! | module | content |
//! | --- | --- |
//! | `run` | [`Frontend`]: runs processes and matches messages; the only part that must be implemented |
//! | `describe` | [`Describe`]: values, processes, places and output as text |
//! | `hints` | [`Hints`]: what directs a search, bounds memory and enriches reports |
//! | `demand`, `action` | what a process waits for and what answers it; its visible effects |
//! | `objects` | [`SharedObjects`]: the shared objects of a front-end; [`NoObjects`] if it has none |
//! | `turn` | [`Turn`]: collects the actions of one step |
//! | `fault` | [`Fault`]: why user code could not be run |

mod action;
mod demand;
mod describe;
mod fault;
mod hints;
mod objects;
mod run;
mod turn;

pub use action::Action;
pub use action::ActionsOf;
pub use demand::{Demand, DemandOf, Input};
pub use describe::{Describe, INTERNAL, StepPart};
pub use fault::Fault;
pub(crate) use hints::STATE_BYTES;
pub use hints::{Hints, Premise, RequiredPart};
pub use objects::{
    Asked, KeyOf, NoObjects, ObjectStateOf, OperationOf, Reading, Served, SharedObjects, Show,
    Source,
};
pub use run::{Frontend, Outcome};
pub use turn::{Mode, Turn, Turned};
