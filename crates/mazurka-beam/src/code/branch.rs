//! Branches by value.

use rustc_hash::FxHashMap;

use crate::term::Term;

/// Up to this number of values, a linear search is faster than a table.
const LINEAR_MAX: usize = 8;

/// Jump targets by the value of a term. Atoms and integers of 64 bits are looked up in tables, all
/// other values by linear search.
#[derive(Debug)]
pub struct Select {
    /// All values if they are few, otherwise those that are in no table.
    linear: Vec<(Term, u32)>,
    atoms: FxHashMap<u32, u32>,
    ints: FxHashMap<i64, u32>,
}

impl Select {
    pub(super) fn new(values: Vec<(Term, u32)>) -> Select {
        let mut select = Select {
            linear: Vec::new(),
            atoms: FxHashMap::default(),
            ints: FxHashMap::default(),
        };
        if values.len() <= LINEAR_MAX {
            select.linear = values;
            return select;
        }
        for (value, label) in values {
            // The first of equal values counts, as in a linear search.
            match value {
                Term::Atom(atom) => {
                    select.atoms.entry(atom.index()).or_insert(label);
                }
                Term::Int(int) => {
                    select.ints.entry(int).or_insert(label);
                }
                value => select.linear.push((value, label)),
            }
        }
        select
    }

    /// The label for this value.
    pub fn find(&self, value: &Term) -> Option<u32> {
        match value {
            Term::Atom(atom) => self
                .find_linear(|term| matches!(term, Term::Atom(other) if other == atom))
                .or_else(|| self.atoms.get(&atom.index()).copied()),
            Term::Int(int) => self
                .find_linear(|term| matches!(term, Term::Int(other) if other == int))
                .or_else(|| self.ints.get(int).copied()),
            value => self.find_linear(|term| term == value),
        }
    }

    fn find_linear(&self, is: impl Fn(&Term) -> bool) -> Option<u32> {
        let found = self.linear.iter().find(|(value, _)| is(value));
        found.map(|&(_, label)| label)
    }

    /// All labels.
    pub fn labels(&self) -> impl Iterator<Item = u32> + '_ {
        let linear = self.linear.iter().map(|&(_, label)| label);
        linear
            .chain(self.atoms.values().copied())
            .chain(self.ints.values().copied())
    }
}

/// Jump targets by the number of elements of a tuple.
#[derive(Debug)]
pub struct Arities(pub(super) Vec<(u32, u32)>);

impl Arities {
    /// The label for this number.
    pub fn find(&self, arity: usize) -> Option<u32> {
        let found = self.0.iter().find(|&&(size, _)| size as usize == arity);
        found.map(|&(_, label)| label)
    }

    /// All labels.
    pub fn labels(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().map(|&(_, label)| label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Atom;

    #[test]
    fn few_and_many_values() {
        for count in [3_i64, 100] {
            let ints = (0..count).map(|n| (Term::Int(n), n as u32));
            let atoms = (0..count).map(|n| (Term::atom(&format!("s{n}")), 1000 + n as u32));
            let select = Select::new(ints.chain(atoms).collect());
            assert_eq!(select.find(&2.into()), Some(2));
            assert_eq!(select.find(&Term::atom("s2")), Some(1002));
            assert_eq!(select.find(&Term::Atom(Atom::OK)), None);
            assert_eq!(select.find(&2.0.into()), None);
            assert_eq!(select.labels().count(), 2 * count as usize);
        }
    }
}
