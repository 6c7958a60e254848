//! Exploration against brute force on random programs: none missing, none invented, none
//! twice. Few cases here; `mazurka oracle --cases N --seed S` runs any number.

use mazurka_engine::Delivery;
use mazurka_engine::oracle::{Case, Shape, Tally, check_case};

const CASES_PER_SHAPE: u64 = 80;

fn compare(delivery: Delivery) {
    for shape in Shape::ALL {
        let mut tally = Tally::default();
        for seed in 0..CASES_PER_SHAPE {
            let case = Case {
                shape,
                seed,
                delivery,
            };
            match check_case(case) {
                Ok(one) => tally = tally.plus(one),
                Err(difference) => panic!("{difference}"),
            }
        }
        assert!(tally.traces > tally.programs, "{shape:?}: no races at all");
        assert!(
            tally.programs > 2 * tally.too_large,
            "{shape:?}: too few compared"
        );
    }
}

#[test]
fn unordered() {
    compare(Delivery::Unordered);
}

#[test]
fn p2p() {
    compare(Delivery::P2p);
}

#[test]
fn causal() {
    compare(Delivery::Causal);
}

#[test]
fn mailbox() {
    compare(Delivery::Mailbox);
}
