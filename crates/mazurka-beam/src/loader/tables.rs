//! Imports, exports, local functions and funs: chunks `ImpT`, `ExpT`, `LocT` and `FunT`.

use super::{Place, atom, place};
use crate::bytes::{Problem, Reader, Reading};
use crate::term::Atom;

/// A function that the module imports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Import {
    /// The function's module.
    pub module: Atom,
    /// Its name.
    pub name: Atom,
    /// Its number of arguments.
    pub arity: u32,
}

/// A function of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: Atom,
    /// Its number of arguments.
    pub arity: u32,
    /// The label of its first instruction.
    pub label: u32,
}

/// A fun of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LambdaEntry {
    /// The function that implements it.
    pub name: Atom,
    /// The number of arguments of that function: the fun's own, then its free variables.
    pub arity: u32,
    /// The label of its first instruction.
    pub label: u32,
    /// Its index among the module's funs.
    pub index: u32,
    /// The number of free variables.
    pub free: u32,
    /// A hash of its code.
    pub unique: u32,
}

pub(super) fn imports(reader: &mut Reader<'_>, atoms: &[Atom]) -> Reading<Vec<Import>> {
    let count = reader.count(12)?;
    let imports = (0..count).map(|_| {
        Ok(Import {
            module: read_atom(reader, atoms)?,
            name: read_atom(reader, atoms)?,
            arity: reader.u32()?,
        })
    });
    imports.collect()
}

pub(super) fn entries(
    reader: &mut Reader<'_>,
    atoms: &[Atom],
    labels: &[Option<Place>],
) -> Reading<Vec<Entry>> {
    let count = reader.count(12)?;
    let entries = (0..count).map(|_| {
        Ok(Entry {
            name: read_atom(reader, atoms)?,
            arity: reader.u32()?,
            label: read_label(reader, labels)?,
        })
    });
    entries.collect()
}

pub(super) fn lambdas(
    reader: &mut Reader<'_>,
    atoms: &[Atom],
    labels: &[Option<Place>],
) -> Reading<Vec<LambdaEntry>> {
    let count = reader.count(24)?;
    let lambdas = (0..count).map(|_| {
        let lambda = LambdaEntry {
            name: read_atom(reader, atoms)?,
            arity: reader.u32()?,
            label: read_label(reader, labels)?,
            index: reader.u32()?,
            free: reader.u32()?,
            unique: reader.u32()?,
        };
        if lambda.free > lambda.arity {
            return Err(reader.fault(Problem::OutOfRange("the number of free variables")));
        }
        Ok(lambda)
    });
    lambdas.collect()
}

fn read_atom(reader: &mut Reader<'_>, atoms: &[Atom]) -> Reading<Atom> {
    let index = reader.u32()?;
    atom(atoms, index.into(), reader)
}

fn read_label(reader: &mut Reader<'_>, labels: &[Option<Place>]) -> Reading<u32> {
    let label = reader.u32()?;
    match place(labels, label.into()) {
        Some(_) => Ok(label),
        None => Err(reader.fault(Problem::NoSuch {
            what: "label",
            index: label.into(),
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ATOMS: [Atom; 2] = [Atom::OK, Atom::ERROR];

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    #[test]
    fn indices_are_checked() {
        let read = |numbers: &[u32]| imports(&mut Reader::new(&words(numbers)), &ATOMS);
        assert_eq!(
            read(&[1, 1, 2, 3]),
            Ok(vec![Import {
                module: Atom::OK,
                name: Atom::ERROR,
                arity: 3
            }])
        );
        assert!(read(&[1, 1, 3, 3]).is_err());
        assert!(read(&[1, 0, 1, 3]).is_err());
        assert!(read(&[2, 1, 1, 3]).is_err());
    }

    #[test]
    fn labels_are_checked() {
        let here = Place {
            function: 0,
            instruction: 0,
        };
        let labels = [None, Some(here)];
        let read = |numbers: &[u32]| {
            let bytes = words(numbers);
            entries(&mut Reader::new(&bytes), &ATOMS, &labels).map(|entries| entries.len())
        };
        assert_eq!(read(&[1, 1, 0, 1]), Ok(1));
        assert!(read(&[1, 1, 0, 0]).is_err());
        assert!(read(&[1, 1, 0, 2]).is_err());
        let bytes = words(&[1, 1, 1, 1, 0, 2, 99]);
        let fault = lambdas(&mut Reader::new(&bytes), &ATOMS, &labels).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "offset 28: the number of free variables is out of range"
        );
    }
}
