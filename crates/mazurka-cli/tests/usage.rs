//! Arguments, the gallery, the oracle, completions and manual pages.

mod common;

use common::Place;
use mazurka_lab::Algorithm;
use std::process::Stdio;

/// A command line that is wrong, and the error message.
#[track_caller]
fn refused(line: &str, expected: &str) {
    let ran = Place::new().expect(2, line);
    assert!(
        ran.stderr.contains(expected),
        "mazurka {line}\n{}",
        ran.stderr
    );
    assert_eq!(ran.stdout, "", "mazurka {line}");
}

#[test]
fn bad_arguments() {
    refused("check bank", "did you mean gallery:bank?");
    refused("check galery:bank", "did you mean gallery:bank?");
    refused("check Gallery:banc", "did you mean gallery:bank?");
    refused("check gallry:", "did you mean gallery:NAME?");
    refused(
        "check nothing_like_it",
        "neither a file, nor a folder, nor a module",
    );
    refused(
        "check gallery:bank --entry bank:run/0",
        "--entry applies to Erlang programs only",
    );
    refused("check gallery:banc", "did you mean `bank`?");
    refused("gallery banc", "did you mean `bank`?");
    refused(
        "check gallery:fan-in --param n=many",
        "`n` of `fan-in` cannot be `many`",
    );
    refused("check gallery:fan-in --param m=1", "has no parameter `m`");
    refused("check gallery:fan-in --param n", "write it as NAME=VALUE");
    refused(
        "check gallery:fan-in --param n=1 --param n=2",
        "`n` is given twice",
    );
    refused(
        "check gallery:fan-in --delivery fifo",
        "[possible values: unordered, p2p, causal, mailbox]",
    );
    refused(
        "check gallery:fan-in --timeouts sometimes",
        "unknown timeout setting `sometimes`",
    );
    for option in ["max-seconds", "max-executions", "max-depth", "max-memory"] {
        refused(
            &format!("check gallery:fan-in --{option} -1"),
            &format!("invalid value '-1' for '--{option} <"),
        );
    }
    refused(
        "lab papers --max-seconds -0.5",
        "a number of seconds above 0",
    );
    refused("check gallery:fan-in --seed -1", "0 or above");
    refused("lab papers --table -1", "-1 is not in 1..=2");
    refused(
        "lab oracle --cases 99999999999999999999",
        "this number is too large",
    );
    refused(
        "check gallery:fan-in --max-seconds=nan",
        "give a number of seconds",
    );
    refused(
        "check gallery:fan-in --max-executions 0",
        "--max-executions 0 leaves nothing to explore: give a number above 0",
    );
    refused(
        "check gallery:fan-in --error crash",
        "[possible values: orphan, dead-letter, depth-bound]",
    );
    refused(
        "trace gallery:nothing",
        "the gallery has no program `nothing`",
    );
    refused("lab oracle", "--cases <N>");
    for name in ["compare", "papers", "oracle"] {
        refused(
            &format!("{name} gallery:fan-in --cases 1"),
            &format!("`mazurka {name}` was moved: use `mazurka lab {name}`"),
        );
    }
    refused("comparison", "unrecognized subcommand 'comparison'");
    refused("", "Usage: mazurka <COMMAND>");
}

/// What took long to find is not lost for want of a place for its log.
#[test]
fn logs_that_cannot_be_written() {
    let place = Place::new();
    place.write("file", "");
    let line = "gallery:philosophers --log-dir file/logs";
    let ran = place.expect(1, &format!("check {line}"));
    assert!(
        ran.stderr.contains("cannot make the directory file/logs"),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.contains("✗ Deadlock: "), "{}", ran.stdout);
    let token = "Replay: mazurka replay gallery:philosophers mz1:";
    assert!(ran.stdout.contains(token), "{}", ran.stdout);
    let report = place.check(1, line);
    assert_eq!(report["errors"][0]["log"]["mazurka"], "log");
    assert!(report["errors"][0]["log_file"].is_null());
}

#[test]
fn gallery() {
    let place = Place::new();
    let list = place.expect(0, "gallery").stdout;
    for program in mazurka_gallery::programs() {
        assert!(list.contains(&format!("gallery:{}  {}\n", program.name, program.about)));
        let detail = place.expect(0, &format!("gallery {}", program.name)).stdout;
        let prefixed = place
            .expect(0, &format!("gallery gallery:{}", program.name))
            .stdout;
        assert_eq!(detail, prefixed);
        for parameter in program.parameters {
            assert!(detail.contains(parameter.about), "{detail}");
        }
        if let Some(wrong) = &program.wrong {
            assert!(detail.contains(wrong.about), "{detail}");
        }
    }
    assert!(
        list.contains("traces: 6 (unordered, p2p), 2 (causal, mailbox)"),
        "{list}"
    );
}

