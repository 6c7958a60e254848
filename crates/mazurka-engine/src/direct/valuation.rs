//! The valuations, their weights, and the places where they count.

use std::fmt;
use std::str::FromStr;

/// A measure by which prefixes, processes or candidates are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Valuation {
    /// Long prefixes first.
    Depth,
    /// Many received messages first: messages are received as soon as possible.
    MaxMatch,
    /// Few received messages first: messages wait as long as possible.
    MinMatch,
    /// Prefixes last that are similar to earlier ones: each process has done the same number of steps.
    SimilarityAvoidance,
    /// The same up to renaming processes.
    ActorSymmetry,
    /// Prefixes first that reverse races of many processes.
    FlipParallel,
    /// Receives from any sender late, when all messages have been sent.
    DelayAny,
    /// Repeated polls, timeouts directly after a timeout, late.
    AntiPoll,
    /// Few switches between processes.
    FewSwitches,
    /// Many switches between processes.
    ManySwitches,
    /// Few steps so far plus the sum of the distances to an error that the processes report.
    Distance,
}

impl Valuation {
    /// All of them.
    pub const ALL: [Valuation; 11] = [
        Valuation::Depth,
        Valuation::MaxMatch,
        Valuation::MinMatch,
        Valuation::SimilarityAvoidance,
        Valuation::ActorSymmetry,
        Valuation::FlipParallel,
        Valuation::DelayAny,
        Valuation::AntiPoll,
        Valuation::FewSwitches,
        Valuation::ManySwitches,
        Valuation::Distance,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Valuation::Depth => "depth",
            Valuation::MaxMatch => "max-match",
            Valuation::MinMatch => "min-match",
            Valuation::SimilarityAvoidance => "similarity-avoidance",
            Valuation::ActorSymmetry => "actor-symmetry",
            Valuation::FlipParallel => "flip-parallel",
            Valuation::DelayAny => "delay-any",
            Valuation::AntiPoll => "anti-poll",
            Valuation::FewSwitches => "actor-switch=min",
            Valuation::ManySwitches => "actor-switch=max",
            Valuation::Distance => "distance",
        }
    }
}

impl fmt::Display for Valuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Valuation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Valuation::ALL.into_iter();
        all.find(|valuation| valuation.name() == text)
            .ok_or_else(|| {
                let names = Valuation::ALL.map(Valuation::name).join(", ");
                format!("unknown valuation `{text}`: use {names}")
            })
    }
}

/// The greatest weight of a valuation.
const WEIGHT_MAX: u16 = 1000;

/// A weighted sum of valuations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Valuations {
    weights: [u16; Valuation::ALL.len()],
}

impl Valuations {
    /// The empty sum.
    #[must_use]
    pub fn none() -> Self {
        Valuations::default()
    }

    /// Sets the weight of a valuation; 0 removes it.
    #[must_use]
    pub fn with(mut self, valuation: Valuation, weight: u16) -> Self {
        self.weights[valuation as usize] = weight.min(WEIGHT_MAX);
        self
    }

    /// Whether all weights are 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.iter().all(|&weight| weight == 0)
    }

    /// Whether any of them depends on earlier visits.
    pub(super) fn remember(&self) -> bool {
        let all = [Valuation::SimilarityAvoidance, Valuation::ActorSymmetry];
        all.into_iter().any(|valuation| self.weight(valuation) > 0)
    }

    /// The weight of a valuation.
    #[inline]
    #[must_use]
    pub fn weight(&self, valuation: Valuation) -> u16 {
        self.weights[valuation as usize]
    }

    /// The valuations with a weight above 0.
    pub fn iter(&self) -> impl Iterator<Item = (Valuation, u16)> + '_ {
        let all = Valuation::ALL.into_iter();
        all.zip(self.weights).filter(|(_, weight)| *weight > 0)
    }
}

impl From<Valuation> for Valuations {
    fn from(valuation: Valuation) -> Self {
        Valuations::none().with(valuation, 1)
    }
}

