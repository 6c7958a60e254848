//! Prefix-based tracing: follow a log, full or partial, and trace the rest
//! (González-Abril and Vidal 2021).
//!
//! Each process consumes what its log says. A process whose log is used up goes on by
//! itself, but only when no other process has a logged step to make: so what is driven is
//! driven first.

use crate::behaviour::{Behaviours, Effect, Wait};
use crate::candidates::Candidates;
use crate::choose::{next, sort};
use crate::cut::Everything;
use crate::frontend::{Fault, Frontend, StepPart};
use crate::graph::{Entry, Graph, Pick, Slot};
use crate::guide::{ByHash, Guide, SendersFirst};
use crate::ids::{ObjectKey, Pid, PidKind};
use crate::options::Options;
use crate::timeouts::Timeouts;
use crate::verdict::Finding;
use crate::view::Execution;
use mazurka_trace::{Accepts, Log, LogEntry, Tag, Trace};
use std::collections::BTreeMap;
use std::fmt;

/// An execution that was driven.
#[derive(Clone, Debug)]
pub struct Driven {
    /// What happened.
    pub trace: Trace,
    /// What is wrong or odd about it.
    pub findings: Vec<Finding>,
    /// Where processes did not fit their logs, in the order in which they left them.
    pub departures: Vec<Departure>,
    /// What the processes wait for that have not ended.
    pub waiting: BTreeMap<mazurka_trace::ProcessName, Waiting>,
}

/// Where a process does something else than its log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The process.
    pub process: String,
    /// Which of its inputs does not fit, from 1.
    pub position: usize,
    /// How many of its inputs the log has.
    pub logged: usize,
    /// What the log says that input is.
    pub log_says: String,
    /// What the program did instead.
    pub program_did: String,
    /// Where in its source, `file:line`, the process was then, if that is known.
    pub place: Option<String>,
    /// Whether there is such a process in the program as it is now.
    pub exists: bool,
}

/// `input 2 of process P should be message P.1#0, but it ended there (normal)`
impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "input {} of process {} should be {}, but {}",
            self.position, self.process, self.log_says, self.program_did
        )
    }
}

/// What a process waits for at the end of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// As the user would write it.
    pub what: String,
    /// Which of the messages to it would do.
    pub accepts: Accepts,
    /// Whether it would also go on by itself after some time.
    pub has_timeout: bool,
    /// Where in its source, `file:line`, if that is known.
    pub place: Option<String>,
}

/// Why a program could not be driven.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DriveError {
    /// The program cannot be run.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The log does not fit the program.
    #[error("the log does not fit the program: {0}")]
    Mismatch(Box<Departure>),
}

/// Runs a program along a log and then on to its end: by the usual choices, or by random
/// ones if there is a seed.
///
/// # Errors
/// The log does not fit, or the program cannot be run.
pub fn drive<F: Frontend>(
    frontend: F,
    options: &Options,
    log: &Log,
    seed: Option<u64>,
) -> Result<Driven, DriveError> {
    let mut driven = drive_by(frontend, options, log, seed, Fit::Whole)?;
    match driven.departures.is_empty() {
        true => Ok(driven),
        false => Err(DriveError::Mismatch(Box::new(driven.departures.remove(0)))),
    }
}

/// The same for a program that may have changed since the log was made. Each process follows its
/// log as long as that fits. When no process can follow its log, and none whose log is used up can
/// go on, one of those that still have a log departs from it: what is left of its log is put aside,
/// and it goes on by itself. The others follow theirs as before.
///
/// # Errors
/// The program cannot be run.
pub fn drive_as_far_as_it_fits<F: Frontend>(
    frontend: F,
    options: &Options,
    log: &Log,
    seed: Option<u64>,
) -> Result<Driven, Fault> {
    drive_by(frontend, options, log, seed, Fit::AsFarAsItGoes)
}

