//! Random operations on tables of all types, match specifications included, compared with the real
//! `ets`.
//!
//! `MAZURKA_ETS_OPERATIONS=200000 cargo test --release -p mazurka-beam --test ets` runs as many
//! operations as that.

mod common;
#[path = "machine/world.rs"]
mod world;

use common::Oracle;
use mazurka_beam::code::Library;
use mazurka_beam::machine::{End, Start, Stop};
use mazurka_beam::source::Otp;
use mazurka_beam::term::{Atom, PidTerm, Term, decode};
use world::World;

/// Operations of one process.
const PER_PROCESS: usize = 2_000;

fn count() -> usize {
    let wanted = std::env::var("MAZURKA_ETS_OPERATIONS").ok();
    wanted.and_then(|count| count.parse().ok()).unwrap_or(4_000)
}

#[test]
fn random_operations() {
    let oracle = Oracle::compile(&["ets_cases"]);
    let otp = Otp::find().expect("an installation");
    let folders = [oracle.folder().to_path_buf()].into_iter();
    let library =
        Library::new(folders.chain(otp.folders())).with_release(otp.release().expect("a release"));
    let (mut compared, mut crashes) = (0, 0);
    for seed in 1.. {
        if compared >= count() {
            break;
        }
        let expression = format!(
            "file:write_file(OUT, begin B = term_to_binary(ets_cases:run({seed}, {PER_PROCESS})), \
             <<(byte_size(B)):32, B/binary>> end)"
        );
        // Some of these operations corrupt the memory of OTP 25.
        let Some(real) = oracle.ask_if_it_survives(&expression) else {
            crashes += 1;
            assert!(
                crashes * 10 <= seed + 10,
                "the real machine crashes too often"
            );
            continue;
        };
        let real = decode(&real[0]).expect("a term");
        let start = Start {
            module: Atom::new("ets_cases"),
            name: Atom::new("run"),
            arguments: vec![(seed as i64).into(), (PER_PROCESS as i64).into()],
            leader: PidTerm::entry(),
            clock_us: 0,
        };
        let mut world = World::new(&library);
        world.spawn(PidTerm::entry(), &start);
        world.run();
        let ours = match world.end_of(PidTerm::entry()) {
            Some(Stop::Exit(End::Returned { value })) => value.clone(),
            other => panic!("seed {seed}: {other:?}"),
        };
        compared += compare(seed, &ours, &real);
    }
    println!("{compared} operations compared; the real machine crashed {crashes} times");
}

/// Compares batches of results. Returns the number of results.
fn compare(seed: usize, ours: &Term, real: &Term) -> usize {
    let mut compared = 0;
    for (ours, real) in ours.elements().zip(real.elements()) {
        let mut before: Vec<String> = Vec::new();
        for (ours, real) in ours.elements().zip(real.elements()) {
            let from = before.len().saturating_sub(12);
            assert!(
                ours == real,
                "seed {seed}\n  before\n    {}\n  ours {ours}\n  real {real}",
                before[from..].join("\n    ")
            );
            before.push(ours.to_string());
            compared += 1;
        }
    }
    assert_eq!(ours.elements().count(), real.elements().count());
    compared
}
