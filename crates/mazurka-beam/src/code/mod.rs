//! Code that can be run: loaded modules with all operands resolved.

mod address;
mod applications;
mod binary;
mod branch;
mod error;
mod export;
mod instruction;
mod library;
mod prepare;
mod receive;
mod required;
mod source_lines;

pub use address::{Address, Mfa};
pub use binary::{Amount, Appended, Binary, Encoding, Piece};
pub use branch::{Arities, Select};
pub use error::CodeError;
pub use export::{FunctionInfo, LambdaInfo, Slot};
pub use instruction::{
    Bif, Float, FloatOperand, Instruction, NO_LABEL, Register, Source, SourceKind,
};
pub use library::{Absent, Library};
pub use receive::{Reads, ReceiveInfo};
pub use required::Required;

use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;

use rustc_hash::FxHashMap;

use crate::loader::{Lines, Location};
use crate::machine::Target;
use crate::term::{Atom, Term};
use source_lines::SourceLines;

/// A module that can be run.
#[derive(Debug)]
pub struct Code {
    /// Its name.
    pub name: Atom,
    /// Whether it belongs to the program itself, not to a library.
    pub is_own: bool,
    /// All its instructions. Jump targets are valid indices into them. The last instruction is
    /// [`Instruction::End`], so execution cannot run past the end.
    pub instructions: Vec<Instruction>,
    /// Constants of its instructions.
    pub constants: Vec<Term>,
    /// The functions of other modules that it calls.
    pub imports: Vec<Slot>,
    /// Its funs.
    pub lambdas: Vec<LambdaInfo>,
    /// Bytes that instructions on binaries refer to by offset.
    pub strings: Vec<u8>,
    /// Its receives.
    pub receives: Vec<ReceiveInfo>,
    /// For each clause of its receives, the number of messages it took.
    pub taken: Vec<AtomicU64>,
    /// Its functions, in the order of their first instructions.
    pub functions: Vec<FunctionInfo>,
    exports: FxHashMap<(u32, u32), Target>,
    export_order: Vec<(Atom, u32)>,
    lines: Lines,
    /// Source lines, each with the first instruction that it applies to.
    line_starts: Vec<(u32, u32)>,
    /// The abstract code; empty for libraries.
    abstract_code: Vec<u8>,
    /// The source lines from the abstract code, computed on first use.
    source_lines: OnceLock<SourceLines>,
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
            abstract_code: Vec::new(),
            source_lines: OnceLock::new(),
        }
    }

    /// The target of calls to an exported function.
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
            // A line applies only up to the end of its function.
            let function = self.function_at(pc)?;
            let line = self.lines.get(line.into())?;
            (start >= function.start).then_some(line)
        });
        match self.instructions.get(pc as usize) {
            Some(&Instruction::Receive { fail, .. }) => {
                let known = self.source_lines().receives.get(&pc);
                let known = known.and_then(|&line| self.in_file_of(pc, line));
                known.or_else(|| self.receive_at(after, fail, here))
            }
            _ => here,
        }
    }

    /// The clauses of its receives: for each the instruction that takes the message, and its source
    /// line. If the line is not known, it is the first known line of the clause's body.
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
            let known = self.source_lines().clauses.get(&pc);
            let known = known.and_then(|&line| self.in_file_of(pc, line));
            let next = clauses.peek().copied();
            Some((pc, known.or_else(|| self.clause_at(pc, next))))
        })
    }

    /// The lines of receives and clauses, from the abstract code.
    fn source_lines(&self) -> &SourceLines {
        let find = || source_lines::find(self, &self.abstract_code);
        self.source_lines.get_or_init(find)
    }

    /// The location of a line in the source file of an instruction's function.
    fn in_file_of(&self, pc: u32, line: u32) -> Option<Location<'_>> {
        let file = self.first_location(pc)?.file;
        Some(Location { file, line })
    }

    /// The first known location in the function of an instruction.
    fn first_location(&self, pc: u32) -> Option<Location<'_>> {
        let start = self.function_at(pc)?.start;
        let first = self.line_starts.partition_point(|&(at, _)| at < start);
        let until = self.line_starts[first..].iter();
        let mut until = until.take_while(|&&(at, _)| at <= pc);
        until.find_map(|&(_, line)| self.lines.get(line.into()))
    }

    /// An estimate of the source line of a clause. `next` is the next clause, in any function.
    fn clause_at(&self, pc: u32, next: Option<u32>) -> Option<Location<'_>> {
        let function = self.functions.partition_point(|info| info.start <= pc);
        let end = self
            .functions
            .get(function)
            .map_or(u32::MAX, |next| next.start);
        let end = next.map_or(end, |next| end.min(next));
        let after = self.line_starts.partition_point(|&(start, _)| start <= pc);
        let inside = self.line_starts[after..].first();
        let inside = inside.filter(|&&(start, _)| start < end);
        let line = inside.and_then(|&(_, line)| self.lines.get(line.into()));
        line.or_else(|| self.location_at(pc))
    }

    /// An estimate of the source line of a receive. It is not before the line that precedes the
    /// receive, and not after the smallest line of its clauses.
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
