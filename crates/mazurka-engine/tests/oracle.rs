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
        assert!(
            4 * tally.racy > tally.programs && 2 * tally.programs > CASES_PER_SHAPE,
            "{shape:?} tests little: {tally:?}"
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
