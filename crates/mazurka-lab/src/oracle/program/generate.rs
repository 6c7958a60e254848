//! Random programs, small enough for brute force and with many races.

use super::mix::mix;
use super::script::{Instruction, Pattern, Script, Target, Term};

/// What a random program may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Spawns, sends and selective receives.
    Messages,
    /// `Messages` and timeouts.
    Timeouts,
    /// Also links, queries for links, monitors, kills and trapped exits.
    Signals,
    /// Also names, tables, counters and liveness checks.
    Objects,
    /// Everything at once, choices included.
    Everything,
    /// Messages, and choices that a process makes by itself.
    Choices,
    /// Messages of which most are handed over: their senders wait until they are received.
    Rendezvous,
    /// Everything but choices and rendezvous, with daemons that tick for ever.
    Daemons,
    /// Messages, signals and timeouts, with processes that poll in a loop.
    Polls,
    /// Messages and timeouts, and disturbances from outside, whose number is limited.
    Disturbances,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Shape; 10] = [
        Shape::Messages,
        Shape::Timeouts,
        Shape::Signals,
        Shape::Objects,
        Shape::Everything,
        Shape::Choices,
        Shape::Rendezvous,
        Shape::Daemons,
        Shape::Polls,
        Shape::Disturbances,
    ];
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (mix(self.0) % n as u64) as usize
    }

    fn small(&mut self) -> i64 {
        i64::try_from(self.below(4)).expect("small")
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// The program of this shape and seed: the entry process starts a few others, which may start more,
/// and all of them send and receive. There are many short processes, because they race, while long
/// ones only add interleavings.
#[must_use]
pub fn generate(shape: Shape, seed: u64) -> Script {
    let mut random = Random(mix(seed ^ (shape as u64) << 56));
    let roles = match shape {
        Shape::Daemons | Shape::Polls => 2 + random.below(2),
        _ => 2 + random.below(3),
    };
    let mut script = Script {
        roles: vec![entry(&mut random, shape, roles)],
    };
    for role in 1..roles {
        script.roles.push(helper(&mut random, shape, role, roles));
    }
    let choices = match shape {
        Shape::Choices => 1 + random.below(2),
        // Seldom: the other instructions already give many traces.
        Shape::Everything => usize::from(random.below(3) == 0),
        _ => 0,
    };
    for _ in 0..choices {
        choose(&mut random, &mut script, None);
    }
    if shape == Shape::Disturbances {
        let limit = random.of(&[1, 1, 2]);
        for _ in 0..2 + random.below(3) {
            choose(&mut random, &mut script, Some(limit));
        }
    }
    match shape {
        Shape::Rendezvous => hand_over(&mut random, &mut script, 3),
        Shape::Everything | Shape::Signals if random.below(2) == 0 => {
            hand_over(&mut random, &mut script, 2);
        }
        _ => {}
    }
    if shape == Shape::Timeouts && random.below(2) == 0 {
        for _ in 0..4 {
            sleep(&mut random, &mut script);
        }
    }
    // Whether a process that asks for its links sees a concurrent change is not modelled.
    let mut all = script.roles.iter().flatten();
    if all.any(|one| matches!(one, Instruction::Link(_) | Instruction::Unlink(_))) {
        for instruction in script.roles.iter_mut().flatten() {
            if matches!(instruction, Instruction::Links) {
                *instruction = Instruction::IsAlive(Target::Known(0));
            }
        }
    }
    if shape == Shape::Daemons {
        for role in 1..roles {
            if role == 1 || random.below(3) == 0 {
                make_daemon(&mut random, &mut script.roles[role]);
            }
        }
    }
    if shape == Shape::Polls {
        let first = random.below(roles);
        for role in 0..roles {
            if role == first || random.below(3) == 0 {
                poll(&mut random, &mut script.roles[role]);
            }
        }
    }
    script
}

/// Lets a role poll in a loop until a message comes.
fn poll(random: &mut Random, instructions: &mut Vec<Instruction>) {
    let is_spawn = |instruction: &Instruction| matches!(instruction, Instruction::Spawn { .. });
    let first = instructions
        .iter()
        .rposition(is_spawn)
        .map_or(0, |at| at + 1);
    let at = first + random.below(instructions.len() + 1 - first);
    let poll = Instruction::Receive {
        pattern: random.of(&[Pattern::Any, Pattern::Odd, Pattern::Equals(2)]),
        timeout_ms: Some(random.of(&[0, 0, 10, 5000])),
    };
    instructions.splice(at..at, [poll, Instruction::AgainAfterTimeout(at)]);
}

/// Turns a role into a daemon, which in most cases loops: some instructions, then a wait with a
/// timeout.
fn make_daemon(random: &mut Random, instructions: &mut Vec<Instruction>) {
    let at = random.below(instructions.len() + 1);
    instructions.insert(at, Instruction::Daemon);
    instructions.push(Instruction::Receive {
        pattern: random.of(&[Pattern::Equals(99), Pattern::Any, Pattern::Odd]),
        // Not much shorter than the deadlines of others, which would let it tick too often.
        timeout_ms: Some(random.of(&[900, 900, 990, 2000, 3000])),
    });
    if random.below(4) > 0 {
        // A loop that spawns would start too many processes.
        let is_spawn = |instruction: &Instruction| matches!(instruction, Instruction::Spawn { .. });
        let first = instructions
            .iter()
            .rposition(is_spawn)
            .map_or(0, |at| at + 1);
        let back = first + random.below(instructions.len() - first);
        instructions.push(Instruction::AgainAfterTimeout(back));
    }
}

/// Lets a process other than the entry process sleep before it sends. A process that sleeps twice may
/// wake up before or after one that sleeps once, but longer.
fn sleep(random: &mut Random, script: &mut Script) {
    let role = 1 + random.below(script.roles.len() - 1);
    let instructions = &mut script.roles[role];
    let is_send = |at: &usize| matches!(instructions[*at], Instruction::Send { .. });
    let sends: Vec<usize> = (0..instructions.len()).filter(is_send).collect();
    let sleep = Instruction::Receive {
        // This value is never sent.
        pattern: Pattern::Equals(99),
        timeout_ms: Some(random.of(&[2000, 3000, 5000])),
    };
    let at = random.below(sends.len());
    instructions.insert(sends[at], sleep);
}

/// Turns on average `of_four` of four sends into hand-overs, which wait until they are received.
fn hand_over(random: &mut Random, script: &mut Script, of_four: usize) {
    for instruction in script.roles.iter_mut().flatten() {
        if let Instruction::Send { to, value } = *instruction
            && random.below(4) < of_four
        {
            *instruction = Instruction::HandOver { to, value };
        }
    }
}

/// Lets a process choose, or perhaps be disturbed, and in most cases send the outcome next.
fn choose(random: &mut Random, script: &mut Script, limit: Option<u32>) {
    let role = random.below(script.roles.len());
    let instructions = &mut script.roles[role];
    let at = random.below(instructions.len() + 1);
    let next_send = instructions[at..].iter_mut().find_map(|next| match next {
        Instruction::Send { value, .. } => Some(value),
        _ => None,
    });
    if let Some(value) = next_send
        && random.below(3) > 0
    {
        *value = Term::LastPlus(random.small());
    }
    let choice = match limit {
        Some(limit) => Instruction::Disturb(limit),
        None => Instruction::Choose(random.of(&[2, 2, 3])),
    };
    instructions.insert(at, choice);
}

/// The entry process: in most cases it spawns first and then receives.
fn entry(random: &mut Random, shape: Shape, roles: usize) -> Vec<Instruction> {
    let mut instructions: Vec<_> = (1..roles).map(|role| spawn(random, shape, role)).collect();
    if random.below(2) == 0 {
        let role = 1 + random.below(roles - 1);
        instructions.push(spawn(random, shape, role));
    }
    instructions.push(receive(random, shape));
    for _ in 0..random.below(3) {
        let next = match random.below(2) {
            0 => receive(random, shape),
            _ => instruction(random, shape, 0, roles),
        };
        insert(random, &mut instructions, next);
    }
    instructions
}

/// A process that was spawned: it sends, and may do something else.
fn helper(random: &mut Random, shape: Shape, role: usize, roles: usize) -> Vec<Instruction> {
    let mut instructions = vec![Instruction::Send {
        to: target(random),
        value: term(random),
    }];
    for _ in 0..random.below(3) {
        let next = instruction(random, shape, role, roles);
        insert(random, &mut instructions, next);
    }
    instructions
}

/// In most cases the end, sometimes any position.
fn insert(random: &mut Random, instructions: &mut Vec<Instruction>, next: Instruction) {
    let at = match random.below(5) {
        0 => random.below(instructions.len() + 1),
        _ => instructions.len(),
    };
    instructions.insert(at, next);
}

fn spawn(random: &mut Random, shape: Shape, role: usize) -> Instruction {
    let ties = match shape {
        Shape::Signals | Shape::Everything => true,
        Shape::Daemons | Shape::Polls => random.below(4) == 0,
        _ => false,
    };
    let tie = if ties { random.below(3) } else { 0 };
    Instruction::Spawn {
        role,
        link: tie == 1,
        monitor: tie == 2,
    }
}

fn target(random: &mut Random) -> Target {
    match random.below(8) {
        0 => Target::ByLast,
        // Most messages go to the parent, which knows the most processes.
        1..5 => Target::Known(1),
        5 => Target::Known(0),
        n => Target::Known(n - 4),
    }
}

fn term(random: &mut Random) -> Term {
    match random.below(2) {
        0 => Term::Constant(random.small()),
        _ => Term::LastPlus(random.small()),
    }
}

fn receive(random: &mut Random, shape: Shape) -> Instruction {
    let pattern = match random.below(6) {
        0..3 => Pattern::Any,
        3 => Pattern::AtLeast(random.small()),
        4 if shape == Shape::Signals => Pattern::ExitOrDown,
        4 => Pattern::Equals(random.small()),
        _ => Pattern::Odd,
    };
    let timeout_ms = match shape {
        Shape::Messages | Shape::Choices => None,
        // Sometimes with a timeout, so that a sender may wait for ever.
        Shape::Rendezvous => random.of(&[None, None, None, Some(10), Some(5000)]),
        Shape::Timeouts => random.of(&[None, Some(0), Some(10), Some(5000), Some(7000)]),
        _ => random.of(&[None, None, None, Some(10), Some(5000)]),
    };
    Instruction::Receive {
        pattern,
        timeout_ms,
    }
}

fn instruction(random: &mut Random, shape: Shape, role: usize, roles: usize) -> Instruction {
    let special = match shape {
        Shape::Messages
        | Shape::Timeouts
        | Shape::Choices
        | Shape::Rendezvous
        | Shape::Disturbances => 0,
        Shape::Daemons | Shape::Polls => random.below(3),
        Shape::Signals => 1,
        Shape::Objects => 2,
        Shape::Everything => 1 + random.below(2),
    };
    if special > 0 && random.below(5) < 2 {
        return match special {
            1 => signal(random),
            _ => object(random),
        };
    }
    match random.below(16) {
        0..7 => Instruction::Send {
            to: target(random),
            value: term(random),
        },
        7..13 => receive(random, shape),
        13 => Instruction::SkipIfOdd(1 + random.below(2)),
        14 if role + 1 < roles && random.below(2) == 0 => spawn(random, shape, role + 1),
        14 => Instruction::Exit,
        _ => random.of(&[Instruction::Exit, Instruction::Crash]),
    }
}

fn signal(random: &mut Random) -> Instruction {
    let target = target(random);
    match random.below(17) {
        0 | 1 => Instruction::Kill(target),
        2 | 3 => Instruction::Stop(target),
        4 => Instruction::SignalNormal(target),
        5 | 6 => Instruction::TrapExit(true),
        7 => Instruction::TrapExit(false),
        8 | 9 => Instruction::Link(target),
        10 => Instruction::Unlink(target),
        11 | 12 => Instruction::Monitor(target),
        13 => Instruction::Links,
        14 => Instruction::Flush(target),
        15 => Instruction::Notify(target),
        _ => Instruction::Demonitor(target),
    }
}

fn object(random: &mut Random) -> Instruction {
    let target = target(random);
    let name = i64::try_from(random.below(2)).expect("small");
    let value = term(random);
    match random.below(12) {
        0 | 1 => Instruction::Register { name, target },
        2 => Instruction::Unregister { name },
        3 | 4 => Instruction::WhereIs { name },
        5 => Instruction::IsAlive(target),
        6 => Instruction::Put { key: name, value },
        7 => Instruction::PutNew { key: name, value },
        8 => Instruction::Take { key: name },
        9 => Instruction::Get { key: name },
        10 => Instruction::Add {
            counter: 0,
            amount: random.of(&[0, 1, 2]),
        },
        _ => Instruction::Count { counter: 0 },
    }
}
