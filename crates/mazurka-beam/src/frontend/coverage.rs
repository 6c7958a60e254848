//! Coverage of the clauses of receives.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use mazurka_engine::Clause;

use crate::code::{Code, Library};

/// The number of messages that each clause of the program's own receives has taken, by module.
pub(super) type Taken = HashMap<u32, Vec<u64>>;

/// The numbers so far.
pub(super) fn count(library: &Library) -> Taken {
    let own = library.own();
    own.map(|code| (code.name.index(), taken(code))).collect()
}

fn taken(code: &Code) -> Vec<u64> {
    let counts = code.taken.iter();
    counts.map(|count| count.load(Ordering::Relaxed)).collect()
}

/// The clauses and the number of messages taken since `before`, in the order of the source.
pub(super) fn since(library: &Library, before: &Taken) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for code in library.own() {
        let before = before.get(&code.name.index());
        for (number, (pc, line)) in code.clauses().enumerate() {
            let (Some(function), Some(line)) = (code.function_at(pc), line) else {
                continue;
            };
            let before = before.and_then(|before| before.get(number)).copied();
            let now = code.taken[number].load(Ordering::Relaxed);
            let clause = Clause {
                place: format!("{}:{}", line.file, line.line),
                function: function.mfa.to_string(),
                taken: now - before.unwrap_or(0),
            };
            clauses.push((line.file, line.line, clause));
        }
    }
    clauses.sort();
    clauses.into_iter().map(|(_, _, clause)| clause).collect()
}
