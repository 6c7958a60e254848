//! The receives of the instructions, with what is known of where they come from.

use rustc_hash::FxHashSet;

use super::super::{Code, Instruction};
use super::shape::Shapes;
use super::walk;

/// A receive of the instructions.
pub(super) struct Taker {
    /// Its instruction.
    pub(super) pc: u32,
    /// Where it takes a message, in the order of the instructions.
    pub(super) accepts: Vec<Accept>,
    /// The function of the source that it is in.
    pub(super) function: (&'static str, u32),
    /// The function that the compiler put it into.
    pub(super) home: Home,
}

/// Where a message is taken.
pub(super) struct Accept {
    /// The instruction.
    pub(super) pc: u32,
    /// The next line that is known of what it does then.
    pub(super) line: Option<u32>,
}

/// What a function is to the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// A function of the source.
    Function,
    /// A fun that begins in this line.
    Fun(Option<u32>),
    /// Something else that the compiler made a function of.
    Other,
}

/// The receives of a module, in the order of the instructions.
pub(super) fn find(code: &Code, is_known: impl Fn(&str, u32) -> bool) -> Vec<Taker> {
    let targets = code.instructions.iter().filter_map(|i| match i {
        Instruction::Jump { to } => Some(*to),
        _ => None,
    });
    let targets: FxHashSet<u32> = targets.collect();
    let shapes = Shapes::new();
    let mut takers = Vec::new();
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
        let (function, home) = match is_known(name, info.mfa.arity) {
            true => ((name, info.mfa.arity), Home::Function),
            false => match maker(name) {
                Some((function, "fun-")) => (function, Home::Fun(first_line(code, pc))),
                Some((function, _)) => (function, Home::Other),
                None => continue,
            },
        };
        let accepts = accepts.into_iter().map(|pc| Accept {
            pc,
            line: line_after(code, &targets, pc),
        });
        takers.push(Taker {
            pc,
            accepts: accepts.collect(),
            function,
            home,
        });
    }
    takers
}

/// The compiler calls what it makes of parts of `f/2` `-f/2-fun-0-`, `-f/2-lc$^0/1-0-` and the like.
fn maker(name: &'static str) -> Option<((&'static str, u32), &'static str)> {
    let (name, rest) = name.strip_prefix('-')?.split_once('/')?;
    let (arity, rest) = rest.split_once('-')?;
    let kind = match rest.starts_with("fun-") {
        true => "fun-",
        false => rest,
    };
    Some(((name, arity.parse().ok()?), kind))
}

/// The first line of the function that an instruction is in.
fn first_line(code: &Code, pc: u32) -> Option<u32> {
    code.first_location(pc).map(|location| location.line)
}

/// The line of what is done after a message is taken there, up to where something else may join.
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
        if ends(code, instruction)
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

/// Whether a receive may come after another one, because nothing but tests that hold is between
/// them.
pub(super) fn is_next(code: &Code, before: &Taker, after: &Taker) -> bool {
    let accepts = before.accepts.iter().map(|accept| accept.pc + 1);
    let timeout = match code.instructions.get(before.pc as usize) {
        Some(&Instruction::Receive { fail, .. }) => Some(fail),
        _ => None,
    };
    let mut starts = accepts.chain(timeout);
    starts.any(|start| next_receive(code, start) == Some(after.pc))
}

/// How many instructions are followed from one receive to the next.
const STEPS_MAX: usize = 10_000;

fn next_receive(code: &Code, start: u32) -> Option<u32> {
    let mut pc = start;
    for _ in 0..STEPS_MAX {
        match code.instructions.get(pc as usize)? {
            Instruction::Receive { .. } => return Some(pc),
            Instruction::Jump { to } => pc = *to,
            instruction if ends(code, instruction) => return None,
            _ => pc += 1,
        }
    }
    None
}

/// Whether what follows an instruction is not what is done next.
fn ends(code: &Code, instruction: &Instruction) -> bool {
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
