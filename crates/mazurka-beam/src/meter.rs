//! Counts the work of long operations and checks the brake at intervals.
//!
//! Built-in functions get only their arguments, so the brake of the running machine is stored per
//! thread. An operation that the brake stops may fail with any exception: the machine checks
//! [`is_stopped`] before it handles an exception, and stops the step if it is set.

use std::cell::{Cell, RefCell};

use mazurka_engine::Brake;

use crate::raise::Raise;

/// Work between two checks of the brake, in bytes written or terms visited: about a millisecond.
const CHECK_EVERY: usize = 1 << 20;

thread_local! {
    static BRAKE: RefCell<Brake> = RefCell::default();
    /// Work since the last check of the brake.
    static WORK: Cell<usize> = const { Cell::new(0) };
    static STOPPED: Cell<bool> = const { Cell::new(false) };
}

/// Sets the brake of this thread and clears the stopped flag.
pub(crate) fn set(brake: &Brake) {
    replace(brake);
    STOPPED.set(false);
}

/// Sets the brake of the machine that runs next and keeps the stopped flag, which may have been set
/// between two steps, while the engine compared messages.
pub(crate) fn replace(brake: &Brake) {
    BRAKE.with_borrow_mut(|own| own.clone_from(brake));
}

/// Whether the brake has stopped the step.
#[inline]
pub(crate) fn is_stopped() -> bool {
    STOPPED.get()
}

/// Counts bytes that are about to be written, which takes time and memory.
///
/// # Errors
/// The brake stops the step. The reason of the exception is ignored.
#[inline]
pub(crate) fn spend(bytes: usize) -> Result<(), Raise> {
    count(bytes, bytes)
}

/// Counts work that takes time but little memory: words computed, or terms visited.
///
/// # Errors
/// As [`spend`].
#[inline]
pub(crate) fn work(amount: usize) -> Result<(), Raise> {
    count(amount, 0)
}

/// Counts work as [`work`] does, for operations that cannot fail. If it returns false, the
/// operation may return any value.
#[inline]
pub(crate) fn may_continue(amount: usize) -> bool {
    work(amount).is_ok()
}

#[inline]
fn count(amount: usize, bytes: usize) -> Result<(), Raise> {
    let done = WORK.get().saturating_add(amount);
    if done < CHECK_EVERY {
        WORK.set(done);
        return Ok(());
    }
    WORK.set(0);
    match ask(bytes) {
        true => Ok(()),
        false => Err(Raise::system_limit()),
    }
}

/// Checks the brake: whether the step may continue and allocate this many more bytes.
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
    fn large_work_is_checked_at_once_and_small_work_at_intervals() {
        set(&Brake::new(|bytes| bytes < 1 << 21));
        assert!(spend(1 << 20).is_ok());
        assert!(spend(1 << 22).is_err());
        assert!(is_stopped());
        // Once stopped, it stays stopped.
        assert!(!ask(0));
        set(&Brake::new(|_| false));
        let calls = (0..).take_while(|_| spend(1 << 10).is_ok()).count();
        assert_eq!(calls, 1023);
        set(&Brake::default());
    }
}
