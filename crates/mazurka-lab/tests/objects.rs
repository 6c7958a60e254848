//! Shared objects: which operations race, tested by numbers of traces. Brute force finds the same
//! numbers, in every delivery model, because objects serve requests in any order.

mod support;

use mazurka_engine::{Delivery, Kind, SendersFirst, Settings, Timeouts, check};
use mazurka_lab::oracle::Instruction::{
    Add, Count, Crash, Get, IsAlive, Put, PutNew, Register, SkipIfOdd, Take, Unregister, WhereIs,
};
use mazurka_lab::oracle::{Instruction, Script, Term};
use std::ops::ControlFlow;
use support::{ANY, CHILD, ME, PARENT, all_traces, family};

fn put(key: i64, value: i64) -> Instruction {
    let value = Term::Constant(value);
    Put { key, value }
}

fn put_new(key: i64, value: i64) -> Instruction {
    let value = Term::Constant(value);
    PutNew { key, value }
}

fn add(counter: i64, amount: i64) -> Instruction {
    Add { counter, amount }
}

fn register(name: i64) -> Instruction {
    Register { name, target: ME }
}

fn check_traces(script: &Script, expected: usize) {
    for delivery in Delivery::ALL {
        let found = all_traces(script, delivery, Timeouts::default()).len();
        assert_eq!(found, expected, "{script:?} under {delivery}");
    }
}

/// The entry process executes `before`, then spawns one process for each instruction of `each`.
fn at_once(before: &[Instruction], each: &[Instruction]) -> Script {
    let mut roles = vec![before.to_vec()];
    roles[0].extend((1..=each.len()).map(support::spawn));
    roles.extend(each.iter().map(|&instruction| vec![instruction]));
    Script { roles }
}

#[test]
fn operations_on_tables() {
    let get = Get { key: 1 };
    let take = Take { key: 1 };
    // Operations on different keys do not race, and two reads do not race.
    check_traces(&at_once(&[], &[put(1, 5), put(2, 5)]), 1);
    check_traces(&at_once(&[], &[get, get]), 1);
    check_traces(&at_once(&[], &[put(1, 5), Get { key: 2 }]), 1);
    // Two changes of a key have 2 orders, three have 6.
    check_traces(&at_once(&[], &[put(1, 5), put(1, 6)]), 2);
    check_traces(&at_once(&[], &[put(1, 5), put_new(1, 6)]), 2);
    check_traces(&at_once(&[], &[put(1, 5), take]), 2);
    check_traces(&at_once(&[], &[put(1, 5), put(1, 6), put(1, 7)]), 6);
    // Each read comes before or after the change.
    check_traces(&at_once(&[], &[get, put(1, 5)]), 2);
    check_traces(&at_once(&[], &[get, get, put(1, 5)]), 4);
    // 2 orders of the changes, and 3 positions of the read in each.
    check_traces(&at_once(&[], &[get, put(1, 5), put(1, 6)]), 6);
    // One reader that reads twice: old old, old new, new new.
    check_traces(&family(&[get, get], &[&[put(1, 5)]]), 3);
}

#[test]
fn a_read_does_not_race_with_a_request_that_changes_nothing() {
    let get = Get { key: 1 };
    let before = [put(1, 5)];
    check_traces(&at_once(&before, &[get, put(1, 5)]), 1);
    check_traces(&at_once(&before, &[get, put(1, 6)]), 2);
    check_traces(&at_once(&before, &[get, put_new(1, 6)]), 1);
    check_traces(&at_once(&before, &[get, Take { key: 1 }]), 2);
    check_traces(&at_once(&[], &[get, Take { key: 1 }]), 1);
    check_traces(&at_once(&[], &[Count { counter: 1 }, add(1, 0)]), 1);
}

#[test]
fn counters() {
    let count = Count { counter: 1 };
    check_traces(&at_once(&[], &[add(1, 1), add(2, 1)]), 1);
    check_traces(&at_once(&[], &[count, count]), 1);
    check_traces(&at_once(&[], &[add(1, 1), add(1, 1)]), 2);
    check_traces(&at_once(&[], &[add(1, 1), add(1, 1), add(1, 1)]), 6);
    check_traces(&at_once(&[], &[count, add(1, 1)]), 2);
    check_traces(&at_once(&[], &[count, count, add(1, 1)]), 4);
    // A counter and a table are different objects.
    check_traces(&at_once(&[], &[put(1, 5), add(1, 1)]), 1);
}

