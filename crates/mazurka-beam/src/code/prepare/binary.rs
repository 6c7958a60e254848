//! Resolves instructions on binaries.

use super::resolver::{Resolved, Resolver, register, small};
use crate::bits::{Command, Flags, Kind};
use crate::code::{Amount, Appended, Binary, Encoding, NO_LABEL, Piece, Register, Source};
use crate::loader::{Instruction, Operand};
use crate::term::Atom;

impl Resolver<'_> {
    /// Resolves an instruction on binaries; `None` for those that no supported compiler generates.
    pub(super) fn binary(&mut self, name: &str, operands: &[Operand]) -> Resolved<Option<Binary>> {
        if let Some(found) = self.field_match(name, operands)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.other_match(name, operands)? {
            return Ok(Some(found));
        }
        self.construction(name, operands)
    }

    /// Resolves instructions that start a match, or match one field.
    #[rustfmt::skip]
    fn field_match(&mut self, name: &str, operands: &[Operand]) -> Resolved<Option<Binary>> {
        use Binary as B;
        Ok(Some(match (name, operands) {
            ("bs_start_match3", [fail, from, _, to])
            | ("bs_start_match4", [fail, _, from, to]) => B::Start {
                // If the match cannot fail, this is the atom `no_fail` or `resume`.
                fail: match fail {
                    Operand::Atom(_) => NO_LABEL,
                    fail => self.fail(fail)?,
                },
                from: self.source(from)?,
                to: register(to)?,
            },
            ("bs_get_integer2", [fail, context, _, size, unit, flags, to]) => B::Integer {
                fail: self.fail(fail)?,
                context: self.source(context)?,
                size: self.amount(size, unit)?,
                flags: Flags::from_number(small(flags)?),
                to: register(to)?,
            },
            ("bs_get_float2", [fail, context, _, size, unit, flags, to]) => B::Float {
                fail: self.fail(fail)?,
                context: self.source(context)?,
                size: self.amount(size, unit)?,
                flags: Flags::from_number(small(flags)?),
                to: register(to)?,
            },
            ("bs_get_binary2", [fail, context, _, Operand::Atom(Atom::ALL), unit, _, to]) => B::Rest {
                fail: self.fail(fail)?,
                context: self.source(context)?,
                unit: small(unit)?,
                to: register(to)?,
            },
            ("bs_get_binary2", [fail, context, _, size, unit, _, to]) => B::Bits {
                fail: self.fail(fail)?,
                context: self.source(context)?,
                size: self.amount(size, unit)?,
                to: register(to)?,
            },
            ("bs_skip_bits2", [fail, context, Operand::Atom(Atom::ALL), unit, _]) => B::SkipRest {
                fail: self.fail(fail)?,
                context: self.source(context)?,
                unit: small(unit)?,
            },
            ("bs_skip_bits2", [fail, context, size, unit, _]) => B::Skip {
                fail: self.fail(fail)?,
                context: self.source(context)?,
                size: self.amount(size, unit)?,
            },
            _ => return Ok(None),
        }))
    }

    /// Resolves instructions that match characters or strings, test or set the position, and
    /// `bs_match`.
    #[rustfmt::skip]
    fn other_match(&mut self, name: &str, operands: &[Operand]) -> Resolved<Option<Binary>> {
        use Binary as B;
        Ok(Some(match (name, operands) {
            ("bs_test_tail2", [fail, context, size]) => B::TestTail {
                fail: self.fail(fail)?,
                context: self.source(context)?,
                size: small(size)?,
            },
            ("bs_test_unit", [fail, context, unit]) => B::TestUnit {
                fail: self.fail(fail)?,
                context: self.source(context)?,
                unit: small(unit)?,
            },
            ("bs_match_string", [fail, context, size, offset]) => B::MatchString {
                fail: self.fail(fail)?,
                context: self.source(context)?,
                size: small(size)?,
                offset: small(offset)?,
            },
            (
                "bs_get_utf8" | "bs_get_utf16" | "bs_get_utf32",
                [fail, context, _, flags, to],
            ) => B::Character {
                fail: self.fail(fail)?,
                context: self.source(context)?,
                encoding: encoding(name, flags)?,
                to: Some(register(to)?),
            },
            (
                "bs_skip_utf8" | "bs_skip_utf16" | "bs_skip_utf32",
                [fail, context, _, flags],
            ) => B::Character {
                fail: self.fail(fail)?,
                context: self.source(context)?,
                encoding: encoding(name, flags)?,
                to: None,
            },
            ("bs_get_tail", [context, to, _]) => B::Tail {
                context: self.source(context)?,
                to: register(to)?,
            },
            ("bs_get_position", [context, to, _]) => B::Position {
                context: self.source(context)?,
                to: register(to)?,
            },
            ("bs_set_position", [context, position]) => B::SetPosition {
                context: self.source(context)?,
                position: self.source(position)?,
            },
            ("bs_match", [fail, context, Operand::List(commands)]) => B::Match {
                fail: self.fail(fail)?,
                context: self.source(context)?,
                commands: self.commands(commands)?,
            },
            _ => return Ok(None),
        }))
    }

    /// Resolves instructions that construct binaries.
    #[rustfmt::skip]
    fn construction(&mut self, name: &str, operands: &[Operand]) -> Resolved<Option<Binary>> {
        use Binary as B;
        Ok(Some(match (name, operands) {
            ("bs_create_bin", [fail, _, _, _, to, Operand::List(segments)]) => {
                self.create(fail, segments, to)?
            }
            ("bs_init_writable", []) => B::Writable,

            ("bs_init2", [fail, size, _, _, _, to]) => B::Init {
                fail: self.fail(fail)?,
                size: self.source(size)?,
                unit: 8,
                to: register(to)?,
            },
            ("bs_init_bits", [fail, size, _, _, _, to]) => B::Init {
                fail: self.fail(fail)?,
                size: self.source(size)?,
                unit: 1,
                to: register(to)?,
            },
            ("bs_append", [fail, size, _, _, unit, bits, _, to])
            | ("bs_private_append", [fail, size, unit, bits, _, to]) => {
                let (fail, to) = (self.fail(fail)?, register(to)?);
                let from = self.source(bits)?;
                // The instruction overwrites the register, so the binary is not needed afterwards.
                let is_spent = fail == NO_LABEL && from == Source::from(to);
                let append = Appended {
                    from,
                    spent: is_spent.then_some(to),
                    number: 1,
                    unit: small(unit)?,
                };
                B::Append { fail, size: self.source(size)?, append, to }
            }
            ("bs_add", [fail, size, more, unit, to]) => B::AddSize {
                fail: self.fail(fail)?,
                size: self.source(size)?,
                more: self.source(more)?,
                unit: small(unit)?,
                to: register(to)?,
            },
            ("bs_utf8_size", [_, value, to]) => B::Utf8Size {
                value: self.source(value)?,
                to: register(to)?,
            },
            ("bs_utf16_size", [_, value, to]) => B::Utf16Size {
                value: self.source(value)?,
                to: register(to)?,
            },
            ("bs_put_integer", [fail, size, unit, flags, value]) => B::PutInteger {
                fail: self.fail(fail)?,
                value: self.source(value)?,
                size: self.source(size)?,
                unit: small(unit)?,
                flags: Flags::from_number(small(flags)?),
            },
            ("bs_put_float", [fail, size, unit, flags, value]) => B::PutFloat {
                fail: self.fail(fail)?,
                value: self.source(value)?,
                size: self.source(size)?,
                unit: small(unit)?,
                flags: Flags::from_number(small(flags)?),
            },
            ("bs_put_binary", [fail, size, unit, _, value]) => B::PutBits {
                fail: self.fail(fail)?,
                value: self.source(value)?,
                size: self.source(size)?,
                unit: small(unit)?,
            },
            ("bs_put_string", [len, offset]) => B::PutString {
                offset: small(offset)?,
                len: small(len)?,
            },
            ("bs_put_utf8" | "bs_put_utf16" | "bs_put_utf32", [fail, flags, value]) => {
                B::PutCharacter {
                    fail: self.fail(fail)?,
                    value: self.source(value)?,
                    encoding: encoding(name, flags)?,
                }
            }
            _ => return Ok(None),
        }))
    }

    fn amount(&mut self, size: &Operand, unit: &Operand) -> Resolved<Amount> {
        match size {
            Operand::X(_) | Operand::Y(_) => Ok(Amount::Units(self.source(size)?, small(unit)?)),
            size => Ok(Amount::Fixed(fixed(size, unit)?)),
        }
    }

    fn commands(&mut self, operands: &[Operand]) -> Resolved<Box<[Command<Register>]>> {
        let mut commands = Vec::new();
        let mut rest = operands;
        while let [Operand::Atom(name), after @ ..] = rest {
            let (command, after) = match (name.name(), after) {
                ("ensure_at_least", [size, unit, after @ ..]) => {
                    let (size, unit) = (small(size)?, small(unit)?);
                    (Command::AtLeast { size, unit }, after)
                }
                ("ensure_exactly", [size, after @ ..]) => (Command::Exactly(small(size)?), after),
                ("integer", [_, flags, size, unit, to, after @ ..]) => {
                    let command = Command::Integer {
                        size: fixed(size, unit)?,
                        flags: self.flags(flags)?,
                        target: register(to)?,
                    };
                    (command, after)
                }
                ("binary", [_, _, size, unit, to, after @ ..]) => {
                    let command = Command::Binary {
                        size: fixed(size, unit)?,
                        target: register(to)?,
                    };
                    (command, after)
                }
                ("get_tail", [_, _, to, after @ ..]) => (Command::Tail(register(to)?), after),
                ("skip", [size, after @ ..]) => (Command::Skip(small(size)?), after),
                ("=:=", [_, size, value, after @ ..]) => {
                    let (size, value) = (small(size)?, small(value)?);
                    (Command::Equal { size, value }, after)
                }
                _ => return Err("unknown command"),
            };
            commands.push(command);
            rest = after;
        }
        match rest {
            [] => Ok(commands.into()),
            _ => Err("the name of a command is expected"),
        }
    }

    fn create(&mut self, fail: &Operand, segments: &[Operand], to: &Operand) -> Resolved<Binary> {
        let fail = self.fail(fail)?;
        let to = register(to)?;
        let (segments, []) = segments.as_chunks::<6>() else {
            return Err("a list of segments is expected");
        };
        let (appended, others) = match segments {
            [first @ [Operand::Atom(kind), ..], others @ ..]
                if matches!(kind.name(), "append" | "private_append") =>
            {
                (Some(first), others)
            }
            all => (None, all),
        };
        let pieces = others.iter().map(|segment| self.piece(segment));
        let segments: Box<[Piece]> = pieces.collect::<Resolved<_>>()?;
        let append = match appended {
            None => None,
            Some([_, number, unit, _, operand, _]) => {
                let from = self.source(operand)?;
                let is_spent = fail == NO_LABEL
                    && !segments.iter().any(|piece| piece.reads(from))
                    && (from == Source::from(to) || is_dead(operand, self.following));
                let register = register(operand).ok();
                Some(Appended {
                    from,
                    spent: register.filter(|_| is_spent),
                    number: small(number)?,
                    unit: small(unit)?,
                })
            }
        };
        Ok(Binary::Create {
            fail,
            append,
            segments,
            to,
        })
    }

    fn piece(&mut self, segment: &[Operand; 6]) -> Resolved<Piece> {
        let [kind, number, unit, flags, value, size] = segment;
        let Operand::Atom(kind) = kind else {
            return Err("a segment type is expected");
        };
        let kind = match kind.name() {
            "integer" => Kind::Integer,
            "float" => Kind::Float,
            "binary" => Kind::Binary,
            "utf8" => Kind::Utf8,
            "utf16" => Kind::Utf16,
            "utf32" => Kind::Utf32,
            "string" => {
                return Ok(Piece::String {
                    offset: small(value)?,
                    len: small(size)?,
                });
            }
            _ => return Err("unknown segment type"),
        };
        let has_size = matches!(kind, Kind::Integer | Kind::Float | Kind::Binary);
        let size = match size {
            Operand::Atom(Atom::ALL) if kind == Kind::Binary => None,
            size if has_size => Some(self.source(size)?),
            _ => None,
        };
        Ok(Piece::Value {
            kind,
            number: small(number)?,
            unit: small(unit)?,
            flags: self.flags(flags)?,
            value: self.source(value)?,
            size,
        })
    }

    /// The flags of a segment: a number, or a list of names.
    fn flags(&self, operand: &Operand) -> Resolved<Flags> {
        match operand {
            Operand::Unsigned(number) => Ok(Flags::from_number(*number)),
            operand => Ok(Flags::from_list(&self.constant(operand)?)),
        }
    }
}

