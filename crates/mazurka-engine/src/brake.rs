//! Stopping user code inside a step.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

/// Decides whether a long step may continue. The engine has no clock and does not know how much
/// memory is in use; the caller that starts an exploration does.
///
/// ```
/// use mazurka_engine::Brake;
///
/// assert!(Brake::default().allows(1 << 40), "without limits");
/// let brake = Brake::new(|bytes| bytes < 1_000);
/// assert!(brake.allows(10) && !brake.allows(2_000));
/// assert!(!brake.allows(10), "what was stopped stays stopped");
/// ```
#[derive(Clone, Default)]
pub struct Brake(Option<Rc<Lever>>);

struct Lever {
    allows: Rc<dyn Fn(usize) -> bool>,
    /// Whether it has refused once.
    refused: Cell<bool>,
}

impl Brake {
    /// A brake that asks `allows` whether a step may continue and use this many more bytes.
    pub fn new(allows: impl Fn(usize) -> bool + 'static) -> Brake {
        Brake::asking(Rc::new(allows))
    }

    fn asking(allows: Rc<dyn Fn(usize) -> bool>) -> Brake {
        Brake(Some(Rc::new(Lever {
            allows,
            refused: Cell::new(false),
        })))
    }

    /// Whether a step may continue and use this many more bytes of memory. Once it may not, the
    /// front-end must end the step with [`Fault::Interrupted`](crate::Fault::Interrupted).
    #[must_use]
    pub fn allows(&self, bytes: usize) -> bool {
        let Some(lever) = &self.0 else { return true };
        if !lever.refused.get() && !(lever.allows)(bytes) {
            lever.refused.set(true);
        }
        !lever.refused.get()
    }

    /// Whether it has refused to let a step continue.
    pub(crate) fn has_refused(&self) -> bool {
        self.0.as_ref().is_some_and(|lever| lever.refused.get())
    }

    /// A brake for another exploration, which has not refused anything yet.
    pub(crate) fn released(&self) -> Brake {
        match &self.0 {
            Some(lever) => Brake::asking(Rc::clone(&lever.allows)),
            None => Brake(None),
        }
    }
}

impl fmt::Debug for Brake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Brake")
    }
}
