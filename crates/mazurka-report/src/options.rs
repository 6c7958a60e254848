//! The settings of a check.

use crate::options_error::OptionsError;
use crate::setting::{Field, Setting, heading, settings};
use crate::value::Value;
use crate::voice::Voice;
use mazurka_engine::{Delivery, Kind, Place, Sampler, Settings, Strategy, Timeouts, Valuations};
use mazurka_lab::{Algorithm, Order};
use mazurka_trace::Log;
use std::path::PathBuf;
use std::time::Duration;

/// The short help lists the setting.
const COMMON: bool = true;
/// Only the long help lists it.
const RARE: bool = false;

settings! {
    /// When a timeout may fire: any-time; when-quiet (only when nothing else can happen); below-<N>ms
    /// (at any time if it is shorter than N, else when-quiet); or never
    ["timeouts", "WHEN", SEMANTICS, RARE]
    timeouts: Timeouts = Timeouts::default();

    /// The delivery model: which messages a receive may take. With several, each is checked and the
    /// differences are reported [default: mailbox, or the model `mazurka gallery NAME` shows]
    ["delivery", "MODEL,...", SEMANTICS, COMMON]
    delivery: Vec<Delivery> = vec![CheckOptions::DELIVERY];

    /// Stop after this many executions
    ["max-executions", "N", BOUNDS, RARE]
    max_executions: Option<u64> = None;

    /// Stop after this many seconds
    ["max-seconds", "S", BOUNDS, COMMON]
    max_seconds: Option<Duration> = None;

    /// Stop when this many MiB of memory are in use (Linux only)
    ["max-memory", "MIB", BOUNDS, RARE]
    max_memory: Option<u64> = None;

    /// Cut executions short after this many steps
    ["max-depth", "N", BOUNDS, RARE]
    max_depth: u64 = 100_000;

    /// Cut executions short that have more than this many processes
    ["max-processes", "N", BOUNDS, RARE]
    max_processes: u64 = 2_000;

    /// Explore everything and report all distinct errors, instead of stopping at the first error (or
    /// when all expected kinds are found)
    ["keep-going", "", ERRORS, COMMON]
    keep_going: bool = false;

    /// Pass if and only if errors of this kind are found and no others (repeatable)
    ["expect", "KIND", ERRORS, COMMON]
    expect: Vec<Kind> = Vec::new();

    /// Treat this kind of warning as an error (repeatable)
    ["error", "KIND", ERRORS, RARE]
    errors: Vec<Kind> = Vec::new();

    /// After a stuck process, explore this many more executions to find errors of other kinds
    ["after-stuck", "N", ERRORS, RARE]
    after_stuck: u64 = Settings::AFTER_STUCK;

    /// Run every step of the program twice, to test whether it is deterministic
    ["distrust", "", ERRORS, RARE]
    distrust: bool = false;

    /// Let several searches take turns until one finds an error, for --max-seconds [default: 60]
    ["hunt", "", SEARCH, COMMON]
    hunt: bool = false;

    /// The order in which executions are explored (docs/directed.md) [default: dfs, or best-first
    /// with --valuation]
    ["strategy", "STRATEGY", SEARCH, RARE]
    strategy: Option<Strategy> = None;

    /// What makes an execution promising: one or more names, each with an optional weight
    /// (docs/directed.md)
    ["valuation", "NAME[:WEIGHT],...", SEARCH, RARE]
    valuations: Option<Valuations> = None;

    /// Where valuations apply: frontier (which prefix is next), next (which process runs), prefer (which
    /// message is tried first) [default: frontier,prefer]
    ["direct", "PLACE,...", SEARCH, RARE]
    direct: Vec<Place> = Vec::new();

    /// Abandon an execution when its value falls more than PERCENT behind the best prefix in the
    /// frontier; 0 with --valuation distance is A* [default: run each to its end]
    ["threshold", "PERCENT", SEARCH, RARE]
    threshold: Option<u32> = None;

    /// The seed of --strategy random, --strategy mcts and --sample [default: 0]
    ["seed", "N", SEARCH, RARE]
    seed: Option<u64> = None;

    /// Run N random executions instead of all, and estimate how many there are; verifies nothing
    /// (exit code 3 if no error is found)
    ["sample", "N", SAMPLING, RARE]
    sample: Option<u64> = None;

    /// How --sample chooses the next step: uniform (a random walk), pct (finds errors that need few
    /// events in a certain order with a known probability) or pos (random priorities per event)
    /// (docs/sampling.md) [default: uniform]
    ["sampler", "NAME", SAMPLING, RARE]
    sampler: Option<Sampler> = None;

    /// For --sampler pct: number of events that must be delayed for the error to appear
    /// [default: 3]
    ["bug-depth", "N", SAMPLING, RARE]
    bug_depth: Option<u32> = None;

    /// The algorithm that finds executions (docs/algorithms.md)
    ["algorithm", "ALGORITHM", ALGORITHMS, RARE]
    algorithm: Algorithm = Algorithm::default();

    /// The order in which a published algorithm tries messages: fifo (send order), eca (first those
    /// to the earliest created process) or lca (to the latest created one) [default: fifo]
    ["order", "ORDER", ALGORITHMS, RARE]
    order: Option<Order> = None;

    /// Whether dpor, transdpor and naive use sleep sets; without them they run equivalent
    /// executions several times [default: off for naive, on for the others]
    ["sleep-sets", "ON/OFF", ALGORITHMS, RARE]
    sleep_sets: Option<bool> = None;

    /// Whether interleavings skips schedules in which a process is chosen and can only wait
    /// [default: on]
    ["blocking-avoidance", "ON/OFF", ALGORITHMS, RARE]
    blocking_avoidance: Option<bool> = None;

    /// How many times a schedule of interleavings may interrupt a process that could continue
    ["preemption-bound", "N", ALGORITHMS, RARE]
    preemption_bound: Option<u32> = None;

    /// Report every step, the failing and the passing execution side by side, and all counts
    ["verbose", "", REPORT, COMMON]
    verbose: bool = false;

    also {
        /// Where the settings were given, which determines how reports and errors spell them.
        voice: Voice = Voice::default();
        /// The names of the settings that the environment gave, whatever the voice of the others.
        from_environment: Vec<&'static str> = Vec::new();
        /// The directory for logs of errors, created only if there is an error. `None` writes no
        /// logs.
        log_dir: Option<PathBuf> = None;
        /// Draw the execution of each error in the text report.
        diagram: bool = false;
        /// Keep the tree of executions.
        tree: bool = false;
    }
}

