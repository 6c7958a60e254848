//! The subjects of Laurent 2023 (directed DPOR), and the figures of its searches up to the bug.

use mazurka_engine::{Strategy, Valuation};

/// A subject, with the published figures.
pub struct Hunted {
    /// Its name in the report, or ours if the report has no figures.
    pub name: &'static str,
    /// The program of the gallery.
    pub program: &'static str,
    /// The switches that are on.
    pub switches: &'static [&'static str],
    /// States and transitions by search, in the order of [`SEARCHES`].
    published: [Option<&'static str>; SEARCHES],
}

/// The number of searches that the report compares: depth first by depth, by max-match, by min-match, by
/// similarity avoidance; uniformly random; A* by distance.
const SEARCHES: usize = 6;

impl Hunted {
    /// The published figures of a search, as they are printed: states / transitions.
    pub fn published(&self, way: &Way) -> Option<&'static str> {
        let column = match (way.strategy, way.valuation) {
            (Strategy::Dfs, None) => 0,
            (Strategy::BestFirst { threshold: None }, Some(Valuation::MaxMatch)) => 1,
            (Strategy::BestFirst { threshold: None }, Some(Valuation::MinMatch)) => 2,
            (Strategy::BestFirst { threshold: None }, Some(Valuation::SimilarityAvoidance)) => 3,
            (Strategy::Random { .. }, None) => 4,
            (Strategy::BestFirst { threshold: None }, Some(Valuation::Distance)) => 5,
            _ => return None,
        };
        self.published[column]
    }
}

/// The subjects: first those that only have the patterns, then the scaled-up ones.
pub const HUNTED: &[Hunted] = &[
    Hunted {
        name: "any-deadlock",
        program: "any-deadlock",
        switches: &[],
        published: [None; SEARCHES],
    },
    Hunted {
        name: "any-assert",
        program: "any-assert",
        switches: &[],
        published: [None; SEARCHES],
    },
    Hunted {
        name: "pattern",
        program: "hidden-race",
        switches: &[],
        published: [
            Some("83 / 224"),
            Some("42 / 114"),
            Some("20 / 23"),
            Some("19 / 22"),
            Some("23±15 / 37±39"),
            Some("19 / 24"),
        ],
    },
    Hunted {
        name: "pattern, reordered",
        program: "hidden-race",
        switches: &["reordered"],
        published: [
            Some("115 / 290"),
            Some("19 / 25"),
            Some("44 / 93"),
            Some("39 / 69"),
            Some("23±17 / 38±46"),
            Some("20 / 25"),
        ],
    },
    Hunted {
        name: "pattern, synchronised",
        program: "hidden-race",
        switches: &["synchronised"],
        published: [
            Some("1246 / 12416"),
            Some("3613 / 23677"),
            Some("147611 / 713273"),
            Some("211 / 400"),
            Some("175±106 / 439±399"),
            Some(">200K / >500K"),
        ],
    },
    Hunted {
        name: "pattern, both",
        program: "hidden-race",
        switches: &["reordered", "synchronised"],
        published: [
            Some("1447 / 16881"),
            Some("2726 / 16876"),
            Some("160748 / 817156"),
            Some("2466 / 6262"),
            Some("197±122 / 527±473"),
            Some(">200K / >500K"),
        ],
    },
    Hunted {
        name: "heat",
        program: "heat",
        switches: &[],
        published: [
            Some(">100K / >1.1M"),
            Some(">100K / >860K"),
            Some("320 / 475"),
            Some("583 / 629"),
            Some("559±1529 / 2166±9173"),
            None,
        ],
    },
];

/// A way to search.
#[derive(Clone, Copy)]
pub struct Way {
    /// The strategy; its seed, if it has one, is replaced.
    pub strategy: Strategy,
    /// The valuation, if there is one.
    pub valuation: Option<Valuation>,
}

/// All ways: without valuations, and best-first by each.
pub fn ways() -> Vec<Way> {
    let plain = [
        Strategy::Dfs,
        Strategy::Bfs,
        Strategy::Random { seed: 0 },
        Strategy::Mcts { seed: 0 },
    ];
    let plain = plain.map(|strategy| Way {
        strategy,
        valuation: None,
    });
    let valued = Valuation::ALL.map(|valuation| Way {
        strategy: Strategy::BestFirst { threshold: None },
        valuation: Some(valuation),
    });
    let a_star = Way {
        strategy: Strategy::BestFirst { threshold: Some(0) },
        valuation: Some(Valuation::Distance),
    };
    plain.into_iter().chain(valued).chain([a_star]).collect()
}
