//! Every file of the installed OTP, of Elixir if it is installed, and of the folders in
//! `MAZURKA_BEAM_FOLDERS`, compared with the output of OTP's own tools.

mod common;

use std::path::Path;

use mazurka_beam::loader::Module;
use mazurka_beam::term::{Term, decode};

#[test]
fn otp_files_match_otps_own_tools() {
    let folders = common::elixir().into_iter().chain(common::others());
    let folders: Vec<String> = folders.map(|folder| folder.display().to_string()).collect();
    let records = common::ask("oracle", &format!("oracle:modules({folders:?},OUT)"));
    println!("OTP and {folders:?}");
    let mut instructions = 0;
    let mut functions = 0;
    let (mut atoms, mut imports, mut exports, mut literals) = (0, 0, 0, 0);
    for record in &records {
        let expected = decode(record).expect("a term");
        let path = path(&expected);
        let module = Module::load(Path::new(&path)).unwrap_or_else(|error| panic!("{error}"));
        check(&described(&module, &path), &expected);
        damage(&path);
        functions += module.functions.len();
        atoms += module.atoms.len();
        imports += module.imports.len();
        exports += module.exports.len();
        literals += module.literals.len();
        let bodies = module.functions.iter().map(|f| f.instructions.len());
        instructions += bodies.sum::<usize>();
    }
    assert!(records.len() > 100, "OTP has more than {}", records.len());
    println!(
        "{} files: {atoms} atoms, {imports} imports, {exports} exports, {functions} functions, \
         {instructions} instructions, {literals} literals",
        records.len()
    );
}

/// Flips one or a few bits at a time. If the loader panics, the output shows which.
fn damage(path: &str) {
    const ROUNDS: usize = 20;
    let whole = std::fs::read(path).expect("a file");
    // A Lehmer generator, so that every run has the same damage.
    let mut random = 48_271_u64;
    for round in 0..ROUNDS {
        let mut bytes = whole.clone();
        for _ in 0..=round % 4 {
            random = random * 48_271 % 0x7fff_ffff;
            let bit = random as usize % (bytes.len() * 8);
            println!("{path}: bit {bit} in round {round}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        let _ = Module::parse(path, &bytes);
        let cut = &whole[..random as usize % whole.len()];
        assert!(Module::parse(path, cut).is_err());
    }
}

/// Compares part by part, so that a difference is readable.
fn check(found: &Term, expected: &Term) {
    let (Term::Tuple(found), Term::Tuple(expected)) = (found, expected) else {
        panic!("{found} {expected}");
    };
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected.iter()) {
        assert_eq!(found.elements().count(), expected.elements().count());
        for (found, expected) in found.elements().zip(expected.elements()) {
            if *expected != Term::atom("written_otherwise") {
                assert_eq!(found, expected);
            }
        }
    }
}

fn path(description: &Term) -> String {
    let Term::Tuple(parts) = description else {
        panic!("{description}");
    };
    let Term::Bits(bits) = &parts[0] else {
        panic!("{description}");
    };
    String::from_utf8(bits.iter().collect()).expect("a path")
}

/// The same description as the oracle's.
fn described(module: &Module, path: &str) -> Term {
    let text = |text: &str| Term::binary(text.as_bytes());
    let number = |number: u32| Term::Int(number.into());
    let atoms = module.atoms.iter().map(|atom| text(atom.name()));
    let mut imports = module.imports.clone();
    imports.sort_by_key(|import| (import.module, import.name, import.arity));
    let imports = imports.iter().map(|import| {
        let (module, name) = (text(import.module.name()), text(import.name.name()));
        Term::tuple([module, name, number(import.arity)])
    });
    let entries = |entries: &[mazurka_beam::loader::Entry]| {
        let mut entries = entries.to_vec();
        entries.sort_by_key(|entry| (entry.name, entry.arity));
        let entries = entries
            .iter()
            .map(|entry| Term::tuple([text(entry.name.name()), number(entry.arity)]));
        Term::list(entries)
    };
    let functions = module.functions.iter().map(|function| {
        Term::tuple([
            text(function.name.name()),
            number(function.arity),
            number(function.entry),
            Term::Int(function.instructions.len() as i64),
        ])
    });
    let literals = module.literals.iter().map(|term| text(&term.to_string()));
    Term::tuple([
        text(path),
        Term::list(atoms),
        Term::list(imports),
        entries(&module.exports),
        entries(&module.locals),
        Term::list(functions),
        Term::list(literals),
    ])
}
