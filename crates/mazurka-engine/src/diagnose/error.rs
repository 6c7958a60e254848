//! The error that is diagnosed, and whether another execution has the same error.

use crate::frontend::Frontend;
use crate::verdict::{Finding, Kind};
use crate::view::Execution;

/// The error that is diagnosed.
pub(super) struct Error<'f> {
    finding: &'f Finding,
}

/// Which errors an execution has, compared with the diagnosed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// It has the error.
    Fails,
    /// It has another error.
    FailsOtherwise,
    /// It has no error.
    Passes,
}

impl<'f> Error<'f> {
    pub(super) fn new(finding: &'f Finding) -> Self {
        Error { finding }
    }

    pub(super) fn outcome<F: Frontend>(&self, execution: &Execution<'_, F>) -> Outcome {
        if !execution.is_remarkable() {
            return Outcome::Passes;
        }
        let findings = execution.findings();
        if findings.iter().any(|finding| self.is(finding)) {
            Outcome::Fails
        } else if findings.iter().any(|finding| finding.kind.is_error()) {
            Outcome::FailsOtherwise
        } else {
            Outcome::Passes
        }
    }

    /// Whether this counts as the same error: of the same process and kind. A crash and a failed
    /// assertion count as the same kind.
    fn is(&self, other: &Finding) -> bool {
        let same_process = self.finding.process == other.process;
        let same_kind = match self.finding.kind {
            Kind::Crash | Kind::Assertion => {
                matches!(other.kind, Kind::Crash | Kind::Assertion)
            }
            kind => other.kind == kind,
        };
        same_process && same_kind
    }
}
