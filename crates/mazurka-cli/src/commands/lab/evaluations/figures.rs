//! The figures of Tasharofi, Karmani, Lauterburg, Legay, Marinov and Agha, "TransDPOR: A Novel
//! Dynamic Partial-Order Reduction Technique for Testing Actor Programs", 2012.

use mazurka_lab::Order;

/// The table of the paper that a row is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The introductory example, without sleep sets. The order is not given; we take the
    /// default.
    Figure1,
    /// Without sleep sets.
    Table1,
    /// With sleep sets.
    Table2,
}

impl Source {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Source::Figure1 => "figure 1",
            Source::Table1 => "table 1",
            Source::Table2 => "table 2",
        }
    }

    /// The number of the table.
    pub fn table(self) -> Option<u8> {
        match self {
            Source::Figure1 => None,
            Source::Table1 => Some(1),
            Source::Table2 => Some(2),
        }
    }

    /// Whether the figures are those with sleep sets.
    pub fn sleep_sets(self) -> bool {
        self == Source::Table2
    }
}

/// The published figures of a subject in one order.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The table that they are from.
    pub source: Source,
    /// The name of the subject.
    pub subject: &'static str,
    /// The order in which messages are tried.
    pub order: Order,
    /// The figures of dynamic partial order reduction.
    pub dpor: Published,
    /// The figures of TransDPOR.
    pub transdpor: Published,
}

/// The published figures of one exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// Paths executed in their entirety.
    pub paths: u64,
    /// Transitions.
    pub transitions: Option<u64>,
    /// Whether the authors' exploration did not finish.
    pub at_least: bool,
}

impl Published {
    /// The same figures with this number of transitions subtracted.
    pub fn without(self, transitions: u64) -> Published {
        Published {
            transitions: self.transitions.map(|printed| printed - transitions),
            ..self
        }
    }
}

const fn exactly(paths: u64, transitions: u64) -> Published {
    Published {
        paths,
        transitions: Some(transitions),
        at_least: false,
    }
}

/// The authors ended explorations after four hours. For `regsim` they state it; the two of
/// `le-erlang` are listed with 14,401 and 14,405 seconds, which is that bound.
const fn at_least(paths: u64, transitions: u64) -> Published {
    Published {
        at_least: true,
        ..exactly(paths, transitions)
    }
}

const fn paths(paths: u64) -> Published {
    Published {
        paths,
        transitions: None,
        at_least: false,
    }
}

