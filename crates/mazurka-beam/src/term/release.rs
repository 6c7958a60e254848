//! Dropping terms without recursion. A list of a million cells is a million boxes deep, and the
//! drop that the compiler writes would need stack for each of them.

use std::mem;
use std::rc::Rc;

use super::fun::{Fun, Lambda};
use super::map::Node;
use super::{Cons, Term, Tuple};

/// Something that may be the last owner of other terms.
pub(super) enum Loose {
    Tuple(Rc<Tuple>),
    Cons(Rc<Cons>),
    Node(Rc<Node>),
    Fun(Rc<Fun>),
}

/// What holds terms, and can let go of them.
pub(super) trait Holder {
    /// Moves what it holds to the queue. What need not be released one by one may stay.
    fn let_go(&mut self, queue: &mut Vec<Loose>);
}

/// Drops everything below `holder`, however deep it is. The queue only allocates when there is
/// something compound in it.
pub(super) fn release(holder: &mut impl Holder) {
    let mut queue = Vec::new();
    holder.let_go(&mut queue);
    while let Some(loose) = queue.pop() {
        // `into_inner` gives the contents to exactly one of the owners, even when several threads
        // drop theirs at the same time. The emptied holder is dropped at the end of the arm.
        match loose {
            Loose::Tuple(tuple) => empty(tuple, &mut queue),
            Loose::Cons(cons) => empty(cons, &mut queue),
            Loose::Node(node) => empty(node, &mut queue),
            Loose::Fun(fun) => empty(fun, &mut queue),
        }
    }
}

fn empty<T: Holder>(shared: Rc<T>, queue: &mut Vec<Loose>) {
    if let Some(mut holder) = Rc::into_inner(shared) {
        holder.let_go(queue);
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
fn let_go_of(term: &mut Term, queue: &mut Vec<Loose>) {
    if is_compound(term) {
        queue_up(term, queue);
    }
}

fn queue_up(term: &mut Term, queue: &mut Vec<Loose>) {
    match mem::replace(term, Term::Nil) {
        Term::Tuple(tuple) => queue.push(Loose::Tuple(tuple)),
        Term::Cons(cons) => queue.push(Loose::Cons(cons)),
        Term::Map(map) => queue.extend(map.into_root().map(Loose::Node)),
        Term::Fun(fun) => queue.push(Loose::Fun(fun)),
        _ => {}
    }
}

impl Holder for Tuple {
    fn let_go(&mut self, queue: &mut Vec<Loose>) {
        for element in &mut self.elements {
            let_go_of(element, queue);
        }
    }
}

impl Holder for Cons {
    /// Goes along the list, so that one of simple terms needs no memory to go.
    fn let_go(&mut self, queue: &mut Vec<Loose>) {
        let_go_of(&mut self.head, queue);
        let mut tail = mem::replace(&mut self.tail, Term::Nil);
        while let Term::Cons(next) = tail {
            let Some(mut next) = Rc::into_inner(next) else {
                return;
            };
            let_go_of(&mut next.head, queue);
            tail = mem::replace(&mut next.tail, Term::Nil);
        }
        let_go_of(&mut tail, queue);
    }
}

impl Holder for Node {
    fn let_go(&mut self, queue: &mut Vec<Loose>) {
        let_go_of(&mut self.key, queue);
        let_go_of(&mut self.value, queue);
        queue.extend(self.left.take().map(Loose::Node));
        queue.extend(self.right.take().map(Loose::Node));
    }
}

impl Holder for Lambda {
    fn let_go(&mut self, queue: &mut Vec<Loose>) {
        for value in &mut self.environment {
            let_go_of(value, queue);
        }
    }
}

impl Holder for Fun {
    fn let_go(&mut self, queue: &mut Vec<Loose>) {
        if let Fun::Local(lambda) = self {
            lambda.let_go(queue);
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
