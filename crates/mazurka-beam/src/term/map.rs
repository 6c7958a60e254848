//! Maps: persistent search trees, balanced by weight (Adams 1992). An update copies one path of the
//! tree and shares the rest.
//!
//! Keys are in the order of [`compare_exactly`], in which `1` and `1.0` differ. So the iteration
//! order depends only on the entries, not on the order of updates.

use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

use super::Term;
use super::order::compare_exactly;

/// A map.
#[derive(Clone, Default)]
pub struct Map {
    root: Link,
}

type Link = Option<Rc<Node>>;

pub(super) struct Node {
    pub(super) key: Term,
    pub(super) value: Term,
    pub(super) left: Link,
    pub(super) right: Link,
    size: usize,
}

impl Map {
    /// The empty map.
    pub fn new() -> Map {
        Map::default()
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        size(&self.root)
    }

    /// Whether it has no keys.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// The value of a key.
    pub fn get(&self, key: &Term) -> Option<&Term> {
        let mut link = &self.root;
        while let Some(node) = link {
            link = match compare_exactly(key, &node.key) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return Some(&node.value),
            };
        }
        None
    }

    /// Whether it has this key.
    pub fn contains_key(&self, key: &Term) -> bool {
        self.get(key).is_some()
    }

    /// A map with this entry added, or with the value of its key replaced.
    #[must_use]
    pub fn insert(&self, key: Term, value: Term) -> Map {
        Map {
            root: Some(insert(&self.root, key, value)),
        }
    }

    /// A map without this key.
    #[must_use]
    pub fn remove(&self, key: &Term) -> Map {
        Map {
            root: remove(&self.root, key),
        }
    }

    /// All entries, in the order of keys.
    pub fn iter(&self) -> Iter<'_> {
        let mut iter = Iter { path: Vec::new() };
        iter.descend(&self.root);
        iter
    }

    /// All entries except the first `count`, in the order of keys.
    pub fn iter_from(&self, mut count: usize) -> Iter<'_> {
        let mut iter = Iter { path: Vec::new() };
        let mut link = &self.root;
        while let Some(node) = link {
            let before = size(&node.left);
            if count <= before {
                iter.path.push(node);
                link = if count < before { &node.left } else { &None };
            } else {
                count -= before + 1;
                link = &node.right;
            }
        }
        iter
    }

    /// Whether both share the same tree in memory.
    pub(super) fn is_same(&self, other: &Map) -> bool {
        match (&self.root, &other.root) {
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    pub(super) fn into_root(self) -> Option<Rc<Node>> {
        self.root
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Term::Map(self.clone()), f)
    }
}

impl FromIterator<(Term, Term)> for Map {
    fn from_iter<I: IntoIterator<Item = (Term, Term)>>(entries: I) -> Map {
        entries
            .into_iter()
            .fold(Map::new(), |map, (key, value)| map.insert(key, value))
    }
}

impl<'a> IntoIterator for &'a Map {
    type Item = (&'a Term, &'a Term);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// Iterator over the entries of a map, in the order of keys.
pub struct Iter<'a> {
    /// Nodes whose entry and right subtree are still to be visited; the next one is last.
    path: Vec<&'a Node>,
}

impl<'a> Iter<'a> {
    fn descend(&mut self, mut link: &'a Link) {
        while let Some(node) = link {
            self.path.push(node);
            link = &node.left;
        }
    }
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Term, &'a Term);

