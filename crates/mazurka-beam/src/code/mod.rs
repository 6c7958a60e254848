//! Code that can be run: what the loader read, with every operand resolved.

mod address;
mod binary;
mod branch;
mod error;
mod export;
mod instruction;
mod library;
mod prepare;
mod receive;
mod shelves;

pub use address::{Address, Mfa};
pub use binary::{Amount, Appended, Binary, Encoding, Piece};
pub use branch::{Arities, Select};
pub use error::CodeError;
pub use export::{FunctionInfo, Lambda, Slot};
pub use instruction::{Bif, Float, From, Instruction, NO_LABEL, Place, Register, Source};
pub use library::{Absent, Library};
pub use receive::{Reads, Reception};

use std::sync::atomic::AtomicU64;

use rustc_hash::FxHashMap;

use crate::loader::{Lines, Location};
use crate::machine::Target;
use crate::term::{Atom, Term};

/// A module that can be run.
#[derive(Debug)]
pub struct Code {
    /// Its name.
    pub name: Atom,
    /// Whether it belongs to the program itself and not to the libraries that it uses.
    pub is_own: bool,
    /// All its instructions. Jumps are indices into them, and none leads outside; the last one is
    /// [`Instruction::End`], so nothing runs out of them either.
    pub instructions: Vec<Instruction>,
    /// Constants of its instructions.
    pub constants: Vec<Term>,
    /// The functions that it calls in other modules.
    pub imports: Vec<Slot>,
    /// Its funs.
    pub lambdas: Vec<Lambda>,
    /// Bytes that instructions on binaries refer to by offset.
    pub strings: Vec<u8>,
    /// What its receives look at.
    pub receives: Vec<Reception>,
    /// How often the clauses of its receives took a message.
    pub taken: Vec<AtomicU64>,
    /// Its functions, by their first instruction.
    pub functions: Vec<FunctionInfo>,
    exports: FxHashMap<(u32, u32), Target>,
    export_order: Vec<(Atom, u32)>,
    lines: Lines,
    /// Which line is in force from which instruction on.
    line_starts: Vec<(u32, u32)>,
}

impl Code {
    /// A module without functions.
    fn empty(name: Atom) -> Code {
        Code {
            name,
            is_own: false,
            instructions: vec![Instruction::End],
            constants: Vec::new(),
            imports: Vec::new(),
            lambdas: Vec::new(),
            strings: Vec::new(),
            receives: Vec::new(),
            taken: Vec::new(),
            functions: Vec::new(),
            exports: FxHashMap::default(),
            export_order: Vec::new(),
            lines: Lines::default(),
            line_starts: Vec::new(),
        }
    }

    /// What a call of an exported function leads to.
    pub fn export(&self, name: Atom, arity: u32) -> Option<Target> {
        self.exports.get(&(name.index(), arity)).copied()
    }

    /// Its exported functions, in the order of the file.
    pub fn exports(&self) -> &[(Atom, u32)] {
        &self.export_order
    }

    /// The function that an instruction belongs to.
    pub fn function_at(&self, pc: u32) -> Option<&FunctionInfo> {
        let after = self.functions.partition_point(|info| info.start <= pc);
        self.functions.get(after.checked_sub(1)?)
    }

    /// The source line of an instruction.
    pub fn location_at(&self, pc: u32) -> Option<Location<'_>> {
        let after = self.line_starts.partition_point(|&(start, _)| start <= pc);
        let here = after.checked_sub(1).and_then(|at| {
            let (start, line) = self.line_starts[at];
            // Lines are in force up to the end of their function only.
            let function = self.function_at(pc)?;
            let line = self.lines.get(line.into())?;
            (start >= function.start).then_some(line)
        });
        match self.instructions.get(pc as usize) {
            Some(&Instruction::Receive { fail, .. }) => self.receive_at(after, fail, here),
            _ => here,
        }
    }

    /// The clauses of its receives: the instruction at which each takes a message, and the first
    /// source line that is known of what it does then.
    pub fn clauses(&self) -> impl Iterator<Item = (u32, Option<Location<'_>>)> {
        let is_clause = |pc: &u32| {
            let instruction = &self.instructions[*pc as usize];
            matches!(instruction, Instruction::Accept { .. })
        };
        let mut clauses = (0..self.instructions.len() as u32)
            .filter(is_clause)
            .peekable();
        std::iter::from_fn(move || {
            let pc = clauses.next()?;
            let function = self.functions.partition_point(|info| info.start <= pc);
            let end = self
                .functions
                .get(function)
                .map_or(u32::MAX, |next| next.start);
            let end = clauses.peek().map_or(end, |&next| end.min(next));
            let after = self.line_starts.partition_point(|&(start, _)| start <= pc);
            let inside = self.line_starts[after..].first();
            let inside = inside.filter(|&&(start, _)| start < end);
            let line = inside.and_then(|&(_, line)| self.lines.get(line.into()));
            Some((pc, line.or_else(|| self.location_at(pc))))
        })
    }

    /// The source line of a receive. The compiler does not tell; it is no earlier than what comes
    /// before it, and no later than the first line that any of its clauses has.
    fn receive_at<'c>(
        &'c self,
        after: usize,
        end: u32,
        before: Option<Location<'c>>,
    ) -> Option<Location<'c>> {
        let inside = self.line_starts[after..].iter();
        let inside = inside.take_while(|&&(start, _)| start <= end);
        let lines = inside.filter_map(|&(_, line)| self.lines.get(line.into()));
        let least = before.as_ref().map_or(0, |before| before.line);
        let later = lines.filter(|line| line.line >= least);
        later.min_by_key(|line| line.line).or(before)
    }
}
