//! The receives in the compiled code, and what is known about their origin.

use rustc_hash::FxHashSet;

use super::super::{Code, Instruction};
use super::shape::Shapes;
use super::walk;

/// A receive in the compiled code.
pub(super) struct CompiledReceive {
    /// Its instruction.
    pub(super) pc: u32,
    /// The instructions that accept a message, in order.
    pub(super) accepts: Vec<Accept>,
    /// The source function that contains it.
    pub(super) function: (&'static str, u32),
    /// The part of that function that it comes from.
    pub(super) origin: Origin,
}

/// An instruction that accepts a message.
pub(super) struct Accept {
    /// The instruction.
    pub(super) pc: u32,
    /// The next known line of the clause's body.
    pub(super) line: Option<u32>,
}

/// The origin of a compiled function in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A function of the source.
    Function,
    /// A fun that starts at this line.
    Fun(Option<u32>),
    /// Another expression that the compiler made a function of, such as a comprehension.
    Other,
}

/// The receives of a module, in the order of the instructions. `is_known` tests whether the source
/// has a function with this name and arity.
pub(super) fn find(code: &Code, is_known: impl Fn(&str, u32) -> bool) -> Vec<CompiledReceive> {
    let targets = code.instructions.iter().filter_map(|i| match i {
        Instruction::Jump { to } => Some(*to),
        _ => None,
    });
    let targets: FxHashSet<u32> = targets.collect();
    let shapes = Shapes::new();
    let mut compiled = Vec::new();
    for pc in 0..code.instructions.len() as u32 {
        if !matches!(code.instructions[pc as usize], Instruction::Receive { .. }) {
            continue;
        }
        let (Some(info), Some(accepts)) = (
            code.function_at(pc),
            walk::accepts(code, pc, &shapes, Shapes::ANY),
        ) else {
            continue;
        };
        let name = info.mfa.name.name();
        let (function, origin) = match is_known(name, info.mfa.arity) {
            true => ((name, info.mfa.arity), Origin::Function),
            false => match enclosing_function(name) {
                Some((function, "fun-")) => (function, Origin::Fun(first_line(code, pc))),
                Some((function, _)) => (function, Origin::Other),
                None => continue,
            },
        };
        let accepts = accepts.into_iter().map(|pc| Accept {
            pc,
            line: line_after(code, &targets, pc),
        });
        compiled.push(CompiledReceive {
            pc,
            accepts: accepts.collect(),
            function,
            origin,
        });
    }
    compiled
}

/// The source function in the name of a generated function, and the kind of expression. For parts
/// of `f/2` the compiler generates names such as `-f/2-fun-0-` and `-f/2-lc$^0/1-0-`.
fn enclosing_function(name: &'static str) -> Option<((&'static str, u32), &'static str)> {
    let (name, rest) = name.strip_prefix('-')?.split_once('/')?;
    let (arity, rest) = rest.split_once('-')?;
    let kind = match rest.starts_with("fun-") {
        true => "fun-",
        false => rest,
    };
    Some(((name, arity.parse().ok()?), kind))
}

/// The first line of the function that contains an instruction.
fn first_line(code: &Code, pc: u32) -> Option<u32> {
    code.first_location(pc).map(|location| location.line)
}

/// The first known line after an instruction that accepts a message, up to the next jump target,
/// where other code may join.
fn line_after(code: &Code, targets: &FxHashSet<u32>, accept: u32) -> Option<u32> {
    let file = code.first_location(accept)?.file;
    for pc in accept + 1.. {
        let instruction = code.instructions.get(pc as usize)?;
        if targets.contains(&pc) {
            return None;
        }
        let after = code.line_starts.partition_point(|&(start, _)| start < pc);
        let here = code.line_starts[after..].iter();
        let mut here = here.take_while(|&&(start, _)| start == pc);
        let lines = &code.lines;
        if let Some(location) = here.find_map(|&(_, line)| lines.get(line.into())) {
            return Some(location.line).filter(|_| location.file == file);
        }
        if ends_flow(code, instruction)
            || matches!(
                instruction,
                Instruction::Jump { .. } | Instruction::Accept { .. } | Instruction::Receive { .. }
            )
        {
            return None;
        }
    }
    None
}

/// Whether a receive is the next one after another, if all tests between them succeed.
pub(super) fn is_next(code: &Code, before: &CompiledReceive, after: &CompiledReceive) -> bool {
    let accepts = before.accepts.iter().map(|accept| accept.pc + 1);
    let timeout = match code.instructions.get(before.pc as usize) {
        Some(&Instruction::Receive { fail, .. }) => Some(fail),
        _ => None,
    };
    let mut starts = accepts.chain(timeout);
    starts.any(|start| next_receive(code, start) == Some(after.pc))
}

/// The maximum number of instructions examined between two receives.
const STEPS_MAX: usize = 10_000;

fn next_receive(code: &Code, start: u32) -> Option<u32> {
    let mut pc = start;
    for _ in 0..STEPS_MAX {
        match code.instructions.get(pc as usize)? {
            Instruction::Receive { .. } => return Some(pc),
            Instruction::Jump { to } => pc = *to,
            instruction if ends_flow(code, instruction) => return None,
            _ => pc += 1,
        }
    }
    None
}

/// Whether execution does not continue with the next instruction.
fn ends_flow(code: &Code, instruction: &Instruction) -> bool {
    use Instruction as I;
    match instruction {
        I::CallExternal { import } => code.imports.get(*import as usize).is_none_or(|slot| {
            let name = slot.mfa.name.name();
            slot.mfa.module.name() == "erlang"
                && matches!(name, "error" | "exit" | "throw" | "raise" | "nif_error")
        }),
        I::CallLast { .. }
        | I::CallOnly { .. }
        | I::CallExternalLast { .. }
        | I::CallExternalOnly { .. }
        | I::ApplyLast { .. }
        | I::CallFunLast { .. }
        | I::Return
        | I::Select { .. }
        | I::SelectArity { .. }
        | I::Mismatch
        | I::Wait
        | I::NoFunctionClause
        | I::NoMatch { .. }
        | I::NoIfClause
        | I::NoCaseClause { .. }
        | I::NoTryClause { .. }
        | I::NoRecord { .. }
        | I::Raise { .. }
        | I::RawRaise
        | I::End => true,
        _ => false,
    }
}
