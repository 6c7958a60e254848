//! Drops terms without recursion. The compiler's own drop code would recurse into a list of a
//! million cells a million levels deep.

use std::mem;
use std::rc::Rc;

use super::fun::{Fun, Lambda};
use super::map::Node;
use super::{Cons, Term, Tuple};

/// A reference to a compound value, possibly the last one.
pub(super) enum Owned {
    Tuple(Rc<Tuple>),
    Cons(Rc<Cons>),
    Node(Rc<Node>),
    Fun(Rc<Fun>),
}

/// A value that contains terms.
pub(super) trait Container {
    /// Moves its compound contents to the queue. Other contents may stay.
    fn enqueue_contents(&mut self, queue: &mut Vec<Owned>);
}

/// Drops everything inside `container`, at any depth. The queue allocates only if the container has
/// compound contents.
pub(super) fn release(container: &mut impl Container) {
    let mut queue = Vec::new();
    container.enqueue_contents(&mut queue);
    while let Some(owned) = queue.pop() {
        // Only the last owner gets the contents from `into_inner`. The emptied container is dropped
        // at the end of the arm.
        match owned {
            Owned::Tuple(tuple) => unwrap(tuple, &mut queue),
            Owned::Cons(cons) => unwrap(cons, &mut queue),
            Owned::Node(node) => unwrap(node, &mut queue),
            Owned::Fun(fun) => unwrap(fun, &mut queue),
        }
    }
}

fn unwrap<T: Container>(shared: Rc<T>, queue: &mut Vec<Owned>) {
    if let Some(mut container) = Rc::into_inner(shared) {
        container.enqueue_contents(queue);
    }
}

#[inline(always)]
fn is_compound(term: &Term) -> bool {
    matches!(
        term,
        Term::Tuple(_) | Term::Cons(_) | Term::Map(_) | Term::Fun(_)
    )
}

#[inline(always)]
fn enqueue_if_compound(term: &mut Term, queue: &mut Vec<Owned>) {
    if is_compound(term) {
        enqueue(term, queue);
    }
}

fn enqueue(term: &mut Term, queue: &mut Vec<Owned>) {
    match mem::replace(term, Term::Nil) {
        Term::Tuple(tuple) => queue.push(Owned::Tuple(tuple)),
        Term::Cons(cons) => queue.push(Owned::Cons(cons)),
        Term::Map(map) => queue.extend(map.into_root().map(Owned::Node)),
        Term::Fun(fun) => queue.push(Owned::Fun(fun)),
        _ => {}
    }
}

impl Container for Tuple {
    fn enqueue_contents(&mut self, queue: &mut Vec<Owned>) {
        for element in &mut self.elements {
            enqueue_if_compound(element, queue);
        }
    }
}

impl Container for Cons {
    /// Iterates over the list, so that a list of simple terms needs no queue.
    fn enqueue_contents(&mut self, queue: &mut Vec<Owned>) {
        enqueue_if_compound(&mut self.head, queue);
        let mut tail = mem::replace(&mut self.tail, Term::Nil);
        while let Term::Cons(next) = tail {
            let Some(mut next) = Rc::into_inner(next) else {
                return;
            };
            enqueue_if_compound(&mut next.head, queue);
            tail = mem::replace(&mut next.tail, Term::Nil);
        }
        enqueue_if_compound(&mut tail, queue);
    }
}

impl Container for Node {
    fn enqueue_contents(&mut self, queue: &mut Vec<Owned>) {
        enqueue_if_compound(&mut self.key, queue);
        enqueue_if_compound(&mut self.value, queue);
        queue.extend(self.left.take().map(Owned::Node));
        queue.extend(self.right.take().map(Owned::Node));
    }
}

impl Container for Lambda {
    fn enqueue_contents(&mut self, queue: &mut Vec<Owned>) {
        for value in &mut self.environment {
            enqueue_if_compound(value, queue);
        }
    }
}

impl Container for Fun {
    fn enqueue_contents(&mut self, queue: &mut Vec<Owned>) {
        if let Fun::Local(lambda) = self {
            lambda.enqueue_contents(queue);
        }
    }
}

impl Drop for Tuple {
    fn drop(&mut self) {
        release(self);
    }
}

impl Drop for Cons {
    #[inline]
    fn drop(&mut self) {
        if is_compound(&self.head) || is_compound(&self.tail) {
            release(self);
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        release(self);
    }
}
