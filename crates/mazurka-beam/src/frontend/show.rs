//! Terms, receives and failures as text.

use std::fmt::{self, Write};

use mazurka_engine::{Bounded, INTERNAL};

use super::behaviour::Behaviour;
use super::reasons::is_assertion;
use crate::code::{Address, Library, Mfa};
use crate::machine::{Constraint, Process, Start};
use crate::source;
use crate::term::{Atom, Fun, PidTerm, Term};

/// The depth to which a term is shown.
const DEPTH: usize = 24;

/// The number of characters of a string, or bytes of a binary, that are examined.
const LOOK_MAX: usize = Bounded::LOOK_MAX;

/// A term, with lists of characters as text, and pids as paths in the tree of processes.
pub(super) fn term(term: &Term) -> String {
    Bounded::text(|text| write_term(text, term, DEPTH))
}

fn write_term(text: &mut Bounded, term: &Term, depth: usize) -> fmt::Result {
    if depth == 0 {
        return text.write_char('…');
    }
    match term {
        Term::Pid(pid) => write_pid(text, *pid),
        Term::Reference(reference) => {
            text.write_str("#Ref<")?;
            write_pid(text, reference.creator())?;
            match reference.timer() {
                Some(_) => text.write_str("-timer>"),
                None => write!(text, "-{}>", reference.count()),
            }
        }
        Term::Tuple(tuple) => {
            text.write_char('{')?;
            write_all(text, tuple.iter(), depth)?;
            text.write_char('}')
        }
        Term::Cons(_) => write_list(text, term, depth),
        Term::Map(map) => {
            text.write_str("#{")?;
            for (at, (key, value)) in map.iter().enumerate() {
                if at > 0 {
                    text.write_str(", ")?;
                }
                write_term(text, key, depth - 1)?;
                text.write_str(" => ")?;
                write_term(text, value, depth - 1)?;
            }
            text.write_char('}')
        }
        Term::Bits(bits) if bits.is_binary() => {
            let bytes: Vec<u8> = bits.iter().take(LOOK_MAX).collect();
            match printable(&bytes, bits.byte_len()) {
                Some(string) => {
                    text.write_str("<<")?;
                    write_string(text, string.chars())?;
                    // The rest of a string that is too long to examine is not shown.
                    if bytes.len() < bits.byte_len() {
                        return Err(fmt::Error);
                    }
                    text.write_str(">>")
                }
                None => write!(text, "{term}"),
            }
        }
        Term::Fun(fun) => match &**fun {
            Fun::Export { .. } => write!(text, "{term}"),
            Fun::Local(lambda) => write!(
                text,
                "#Fun<{}.{}.{}>",
                lambda.module.name(),
                lambda.index,
                lambda.unique
            ),
        },
        _ => write!(text, "{term}"),
    }
}

/// The text of a binary of this length whose first bytes are `bytes`, if those are text.
fn printable(bytes: &[u8], length: usize) -> Option<&str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // The last character may be cut in two.
        Err(error) if bytes.len() < length && error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    text.chars().all(is_printable).then_some(text)
}

fn write_pid(text: &mut Bounded, pid: PidTerm) -> fmt::Result {
    match pid.path() {
        Some(path) => {
            text.write_char('P')?;
            for index in path {
                write!(text, ".{}", index + 1)?;
            }
            Ok(())
        }
        None => write!(text, "{pid:?}"),
    }
}

/// Terms with commas between them.
fn write_all<'a>(
    text: &mut Bounded,
    terms: impl Iterator<Item = &'a Term>,
    depth: usize,
) -> fmt::Result {
    for (at, term) in terms.enumerate() {
        if at > 0 {
            text.write_str(", ")?;
        }
        write_term(text, term, depth - 1)?;
    }
    Ok(())
}

fn write_list(text: &mut Bounded, list: &Term, depth: usize) -> fmt::Result {
    if let Some(string) = string(list) {
        return write_string(text, string.into_iter());
    }
    let mut elements = list.elements();
    text.write_char('[')?;
    write_all(text, elements.by_ref(), depth)?;
    match elements.rest() {
        Term::Nil => {}
        rest => {
            text.write_str(" | ")?;
            write_term(text, rest, depth - 1)?;
        }
    }
    text.write_char(']')
}

