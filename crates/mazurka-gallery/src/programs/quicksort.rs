//! Quicksort with an actor for every part (a subject of Tasharofi et al. 2012).

use super::size;
use crate::count::power;
use crate::program::Program;
use crate::{
    Failure, Next, Pattern, Term, Turn, assert_that, done, pattern, receive, start, tuple,
};

pub(super) const PROGRAM: Program = Program {
    name: "quicksort",
    about: "an actor for every part of a list of n numbers sorts it (TransDPOR's quicksort)",
    wrong: None,
    parameters: &[size("n", 6, 1, "how many numbers")],
    entry: |values| start!(main, values.get("n")),
    // Every part of two numbers or more gets its halves back in either order.
    traces: |values, _| power(2, values.get("n") - 1),
};

fn main(args: &Term, turn: &mut Turn<'_>) -> Next {
    let root = turn.spawn(start!(sorter));
    turn.send(root, tuple!["sort", "nobody", list(&numbers(args.int(0)?))]);
    done()
}

/// Pairwise different, and in no order: powers of a primitive root of the prime 1009.
/// The first six are split evenly, but not as evenly as possible.
fn numbers(n: i64) -> Vec<i64> {
    std::iter::successors(Some(92), |number| Some(number * 11 % 1009))
        .zip(0..n)
        .map(|(number, _)| number)
        .collect()
}

fn sorter(_: &Term, _: &mut Turn<'_>) -> Next {
    let job = pattern!["sort", Pattern::Any, Pattern::Any];
    receive(job, |message, turn| {
        let parent = message.at(1)?.clone();
        let unsorted = items(message.at(2)?)?;
        if unsorted.len() < 2 {
            return report(&parent, unsorted, turn);
        }
        for half in split(&unsorted) {
            let child = turn.spawn(start!(sorter));
            turn.send(child, tuple!["sort", turn.me(), list(&half)]);
        }
        sorted(move |one, _| {
            let parent = parent.clone();
            sorted(move |other, turn| {
                // They come in either order; the first elements say which is the lower.
                let halves = match one.first() < other.first() {
                    true => [one.clone(), other],
                    false => [other, one.clone()],
                };
                report(&parent, halves.concat(), turn)
            })
        })
    })
}

/// The pivot goes to the shorter half, so that neither is empty.
fn split(unsorted: &[i64]) -> [Vec<i64>; 2] {
    let pivot = unsorted[0];
    let (mut low, mut high): (Vec<_>, Vec<_>) =
        unsorted[1..].iter().partition(|&&number| number < pivot);
    match high.len() <= low.len() {
        true => high.push(pivot),
        false => low.push(pivot),
    }
    [low, high]
}

fn sorted(then: impl Fn(Vec<i64>, &mut Turn<'_>) -> Next + 'static) -> Next {
    receive(pattern!["sorted", Pattern::Any], move |message, turn| {
        then(items(message.at(1)?)?, turn)
    })
}

/// The root has nobody to report to. It looks at the list itself.
fn report(parent: &Term, sorted: Vec<i64>, turn: &mut Turn<'_>) -> Next {
    match parent {
        Term::Pid(parent) => turn.send(*parent, tuple!["sorted", list(&sorted)]),
        _ => assert_that(sorted.is_sorted(), "the list is sorted")?,
    }
    done()
}

fn list(numbers: &[i64]) -> Term {
    Term::Tuple(numbers.iter().map(|&number| Term::Int(number)).collect())
}

fn items(list: &Term) -> Result<Vec<i64>, Failure> {
    match list {
        Term::Tuple(elements) => (0..elements.len()).map(|i| list.int(i)).collect(),
        _ => Ok(Vec::new()),
    }
}
