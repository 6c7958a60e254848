//! Operations on shared objects: reads return the latest version, other operations are requests that
//! the object serves one at a time. What an object does is decided by the front-end.

use super::World;
use super::configuration::Configuration;
use super::history::Seen;
use super::object::Object;
use super::process::{Process, Running};
use mazurka_engine::{Answer, PidId};
use mazurka_engine::{
    Asked, Demand, Fault, Frontend, Input, KeyOf, OperationOf, Reading, Served, SharedObjects,
    Source,
};

impl<F: Frontend> World<'_, F> {
    /// Answers an operation that changes nothing, by the latest versions of what it reads.
    pub(super) fn read(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        operation: &OperationOf<F>,
    ) -> Result<Configuration<F>, Fault> {
        let mut next = configuration.clone();
        let me = process.pid;
        let mut seen = Vec::new();
        let answer = loop {
            match F::Objects::read(operation, &seen) {
                Reading::Read(source) => seen.push(next.see(me, source.into(), operation)),
                Reading::Done(answer) => break answer,
            }
        };
        self.go_on(&mut next, me, Input::Answer(&answer))?;
        Ok(next)
    }

    /// An object serves the request that a process has issued, unless the request must wait.
    pub(super) fn serve(
        &mut self,
        configuration: &Configuration<F>,
        process: &Process<F>,
        running: &Running<F>,
    ) -> Result<Option<Configuration<F>>, Fault> {
        let mut next = configuration.clone();
        let me = process.pid;
        let object = match &running.demand {
            Demand::Ask(operation) => Object::Shared(F::Objects::key(operation)),
            _ => unreachable!("only operations are issued"),
        };
        let thing = next.thing(&object);
        thing.history.push(Seen::Served(me));
        thing.past.extend(process.past.iter().copied());
        thing.in_a_row = process.in_a_row;
        let answer = match (&object, &running.demand) {
            (Object::Shared(key), Demand::Ask(operation)) => next.change(me, key, operation),
            _ => unreachable!("only operations are issued"),
        };
        let Some(answer) = answer else {
            return Ok(None);
        };
        let past = next.thing(&object).past.clone();
        next.process(me).past.extend(past);
        self.go_on(&mut next, me, Input::Answer(&answer))?;
        Ok(Some(next))
    }
}

impl<F: Frontend> Configuration<F> {
    /// A process reads the latest version of something for an operation. Returns what it sees.
    fn see(
        &mut self,
        reader: PidId,
        object: Object<KeyOf<F>>,
        operation: &OperationOf<F>,
    ) -> Answer<F::Value> {
        self.note_read(reader, &object);
        self.look(&object, operation)
    }

    /// Records that a process reads the latest version of an object.
    pub(super) fn note_read(&mut self, reader: PidId, object: &Object<KeyOf<F>>) {
        let thing = self.thing(object);
        let (published, version) = (thing.published.clone(), thing.version);
        let process = self.process(reader);
        process.past.extend(published);
        let object = object.clone();
        process.history.push(Seen::Read { object, version });
    }

    /// What an operation sees of the latest version of an object.
    fn look(&mut self, object: &Object<KeyOf<F>>, operation: &OperationOf<F>) -> Answer<F::Value> {
        match object {
            Object::Liveness(of) => self.is_alive(*of),
            Object::Courier { .. } => unreachable!("only its process reads it"),
            Object::Shared(key) => {
                let state = self.thing(object).state.as_ref();
                F::Objects::look(key, state.expect("it has one"), operation)
            }
        }
    }

    fn is_alive(&mut self, of: PidId) -> Answer<F::Value> {
        Answer::Bool(!self.thing(&Object::Liveness(of)).dead)
    }

    /// An object of the front-end serves a request, with all that it must read for it. Returns its
    /// answer, or nothing if the request must wait.
    fn change(
        &mut self,
        asker: PidId,
        key: &KeyOf<F>,
        operation: &OperationOf<F>,
    ) -> Option<Answer<F::Value>> {
        let object = Object::Shared(key.clone());
        let before = self.thing(&object).state.clone().expect("it has one");
        let request = Asked {
            by: asker,
            operation,
        };
        if F::Objects::MAKES_WAIT && !F::Objects::is_ready(key, &before, request) {
            return None;
        }
        let mut seen = Vec::new();
        loop {
            match F::Objects::serve(key, &before, request, &seen) {
                Served::Read(source) => {
                    let source = source.into();
                    let read = self.thing(&source);
                    let (published, version) = (read.published.clone(), read.version);
                    let thing = self.thing(&object);
                    thing.past.extend(published);
                    thing.history.push(Seen::Read {
                        object: source.clone(),
                        version,
                    });
                    seen.push(self.look(&source, operation));
                }
                Served::Done {
                    state,
                    answer,
                    publishes,
                } => {
                    let thing = self.thing(&object);
                    if publishes {
                        thing.publish();
                    }
                    thing.state = Some(state);
                    return Some(answer);
                }
            }
        }
    }
}

impl<K> From<Source<K>> for Object<K> {
    fn from(source: Source<K>) -> Self {
        match source {
            Source::Liveness(of) => Object::Liveness(of),
            Source::Object(key) => Object::Shared(key),
        }
    }
}
