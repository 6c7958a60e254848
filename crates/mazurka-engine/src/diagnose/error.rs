//! The error that is diagnosed, as one that other executions may have, too.

use crate::frontend::Frontend;
use crate::verdict::{Finding, Kind};
use crate::view::Execution;

/// An error.
pub(super) struct Error<'f> {
    finding: &'f Finding,
}

/// What an execution is to one who looks for the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Health {
    /// It has the error.
    Ill,
    /// It has another one.
    OtherwiseIll,
    /// It has none.
    Well,
}

impl<'f> Error<'f> {
    pub(super) fn new(finding: &'f Finding) -> Self {
        Error { finding }
    }

    pub(super) fn health<F: Frontend>(&self, execution: &Execution<'_, F>) -> Health {
        if !execution.is_remarkable() {
            return Health::Well;
        }
        let findings = execution.findings();
        if findings.iter().any(|finding| self.is(finding)) {
            Health::Ill
        } else if findings.iter().any(|finding| finding.kind.is_error()) {
            Health::OtherwiseIll
        } else {
            Health::Well
        }
    }

    /// Whether this is the same error, for one who wonders how to avoid it: the process fails,
    /// however it does, or waits for ever.
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
