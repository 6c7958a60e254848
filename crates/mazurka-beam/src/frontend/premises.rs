//! The rules of a program that a verdict states.

use mazurka_engine::Premise;

use super::{Kills, Pattern, Rules, show};

impl Rules {
    /// What a verdict depends on.
    pub(super) fn premises(&self) -> impl Iterator<Item = Premise> {
        let premises = [
            self.kills.premise(),
            self.ignored_premise(),
            self.patient_premise(),
            self.normal_premise(),
        ];
        premises.into_iter().flatten()
    }

    fn ignored_premise(&self) -> Option<Premise> {
        let value = listed(self.ignored.iter().map(Pattern::to_string))?;
        Some(Premise {
            name: "ignore-process",
            means: "their crashes, and that they wait for ever, are no errors".to_owned(),
            verified: format!("except for {value}"),
            value,
        })
    }

    fn patient_premise(&self) -> Option<Premise> {
        let value = listed(self.patient.iter().cloned())?;
        Some(Premise {
            name: "ignore-timeouts-in",
            means: "their timeouts fire only when nothing else can happen".to_owned(),
            verified: format!("without early timeouts in {value}"),
            value,
        })
    }

    fn normal_premise(&self) -> Option<Premise> {
        let value = listed(self.normal.iter().map(show::term))?;
        Some(Premise {
            name: "treat-as-normal",
            means: "exits with these reasons are no crashes".to_owned(),
            verified: format!("with the exit reason {value} as normal"),
            value,
        })
    }
}

impl Kills {
    fn premise(&self) -> Option<Premise> {
        let value = listed(self.victims.iter().map(Pattern::to_string))?;
        let most = match self.max {
            1 => "at most one kill".to_owned(),
            max => format!("at most {max} kills"),
        };
        Some(Premise {
            name: "kill",
            verified: format!("with {most} ({value})"),
            means: format!("{most} in an execution, at any point"),
            value,
        })
    }
}

/// The values with commas, if there are any.
fn listed(values: impl Iterator<Item = String>) -> Option<String> {
    let values: Vec<String> = values.collect();
    (!values.is_empty()).then(|| values.join(", "))
}
