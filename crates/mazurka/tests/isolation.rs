//! Processes that depend on more than their inputs, and how that is reported.

use mazurka::prelude::*;
use mazurka::{Check, Checked, Table, Verdict};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

/// Explores, and finds that the program is not deterministic.
fn check_hidden(program: impl mazurka::Body + Send, expected: &[&str]) {
    let checked = Check::new().explore(program);
    assert_eq!(checked.verdict, Verdict::Fault, "{}", checked.report);
    for part in expected {
        assert!(
            checked.report.contains(part),
            "{part:?} is not in:\n{}",
            checked.report
        );
    }
}

fn check_fine(program: impl mazurka::Body + Send) -> Checked {
    Check::new().run(program)
}

/// Two numbers arrive in any order.
fn two_senders() {
    let main = me();
    for n in 1..=2 {
        spawn(move || async move { send(main, n) });
    }
}

#[test]
fn a_global_variable() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    check_hidden(
        || async {
            send(me(), CALLS.fetch_add(1, Ordering::Relaxed));
            receive::<u32>().await;
        },
        &[
            "not deterministic: process P (a_global_variable) after its start first sent 0 to P, but sent 1 to P when \
             it was run again with the same inputs",
            "a global variable",
        ],
    );
}

#[test]
fn a_variable_of_the_thread() {
    thread_local!(static CALLS: Cell<u32> = const { Cell::new(0) });
    check_hidden(
        || async {
            two_senders();
            receive::<i32>().await;
            CALLS.set(CALLS.get() + 1);
            if CALLS.get() > 1 {
                receive::<i32>().await;
            }
        },
        &[
            "process P (a_variable_of_the_thread) after its input 1 (1) first ended, but waited for i32 when",
        ],
    );
}

#[test]
fn the_time() {
    check_hidden(
        || async {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            send(me(), now.unwrap().as_nanos());
            receive::<u128>().await;
        },
        &["process P (the_time) after its start first sent"],
    );
}

#[test]
fn the_order_of_a_hash_map() {
    check_hidden(
        || async {
            let main = me();
            let map: HashMap<u32, u32> = (0..50).map(|n| (n, n)).collect();
            for &n in map.keys() {
                send(main, n);
            }
            for _ in 0..50 {
                receive::<u32>().await;
            }
        },
        &["the order of a hash map"],
    );
    // The order of a tree is that of its keys, pids included.
    check_fine(|| async {
        let children: BTreeMap<Pid, u32> = (0..5).map(|n| (spawn(|| async {}), n)).collect();
        for (&pid, &n) in &children {
            send(me(), (pid, n));
        }
        for n in 0..5 {
            assert_eq!(receive::<(Pid, u32)>().await.1, n);
        }
    });
}

#[test]
fn something_shared_that_shows() {
    check_hidden(
        || async {
            let shared = Arc::new(Mutex::new(0));
            let main = me();
            for _ in 0..2 {
                let shared = Arc::clone(&shared);
                spawn(move || {
                    let shared = Arc::clone(&shared);
                    async move {
                        let mut count = shared.lock().unwrap();
                        *count += 1;
                        send(main, *count);
                    }
                });
            }
            for _ in 0..2 {
                receive::<i32>().await;
            }
        },
        &[
            "after its start first sent 1 to P, but sent 2 to P when it",
            "shared",
        ],
    );
}

/// Not detected, as documented: no process acts on the shared value.
#[test]
fn something_shared_that_does_not_show() {
    let checked = check_fine(|| async {
        let shared = Arc::new(Mutex::new(0));
        for _ in 0..2 {
            let shared = Arc::clone(&shared);
            spawn(move || async move { *shared.lock().unwrap() += 1 });
        }
    });
    assert_eq!(checked.executions, 1);
}

/// A shared table is seen by the exploration, so every order is there.
#[test]
fn a_table_is_shared_openly() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let seen_by = Arc::clone(&seen);
    let checked = check_fine(move || {
        let seen = Arc::clone(&seen_by);
        async move {
            let table = Table::new("numbers");
            let writer = table.clone();
            spawn(move || async move { writer.put(1, "written").await });
            let value = table.get(1).await;
            seen.lock().unwrap().push(value);
        }
    });
    assert_eq!(checked.executions, 2);
    let seen = seen.lock().unwrap();
    assert!(seen.contains(&None) && seen.contains(&Some("written")));
}

