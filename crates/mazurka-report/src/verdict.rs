//! The verdict of a check.

use crate::exit::Exit;
use crate::outcome::{End, Kept, Outcome};
use mazurka_engine::Kind;

/// The verdict of a check, given the expected errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything was explored, and there are no errors.
    Verified,
    /// There are errors that were not expected.
    Wrong,
    /// There are unexpected errors, but none of them occurs again when it is replayed: the program is
    /// not deterministic.
    Unreproducible,
    /// There are errors of all kinds that were expected, and no others.
    AsExpected,
    /// Everything was explored, and errors of an expected kind are missing.
    Missing,
    /// A bound, or the user, ended the check before there was a verdict.
    Stopped,
    /// The program could not continue.
    Fault,
}

impl Outcome {
    /// The verdict. An error counts, whatever ended the check.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let expects = !self.options.expect.is_empty();
        match &self.end {
            _ if self.unexpected().any(|kept| !kept.is_unreproducible()) => Verdict::Wrong,
            _ if self.errors().any(Kept::is_unreproducible) => Verdict::Unreproducible,
            _ if expects && self.missing().is_empty() => Verdict::AsExpected,
            End::Fault(_) => Verdict::Fault,
            End::Complete if expects => Verdict::Missing,
            End::Complete => Verdict::Verified,
            _ => Verdict::Stopped,
        }
    }

    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match (self.verdict(), &self.end) {
            (Verdict::Verified | Verdict::AsExpected, _) => Exit::Fine,
            (Verdict::Wrong | Verdict::Missing, _) => Exit::Bug,
            (Verdict::Unreproducible, _) => Exit::Nondeterministic,
            (Verdict::Fault, End::Fault(fault)) => Exit::of_fault(fault),
            (Verdict::Fault | Verdict::Stopped, _) => Exit::Stopped,
        }
    }

    /// The kinds of errors that were expected, each once.
    #[must_use]
    pub fn expected(&self) -> Vec<Kind> {
        let mut kinds = self.options.expect.clone();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// The kinds of errors that were expected and not found.
    #[must_use]
    pub fn missing(&self) -> Vec<Kind> {
        let found = |kind| self.errors().any(|kept| kept.found.finding.kind == kind);
        let mut kinds = self.expected();
        kinds.retain(|&kind| !found(kind));
        kinds
    }
}
