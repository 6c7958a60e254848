//! Two-phase commit, with a participant that may lose power at any moment.
//!
//! The coordinator asks all participants to prepare. If all of them vote yes it tells them to
//! commit, otherwise to abort. All participants that decide must decide the same. Two mistakes:
//!
//! * The *patient coordinator* waits for every vote. If a participant dies before it has voted,
//!   all other processes wait for ever.
//! * The *impatient participant* votes yes and, if the decision takes too long, aborts on its
//!   own. But it has promised to commit, and the others may commit.
//!
//! So the coordinator needs a timeout, and the participants must have none: after its vote a
//! participant may no longer abort on its own. The impatient participant shows why timeouts should
//! be explored at any time. If timeouts fire in the order of their deadlines, as on a machine
//! without load, it never fails.
//!
//! ```text
//! cargo run -p mazurka --example two_phase_commit                             # verified
//! cargo run -p mazurka --example two_phase_commit -- patient-coordinator      # a deadlock
//! cargo run -p mazurka --example two_phase_commit -- impatient-participant    # no agreement
//! ```

use mazurka::prelude::*;
use std::process::ExitCode;
use std::time::Duration;

const PARTICIPANTS: usize = 3;
const VOTE_WITHIN: Duration = Duration::from_millis(500);
const DECIDE_WITHIN: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Prepare {
    coordinator: Pid,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct VoteYes;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Decision {
    Commit,
    Abort,
}

/// The decision that a participant has carried out: the coordinator's, or its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Done(Pid, Decision);

/// [`receive`], or [`receive_within`] if there is a limit.
async fn wait<T: mazurka::Message>(limit: Option<Duration>) -> Option<T> {
    match limit {
        Some(limit) => receive_within(limit).await,
        None => Some(receive().await),
    }
}

async fn participant(decide_within: Option<Duration>) {
    let Prepare { coordinator } = receive().await;
    // Here it would write to its log that it can commit.
    send(coordinator, VoteYes);
    let decision = wait(decide_within).await.unwrap_or(Decision::Abort);
    send(coordinator, Done(me(), decision));
}

async fn coordinate(participants: &[Monitor], vote_within: Option<Duration>) -> Decision {
    let coordinator = me();
    for participant in participants {
        send(participant.of, Prepare { coordinator });
    }
    let mut decision = Decision::Commit;
    for _ in participants {
        if wait::<VoteYes>(vote_within).await.is_none() {
            decision = Decision::Abort;
            break;
        }
    }
    for participant in participants {
        send(participant.of, decision);
    }
    decision
}

async fn power_cut(victim: Pid) {
    signal(victim, "power cut");
}

/// One transaction. Each participant that survives it has carried out the coordinator's decision.
async fn transaction(vote_within: Option<Duration>, decide_within: Option<Duration>) {
    let participants =
        [(); PARTICIPANTS].map(|()| spawn_monitor(move || participant(decide_within)));
    let unlucky = participants[0].of;
    spawn(move || power_cut(unlucky));
    let decided = coordinate(&participants, vote_within).await;
    for watched in participants {
        receive! {
            Done(participant, decision) if participant == watched.of => {
                assert_eq!(decision, decided, "{participant} decides on its own");
            }
            Down { monitor, .. } if monitor == watched => {}
        }
    }
}

async fn patient_coordinator() {
    transaction(None, None).await;
}

async fn impatient_participant() {
    transaction(Some(VOTE_WITHIN), Some(DECIDE_WITHIN)).await;
}

async fn fixed() {
    transaction(Some(VOTE_WITHIN), None).await;
}

fn main() -> ExitCode {
    let check = mazurka::Check::new();
    match std::env::args().nth(1).as_deref() {
        Some("patient-coordinator") => check.main(patient_coordinator),
        Some("impatient-participant") => check.main(impatient_participant),
        _ => check.main(fixed),
    }
}

#[cfg(test)]
mod testing;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{errors, explore};
    use mazurka::Check;

    /// The power is cut before the participant receives the request, or before it votes: two orders
    /// of the other votes each, and all others wait for ever. Or it is cut before the participant
    /// receives the decision, before it reports, before it ends, or after: 3! orders of votes each.
    #[test]
    fn a_patient_coordinator_waits_for_ever() {
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            let checked = explore(delivery, patient_coordinator);
            assert_eq!(checked.executions, 2 * 2 + 4 * 6);
            let expected = [
                (Kind::Deadlock, "P", 4),
                (Kind::Stuck, "P.2", 4),
                (Kind::Stuck, "P.3", 4),
            ];
            assert_eq!(errors(&checked), expected);
            let deadlock = checked.errors().find(|error| error.kind == Kind::Deadlock);
            assert!(deadlock.unwrap().message.contains("VoteYes"));
        }
    }

    /// The number of ways to count votes until the timeout: it fires after none, one, two, ...
    /// votes, or all votes are counted.
    const VOTES_OF_TWO: u64 = 1 + 2 + 2;
    const VOTES_OF_THREE: u64 = 1 + 3 + 6 + 6;

    /// The power is cut as above. With two votes the timeout may fire even after both.
    #[test]
    fn fixed_agrees() {
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            let checked = explore(delivery, fixed);
            assert!(checked.passed(), "{}", checked.report);
            assert_eq!(checked.executions, 2 * VOTES_OF_TWO + 4 * VOTES_OF_THREE);
        }
    }

    /// Each participant receives the decision or does not wait for it: two ways for each that gets
    /// that far. The one that may lose power gets that far in three of its four ways, so it has
    /// seven. It fails only if the coordinator decides to commit, in 6 ways. The coordinator asks
    /// P.1 first, which reports that it has aborted in 2 of its 7 ways; then P.2 and P.3, in 1 of 2.
    #[test]
    fn an_impatient_participant_breaks_its_promise() {
        for delivery in [Delivery::P2p, Delivery::Mailbox] {
            let checked = explore(delivery, impatient_participant);
            let executions = 2 * VOTES_OF_TWO * 4 + (1 + 3 * 2) * VOTES_OF_THREE * 4;
            assert_eq!(checked.executions, executions);
            for (participant, count) in [("P.1", 6 * 2 * 4), ("P.2", 6 * 5 * 2), ("P.3", 6 * 5)] {
                let says = format!("{participant} decides on its own");
                let mut errors = checked.errors();
                let error = errors.find(|error| error.message.contains(&says)).unwrap();
                assert_eq!((error.kind, &*error.process), (Kind::Assertion, "P"));
                assert_eq!(error.count, count);
            }
            assert_eq!(checked.errors().count(), 3);
        }
    }

    /// On a machine without load every decision arrives in time.
    #[test]
    fn an_impatient_participant_is_lucky_when_it_is_quiet() {
        let check = Check::new().timeouts(Timeouts::WhenQuiet);
        let checked = check.run(impatient_participant);
        assert_eq!(checked.executions, 2 * 2 + 4 * 6);
    }
}
