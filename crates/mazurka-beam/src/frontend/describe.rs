//! Terms, receives, failures, places and output in reports.

use std::rc::Rc;

use mazurka_engine::objects::Key as StandardKey;
use mazurka_engine::{Describe, PidTable, StepPart};

use super::behaviour::Behaviour;
use super::{Done, Program, Rest, Snapshot, show, stamp};
use crate::machine::{Constraint, Start};
use crate::objects::Key;
use crate::term::Term;

impl Describe<Program> for Program {
    fn value(&self, value: &Term, _: &PidTable) -> String {
        show::term(stamp::message(value))
    }

    fn constraint(&self, constraint: &Constraint, _: &PidTable) -> String {
        show::constraint(self.library(), constraint)
    }

    fn start(&self, start: &Start, _: &PidTable) -> String {
        show::start(self.library(), start)
    }

    fn process(&self, start: &Start, first: Option<&Rc<Snapshot>>, _: &PidTable) -> String {
        show::process(self.library(), start, first.map(|state| &state.process))
    }

    fn registered(&self, name: String, start: &Start, _: &PidTable) -> String {
        match Behaviour::of(start) {
            Some(behaviour) => behaviour.registered(&name),
            None => name,
        }
    }

    fn label(&self, state: &Rc<Snapshot>) -> Option<String> {
        state.process.label().map(show::term)
    }

    fn failure(&self, value: &Term, _: &PidTable) -> String {
        show::failure(self.library(), value)
    }

    /// Tables and counters whose names begin with a dollar sign are the machine's own.
    fn is_bookkeeping(&self, key: &Key) -> bool {
        let Key::Standard(StandardKey::Cell { table: name, .. } | StandardKey::Counter(name)) = key
        else {
            return false;
        };
        matches!(name, Term::Atom(name) if name.name().starts_with('$'))
    }

    fn has_notes(&self, state: &Rc<Snapshot>) -> bool {
        let Done {
            places,
            output,
            exit_calls,
            own_name: _,
        } = &state.done;
        !places.is_empty() || !output.is_empty() || exit_calls.is_some()
    }

    fn place(&self, state: &Rc<Snapshot>, part: StepPart) -> Option<String> {
        let place = match part {
            StepPart::Action(index) => *state.done.places.get(index)?,
            StepPart::Demand => match state.rest.as_ref().and_then(Rest::place) {
                Some(place) => place,
                None => state.process.place(self.library())?,
            },
            StepPart::Failure => {
                let calls = state.done.exit_calls.as_ref()?;
                return show::own_call(self.library(), calls);
            }
        };
        show::place(self.library(), place)
    }

    /// The only choice is whether a process is killed.
    fn outside(&self, _: &Rc<Snapshot>, chosen: u32) -> Option<&'static str> {
        Some(if chosen == 0 { "" } else { "kill" })
    }

    fn output<'s>(&self, state: &'s Rc<Snapshot>) -> &'s [(usize, String)] {
        &state.done.output
    }
}