/// Runs a program along a log, all of which must fit, and no further: for what the front-end notes on
/// the way. What the log has of an execution ends, even if the program does not.
///
/// # Errors
/// The log does not fit, or the program cannot be run.
pub fn retrace<F: Frontend>(frontend: F, options: &Options, log: &Log) -> Result<(), DriveError> {
    let mut behaviours = Behaviours::new(frontend, options);
    let (struck, guide) = (&mut Vec::new(), &SendersFirst);
    let mut course = follow(&mut behaviours, struck, options, log, guide, Fit::NoFurther)?;
    match course.departures.is_empty() {
        true => Ok(()),
        false => Err(DriveError::Mismatch(Box::new(course.departures.remove(0)))),
    }
}

/// How much of a log must fit, and what comes after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// All of it: the first departure is the end. Then the execution goes on to its end.
    Whole,
    /// Whatever does. Then the execution goes on to its end.
    AsFarAsItGoes,
    /// All of it. Nothing comes after it.
    NoFurther,
}

fn drive_by<F: Frontend>(
    frontend: F,
    options: &Options,
    log: &Log,
    seed: Option<u64>,
    fit: Fit,
) -> Result<Driven, Fault> {
    match seed {
        Some(seed) => drive_with(frontend, options, log, &ByHash { seed }, fit),
        None => drive_with(frontend, options, log, &SendersFirst, fit),
    }
}

fn drive_with<F: Frontend>(
    frontend: F,
    options: &Options,
    log: &Log,
    guide: &impl Guide,
    fit: Fit,
) -> Result<Driven, Fault> {
    let mut behaviours = Behaviours::new(frontend, options);
    let course = follow(&mut behaviours, &mut Vec::new(), options, log, guide, fit)?;
    let execution = Execution {
        graph: &course.graph,
        behaviours: &behaviours,
        cut_short: course.cut_short,
    };
    let (trace, findings) = (execution.trace(), execution.findings());
    behaviours.check()?;
    Ok(Driven {
        trace,
        findings,
        departures: course.departures,
        waiting: course.waiting,
    })
}

/// The graph of an execution along a log, all of which must fit, and whether it was cut short.
/// Processes that turn out to look for signals are added to `struck`.
pub(crate) fn to_the_end<F: Frontend>(
    behaviours: &mut Behaviours<F>,
    struck: &mut Vec<Pid>,
    options: &Options,
    log: &Log,
    guide: &impl Guide,
) -> Result<(Graph, bool), DriveError> {
    let mut course = follow(behaviours, struck, options, log, guide, Fit::Whole)?;
    match course.departures.is_empty() {
        true => Ok((course.graph, course.cut_short)),
        false => Err(DriveError::Mismatch(Box::new(course.departures.remove(0)))),
    }
}

/// An execution along a log.
struct Course {
    graph: Graph,
    cut_short: bool,
    departures: Vec<Departure>,
    waiting: BTreeMap<mazurka_trace::ProcessName, Waiting>,
}

fn follow<F: Frontend>(
    behaviours: &mut Behaviours<F>,
    struck: &mut Vec<Pid>,
    options: &Options,
    log: &Log,
    guide: &impl Guide,
    fit: Fit,
) -> Result<Course, Fault> {
    loop {
        let mut graph = Graph::new(options.delivery, options.timeouts);
        for &pid in &*struck {
            graph.foresee(pid);
        }
        graph.begin(behaviours);
        let mut driver = Driver {
            behaviours,
            graph,
            guide,
            candidates: Candidates::default(),
            left: Left::new(log),
            departures: Vec::new(),
        };
        match driver.run(options, fit)? {
            Ended::Unforeseen(pid) => struck.push(pid),
            Ended::Over { cut_short } => {
                let waiting = driver.waiting();
                driver.behaviours.check()?;
                return Ok(Course {
                    graph: driver.graph,
                    cut_short,
                    departures: driver.departures,
                    waiting,
                });
            }
        }
    }
}

