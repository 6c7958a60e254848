//! With whom a process is linked.

use mazurka_engine::Operation;

use super::Inquiry;
use crate::machine::ask::Pending;
use crate::machine::native::{Answer, Context, Next};
use crate::term::{PidTerm, Term};

/// Links of a process, as far as it is known that those at the other end live.
///
/// A link goes when the exit signal comes. Whoever has received that, or knows of the end by other
/// news that came after it, finds the other one dead; whoever does not may find it either way, with
/// the signal on its way.
#[derive(Clone, Debug)]
pub struct Linked {
    inquiry: Inquiry,
    living: Vec<Term>,
    /// Whose lives are still to be looked at, the next one last.
    left: Vec<PidTerm>,
}

impl Linked {
    /// These are all links. They are told in the order of the pids, which is one and the same in
    /// every execution.
    pub(in crate::machine) fn found(
        context: &mut Context<'_>,
        inquiry: Inquiry,
        mut pids: Vec<PidTerm>,
    ) -> Next {
        pids.sort_unstable_by(|one, other| other.cmp(one));
        let linked = Linked {
            inquiry,
            living: Vec::new(),
            left: pids,
        };
        linked.look(context)
    }

    fn look(self, context: &mut Context<'_>) -> Next {
        match self.left.last() {
            Some(&pid) => Next::Ask(Operation::IsAlive(pid), Pending::Linked(self)),
            None => self.inquiry.tell(context, Term::list(self.living)),
        }
    }

    /// The next one lives, or has ended.
    pub(in crate::machine) fn looked(mut self, context: &mut Context<'_>, answer: &Answer) -> Next {
        if let (Some(pid), Answer::Bool(true)) = (self.left.pop(), answer) {
            self.living.push(Term::Pid(pid));
        }
        self.look(context)
    }
}