/// `mazurka gallery | head -1` ends without a word.
#[test]
fn nobody_reads_to_the_end() {
    let place = Place::new();
    for line in ["gallery", "completions bash", "man", "check gallery:fan-in"] {
        let mut child = place
            .command(line)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}");
        assert!(output.stderr.is_empty(), "{line}");
    }
    let mut child = place
        .command("check gallery:philosophers")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1), "a bug is a bug");
}

#[test]
fn oracle() {
    let place = Place::new();
    let text = place.expect(0, "lab oracle --cases 2").stdout;
    let runs: Vec<[&str; 2]> = text
        .lines()
        .map(|line| {
            let mut words = line.split_whitespace().map(str::trim);
            [(); 2].map(|()| words.next().unwrap_or_default())
        })
        .collect();
    let models = ["unordered", "p2p", "causal", "mailbox"];
    let all = Algorithm::ALL.map(|algorithm| models.map(|model| [algorithm.name(), model]));
    assert_eq!(runs, all.as_flattened());
    let line =
        "lab oracle --cases 10 --seed 5 --delivery causal --shape messages --algorithm odpor";
    let text = place.expect(0, line).stdout;
    assert_eq!(text.lines().count(), 1);
    assert_eq!(place.expect(0, line).stdout, text, "the seed decides");
}

#[test]
fn completions_and_manual() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.expect(0, &format!("completions {shell}")).stdout;
        for option in ["keep-going", "preemption-bound", "to-first-error"] {
            assert!(script.contains(option), "{shell}: {option}");
        }
    }
    assert!(place.expect(0, "man").stdout.contains(".TH mazurka 1"));
    place.expect(0, "man -o pages");
    let pages = place.list("pages");
    for page in ["", "-check", "-lab", "-lab-compare", "-lab-papers"] {
        assert!(pages.contains(&format!("mazurka{page}.1")), "{pages:?}");
    }
}

/// A program that is wrong on purpose comes with the command that shows it.
#[test]
fn what_the_gallery_tells_to_try_fails() {
    let place = Place::new();
    let mut tried = 0;
    for program in mazurka_gallery::programs() {
        let Some(wrong) = &program.wrong else {
            continue;
        };
        let text = place.expect(0, &format!("gallery {}", program.name)).stdout;
        let line = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("mazurka "));
        let code = match wrong.kind {
            mazurka_gallery::Mistake::Nondeterminism => 4,
            _ => 1,
        };
        place.expect(code, &format!("{} --no-logs", line.expect("a line to try")));
        tried += 1;
    }
    assert_eq!(tried, 18);
}

/// The option names of a help text. Wrapped lines of a description are indented further.
fn options(help: &str) -> Vec<&str> {
    let lines = help.lines().filter_map(|line| {
        let long_only = line.strip_prefix("      --");
        long_only.or_else(|| {
            line.strip_prefix("  -")?
                .split_once(", --")
                .map(|pair| pair.1)
        })
    });
    let names = lines.map(|line| line.split(' ').next().unwrap_or_default());
    names
        .filter(|name| !["help", "version"].contains(name))
        .collect()
}

/// `-h` has the options that people need first, `--help` all of them under headings.
#[test]
fn short_and_long_help() {
    let place = Place::new();
    let short = place.expect(0, "check -h").stdout;
    let first = [
        "entry",
        "daemon",
        "param",
        "delivery",
        "max-seconds",
        "keep-going",
        "expect",
        "hunt",
        "verbose",
        "html",
    ];
    assert_eq!(options(&short), first, "{short}");
    let long = place.expect(0, "check --help").stdout;
    let headings: Vec<&str> = long
        .lines()
        .filter(|line| line.ends_with(':') && !line.starts_with(' '))
        .collect();
    assert_eq!(
        headings,
        [
            "Arguments:",
            "Options:",
            "Program:",
            "Semantics:",
            "Bounds:",
            "Errors:",
            "Search:",
            "Sampling:",
            "Published algorithms:",
            "Report:",
            "Files:",
            "Exit codes:",
        ],
        "{long}"
    );
    assert_eq!(options(&long).len(), 49, "{long}");
    for command in ["trace", "replay"] {
        let short = place.expect(0, &format!("{command} -h")).stdout;
        assert!(options(&short).len() <= 10, "{short}");
    }
}
