//! Stopping user code inside a step.

use std::fmt;
use std::rc::Rc;

/// Asked by a front-end inside a long step whether to go on. The engine has no clock and does not
/// know how much memory is in use; whoever starts an exploration does.
///
/// ```
/// use mazurka_engine::Brake;
///
/// assert!(Brake::default().allows(1 << 40), "without limits");
/// let brake = Brake::new(|bytes| bytes < 1_000);
/// assert!(brake.allows(10) && !brake.allows(2_000));
/// ```
#[derive(Clone, Default)]
pub struct Brake(Option<Rc<dyn Fn(usize) -> bool>>);

impl Brake {
    /// A brake that asks this: whether a step may go on and take so many bytes more.
    pub fn new(allows: impl Fn(usize) -> bool + 'static) -> Brake {
        Brake(Some(Rc::new(allows)))
    }

    /// Whether a step may go on, and take this many bytes of memory more. Once it may not, the
    /// front-end must end the step with [`Fault::Interrupted`](crate::Fault::Interrupted).
    #[must_use]
    pub fn allows(&self, bytes: usize) -> bool {
        self.0.as_ref().is_none_or(|allows| allows(bytes))
    }
}

impl fmt::Debug for Brake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Brake")
    }
}
