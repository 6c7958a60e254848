//! Persistent search trees, balanced by weight (Adams 1992): an update copies one path and shares the
//! rest. As the maps of programs, but in either of Erlang's two orders.

use std::cmp::Ordering;
use std::rc::Rc;

use super::row::Row;
use crate::term::{Term, compare, compare_exactly};

/// A tree of rows by their keys.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    root: Link,
    order: fn(&Term, &Term) -> Ordering,
}

type Link = Option<Rc<Node>>;

#[derive(Debug)]
struct Node {
    key: Term,
    row: Row,
    left: Link,
    right: Link,
    size: usize,
}

/// A direction in which to iterate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the smallest key.
    Up,
    /// From the largest key.
    Down,
}

impl Tree {
    /// An empty tree. `by_value`: whether `1` and `1.0` are the same key.
    pub(super) fn new(by_value: bool) -> Tree {
        Tree {
            root: None,
            order: if by_value { compare } else { compare_exactly },
        }
    }

    pub(super) fn len(&self) -> usize {
        size(&self.root)
    }

    pub(super) fn get(&self, key: &Term) -> Option<&Row> {
        let mut link = &self.root;
        while let Some(node) = link {
            link = match (self.order)(key, &node.key) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return Some(&node.row),
            };
        }
        None
    }

    /// Sets the row of a key.
    pub(super) fn insert(&mut self, key: Term, row: Row) {
        self.root = Some(insert(&self.root, key, row, self.order));
    }

    pub(super) fn remove(&mut self, key: &Term) {
        self.root = remove(&self.root, key, self.order);
    }

    /// The next key after this one in a direction, with its row; the first one if none is given.
    pub(super) fn next(&self, after: Option<&Term>, direction: Direction) -> Option<(&Term, &Row)> {
        let mut found = None;
        let mut link = &self.root;
        while let Some(node) = link {
            let is_after = after.is_none_or(|after| match direction {
                Direction::Up => (self.order)(&node.key, after).is_gt(),
                Direction::Down => (self.order)(&node.key, after).is_lt(),
            });
            if is_after {
                found = Some((&node.key, &node.row));
            }
            link = match (is_after, direction) {
                (true, Direction::Up) | (false, Direction::Down) => &node.left,
                (true, Direction::Down) | (false, Direction::Up) => &node.right,
            };
        }
        found
    }

    /// The row at an index in the order of keys.
    pub(super) fn at(&self, mut index: usize) -> Option<&Row> {
        let mut link = &self.root;
        while let Some(node) = link {
            let before = size(&node.left);
            link = match index.cmp(&before) {
                Ordering::Less => &node.left,
                Ordering::Equal => return Some(&node.row),
                Ordering::Greater => {
                    index -= before + 1;
                    &node.right
                }
            };
        }
        None
    }
}

/// The maximum ratio between the weights of a node's two sides.
const DELTA: usize = 3;
/// The ratio of weights inside the heavy side at which a double rotation is needed.
const GAMMA: usize = 2;

fn size(link: &Link) -> usize {
    link.as_ref().map_or(0, |node| node.size)
}

fn weight(link: &Link) -> usize {
    size(link) + 1
}

fn node(key: Term, row: Row, left: Link, right: Link) -> Rc<Node> {
    let size = size(&left) + size(&right) + 1;
    Rc::new(Node {
        key,
        row,
        left,
        right,
        size,
    })
}

/// The same entry with other sides.
fn with(entry: &Node, left: Link, right: Link) -> Rc<Node> {
    node(entry.key.clone(), entry.row.clone(), left, right)
}

