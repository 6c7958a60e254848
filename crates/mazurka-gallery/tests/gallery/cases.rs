//! The cases used by all tests of the gallery.

use mazurka_engine::Delivery;
use mazurka_gallery::{Program, find};
use std::collections::BTreeMap;

/// A program with parameters, and its numbers of traces.
pub struct Case {
    pub text: &'static str,
    /// The number of traces under each of [`Delivery::ALL`].
    pub traces: [u64; 4],
    /// Whether the case is small enough for brute force in a test. The larger ones without a closed
    /// form (marked below) were compared with brute force once, with a limit of eight million
    /// configurations.
    pub small: bool,
}

impl Case {
    pub fn program(&self) -> &'static Program {
        find(self.text.split(' ').next().unwrap()).unwrap()
    }

    pub fn params(&self) -> BTreeMap<String, String> {
        params(self.text.split_once(' ').map_or("", |(_, params)| params))
    }

    pub fn traces(&self, delivery: Delivery) -> u64 {
        self.traces[Delivery::ALL.iter().position(|&d| d == delivery).unwrap()]
    }
}

/// Parses parameters such as `n=3 fixed=1`.
pub fn params(text: &str) -> BTreeMap<String, String> {
    text.split_whitespace()
        .map(|setting| setting.split_once('=').unwrap())
        .map(|(name, value)| (name.into(), value.into()))
        .collect()
}

const fn large(text: &'static str, traces: [u64; 4]) -> Case {
    Case {
        text,
        traces,
        small: false,
    }
}

const fn small(text: &'static str, traces: [u64; 4]) -> Case {
    Case {
        text,
        traces,
        small: true,
    }
}

