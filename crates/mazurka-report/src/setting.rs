//! A setting of a check: how it is named, described, read and written. The command, the environment
//! and replay lines are views of the table of settings.

use crate::options::{CheckOptions, SETTINGS};
use crate::value::Value;

/// A setting of a check.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name, as on the command line without the dashes: `max-depth`.
    pub name: &'static str,
    /// What its value is, in capitals; nothing for a setting that is only turned on.
    pub value: &'static str,
    /// The heading in `--help`.
    pub heading: &'static str,
    /// Whether the short help lists it.
    pub is_common: bool,
    /// What it does, as in `--help`.
    pub help: &'static str,
    /// Whether it has several values, which commas may separate.
    pub is_list: bool,
    /// Every value, if there are only a few.
    pub names: fn() -> Vec<&'static str>,
    pub(crate) set: fn(&mut CheckOptions, &[&str]) -> Result<(), String>,
    pub(crate) words: fn(&CheckOptions) -> Vec<String>,
}

impl Setting {
    /// The setting with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Setting> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// Whether it is turned on, without a value.
    #[must_use]
    pub fn is_flag(&self) -> bool {
        self.value.is_empty()
    }

    /// Sets it to the value that these words give. There is one word unless it is a list.
    ///
    /// # Errors
    /// The words are not a value. The text names the values that are.
    pub fn set(&self, options: &mut CheckOptions, words: &[&str]) -> Result<(), String> {
        (self.set)(options, words)
    }

    /// The words that give its value; none if it is not set.
    #[must_use]
    pub fn words(&self, options: &CheckOptions) -> Vec<String> {
        (self.words)(options)
    }

    /// The arguments that set it, if its value is another one than in `usual`.
    #[must_use]
    pub fn arguments(&self, options: &CheckOptions, usual: &CheckOptions) -> Vec<String> {
        let flag = format!("--{}", self.name);
        match self.words(options) {
            words if words == self.words(usual) => Vec::new(),
            _ if self.is_flag() => vec![flag],
            words => { words.into_iter() }
                .flat_map(|word| [flag.clone(), word])
                .collect(),
        }
    }
}

/// The type of a setting: a value, a value that need not be given, or a list.
pub(crate) trait Field: Sized {
    const IS_LIST: bool = false;
    fn names() -> Vec<&'static str>;
    fn read(words: &[&str]) -> Result<Self, String>;
    fn words(&self) -> Vec<String>;
}

impl<T: Value> Field for T {
    fn names() -> Vec<&'static str> {
        T::names()
    }
    fn read(words: &[&str]) -> Result<Self, String> {
        T::parse(words.last().copied().unwrap_or_default())
    }
    fn words(&self) -> Vec<String> {
        vec![self.word()]
    }
}

impl<T: Value> Field for Option<T> {
    fn names() -> Vec<&'static str> {
        T::names()
    }
    fn read(words: &[&str]) -> Result<Self, String> {
        T::read(words).map(Some)
    }
    fn words(&self) -> Vec<String> {
        self.iter().map(T::word).collect()
    }
}

impl<T: Value> Field for Vec<T> {
    const IS_LIST: bool = true;
    fn names() -> Vec<&'static str> {
        T::names()
    }
    fn read(words: &[&str]) -> Result<Self, String> {
        words.iter().map(|word| T::parse(word)).collect()
    }
    fn words(&self) -> Vec<String> {
        self.iter().map(T::word).collect()
    }
}

/// Defines the settings of a check: the fields of [`CheckOptions`], their defaults, and the table of
/// settings. The comment of a field is its text in `--help`.
macro_rules! settings {
    (
        $(
            $(#[doc = $help:literal])+
            [$name:literal, $value:literal, $heading:ident, $common:ident]
            $field:ident: $type:ty = $default:expr;
        )+
        also {
            $($(#[doc = $doc:literal])+ $other:ident: $other_type:ty = $other_default:expr;)+
        }
    ) => {
        /// The settings of a check. The texts are those of `mazurka check --help`; a setting that is
        /// `None` was not given.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(rustdoc::invalid_html_tags, reason = "texts of `--help` name values as `<N>`")]
        pub struct CheckOptions {
            $($(#[doc = $help])+ pub $field: $type,)+
            $($(#[doc = $doc])+ pub $other: $other_type,)+
        }

        impl Default for CheckOptions {
            fn default() -> Self {
                CheckOptions {
                    $($field: $default,)+
                    $($other: $other_default,)+
                }
            }
        }

        /// Every setting, in the order of `--help`.
        pub static SETTINGS: &[Setting] = &[$(
            Setting {
                name: $name,
                value: $value,
                heading: heading::$heading,
                is_common: $common,
                help: concat!($($help),+),
                is_list: <$type as Field>::IS_LIST,
                names: <$type as Field>::names,
                set: |options, words| {
                    options.$field = Field::read(words)?;
                    Ok(())
                },
                words: |options| Field::words(&options.$field),
            },
        )+];
    };
}
pub(crate) use settings;

/// The headings under which `--help` lists options.
pub mod heading {
    /// Which program is run, and how it starts.
    pub const PROGRAM: &str = "Program";
    /// What an execution of it may do.
    pub const SEMANTICS: &str = "Semantics";
    /// In which order executions are explored.
    pub const SEARCH: &str = "Search";
    /// Options of `--sample`.
    pub const SAMPLING: &str = "Sampling";
    /// Options of the published algorithms.
    pub const ALGORITHMS: &str = "Published algorithms";
    /// What ends a check early.
    pub const BOUNDS: &str = "Bounds";
    /// What counts as an error, and when to stop.
    pub const ERRORS: &str = "Errors";
    /// The report and the progress of a check.
    pub const REPORT: &str = "Report";
    /// Files beside the report.
    pub const FILES: &str = "Files";
}