/// A balanced node, from sides that one insertion or removal may have brought out of balance.
fn balanced(entry: &Node, left: Link, right: Link) -> Rc<Node> {
    let (left_weight, right_weight) = (weight(&left), weight(&right));
    if let Some(heavy) = &right
        && right_weight > DELTA * left_weight
    {
        return match &heavy.left {
            Some(inner) if weight(&heavy.left) >= GAMMA * weight(&heavy.right) => {
                let low = with(entry, left, inner.left.clone());
                let high = with(heavy, inner.right.clone(), heavy.right.clone());
                with(inner, Some(low), Some(high))
            }
            inner => {
                let low = with(entry, left, inner.clone());
                with(heavy, Some(low), heavy.right.clone())
            }
        };
    }
    if let Some(heavy) = &left
        && left_weight > DELTA * right_weight
    {
        return match &heavy.right {
            Some(inner) if weight(&heavy.right) >= GAMMA * weight(&heavy.left) => {
                let high = with(entry, inner.right.clone(), right);
                let low = with(heavy, heavy.left.clone(), inner.left.clone());
                with(inner, Some(low), Some(high))
            }
            inner => {
                let high = with(entry, inner.clone(), right);
                with(heavy, heavy.left.clone(), Some(high))
            }
        };
    }
    with(entry, left, right)
}

// The functions below recurse to the depth of the tree, which is balanced: at most about 60 calls.

fn insert(link: &Link, key: Term, row: Row, order: fn(&Term, &Term) -> Ordering) -> Rc<Node> {
    let Some(here) = link else {
        return node(key, row, None, None);
    };
    let (left, right) = (here.left.clone(), here.right.clone());
    match order(&key, &here.key) {
        // Keys that are equal in this order may still be different terms.
        Ordering::Equal => node(key, row, left, right),
        Ordering::Less => balanced(here, Some(insert(&left, key, row, order)), right),
        Ordering::Greater => balanced(here, left, Some(insert(&right, key, row, order))),
    }
}

fn remove(link: &Link, key: &Term, order: fn(&Term, &Term) -> Ordering) -> Link {
    let here = link.as_ref()?;
    let (left, right) = (here.left.clone(), here.right.clone());
    match order(key, &here.key) {
        Ordering::Less => Some(balanced(here, remove(&left, key, order), right)),
        Ordering::Greater => Some(balanced(here, left, remove(&right, key, order))),
        Ordering::Equal => {
            let mut first = right.as_ref();
            while let Some(left) = first.and_then(|node| node.left.as_ref()) {
                first = Some(left);
            }
            match first.cloned() {
                None => left,
                Some(next) => {
                    let right = remove(&right, &next.key, order);
                    Some(balanced(&next, left, right))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn depth(link: &Link) -> usize {
        let Some(node) = link else { return 0 };
        let (left, right) = (weight(&node.left), weight(&node.right));
        assert!(left <= DELTA * right && right <= DELTA * left, "balance");
        1 + depth(&node.left).max(depth(&node.right))
    }

    proptest! {
        #[test]
        fn a_tree_behaves_like_a_sorted_map(steps in prop::collection::vec((0..40_i64, any::<bool>()), 0..200)) {
            let mut tree = Tree::new(true);
            let mut expected = BTreeMap::new();
            for (key, add) in steps {
                let row: Row = [Term::Int(key)].into_iter().collect();
                match add {
                    true => {
                        tree.insert(key.into(), row);
                        expected.insert(key, ());
                    }
                    false => {
                        tree.remove(&key.into());
                        expected.remove(&key);
                    }
                }
                depth(&tree.root);
                prop_assert_eq!(tree.len(), expected.len());
            }
            for direction in [Direction::Up, Direction::Down] {
                let mut found = Vec::new();
                let mut last: Option<Term> = None;
                while let Some((key, _)) = tree.next(last.as_ref(), direction) {
                    last = Some(key.clone());
                    found.push(key.clone());
                }
                let mut keys: Vec<Term> = expected.keys().map(|&key| key.into()).collect();
                if direction == Direction::Down {
                    keys.reverse();
                }
                prop_assert_eq!(found, keys);
            }
            for (index, key) in expected.keys().enumerate() {
                prop_assert_eq!(&tree.at(index).expect("in range")[0], &Term::Int(*key));
            }
        }
    }
}