impl CheckOptions {
    /// The default delivery model: within one node, or one operating system process.
    pub const DELIVERY: Delivery = Delivery::Mailbox;

    /// The delivery model: the first one, if there are several.
    #[must_use]
    pub fn model(&self) -> Delivery {
        self.delivery.first().copied().unwrap_or(Self::DELIVERY)
    }

    /// The options for each delivery model, each model once. The logs of several go to folders of
    /// their own.
    #[must_use]
    pub fn for_each_model(&self) -> Vec<CheckOptions> {
        let mut models = vec![self.model()];
        for &model in &self.delivery {
            if !models.contains(&model) {
                models.push(model);
            }
        }
        let log_dir = |model: Delivery| match models.len() {
            1 => self.log_dir.clone(),
            _ => Some(self.log_dir.as_ref()?.join(model.name())),
        };
        let only = |&model: &Delivery| CheckOptions {
            delivery: vec![model],
            log_dir: log_dir(model),
            ..self.clone()
        };
        models.iter().map(only).collect()
    }

    /// These options with the delivery model and the timeouts of a log, as far as it has them.
    #[must_use]
    pub fn of_log(self, log: &Log) -> CheckOptions {
        let timeouts = log.timeouts.as_ref().and_then(|text| text.parse().ok());
        CheckOptions {
            delivery: log.delivery.map_or(self.delivery, |model| vec![model]),
            timeouts: timeouts.unwrap_or(self.timeouts),
            ..self
        }
    }

