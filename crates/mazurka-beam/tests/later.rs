//! Code compiled by OTP 27 and OTP 29, which need not be installed. `tests/data` contains the files,
//! their sources, and the results of the real machines.

use std::path::Path;

use mazurka_beam::code::Library;
use mazurka_beam::machine::{End, Start, Stop};
use mazurka_beam::source::Otp;
use mazurka_beam::term::{Atom, PidTerm};
use world::World;

#[path = "machine/world.rs"]
mod world;

/// Runs every case of a module. Returns the number of cases.
#[track_caller]
fn check(release: u32, module: &str) -> usize {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let folder = data.join(format!("otp{release}"));
    let answers = folder.join(format!("{module}.txt"));
    let answers = std::fs::read_to_string(answers).expect("answers");
    // Some cases use library functions, which have not changed since.
    let otp = Otp::find().expect("an installation");
    let folders = [folder].into_iter().chain(otp.folders());
    let library = Library::new(folders).with_release(release);
    let mut wrong = Vec::new();
    for answer in answers.lines() {
        let (case, real) = answer.split_once(' ').expect("a name and a value");
        // This case calls a function that exists since OTP 26.
        if case == "map_generator" && otp.release() < Some(26) {
            continue;
        }
        let ours = run(&library, module, case);
        if ours != real {
            wrong.push(format!("{case}\n  ours {ours}\n  real {real}"));
        }
    }
    assert!(wrong.is_empty(), "OTP {release}: {}", wrong.join("\n"));
    answers.lines().count()
}

fn run(library: &Library, module: &str, name: &str) -> String {
    let mut world = World::new(library);
    let start = Start {
        module: Atom::new(module),
        name: Atom::new(name),
        arguments: Vec::new(),
        leader: PidTerm::entry(),
        clock_us: 0,
    };
    world.spawn(PidTerm::entry(), &start);
    world.run();
    match world.end_of(PidTerm::entry()) {
        Some(Stop::Exit(End::Returned { value })) => value.to_string(),
        other => format!("{other:?}"),
    }
}

#[test]
fn code_of_otp_27() {
    assert_eq!(check(27, "later"), 33);
}

#[test]
fn code_of_otp_29() {
    assert_eq!(check(29, "later"), 33);
    assert_eq!(check(29, "later_29"), 8);
}