/// The part of the log that has not been followed yet.
struct Left<'l> {
    log: &'l Log,
    followed: BTreeMap<&'l str, usize>,
}

impl<'l> Left<'l> {
    fn new(log: &'l Log) -> Self {
        Left {
            log,
            followed: BTreeMap::new(),
        }
    }

    fn next(&self, process: &str) -> Option<&'l LogEntry> {
        let (name, entries) = self.log.processes.get_key_value(process)?;
        let followed = self.followed.get(name.as_str()).copied().unwrap_or(0);
        entries.get(followed)
    }

    fn follow(&mut self, process: &str) {
        if let Some((name, _)) = self.log.processes.get_key_value(process) {
            *self.followed.entry(name.as_str()).or_insert(0) += 1;
        }
    }

    /// The processes that have a log left: which input comes next, and what it is.
    fn unfollowed(&self) -> impl Iterator<Item = (&'l str, usize, &'l LogEntry)> {
        self.log.processes.iter().filter_map(|(process, entries)| {
            let followed = self.followed.get(process.as_str()).copied().unwrap_or(0);
            let entry = entries.get(followed)?;
            Some((process.as_str(), followed, entry))
        })
    }

    /// Puts aside what is left of a process's log. How long that log is.
    fn put_aside(&mut self, process: &'l str) -> usize {
        let logged = self.log.processes.get(process).map_or(0, Vec::len);
        self.followed.insert(process, logged);
        logged
    }
}

enum Ended {
    Over { cut_short: bool },
    Unforeseen(Pid),
}

/// What a process can do now, given its log.
enum Move {
    /// This, and it follows the log.
    Logged(Pick),
    /// This, about which logs say nothing.
    Silent(Pick),
    /// Whatever it likes.
    Free,
    /// Nothing yet: what the log says is not there.
    Blocked,
}

struct Driver<'d, F: Frontend, G: Guide> {
    behaviours: &'d mut Behaviours<F>,
    graph: Graph,
    guide: &'d G,
    candidates: Candidates,
    left: Left<'d>,
    departures: Vec<Departure>,
}

