//! The executions of a check, or of a replay, that are worth a picture.

use super::{Diagram, DrawError};
use crate::follow::Followed;
use crate::outcome::{Kept, Outcome};
use crate::subject::Subject;
use crate::text::process_with_role;
use mazurka_engine::Finding;
use std::rc::Rc;

/// An execution to look at.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The program and what goes wrong.
    pub title: String,
    /// The execution, unless it cannot be drawn.
    pub diagram: Result<Diagram, DrawError>,
}

/// Nobody looks at more.
const PICTURES_MAX: usize = 10;

impl Outcome {
    /// One for each execution that has errors, in the order of the errors; at most ten.
    #[must_use]
    pub fn pictures(&self) -> Vec<Picture> {
        let errors: Vec<&Kept> = self.errors().collect();
        let mut pictures = Vec::new();
        for (number, kept) in errors.iter().enumerate() {
            let trace = &kept.found.trace;
            let same = |other: &&&Kept| {
                Rc::ptr_eq(&other.found.trace, trace) || other.found.trace == *trace
            };
            if errors[..number].iter().any(|other| same(&other)) {
                continue;
            }
            let findings = errors.iter().filter(same);
            let findings: Vec<&Finding> = findings.map(|other| &other.found.finding).collect();
            pictures.push(Picture {
                title: title(&self.subject, findings.first().copied()),
                diagram: Diagram::new(trace, &findings, kept.diagnosis.as_ref()),
            });
            if pictures.len() == PICTURES_MAX {
                break;
            }
        }
        pictures
    }
}

impl Followed {
    /// What happened.
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
