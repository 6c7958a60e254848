//! `mazurka check --sample`: what is seen, what is estimated, what goes together.

mod common;

use common::{Place, refused};
use serde_json::Value;

/// Samples a program and returns the sample of the report.
#[track_caller]
fn sample(code: i32, line: &str) -> Value {
    let report = Place::new().check(code, &format!("{line} --keep-going"));
    assert_eq!(report["stopped"], "sampled", "{line}");
    assert_eq!(report["complete"], false, "{line}");
    assert!(report["unexplored"].is_null(), "{line}");
    report["sample"].clone()
}

/// The estimate is within a quarter of the exact number of traces, and the lower bound is at
/// least 60 % of it.
#[track_caller]
fn estimates(line: &str, exact: u32) {
    let line = format!("{line} --sample 500 --seed 1");
    let sample = sample(3, &line);
    let number = |field: &str| sample[field].as_f64().unwrap() / f64::from(exact);
    let (traces, bound) = (number("traces"), number("traces_at_least"));
    assert!((0.75..1.25).contains(&traces), "{line}: {sample:#?}");
    assert!((0.6..=1.0).contains(&bound), "{line}: {sample:#?}");
}

#[test]
fn the_number_of_traces() {
    estimates("gallery:fan-in --param n=8", 40_320);
    estimates("gallery:registry --param n=5 --delivery unordered", 720);
    for delivery in ["p2p", "mailbox"] {
        let line = "gallery:client-server --param clients=3 --param rounds=3";
        estimates(&format!("{line} --delivery {delivery}"), 1_680);
    }
    estimates(
        "gallery:client-server --param clients=2 --param rounds=6",
        924,
    );
}

#[test]
fn every_sampler_finds_errors_that_come_back() {
    for sampler in ["uniform", "pct", "pct --bug-depth 2", "pos"] {
        for (program, kind) in [
            ("philosophers", "deadlock"),
            ("lost-update", "assertion"),
            ("supervisor", "crash"),
            ("retry-timeout", "assertion"),
        ] {
            let place = Place::new();
            let line = format!("gallery:{program} --sample 300 --sampler {sampler}");
            let report = place.check(1, &line);
            assert_eq!(report["stopped"], "first-error", "{line}");
            assert_eq!(report["errors"][0]["kind"], kind, "{line}");
            let file = report["errors"][0]["log_file"].as_str().unwrap();
            let ran = place.expect(1, &format!("replay gallery:{program} {file}"));
            assert!(ran.stdout.contains(kind), "{line}: {}", ran.stdout);
        }
    }
}

#[test]
fn all_traces_of_a_small_program_are_seen() {
    for sampler in ["uniform", "pct", "pos"] {
        let line = format!("gallery:philosophers --sample 1000 --sampler {sampler}");
        assert_eq!(sample(1, &line)["distinct"], 7, "{line}");
    }
}

#[test]
fn the_same_seed_gives_the_same_sample() {
    let line = "gallery:client-server --param clients=3 --param rounds=3 --sample 100";
    for sampler in ["uniform", "pct", "pos"] {
        let of = |seed: u32| sample(3, &format!("{line} --sampler {sampler} --seed {seed}"));
        assert_eq!(of(7), of(7), "{sampler}");
        assert_ne!(of(7), of(8), "{sampler}");
    }
}

#[test]
fn a_sample_verifies_nothing() {
    let place = Place::new();
    let text = place
        .expect(3, "check gallery:fan-in --param n=4 --sample 1000")
        .stdout;
    let first = "Sampled: nothing wrong in 1000 executions, but not all were explored.\n\
                 1000 executions sampled, 24 distinct. There are at least 24 in all (95 %\n\
                 confidence), perhaps many more; the estimate is 24.\n";
    assert!(text.starts_with(first), "{text}");
    assert!(
        text.contains("\n  sampler          uniform, seed 0\n"),
        "{text}"
    );
    assert!(!text.to_lowercase().contains("verified"), "{text}");
    // What is expected and not found may be elsewhere.
    place.expect(3, "check gallery:fan-in --sample 10 --expect deadlock");
    place.expect(
        0,
        "check gallery:retry-timeout --sample 100 --expect assertion",
    );
}

#[test]
fn bounds_hold_for_samples() {
    let place = Place::new();
    let line = "gallery:fan-in --param n=6 --sample 1000000000";
    let report = place.check(3, &format!("{line} --max-seconds 0.3"));
    assert_eq!(report["stopped"], "time-bound");
    assert!(report["sample"]["distinct"].as_u64() > Some(0));
    let report = place.check(3, &format!("{line} --max-executions 5"));
    assert_eq!(report["stopped"], "execution-bound");
    assert_eq!(report["executions"], 5);
    let report = place.check(3, "gallery:fan-in --sample 10 --max-depth 5");
    assert_eq!(
        (&report["executions"], &report["cut_short"]),
        (&0.into(), &10.into())
    );
}

#[test]
fn what_does_not_go_together() {
    refused(
        "--sample 0",
        "leaves nothing to explore: give a number above 0",
    );
    refused("--sample -1", "invalid value '-1' for '--sample <N>'");
    refused(
        "--sample 10 --sampler best",
        "[possible values: uniform, pct, pos]",
    );
    refused(
        "--sampler pct",
        "--sampler applies to sampling only: leave it out, or add --sample 1000",
    );
    refused(
        "--bug-depth 2",
        "--bug-depth applies to sampling only: leave it out, or add --sample 1000",
    );
    refused(
        "--sample 10 --bug-depth 2",
        "--bug-depth does not apply to --sampler uniform: leave it out, or add --sampler pct",
    );
    refused(
        "--sample 10 --sampler pct --bug-depth 0",
        "leaves nothing to explore: give a number above 0",
    );
    refused(
        "--sample 10 --algorithm dpor",
        "--algorithm dpor applies to exploration only, and --sample 10 samples instead: leave out one of \
         the two",
    );
    refused(
        "--sample 10 --strategy bfs",
        "--strategy bfs applies to exploration only, and --sample 10 samples instead",
    );
}

#[test]
fn a_check_that_stopped_early_says_how_far_it_came() {
    let place = Place::new();
    let line = "gallery:fan-in --param n=5 --max-executions 30";
    let report = place.check(3, line);
    let fraction = report["estimated_fraction_explored"].as_f64().unwrap();
    assert!((fraction - 0.25).abs() < 1e-9, "{fraction}");
    let text = place.expect(3, &format!("check {line}")).stdout;
    assert!(text.contains("Explored about 25 % (estimate)."), "{text}");
    let report = place.check(0, "gallery:fan-in");
    assert!(
        report.get("estimated_fraction_explored").is_none(),
        "everything was explored"
    );
    let report = place.check(3, "gallery:fan-in --max-depth 5");
    assert!(
        report.get("estimated_fraction_explored").is_none(),
        "the rest is unknown"
    );
}
