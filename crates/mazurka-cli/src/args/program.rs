//! The arguments that name a program.

use super::values::{clocks, file_name, param};
use clap::Args;
use mazurka_beam::Clocks;
use mazurka_report::heading;

/// A program and its parameters.
#[derive(Args, Debug)]
pub struct ProgramArgs {
    /// The program: an .erl or .beam file, a folder of them, an Erlang module, or gallery:NAME
    /// (`mazurka gallery` lists them)
    #[arg(value_parser = file_name())]
    pub program: String,

    /// The function an Erlang program starts with: MODULE:FUNCTION/0, or
    /// 'MODULE:FUNCTION(ARGUMENTS)' with Erlang terms [default for `check`: every exported
    /// NAME_test/0 and every EUnit generator NAME_test_/0]
    #[arg(long, value_name = "FUNCTION", help_heading = heading::PROGRAM)]
    pub entry: Option<String>,

    /// Erlang processes that may wait for ever, as servers do: those started in this MODULE, or
    /// with MODULE:FUNCTION/ARITY, a fun made in it or a fun that calls it (repeatable)
    #[arg(long = "daemon", value_name = "WHAT", help_heading = heading::PROGRAM)]
    pub daemons: Vec<String>,

    /// A parameter of a gallery program (repeatable)
    #[arg(
        long = "param",
        value_name = "NAME=VALUE",
        value_parser = param,
        help_heading = heading::PROGRAM,
    )]
    pub params: Vec<(String, String)>,

    /// A folder with more modules of an Erlang program, searched before those of OTP (repeatable;
    /// -pa works too)
    #[arg(
        long = "pa",
        value_name = "DIR",
        value_parser = file_name(),
        help_heading = heading::PROGRAM,
        hide_short_help = true,
    )]
    pub paths: Vec<String>,

    /// An exit reason of Erlang processes that is no crash, as normal and shutdown are: a term, which
    /// also stands for every tuple that starts with it (repeatable)
    #[arg(
        long = "treat-as-normal",
        value_name = "REASON",
        help_heading = heading::PROGRAM,
        hide_short_help = true,
    )]
    pub normal: Vec<String>,

    /// Erlang processes that may be killed from outside at any point: those with this registered name,
    /// those of this MODULE (or callback module), those started with MODULE:FUNCTION/ARITY, or
    /// `supervised` for every child of a supervisor (repeatable)
    #[arg(
        long = "kill",
        value_name = "WHICH",
        help_heading = heading::PROGRAM,
        hide_short_help = true,
    )]
    pub kill: Vec<String>,

    /// How many processes --kill kills in one execution, at most [default: 1]
    #[arg(
        long = "max-kills",
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..),
        requires = "kill",
        help_heading = heading::PROGRAM,
        hide_short_help = true,
    )]
    pub max_kills: Option<u32>,

    /// Erlang processes whose crash, or waiting for ever, is no error, named as for --kill (repeatable)
    #[arg(
        long = "ignore-process",
        value_name = "WHICH",
        help_heading = heading::PROGRAM,
        hide_short_help = true,
    )]
    pub ignored: Vec<String>,

    /// Modules of Erlang programs in which a receive times out only when nothing else can happen,
    /// however short its timeout is (repeatable, or with commas)
    #[arg(
        long = "ignore-timeouts-in",
        value_name = "MODULES",
        value_delimiter = ',',
        help_heading = heading::SEMANTICS,
        hide_short_help = true,
    )]
    pub patient: Vec<String>,

    /// Which clocks Erlang processes read: each its own, or one that all share, so that concurrent
    /// readings are explored in every order [default: own]
    #[arg(
        long = Clocks::SETTING,
        value_name = "WHICH",
        value_parser = clocks(),
        help_heading = heading::SEMANTICS,
        hide_short_help = true,
    )]
    pub clocks: Option<Clocks>,
}
