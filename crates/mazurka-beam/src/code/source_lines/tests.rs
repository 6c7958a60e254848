//! With the real compiler. In these sources `?LINE` is on the line of its clause, so what follows in
//! the instructions tells which clause they really come from.

use std::fmt::Write;
use std::process::Command;

use super::super::{Code, Instruction, Library, Source, SourceKind};
use super::shape::Shapes;
use super::walk;
use crate::term::{Atom, Term};

/// Sources begin in this line, so that no other number looks like a line.
pub(super) const FIRST_LINE: usize = 1001;

/// Compiles functions and has a look at them.
pub(super) fn with_code<T>(source: &str, options: &[&str], look: impl FnOnce(&Code) -> T) -> T {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("m.erl");
    let head = "-module(m).\n-compile([export_all, nowarn_export_all]).\n-record(r, {x, y}).\n";
    let blank = "\n".repeat(FIRST_LINE - 1 - head.lines().count());
    std::fs::write(&file, format!("{head}{blank}{source}")).expect("a file");
    let mut compiler = Command::new("erlc");
    compiler
        .args(options)
        .arg("-o")
        .arg(folder.path())
        .arg(file);
    let output = compiler.output().expect("the compiler");
    assert!(output.status.success(), "{output:?}\n{source}");
    let library = Library::new([folder.path().to_path_buf()]);
    look(library.code(Atom::new("m")).expect("a module"))
}

/// A receive in the instructions.
pub(super) struct Found {
    pub(super) line: Option<u32>,
    /// The clauses: the line, and the line that the instructions after it name.
    pub(super) clauses: Vec<(Option<u32>, Option<u32>)>,
}

/// All receives with the lines that the abstract code tells.
pub(super) fn receives(code: &Code) -> Vec<Found> {
    let known = code.source_lines();
    let mut found = Vec::new();
    for pc in 0..code.instructions.len() as u32 {
        if !matches!(code.instructions[pc as usize], Instruction::Receive { .. }) {
            continue;
        }
        let accepts = walk::accepts(code, pc, &Shapes::new(), Shapes::ANY);
        let accepts = accepts.unwrap_or_default().into_iter();
        let clauses = accepts.map(|pc| (known.clauses.get(&pc).copied(), marker(code, pc)));
        found.push(Found {
            line: known.receives.get(&pc).copied(),
            clauses: clauses.collect(),
        });
    }
    found
}

/// The first constant after a message is taken that looks like a line.
fn marker(code: &Code, accept: u32) -> Option<u32> {
    for instruction in &code.instructions[accept as usize + 1..] {
        let sources: &[Source] = match instruction {
            Instruction::Move { from, .. } => &[*from],
            Instruction::PutTuple { elements, .. } => elements,
            Instruction::PutList { head, tail, .. } => &[*head, *tail],
            Instruction::Return
            | Instruction::CallLast { .. }
            | Instruction::CallExternal { .. }
            | Instruction::CallExternalLast { .. }
            | Instruction::Jump { .. }
            | Instruction::Accept { .. }
            | Instruction::Receive { .. }
            | Instruction::Mismatch => return None,
            _ => &[],
        };
        for source in sources {
            if let SourceKind::Constant(constant) = source.get()
                && let Some(line) = line(&code.constants[constant as usize])
            {
                return Some(line);
            }
        }
    }
    None
}

fn line(constant: &Term) -> Option<u32> {
    match constant {
        Term::Int(int) => u32::try_from(*int)
            .ok()
            .filter(|&n| n as usize >= FIRST_LINE),
        Term::Tuple(tuple) => tuple.iter().find_map(line),
        Term::Cons(_) => constant.elements().find_map(line),
        _ => None,
    }
}

/// Lines are counted from the first of the source on. Each receive has its line and those of its
/// clauses, and `?` for what is not known.
fn check(source: &str, expected: &str) {
    check_with(source, &["+debug_info"], expected);
}

fn check_with(source: &str, options: &[&str], expected: &str) {
    let shown = |line: Option<u32>| match line {
        Some(line) => (line as usize - FIRST_LINE + 1).to_string(),
        None => "?".to_owned(),
    };
    let found = with_code(source.trim_start_matches('\n'), options, receives);
    let mut texts = Vec::new();
    for receive in found {
        let mut text = format!("{}:", shown(receive.line));
        let mut lines = Vec::new();
        for (line, marker) in receive.clauses {
            assert!(
                line.is_none() || marker.is_none() || line == marker,
                "{line:?} {marker:?}"
            );
            lines.push(line);
        }
        lines.sort_unstable();
        for line in lines {
            _ = write!(text, " {}", shown(line));
        }
        texts.push(text);
    }
    texts.sort();
    assert_eq!(texts.join("\n"), expected, "{source}");
}

#[test]
fn clauses_in_an_order_of_the_compiler() {
    check(
        "
f() ->
    receive
        {a, X} -> {?LINE, X};
        stop -> ?LINE;
        {b, X, Y} when X > Y -> lists:reverse([?LINE, X]);
        {b, _, Y} -> {?LINE, Y};
        #r{x = X} -> {?LINE, X};
        [X | _] -> {?LINE, X};
        #{key := X} -> {?LINE, X};
        <<X, _/binary>> -> {?LINE, X};
        1.5 -> ?LINE;
        7 -> ?LINE;
        Other -> {?LINE, Other}
    end.",
        "2: 3 4 5 6 7 8 9 10 11 12 13",
    );
}

