//! Mistakes in the use of the library, and programs that never stop.

use mazurka::prelude::*;
use mazurka::{Check, Checked, Verdict};
use std::future::{pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

fn panic_of(act: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(act)).expect_err("it should panic");
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| {
        payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
    })
    .expect("a text")
}

fn explore(program: impl mazurka::Body + Send) -> Checked {
    Check::new().no_logs(true).explore(program)
}

#[test]
fn awaiting_something_foreign() {
    let checked = explore(|| async {
        send(me(), 1);
        receive::<i32>().await;
        pending::<()>().await;
    });
    assert_eq!(checked.verdict, Verdict::Fault);
    assert!(
        checked.report.contains(
            "not modelled: process P after its first input awaits something that is not Mazurka's"
        ),
        "{}",
        checked.report
    );
}

#[test]
fn waiting_for_two_things_at_once() {
    let checked = explore(|| async {
        let mut first = Box::pin(receive::<i32>());
        let mut second = Box::pin(receive::<&str>());
        poll_fn(|context| {
            let _ = first.as_mut().poll(context);
            let _ = second.as_mut().poll(context);
            Poll::<()>::Pending
        })
        .await;
    });
    assert_eq!(checked.verdict, Verdict::Fault);
    assert!(
        checked
            .report
            .contains("process P after its start waits for two things at once"),
        "{}",
        checked.report
    );
}

#[test]
fn outside_a_process() {
    let message = panic_of(|| {
        let _ = me();
    });
    assert!(
        message.contains("mazurka::me was called outside a process"),
        "{message}"
    );
    let message = panic_of(send_to_nobody);
    assert!(message.contains("mazurka::send was called"), "{message}");
}

fn send_to_nobody() {
    let anybody = std::sync::Arc::new(std::sync::Mutex::new(None));
    let found = anybody.clone();
    mazurka::check(move || {
        let found = found.clone();
        async move { *found.lock().unwrap() = Some(me()) }
    });
    let pid = anybody.lock().unwrap().expect("the entry process");
    send(pid, 1);
}

#[test]
fn a_pid_of_another_check() {
    let stranger = std::sync::Arc::new(std::sync::Mutex::new(None));
    let found = stranger.clone();
    mazurka::check(move || {
        let found = found.clone();
        async move {
            // A place in the spawn tree that no other process has.
            let mut pid = None;
            for _ in 0..99 {
                pid = Some(spawn(|| async {}));
            }
            *found.lock().unwrap() = pid;
        }
    });
    let stranger = stranger.lock().unwrap().expect("the last one");
    let checked = explore(move || async move { send(stranger, 1) });
    assert!(
        checked
            .report
            .contains("not modelled: the pid P.99 of another check"),
        "{}",
        checked.report
    );
}

#[test]
fn a_loop_that_only_sends() {
    let checked = explore(|| async {
        loop {
            send(me(), 1);
        }
    });
    let error = checked.errors().next().expect("it is caught");
    assert_eq!((error.kind, error.process.as_str()), (Kind::Crash, "P"));
    assert!(
        error.message.contains(
            "it did 100000 things since its last input without waiting for anything: does it \
             loop for ever?"
        ),
        "{}",
        error.message
    );
}

#[test]
fn a_loop_that_does_nothing() {
    let message = panic_of(|| {
        Check::new().max_step_seconds(0.5).run(|| async {
            let looping = spawn(|| async {
                receive::<u32>().await;
                loop {
                    std::hint::spin_loop();
                }
            });
            send(looping, 1_u32);
        });
    });
    assert!(
        message.contains(
            "process P.1 has run for 0.5 seconds after its first input without waiting for \
             anything: does it loop for ever?"
        ),
        "{message}"
    );
}

#[test]
fn spawning_without_end() {
    async fn two_more() {
        spawn(boxed);
        spawn(boxed);
    }
    fn boxed() -> std::pin::Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(two_more())
    }
    let checked = explore(boxed);
    assert_eq!(checked.verdict, Verdict::Stopped, "{}", checked.report);
    assert!(checked.report.contains("processes"), "{}", checked.report);
}

#[test]
fn a_bound_is_no_verification() {
    let program = || async {
        let main = me();
        for n in 0..4 {
            spawn(move || async move { send(main, n) });
        }
        for _ in 0..4 {
            receive::<i32>().await;
        }
    };
    let bounded = || Check::new().max_executions(5);
    let message = panic_of(|| {
        bounded().run(program);
    });
    assert!(message.contains("Stopped early"), "{message}");
    assert!(message.contains("max_executions(5)"), "{message}");
    let checked = bounded().allow_incomplete(true).run(program);
    assert_eq!((checked.executions, checked.verdict), (5, Verdict::Stopped));
}

/// The message of the error of a program that has one.
fn error_of(program: impl mazurka::Body + Send) -> String {
    let checked = explore(program);
    let error = checked.errors().next();
    let error = error.unwrap_or_else(|| panic!("{}", checked.report));
    error.message.clone()
}

/// An `i32` is sent where a `u64` is awaited: the report has both types.
#[test]
fn a_message_of_another_type() {
    let by_type = error_of(|| async {
        let server = spawn(|| async { drop(Box::new(receive::<u64>().await)) });
        send(server, 1);
    });
    let waits = "waits for ever for u64; a message of another type is waiting: i32";
    assert_eq!(by_type, waits);
    let by_pattern = error_of(|| async {
        send(me(), 1);
        send(me(), "text");
        send(me(), Some(2_u64));
        receive! { _number: u64 => {} }
    });
    assert!(
        by_pattern.ends_with("; messages of other types are waiting: &str, Option<u64>, i32"),
        "{by_pattern}"
    );
    let by_guard = error_of(|| async {
        let wanted = 2;
        send(me(), 1);
        receive! { number: u64 if number == wanted => {} }
    });
    assert!(
        by_guard.ends_with("; a message of another type is waiting: i32"),
        "{by_guard}"
    );
}

/// A message of the right type that is not wanted is no mistake.
#[test]
fn a_message_of_the_same_type() {
    for message in [
        error_of(|| async {
            send(me(), 1);
            receive_when(|number: &i32| *number == 2).await;
        }),
        error_of(|| async {
            send(me(), 1);
            receive! { 2_i32 => {} }
        }),
    ] {
        assert!(!message.contains("type"), "{message}");
    }
}
