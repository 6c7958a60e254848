//! Exploration against brute force on random programs: none missing, none invented, and, by an
//! algorithm that promises it, none twice and none begun in vain. Few cases here;
//! `mazurka oracle --cases N --seed S` runs any number.

use mazurka_engine::oracle::{Case, Shape, Tally, check_case};
use mazurka_engine::{Algorithm, Delivery};

fn compare(algorithm: Algorithm, cases_per_shape: u64) {
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
            // Schedules are so many that only small programs can be compared.
            let (racy, compared) = match algorithm {
                Algorithm::Interleavings => (30, 4),
                _ => (4, 2),
            };
            assert!(
                racy * tally.racy > tally.programs && compared * tally.programs > cases_per_shape,
                "{algorithm} {delivery} {shape:?} tests little: {tally:?}"
            );
        }
    }
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
    compare(Algorithm::Interleavings, 16);
}
