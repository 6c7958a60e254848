//! Interned messages and constraints, and which of them match.

use crate::frontend::{Fault, Frontend, OperationOf};
use crate::ids::{ConstraintId, PidId, PidTable, ValueId};
use crate::liveness::{Courier, Tie};
use crate::message::{Class, Content, ContentOf, Payload};
use crate::parts::{Lacking, Parts};
use crate::table::Table;
use std::cell::OnceCell;
use std::hash::{Hash, Hasher};

/// A message; if its sender waits until it is received, the sender, to which the receiver sends the
/// receipt; if a courier brought it, the link or monitor, which the receiver may have undone. Front-ends
/// see only the content.
#[derive(Clone, PartialEq, Eq)]
struct Stored<V, O> {
    content: Content<V, O>,
    handed_by: Option<PidId>,
    tie: Option<(PidId, Tie)>,
}

/// The hash of most messages is that of their content.
impl<V: Hash, O: Hash> Hash for Stored<V, O> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.content.hash(state);
        if let Some(sender) = self.handed_by {
            sender.hash(state);
        }
        if let Some(tie) = self.tie {
            tie.hash(state);
        }
    }
}

/// Maximum number of stored verdicts: 8 MiB. With many constraints and many messages most pairs are
/// asked for only once, and their verdicts would take more memory than everything else.
const CELLS_MAX: usize = 8 << 20;

/// Every message and constraint in use, each once. Equality is equality of ids.
pub(crate) struct Values<F: Frontend> {
    messages: Table<Stored<F::Value, OperationOf<F>>>,
    /// Per message: its class, and whether a courier brought it.
    classes: Vec<(Class, bool)>,
    constraints: Table<F::Constraint>,
    last_constraint: Option<ConstraintId>,
    /// Per constraint, per value: whether they match, if that has been computed.
    verdicts: Vec<Row>,
    /// Number of verdicts that the rows can store.
    cells: usize,
    parts: Parts,
    /// The first fault of a match. See [`Behaviours::check`](crate::behaviour::Behaviours::check).
    fault: OnceCell<Fault>,
}

/// Which values match a constraint. Starts at the lowest value that was matched.
#[derive(Default)]
struct Row {
    start: usize,
    verdicts: Vec<Option<bool>>,
}

impl Row {
    #[inline]
    fn get(&self, value: usize) -> Option<bool> {
        let at = value.checked_sub(self.start)?;
        self.verdicts.get(at).copied().flatten()
    }

    fn set(&mut self, value: usize, verdict: bool) {
        if self.verdicts.is_empty() {
            self.start = value;
        }
        if value < self.start {
            // At least twice as long, so that lower and lower values do not take quadratic time.
            let start = value.min(self.start.saturating_sub(self.verdicts.len()));
            let mut longer = vec![None; self.start - start];
            longer.append(&mut self.verdicts);
            (self.start, self.verdicts) = (start, longer);
        }
        let at = value - self.start;
        if self.verdicts.len() <= at {
            self.verdicts.resize(at + 1, None);
        }
        self.verdicts[at] = Some(verdict);
    }

    /// Removes the verdicts about these values, which are sorted.
    fn forget(&mut self, values: &[usize]) {
        let first = values.partition_point(|&value| value < self.start);
        for &value in &values[first..] {
            match self.verdicts.get_mut(value - self.start) {
                Some(verdict) => *verdict = None,
                None => break,
            }
        }
    }
}

impl<F: Frontend> Values<F> {
    pub(crate) fn new() -> Self {
        Values {
            messages: Table::new(),
            classes: Vec::new(),
            constraints: Table::new(),
            last_constraint: None,
            verdicts: Vec::new(),
            cells: 0,
            parts: Parts::default(),
            fault: OnceCell::new(),
        }
    }

    pub(crate) fn intern(&mut self, content: ContentOf<F>) -> ValueId {
        self.intern_stored(Stored {
            content,
            handed_by: None,
            tie: None,
        })
    }

    /// A message of the program whose sender waits until it is received.
    pub(crate) fn intern_handed(&mut self, value: F::Value, by: PidId) -> ValueId {
        self.intern_stored(Stored {
            content: Content::Message(Payload::User(value)),
            handed_by: Some(by),
            tie: None,
        })
    }

    /// The message that a courier brings.
    pub(crate) fn intern_brought(
        &mut self,
        courier: Courier,
        message: Payload<F::Value>,
    ) -> ValueId {
        self.intern_stored(Stored {
            content: Content::Message(message),
            handed_by: None,
            tie: Some((courier.of, courier.tie)),
        })
    }

