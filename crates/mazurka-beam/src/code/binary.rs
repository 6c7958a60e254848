//! Instructions on binaries, with resolved operands.

use super::{Register, Source};
use crate::bits::{Command, Flags, Kind};

/// An instruction on binaries.
///
/// `fail` is the jump target if a match or a construction fails. It is
/// [`NO_LABEL`](super::NO_LABEL) if a match cannot fail.
#[derive(Debug)]
#[allow(
    missing_docs,
    reason = "the fields are the operands of the instruction of that name"
)]
#[rustfmt::skip]
pub enum Binary {
    // Matching. `context` contains the match context.
    Start { fail: u32, from: Source, to: Register },
    Integer { fail: u32, context: Source, size: Amount, flags: Flags, to: Register },
    Float { fail: u32, context: Source, size: Amount, flags: Flags, to: Register },
    Bits { fail: u32, context: Source, size: Amount, to: Register },
    /// Takes all bits left.
    Rest { fail: u32, context: Source, unit: usize, to: Register },
    Skip { fail: u32, context: Source, size: Amount },
    SkipRest { fail: u32, context: Source, unit: usize },
    TestTail { fail: u32, context: Source, size: usize },
    TestUnit { fail: u32, context: Source, unit: usize },
    /// Matches the `size` bits at byte `offset` of the module's strings.
    MatchString { fail: u32, context: Source, size: usize, offset: usize },
    Character { fail: u32, context: Source, encoding: Encoding, to: Option<Register> },
    /// Returns the bits left without advancing the position.
    Tail { context: Source, to: Register },
    Position { context: Source, to: Register },
    SetPosition { context: Source, position: Source },
    Match { fail: u32, context: Source, commands: Box<[Command<Register>]> },

    // Construction since OTP 25.
    Create { fail: u32, append: Option<Appended>, segments: Box<[Piece]>, to: Register },
    /// Returns an empty binary to append to.
    Writable,

    // Construction before OTP 25.
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
    /// A number of units, read from a register, and the unit in bits.
    Units(Source, usize),
}

/// A character encoding.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the variants have the names of the encodings")]
pub enum Encoding {
    Utf8,
    Utf16(Flags),
    Utf32(Flags),
}

/// The binary to which segments are appended.
#[derive(Clone, Copy, Debug)]
pub struct Appended {
    /// The binary.
    pub from: Source,
    /// Its register, if no later instruction reads it there, so that it can be extended in place.
    pub spent: Option<Register>,
    /// Its number among the segments of the expression.
    pub number: u32,
    /// Its length must be a multiple of this number of bits.
    pub unit: usize,
}

/// A segment of a binary to construct.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// A part of the module's strings.
    String {
        /// Its offset in bytes.
        offset: usize,
        /// Its length in bytes.
        len: usize,
    },
    /// A value.
    Value {
        /// Its type.
        kind: Kind,
        /// Its number among the segments of the expression.
        number: u32,
        /// The unit of its size, in bits.
        unit: usize,
        /// Its encoding.
        flags: Flags,
        /// The value.
        value: Source,
        /// Its size in units, if the value does not determine it.
        size: Option<Source>,
    },
}

/// Receives the registers that an instruction reads and writes, and its jump targets.
pub(super) trait Visitor {
    /// The instruction reads this source.
    fn read(&mut self, source: Source);
    /// The instruction writes to this register.
    fn write(&mut self, register: Register);
    /// The instruction may jump to this label, unless it is [`NO_LABEL`](super::NO_LABEL).
    fn jump(&mut self, label: u32);
}

impl Binary {
    /// The jump target if it fails.
    pub fn fail(&self) -> Option<u32> {
        struct Jump(Option<u32>);
        impl Visitor for Jump {
            fn read(&mut self, _: Source) {}
            fn write(&mut self, _: Register) {}
            fn jump(&mut self, label: u32) {
                self.0 = Some(label);
            }
        }
        let mut jump = Jump(None);
        self.visit(&mut jump);
        jump.0
    }

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

    pub(super) fn reads(&self, source: Source) -> bool {
        match self {
            Piece::String { .. } => false,
            Piece::Value { value, size, .. } => *value == source || *size == Some(source),
        }
    }
}
