//! From what the loader read to what can be run.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::{
    Address, Arities, Bif, Code, CodeError, Float, FunctionInfo, Instruction, Lambda, Mfa,
    NO_LABEL, Place, Register, Select, Slot, Source, receive,
};
use crate::bif;
use crate::loader::{self, Module, Opcode, Operand};
use crate::machine::{Native, Target};
use crate::term::{Atom, Term};

/// Resolves the operands of a module, for the machine of a release of OTP.
///
/// # Errors
/// It has instructions that make no sense.
pub(super) fn prepare(module: Module, release: u32) -> Result<Code, CodeError> {
    let places = place_functions(&module);
    let mut maker = Maker {
        labels: place_labels(&module, &places),
        constants: Vec::new(),
        atoms: FxHashMap::default(),
        ints: FxHashMap::default(),
        literals: FxHashMap::default(),
        module: &module,
        release,
        following: &[],
    };
    let mut instructions = Vec::new();
    let mut functions = Vec::new();
    let mut line_starts: Vec<(u32, u32)> = Vec::new();
    for function in &module.functions {
        let mfa = Mfa {
            module: module.name,
            name: function.name,
            arity: function.arity,
        };
        functions.push(FunctionInfo {
            mfa,
            start: instructions.len() as u32,
            entry: maker.labels[function.entry as usize],
        });
        for (number, instruction) in function.instructions.iter().enumerate() {
            if instruction.opcode == Opcode::LINE {
                let here = instructions.len() as u32;
                if let [Operand::Unsigned(line)] = &*instruction.operands {
                    line_starts.push((here, u32::try_from(*line).unwrap_or(0)));
                }
                continue;
            }
            if is_nothing(instruction.opcode) {
                continue;
            }
            maker.following = &function.instructions[number + 1..];
            let made = maker.make(instruction);
            let made = made.map_err(|problem| CodeError::Instruction {
                function: mfa,
                instruction: number,
                opcode: instruction.opcode.name(),
                problem,
            })?;
            instructions.push(made);
        }
    }
    instructions.push(Instruction::End);
    find_last_calls(&mut instructions);

    let label = |label: u32| maker.labels[label as usize];
    let exports = module.exports.iter().map(|entry| {
        let (name, arity) = (entry.name, entry.arity);
        let mfa = Mfa {
            module: module.name,
            name,
            arity,
        };
        let native = Native::find(mfa, release);
        let code = Target::Code(Address {
            module: module.name,
            pc: label(entry.label),
        });
        ((name.index(), arity), native.map_or(code, Target::Native))
    });
    let lambdas = module.lambdas.iter().map(|lambda| Lambda {
        name: lambda.name,
        arity: lambda.arity - lambda.free,
        free: lambda.free,
        entry: label(lambda.label),
        index: lambda.index,
        unique: lambda.unique,
    });
    let imports = module.imports.iter().map(|import| Slot {
        mfa: mfa(import),
        target: OnceLock::new(),
    });
    let mut code = Code {
        name: module.name,
        is_own: false,
        exports: exports.collect(),
        export_order: module.exports.iter().map(|e| (e.name, e.arity)).collect(),
        lambdas: lambdas.collect(),
        imports: imports.collect(),
        constants: maker.constants,
        instructions,
        functions,
        line_starts,
        receives: Vec::new(),
        taken: Vec::new(),
        strings: module.strings,
        lines: module.lines,
    };
    receive::find(&mut code)?;
    Ok(code)
}

