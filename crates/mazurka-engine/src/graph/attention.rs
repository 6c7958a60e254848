//! Which messages a process takes: those that its demand accepts, and signals that end it.

use super::Graph;
use super::step::Cursor;
use crate::behaviour::{Behaviours, Effect, Wait};
use crate::frontend::Frontend;
use crate::ids::{ConstraintId, PidId, ValueId};
use crate::liveness::Tie;
use crate::message::Class;

/// What a process does with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attention {
    Takes,
    Ignores,
    /// It takes the message if that satisfies this constraint.
    If(ConstraintId),
}

impl Graph {
    /// Whether a process in this state takes a message with this value.
    #[inline]
    pub(crate) fn wants<F: Frontend>(
        behaviours: &mut Behaviours<F>,
        cursor: &Cursor,
        value: ValueId,
    ) -> bool {
        match Self::attention(behaviours, cursor, value) {
            Attention::Takes => true,
            Attention::Ignores => false,
            Attention::If(constraint) => {
                let Behaviours {
                    frontend, values, ..
                } = behaviours;
                values.matches(frontend, value, constraint)
            }
        }
    }

    /// What a process in this state does with a message with this value.
    #[inline(always)]
    pub(crate) fn attention<F: Frontend>(
        behaviours: &Behaviours<F>,
        cursor: &Cursor,
        value: ValueId,
    ) -> Attention {
        let class = behaviours.values.class(value);
        if behaviours.values.is_brought(value) && !Self::expects(behaviours, cursor, value) {
            return Attention::Ignores;
        }
        let takes = if cursor.looks {
            let effects = &behaviours.node(cursor.node).effects;
            match effects.get(cursor.done as usize) {
                // A kill just before the flag is set is equivalent to one just after.
                Some(Effect::TrapExit(_)) => class == Class::Signal && !cursor.trapping,
                // The process itself does not see whether its courier has started.
                Some(Effect::Courier(_)) => false,
                // A signal just before an unlink is equivalent to one just after, except the signal of
                // that link.
                Some(&Effect::Unlink(from)) => {
                    let of_link = |(of, tie): (PidId, Tie)| of == from && tie.is_link();
                    class.kills(cursor.trapping)
                        && behaviours.values.tie(value).is_some_and(of_link)
                }
                _ => class.kills(cursor.trapping),
            }
        } else {
            match cursor.wait {
                Wait::Receive { constraint, .. } => match class {
                    Class::Plain => return Attention::If(constraint),
                    Class::Signal | Class::KillSignal | Class::HarmlessSignal => {
                        if cursor.trapping && class != Class::KillSignal {
                            return Attention::If(constraint);
                        }
                        class.kills(cursor.trapping)
                    }
                    Class::Request | Class::Answer => false,
                },
                Wait::Answer => class == Class::Answer,
                // Its message may never be received, so signals can end it here as well.
                Wait::HandedOver { .. } => class == Class::Answer || class.kills(cursor.trapping),
                Wait::Serve => class == Class::Request && behaviours.is_ready(cursor.node, value),
                Wait::Read { .. } | Wait::Choose { .. } | Wait::Ended(_) => false,
            }
        };
        match takes {
            true => Attention::Takes,
            false => Attention::Ignores,
        }
    }

    /// Whether a message that a courier brought has an effect on a process in this state: it has not
    /// undone the link or the monitor.
    #[cold]
    fn expects<F: Frontend>(behaviours: &Behaviours<F>, cursor: &Cursor, value: ValueId) -> bool {
        let done = if cursor.looks { cursor.done } else { u32::MAX };
        let tie = behaviours.values.tie(value);
        tie.is_none_or(|(of, tie)| behaviours.node(cursor.node).expects(of, tie, done))
    }
}
