//! Helpers for the tests of the examples. Not every example uses all of them.
#![allow(dead_code)]

use mazurka::{Algorithm, Body, Check, Checked, Delivery, Kind};

/// All executions, even if something goes wrong.
pub fn explore(delivery: Delivery, program: impl Body + Send) -> Checked {
    explore_by(Check::new().delivery(delivery), program)
}

/// All executions with these settings. Two algorithms agree on their number.
pub fn explore_by(check: Check, program: impl Body + Send) -> Checked {
    let check = check.keep_going(true).no_logs(true);
    let [checked, again] = [Algorithm::Optimal, Algorithm::Source]
        .map(|algorithm| check.clone().algorithm(algorithm).explore(program.clone()));
    assert_eq!(checked.executions, again.executions);
    checked
}

/// Kind, process and number of executions of each error.
pub fn errors(checked: &Checked) -> Vec<(Kind, &str, u64)> {
    let mut errors: Vec<_> = checked
        .errors()
        .map(|error| (error.kind, &*error.process, error.count))
        .collect();
    errors.sort_unstable();
    errors
}
