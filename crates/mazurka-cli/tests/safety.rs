//! Nothing is lost: sources are not replaced, files are not half-written, what was found before a
//! signal is reported, and what is read has a limit.

#![cfg(unix)]

mod common;

use common::{Place, Ran, example};
use serde_json::Value;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SOURCE: &str = "-module(m).
-export([main/0, race_test/0, pair/2]).
main() -> ok.
pair(_, _) -> hidden().
hidden() -> ok.
race_test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    receive First -> ok end,
    receive _ -> 1 = First end.
";

fn with_source() -> Place {
    let place = Place::new();
    place.write("m.erl", SOURCE);
    place
}

const OUTPUTS: [&str; 6] = ["html", "svg", "mermaid", "dot", "junit", "sarif"];

#[track_caller]
fn fails_with(ran: &Ran, expected: &str) {
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn an_input_is_never_an_output() {
    let place = with_source();
    symlink("m.erl", place.path().join("soft")).unwrap();
    fs::hard_link(place.path().join("m.erl"), place.path().join("hard")).unwrap();
    fs::create_dir(place.path().join("d")).unwrap();
    for name in ["m.erl", "./d/../m.erl", "soft", "hard"] {
        for force in ["", "--force"] {
            let ran = place.expect(2, &format!("check m.erl --html {name} {force}"));
            fails_with(&ran, "this command reads it");
        }
    }
    for option in OUTPUTS {
        fails_with(
            &place.expect(2, &format!("check m.erl --{option} m.erl")),
            "this command reads it",
        );
        // A folder is read as a whole.
        fails_with(
            &place.expect(2, &format!("check . --{option} m.erl --force")),
            "this command reads it",
        );
    }
    fails_with(
        &place.expect(2, "trace m.erl --entry main/0 -o m.erl"),
        "this command reads it",
    );
    assert_eq!(place.read("m.erl"), SOURCE);
}

#[test]
fn an_input_is_never_an_output_of_traces() {
    let place = Place::new();
    fs::copy(example(), place.path().join("p3-3-takes-6.json")).unwrap();
    let before = place.read("p3-3-takes-6.json");
    fails_with(
        &place.expect(2, "variants p3-3-takes-6.json -o . --force"),
        "this command reads it",
    );
    assert_eq!(
        place.list("."),
        ["p3-3-takes-6.json"],
        "nothing is made in vain"
    );
    assert_eq!(place.read("p3-3-takes-6.json"), before);

    place.expect(0, "trace gallery:selective -o t.json");
    let before = place.read("t.json");
    for line in [
        "trace gallery:selective --log t.json -o t.json",
        "replay gallery:selective t.json --svg t.json --force",
        "trace gallery:selective --log t.json --mermaid ./t.json",
    ] {
        fails_with(&place.expect(2, line), "this command reads it");
    }
    assert_eq!(place.read("t.json"), before);
}

#[test]
fn only_our_own_files_are_replaced() {
    let place = with_source();
    let all = OUTPUTS
        .map(|option| format!("--{option} out.{option}"))
        .join(" ");
    // They are ours, so a second check replaces them.
    for _ in 0..2 {
        place.expect(1, &format!("check m.erl {all}"));
    }
    assert_eq!(place.list(".").len(), 1 + OUTPUTS.len() + 1);
    for option in OUTPUTS {
        place.write("notes", "my notes\n");
        let line = format!("check m.erl --{option} notes");
        let ran = place.expect(2, &line);
        fails_with(&ran, "will not replace notes: it exists and is not a");
        assert_eq!(ran.stdout, "", "it is refused before anything is run");
        assert_eq!(place.read("notes"), "my notes\n");
        place.expect(1, &format!("{line} --force"));
        assert_ne!(place.read("notes"), "my notes\n");
        // It is ours, but another kind of it.
        place.write("empty", "");
        place.expect(1, &format!("check m.erl --{option} empty"));
        let other = OUTPUTS[usize::from(option == OUTPUTS[0])];
        place.expect(2, &format!("check m.erl --{other} out.{option}"));
    }
    place.write("notes", "my notes\n");
    fails_with(
        &place.expect(2, "trace gallery:bank -o notes"),
        "will not replace notes",
    );
    place.expect(0, "trace gallery:bank -o notes --force");
    place.expect(0, "trace gallery:bank -o notes");
}

#[test]
fn variants_and_manual_pages_replace_only_their_own() {
    let place = Place::new();
    fs::copy(example(), place.path().join("example.json")).unwrap();
    for format in ["log", "trace"] {
        place.expect(0, &format!("variants example.json -o v --format {format}"));
    }
    place.write("v/p3-6-takes-8.json", "mine");
    fails_with(
        &place.expect(2, "variants example.json -o v"),
        "will not replace v/p3-6-takes-8.json",
    );
    place.expect(0, "variants example.json -o v --force");

    place.expect(0, "man -o man");
    place.expect(0, "man -o man");
    place.write("man/mazurka-check.1", "mine");
    fails_with(
        &place.expect(2, "man -o man"),
        "will not replace man/mazurka-check.1",
    );
    place.expect(0, "man -o man --force");
}

#[test]
fn logs_of_errors_do_not_replace_what_is_not_ours() {
    let place = Place::new();
    fs::create_dir(place.path().join("logs")).unwrap();
    place.write("logs/gallery-bank-crash-crash-1.json", "mine");
    let kind = |name: &str| place.list(name);
    let report = place.check(1, "gallery:lost-update --log-dir logs");
    let file = report["errors"][0]["log_file"].as_str().unwrap().to_owned();
    place.write(&file, "mine");
    let again = place.check(1, "gallery:lost-update --log-dir logs");
    let other = again["errors"][0]["log_file"].as_str().unwrap();
    assert_eq!(place.read(&file), "mine");
    assert_ne!(other, file);
    assert_eq!(kind("logs").len(), 3);
    place.write("plain", "mine");
    fails_with(
        &place.expect(2, "check gallery:fan-in --log-dir plain"),
        "--log-dir plain: not a directory",
    );
}

/// No page of a manual is half-written when the disk is full.
#[test]
fn a_full_disk_leaves_no_half_pages() {
    let place = Place::new();
    let whole = Place::new();
    whole.expect(0, "man -o man");
    // Files may have 4,096 bytes, or 2,048; the system then refuses to write more.
    let script = "trap '' XFSZ; ulimit -f 4; exec \"$0\" man -o man";
    let ran = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_mazurka")])
        .current_dir(place.path())
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(2));
    let error = String::from_utf8(ran.stderr).unwrap();
    assert!(error.contains("cannot write man/mazurka"), "{error}");
    assert!(!error.contains(".mazurka-"), "{error}");
    for name in place.list("man") {
        let file = format!("man/{name}");
        assert_eq!(place.read(&file), whole.read(&file), "{name}");
    }
}

