//! Exploration compared with brute force on random programs: the same traces and, by an algorithm that
//! guarantees it, none twice and no blocked execution. These are few cases;
//! `mazurka lab oracle --cases N --seed S` runs any number.

use mazurka_engine::Delivery;
use mazurka_lab::Algorithm;
use mazurka_lab::oracle::{Case, Shape, Tally, check_case};

fn compare(algorithm: Algorithm, cases_per_shape: u64) {
    let mut racy = 0;
    for delivery in Delivery::ALL {
        for shape in Shape::ALL {
            let mut tally = Tally::default();
            for seed in 0..cases_per_shape {
                let case = Case {
                    shape,
                    seed,
                    delivery,
                };
                match check_case(case, &[algorithm]) {
                    Ok(one) => tally = tally.plus(one),
                    Err(difference) => panic!("{difference}"),
                }
            }
            // Few programs with races have few enough schedules.
            let enough = match algorithm {
                Algorithm::Interleavings => tally.programs > 0,
                _ => 5 * tally.racy > tally.programs && 2 * tally.programs > cases_per_shape,
            };
            assert!(
                enough,
                "{algorithm} {delivery} {shape:?} tests little: {tally:?}"
            );
            racy += tally.racy;
        }
    }
    assert!(racy > 50, "{algorithm}: only {racy} programs with races");
}

#[test]
fn optimal() {
    compare(Algorithm::Optimal, 80);
}

#[test]
fn odpor() {
    compare(Algorithm::Odpor, 60);
}

#[test]
fn source() {
    compare(Algorithm::Source, 60);
}

#[test]
fn transdpor() {
    compare(Algorithm::TransDpor, 40);
}

#[test]
fn dpor() {
    compare(Algorithm::Dpor, 40);
}

#[test]
fn naive() {
    compare(Algorithm::Naive, 30);
}

#[test]
fn interleavings() {
    compare(Algorithm::Interleavings, 24);
}

/// Programs that once showed a difference.
#[test]
fn found_before() {
    let cases = [
        // A guide by distance preferred another candidate at a silent check than at one that is a step.
        (
            Algorithm::Optimal,
            Delivery::Unordered,
            Shape::Daemons,
            100_362,
        ),
        (
            Algorithm::Optimal,
            Delivery::Unordered,
            Shape::Daemons,
            200_877,
        ),
        // A `Down` message overtook an exit signal whose courier had not started.
        (
            Algorithm::Interleavings,
            Delivery::P2p,
            Shape::Signals,
            1_145,
        ),
        (
            Algorithm::Interleavings,
            Delivery::P2p,
            Shape::Signals,
            1_146,
        ),
    ];
    for (algorithm, delivery, shape, seed) in cases {
        let case = Case {
            shape,
            seed,
            delivery,
        };
        if let Err(difference) = check_case(case, &[algorithm]) {
            panic!("{difference}");
        }
    }
}
