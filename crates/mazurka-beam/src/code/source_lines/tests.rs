//! Tests with the real compiler. In these sources `?LINE` is on the line of its clause, so the
//! constant in the instructions identifies the clause that they come from.

use std::fmt::Write;
use std::process::Command;

use super::super::{Code, Instruction, Library, Source, SourceKind};
use super::shape::Shapes;
use super::walk;
use crate::term::{Atom, Term};

/// Sources start at this line, so that no other constant looks like a line.
pub(super) const FIRST_LINE: usize = 1001;

/// Compiles functions and applies `inspect` to the result.
pub(super) fn with_code<T>(source: &str, options: &[&str], inspect: impl FnOnce(&Code) -> T) -> T {
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
    inspect(library.code(Atom::new("m")).expect("a module"))
}

/// A receive in the compiled code.
pub(super) struct Found {
    pub(super) line: Option<u32>,
    /// For each clause the line that was found, and the line in the instructions of its body.
    pub(super) clauses: Vec<(Option<u32>, Option<u32>)>,
}

/// All receives with the lines from the abstract code.
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

/// The first constant after an accepted message that looks like a line.
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

/// Compares the lines of all receives. Lines are counted from the first line of the source. Each
/// receive has its line and the lines of its clauses, with `?` for unknown lines.
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
fn clauses_that_the_compiler_reorders() {
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
fn clauses_with_the_same_pattern() {
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
    // The compiler reverses the order of these.
    check(
        "
f(B) ->
    receive
        {a, X} when not (X > B) -> ?LINE;
        {a, X} -> {?LINE, X}
    end.",
        "2: ? ?",
    );
    // A call in the body has a line.
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
fn bodies_that_start_on_the_next_line() {
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
fn two_receives_in_a_function() {
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
    // The two receives cannot be distinguished.
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
fn nested_receives() {
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
fn a_receive_without_clauses() {
    check("f() ->\n    receive after 10 -> ok end.", "");
}

#[test]
fn duplicated_and_merged_code() {
    // The `after` part of a `try` is compiled twice: for success and for exceptions.
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
    // The first two clauses are merged.
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
    // The second clause is unreachable and removed.
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
fn damaged_abstract_code_gives_no_lines() {
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
                // It may still give lines, but it must terminate.
                super::find(code, &damaged);
            }
        }
        for length in 0..code.abstract_code.len() {
            super::find(code, &code.abstract_code[..length]);
        }
    });
}