fn signal(child: &Child, name: &str) {
    let killed = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
}

#[test]
fn signals_that_end_a_command_do_so_politely() {
    for name in ["-TERM", "-HUP"] {
        let place = Place::new();
        let line = "check gallery:fan-in --param n=12 --format json";
        let child = place.command(line).stdout(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(1000));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{name}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["stopped"], "interrupted", "{name}");
    }
}

/// `nohup` wants the command to outlive its terminal.
#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let place = Place::new();
    let script = "trap '' HUP; exec \"$0\" check gallery:fan-in --param n=12 --format json \
                  --max-seconds 2";
    let child = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_mazurka")])
        .current_dir(place.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1000));
    signal(&child, "-HUP");
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["stopped"], "time-bound");
}

/// A check that is killed leaves the logs of what it had found.
#[test]
fn logs_are_written_when_errors_are_found() {
    let place = Place::new();
    let line = "check gallery:lost-update --param n=9 --keep-going";
    let mut command = place.command(line);
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    let logs = loop {
        let is_there = place.path().join("mazurka-logs").is_dir();
        let logs = match is_there {
            true => place.list("mazurka-logs"),
            false => Vec::new(),
        };
        let whole = logs.iter().find(|name| name.ends_with(".json"));
        if let Some(log) = whole {
            break log.clone();
        }
        assert!(started.elapsed() < Duration::from_secs(30), "no log");
        assert!(child.try_wait().unwrap().is_none(), "it is still at work");
        std::thread::sleep(Duration::from_millis(20));
    };
    signal(&child, "-KILL");
    child.wait().unwrap();
    place.expect(
        1,
        &format!("replay gallery:lost-update mazurka-logs/{logs}"),
    );
}

#[test]
fn what_is_read_has_a_limit() {
    let place = Place::new();
    let at = |name: &str| place.path().join(name);
    for name in ["z.beam", "z.erl"] {
        symlink("/dev/zero", at(name)).unwrap();
    }
    for name in ["p.beam", "p.erl"] {
        assert!(
            Command::new("mkfifo")
                .arg(at(name))
                .status()
                .unwrap()
                .success()
        );
    }
    for name in ["z.beam", "z.erl", "p.beam", "p.erl"] {
        fails_with(
            &place.expect(2, &format!("check {name} --entry m:main/0")),
            &format!("cannot read {name}: it is not a regular file"),
        );
    }
    fails_with(&place.expect(2, "check ."), "it is not a regular file");
    for line in [
        "races /dev/zero",
        "linearise /dev/zero",
        "variants /dev/zero -o v",
        "replay gallery:bank /dev/zero",
        "trace gallery:bank --log /dev/zero",
    ] {
        fails_with(
            &place.expect(2, line),
            "cannot read /dev/zero: it is larger than 256 MiB",
        );
    }
    fails_with(
        &place.expect(2, "races ."),
        "cannot read .: it is a directory",
    );
    // A module of the program that is a device is no module.
    place.write("user.erl", "-module(user_).\n");
    fs::create_dir(at("lib")).unwrap();
    symlink("/dev/zero", at("lib/other.beam")).unwrap();
    let source = "-module(caller).\n-export([main/0]).\nmain() -> other:f().\n";
    fs::create_dir(at("own")).unwrap();
    place.write("own/caller.erl", source);
    place.expect(1, "check own/caller.erl --entry main/0 --pa lib");
}

