//! Valuations that choose the next process and the first candidate.
//!
//! Only the content of a graph may count here. A valuation that depends on earlier visits orders the
//! choices arbitrarily instead, by hash.
//!
//! A choice among waiting messages is cheap. A receive that runs before a message for it is sent is
//! expensive: each such message leads to a race variant. So processes run in the default order, and
//! only when the next one has a choice may another one that has a choice run before it. Among those,
//! processes that are deeper in the spawn tree run first: parents mostly wait for their children.

use super::valuation::{Direction, Place, Valuation};
use crate::frontend::Frontend;
use crate::graph::Pick;
use crate::guide::{Candidate, DemandKind, Guide, SendersFirst, Standing, mix};

/// Upper bound of the key of one valuation; larger keys are cut to it.
const MANY: u64 = 1 << 20;
/// Processes more spawns deep than this count as this deep: the key has 8 bits for it.
const GENERATIONS: u64 = 255;
/// Number of hash values that choices are spread over: enough to separate the few candidates of a
/// demand, and small enough that another valuation with a weight above 16 outweighs them.
const SPREAD: u64 = 16;

/// A guide that orders by valuations first, then as [`SendersFirst`].
#[derive(Clone, Debug)]
pub struct Directed {
    next: Vec<(Valuation, u64)>,
    prefer: Vec<(Valuation, u64)>,
}

impl Directed {
    /// The guide of a direction.
    #[must_use]
    pub fn new(direction: &Direction) -> Self {
        let weighed = |place| {
            let valuations = direction.at(place);
            valuations
                .iter()
                .map(|(v, weight)| (v, weight.into()))
                .collect()
        };
        Directed {
            next: weighed(Place::Next),
            prefer: weighed(Place::Prefer),
        }
    }
}

impl Guide for Directed {
    #[inline]
    fn process_key<F: Frontend>(&self, standing: &Standing<'_, F>) -> u64 {
        SendersFirst.process_key(standing)
    }

    #[inline]
    fn choice_key<F: Frontend>(&self, standing: &Standing<'_, F>) -> Option<u64> {
        match self.next[..] {
            [] => None,
            [..] => self.valued_choice(standing),
        }
    }

    #[inline]
    fn candidate_key<F: Frontend>(&self, candidate: &mut Candidate<'_, F>) -> u64 {
        let valued = self.prefer.iter().map(|(valuation, weight)| {
            let value = of_candidate(*valuation, candidate).min(MANY);
            weight * value
        });
        valued.sum()
    }
}

impl Directed {
    fn valued_choice<F: Frontend>(&self, standing: &Standing<'_, F>) -> Option<u64> {
        if !has_choice(standing) {
            return None;
        }
        let valued = self.next.iter().map(|(valuation, weight)| {
            let value = of_process(*valuation, standing).min(MANY);
            weight * value
        });
        let usual = SendersFirst.process_key(standing);
        let earlier = GENERATIONS.saturating_sub(standing.generation().into());
        Some(earlier << 48 | valued.sum::<u64>() << 8 | usual)
    }
}

/// Whether the demand may have several candidates.
fn has_choice<F: Frontend>(standing: &Standing<'_, F>) -> bool {
    match standing.demand() {
        DemandKind::Start | DemandKind::Answer | DemandKind::GoOn => false,
        DemandKind::Receive | DemandKind::Serve => standing.waiting() > 1,
        DemandKind::ReceiveOrTimeout | DemandKind::Choose | DemandKind::Read => true,
    }
}

fn of_process<F: Frontend>(valuation: Valuation, standing: &Standing<'_, F>) -> u64 {
    let events = u64::from(standing.events());
    let demand = standing.demand();
    let receives = matches!(demand, DemandKind::Receive | DemandKind::ReceiveOrTimeout);
    match valuation {
        Valuation::MaxMatch => u64::from(!receives),
        Valuation::MinMatch => u64::from(receives),
        Valuation::AntiPoll => u64::from(standing.has_just_polled()),
        // The others order receives only; all else runs before them.
        _ if !receives => 0,
        Valuation::Depth => MANY.saturating_sub(standing.past()),
        Valuation::SimilarityAvoidance => spread(standing.identity(), standing.events(), 0),
        Valuation::DelayAny => u64::from(standing.takes_from_anyone()),
        Valuation::Distance => standing.distance().map_or(MANY, u64::from),
        Valuation::ActorSymmetry | Valuation::ManySwitches => events,
        Valuation::FewSwitches => MANY.saturating_sub(events),
        Valuation::FlipParallel => MANY.saturating_sub(standing.waiting() as u64),
    }
}

fn of_candidate<F: Frontend>(valuation: Valuation, candidate: &mut Candidate<'_, F>) -> u64 {
    let pick = candidate.pick();
    let is_message = matches!(pick, Pick::Message { .. });
    let is_timeout = matches!(pick, Pick::Timeout | Pick::QuietTimeout);
    let seq = match pick {
        Pick::Message { seq, .. } => u64::from(seq),
        _ => 0,
    };
    match valuation {
        Valuation::Depth => MANY.saturating_sub(candidate.past().unwrap_or(0)),
        // The messages that have waited longest first.
        Valuation::MaxMatch => candidate.sent_after().unwrap_or(MANY),
        Valuation::MinMatch => u64::from(is_message),
        Valuation::SimilarityAvoidance => {
            let receiver = candidate.identity(candidate.receiver());
            spread(receiver, candidate.events(), candidate.coarse_order())
        }
        Valuation::ActorSymmetry | Valuation::ManySwitches => seq,
        Valuation::FewSwitches => MANY.saturating_sub(seq),
        // The reverse of the default order.
        Valuation::FlipParallel => MANY.saturating_sub(candidate.coarse_order()),
        Valuation::DelayAny => u64::from(!is_timeout || !candidate.is_for_anyone()),
        Valuation::AntiPoll => u64::from(candidate.is_repeated_poll()),
        Valuation::Distance => candidate.distance().map_or(MANY, u64::from),
    }
}

/// Hash of a process, its number of events and a choice.
fn spread(process: u64, events: u32, choice: u64) -> u64 {
    mix(process ^ u64::from(events) << 24 ^ choice) % SPREAD
}
