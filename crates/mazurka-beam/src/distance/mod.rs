//! How far a process is from failing: a lower bound on the number of visible operations that it makes
//! before it reaches an instruction that fails. The valuation `distance` directs a search by it.
//!
//! Visible operations are receives, sends, spawns and operations on shared objects. Instructions that
//! fail are those that raise `badmatch`, `case_clause`, `if_clause`, `function_clause` and the like, and
//! calls of `erlang:error`, `exit` and `throw`, in the program's own modules and outside of its own
//! `try` and `catch`. EUnit's assertions are such calls.
//!
//! | module | content |
//! | --- | --- |
//! | `cost` | the visible operations of one instruction or native function |
//! | `flow` | the control flow of one function, with its exception handlers |
//! | `modules` | the modules of the program, and which of them may be called by a computed name |
//! | `graph` | the control flow of the program: which functions it consists of, and who calls whom |
//! | `solve` | the bound for every instruction: a fixpoint over all functions |
//! | `locate` | the bound for a process: where it waits, and what is on its stack |
//!
//! Where the analysis does not know what happens, it assumes the best for a failure: a call by a
//! computed name, or of a fun, may reach every fun of the program and every exported function of a
//! module that the program passes around, at once. So the bound is never too high, but often 1.

mod cost;
mod flow;
mod graph;
mod locate;
mod modules;
mod solve;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;

use crate::code::Library;
use crate::machine::{Process, Start};
use graph::Graph;
use solve::Bounds;

/// The distances of a program's processes. The code is analysed on first use.
#[derive(Default)]
pub(crate) struct Distances(OnceCell<Analysis>);

/// The code of a program, analysed.
struct Analysis {
    /// Not the library that the program runs from: modules that only the analysis has loaded must
    /// not appear among those whose coverage is reported.
    library: Library,
    graph: Graph,
    bounds: Bounds,
}

impl Distances {
    /// The least number of visible operations that a process makes before it fails. `None` if it
    /// cannot fail. `entry` is the start of the program's entry process.
    pub(crate) fn of(&self, process: &Process, library: &Library, entry: &Start) -> Option<u32> {
        let analyse = || Analysis::new(library.unloaded(), entry);
        self.0.get_or_init(analyse).of(process)
    }
}

impl Analysis {
    fn new(library: Library, entry: &Start) -> Analysis {
        let graph = Graph::new(&library, entry);
        let bounds = Bounds::new(&graph);
        Analysis {
            library,
            graph,
            bounds,
        }
    }
}
