//! Daemons that tick for ever, and processes that should have been marked as daemons.

use mazurka::prelude::*;
use mazurka::{Check, Verdict};
use std::time::Duration;

fn check() -> Check {
    Check::new().no_logs(true)
}

async fn server() {
    daemon();
    serve().await;
}

/// Counts the ticks.
async fn serve() {
    let mut ticks = 0;
    loop {
        match receive::<Message>().await {
            Message::Tick => ticks += 1,
            Message::Get(from) => send(from, ticks),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Message {
    Tick,
    Get(Pid),
}

async fn ticker(server: Pid, time: Duration) {
    daemon();
    loop {
        sleep(time).await;
        send(server, Message::Tick);
    }
}

#[test]
fn a_daemon_that_ticks_for_ever_does_not_keep_an_execution_alive() {
    for timeouts in [
        Timeouts::AnyTime,
        Timeouts::WhenQuiet,
        Timeouts::Below(1000),
    ] {
        let program = || async {
            let server = spawn(server);
            spawn(move || ticker(server, Duration::from_secs(1)));
            send(server, Message::Get(me()));
            receive::<i32>().await;
        };
        let checked = check().timeouts(timeouts).explore(program);
        assert_eq!(checked.verdict, Verdict::Verified, "{}", checked.report);
        // If the tick may come at any time, it does so before or after the question.
        let expected = if timeouts == Timeouts::AnyTime { 2 } else { 1 };
        assert_eq!(checked.executions, expected, "{}", checked.report);
        let stopped = "Daemons stopped while their timers ran: ";
        assert!(checked.report.contains(stopped), "{}", checked.report);
    }
}

#[test]
fn ticks_before_the_deadline_of_another_process_happen() {
    let program = || async {
        let server = spawn(server);
        spawn(move || ticker(server, Duration::from_secs(1)));
        sleep(Duration::from_millis(3500)).await;
        send(server, Message::Get(me()));
        assert_eq!(receive::<i32>().await, 3);
    };
    let checked = check().timeouts(Timeouts::WhenQuiet).explore(program);
    assert_eq!(checked.verdict, Verdict::Verified, "{}", checked.report);
    assert_eq!(checked.executions, 1);
}

/// The server is not marked, so that it is stuck in every execution; the assertion fails in one of
/// two.
async fn forgotten() {
    let main = me();
    spawn(serve);
    for n in 1..=2 {
        spawn(move || async move { send(main, n) });
    }
    assert_eq!(receive::<i32>().await, 1);
}

#[test]
fn a_stuck_process_does_not_hide_other_errors() {
    let checked = check().explore(forgotten);
    assert_eq!((checked.verdict, checked.executions), (Verdict::Wrong, 2));
    let report = &checked.report;
    assert!(report.contains("Error found: 2 errors"), "{report}");
    assert!(report.contains("mazurka::daemon()"), "{report}");
    let stops = check().after_stuck(0).explore(forgotten);
    assert_eq!((stops.verdict, stops.executions), (Verdict::Wrong, 1));
}
