//! How settings are spelled: as options of the command, as methods of the library, or as variables.

use crate::value::Value;

/// Where the settings of a check were given, which determines how a report spells them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Voice {
    /// On the command line: `--max-depth 5`.
    #[default]
    CommandLine,
    /// In Rust: `max_depth(5)`.
    Library,
    /// In the environment of a Rust program: `MAZURKA_MAX_DEPTH=5`.
    Environment,
}

impl Voice {
    /// A setting, named as on the command line: `--max-depth`, `max_depth(..)`.
    #[must_use]
    pub fn name(self, setting: &str) -> String {
        match self {
            Voice::CommandLine => format!("--{setting}"),
            Voice::Library => format!("{}(..)", method(setting)),
            Voice::Environment => variable(setting),
        }
    }

    /// A setting with its value: `--max-depth 5`, `max_depth(5)`.
    #[must_use]
    pub fn set(self, setting: &str, value: impl Value) -> String {
        match self {
            Voice::CommandLine => format!("--{setting} {}", value.word()),
            Voice::Library => format!("{}({})", method(setting), value.code()),
            Voice::Environment => format!("{}={}", variable(setting), value.word()),
        }
    }

    /// A setting with its value, and its environment variable if it has one: `--max-depth 5`,
    /// `max_depth(5) or MAZURKA_MAX_DEPTH`.
    #[must_use]
    pub fn set_anywhere(self, setting: &str, value: impl Value) -> String {
        match self {
            Voice::CommandLine | Voice::Environment => self.set(setting, value),
            Voice::Library => format!("{} or {}", self.set(setting, value), variable(setting)),
        }
    }

    /// A setting that is on or off, turned on: `--keep-going`,
    /// `keep_going(true) or MAZURKA_KEEP_GOING=1`.
    #[must_use]
    pub fn turn_on(self, setting: &str) -> String {
        match self {
            Voice::CommandLine => self.name(setting),
            Voice::Environment => self.set(setting, true),
            Voice::Library => format!("{}(true) or {}=1", method(setting), variable(setting)),
        }
    }

    /// How to get the JSON report. It concerns one run, so for the library only the environment
    /// variable is named.
    pub(crate) fn json(self) -> String {
        match self {
            Voice::CommandLine => "--format json".to_owned(),
            Voice::Library | Voice::Environment => format!("{}=json", variable("format")),
        }
    }

    /// A value alone, in a list of choices.
    pub(crate) fn value(self, value: impl Value) -> String {
        match self {
            Voice::CommandLine | Voice::Environment => value.word(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_engine::{Kind, Strategy};
    use mazurka_lab::Algorithm;
    use std::time::Duration;

    #[test]
    fn each_in_its_own_words() {
        let (command, library) = (Voice::CommandLine, Voice::Library);
        let both = |spell: &dyn Fn(Voice) -> String| [spell(command), spell(library)];
        let environment = Voice::Environment;
        assert_eq!(environment.name("order"), "MAZURKA_ORDER");
        assert_eq!(environment.set("max-depth", 5_u64), "MAZURKA_MAX_DEPTH=5");
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
            both(&|v| v.set_anywhere("max-seconds", Duration::from_secs(1))),
            ["--max-seconds 1", "max_seconds(1.0) or MAZURKA_MAX_SECONDS"]
        );
        assert_eq!(
            both(&|v| v.turn_on("keep-going")),
            ["--keep-going", "keep_going(true) or MAZURKA_KEEP_GOING=1"]
        );
        assert_eq!(both(&Voice::json), ["--format json", "MAZURKA_FORMAT=json"]);
    }
}
