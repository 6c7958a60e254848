//! What can be valued, and how much each counts.

use std::fmt;
use std::str::FromStr;

/// A reason to look at one beginning of an execution before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Valuation {
    /// Long beginnings first.
    Depth,
    /// Messages are received as soon as they can be.
    MaxMatch,
    /// Messages wait as long as they can.
    MinMatch,
    /// What looks like something seen before comes late: each process has done as many steps.
    SimilarityAvoidance,
    /// The same, up to renaming the processes that have done as many steps.
    ActorSymmetry,
    /// Beginnings that turn as many independent races round as possible come first.
    FlipParallel,
    /// Receives that take messages of anyone come late, when all have been sent.
    DelayAny,
    /// A poll that is repeated though nothing has come is put off.
    AntiPoll,
    /// One process goes on as long as it can.
    FewSwitches,
    /// The processes take turns.
    ManySwitches,
    /// The way done plus the least number of steps to an assertion or an error, as far as the
    /// program tells.
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

    /// Its name.
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

/// Valuations that are added up, each with a weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Valuations {
    weights: [u16; Valuation::ALL.len()],
}

impl Valuations {
    /// None.
    #[must_use]
    pub fn none() -> Self {
        Valuations::default()
    }

    /// These and one more. A weight of 0 is as good as none.
    #[must_use]
    pub fn with(mut self, valuation: Valuation, weight: u16) -> Self {
        self.weights[valuation as usize] = weight.min(WEIGHT_MAX);
        self
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.iter().all(|&weight| weight == 0)
    }

    /// Whether any of them depends on what was met before.
    pub(super) fn remember(&self) -> bool {
        let all = [Valuation::SimilarityAvoidance, Valuation::ActorSymmetry];
        all.into_iter().any(|valuation| self.weight(valuation) > 0)
    }

    /// How much a valuation counts.
    #[inline]
    #[must_use]
    pub fn weight(&self, valuation: Valuation) -> u16 {
        self.weights[valuation as usize]
    }

    /// Those that count, with their weights.
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

    /// Names, each perhaps with `:` and a weight, with commas between them.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut valuations = Valuations::none();
        for part in text.split(',').map(str::trim) {
            let (name, weight) = match part.split_once(':') {
                None => (part, 1),
                Some((name, weight)) => {
                    let weight = weight.parse().ok();
                    let weight = weight.filter(|weight| (1..=WEIGHT_MAX).contains(weight));
                    let weight = weight.ok_or_else(|| {
                        format!("the weight in `{part}` is no number from 1 to {WEIGHT_MAX}")
                    })?;
                    (name, weight)
                }
            };
            let valuation = name.parse()?;
            if valuations.weight(valuation) > 0 {
                return Err(format!("`{valuation}` is there twice"));
            }
            valuations = valuations.with(valuation, weight);
        }
        Ok(valuations)
    }
}

/// Where valuations can have a say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Which beginning of an execution is looked at next.
    Frontier,
    /// Which process goes next.
    Next,
    /// Which candidate of a demand is the first.
    Prefer,
}

impl Place {
    /// All of them.
    pub const ALL: [Place; 3] = [Place::Frontier, Place::Next, Place::Prefer];

    /// Those at which a say changes only the order of an exploration. Another process that goes
    /// next can make it longer.
    pub const USUAL: [Place; 2] = [Place::Frontier, Place::Prefer];

    /// Its name.
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

/// Valuations, and where they have a say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// The valuations.
    pub valuations: Valuations,
    places: [bool; Place::ALL.len()],
}

impl Default for Direction {
    /// No valuations.
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

    /// Where valuations have a say.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        let all = Place::ALL.into_iter();
        all.filter(|&place| self.places[place as usize])
    }

    /// The valuations that have a say there.
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
    fn bad_valuations_say_what_is_good() {
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
