//! Erlang programs that the real `erl` runs as well: the binary must agree with it, or refuse the
//! program with exit code 5.

mod common;

use std::process::Command;

use common::{Place, Ran, flat};

#[track_caller]
fn has(ran: &Ran, text: &str) {
    let all = format!("{}{}", ran.stdout, ran.stderr);
    let is_there = flat(&all).contains(&flat(text));
    assert!(is_there, "no {text:?} in\n{all}");
}

/// Writes the module `t` with these functions.
fn program(functions: &str) -> Place {
    let place = Place::new();
    let module = format!("-module(t).\n-compile([export_all, nowarn_export_all]).\n{functions}");
    place.write("t.erl", &module);
    place
}

/// Runs `t:main/0` on the real machine, where it must return.
#[track_caller]
fn erl_returns(place: &Place) {
    let compiled = Command::new("erlc")
        .arg("t.erl")
        .current_dir(place.path())
        .output();
    assert!(compiled.unwrap().status.success());
    let code = "try t:main() of _ -> halt(0) catch C:R:S -> io:format(\"~p\", [{C, R, S}]), halt(1) end.";
    let ran = Command::new("erl")
        .args(["-noshell", "-eval", code])
        .current_dir(place.path())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(0), "erl: {printed}");
    std::fs::remove_file(place.path().join("t.beam")).unwrap();
}

/// `t:main/0` returns on the real machine and in every execution here.
#[track_caller]
fn returns_as_in_erl(functions: &str) {
    let place = program(functions);
    erl_returns(&place);
    place.expect(0, "check t.erl --entry t:main/0");
}

#[test]
fn demonitor_of_another_process_s_reference() {
    returns_as_in_erl(
        "main() ->
             Me = self(),
             P = spawn(fun() -> Me ! {ref, monitor(process, Me)}, receive stop -> ok end end),
             R = receive {ref, X} -> X end,
             true = demonitor(R),
             false = demonitor(R, [info]),
             true = demonitor(R, [flush]),
             false = demonitor(R, [flush, info]),
             P ! stop.",
    );
}
