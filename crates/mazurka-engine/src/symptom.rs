//! What findings have in common that differ only in numbers: most likely one cause.

use crate::verdict::{Finding, Kind};

/// A finding without its process and without the digits in its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symptom {
    kind: Kind,
    role: Option<String>,
    message: String,
}

impl Symptom {
    /// The symptom that a finding shows.
    #[must_use]
    pub fn of(finding: &Finding) -> Self {
        Symptom {
            kind: finding.kind,
            role: finding.role.clone(),
            message: without_digits(&finding.message),
        }
    }
}

/// A text without its digits.
#[must_use]
pub fn without_digits(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}
