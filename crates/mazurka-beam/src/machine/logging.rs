//! Logging: what the program logs is printed beside the step that logs it.
//!
//! Nothing else of the logger exists. OTP's own reports on crashes and on the children of supervisors are
//! left out: making them takes visible operations, and the reports on an execution show the same.

use super::effect::Effect;
use super::native::{Context, Local, Row};
use crate::raise::Raise;
use crate::term::{Atom, Term};

/// The levels from the most severe to the least, with whether they are logged by default.
const LEVELS: [(&str, bool); 8] = [
    ("emergency", true),
    ("alert", true),
    ("critical", true),
    ("error", true),
    ("warning", true),
    ("notice", true),
    ("info", false),
    ("debug", false),
];

pub(super) const TABLE: &[Row<Local>] = &[
    ("logger", "allow", 2, allow),
    ("logger", "macro_log", 3, macro_log),
    ("logger", "macro_log", 4, macro_log),
    ("logger", "macro_log", 5, macro_log),
    ("logger", "log", 2, log),
    ("logger", "log", 3, log),
    ("logger", "log", 4, log),
    ("logger", "emergency", 1, emergency),
    ("logger", "emergency", 2, emergency),
    ("logger", "emergency", 3, emergency),
    ("logger", "alert", 1, alert),
    ("logger", "alert", 2, alert),
    ("logger", "alert", 3, alert),
    ("logger", "critical", 1, critical),
    ("logger", "critical", 2, critical),
    ("logger", "critical", 3, critical),
    ("logger", "error", 1, error),
    ("logger", "error", 2, error),
    ("logger", "error", 3, error),
    ("logger", "warning", 1, warning),
    ("logger", "warning", 2, warning),
    ("logger", "warning", 3, warning),
    ("logger", "notice", 1, notice),
    ("logger", "notice", 2, notice),
    ("logger", "notice", 3, notice),
    ("logger", "info", 1, ignored),
    ("logger", "info", 2, ignored),
    ("logger", "info", 3, ignored),
    ("logger", "debug", 1, ignored),
    ("logger", "debug", 2, ignored),
    ("logger", "debug", 3, ignored),
    ("error_logger", "format", 2, error),
    ("error_logger", "error_msg", 1, error),
    ("error_logger", "error_msg", 2, error),
    ("error_logger", "warning_msg", 1, warning),
    ("error_logger", "warning_msg", 2, warning),
    ("error_logger", "info_msg", 1, notice),
    ("error_logger", "info_msg", 2, notice),
    ("error_logger", "error_report", 1, error),
    ("error_logger", "error_report", 2, error_of_type),
    ("error_logger", "warning_report", 1, warning),
    ("error_logger", "warning_report", 2, warning_of_type),
    ("error_logger", "info_report", 1, notice),
    ("error_logger", "info_report", 2, notice_of_type),
];

/// Whether a level is logged; an error if there is no such level.
fn is_logged(level: &Term) -> Result<bool, Raise> {
    let Term::Atom(level) = level else {
        return Err(Raise::badarg());
    };
    let found = LEVELS.iter().find(|(name, _)| *name == level.name());
    found.map(|(_, logged)| *logged).ok_or_else(Raise::badarg)
}

/// Only the program's own modules log.
fn allow(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let Term::Atom(module) = arguments[1] else {
        return Err(Raise::badarg());
    };
    let is_own = context.library.code(module).is_ok_and(|code| code.is_own);
    Ok(Atom::bool(is_own && is_logged(&arguments[0])?).into())
}

/// The macros have checked the level. The first argument is the place.
fn macro_log(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    report(context, &arguments[1], &arguments[2..])
}

fn log(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    match is_logged(&arguments[0])? {
        true => report(context, &arguments[0], &arguments[1..]),
        false => Ok(Atom::OK.into()),
    }
}

fn ignored(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Atom::OK.into())
}

fn emergency(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    report(context, &Term::atom("emergency"), arguments)
}

fn alert(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    report(context, &Term::atom("alert"), arguments)
}

fn critical(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    report(context, &Term::atom("critical"), arguments)
}

fn error(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    report(context, &Term::atom("error"), arguments)
}

fn warning(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    report(context, &Term::atom("warning"), arguments)
}

fn notice(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    report(context, &Term::atom("notice"), arguments)
}

fn error_of_type(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    report(context, &Term::atom("error"), &arguments[1..])
}

fn warning_of_type(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    report(context, &Term::atom("warning"), &arguments[1..])
}

fn notice_of_type(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    report(context, &Term::atom("notice"), &arguments[1..])
}

/// Prints a string, a report, or a format with its arguments. Metadata, a map behind them, is left out.
fn report(context: &mut Context<'_>, level: &Term, what: &[Term]) -> Result<Term, Raise> {
    let (format, values) = match what {
        // Real loggers call it. Its effects, if it has any, are left out.
        [Term::Fun(_), ..] => ("~ts", Term::list([string("a message made by a fun")])),
        [format, values @ (Term::Cons(_) | Term::Nil), ..] => {
            let text = Effect::Log {
                level: level.clone(),
                format: format.clone(),
                values: values.clone(),
            };
            context.effects.push(text);
            return Ok(Atom::OK.into());
        }
        [text, ..] if is_text(text) => ("~ts", Term::list([text.clone()])),
        [report, ..] => ("~tp", Term::list([report.clone()])),
        [] => return Err(Raise::badarg()),
    };
    context.effects.push(Effect::Log {
        level: level.clone(),
        format: string(format),
        values,
    });
    Ok(Atom::OK.into())
}

fn string(text: &str) -> Term {
    let characters = text.chars().map(|c| Term::Int(i64::from(u32::from(c))));
    Term::list(characters.collect::<Vec<_>>())
}

/// Whether it is a list of characters or a binary.
fn is_text(term: &Term) -> bool {
    match term {
        Term::Bits(_) => true,
        list @ Term::Cons(_) => list
            .elements()
            .all(|element| matches!(element, Term::Int(_))),
        _ => false,
    }
}
