//! Compiles many programs in one run of the compiler.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use mazurka_beam::code::Mfa;
use mazurka_beam::source::CodePath;
use mazurka_beam::term::Atom;
use mazurka_beam::{Program, Rules};
use tempfile::TempDir;

/// The number of programs in one module. A module is loaded as a whole, but each module also costs
/// compile time.
const PER_MODULE: usize = 8;

/// Compiled programs.
pub struct Batch {
    code: CodePath,
    _folder: TempDir,
}

impl Batch {
    /// Compiles programs, each given as its functions, with the entry function `pN`, and the modules
    /// that they use.
    pub fn compile(programs: &[String], more: &[(&str, &str)]) -> Batch {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name).with_extension("erl");
            fs::write(file, text).expect("a file");
        };
        for (number, programs) in programs.chunks(PER_MODULE).enumerate() {
            let mut text = format!("-module(oracle_{number}).\n");
            text.push_str("-compile([export_all, nowarn_export_all, nowarn_unused_vars]).\n");
            for program in programs {
                _ = writeln!(text, "{program}");
            }
            write(&format!("oracle_{number}"), &text);
        }
        for (name, text) in more {
            write(name, text);
        }
        let path = folder.path().to_str().expect("a name");
        let code = CodePath::find(&[path], &[]);
        Batch {
            code: code.unwrap_or_else(|error| panic!("{error}")),
            _folder: folder,
        }
    }

    /// The folder of the compiled modules.
    pub fn folder(&self) -> &Path {
        &self.code.folders[0]
    }

    /// A fresh front-end for a program.
    pub fn program(&self, number: usize) -> Program {
        let (module, function) = entry(number);
        let entry = Mfa {
            module: Atom::new(&module),
            name: Atom::new(&function),
            arity: 0,
        };
        Program::new(self.code.library(), entry, Vec::new(), Rules::default())
    }
}

/// The module and the entry function of a program.
pub fn entry(number: usize) -> (String, String) {
    let module = format!("oracle_{}", number / PER_MODULE);
    (module, name(number))
}

/// The name of a program's functions.
pub fn name(number: usize) -> String {
    format!("p{number}")
}
