//! Resolves instructions, except those on binaries.

use super::resolver::{Resolved, Resolver, float_register, register, small, y_register};
use crate::bif;
use crate::code::{
    Arities, Bif, Float, FloatOperand, Instruction as I, NO_LABEL, Register, Select, Source,
};
use crate::loader::{self, Operand};
use crate::term::Atom;

/// Resolves the instructions of one group; `None` if the name or the operands are of another group.
type Group<'a> = fn(&mut Resolver<'a>, &str, &[Operand]) -> Resolved<Option<I>>;

impl<'a> Resolver<'a> {
    /// Resolves the operands of an instruction.
    pub(super) fn instruction(&mut self, instruction: &loader::Instruction) -> Resolved<I> {
        let groups: [Group<'a>; 9] = [
            Self::calls,
            Self::bifs,
            Self::stack,
            Self::terms,
            Self::tests,
            Self::branches,
            Self::messages,
            Self::exceptions,
            Self::floats,
        ];
        let name = instruction.opcode.name();
        let operands = &*instruction.operands;
        for group in groups {
            if let Some(resolved) = group(self, name, operands)? {
                return Ok(resolved);
            }
        }
        match operands {
            operands if name.starts_with("bs_") => match self.binary(name, operands)? {
                Some(binary) => Ok(I::Binary(Box::new(binary))),
                None => Ok(I::Unsupported(instruction.opcode)),
            },
            [fail @ Operand::Label(_), term] => match type_test(name) {
                Some(test) => Ok(test(self.label(fail)?, self.source(term)?)),
                None => Ok(I::Unsupported(instruction.opcode)),
            },
            _ if is_supported(name) => Err("unexpected operands"),
            _ => Ok(I::Unsupported(instruction.opcode)),
        }
    }

