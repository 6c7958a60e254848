//! A small scheduler. It runs the process that has waited longest until it stops.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use mazurka_beam::code::Library;
use mazurka_beam::ets::Request;
use mazurka_beam::machine::{Answer, Constraint, Effect, Input, Machine, Process, Start, Stop};
use mazurka_beam::objects::{self, Known, Objects, Party};
use mazurka_beam::term::{PidTerm, Term};
use mazurka_engine::{
    self as engine, Asked, LivenessOperation, Operation, PidId, PidTable, Reading, Served,
    SharedObjects, Source,
};

pub struct World<'a> {
    library: &'a Library,
    machine: Machine,
    processes: BTreeMap<PidTerm, Entry>,
    count: i64,
    terms: HashMap<Term, Term>,
    /// Links, in both directions. They only serve queries.
    links: BTreeSet<(PidTerm, PidTerm)>,
    tables: Tables,
    pub output: String,
}

/// The shared objects of tables.
#[derive(Default)]
struct Tables {
    known: Known,
    states: HashMap<objects::Key, objects::State>,
    pids: RefCell<PidTable>,
    ids: RefCell<HashMap<PidId, PidTerm>>,
}

struct Entry {
    process: Process,
    mailbox: VecDeque<Term>,
    stop: Option<Stop>,
}

impl Entry {
    /// Removes a message. The process's own stored messages come first.
    fn take(&mut self, index: usize) -> Term {
        let replies = &mut self.process.replies;
        match index.checked_sub(replies.len()) {
            None => replies.remove(index),
            Some(index) => self.mailbox.remove(index).expect("a message"),
        }
    }
}

