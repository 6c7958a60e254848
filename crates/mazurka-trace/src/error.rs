//! The errors of an invalid trace.

use std::fmt;

use thiserror::Error;

use crate::{At, Delivery, ProcessName, Tag};

/// The rule that a trace breaks, and where. Positions are counted from 1 in the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TraceError {
    /// Two events spawn the same process.
    #[error("{second}: spawns {pid}, which {first} already spawned; a process is spawned once")]
    SpawnedTwice {
        /// The process.
        pid: ProcessName,
        /// The first spawn.
        first: At,
        /// The second one.
        second: At,
    },
    /// An event spawns the initial process or an object.
    #[error("{at}: spawns {pid}, which exists from the start")]
    SpawnsExisting {
        /// The process.
        pid: ProcessName,
        /// The spawn.
        at: At,
    },
    /// A process is neither initial, nor an object, nor spawned.
    #[error(
        "process {pid}: no process spawns it, and it is neither the initial process nor an object"
    )]
    NotSpawned {
        /// The process.
        pid: ProcessName,
    },
    /// The initial process is listed as an object.
    #[error("process {pid}: it is the initial process and so cannot be an object")]
    InitialIsObject {
        /// The process.
        pid: ProcessName,
    },
    /// Processes spawn each other in a cycle.
    #[error("processes {}: they spawn each other in a cycle", list(.pids))]
    SpawnCycle {
        /// The processes. Each is the parent of the next, and the last is the parent of the first.
        pids: Vec<ProcessName>,
    },
    /// Two sends have the same tag.
    #[error("{second}: sends message {tag}, which {first} already sent; tags are unique")]
    TagReused {
        /// The tag.
        tag: Tag,
        /// The first send.
        first: At,
        /// The second one.
        second: At,
    },
    /// An event uses a message that no process sends.
    #[error("{at}: {verb} message {tag}, which no process sends", verb = .usage.verb())]
    NotSent {
        /// The message.
        tag: Tag,
        /// Where it is used.
        at: At,
        /// How it is used.
        usage: Usage,
    },
    /// A process uses a message that was sent to another process.
    #[error("{at}: {verb} message {tag}, which {sent} sent to {to}", verb = .usage.verb())]
    WrongTarget {
        /// The message.
        tag: Tag,
        /// Where it is used.
        at: At,
        /// How it is used.
        usage: Usage,
        /// Its send.
        sent: At,
        /// The process it was sent to.
        to: ProcessName,
    },
    /// Two events consume the same message, or two events deliver it.
    #[error("{second}: {verb} message {tag} a second time, after {first}", verb = .usage.verb())]
    UsedTwice {
        /// The message.
        tag: Tag,
        /// How it is used the second time.
        usage: Usage,
        /// The first use.
        first: At,
        /// The second one.
        second: At,
    },
    /// A message is delivered after it was consumed.
    #[error("{at}: message {tag} is delivered, but {consumed} already consumed it")]
    DeliveredLate {
        /// The message.
        tag: Tag,
        /// The delivery.
        at: At,
        /// The event that consumed it.
        consumed: At,
    },
    /// A receive consumes a message that does not satisfy its constraint.
    #[error(
        "{at}: receives message {tag}, which does not satisfy the receive's constraint (see `accepts`)"
    )]
    NotAccepted {
        /// The message.
        tag: Tag,
        /// The receive.
        at: At,
    },
    /// A read names a process that is not an object.
    #[error("{at}: reads {object}, which is not an object: add it to \"objects\"")]
    NotAnObject {
        /// The process that is read.
        object: ProcessName,
        /// The read.
        at: At,
    },
    /// A process that is not an object publishes a version.
    #[error("{at}: publishes a new version, but {} is not an object: add it to \"objects\"", .at.pid)]
    PublisherNotAnObject {
        /// The publication.
        at: At,
    },
    /// The index of a chosen alternative is out of range.
    #[error("{at}: chooses alternative {chosen} of {of}: alternatives are numbered from 0")]
    NoSuchAlternative {
        /// The index that was chosen.
        chosen: u32,
        /// The number of alternatives.
        of: u32,
        /// The choice.
        at: At,
    },
    /// A read names a version that the object never published.
    #[error(
        "{at}: reads version {version} of {object}, which only has versions 0 to {last} (0 is the initial state, and each publish adds one)"
    )]
    NoSuchVersion {
        /// The object.
        object: ProcessName,
        /// The version read.
        version: u32,
        /// The object's last version: the number of its publications.
        last: u32,
        /// The read.
        at: At,
    },
    /// A receive skips a message that the delivery model puts first.
    #[error("{at}: receives message {tag}, but under {delivery} delivery it must consume {waiting} first, {}", why(.delivery))]
    Overtakes {
        /// The message received.
        tag: Tag,
        /// The receive.
        at: At,
        /// The message that was skipped.
        waiting: Tag,
        /// The delivery model of the trace.
        delivery: Delivery,
    },
    /// The order constraints of happened-before and of the delivery model form a cycle.
    #[error("no order of the events is possible: {0}")]
    Cycle(Cycle),
}

