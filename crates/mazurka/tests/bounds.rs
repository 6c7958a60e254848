//! Bounds stop a process inside a step, when it calls the library, and what was found before is kept.

use mazurka::prelude::*;
use mazurka::{Algorithm, Check, Checked, Sampler, Verdict};
use std::time::{Duration, Instant};

fn checks() -> Check {
    Check::new().no_logs(true).max_seconds(0.3)
}

/// Explores a program that does not end by itself. The step limit of 10 seconds must not be what ends it.
fn explore(check: Check, program: impl mazurka::Body + Send) -> Checked {
    let started = Instant::now();
    let checked = check.explore(program);
    assert!(started.elapsed() < Duration::from_secs(9), "{checked:?}");
    checked
}

fn flat(checked: &Checked) -> String {
    let words: Vec<&str> = checked.report.split_whitespace().collect();
    words.join(" ")
}

#[track_caller]
fn is_stopped(checked: &Checked, bound: &str, call: &str) {
    assert_eq!(checked.verdict, Verdict::Stopped, "{}", checked.report);
    let text = format!(
        "Stopped early by the bound on {bound}, inside a step: process P.1 after its first input \
         called mazurka::{call}: nothing wrong in 0 executions"
    );
    assert!(flat(checked).contains(&text), "{}", checked.report);
}

/// Starts a process that gets a message and then does this for ever, given its pid.
fn with_loop(step: impl Fn(Pid) + Clone + Send + 'static) -> impl mazurka::Body + Send {
    move || {
        let step = step.clone();
        async move {
            let looping = spawn(move || {
                let step = step.clone();
                async move {
                    let me = me();
                    receive::<u32>().await;
                    loop {
                        step(me);
                    }
                }
            });
            send(looping, 1_u32);
        }
    }
}

#[test]
fn time_ends_a_loop_that_prints() {
    let checked = explore(checks(), with_loop(|_| mazurka::println!("again")));
    is_stopped(
        &checked,
        "time (max_seconds(0.3) or MAZURKA_MAX_SECONDS)",
        "println!",
    );
}

#[test]
fn time_ends_a_loop_that_asks_for_its_pid() {
    let checked = explore(checks(), with_loop(|_| assert_eq!(me(), me())));
    is_stopped(
        &checked,
        "time (max_seconds(0.3) or MAZURKA_MAX_SECONDS)",
        "me",
    );
}

#[test]
fn time_ends_a_loop_that_sends_and_spawns_slowly() {
    let slowly = || std::thread::sleep(Duration::from_millis(20));
    let sends = with_loop(move |me| {
        slowly();
        send(me, 7);
    });
    let checked = explore(checks(), sends);
    is_stopped(
        &checked,
        "time (max_seconds(0.3) or MAZURKA_MAX_SECONDS)",
        "send",
    );
    let spawns = with_loop(move |_| {
        slowly();
        spawn(|| async {});
    });
    let checked = explore(checks(), spawns);
    is_stopped(
        &checked,
        "time (max_seconds(0.3) or MAZURKA_MAX_SECONDS)",
        "spawn",
    );
}

#[test]
fn memory_ends_a_loop_that_sends() {
    let sends = with_loop(|me| send(me, vec![1_u8; 4 << 20]));
    let check = Check::new().no_logs(true).max_memory(400);
    let checked = explore(check, sends);
    is_stopped(
        &checked,
        "memory (max_memory(400) or MAZURKA_MAX_MEMORY)",
        "send",
    );
}

/// A destructor that calls the library while the process is unwound must not unwind a second time:
/// that aborts the program. A process that catches the unwinding does not get away with it.
#[test]
fn destructors_and_catching() {
    struct Last;

    impl Drop for Last {
        fn drop(&mut self) {
            mazurka::println!("at last");
        }
    }
    let checked = explore(
        checks(),
        with_loop(|_| {
            let _last = Last;
            mazurka::println!("again");
        }),
    );
    is_stopped(
        &checked,
        "time (max_seconds(0.3) or MAZURKA_MAX_SECONDS)",
        "println!",
    );
    let catches = move || async move {
        let looping = spawn(move || async move {
            receive::<u32>().await;
            while std::panic::catch_unwind(|| mazurka::println!("again")).is_ok() {}
        });
        send(looping, 1_u32);
    };
    is_stopped(
        &explore(checks(), catches),
        "time (max_seconds(0.3) or MAZURKA_MAX_SECONDS)",
        "println!",
    );
}

/// The first of three messages decides: after the second sender's the step does not end, after any other a
/// process is stuck.
async fn stuck_or_endless() {
    let main = me();
    for n in 1..=3 {
        spawn(move || async move { send(main, n) });
    }
    if receive::<i32>().await == 2 {
        loop {
            mazurka::println!("again");
        }
    }
    spawn(|| async {
        receive::<&str>().await;
    });
}

#[test]
fn what_was_found_before_is_kept() {
    let mut ways: Vec<(String, Check)> = Algorithm::ALL
        .iter()
        .map(|&algorithm| (algorithm.to_string(), checks().algorithm(algorithm)))
        .collect();
    for sampler in [
        Sampler::Uniform,
        Sampler::Pos,
        Sampler::Pct { bug_depth: 2 },
    ] {
        let sample = |size, seed| checks().sample(size).sampler(sampler).seed(seed);
        // The first execution must be one that ends.
        let ends = |seed: &u64| {
            let checked = explore(sample(1, *seed), stuck_or_endless);
            checked.verdict == Verdict::Wrong
        };
        let seed = (0..20).find(ends).expect("most executions end");
        let check = sample(1_000, seed);
        ways.push((format!("{sampler:?}"), check));
    }
    ways.push(("hunt".into(), checks().hunt(true)));
    for (way, check) in ways {
        let checked = explore(check, stuck_or_endless);
        assert_eq!(checked.verdict, Verdict::Wrong, "{way}: {}", checked.report);
        let kinds: Vec<Kind> = checked.errors().map(|error| error.kind).collect();
        assert_eq!(kinds, [Kind::Stuck], "{way}");
        let place = "(max_seconds(0.3) or MAZURKA_MAX_SECONDS), inside a step: process P after its \
                     first input called mazurka::println!";
        assert!(flat(&checked).contains(place), "{way}: {}", checked.report);
    }
}
