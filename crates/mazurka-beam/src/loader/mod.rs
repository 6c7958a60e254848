//! Reads `.beam` files of OTP 24 to 29, whatever compiler made them. A file is not trusted: every
//! count is checked against what is left of it, and every index against its table.

mod atoms;
mod code;
mod compact;
mod container;
mod error;
mod lines;
mod literals;
mod opcode;
mod operand;
mod tables;

use std::borrow::Cow;
use std::path::Path;

pub use code::{Function, Instruction, Place};
pub use container::ChunkId;
pub use error::LoadError;
pub use lines::{Lines, Location};
pub use opcode::{NEWEST_RELEASE, OPCODE_MAX, Opcode};
pub use operand::{Allocation, Operand};
pub use tables::{Entry, Import, LambdaEntry};

use crate::bytes::{Problem, Reader, Reading};
use crate::term::{Atom, Term};
use container::Chunks;

/// The largest file that is read, in bytes. The largest of OTP is smaller by a factor of 20.
const FILE_MAX: u64 = 1 << 26;

/// A module, as its file has it.
#[derive(Debug)]
pub struct Module {
    /// Its name.
    pub name: Atom,
    /// All atoms of its table, the name first.
    pub atoms: Vec<Atom>,
    /// Its functions, in the order of the file.
    pub functions: Vec<Function>,
    /// Where each label is. Labels are numbered from 1 on, and some numbers may be unused.
    pub labels: Vec<Option<Place>>,
    /// The functions of other modules that it calls, and BIFs.
    pub imports: Vec<Import>,
    /// The functions that others may call.
    pub exports: Vec<Entry>,
    /// The functions that only it may call.
    pub locals: Vec<Entry>,
    /// Its funs.
    pub lambdas: Vec<LambdaEntry>,
    /// Terms that its instructions refer to by number.
    pub literals: Vec<Term>,
    /// Bytes that instructions on binaries refer to by offset.
    pub strings: Vec<u8>,
    /// Which source lines its instructions come from.
    pub lines: Lines,
    /// Its abstract code in the external term format, as it is in the file: chunk `Dbgi`, or `Abst`
    /// in old files. Nothing is checked of it. It is empty if there is none.
    pub abstract_code: Vec<u8>,
}

impl Module {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or is not a module that can be run.
    pub fn load(path: &Path) -> Result<Module, LoadError> {
        let file = mazurka_files::shown(path);
        match mazurka_files::read(path, FILE_MAX) {
            Ok(bytes) => Module::parse(&file, &bytes),
            Err(source) => Err(LoadError::Unreadable { file, source }),
        }
    }

    /// Reads the contents of a file. The name is used in errors only.
    ///
    /// # Errors
    /// It is not a module that can be run.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Module, LoadError> {
        let bytes: Cow<'_, [u8]> = container::unzip(file, bytes)?;
        let chunks = Chunks::find(file, &bytes)?;

        let atoms = chunks.required(*b"AtU8", atoms::read)?;
        let name = *atoms.first().ok_or_else(|| {
            let problem = Problem::NoSuch {
                what: "atom",
                index: 1,
            };
            chunks.error(*b"AtU8", Reader::new(&[]).fault(problem))
        })?;
        let literals = chunks.optional(*b"LitT", literals::read)?;
        let code = chunks.required(*b"Code", |reader| {
            code::read(reader, &atoms, literals.len())
        })?;
        let labels = &code.labels;
        Ok(Module {
            imports: chunks.optional(*b"ImpT", |reader| tables::imports(reader, &atoms))?,
            exports: chunks.required(*b"ExpT", |reader| tables::entries(reader, &atoms, labels))?,
            locals: chunks.optional(*b"LocT", |reader| tables::entries(reader, &atoms, labels))?,
            lambdas: chunks.optional(*b"FunT", |reader| tables::lambdas(reader, &atoms, labels))?,
            strings: chunks.optional(*b"StrT", |reader| Ok(reader.rest().to_vec()))?,
            lines: chunks.optional(*b"Line", |reader| lines::read(reader, name))?,
            abstract_code: match chunks.optional(*b"Dbgi", |reader| Ok(reader.rest().to_vec()))? {
                none if none.is_empty() => {
                    chunks.optional(*b"Abst", |reader| Ok(reader.rest().to_vec()))?
                }
                found => found,
            },
            name,
            functions: code.functions,
            labels: code.labels,
            literals,
            atoms,
        })
    }

    /// Where a label is.
    pub fn place(&self, label: u32) -> Option<Place> {
        place(&self.labels, label.into())
    }

    /// The exported function of this name and arity.
    pub fn export(&self, name: Atom, arity: u32) -> Option<&Entry> {
        self.exports
            .iter()
            .find(|entry| entry.name == name && entry.arity == arity)
    }
}

fn place(labels: &[Option<Place>], label: u64) -> Option<Place> {
    labels.get(usize::try_from(label).ok()?).copied().flatten()
}

/// The atom of this number. Atoms are numbered from 1 on.
fn atom(atoms: &[Atom], index: u64, reader: &Reader<'_>) -> Reading<Atom> {
    usize::try_from(index)
        .ok()
        .and_then(|index| atoms.get(index.checked_sub(1)?))
        .copied()
        .ok_or_else(|| {
            reader.fault(Problem::NoSuch {
                what: "atom",
                index,
            })
        })
}
