//! Instructions on binaries, with their operands resolved.

use super::prepare::{Made, Maker, register, small};
use super::{NO_LABEL, Register, Source};
use crate::bits::{Command, Flags, Kind};
use crate::loader::{Instruction, Operand};
use crate::term::Atom;

/// An instruction on binaries.
///
/// `fail` is where to go on when it does not match or cannot be built. Compilers leave it out where
/// a match cannot fail.
#[derive(Debug)]
#[allow(
    missing_docs,
    reason = "the fields are the operands of the instruction of that name"
)]
#[rustfmt::skip]
pub enum Binary {
    // Matching. `context` is where the match context is.
    Start { fail: u32, from: Source, to: Register },
    Integer { fail: u32, context: Source, size: Amount, flags: Flags, to: Register },
    Float { fail: u32, context: Source, size: Amount, flags: Flags, to: Register },
    Bits { fail: u32, context: Source, size: Amount, to: Register },
    /// All that is left.
    Rest { fail: u32, context: Source, unit: usize, to: Register },
    Skip { fail: u32, context: Source, size: Amount },
    SkipRest { fail: u32, context: Source, unit: usize },
    TestTail { fail: u32, context: Source, size: usize },
    TestUnit { fail: u32, context: Source, unit: usize },
    /// The first `size` bits of the module's strings from `offset` on.
    MatchString { fail: u32, context: Source, size: usize, offset: usize },
    Character { fail: u32, context: Source, encoding: Encoding, to: Option<Register> },
    /// What is left. It stays there.
    Tail { context: Source, to: Register },
    Position { context: Source, to: Register },
    SetPosition { context: Source, position: Source },
    Match { fail: u32, context: Source, commands: Box<[Command<Register>]> },

    // Building, since OTP 25.
    Create { fail: u32, append: Option<Appended>, segments: Box<[Piece]>, to: Register },
    /// The empty binary, which others will be appended to.
    Writable,

    // Building, before OTP 25.
    Init { fail: u32, size: Source, unit: usize, to: Register },
    Append { fail: u32, size: Source, append: Appended, to: Register },
    AddSize { fail: u32, size: Source, more: Source, unit: usize, to: Register },
    Utf8Size { value: Source, to: Register },
    Utf16Size { value: Source, to: Register },
    PutInteger { fail: u32, value: Source, size: Source, unit: usize, flags: Flags },
    PutFloat { fail: u32, value: Source, size: Source, unit: usize, flags: Flags },
    PutBits { fail: u32, value: Source, size: Source, unit: usize },
    PutString { offset: usize, len: usize },
    PutCharacter { fail: u32, value: Source, encoding: Encoding },
}

/// The size of a field.
#[derive(Clone, Copy, Debug)]
pub enum Amount {
    /// In bits.
    Fixed(usize),
    /// So many units as this says.
    Units(Source, usize),
}

/// How characters are encoded.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Encoding {
    Utf8,
    Utf16(Flags),
    Utf32(Flags),
}

/// What the segments of a binary are appended to.
#[derive(Clone, Copy, Debug)]
pub struct Appended {
    /// The binary.
    pub from: Source,
    /// The register that it is in, if nothing else needs it there afterwards.
    pub spent: Option<Register>,
    /// Which segment of the expression it is.
    pub number: u32,
    /// What its length must be a multiple of.
    pub unit: usize,
}

/// A segment of a binary that is to be built.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// Some of the module's strings, in bytes.
    String {
        /// Where it begins.
        offset: usize,
        /// How long it is.
        len: usize,
    },
    /// A value.
    Value {
        /// What it is.
        kind: Kind,
        /// Which segment of the expression it is.
        number: u32,
        /// What its size is counted in.
        unit: usize,
        /// How it is to be encoded.
        flags: Flags,
        /// The value.
        value: Source,
        /// Its size, if it does not follow from the value.
        size: Option<Source>,
    },
}

/// What gets to know which registers an instruction reads and writes, and where it may lead.
pub(super) trait Visitor {
    /// It reads this.
    fn read(&mut self, source: Source);
    /// It writes to this.
    fn write(&mut self, register: Register);
    /// It may go on there, unless it is [`NO_LABEL`].
    fn jump(&mut self, label: u32);
}