/// The characters of a list that is text, as far as it is examined.
fn string(list: &Term) -> Option<Vec<char>> {
    let mut elements = list.elements();
    let mut characters = Vec::new();
    for element in elements.by_ref().take(LOOK_MAX) {
        let Term::Int(code) = element else {
            return None;
        };
        let character = char::from_u32(u32::try_from(*code).ok()?)?;
        characters.push(Some(character).filter(|&c| is_printable(c))?);
    }
    let is_text = characters.len() == LOOK_MAX || matches!(elements.rest(), Term::Nil);
    is_text.then_some(characters)
}

fn is_printable(character: char) -> bool {
    !character.is_control() || matches!(character, '\n' | '\t' | '\r')
}

fn write_string(text: &mut Bounded, characters: impl Iterator<Item = char>) -> fmt::Result {
    text.write_char('"')?;
    for character in characters {
        match character {
            '"' => text.write_str("\\\"")?,
            '\\' => text.write_str("\\\\")?,
            '\n' => text.write_str("\\n")?,
            '\t' => text.write_str("\\t")?,
            '\r' => text.write_str("\\r")?,
            other => text.write_char(other)?,
        }
    }
    text.write_char('"')
}

/// The function that a process runs, and whether it runs a fun of that function. For `erlang:apply/2`
/// it is the function that the fun is or was made in, for `proc_lib`'s wrapper the wrapped function,
/// for a behaviour `init/1` of the callback module, and for EUnit's driver the test generator.
pub(super) fn role(library: &Library, start: &Start) -> (Mfa, bool) {
    if let Some(generator) = source::run_by(start) {
        return (generator, false);
    }
    let mfa = start.mfa();
    if let Some(module) = Behaviour::of(start).and_then(|behaviour| behaviour.module) {
        let (name, arity) = (Atom::new("init"), 1);
        let init = Mfa {
            module,
            name,
            arity,
        };
        return (init, false);
    }
    match (mfa.module.name(), mfa.name.name(), &start.arguments[..]) {
        ("erlang", "apply", [Term::Fun(fun), _])
        | ("proc_lib", "init_p", [_, _, Term::Fun(fun)]) => match &**fun {
            Fun::Export {
                module,
                name,
                arity,
            } => {
                let mfa = Mfa {
                    module: *module,
                    name: *name,
                    arity: *arity,
                };
                (mfa, false)
            }
            Fun::Local(lambda) => {
                let code = library.code(lambda.module).ok();
                let known = code.and_then(|code| code.lambdas.get(lambda.index as usize));
                maker(
                    lambda.module,
                    known.map_or("fun", |known| known.name.name()),
                    lambda.arity,
                )
            }
        },
        ("erlang", "apply", [Term::Atom(module), Term::Atom(name), arguments])
        | ("proc_lib", "init_p", [_, _, Term::Atom(module), Term::Atom(name), arguments]) => {
            let mfa = Mfa {
                module: *module,
                name: *name,
                arity: u32::try_from(arguments.elements().count()).unwrap_or(u32::MAX),
            };
            (mfa, false)
        }
        _ => (mfa, false),
    }
}

/// The compiler calls the first fun of `f/2` `-f/2-fun-0-`, and one with a name `-f/2-Name/1-0-`.
/// `fun f/2` is called `f`.
fn maker(module: Atom, name: &str, arity: u32) -> (Mfa, bool) {
    let made_in = name.strip_prefix('-').and_then(|rest| {
        let (name, rest) = rest.split_once('/')?;
        let (arity, _) = rest.split_once('-')?;
        Some((Atom::new(name), arity.parse().ok()?))
    });
    let (name, arity, is_fun) = match made_in {
        Some((name, arity)) => (name, arity, true),
        None => (Atom::new(name), arity, false),
    };
    let mfa = Mfa {
        module,
        name,
        arity,
    };
    (mfa, is_fun)
}

/// What a process runs.
pub(super) fn start(library: &Library, start: &Start) -> String {
    if let Some(behaviour) = Behaviour::of(start) {
        return behaviour.to_string();
    }
    if start.is_timer() {
        return "a timer".to_owned();
    }
    match role(library, start) {
        (mfa, false) => mfa.to_string(),
        (mfa, true) => format!("a fun of {mfa}"),
    }
}

