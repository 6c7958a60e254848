//! Prefix-based tracing: follow a log, full or partial, and trace the rest
//! (González-Abril and Vidal 2021).
//!
//! Each process consumes what its log says. A process whose log is used up goes on by
//! itself, but only when no other process has a logged step to make: so what is driven is
//! driven first.

use crate::behaviour::{Behaviours, Effect, Wait};
use crate::candidates::Candidates;
use crate::choose::{next, prefer};
use crate::cut::Everything;
use crate::explore::Options;
use crate::frontend::{Fault, Frontend};
use crate::graph::{Entry, Graph, Pick, Slot};
use crate::guide::{ByHash, Guide, SendersFirst};
use crate::ids::{ObjectKey, Pid, PidKind};
use crate::timeouts::Timeouts;
use crate::verdict::Finding;
use crate::view::Execution;
use mazurka_trace::{Log, LogEntry, Tag, Trace};
use std::collections::BTreeMap;

/// An execution that was driven.
#[derive(Clone, Debug)]
pub struct Driven {
    /// What happened.
    pub trace: Trace,
    /// What is wrong or odd about it.
    pub findings: Vec<Finding>,
}

/// Why a program could not be driven.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DriveError {
    /// The program cannot be run.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The log does not fit the program.
    #[error(
        "the log does not fit the program: input {position} of process {process} should be \
         {log_says}, but {program_did}"
    )]
    Mismatch {
        /// The process.
        process: String,
        /// Which of its inputs, from 1.
        position: usize,
        /// What the log says it is.
        log_says: String,
        /// What the program did instead.
        program_did: String,
    },
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
    match seed {
        Some(seed) => drive_with(frontend, options, log, &ByHash { seed }),
        None => drive_with(frontend, options, log, &SendersFirst),
    }
}

fn drive_with<F: Frontend>(
    frontend: F,
    options: &Options,
    log: &Log,
    guide: &impl Guide,
) -> Result<Driven, DriveError> {
    let mut behaviours = Behaviours::new(frontend);
    behaviours.distrust(options.distrust);
    let (graph, cut_short) = to_the_end(&mut behaviours, &mut Vec::new(), options, log, guide)?;
    let execution = Execution {
        graph: &graph,
        behaviours: &behaviours,
        cut_short,
    };
    Ok(Driven {
        trace: execution.trace(),
        findings: execution.findings(),
    })
}

