//! The modules of a program, and which of them may be called by a computed name.

use rustc_hash::{FxHashMap, FxHashSet};

use super::cost;
use crate::code::{Code, Instruction, Library, Source, SourceKind};
use crate::machine::Start;
use crate::term::{Atom, Fun, Term};

/// The largest number of terms that are searched for names of modules, for each module.
const TERMS_MAX: usize = 1_000_000;

/// Functions that make atoms of text: every module of the program may be called by name.
const ATOM_MAKERS: [&str; 5] = [
    "list_to_atom",
    "list_to_existing_atom",
    "binary_to_atom",
    "binary_to_existing_atom",
    "binary_to_term",
];

/// The modules of the program: that of its entry, and all that these call or name.
pub(super) struct OwnModules<'a> {
    /// In the order of their names.
    pub modules: Vec<&'a Code>,
    /// Those whose functions may be called by a computed name: their own name is a value somewhere.
    pub passed: FxHashSet<Atom>,
    /// Whether one of them may be called by `{via, Module, Name}`.
    pub has_registry: bool,
}

impl<'a> OwnModules<'a> {
    pub(super) fn find(library: &'a Library, entry: &Start) -> OwnModules<'a> {
        let mut found: FxHashMap<Atom, &Code> = FxHashMap::default();
        let mut passed = atoms(entry.arguments.iter().collect());
        let mut queue = vec![entry.module];
        queue.extend(&passed);
        let mut makes_atoms = false;
        while let Some(name) = queue.pop() {
            if found.contains_key(&name) || !library.has_own(name) {
                continue;
            }
            let Ok(code) = library.code(name) else {
                continue;
            };
            found.insert(name, code);
            let values = values(code);
            queue.extend(&values);
            passed.extend(values);
            for slot in &code.imports {
                queue.push(slot.mfa.module);
                makes_atoms |=
                    slot.mfa.module == Atom::ERLANG && ATOM_MAKERS.contains(&slot.mfa.name.name());
            }
        }
        if makes_atoms {
            passed.extend(found.keys());
        }
        let mut modules: Vec<&Code> = found.into_values().collect();
        modules.sort_unstable_by_key(|code| code.name.name());
        let has_registry = modules.iter().any(|code| {
            let mut functions = cost::OF_REGISTRY.iter();
            functions.any(|&(name, arity)| code.export(Atom::new(name), arity).is_some())
        });
        OwnModules {
            modules,
            passed,
            has_registry,
        }
    }
}

/// The atoms that are values in a module. Its own name is one only if it is used outside of
/// `module_info`, which every module has.
fn values(code: &Code) -> FxHashSet<Atom> {
    let constants = code.constants.iter();
    let is_name = |constant: &Term| matches!(constant, Term::Atom(atom) if *atom == code.name);
    let mut values = atoms(constants.filter(|constant| !is_name(constant)).collect());
    let functions = code.functions.iter().enumerate();
    let others = functions.filter(|(_, info)| info.mfa.name.name() != "module_info");
    let uses_name = others.into_iter().any(|(at, info)| {
        let end = code.functions.get(at + 1).map(|next| next.start as usize);
        let range = info.start as usize..end.unwrap_or(code.instructions.len());
        let instructions = code.instructions.get(range).unwrap_or_default();
        instructions.iter().any(|instruction| {
            let is_name = |source: &Source| match source.get() {
                SourceKind::Constant(at) => code.constants.get(at as usize).is_some_and(is_name),
                SourceKind::X(_) | SourceKind::Y(_) => false,
            };
            stored(instruction).iter().any(is_name)
        })
    });
    if uses_name {
        values.insert(code.name);
    }
    values
}

/// The sources that an instruction copies to registers or into terms, or passes to a function.
fn stored(instruction: &Instruction) -> Vec<Source> {
    use Instruction as I;
    match instruction {
        I::Move { from, .. } => vec![*from],
        I::PutList { head, tail, .. } => vec![*head, *tail],
        I::PutTuple { elements, .. } => elements.to_vec(),
        I::SetElement { value, .. } => vec![*value],
        I::UpdateRecord { updates, .. } => updates.iter().map(|&(_, value)| value).collect(),
        I::PutMap { pairs, .. } => pairs
            .iter()
            .flat_map(|&(key, value)| [key, value])
            .collect(),
        I::MakeFun { environment, .. } => environment.to_vec(),
        I::Bif1 { argument, .. } => vec![*argument],
        I::Bif2 { one, other, .. } => vec![*one, *other],
        I::Bif { arguments, .. } => arguments.to_vec(),
        _ => Vec::new(),
    }
}

/// The atoms in these terms.
fn atoms(mut terms: Vec<&Term>) -> FxHashSet<Atom> {
    let mut atoms = FxHashSet::default();
    for _ in 0..TERMS_MAX {
        match terms.pop() {
            None => break,
            Some(Term::Atom(atom)) => {
                atoms.insert(*atom);
            }
            Some(Term::Tuple(tuple)) => terms.extend(tuple.iter()),
            Some(Term::Cons(cons)) => terms.extend([&cons.head, &cons.tail]),
            Some(Term::Map(map)) => {
                terms.extend(map.iter().flat_map(|(key, value)| [key, value]));
            }
            Some(Term::Fun(fun)) => {
                if let Fun::Export { module, .. } = &**fun {
                    atoms.insert(*module);
                }
            }
            Some(_) => {}
        }
    }
    atoms
}
