//! Explores a program on either front-end.

use mazurka_engine::{
    Delivery, Execution, Explorer, Fault, Frontend, Guide, Observer, Options, Progress, Stopped,
    Timeouts,
};
use mazurka_gallery::Built;
use mazurka_lab::oracle::brute;
use std::ops::ControlFlow;

/// An observer of any front-end.
pub trait Watch {
    fn execution<F: Frontend>(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()>;
    fn restart(&mut self) {}
}

/// An observer that does nothing.
pub struct Ignore;

impl Watch for Ignore {
    fn execution<F: Frontend>(&mut self, _: &Execution<'_, F>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

struct Watched<'w, W>(&'w mut W);

impl<F: Frontend, W: Watch> Observer<F> for Watched<'_, W> {
    fn execution(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()> {
        self.0.execution(execution)
    }

    fn restart(&mut self) {
        self.0.restart();
    }
}

/// Explores a program. Returns why it stopped, and its progress.
pub fn explore(
    program: Built,
    guide: impl Guide,
    options: Options,
    watch: &mut impl Watch,
) -> (Result<Stopped, Fault>, Progress) {
    fn run<F: Frontend>(
        program: F,
        guide: impl Guide,
        options: Options,
        watch: &mut impl Watch,
    ) -> (Result<Stopped, Fault>, Progress) {
        let mut explorer = Explorer::new(program, guide, options);
        let stopped = explorer.run(&mut Watched(watch));
        (stopped, explorer.progress())
    }
    match program {
        Built::Actors(program) => run(program, guide, options, watch),
        Built::Rust(program) => run(program, guide, options, watch),
    }
}

/// The number of traces found by brute force.
pub fn by_brute_force(program: Built, delivery: Delivery) -> u64 {
    let (timeouts, limit) = (Timeouts::default(), 30_000);
    let all = match program {
        Built::Actors(program) => brute(&program, delivery, timeouts, limit),
        Built::Rust(program) => brute(&program, delivery, timeouts, limit),
    };
    all.unwrap().len() as u64
}