/// The graph of an execution along a log, and whether it was cut short. Processes that turn out
/// to look for signals are added to `struck`.
pub(crate) fn to_the_end<F: Frontend>(
    behaviours: &mut Behaviours<F>,
    struck: &mut Vec<Pid>,
    options: &Options,
    log: &Log,
    guide: &impl Guide,
) -> Result<(Graph, bool), DriveError> {
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
        };
        match driver.run(options)? {
            Ended::Unforeseen(pid) => struck.push(pid),
            Ended::Over { cut_short } => {
                driver.behaviours.frontend.late_fault()?;
                if !cut_short {
                    driver.nothing_left()?;
                }
                return Ok((driver.graph, cut_short));
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
}

impl<F: Frontend, G: Guide> Driver<'_, F, G> {
    fn execution(&self, cut_short: bool) -> Execution<'_, F> {
        Execution {
            graph: &self.graph,
            behaviours: self.behaviours,
            cut_short,
        }
    }

    fn run(&mut self, options: &Options) -> Result<Ended, Fault> {
        loop {
            if let Some(pid) = self.graph.unforeseen {
                return Ok(Ended::Unforeseen(pid));
            }
            let may_end = options.cuts(&self.graph);
            if !self.advance()? {
                return Ok(Ended::Over { cut_short: false });
            }
            if may_end {
                self.graph.undo(self.behaviours);
                return Ok(Ended::Over { cut_short: true });
            }
        }
    }

    /// Makes one step: a logged one if there is any, else a free one, else what happens
    /// when nothing happens. False if there is none.
    fn advance(&mut self) -> Result<bool, Fault> {
        if let Some(slot) = self.logged_timeout(self.graph.timeouts) {
            return self.time_out(slot, Pick::Timeout);
        }
        let enabled: Vec<Slot> = self.graph.enabled().collect();
        let mut free = Vec::new();
        for slot in enabled {
            self.list(slot);
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
        if self.graph.has_timeouts() {
            // Before a timeout that has waited for quiet all ends are known.
            if let Some(&life) = free.iter().find(|&&slot| self.is_life(slot)) {
                self.list(life);
                let pick = self.candidates.picks[0];
                self.step(life, pick)?;
                return Ok(true);
            }
            if self.when_quiet(true)? {
                return Ok(true);
            }
        }
        // Whatever the setting says about timeouts: the log has decided.
        if let Some(slot) = self.logged_timeout(Timeouts::AnyTime) {
            return self.time_out(slot, Pick::Timeout);
        }
        if let Some(slot) = next(&self.graph, self.behaviours, self.guide, free) {
            self.list(slot);
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
            let life = self.behaviours.pids.object(ObjectKey::Life(process));
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

    /// A process whose log says that its receive times out now, and which may under this
    /// setting.
    fn logged_timeout(&mut self, setting: Timeouts) -> Option<Slot> {
        if !self.graph.has_timeouts() {
            return None;
        }
        let timeouts = std::mem::replace(&mut self.graph.timeouts, setting);
        let slots = 0..u32::try_from(self.graph.processes().len()).expect("few processes");
        let found = slots.into_iter().find(|&slot| {
            let waits = self.graph.process(slot).steps.last().map(|step| step.wait);
            let has_timeout = matches!(
                waits,
                Some(Wait::Receive {
                    timeout_ms: Some(_),
                    ..
                })
            );
            if !has_timeout {
                return false;
            }
            let name = self.execution(false).name(slot);
            if self.left.next(&name) != Some(&LogEntry::Timeout) {
                return false;
            }
            self.list(slot);
            self.candidates.picks.contains(&Pick::Timeout)
        });
        self.graph.timeouts = timeouts;
        found
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
            let pid = self.behaviours.pids.object(ObjectKey::Life(process));
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

    fn list(&mut self, slot: Slot) {
        let process = self.graph.process(slot);
        let (pid, index) = (process.pid, process.steps.len());
        self.candidates
            .list(&self.graph, self.behaviours, &Everything, slot, index);
        let (pids, guide) = (&self.behaviours.pids, self.guide);
        self.candidates
            .picks
            .sort_unstable_by(|&a, &b| prefer(pids, guide, (pid, index), a, b));
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

    /// The log is used up, or it does not fit.
    fn nothing_left(&self) -> Result<(), DriveError> {
        for (process, entries) in &self.left.log.processes {
            let followed = self
                .left
                .followed
                .get(process.as_str())
                .copied()
                .unwrap_or(0);
            let Some(entry) = entries.get(followed) else {
                continue;
            };
            return Err(DriveError::Mismatch {
                process: process.to_string(),
                position: followed + 1,
                log_says: describe(entry),
                program_did: self.instead(process.as_str(), entry),
            });
        }
        Ok(())
    }

    fn instead(&self, process: &str, entry: &LogEntry) -> String {
        let execution = self.execution(false);
        let found = (0..)
            .zip(self.graph.processes())
            .find(|(slot, _)| execution.name(*slot) == process);
        let Some((slot, found)) = found else {
            return "there is no such process".into();
        };
        if let Some(reason) = execution.end(slot) {
            return format!("it ended there ({reason})");
        }
        let wait = match self.graph.cursor(self.behaviours, slot, found.steps.len()) {
            None => return "it had not begun".into(),
            Some(cursor) => cursor.wait,
        };
        let waits = match wait {
            Wait::Read { object } => match self.graph.slot(object) {
                Some(object) => format!("it reads {}", execution.name(object)),
                None => "it reads an object".into(),
            },
            Wait::Choose { of } => format!("it chooses one of {of}"),
            wait => format!("it waits for {}", execution.constraint(wait)),
        };
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
