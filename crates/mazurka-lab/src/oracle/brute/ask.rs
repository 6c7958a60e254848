//! Operations on shared objects: reads return the latest version, other operations are requests that
//! the object serves one at a time.

use super::World;
use super::configuration::Configuration;
use super::history::Seen;
use super::object::{Object, Thing};
use super::process::{Process, Running};
use mazurka_engine::Pid;
use mazurka_engine::{Answer, Operation};
use mazurka_engine::{Demand, Fault, Frontend, Input};

impl<F: Frontend> World<'_, F> {
    /// Answers an operation that changes nothing, by the latest version.
    pub(super) fn read(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        operation: &Operation<F::Value>,
    ) -> Result<Configuration<F>, Fault> {
        let mut next = configuration.clone();
        let me = process.pid;
        let answer = match operation {
            Operation::WhereIs { name } => {
                let bearer = next.see(me, Object::Name(name.clone())).bearer;
                Answer::Pid(bearer.filter(|&bearer| !next.see(me, Object::Liveness(bearer)).dead))
            }
            Operation::Get { table, key } => {
                let cell = Object::Cell(table.clone(), key.clone());
                Answer::Value(next.see(me, cell).value)
            }
            Operation::Count { counter } => {
                Answer::Int(next.see(me, Object::Counter(counter.clone())).count)
            }
            _ => unreachable!("not a read"),
        };
        self.go_on(&mut next, me, Input::Answer(&answer))?;
        Ok(next)
    }

    /// Answers whether a process is alive, by the latest version of its liveness.
    pub(super) fn read_liveness(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        of: Pid,
    ) -> Result<Configuration<F>, Fault> {
        let mut next = configuration.clone();
        let me = process.pid;
        let answer = Answer::Bool(!next.see(me, Object::Liveness(of)).dead);
        self.go_on(&mut next, me, Input::Answer(&answer))?;
        Ok(next)
    }

    /// An object serves the request that a process has issued, unless its outbox still has messages
    /// from the last one.
    pub(super) fn serve(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        running: &Running<F>,
    ) -> Result<Option<Configuration<F>>, Fault> {
        let mut next = configuration.clone();
        let me = process.pid;
        let object = match &running.demand {
            Demand::Liveness(operation) => Object::Liveness(operation.target(me)),
            Demand::Ask(operation) => Object::that_serves(operation),
            _ => unreachable!("only operations are issued"),
        };
        let thing = next.thing(&object);
        if !thing.outbox.is_empty() {
            return Ok(None);
        }
        thing.history.push(Seen::Served(me));
        thing.past.extend(process.past.iter().copied());
        thing.in_a_row = process.in_a_row;
        let answer = match (&object, &running.demand) {
            (Object::Liveness(of), Demand::Liveness(operation)) => next.tie(me, *of, *operation),
            (Object::Name(_), Demand::Ask(operation)) => next.change_name(&object, operation),
            (Object::Cell(..), Demand::Ask(operation)) => change_cell(thing, operation),
            (Object::Counter(_), Demand::Ask(operation)) => change_counter(thing, operation),
            _ => unreachable!("only operations are issued"),
        };
        let past = next.thing(&object).past.clone();
        next.process(me).past.extend(past);
        self.go_on(&mut next, me, Input::Answer(&answer))?;
        Ok(Some(next))
    }
}

impl<F: Frontend> Configuration<F> {
    /// A process reads the latest version of an object.
    fn see(&mut self, reader: Pid, object: Object<F::Value>) -> Thing<F::Value> {
        let thing = self.thing(&object).clone();
        let process = self.process(reader);
        process.past.extend(thing.published.iter().copied());
        let version = thing.version;
        process.history.push(Seen::Read { object, version });
        thing
    }

    fn change_name(
        &mut self,
        name: &Object<F::Value>,
        operation: &Operation<F::Value>,
    ) -> Answer<F::Value> {
        let bearer = self.thing(name).bearer;
        let taken = bearer.is_some_and(|bearer| self.is_alive_to(name, bearer));
        let new = match operation {
            Operation::Register { pid, .. } => {
                if taken || !self.is_alive_to(name, *pid) {
                    return Answer::Refused;
                }
                Some(*pid)
            }
            Operation::Unregister { .. } => {
                if !taken {
                    return Answer::Refused;
                }
                None
            }
            _ => unreachable!("not about names"),
        };
        let thing = self.thing(name);
        if thing.bearer != new {
            thing.publish();
        }
        thing.bearer = new;
        Answer::Ok
    }

    /// A name object reads the liveness of a process. Returns whether the process is alive.
    fn is_alive_to(&mut self, name: &Object<F::Value>, process: Pid) -> bool {
        let liveness = self.thing(&Object::Liveness(process)).clone();
        let thing = self.thing(name);
        thing.past.extend(liveness.published.iter().copied());
        thing.history.push(Seen::Read {
            object: Object::Liveness(process),
            version: liveness.version,
        });
        !liveness.dead
    }
}

fn change_cell<V: Clone + PartialEq>(cell: &mut Thing<V>, operation: &Operation<V>) -> Answer<V> {
    let (new, answer) = match operation {
        Operation::Put { value, .. } => (Some(value.clone()), Answer::Ok),
        Operation::PutNew { value, .. } => (
            cell.value.clone().or_else(|| Some(value.clone())),
            Answer::Bool(cell.value.is_none()),
        ),
        Operation::Take { .. } => (None, Answer::Value(cell.value.clone())),
        _ => unreachable!("not about cells"),
    };
    if cell.value != new {
        cell.publish();
    }
    cell.value = new;
    answer
}

fn change_counter<V>(counter: &mut Thing<V>, operation: &Operation<V>) -> Answer<V> {
    let Operation::Add { amount, .. } = operation else {
        unreachable!("not about counters")
    };
    counter.count += amount;
    if *amount != 0 {
        counter.publish();
    }
    Answer::Int(counter.count)
}
