//! What random programs have shown to be different on the real machine, one small program each.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use mazurka_beam::Program;
use mazurka_engine::{Delivery, Execution, Observer, Options, SendersFirst, explore};
use mazurka_trace::Event;

use super::batch::Batch;

/// How the entry process ends, in all executions.
#[derive(Default)]
struct Ends(BTreeSet<String>);

impl Observer<Program> for Ends {
    fn execution(&mut self, execution: &Execution<'_, Program>) -> ControlFlow<()> {
        let trace = execution.trace();
        let entry = trace.processes.get("P").expect("it began");
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

/// Programs, and with which reasons the entry process ends on the real machine.
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
fn links_to_the_dead() {
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
            // It may end before, while and after the link is made.
            "Dies = spawn(fun() -> exit(why) end),
             exit(try link(Dies) of true -> linked catch error:noproc -> late end)",
            &["late", "linked", "noproc", "why"],
        ),
    ]);
}

#[test]
fn one_name_each() {
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
            // Named by another, then by itself.
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
fn links_are_told_before_monitors() {
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

/// A signal is a message or not by the flag of its target when it comes, not when the target
/// receives.
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
