//! The running example of the Concuerror paper (Christakis et al. 2013, Figure 1).

use super::switch;
use crate::built::Built;
use crate::program::{Mistake, Program, Wrong};
use mazurka::{NameRefused, Pid, me, receive, register, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "ping-pong-register",
    about: "a process registers another one, which may have ended already (Concuerror, Figure 1)",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Crash,
        about: "register fails with badarg if the process has sent its ping and ended",
        when: |values, _| values.get("fixed") == 0,
    }),
    parameters: &[switch(
        "fixed",
        "1: the process waits until it is registered",
    )],
    build: |values| {
        let fixed = values.is_on("fixed");
        Built::rust(move || pong(fixed))
    },
    traces: |values, _| Some(if values.get("fixed") == 0 { 2 } else { 1 }),
};

async fn pong(fixed: bool) -> Result<(), NameRefused> {
    let pong = me();
    let ping = spawn(move || ping(pong, fixed));
    register("ping_pong", ping).await?;
    if fixed {
        send(ping, "go");
    }
    receive! { "ping" => Ok(()) }
}

async fn ping(pong: Pid, fixed: bool) {
    if fixed {
        receive! { "go" => {} }
    }
    send(pong, "ping");
}
