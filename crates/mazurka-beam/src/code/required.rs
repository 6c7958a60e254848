//! Finds the element that a message must have to be accepted by a receive.

use super::{Code, Instruction, Register, Source, SourceKind};

/// An element of the message that the receive compares with a register: in `receive {I, _} -> ...`,
/// where `I` is bound, the first element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Required {
    /// The index of the element, from 0. Every message that is accepted is a tuple with it.
    pub element: u32,
    /// The Y register that it must be equal to.
    pub register: u16,
}

/// What an X register contains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Message,
    Element(u32),
}

/// Looks at the tests that every message must pass: those before the first instruction that is not
/// one of a few tests, or whose failure does not refuse the message at once. `start` is the first
/// instruction of the receive, and `message` the register that holds the message there.
pub(super) fn find(code: &Code, start: u32, message: Register) -> Option<Required> {
    use Instruction as I;
    if matches!(message, Register::Y(_)) {
        return None;
    }
    let refuses = |fail: u32| matches!(code.instructions.get(fail as usize), Some(I::Mismatch));
    let mut held = vec![(message, Held::Message)];
    let is_held = |held: &[(Register, Held)], term: Source| {
        let holder = held.iter().find(|(x, _)| Source::from(*x) == term);
        holder.map(|(_, what)| *what)
    };
    for instruction in code.instructions.get(start as usize..)? {
        match instruction {
            I::IsTuple { fail, .. } | I::IsTaggedTuple { fail, .. } | I::HasArity { fail, .. }
                if refuses(*fail) => {}
            I::GetElement {
                from,
                index,
                to: to @ Register::X(_),
            } => {
                let is_of_message = is_held(&held, *from) == Some(Held::Message);
                held.retain(|(x, _)| x != to);
                if is_of_message {
                    held.push((*to, Held::Element(*index)));
                }
            }
            I::IsExactlyEqual { fail, one, other } if refuses(*fail) => {
                let with_register = |element: Source, register: Source| match (
                    is_held(&held, element)?,
                    register.get(),
                ) {
                    (Held::Element(element), SourceKind::Y(register)) => {
                        Some(Required { element, register })
                    }
                    _ => None,
                };
                let found = with_register(*one, *other).or_else(|| with_register(*other, *one));
                if found.is_some() {
                    return found;
                }
            }
            _ => return None,
        }
    }
    None
}
