//! Interned messages and constraints, and which of them match.

use crate::frontend::Frontend;
use crate::ids::{ConstraintId, PidTable, ValueId};
use crate::message::{Class, Payload};
use rustc_hash::FxHashMap;

/// Every message and constraint seen, each once. Equality is equality of ids.
pub(crate) struct Values<F: Frontend> {
    payloads: Vec<Payload<F::Value>>,
    classes: Vec<Class>,
    by_payload: FxHashMap<Payload<F::Value>, ValueId>,
    constraints: Vec<F::Constraint>,
    by_constraint: FxHashMap<F::Constraint, ConstraintId>,
    last_constraint: Option<ConstraintId>,
    /// Per constraint, per value: whether they match, once that has been asked.
    verdicts: Vec<Vec<Option<bool>>>,
}

impl<F: Frontend> Values<F> {
    pub(crate) fn new() -> Self {
        Values {
            payloads: Vec::new(),
            classes: Vec::new(),
            by_payload: FxHashMap::default(),
            constraints: Vec::new(),
            by_constraint: FxHashMap::default(),
            last_constraint: None,
            verdicts: Vec::new(),
        }
    }

    pub(crate) fn intern(&mut self, payload: Payload<F::Value>) -> ValueId {
        if let Some(&id) = self.by_payload.get(&payload) {
            return id;
        }
        let id = ValueId(u32::try_from(self.payloads.len()).expect("fewer than 2^32 values"));
        self.classes.push(payload.class());
        self.payloads.push(payload.clone());
        self.by_payload.insert(payload, id);
        id
    }

    pub(crate) fn intern_constraint(&mut self, constraint: F::Constraint) -> ConstraintId {
        // A process often waits for the same again.
        if let Some(last) = self.last_constraint
            && self.constraints[last.index()] == constraint
        {
            return last;
        }
        let id = self.find_constraint(constraint);
        self.last_constraint = Some(id);
        id
    }

    fn find_constraint(&mut self, constraint: F::Constraint) -> ConstraintId {
        if let Some(&id) = self.by_constraint.get(&constraint) {
            return id;
        }
        let id = ConstraintId(
            u32::try_from(self.constraints.len()).expect("fewer than 2^32 constraints"),
        );
        self.constraints.push(constraint.clone());
        self.verdicts.push(Vec::new());
        self.by_constraint.insert(constraint, id);
        id
    }

    pub(crate) fn payload(&self, id: ValueId) -> &Payload<F::Value> {
        &self.payloads[id.index()]
    }

    pub(crate) fn constraint(&self, id: ConstraintId) -> &F::Constraint {
        &self.constraints[id.index()]
    }

    #[inline]
    pub(crate) fn class(&self, id: ValueId) -> Class {
        self.classes[id.index()]
    }

    #[inline]
    pub(crate) fn matches(&mut self, frontend: &F, value: ValueId, by: ConstraintId) -> bool {
        let verdicts = &mut self.verdicts[by.index()];
        if let Some(Some(known)) = verdicts.get(value.index()) {
            return *known;
        }
        let verdict =
            frontend.matches(&self.payloads[value.index()], &self.constraints[by.index()]);
        if verdicts.len() <= value.index() {
            verdicts.resize(value.index() + 1, None);
        }
        verdicts[value.index()] = Some(verdict);
        verdict
    }

    /// A message as the user would write it.
    pub(crate) fn show(&self, frontend: &F, pids: &PidTable, id: ValueId) -> String {
        crate::show::payload(frontend, pids, self, self.payload(id))
    }
}
