//! Runs the real virtual machine.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles a module of this folder and evaluates an expression that writes to the file `OUT`.
/// Returns the records it wrote; none if Erlang is not installed.
#[allow(dead_code, reason = "some tests keep what they compile")]
pub fn ask(module: &str, expression: &str) -> Vec<Vec<u8>> {
    Oracle::compile(&[module]).ask(expression)
}

/// Compiled modules of this folder.
pub struct Oracle {
    folder: tempfile::TempDir,
}

impl Oracle {
    /// Compiles modules.
    pub fn compile(modules: &[&str]) -> Oracle {
        let folder = tempfile::tempdir().expect("a folder");
        for module in modules {
            let source = format!("tests/{module}.erl");
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
            run(Command::new("erlc")
                .arg("-o")
                .arg(folder.path())
                .arg(source));
        }
        Oracle { folder }
    }

    /// The folder of the compiled modules.
    #[allow(dead_code, reason = "most tests only ask")]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Evaluates an expression that writes to the file `OUT`. Returns the records it wrote.
    #[allow(dead_code, reason = "some tests allow the real machine to crash")]
    pub fn ask(&self, expression: &str) -> Vec<Vec<u8>> {
        let (out, mut command) = self.command(expression);
        run(&mut command);
        records(&std::fs::read(out).expect("an answer"))
    }

    /// As [`ask`](Oracle::ask); none if the real machine itself crashes.
    #[allow(dead_code, reason = "most tests expect an answer")]
    pub fn ask_if_it_survives(&self, expression: &str) -> Option<Vec<Vec<u8>>> {
        let (out, mut command) = self.command(expression);
        let output = command.output().expect("a command of Erlang");
        let survives = output.status.success();
        survives.then(|| records(&std::fs::read(out).expect("an answer")))
    }

    fn command(&self, expression: &str) -> (PathBuf, Command) {
        let out = self.folder().join("out");
        let expression = expression.replace("OUT", &format!("{:?}", out.display().to_string()));
        let mut command = Command::new("erl");
        // Our machine only has this time zone.
        command
            .env("TZ", "UTC")
            .env("ERL_CRASH_DUMP_BYTES", "0")
            .args(["-noshell", "-pa"])
            .arg(self.folder())
            .args(["-eval", &format!("{expression}, halt().")]);
        (out, command)
    }
}

fn run(command: &mut Command) {
    let output = command.output().expect("a command of Erlang");
    assert!(output.status.success(), "{output:?}");
}

/// Splits the bytes into records. Each is preceded by its length in four bytes.
fn records(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut records = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let (record, rest) = rest.split_at(u32::from_be_bytes(*length) as usize);
        records.push(record.to_vec());
        bytes = rest;
    }
    records
}

/// Folders with other code: those listed in `MAZURKA_BEAM_FOLDERS`.
#[allow(dead_code, reason = "most tests are about Erlang only")]
pub fn others() -> Vec<PathBuf> {
    let folders = std::env::var_os("MAZURKA_BEAM_FOLDERS").unwrap_or_default();
    let folders = std::env::split_paths(&folders);
    folders.filter(|folder| folder.is_dir()).collect()
}

/// The folder of Elixir's applications, if it is installed.
#[allow(dead_code, reason = "most tests are about Erlang only")]
pub fn elixir() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let commands = std::env::split_paths(&path).map(|folder| folder.join("elixir"));
    let mut scripts = commands.filter_map(|command| command.canonicalize().ok());
    let lib = scripts.next()?.parent()?.parent()?.join("lib");
    lib.join("elixir").is_dir().then_some(lib)
}
