//! A message arrives as it was sent, whatever the equality of its type.

use mazurka::prelude::*;
use mazurka::{Check, Checked, Table, Verdict, interchangeable};
use std::hash::{Hash, Hasher};

/// An item of a heap: only the priority counts when two are compared.
#[derive(Clone, Debug)]
struct Task {
    priority: u32,
    name: &'static str,
}

impl PartialEq for Task {
    fn eq(&self, other: &Self) -> bool {
        self.priority == other.priority
    }
}

impl Eq for Task {}

impl Hash for Task {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.priority.hash(state);
    }
}

fn task(name: &'static str) -> Task {
    Task { priority: 1, name }
}

fn explore(program: impl mazurka::Body + Send) -> Checked {
    Check::new().no_logs(true).keep_going(true).explore(program)
}

#[track_caller]
fn check_fails_once_in(program: impl mazurka::Body + Send, executions: u64) {
    let checked = explore(program);
    assert_eq!(checked.executions, executions, "{}", checked.report);
    let errors: Vec<_> = checked.errors().map(|e| (e.kind, e.count)).collect();
    assert_eq!(errors, [(Kind::Assertion, 1)], "{}", checked.report);
}

#[test]
fn equal_messages_of_two_senders_are_two() {
    check_fails_once_in(
        || async {
            let main = me();
            for name in ["a", "b"] {
                spawn(move || async move { send(main, task(name)) });
            }
            assert_eq!(receive::<Task>().await.name, "a");
            receive::<Task>().await;
        },
        2,
    );
}

#[test]
fn equal_messages_to_oneself_are_two() {
    let checked = mazurka::check(|| async {
        send(me(), task("a"));
        send(me(), task("b"));
        assert_eq!(receive::<Task>().await.name, "a");
        assert_eq!(receive::<Task>().await.name, "b");
    });
    assert_eq!(checked.executions, 1);
}

#[test]
fn what_is_handed_over_is_what_was_sent() {
    check_fails_once_in(
        || async {
            let main = me();
            for name in ["a", "b"] {
                spawn(move || async move { hand_over(main, task(name)).await });
            }
            let first = receive::<Task>().await;
            receive::<Task>().await;
            assert_eq!(first.name, "a");
        },
        2,
    );
}

/// The first message decides with what argument the child is called.
#[test]
fn equal_arguments_of_a_call_are_two() {
    async fn run(task: Task) {
        assert_eq!(task.name, "a");
    }
    check_fails_once_in(
        || async {
            let main = me();
            for name in ["a", "b"] {
                spawn(move || async move { send(main, name) });
            }
            let name = receive::<&str>().await;
            receive::<&str>().await;
            spawn(call(run, task(name)));
        },
        2,
    );
}

#[test]
fn equal_reasons_are_two() {
    check_fails_once_in(
        || async {
            trap_exit(true);
            for name in ["a", "b"] {
                spawn_link(move || async move { exit(task(name)).await });
            }
            let Exit { reason, .. } = receive().await;
            receive::<Exit>().await;
            let Reason::Stopped(why) = reason else {
                panic!("{reason:?}")
            };
            assert_eq!(why.get::<Task>().expect("a task").name, "a");
        },
        2,
    );
}

/// Two writers put equal values: the reader sees none, or that of the last writer.
#[test]
fn equal_values_in_a_table_are_two() {
    let checked = explore(|| async {
        let tasks = Table::<u32, Task>::new("tasks");
        tasks.put(1, task("a")).await;
        tasks.put(1, task("b")).await;
        assert_eq!(tasks.get(1).await.expect("put").name, "b");
        assert_eq!(tasks.take(1).await.expect("put").name, "b");
    });
    assert_eq!(checked.verdict, Verdict::Verified, "{}", checked.report);
    assert_eq!(checked.executions, 1);
}

/// Keys are compared by their equality, as in a `HashMap`.
#[test]
fn equal_keys_are_one() {
    let checked = explore(|| async {
        let names = Table::<Task, &str>::new("names");
        names.put(task("a"), "put").await;
        assert_eq!(names.get(task("b")).await, Some("put"));
        register(task("a"), me()).await.expect("free");
        assert_eq!(whereis(task("b")).await, Some(me()));
    });
    assert_eq!(checked.verdict, Verdict::Verified, "{}", checked.report);
}

/// 0.0 and -0.0 are equal, and NaN is not equal to itself.
#[test]
fn numbers_with_a_fraction() {
    check_fails_once_in(
        || async {
            let main = me();
            for zero in [0.0, -0.0] {
                spawn(move || async move { send(main, zero) });
            }
            assert!(1.0 / receive::<f64>().await > 0.0);
            receive::<f64>().await;
        },
        2,
    );
    let checked = Check::new().distrust(true).run(|| async {
        let main = me();
        for value in [f64::NAN, 1.0] {
            spawn(move || async move { send(main, (value, "measured")) });
        }
        let numbers = [
            receive::<(f64, &str)>().await.0,
            receive::<(f64, &str)>().await.0,
        ];
        assert_eq!(numbers.iter().filter(|number| number.is_nan()).count(), 1);
        let other = spawn(|| async { assert!(receive::<f64>().await.is_nan()) });
        hand_over(other, f64::NAN).await;
    });
    assert_eq!(checked.executions, 2);
}

/// A type that is `PartialEq` and no more.
#[test]
fn eq_and_hash_are_not_needed() {
    #[derive(Clone, Debug, PartialEq)]
    struct Reading {
        celsius: f32,
    }
    let checked = mazurka::check(|| async {
        send(me(), Reading { celsius: 0.5 });
        assert_eq!(receive::<Reading>().await, Reading { celsius: 0.5 });
    });
    assert_eq!(checked.executions, 1);
}

/// The code of a process runs once for each sequence of messages that can be distinguished.
#[test]
fn what_cannot_be_told_apart_is_run_once() {
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Done(u32);
    interchangeable::<Done>();
    let check = |reply: fn(Pid)| {
        let checked = mazurka::check(move || async move {
            let main = me();
            for _ in 0..3 {
                spawn(move || async move { reply(main) });
            }
            for _ in 0..3 {
                receive! { _ => {} }
            }
        });
        (checked.executions, checked.histories)
    };
    // The senders have a history each, and the receiver one for each number of messages.
    assert_eq!(check(|main| send(main, "done")), (6, 3 + 4));
    assert_eq!(check(|main| send(main, Done(1))), (6, 3 + 4));
    // It has one for each sequence of tasks.
    assert_eq!(
        check(|main| send(main, task("done"))),
        (6, 3 + 1 + 3 + 6 + 6)
    );
}