impl fmt::Display for Valuations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (valuation, weight)) in self.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            match weight {
                1 => write!(f, "{comma}{valuation}")?,
                _ => write!(f, "{comma}{valuation}:{weight}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Valuations {
    type Err = String;

    /// Parses `NAME[:WEIGHT],...`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut valuations = Valuations::none();
        for part in text.split(',').map(str::trim) {
            let (name, weight) = match part.split_once(':') {
                None => (part, 1),
                Some((name, weight)) => {
                    let weight = weight.parse().ok();
                    let weight = weight.filter(|weight| (1..=WEIGHT_MAX).contains(weight));
                    let weight = weight.ok_or_else(|| {
                        format!("the weight in `{part}` is not a number from 1 to {WEIGHT_MAX}")
                    })?;
                    (name, weight)
                }
            };
            let valuation = name.parse()?;
            if valuations.weight(valuation) > 0 {
                return Err(format!("`{valuation}` is given twice"));
            }
            valuations = valuations.with(valuation, weight);
        }
        Ok(valuations)
    }
}

/// A choice that valuations can influence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Which item of the frontier is explored next.
    Frontier,
    /// Which process runs next.
    Next,
    /// Which candidate of a demand is first.
    Prefer,
}

impl Place {
    /// All of them.
    pub const ALL: [Place; 3] = [Place::Frontier, Place::Next, Place::Prefer];

    /// The places used by default, which change only the order of an exploration. Another choice of the
    /// next process can make it longer.
    pub const USUAL: [Place; 2] = [Place::Frontier, Place::Prefer];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Place::Frontier => "frontier",
            Place::Next => "next",
            Place::Prefer => "prefer",
        }
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Place::ALL.into_iter();
        all.find(|place| place.name() == text)
            .ok_or_else(|| format!("unknown place `{text}`: use frontier, next or prefer"))
    }
}

/// Valuations and the places where they count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// The valuations.
    pub valuations: Valuations,
    places: [bool; Place::ALL.len()],
}

impl Default for Direction {
    /// No valuations, at the usual places.
    fn default() -> Self {
        Valuations::none().into()
    }
}

impl From<Valuations> for Direction {
    /// These valuations, at the usual places.
    fn from(valuations: Valuations) -> Self {
        Direction::new(valuations, &Place::USUAL)
    }
}

impl Direction {
    /// These valuations, at these places.
    #[must_use]
    pub fn new(valuations: Valuations, places: &[Place]) -> Self {
        Direction {
            valuations,
            places: Place::ALL.map(|place| places.contains(&place)),
        }
    }

    /// The places where the valuations count.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        let all = Place::ALL.into_iter();
        all.filter(|&place| self.places[place as usize])
    }

    /// The valuations that count at a place.
    #[must_use]
    pub fn at(&self, place: Place) -> Valuations {
        match self.places[place as usize] {
            true => self.valuations,
            false => Valuations::none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valuations_read_what_they_print() {
        for valuation in Valuation::ALL {
            assert_eq!(valuation.to_string().parse(), Ok(valuation));
        }
        let text = "max-match,similarity-avoidance:3,actor-switch=min";
        let valuations: Valuations = text.parse().unwrap();
        assert_eq!(valuations.weight(Valuation::SimilarityAvoidance), 3);
        assert_eq!(valuations.to_string(), text);
    }

    #[test]
    fn errors_name_the_valid_values() {
        let error = |text: &str| text.parse::<Valuations>().unwrap_err();
        assert!(error("max").contains("max-match, min-match"));
        assert!(error("depth:0").contains("from 1 to 1000"));
        assert!(error("depth:many").contains("from 1 to 1000"));
        assert!(error("depth,depth").contains("twice"));
        assert!(error("").contains("unknown valuation ``"));
    }

    #[test]
    fn a_place_can_be_left_out() {
        let direction = Direction::new(Valuation::Depth.into(), &[Place::Next]);
        assert_eq!(direction.places().collect::<Vec<_>>(), [Place::Next]);
        assert!(direction.at(Place::Frontier).is_empty());
        assert!(!direction.at(Place::Next).is_empty());
    }
}
