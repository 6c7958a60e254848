//! Damaged code is refused, or runs with a different result. It never makes the machine panic.

use mazurka_beam::code::Library;
use mazurka_beam::loader::Module;
use mazurka_beam::machine::{Answer, Input, Machine, Process, Start, Stop};
use mazurka_beam::term::{Atom, Fun, PidTerm, Term};
use proptest::prelude::*;

const FIXTURE: &[u8] = include_bytes!("fixture.beam");
/// The maximum number of instructions of a damaged function.
const INSTRUCTIONS_MAX: u64 = 2_000;
/// The maximum number of stops of a damaged function.
const STOPS_MAX: usize = 20;

/// The position of the instructions in the file.
fn code() -> std::ops::Range<usize> {
    let at = FIXTURE.windows(4).position(|id| id == b"Code");
    let at = at.expect("a chunk");
    let size = FIXTURE[at + 4..at + 8].try_into().expect("four bytes");
    let start = at + 8;
    // Five words come before the instructions.
    start + 20..start + u32::from_be_bytes(size) as usize
}

fn arguments() -> Vec<Term> {
    let fun = Term::fun(Fun::Export {
        module: Atom::ERLANG,
        name: Atom::new("self"),
        arity: 0,
    });
    vec![
        Term::tuple([Term::atom("circle"), 2.5.into()]),
        Term::tuple([1.into(), 2.into(), 3.into()]),
        Term::binary(b"GET \x02\x00abcdef"),
        Term::binary("λ!".as_bytes()),
        fun,
        7.into(),
        Term::list([1.into(), Term::atom("b")]),
    ]
}

/// Runs all functions with all arguments. Returns the number of stops.
fn run(module: Module) -> usize {
    let exports: Vec<(Atom, u32)> = module.exports.iter().map(|e| (e.name, e.arity)).collect();
    let name = module.name;
    let library = Library::new([]);
    if library.add(module).is_err() {
        return 0;
    }
    let mut machine = Machine::new().with_instructions_max(INSTRUCTIONS_MAX);
    let mut stops = 0;
    for (function, arity) in exports {
        for first in arguments() {
            let rest = std::iter::repeat_n(Term::Int(1), (arity as usize).saturating_sub(1));
            let arguments = std::iter::once(first).chain(rest).take(arity as usize);
            let start = Start {
                module: name,
                name: function,
                arguments: arguments.collect(),
                leader: PidTerm::entry(),
                clock_us: 0,
            };
            stops += run_one(&library, &mut machine, &start);
        }
    }
    stops
}

fn run_one(library: &Library, machine: &mut Machine, start: &Start) -> usize {
    let mut process = Process::new(PidTerm::entry(), start);
    let mut effects = Vec::new();
    let mut stop = machine.run(library, &mut process, &mut effects);
    for stops in 0..STOPS_MAX {
        let _ = process.clone();
        let input = match &stop {
            Stop::Receive { constraint, .. } => {
                let message = Term::atom("stop");
                match machine.matches(library, constraint, &message) {
                    Ok(true) => Input::Message(message),
                    _ => Input::Timeout,
                }
            }
            Stop::Ask(_) | Stop::Liveness(_) => Input::Answer(Answer::Refused),
            _ => return stops + 1,
        };
        stop = machine.resume(library, &mut process, input, &mut effects);
    }
    STOPS_MAX
}

#[test]
fn the_fixture_itself_runs() {
    let module = Module::parse("fixture.beam", FIXTURE).expect("a module");
    assert!(run(module) > 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn damaged_instructions(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = FIXTURE.to_vec();
        let code = code();
        for (index, byte) in changes {
            bytes[code.start + index.index(code.len())] = byte;
        }
        if let Ok(module) = Module::parse("fixture.beam", &bytes) {
            run(module);
        }
    }

    #[test]
    fn moved_instructions(
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
        length in 1_usize..12,
    ) {
        let mut bytes = FIXTURE.to_vec();
        let code = code();
        let length = length.min(code.len());
        let from = code.start + from.index(code.len() - length + 1);
        let to = code.start + to.index(code.len() - length + 1);
        bytes.copy_within(from..from + length, to);
        if let Ok(module) = Module::parse("fixture.beam", &bytes) {
            run(module);
        }
    }
}
