//! Exploration against brute force on random programs: none missing, none invented, and, by an
//! algorithm that promises it, none twice and none begun in vain. Few cases here;
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
            // Schedules are so many that few programs with races are small enough.
            let enough = match algorithm {
                Algorithm::Interleavings => tally.programs > 0,
                _ => 4 * tally.racy > tally.programs && 2 * tally.programs > cases_per_shape,
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
