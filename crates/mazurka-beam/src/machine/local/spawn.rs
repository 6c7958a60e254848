//! Spawning processes. All other spawn functions are Erlang code that calls these.

use crate::machine::effect::{Effect, Start};
use crate::machine::native::{Context, Local, Next, Row};
use crate::machine::{MonitorOptions, Watch, ties};
use crate::raise::Raise;
use crate::term::{Atom, Term};

pub(super) const TABLE: &[Row<Local>] = &[
    ("erlang", "spawn", 3, spawn),
    ("erlang", "spawn_link", 3, spawn_link),
];

/// The options of a new process.
#[derive(Default)]
struct Options {
    link: bool,
    monitor: Option<MonitorOptions>,
    /// For `spawn_request`: whether to send no message if the process was started.
    is_quiet: bool,
    /// For `spawn_request`: the first element of that message.
    reply_tag: Option<Term>,
}

fn spawn(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    spawn_with(context, arguments, &Options::default())
}

fn spawn_link(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let options = Options {
        link: true,
        ..Options::default()
    };
    spawn_with(context, arguments, &options)
}

pub(super) fn spawn_opt(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let options = options(&arguments[3], false).ok_or_else(Raise::badarg)?;
    spawn_with(context, &arguments[..3], &options).map(Next::Value)
}

/// The process starts at once, so the message about it is sent at once, too.
pub(super) fn spawn_request(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let Some(options) = options(&arguments[3], true) else {
        return Ok(Next::Value(Term::atom("badopt")));
    };
    let Ok(spawned) = spawn_with(context, &arguments[..3], &options) else {
        return Ok(Next::Value(Term::atom("badarg")));
    };
    let (pid, request) = match &spawned {
        Term::Tuple(pair) => (pair[0].clone(), pair[1].clone()),
        _ => (spawned, Term::Reference(context.process.make_reference())),
    };
    if !options.is_quiet {
        let tag = options
            .reply_tag
            .unwrap_or_else(|| Term::atom("spawn_reply"));
        let value = Term::tuple([tag, request.clone(), Atom::OK.into(), pid]);
        let to = context.process.pid;
        context.effects.push(Effect::Send { to, value });
    }
    Ok(Next::Value(request))
}

/// Too late: the process has started.
pub(super) fn spawn_request_abandon(
    _: &mut Context<'_>,
    arguments: &[Term],
) -> Result<Next, Raise> {
    match arguments[0] {
        Term::Reference(_) => Ok(Next::Value(Atom::FALSE.into())),
        _ => Err(Raise::badarg()),
    }
}

/// The options in a list, if they are valid.
fn options(list: &Term, of_request: bool) -> Option<Options> {
    let mut options = Options::default();
    let mut given = list.elements();
    for option in given.by_ref() {
        match option {
            Term::Atom(name) if name.name() == "link" => options.link = true,
            Term::Atom(name) if name.name() == "monitor" => {
                options.monitor = Some(MonitorOptions::default());
            }
            Term::Tuple(pair) if is_known(pair) => {}
            Term::Tuple(pair) => match &***pair {
                [Term::Atom(name), list] if name.name() == "monitor" => {
                    options.monitor = Some(MonitorOptions::of(list)?);
                }
                [Term::Atom(name), tag] if of_request && name.name() == "reply_tag" => {
                    options.reply_tag = Some(tag.clone());
                }
                [Term::Atom(name), Term::Atom(when)] if of_request && name.name() == "reply" => {
                    options.is_quiet = match when.name() {
                        "yes" | "success_only" => false,
                        "no" | "error_only" => true,
                        _ => return None,
                    };
                }
                _ => return None,
            },
            _ => return None,
        }
    }
    matches!(given.rest(), Term::Nil).then_some(options)
}

/// Options that have no effect here.
fn is_known(pair: &[Term]) -> bool {
    match pair {
        [Term::Atom(name), _] => matches!(
            name.name(),
            "priority"
                | "fullsweep_after"
                | "min_heap_size"
                | "min_bin_vheap_size"
                | "max_heap_size"
                | "message_queue_data"
                | "async_dist"
        ),
        _ => false,
    }
}

fn spawn_with(
    context: &mut Context<'_>,
    arguments: &[Term],
    options: &Options,
) -> Result<Term, Raise> {
    let [Term::Atom(module), Term::Atom(name), list] = arguments else {
        return Err(Raise::badarg());
    };
    let mut elements = list.elements();
    let arguments: Vec<Term> = elements.by_ref().cloned().collect();
    if !matches!(elements.rest(), Term::Nil) {
        return Err(Raise::badarg());
    }
    if arguments.len() > 255 {
        return Err(Raise::system_limit());
    }
    let pid = context.process.make_child();
    let monitor = options.monitor.as_ref().map(|monitor| Watch {
        reference: ties::monitor_reference(context, monitor.alias),
        pid: Some(pid),
        name: None,
        tag: monitor.tag.clone(),
    });
    let process = &mut *context.process;
    process.watches.extend(monitor.clone());
    let reference = monitor.as_ref().map(|watch| watch.reference);
    context.effects.push(Effect::Spawn {
        pid,
        start: Start {
            module: *module,
            name: *name,
            arguments,
            leader: process.leader,
            clock_us: process.clock_us,
        },
        link: options.link,
        monitor,
    });
    Ok(match reference {
        None => Term::Pid(pid),
        Some(reference) => Term::tuple([Term::Pid(pid), Term::Reference(reference)]),
    })
}
