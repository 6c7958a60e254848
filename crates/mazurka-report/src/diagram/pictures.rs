//! The executions of a check, or of a replay, that are drawn.

use super::{Diagram, DrawError};
use crate::case::Case;
use crate::drive::DriveOutcome;
use crate::outcome::Outcome;
use crate::subject::Subject;
use crate::text::process_with_role;
use mazurka_engine::Finding;

/// An execution to draw.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The program and what goes wrong.
    pub title: String,
    /// The execution, unless it cannot be drawn.
    pub diagram: Result<Diagram, DrawError>,
}

/// The maximum number of executions that are drawn.
const PICTURES_MAX: usize = 10;

impl Outcome {
    /// One for each error that is reported; at most ten.
    #[must_use]
    pub fn pictures(&self) -> Vec<Picture> {
        let cases = self.cases();
        let picture = |case: &Case<'_>| {
            let findings: Vec<&Finding> = case.here().map(|kept| &kept.found.finding).collect();
            let (found, diagnosis) = (&case.lead.found, case.lead.diagnosis.as_ref());
            Picture {
                title: title(&self.subject, Some(&found.finding)),
                diagram: Diagram::new(&found.trace, &findings, diagnosis),
            }
        };
        cases.iter().take(PICTURES_MAX).map(picture).collect()
    }
}

impl DriveOutcome {
    /// The picture of the execution.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let findings: Vec<&Finding> = self.errors.iter().map(|wrong| &wrong.finding).collect();
        let first = self.errors.first();
        let diagnosis = first.and_then(|wrong| wrong.diagnosis.as_ref());
        Picture {
            title: title(&self.subject, findings.first().copied()),
            diagram: Diagram::new(&self.trace, &findings, diagnosis),
        }
    }
}

fn title(subject: &Subject, finding: Option<&Finding>) -> String {
    match finding {
        Some(finding) => format!(
            "{subject}: {} in process {}",
            finding.kind,
            process_with_role(finding)
        ),
        None => subject.to_string(),
    }
}