/// Number of executions, and number of those in which a process crashes.
fn executions_and_crashes(script: &Script) -> (u64, u64) {
    let settings = Settings {
        keep_going: true,
        ..Settings::default()
    };
    let go_on = |_: &_| ControlFlow::Continue(());
    let report = check(script.clone(), SendersFirst, &settings, go_on).expect("it is modelled");
    let crashes = report
        .found
        .iter()
        .filter(|found| found.finding.kind == Kind::Crash);
    (
        report.progress.executions,
        crashes.map(|found| found.count).sum(),
    )
}

fn check_refusals(script: &Script, executions: u64, refused: u64) {
    check_traces(script, usize::try_from(executions).expect("few"));
    assert_eq!(executions_and_crashes(script), (executions, refused));
}

/// After a request: crash if it was refused. As an input, `ok` is odd and a refusal is even.
const OR_CRASH: [Instruction; 2] = [SkipIfOdd(1), Crash];

/// Registers itself under this name, crashes if refused, and then waits for ever.
fn registers_and_stays(name: i64) -> Vec<Instruction> {
    [&[register(name)][..], &OR_CRASH, &[ANY]].concat()
}

#[test]
fn of_two_registrations_of_a_name_one_is_refused() {
    check_refusals(
        &family(&[], &[&registers_and_stays(1), &registers_and_stays(2)]),
        1,
        0,
    );
    check_refusals(
        &family(&[], &[&registers_and_stays(1), &registers_and_stays(1)]),
        2,
        2,
    );
}

/// 2 orders of the registrations. In each, the first process has ended or not when the second registers,
/// which is refused only if it has not.
#[test]
fn a_name_is_free_again_when_its_process_has_ended() {
    let registers_and_ends = [&[register(1)][..], &OR_CRASH].concat();
    let both = [&registers_and_ends[..], &registers_and_ends];
    check_refusals(&family(&[], &both), 4, 2);
}

#[test]
fn a_process_that_has_ended_cannot_be_registered() {
    let parent = |target| [&[Register { name: 1, target }][..], &OR_CRASH].concat();
    check_refusals(&family(&parent(CHILD), &[&[]]), 2, 1);
    check_refusals(&family(&parent(CHILD), &[&[ANY]]), 1, 0);
    check_refusals(&family(&parent(ME), &[&[]]), 1, 0);
}

#[test]
fn reads_of_names_and_of_liveness() {
    // Before the registration or after it.
    let where_is = WhereIs { name: 1 };
    check_traces(&family(&[where_is], &[&registers_and_stays(1)]), 2);
    check_traces(&family(&[where_is], &[&registers_and_stays(2)]), 1);
    // The name is not registered yet; its process is alive; its process has ended.
    check_traces(&family(&[where_is], &[&[register(1)]]), 3);
    // Before or after the end of the child; or the child does not end.
    check_traces(&family(&[IsAlive(CHILD)], &[&[]]), 2);
    check_traces(&family(&[IsAlive(CHILD)], &[&[ANY]]), 1);
    // The name is not registered yet, which is refused, or it is.
    let unregister = [&[Unregister { name: 1 }][..], &OR_CRASH].concat();
    check_refusals(&family(&unregister, &[&registers_and_stays(1)]), 2, 1);
}

/// The first child registers its parent while the parent is alive. The second child looks the name up
/// after it has seen that the parent has ended. The name object reads the liveness of the parent before
/// it changes. If the second child read the old version of the name after that end, the registration
/// comes after the end as well and is refused.
#[test]
fn a_name_registered_before_an_end_and_read_after_it() {
    let register = |name| Register {
        name,
        target: PARENT,
    };
    let first = [Get { key: 0 }, register(0)];
    let second = [register(1), WhereIs { name: 0 }];
    check_traces(&family(&[], &[&first, &second]), 6);
}
