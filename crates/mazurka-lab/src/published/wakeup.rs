//! Wakeup trees: the sequences that must be tried from a configuration, as a tree of their common
//! prefixes (Abdulla, Aronis, Jonsson and Sagonas 2014).

use super::state::{Made, Move};
use mazurka_engine::Fault;

/// The branches of a tree, in the order in which they are to be tried.
#[derive(Debug, Default)]
pub(super) struct WakeupTree {
    pub branches: Vec<Branch>,
}

#[derive(Debug)]
pub(super) struct Branch {
    pub made: Made,
    pub rest: WakeupTree,
}

/// A partially ordered sequence of moves: each with the earlier moves that it depends on.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    items: Vec<Item>,
}

#[derive(Clone, Debug)]
struct Item {
    made: Made,
    /// Numbers of the earlier items that it depends on, without removed items.
    after: Vec<usize>,
    number: usize,
}

impl Sequence {
    pub(super) fn new() -> Self {
        Sequence { items: Vec::new() }
    }

    /// Adds a move that depends on the earlier ones for whose numbers `after` holds.
    pub(super) fn push(&mut self, number: usize, made: Made, after: impl Fn(usize) -> bool) {
        let before = self.items.iter().map(|item| item.number);
        let after = before.filter(|&number| after(number)).collect();
        self.items.push(Item {
            made,
            after,
            number,
        });
    }

    /// Whether the move is a *weak initial* of the sequence: it can come first in the sequence or in a
    /// continuation of it. `fits` returns whether the sequence is enabled after a move that does not
    /// depend on any of its moves.
    pub(super) fn may_begin_with(
        &self,
        made: &Made,
        fits: impl FnOnce(&Sequence) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        match self.find(made) {
            Some(at) => Ok(self.items[at].after.is_empty()),
            None if self.items.iter().any(|item| item.made.depends_on(made)) => Ok(false),
            None => fits(self),
        }
    }

    /// Its moves, in order.
    pub(super) fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.items.iter().map(|item| item.made.mv)
    }

    fn find(&self, made: &Made) -> Option<usize> {
        self.items.iter().position(|item| item.made.mv == made.mv)
    }

    fn into_branch(self) -> Option<Branch> {
        let mut items = self.items.into_iter().rev();
        let last = items.next()?;
        let leaf = Branch {
            made: last.made,
            rest: WakeupTree::default(),
        };
        Some(items.fold(leaf, |branch, item| Branch {
            made: item.made,
            rest: WakeupTree {
                branches: vec![branch],
            },
        }))
    }

    /// The rest of the sequence after this move.
    fn after(mut self, made: &Made) -> Sequence {
        if let Some(at) = self.find(made) {
            let gone = self.items.remove(at).number;
            for item in &mut self.items {
                item.after.retain(|&number| number != gone);
            }
        }
        self
    }
}

/// Not by recursion: a branch may be as long as an execution.
impl Drop for WakeupTree {
    fn drop(&mut self) {
        let mut branches = std::mem::take(&mut self.branches);
        while let Some(mut branch) = branches.pop() {
            branches.append(&mut branch.rest.branches);
        }
    }
}

impl WakeupTree {
    /// Adds a sequence, unless a branch leads to the same executions. `fits` returns whether a sequence
    /// is enabled after some moves.
    pub(super) fn insert(
        &mut self,
        sequence: Sequence,
        mut fits: impl FnMut(&[Move], &Sequence) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        let mut moves = Vec::new();
        let mut tree = self;
        let mut left = sequence;
        while !left.items.is_empty() {
            let mut found = None;
            for (at, branch) in tree.branches.iter().enumerate() {
                moves.push(branch.made.mv);
                if left.may_begin_with(&branch.made, |left| fits(&moves, left))? {
                    found = Some(at);
                    break;
                }
                moves.pop();
            }
            let Some(at) = found else {
                tree.branches.extend(left.into_branch());
                break;
            };
            let branch = &mut tree.branches[at];
            if branch.rest.branches.is_empty() {
                break;
            }
            left = left.after(&branch.made);
            tree = &mut branch.rest;
        }
        Ok(())
    }
}
