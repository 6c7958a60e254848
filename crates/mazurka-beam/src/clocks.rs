//! Which clocks the processes of a program read.

use std::str::FromStr;

use mazurka_engine::{Premise, by_name};

/// Which clocks the processes of a program read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clocks {
    /// Each process its own. Concurrent readings commute.
    #[default]
    Own,
    /// All processes one clock. Concurrent readings are explored in every order.
    Shared,
}

impl Clocks {
    /// All of them.
    pub const ALL: [Clocks; 2] = [Clocks::Own, Clocks::Shared];
    /// The name of the setting.
    pub const SETTING: &'static str = "clocks";

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Clocks::Own => "own",
            Clocks::Shared => "shared",
        }
    }

    /// How a verdict states it.
    pub(crate) fn premise(self) -> Premise {
        let (means, verified) = match self {
            Clocks::Own => (
                "concurrent readings are not explored in both orders",
                "each process with its own clock",
            ),
            Clocks::Shared => (
                "concurrent readings are explored in every order",
                "all processes with one clock",
            ),
        };
        Premise {
            name: Clocks::SETTING,
            value: self.name().to_owned(),
            means: means.to_owned(),
            verified: verified.to_owned(),
        }
    }
}

impl FromStr for Clocks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        by_name("clock setting", text, &Clocks::ALL, Clocks::name)
    }
}