/// How an event uses a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// A receive consumes the message.
    Receives,
    /// The message is the exit signal that ends the process.
    KilledBy,
    /// The message reaches the mailbox.
    Delivers,
}

impl Usage {
    fn verb(self) -> &'static str {
        match self {
            Usage::Receives => "receives",
            Usage::KilledBy => "is killed by",
            Usage::Delivers => "delivers",
        }
    }
}

/// A cycle of events: each must come before the next, and the last before the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Each event, and why it must come before the next one.
    pub links: Vec<(At, Why)>,
}

/// Why one event must come before another.
///
/// The first four reasons make up happened-before (Vidal 2022, Def. 2). The others only restrict
/// the possible interleavings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// Both are events of one process.
    Program,
    /// The first spawns the process of the second.
    Spawn,
    /// The first sends the message that the second consumes.
    Message,
    /// The first publishes the version that the second reads.
    Version,
    /// The first reads the version that the second replaces.
    NextVersion,
    /// The first sends the message that the second delivers.
    Delivery,
    /// Both send to the same mailbox, and a receive that accepts both messages consumed the first
    /// one's message first.
    Mailbox,
    /// The first is a timeout, which the message sent by the second would have prevented.
    Timeout,
}

impl Why {
    fn text(self) -> &'static str {
        match self {
            Why::Program => "earlier in the same process",
            Why::Spawn => "spawns the process",
            Why::Message => "sends the message",
            Why::Version => "publishes the version that is read",
            Why::NextVersion => "reads the version that is replaced",
            Why::Delivery => "sends the message that is delivered",
            Why::Mailbox => "its message was consumed from the mailbox first",
            Why::Timeout => "timed out, which that message would have prevented",
        }
    }
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, why) in &self.links {
            write!(f, "{at} ({}) comes before ", why.text())?;
        }
        match self.links.first() {
            Some((at, _)) => write!(f, "{at}"),
            None => Ok(()),
        }
    }
}

fn list(pids: &[ProcessName]) -> String {
    pids.iter()
        .map(ProcessName::as_str)
        .collect::<Vec<_>>()
        .join(", ")
}

fn why(delivery: &Delivery) -> &'static str {
    match delivery {
        Delivery::P2p => "which also matches and was sent earlier by the same process",
        Delivery::Causal => "which also matches and whose send happened before",
        Delivery::Mailbox | Delivery::Unordered => "which also matches and was sent earlier",
    }
}

#[cfg(test)]
mod tests {
    use crate::Delivery::{self, Causal, Mailbox, P2p, Unordered};
    use crate::testing::trace;

