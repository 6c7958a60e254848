//! The element that a receive requires, which lets the engine pass over messages without running the
//! receive's code: the code must refuse every message that is passed over.

mod common;

use mazurka_beam::code::{Address, Instruction, Library, Mfa, Reads};
use mazurka_beam::machine::{Constraint, Filter};
use mazurka_beam::term::{Atom, PidTerm, Reference, Term};
use mazurka_beam::{Program, Rules};
use mazurka_engine::{Frontend, Payload};

/// Values that are easily taken for each other.
fn values() -> Vec<Term> {
    vec![
        Term::Int(0),
        Term::Int(1),
        Term::Int(2),
        Term::Float(1.0),
        Term::Float(0.0),
        Term::Float(-0.0),
        Atom::new("a").into(),
        Atom::new("stop").into(),
        Term::Reference(Reference([0, 0, 1])),
        Term::Pid(PidTerm::entry()),
        Term::Nil,
        Term::tuple([Term::Int(1), Term::Int(2)]),
    ]
}

fn messages() -> Vec<Term> {
    let values = values();
    let mut messages = values.clone();
    for one in &values {
        for other in &values {
            messages.push(Term::tuple([one.clone(), other.clone()]));
            messages.push(Term::tuple([other.clone(), one.clone(), Term::Int(1)]));
        }
    }
    messages
}

/// Every receive of the module: its function, its address, and how many registers it reads.
fn receives(library: &Library) -> Vec<(String, Address, usize)> {
    let module = Atom::new("required_parts");
    let code = library.code(module).expect("compiled");
    let receives = (0..)
        .zip(&code.instructions)
        .filter_map(|(pc, instruction)| {
            let Instruction::Receive { info, .. } = instruction else {
                return None;
            };
            let Reads::Some(reads) = &code.receives[*info as usize].reads else {
                panic!("the receives only test");
            };
            let function = code.function_at(pc).expect("a function").mfa.name;
            let at = Address { module, pc };
            Some((function.name().to_owned(), at, reads.len()))
        });
    receives.collect()
}

fn lists(length: usize) -> Vec<Vec<Term>> {
    let longer = |list: Vec<Term>| {
        values().into_iter().map(move |value| {
            let mut list = list.clone();
            list.push(value);
            list
        })
    };
    (0..length).fold(vec![Vec::new()], |lists, _| {
        lists.into_iter().flat_map(longer).collect()
    })
}

#[test]
fn only_refused_messages_are_passed_over() {
    let compiled = common::Oracle::compile(&["required_parts"]);
    let library = || Library::new([compiled.folder().to_owned()]);
    let start = Mfa {
        module: Atom::new("required_parts"),
        name: Atom::new("any"),
        arity: 0,
    };
    let program = Program::new(library(), start, Vec::new(), Rules::default());
    let (hints, messages) = (program.hints(), messages());
    let mut with_requirement = Vec::new();
    let (mut passed_over, mut accepted) = (0, 0);
    for (function, at, registers) in receives(&library()) {
        let mut required = 0;
        for registers in lists(registers) {
            let constraint = Constraint::Code {
                at,
                me: None,
                registers: registers.into(),
                filter: Filter::NONE,
            };
            let Some(part) = hints.required_part(&constraint) else {
                continue;
            };
            required += 1;
            for message in &messages {
                let payload = Payload::User(message.clone());
                let has = hints.part(&payload, part.place) == Some(part.hash);
                let matches = program.matches(&payload, &constraint);
                let matches = matches.expect("the receives only test");
                assert!(has || !matches, "{function}: {constraint:?} {message}");
                passed_over += u32::from(!has);
                accepted += u32::from(matches);
            }
        }
        if required > 0 {
            with_requirement.push(function);
        }
    }
    let expected = [
        "keyed_first",
        "keyed_second",
        "keyed_third",
        "keyed_and_guard",
        "keyed_twice",
    ];
    assert_eq!(with_requirement, expected);
    assert!(
        accepted > 0 && passed_over > 10 * accepted,
        "{accepted} {passed_over}"
    );
}
