//! Tens of processes and thousands of steps per execution.

use mazurka::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Token(u32);

/// 40 processes pass a token 4,000 times: one execution, with as many receives.
#[test]
fn a_long_ring() {
    let checked = mazurka::check(|| async {
        let mut next = me();
        for _ in 0..39 {
            next = spawn(move || async move {
                daemon();
                loop {
                    let Token(hops) = receive().await;
                    send(next, Token(hops + 1));
                }
            });
        }
        send(next, Token(1));
        loop {
            let Token(hops) = receive().await;
            if hops == 4_000 {
                break;
            }
            send(next, Token(hops + 1));
        }
    });
    assert_eq!(checked.executions, 1);
    assert_eq!(checked.steps, 40 + 4_000);
}

/// A race after thousands of steps costs what runs the process again, not the program.
#[test]
fn a_late_race() {
    let checked = mazurka::check(|| async {
        let main = me();
        let server = spawn(|| async {
            daemon();
            loop {
                let (client, n): (Pid, u32) = receive().await;
                send(client, n);
            }
        });
        for n in 0..3_000 {
            send(server, (main, n));
            assert_eq!(receive::<u32>().await, n);
        }
        for n in 0..3 {
            spawn(move || async move { send(main, n) });
        }
        for _ in 0..3 {
            receive::<i32>().await;
        }
    });
    assert_eq!(checked.executions, 6);
    // The first steps are run twice to compare them, then the entry process five times over.
    assert!(checked.runs < 40_000, "{}", checked.runs);
}

/// Ten races that have nothing to do with each other, among 31 processes.
#[test]
fn many_small_races() {
    let checked = mazurka::check(|| async {
        for _ in 0..10 {
            spawn(|| async {
                let pair = me();
                for n in 0..2 {
                    spawn(move || async move { send(pair, n) });
                }
                receive::<i32>().await;
                receive::<i32>().await;
            });
        }
    });
    assert_eq!(checked.executions, 1 << 10);
}
