//! What findings have in common that differ only in numbers: most likely one cause.

use crate::verdict::{Finding, Kind};

/// A finding without its process and without the digits in its text. Findings at different places
/// are different symptoms, even if they read the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symptom {
    kind: Kind,
    role: Option<String>,
    message: String,
    place: Option<String>,
}

impl Symptom {
    /// The symptom that a finding shows.
    #[must_use]
    pub fn of(finding: &Finding) -> Self {
        Symptom {
            kind: finding.kind,
            role: finding.role.clone(),
            message: without_digits(&finding.message),
            place: place_in(&finding.message).map(str::to_owned),
        }
    }
}

/// The place that ends a message, if it ends in one: `badarg at bank.erl:12`.
fn place_in(message: &str) -> Option<&str> {
    let (_, place) = message.rsplit_once(" at ")?;
    let (_, line) = place.rsplit_once(':')?;
    line.parse::<u32>().is_ok().then_some(place)
}

/// A text without its digits.
#[must_use]
pub fn without_digits(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}
