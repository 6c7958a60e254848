//! Shapes: partial knowledge about the messages that a clause matches.

use super::forms::{Forms, Id, Kind};

/// An arena of shapes.
pub(super) struct Shapes<'a> {
    all: Vec<Shape<'a>>,
}

/// The index of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ShapeId(u32);

/// Partial knowledge about a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape<'a> {
    /// Nothing is known.
    Any,
    /// It is a pid, a reference, a port or a fun.
    Opaque,
    /// It is this atom.
    Atom(&'a str),
    /// It is this integer.
    Int(i64),
    /// It is a float.
    Float,
    /// It is the empty list.
    Nil,
    /// It is a list with this head and this tail.
    Cons(ShapeId, ShapeId),
    /// It is a tuple with these first elements.
    Tuple {
        elements: Vec<ShapeId>,
        /// Whether these are all elements.
        is_whole: bool,
    },
    /// It is a map.
    Map,
    /// It is a bit string.
    Bits,
}

/// The depth to which patterns are analysed.
const DEPTH_MAX: usize = 32;

impl<'a> Shapes<'a> {
    pub(super) fn new() -> Shapes<'a> {
        Shapes {
            all: vec![Shape::Any],
        }
    }

    /// The shape of an unknown term.
    pub(super) const ANY: ShapeId = ShapeId(0);

    pub(super) fn get(&self, id: ShapeId) -> &Shape<'a> {
        &self.all[id.0 as usize]
    }

    /// The shape of a tuple's element.
    pub(super) fn element(&self, id: ShapeId, index: usize) -> ShapeId {
        match self.get(id) {
            Shape::Tuple { elements, .. } => elements.get(index).copied().unwrap_or(Self::ANY),
            _ => Self::ANY,
        }
    }

    /// The shapes of a list's head and tail.
    pub(super) fn head_and_tail(&self, id: ShapeId) -> (ShapeId, ShapeId) {
        match *self.get(id) {
            Shape::Cons(head, tail) => (head, tail),
            _ => (Self::ANY, Self::ANY),
        }
    }

    /// The shape of all terms that a pattern matches.
    pub(super) fn of_pattern(&mut self, forms: &Forms<'a>, pattern: Id) -> ShapeId {
        self.of(forms, pattern, &|_| false, DEPTH_MAX)
    }

    /// The shape of an example that a pattern matches: each unbound variable is an opaque term,
    /// which differs from every constant.
    pub(super) fn of_example(
        &mut self,
        forms: &Forms<'a>,
        pattern: Id,
        is_free: &dyn Fn(&str) -> bool,
    ) -> ShapeId {
        self.of(forms, pattern, is_free, DEPTH_MAX)
    }

    fn of(
        &mut self,
        forms: &Forms<'a>,
        pattern: Id,
        is_free: &dyn Fn(&str) -> bool,
        depth: usize,
    ) -> ShapeId {
        let Some(depth) = depth.checked_sub(1) else {
            return Self::ANY;
        };
        let Some((tag, rest)) = forms.tagged(pattern) else {
            return Self::ANY;
        };
        let shape = match (tag, &rest[..]) {
            ("var", &[_, name]) => match forms.atom(name) {
                Some(name) if is_free(name) => Shape::Opaque,
                _ => Shape::Any,
            },
            ("atom", &[_, value]) => forms.atom(value).map_or(Shape::Any, Shape::Atom),
            ("integer" | "char", &[_, value]) => forms.int(value).map_or(Shape::Any, Shape::Int),
            ("float", _) => Shape::Float,
            ("nil", _) => Shape::Nil,
            // Only whether a string is empty matters, not its text.
            ("string", &[_, value]) if forms.kind(value) == Kind::List => Shape::Nil,
            ("string", _) => Shape::Cons(Self::ANY, Self::ANY),
            ("cons", &[_, head, tail]) => {
                let head = self.of(forms, head, is_free, depth);
                Shape::Cons(head, self.of(forms, tail, is_free, depth))
            }
            ("tuple", &[_, elements]) => {
                let elements = forms.list(elements).into_iter();
                let elements = elements.map(|element| self.of(forms, element, is_free, depth));
                Shape::Tuple {
                    elements: elements.collect(),
                    is_whole: true,
                }
            }
            ("record", &[_, name, _]) => {
                let name = forms.atom(name).map_or(Shape::Any, Shape::Atom);
                Shape::Tuple {
                    elements: vec![self.add(name)],
                    is_whole: false,
                }
            }
            ("map", _) => Shape::Map,
            ("bin", _) => Shape::Bits,
            ("match", &[_, one, other]) => {
                let one = self.of(forms, one, is_free, depth);
                let other = self.of(forms, other, is_free, depth);
                return match self.get(one) {
                    Shape::Any | Shape::Opaque => other,
                    _ => one,
                };
            }
            _ => Shape::Any,
        };
        self.add(shape)
    }

    fn add(&mut self, shape: Shape<'a>) -> ShapeId {
        if shape == Shape::Any {
            return Self::ANY;
        }
        self.all.push(shape);
        ShapeId(self.all.len() as u32 - 1)
    }

    /// Whether it is possible that all terms of shape `other` also have shape `one`.
    pub(super) fn may_cover(&self, one: ShapeId, other: ShapeId) -> bool {
        match (self.get(one), self.get(other)) {
            (Shape::Any, _) => true,
            (Shape::Cons(head, tail), Shape::Cons(other_head, other_tail)) => {
                self.may_cover(*head, *other_head) && self.may_cover(*tail, *other_tail)
            }
            (
                Shape::Tuple { elements, .. },
                Shape::Tuple {
                    elements: others, ..
                },
            ) => {
                let mut pairs = elements.iter().zip(others);
                !self.are_disjoint(one, other)
                    && pairs.all(|(one, other)| self.may_cover(*one, *other))
            }
            _ => !matches!(self.get(other), Shape::Any) && !self.are_disjoint(one, other),
        }
    }

    /// Whether no term has both shapes.
    pub(super) fn are_disjoint(&self, one: ShapeId, other: ShapeId) -> bool {
        match (self.get(one), self.get(other)) {
            (Shape::Any, _) | (_, Shape::Any) => false,
            (Shape::Cons(head, tail), Shape::Cons(other_head, other_tail)) => {
                self.are_disjoint(*head, *other_head) || self.are_disjoint(*tail, *other_tail)
            }
            (
                Shape::Tuple { elements, is_whole },
                Shape::Tuple {
                    elements: others,
                    is_whole: is_other_whole,
                },
            ) => {
                *is_whole && *is_other_whole && elements.len() != others.len()
                    || *is_whole && elements.len() < others.len()
                    || *is_other_whole && others.len() < elements.len()
                    || elements
                        .iter()
                        .zip(others)
                        .any(|(one, other)| self.are_disjoint(*one, *other))
            }
            (Shape::Atom(one), Shape::Atom(other)) => one != other,
            (Shape::Int(one), Shape::Int(other)) => one != other,
            (one, other) => std::mem::discriminant(one) != std::mem::discriminant(other),
        }
    }
}