/// The name of a process: what it runs or, if that is a fun, the function that the fun calls and first
/// waits in.
pub(super) fn process(library: &Library, begun: &Start, waits: Option<&Process>) -> String {
    let function = waits.and_then(|process| function_of_fun(library, begun, process));
    match function {
        Some(mfa) => mfa.to_string(),
        None => start(library, begun),
    }
}

/// The function that a process waits in, if it started with a fun.
pub(super) fn function_of_fun(library: &Library, begun: &Start, process: &Process) -> Option<Mfa> {
    let (_, is_fun) = role(library, begun);
    is_fun.then(|| process.outermost_function(library))?
}

/// What a receive takes, shown by its place.
pub(super) fn constraint(library: &Library, constraint: &Constraint) -> String {
    match constraint {
        Constraint::Nothing => "no message".to_owned(),
        Constraint::Mailbox(_) => "any message, to be counted".to_owned(),
        Constraint::Signal { only_normal: true } => {
            format!(
                "{INTERNAL}the exit signal of a normal end, to be lost before exits are trapped"
            )
        }
        Constraint::Signal { only_normal: false } => {
            format!("{INTERNAL}an exit signal, to be kept when exits are no longer trapped")
        }
        Constraint::Halted(status) => format!("halt({})", term(status)),
        Constraint::TimerRequest => "a request to cancel it".to_owned(),
        Constraint::TimerAnswer(_) => "the answer of a timer".to_owned(),
        Constraint::Alias(alias) => format!(
            "{INTERNAL}a message to the alias {}, before it ends",
            term(&Term::Reference(*alias))
        ),
        Constraint::Anything(_) => "any message, hibernating".to_owned(),
        Constraint::Down { reference, .. } => {
            format!(
                "the 'DOWN' message of {}",
                term(&Term::Reference(*reference))
            )
        }
        Constraint::Code { at, .. } => match place(library, *at) {
            Some(place) => format!("a message at {place}"),
            None => format!("a message in {}", at.module.name()),
        },
    }
}

/// `file:line`, or the function if the line is not known.
pub(super) fn place(library: &Library, at: Address) -> Option<String> {
    let code = library.code(at.module).ok()?;
    match code.location_at(at.pc) {
        Some(place) => Some(format!("{}:{}", place.file, place.line)),
        None => code
            .function_at(at.pc)
            .map(|function| function.mfa.to_string()),
    }
}

/// Why and where a process failed.
pub(super) fn failure(library: &Library, value: &Term) -> String {
    let Some((reason, calls)) = reason_and_calls(value) else {
        return format!("exit with {}", term(value));
    };
    let mut text = match is_assertion(reason) {
        true => assertion(reason),
        false => failed_call(reason, calls).unwrap_or_else(|| term(reason)),
    };
    if let Some(place) = own_call(library, calls) {
        _ = write!(text, " at {place}");
    }
    text
}

/// `{Reason, [{Module, Function, Arity, Location} | _]}`
fn reason_and_calls(value: &Term) -> Option<(&Term, &Term)> {
    let Term::Tuple(pair) = value else {
        return None;
    };
    match &***pair {
        [reason, calls @ Term::Cons(_)] => call(calls.elements().next()?).map(|_| (reason, calls)),
        _ => None,
    }
}

/// The parts of an entry of a stack trace: module, function, arity or arguments, location.
fn call(entry: &Term) -> Option<(Atom, Atom, &Term, &Term)> {
    let Term::Tuple(parts) = entry else {
        return None;
    };
    match &***parts {
        [Term::Atom(module), Term::Atom(name), arguments, location] => {
            Some((*module, *name, arguments, location))
        }
        _ => None,
    }
}

/// The call that failed, if it is known: `badarg in register(ping_pong, P.1)`.
fn failed_call(reason: &Term, calls: &Term) -> Option<String> {
    let (module, name, arguments, _) = call(calls.elements().next()?)?;
    if !matches!(arguments, Term::Cons(_) | Term::Nil) {
        return None;
    }
    let module = match module {
        Atom::ERLANG => String::new(),
        other => format!("{}:", other.name()),
    };
    let arguments = Bounded::text(|text| write_all(text, arguments.elements(), DEPTH));
    Some(format!(
        "{} in {module}{}({arguments})",
        term(reason),
        name.name()
    ))
}