/// Calls of funs right before a return are the last ones of their functions.
fn find_last_calls(instructions: &mut [Instruction]) {
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

/// What has no effect here.
fn is_nothing(opcode: Opcode) -> bool {
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

/// For each instruction of each function its number among those that are kept.
fn place_functions(module: &Module) -> Vec<Vec<u32>> {
    let mut next = 0;
    let mut place = |instruction: &loader::Instruction| {
        let here = next;
        next += u32::from(!is_nothing(instruction.opcode));
        here
    };
    let functions = module.functions.iter();
    functions
        .map(|function| function.instructions.iter().map(&mut place).collect())
        .collect()
}

/// The instruction after each label. The loader has checked that labels are where they say.
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

pub(super) type Made<T> = Result<T, &'static str>;

pub(super) struct Maker<'a> {
    module: &'a Module,
    release: u32,
    labels: Vec<u32>,
    constants: Vec<Term>,
    atoms: FxHashMap<u32, Source>,
    ints: FxHashMap<i64, Source>,
    literals: FxHashMap<u32, Source>,
    /// What comes after the current instruction in its function.
    pub(super) following: &'a [loader::Instruction],
}

impl Maker<'_> {
    #[allow(clippy::too_many_lines, reason = "one line for each opcode")]
    fn make(&mut self, instruction: &loader::Instruction) -> Made<Instruction> {
        use Instruction as I;
        let name = instruction.opcode.name();
        let operands = &*instruction.operands;
        Ok(match (name, operands) {
            ("func_info", _) => I::NoFunctionClause,
            ("call", [_, target]) => I::Call {
                target: self.label(target)?,
            },
            ("call_last", [_, target, frame]) => I::CallLast {
                target: self.label(target)?,
                frame: small(frame)?,
            },
            ("call_only", [_, target]) => I::CallOnly {
                target: self.label(target)?,
            },
            ("call_ext", [_, import]) => I::CallExternal {
                import: self.import(import)?,
            },
            ("call_ext_last", [_, import, frame]) => I::CallExternalLast {
                import: self.import(import)?,
                frame: small(frame)?,
            },
            ("call_ext_only", [_, import]) => I::CallExternalOnly {
                import: self.import(import)?,
            },
            ("apply", [arity]) => I::Apply {
                arity: small(arity)?,
            },
            ("apply_last", [arity, frame]) => I::ApplyLast {
                arity: small(arity)?,
                frame: small(frame)?,
            },
            ("call_fun", [arity]) => {
                let arity: u8 = small(arity)?;
                I::CallFun {
                    arity,
                    fun: Source::x(arity.into()),
                }
            }
            ("call_fun2", [_, arity, fun]) => I::CallFun {
                arity: small(arity)?,
                fun: self.source(fun)?,
            },
            ("make_fun2", [lambda]) => {
                let lambda = self.lambda(lambda)?;
                let free = self.module.lambdas[lambda as usize].free;
                let free = u16::try_from(free).map_err(|_| "too many free variables")?;
                let environment = (0..free).map(Source::x).collect();
                I::MakeFun {
                    lambda,
                    to: Register::X(0),
                    environment,
                }
            }
            ("make_fun3", [lambda, to, environment]) => {
                let lambda = self.lambda(lambda)?;
                let environment = self.sources(environment)?;
                if environment.len() != self.module.lambdas[lambda as usize].free as usize {
                    return Err("a fun with another number of free variables");
                }
                I::MakeFun {
                    lambda,
                    to: register(to)?,
                    environment,
                }
            }
            ("return", _) => I::Return,

            ("bif0", [import, to]) => self.bif(import, NO_LABEL, &[], to)?,
            ("bif1", [fail, import, arguments @ .., to])
            | ("bif2", [fail, import, arguments @ .., to])
            | ("bif3", [fail, import, arguments @ .., to])
            | ("gc_bif1", [fail, _, import, arguments @ .., to])
            | ("gc_bif2", [fail, _, import, arguments @ .., to])
            | ("gc_bif3", [fail, _, import, arguments @ .., to]) => {
                let fail = self.fail(fail)?;
                self.bif(import, fail, arguments, to)?
            }

            ("allocate" | "allocate_zero", [frame, _])
            | ("allocate_heap" | "allocate_heap_zero", [frame, _, _]) => I::Allocate {
                frame: small(frame)?,
            },
            ("deallocate", [frame]) => I::Deallocate {
                frame: small(frame)?,
            },
            ("trim", [count, _]) => I::Trim {
                count: small(count)?,
            },
            ("init", [y]) => I::Clear {
                registers: Box::new([y_register(y)?]),
            },
            ("init_yregs", [Operand::List(registers)]) => I::Clear {
                registers: registers.iter().map(y_register).collect::<Made<_>>()?,
            },

            ("move", [from, to]) => I::Move {
                from: self.source(from)?,
                to: register(to)?,
            },
            ("swap", [one, other]) => I::Swap {
                one: register(one)?,
                other: register(other)?,
            },
            ("get_list", [from, head, tail]) => I::GetList {
                from: self.source(from)?,
                head: register(head)?,
                tail: register(tail)?,
            },
            ("get_hd", [from, to]) => I::GetHead {
                from: self.source(from)?,
                to: register(to)?,
            },
            ("get_tl", [from, to]) => I::GetTail {
                from: self.source(from)?,
                to: register(to)?,
            },
            ("put_list", [head, tail, to]) => I::PutList {
                head: self.source(head)?,
                tail: self.source(tail)?,
                to: register(to)?,
            },
            ("put_tuple2", [to, elements]) => I::PutTuple {
                to: register(to)?,
                elements: self.sources(elements)?,
            },
            ("get_tuple_element", [from, index, to]) => I::GetElement {
                from: self.source(from)?,
                index: small(index)?,
                to: register(to)?,
            },
            ("set_tuple_element", [value, tuple, index]) => I::SetElement {
                value: self.source(value)?,
                tuple: register(tuple)?,
                index: small(index)?,
            },
            ("update_record", [_, _, from, to, Operand::List(updates)]) => I::UpdateRecord {
                from: self.source(from)?,
                to: register(to)?,
                updates: self.pairs(updates, |maker, index, value| {
                    let index: u32 = small(index)?;
                    let index = index.checked_sub(1).ok_or("elements count from 1 on")?;
                    Ok((index, maker.source(value)?))
                })?,
            },
            ("put_map_assoc" | "put_map_exact", [fail, from, to, _, Operand::List(pairs)]) => {
                I::PutMap {
                    exact: name == "put_map_exact",
                    fail: self.fail(fail)?,
                    from: self.source(from)?,
                    to: register(to)?,
                    pairs: self.pairs(pairs, |maker, key, value| {
                        Ok((maker.source(key)?, maker.source(value)?))
                    })?,
                }
            }
            ("get_map_elements", [fail, from, Operand::List(pairs)]) => I::GetMapElements {
                fail: self.label(fail)?,
                from: self.source(from)?,
                pairs: self.pairs(pairs, |maker, key, to| {
                    Ok((maker.source(key)?, register(to)?))
                })?,
            },
            ("has_map_fields", [fail, from, keys]) => I::HasMapFields {
                fail: self.label(fail)?,
                from: self.source(from)?,
                keys: self.sources(keys)?,
            },

            ("is_tagged_tuple", [fail, term, arity, Operand::Atom(tag)]) => I::IsTaggedTuple {
                fail: self.label(fail)?,
                term: self.source(term)?,
                arity: small(arity)?,
                tag: *tag,
            },
            ("test_arity", [fail, term, arity]) => I::HasArity {
                fail: self.label(fail)?,
                term: self.source(term)?,
                arity: small(arity)?,
            },
            ("is_function2", [fail, term, arity]) => I::IsFunctionOf {
                fail: self.label(fail)?,
                term: self.source(term)?,
                arity: self.source(arity)?,
            },
            (
                "is_lt" | "is_ge" | "is_eq" | "is_ne" | "is_eq_exact" | "is_ne_exact",
                [fail, one, other],
            ) => {
                let (fail, one, other) =
                    (self.label(fail)?, self.source(one)?, self.source(other)?);
                match name {
                    "is_lt" => I::IsLess { fail, one, other },
                    "is_ge" => I::IsAtLeast { fail, one, other },
                    "is_eq" => I::IsEqual { fail, one, other },
                    "is_ne" => I::IsNotEqual { fail, one, other },
                    "is_eq_exact" => I::IsExactlyEqual { fail, one, other },
                    _ => I::IsNotExactlyEqual { fail, one, other },
                }
            }

            ("select_val", [term, fail, Operand::List(values)]) => {
                let values = self.pairs(values, |maker, value, label| {
                    Ok((maker.constant(value)?, maker.label(label)?))
                })?;
                I::Select {
                    term: self.source(term)?,
                    fail: self.label(fail)?,
                    table: Box::new(Select::new(values.into_vec())),
                }
            }
            ("select_tuple_arity", [term, fail, Operand::List(values)]) => {
                let values = self.pairs(values, |maker, arity, label| {
                    Ok((small(arity)?, maker.label(label)?))
                })?;
                I::SelectArity {
                    term: self.source(term)?,
                    fail: self.label(fail)?,
                    table: Box::new(Arities(values.into_vec())),
                }
            }
            ("jump", [to]) => I::Jump {
                to: self.label(to)?,
            },

            ("send", _) => I::Send,
            ("loop_rec", [fail, to]) => I::Receive {
                fail: self.label(fail)?,
                to: register(to)?,
                reception: 0,
            },
            ("loop_rec_end", _) => I::Mismatch,
            ("remove_message", _) => I::Accept { clause: 0 },
            ("wait", _) => I::Wait,
            ("wait_timeout", [_, timeout]) => I::WaitFor {
                timeout: self.source(timeout)?,
            },
            ("timeout", _) => I::Timeout,
            ("recv_marker_reserve", [to]) => I::ReserveMarker { to: register(to)? },

            ("badmatch", [value]) => I::NoMatch {
                value: self.source(value)?,
            },
            ("if_end", _) => I::NoIfClause,
            ("case_end", [value]) => I::NoCaseClause {
                value: self.source(value)?,
            },
            ("try_case_end", [value]) => I::NoTryClause {
                value: self.source(value)?,
            },
            ("badrecord", [value]) => I::NoRecord {
                value: self.source(value)?,
            },
            ("'try'" | "'catch'", [y, handler]) => I::Try {
                y: y_register(y)?,
                handler: self.label(handler)?,
            },
            ("try_end", [y]) => I::TryEnd { y: y_register(y)? },
            ("try_case", [y]) => I::TryCase { y: y_register(y)? },
            ("catch_end", [y]) => I::CatchEnd { y: y_register(y)? },
            ("raise", [trace, reason]) => I::Raise {
                trace: self.source(trace)?,
                reason: self.source(reason)?,
            },
            ("raw_raise", _) => I::RawRaise,
            ("build_stacktrace", _) => I::BuildStacktrace,

            ("fmove", [from, to]) => {
                let from = self.place(from)?;
                let to = self.place(to)?;
                match (from, to) {
                    (Place::Float(_), Place::Float(_)) | (Place::Term(_), Place::Term(_)) => {
                        return Err("one float register is expected");
                    }
                    _ => I::FloatMove { from, to },
                }
            }
            ("fconv", [from, to]) => I::FloatConvert {
                from: self.source(from)?,
                to: float_register(to)?,
            },
            ("fadd" | "fsub" | "fmul" | "fdiv", [_, one, other, to]) => I::FloatArithmetic {
                operation: match name {
                    "fadd" => Float::Add,
                    "fsub" => Float::Subtract,
                    "fmul" => Float::Multiply,
                    _ => Float::Divide,
                },
                one: float_register(one)?,
                other: float_register(other)?,
                to: float_register(to)?,
            },
            ("fnegate", [_, from, to]) => I::FloatNegate {
                from: float_register(from)?,
                to: float_register(to)?,
            },

            // No term is a native record, because nothing makes them here.
            ("is_any_native_record" | "is_native_record" | "is_record_accessible", [fail, ..]) => {
                I::Jump {
                    to: self.label(fail)?,
                }
            }

            (_, operands) if name.starts_with("bs_") => match self.binary(name, operands)? {
                Some(binary) => I::Binary(Box::new(binary)),
                None => I::Unsupported(instruction.opcode),
            },
            (_, [fail @ Operand::Label(_), term]) => {
                let Some(test) = type_test(name) else {
                    return Ok(I::Unsupported(instruction.opcode));
                };
                test(self.label(fail)?, self.source(term)?)
            }
            _ if is_modelled(name) => return Err("operands of another kind"),
            _ => I::Unsupported(instruction.opcode),
        })
    }

    fn bif(
        &mut self,
        import: &Operand,
        fail: u32,
        arguments: &[Operand],
        to: &Operand,
    ) -> Made<Instruction> {
        let import = self.import(import)?;
        let to = register(to)?;
        let arguments = arguments.iter().map(|argument| self.source(argument));
        let arguments: Box<[Source]> = arguments.collect::<Made<_>>()?;
        let found = self.module.imports[import as usize];
        if found.arity as usize != arguments.len() {
            return Err("a BIF with another number of arguments");
        }
        let function = bif::pure(found.module, found.name, found.arity, self.release);
        let bif = function.map(|function| Bif {
            function,
            import,
            fail,
        });
        Ok(match (bif, &*arguments) {
            (Some(bif), &[argument]) => Instruction::Bif1 { bif, argument, to },
            (Some(bif), &[one, other]) => match (found.module, found.name.name()) {
                (Atom::ERLANG, "+") => Instruction::Add {
                    bif,
                    one,
                    other,
                    to,
                },
                (Atom::ERLANG, "-") => Instruction::Subtract {
                    bif,
                    one,
                    other,
                    to,
                },
                _ => Instruction::Bif2 {
                    bif,
                    one,
                    other,
                    to,
                },
            },
            _ => Instruction::Bif {
                import,
                fail,
                arguments,
                to,
            },
        })
    }

    pub(super) fn label(&self, operand: &Operand) -> Made<u32> {
        match self.fail(operand)? {
            NO_LABEL => Err("a label is expected"),
            label => Ok(label),
        }
    }

    pub(super) fn fail(&self, operand: &Operand) -> Made<u32> {
        match operand {
            Operand::Label(0) => Ok(NO_LABEL),
            Operand::Label(label) => match self.labels.get(*label as usize) {
                Some(&place) if place != NO_LABEL => Ok(place),
                _ => Err("a label that is nowhere"),
            },
            _ => Err("a label is expected"),
        }
    }

    fn import(&self, operand: &Operand) -> Made<u32> {
        let import: u32 = small(operand)?;
        match self.module.imports.get(import as usize) {
            Some(found) if found.arity < 256 => Ok(import),
            _ => Err("there is no such import"),
        }
    }

    fn lambda(&self, operand: &Operand) -> Made<u32> {
        let lambda: u32 = small(operand)?;
        match self.module.lambdas.get(lambda as usize) {
            Some(found) if found.arity < 256 => Ok(lambda),
            _ => Err("there is no such fun"),
        }
    }

    pub(super) fn source(&mut self, operand: &Operand) -> Made<Source> {
        match operand {
            Operand::X(x) => Ok(Source::x(*x)),
            Operand::Y(y) => Ok(Source::y(*y)),
            Operand::Literal(number) => match self.literals.get(number) {
                Some(&source) => Ok(source),
                None => {
                    let source = self.add(self.constant(operand)?)?;
                    self.literals.insert(*number, source);
                    Ok(source)
                }
            },
            Operand::Atom(atom) => match self.atoms.get(&atom.index()) {
                Some(&source) => Ok(source),
                None => {
                    let source = self.add(Term::Atom(*atom))?;
                    self.atoms.insert(atom.index(), source);
                    Ok(source)
                }
            },
            Operand::Integer(Term::Int(int)) => match self.ints.get(int) {
                Some(&source) => Ok(source),
                None => {
                    let source = self.add(Term::Int(*int))?;
                    self.ints.insert(*int, source);
                    Ok(source)
                }
            },
            operand => self.add(self.constant(operand)?),
        }
    }

    fn add(&mut self, constant: Term) -> Made<Source> {
        if self.constants.len() >= Source::CONSTANTS_MAX {
            return Err("too many constants");
        }
        self.constants.push(constant);
        Ok(Source::constant(self.constants.len() as u32 - 1))
    }

    pub(super) fn constant(&self, operand: &Operand) -> Made<Term> {
        match operand {
            Operand::Integer(integer) => Ok(integer.clone()),
            Operand::Atom(atom) => Ok(Term::Atom(*atom)),
            Operand::Nil => Ok(Term::Nil),
            Operand::Character(character) => Ok(Term::Int(i64::from(*character))),
            Operand::Unsigned(number) => match i64::try_from(*number) {
                Ok(number) => Ok(Term::Int(number)),
                Err(_) => Err("a number is too large"),
            },
            Operand::Literal(number) => match self.module.literals.get(*number as usize) {
                Some(literal) => Ok(literal.clone()),
                None => Err("there is no such literal"),
            },
            _ => Err("a constant is expected"),
        }
    }

    fn sources(&mut self, operand: &Operand) -> Made<Box<[Source]>> {
        let Operand::List(items) = operand else {
            return Err("a list is expected");
        };
        items.iter().map(|item| self.source(item)).collect()
    }

    fn pairs<T>(
        &mut self,
        items: &[Operand],
        mut pair: impl FnMut(&mut Self, &Operand, &Operand) -> Made<T>,
    ) -> Made<Box<[T]>> {
        let (pairs, []) = items.as_chunks() else {
            return Err("a list of pairs is expected");
        };
        let pairs = pairs.iter().map(|[one, other]| pair(self, one, other));
        pairs.collect()
    }

    fn place(&mut self, operand: &Operand) -> Made<Place> {
        match operand {
            Operand::Float(_) => Ok(Place::Float(float_register(operand)?)),
            operand => Ok(Place::Term(self.source(operand)?)),
        }
    }
}

