//! Where else results go: pictures, and files for other tools.

use clap::Args;
use std::path::PathBuf;

/// Pictures of an execution.
#[derive(Args, Debug)]
pub struct Pictures {
    /// Draw the execution in the report, with a lane for each process
    #[arg(long)]
    pub diagram: bool,

    /// Draw the execution as SVG in this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Draw the execution as a Mermaid sequence diagram in this file
    #[arg(long, value_name = "FILE")]
    pub mermaid: Option<PathBuf>,

    /// Replace files that Mazurka did not write (never those that the command reads)
    #[arg(long)]
    pub force: bool,
}

/// What `check` writes beside its report.
#[derive(Args, Debug)]
pub struct Output {
    /// Of the executions that go wrong: the first one goes to the FILE given, others to files
    /// whose names end in -2, -3 and so on.
    #[command(flatten)]
    pub pictures: Pictures,

    /// Write the report as a web page, too: one file with diagrams of the failing executions
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Draw the tree of executions in this file, for Graphviz (2,000 beginnings at most)
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,

    /// Write the results as JUnit XML to this file, a test case for each entry
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write what was found as SARIF 2.1.0 to this file
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
}
