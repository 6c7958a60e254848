//! Lists: linked cells.

use std::rc::Rc;

use super::Term;

/// A cell of a list.
pub struct Cons {
    /// The first element.
    pub head: Term,
    /// The rest of the list, or the tail of an improper list.
    pub tail: Term,
}

impl Term {
    /// `[Head | Tail]`.
    pub fn cons(head: Term, tail: Term) -> Term {
        Term::Cons(Rc::new(Cons { head, tail }))
    }

    /// A list of these elements.
    pub fn list<I>(elements: I) -> Term
    where
        I: IntoIterator<Item = Term>,
        I::IntoIter: DoubleEndedIterator,
    {
        Term::list_onto(elements, Term::Nil)
    }

    /// These elements, followed by the list or improper tail `tail`.
    pub fn list_onto<I>(elements: I, tail: Term) -> Term
    where
        I: IntoIterator<Item = Term>,
        I::IntoIter: DoubleEndedIterator,
    {
        elements
            .into_iter()
            .rfold(tail, |tail, head| Term::cons(head, tail))
    }

    /// The elements of a list, up to its end or its improper tail. None if the term is not a list.
    pub fn elements(&self) -> ListIter<'_> {
        ListIter { rest: self }
    }
}

/// The elements of a list.
#[derive(Clone)]
pub struct ListIter<'a> {
    rest: &'a Term,
}

impl<'a> ListIter<'a> {
    /// The rest of the list: `[]` at the end of a proper list.
    pub fn rest(&self) -> &'a Term {
        self.rest
    }
}

impl<'a> Iterator for ListIter<'a> {
    type Item = &'a Term;

    fn next(&mut self) -> Option<&'a Term> {
        let Term::Cons(cons) = self.rest else {
            return None;
        };
        self.rest = &cons.tail;
        Some(&cons.head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proper_and_improper() {
        let list = Term::list_onto([1.into(), 2.into()], Term::Int(3));
        let mut elements = list.elements();
        assert_eq!(elements.by_ref().count(), 2);
        assert_eq!(*elements.rest(), Term::Int(3));
        assert_eq!(Term::list([]), Term::Nil);
        assert_eq!(Term::Int(3).elements().count(), 0);
    }
}
