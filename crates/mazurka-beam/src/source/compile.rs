//! Compiling sources with the user's own compiler.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::SourceError;

/// Compiles all sources in one run of the compiler, which takes little longer than compiling one.
/// Returns the compiler's output if it found no errors.
pub(super) fn compile(
    compiler: &Path,
    sources: &[PathBuf],
    paths: &[PathBuf],
    out: &Path,
) -> Result<String, SourceError> {
    let mut command = Command::new(compiler);
    command.arg("+debug_info").arg("-o").arg(out);
    for folder in include_folders(sources) {
        command.arg("-I").arg(folder);
    }
    // Behaviours, parse transforms and headers of other applications, and those of the program
    // itself, which are compiled first. They come after OTP: a module that replaces one of OTP in the
    // program must not replace it in the compiler.
    for path in paths.iter().map(PathBuf::as_path).chain([out]) {
        command.arg("-pz").arg(path);
    }
    command.args(in_order(sources).into_iter().map(not_an_option));
    if sources
        .iter()
        .chain(paths)
        .any(|path| path.to_str().is_none())
    {
        // For file names that are not UTF-8: Erlang treats names as bytes.
        let mut flags = std::env::var_os("ERL_FLAGS").unwrap_or_default();
        flags.push(" +fnl");
        command.env("ERL_FLAGS", flags);
    }
    let output = command.output().map_err(|error| SourceError::NoCompiler {
        compiler: compiler.to_path_buf(),
        error,
    })?;
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    Err(SourceError::Compile(match text.is_empty() {
        true => format!(
            "{} failed: {}",
            mazurka_files::shown(compiler),
            output.status
        ),
        false => text,
    }))
}

/// The folders of the sources, and the `include` folders next to them.
fn include_folders(sources: &[PathBuf]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for source in sources {
        let folder = folder_of(source);
        let headers = folder.join("..").join("include");
        if folders.contains(&folder) {
            continue;
        }
        folders.push(folder);
        if headers.is_dir() {
            folders.push(headers);
        }
    }
    folders
}

/// The folder that contains a file.
pub(super) fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// The maximum size of a source, in bytes.
pub(super) const SOURCE_MAX: u64 = 1 << 26;

/// Sorts the sources: those that others need for compilation come first.
fn in_order(sources: &[PathBuf]) -> Vec<PathBuf> {
    let is_needed = |source: &PathBuf| {
        let text = mazurka_files::read(source, SOURCE_MAX).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        text.contains("parse_transform(") || text.contains("-callback")
    };
    let mut sources = sources.to_vec();
    sources.sort_by_cached_key(|source| !is_needed(source));
    sources
}

/// A path that the compiler cannot mistake for an option.
fn not_an_option(source: PathBuf) -> PathBuf {
    match source.to_string_lossy().starts_with(['-', '+', '@']) {
        true => Path::new(".").join(source),
        false => source,
    }
}
