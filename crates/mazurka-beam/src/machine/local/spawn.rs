//! Spawning processes. All other spawn functions are Erlang code that calls these.

use crate::machine::Watch;
use crate::machine::effect::{Effect, Start};
use crate::machine::native::{Context, Local, Next, Row};
use crate::raise::Raise;
use crate::term::Term;

pub(super) const TABLE: &[Row<Local>] = &[
    ("erlang", "spawn", 3, spawn),
    ("erlang", "spawn_link", 3, spawn_link),
];

/// The options of a new process.
#[derive(Default)]
struct Options {
    link: bool,
    monitor: bool,
}

fn spawn(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    spawn_with(context, arguments, &Options::default())
}

fn spawn_link(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let options = Options {
        link: true,
        monitor: false,
    };
    spawn_with(context, arguments, &options)
}

pub(super) fn spawn_opt(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let mut options = Options::default();
    let mut given = arguments[3].elements();
    for option in given.by_ref() {
        match option {
            Term::Atom(name) if name.name() == "link" => options.link = true,
            Term::Atom(name) if name.name() == "monitor" => options.monitor = true,
            Term::Tuple(pair) if is_known(pair) => {}
            Term::Tuple(pair) => match monitor_options(pair) {
                Some(Term::Nil) => options.monitor = true,
                // Aliases and other tags of the message.
                Some(_) => return Ok(Next::Unsupported(format!("spawn_opt with {option}"))),
                None => return Err(Raise::badarg()),
            },
            _ => return Err(Raise::badarg()),
        }
    }
    if !matches!(given.rest(), Term::Nil) {
        return Err(Raise::badarg());
    }
    spawn_with(context, &arguments[..3], &options).map(Next::Value)
}

/// The list in `{monitor, List}`, if it is valid.
fn monitor_options(pair: &[Term]) -> Option<&Term> {
    let is_valid = |option: &Term| match option {
        Term::Tuple(pair) => match &***pair {
            [Term::Atom(name), _] if name.name() == "tag" => true,
            [Term::Atom(name), Term::Atom(mode)] if name.name() == "alias" => matches!(
                mode.name(),
                "explicit_unalias" | "demonitor" | "reply_demonitor"
            ),
            _ => false,
        },
        _ => false,
    };
    match pair {
        [Term::Atom(name), list] if name.name() == "monitor" => {
            let mut options = list.elements();
            let all_valid = options.by_ref().all(is_valid);
            (all_valid && matches!(options.rest(), Term::Nil)).then_some(list)
        }
        _ => None,
    }
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
    let process = &mut *context.process;
    let pid = process.make_child();
    let monitor = options.monitor.then(|| process.make_reference());
    process.watches.extend(monitor.map(|reference| Watch {
        reference,
        pid: Some(pid),
        name: None,
    }));
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
    Ok(match monitor {
        None => Term::Pid(pid),
        Some(reference) => Term::tuple([Term::Pid(pid), Term::Reference(reference)]),
    })
}
