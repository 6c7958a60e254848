//! Prepares a loaded module for running: resolves and checks all operands.

mod binary;
mod instruction;
mod resolver;

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::{
    Address, Code, CodeError, FunctionInfo, Instruction, LambdaInfo, Mfa, NO_LABEL, Slot, receive,
};
use crate::loader::{self, Module, Opcode, Operand};
use crate::machine::{Native, Target};
use resolver::Resolver;

/// Prepares a module for the machine of an OTP release.
///
/// # Errors
/// An instruction has invalid operands.
pub(super) fn prepare(module: Module, release: u32) -> Result<Code, CodeError> {
    let labels = place_labels(&module, &number_instructions(&module));
    let mut resolver = Resolver::new(&module, release, labels);
    let Functions {
        mut instructions,
        functions,
        line_starts,
    } = resolve_functions(&mut resolver)?;
    instructions.push(Instruction::End);
    mark_last_calls(&mut instructions);

    let imports = module.imports.iter().map(|import| Slot {
        mfa: mfa(import),
        target: OnceLock::new(),
    });
    let mut code = Code {
        name: module.name,
        is_own: false,
        exports: exports(&resolver),
        export_order: module.exports.iter().map(|e| (e.name, e.arity)).collect(),
        lambdas: lambdas(&resolver),
        imports: imports.collect(),
        constants: resolver.constants,
        instructions,
        functions,
        line_starts,
        receives: Vec::new(),
        taken: Vec::new(),
        strings: module.strings,
        lines: module.lines,
        abstract_code: module.abstract_code,
        source_lines: OnceLock::new(),
    };
    receive::find(&mut code)?;
    Ok(code)
}

/// The functions of a module with resolved instructions.
#[derive(Default)]
struct Functions {
    instructions: Vec<Instruction>,
    functions: Vec<FunctionInfo>,
    /// The source lines, each with the first instruction that it applies to.
    line_starts: Vec<(u32, u32)>,
}

fn resolve_functions(resolver: &mut Resolver<'_>) -> Result<Functions, CodeError> {
    let module = resolver.module;
    let mut resolved = Functions::default();
    for function in &module.functions {
        let mfa = Mfa {
            module: module.name,
            name: function.name,
            arity: function.arity,
        };
        resolved.functions.push(FunctionInfo {
            mfa,
            start: resolved.instructions.len() as u32,
            entry: resolver.labels[function.entry as usize],
        });
        for (number, instruction) in function.instructions.iter().enumerate() {
            if instruction.opcode == Opcode::LINE {
                let here = resolved.instructions.len() as u32;
                if let [Operand::Unsigned(line)] = &*instruction.operands {
                    let line = u32::try_from(*line).unwrap_or(0);
                    resolved.line_starts.push((here, line));
                }
                continue;
            }
            if has_no_effect(instruction.opcode) {
                continue;
            }
            resolver.following = &function.instructions[number + 1..];
            let instruction =
                resolver
                    .instruction(instruction)
                    .map_err(|problem| CodeError::Instruction {
                        function: mfa,
                        instruction: number,
                        opcode: instruction.opcode.name(),
                        problem,
                    })?;
            resolved.instructions.push(instruction);
        }
    }
    Ok(resolved)
}

/// The targets of calls to exported functions, which may be native functions.
fn exports(resolver: &Resolver<'_>) -> FxHashMap<(u32, u32), Target> {
    let module = resolver.module;
    let exports = module.exports.iter().map(|entry| {
        let (name, arity) = (entry.name, entry.arity);
        let mfa = Mfa {
            module: module.name,
            name,
            arity,
        };
        let native = Native::find(mfa, resolver.release);
        let code = Target::Code(Address {
            module: module.name,
            pc: resolver.labels[entry.label as usize],
        });
        ((name.index(), arity), native.map_or(code, Target::Native))
    });
    exports.collect()
}

fn lambdas(resolver: &Resolver<'_>) -> Vec<LambdaInfo> {
    let lambdas = resolver.module.lambdas.iter().map(|lambda| LambdaInfo {
        name: lambda.name,
        arity: lambda.arity - lambda.free,
        free: lambda.free,
        entry: resolver.labels[lambda.label as usize],
        index: lambda.index,
        unique: lambda.unique,
    });
    lambdas.collect()
}

/// Marks calls of funs directly before a return as last calls.
fn mark_last_calls(instructions: &mut [Instruction]) {
    for pc in 0..instructions.len() {
        let Instruction::CallFun { arity, fun } = instructions[pc] else {
            continue;
        };
        let frame = match instructions.get(pc + 1..) {
            Some([Instruction::Return, ..]) => 0,
            Some([Instruction::Deallocate { frame }, Instruction::Return, ..]) => *frame,
            _ => continue,
        };
        instructions[pc] = Instruction::CallFunLast { arity, fun, frame };
    }
}

fn mfa(import: &loader::Import) -> Mfa {
    Mfa {
        module: import.module,
        name: import.name,
        arity: import.arity,
    }
}

/// Whether an instruction has no effect in this machine.
fn has_no_effect(opcode: Opcode) -> bool {
    matches!(
        opcode.name(),
        "label"
            | "line"
            | "test_heap"
            | "on_load"
            | "nif_start"
            | "executable_line"
            | "debug_line"
            | "recv_marker_bind"
            | "recv_marker_clear"
            | "recv_marker_use"
            | "recv_mark"
            | "recv_set"
            | "fclearerror"
            | "fcheckerror"
    )
}

/// For each instruction of each function, its index among the instructions that are kept.
fn number_instructions(module: &Module) -> Vec<Vec<u32>> {
    let mut next = 0;
    let mut place = |instruction: &loader::Instruction| {
        let here = next;
        next += u32::from(!has_no_effect(instruction.opcode));
        here
    };
    let functions = module.functions.iter();
    functions
        .map(|function| function.instructions.iter().map(&mut place).collect())
        .collect()
}

/// The index of the instruction after each label. The loader has checked that the places exist.
fn place_labels(module: &Module, places: &[Vec<u32>]) -> Vec<u32> {
    let labels = module.labels.iter();
    let place = |place: loader::Place| {
        let function = places.get(place.function as usize)?;
        function.get(place.instruction as usize).copied()
    };
    labels
        .map(|label| label.and_then(place).unwrap_or(NO_LABEL))
        .collect()
}
