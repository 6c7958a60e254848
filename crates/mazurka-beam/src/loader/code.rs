//! Instructions, chunk `Code`.

use super::opcode::OPCODE_MAX;
use super::operand::Context;
use super::{Opcode, Operand, place};
use crate::bytes::{Problem, Reader, Reading};
use crate::term::Atom;

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// What it does.
    pub opcode: Opcode,
    /// Its operands; their number is the opcode's arity.
    pub operands: Box<[Operand]>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Atom,
    /// Its number of arguments.
    pub arity: u32,
    /// The label at which a call starts.
    pub entry: u32,
    /// All of its instructions, including its labels and its `func_info`. A jump to the label
    /// before `func_info` raises `function_clause`.
    pub instructions: Vec<Instruction>,
}

/// An instruction's place in its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The index of the function.
    pub function: u32,
    /// The index of the instruction in the function.
    pub instruction: u32,
}

pub(super) struct Code {
    pub functions: Vec<Function>,
    pub labels: Vec<Option<Place>>,
}

/// The only instruction set that OTP has had so far.
const INSTRUCTION_SET: u32 = 0;

pub(super) fn read(reader: &mut Reader<'_>, atoms: &[Atom], literals: usize) -> Reading<Code> {
    let header_size = reader.u32()? as usize;
    let mut header = Reader::new(reader.take(header_size)?);
    let instruction_set = header.u32()?;
    if instruction_set != INSTRUCTION_SET {
        return Err(reader.fault(Problem::UnknownInstructionSet(instruction_set)));
    }
    let opcode_max = header.u32()?;
    if opcode_max > OPCODE_MAX {
        return Err(reader.fault(Problem::UnknownOpcode(opcode_max)));
    }
    let labels = header.u32()?;
    let functions_wanted = header.u32()?;
    // A label takes at least two bytes. The number includes label 0, which is not used.
    reader.check_count(labels.saturating_sub(1).into(), 2)?;
    let context = Context {
        atoms,
        literals,
        labels,
    };

    let functions = read_functions(reader, &context)?;
    if functions.len() != functions_wanted as usize {
        return Err(reader.fault(Problem::OutOfRange("the number of functions")));
    }
    let labels = place_labels(&functions, labels as usize, reader)?;
    check_jumps(&functions, &labels, reader)?;
    Ok(Code { functions, labels })
}

fn read_functions(reader: &mut Reader<'_>, context: &Context<'_>) -> Reading<Vec<Function>> {
    let mut functions: Vec<Function> = Vec::new();
    // Labels and lines before the first `func_info` belong to the head of the first function.
    let mut prelude = Vec::new();
    loop {
        let instruction = read_instruction(reader, context)?;
        let opcode = instruction.opcode;
        let current = functions
            .last_mut()
            .map_or(&mut prelude, |function| &mut function.instructions);
        if opcode == Opcode::INT_CODE_END {
            break;
        }
        if opcode == Opcode::FUNC_INFO {
            let mut instructions = current.split_off(head_of_next(current));
            let (name, arity) = name_and_arity(&instruction, reader)?;
            instructions.push(instruction);
            functions.push(Function {
                name,
                arity,
                entry: 0,
                instructions,
            });
        } else {
            current.push(instruction);
        }
    }
    if !prelude.is_empty() {
        return Err(reader.fault(Problem::Expected("func_info before other instructions")));
    }
    for function in &mut functions {
        function.entry = entry(function, reader)?;
    }
    Ok(functions)
}

/// The index at which the labels and lines before the next `func_info` start.
fn head_of_next(instructions: &[Instruction]) -> usize {
    let is_head = |instruction: &Instruction| {
        instruction.opcode == Opcode::LABEL || instruction.opcode == Opcode::LINE
    };
    let head = instructions.iter().rev().take_while(|i| is_head(i)).count();
    instructions.len() - head
}

fn read_instruction(reader: &mut Reader<'_>, context: &Context<'_>) -> Reading<Instruction> {
    let here = reader.clone();
    let number = u32::from(reader.u8()?);
    let opcode = Opcode::new(number).ok_or_else(|| here.fault(Problem::UnknownOpcode(number)))?;
    let operands = (0..opcode.arity()).map(|_| context.read(reader));
    Ok(Instruction {
        opcode,
        operands: operands.collect::<Reading<_>>()?,
    })
}

fn name_and_arity(func_info: &Instruction, reader: &Reader<'_>) -> Reading<(Atom, u32)> {
    match &*func_info.operands {
        [_, Operand::Atom(name), Operand::Unsigned(arity @ 0..=255)] => Ok((*name, *arity as u32)),
        _ => Err(reader.fault(Problem::Expected("the name and arity of a function"))),
    }
}