    fn next(&mut self) -> Option<Self::Item> {
        let node = self.path.pop()?;
        self.descend(&node.right);
        Some((&node.key, &node.value))
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

fn node(key: Term, value: Term, left: Link, right: Link) -> Rc<Node> {
    let size = size(&left) + size(&right) + 1;
    Rc::new(Node {
        key,
        value,
        left,
        right,
        size,
    })
}

/// A balanced node, from sides that one insertion or removal may have brought out of balance.
fn balanced(key: Term, value: Term, left: Link, right: Link) -> Rc<Node> {
    let (left_weight, right_weight) = (weight(&left), weight(&right));
    if let Some(heavy) = &right
        && right_weight > DELTA * left_weight
    {
        return rotate_left(key, value, left, heavy);
    }
    if let Some(heavy) = &left
        && left_weight > DELTA * right_weight
    {
        return rotate_right(key, value, heavy, right);
    }
    node(key, value, left, right)
}

fn rotate_left(key: Term, value: Term, left: Link, heavy: &Node) -> Rc<Node> {
    let (outer, heavy_key, heavy_value) = (heavy.right.clone(), &heavy.key, &heavy.value);
    match &heavy.left {
        Some(inner) if weight(&heavy.left) >= GAMMA * weight(&outer) => {
            let low = node(key, value, left, inner.left.clone());
            let high = node(
                heavy_key.clone(),
                heavy_value.clone(),
                inner.right.clone(),
                outer,
            );
            node(
                inner.key.clone(),
                inner.value.clone(),
                Some(low),
                Some(high),
            )
        }
        inner => {
            let low = node(key, value, left, inner.clone());
            node(heavy_key.clone(), heavy_value.clone(), Some(low), outer)
        }
    }
}

fn rotate_right(key: Term, value: Term, heavy: &Node, right: Link) -> Rc<Node> {
    let (outer, heavy_key, heavy_value) = (heavy.left.clone(), &heavy.key, &heavy.value);
    match &heavy.right {
        Some(inner) if weight(&heavy.right) >= GAMMA * weight(&outer) => {
            let high = node(key, value, inner.right.clone(), right);
            let low = node(
                heavy_key.clone(),
                heavy_value.clone(),
                outer,
                inner.left.clone(),
            );
            node(
                inner.key.clone(),
                inner.value.clone(),
                Some(low),
                Some(high),
            )
        }
        inner => {
            let high = node(key, value, inner.clone(), right);
            node(heavy_key.clone(), heavy_value.clone(), outer, Some(high))
        }
    }
}

// The functions below recurse to the depth of the tree, which is balanced: at most about 60 calls.

fn insert(link: &Link, key: Term, value: Term) -> Rc<Node> {
    let Some(here) = link else {
        return node(key, value, None, None);
    };
    let (left, right) = (here.left.clone(), here.right.clone());
    match compare_exactly(&key, &here.key) {
        Ordering::Equal => node(here.key.clone(), value, left, right),
        Ordering::Less => {
            let left = Some(insert(&left, key, value));
            balanced(here.key.clone(), here.value.clone(), left, right)
        }
        Ordering::Greater => {
            let right = Some(insert(&right, key, value));
            balanced(here.key.clone(), here.value.clone(), left, right)
        }
    }
}

fn remove(link: &Link, key: &Term) -> Link {
    let here = link.as_ref()?;
    let (left, right) = (here.left.clone(), here.right.clone());
    match compare_exactly(key, &here.key) {
        Ordering::Less => {
            let left = remove(&left, key);
            Some(balanced(here.key.clone(), here.value.clone(), left, right))
        }
        Ordering::Greater => {
            let right = remove(&right, key);
            Some(balanced(here.key.clone(), here.value.clone(), left, right))
        }
        Ordering::Equal => match first(&right) {
            None => left,
            Some((next_key, next_value)) => {
                let right = remove(&right, &next_key);
                Some(balanced(next_key, next_value, left, right))
            }
        },
    }
}

fn first(link: &Link) -> Option<(Term, Term)> {
    let mut node = link.as_ref()?;
    while let Some(left) = &node.left {
        node = left;
    }
    Some((node.key.clone(), node.value.clone()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn depth(link: &Link) -> usize {
        link.as_ref().map_or(0, |node| {
            assert!(weight(&node.left) <= DELTA * weight(&node.right));
            assert!(weight(&node.right) <= DELTA * weight(&node.left));
            1 + depth(&node.left).max(depth(&node.right))
        })
    }

    proptest! {
        #[test]
        fn agrees_with_a_map_of_the_standard_library(
            steps in prop::collection::vec((any::<bool>(), 0i64..60, any::<i64>()), 0..300),
        ) {
            let mut map = Map::new();
            let mut expected = BTreeMap::new();
            for (add, key, value) in steps {
                let before = (map.clone(), map.len());
                if add {
                    map = map.insert(key.into(), value.into());
                    expected.insert(key, value);
                } else {
                    map = map.remove(&key.into());
                    expected.remove(&key);
                }
                prop_assert_eq!(before.0.iter().count(), before.1, "older maps stay as they are");
                prop_assert_eq!(map.len(), expected.len());
                depth(&map.root);
            }
            for count in 0..=map.len() + 1 {
                prop_assert!(map.iter_from(count).eq(map.iter().skip(count)));
            }
            let entries: Vec<_> = map.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
            let expected: Vec<_> = expected.into_iter().map(|(k, v)| (k.into(), v.into())).collect();
            prop_assert_eq!(entries, expected);
        }
    }

    #[test]
    fn sorted_insertion_keeps_the_tree_balanced() {
        let map: Map = (0..100_000).map(|n| (n.into(), Term::Nil)).collect();
        assert_eq!(map.len(), 100_000);
        assert!(depth(&map.root) <= 30, "depth {}", depth(&map.root));
        assert!(map.contains_key(&99_999.into()));
        assert!(!map.contains_key(&100_000.into()));
    }

    #[test]
    fn keys_of_different_types_differ() {
        let map = Map::new()
            .insert(1.into(), Term::Nil)
            .insert(1.0.into(), Term::Nil);
        assert_eq!(map.len(), 2);
    }
}
