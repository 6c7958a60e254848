//! `.beam` files: loads them and runs every exported function.

use crate::beam_file::BeamFile;
use crate::{Answer, Random, Target, corpus};
use mazurka_beam::code::Library;
use mazurka_beam::loader::Module;
use mazurka_beam::machine::{self, Input, Machine, Process, Start, Stop};
use mazurka_beam::term::{Atom, Fun, PidTerm, Term};

/// The maximum number of instructions from one stop to the next.
const INSTRUCTIONS_MAX: u64 = 2_000;
/// The maximum number of stops of a function.
const STOPS_MAX: usize = 20;

pub(super) struct Run {
    files: [BeamFile; 2],
    machine: Machine,
    arguments: Vec<Term>,
}

impl Default for Run {
    fn default() -> Run {
        Run {
            files: corpus::beam_files(),
            machine: Machine::new().with_instructions_max(INSTRUCTIONS_MAX),
            arguments: arguments(),
        }
    }
}

impl Target for Run {
    fn name(&self) -> &'static str {
        "beam-run"
    }

    fn about(&self) -> &'static str {
        ".beam files with damaged instructions: every exported function is run"
    }

    fn generate(&mut self, random: &mut Random) -> Vec<u8> {
        /// Most damage is detected when the file is loaded, and then nothing can be run.
        const TRIES_MAX: usize = 6;
        let base = random.pick(&self.files);
        let mut file = base.with_damaged_code(random);
        for _ in 1..TRIES_MAX {
            if load(&file).is_some() {
                break;
            }
            file = base.with_damaged_code(random);
        }
        // This byte after the end of the file determines the arguments and the answers that the
        // functions get.
        file.push(random.byte());
        file
    }

    fn read(&mut self, input: &[u8]) -> Answer {
        let Some((&choice, file)) = input.split_last() else {
            return Answer::Refused;
        };
        let Some((name, library)) = load(file) else {
            return Answer::Refused;
        };
        let code = library.code(name).expect("it was added");
        for &(function, arity) in code.exports() {
            let arity = arity.min(255) as usize;
            let arguments = self.arguments.iter().cycle().skip(usize::from(choice));
            let start = Start {
                module: name,
                name: function,
                arguments: arguments.take(arity).cloned().collect(),
                leader: PidTerm::entry(),
                clock_us: 0,
            };
            self.call(&library, &start, choice);
        }
        Answer::Accepted
    }
}

/// The module in a file, prepared for running.
fn load(file: &[u8]) -> Option<(Atom, Library)> {
    let module = Module::parse("it", file).ok()?;
    let name = module.name;
    let library = Library::new([]);
    library.add(module).ok()?;
    Some((name, library))
}

impl Run {
    fn call(&mut self, library: &Library, start: &Start, choice: u8) {
        let mut process = Process::new(PidTerm::entry(), start);
        let mut effects = Vec::new();
        let mut stop = self.machine.run(library, &mut process, &mut effects);
        for number in 0..STOPS_MAX {
            // A snapshot must behave like the process.
            let mut copy = process.clone();
            let input = match &stop {
                Stop::Receive { constraint, .. } => {
                    let messages = self.arguments.iter().cycle().skip(usize::from(choice));
                    let mut messages = messages.skip(number).take(self.arguments.len());
                    let taken = messages.find(|message| {
                        let matches = self.machine.matches(library, constraint, message);
                        matches.is_ok_and(|takes| takes)
                    });
                    match taken {
                        Some(message) => Input::Message(message.clone()),
                        None => Input::Timeout,
                    }
                }
                Stop::Ask(_) | Stop::Liveness(_) => {
                    Input::Answer(answer(choice.wrapping_add(number as u8)))
                }
                _ => return,
            };
            stop = self.machine.resume(library, &mut copy, input, &mut effects);
            process = copy;
        }
    }
}

/// An answer of a shared object, valid or not.
fn answer(choice: u8) -> machine::Answer {
    match choice % 8 {
        0 => machine::Answer::Refused,
        1 => machine::Answer::Bool(true),
        2 => machine::Answer::Pid(Some(PidTerm::entry())),
        3 => machine::Answer::Pids(vec![PidTerm::entry()]),
        4 => machine::Answer::Value(Some(Term::Int(1))),
        5 => machine::Answer::Int(1),
        6 => machine::Answer::Timeout,
        _ => machine::Answer::Ok,
    }
}

/// The arguments and messages that functions get.
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
        Term::atom("stop"),
        Term::tuple([Term::atom("value"), 3.into()]),
    ]
}
