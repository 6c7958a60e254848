//! The links of a process.

use mazurka_engine::LivenessOperation;

use super::Inquiry;
use crate::machine::ask::Pending;
use crate::machine::native::{Answer, Context, Next};
use crate::term::{PidTerm, Term};

/// The links of a process to processes that are alive, while they are being collected.
///
/// A link disappears when the exit signal arrives. A process that has received the signal, or a
/// message that was sent after the end, finds that the linked process has ended. Otherwise it may
/// find it alive or ended, with the signal still on its way.
#[derive(Clone, Debug)]
pub struct Linked {
    inquiry: Inquiry,
    alive: Vec<Term>,
    /// The processes whose liveness is still to be checked, the next one last.
    left: Vec<PidTerm>,
}

impl Linked {
    /// Starts with all links of the process. The result is in the order of the pids, which is the
    /// same in every execution.
    pub(in crate::machine) fn collect(
        context: &mut Context<'_>,
        inquiry: Inquiry,
        mut pids: Vec<PidTerm>,
    ) -> Next {
        pids.sort_unstable_by(|one, other| other.cmp(one));
        let linked = Linked {
            inquiry,
            alive: Vec::new(),
            left: pids,
        };
        linked.check_next(context)
    }

    fn check_next(self, context: &mut Context<'_>) -> Next {
        match self.left.last() {
            Some(&pid) => Next::Liveness(LivenessOperation::IsAlive(pid), Pending::Linked(self)),
            None => self.inquiry.answer(context, Term::list(self.alive)),
        }
    }

    /// Continues with the answer whether the next process is alive.
    pub(in crate::machine) fn checked(
        mut self,
        context: &mut Context<'_>,
        answer: &Answer,
    ) -> Next {
        if let (Some(pid), Answer::Bool(true)) = (self.left.pop(), answer) {
            self.alive.push(Term::Pid(pid));
        }
        self.check_next(context)
    }
}
