//! Programs of the gallery and their parameters.

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
    /// The default delivery model: that of the paper for programs from a paper, `mailbox` for the
    /// others.
    pub delivery: Delivery,
    /// The deliberate error, if there is one.
    pub wrong: Option<Wrong>,
    /// The parameters.
    pub parameters: &'static [Parameter],
    pub(crate) build: fn(&Values) -> Built,
    pub(crate) traces: fn(&Values, Delivery) -> Option<u128>,
}

/// The deliberate error of a program.
#[derive(Clone, Copy, Debug)]
pub struct Wrong {
    /// The kind of error.
    pub kind: Mistake,
    /// What happens and why.
    pub about: &'static str,
    pub(crate) when: fn(&Values, Delivery) -> bool,
}

/// The kinds of errors that gallery programs have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mistake {
    /// A process ends with an uncaught failure.
    Crash,
    /// An assertion fails.
    Assertion,
    /// The entry process waits forever.
    Deadlock,
    /// A process acts differently on the same inputs.
    Nondeterminism,
}

/// A numeric parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its default value.
    pub default: i64,
    /// The minimum.
    pub min: i64,
    /// The maximum.
    pub max: i64,
    /// What it means.
    pub about: &'static str,
}

/// The parameters do not fit the program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParamError {
    /// The program has no parameter with this name.
    #[error("`{program}` has no parameter `{name}`: {known}")]
    Unknown {
        /// The program.
        program: &'static str,
        /// The name or value that was given.
        name: String,
        /// The parameters of the program, as text.
        known: String,
    },
    /// The value is not a number, or is out of range.
    #[error(
        "`{name}` of `{program}` cannot be `{value}`: it is a number from {min} to {max}, {about}"
    )]
    BadValue {
        /// The program.
        program: &'static str,
        /// The parameter.
        name: &'static str,
        /// The name or value that was given.
        value: String,
        /// The minimum.
        min: i64,
        /// The maximum.
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

    /// A parameter as a count.
    pub(crate) fn count(&self, name: &str) -> usize {
        usize::try_from(self.get(name)).unwrap_or(0)
    }

    /// Whether a switch is on.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.get(name) == 1
    }
}

impl Program {
    /// The program with these parameters. Missing ones have their default values.
    ///
    /// # Errors
    /// A parameter does not exist, or its value is not allowed.
    pub fn instantiate(&self, params: &BTreeMap<String, String>) -> Result<Built, ParamError> {
        Ok((self.build)(&self.values(params)?))
    }

    /// The number of traces with the default timeout setting; `None` if no closed form is known or
    /// the parameters are invalid.
    #[must_use]
    pub fn known_traces(
        &self,
        params: &BTreeMap<String, String>,
        delivery: Delivery,
    ) -> Option<u128> {
        (self.traces)(&self.values(params).ok()?, delivery)
    }

    /// Whether some execution with these parameters shows the [error](Program::wrong).
    /// Nondeterminism shows only if steps are run twice.
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
    /// Whether it is a switch, which also accepts `true` and `false`.
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
