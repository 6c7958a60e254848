//! Makes the pictures of reports in `docs/`, with a real browser:
//!
//! ```sh
//! cargo run -p mazurka-cli --example screenshots
//! ```

#[path = "../tests/browser/mod.rs"]
mod browser;

use browser::Browser;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let directory = tempfile::tempdir().expect("a directory");
    let page = directory.path().join("report.html");
    let browser = Browser::new();

    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/erlang/cache.erl");
    std::fs::copy(example, directory.path().join("cache.erl")).expect("an example");
    let cache = "cache.erl --entry cache:main/0 --daemon cache:store/1";
    for (name, arguments) in [
        ("cache", cache),
        ("deadlock", "gallery:philosophers"),
        ("lost-update", "gallery:lost-update"),
    ] {
        check(directory.path(), arguments);
        browser.resize(1280, 960);
        browser.open(&page);
        save(&browser, &docs.join(format!("report-{name}.png")));
        browser.resize(390, 800);
        browser.open(&page);
        save(&browser, &docs.join(format!("report-{name}-phone.png")));
    }

    check(directory.path(), "gallery:retry-timeout");
    browser.resize(1440, 820);
    browser.open(&page);
    browser.run("document.querySelector('.workbench').scrollIntoView()");
    browser.click(".failing .row.decisive");
    save(&browser, &docs.join("report-side-by-side.png"));
}

/// Checks a program with the command that was built beside this one.
fn check(directory: &Path, arguments: &str) {
    let own = std::env::current_exe().expect("this program");
    let command: PathBuf = own
        .ancestors()
        .nth(2)
        .expect("the target's folder")
        .join("mazurka");
    let ran = Command::new(&command)
        .arg("check")
        .args(arguments.split_whitespace())
        .args(["--html", "report.html", "--no-logs"])
        .current_dir(directory)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}; build it first", command.display()));
    assert_eq!(ran.status.code(), Some(1), "{ran:?}");
}

fn save(browser: &Browser, file: &Path) {
    std::fs::write(file, from_base64(&browser.screenshot())).expect("the picture is written");
    println!("{}", file.display());
}

/// Base64, as WebDriver writes it.
fn from_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |c| DIGITS.iter().position(|digit| *digit == c);
    let digits: Vec<u32> = text
        .bytes()
        .filter_map(digit)
        .map(|digit| digit as u32)
        .collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let bits = (0..4).fold(0, |bits, at| {
            bits << 6 | group.get(at).copied().unwrap_or(0)
        });
        let all = [(bits >> 16) as u8, (bits >> 8) as u8, bits as u8];
        bytes.extend(&all[..group.len() - 1]);
    }
    bytes
}
