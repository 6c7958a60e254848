//! Instructions on binaries.

use std::rc::Rc;

use super::exception::{Origin, Thrown};
use super::run::{LoopExit, Run, Runner, fail};
use crate::bits::{
    self, Append, Construction, Context, Failure, Segment, Size, add_sizes, field_size, utf8_size,
    utf16_size,
};
use crate::code::{Amount, Appended, Binary, Encoding, NO_LABEL, Piece, Register, Source};
use crate::raise::{Class, Raise};
use crate::term::{Bits, Map, Term};

/// A binary under construction, for the instructions used before OTP 25.
pub(super) struct Building {
    construction: Construction,
    to: Register,
}

impl Runner<'_> {
    #[rustfmt::skip]
    pub(super) fn binary(&mut self, instruction: &Binary) -> Run {
        use Binary as B;
        match instruction {
            B::Start { fail, from, to } => {
                match self.get(*from) {
                    Term::Bits(bits) => {
                        let context = Context::new(Bits::clone(bits));
                        self.put(*to, Term::Context(Rc::new(context)));
                    }
                    Term::Context(context) => {
                        let context = Rc::clone(context);
                        self.put(*to, Term::Context(context));
                    }
                    _ => return self.mismatch(*fail),
                }
                Ok(())
            }
            B::Integer { fail, context, size, flags, to } => {
                let context = self.matching(*context)?;
                let size = self.amount(*size);
                let found = size.and_then(|size| context.integer(size, *flags));
                self.matched(found, *to, *fail)
            }
            B::Float { fail, context, size, flags, to } => {
                let context = self.matching(*context)?;
                let size = self.amount(*size);
                let found = size.and_then(|size| context.float(size, *flags));
                self.matched(found.map(Term::Float), *to, *fail)
            }
            B::Bits { fail, context, size, to } => {
                let context = self.matching(*context)?;
                let found = self.amount(*size).and_then(|size| context.bits(size));
                self.matched(found.map(term), *to, *fail)
            }
            B::Rest { fail, context, unit, to } => {
                let found = self.matching(*context)?.rest(*unit);
                self.matched(found.map(term), *to, *fail)
            }
            B::Skip { fail, context, size } => {
                let context = self.matching(*context)?;
                let skipped = self.amount(*size).and_then(|size| context.skip(size));
                self.tested(skipped.is_some(), *fail)
            }
            B::SkipRest { fail, context, unit } => {
                let skipped = self.matching(*context)?.rest(*unit);
                self.tested(skipped.is_some(), *fail)
            }
            B::TestTail { fail, context, size } => {
                let holds = self.matching(*context)?.remaining() == *size;
                self.tested(holds, *fail)
            }
            B::TestUnit { fail, context, unit } => {
                let holds = self.matching(*context)?.is_multiple_of(*unit);
                self.tested(holds, *fail)
            }
            B::MatchString { fail, context, size, offset } => {
                let string = self.code.strings.get(*offset..).unwrap_or(&[]);
                let holds = self.matching(*context)?.string(string, *size);
                self.tested(holds, *fail)
            }
            B::Character { fail, context, encoding, to } => {
                let context = self.matching(*context)?;
                let character = match encoding {
                    Encoding::Utf8 => context.utf8(),
                    Encoding::Utf16(flags) => context.utf16(*flags),
                    Encoding::Utf32(flags) => context.utf32(*flags),
                };
                let found = character.map(|character| Term::Int(u32::from(character).into()));
                match to {
                    Some(to) => self.matched(found, *to, *fail),
                    None => self.tested(found.is_some(), *fail),
                }
            }
            B::Tail { context, to } => {
                let tail = self.matching(*context)?.tail();
                self.put(*to, term(tail));
                Ok(())
            }
            B::Position { context, to } => {
                let position = self.matching(*context)?.position();
                self.put(*to, Term::Int(position as i64));
                Ok(())
            }
            B::SetPosition { context, position } => {
                let context = self.matching(*context)?;
                let Some(position) = field_size(self.get(*position), 1) else {
                    return Err(self.damaged());
                };
                context.set_position(position);
                Ok(())
            }
            B::Match { fail, context, commands } => {
                let context = Rc::clone(self.shared_matching(*context)?);
                let mut put = |register, value| self.put(register, value);
                let matched = bits::run(commands, &context, &mut put);
                self.tested(matched, *fail)
            }

            B::Create { fail, append, segments, to } => self.create(*fail, append.as_ref(), segments, *to),
            B::Writable => {
                self.put(Register::X(0), Term::binary(&[]));
                Ok(())
            }

            B::Init { fail, size, unit, to } => {
                let started = Construction::init(self.get(*size), *unit);
                self.begin(started, *to, *fail)
            }
            B::Append { fail, size, append, to } => {
                let size = self.get(*size).clone();
                let append = self.take(append);
                self.begin(Construction::append(append.value, &size, append.unit), *to, *fail)
            }
            B::AddSize { fail, size, more, unit, to } => {
                match add_sizes(self.get(*size), self.get(*more), *unit) {
                    Ok(sum) => {
                        self.put(*to, sum);
                        Ok(())
                    }
                    Err(raise) => self.refused(raise, *fail),
                }
            }
            B::Utf8Size { value, to } => {
                let size = utf8_size(self.get(*value));
                self.put(*to, Term::Int(size as i64));
                Ok(())
            }
            B::Utf16Size { value, to } => {
                let size = utf16_size(self.get(*value));
                self.put(*to, Term::Int(size as i64));
                Ok(())
            }
            B::PutInteger { fail, value, size, unit, flags } => self.put_segment(*fail, |runner, building| {
                building.put_integer(runner.get(*value), runner.get(*size), *unit, *flags)
            }),
            B::PutFloat { fail, value, size, unit, flags } => self.put_segment(*fail, |runner, building| {
                building.put_float(runner.get(*value), runner.get(*size), *unit, *flags)
            }),
            B::PutBits { fail, value, size, unit } => self.put_segment(*fail, |runner, building| {
                building.put_binary(runner.get(*value), runner.get(*size), *unit)
            }),
            B::PutString { offset, len } => self.put_segment(NO_LABEL, |runner, building| {
                building.put_string(runner.string(*offset, *len));
                Ok(())
            }),
            B::PutCharacter { fail, value, encoding } => self.put_segment(*fail, |runner, building| {
                let value = runner.get(*value);
                match encoding {
                    Encoding::Utf8 => building.put_utf8(value),
                    Encoding::Utf16(flags) => building.put_utf16(value, *flags),
                    Encoding::Utf32(flags) => building.put_utf32(value, *flags),
                }
            }),
        }
    }

    fn matching(&self, source: Source) -> Run<&Context> {
        self.shared_matching(source).map(|context| &**context)
    }

    fn shared_matching(&self, source: Source) -> Run<&Rc<Context>> {
        match self.get(source) {
            Term::Context(context) => Ok(context),
            _ => Err(self.damaged()),
        }
    }

    /// The size of a field in bits; `None` if the value is not a valid size.
    fn amount(&self, amount: Amount) -> Option<usize> {
        match amount {
            Amount::Fixed(bits) => Some(bits),
            Amount::Units(size, unit) => field_size(self.get(size), unit),
        }
    }

    /// Bytes of the module's strings.
    fn string(&self, offset: usize, len: usize) -> &[u8] {
        let strings = self.code.strings.get(offset..).unwrap_or(&[]);
        strings.get(..len).unwrap_or(strings)
    }

    #[inline(always)]
    fn matched(&mut self, found: Option<Term>, to: Register, fail: u32) -> Run {
        match found {
            Some(value) => {
                self.put(to, value);
                Ok(())
            }
            None => self.mismatch(fail),
        }
    }

    #[inline(always)]
    fn tested(&mut self, holds: bool, fail: u32) -> Run {
        if holds {
            return Ok(());
        }
        self.mismatch(fail)
    }

    fn mismatch(&mut self, fail: u32) -> Run {
        if fail == NO_LABEL {
            return Err(self.damaged());
        }
        self.pc = fail;
        Ok(())
    }

    /// The binary to append to. If its register is not used again, it is moved out of the register,
    /// so that the reference count can drop to one.
    fn take(&mut self, append: &Appended) -> Append {
        let spent = append.spent.filter(|register| match register {
            Register::X(_) => true,
            // If the instruction fails, a handler in this function may read the frame.
            Register::Y(_) => !self.is_handled_here(),
        });
        let taken = spent.and_then(|register| self.slot(register));
        let taken = taken.map(|slot| std::mem::replace(slot, Term::Nil));
        Append {
            value: taken.unwrap_or_else(|| self.get(append.from).clone()),
            number: append.number,
            unit: append.unit,
        }
    }

    fn create(
        &mut self,
        fail: u32,
        append: Option<&Appended>,
        segments: &[Piece],
        to: Register,
    ) -> Run {
        let append = append.map(|append| self.take(append));
        let segments = segments.iter().map(|piece| match *piece {
            Piece::String { offset, len } => Segment::String(self.string(offset, len)),
            Piece::Value {
                kind,
                number,
                unit,
                flags,
                value,
                size,
            } => Segment::Value {
                kind,
                number,
                unit,
                flags,
                value: self.get(value),
                size: size.map_or(Size::Natural, |size| Size::Units(self.get(size))),
            },
        });
        match bits::create(append, segments, self.library.release() >= 27) {
            Ok(bits) => {
                self.put(to, term(bits));
                Ok(())
            }
            Err(_) if fail != NO_LABEL => {
                self.pc = fail;
                Ok(())
            }
            Err(failure) => Err(explained(&failure)),
        }
    }

    /// Starts a binary to which the next instructions add segments.
    fn begin(&mut self, started: Result<Construction, Raise>, to: Register, fail: u32) -> Run {
        match started {
            Ok(construction) => {
                self.building = Some(Building { construction, to });
                self.complete();
                Ok(())
            }
            Err(raise) => self.refused(raise, fail),
        }
    }

    fn put_segment(
        &mut self,
        fail: u32,
        put: impl FnOnce(&Self, &mut Construction) -> Result<(), Raise>,
    ) -> Run {
        let Some(mut building) = self.building.take() else {
            return Err(self.damaged());
        };
        let done = put(self, &mut building.construction);
        self.building = Some(building);
        match done {
            Ok(()) => {
                self.complete();
                Ok(())
            }
            Err(raise) => self.refused(raise, fail),
        }
    }

    /// Writes the binary to its register as soon as it is complete. Empty segments may still follow
    /// and must be checked.
    fn complete(&mut self) {
        if let Some(building) = &mut self.building
            && let Some(bits) = building.construction.complete()
        {
            let to = building.to;
            self.put(to, term(bits));
        }
    }

    fn refused(&mut self, raise: Raise, label: u32) -> Run {
        if label == NO_LABEL {
            return Err(fail(raise));
        }
        self.pc = label;
        Ok(())
    }
}

fn term(bits: Bits) -> Term {
    Term::Bits(Rc::new(bits))
}

/// An exception whose error info names the wrong segment, as in the real virtual machine.
#[cold]
fn explained(failure: &Failure) -> LoopExit {
    let info = [
        (Term::atom("cause"), failure.cause()),
        (Term::atom("function"), Term::atom("format_bs_fail")),
        (Term::atom("module"), Term::atom("erl_erts_errors")),
    ];
    LoopExit::Raise(Box::new(Thrown {
        class: Class::Error,
        reason: failure.reason.into(),
        origin: Origin::Explicit {
            arguments: None,
            info: Some(Term::Map(Map::from_iter(info))),
        },
    }))
}
