//! Finds a program by name, or those with similar names.

use crate::program::Program;
use crate::programs::PROGRAMS;
use thiserror::Error;

/// There is no such program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the gallery has no program `{name}`{}", suggestion(.nearest))]
pub struct UnknownProgram {
    /// The name that was given.
    pub name: String,
    /// The programs with the most similar names, the best match first.
    pub nearest: Vec<&'static str>,
}

fn suggestion(nearest: &[&str]) -> String {
    let quoted: Vec<_> = nearest.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((only, [])) => format!(": did you mean {only}?"),
        Some((last, rest)) => format!(": did you mean {} or {last}?", rest.join(", ")),
    }
}

/// All programs.
#[must_use]
pub fn programs() -> &'static [Program] {
    PROGRAMS
}

/// The program with this name.
///
/// # Errors
/// There is no such program; the error suggests similar names.
pub fn find(name: &str) -> Result<&'static Program, UnknownProgram> {
    PROGRAMS
        .iter()
        .find(|program| program.name == name)
        .ok_or_else(|| UnknownProgram {
            name: name.into(),
            nearest: nearest(name, PROGRAMS.iter().map(|program| program.name)),
        })
}

/// The maximum number of suggested names.
const SUGGESTIONS: usize = 3;

/// Similar names: those that differ by a few typing errors, or that contain the given text. The best
/// match comes first.
#[must_use]
pub fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let plain = |name: &str| name.to_lowercase().replace('_', "-");
    let name = plain(name);
    let allowed = 1 + name.chars().count() / 3;
    let mut near: Vec<_> = names
        .into_iter()
        .filter_map(|other| {
            let is_part = name.len() >= 3 && plain(other).contains(&name);
            let distance = match is_part {
                true => 1,
                false => distance(&name, &plain(other)),
            };
            (distance <= allowed).then_some((distance, other))
        })
        .collect();
    near.sort_unstable();
    near.truncate(SUGGESTIONS);
    near.into_iter().map(|(_, name)| name).collect()
}

/// The edit distance: the number of letters to insert, delete or change.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: &str) {
        assert_eq!(find(name).unwrap_err().to_string(), expected);
    }

    #[test]
    fn similar_names_are_suggested() {
        check(
            "fanin",
            "the gallery has no program `fanin`: did you mean `fan-in`?",
        );
        check(
            "commit",
            "the gallery has no program `commit`: did you mean `two-phase-commit`?",
        );
        check(
            "lost_updates",
            "the gallery has no program `lost_updates`: did you mean `lost-update`?",
        );
        check("xyzzy", "the gallery has no program `xyzzy`");
    }

    #[test]
    fn names_are_unique_and_found() {
        for program in programs() {
            assert_eq!(find(program.name).unwrap().about, program.about);
        }
    }
}