impl<'a> World<'a> {
    pub fn new(library: &'a Library) -> World<'a> {
        World {
            library,
            machine: Machine::new(),
            processes: BTreeMap::new(),
            count: 0,
            terms: HashMap::new(),
            links: BTreeSet::new(),
            tables: Tables::default(),
            output: String::new(),
        }
    }

    pub fn spawn(&mut self, pid: PidTerm, start: &Start) {
        let entry = Entry {
            process: Process::new(pid, start),
            mailbox: VecDeque::new(),
            stop: None,
        };
        self.processes.insert(pid, entry);
    }

    /// The final stop of a process.
    pub fn end_of(&self, pid: PidTerm) -> Option<&Stop> {
        self.processes.get(&pid)?.stop.as_ref()
    }

    /// Runs until no process can continue. Timeouts fire only when nothing else can happen.
    pub fn run(&mut self) {
        loop {
            let pids: Vec<PidTerm> = self.processes.keys().copied().collect();
            let mut moved = false;
            for pid in pids {
                while self.step(pid) {
                    moved = true;
                }
            }
            if !moved && !self.pass_time() {
                return;
            }
        }
    }

    fn step(&mut self, pid: PidTerm) -> bool {
        let Some(mut entry) = self.processes.remove(&pid) else {
            return false;
        };
        let mut effects = Vec::new();
        let input = match &entry.stop {
            None => None,
            Some(Stop::Receive {
                constraint,
                timeout_ms,
            }) => match self.first_match(constraint, &entry) {
                Some(index) => Some(Input::Message(entry.take(index))),
                None if *timeout_ms == Some(0) => Some(Input::Timeout),
                None => {
                    self.processes.insert(pid, entry);
                    return false;
                }
            },
            Some(Stop::Liveness(operation)) => {
                let operation = *operation;
                Some(Input::Answer(self.ask_liveness(pid, operation)))
            }
            Some(Stop::Table(request)) => Some(Input::Answer(self.ask_table(request.clone(), pid))),
            Some(Stop::Ask(operation)) => Some(Input::Answer(self.ask(operation.clone()))),
            Some(_) => {
                self.processes.insert(pid, entry);
                return false;
            }
        };
        // Run a snapshot, to test that it behaves like the process itself.
        let mut process = entry.process.clone();
        let stop = match input {
            None => self.machine.run(self.library, &mut process, &mut effects),
            Some(input) => self
                .machine
                .resume(self.library, &mut process, input, &mut effects),
        };
        entry.process = process;
        entry.stop = Some(stop);
        self.processes.insert(pid, entry);
        for effect in effects {
            self.perform(pid, effect);
        }
        true
    }

    fn first_match(&mut self, constraint: &Constraint, entry: &Entry) -> Option<usize> {
        if matches!(constraint, Constraint::Mailbox(_)) {
            return (!entry.mailbox.is_empty()).then_some(entry.process.replies.len());
        }
        let mut messages = entry.process.replies.iter().chain(&entry.mailbox);
        messages.position(|message| {
            let matches = self.machine.matches(self.library, constraint, message);
            matches.expect("a test that can be run")
        })
    }

    fn ask_liveness(&mut self, me: PidTerm, operation: LivenessOperation<PidTerm>) -> Answer {
        match operation {
            LivenessOperation::IsAlive(pid) => {
                let stop = self.processes.get(&pid).map(|entry| &entry.stop);
                Answer::Bool(!matches!(stop, None | Some(Some(Stop::Exit(_)))))
            }
            LivenessOperation::Link(pid) => {
                self.links.extend([(me, pid), (pid, me)]);
                Answer::Ok
            }
            LivenessOperation::Unlink(pid) => {
                self.links
                    .retain(|link| *link != (me, pid) && *link != (pid, me));
                Answer::Ok
            }
            LivenessOperation::Links => {
                let links = self.links.iter().filter(|(one, _)| *one == me);
                Answer::Pids(links.map(|(_, other)| *other).collect())
            }
            other => panic!("not in these tests: {other:?}"),
        }
    }

    fn ask(&mut self, operation: Operation<Term, PidTerm>) -> Answer {
        match operation {
            Operation::WhereIs { .. } => Answer::Pid(None),
            Operation::Add { amount, .. } => {
                self.count += amount;
                Answer::Int(self.count)
            }
            Operation::Get { table, key } => {
                Answer::Value(self.terms.get(&table_key(table, key)).cloned())
            }
            Operation::Put { table, key, value } => {
                self.terms.insert(table_key(table, key), value);
                Answer::Ok
            }
            Operation::Take { table, key } => {
                Answer::Value(self.terms.remove(&table_key(table, key)))
            }
            other => panic!("not in these tests: {other:?}"),
        }
    }

    /// Serves a request to a table as the engine would do it.
    fn ask_table(&mut self, mut request: Request<PidTerm>, me: PidTerm) -> Answer {
        let tables = &mut self.tables;
        tables.known.complete(&mut request);
        let request = request.map_pids(|ours| {
            let path = ours.path().ok_or(())?;
            let theirs = path.iter().fold(PidTable::ENTRY, |pid, index| {
                tables.pids.borrow_mut().child(pid, index + 1)
            });
            tables.ids.borrow_mut().insert(theirs, ours);
            Ok::<_, ()>(Party { ours, theirs })
        });
        let request = request.expect("pids are paths");
        let by = request.by.theirs;
        let operation = objects::Operation::Table(request);
        let mut seen = Vec::new();
        loop {
            let source = if Objects::is_read(&operation) {
                match Objects::read(&operation, &seen) {
                    Reading::Done(answer) => return self.answer(answer),
                    Reading::Read(source) => source,
                }
            } else {
                let key = Objects::key(&operation);
                let asked = Asked {
                    by,
                    operation: &operation,
                };
                match Objects::serve(&key, &self.state(&key), asked, &seen) {
                    Served::Done { state, answer, .. } => {
                        self.tables.states.insert(key, state);
                        return self.answer(answer);
                    }
                    Served::Read(source) => source,
                }
            };
            seen.push(match source {
                Source::Object(key) => Objects::look(&key, &self.state(&key), &operation),
                Source::Liveness(pid) => {
                    let pid = self.tables.ids.borrow()[&pid];
                    let ended = |entry: &Entry| matches!(entry.stop, Some(Stop::Exit(_)));
                    let alive = self.processes.get(&pid).is_some_and(|entry| !ended(entry));
                    engine::Answer::Bool(alive || pid == me)
                }
            });
        }
    }

    fn state(&self, key: &objects::Key) -> objects::State {
        let state = self.tables.states.get(key).cloned();
        state.unwrap_or_else(|| Objects::initial(key))
    }

    fn answer(&self, answer: engine::Answer<Term>) -> Answer {
        match answer {
            engine::Answer::Ok => Answer::Ok,
            engine::Answer::Refused => Answer::Refused,
            engine::Answer::Value(value) => Answer::Value(value),
            other => panic!("not an answer of a table: {other:?}"),
        }
    }

    fn perform(&mut self, me: PidTerm, effect: Effect) {
        match effect {
            Effect::Spawn {
                pid, start, link, ..
            } => {
                self.spawn(pid, &start);
                if link {
                    self.links.extend([(me, pid), (pid, me)]);
                }
            }
            Effect::Send { to, value } => {
                if let Some(entry) = self.processes.get_mut(&to) {
                    entry.mailbox.push_back(value);
                }
            }
            Effect::Output(text) => self.output.push_str(&text),
            Effect::TrapExit(_) => {}
            other => panic!("not in these tests: {other:?}"),
        }
    }

    /// Fires the shortest timeout.
    fn pass_time(&mut self) -> bool {
        let waits = self
            .processes
            .iter()
            .filter_map(|(pid, entry)| match &entry.stop {
                Some(Stop::Receive {
                    timeout_ms: Some(ms),
                    ..
                }) => Some((*ms, *pid)),
                _ => None,
            });
        let Some((_, pid)) = waits.min() else {
            return false;
        };
        let mut effects = Vec::new();
        if let Some(entry) = self.processes.get_mut(&pid) {
            let stop = self.machine.resume(
                self.library,
                &mut entry.process,
                Input::Timeout,
                &mut effects,
            );
            entry.stop = Some(stop);
        }
        for effect in effects {
            self.perform(pid, effect);
        }
        true
    }
}

fn table_key(table: Term, key: Term) -> Term {
    Term::tuple([table, key])
}
