//! What is written beside the report: diagrams, and files for other tools.

use clap::Args;
use mazurka_report::heading;
use std::path::PathBuf;

/// Diagrams of an execution.
#[derive(Args, Debug)]
pub struct Pictures {
    /// Draw the execution in the text report, with a lane for each process
    #[arg(long, help_heading = heading::REPORT, hide_short_help = true)]
    pub diagram: bool,

    /// Write a diagram of the execution to this file, as SVG
    #[arg(long, value_name = "FILE", help_heading = heading::FILES, hide_short_help = true)]
    pub svg: Option<PathBuf>,

    /// Write a diagram of the execution to this file, as a Mermaid sequence diagram
    #[arg(long, value_name = "FILE", help_heading = heading::FILES, hide_short_help = true)]
    pub mermaid: Option<PathBuf>,

    /// Replace files that Mazurka did not write (never files that the command reads)
    #[arg(long, help_heading = heading::FILES, hide_short_help = true)]
    pub force: bool,
}

/// What `check` writes beside its report.
#[derive(Args, Debug)]
pub struct Output {
    /// Also write the report as one web page, with diagrams of the failing executions
    #[arg(long, value_name = "FILE", help_heading = heading::FILES)]
    pub html: Option<PathBuf>,

    /// Diagrams of the failing executions. The first goes to the given FILE, the others to files
    /// whose names end in -2, -3 and so on.
    #[command(flatten)]
    pub pictures: Pictures,

    /// Write the results to this file as JUnit XML, one test case per entry
    #[arg(long, value_name = "FILE", help_heading = heading::FILES, hide_short_help = true)]
    pub junit: Option<PathBuf>,

    /// Write the errors and warnings to this file as SARIF 2.1.0
    #[arg(long, value_name = "FILE", help_heading = heading::FILES, hide_short_help = true)]
    pub sarif: Option<PathBuf>,

    /// Write the tree of executions to this file, for Graphviz (at most 2,000 prefixes)
    #[arg(long, value_name = "FILE", help_heading = heading::FILES, hide_short_help = true)]
    pub dot: Option<PathBuf>,
}
