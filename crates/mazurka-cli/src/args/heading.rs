//! The headings under which `--help` lists options.

/// Which program is run, and how it starts.
pub const PROGRAM: &str = "Program";
/// What an execution of it may do.
pub const SEMANTICS: &str = "Semantics";
/// In which order executions are explored.
pub const SEARCH: &str = "Search";
/// Options of `--sample`.
pub const SAMPLING: &str = "Sampling";
/// Options of the published algorithms.
pub const ALGORITHMS: &str = "Published algorithms";
/// What ends a check early.
pub const BOUNDS: &str = "Bounds";
/// What counts as an error, and when to stop.
pub const ERRORS: &str = "Errors";
/// The report and the progress of a check.
pub const REPORT: &str = "Report";
/// Files beside the report.
pub const FILES: &str = "Files";