/// The test of a type that has this name.
fn type_test(name: &str) -> Option<fn(u32, Source) -> Instruction> {
    use Instruction as I;
    Some(match name {
        "is_integer" => |fail, term| I::IsInteger { fail, term },
        "is_float" => |fail, term| I::IsFloat { fail, term },
        "is_number" => |fail, term| I::IsNumber { fail, term },
        "is_atom" => |fail, term| I::IsAtom { fail, term },
        "is_boolean" => |fail, term| I::IsBoolean { fail, term },
        "is_pid" => |fail, term| I::IsPid { fail, term },
        "is_reference" => |fail, term| I::IsReference { fail, term },
        "is_port" => |fail, term| I::IsPort { fail, term },
        "is_nil" => |fail, term| I::IsNil { fail, term },
        "is_binary" => |fail, term| I::IsBinary { fail, term },
        "is_bitstr" => |fail, term| I::IsBitString { fail, term },
        "is_list" => |fail, term| I::IsList { fail, term },
        "is_nonempty_list" => |fail, term| I::IsNonemptyList { fail, term },
        "is_tuple" => |fail, term| I::IsTuple { fail, term },
        "is_map" => |fail, term| I::IsMap { fail, term },
        "is_function" => |fail, term| I::IsFunction { fail, term },
        _ => return None,
    })
}

