//! Finds and compiles programs with the real compiler.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use mazurka_beam::loader::Module;
use mazurka_beam::source::{CodePath, Otp, SourceError};

/// The installation to compile with.
fn otp() -> Otp {
    Otp::find().unwrap_or_else(|error| panic!("{error}"))
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }
    folder
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn find(otp: &Otp, inputs: &[PathBuf], paths: &[PathBuf]) -> Result<CodePath, SourceError> {
    let inputs: Vec<String> = inputs.iter().map(|path| text(path)).collect();
    CodePath::find_with(&inputs, paths, Ok(otp.clone()))
}

/// Loads the module with this name.
fn load(program: &CodePath, module: &str) -> Module {
    let file = format!("{module}.beam");
    let mut files = program.folders.iter().map(|folder| folder.join(&file));
    let file = files.find(|file| file.is_file()).expect("the module");
    Module::load(&file).expect("a module")
}

#[test]
fn the_installation() {
    let otp = otp();
    assert!(otp.release().expect("a release") >= 24);
    assert!(otp.compiler().is_file());
    let folders = otp.folders();
    let has = |module: &str| folders.iter().any(|folder| folder.join(module).is_file());
    assert!(has("lists.beam") && has("application.beam"));
}

#[test]
fn a_source_with_a_header_and_a_warning() {
    let otp = otp();
    let folder = folder(&[
        (
            "src/one.erl",
            "-module(one).\n-export([f/0]).\n-include(\"local.hrl\").\n-include(\"shared.hrl\").\n\
             f() -> ?HERE + ?THERE.\nunused() -> 1.\n",
        ),
        ("src/local.hrl", "-define(HERE, 1).\n"),
        ("include/shared.hrl", "-define(THERE, 2).\n"),
    ]);
    let source = folder.path().join("src/one.erl");
    let program = find(&otp, std::slice::from_ref(&source), &[]).expect("it compiles");
    assert_eq!(program.modules, ["one"]);
    assert!(
        program
            .warnings
            .starts_with(&format!("{}:6:", text(&source)))
    );
    assert!(program.warnings.contains("unused"));
    let compiled = program.folders[0].clone();
    assert!(compiled.join("one.beam").is_file());
    assert!(!folder.path().join("src/one.beam").exists());
    assert!(program.contains("lists"));
    assert!(!program.contains("../one"));
    drop(program);
    assert!(!compiled.exists(), "the folder is temporary");
}

#[test]
fn compile_errors_are_the_compilers_output() {
    let otp = otp();
    let folder = folder(&[
        ("bad.erl", "-module(bad).\n-export([f/0]).\nf() -> g().\n"),
        ("good.erl", "-module(good).\n"),
    ]);
    let error = find(&otp, &[folder.path().to_path_buf()], &[]).expect_err("an error");
    assert!(matches!(error, SourceError::Compile(_)));
    let place = format!(
        "{}:3:8: function g/0 undefined\n",
        text(&folder.path().join("bad.erl"))
    );
    assert!(error.to_string().starts_with(&place), "{error}");
}

#[test]
fn a_folder_of_interdependent_sources() {
    let otp = otp();
    let folder = folder(&[
        (
            "a_user.erl",
            "-module(a_user).\n-behaviour(the_behaviour).\n-compile({parse_transform, transform}).\n\
             -export([run/0]).\nrun() -> ok.\n",
        ),
        (
            "the_behaviour.erl",
            "-module(the_behaviour).\n-callback run() -> ok.\n",
        ),
        (
            "transform.erl",
            "-module(transform).\n-export([parse_transform/2]).\n\
             parse_transform(Forms, _) -> Forms.\n",
        ),
        ("notes.txt", "nothing"),
    ]);
    let program = find(&otp, &[folder.path().to_path_buf()], &[]).expect("it compiles");
    assert_eq!(program.warnings, "");
    assert_eq!(program.modules, ["a_user", "the_behaviour", "transform"]);
}