/// Traces may come through a pipe.
#[test]
fn a_pipe_is_read() {
    let place = Place::new();
    fs::copy(example(), place.path().join("e.json")).unwrap();
    let mut races = place.command("races /dev/stdin");
    let file = fs::File::open(place.path().join("e.json")).unwrap();
    let mut cat = Command::new("cat")
        .stdin(file)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let ran: Ran = races
        .stdin(cat.stdout.take().unwrap())
        .output()
        .unwrap()
        .into();
    cat.wait().unwrap();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout
            .ends_with("6 receives, 4 with a race; 2 orphans\n")
    );
}

#[test]
fn names_with_line_breaks_and_bytes_that_are_not_text() {
    let place = Place::new();
    for (name, shown) in [
        (&b"two\nlines"[..], "two\\x0alines"),
        (b"not\xfftext", "not\\xfftext"),
        (b"with space", "with space"),
    ] {
        let folder = OsString::from_vec(name.to_vec());
        fs::create_dir(place.path().join(&folder)).unwrap();
        let file = place.path().join(&folder).join("m.erl");
        let relative = std::path::Path::new(&folder).join("m.erl");
        fs::write(&file, SOURCE).unwrap();
        let run = |arguments: &[&str]| -> Ran {
            let mut command = place.command("");
            command
                .arg(arguments[0])
                .arg(&relative)
                .args(&arguments[1..]);
            command.output().unwrap().into()
        };
        let ran = run(&["check", "--entry", "main/0"]);
        assert_eq!(ran.code, Some(0), "{shown}: {}", ran.stderr);
        assert!(
            ran.stdout.contains(&format!("{shown}/m.erl")),
            "{}",
            ran.stdout
        );
        // The name as it is shown will do as well.
        let file = format!("{shown}/m.erl");
        let mut again = place.command("check --entry main/0");
        let ran: Ran = again.arg(&file).output().unwrap().into();
        assert_eq!(ran.code, Some(0), "{shown}: {}", ran.stderr);
        // Errors name it on one line.
        let missing = std::path::Path::new(&folder).join("races.json");
        let mut races = place.command("races");
        let ran: Ran = races.arg(missing).output().unwrap().into();
        let expected = format!("error: cannot read {shown}/races.json: No such file");
        assert!(ran.stderr.starts_with(&expected), "{}", ran.stderr);
        // A folder of the code path.
        place.write(
            "user.erl",
            "-module(user).\n-export([f/0]).\nf() -> m:main().\n",
        );
        let mut check = place.command("check user.erl --entry f/0 --pa");
        let ran: Ran = check.arg(&folder).output().unwrap().into();
        assert!(
            !ran.stderr.contains("no such folder"),
            "{shown}: {}",
            ran.stderr
        );
    }
}

#[test]
fn entries_that_are_meant_otherwise() {
    let place = with_source();
    place.expect(0, "check m.erl --entry main/0");
    place.expect(0, "check m.erl --entry pair(1,x)");
    let exports = "(it exports main/0, pair/2, race_test/0)";
    for (entry, expected) in [
        (
            "m:mian/0",
            "m exports no function mian/0: did you mean main/0?",
        ),
        (
            "mian/0",
            "m exports no function mian/0: did you mean main/0?",
        ),
        (
            "m:xyzzy/0",
            "m exports no function xyzzy/0: choose one of its exports",
        ),
        (
            "m:hidden/0",
            "it exists, but only exported functions can be called",
        ),
    ] {
        let ran = place.expect(2, &format!("check m.erl --entry {entry}"));
        fails_with(&ran, expected);
        fails_with(&ran, exports);
    }
    fails_with(
        &place.expect(2, "check m.erl --entry m:pair(1)"),
        "m exports pair with 2 arguments, not with 1",
    );
    fails_with(
        &place.expect(2, "check m.erl --entry main"),
        "--entry main: column 5",
    );
    fs::create_dir(place.path().join("d")).unwrap();
    for name in ["a", "b"] {
        let source = format!("-module({name}).\n-export([main/0]).\nmain() -> ok.\n");
        place.write(&format!("d/{name}.erl"), &source);
    }
    fails_with(
        &place.expect(2, "check d --entry main/0"),
        "--entry main/0: give the module: a:main/0, b:main/0",
    );
    place.expect(0, "check d --entry a:main/0");
    fails_with(&place.expect(2, "check n.erl"), "did you mean m.erl?");
}
