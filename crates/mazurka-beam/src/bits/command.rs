//! `bs_match`, OTP 26 and later: a list of commands, which are executed in order.

use super::{Context, Flags};
use crate::term::{Bits, Term};

/// A command. `R` is the interpreter's type of register names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<R> {
    /// Fails unless at least `size` bits are left and the others are a multiple of `unit`.
    AtLeast {
        /// In bits.
        size: usize,
        /// In bits.
        unit: usize,
    },
    /// Fails unless exactly this number of bits is left.
    Exactly(usize),
    /// Reads an integer.
    Integer {
        /// Its size in bits.
        size: usize,
        /// Its encoding.
        flags: Flags,
        /// The register for the result.
        target: R,
    },
    /// Reads a bit string.
    Binary {
        /// Its size in bits.
        size: usize,
        /// The register for the result.
        target: R,
    },
    /// Returns all bits that are left, without advancing the position.
    Tail(R),
    /// Skips a number of bits.
    Skip(usize),
    /// Fails unless the next bits are those of this number.
    Equal {
        /// Size in bits, at most 64.
        size: usize,
        /// The number.
        value: u64,
    },
}

/// The registers that [`run`] writes to.
pub trait Target<R> {
    /// Sets a register.
    fn set(&mut self, register: R, value: Term);
}

impl<R, F: FnMut(R, Term)> Target<R> for F {
    fn set(&mut self, register: R, value: Term) {
        self(register, value);
    }
}

/// Executes commands until one fails, and returns whether all of them succeeded. As in the real
/// virtual machine, a failure does not undo the effects of earlier commands; compiled code restores
/// the position where it matters.
pub fn run<R: Copy>(
    commands: &[Command<R>],
    context: &Context,
    target: &mut impl Target<R>,
) -> bool {
    commands
        .iter()
        .all(|command| step(command, context, target).is_some())
}

fn step<R: Copy>(
    command: &Command<R>,
    context: &Context,
    target: &mut impl Target<R>,
) -> Option<()> {
    let bits = |bits: Bits| Term::Bits(bits.into());
    match *command {
        Command::AtLeast { size, unit } => {
            let rest = context.remaining().checked_sub(size)?;
            (unit != 0 && rest.is_multiple_of(unit)).then_some(())
        }
        Command::Exactly(size) => (context.remaining() == size).then_some(()),
        Command::Integer {
            size,
            flags,
            target: register,
        } => {
            target.set(register, context.integer(size, flags)?);
            Some(())
        }
        Command::Binary {
            size,
            target: register,
        } => {
            target.set(register, bits(context.bits(size)?));
            Some(())
        }
        Command::Tail(register) => {
            target.set(register, bits(context.tail()));
            Some(())
        }
        Command::Skip(size) => context.skip(size),
        Command::Equal { size, value } => {
            let found = context.integer(size, Flags::default())?;
            (found == Term::from(num_bigint::BigInt::from(value))).then_some(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(commands: &[Command<usize>], bytes: &[u8], expected: Option<&str>, position: usize) {
        let context = Context::new(Bits::from_bytes(bytes));
        let mut registers = vec![Term::Nil; 3];
        let mut set = |register: usize, value| registers[register] = value;
        let matched = run(commands, &context, &mut set);
        let text = Term::tuple(registers).to_string();
        assert_eq!(matched.then_some(&text[..]), expected);
        assert_eq!(context.position(), position);
    }

    /// The code of OTP 26 for `<<1, A:12/signed, B:4/bits, _:8, T/binary>>`.
    fn example() -> [Command<usize>; 6] {
        [
            Command::AtLeast { size: 32, unit: 8 },
            Command::Equal { size: 8, value: 1 },
            Command::Integer {
                size: 12,
                flags: Flags {
                    little: false,
                    signed: true,
                },
                target: 0,
            },
            Command::Binary { size: 4, target: 1 },
            Command::Skip(8),
            Command::Tail(2),
        ]
    }

    #[test]
    fn commands_run_in_order() {
        check(
            &example(),
            &[1, 0xff, 0xe5, 9, 7, 8],
            Some("{-2,<<5:4>>,<<7,8>>}"),
            32,
        );
        check(&example(), &[1, 2, 3, 4], Some("{32,<<3:4>>,<<>>}"), 32);
    }

    #[test]
    fn failures() {
        check(&example(), &[1, 2, 3], None, 0);
        check(&example(), &[2, 2, 3, 4], None, 8);
        check(&[Command::Exactly(16)], &[1, 2, 3], None, 0);
        check(&[Command::Exactly(24)], &[1, 2, 3], Some("{[],[],[]}"), 0);
        check(&[Command::AtLeast { size: 0, unit: 0 }], &[1], None, 0);
        check(&[Command::Skip(9)], &[1], None, 0);
        let all = Command::Equal {
            size: 64,
            value: u64::MAX,
        };
        check(&[all], &[0xff; 8], Some("{[],[],[]}"), 64);
        check(&[all], &[0xfe; 8], None, 64);
    }
}
