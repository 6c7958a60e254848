//! The pages of the documentation: every command in a `console` block prints what the page shows, and
//! every link leads somewhere.
//!
//! A block is run in a folder with the files of `examples/erlang` and `examples/traces`. A line `…`
//! stands for any number of lines. A block of code with a file name after its language
//! (```` ```erlang race.erl ````) creates that file for the commands after it.

mod common;

use common::Place;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pages, relative to the root of the repository.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"]
        .map(PathBuf::from)
        .into();
    for folder in ["docs", "docs/results"] {
        let entries = fs::read_dir(root().join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        let files = names.map(|name| Path::new(folder).join(name));
        pages.extend(files.filter(|file| file.extension().is_some_and(|kind| kind == "md")));
    }
    pages.sort();
    pages
}

/// A fenced block: the words after the fence, the line it starts at, and its lines.
struct Block<'p> {
    info: &'p str,
    at: usize,
    lines: Vec<&'p str>,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (at, line) in (1..).zip(page.lines()) {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(info), None) => {
                open = Some(Block {
                    info,
                    at,
                    lines: Vec::new(),
                });
            }
            (None, Some(block)) => block.lines.push(line),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// Whether the lines fit a pattern in which `…` stands for any number of lines.
fn fits(pattern: &[&str], lines: &[&str]) -> bool {
    match (pattern, lines) {
        ([], _) => lines.is_empty(),
        (["…", rest @ ..], _) => (0..=lines.len()).any(|skip| fits(rest, &lines[skip..])),
        ([expected, rest @ ..], [line, more @ ..]) => expected == line && fits(rest, more),
        (_, []) => false,
    }
}

#[test]
fn patterns() {
    assert!(fits(&["a", "…", "c"], &["a", "b", "b", "c"]));
    assert!(fits(&["a", "…"], &["a"]));
    assert!(!fits(&["a", "…", "c"], &["a", "b"]));
    assert!(!fits(&["a"], &["a", "b"]));
}

fn copy_examples(place: &Place) {
    for kind in ["erlang", "traces"] {
        for entry in fs::read_dir(root().join("examples").join(kind)).unwrap() {
            let file = entry.unwrap().path();
            let name = file.file_name().unwrap();
            fs::copy(&file, place.path().join(name)).unwrap();
        }
    }
}

/// A block whose command prints something else.
struct Wrong {
    /// The line of its fence.
    at: usize,
    /// How many lines it has.
    lines: usize,
    command: String,
    printed: Vec<String>,
    /// The lines that it should have.
    updated: Vec<String>,
}

/// Runs the commands of a page.
fn wrong_blocks(page: &str) -> Vec<Wrong> {
    let place = Place::new();
    copy_examples(&place);
    let mut wrong = Vec::new();
    for block in blocks(page) {
        if let Some((_, file)) = block.info.split_once(' ') {
            place.write(file, &(block.lines.join("\n") + "\n"));
        }
        let [first, pattern @ ..] = &block.lines[..] else {
            continue;
        };
        // Times and memory differ from run to run: such output is in a block of another kind.
        if block.info != "console" {
            continue;
        }
        let Some(line) = first.strip_prefix("$ mazurka ") else {
            continue;
        };
        let output = place.command("").args(words(line)).output().unwrap();
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8(printed).unwrap();
        let printed: Vec<&str> = printed.lines().collect();
        if !fits(pattern, &printed) {
            let owned = |lines: &[&str]| lines.iter().map(ToString::to_string).collect();
            let mut updated = vec![*first];
            updated.extend(update(pattern, &printed));
            wrong.push(Wrong {
                at: block.at,
                lines: block.lines.len(),
                command: line.to_owned(),
                updated: owned(&updated),
                printed: owned(&printed),
            });
        }
    }
    wrong
}

/// The lines of a block with this output: as many before and after a line `…` as in the pattern.
fn update<'l>(pattern: &[&'l str], printed: &[&'l str]) -> Vec<&'l str> {
    let is_gap = |line: &&str| *line == "…";
    let Some(before) = pattern.iter().position(is_gap) else {
        return printed.to_vec();
    };
    let after = pattern.len() - before - 1;
    if pattern[before + 1..].iter().any(is_gap) {
        return pattern.to_vec();
    }
    if before + after >= printed.len() {
        return printed.to_vec();
    }
    let last = &printed[printed.len() - after..];
    [&printed[..before], &["…"], last].concat()
}

fn rewrite(page: &Path, text: &str, wrong: &[Wrong]) {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // From the end, so that the numbers of the lines before stay right.
    for block in wrong.iter().rev() {
        let range = block.at..block.at + block.lines;
        lines.splice(range, block.updated.iter().cloned());
    }
    fs::write(page, lines.join("\n") + "\n").unwrap();
}

/// The words of a command line, with single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    words
}

#[test]
fn commands_print_what_the_pages_show() {
    let updates = std::env::var_os("MAZURKA_UPDATE_DOCS").is_some();
    let mut all = Vec::new();
    for page in pages() {
        let path = root().join(&page);
        let text = fs::read_to_string(&path).unwrap();
        let wrong = wrong_blocks(&text);
        if updates {
            rewrite(&path, &text, &wrong);
            continue;
        }
        all.extend(wrong.iter().map(|block| {
            let (command, printed) = (&block.command, block.printed.join("\n"));
            format!(
                "{}:{}: mazurka {command}\n{printed}",
                page.display(),
                block.at
            )
        }));
    }
    assert!(all.is_empty(), "{}", all.join("\n\n"));
}

/// The name that a heading has in a link.
fn anchor(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let kept = lower
        .chars()
        .filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

/// The lines of a page outside of its blocks.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_block = false;
    page.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_block ^= is_fence;
        !is_block && !is_fence
    })
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        let targets = prose(&text).flat_map(|line| line.split("](").skip(1));
        for target in targets.filter_map(|rest| rest.split_once(')')) {
            let target = target.0;
            if target.contains("://") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let folder = root().join(&page);
            let path = match file {
                "" => folder,
                file => folder.parent().unwrap().join(file),
            };
            let has_heading = || {
                let text = fs::read_to_string(&path).unwrap_or_default();
                let headings = prose(&text).filter(|line| line.starts_with('#'));
                let mut names = headings.map(|line| anchor(line.trim_start_matches('#').trim()));
                names.any(|name| name == heading)
            };
            if !path.exists() || !heading.is_empty() && !has_heading() {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}