    /// Resolves calls and returns.
    fn calls(&mut self, name: &str, operands: &[Operand]) -> Resolved<Option<I>> {
        Ok(Some(match (name, operands) {
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
                    return Err("wrong number of free variables");
                }
                I::MakeFun {
                    lambda,
                    to: register(to)?,
                    environment,
                }
            }
            ("return", _) => I::Return,
            _ => return Ok(None),
        }))
    }

    /// Resolves calls of BIFs.
    fn bifs(&mut self, name: &str, operands: &[Operand]) -> Resolved<Option<I>> {
        Ok(Some(match (name, operands) {
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
            _ => return Ok(None),
        }))
    }

    /// Resolves instructions on stack frames.
    fn stack(&mut self, name: &str, operands: &[Operand]) -> Resolved<Option<I>> {
        Ok(Some(match (name, operands) {
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
                registers: registers.iter().map(y_register).collect::<Resolved<_>>()?,
            },
            _ => return Ok(None),
        }))
    }

    /// Resolves instructions that move, build or decompose terms.
    fn terms(&mut self, name: &str, operands: &[Operand]) -> Resolved<Option<I>> {
        Ok(Some(match (name, operands) {
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
                updates: self.pairs(updates, |resolver, index, value| {
                    let index: u32 = small(index)?;
                    let index = index.checked_sub(1).ok_or("elements are numbered from 1")?;
                    Ok((index, resolver.source(value)?))
                })?,
            },
            ("put_map_assoc" | "put_map_exact", [fail, from, to, _, Operand::List(pairs)]) => {
                I::PutMap {
                    exact: name == "put_map_exact",
                    fail: self.fail(fail)?,
                    from: self.source(from)?,
                    to: register(to)?,
                    pairs: self.pairs(pairs, |resolver, key, value| {
                        Ok((resolver.source(key)?, resolver.source(value)?))
                    })?,
                }
            }
            ("get_map_elements", [fail, from, Operand::List(pairs)]) => I::GetMapElements {
                fail: self.label(fail)?,
                from: self.source(from)?,
                pairs: self.pairs(pairs, |resolver, key, to| {
                    Ok((resolver.source(key)?, register(to)?))
                })?,
            },
            ("has_map_fields", [fail, from, keys]) => I::HasMapFields {
                fail: self.label(fail)?,
                from: self.source(from)?,
                keys: self.sources(keys)?,
            },
            _ => return Ok(None),
        }))
    }

    /// Resolves comparisons, and type tests with more than one operand.
    fn tests(&mut self, name: &str, operands: &[Operand]) -> Resolved<Option<I>> {
        Ok(Some(match (name, operands) {
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
            // Native records are not supported, so no term is one.
            ("is_any_native_record" | "is_native_record" | "is_record_accessible", [fail, ..]) => {
                I::Jump {
                    to: self.label(fail)?,
                }
            }
            _ => return Ok(None),
        }))
    }

    /// Resolves jumps.
    fn branches(&mut self, name: &str, operands: &[Operand]) -> Resolved<Option<I>> {
        Ok(Some(match (name, operands) {
            ("select_val", [term, fail, Operand::List(values)]) => {
                let values = self.pairs(values, |resolver, value, label| {
                    Ok((resolver.constant(value)?, resolver.label(label)?))
                })?;
                I::Select {
                    term: self.source(term)?,
                    fail: self.label(fail)?,
                    table: Box::new(Select::new(values.into_vec())),
                }
            }
            ("select_tuple_arity", [term, fail, Operand::List(values)]) => {
                let values = self.pairs(values, |resolver, arity, label| {
                    Ok((small(arity)?, resolver.label(label)?))
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
            _ => return Ok(None),
        }))
    }

    /// Resolves instructions that send and receive messages.
    fn messages(&mut self, name: &str, operands: &[Operand]) -> Resolved<Option<I>> {
        Ok(Some(match (name, operands) {
            ("send", _) => I::Send,
            ("loop_rec", [fail, to]) => I::Receive {
                fail: self.label(fail)?,
                to: register(to)?,
                info: 0,
            },
            ("loop_rec_end", _) => I::Mismatch,
            ("remove_message", _) => I::Accept { clause: 0 },
            ("wait", _) => I::Wait,
            ("wait_timeout", [_, timeout]) => I::WaitFor {
                timeout: self.source(timeout)?,
            },
            ("timeout", _) => I::Timeout,
            ("recv_marker_reserve", [to]) => I::ReserveMarker { to: register(to)? },
            _ => return Ok(None),
        }))
    }

    /// Resolves instructions that raise and catch exceptions.
    fn exceptions(&mut self, name: &str, operands: &[Operand]) -> Resolved<Option<I>> {
        Ok(Some(match (name, operands) {
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
            _ => return Ok(None),
        }))
    }

    /// Resolves instructions on floating-point registers.
    fn floats(&mut self, name: &str, operands: &[Operand]) -> Resolved<Option<I>> {
        Ok(Some(match (name, operands) {
            ("fmove", [from, to]) => {
                let from = self.float_operand(from)?;
                let to = self.float_operand(to)?;
                match (from, to) {
                    (FloatOperand::Float(_), FloatOperand::Float(_))
                    | (FloatOperand::Term(_), FloatOperand::Term(_)) => {
                        return Err("exactly one float register is expected");
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
            _ => return Ok(None),
        }))
    }

    /// Resolves a call of a BIF. Pure BIFs with one or two arguments have special instructions.
    fn bif(
        &mut self,
        import: &Operand,
        fail: u32,
        arguments: &[Operand],
        to: &Operand,
    ) -> Resolved<I> {
        let import = self.import(import)?;
        let to = register(to)?;
        let arguments = arguments.iter().map(|argument| self.source(argument));
        let arguments: Box<[Source]> = arguments.collect::<Resolved<_>>()?;
        let found = self.module.imports[import as usize];
        if found.arity as usize != arguments.len() {
            return Err("wrong number of arguments of a BIF");
        }
        let function = bif::pure(found.module, found.name, found.arity, self.release);
        let bif = function.map(|function| Bif {
            function,
            import,
            fail,
        });
        Ok(match (bif, &*arguments) {
            (Some(bif), &[argument]) => I::Bif1 { bif, argument, to },
            (Some(bif), &[one, other]) => match (found.module, found.name.name()) {
                (Atom::ERLANG, "+") => I::Add {
                    bif,
                    one,
                    other,
                    to,
                },
                (Atom::ERLANG, "-") => I::Subtract {
                    bif,
                    one,
                    other,
                    to,
                },
                _ => I::Bif2 {
                    bif,
                    one,
                    other,
                    to,
                },
            },
            _ => I::Bif {
                import,
                fail,
                arguments,
                to,
            },
        })
    }
}

/// The type test with this name.
fn type_test(name: &str) -> Option<fn(u32, Source) -> I> {
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

/// Whether the instruction is supported, so that unexpected operands are an error.
fn is_supported(name: &str) -> bool {
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
