//! Collects all traces of a program by exploration.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use mazurka_engine::{Execution, Frontend, Observer, Options, SendersFirst, explore};
use mazurka_lab::oracle::CanonicalTrace;

/// The traces that an exploration found.
#[derive(Default)]
pub struct Traces {
    pub distinct: BTreeSet<CanonicalTrace>,
    pub executions: u64,
    executions_max: u64,
}

impl Traces {
    /// All traces of a program; `None` if it has more executions than `executions_max`.
    pub fn of<F: Frontend>(program: F, options: &Options, executions_max: u64) -> Option<Traces> {
        let mut traces = Traces {
            executions_max,
            ..Traces::default()
        };
        let explored = explore(program, SendersFirst, options, &mut traces);
        explored.expect("random programs are modelled");
        (traces.executions <= executions_max).then_some(traces)
    }
}

impl<F: Frontend> Observer<F> for Traces {
    fn execution(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()> {
        self.distinct.insert(execution.canonical());
        self.executions += 1;
        match self.executions > self.executions_max {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn restart(&mut self) {
        *self = Traces {
            executions_max: self.executions_max,
            ..Traces::default()
        };
    }
}
