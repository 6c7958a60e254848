//! The cases that all tests of the gallery go through.

use mazurka_engine::Delivery;
use mazurka_gallery::{Program, find};
use std::collections::BTreeMap;

/// A program with parameters, and its numbers of traces.
pub struct Case {
    pub text: &'static str,
    /// Under each of [`Delivery::ALL`].
    pub traces: [u64; 4],
    /// Small enough for brute force in a test. The others without a closed form (marked
    /// below) were compared with it once, with a limit of eight million configurations.
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

/// From `n=3 fixed=1`.
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
    small("client-server clients=1 rounds=3",                [1, 1, 1, 1]),
    small("client-server",                                   [6, 6, 6, 6]),
    large("client-server clients=3 rounds=2",                [90, 90, 90, 90]),
    large("client-server clients=3 rounds=3",                [1680, 1680, 1680, 1680]),
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
    small("nondeterministic",                                [1, 1, 1, 1]),
];