/// The label after `func_info`.
fn entry(function: &Function, reader: &Reader<'_>) -> Reading<u32> {
    let body = function
        .instructions
        .iter()
        .skip_while(|instruction| instruction.opcode != Opcode::FUNC_INFO)
        .skip(1)
        .find(|instruction| instruction.opcode != Opcode::LINE);
    body.and_then(label_of)
        .ok_or_else(|| reader.fault(Problem::Expected("a label at the start of each function")))
}

/// The label that an instruction defines.
fn label_of(instruction: &Instruction) -> Option<u32> {
    match &*instruction.operands {
        [Operand::Unsigned(label)] if instruction.opcode == Opcode::LABEL => {
            u32::try_from(*label).ok()
        }
        _ => None,
    }
}

fn place_labels(
    functions: &[Function],
    count: usize,
    reader: &Reader<'_>,
) -> Reading<Vec<Option<Place>>> {
    let mut labels = vec![None; count];
    for (function, body) in (0..).zip(functions) {
        for (instruction, content) in (0..).zip(&body.instructions) {
            if content.opcode != Opcode::LABEL {
                continue;
            }
            let label = label_of(content)
                .filter(|&label| label > 0)
                .ok_or_else(|| reader.fault(Problem::Expected("the number of a label")))?;
            let place = Place {
                function,
                instruction,
            };
            let index = label.into();
            match labels.get_mut(label as usize) {
                None => {
                    let what = "label";
                    return Err(reader.fault(Problem::NoSuch { what, index }));
                }
                Some(Some(_)) => {
                    let what = "label";
                    return Err(reader.fault(Problem::Twice { what, index }));
                }
                Some(slot) => *slot = Some(place),
            }
        }
    }
    Ok(labels)
}

/// Checks that every label that an instruction refers to is defined.
fn check_jumps(
    functions: &[Function],
    labels: &[Option<Place>],
    reader: &Reader<'_>,
) -> Reading<()> {
    let check = |operand: &Operand| match operand {
        Operand::Label(label) if *label > 0 && place(labels, (*label).into()).is_none() => {
            let (what, index) = ("label", u64::from(*label));
            Err(reader.fault(Problem::NoSuch { what, index }))
        }
        _ => Ok(()),
    };
    let instructions = functions.iter().flat_map(|function| &function.instructions);
    for operand in instructions.flat_map(|instruction| &instruction.operands) {
        match operand {
            Operand::List(items) => items.iter().try_for_each(check)?,
            operand => check(operand)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a header for two labels and one function, followed by these instructions.
    fn check(code: &[u8], expected: &str) {
        let mut bytes = vec![
            0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 191, 0, 0, 0, 3, 0, 0, 0, 1,
        ];
        bytes.extend(code);
        let text = match read(&mut Reader::new(&bytes), &[Atom::OK, Atom::ERROR], 0) {
            Ok(code) => code
                .functions
                .iter()
                .map(|f| {
                    format!(
                        "{}/{} at {}: {:?}",
                        f.name.name(),
                        f.arity,
                        f.entry,
                        f.instructions.iter().map(|i| i.opcode).collect::<Vec<_>>()
                    )
                })
                .collect(),
            Err(fault) => fault.to_string(),
        };
        assert_eq!(text, expected);
    }

    const HEAD: [u8; 8] = [1, 0x10, 2, 0x12, 0x22, 0x30, 1, 0x20];

    fn after_head(rest: &[u8]) -> Vec<u8> {
        [&HEAD[..], rest].concat()
    }

    #[test]
    fn a_function() {
        check(
            &after_head(&[19, 3]),
            "error/3 at 2: [label, func_info, label, return]",
        );
    }

    #[test]
    fn damaged_code_is_refused() {
        check(&after_head(&[19]), "offset 29: truncated");
        check(
            &after_head(&[250]),
            "offset 28: made by OTP newer than 29: opcode 250 is unknown",
        );
        check(
            &after_head(&[61, 0x35, 3]),
            "offset 30: label 3 does not exist",
        );
        check(
            &after_head(&[1, 0x20, 3]),
            "offset 31: label 2 is a duplicate",
        );
        check(
            &[19, 3, 3, 3],
            "offset 22: func_info before other instructions is expected here",
        );
        check(
            &[3, 3, 3, 3],
            "offset 21: the number of functions is out of range",
        );
    }

    #[test]
    fn unknown_opcodes_are_reported_as_a_newer_release() {
        let bytes = [
            0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 192, 0, 0, 0, 0, 0, 0, 0, 0,
        ];
        let fault = read(&mut Reader::new(&bytes), &[], 0)
            .map(|_| ())
            .unwrap_err();
        assert_eq!(
            fault.to_string(),
            "offset 20: made by OTP newer than 29: opcode 192 is unknown"
        );
    }
}