/// Whether there is an instruction for it, so that other operands are a mistake.
fn is_modelled(name: &str) -> bool {
    !matches!(
        name,
        "put_tuple"
            | "put"
            | "put_string"
            | "put_literal"
            | "make_fun"
            | "is_constant"
            | "get_record_elements"
            | "put_record"
            | "get_record_field"
    ) && !name.starts_with("m_")
        && !name.starts_with("int_")
}

pub(super) fn small<T: TryFrom<u64>>(operand: &Operand) -> Made<T> {
    let number = match operand {
        Operand::Unsigned(number) => *number,
        Operand::Integer(Term::Int(number)) => {
            u64::try_from(*number).map_err(|_| "a number is negative")?
        }
        _ => return Err("a number is expected"),
    };
    T::try_from(number).map_err(|_| "a number is too large")
}

pub(super) fn register(operand: &Operand) -> Made<Register> {
    match operand {
        Operand::X(x) => Ok(Register::X(*x)),
        Operand::Y(y) => Ok(Register::Y(*y)),
        _ => Err("a register is expected"),
    }
}

fn y_register(operand: &Operand) -> Made<u16> {
    match operand {
        Operand::Y(y) => Ok(*y),
        _ => Err("a register of the frame is expected"),
    }
}

/// As many as there are floating-point registers.
const FLOATS: u16 = 1024;

fn float_register(operand: &Operand) -> Made<u16> {
    match operand {
        Operand::Float(number) if *number < FLOATS => Ok(*number),
        _ => Err("a float register is expected"),
    }
}
