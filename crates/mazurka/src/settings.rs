//! Settings from the environment: `MAZURKA_DELIVERY=mailbox cargo test`.

use mazurka_engine::Delivery;
use mazurka_report::CheckOptions;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// All settings of a check.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub options: CheckOptions,
    /// More delivery models to check, after the one in the options.
    pub more_models: Vec<Delivery>,
    /// How long a process may run without waiting.
    pub max_step: Duration,
    /// Whether a check that a bound ended early passes if it found no error.
    pub allow_incomplete: bool,
    /// Whether the report is JSON.
    pub json: bool,
    /// Whether no logs are written, wherever they would go.
    pub no_logs: bool,
    /// The log to drive the program along, instead of exploring.
    pub replay: Option<PathBuf>,
}

const PREFIX: &str = "MAZURKA_";

/// A variable, and what it sets.
type Variable = (&'static str, fn(&mut Settings, &str) -> Result<(), String>);

const VARIABLES: &[Variable] = &[
    ("DELIVERY", |s, v| {
        list(v).map(|models| s.set_models(&models))
    }),
    ("TIMEOUTS", |s, v| set(&mut s.options.timeouts, v)),
    ("ALGORITHM", |s, v| set(&mut s.options.algorithm, v)),
    ("ORDER", |s, v| set_some(&mut s.options.order, v)),
    ("SLEEP_SETS", |s, v| {
        switch(v).map(|on| s.options.sleep_sets = Some(on))
    }),
    ("BLOCKING_AVOIDANCE", |s, v| {
        switch(v).map(|on| s.options.blocking_avoidance = Some(on))
    }),
    ("PREEMPTION_BOUND", |s, v| {
        number(v).map(|n| s.options.preemption_bound = Some(n))
    }),
    ("STRATEGY", |s, v| set_some(&mut s.options.strategy, v)),
    ("SEED", |s, v| number(v).map(|n| s.options.seed = Some(n))),
    ("VALUATION", |s, v| set_some(&mut s.options.valuations, v)),
    ("DIRECT", |s, v| {
        list(v).map(|places| s.options.direct = places)
    }),
    ("THRESHOLD", |s, v| {
        number(v).map(|n| s.options.threshold = Some(n))
    }),
    ("HUNT", |s, v| switch(v).map(|on| s.options.hunt = on)),
    ("SAMPLE", |s, v| {
        positive(v).map(|n| s.options.sample = Some(n))
    }),
    ("SAMPLER", |s, v| set_some(&mut s.options.sampler, v)),
    ("BUG_DEPTH", |s, v| {
        positive(v).map(|n| s.options.bug_depth = Some(n))
    }),
    ("MAX_DEPTH", |s, v| {
        positive(v).map(|n| s.options.max_depth = n)
    }),
    ("MAX_PROCESSES", |s, v| {
        positive(v).map(|n| s.options.max_processes = n)
    }),
    ("MAX_EXECUTIONS", |s, v| {
        positive(v).map(|n| s.options.max_executions = Some(n))
    }),
    ("MAX_SECONDS", |s, v| {
        seconds(v).map(|time| s.options.max_seconds = Some(time))
    }),
    ("MAX_MEMORY", |s, v| {
        positive(v).map(|n| s.options.max_memory = Some(n))
    }),
    ("MAX_STEP_SECONDS", |s, v| {
        seconds(v).map(|time| s.max_step = time)
    }),
    ("KEEP_GOING", |s, v| {
        switch(v).map(|on| s.options.keep_going = on)
    }),
    ("AFTER_STUCK", |s, v| {
        number(v).map(|n| s.options.after_stuck = n)
    }),
    ("ERROR", |s, v| {
        list(v).map(|kinds| s.options.errors = kinds)
    }),
    ("EXPECT", |s, v| {
        list(v).map(|kinds| s.options.expect = kinds)
    }),
    ("DISTRUST", |s, v| {
        switch(v).map(|on| s.options.distrust = on)
    }),
    ("LOG_DIR", |s, v| {
        s.options.log_dir = Some(v.into());
        Ok(())
    }),
    ("NO_LOGS", |s, v| switch(v).map(|on| s.no_logs = on)),
    ("ALLOW_INCOMPLETE", |s, v| {
        switch(v).map(|on| s.allow_incomplete = on)
    }),
    ("VERBOSE", |s, v| switch(v).map(|on| s.options.verbose = on)),
    ("FORMAT", |s, v| match v {
        "text" | "json" => {
            s.json = v == "json";
            Ok(())
        }
        _ => Err("use text or json".into()),
    }),
    ("REPLAY", |s, v| {
        s.replay = Some(v.into());
        Ok(())
    }),
];

/// Variables with the same prefix that other parts of Mazurka read.
const ELSEWHERE: &[&str] = &["OTP"];

impl Settings {
    /// Checks under each of these delivery models; without any, nothing changes.
    pub(crate) fn set_models(&mut self, models: &[Delivery]) {
        if let Some((&first, more)) = models.split_first() {
            self.options.delivery = first;
            self.more_models = more.to_vec();
        }
    }

    /// The options for each delivery model, each model once. The logs of several go to folders of
    /// their own.
    pub(crate) fn for_each_model(&self) -> Vec<CheckOptions> {
        let mut all: Vec<CheckOptions> = vec![self.options.clone()];
        for &delivery in &self.more_models {
            if all.iter().all(|options| options.delivery != delivery) {
                let options = self.options.clone();
                all.push(CheckOptions {
                    delivery,
                    ..options
                });
            }
        }
        if all.len() > 1 {
            for options in &mut all {
                let directory = options.log_dir.take();
                options.log_dir = directory.map(|above| above.join(options.delivery.name()));
            }
        }
        all
    }

    /// Overrides these settings by variables of the environment.
    ///
    /// # Errors
    /// A variable that does not exist, or a value that is not allowed; the text names it.
    pub(crate) fn override_by(
        &mut self,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<(), String> {
        for (variable, value) in environment {
            let Some(name) = variable.strip_prefix(PREFIX) else {
                continue;
            };
            if ELSEWHERE.contains(&name) {
                continue;
            }
            let known = VARIABLES.iter().find(|(known, _)| *known == name);
            let Some((_, set)) = known else {
                let names: Vec<&str> = VARIABLES.iter().map(|(name, _)| *name).collect();
                return Err(format!(
                    "the environment variable {variable} means nothing: what can be set is \
                     {PREFIX} followed by one of {}",
                    names.join(", ")
                ));
            };
            set(self, value.trim()).map_err(|why| {
                format!("the environment variable {variable} cannot be `{value}`: {why}")
            })?;
        }
        Ok(())
    }
}

fn set<T: FromStr<Err: ToString>>(place: &mut T, text: &str) -> Result<(), String> {
    *place = text.parse().map_err(|error: T::Err| error.to_string())?;
    Ok(())
}

fn set_some<T: FromStr<Err: ToString>>(place: &mut Option<T>, text: &str) -> Result<(), String> {
    let value = text.parse().map_err(|error: T::Err| error.to_string())?;
    *place = Some(value);
    Ok(())
}

fn switch(text: &str) -> Result<bool, String> {
    match text {
        "1" | "on" | "true" | "yes" => Ok(true),
        "0" | "off" | "false" | "no" => Ok(false),
        _ => Err("use on or off".into()),
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| "give a whole number, 0 or above".into())
}

fn positive<T: FromStr + Default + PartialOrd>(text: &str) -> Result<T, String> {
    match text.parse() {
        Ok(number) if number > T::default() => Ok(number),
        _ => Err("give a whole number above 0".into()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "give a number of seconds above 0, for example 60 or 0.5".into())
}

fn list<T: FromStr<Err: ToString>>(text: &str) -> Result<Vec<T>, String> {
    text.split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().map_err(|error: T::Err| error.to_string()))
        .collect()
}