#[test]
fn the_newer_of_source_and_compiled_file_is_used() {
    let otp = otp();
    let old = "-module(one).\n-export([old/0]).\nold() -> 1.\n";
    let new = "-module(one).\n-export([new/0]).\nnew() -> 1.\n";
    let folder = folder(&[("one.erl", old)]);
    let (source, compiled) = (
        folder.path().join("one.erl"),
        folder.path().join("one.beam"),
    );
    let program = find(&otp, std::slice::from_ref(&source), &[]).expect("it compiles");
    fs::copy(program.folders[0].join("one.beam"), &compiled).expect("a copy");
    fs::write(&source, new).expect("a file");
    let exports = |inputs: &[PathBuf]| {
        let program = find(&otp, inputs, &[]).expect("it compiles");
        let exports = load(&program, "one").exports;
        let mut names = exports.iter().map(|export| export.name.name());
        names.find(|name| *name != "module_info").expect("a name")
    };
    let inputs = [folder.path().to_path_buf()];
    let set = |file: &Path, seconds| {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let file = fs::File::options().write(true).open(file).expect("a file");
        file.set_modified(time).expect("a time");
    };
    set(&source, 2_000);
    set(&compiled, 1_000);
    assert_eq!(exports(&inputs), "new");
    set(&compiled, 3_000);
    assert_eq!(exports(&inputs), "old");
    assert_eq!(exports(std::slice::from_ref(&compiled)), "old");
    // A source that the user names is always compiled.
    assert_eq!(exports(std::slice::from_ref(&source)), "new");
}

#[test]
fn the_root_of_an_application() {
    let otp = otp();
    let folder = folder(&[("src/app_main.erl", "-module(app_main).\n")]);
    let program = find(&otp, &[folder.path().to_path_buf()], &[]).expect("it compiles");
    assert_eq!(program.modules, ["app_main"]);
}

#[test]
fn names_of_modules() {
    let otp = otp();
    let inputs = [PathBuf::from("lists"), PathBuf::from("gen_server")];
    let program = find(&otp, &inputs, &[]).expect("modules");
    assert_eq!(program.modules, ["lists", "gen_server"]);
    let check = |input: &str, expected: &str| {
        let error = find(&otp, &[PathBuf::from(input)], &[]).expect_err("an error");
        assert_eq!(error.to_string(), expected);
    };
    check(
        "no_such_module",
        "no_such_module is neither a file, nor a folder, nor a module on the code path",
    );
    check(
        "/nowhere/x.erl",
        "cannot read /nowhere/x.erl: No such file or directory (os error 2)",
    );
    let folder = folder(&[("notes.txt", "nothing")]);
    let notes = folder.path().join("notes.txt");
    check(
        &text(&notes),
        &format!("{} is neither an .erl nor a .beam file", notes.display()),
    );
    check(
        &text(folder.path()),
        &format!(
            "{} has neither .erl nor .beam files",
            folder.path().display()
        ),
    );
}

#[test]
fn without_erlang() {
    let folder = folder(&[("one.erl", "-module(one).\n"), ("two.beam", "")]);
    let find = |input: &str| CodePath::find_with(&[input], &[], Err(SourceError::NoErlang));
    let error = find(&text(&folder.path().join("one.erl"))).expect_err("an error");
    assert!(matches!(error, SourceError::NoErlang));
    assert!(error.to_string().contains("MAZURKA_OTP"));
    let program = find(&text(&folder.path().join("two.beam"))).expect("no need for it");
    assert_eq!(program.modules, ["two"]);
    let error = find("lists").expect_err("an error");
    assert!(
        error
            .to_string()
            .starts_with("lists is neither a file nor a folder")
    );
    assert!(error.to_string().contains("MAZURKA_OTP"));
}

#[test]
fn the_examples_compile_without_a_warning() {
    let otp = otp();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/erlang");
    let program = find(&otp, &[examples], &[]).expect("they compile");
    assert_eq!(program.warnings, "");
    assert_eq!(program.modules.len(), 13);
}
