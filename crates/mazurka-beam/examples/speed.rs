//! Erlang programs beside the same programs of the gallery, by turns, in one process.
//!
//! ```text
//! cargo run --release -p mazurka-beam --example speed
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use mazurka_beam::code::Mfa;
use mazurka_beam::source::CodePath;
use mazurka_beam::term::{Atom, Term};
use mazurka_beam::{Program, Rules};
use mazurka_engine::{Delivery, Frontend, Options, Progress, SendersFirst, Settings, check};
use mazurka_gallery::Built;
use mazurka_report::memory;

const REPETITIONS: usize = 7;

/// The name in the gallery, the module, and the number of its workers.
const PROGRAMS: [(&str, &str, i64); 3] = [
    ("fan-in", "fan_in", 8),
    ("fan-in", "fan_in", 9),
    ("registry", "registry", 6),
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/erlang");
    let code = CodePath::find(&[folder.to_string_lossy()], &[])?;
    for (name, module, n) in PROGRAMS {
        let gallery = mazurka_gallery::find(name)?;
        let params = BTreeMap::from([("n".to_owned(), n.to_string())]);
        let (mut erlang, mut native) = (Duration::MAX, Duration::MAX);
        let mut figures = (Progress::default(), 0);
        for _ in 0..REPETITIONS {
            let entry = Mfa {
                module: Atom::new(module),
                name: Atom::new("run"),
                arity: 1,
            };
            let library = code.library();
            let program = Program::new(library, entry, vec![Term::Int(n)], Rules::default());
            let (progress, time) = explore(program.clone())?;
            figures = (progress, program.instructions());
            erlang = erlang.min(time);
            let (expected, time) = match gallery.instantiate(&params)? {
                Built::Actors(actors) => explore(actors)?,
                Built::Rust(program) => explore(program)?,
            };
            native = native.min(time);
            assert_eq!(progress.executions, expected.executions, "{name}");
        }
        let (progress, instructions) = figures;
        let rate = progress.executions as f64 / erlang.as_secs_f64();
        println!(
            "{module}:run({n})  {} executions, {rate:.0}/s, {:.2} times the gallery's time, \
             {instructions} instructions, {} behaviour nodes, {} MiB at most so far",
            progress.executions,
            erlang.as_secs_f64() / native.as_secs_f64(),
            progress.behaviour_nodes,
            memory::peak().unwrap_or(0) >> 20,
        );
    }
    Ok(())
}

fn explore<F: Frontend>(program: F) -> Result<(Progress, Duration), Box<dyn Error>> {
    let settings = Settings {
        explore: Options {
            delivery: Delivery::Unordered,
            ..Options::default()
        },
        ..Settings::default()
    };
    let start = Instant::now();
    let report = check(program, SendersFirst, &settings, |_| {
        ControlFlow::Continue(())
    })?;
    Ok((report.progress, start.elapsed()))
}
