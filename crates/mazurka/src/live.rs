//! A running process: its future, which waits in some history.

use crate::Pid;
use crate::failure::{self, Failure, Panicked};
use crate::message::{Incoming, Reason, Value};
use crate::runner::{History, Notes, Step};
use crate::stage::{self, Demand, Given, Misuse, TooMuch, Wake};
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

/// The future of a process; none once the process has ended. Its destructors run where nothing that
/// they do is recorded.
pub struct Live(Option<Pin<Box<dyn Polled>>>);

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(future) = self.0.take() {
            stage::discard(future);
        }
    }
}

/// How far a process that is run again came, or how it misused the library.
pub(crate) enum Again {
    /// It came to the end of the recording, without a difference.
    Arrived,
    /// After this many inputs it ended or acted differently.
    Stopped(usize, Result<Step, Misuse>),
}

impl Live {
    /// Starts a process and runs it to its first demand.
    pub(crate) fn begin(start: &Start, me: Pid) -> (Live, Result<Step, Misuse>) {
        let mut live = Live(None);
        stage::open(me, None);
        let ended = catch_unwind(AssertUnwindSafe(|| {
            live.0 = Some(start.make());
            live.poll()
        }));
        let step = live.step(ended);
        (live, step)
    }

    /// Answers the demand that the process makes in this history, and runs it to the next one.
    pub(crate) fn go_on(&mut self, from: &Rc<History>, given: Given) -> Result<Step, Misuse> {
        stage::open_from(from, Wake::Given(given));
        let ended = catch_unwind(AssertUnwindSafe(|| self.poll()));
        self.step(ended)
    }

    /// Starts a process again and makes it repeat what it did in `first`, then what it did on each
    /// input. Actions are compared as the process does them.
    pub(crate) fn again<'h>(
        start: &Start,
        first: &Rc<History>,
        then: impl Iterator<Item = (&'h Given, &'h Rc<History>)>,
    ) -> (Live, Again) {
        let mut live = Live(None);
        let mut inputs = 0;
        stage::open(*first.pid(), Some(Rc::clone(first)));
        let ended = catch_unwind(AssertUnwindSafe(|| {
            live.0 = Some(start.make());
            let mut ended = live.poll();
            for next in then {
                if ended.is_ready() || !stage::has_repeated(Some(next)) {
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
            return (live, Again::Arrived);
        }
        let step = live.step(ended.map(|(ended, _)| ended));
        (live, Again::Stopped(inputs, step))
    }

    /// Asks the process, which waits in this history, whether it would take a message. None if it
    /// panics, which ends it.
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

    /// The process, unless it has ended.
    pub(crate) fn if_waiting(self) -> Option<Live> {
        self.0.is_some().then_some(self)
    }

    /// The memory that the future takes.
    fn bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |future| future.size())
    }

    fn poll(&mut self) -> Poll<Reason> {
        let mut context = Context::from_waker(Waker::noop());
        match &mut self.0 {
            Some(future) => future.as_mut().poll_on(&mut context),
            None => Poll::Pending,
        }
    }

    /// What the process did since the stage was opened.
    fn step(&mut self, ended: std::thread::Result<Poll<Reason>>) -> Result<Step, Misuse> {
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
                // Too many to report.
                closed.actions.clear();
                Demand::Exit(crash(format!(
                    "it did {done} things since its last input without waiting for anything: \
                     does it loop for ever?"
                )))
            }
            Err(_) => {
                let (reason, trace) = of_panic(failure::take_recorded());
                backtrace = trace;
                Demand::Exit(reason)
            }
        };
        if matches!(demand, Demand::Exit(_)) {
            stage::discard(self.0.take());
        }
        Ok(Step {
            repeated: closed.repeated,
            actions: closed.actions,
            demand,
            notes: Notes {
                counts: closed.counts,
                output: (!closed.output.is_empty()).then(|| Box::new(closed.output)),
                distance: closed.distance,
                backtrace,
                future_bytes: self.bytes(),
                is_doomed: false,
            },
        })
    }
}

fn of_panic(panicked: Option<Panicked>) -> (Reason, Option<String>) {
    let Some(panicked) = panicked else {
        // It called `resume_unwind`.
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
