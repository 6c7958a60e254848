//! Two runs of a process that differ.

use crate::history::History;
use crate::runner::{Runner, Step};
use mazurka_engine::{Bounded, Fault};
use std::fmt::{self, Write};

/// The first thing that two runs of a process did differently, as text.
pub(crate) struct Difference {
    process: String,
    role: String,
    after: String,
    first: String,
    second: String,
}

impl Difference {
    /// What the process of `recorded` did there, and what it did in a second run.
    pub(crate) fn new<R: Runner>(recorded: &History<R>, role: String, second: &Step<R>) -> Self {
        let at = recorded.common_actions(second);
        let done = |action: Option<&R::Action>, demand: &R::Demand| match action {
            Some(action) => brief(action),
            None => brief(demand),
        };
        let second_action = second.actions.get(at - second.repeated);
        Difference {
            process: recorded.pid().to_string(),
            role,
            after: match recorded.last_input() {
                None => "its start".to_owned(),
                Some(input) => format!("its input {} ({})", recorded.input_count(), brief(input)),
            },
            first: done(recorded.actions().get(at), recorded.demand()),
            second: done(second_action, &second.demand),
        }
    }
}

/// Values may be of any size.
fn brief(value: &impl fmt::Display) -> String {
    Bounded::text(|text| write!(text, "{value}"))
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            process,
            role,
            after,
            first,
            second,
        } = self;
        write!(
            f,
            "process {process} ({role}) after {after} first {first}, but {second} when it was run \
             again with the same inputs. Does it use the system's time, random numbers, the order \
             of a hash map, a global variable, or something shared with other processes?"
        )
    }
}

impl From<Difference> for Fault {
    fn from(difference: Difference) -> Fault {
        Fault::Nondeterminism {
            what: difference.to_string(),
        }
    }
}
