//! The limit on running processes.

use crate::history::History;
use crate::runner::Runner;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

/// The histories whose processes are running, if there is a limit on them.
pub(crate) struct Pool<R: Runner> {
    limit: Option<usize>,
    /// In the order in which their processes stopped to wait. Some have been given an input since,
    /// or were dropped.
    waiting: RefCell<VecDeque<Weak<History<R>>>>,
}

impl<R: Runner> Pool<R> {
    pub(crate) fn unlimited() -> Self {
        Pool {
            limit: None,
            waiting: RefCell::default(),
        }
    }

    pub(crate) fn limited(max: usize) -> Self {
        Pool {
            limit: Some(max),
            ..Pool::unlimited()
        }
    }

    /// The process of this history waits now. If that makes too many, stops others.
    #[inline]
    pub(crate) fn add(&self, history: &Rc<History<R>>) {
        if let Some(max) = self.limit {
            self.add_within(max, history);
        }
    }

    fn add_within(&self, max: usize, history: &Rc<History<R>>) {
        let mut waiting = self.waiting.borrow_mut();
        let this = Rc::downgrade(history);
        waiting.retain(|other| {
            let is_running = other.upgrade().is_some_and(|other| other.is_running());
            is_running && !other.ptr_eq(&this)
        });
        waiting.push_back(this);
        let surplus = waiting.len().saturating_sub(max);
        let stopped: Vec<_> = waiting.drain(..surplus).collect();
        // A destructor may use the replayer.
        drop(waiting);
        for history in stopped.iter().filter_map(Weak::upgrade) {
            drop(history.take_process());
        }
    }
}
