//! How settings are spelled: as options of the command, or as methods of the library.

use mazurka_engine::{Delivery, Kind, Place, Sampler, Strategy};
use mazurka_lab::Algorithm;

/// Where the settings of a check were given, which determines how a report spells them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Voice {
    /// On the command line: `--max-depth 5`.
    #[default]
    CommandLine,
    /// In Rust: `max_depth(5)`, or `MAZURKA_MAX_DEPTH=5` in the environment.
    Library,
}

impl Voice {
    /// A setting, named as on the command line: `--max-depth`, `max_depth(..)`.
    #[must_use]
    pub fn name(self, setting: &str) -> String {
        match self {
            Voice::CommandLine => format!("--{setting}"),
            Voice::Library => format!("{}(..)", method(setting)),
        }
    }

    /// A setting with its value: `--max-depth 5`, `max_depth(5)`.
    #[must_use]
    pub fn set(self, setting: &str, value: impl Value) -> String {
        match self {
            Voice::CommandLine => format!("--{setting} {}", value.word()),
            Voice::Library => format!("{}({})", method(setting), value.code()),
        }
    }

    /// A setting with its value, and its environment variable if it has one: `--max-depth 5`,
    /// `max_depth(5) or MAZURKA_MAX_DEPTH`.
    #[must_use]
    pub fn set_anywhere(self, setting: &str, value: impl Value) -> String {
        match self {
            Voice::CommandLine => self.set(setting, value),
            Voice::Library => format!("{} or {}", self.set(setting, value), variable(setting)),
        }
    }

    /// A setting that is on or off, turned on: `--keep-going`,
    /// `keep_going(true) or MAZURKA_KEEP_GOING=1`.
    #[must_use]
    pub fn turn_on(self, setting: &str) -> String {
        match self {
            Voice::CommandLine => self.name(setting),
            Voice::Library => format!("{}(true) or {}=1", method(setting), variable(setting)),
        }
    }

    /// How to get the JSON report. It concerns one run, so for the library only the environment
    /// variable is named.
    pub(crate) fn json(self) -> String {
        match self {
            Voice::CommandLine => "--format json".to_owned(),
            Voice::Library => format!("{}=json", variable("format")),
        }
    }

    /// A value alone, in a list of choices.
    pub(crate) fn value(self, value: impl Value) -> String {
        match self {
            Voice::CommandLine => value.word(),
            Voice::Library => value.code(),
        }
    }
}

/// The method of the library's builder for a setting.
fn method(setting: &str) -> String {
    setting.replace('-', "_")
}

/// The environment variable for a setting: `MAZURKA_MAX_DEPTH` for `max-depth`.
#[must_use]
pub fn variable(setting: &str) -> String {
    format!("MAZURKA_{}", method(setting).to_uppercase())
}

/// The value of a setting.
pub trait Value {
    /// As a word on the command line.
    fn word(&self) -> String;
    /// As Rust code.
    fn code(&self) -> String;
}

impl Value for u32 {
    fn word(&self) -> String {
        self.to_string()
    }
    fn code(&self) -> String {
        self.to_string()
    }
}

impl Value for u64 {
    fn word(&self) -> String {
        self.to_string()
    }
    fn code(&self) -> String {
        self.to_string()
    }
}

impl Value for f64 {
    fn word(&self) -> String {
        self.to_string()
    }
    fn code(&self) -> String {
        format!("{self:?}")
    }
}

impl Value for bool {
    fn word(&self) -> String {
        on_off(*self)
    }
    fn code(&self) -> String {
        self.to_string()
    }
}

impl Value for Delivery {
    fn word(&self) -> String {
        self.to_string()
    }
    fn code(&self) -> String {
        format!("Delivery::{self:?}")
    }
}

impl Value for Algorithm {
    fn word(&self) -> String {
        self.to_string()
    }
    fn code(&self) -> String {
        format!("Algorithm::{self:?}")
    }
}

impl Value for Strategy {
    fn word(&self) -> String {
        self.to_string()
    }
    fn code(&self) -> String {
        match self {
            Strategy::Random { .. } => "Strategy::Random { .. }".to_owned(),
            Strategy::Mcts { .. } => "Strategy::Mcts { .. }".to_owned(),
            Strategy::BestFirst { .. } => "Strategy::BestFirst { .. }".to_owned(),
            Strategy::Dfs | Strategy::Bfs => format!("Strategy::{self:?}"),
        }
    }
}

impl Value for Place {
    fn word(&self) -> String {
        self.name().to_owned()
    }
    fn code(&self) -> String {
        format!("&[Place::{self:?}]")
    }
}

impl Value for Sampler {
    fn word(&self) -> String {
        self.to_string()
    }
    fn code(&self) -> String {
        match self {
            Sampler::Pct { .. } => "Sampler::Pct { .. }".to_owned(),
            other => format!("Sampler::{other:?}"),
        }
    }
}

impl Value for Kind {
    fn word(&self) -> String {
        self.to_string()
    }
    fn code(&self) -> String {
        format!("Kind::{self:?}")
    }
}

/// `on` or `off`.
#[must_use]
pub fn on_off(on: bool) -> String {
    let word = if on { "on" } else { "off" };
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_in_its_own_words() {
        let (command, library) = (Voice::CommandLine, Voice::Library);
        let both = |spell: &dyn Fn(Voice) -> String| [spell(command), spell(library)];
        assert_eq!(both(&|v| v.name("order")), ["--order", "order(..)"]);
        assert_eq!(
            both(&|v| v.set("algorithm", Algorithm::TransDpor)),
            ["--algorithm transdpor", "algorithm(Algorithm::TransDpor)"]
        );
        assert_eq!(
            both(&|v| v.set("sleep-sets", false)),
            ["--sleep-sets off", "sleep_sets(false)"]
        );
        assert_eq!(
            both(&|v| v.set("strategy", Strategy::Random { seed: 3 })),
            ["--strategy random", "strategy(Strategy::Random { .. })"]
        );
        assert_eq!(
            both(&|v| v.set("error", Kind::DeadLetter)),
            ["--error dead-letter", "error(Kind::DeadLetter)"]
        );
        assert_eq!(
            both(&|v| v.set_anywhere("max-seconds", 1.0)),
            ["--max-seconds 1", "max_seconds(1.0) or MAZURKA_MAX_SECONDS"]
        );
        assert_eq!(
            both(&|v| v.turn_on("keep-going")),
            ["--keep-going", "keep_going(true) or MAZURKA_KEEP_GOING=1"]
        );
        assert_eq!(both(&Voice::json), ["--format json", "MAZURKA_FORMAT=json"]);
    }
}
