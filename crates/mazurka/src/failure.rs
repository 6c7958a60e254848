//! Panics of processes as data: message, location, and whether an assertion failed.

use crate::doomed;
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::panic::{self, Location, PanicHookInfo};
use std::path::{Path, PathBuf};
use std::sync::Once;

/// A panic, as the reason of a crash: `Reason::Crash` and `Reason::Assertion` hold one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Failure {
    /// The panic message.
    pub message: String,
    /// Its place in the source: `src/lib.rs:10:5`.
    pub location: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.location.as_str() {
            "" => f.write_str(&self.message),
            location => write!(f, "{} at {location}", self.message),
        }
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A panic of the process that has just run.
pub(crate) struct Panicked {
    pub failure: Failure,
    pub is_assertion: bool,
    pub backtrace: Option<String>,
}

thread_local! {
    /// Whether a process runs on this thread, so that its panics are recorded and not printed.
    static RECORDING: Cell<bool> = const { Cell::new(false) };
    static BACKTRACES: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Option<Panicked>> = const { RefCell::new(None) };
    /// The panic before the last one.
    static BEFORE: RefCell<Option<Panicked>> = const { RefCell::new(None) };
    static ASSERTIONS: RefCell<HashMap<String, bool>> = RefCell::new(HashMap::new());
}

/// Sets whether panics on this thread are recorded instead of printed. Returns the setting before.
pub(crate) fn record_panics(on: bool) -> bool {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| match RECORDING.get() {
            true => record(info),
            false => print(info),
        }));
    });
    RECORDING.replace(on)
}

/// Takes the last panic that was recorded.
pub(crate) fn take_recorded() -> Option<Panicked> {
    BEFORE.take();
    LAST.take()
}

/// Sets whether panics on this thread are recorded with their backtraces, which takes time.
pub(crate) fn with_backtraces(on: bool) {
    BACKTRACES.set(on);
}

fn record(info: &PanicHookInfo<'_>) {
    let message = info
        .payload_as_str()
        .unwrap_or("(a panic with something other than a text)")
        .to_owned();
    if is_abort(&message, info) {
        return doomed::abort(BEFORE.take(), LAST.take());
    }
    // Puts the compared values on the same line.
    let message = match message.starts_with("assertion `left ") {
        true => message
            .replace("\n  left: ", ", left: ")
            .replace("\n right: ", ", right: "),
        false => message,
    };
    let location = info
        .location()
        .map(|at| format!("{}:{}:{}", plain(at.file()), at.line(), at.column()));
    let is_assertion = message.starts_with("assertion ")
        || location.as_deref().is_some_and(|location| {
            ASSERTIONS.with_borrow_mut(|known| match known.get(location) {
                Some(&known) => known,
                None => {
                    let is = is_assert_call(location).unwrap_or(false);
                    known.insert(location.to_owned(), is);
                    is
                }
            })
        });
    let backtrace = BACKTRACES
        .get()
        .then(|| relevant(&Backtrace::force_capture().to_string()));
    BEFORE.set(LAST.replace(Some(Panicked {
        failure: Failure {
            message,
            location: location.unwrap_or_default(),
        },
        is_assertion,
        backtrace,
    })));
}

/// Whether this is the panic with which Rust's runtime aborts the program: a destructor has panicked
/// while another panic unwinds.
fn is_abort(message: &str, info: &PanicHookInfo<'_>) -> bool {
    let is_runtime = |at: &Location<'_>| at.file().ends_with("core/src/panicking.rs");
    info.location().is_some_and(is_runtime)
        && matches!(
            message,
            "panic in a destructor during cleanup" | "panic in a function that cannot unwind"
        )
}

/// Whether the source has an `assert!` there. `assert!(ok, "a text")` panics with that text and nothing
/// else, so only the source distinguishes it from `panic!("a text")`.
fn is_assert_call(location: &str) -> Option<bool> {
    let mut parts = location.rsplitn(3, ':');
    let column: usize = parts.next()?.parse().ok()?;
    let line: usize = parts.next()?.parse().ok()?;
    let source = mazurka_report::files::read_source(&find(Path::new(parts.next()?))?)?;
    let text = source.lines().nth(line.checked_sub(1)?)?;
    let call = text.get(column.checked_sub(1)?..)?.trim_start();
    let called = call.split('!').next()?;
    let name = called.rsplit("::").next()?;
    Some(matches!(
        name,
        "assert"
            | "assert_eq"
            | "assert_ne"
            | "assert_matches"
            | "debug_assert"
            | "debug_assert_eq"
            | "debug_assert_ne"
    ))
}

/// Removes `..` from a path: `crates/shop/../../examples/pool.rs`, which cargo passes, becomes
/// `examples/pool.rs`.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, parts.last()) {
            ("..", Some(&above)) if above != ".." && !above.is_empty() => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// Finds a source file. Its path is relative to the workspace, while tests run in their package.
fn find(source: &Path) -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors()
        .map(|above| above.join(source))
        .find(|path| path.is_file())
}

/// The frames between the panic and the code that polls the process.
fn relevant(backtrace: &str) -> String {
    let mut frames: Vec<String> = Vec::new();
    for line in backtrace.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("at ") {
            if let Some(frame) = frames.last_mut() {
                *frame = format!("{frame}\n      {}", plain(trimmed));
            }
        } else if let Some((_, name)) = trimmed.split_once(": ") {
            frames.push(name.to_owned());
        }
    }
    let polled = |frame: &String| frame.contains("mazurka::live::");
    let upto = frames.iter().position(polled).unwrap_or(frames.len());
    let panics = |frame: &String| {
        let is = |start| frame.starts_with(start);
        is("core::panicking") || is("std::panicking") || is("std::sys::backtrace") || is("__rustc")
    };
    let from = frames[..upto].iter().rposition(panics);
    let from = from.map_or(0, |at| at + 1);
    let frames = frames.get(from..upto).unwrap_or_default().iter();
    // An async function runs in a closure of its own.
    let frames = frames.map(|frame| format!("\n  {}", frame.replacen("::{{closure}}", "", 1)));
    format!("Backtrace:{}", frames.collect::<String>())
}