impl Binary {
    #[rustfmt::skip]
    pub(super) fn visit(&self, visitor: &mut impl Visitor) {
        use Binary as B;
        match self {
            B::Start { fail, from, to } => {
                visitor.read(*from);
                visitor.write(*to);
                visitor.jump(*fail);
            }
            B::Integer { fail, context, size, to, .. }
            | B::Float { fail, context, size, to, .. }
            | B::Bits { fail, context, size, to } => {
                visitor.read(*context);
                size.visit(visitor);
                visitor.write(*to);
                visitor.jump(*fail);
            }
            B::Skip { fail, context, size } => {
                visitor.read(*context);
                size.visit(visitor);
                visitor.jump(*fail);
            }
            B::Rest { fail, context, to, .. } => {
                visitor.read(*context);
                visitor.write(*to);
                visitor.jump(*fail);
            }
            B::SkipRest { fail, context, .. }
            | B::TestTail { fail, context, .. }
            | B::TestUnit { fail, context, .. }
            | B::MatchString { fail, context, .. } => {
                visitor.read(*context);
                visitor.jump(*fail);
            }
            B::Character { fail, context, to, .. } => {
                visitor.read(*context);
                to.iter().for_each(|to| visitor.write(*to));
                visitor.jump(*fail);
            }
            B::Tail { context, to } | B::Position { context, to } => {
                visitor.read(*context);
                visitor.write(*to);
            }
            B::SetPosition { context, position } => {
                visitor.read(*context);
                visitor.read(*position);
            }
            B::Match { fail, context, commands } => {
                visitor.read(*context);
                for command in commands {
                    if let Command::Integer { target, .. }
                    | Command::Binary { target, .. }
                    | Command::Tail(target) = command
                    {
                        visitor.write(*target);
                    }
                }
                visitor.jump(*fail);
            }
            B::Create { fail, append, segments, to } => {
                append.iter().for_each(|append| visitor.read(append.from));
                segments.iter().for_each(|piece| piece.visit(visitor));
                visitor.write(*to);
                visitor.jump(*fail);
            }
            B::Writable => visitor.write(Register::X(0)),
            B::Init { fail, size, to, .. } => {
                visitor.read(*size);
                visitor.write(*to);
                visitor.jump(*fail);
            }
            B::Append { fail, size, append: Appended { from: other, .. }, to }
            | B::AddSize { fail, size, more: other, to, .. } => {
                visitor.read(*size);
                visitor.read(*other);
                visitor.write(*to);
                visitor.jump(*fail);
            }
            B::Utf8Size { value, to } | B::Utf16Size { value, to } => {
                visitor.read(*value);
                visitor.write(*to);
            }
            B::PutInteger { fail, value, size, .. }
            | B::PutFloat { fail, value, size, .. }
            | B::PutBits { fail, value, size, .. } => {
                visitor.read(*value);
                visitor.read(*size);
                visitor.jump(*fail);
            }
            B::PutString { .. } => {}
            B::PutCharacter { fail, value, .. } => {
                visitor.read(*value);
                visitor.jump(*fail);
            }
        }
    }
}

impl Amount {
    fn visit(self, visitor: &mut impl Visitor) {
        if let Amount::Units(size, _) = self {
            visitor.read(size);
        }
    }
}

impl Piece {
    fn visit(&self, visitor: &mut impl Visitor) {
        if let Piece::Value { value, size, .. } = self {
            visitor.read(*value);
            size.iter().for_each(|size| visitor.read(*size));
        }
    }

    fn reads(&self, source: Source) -> bool {
        match self {
            Piece::String { .. } => false,
            Piece::Value { value, size, .. } => *value == source || *size == Some(source),
        }
    }
}

impl Maker<'_> {
    /// An instruction on binaries. Nothing for those that no supported compiler makes.
    #[rustfmt::skip]
    pub(super) fn binary(&mut self, name: &str, operands: &[Operand]) -> Made<Option<Binary>> {
        use Binary as B;
        Ok(Some(match (name, operands) {
            ("bs_start_match3", [fail, from, _, to])
            | ("bs_start_match4", [fail, _, from, to]) => B::Start {
                // The atoms `no_fail` and `resume` stand there when it cannot fail.
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
                // In the real virtual machine it is overwritten at once.
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

    fn amount(&mut self, size: &Operand, unit: &Operand) -> Made<Amount> {
        match size {
            Operand::X(_) | Operand::Y(_) => Ok(Amount::Units(self.source(size)?, small(unit)?)),
            size => Ok(Amount::Fixed(fixed(size, unit)?)),
        }
    }

    fn commands(&mut self, operands: &[Operand]) -> Made<Box<[Command<Register>]>> {
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
                _ => return Err("an unknown command"),
            };
            commands.push(command);
            rest = after;
        }
        match rest {
            [] => Ok(commands.into()),
            _ => Err("the name of a command is expected"),
        }
    }

    fn create(&mut self, fail: &Operand, segments: &[Operand], to: &Operand) -> Made<Binary> {
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
        let segments: Box<[Piece]> = pieces.collect::<Made<_>>()?;
        let append = match appended {
            None => None,
            Some([_, number, unit, _, operand, _]) => {
                let from = self.source(operand)?;
                let is_spent = fail == NO_LABEL
                    && !segments.iter().any(|piece| piece.reads(from))
                    && (from == Source::from(to) || is_spent(operand, self.following));
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

    fn piece(&mut self, segment: &[Operand; 6]) -> Made<Piece> {
        let [kind, number, unit, flags, value, size] = segment;
        let Operand::Atom(kind) = kind else {
            return Err("the name of a segment is expected");
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
            _ => return Err("an unknown segment"),
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

    /// The flags of a segment: a list of names.
    fn flags(&self, operand: &Operand) -> Made<Flags> {
        match operand {
            Operand::Unsigned(number) => Ok(Flags::from_number(*number)),
            operand => Ok(Flags::from_list(&self.constant(operand)?)),
        }
    }
}

/// Whether nothing that follows needs what is in a register. It looks up to the next call only,
/// which is where loops that build binaries lead.
fn is_spent(register: &Operand, following: &[Instruction]) -> bool {
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

/// A size that is known, in bits.
fn fixed(size: &Operand, unit: &Operand) -> Made<usize> {
    let (size, unit): (usize, usize) = (small(size)?, small(unit)?);
    size.checked_mul(unit).ok_or("a size is too large")
}

/// How characters are encoded, by the name of the instruction.
fn encoding(name: &str, flags: &Operand) -> Made<Encoding> {
    let flags = Flags::from_number(small(flags)?);
    Ok(if name.ends_with("16") {
        Encoding::Utf16(flags)
    } else if name.ends_with("32") {
        Encoding::Utf32(flags)
    } else {
        Encoding::Utf8
    })
}
