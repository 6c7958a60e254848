//! Wakeup trees: what must be tried from a configuration, as sequences that share their
//! beginnings (Abdulla, Aronis, Jonsson and Sagonas 2014).

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

/// A sequence of moves up to reordering: each with the ones before it that it depends on.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    items: Vec<Item>,
}

#[derive(Clone, Debug)]
struct Item {
    made: Made,
    /// Numbers of earlier items; the items that are gone are not among them.
    after: Vec<usize>,
    number: usize,
}

impl Sequence {
    pub(super) fn new() -> Self {
        Sequence { items: Vec::new() }
    }

    /// Adds a move that comes after some earlier ones, named by their numbers.
    pub(super) fn push(&mut self, number: usize, made: Made, after: impl Fn(usize) -> bool) {
        let before = self.items.iter().map(|item| item.number);
        let after = before.filter(|&number| after(number)).collect();
        self.items.push(Item {
            made,
            after,
            number,
        });
    }

    /// Whether the sequence, or one that it can go on to, can begin with this move: it is a
    /// *weak initial*. `fits` says whether the sequence is possible after a move that does not
    /// depend on any of it.
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

    /// Its moves, one after the other.
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

    /// What is left of it after this move.
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
    /// Adds a sequence, unless one that is there leads to all that it leads to. `fits` says
    /// whether a sequence is possible after some moves.
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
