//! The usual mistakes do not compile, and the compiler's messages explain them.
//!
//! Each file in `mistakes/` is a program with one mistake. They are compiled together, as the
//! binaries of one package, because most of the time goes into starting to compile.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A program, and texts that the compiler's messages must contain.
const MISTAKES: &[(&str, &[&str])] = &[
    (
        "not_a_message",
        &[
            "`Job` cannot be sent as a message",
            "#[derive(Clone, Debug, PartialEq)]",
        ],
    ),
    (
        "not_comparable",
        &[
            "`Job` cannot be sent as a message",
            "the trait `PartialEq` is not implemented",
        ],
    ),
    ("not_a_key", &["`{float}` cannot be a name or a key"]),
    (
        "spawned_block",
        &[
            "cannot be run as a process",
            "write `|| async { … }` for an `async` block",
        ],
    ),
    (
        "spawned_call",
        &[
            "cannot be run as a process",
            "`move || worker(argument)` for a call of an `async fn`",
        ],
    ),
    (
        "not_awaited",
        &[
            "that must be used",
            "futures do nothing unless you `.await`",
        ],
    ),
    (
        "not_awaited_but_used",
        &["mismatched types", "consider `await`ing"],
    ),
    (
        "no_type",
        &["which type of message is `number`? Write `number: Type`"],
    ),
    ("no_type_unused", &["which type of message is `_number`?"]),
    ("no_comma", &["a `,` is missing before this arm"]),
    ("no_arrow", &["`=>` is missing here"]),
    (
        "not_async",
        &["#[mazurka::test] needs an `async fn` without parameters"],
    ),
    ("not_a_setting", &["settings are `name = value` or `name`"]),
    (
        "not_an_ending",
        &["a process cannot end with", "is a `;` missing?"],
    ),
    (
        "borrowed",
        &[
            "to force the closure to take ownership",
            "use the `move` keyword",
        ],
    ),
];

/// Compiles all programs; returns the compiler's messages for each.
fn compile() -> BTreeMap<String, String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mistakes");
    fs::create_dir_all(&package).unwrap();
    let mut manifest = format!(
        "[package]\nname = 'mistakes'\nversion = '0.0.0'\nedition = '2024'\n\
         [workspace]\n[dependencies]\nmazurka = {{ path = '{}' }}\n",
        here.display()
    );
    for (name, _) in MISTAKES {
        let file = here.join("tests/mistakes").join(name).with_extension("rs");
        let file = file.display();
        write!(
            manifest,
            "[[bin]]\nname = '{name}'\npath = '{file}'\ntest = true\n"
        )
        .unwrap();
    }
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    // The same versions of everything, so that nothing must be fetched.
    fs::copy(here.join("../../Cargo.lock"), package.join("Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args([
            "check",
            "--tests",
            "--keep-going",
            "--offline",
            "--message-format=json",
        ])
        .current_dir(&package)
        .env("CARGO_TARGET_DIR", package.join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    assert!(!output.status.success());
    let mut messages: BTreeMap<String, String> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        if let (Some(name), Some(text)) = (
            message["target"]["name"].as_str(),
            message["message"]["rendered"].as_str(),
        ) {
            *messages.entry(name.to_owned()).or_default() += text;
        }
    }
    assert!(
        !messages.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    messages
}

#[test]
fn the_compiler_says_what_is_wrong() {
    let messages = compile();
    for (name, expected) in MISTAKES {
        let text = messages.get(*name).map_or("nothing", String::as_str);
        for part in *expected {
            assert!(text.contains(part), "{name}: {part:?} is not in:\n{text}");
        }
    }
}