    fn check(delivery: Delivery, text: &str, expected: &str) {
        let error = trace(delivery, text).check().map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), expected, "for {text}");
    }

    fn check_ok(delivery: Delivery, text: &str) {
        let checked = trace(delivery, text).check().map(|_| ());
        assert_eq!(checked, Ok(()), "for {text}");
    }

    #[test]
    fn spawns() {
        check(
            P2p,
            "p: spawn q, exit, spawn q",
            "p event 3: spawns q, which p event 1 already spawned; a process is spawned once",
        );
        check(
            P2p,
            "p: spawn q\n q: spawn p",
            "q event 1: spawns p, which exists from the start",
        );
        check(
            P2p,
            "p: spawn o, spawn o\n [o]:",
            "p event 2: spawns o, which p event 1 already spawned; a process is spawned once",
        );
        check(
            P2p,
            "p:\n q: exit",
            "process q: no process spawns it, and it is neither the initial process nor an object",
        );
        check(
            P2p,
            "p:\n q: spawn r\n r: spawn q",
            "processes r, q: they spawn each other in a cycle",
        );
        check(
            P2p,
            "p:\n q: spawn q",
            "processes q: they spawn each other in a cycle",
        );
        check(
            P2p,
            "p:\n [p]:",
            "process p: it is the initial process and so cannot be an object",
        );
    }

    #[test]
    fn messages() {
        check(
            P2p,
            "p: send 1 to p, send 1 to p",
            "p event 2: sends message 1, which p event 1 already sent; tags are unique",
        );
        check(
            P2p,
            "p: receive 1",
            "p event 1: receives message 1, which no process sends",
        );
        check(
            P2p,
            "p: killed 1",
            "p event 1: is killed by message 1, which no process sends",
        );
        check(
            P2p,
            "p: deliver 1",
            "p event 1: delivers message 1, which no process sends",
        );
        check(
            P2p,
            "p: spawn q, send 1 to q, receive 1\n q:",
            "p event 3: receives message 1, which p event 2 sent to q",
        );
        check(
            P2p,
            "p: send 1 to p, receive 1, killed 1",
            "p event 3: is killed by message 1 a second time, after p event 2",
        );
        check(
            P2p,
            "p: send 1 to p, deliver 1, deliver 1",
            "p event 3: delivers message 1 a second time, after p event 2",
        );
        check(
            P2p,
            "p: send 1 to p, receive 1, deliver 1",
            "p event 3: message 1 is delivered, but p event 2 already consumed it",
        );
        check(
            P2p,
            "p: send 1 to p, receive 1 except 1",
            "p event 2: receives message 1, which does not satisfy the receive's constraint (see `accepts`)",
        );
        check_ok(P2p, "p: send 1 to unknown, send 2 to p");
    }

    #[test]
    fn reads() {
        check(
            P2p,
            "p: read q 0",
            "p event 1: reads q, which is not an object: add it to \"objects\"",
        );
        check(
            P2p,
            "p: read o 1\n [o]:",
            "p event 1: reads version 1 of o, which only has versions 0 to 0 (0 is the initial state, \
             and each publish adds one)",
        );
        check(
            Unordered,
            "p: send 1 to o, receive 2, read o 0\n [o]: receive 1, publish, send 2 to p",
            "no order of the events is possible: p event 2 (earlier in the same process) comes before p event 3 \
             (reads the version that is replaced) comes before o event 2 (earlier in the same process) comes before \
             o event 3 (sends the message) comes before p event 2",
        );
        check_ok(
            Mailbox,
            "p: send 1 to o, read o 0, receive 2, read o 1\n [o]: receive 1, publish, send 2 to p",
        );
        check(
            P2p,
            "p: read o 1, send 1 to o\n [o]: receive 1, publish",
            "no order of the events is possible: p event 1 (earlier in the same process) comes before p event 2 \
             (sends the message) comes before o event 1 (earlier in the same process) comes before o event 2 \
             (publishes the version that is read) comes before p event 1",
        );
        // A request may publish no version, or several.
        check_ok(
            P2p,
            "p: send 1 to o, receive 2, read o 0\n [o]: receive 1, send 2 to p",
        );
        check_ok(
            P2p,
            "p: send 1 to o, read o 0, read o 2\n [o]: receive 1, publish, publish",
        );
        check(
            P2p,
            "p: send 1 to o, read o 1\n [o]: receive 1",
            "p event 2: reads version 1 of o, which only has versions 0 to 0 (0 is the initial state, \
             and each publish adds one)",
        );
    }

    #[test]
    fn publications() {
        check(
            P2p,
            "p: publish",
            "p event 1: publishes a new version, but p is not an object: add it to \"objects\"",
        );
        check(
            P2p,
            "p: spawn q, read o 1\n q: exit, publish\n [o]: publish",
            "q event 2: publishes a new version, but q is not an object: add it to \"objects\"",
        );
    }

    #[test]
    fn choices() {
        check(
            P2p,
            "p: choose 2 of 3, choose 3 of 3",
            "p event 2: chooses alternative 3 of 3: alternatives are numbered from 0",
        );
        check(
            P2p,
            "p: spawn q\n q: choose 0 of 0",
            "q event 1: chooses alternative 0 of 0: alternatives are numbered from 0",
        );
    }

    #[test]
    fn cycles() {
        check(
            P2p,
            "p: receive 1, send 1 to p",
            "no order of the events is possible: p event 1 (earlier in the same process) comes before p event 2 \
             (sends the message) comes before p event 1",
        );
        check(
            P2p,
            "p: deliver 1, send 1 to p",
            "no order of the events is possible: p event 1 (earlier in the same process) comes before p event 2 \
             (sends the message that is delivered) comes before p event 1",
        );
    }

    /// One process sends 1, then 2; they are received in the opposite order.
    const SWAPPED: &str = "p: spawn q, send 1 to q, send 2 to q\n q: receive 2, receive 1";

    /// 2 is sent in reaction to a message sent after 1.
    const TRIANGLE: &str = "p: spawn q, spawn r, send 1 to q, send 3 to r\n q: receive 2, receive 1\n r: receive 3, send 2 to q";

    /// Two receivers disagree about the order of two independent senders.
    const DISAGREE: &str = "p: spawn q, spawn r, send 1 to q, send 2 to r\n q: receive 3, receive 1\n \
         r: receive 2, receive 4\n s:";

    #[test]
    fn order_of_a_sender() {
        check_ok(Unordered, SWAPPED);
        let expected = |delivery, why| {
            format!(
                "q event 1: receives message 2, but under {delivery} delivery it must consume 1 first, \
                 which also matches and {why}"
            )
        };
        check(
            P2p,
            SWAPPED,
            &expected(P2p, "was sent earlier by the same process"),
        );
        check(
            Causal,
            SWAPPED,
            &expected(Causal, "whose send happened before"),
        );
        check(Mailbox, SWAPPED, &expected(Mailbox, "was sent earlier"));
        // A selective receive skips messages that do not match; an exit signal skips all messages.
        for delivery in Delivery::ALL {
            check_ok(
                delivery,
                "p: spawn q, send 1 to q, send 2 to q\n q: receive 2 except 1, receive 1",
            );
            check_ok(
                delivery,
                "p: spawn q, send 1 to q, send 2 to q\n q: killed 2",
            );
        }
    }

    #[test]
    fn causal_order() {
        check_ok(Unordered, TRIANGLE);
        check_ok(P2p, TRIANGLE);
        check(
            Causal,
            TRIANGLE,
            "q event 1: receives message 2, but under causal delivery it must consume 1 first, \
             which also matches and whose send happened before",
        );
    }

    #[test]
    fn mailbox_order() {
        let disagree = DISAGREE
            .replace("s:", "s: send 4 to r, send 3 to q")
            .replace("spawn r,", "spawn r, spawn s,");
        check_ok(Causal, &disagree);
        check(
            Mailbox,
            &disagree,
            "no order of the events is possible: s event 1 (earlier in the same process) comes before s event 2 \
             (its message was consumed from the mailbox first) comes before p event 4 (earlier in the same process) \
             comes before p event 5 (its message was consumed from the mailbox first) comes before s event 1",
        );
    }

    #[test]
    fn mailbox_timeouts() {
        let late = "p: send 1 to p, timeout, receive 1";
        check_ok(Causal, late);
        check(
            Mailbox,
            late,
            "no order of the events is possible: p event 1 (earlier in the same process) comes before p event 2 \
             (timed out, which that message would have prevented) comes before p event 1",
        );
        check_ok(Mailbox, "p: send 1 to p, timeout of 2, receive 1, timeout");
    }
}
