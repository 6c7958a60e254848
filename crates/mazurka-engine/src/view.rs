//! What an observer sees of an execution.

use crate::behaviour::Behaviours;
use crate::frontend::Frontend;
use crate::graph::Graph;

/// A complete execution, or one that was cut short.
pub struct Execution<'e, F: Frontend> {
    pub(crate) graph: &'e Graph,
    pub(crate) behaviours: &'e Behaviours<F>,
    /// Whether the depth bound ended it.
    pub cut_short: bool,
}
