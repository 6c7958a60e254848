//! Prefix-based tracing: drive a program along a log, full or partial, and trace the rest
//! (González-Abril and Vidal 2021).
//!
//! Each process consumes what its log lists. A process whose log is used up continues freely, but
//! only when no other process has a logged step to make: so the log is followed first.
//!
//! | module | contents |
//! | --- | --- |
//! | `driver` | one run along a log, step by step |
//! | `decide` | what a process may do next, given its log |
//! | `timeout` | timeouts and ends, which need care because a log only lists their order |
//! | `remaining` | the part of a log that has not been followed yet |
//! | `departure` | where a process does not fit its log |
//! | `waiting` | what processes wait for at the end |

mod decide;
mod departure;
mod driver;
mod remaining;
mod timeout;
mod waiting;

pub use departure::Departure;
pub use waiting::Waiting;

use crate::frontend::{Fault, Frontend};
use crate::guide::{ByHash, Guide, SendersFirst};
use crate::options::Options;
use crate::verdict::Finding;
use crate::world::World;
use driver::drive_world;
use mazurka_trace::{Log, Trace};
use std::collections::BTreeMap;

/// An execution that was driven.
#[derive(Clone, Debug)]
pub struct Driven {
    /// Its trace.
    pub trace: Trace,
    /// Its errors and warnings.
    pub findings: Vec<Finding>,
    /// Where processes departed from their logs, in that order.
    pub departures: Vec<Departure>,
    /// What each process that has not ended waits for.
    pub waiting: BTreeMap<mazurka_trace::ProcessName, Waiting>,
}

/// Why a program could not be driven.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DriveError {
    /// The program cannot be run.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The log does not fit the program.
    #[error("the log does not fit the program: {0}")]
    Mismatch(Box<Departure>),
}

/// Drives a program along a log and then on to its end: by the default guide, or by a random one if
/// there is a seed.
///
/// # Errors
/// The log does not fit, or the program cannot be run.
pub fn drive<F: Frontend>(
    frontend: F,
    options: &Options,
    log: &Log,
    seed: Option<u64>,
) -> Result<Driven, DriveError> {
    let mut driven = drive_by(frontend, options, log, seed, Fit::Whole)?;
    fits(&mut driven.departures)?;
    Ok(driven)
}

/// Drives a program that may have changed since the log was made. Each process follows its log as
/// far as it fits. When no process can follow its log, and none whose log is used up can continue,
/// one of those with a log left departs from it: the rest of its log is dropped, and it continues
/// freely. The others follow theirs as before.
///
/// # Errors
/// The program cannot be run.
pub fn drive_as_far_as_it_fits<F: Frontend>(
    frontend: F,
    options: &Options,
    log: &Log,
    seed: Option<u64>,
) -> Result<Driven, Fault> {
    drive_by(frontend, options, log, seed, Fit::AsFarAsItGoes)
}

/// Drives a program along a log, all of which must fit, and no further, so that the front-end can
/// note what happens on the way. It stops at the end of the log, even if the program could continue.
///
/// # Errors
/// The log does not fit, or the program cannot be run.
pub fn retrace<F: Frontend>(frontend: F, options: &Options, log: &Log) -> Result<(), DriveError> {
    let mut world = World::new(frontend, options);
    let mut course = drive_world(&mut world, log, &SendersFirst, Fit::NoFurther)?;
    fits(&mut course.departures)
}

/// Makes the current graph of a world an execution along a log, all of which must fit. Returns
/// whether it was cut short.
pub(crate) fn to_the_end<F: Frontend>(
    world: &mut World<F>,
    log: &Log,
    guide: &impl Guide,
) -> Result<bool, DriveError> {
    let mut course = drive_world(world, log, guide, Fit::Whole)?;
    fits(&mut course.departures)?;
    Ok(course.cut_short)
}

/// How much of a log must fit, and what comes after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// All of it; the drive ends at the first departure. Then the execution continues to its end.
    Whole,
    /// Only a part. Then the execution continues to its end.
    AsFarAsItGoes,
    /// All of it. Nothing comes after it.
    NoFurther,
}

/// An error if a process departed from its log.
fn fits(departures: &mut Vec<Departure>) -> Result<(), DriveError> {
    match departures.is_empty() {
        true => Ok(()),
        false => Err(DriveError::Mismatch(Box::new(departures.remove(0)))),
    }
}

fn drive_by<F: Frontend>(
    frontend: F,
    options: &Options,
    log: &Log,
    seed: Option<u64>,
    fit: Fit,
) -> Result<Driven, Fault> {
    let mut world = World::new(frontend, options);
    let course = match seed {
        Some(seed) => drive_world(&mut world, log, &ByHash { seed }, fit)?,
        None => drive_world(&mut world, log, &SendersFirst, fit)?,
    };
    let execution = world.execution(course.cut_short);
    let (trace, findings) = (execution.trace(), execution.findings());
    world.check()?;
    Ok(Driven {
        trace,
        findings,
        departures: course.departures,
        waiting: course.waiting,
    })
}
