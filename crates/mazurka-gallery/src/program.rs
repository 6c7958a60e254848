//! What the gallery knows of each of its programs.

use crate::built::Built;
use mazurka_engine::Delivery;
use std::collections::BTreeMap;
use thiserror::Error;

/// A program with parameters.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// The delivery model under which it is checked if nothing else is said: that of its paper for
    /// the subjects of a paper, `mailbox` for the others.
    pub delivery: Delivery,
    /// What goes wrong, if it is wrong on purpose.
    pub wrong: Option<Wrong>,
    /// What can be set.
    pub parameters: &'static [Parameter],
    pub(crate) build: fn(&Values) -> Built,
    pub(crate) traces: fn(&Values, Delivery) -> Option<u128>,
}

/// What goes wrong in a program.
#[derive(Clone, Copy, Debug)]
pub struct Wrong {
    /// The kind of error.
    pub kind: Mistake,
    /// What happens, and why.
    pub about: &'static str,
    pub(crate) when: fn(&Values, Delivery) -> bool,
}

/// The kinds of errors that gallery programs have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mistake {
    /// A process ends by an uncaught failure.
    Crash,
    /// An assertion fails.
    Assertion,
    /// At the end the entry process still waits.
    Deadlock,
    /// A process acts differently on the same inputs.
    Nondeterminism,
}

/// A number that can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value if nothing else is said.
    pub default: i64,
    /// The least value allowed.
    pub min: i64,
    /// The greatest value allowed.
    pub max: i64,
    /// What it means.
    pub about: &'static str,
}

/// The parameters do not fit the program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParamError {
    /// It has no parameter of this name.
    #[error("`{program}` has no parameter `{name}`: {known}")]
    Unknown {
        /// The program.
        program: &'static str,
        /// What was given.
        name: String,
        /// What could be given.
        known: String,
    },
    /// The value is no number, or not an allowed one.
    #[error(
        "`{name}` of `{program}` cannot be `{value}`: it is a number from {min} to {max}, {about}"
    )]
    BadValue {
        /// The program.
        program: &'static str,
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// The least value allowed.
        min: i64,
        /// The greatest value allowed.
        max: i64,
        /// What the parameter means.
        about: &'static str,
    },
}

/// A value for each parameter of a program.
#[derive(Clone, Debug)]
pub(crate) struct Values(Vec<(&'static str, i64)>);

impl Values {
    /// The value of a parameter that the program has.
    pub(crate) fn get(&self, name: &str) -> i64 {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map_or(0, |(_, value)| *value)
    }

    /// A parameter that says how many.
    pub(crate) fn count(&self, name: &str) -> usize {
        usize::try_from(self.get(name)).unwrap_or(0)
    }

    /// Whether a switch is on.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.get(name) == 1
    }
}

impl Program {
    /// The program with these parameters; those not given have their defaults.
    ///
    /// # Errors
    /// A parameter that it does not have, or a value that is not allowed.
    pub fn instantiate(&self, params: &BTreeMap<String, String>) -> Result<Built, ParamError> {
        Ok((self.build)(&self.values(params)?))
    }

    /// How many traces it has, if a closed form is known. Timeouts fire as they do by
    /// default. Nothing for parameters that do not fit either.
    #[must_use]
    pub fn known_traces(
        &self,
        params: &BTreeMap<String, String>,
        delivery: Delivery,
    ) -> Option<u128> {
        (self.traces)(&self.values(params).ok()?, delivery)
    }

    /// Whether some execution shows what is [`wrong`](Program::wrong) with these
    /// parameters. Nondeterminism shows only if steps are run twice.
    #[must_use]
    pub fn goes_wrong(&self, params: &BTreeMap<String, String>, delivery: Delivery) -> bool {
        match (&self.wrong, self.values(params)) {
            (Some(wrong), Ok(values)) => (wrong.when)(&values, delivery),
            _ => false,
        }
    }

    fn values(&self, params: &BTreeMap<String, String>) -> Result<Values, ParamError> {
        let mut values = Vec::with_capacity(self.parameters.len());
        for parameter in self.parameters {
            let value = match params.get(parameter.name) {
                None => parameter.default,
                Some(text) => parameter.read(self.name, text)?,
            };
            values.push((parameter.name, value));
        }
        let known = |name: &str| self.parameters.iter().any(|known| known.name == name);
        match params.keys().find(|name| !known(name)) {
            None => Ok(Values(values)),
            Some(name) => Err(ParamError::Unknown {
                program: self.name,
                name: name.clone(),
                known: self.list_parameters(),
            }),
        }
    }

    fn list_parameters(&self) -> String {
        if self.parameters.is_empty() {
            return "it has none".into();
        }
        let names: Vec<_> = self
            .parameters
            .iter()
            .map(|known| format!("`{}`", known.name))
            .collect();
        format!("it has {}", names.join(", "))
    }
}

impl Parameter {
    /// Whether it is on or off, which may be said in words.
    fn is_switch(&self) -> bool {
        (self.min, self.max) == (0, 1)
    }

    fn read(&self, program: &'static str, text: &str) -> Result<i64, ParamError> {
        let value = match text.trim() {
            "true" if self.is_switch() => Ok(1),
            "false" if self.is_switch() => Ok(0),
            number => number.parse(),
        };
        match value {
            Ok(value) if (self.min..=self.max).contains(&value) => Ok(value),
            _ => Err(ParamError::BadValue {
                program,
                name: self.name,
                value: text.into(),
                min: self.min,
                max: self.max,
                about: self.about,
            }),
        }
    }
}
