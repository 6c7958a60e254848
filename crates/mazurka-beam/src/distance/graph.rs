//! The control flow of a program: which functions it consists of, and who calls whom.
//!
//! The graph contains all functions of the program's own modules, and the functions of OTP that they
//! call, up to a limit. Its content depends on the code and the entry only, never on the order in which
//! processes run.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use super::flow::{Callee, Function, Node, NodeId};
use super::modules::OwnModules;
use crate::code::{Address, Code, Library};
use crate::machine::{Start, Target};
use crate::term::Atom;

/// The largest number of functions of OTP in the graph. All others may call anything.
const LIBRARY_FUNCTIONS_MAX: usize = 2_000;
/// The largest number of instructions in the graph.
const NODES_MAX: usize = 4_000_000;

/// The control flow of a program.
#[derive(Default)]
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    /// The functions of the program that a call by a computed name, or of a fun, may reach.
    pub callbacks: Vec<NodeId>,
    /// By module and first instruction of a function, its first node.
    functions: FxHashMap<(Atom, u32), NodeId>,
    /// Whether parts of the program's own code are missing. Then nothing is known.
    pub is_incomplete: bool,
}

impl Graph {
    pub(super) fn new(library: &Library, entry: &Start) -> Graph {
        let own = OwnModules::find(library, entry);
        let mut graph = Graph::default();
        let mut queue = VecDeque::new();
        for code in &own.modules {
            for info in &code.functions {
                queue.push_back(Address {
                    module: code.name,
                    pc: info.entry,
                });
            }
        }
        let mut library_functions = 0;
        while let Some(address) = queue.pop_front() {
            let Some((code, start, end, entry)) = function(library, address) else {
                continue;
            };
            if graph.functions.contains_key(&(code.name, start)) {
                continue;
            }
            if graph.nodes.len() + (end - start) as usize > NODES_MAX {
                graph.is_incomplete |= code.is_own;
                continue;
            }
            if !code.is_own {
                if library_functions == LIBRARY_FUNCTIONS_MAX {
                    continue;
                }
                library_functions += 1;
            }
            let base = graph.nodes.len() as NodeId;
            let function = Function {
                library,
                code,
                start,
                end,
                entry,
                has_registry: own.has_registry,
            };
            let Some(nodes) = function.nodes(base) else {
                graph.is_incomplete |= code.is_own;
                continue;
            };
            for node in &nodes {
                if let Some(Callee::At(address)) = node.call {
                    queue.push_back(address);
                }
            }
            graph.functions.insert((code.name, start), base);
            graph.nodes.extend(nodes);
        }
        graph.link(library);
        graph.callbacks = graph.callbacks(library, &own);
        graph
    }

    /// Replaces the addresses of called functions by their nodes. Functions that are not in the graph
    /// may call anything.
    fn link(&mut self, library: &Library) {
        for at in 0..self.nodes.len() {
            if let Some(Callee::At(address)) = self.nodes[at].call {
                let callee = self.node(library, address);
                self.nodes[at].call = Some(callee.map_or(Callee::Any, Callee::Node));
            }
        }
    }

    fn callbacks(&self, library: &Library, own: &OwnModules<'_>) -> Vec<NodeId> {
        let mut callbacks = BTreeSet::new();
        for code in &own.modules {
            let funs = code.lambdas.iter().map(|fun| fun.entry);
            let exports =
                code.exports()
                    .iter()
                    .filter_map(|&(name, arity)| match code.export(name, arity) {
                        Some(Target::Code(address)) => Some(address.pc),
                        _ => None,
                    });
            let exports = exports.filter(|_| own.passed.contains(&code.name));
            for pc in funs.chain(exports) {
                let module = code.name;
                callbacks.extend(self.node(library, Address { module, pc }));
            }
        }
        callbacks.into_iter().collect()
    }

    /// The node of an instruction.
    pub(super) fn node(&self, library: &Library, address: Address) -> Option<NodeId> {
        let (code, start, end, _) = function(library, address)?;
        let base = *self.functions.get(&(code.name, start))?;
        (start..end)
            .contains(&address.pc)
            .then(|| base + (address.pc - start))
    }
}

/// The module of an instruction; first instruction, end and entry of its function.
fn function(library: &Library, address: Address) -> Option<(&Code, u32, u32, u32)> {
    let code = library.code(address.module).ok()?;
    let functions = &code.functions;
    let after = functions.partition_point(|info| info.start <= address.pc);
    let info = functions.get(after.checked_sub(1)?)?;
    let end = match functions.get(after) {
        Some(next) => next.start,
        None => code.instructions.len() as u32,
    };
    Some((code, info.start, end, info.entry))
}
