//! What can be wrong with a trace.

use std::fmt;

use thiserror::Error;

use crate::{At, Delivery, ProcessName, Tag};

/// The rule that a trace breaks, and where. Positions are counted from 1 in the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TraceError {
    /// A process is spawned by two events.
    #[error("{second}: spawns {pid}, which {first} spawned; a process is spawned once")]
    SpawnedTwice {
        /// The process.
        pid: ProcessName,
        /// One spawn.
        first: At,
        /// The other.
        second: At,
    },
    /// The initial process or an object is spawned.
    #[error("{at}: spawns {pid}, which exists from the start")]
    SpawnsExisting {
        /// The process.
        pid: ProcessName,
        /// The spawn.
        at: At,
    },
    /// A process is neither initial, nor an object, nor spawned.
    #[error("process {pid}: nobody spawns it, and it is neither the initial process nor an object")]
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
    /// Processes that spawn each other and have no other beginning.
    #[error("processes {}: they spawn each other in a circle", list(.pids))]
    SpawnCircle {
        /// The processes, each the parent of the next, the last that of the first.
        pids: Vec<ProcessName>,
    },
    /// Two sends have the same tag.
    #[error("{second}: sends message {tag}, which {first} sent; tags are unique")]
    TagReused {
        /// The tag.
        tag: Tag,
        /// One send.
        first: At,
        /// The other.
        second: At,
    },
    /// A message is received, delivered or kills, but nobody sends it.
    #[error("{at}: {verb} message {tag}, which nobody sends", verb = .usage.verb())]
    NotSent {
        /// The message.
        tag: Tag,
        /// Where it is used.
        at: At,
        /// How it is used.
        usage: Usage,
    },
    /// A message is used by another process than the one it was sent to.
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
    /// A message is consumed, or delivered, by two events.
    #[error("{second}: {verb} message {tag} a second time, after {first}", verb = .usage.verb())]
    UsedTwice {
        /// The message.
        tag: Tag,
        /// How it is used the second time.
        usage: Usage,
        /// One use.
        first: At,
        /// The other.
        second: At,
    },
    /// A message is delivered after it was consumed.
    #[error("{at}: message {tag} is delivered, but {consumed} consumed it before")]
    DeliveredLate {
        /// The message.
        tag: Tag,
        /// The delivery.
        at: At,
        /// The event that consumed it.
        consumed: At,
    },
    /// The message does not satisfy the constraint of the receive.
    #[error(
        "{at}: receives message {tag}, which does not satisfy its own constraint (see `accepts`)"
    )]
    NotAccepted {
        /// The message.
        tag: Tag,
        /// The receive.
        at: At,
    },
    /// Something is read that is not an object.
    #[error("{at}: reads {object}, which is not among the objects")]
    NotAnObject {
        /// What is read.
        object: ProcessName,
        /// The read.
        at: At,
    },
    /// A process publishes that is not an object.
    #[error("{at}: publishes a new version, but {} is not among the objects", .at.pid)]
    PublisherNotAnObject {
        /// The publication.
        at: At,
    },
    /// Something is chosen that there is not.
    #[error("{at}: chooses {chosen} of {of}, which there is not: the ways are counted from 0")]
    NoSuchWay {
        /// What was chosen.
        chosen: u32,
        /// How many ways there are.
        of: u32,
        /// The choice.
        at: At,
    },
    /// A version is read that the object never had.
    #[error(
        "{at}: reads version {version} of {object}, which has versions 0 to {last} only (0 is the initial state, and each publish makes the next one)"
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
    /// A receive passes over a message that the delivery model puts first.
    #[error("{at}: receives message {tag}, but under {delivery} delivery it must take {waiting} first, {}", why(.delivery))]
    Overtakes {
        /// The message received.
        tag: Tag,
        /// The receive.
        at: At,
        /// The message passed over.
        waiting: Tag,
        /// The delivery model of the trace.
        delivery: Delivery,
    },
    /// No order of the events respects happened-before and the orders of the model.
    #[error("no order of the events is possible: {0}")]
    Circle(Circle),
}

/// What an event does with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// It receives it.
    Receives,
    /// It is killed by it.
    KilledBy,
    /// It delivers it.
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

/// Events each of which must come before the next, and the last before the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    /// Each event, and why it must come before the next one.
    pub links: Vec<(At, Why)>,
}

