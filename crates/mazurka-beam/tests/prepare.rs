//! Code of the real machine's own modules, of Elixir's if there are any, and of those in the folders
//! that `MAZURKA_BEAM_FOLDERS` names, is made ready to run.

mod common;

use std::path::{Path, PathBuf};
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
    let roots = [root].into_iter().chain(common::elixir());
    let mut folders: Vec<PathBuf> = roots.chain(common::others()).collect();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        let files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        folders.extend(files.iter().filter(|file| is_folder(file)).cloned());
        let library = Library::new([folder]);
        for path in files {
            if path.extension().is_none_or(|extension| extension != "beam") {
                continue;
            }
            let name = path.file_stem().expect("a name").to_string_lossy();
            let code = match library.code(Atom::new(&name)) {
                Ok(code) => code,
                Err(absent) => panic!("{}: {absent:?}", path.display()),
            };
            modules += 1;
            for (pc, instruction) in code.instructions.iter().enumerate() {
                match instruction {
                    Instruction::Unsupported(opcode) => panic!("{}: {opcode:?}", path.display()),
                    Instruction::Receive { info, .. } => {
                        receives += 1;
                        if code.receives[*info as usize].reads == Reads::All {
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

/// Without links, which might lead in circles.
fn is_folder(path: &Path) -> bool {
    path.is_dir() && !path.is_symlink()
}
