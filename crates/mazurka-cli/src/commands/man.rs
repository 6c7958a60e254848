//! `mazurka man`

use crate::args::{Cli, Man};
use anyhow::Result;
use clap::{Command, CommandFactory};
use mazurka_report::Exit;
use mazurka_report::files::{Kind, Outputs, make_directory};
use std::io::Write;

/// Writes the manual pages.
pub fn run(args: &Man) -> Result<Exit> {
    let Some(directory) = &args.output else {
        let mut out = super::stdout();
        clap_mangen::Man::new(Cli::command()).render(&mut out)?;
        out.flush()?;
        return Ok(Exit::Fine);
    };
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    add_pages(&command, &mut pages)?;
    make_directory(directory)?;
    let outputs = Outputs::new(Vec::new(), args.force);
    for (name, _) in &pages {
        outputs.check(&directory.join(name), Kind::Man)?;
    }
    for (name, page) in &pages {
        outputs.write(&directory.join(name), Kind::Man, page)?;
    }
    Ok(Exit::Fine)
}

/// Adds the pages of a command and its subcommands, each with its file name.
fn add_pages(command: &Command, pages: &mut Vec<(String, String)>) -> Result<()> {
    for subcommand in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        add_pages(subcommand, pages)?;
    }
    let man = clap_mangen::Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    pages.push((man.get_filename(), String::from_utf8(page)?));
    Ok(())
}