/// Why one event must come before another.
///
/// The first four make up happened-before (Vidal 2022, Def. 2); the others only limit the
/// orders in which things can be put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// They are events of one process.
    Program,
    /// One spawns the process of the other.
    Spawn,
    /// One sends the message that the other consumes.
    Message,
    /// One publishes the version of an object that the other reads.
    Version,
    /// One reads the version of an object that the other replaces.
    NextVersion,
    /// One sends the message that the other delivers.
    Delivery,
    /// Both send to one mailbox, and the message of the one was taken while that of the
    /// other would have matched.
    Mailbox,
    /// One is a timeout that a message sent by the other would have prevented.
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
            Why::Mailbox => "its message was taken from the mailbox first",
            Why::Timeout => "timed out, which that message would have prevented",
        }
    }
}

impl fmt::Display for Circle {
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
        Delivery::P2p => "which matches as well and was sent earlier by the same process",
        Delivery::Causal => "which matches as well and whose send happened before",
        Delivery::Mailbox | Delivery::Unordered => "which matches as well and was sent earlier",
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
            "p event 3: spawns q, which p event 1 spawned; a process is spawned once",
        );
        check(
            P2p,
            "p: spawn q\n q: spawn p",
            "q event 1: spawns p, which exists from the start",
        );
        check(
            P2p,
            "p: spawn o\n [o]:",
            "p event 1: spawns o, which exists from the start",
        );
        check(
            P2p,
            "p:\n q: exit",
            "process q: nobody spawns it, and it is neither the initial process nor an object",
        );
        check(
            P2p,
            "p:\n q: spawn r\n r: spawn q",
            "processes r, q: they spawn each other in a circle",
        );
        check(
            P2p,
            "p:\n q: spawn q",
            "processes q: they spawn each other in a circle",
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
            "p event 2: sends message 1, which p event 1 sent; tags are unique",
        );
        check(
            P2p,
            "p: receive 1",
            "p event 1: receives message 1, which nobody sends",
        );
        check(
            P2p,
            "p: killed 1",
            "p event 1: is killed by message 1, which nobody sends",
        );
        check(
            P2p,
            "p: deliver 1",
            "p event 1: delivers message 1, which nobody sends",
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
            "p event 3: message 1 is delivered, but p event 2 consumed it before",
        );
        check(
            P2p,
            "p: send 1 to p, receive 1 except 1",
            "p event 2: receives message 1, which does not satisfy its own constraint (see `accepts`)",
        );
        check_ok(P2p, "p: send 1 to nobody, send 2 to p");
    }

    #[test]
    fn reads() {
        check(
            P2p,
            "p: read q 0",
            "p event 1: reads q, which is not among the objects",
        );
        check(
            P2p,
            "p: read o 1\n [o]:",
            "p event 1: reads version 1 of o, which has versions 0 to 0 only (0 is the initial state, \
             and each publish makes the next one)",
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
        // A request may change nothing, or several things.
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
            "p event 2: reads version 1 of o, which has versions 0 to 0 only (0 is the initial state, \
             and each publish makes the next one)",
        );
    }

    #[test]
    fn publications() {
        check(
            P2p,
            "p: publish",
            "p event 1: publishes a new version, but p is not among the objects",
        );
        check(
            P2p,
            "p: spawn q, read o 1\n q: exit, publish\n [o]: publish",
            "q event 2: publishes a new version, but q is not among the objects",
        );
    }

    #[test]
    fn choices() {
        check(
            P2p,
            "p: choose 2 of 3, choose 3 of 3",
            "p event 2: chooses 3 of 3, which there is not: the ways are counted from 0",
        );
        check(
            P2p,
            "p: spawn q\n q: choose 0 of 0",
            "q event 1: chooses 0 of 0, which there is not: the ways are counted from 0",
        );
    }

    #[test]
    fn circles() {
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

    /// One process sends 1 and 2; they are received the other way round.
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
                "q event 1: receives message 2, but under {delivery} delivery it must take 1 first, \
                 which matches as well and {why}"
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
        // A selective receive passes over what does not match, and a signal over all.
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
            "q event 1: receives message 2, but under causal delivery it must take 1 first, \
             which matches as well and whose send happened before",
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
             (its message was taken from the mailbox first) comes before p event 4 (earlier in the same process) \
             comes before p event 5 (its message was taken from the mailbox first) comes before s event 1",
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
