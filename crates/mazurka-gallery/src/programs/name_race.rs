//! Processes that register the same name.

use super::{size, switch};
use crate::built::Built;
use crate::count::factorial;
use crate::program::{Mistake, Program, Wrong};
use mazurka::{NameRefused, daemon, me, receive, register, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "name-race",
    about: "n processes register themselves under the same name",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Crash,
        about: "all but the first are refused with badarg",
        when: |values, _| values.get("fixed") == 0 && values.get("n") >= 2,
    }),
    parameters: &[
        size("n", 2, 1, "the number of processes"),
        switch(
            "fixed",
            "1: a process that finds the name taken does nothing",
        ),
    ],
    build: |values| {
        let (n, fixed) = (values.count("n"), values.is_on("fixed"));
        Built::rust(move || main(n, fixed))
    },
    traces: |values, _| factorial(values.get("n")),
};

async fn main(n: usize, fixed: bool) {
    for _ in 0..n {
        spawn(move || server(fixed));
    }
}

async fn server(fixed: bool) -> Result<(), NameRefused> {
    match register("server", me()).await {
        Err(NameRefused) if fixed => return Ok(()),
        registered => registered?,
    }
    daemon();
    receive! { "stop" => Ok(()) }
}
