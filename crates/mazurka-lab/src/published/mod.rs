//! The published algorithms, on the engine's own states.
//!
//! | module | algorithm |
//! | --- | --- |
//! | `naive` | every order of consumption; with sleep sets if asked for |
//! | `dpor` | dynamic partial order reduction |
//! | `transdpor` | TransDPOR |
//! | `source` | source-DPOR |
//! | `odpor` | optimal DPOR, with its `wakeup` trees |
//! | `interleavings` | every schedule of visible actions |
//!
//! All but the last walk through the same `state`s by the same depth-first `search` along a
//! `trail` of configurations, and use the same `race`s.
//!
//! They support neither objects that make requests wait nor objects that read other objects than
//! liveness.

mod dpor;
mod interleavings;
mod naive;
mod odpor;
mod order;
mod race;
mod search;
mod source;
mod state;
mod trail;
mod transdpor;
mod wakeup;

use crate::algorithm::{Algorithm, AlgorithmOptions};
use interleavings::Schedules;
use mazurka_engine::Options;
use mazurka_engine::world::World;
use mazurka_engine::{Fault, Frontend, SharedObjects};
use mazurka_engine::{Observer, Progress, Stopped, ended};
use search::{Watched, search};
use state::State;

/// Explores a program with one of the published algorithms.
///
/// # Errors
/// The program uses something that is not modelled, or is not deterministic.
pub(crate) fn explore<F: Frontend>(
    frontend: F,
    by: &AlgorithmOptions,
    options: &Options,
    observer: &mut impl Observer<F>,
) -> Result<(Stopped, Progress), Fault> {
    if F::Objects::MAKES_WAIT {
        return Err(not_supported("shared objects that make requests wait"));
    }
    let mut world = World::new(frontend, options).with_liveness_from_the_start();
    if by.algorithm.has_schedules() {
        world = world.with_steps_of_one_action();
    }
    let mut state = State::new(world, by.order);
    let mut watched = Watched::new(observer);
    let sleep = by.sleep_sets;
    let stopped = match by.algorithm {
        Algorithm::Optimal => unreachable!("the engine's own algorithm is elsewhere"),
        Algorithm::Naive => search(&mut state, naive::Naive, sleep, &mut watched),
        Algorithm::Dpor => search(&mut state, dpor::Dpor, sleep, &mut watched),
        Algorithm::TransDpor => search(&mut state, transdpor::TransDpor, sleep, &mut watched),
        Algorithm::Source => search(&mut state, source::Source, true, &mut watched),
        Algorithm::Odpor => search(&mut state, odpor::Odpor, true, &mut watched),
        Algorithm::Interleavings => {
            Schedules::new(&mut state, by).run(by.preemption_bound, &mut watched)
        }
    };
    let stopped = stopped.and_then(|stopped| {
        state.world.check()?;
        Ok(stopped)
    });
    let stopped = ended(stopped, watched.observer)?;
    let progress = Progress {
        behaviour_nodes: state.world.behaviour_nodes(),
        ..watched.progress
    };
    Ok((stopped, progress))
}

/// The error for a program with such objects.
fn not_supported(what: &str) -> Fault {
    Fault::Unsupported {
        what: format!("{what}, with a published algorithm: use --algorithm optimal"),
    }
}
