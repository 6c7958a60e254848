//! Differences to the real machine that random programs have revealed, with one small program each.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use mazurka_beam::Program;
use mazurka_engine::{Delivery, Execution, Observer, Options, SendersFirst, explore};
use mazurka_trace::Event;

use super::batch::Batch;

/// The exit reasons of the entry process in all executions.
#[derive(Default)]
struct Ends(BTreeSet<String>);

impl Observer<Program> for Ends {
    fn execution(&mut self, execution: &Execution<'_, Program>) -> ControlFlow<()> {
        let trace = execution.trace();
        let entry = trace.processes.get("P").expect("the entry process exists");
        self.0.extend(entry.iter().find_map(|event| match event {
            Event::Exit { reason } => {
                let bare = reason.strip_prefix("exit with ").unwrap_or(reason);
                Some(bare.to_owned())
            }
            _ => None,
        }));
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {
        *self = Ends::default();
    }
}

/// Checks programs against the exit reasons of their entry processes on the real machine.
fn check(cases: &[(&str, &[&str])]) {
    let texts: Vec<String> = (0..)
        .zip(cases)
        .map(|(number, (body, _))| format!("p{number}() ->\n{body}.\n"))
        .collect();
    let help = ("oracle_known", include_str!("oracle_known.erl"));
    let batch = Batch::compile(&texts, &[help]);
    for (number, (body, expected)) in cases.iter().enumerate() {
        let options = Options {
            delivery: Delivery::Mailbox,
            ..Options::default()
        };
        let mut ends = Ends::default();
        explore(batch.program(number), SendersFirst, &options, &mut ends).expect("modelled");
        let expected: BTreeSet<String> = expected.iter().map(|&end| end.into()).collect();
        assert_eq!(ends.0, expected, "{body}");
    }
}

#[test]
fn links_to_ended_processes() {
    check(&[
        (
            "exit(try link(oracle_known:dead()) catch Class:Reason -> {Class, Reason} end)",
            &["{error, noproc}"],
        ),
        (
            "process_flag(trap_exit, true),
             Dead = oracle_known:dead(),
             true = link(Dead),
             receive {'EXIT', Dead, Reason} -> exit({told, Reason}) end",
            &["{told, noproc}"],
        ),
        (
            // The target may end before, during or after `link`.
            "Dies = spawn(fun() -> exit(why) end),
             exit(try link(Dies) of true -> linked catch error:noproc -> late end)",
            &["late", "linked", "noproc", "why"],
        ),
    ]);
}

#[test]
fn a_process_has_one_name() {
    check(&[
        (
            "true = register(a, self()),
             exit(oracle_known:reason(fun() -> register(b, self()) end))",
            &["badarg"],
        ),
        (
            "Server = oracle_known:server(),
             true = register(a, Server),
             exit(oracle_known:reason(fun() -> register(b, Server) end))",
            &["badarg"],
        ),
        (
            "Server = oracle_known:server(),
             true = register(a, Server),
             true = unregister(a),
             exit(oracle_known:reason(fun() -> register(b, Server) end))",
            &["true"],
        ),
        (
            // Registered by another process, then by itself.
            "Server = oracle_known:server(),
             true = register(a, Server),
             exit(oracle_known:ask(Server, fun() -> register(b, self()) end))",
            &["badarg"],
        ),
    ]);
}

#[test]
fn names_of_others() {
    check(&[
        (
            "exit({name, process_info(oracle_known:dead(), registered_name)})",
            &["{name, undefined}"],
        ),
        (
            "exit({name, process_info(oracle_known:server(), registered_name)})",
            &["{name, []}"],
        ),
        (
            "Server = oracle_known:server(),
             true = oracle_known:ask(Server, fun() -> register(a, self()) end),
             exit(process_info(Server, registered_name))",
            &["{registered_name, a}"],
        ),
        (
            "Server = oracle_known:server(),
             true = oracle_known:ask(Server, fun() -> register(a, self()) end),
             true = oracle_known:ask(Server, fun() -> unregister(a) end),
             exit({name, process_info(Server, registered_name)})",
            &["{name, []}"],
        ),
    ]);
}

#[test]
fn links_are_notified_before_monitors() {
    check(&[(
        "process_flag(trap_exit, true),
         spawn_opt(fun() -> ok end, [link, monitor]),
         receive
             {'EXIT', _, normal} -> exit(link);
             {'DOWN', _, _, _, normal} -> exit(monitor)
         end",
        &["link"],
    )]);
}

#[test]
fn all_names_and_messages() {
    check(&[
        (
            "true = register(a, self()),
             Before = {lists:member(a, registered()), lists:member(b, registered())},
             true = unregister(a),
             exit({Before, lists:member(a, registered())})",
            &["{{true, false}, false}"],
        ),
        (
            "Self = self(),
             spawn(fun() -> Self ! m end),
             {_, Length} = process_info(self(), message_queue_len),
             {_, Messages} = process_info(self(), messages),
             receive m -> exit({Length, Messages}) end",
            &["{0, []}", "{0, [m]}", "{1, [m]}"],
        ),
    ]);
}

/// Whether a signal becomes a message depends on the target's flag when the signal arrives, not when
/// the target receives it.
#[test]
fn signals_before_the_flag() {
    check(&[
        (
            "spawn_link(fun() -> ok end),
             process_flag(trap_exit, true),
             receive {'EXIT', _, normal} -> exit(told) after 5000 -> exit(lost) end",
            &["lost", "told"],
        ),
        (
            "process_flag(trap_exit, true),
             spawn_link(fun() -> exit(why) end),
             process_flag(trap_exit, false),
             receive {'EXIT', _, why} -> exit(told) after 5000 -> exit(lost) end",
            &["told", "why"],
        ),
    ]);
}

#[test]
fn links() {
    check(&[
        (
            // Both processes see the link, regardless of which one created it.
            "Server = oracle_known:server(),
             Self = self(),
             {links, []} = process_info(self(), links),
             true = link(Server),
             {links, [Server]} = process_info(self(), links),
             {links, [Self]} = oracle_known:ask(Server, fun() -> process_info(self(), links) end),
             true = oracle_known:ask(Server, fun() -> unlink(Self) end),
             exit(process_info(self(), links))",
            &["{links, []}"],
        ),
        (
            "Self = self(),
             Linked = spawn_link(fun oracle_known:serve/0),
             {links, [Linked]} = process_info(self(), links),
             {links, [Self]} = oracle_known:ask(Linked, fun() -> process_info(self(), links) end),
             exit(oracle_known:ask(Linked, fun() -> process_info(self(), parent) =:= {parent, Self} end))",
            &["true"],
        ),
        (
            // A process that was notified of the end has no link any more.
            "process_flag(trap_exit, true),
             Linked = spawn_link(fun() -> ok end),
             receive {'EXIT', Linked, normal} -> exit(process_info(self(), links)) end",
            &["{links, []}"],
        ),
        (
            // A signal that looks like an end is not one.
            "process_flag(trap_exit, true),
             Self = self(),
             Linked = spawn_link(fun() -> exit(Self, normal), receive after infinity -> ok end end),
             receive {'EXIT', Linked, normal} -> ok end,
             {links, Links} = process_info(self(), links),
             exit(length(Links))",
            &["1"],
        ),
        (
            "Linked = spawn_link(fun() -> ok end),
             {links, Links} = process_info(self(), links),
             exit({length(Links), is_process_alive(Linked)})",
            &["{0, false}", "{1, false}", "{1, true}"],
        ),
        (
            "process_flag(trap_exit, true),
             true = link(oracle_known:dead()),
             receive {'EXIT', _, noproc} -> exit(process_info(self(), links)) end",
            &["{links, []}"],
        ),
    ]);
}

#[test]
fn several_items() {
    check(&[
        (
            "Self = self(),
             Linked = spawn_link(fun oracle_known:serve/0),
             true = register(a, self()),
             Linked ! {Self, fun() -> ok end},
             [{registered_name, a}, {message_queue_len, Length}, {links, [Linked]},
              {trap_exit, false}, {messages, Messages}] =
                 process_info(self(), [registered_name, message_queue_len, links, trap_exit, messages]),
             exit({Length, Messages =:= [{Linked, ok}]})",
            &["{0, false}", "{0, true}", "{1, true}"],
        ),
        (
            "true = register(a, self()),
             Linked = spawn_link(fun oracle_known:serve/0),
             [{registered_name, a}, {current_function, {_, _, 0}} | Rest] = process_info(self()),
             {links, [Linked]} = lists:keyfind(links, 1, Rest),
             exit(lists:keyfind(message_queue_len, 1, Rest))",
            &["{message_queue_len, 0}"],
        ),
        (
            // All items of a process that has ended, and some of one that has not.
            "Dead = oracle_known:dead(),
             Server = oracle_known:server(),
             true = register(a, Server),
             Items = [links, [], [registered_name, memory], monitored_by, messages, [status, links]],
             [{registered_name, a}, {memory, _}] = process_info(Server, [registered_name, memory]),
             [] = process_info(Server, []),
             exit({[process_info(Dead, I) || I <- Items], process_info(Dead)})",
            &["{[undefined, undefined, undefined, undefined, undefined, undefined], undefined}"],
        ),
    ]);
}
