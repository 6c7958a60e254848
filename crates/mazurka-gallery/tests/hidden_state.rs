//! A program with hidden state must cause an error report, never a panic, even if steps are not run
//! twice: re-running an evicted step may have any result.

use mazurka_engine::{ByHash, Delivery, Fault, Options, Settings, Strategy, check};
use mazurka_gallery::{Actors, Next, Pattern, Term, Turn, done, pattern, receive, start, tuple};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicI64, Ordering};

static HIDDEN: AtomicI64 = AtomicI64::new(0);

fn entry(_: &Term, turn: &mut Turn<'_>) -> Next {
    let sink = turn.spawn(start!(sink));
    for i in 0..4 {
        turn.spawn(start!(sender, turn.me(), sink, i));
    }
    collect(sink, 4)
}

fn collect(sink: mazurka_engine::PidId, left: i64) -> Next {
    if left == 0 {
        return done();
    }
    receive(Pattern::Any, move |_, turn| {
        let hidden = HIDDEN.fetch_add(1, Ordering::Relaxed);
        if hidden % 3 != 0 {
            turn.send(sink, tuple!["x", hidden % 5]);
        }
        collect(sink, left - 1)
    })
}

fn sender(args: &Term, turn: &mut Turn<'_>) -> Next {
    turn.send(args.pid(0)?, Term::Int(args.int(2)?));
    turn.send(args.pid(1)?, tuple!["x", args.int(2)?]);
    done()
}

fn sink(_: &Term, turn: &mut Turn<'_>) -> Next {
    turn.daemon();
    drain()
}

fn drain() -> Next {
    receive(pattern!["x", Pattern::Any], |_, _| drain())
}

#[test]
fn hidden_state_is_reported() {
    let mut reported = 0;
    for delivery in Delivery::ALL {
        for seed in 0..6 {
            let explore = Options {
                delivery,
                strategy: Strategy::Random { seed },
                // Very little memory, so that steps are evicted and run again.
                node_memory: 2000,
                max_executions: Some(3000),
                ..Options::default()
            };
            let settings = Settings {
                explore,
                keep_going: true,
                ..Settings::default()
            };
            let program = Actors::new(start!(entry));
            let result = check(program, ByHash { seed }, &settings, |_| {
                ControlFlow::Continue(())
            });
            match result {
                Ok(_) => {}
                Err(Fault::Nondeterminism { .. }) => reported += 1,
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(
        reported > 0,
        "steps were evicted and run again, but no difference was reported"
    );
}
