//! One random test.

use super::generate::{Shape, generate};
use super::script::Script;
use mazurka_engine::Timeouts;
use mazurka_trace::Delivery;

/// One random test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// What the program may use.
    pub shape: Shape,
    /// The seed of the program.
    pub seed: u64,
    /// How messages are delivered.
    pub delivery: Delivery,
}

impl Case {
    /// The program.
    #[must_use]
    pub fn program(&self) -> Script {
        generate(self.shape, self.seed)
    }

    /// The timeout setting, which depends on the seed.
    #[must_use]
    pub fn timeouts(&self) -> Timeouts {
        match self.seed % 4 {
            0 | 1 => Timeouts::default(),
            2 => Timeouts::AnyTime,
            _ => Timeouts::WhenQuiet,
        }
    }
}
