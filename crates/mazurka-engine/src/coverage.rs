//! Which clauses of receives took a message.

/// A clause of a receive, in the source of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clause {
    /// Where it is: `file:line`.
    pub place: String,
    /// The function that it is part of.
    pub function: String,
    /// How often it took a message, in different local histories of processes; 0 if it never did
    /// in any execution.
    pub taken: u64,
}