    fn intern_stored(&mut self, message: Stored<F::Value, OperationOf<F>>) -> ValueId {
        if let Some(id) = self.messages.find(&message) {
            return ValueId(id);
        }
        let class = (message.content.class(), message.tie.is_some());
        let id = ValueId(self.messages.add(message));
        match self.classes.get_mut(id.index()) {
            Some(reused) => *reused = class,
            None => self.classes.push(class),
        }
        id
    }

    pub(crate) fn intern_constraint(
        &mut self,
        frontend: &F,
        constraint: F::Constraint,
    ) -> ConstraintId {
        // A process often has the same constraint again.
        if let Some(last) = self.last_constraint
            && *self.constraints.get(last.index()) == constraint
        {
            return last;
        }
        let id = self.find_constraint(frontend, constraint);
        self.last_constraint = Some(id);
        id
    }

    fn find_constraint(&mut self, frontend: &F, constraint: F::Constraint) -> ConstraintId {
        if let Some(id) = self.constraints.find(&constraint) {
            return ConstraintId(id);
        }
        let part = frontend.hints().required_part(&constraint);
        let id = ConstraintId(self.constraints.add(constraint));
        if id.index() == self.verdicts.len() {
            self.verdicts.push(Row::default());
        }
        self.parts.require(id, part);
        id
    }

    pub(crate) fn content(&self, id: ValueId) -> &ContentOf<F> {
        &self.messages.get(id.index()).content
    }

    /// A message that the program can see.
    pub(crate) fn payload(&self, id: ValueId) -> Option<&Payload<F::Value>> {
        match self.content(id) {
            Content::Message(payload) => Some(payload),
            Content::Request { .. } | Content::Answer(_) => None,
        }
    }

    /// The process that waits until this message is received, if there is one.
    pub(crate) fn handed_by(&self, id: ValueId) -> Option<PidId> {
        self.messages.get(id.index()).handed_by
    }

    pub(crate) fn constraint(&self, id: ConstraintId) -> &F::Constraint {
        self.constraints.get(id.index())
    }

    #[inline]
    pub(crate) fn class(&self, id: ValueId) -> Class {
        self.classes[id.index()].0
    }

    /// Whether a courier brought this message.
    #[inline]
    pub(crate) fn is_brought(&self, id: ValueId) -> bool {
        self.classes[id.index()].1
    }

    /// The link or monitor because of which a courier brought this message, and the process that ended.
    pub(crate) fn tie(&self, id: ValueId) -> Option<(PidId, Tie)> {
        self.messages.get(id.index()).tie
    }

    /// Whether a message satisfies a constraint. If the front-end cannot decide that, the answer is
    /// no, and [`fault`](Self::fault) has the reason.
    #[inline]
    pub(crate) fn matches(&mut self, frontend: &F, value: ValueId, by: ConstraintId) -> bool {
        let known = self.verdicts[by.index()].get(value.index());
        known.unwrap_or_else(|| self.find_verdict(frontend, value, by))
    }

    #[cold]
    fn find_verdict(&mut self, frontend: &F, value: ValueId, by: ConstraintId) -> bool {
        // Processes of the program receive neither requests nor answers.
        let Content::Message(message) = &self.messages.get(value.index()).content else {
            return false;
        };
        if self.parts.refuse(frontend, message, value, by) {
            return false;
        }
        let verdict = self.run(frontend, message, by);
        self.store(value, by, verdict);
        verdict
    }

    fn store(&mut self, value: ValueId, by: ConstraintId, verdict: bool) {
        let row = &mut self.verdicts[by.index()];
        let before = row.verdicts.len();
        row.set(value.index(), verdict);
        self.cells += row.verdicts.len() - before;
        if self.cells > CELLS_MAX {
            self.verdicts
                .iter_mut()
                .for_each(|row| *row = Row::default());
            self.cells = 0;
        }
    }

    /// The same, without storing the answer.
    pub(crate) fn ask(&self, frontend: &F, value: ValueId, by: ConstraintId) -> bool {
        let Some(message) = self.payload(value) else {
            return false;
        };
        let lacks_part = self.parts.would_refuse(frontend, message, value, by);
        !lacks_part && self.run(frontend, message, by)
    }

    fn run(&self, frontend: &F, message: &Payload<F::Value>, by: ConstraintId) -> bool {
        match frontend.matches(message, self.constraint(by)) {
            Ok(verdict) => verdict,
            Err(fault) => {
                // Only the first one is kept: later ones may be consequences of its answer.
                _ = self.fault.set(fault);
                false
            }
        }
    }

    /// Records that the program cannot be explored, as if a message could not be matched.
    pub(crate) fn refuse(&self, fault: Fault) {
        _ = self.fault.set(fault);
    }

