//! Settings from the environment: `MAZURKA_DELIVERY=mailbox cargo test`.

use mazurka_report::{CheckOptions, SETTINGS, Setting, Value, variable};
use std::path::PathBuf;
use std::time::Duration;

/// All settings of a check.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub options: CheckOptions,
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

/// A name, and what sets it.
type Own = (&'static str, fn(&mut Settings, &str) -> Result<(), String>);

/// Settings that the command does not have, or spells in another way.
const OWN: &[Own] = &[
    ("max-step-seconds", |s, v| {
        Duration::parse(v).map(|time| s.max_step = time)
    }),
    ("log-dir", |s, v| {
        s.options.log_dir = Some(v.into());
        Ok(())
    }),
    ("no-logs", |s, v| bool::parse(v).map(|on| s.no_logs = on)),
    ("allow-incomplete", |s, v| {
        bool::parse(v).map(|on| s.allow_incomplete = on)
    }),
    ("format", |s, v| match v {
        "text" | "json" => {
            s.json = v == "json";
            Ok(())
        }
        _ => Err("use text or json".into()),
    }),
    ("replay", |s, v| {
        s.replay = Some(v.into());
        Ok(())
    }),
];

/// Variables with the same prefix that other parts of Mazurka read.
const ELSEWHERE: &[&str] = &["MAZURKA_OTP"];

impl Settings {
    /// Overrides these settings by variables of the environment.
    ///
    /// # Errors
    /// A variable that does not exist, or a value that is not allowed; the text names it.
    pub(crate) fn override_by(
        &mut self,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<(), String> {
        for (name, value) in environment {
            if name.starts_with("MAZURKA_") && !ELSEWHERE.contains(&name.as_str()) {
                self.set(&name, value.trim())
                    .map_err(|why| format!("the environment variable {name} {why}"))?;
            }
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let refuse = |why| format!("cannot be `{value}`: {why}");
        if let Some((_, set)) = OWN.iter().find(|(own, _)| variable(own) == name) {
            return set(self, value).map_err(refuse);
        }
        let Some(setting) = SETTINGS.iter().find(|known| variable(known.name) == name) else {
            let own = OWN.iter().map(|(own, _)| *own);
            let names = SETTINGS.iter().map(|known| known.name).chain(own);
            let names: Vec<String> = names.map(variable).collect();
            return Err(format!("is unknown: use one of {}", names.join(", ")));
        };
        self.options.from_environment.push(setting.name);
        setting
            .set(&mut self.options, &words(setting, value))
            .map_err(refuse)
    }
}

/// The words of a value. Commas separate those of a list.
fn words<'v>(setting: &Setting, value: &'v str) -> Vec<&'v str> {
    match setting.is_list {
        true => { value.split(',').map(str::trim) }
            .filter(|word| !word.is_empty())
            .collect(),
        false => vec![value],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each setting has a method, whose documentation names its variable.
    #[test]
    fn every_setting_has_a_method() {
        let methods = include_str!("check/settings.rs");
        for setting in SETTINGS {
            let method = format!("pub fn {}(", setting.name.replace('-', "_"));
            assert!(methods.contains(&method), "{method}");
            let variable = format!("`{}`", variable(setting.name));
            assert!(methods.contains(&variable), "{variable}");
        }
    }
}
