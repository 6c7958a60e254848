//! Instructions of later and earlier releases, which the installed compiler does not generate.

use mazurka_beam::code::Library;
use mazurka_beam::loader::{Entry, Function, Import, Instruction, LambdaEntry, Lines, Module};
use mazurka_beam::loader::{Opcode, Operand, Place};
use mazurka_beam::machine::{End, Machine, Process, Start, Stop};
use mazurka_beam::term::{Atom, PidTerm, Term};

fn instruction(name: &str, operands: &[Operand]) -> Instruction {
    let opcodes = (1..).map_while(Opcode::new);
    let opcode = opcodes.into_iter().find(|opcode| opcode.name() == name);
    Instruction {
        opcode: opcode.expect("an instruction"),
        operands: operands.into(),
    }
}

/// Runs the body of a function with one argument.
fn run(argument: Term, body: &[(&str, &[Operand])]) -> String {
    let name = Atom::new("by_hand");
    let head = [
        instruction("label", &[Operand::Unsigned(1)]),
        instruction(
            "func_info",
            &[
                Operand::Atom(name),
                Operand::Atom(name),
                Operand::Unsigned(1),
            ],
        ),
        instruction("label", &[Operand::Unsigned(2)]),
    ];
    let body = body
        .iter()
        .map(|(name, operands)| instruction(name, operands));
    let place = |instruction| {
        Some(Place {
            function: 0,
            instruction,
        })
    };
    let entry = Entry {
        name,
        arity: 1,
        label: 2,
    };
    let lambda = LambdaEntry {
        name,
        arity: 1,
        label: 2,
        index: 0,
        free: 1,
        unique: 7,
    };
    let module = Module {
        name,
        atoms: vec![name],
        functions: vec![Function {
            name,
            arity: 1,
            entry: 2,
            instructions: head.into_iter().chain(body).collect(),
        }],
        labels: vec![None, place(0), place(2)],
        imports: vec![Import {
            module: Atom::ERLANG,
            name: Atom::new("is_integer"),
            arity: 3,
        }],
        exports: vec![entry],
        locals: Vec::new(),
        lambdas: vec![lambda],
        literals: Vec::new(),
        strings: Vec::new(),
        lines: Lines::default(),
        abstract_code: Vec::new(),
    };
    let library = Library::new([]);
    if let Err(error) = library.add(module) {
        return error.to_string();
    }
    let start = Start {
        module: name,
        name,
        arguments: vec![argument],
        leader: PidTerm::entry(),
        clock_us: 0,
    };
    let mut process = Process::new(PidTerm::entry(), &start);
    match Machine::new().run(&library, &mut process, &mut Vec::new()) {
        Stop::Exit(End::Returned { value }) => value.to_string(),
        Stop::Unsupported(what) => what.to_string(),
        other => format!("{other:?}"),
    }
}

const RETURN: (&str, &[Operand]) = ("return", &[]);

fn list(operands: &[Operand]) -> Operand {
    Operand::List(operands.into())
}

fn triple() -> Term {
    Term::tuple([1, 2, 3].map(Term::Int))
}

#[test]
fn update_record() {
    let updates = list(&[
        Operand::Unsigned(1),
        Operand::Atom(Atom::OK),
        Operand::Unsigned(3),
        Operand::X(0),
    ]);
    let update = [
        Operand::Atom(Atom::new("copy")),
        Operand::Unsigned(3),
        Operand::X(0),
        Operand::X(0),
        updates,
    ];
    let result = run(triple(), &[("update_record", &update), RETURN]);
    assert_eq!(result, "{ok,2,{1,2,3}}");
}

#[test]
fn elements_are_set_in_a_copy() {
    let body: [(&str, &[Operand]); 5] = [
        ("move", &[Operand::X(0), Operand::X(1)]),
        (
            "set_tuple_element",
            &[Operand::Atom(Atom::OK), Operand::X(1), Operand::Unsigned(2)],
        ),
        (
            "set_tuple_element",
            &[Operand::Nil, Operand::X(1), Operand::Unsigned(0)],
        ),
        (
            "put_tuple2",
            &[Operand::X(0), list(&[Operand::X(0), Operand::X(1)])],
        ),
        RETURN,
    ];
    assert_eq!(run(triple(), &body), "{{1,2,3},{[],2,ok}}");
}

#[test]
fn funs_of_earlier_releases() {
    let result = run(1.into(), &[("make_fun2", &[Operand::Unsigned(0)]), RETURN]);
    assert_eq!(result, "#Fun<by_hand.0.7>");
}

#[test]
fn no_term_is_a_native_record() {
    let name = Operand::Atom(Atom::new("r"));
    let tests: [(&str, &[Operand]); 2] = [
        ("is_any_native_record", &[Operand::Label(1), Operand::X(0)]),
        (
            "is_native_record",
            &[Operand::Label(1), Operand::X(0), name.clone(), name],
        ),
    ];
    for test in tests {
        let result = run(triple(), &[test, RETURN]);
        assert!(result.contains("function_clause"), "{result}");
    }
}

#[test]
fn native_records_are_not_modelled() {
    let field = [
        Operand::Label(0),
        Operand::X(0),
        Operand::Atom(Atom::new("r")),
        Operand::Atom(Atom::new("a")),
        Operand::X(0),
    ];
    let result = run(1.into(), &[("get_record_field", &field), RETURN]);
    assert_eq!(
        result,
        "the instruction get_record_field, used in by_hand:by_hand/1: it is not modelled; \
         replace it in the tested code"
    );
}

#[test]
fn wrong_operands_are_refused() {
    let result = run(1.into(), &[("jump", &[Operand::X(0)]), RETURN]);
    assert_eq!(
        result,
        "by_hand:by_hand/1: instruction 3 (jump): a label is expected"
    );
    let result = run(
        1.into(),
        &[(
            "call_ext_only",
            &[Operand::Unsigned(1), Operand::Unsigned(9)],
        )],
    );
    assert_eq!(
        result,
        "by_hand:by_hand/1: instruction 3 (call_ext_only): there is no such import"
    );
}

#[test]
fn code_without_an_end_is_damaged() {
    let result = run(1.into(), &[("move", &[Operand::Nil, Operand::X(0)])]);
    assert!(result.contains("an invalid instruction"), "{result}");
}
