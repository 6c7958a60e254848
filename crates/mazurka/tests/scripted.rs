//! Random programs do the same on this front-end as on the engine's scripted one: they have the
//! same set of traces, and exploration finds none twice. The same holds by brute force for messages whose
//! equality ignores what they carry.

use mazurka::prelude::*;
use mazurka::{Counter, Failure, Program, Table, Value, interchangeable};
use mazurka_engine::{Execution, Fault, Frontend, Observer, Options, SendersFirst, explore};
use mazurka_lab::oracle::{
    CanonicalTrace, Case, Instruction, Pattern, Script, Shape, Target, Term, brute,
};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Duration;

/// Programs per shape and delivery model.
const PROGRAMS: u64 = 150;
/// Larger ones are left out.
const EXECUTIONS_MAX: u64 = 3_000;

thread_local! {
    /// Whether a process watched another one twice: scripts do not distinguish such monitors.
    static WATCHED_TWICE: Cell<bool> = const { Cell::new(false) };
}

/// A message that carries a number.
trait Carries: mazurka::Message {
    fn of(number: i64) -> Self;
    fn number(&self) -> i64;
}

impl Carries for i64 {
    fn of(number: i64) -> Self {
        number
    }

    fn number(&self) -> i64 {
        *self
    }
}

/// A message that is equal to every other one of its type.
macro_rules! blurred {
    ($name:ident) => {
        #[derive(Clone)]
        struct $name(i64);

        impl PartialEq for $name {
            fn eq(&self, _: &Self) -> bool {
                true
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl Carries for $name {
            fn of(number: i64) -> Self {
                $name(number)
            }

            fn number(&self) -> i64 {
                self.0
            }
        }
    };
}

blurred!(Blurred);
// Declared interchangeable, which it is not.
blurred!(Merged);

impl Eq for Merged {}

impl Hash for Merged {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

async fn play<M: Carries>(script: Rc<Script>, role: usize, mut known: Vec<Pid>, mut last: i64) {
    known.insert(0, me());
    let mut monitors: Vec<Monitor> = Vec::new();
    let mut at = 0;
    while let Some(&instruction) = script.roles[role].get(at) {
        at += 1;
        let pid = |target| match target {
            Target::Known(n) => known[n % known.len()],
            Target::ByLast => known[last.unsigned_abs() as usize % known.len()],
        };
        let number = |term| match term {
            Term::Constant(n) => n,
            Term::LastPlus(n) => (last + n).rem_euclid(8),
        };
        let table = Table::<i64, i64>::new(0_i64);
        match instruction {
            Instruction::Spawn {
                role,
                link,
                monitor,
            } => {
                let (script, others) = (Rc::clone(&script), known.clone());
                let body = move || boxed::<M>(script, role, others, last);
                known.push(match (link, monitor) {
                    (true, _) => spawn_link(body),
                    (false, true) => spawn_monitor(body).of,
                    (false, false) => spawn(body),
                });
            }
            Instruction::Send { to, value } => send(pid(to), M::of(number(value))),
            Instruction::HandOver { to, value } => {
                hand_over(pid(to), M::of(number(value))).await;
                last = 1;
            }
            Instruction::Receive {
                pattern,
                timeout_ms,
            } => last = take::<M>(pattern, timeout_ms).await,
            Instruction::Choose(n) => last = i64::from(choose(n).await),
            Instruction::Disturb(_) => unreachable!("no function of the library does that"),
            Instruction::SkipIfOdd(count) => {
                if last % 2 != 0 {
                    at += count;
                }
            }
            Instruction::Daemon => daemon(),
            Instruction::AgainAfterTimeout(back) => {
                if last == -1 {
                    last = 0;
                    at = back;
                }
            }
            Instruction::Exit => return,
            Instruction::Crash => panic!("{last}"),
            Instruction::Kill(target) => signal(pid(target), Reason::Kill),
            Instruction::Stop(target) => signal(pid(target), M::of(last)),
            Instruction::SignalNormal(target) => signal(pid(target), Reason::Normal),
            Instruction::TrapExit(on) => trap_exit(on),
            Instruction::Link(target) => {
                link(pid(target)).await;
                last = 1;
            }
            Instruction::Unlink(target) => {
                unlink(pid(target)).await;
                last = 1;
            }
            Instruction::Links | Instruction::Flush(_) | Instruction::Notify(_) => {
                unreachable!("left out: the library has no such function")
            }
            Instruction::Monitor(target) => {
                let new = monitor(pid(target)).await;
                let twice = monitors.iter().any(|monitor| monitor.of == new.of);
                WATCHED_TWICE.set(WATCHED_TWICE.get() || twice);
                monitors.push(new);
                last = 1;
            }
            Instruction::Demonitor(target) => {
                let of = pid(target);
                let made = monitors.iter().find(|monitor| monitor.of == of);
                let none = Monitor::numbered(of, u64::MAX);
                demonitor(made.copied().unwrap_or(none)).await;
                last = 1;
            }
            Instruction::IsAlive(target) => last = i64::from(is_alive(pid(target)).await),
            Instruction::Register { name, target } => {
                let registered = register(name, pid(target)).await;
                last = registered.map_or(-2, |()| 1);
            }
            Instruction::Unregister { name } => {
                last = unregister(name).await.map_or(-2, |()| 1);
            }
            Instruction::WhereIs { name } => {
                let found = whereis(name).await;
                last = found.map_or(-3, |pid| {
                    let place = known.iter().position(|known| *known == pid);
                    place.map_or(40, |n| 1 + i64::try_from(n).unwrap())
                });
            }
            Instruction::Put { key, value } => {
                table.put(key, number(value)).await;
                last = 1;
            }
            Instruction::PutNew { key, value } => {
                last = i64::from(table.put_new(key, number(value)).await);
            }
            Instruction::Take { key } => last = table.take(key).await.unwrap_or(-3),
            Instruction::Get { key } => last = table.get(key).await.unwrap_or(-3),
            Instruction::Add { counter, amount } => {
                last = Counter::new(counter).add(amount).await;
            }
            Instruction::Count { counter } => last = Counter::new(counter).get().await,
        }
    }
}

/// A process that may spawn its own kind.
fn boxed<M: Carries>(
    script: Rc<Script>,
    role: usize,
    known: Vec<Pid>,
    last: i64,
) -> std::pin::Pin<Box<dyn Future<Output = ()>>> {
    Box::pin(play::<M>(script, role, known, last))
}

/// A receive: without guards where the pattern needs none, so that both kinds are compared.
async fn take<M: Carries>(pattern: Pattern, timeout_ms: Option<u64>) -> i64 {
    let wanted = |n: i64| match pattern {
        Pattern::Any => true,
        Pattern::Equals(m) => n == m,
        Pattern::AtLeast(m) => n >= m,
        Pattern::Odd => n % 2 != 0,
        Pattern::ExitOrDown => false,
    };
    let news = matches!(pattern, Pattern::Any | Pattern::ExitOrDown);
    match (pattern, timeout_ms.map(Duration::from_millis)) {
        (Pattern::Any, None) => receive! {
            n: M => n.number(),
            Exit { reason, .. } => 10 + reason_number::<M>(&reason),
            Down { reason, .. } => 20 + reason_number::<M>(&reason),
        },
        (_, None) => receive! {
            n: M if wanted(n.number()) => n.number(),
            Exit { reason, .. } if news => 10 + reason_number::<M>(&reason),
            Down { reason, .. } if news => 20 + reason_number::<M>(&reason),
        },
        (_, Some(time)) => receive! {
            n: M if wanted(n.number()) => n.number(),
            Exit { reason, .. } if news => 10 + reason_number::<M>(&reason),
            Down { reason, .. } if news => 20 + reason_number::<M>(&reason),
            after time => -1,
        },
    }
}

fn reason_number<M: Carries>(reason: &Reason) -> i64 {
    let number = |value: &Value| {
        let failure: Option<Failure> = value.get();
        let crashed: Option<i64> = failure.map(|failure| failure.message.parse().unwrap());
        let stopped = || value.get::<M>().map(|value| value.number());
        crashed.or_else(stopped).unwrap()
    };
    match reason {
        Reason::Normal => 0,
        Reason::Stopped(value) => 1 + number(value),
        Reason::Crash(value) => 2 + number(value),
        Reason::Assertion(value) => 3 + number(value),
        Reason::Kill => 4,
        Reason::Killed => 5,
        Reason::NoProcess => 6,
    }
}

#[derive(Default)]
struct Traces {
    distinct: BTreeSet<CanonicalTrace>,
    executions: u64,
}

impl<F: Frontend> Observer<F> for Traces {
    fn execution(&mut self, execution: &Execution<'_, F>) -> ControlFlow<()> {
        self.distinct.insert(execution.canonical());
        self.executions += 1;
        match self.executions > EXECUTIONS_MAX {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn restart(&mut self) {
        *self = Traces::default();
    }
}

fn traces<F: Frontend>(program: F, options: &Options) -> Result<Traces, Fault> {
    let mut traces = Traces::default();
    explore(program, SendersFirst, options, &mut traces)?;
    Ok(traces)
}

/// The traces of a script that is played with messages of this type; nothing if scripts do not
/// distinguish its monitors.
fn played<M: Carries>(script: Script, options: &Options) -> Option<Result<Traces, Fault>> {
    WATCHED_TWICE.set(false);
    let script = Rc::new(script);
    let entry = move || boxed::<M>(Rc::clone(&script), 0, Vec::new(), 0);
    let found = traces(Program::new(entry), options);
    (!WATCHED_TWICE.get()).then_some(found)
}

/// A program without what this front-end does not have, and how to explore it.
fn set_up(case: Case, node_memory: usize) -> (Script, Options) {
    let options = Options {
        delivery: case.delivery,
        timeouts: case.timeouts(),
        node_memory,
        ..Options::default()
    };
    let mut script = case.program();
    for role in &mut script.roles {
        role.retain(|instruction| {
            !matches!(
                instruction,
                Instruction::Links | Instruction::Flush(_) | Instruction::Notify(_)
            )
        });
    }
    (script, options)
}

/// Whether a process may time out and return to the same receive without any effect.
fn may_poll(role: &[Instruction]) -> bool {
    let has_effect = |instruction: &Instruction| {
        matches!(
            instruction,
            Instruction::Send { .. } | Instruction::HandOver { .. } | Instruction::Spawn { .. }
        )
    };
    role.iter().enumerate().any(|(at, instruction)| {
        matches!(*instruction, Instruction::AgainAfterTimeout(back)
            if !role.get(back..at).is_some_and(|again| again.iter().any(has_effect)))
    })
}

/// Compares programs of a shape: how many, how many with races, how many are left out because they may
/// poll, and the traces.
fn compare(shape: Shape, node_memory: usize) -> (u64, u64, u64, usize) {
    let (mut compared, mut racy, mut polling, mut all) = (0, 0, 0, 0);
    for delivery in Delivery::ALL {
        for seed in 0..PROGRAMS {
            let case = Case {
                shape,
                seed,
                delivery,
            };
            let (script, options) = set_up(case, node_memory);
            // The state of a future cannot be compared, so idle rounds are not left out.
            if script.roles.iter().any(|role| may_poll(role)) {
                polling += 1;
                continue;
            }
            let expected = traces(script.clone(), &options).expect("random programs are modelled");
            if expected.executions > EXECUTIONS_MAX {
                continue;
            }
            let Some(found) = played::<i64>(script, &options) else {
                continue;
            };
            let found = found.expect("random programs are modelled");
            assert_eq!(found.distinct, expected.distinct, "{case:?}");
            assert_eq!(found.executions, expected.executions, "{case:?}");
            compared += 1;
            racy += u64::from(expected.executions > 1);
            all += expected.distinct.len();
        }
    }
    (compared, racy, polling, all)
}

/// With memory for everything, and with so little that processes are run again all the time.
fn check(shape: Shape) {
    for node_memory in [usize::MAX, 2_000] {
        let (compared, racy, polling, traces) = compare(shape, node_memory);
        println!("{shape:?}: {compared} programs, {racy} with races, {traces} traces");
        assert!(compared + polling > 3 * PROGRAMS && 8 * racy > compared);
    }
}

#[test]
fn messages() {
    check(Shape::Messages);
}

#[test]
fn timeouts() {
    check(Shape::Timeouts);
}

#[test]
fn signals() {
    check(Shape::Signals);
}

#[test]
fn objects() {
    check(Shape::Objects);
}

#[test]
fn choices() {
    check(Shape::Choices);
}

#[test]
fn rendezvous() {
    check(Shape::Rendezvous);
}

#[test]
fn daemons() {
    check(Shape::Daemons);
}

#[test]
fn everything() {
    check(Shape::Everything);
}

/// Larger programs are left out of the comparison with brute force, by their configurations.
const CONFIGURATIONS_MAX: usize = 5_000;

/// Compares programs that send messages of this type with brute force, with memory for everything and with so
/// little that processes are run again: how many, and how many differ.
fn compare_with_brute_force<M: Carries>(shape: Shape) -> (u64, u64) {
    let (mut compared, mut different) = (0, 0);
    for delivery in Delivery::ALL {
        for seed in 0..PROGRAMS {
            let case = Case {
                shape,
                seed,
                delivery,
            };
            let (script, options) = set_up(case, usize::MAX);
            let all = brute(&script, delivery, options.timeouts, CONFIGURATIONS_MAX);
            let Ok(expected) = all else {
                continue;
            };
            let is_same = |node_memory| {
                let (script, options) = set_up(case, node_memory);
                let found = played::<M>(script, &options)?;
                Some(found.is_ok_and(|found| {
                    found.distinct == expected && found.executions == expected.len() as u64
                }))
            };
            let (Some(in_memory), Some(again)) = (is_same(usize::MAX), is_same(2_000)) else {
                continue;
            };
            compared += 1;
            if !(in_memory && again) {
                println!("differs: {case:?}");
                different += 1;
            }
        }
    }
    (compared, different)
}

/// Messages that are equal and carry different numbers are distinguished.
#[test]
fn equal_messages_are_told_apart() {
    for shape in [
        Shape::Messages,
        Shape::Timeouts,
        Shape::Signals,
        Shape::Rendezvous,
    ] {
        let (compared, different) = compare_with_brute_force::<Blurred>(shape);
        println!("{shape:?}: {compared} programs");
        assert_eq!(different, 0, "{shape:?}");
        assert!(compared > 2 * PROGRAMS, "{shape:?}: {compared}");
    }
}

/// The comparison notices messages that are replaced by others that they are equal to: it does so if the
/// program declares by mistake that they are interchangeable.
#[test]
fn messages_that_are_merged_by_mistake_are_noticed() {
    interchangeable::<Merged>();
    let (compared, different) = compare_with_brute_force::<Merged>(Shape::Messages);
    println!("{different} of {compared} programs differ");
    assert!(different > 0);
}
