//! Every interleaving, by the operational definition of the delivery models.
//!
//! A [`Configuration`] is the history of each process and the contents of each mailbox; a
//! transition is one input consumed, one action, one request served, or one end published.
//! There is no reduction: only configurations with equal histories are not entered twice.
//! The only code shared with the explorers is the front-end and the types that it uses: pids,
//! messages, operations, settings.
//!
//! | module | content |
//! | --- | --- |
//! | `configuration` | configurations, and when two are the same |
//! | `process`, `object` | the parts of a configuration |
//! | `history` | consumed inputs, and which sends happened before |
//! | `step` | what a process can do next |
//! | `delivery` | which messages a receive may consume: the delivery models |
//! | `signal` | how an exit signal ends a process |
//! | `timeout` | when a timeout fires |
//! | `round` | timeouts of a process that polls, after which nothing has changed |
//! | `ask`, `liveness` | the answers of objects; links, monitors and ends |

mod ask;
mod configuration;
mod delivery;
mod history;
mod liveness;
mod object;
mod process;
mod round;
mod signal;
mod step;
mod timeout;

use configuration::Configuration;
use mazurka_engine::CanonicalTrace;
use mazurka_engine::PidTable;
use mazurka_engine::Timeouts;
use mazurka_engine::{Fault, Frontend};
use mazurka_trace::Delivery;
use std::collections::{BTreeSet, HashSet};

/// A program with a longer interleaving is too large: its daemons may run for ever, and every
/// configuration holds its whole history.
const STEPS_MAX: usize = 500;

/// The program has more configurations than the limit allows, or an interleaving that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// All traces of a program, by brute force.
///
/// # Errors
/// More than `limit` configurations, or an interleaving of more than 500 steps.
///
/// # Panics
/// If the program uses something that its front-end does not model.
pub fn brute<F: Frontend>(
    frontend: &F,
    delivery: Delivery,
    timeouts: Timeouts,
    limit: usize,
) -> Result<BTreeSet<CanonicalTrace>, TooLarge> {
    let mut world = World {
        frontend,
        delivery,
        timeouts,
        pids: PidTable::new(),
    };
    let mut entered = HashSet::new();
    let mut traces = BTreeSet::new();
    let mut to_do = vec![(Configuration::begin(frontend), 0)];
    while let Some((configuration, steps)) = to_do.pop() {
        if !entered.insert(configuration.fingerprint(delivery)) {
            continue;
        }
        if entered.len() > limit || steps > STEPS_MAX {
            return Err(TooLarge);
        }
        let next = world.successors(&configuration).expect("all is modelled");
        if next.is_empty() {
            traces.insert(configuration.canonical(&world));
        }
        to_do.extend(next.into_iter().map(|next| (next, steps + 1)));
    }
    Ok(traces)
}

/// The program and the settings, which do not change.
struct World<'f, F: Frontend> {
    frontend: &'f F,
    delivery: Delivery,
    timeouts: Timeouts,
    pids: PidTable,
}

/// The configurations one transition away, in the order in which they are found.
type Successors<F> = Vec<Configuration<F>>;

impl<F: Frontend> World<'_, F> {
    fn successors(&mut self, configuration: &Configuration<F>) -> Result<Successors<F>, Fault> {
        let mut all = Vec::new();
        for process in &configuration.processes {
            self.of_process(configuration, process, &mut all)?;
        }
        all.extend(configuration.messages_of_couriers());
        if all.is_empty() {
            all.extend(self.later(configuration));
        }
        Ok(all)
    }
}