    /// The arguments of `mazurka check` that turn `usual` into these options.
    #[must_use]
    pub fn arguments(&self, usual: &CheckOptions) -> Vec<String> {
        let arguments = |setting: &Setting| setting.arguments(self, usual);
        SETTINGS.iter().flat_map(arguments).collect()
    }

    /// The settings that are not as usual and that a replay needs, but a log does not contain.
    pub fn beside_log(&self) -> impl Iterator<Item = &'static Setting> {
        const BESIDE_LOG: [&str; 2] = ["max-depth", "max-processes"];
        let usual = CheckOptions::default();
        let settings = BESIDE_LOG.into_iter().filter_map(Setting::find);
        settings.filter(move |setting| setting.words(self) != setting.words(&usual))
    }

    /// How a setting was spelled.
    fn voice_of(&self, setting: &str) -> Voice {
        match self.from_environment.contains(&setting) {
            true => Voice::Environment,
            false => self.voice,
        }
    }

    /// A setting, spelled as it was given.
    pub(crate) fn name(&self, setting: &str) -> String {
        self.voice_of(setting).name(setting)
    }

    /// A setting with its value, spelled as it was given.
    pub(crate) fn spell(&self, setting: &str, value: impl Value) -> String {
        self.voice_of(setting).set(setting, value)
    }

    /// Refuses bounds of 0, which would stop a check before its first step.
    pub(crate) fn bounds_are_above_zero(&self) -> Result<(), OptionsError> {
        let bounds = [
            ("max-depth", self.max_depth == 0),
            ("max-processes", self.max_processes == 0),
            ("max-executions", self.max_executions == Some(0)),
            ("max-seconds", self.max_seconds == Some(Duration::ZERO)),
            ("max-memory", self.max_memory == Some(0)),
            ("sample", self.sample == Some(0)),
            ("bug-depth", self.bug_depth == Some(0)),
        ];
        match bounds.into_iter().find(|&(_, is_zero)| is_zero) {
            Some((name, _)) => Err(OptionsError::Zero {
                setting: self.spell(name, 0_u64),
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let words = [
            ("delivery", "p2p,causal"),
            ("timeouts", "below-50ms"),
            ("max-seconds", "0.5"),
            ("keep-going", "yes"),
            ("error", "orphan,dead-letter"),
            ("valuation", "max-match,depth:2"),
            ("threshold", "3"),
            ("sleep-sets", "off"),
        ];
        let mut options = CheckOptions::default();
        for (name, words) in words {
            let setting = Setting::find(name).unwrap();
            let words: Vec<&str> = match setting.is_list {
                true => words.split(',').collect(),
                false => vec![words],
            };
            setting.set(&mut options, &words).unwrap();
        }
        let arguments = options.arguments(&CheckOptions::default());
        assert_eq!(
            arguments.join(" "),
            "--timeouts below-50ms --delivery p2p --delivery causal --max-seconds 0.5 --keep-going \
             --error orphan --error dead-letter --valuation depth:2,max-match --threshold 3 \
             --sleep-sets off"
        );
        let mut again = CheckOptions::default();
        for setting in SETTINGS {
            let words = setting.words(&options);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            if !words.is_empty() {
                setting.set(&mut again, &words).unwrap();
            }
        }
        assert_eq!(again, options);
    }

    #[test]
    fn several_models_have_separate_logs() {
        let options = CheckOptions {
            delivery: vec![Delivery::P2p, Delivery::Causal, Delivery::P2p],
            log_dir: Some("logs".into()),
            ..CheckOptions::default()
        };
        let each = options.for_each_model();
        assert_eq!(each.len(), 2);
        assert_eq!(each[0].delivery, [Delivery::P2p]);
        assert_eq!(each[1].log_dir, Some("logs/causal".into()));
        assert_eq!(each[1].for_each_model(), [each[1].clone()]);
    }
}
