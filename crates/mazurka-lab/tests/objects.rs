//! Shared objects: which operations race, counted. Every count is also that of brute force,
//! in every delivery model: objects serve requests in any order.

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

/// One process for each of these instructions, all at once, after `before`.
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
    // Different keys, and reads among themselves, never race.
    check_traces(&at_once(&[], &[put(1, 5), put(2, 5)]), 1);
    check_traces(&at_once(&[], &[get, get]), 1);
    check_traces(&at_once(&[], &[put(1, 5), Get { key: 2 }]), 1);
    // Two changes of a key, in either order; three, in any.
    check_traces(&at_once(&[], &[put(1, 5), put(1, 6)]), 2);
    check_traces(&at_once(&[], &[put(1, 5), put_new(1, 6)]), 2);
    check_traces(&at_once(&[], &[put(1, 5), take]), 2);
    check_traces(&at_once(&[], &[put(1, 5), put(1, 6), put(1, 7)]), 6);
    // A read comes before or after a change, each read by itself.
    check_traces(&at_once(&[], &[get, put(1, 5)]), 2);
    check_traces(&at_once(&[], &[get, get, put(1, 5)]), 4);
    // Two orders of the changes, three places of the read in each.
    check_traces(&at_once(&[], &[get, put(1, 5), put(1, 6)]), 6);
    // One reader that reads twice: old old, old new, new new.
    check_traces(&family(&[get, get], &[&[put(1, 5)]]), 3);
}

#[test]
fn a_read_does_not_race_with_what_changes_nothing() {
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

/// How many executions there are, and in how many of them a process crashes.
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

/// What follows a request that may be refused: `ok` is odd, a refusal is even.
const OR_CRASH: [Instruction; 2] = [SkipIfOdd(1), Crash];

/// Registers itself, crashes if refused, and lives on.
fn bearer(name: i64) -> Vec<Instruction> {
    [&[register(name)][..], &OR_CRASH, &[ANY]].concat()
}

#[test]
fn of_two_registrations_of_a_name_one_is_refused() {
    check_refusals(&family(&[], &[&bearer(1), &bearer(2)]), 1, 0);
    check_refusals(&family(&[], &[&bearer(1), &bearer(1)]), 2, 2);
}

/// A name is free again when its bearer has ended: in either order, the second one finds the
/// first one alive, and is refused, or not.
#[test]
fn a_name_does_not_outlive_its_bearer() {
    let mortal = [&[register(1)][..], &OR_CRASH].concat();
    check_refusals(&family(&[], &[&mortal, &mortal]), 4, 2);
}

#[test]
fn a_process_that_may_have_ended_may_not_be_registered() {
    let parent = |target| [&[Register { name: 1, target }][..], &OR_CRASH].concat();
    check_refusals(&family(&parent(CHILD), &[&[]]), 2, 1);
    check_refusals(&family(&parent(CHILD), &[&[ANY]]), 1, 0);
    check_refusals(&family(&parent(ME), &[&[]]), 1, 0);
}

#[test]
fn looking_for_names_and_lives() {
    // Before the registration or after it.
    let where_is = WhereIs { name: 1 };
    check_traces(&family(&[where_is], &[&bearer(1)]), 2);
    check_traces(&family(&[where_is], &[&bearer(2)]), 1);
    // The name is not there yet; its bearer is alive; its bearer has ended.
    check_traces(&family(&[where_is], &[&[register(1)]]), 3);
    // Before or after the end; nobody else ends.
    check_traces(&family(&[IsAlive(CHILD)], &[&[]]), 2);
    check_traces(&family(&[IsAlive(CHILD)], &[&[ANY]]), 1);
    // Nobody bears the name yet, or somebody does.
    let unregister = [&[Unregister { name: 1 }][..], &OR_CRASH].concat();
    check_refusals(&family(&unregister, &[&bearer(1)]), 2, 1);
}

/// The first name is given while the parent lives, and found by one who already knows that the
/// parent has ended. A name that looks at a life and then changes cannot do so once somebody has
/// read what it was before, later than that end: only if that reader reads the change instead.
#[test]
fn a_name_given_before_an_end_and_found_after_it() {
    let give = |name| Register {
        name,
        target: PARENT,
    };
    let late = [Get { key: 0 }, give(0)];
    let finder = [give(1), WhereIs { name: 0 }];
    check_traces(&family(&[], &[&late, &finder]), 6);
}