impl<F: Frontend, G: Guide> Driver<'_, F, G> {
    fn execution(&self, cut_short: bool) -> Execution<'_, F> {
        Execution {
            graph: &self.graph,
            behaviours: self.behaviours,
            cut_short,
        }
    }

    fn run(&mut self, options: &Options, fit: Fit) -> Result<Ended, Fault> {
        loop {
            if let Some(pid) = self.graph.unforeseen {
                return Ok(Ended::Unforeseen(pid));
            }
            let may_end = options.cuts(&self.graph);
            if !self.advance(fit)? {
                match self.depart() && fit == Fit::AsFarAsItGoes {
                    true => continue,
                    false => return Ok(Ended::Over { cut_short: false }),
                }
            }
            if may_end {
                self.graph.undo(self.behaviours);
                return Ok(Ended::Over { cut_short: true });
            }
        }
    }

    /// Makes one step: a logged one if there is any, else a free one, else what happens
    /// when nothing happens. False if there is none.
    fn advance(&mut self, fit: Fit) -> Result<bool, Fault> {
        if let Some(slot) = self.logged_timeout(false)? {
            return self.time_out(slot, Pick::Timeout);
        }
        let enabled: Vec<Slot> = self.graph.enabled().collect();
        let mut free = Vec::new();
        for slot in enabled {
            self.list(slot)?;
            match self.wish(slot) {
                Move::Logged(pick) => {
                    let name = self.execution(false).name(slot);
                    self.left.follow(&name);
                    self.step(slot, pick)?;
                    return Ok(true);
                }
                Move::Silent(pick) => {
                    self.step(slot, pick)?;
                    return Ok(true);
                }
                Move::Free => free.push(slot),
                Move::Blocked => {}
            }
        }
        if let Some((pid, pick)) = self.logged_end() {
            let name = self.name(pid);
            self.left.follow(&name);
            self.apply(pid, pick)?;
            return Ok(true);
        }
        if fit == Fit::NoFurther && self.left.unfollowed().next().is_none() {
            return Ok(false);
        }
        if self.graph.has_timeouts() {
            // Before a timeout that has waited for quiet all ends are known.
            if let Some(&life) = free.iter().find(|&&slot| self.is_life(slot)) {
                self.list(life)?;
                let pick = self.candidates.picks[0];
                self.step(life, pick)?;
                return Ok(true);
            }
            if self.when_quiet(true)? {
                return Ok(true);
            }
        }
        // Whatever the setting says about timeouts: the log has decided.
        if let Some(slot) = self.logged_timeout(true)? {
            return self.time_out(slot, Pick::Timeout);
        }
        if let Some(slot) = next(&self.graph, self.behaviours, self.guide, free) {
            self.list(slot)?;
            let pick = self.candidates.picks[0];
            self.step(slot, pick)?;
            return Ok(true);
        }
        self.when_quiet(false)
    }

    fn is_life(&self, slot: Slot) -> bool {
        let pid = self.graph.process(slot).pid;
        let kind = self.behaviours.pids.kind(pid);
        matches!(kind, PidKind::Object(ObjectKey::Life(_)))
    }

    /// A process times out, as its log says.
    fn time_out(&mut self, slot: Slot, pick: Pick) -> Result<bool, Fault> {
        let name = self.execution(false).name(slot);
        self.left.follow(&name);
        self.step(slot, pick)?;
        Ok(true)
    }

    /// The end of a process that nobody asks about but the log: a race variant may keep it
    /// when it drops whoever asked.
    fn logged_end(&mut self) -> Option<(Pid, Pick)> {
        let ended: Vec<Pid> = self.graph.unnoticed_ends().collect();
        ended.into_iter().find_map(|process| {
            let life = self.behaviours.pids.liveness(process);
            let slot = self.graph.slot(process)?;
            let seq = u32::try_from(self.graph.process(slot).sends.len()).ok()?;
            let tag = format!("{}#{seq}", self.name(process));
            match self.left.next(&self.name(life)) {
                Some(LogEntry::Receive(logged)) if logged.as_str() == tag => {
                    let sender = process;
                    Some((life, Pick::Message { sender, seq }))
                }
                _ => None,
            }
        })
    }

    fn name(&self, pid: Pid) -> String {
        let b = &self.behaviours;
        crate::show::pid(&b.frontend, &b.pids, &b.values, pid)
    }

    /// A process whose log says that its receive times out now, and which may; at `any_time` every
    /// timeout may fire.
    fn logged_timeout(&mut self, any_time: bool) -> Result<Option<Slot>, Fault> {
        if !self.graph.has_timeouts() {
            return Ok(None);
        }
        let timeouts = self.graph.timeouts;
        if any_time {
            self.graph.timeouts = Timeouts::AnyTime;
            self.graph.daemons_never_tire = true;
        }
        let found = self.find_logged_timeout();
        self.graph.timeouts = timeouts;
        self.graph.daemons_never_tire = false;
        found
    }

    fn find_logged_timeout(&mut self) -> Result<Option<Slot>, Fault> {
        for slot in 0..u32::try_from(self.graph.processes().len()).expect("few processes") {
            let waits = self.graph.process(slot).steps.last().map(|step| step.wait);
            let has_timeout = matches!(
                waits,
                Some(Wait::Receive {
                    timeout_ms: Some(_),
                    ..
                })
            );
            if !has_timeout {
                continue;
            }
            let name = self.execution(false).name(slot);
            if self.left.next(&name) != Some(&LogEntry::Timeout) {
                continue;
            }
            self.list(slot)?;
            if self.candidates.picks.contains(&Pick::Timeout) {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// What happens when nothing else can: a timeout that has waited for that, of a process whose
    /// log says so, or of one whose log says nothing. False if there is none.
    fn when_quiet(&mut self, logged: bool) -> Result<bool, Fault> {
        if self.graph.enabled().next().is_some() {
            return Ok(false); // not quiet: somebody waits for what its log says
        }
        let due = self.graph.next_due();
        if due.is_empty() {
            return Ok(false);
        }
        let may = due.into_iter().filter(|&slot| {
            let name = self.execution(false).name(slot);
            match self.left.next(&name) {
                Some(entry) => logged && *entry == LogEntry::Timeout,
                None => !logged,
            }
        });
        let Some(slot) = next(&self.graph, self.behaviours, self.guide, may) else {
            return Ok(false); // their logs want something else
        };
        let unnoticed = self.graph.unnoticed_ends().next();
        if let Some(process) = unnoticed {
            let pid = self.behaviours.pids.liveness(process);
            self.apply(pid, Pick::Start)?;
            return Ok(true);
        }
        self.time_out(slot, Pick::QuietTimeout)
    }

    fn step(&mut self, slot: Slot, pick: Pick) -> Result<(), Fault> {
        self.apply(self.graph.process(slot).pid, pick)
    }

    fn apply(&mut self, pid: Pid, pick: Pick) -> Result<(), Fault> {
        let stamp = self.graph.next_stamp();
        let entry = Entry::new(pid, pick, stamp);
        self.graph.apply(self.behaviours, entry)
    }

    fn list(&mut self, slot: Slot) -> Result<(), Fault> {
        let index = self.graph.process(slot).steps.len();
        self.candidates
            .list(&self.graph, self.behaviours, &Everything, slot, index)?;
        let (graph, guide) = (&self.graph, self.guide);
        let (demand, picks) = ((slot, index), &mut self.candidates.picks);
        sort(
            graph,
            self.behaviours,
            guide,
            demand,
            picks,
            &mut Vec::new(),
        );
        Ok(())
    }

    /// What the process would do now, its candidates having been listed.
    fn wish(&self, slot: Slot) -> Move {
        let process = self.graph.process(slot);
        let execution = self.execution(false);
        let index = process.steps.len();
        let Some(cursor) = self.graph.cursor(self.behaviours, slot, index) else {
            return Move::Silent(Pick::Start);
        };
        let picks = &self.candidates.picks;
        if cursor.wait == Wait::Answer && !cursor.looks {
            // An answer leaves no choice, but it is an input, and logs list it.
            let answer = picks[0];
            return match self.left.next(&execution.name(slot)) {
                Some(LogEntry::Receive(tag)) if self.is_tagged(slot, answer, tag) => {
                    Move::Logged(answer)
                }
                Some(_) => Move::Blocked,
                None => Move::Silent(answer),
            };
        }
        let Some(entry) = self.left.next(&execution.name(slot)) else {
            // Logs say where a signal strikes, so where they say nothing none does.
            let unharmed = cursor.looks && picks.contains(&Pick::GoOn);
            return match unharmed && !self.left.log.processes.is_empty() {
                true => Move::Silent(Pick::GoOn),
                false => Move::Free,
            };
        };
        let wanted = picks.iter().copied().find(|&pick| match (entry, pick) {
            (
                LogEntry::Receive(tag) | LogEntry::Killed { tag, .. },
                Pick::Message { sender, seq },
            ) => {
                let found = self.graph.find_message(slot, sender, seq);
                let message = found.map(|at| &process.inbox[at as usize]);
                message.is_some_and(|message| {
                    let strikes = self
                        .behaviours
                        .values
                        .class(message.value)
                        .strikes(cursor.trapping);
                    execution.tag(message) == *tag && strikes == entry.strikes()
                })
            }
            (LogEntry::Read { object, version }, Pick::Version(seen)) => {
                let Wait::Read { object: read } = cursor.wait else {
                    return false;
                };
                self.graph.slot(read).is_some_and(|slot| {
                    execution.name(slot) == object.as_str()
                        && execution.changes_before(slot, seen) == *version
                })
            }
            (LogEntry::Choose { of, chosen }, Pick::Choice(way)) => {
                cursor.wait == Wait::Choose { of: *of } && way == *chosen
            }
            _ => false,
        });
        if cursor.looks {
            let here = match entry {
                LogEntry::Killed { after, .. } => self.acted(slot) == *after,
                _ => false,
            };
            return match wanted {
                Some(pick) if here => Move::Logged(pick),
                // Some signals strike after the flag is set and not before.
                _ if here && !(self.sets_flag(slot) && self.has_come(slot, entry)) => Move::Blocked,
                _ if picks.contains(&Pick::GoOn) => Move::Silent(Pick::GoOn),
                _ => Move::Blocked,
            };
        }
        wanted.map_or(Move::Blocked, Move::Logged)
    }

    fn is_tagged(&self, slot: Slot, pick: Pick, tag: &Tag) -> bool {
        let Pick::Message { sender, seq } = pick else {
            return false;
        };
        let found = self.graph.find_message(slot, sender, seq);
        found.is_some_and(|at| {
            let message = &self.graph.process(slot).inbox[at as usize];
            self.execution(false).tag(message) == *tag
        })
    }

    /// Whether the next action of the process is to set its flag.
    fn sets_flag(&self, slot: Slot) -> bool {
        let step = self.graph.process(slot).steps.last().expect("it has begun");
        let effects = &self.behaviours.node(step.node).effects;
        matches!(effects.get(step.done as usize), Some(Effect::TrapExit(_)))
    }

    /// Whether the signal that an entry names waits in the inbox.
    fn has_come(&self, slot: Slot, entry: &LogEntry) -> bool {
        let LogEntry::Killed { tag, .. } = entry else {
            return false;
        };
        let execution = self.execution(false);
        self.graph
            .waiting(slot)
            .any(|at| execution.tag(&self.graph.process(slot).inbox[at as usize]) == *tag)
    }

    /// How many spawns and sends the process has done since its last input.
    fn acted(&self, slot: Slot) -> u32 {
        let process = self.graph.process(slot);
        let step = process.steps.last().expect("it has begun");
        let effects = &self.behaviours.node(step.node).effects[..step.done as usize];
        let visible = effects
            .iter()
            .filter(|effect| !matches!(effect, Effect::TrapExit(_)));
        u32::try_from(visible.count()).expect("few effects")
    }

    /// Nobody can go on. If there is a log left, one of its processes departs from it.
    fn depart(&mut self) -> bool {
        let left: Vec<_> = self.left.unfollowed().collect();
        // Rather one that cannot blame another: the message that it should take is there, or
        // nobody will send it.
        let blames_another = |(process, _, entry): &&(&str, usize, &LogEntry)| match entry {
            LogEntry::Receive(tag) | LogEntry::Killed { tag, .. } => {
                let sender = tag
                    .as_str()
                    .rsplit_once('#')
                    .map_or("", |(sender, _)| sender);
                let depends = left.iter().any(|(other, ..)| *other == sender);
                depends && sender != *process && !self.was_sent(process, tag)
            }
            LogEntry::Read { object, .. } => {
                left.iter().any(|(other, ..)| *other == object.as_str())
            }
            _ => false,
        };
        let first = left.iter().find(|one| !blames_another(one));
        let Some(&(process, followed, entry)) = first.or(left.first()) else {
            return false;
        };
        let slot = self.slot_of(process);
        let departure = Departure {
            process: process.to_owned(),
            position: followed + 1,
            logged: self.left.put_aside(process),
            log_says: describe(entry),
            program_did: self.instead(process, entry),
            place: slot.and_then(|slot| self.place(slot)),
            exists: slot.is_some(),
        };
        self.departures.push(departure);
        true
    }

    fn slot_of(&self, process: &str) -> Option<Slot> {
        let execution = self.execution(false);
        let slots = (0..).zip(self.graph.processes()).map(|(slot, _)| slot);
        slots
            .into_iter()
            .find(|&slot| execution.name(slot) == process)
    }

    fn was_sent(&self, process: &str, tag: &Tag) -> bool {
        let execution = self.execution(false);
        self.slot_of(process).is_some_and(|slot| {
            let mut inbox = self.graph.process(slot).inbox.iter();
            inbox.any(|message| execution.tag(message) == *tag)
        })
    }

    /// Where in its source a process waits.
    fn place(&self, slot: Slot) -> Option<String> {
        let process = self.graph.process(slot);
        let node = process.steps.last().filter(|_| !process.is_object)?.node;
        let state = self.behaviours.node(node).state()?;
        self.behaviours
            .frontend
            .describe()
            .place(state, StepPart::Demand)
    }

    /// What everybody waits for.
    fn waiting(&self) -> BTreeMap<mazurka_trace::ProcessName, Waiting> {
        let execution = self.execution(false);
        let mut waiting = BTreeMap::new();
        for (slot, process) in (0..).zip(self.graph.processes()) {
            if process.is_object || self.graph.has_ended(slot) {
                continue;
            }
            let at = process.steps.len();
            let Some(cursor) = self.graph.cursor(self.behaviours, slot, at) else {
                continue;
            };
            let what = Waiting {
                what: self.waits_for(cursor.wait),
                accepts: execution.accepts_now(slot, &cursor),
                has_timeout: matches!(
                    cursor.wait,
                    Wait::Receive {
                        timeout_ms: Some(_),
                        ..
                    }
                ),
                place: self.place(slot),
            };
            waiting.insert(execution.name(slot).into(), what);
        }
        waiting
    }

    /// `it waits for {ok, _}`, without the first word.
    fn waits_for(&self, wait: Wait) -> String {
        let execution = self.execution(false);
        match wait {
            Wait::Read { object } => match self.graph.slot(object) {
                Some(object) => format!("reads {}", execution.name(object)),
                None => "reads an object".into(),
            },
            Wait::Choose { of } => format!("chooses one of {of}"),
            wait => format!("waits for {}", execution.constraint(wait)),
        }
    }

    fn instead(&self, process: &str, entry: &LogEntry) -> String {
        let execution = self.execution(false);
        let Some(slot) = self.slot_of(process) else {
            return "there is no such process".into();
        };
        let found = self.graph.process(slot);
        if let Some(reason) = execution.end(slot) {
            return format!("it ended there ({reason})");
        }
        let wait = match self.graph.cursor(self.behaviours, slot, found.steps.len()) {
            None => return "it had not begun".into(),
            Some(cursor) => cursor.wait,
        };
        let waits = format!("it {}", self.waits_for(wait));
        let tag = match entry {
            LogEntry::Receive(tag) | LogEntry::Killed { tag, .. } => tag,
            _ => return waits,
        };
        let sent = found
            .inbox
            .iter()
            .find(|message| execution.tag(message) == *tag);
        let why = match sent {
            None => format!("message {tag} was never sent to it"),
            Some(message) if message.consumed_by != crate::graph::NONE => {
                format!("message {tag} had already been consumed")
            }
            Some(_) => format!("message {tag} cannot be consumed there"),
        };
        format!("{waits}, and {why}")
    }
}

fn describe(entry: &LogEntry) -> String {
    match entry {
        LogEntry::Receive(tag) => format!("message {tag}"),
        LogEntry::Timeout => "a timeout".into(),
        LogEntry::Killed { tag, after } => {
            format!("the exit signal {tag} after {after} actions")
        }
        LogEntry::Read { object, version } => format!("version {version} of {object}"),
        LogEntry::Choose { of, chosen } => format!("the choice of {chosen} of {of}"),
    }
}

/// Whether an entry is the end of its process.
trait Strikes {
    fn strikes(&self) -> bool;
}

impl Strikes for LogEntry {
    fn strikes(&self) -> bool {
        matches!(self, LogEntry::Killed { .. })
    }
}
