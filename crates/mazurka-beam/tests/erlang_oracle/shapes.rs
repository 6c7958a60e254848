//! Scripts for Erlang, in which instructions that Erlang lacks are replaced.

use std::collections::BTreeSet;

use mazurka_lab::oracle::{Instruction, Script, Shape, Target, generate};

/// The script with this shape and seed. Tables and counters are replaced by names; there are no choices
/// and no sends that wait until the message is received.
pub fn script(shape: Shape, seed: u64) -> Script {
    let mut script = generate(shape, seed);
    for role in &mut script.roles {
        role.retain(|instruction| !matches!(instruction, Instruction::Choose(_)));
        for instruction in role {
            *instruction = match *instruction {
                Instruction::HandOver { to, value } => Instruction::Send { to, value },
                Instruction::Notify(target) => Instruction::Monitor(target),
                Instruction::Flush(target) => Instruction::Demonitor(target),
                Instruction::Put { key: name, .. } => Instruction::Register {
                    name,
                    target: Target::Known(0),
                },
                Instruction::Take { key: name } => Instruction::Unregister { name },
                Instruction::PutNew { key: name, .. } | Instruction::Get { key: name } => {
                    Instruction::WhereIs { name }
                }
                Instruction::Add { .. } => Instruction::IsAlive(Target::Known(1)),
                Instruction::Count { .. } => Instruction::WhereIs { name: 0 },
                other => other,
            };
        }
    }
    script
}

/// The script with every process doubled: the entry process starts two processes of each role, and
/// receives twice as often.
pub fn twofold(mut script: Script) -> Script {
    let entry = script.roles[0].iter().flat_map(|&instruction| {
        let twice = matches!(
            instruction,
            Instruction::Spawn { .. } | Instruction::Receive { .. }
        );
        std::iter::repeat_n(instruction, if twice { 2 } else { 1 })
    });
    script.roles[0] = entry.collect();
    script
}

/// Whether each instruction of the script is exactly one operation in Erlang. It is not if
///
/// * a process refers to itself, in which case there is no operation on an object and no signal;
/// * a process is monitored twice, because scripts do not distinguish the two monitors;
/// * a monitor is removed that does not exist, in which case there is no operation;
/// * one instruction takes several operations: registering a name (the process may have another
///   one), linking (which fails if the target has ended), querying links (which checks the liveness
///   of the linked processes), and setting `trap_exit` (which processes earlier signals).
pub fn is_one_to_one(script: &Script) -> bool {
    let lengths = lengths(script);
    script.roles.iter().zip(&lengths).all(|(role, lengths)| {
        let mut monitors = 0;
        role.iter().zip(lengths).all(|(instruction, lengths)| {
            let is_self = |target| match target {
                Target::Known(n) => lengths.iter().any(|length| n % length == 0),
                Target::ByLast => true,
            };
            match *instruction {
                Instruction::Kill(target)
                | Instruction::Stop(target)
                | Instruction::SignalNormal(target)
                | Instruction::Unlink(target)
                | Instruction::IsAlive(target) => !is_self(target),
                Instruction::Monitor(target) => {
                    monitors += 1;
                    !is_self(target) && monitors == 1
                }
                Instruction::TrapExit(_)
                | Instruction::Link(_)
                | Instruction::Links
                | Instruction::Demonitor(_)
                | Instruction::Register { .. } => false,
                _ => true,
            }
        })
    })
}

/// The numbers of processes that a role may know at each of its instructions.
fn lengths(script: &Script) -> Vec<Vec<BTreeSet<usize>>> {
    let mut all: Vec<Vec<BTreeSet<usize>>> = script
        .roles
        .iter()
        .map(|role| vec![BTreeSet::new(); role.len() + 1])
        .collect();
    all[0][0].insert(1);
    // A role only starts later roles.
    for (role, instructions) in script.roles.iter().enumerate() {
        for (at, instruction) in instructions.iter().enumerate() {
            let here = all[role][at].clone();
            let mut go_on = |role: usize, at: usize, more: usize| {
                let at = at.min(all[role].len() - 1);
                all[role][at].extend(here.iter().map(|length| length + more));
            };
            match *instruction {
                Instruction::Spawn { role: child, .. } => {
                    go_on(child, 0, 1);
                    go_on(role, at + 1, 1);
                }
                Instruction::SkipIfOdd(count) => {
                    go_on(role, at + 1, 0);
                    go_on(role, at + 1 + count, 0);
                }
                _ => go_on(role, at + 1, 0),
            }
        }
    }
    all
}
