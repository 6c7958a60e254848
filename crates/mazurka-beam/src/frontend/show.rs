//! Terms, receives and failures as people read them.

use std::fmt::Write;

use crate::code::{Library, Mfa};
use crate::machine::{Constraint, Start};
use crate::term::{Atom, Fun, Pid, Term};

/// How deep a term is shown. What lies deeper says nothing to anybody.
const DEPTH: usize = 24;

/// A term, with lists of characters as text, and pids as paths in the tree of processes.
pub(super) fn term(term: &Term) -> String {
    let mut text = String::new();
    write_term(&mut text, term, DEPTH);
    text
}

fn write_term(text: &mut String, term: &Term, depth: usize) {
    if depth == 0 {
        text.push('…');
        return;
    }
    match term {
        Term::Pid(pid) => write_pid(text, *pid),
        Term::Reference(reference) => {
            text.push_str("#Ref<");
            write_pid(text, reference.maker());
            _ = write!(text, "-{}>", reference.count());
        }
        Term::Tuple(tuple) => write_all(text, '{', tuple.iter(), '}', depth),
        Term::Cons(_) => write_list(text, term, depth),
        Term::Map(map) => {
            text.push_str("#{");
            for (at, (key, value)) in map.iter().enumerate() {
                if at > 0 {
                    text.push_str(", ");
                }
                write_term(text, key, depth - 1);
                text.push_str(" => ");
                write_term(text, value, depth - 1);
            }
            text.push('}');
        }
        Term::Bits(bits) if bits.is_binary() => {
            let bytes: Vec<u8> = bits.iter().collect();
            match std::str::from_utf8(&bytes) {
                Ok(string) if string.chars().all(is_printable) => {
                    text.push_str("<<");
                    write_string(text, string.chars());
                    text.push_str(">>");
                }
                _ => _ = write!(text, "{term}"),
            }
        }
        Term::Fun(fun) => match &**fun {
            Fun::Export { .. } => _ = write!(text, "{term}"),
            Fun::Local(lambda) => {
                _ = write!(
                    text,
                    "#Fun<{}.{}.{}>",
                    lambda.module.name(),
                    lambda.index,
                    lambda.unique
                );
            }
        },
        _ => _ = write!(text, "{term}"),
    }
}

fn write_pid(text: &mut String, pid: Pid) {
    match pid.path() {
        Some(path) => {
            text.push('P');
            for index in path {
                _ = write!(text, ".{}", index + 1);
            }
        }
        None => _ = write!(text, "{pid:?}"),
    }
}

fn write_all<'a>(
    text: &mut String,
    open: char,
    terms: impl Iterator<Item = &'a Term>,
    close: char,
    depth: usize,
) {
    text.push(open);
    for (at, term) in terms.enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        write_term(text, term, depth - 1);
    }
    text.push(close);
}

fn write_list(text: &mut String, list: &Term, depth: usize) {
    if let Some(string) = string(list) {
        write_string(text, string.into_iter());
        return;
    }
    let mut elements = list.elements();
    text.push('[');
    for (at, element) in elements.by_ref().enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        write_term(text, element, depth - 1);
    }
    match elements.rest() {
        Term::Nil => {}
        rest => {
            text.push_str(" | ");
            write_term(text, rest, depth - 1);
        }
    }
    text.push(']');
}

/// The characters of a list that is text.
fn string(list: &Term) -> Option<Vec<char>> {
    let mut elements = list.elements();
    let mut characters = Vec::new();
    for element in elements.by_ref() {
        let Term::Int(code) = element else {
            return None;
        };
        let character = char::from_u32(u32::try_from(*code).ok()?)?;
        characters.push(Some(character).filter(|&c| is_printable(c))?);
    }
    matches!(elements.rest(), Term::Nil).then_some(characters)
}

fn is_printable(character: char) -> bool {
    !character.is_control() || matches!(character, '\n' | '\t' | '\r')
}

fn write_string(text: &mut String, characters: impl Iterator<Item = char>) {
    text.push('"');
    for character in characters {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            other => text.push(other),
        }
    }
    text.push('"');
}

/// The function that a process really runs: of `erlang:apply/2` the fun's, and of `proc_lib`'s
/// wrapper the wrapped one.
pub(super) fn role(start: &Start) -> Mfa {
    let mfa = start.mfa();
    match (mfa.module.name(), mfa.name.name(), &start.arguments[..]) {
        ("erlang", "apply", [Term::Fun(fun), _]) => match &**fun {
            Fun::Export {
                module,
                name,
                arity,
            } => Mfa {
                module: *module,
                name: *name,
                arity: *arity,
            },
            Fun::Local(lambda) => Mfa {
                module: lambda.module,
                name: Atom::new("fun"),
                arity: lambda.arity,
            },
        },
        ("erlang", "apply", [Term::Atom(module), Term::Atom(name), arguments])
        | ("proc_lib", "init_p", [_, _, Term::Atom(module), Term::Atom(name), arguments]) => Mfa {
            module: *module,
            name: *name,
            arity: u32::try_from(arguments.elements().count()).unwrap_or(u32::MAX),
        },
        _ => mfa,
    }
}

/// What a process runs.
pub(super) fn start(start: &Start) -> String {
    role(start).to_string()
}

/// What a receive takes, by its place.
pub(super) fn constraint(library: &Library, constraint: &Constraint) -> String {
    match constraint {
        Constraint::Nothing => "no message".to_owned(),
        Constraint::Anything => "any message, hibernating".to_owned(),
        Constraint::Down(reference) => {
            format!(
                "the 'DOWN' message of {}",
                term(&Term::Reference(*reference))
            )
        }
        Constraint::Code { at, .. } => {
            let code = library.code(at.module).ok();
            let function = code.and_then(|code| code.function_at(at.pc));
            let place = code.and_then(|code| code.location_at(at.pc));
            match (place, function) {
                (Some(place), _) => format!("a message at {}:{}", place.file, place.line),
                (None, Some(function)) => format!("a message in {}", function.mfa),
                (None, None) => format!("a message in {}", at.module.name()),
            }
        }
    }
}
