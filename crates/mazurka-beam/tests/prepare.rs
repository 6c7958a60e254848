//! Code of the real machine's own modules, and of Elixir's if there are any, is made ready to run.

mod common;

use std::path::PathBuf;
use std::process::Command;

use mazurka_beam::code::{Instruction, Library, Reads};
use mazurka_beam::term::Atom;

#[test]
fn all_modules_can_be_run() {
    let output = Command::new("erl")
        .args(["-noshell", "-eval"])
        .arg("io:format(\"~s\", [code:lib_dir()]), halt().")
        .output()
        .expect("Erlang");
    let root = PathBuf::from(String::from_utf8(output.stdout).expect("UTF-8"));
    let (mut modules, mut receives, mut unknown) = (0, 0, Vec::new());
    let applications = std::fs::read_dir(root).expect("a folder");
    let elixir = common::elixir().map(|lib| std::fs::read_dir(lib).expect("a folder"));
    for application in applications.chain(elixir.into_iter().flatten()).flatten() {
        let folder = application.path().join("ebin");
        let Ok(files) = std::fs::read_dir(&folder) else {
            continue;
        };
        let library = Library::new([folder]);
        for file in files.flatten() {
            let path = file.path();
            if path.extension().is_none_or(|extension| extension != "beam") {
                continue;
            }
            let name = path.file_stem().expect("a name").to_string_lossy();
            let code = match library.code(Atom::new(&name)) {
                Ok(code) => code,
                Err(absent) => panic!("{name}: {absent:?}"),
            };
            modules += 1;
            for (pc, instruction) in code.instructions.iter().enumerate() {
                match instruction {
                    Instruction::Unsupported(opcode) => panic!("{name}: {opcode:?}"),
                    Instruction::Receive { reception, .. } => {
                        receives += 1;
                        if code.receives[*reception as usize].reads == Reads::All {
                            let function = code.function_at(pc as u32).map(|info| info.mfa);
                            unknown.push(format!("{function:?}"));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    println!("{modules} modules, {receives} receives");
    assert!(modules > 100);
    assert_eq!(
        unknown,
        ["Some(prim_eval:'receive'/2)"],
        "receives that do more than test"
    );
}
