//! Reads `.beam` files of OTP 24 to 29, from any compiler. A file is not trusted: every count is
//! checked against the bytes left, and every index against its table.

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

/// The largest file that is read, in bytes. It is 20 times the size of OTP's largest file.
const FILE_MAX: u64 = 1 << 26;

/// The contents of a `.beam` file.
#[derive(Debug)]
pub struct Module {
    /// Its name.
    pub name: Atom,
    /// Its atom table; the module's name comes first.
    pub atoms: Vec<Atom>,
    /// Its functions, in the order of the file.
    pub functions: Vec<Function>,
    /// The place of each label. Labels are numbered from 1, and some numbers may be unused.
    pub labels: Vec<Option<Place>>,
    /// The functions of other modules, and the BIFs, that it calls.
    pub imports: Vec<Import>,
    /// The functions that other modules may call.
    pub exports: Vec<Entry>,
    /// The functions that only this module may call.
    pub locals: Vec<Entry>,
    /// Its funs.
    pub lambdas: Vec<LambdaEntry>,
    /// Terms that its instructions refer to by number.
    pub literals: Vec<Term>,
    /// Bytes that instructions on binaries refer to by offset.
    pub strings: Vec<u8>,
    /// The source lines of its instructions.
    pub lines: Lines,
    /// Its abstract code in the external term format: the bytes of chunk `Dbgi`, or `Abst` in old
    /// files, unchecked. Empty if the file has neither.
    pub abstract_code: Vec<u8>,
}

impl Module {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, or it is not a module that can be run.
    pub fn load(path: &Path) -> Result<Module, LoadError> {
        let file = mazurka_files::shown(path);
        match mazurka_files::read(path, FILE_MAX) {
            Ok(bytes) => Module::parse(&file, &bytes),
            Err(source) => Err(LoadError::Unreadable { file, source }),
        }
    }

    /// Parses the contents of a file. Errors mention `file`, its name.
    ///
    /// # Errors
    /// The contents are not a module that can be run.
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

    /// The place of a label.
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

/// The atom with this number. Atoms are numbered from 1.
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
