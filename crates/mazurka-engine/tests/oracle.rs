//! Exploration against brute force on random programs: none missing, none twice.

use mazurka_engine::Delivery;
use mazurka_engine::oracle::{Case, Shape, Tally, check_case};

/// Says which case was running when something panicked.
struct NameOnPanic(Case);

impl Drop for NameOnPanic {
    fn drop(&mut self) {
        eprintln!("panicked in {:?}: {:#?}", self.0, self.0.program());
    }
}

fn compare(delivery: Delivery) {
    let cases: u64 = option_env!("MAZURKA_ORACLE_CASES")
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(300);
    for shape in Shape::ALL {
        let mut tally = Tally::default();
        for seed in 0..cases {
            let case = Case {
                shape,
                seed,
                delivery,
            };
            let named = NameOnPanic(case);
            let result = check_case(case);
            std::mem::forget(named);
            match result {
                Ok(one) => tally = tally.plus(one),
                Err(difference) => panic!("{difference}"),
            }
        }
        assert!(tally.traces > tally.programs, "{shape:?}: no races at all");
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