/// `file:line` of the innermost call in the program's own code, or of the innermost call if there is
/// none.
pub(super) fn own_call(library: &Library, calls: &Term) -> Option<String> {
    let mut places = calls.elements().filter_map(|entry| {
        let (module, .., location) = call(entry)?;
        let (file, line) = (detail(location, "file")?, detail(location, "line")?);
        let is_own = library.code(module).is_ok_and(|code| code.is_own);
        let file: String = string(file)?.into_iter().collect();
        Some((is_own, format!("{file}:{line}")))
    });
    let first = places.next()?;
    let own = std::iter::once(first.clone())
        .chain(places)
        .find(|(is_own, _)| *is_own);
    Some(own.unwrap_or(first).1)
}

/// The value of a key in a list of pairs.
fn detail<'t>(list: &'t Term, key: &str) -> Option<&'t Term> {
    list.elements().find_map(|detail| match detail {
        Term::Tuple(pair) => match &***pair {
            [Term::Atom(name), value] if name.name() == key => Some(value),
            _ => None,
        },
        _ => None,
    })
}

/// A failed EUnit assertion: the macro, the expected value and the actual one.
fn assertion(reason: &Term) -> String {
    let Term::Tuple(pair) = reason else {
        return term(reason);
    };
    let [Term::Atom(name), details] = &***pair else {
        return term(reason);
    };
    let mut text = format!("{} failed", name.name());
    let shown = |key| {
        detail(details, key).map(|value| match string(value) {
            Some(characters) => {
                let text: String = characters.into_iter().collect();
                Bounded::cut(&text, Bounded::KEEP_MAX)
            }
            None => term(value),
        })
    };
    if let Some(expression) = shown("expression") {
        _ = write!(text, ": {expression}");
    }
    if let Some(pattern) = shown("pattern") {
        _ = write!(text, ", which should match {pattern}");
    }
    if let Some(expected) = detail(details, "expected") {
        _ = write!(text, ", expected {}", term(expected));
    }
    if let Some(value) = detail(details, "value") {
        _ = write!(text, ", is {}", term(value));
    }
    for key in ["unexpected_success", "unexpected_exception"] {
        if let Some(value) = detail(details, key) {
            _ = write!(text, ", {} {}", key.replace('_', " "), term(value));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;
    use crate::term::Map;

    #[track_caller]
    fn check(value: &Term, start: &str, left_out: &str) {
        let text = term(value);
        assert!(text.starts_with(start), "{}", &text[..80]);
        assert!(text.contains(left_out), "{}", &text[text.len() - 80..]);
        assert!(text.chars().count() < 2_100, "{}", text.len());
    }

    #[test]
    fn large_values_are_cut() {
        let more = "more than 98000 more characters, #";
        // A tuple of two that are the same, and so on: 2^35 leaves.
        let mut shared = Term::atom("leaf");
        for _ in 0..35 {
            shared = Term::tuple([shared.clone(), shared]);
        }
        check(&shared, "{{{{{{{{", more);
        check(&Term::binary(&[0xff; 1 << 20]), "<<255,255,", more);
        check(&Term::binary(&[b'x'; 1 << 20]), "<<\"xxxx", more);
        // The last character that is looked at is cut in two.
        check(
            &Term::binary("aä".repeat(1 << 17).as_bytes()),
            "<<\"aäaä",
            "more characters, #",
        );
        let characters = vec![Term::Int(120); 1 << 20];
        check(&Term::list(characters), "\"xxxx", more);
        check(&Term::list(vec![Term::Int(0); 1 << 20]), "[0, 0, 0, ", more);
        let entries = (0..1 << 14).map(|key| (Term::Int(key), Term::Nil));
        check(
            &Term::Map(Map::from_iter(entries)),
            "#{0 => [], 1 => ",
            more,
        );
        let big = Term::from(BigInt::from(1) << (1 << 26));
        check(&big, "16#10000000", more);
    }

    #[test]
    fn different_values_look_different_when_they_are_cut() {
        let ending_with = |last: u8| {
            let mut bytes = vec![b'x'; 5_000];
            bytes.push(last);
            term(&Term::binary(&bytes))
        };
        assert_ne!(ending_with(b'y'), ending_with(b'z'));
        assert_eq!(ending_with(b'y'), ending_with(b'y'));
    }
}