#[test]
fn the_order_of_the_source() {
    check(
        "
f(B) ->
    receive
        {a, X} when X > B -> ?LINE;
        {a, X} when X < B -> {?LINE, X};
        {a, _} -> {?LINE}
    end.",
        "2: 3 4 5",
    );
    // The compiler turns these around.
    check(
        "
f(B) ->
    receive
        {a, X} when not (X > B) -> ?LINE;
        {a, X} -> {?LINE, X}
    end.",
        "2: ? ?",
    );
    // Unless a call tells.
    check(
        "
f(B) ->
    receive
        {a, X} when not (X > B) -> ?LINE;
        {a, X} -> foo:bar(?LINE, X)
    end.",
        "2: 3 4",
    );
}

#[test]
fn bound_variables() {
    check(
        "
f(Ref) ->
    receive
        {Ref, X} -> {?LINE, X};
        {'DOWN', Ref, _, _, _} -> ?LINE;
        Other -> {?LINE, Other}
    after 10 -> {?LINE}
    end.",
        "2: 3 4 5",
    );
}

#[test]
fn bodies_that_begin_in_the_next_line() {
    check(
        "
f() ->
    receive
        {a, X} ->
            X;
        {b, X} ->
            foo:bar(X),
            X
    end.",
        "2: 3 5",
    );
}

#[test]
fn two_in_a_function() {
    check(
        "
f() ->
    X = receive
        {first, A} -> {?LINE, A}
    end,
    receive
        {second, B} -> {?LINE, X, B}
    end.
g() ->
    foo:bar(),
    receive
        ok -> one
    end,
    receive
        ok -> two
    end.",
        "10: 11\n13: 14\n2: 3\n5: 6",
    );
    // Either may be either.
    check(
        "
f(B) ->
    case B of
        1 ->
            receive
                ok -> one
            end;
        _ ->
            receive
                ok -> other
            end
    end.",
        "?: ?\n?: ?",
    );
}

#[test]
fn one_in_another() {
    check(
        "
f() ->
    receive
        {outer, X} ->
            receive
                {inner, X} -> ?LINE;
                stop -> ?LINE
            after 100 ->
                receive
                    late -> ?LINE
                end
            end;
        quit -> ?LINE
    end.",
        "2: 3 12\n4: 5 6\n8: 9",
    );
}

#[test]
fn funs_and_comprehensions() {
    check(
        "
f(L) ->
    F = fun() ->
        receive
            go -> ?LINE
        end
    end,
    G = fun Loop() ->
        receive
            again -> Loop()
        end
    end,
    H = [receive
        {X, R} -> {?LINE, R};
        {done, X, R} -> {?LINE, [R]}
    end || X <- L],
    receive
        go -> {?LINE, F, G, H}
    end.",
        "12: 13 14\n16: 17\n3: 4\n8: 9",
    );
}

#[test]
fn no_clauses() {
    check("f() ->\n    receive after 10 -> ok end.", "");
}

#[test]
fn what_is_there_twice_or_once() {
    // What is done after a `try` is there for its good end and for its bad one.
    check(
        "
f() ->
    try foo:bar()
    catch
        _:_ ->
            receive
                caught -> ?LINE
            end
    after
        receive
            done -> ?LINE
        end
    end.",
        "5: 6\n9: 10\n9: 10",
    );
    // The first two are one.
    check(
        "
f() ->
    receive
        one -> ok;
        two -> ok;
        three -> no
    end.",
        "2: 3 5",
    );
    // The second is not there.
    check(
        "
f() ->
    receive
        {X, _} -> {?LINE, X};
        {_, _} -> ?LINE;
        three -> ?LINE
    end.",
        "2: 3 5",
    );
}

#[test]
fn macros_and_headers() {
    check(
        "
-define(ASK(M), receive {answer, M} -> ok end).
f() ->
    ?ASK(1),
    ?ASK(2).
-file(\"other.hrl\", 1011).
g() ->
    receive
        ok -> ok
    end.",
        "13: 14\n3: 3\n4: 4",
    );
}

#[test]
fn without_abstract_code() {
    let source = "f() ->\n    receive\n        stop -> ok\n    end.";
    check_with(source, &["+no_debug_info"], "?: ?");
    check_with(source, &["+debug_info", "+inline"], "?: ?");
    check_with(source, &["+debug_info", "+compressed"], "2: 3");
    check_with(source, &["+debug_info", "+{error_location,line}"], "2: 3");
}

#[test]
fn damage_tells_nothing() {
    let source =
        "f(B) ->\n    receive\n        {stop, B} when B > 1 -> ok;\n [1 | _] -> no\n    end.";
    with_code(source, &["+debug_info"], |code| {
        let plain = super::forms::unpack(&code.abstract_code).expect("abstract code");
        let whole = [&[131], &plain[..]].concat();
        assert_eq!(super::find(code, &whole).receives.len(), 1);
        for length in 0..whole.len() {
            assert!(super::find(code, &whole[..length]).receives.is_empty());
        }
        for at in 1..whole.len() {
            for byte in [0, 1, 97, 104, 106, 108, 119, 255] {
                let mut damaged = whole.clone();
                damaged[at] = byte;
                // It may still tell something, as long as it ends.
                super::find(code, &damaged);
            }
        }
        for length in 0..code.abstract_code.len() {
            super::find(code, &code.abstract_code[..length]);
        }
    });
}
