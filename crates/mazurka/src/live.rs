//! A process that is alive: its future, waiting where a history has brought it.

use crate::Pid;
use crate::failure::{self, Failure, Panicked};
use crate::history::History;
use crate::message::{Incoming, Reason, Value};
use crate::stage::{self, Action, Counts, Demand, Given, Misuse, TooMuch, Wake};
use crate::start::{Ending, Start};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// A future whose output is an [`Ending`].
pub(crate) trait Polled {
    fn poll_on(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Reason>;
    fn size(&self) -> usize;
}

impl<F: Future<Output: Ending>> Polled for F {
    fn poll_on(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Reason> {
        self.poll(context).map(Ending::reason)
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}

/// The future of a process. What its destructors do when it is let go is nobody's business.
pub(crate) struct Live(Option<Pin<Box<dyn Polled>>>);

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(future) = self.0.take() {
            stage::discard(future);
        }
    }
}

/// What a process did from one demand to the next.
pub(crate) struct Played {
    /// How many actions it has done again.
    pub repeated: usize,
    /// What it has done for the first time.
    pub actions: Vec<Action>,
    pub output: Vec<(usize, String)>,
    pub demand: Demand,
    pub distance: Option<u32>,
    pub counts: Counts,
    pub backtrace: Option<String>,
    pub is_doomed: bool,
}

/// Where a process did something else than before.
pub(crate) struct Departed {
    pub inputs: usize,
    pub played: Result<Played, Misuse>,
}

impl Live {
    /// Starts a process and runs it to its first demand.
    pub(crate) fn begin(start: &Start, me: Pid) -> (Live, Result<Played, Misuse>) {
        let mut live = Live(None);
        stage::open(me, None);
        let ended = catch_unwind(AssertUnwindSafe(|| {
            live.0 = Some(start.make());
            live.poll()
        }));
        let played = live.played(ended);
        (live, played)
    }

    /// It waits in this history. Answers its demand and runs it to the next.
    pub(crate) fn go_on(&mut self, from: &Rc<History>, given: Given) -> Result<Played, Misuse> {
        stage::open_from(from, Wake::Given(given));
        let ended = catch_unwind(AssertUnwindSafe(|| self.poll()));
        self.played(ended)
    }

    /// Starts a process again and has it do what it did before, first in `start`, then on each
    /// input. If it does something else, that, and after how many inputs.
    pub(crate) fn again<'h>(
        start: &Start,
        first: &Rc<History>,
        then: impl Iterator<Item = (&'h Rc<History>, &'h Given)>,
    ) -> (Live, Option<Departed>) {
        let mut live = Live(None);
        let mut inputs = 0;
        stage::open(first.me(), Some(Rc::clone(first)));
        let ended = catch_unwind(AssertUnwindSafe(|| {
            live.0 = Some(start.make());
            let mut ended = live.poll();
            for (history, given) in then {
                if ended.is_ready() || !stage::has_repeated(Some((given, history))) {
                    return (ended, false);
                }
                inputs += 1;
                ended = live.poll();
            }
            let same = ended.is_pending() && stage::has_repeated(None);
            (ended, same)
        }));
        if let Ok((_, true)) = ended {
            stage::close();
            return (live, None);
        }
        let played = live.played(ended.map(|(ended, _)| ended));
        (live, Some(Departed { inputs, played }))
    }

    /// It waits in this history. Asks whether it would take a message. Nothing if it panics at the
    /// question, after which it is no longer alive.
    pub(crate) fn probe(&mut self, from: &Rc<History>, message: Incoming) -> Option<bool> {
        stage::open_from(from, Wake::Probe(message));
        let ended = catch_unwind(AssertUnwindSafe(|| self.poll()));
        let verdict = stage::close().verdict;
        match ended {
            Ok(Poll::Pending) => verdict,
            _ => {
                stage::discard(self.0.take());
                None
            }
        }
    }

    /// A process that would abort the program. It is not run.
    pub(crate) fn doomed(reason: Reason, counts: Counts) -> (Live, Played) {
        let played = Played {
            repeated: 0,
            actions: Vec::new(),
            output: Vec::new(),
            demand: Demand::Exit(reason),
            distance: None,
            counts,
            backtrace: None,
            is_doomed: true,
        };
        (Live(None), played)
    }

    /// Whether it can go on.
    pub(crate) fn is_alive(&self) -> bool {
        self.0.is_some()
    }

    /// The memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |future| future.size())
    }

    fn poll(&mut self) -> Poll<Reason> {
        let mut context = Context::from_waker(Waker::noop());
        match &mut self.0 {
            Some(future) => future.as_mut().poll_on(&mut context),
            None => Poll::Pending,
        }
    }

    fn played(&mut self, ended: std::thread::Result<Poll<Reason>>) -> Result<Played, Misuse> {
        let mut closed = stage::close();
        if let Some(misuse @ Misuse::Interrupted(_)) = closed.misuse {
            stage::discard(self.0.take());
            return Err(misuse);
        }
        let mut backtrace = None;
        let demand = match ended {
            Ok(Poll::Ready(reason)) => Demand::Exit(reason),
            Ok(Poll::Pending) => match (closed.misuse, closed.demand) {
                (None, Some(demand)) => demand,
                (misuse, _) => return Err(misuse.unwrap_or(Misuse::Foreign)),
            },
            Err(payload) if payload.is::<TooMuch>() => {
                let done = closed.actions.len() - 1;
                // Nobody wants to see them all.
                closed.actions.clear();
                Demand::Exit(crash(format!(
                    "it did {done} things since its last input without waiting for anything: \
                     does it loop for ever?"
                )))
            }
            Err(_) => {
                let (reason, trace) = of_panic(failure::heard());
                backtrace = trace;
                Demand::Exit(reason)
            }
        };
        if matches!(demand, Demand::Exit(_)) {
            stage::discard(self.0.take());
        }
        Ok(Played {
            repeated: closed.repeated,
            actions: closed.actions,
            output: closed.output,
            demand,
            distance: closed.distance,
            counts: closed.counts,
            backtrace,
            is_doomed: false,
        })
    }
}

fn of_panic(panicked: Option<Panicked>) -> (Reason, Option<String>) {
    let Some(panicked) = panicked else {
        // Somebody raised it without a panic: `resume_unwind`.
        return (crash("it was unwound without a panic".into()), None);
    };
    let value = Value::new(panicked.failure);
    let reason = match panicked.is_assertion {
        true => Reason::Assertion(value),
        false => Reason::Crash(value),
    };
    (reason, panicked.backtrace)
}

fn crash(message: String) -> Reason {
    Reason::Crash(Value::new(Failure {
        message,
        location: String::new(),
    }))
}
