//! The two choices that shape an exploration: which process goes next, and which candidate
//! of a demand comes first.
//!
//! Both may look at the content of a graph only (pids, demands, tags), never at the order
//! in which the frontier was worked through. The numbers behind pids are given at first sight
//! and then stay, so within one exploration they count as content: then every choice is sound, and exploration stays
//! optimal in whatever order the frontier is worked through.

use crate::graph::Pick;
use crate::ids::Pid;

/// What kind of demand a process makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DemandKind {
    /// It has not begun.
    Start,
    /// It may be struck before its next action.
    GoOn,
    /// It waits for the answer of an object, or until its message is received.
    Answer,
    /// It reads an object.
    Read,
    /// It is an object with requests.
    Serve,
    /// It receives.
    Receive,
    /// It receives, with a timeout that may fire at any time.
    ReceiveOrTimeout,
    /// It chooses one of several ways to go on.
    Choose,
}

/// Chooses. Lower keys come first.
pub trait Guide {
    /// Which process goes next. Equal keys: the last in the order of pids, objects first.
    fn process_key(&self, pid: Pid, demand: DemandKind, steps: usize) -> u64;

    /// Which candidate is the canonical one. Equal keys: messages by sender and number,
    /// then old versions before new ones, then the timeout; choices by number.
    fn candidate_key(&self, receiver: Pid, candidate: Pick) -> u64;
}

/// The default: first what leaves no choice, then answers, then what a process chooses by
/// itself, and receives last, when everything that can be sent has been sent. That leaves little to re-read.
#[derive(Clone, Copy, Debug, Default)]
pub struct SendersFirst;

impl Guide for SendersFirst {
    #[inline]
    fn process_key(&self, _: Pid, demand: DemandKind, _: usize) -> u64 {
        match demand {
            DemandKind::Start => 0,
            DemandKind::Answer => 1,
            DemandKind::GoOn => 2,
            DemandKind::Choose => 3,
            DemandKind::Receive => 4,
            DemandKind::ReceiveOrTimeout => 5,
            DemandKind::Serve => 6,
            DemandKind::Read => 7,
        }
    }

    #[inline]
    fn candidate_key(&self, _: Pid, _: Pick) -> u64 {
        0
    }
}

/// Arbitrary but fixed choices, to show that any will do.
#[derive(Clone, Copy, Debug)]
pub struct ByHash {
    /// Another seed, other choices.
    pub seed: u64,
}

impl Guide for ByHash {
    fn process_key(&self, pid: Pid, demand: DemandKind, steps: usize) -> u64 {
        let steps = steps as u64;
        mix(self.seed ^ u64::from(pid.0) << 40 ^ steps << 8 ^ demand as u64)
    }

    fn candidate_key(&self, receiver: Pid, candidate: Pick) -> u64 {
        let what = match candidate {
            Pick::Start => 1,
            Pick::GoOn => 2,
            Pick::Timeout => 3,
            Pick::QuietTimeout => 4,
            Pick::Message { sender, seq } => 5 | u64::from(sender.0) << 8 | u64::from(seq) << 32,
            Pick::Version(version) => 6 | u64::from(version) << 8,
            Pick::Choice(chosen) => 7 | u64::from(chosen) << 8,
        };
        mix(self.seed.rotate_left(17) ^ u64::from(receiver.0) << 48 ^ what)
    }
}

/// A good scrambling of the bits (the finaliser of splitmix64).
pub(crate) fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
