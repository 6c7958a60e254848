//! One execution along a log, for `trace` and `replay`.

use crate::args::RunArgs;
use crate::program::{Chosen, Visitor};
use crate::watch::Terminal;
use anyhow::Result;
use mazurka_engine::{Frontend, Kind};
use mazurka_report::files::read_log;
use mazurka_report::{FollowError, FollowOptions, Followed, Subject, belongs_to, follow};
use mazurka_trace::Log;
use std::path::Path;

/// Runs a program along the log in a file, if there is one, and on to its end. These warnings
/// are errors.
pub fn run_along(args: &RunArgs, file: Option<&Path>, errors: &[Kind]) -> Result<Followed> {
    let log = match file {
        Some(file) => read_log(file)?,
        None => Log::default(),
    };
    // The parameters of another program would only confuse.
    belongs_to(&log, file, &args.program.program)?;
    let chosen = Chosen::with_params(&args.program, &log.params)?;
    let options = FollowOptions {
        delivery: args
            .delivery
            .or(log.delivery)
            .or(Some(chosen.usual_delivery())),
        timeouts: args.timeouts,
        max_depth: args.max_depth,
        max_processes: args.max_processes,
        seed: args.seed,
        errors: errors.to_vec(),
    };
    let follower = Follower {
        log: &log,
        file,
        options: &options,
    };
    Ok(chosen.visit(follower)?)
}

struct Follower<'f> {
    log: &'f Log,
    file: Option<&'f Path>,
    options: &'f FollowOptions,
}

impl Visitor for Follower<'_> {
    type Output = Result<Followed, FollowError>;

    fn visit<F: Frontend>(self, subject: Subject, frontend: F) -> Self::Output {
        let host = &mut Terminal::new();
        follow(subject, frontend, self.log, self.file, self.options, host)
    }
}
