//! `bs_match`, OTP 26 and later: a list of commands, which are carried out in turn.

use super::{Context, Flags};
use crate::term::{Bits, Term};

/// A command. `R` is how the interpreter names a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<R> {
    /// So many bits must be left, and all others a multiple of the unit.
    AtLeast {
        /// In bits.
        size: usize,
        /// In bits.
        unit: usize,
    },
    /// Exactly so many bits must be left.
    Exactly(usize),
    /// Takes an integer.
    Integer {
        /// In bits.
        size: usize,
        /// How to read it.
        flags: Flags,
        /// Where it goes.
        target: R,
    },
    /// Takes a bit string.
    Binary {
        /// In bits.
        size: usize,
        /// Where it goes.
        target: R,
    },
    /// All that is left. It stays there.
    Tail(R),
    /// Goes over so many bits.
    Skip(usize),
    /// The next bits must be those of this number.
    Equal {
        /// In bits, of 64 at most.
        size: usize,
        /// The number.
        value: u64,
    },
}

/// What writes to registers for [`run`].
pub trait Target<R> {
    /// Puts a value into a register.
    fn set(&mut self, register: R, value: Term);
}

impl<R, F: FnMut(R, Term)> Target<R> for F {
    fn set(&mut self, register: R, value: Term) {
        self(register, value);
    }
}

/// Carries out commands until one fails: whether all of them succeeded. As in the real virtual
/// machine, what was taken before a failure stays taken; the compiler restores the position where
/// it matters.
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

    /// What OTP 26 makes of `<<1, A:12/signed, B:4/bits, _:8, T/binary>>`.
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
    fn in_turn() {
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