/// All rows, in the order of the paper.
#[rustfmt::skip]
pub const ROWS: [Row; 73] = [
    Row { source: Source::Figure1, subject: "registry", order: Order::Fifo, dpor: paths(24), transdpor: paths(10) },
    Row { source: Source::Table1, subject: "fib5", order: Order::Fifo, dpor: exactly(40, 203), transdpor: exactly(40, 203) },
    Row { source: Source::Table1, subject: "fib5", order: Order::Eca, dpor: exactly(327, 1650), transdpor: exactly(203, 1051) },
    Row { source: Source::Table1, subject: "fib5", order: Order::Lca, dpor: exactly(16, 91), transdpor: exactly(16, 91) },
    Row { source: Source::Table1, subject: "quicksort6", order: Order::Fifo, dpor: exactly(368, 1586), transdpor: exactly(368, 1586) },
    Row { source: Source::Table1, subject: "quicksort6", order: Order::Eca, dpor: exactly(3822, 16_766), transdpor: exactly(1519, 6992) },
    Row { source: Source::Table1, subject: "quicksort6", order: Order::Lca, dpor: exactly(32, 156), transdpor: exactly(32, 156) },
    Row { source: Source::Table1, subject: "pi5", order: Order::Fifo, dpor: exactly(120, 931), transdpor: exactly(120, 931) },
    Row { source: Source::Table1, subject: "pi5", order: Order::Eca, dpor: exactly(120, 931), transdpor: exactly(120, 931) },
    Row { source: Source::Table1, subject: "pi5", order: Order::Lca, dpor: exactly(19_845, 156_070), transdpor: exactly(312, 2452) },
    Row { source: Source::Table1, subject: "pipesort4", order: Order::Fifo, dpor: exactly(1791, 8562), transdpor: exactly(755, 3541) },
    Row { source: Source::Table1, subject: "pipesort4", order: Order::Eca, dpor: exactly(288, 1293), transdpor: exactly(288, 1293) },
    Row { source: Source::Table1, subject: "pipesort4", order: Order::Lca, dpor: exactly(5970, 32_385), transdpor: exactly(2221, 11_999) },
    Row { source: Source::Table1, subject: "chameneos2", order: Order::Fifo, dpor: exactly(3240, 19_459), transdpor: exactly(600, 3673) },
    Row { source: Source::Table1, subject: "chameneos2", order: Order::Eca, dpor: exactly(19_683, 118_197), transdpor: exactly(1728, 10_554) },
    Row { source: Source::Table1, subject: "chameneos2", order: Order::Lca, dpor: exactly(216, 1231), transdpor: exactly(216, 1231) },
    Row { source: Source::Table1, subject: "leader4", order: Order::Fifo, dpor: exactly(18_098, 107_780), transdpor: exactly(14_984, 86_889) },
    Row { source: Source::Table1, subject: "leader4", order: Order::Eca, dpor: exactly(11_957, 68_373), transdpor: exactly(11_909, 68_125) },
    Row { source: Source::Table1, subject: "leader4", order: Order::Lca, dpor: exactly(39_238, 236_330), transdpor: exactly(27_287, 163_030) },
    Row { source: Source::Table1, subject: "shortpath4", order: Order::Fifo, dpor: exactly(238, 910), transdpor: exactly(238, 910) },
    Row { source: Source::Table1, subject: "shortpath4", order: Order::Eca, dpor: exactly(392, 1464), transdpor: exactly(392, 1464) },
    Row { source: Source::Table1, subject: "shortpath4", order: Order::Lca, dpor: exactly(640, 2158), transdpor: exactly(370, 1337) },
    Row { source: Source::Table1, subject: "shortpath5", order: Order::Fifo, dpor: exactly(528, 2443), transdpor: exactly(528, 2443) },
    Row { source: Source::Table1, subject: "shortpath5", order: Order::Eca, dpor: exactly(2658, 8476), transdpor: exactly(1170, 3737) },
    Row { source: Source::Table1, subject: "shortpath5", order: Order::Lca, dpor: exactly(1865, 7076), transdpor: exactly(1272, 4704) },
    Row { source: Source::Table1, subject: "regsim", order: Order::Fifo, dpor: at_least(211_750, 590_835), transdpor: exactly(1320, 3607) },
    Row { source: Source::Table1, subject: "regsim", order: Order::Eca, dpor: at_least(208_034, 591_454), transdpor: exactly(1950, 5434) },
    Row { source: Source::Table1, subject: "regsim", order: Order::Lca, dpor: exactly(720, 1962), transdpor: exactly(720, 1962) },
    Row { source: Source::Table2, subject: "fib5", order: Order::Fifo, dpor: exactly(16, 101), transdpor: exactly(16, 101) },
    Row { source: Source::Table2, subject: "fib5", order: Order::Eca, dpor: exactly(16, 139), transdpor: exactly(16, 139) },
    Row { source: Source::Table2, subject: "fib5", order: Order::Lca, dpor: exactly(16, 91), transdpor: exactly(16, 91) },
    Row { source: Source::Table2, subject: "quicksort6", order: Order::Fifo, dpor: exactly(32, 179), transdpor: exactly(32, 179) },
    Row { source: Source::Table2, subject: "quicksort6", order: Order::Eca, dpor: exactly(32, 272), transdpor: exactly(32, 272) },
    Row { source: Source::Table2, subject: "quicksort6", order: Order::Lca, dpor: exactly(32, 156), transdpor: exactly(32, 156) },
    Row { source: Source::Table2, subject: "pi5", order: Order::Fifo, dpor: exactly(120, 931), transdpor: exactly(120, 931) },
    Row { source: Source::Table2, subject: "pi5", order: Order::Eca, dpor: exactly(120, 931), transdpor: exactly(120, 931) },
    Row { source: Source::Table2, subject: "pi5", order: Order::Lca, dpor: exactly(120, 1236), transdpor: exactly(120, 990) },
    Row { source: Source::Table2, subject: "pipesort4", order: Order::Fifo, dpor: exactly(288, 1448), transdpor: exactly(288, 1422) },
    Row { source: Source::Table2, subject: "pipesort4", order: Order::Eca, dpor: exactly(288, 1293), transdpor: exactly(288, 1293) },
    Row { source: Source::Table2, subject: "pipesort4", order: Order::Lca, dpor: exactly(288, 1944), transdpor: exactly(288, 1935) },
    Row { source: Source::Table2, subject: "chameneos2", order: Order::Fifo, dpor: exactly(216, 1681), transdpor: exactly(216, 1453) },
    Row { source: Source::Table2, subject: "chameneos2", order: Order::Eca, dpor: exactly(216, 1826), transdpor: exactly(216, 1530) },
    Row { source: Source::Table2, subject: "chameneos2", order: Order::Lca, dpor: exactly(216, 1231), transdpor: exactly(216, 1231) },
    Row { source: Source::Table2, subject: "leader4", order: Order::Fifo, dpor: exactly(492, 3125), transdpor: exactly(492, 3097) },
    Row { source: Source::Table2, subject: "leader4", order: Order::Eca, dpor: exactly(492, 3267), transdpor: exactly(492, 3218) },
    Row { source: Source::Table2, subject: "leader4", order: Order::Lca, dpor: exactly(492, 3311), transdpor: exactly(492, 3311) },
    Row { source: Source::Table2, subject: "shortpath4", order: Order::Fifo, dpor: exactly(126, 473), transdpor: exactly(126, 473) },
    Row { source: Source::Table2, subject: "shortpath4", order: Order::Eca, dpor: exactly(126, 489), transdpor: exactly(126, 489) },
    Row { source: Source::Table2, subject: "shortpath4", order: Order::Lca, dpor: exactly(126, 522), transdpor: exactly(126, 502) },
    Row { source: Source::Table2, subject: "shortpath5", order: Order::Fifo, dpor: exactly(296, 1408), transdpor: exactly(296, 1408) },
    Row { source: Source::Table2, subject: "shortpath5", order: Order::Eca, dpor: exactly(296, 1031), transdpor: exactly(296, 997) },
    Row { source: Source::Table2, subject: "shortpath5", order: Order::Lca, dpor: exactly(296, 1228), transdpor: exactly(296, 1218) },
    Row { source: Source::Table2, subject: "regsim", order: Order::Fifo, dpor: exactly(720, 3453), transdpor: exactly(720, 2019) },
    Row { source: Source::Table2, subject: "regsim", order: Order::Eca, dpor: exactly(720, 4054), transdpor: exactly(720, 2152) },
    Row { source: Source::Table2, subject: "regsim", order: Order::Lca, dpor: exactly(720, 1962), transdpor: exactly(720, 1962) },
    Row { source: Source::Table2, subject: "regsim-2-level", order: Order::Fifo, dpor: exactly(1296, 8636), transdpor: exactly(1296, 5537) },
    Row { source: Source::Table2, subject: "regsim-2-level", order: Order::Eca, dpor: exactly(1296, 14_990), transdpor: exactly(1296, 7486) },
    Row { source: Source::Table2, subject: "regsim-2-level", order: Order::Lca, dpor: exactly(1296, 6481), transdpor: exactly(1296, 6295) },
    Row { source: Source::Table2, subject: "diningphil", order: Order::Fifo, dpor: exactly(31, 1375), transdpor: exactly(31, 1375) },
    Row { source: Source::Table2, subject: "diningphil", order: Order::Eca, dpor: exactly(31, 2082), transdpor: exactly(31, 1662) },
    Row { source: Source::Table2, subject: "diningphil", order: Order::Lca, dpor: exactly(31, 1333), transdpor: exactly(29, 1147) },
    Row { source: Source::Table2, subject: "diningphil-bug", order: Order::Fifo, dpor: exactly(1, 15), transdpor: exactly(1, 15) },
    Row { source: Source::Table2, subject: "diningphil-bug", order: Order::Eca, dpor: exactly(16, 915), transdpor: exactly(16, 767) },
    Row { source: Source::Table2, subject: "diningphil-bug", order: Order::Lca, dpor: exactly(1, 15), transdpor: exactly(1, 15) },
    Row { source: Source::Table2, subject: "minesweeper", order: Order::Fifo, dpor: exactly(1, 29), transdpor: exactly(1, 29) },
    Row { source: Source::Table2, subject: "minesweeper", order: Order::Eca, dpor: exactly(2710, 15_577), transdpor: exactly(2710, 15_381) },
    Row { source: Source::Table2, subject: "minesweeper", order: Order::Lca, dpor: exactly(6993, 69_350), transdpor: exactly(6993, 55_430) },
    Row { source: Source::Table2, subject: "le-erlang3-failure", order: Order::Fifo, dpor: exactly(457, 1976), transdpor: exactly(452, 1944) },
    Row { source: Source::Table2, subject: "le-erlang3-failure", order: Order::Eca, dpor: exactly(30, 174), transdpor: exactly(30, 174) },
    Row { source: Source::Table2, subject: "le-erlang3-failure", order: Order::Lca, dpor: at_least(233_738, 759_109), transdpor: exactly(93_640, 296_229) },
    Row { source: Source::Table2, subject: "le-erlang4", order: Order::Fifo, dpor: exactly(2209, 11_006), transdpor: exactly(2191, 10_146) },
    Row { source: Source::Table2, subject: "le-erlang4", order: Order::Eca, dpor: exactly(1, 27), transdpor: exactly(1, 27) },
    Row { source: Source::Table2, subject: "le-erlang4", order: Order::Lca, dpor: at_least(198_713, 698_759), transdpor: exactly(88_505, 277_440) },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: Source, subject: &str, order: Order, dpor: (u64, u64), transdpor: (u64, u64)) {
        let mut rows = ROWS
            .iter()
            .filter(|row| (row.source, row.subject, row.order) == (source, subject, order));
        let row = rows.next().unwrap();
        assert!(
            rows.next().is_none(),
            "{subject} {order} stands there twice"
        );
        let shown = |published: Published| (published.paths, published.transitions.unwrap());
        assert_eq!(shown(row.dpor), dpor);
        assert_eq!(shown(row.transdpor), transdpor);
    }

    #[test]
    fn as_published() {
        use {Order::*, Source::*};
        check(Table1, "fib5", Fifo, (40, 203), (40, 203));
        check(Table1, "quicksort6", Eca, (3822, 16_766), (1519, 6992));
        check(Table1, "pi5", Lca, (19_845, 156_070), (312, 2452));
        check(Table1, "regsim", Fifo, (211_750, 590_835), (1320, 3607));
        check(Table2, "leader4", Eca, (492, 3267), (492, 3218));
        check(Table2, "diningphil", Lca, (31, 1333), (29, 1147));
        check(Table2, "diningphil-bug", Eca, (16, 915), (16, 767));
        check(
            Table2,
            "le-erlang4",
            Lca,
            (198_713, 698_759),
            (88_505, 277_440),
        );
    }

    #[test]
    fn every_subject_in_every_order() {
        for source in [Source::Table1, Source::Table2] {
            let rows: Vec<&Row> = ROWS.iter().filter(|row| row.source == source).collect();
            for three in rows.chunks(3) {
                let orders: Vec<Order> = three.iter().map(|row| row.order).collect();
                assert_eq!(orders, Order::ALL, "{}", three[0].subject);
                assert!(three.iter().all(|row| row.subject == three[0].subject));
            }
        }
        let unfinished = ROWS.iter().filter(|row| row.dpor.at_least);
        assert_eq!(unfinished.count(), 4);
    }

    /// TransDPOR never explores more than DPOR. A row in which it does has a typing error.
    #[test]
    fn transdpor_is_never_worse() {
        for row in &ROWS {
            assert!(row.transdpor.paths <= row.dpor.paths, "{row:?}");
            assert!(row.transdpor.transitions <= row.dpor.transitions, "{row:?}");
        }
    }
}