/// Values that cannot be sent to another thread are no problem: there is only one.
#[test]
fn messages_may_be_shared_on_one_thread() {
    let checked = check_fine(|| async {
        let list = Rc::new(vec![1, 2, 3]);
        let main = me();
        let sent = Rc::clone(&list);
        spawn(move || async move { send(main, sent) });
        assert_eq!(receive::<Rc<Vec<i32>>>().await, list);
    });
    assert_eq!(checked.executions, 1);
}

/// What a process does when its variables are dropped counts while it runs, and not when its
/// history is dropped.
#[test]
fn destructors_act_only_in_time() {
    struct SaysGoodbye(Pid);

    impl Drop for SaysGoodbye {
        fn drop(&mut self) {
            send(self.0, "goodbye");
        }
    }

    let checked = check_fine(|| async {
        let main = me();
        spawn(move || async move {
            let _guard = SaysGoodbye(main);
            send(main, "hello");
        });
        spawn(move || async move {
            daemon();
            let _guard = SaysGoodbye(main);
            receive::<u32>().await; // no process sends one
        });
        two_senders();
        for _ in 0..2 {
            receive::<i32>().await;
        }
        assert_eq!(receive::<&str>().await, "hello");
        assert_eq!(receive::<&str>().await, "goodbye");
    });
    assert_eq!(checked.executions, 2);
}

/// The same program, run over and over by many checks at once, is the same.
#[test]
fn checks_do_not_disturb_each_other() {
    thread_local!(static LAST: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) });
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                let counts = (0..5).map(|_| {
                    let checked = mazurka::check(|| async {
                        let main = me();
                        for n in 0..4 {
                            spawn(move || async move { send(main, n) });
                        }
                        for _ in 0..4 {
                            receive::<i32>().await;
                        }
                    });
                    checked.executions
                });
                LAST.set(counts.collect());
                LAST.take()
            })
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), [24; 5]);
    }
}

/// Records when it is dropped, and by which thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Lease(Pid);

impl Drop for Lease {
    fn drop(&mut self) {
        send(self.0, ("returned", me()));
    }
}

/// A message stays what it is while clones of it are received and dropped.
#[test]
fn the_destructor_of_a_message() {
    let checked = check_fine(|| async {
        let main = me();
        let owner = spawn(move || async move { send(main, Lease(main)) });
        two_senders();
        for _ in 0..2 {
            receive::<i32>().await;
        }
        let lease = receive_when(|_: &Lease| true).await;
        drop(lease);
        assert_eq!(receive::<(&str, Pid)>().await, ("returned", main));
        assert_ne!(owner, main);
    });
    assert_eq!(checked.executions, 2);
}

/// What a new process has captured is dropped in that process, however often it is run.
#[test]
fn the_destructor_of_what_is_captured() {
    let checked = check_fine(|| async {
        let main = me();
        let lease = Lease(main);
        let borrower = spawn(move || async move { drop(lease) });
        two_senders();
        for _ in 0..2 {
            receive::<i32>().await;
        }
        assert_eq!(receive::<(&str, Pid)>().await, ("returned", borrower));
    });
    assert_eq!(checked.executions, 2);
}

/// Two of them: a panic in the second while the first unwinds would end the test program.
#[test]
fn destructors_that_come_too_late() {
    check_fine(|| async {
        let main = me();
        spawn(move || async move {
            daemon();
            let _leases = (Lease(main), Lease(main));
            receive::<u32>().await; // no process sends one
        });
        spawn(move || async move {
            let _leases = (Lease(main), Lease(main));
            exit("early").await;
        });
    });
}

#[test]
fn the_argument_of_a_call() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    check_hidden(
        || async {
            spawn(call(
                |_: u32| async {},
                CALLS.fetch_add(1, Ordering::Relaxed),
            ));
        },
        &["not deterministic: process P (the_argument_of_a_call) after its start first spawned"],
    );
}