    /// The messages of which it is known, without matching, that they do not satisfy a constraint.
    #[inline]
    pub(crate) fn lacking(&self, by: ConstraintId) -> Option<Lacking<'_>> {
        self.parts.lacking(by)
    }

    /// Why a message could not be matched, if that has happened.
    #[inline]
    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.fault.get()
    }

    /// The estimated memory of all messages, constraints and verdicts.
    pub(crate) fn bytes(&self) -> usize {
        let cells = self.cells * size_of::<Option<bool>>();
        self.messages.bytes() + self.constraints.bytes() + self.parts.bytes() + cells
    }

    /// Marks a message that stays at the next sweep.
    #[inline]
    pub(crate) fn keep(&mut self, value: ValueId) {
        self.messages.keep(value.index());
    }

    /// Marks a constraint that stays at the next sweep.
    #[inline]
    pub(crate) fn keep_constraint(&mut self, constraint: ConstraintId) {
        self.constraints.keep(constraint.index());
    }

    /// Drops everything that is not marked, and the verdicts about it.
    pub(crate) fn sweep(&mut self) {
        let Values {
            messages,
            constraints,
            verdicts,
            cells,
            parts,
            ..
        } = self;
        constraints.sweep(|constraint| {
            let row = std::mem::take(&mut verdicts[constraint]);
            *cells -= row.verdicts.len();
        });
        // A new constraint may get its id.
        self.last_constraint = None;
        let mut gone = Vec::new();
        messages.sweep(|value| gone.push(value));
        // A new message may get the id of a dropped one, so the verdicts are removed.
        for row in verdicts.iter_mut() {
            row.forget(&gone);
        }
        parts.forget(&gone);
    }

    /// Number of messages and constraints, and of the ids ever assigned to them.
    #[cfg(test)]
    pub(crate) fn sizes(&self) -> [usize; 4] {
        [
            self.messages.len(),
            self.messages.numbers(),
            self.constraints.len(),
            self.constraints.numbers(),
        ]
    }

    /// A message as the user would write it.
    pub(crate) fn show(&self, frontend: &F, pids: &PidTable, id: ValueId) -> String {
        crate::show::content(frontend, pids, self.content(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_programs::{Pattern, Script};

    fn user(number: i64) -> ContentOf<Script> {
        Content::Message(Payload::User(number))
    }

    #[test]
    fn what_is_known_of_a_message_goes_with_it() {
        let script = Script { roles: Vec::new() };
        let mut values = Values::<Script>::new();
        let odd = values.intern_constraint(&script, Pattern::Odd);
        let (two, three) = (values.intern(user(2)), values.intern(user(3)));
        assert!(!values.matches(&script, two, odd));
        assert!(values.matches(&script, three, odd));
        values.keep_constraint(odd);
        values.keep(two);
        values.sweep();
        let four = values.intern(user(4));
        assert_eq!(four, three, "its id is used again");
        assert!(!values.matches(&script, four, odd));
        assert!(!values.matches(&script, two, odd));
        // The class is updated with the message.
        values.sweep();
        values.intern(user(5));
        let answer = values.intern(Content::Answer(crate::Answer::Ok));
        assert_eq!(values.class(answer), Class::Answer);
    }

    #[test]
    fn stored_verdicts_take_limited_memory() {
        let script = Script { roles: Vec::new() };
        let mut values = Values::<Script>::new();
        let numbers = 0..4_000;
        let messages: Vec<_> = numbers.clone().map(|n| values.intern(user(n))).collect();
        let mut largest = 0;
        for number in numbers {
            let equals = values.intern_constraint(&script, Pattern::Equals(number));
            for (of, &message) in (0..).zip(&messages) {
                assert_eq!(values.matches(&script, message, equals), of == number);
            }
            largest = largest.max(values.cells);
        }
        let stored: usize = values.verdicts.iter().map(|row| row.verdicts.len()).sum();
        assert_eq!(values.cells, stored);
        assert!((CELLS_MAX / 2..=CELLS_MAX).contains(&largest), "{largest}");
    }

    #[test]
    fn what_is_known_of_a_constraint_goes_with_it() {
        let script = Script { roles: Vec::new() };
        let mut values = Values::<Script>::new();
        let three = values.intern(user(3));
        let odd = values.intern_constraint(&script, Pattern::Odd);
        let empty = values.bytes();
        assert!(values.matches(&script, three, odd));
        assert!(values.bytes() > empty);
        values.keep(three);
        values.sweep();
        let four = values.intern_constraint(&script, Pattern::Equals(4));
        assert_eq!(four, odd, "its id is used again");
        assert_eq!(values.bytes(), empty, "what was known is gone");
        assert!(!values.matches(&script, three, four));
    }
}
