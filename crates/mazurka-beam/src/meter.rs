//! Counts the work of long operations and asks the brake now and then whether to go on.
//!
//! Built-in functions have nothing but their arguments, so the brake of the machine that runs is kept
//! per thread. An operation that may not go on fails in any way: the machine looks here before it
//! believes that, and stops the step.

use std::cell::{Cell, RefCell};

use mazurka_engine::Brake;

use crate::raise::Raise;

/// How much work, in bytes written or terms visited, is done before the brake is asked: about a
/// millisecond's worth.
const ASK_EVERY: usize = 1 << 20;

thread_local! {
    static BRAKE: RefCell<Brake> = RefCell::default();
    /// Work since the brake was last asked.
    static WORK: Cell<usize> = const { Cell::new(0) };
    static STOPPED: Cell<bool> = const { Cell::new(false) };
}

/// The brake for all operations of this thread from now on; nothing is stopped yet.
pub(crate) fn set(brake: &Brake) {
    go_on_with(brake);
    STOPPED.set(false);
}

/// The brake of the machine that runs next. What was stopped between two steps, where the engine
/// compares messages, stays stopped.
pub(crate) fn go_on_with(brake: &Brake) {
    BRAKE.with_borrow_mut(|own| own.clone_from(brake));
}

/// Whether the brake has said that the step may not go on.
#[inline]
pub(crate) fn is_stopped() -> bool {
    STOPPED.get()
}

/// Counts bytes that are about to be written, which takes time and memory.
///
/// # Errors
/// That may not be done. The reason means nothing: the step stops.
#[inline]
pub(crate) fn spend(bytes: usize) -> Result<(), Raise> {
    count(bytes, bytes)
}

/// Counts work that takes time but hardly any memory: words computed, or terms visited.
///
/// # Errors
/// As [`spend`].
#[inline]
pub(crate) fn work(amount: usize) -> Result<(), Raise> {
    count(amount, 0)
}

/// Whether the step may go on after this much more work, for operations that cannot fail. They may
/// return anything if not.
#[inline]
pub(crate) fn goes_on(amount: usize) -> bool {
    work(amount).is_ok()
}

#[inline]
fn count(amount: usize, bytes: usize) -> Result<(), Raise> {
    let done = WORK.get().saturating_add(amount);
    if done < ASK_EVERY {
        WORK.set(done);
        return Ok(());
    }
    WORK.set(0);
    match ask(bytes) {
        true => Ok(()),
        false => Err(Raise::system_limit()),
    }
}

/// Whether the step may go on and take this many bytes more.
#[cold]
pub(crate) fn ask(bytes: usize) -> bool {
    if !STOPPED.get() && !BRAKE.with_borrow(|brake| brake.allows(bytes)) {
        STOPPED.set(true);
    }
    !STOPPED.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_work_is_asked_for_at_once_and_small_work_now_and_then() {
        set(&Brake::new(|bytes| bytes < 1 << 21));
        assert!(spend(1 << 20).is_ok());
        assert!(spend(1 << 22).is_err());
        assert!(is_stopped());
        // Nothing more may be done.
        assert!(!ask(0));
        set(&Brake::new(|_| false));
        let calls = (0..).take_while(|_| spend(1 << 10).is_ok()).count();
        assert_eq!(calls, 1023);
        set(&Brake::default());
    }
}