#[rustfmt::skip]
pub const CASES: &[Case] = &[
    //                                                       unordered   p2p causal mailbox
    small("fan-in n=0",                                      [1, 1, 1, 1]),
    small("fan-in",                                          [6, 6, 6, 6]),
    large("fan-in n=5",                                      [120, 120, 120, 120]),
    large("fan-in n=8",                                      [40_320, 40_320, 40_320, 40_320]),
    small("fan-in-tagged",                                   [1, 1, 1, 1]),
    large("fan-in-tagged n=8",                               [1, 1, 1, 1]),
    small("pairs n=2",                                       [1, 1, 1, 1]),
    large("pairs n=8",                                       [1, 1, 1, 1]),
    small("registry n=0",                                    [1, 1, 1, 1]),
    small("registry",                                        [6, 6, 2, 2]),
    large("registry n=3",                                    [24, 24, 6, 6]),
    large("registry n=5",                                    [720, 720, 120, 120]),
    small("regsim-2-level groups=0",                         [1, 1, 1, 1]),
    large("regsim-2-level groups=2 n=1",                     [8, 8, 2, 2]),
    large("regsim-2-level",                                  [1296, 1296, 48, 48]),
    small("selective",                                       [2, 2, 2, 2]),
    small("bank",                                            [6, 1, 1, 1]),
    small("bank selective=1",                                [3, 1, 1, 1]),
    large("bank n=2",                                        [720, 20, 20, 20]),
    large("bank n=2 selective=1",                            [288, 20, 20, 20]), // by brute force
    small("ping-pong-register",                              [2, 2, 2, 2]),
    small("ping-pong-register fixed=1",                      [1, 1, 1, 1]),
    small("philosophers n=2",                                [3, 3, 3, 3]),
    small("philosophers n=2 fixed=1",                        [2, 2, 2, 2]),
    large("philosophers",                                    [7, 7, 7, 7]),
    large("philosophers fixed=1",                            [6, 6, 6, 6]),
    large("philosophers n=5",                                [31, 31, 31, 31]),
    large("philosophers n=5 fixed=1",                        [30, 30, 30, 30]),
    small("ring n=1",                                        [1, 1, 1, 1]),
    small("ring n=2",                                        [3, 1, 1, 1]),
    small("ring",                                            [25, 1, 1, 1]),
    large("ring n=4",                                        [707, 1, 1, 1]), // by brute force
    small("two-phase-commit n=1",                            [1, 1, 1, 1]),
    small("two-phase-commit",                                [4, 4, 4, 4]),
    large("two-phase-commit n=3",                            [36, 36, 36, 36]),
    large("two-phase-commit n=4",                            [576, 576, 576, 576]),
    small("two-phase-commit n=1 crash=1",                    [1, 1, 1, 1]),
    small("two-phase-commit n=1 crash=1 timeout=1",          [1, 1, 1, 1]),
    small("two-phase-commit n=2 timeout=1",                  [4, 4, 4, 4]),
    small("two-phase-commit n=3 crash=1",                    [2, 2, 2, 2]),
    small("two-phase-commit n=3 crash=1 timeout=1",          [4, 4, 4, 4]),
    large("two-phase-commit n=4 crash=1 timeout=1",          [36, 36, 36, 36]),
    small("paxos proposers=1",                               [1, 1, 1, 1]),
    small("paxos acceptors=2",                               [17, 17, 15, 15]),
    large("paxos",                                           [113, 113, 65, 65]),
    small("client-server clients=1 rounds=3",                [1, 1, 1, 1]),
    small("client-server",                                   [6, 6, 6, 6]),
    large("client-server clients=3 rounds=2",                [90, 90, 90, 90]),
    large("client-server clients=3 rounds=3",                [1680, 1680, 1680, 1680]),
    small("fibonacci n=0",                                   [1, 1, 1, 1]),
    small("fibonacci n=3",                                   [2, 2, 2, 2]),
    large("fibonacci",                                       [16, 16, 16, 16]),
    large("fibonacci n=6",                                   [128, 128, 128, 128]),
    small("quicksort n=1",                                   [1, 1, 1, 1]),
    small("quicksort n=2",                                   [2, 2, 2, 2]),
    large("quicksort",                                       [32, 32, 32, 32]),
    large("quicksort n=8",                                   [128, 128, 128, 128]),
    small("pi n=3",                                          [6, 6, 6, 6]),
    large("pi",                                              [120, 120, 120, 120]),
    small("pipesort n=1",                                    [1, 1, 1, 1]),
    small("pipesort n=3",                                    [12, 1, 1, 1]),
    large("pipesort",                                        [288, 1, 1, 1]),
    small("chameneos n=0 creatures=2",                       [2, 2, 2, 2]),
    small("chameneos n=1",                                   [36, 36, 36, 36]),
    large("chameneos",                                       [216, 216, 216, 216]),
    large("chameneos n=2 creatures=4",                       [3456, 3456, 3456, 3456]),
    small("leader n=1",                                      [1, 1, 1, 1]),
    small("leader n=2",                                      [4, 1, 1, 1]),
    large("leader n=3",                                      [24, 1, 1, 1]), // by brute force
    large("leader",                                          [492, 1, 1, 1]), // as in Tasharofi et al. 2012
    small("shortpath",                                       [126, 28, 9, 9]),
    large("shortpath graph=5",                               [296, 44, 26, 24]), // by brute force
    small("lost-update n=1",                                 [1, 1, 1, 1]),
    small("lost-update",                                     [4, 4, 4, 4]),
    large("lost-update n=3",                                 [30, 30, 30, 30]), // by brute force
    small("lost-update fixed=1",                             [2, 2, 2, 2]),
    large("lost-update n=5 fixed=1",                         [120, 120, 120, 120]),
    small("retry-timeout",                                   [5, 2, 2, 2]),
    small("retry-timeout fixed=1",                           [3, 2, 2, 2]),
    small("supervisor",                                      [6, 6, 6, 6]),
    small("name-race n=1",                                   [1, 1, 1, 1]),
    small("name-race",                                       [2, 2, 2, 2]),
    small("name-race fixed=1",                               [2, 2, 2, 2]),
    small("name-race n=3",                                   [6, 6, 6, 6]),
    large("name-race n=5 fixed=1",                           [120, 120, 120, 120]),
    small("counter n=0 reads=2",                             [1, 1, 1, 1]),
    small("counter",                                         [6, 6, 6, 6]),
    small("counter n=2 reads=3",                             [20, 20, 20, 20]),
    large("counter n=5 reads=2",                             [2520, 2520, 2520, 2520]),
    small("minesweeper rows=1",                              [1, 1, 1, 1]),
    small("minesweeper rows=2 columns=2",                    [1, 1, 1, 1]),
    large("minesweeper rows=2",                              [200, 200, 6, 6]), // by brute force
    small("le-erlang n=2",                                   [3, 1, 1, 1]),
    large("le-erlang n=2 failure=1",                         [504, 3, 3, 3]), // by brute force
    large("le-erlang",                                       [7322, 81, 32, 32]), // by brute force
    small("pidigits n=1",                                    [1, 1, 1, 1]),
    small("pidigits",                                        [29, 1, 1, 1]),
    small("attach clients=1",                                [3, 2, 2, 2]),
    small("attach",                                          [21, 12, 12, 12]),
    small("attach ping=1",                                   [21, 14, 14, 14]),
    small("any-deadlock",                                    [2, 2, 2, 2]),
    small("any-assert",                                      [2, 2, 2, 2]),
    small("hidden-race",                                     [2, 2, 2, 2]),
    small("hidden-race reordered=true",                      [2, 2, 2, 2]),
    small("polling n=1",                                     [3, 3, 3, 3]),
    small("polling n=5",                                     [7, 7, 7, 7]),
    small("heat n=0 pieces=1",                               [6, 6, 6, 6]),
    small("heat n=1 pieces=1",                               [36, 36, 36, 36]),
    large("heat n=1 pieces=2",                               [540, 540, 540, 540]),
    large("heat n=2 pieces=1",                               [218, 218, 218, 218]),
    large("heat n=3 pieces=1",                               [1310, 1310, 1310, 1310]),
    large("heat n=2 pieces=1 fixed=true",                    [216, 216, 216, 216]),
];
