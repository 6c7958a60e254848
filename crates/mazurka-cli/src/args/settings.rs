//! The settings of a check as arguments, made from the table of settings.

use super::values::file_name;
use anyhow::{Result, anyhow};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use mazurka_engine::Kind;
use mazurka_report::{CheckOptions, SETTINGS, Setting, heading};
use std::marker::PhantomData;
use std::time::Duration;

/// The settings that a command has.
pub trait Offer {
    /// Its settings, with its own texts.
    fn settings() -> Vec<Setting>;

    /// The options without any argument.
    fn usual() -> CheckOptions {
        CheckOptions::default()
    }
}

/// The settings of a command that were given.
#[derive(Clone, Debug)]
pub struct Given<O> {
    all: Vec<(Setting, Vec<String>)>,
    offer: PhantomData<O>,
}

impl<O: Offer> Given<O> {
    /// The options of the command.
    pub fn options(&self) -> Result<CheckOptions> {
        self.onto(O::usual())
    }

    /// These options with the settings that were given.
    pub fn onto(&self, mut options: CheckOptions) -> Result<CheckOptions> {
        for (setting, words) in &self.all {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            { setting.set(&mut options, &words) }
                .map_err(|why| anyhow!("--{} {}: {why}", setting.name, words.join(",")))?;
        }
        Ok(options)
    }
}

impl<O: Offer> FromArgMatches for Given<O> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_given = |setting: &Setting| {
            matches.value_source(setting.name) == Some(ValueSource::CommandLine)
        };
        let words = |setting: &Setting| match setting.is_flag() {
            true => vec!["on".to_owned()],
            false => { matches.get_many(setting.name).into_iter().flatten() }
                .cloned()
                .collect(),
        };
        let given = O::settings().into_iter().filter(is_given);
        Ok(Given {
            all: given.map(|setting| (setting, words(&setting))).collect(),
            offer: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<O: Offer> Args for Given<O> {
    fn augment_args(command: Command) -> Command {
        let usual = O::usual();
        command.args(
            O::settings()
                .into_iter()
                .map(|setting| arg(setting, &usual)),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn arg(setting: Setting, usual: &CheckOptions) -> Arg {
    let arg = Arg::new(setting.name)
        .long(setting.name)
        .help(setting.help.trim())
        .help_heading(setting.heading)
        .hide_short_help(!setting.is_common);
    if setting.is_flag() {
        return arg.action(ArgAction::SetTrue);
    }
    let arg = arg.value_name(setting.value).allow_negative_numbers(true);
    let names = (setting.names)();
    let arg = match names.is_empty() {
        false => arg.value_parser(PossibleValuesParser::new(names)),
        true => arg.value_parser(file_name().try_map(move |word| check(setting, word))),
    };
    match setting.words(usual).pop() {
        _ if setting.is_list => arg.action(ArgAction::Append).value_delimiter(','),
        Some(default) if !setting.help.contains("[default:") => arg.default_value(default),
        _ => arg,
    }
}

/// Checks that a setting accepts a word, so that clap reports one that it does not.
fn check(setting: Setting, word: String) -> Result<String, String> {
    setting.set(&mut CheckOptions::default(), &[&word])?;
    Ok(word)
}

/// The settings of `mazurka check`: all.
#[derive(Clone, Copy, Debug)]
pub enum OfCheck {}

impl Offer for OfCheck {
    fn settings() -> Vec<Setting> {
        SETTINGS.iter().copied().map(with_warnings).collect()
    }
}

/// The settings of one execution, along a log or not.
#[derive(Clone, Copy, Debug)]
pub enum OfRun {}

impl Offer for OfRun {
    fn settings() -> Vec<Setting> {
        let mut settings = single(&[
            (
                "delivery",
                "The delivery model: which messages a receive may take [default: the model in the \
                 log, else mailbox or the model `mazurka gallery NAME` shows]",
            ),
            (
                "timeouts",
                "When a timeout that is not in the log may fire: below-<N>ms, any-time, when-quiet \
                 or never [default: the setting in the log, else below-1000ms]",
            ),
            ("max-depth", ""),
            ("max-processes", ""),
            (
                "seed",
                "Make choices that are not in the log at random, with this seed",
            ),
        ]);
        for setting in settings.iter_mut().filter(|setting| setting.name == "seed") {
            setting.heading = heading::SEMANTICS;
        }
        settings
    }
}

/// What counts as an error in `mazurka replay`.
#[derive(Clone, Copy, Debug)]
pub enum OfReplay {}

impl Offer for OfReplay {
    fn settings() -> Vec<Setting> {
        let errors = SETTINGS.iter().filter(|setting| setting.name == "error");
        errors.copied().map(with_warnings).collect()
    }
}

/// The settings of each row of `mazurka lab compare`.
#[derive(Clone, Copy, Debug)]
pub enum OfCompare {}

impl Offer for OfCompare {
    fn settings() -> Vec<Setting> {
        single(&[
            ("timeouts", ""),
            (
                "delivery",
                "The delivery model: which messages a receive may take [default: mailbox, or the \
                 model `mazurka gallery NAME` shows]",
            ),
            ("max-executions", ""),
            ("max-seconds", "Stop each row after this many seconds"),
        ])
    }

    fn usual() -> CheckOptions {
        CheckOptions {
            max_seconds: Some(Duration::from_secs(60)),
            ..CheckOptions::default()
        }
    }
}

/// Settings with one value each, with another text if one is given.
fn single(settings: &[(&str, &'static str)]) -> Vec<Setting> {
    let single = |&(name, help): &(&str, &'static str)| {
        let mut setting = *Setting::find(name)?;
        setting.is_list = false;
        setting.value = setting.value.trim_end_matches(",...");
        if !help.is_empty() {
            setting.help = help;
        }
        Some(setting)
    };
    settings.iter().filter_map(single).collect()
}

/// `--error` accepts warnings only.
fn with_warnings(mut setting: Setting) -> Setting {
    if setting.name == "error" {
        setting.names = || {
            let warnings = Kind::ALL.into_iter().filter(|kind| !kind.is_error());
            warnings.map(Kind::name).collect()
        };
    }
    setting
}