/// Whether the instructions that follow do not read a register before they overwrite it. Only those
/// up to the next call are examined: that is enough for loops that build binaries.
fn is_dead(register: &Operand, following: &[Instruction]) -> bool {
    let is_argument = |arity: &Operand| match (register, small::<u16>(arity)) {
        (Operand::X(x), Ok(arity)) => *x < arity,
        _ => false,
    };
    for instruction in following {
        match (instruction.opcode.name(), &*instruction.operands) {
            ("line" | "test_heap", _) => {}
            ("move", [from, _]) if from == register => return false,
            ("move", [_, to]) if to == register => return true,
            ("move", _) => {}
            ("deallocate", _) if matches!(register, Operand::Y(_)) => return true,
            ("deallocate", _) => {}
            ("return", _) => return *register != Operand::X(0),
            ("call" | "call_ext", [arity, ..]) => {
                return matches!(register, Operand::X(_)) && !is_argument(arity);
            }
            ("call_last" | "call_only" | "call_ext_last" | "call_ext_only", [arity, ..]) => {
                return !is_argument(arity);
            }
            _ => return false,
        }
    }
    false
}

/// A constant size, in bits.
fn fixed(size: &Operand, unit: &Operand) -> Resolved<usize> {
    let (size, unit): (usize, usize) = (small(size)?, small(unit)?);
    size.checked_mul(unit).ok_or("a size is too large")
}

/// The character encoding in the name of an instruction.
fn encoding(name: &str, flags: &Operand) -> Resolved<Encoding> {
    let flags = Flags::from_number(small(flags)?);
    Ok(if name.ends_with("16") {
        Encoding::Utf16(flags)
    } else if name.ends_with("32") {
        Encoding::Utf32(flags)
    } else {
        Encoding::Utf8
    })
}
