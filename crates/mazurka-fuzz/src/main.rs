//! Runs targets on many damaged inputs and reports the inputs on which they fail.

use anyhow::{Result, bail};
use clap::Parser;
use mazurka_fuzz::{Target, Work, all, fuzz};
use std::path::PathBuf;
use std::process::ExitCode;

/// Run Mazurka's readers on damaged inputs
#[derive(Parser)]
#[command(name = "mazurka-fuzz")]
struct Args {
    /// Run only this target (may be given several times); `list` lists all targets
    #[arg(long = "target", value_name = "NAME")]
    targets: Vec<String>,

    /// Number of inputs for each target
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    inputs: u64,

    /// Seed of all inputs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Number of the first input
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,

    /// Folder for inputs with findings
    #[arg(long, value_name = "DIR", default_value = "fuzz-findings")]
    save_to: PathBuf,

    /// Run one target on the input in this file instead
    #[arg(long, value_name = "FILE", requires = "targets")]
    input: Option<PathBuf>,
}

fn main() -> Result<ExitCode> {
    let args = Args::parse();
    let mut targets = all();
    if args.targets.iter().any(|name| name == "list") {
        for target in targets {
            println!("{:12} {}", target.name(), target.about());
        }
        return Ok(ExitCode::SUCCESS);
    }
    let known: Vec<&str> = targets.iter().map(|target| target.name()).collect();
    if let Some(name) = { args.targets.iter() }.find(|name| !known.contains(&name.as_str())) {
        bail!(
            "there is no target {name}: give one of {}",
            known.join(", ")
        );
    }
    targets.retain(|target| {
        args.targets.is_empty() || args.targets.iter().any(|name| name == target.name())
    });
    if let Some(file) = &args.input {
        let input = std::fs::read(file)?;
        for target in &mut targets {
            println!("{}: {:?}", target.name(), target.read(&input));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut is_clean = true;
    for target in &mut targets {
        is_clean &= run(target.as_mut(), &args);
    }
    Ok(match is_clean {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Runs one target and prints the result. Returns whether there were no findings.
fn run(target: &mut dyn Target, args: &Args) -> bool {
    let work = Work {
        seed: args.seed,
        first: args.first,
        inputs: args.inputs,
        save_to: Some(args.save_to.clone()),
    };
    let report = fuzz(target, &work);
    println!(
        "{:12} {} inputs, {} accepted, {:.1} s, {} findings",
        target.name(),
        report.inputs,
        report.accepted,
        report.elapsed.as_secs_f64(),
        report.findings.len()
    );
    for finding in &report.findings {
        println!("  {finding}");
    }
    report.findings.is_empty()
}
