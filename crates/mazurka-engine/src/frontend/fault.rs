//! Why user code could not be run.

/// Why user code could not be run to its next demand, or a message could not be matched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It uses something that the front-end does not model.
    #[error("not modelled: {what}")]
    Unsupported {
        /// What, where, and what to do about it.
        what: String,
    },
    /// The [`Brake`](crate::Brake) stopped it inside a step.
    #[error("stopped inside a step: {what}")]
    Interrupted {
        /// Which process, and where.
        what: String,
    },
    /// It acted differently on the same inputs.
    #[error("not deterministic: {what}")]
    Nondeterminism {
        /// Which process, after which inputs, and both behaviours.
        what: String,
    },
    /// The front-end has learned something that changes what processes did before. A
    /// [fresh copy](crate::Frontend::fresh_copy) of it knows that: explore again from the start.
    #[error("something new was learned about the program: explore again")]
    Again,
}
