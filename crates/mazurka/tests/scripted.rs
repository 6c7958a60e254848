//! Random programs do the same on this front-end as on the engine's scripted one: they have the
//! same set of traces, and exploration finds none twice.

use mazurka::prelude::*;
use mazurka::{Counter, Failure, Program, Table, Value};
use mazurka_engine::{Execution, Frontend, Observer, Options, SendersFirst, explore};
use mazurka_lab::oracle::{
    CanonicalTrace, Case, Instruction, Pattern, Script, Shape, Target, Term,
};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Duration;

/// Programs per shape and delivery model.
const PROGRAMS: u64 = 150;
/// Larger ones are left out.
const EXECUTIONS_MAX: u64 = 3_000;

thread_local! {
    /// Whether a process watched another one twice: scripts do not tell such monitors apart.
    static WATCHED_TWICE: Cell<bool> = const { Cell::new(false) };
}

async fn play(script: Rc<Script>, role: usize, mut known: Vec<Pid>, mut last: i64) {
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
                let body = move || boxed(script, role, others, last);
                known.push(match (link, monitor) {
                    (true, _) => spawn_link(body),
                    (false, true) => spawn_monitor(body).of,
                    (false, false) => spawn(body),
                });
            }
            Instruction::Send { to, value } => send(pid(to), number(value)),
            Instruction::HandOver { to, value } => {
                hand_over(pid(to), number(value)).await;
                last = 1;
            }
            Instruction::Receive {
                pattern,
                timeout_ms,
            } => last = take(pattern, timeout_ms).await,
            Instruction::Choose(n) => last = i64::from(choose(n).await),
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
            Instruction::Stop(target) => signal(pid(target), last),
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
            Instruction::Links => unreachable!("left out: processes do not ask for their links"),
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
fn boxed(
    script: Rc<Script>,
    role: usize,
    known: Vec<Pid>,
    last: i64,
) -> std::pin::Pin<Box<dyn Future<Output = ()>>> {
    Box::pin(play(script, role, known, last))
}

/// A receive: without guards where the pattern needs none, so that both kinds are compared.
async fn take(pattern: Pattern, timeout_ms: Option<u64>) -> i64 {
    let wanted = |n: i64| match pattern {
        Pattern::Any => true,
        Pattern::Equals(m) => n == m,
        Pattern::AtLeast(m) => n >= m,
        Pattern::Odd => n % 2 != 0,
        Pattern::News => false,
    };
    let news = matches!(pattern, Pattern::Any | Pattern::News);
    match (pattern, timeout_ms.map(Duration::from_millis)) {
        (Pattern::Any, None) => receive! {
            n: i64 => n,
            Exit { reason, .. } => 10 + reason_number(&reason),
            Down { reason, .. } => 20 + reason_number(&reason),
        },
        (_, None) => receive! {
            n: i64 if wanted(n) => n,
            Exit { reason, .. } if news => 10 + reason_number(&reason),
            Down { reason, .. } if news => 20 + reason_number(&reason),
        },
        (_, Some(time)) => receive! {
            n: i64 if wanted(n) => n,
            Exit { reason, .. } if news => 10 + reason_number(&reason),
            Down { reason, .. } if news => 20 + reason_number(&reason),
            after time => -1,
        },
    }
}

fn reason_number(reason: &Reason) -> i64 {
    let number = |value: &Value| {
        let failure: Option<Failure> = value.get();
        let crashed: Option<i64> = failure.map(|failure| failure.message.parse().unwrap());
        crashed.or_else(|| value.get()).unwrap()
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

fn traces<F: Frontend>(program: F, options: &Options) -> Traces {
    let mut traces = Traces::default();
    explore(program, SendersFirst, options, &mut traces).expect("random programs are modelled");
    traces
}

/// Compares programs of a shape; how many, how many with races, and their traces.
fn compare(shape: Shape, node_memory: usize) -> (u64, u64, usize) {
    let (mut compared, mut racy, mut all) = (0, 0, 0);
    for delivery in Delivery::ALL {
        for seed in 0..PROGRAMS {
            let case = Case {
                shape,
                seed,
                delivery,
            };
            let options = Options {
                delivery,
                timeouts: case.timeouts(),
                node_memory,
                ..Options::default()
            };
            let mut script = case.program();
            for role in &mut script.roles {
                role.retain(|instruction| *instruction != Instruction::Links);
            }
            let expected = traces(script.clone(), &options);
            if expected.executions > EXECUTIONS_MAX {
                continue;
            }
            WATCHED_TWICE.set(false);
            let script = Rc::new(script);
            let entry = move || boxed(Rc::clone(&script), 0, Vec::new(), 0);
            let found = traces(Program::new(entry), &options);
            if WATCHED_TWICE.get() {
                continue;
            }
            assert_eq!(found.distinct, expected.distinct, "{case:?}");
            assert_eq!(found.executions, expected.executions, "{case:?}");
            compared += 1;
            racy += u64::from(expected.executions > 1);
            all += expected.distinct.len();
        }
    }
    (compared, racy, all)
}

/// With memory for everything, and with so little that processes are run again all the time.
fn check(shape: Shape) {
    for node_memory in [usize::MAX, 2_000] {
        let (compared, racy, traces) = compare(shape, node_memory);
        println!("{shape:?}: {compared} programs, {racy} with races, {traces} traces");
        assert!(compared > 3 * PROGRAMS && racy > PROGRAMS / 2);
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
