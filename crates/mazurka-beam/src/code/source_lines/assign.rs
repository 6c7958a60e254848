//! Which receive of the source is which of the instructions.

use std::collections::{BTreeMap, BTreeSet};

use super::SourceLines;
use super::forms::Forms;
use super::receives::{Receive, Receives};
use super::shape::{ShapeId, Shapes};
use super::taker::{self, Home, Taker};
use super::walk;
use crate::code::Code;

pub(super) fn assign(code: &Code, forms: &Forms<'_>, receives: &Receives<'_>) -> SourceLines {
    let mut lines = SourceLines::default();
    let mut functions: BTreeMap<(&str, u32), Vec<Taker>> = BTreeMap::new();
    for taker in taker::find(code, |name, arity| receives.contains_key(&(name, arity))) {
        functions.entry(taker.function).or_default().push(taker);
    }
    let mut shapes = Shapes::new();
    for (name, takers) in functions {
        let Some(receives) = receives.get(&name) else {
            continue;
        };
        let patterns = receives.iter();
        let patterns = patterns.map(|receive| shapes_of(forms, receive, &mut shapes));
        let patterns = patterns.collect();
        let function = Function {
            code,
            receives,
            patterns,
            shapes: &shapes,
            takers,
        };
        function.assign(&mut lines);
    }
    lines
}

/// What a clause takes.
struct Taken {
    all: ShapeId,
    /// Some of it, if no other clause takes that.
    some: Option<ShapeId>,
    is_guarded: bool,
}

fn shapes_of<'a>(forms: &Forms<'a>, receive: &Receive, shapes: &mut Shapes<'a>) -> Vec<Taken> {
    let before = forms.before(receive.term, receive.whole);
    let bound: BTreeSet<&str> = before.filter_map(|term| forms.variable(term)).collect();
    let is_free = |name: &str| !bound.contains(name);
    let mut taken: Vec<Taken> = Vec::new();
    for clause in &receive.clauses {
        let some = shapes.of_example(forms, clause.pattern, &is_free);
        let mut earlier = taken.iter();
        let is_first = earlier.all(|earlier| shapes.are_disjoint(earlier.all, some));
        taken.push(Taken {
            all: shapes.of_pattern(forms, clause.pattern),
            some: Some(some).filter(|_| is_first && !clause.is_guarded),
            is_guarded: clause.is_guarded,
        });
    }
    taken
}

/// A function of the source.
struct Function<'a, 'f> {
    code: &'a Code,
    /// Its receives in the source.
    receives: &'a [Receive],
    /// What their clauses take.
    patterns: Vec<Vec<Taken>>,
    shapes: &'a Shapes<'f>,
    /// Its receives in the instructions.
    takers: Vec<Taker>,
}

/// For each clause where its messages may be taken.
type Reached = Vec<BTreeSet<u32>>;

impl Function<'_, '_> {
    fn assign(&self, lines: &mut SourceLines) {
        let mut reached: BTreeMap<(usize, usize), Reached> = BTreeMap::new();
        let mut choices: Vec<Vec<usize>> = Vec::new();
        for (number, taker) in self.takers.iter().enumerate() {
            let mut possible = Vec::new();
            for receive in 0..self.receives.len() {
                if self.is_possible(taker, receive)
                    && let Some(found) = self.reached(taker, receive)
                {
                    reached.insert((number, receive), found);
                    possible.push(receive);
                }
            }
            choices.push(possible);
        }
        if self.takers.len() == self.receives.len() {
            eliminate(&mut choices, self.receives.len());
            self.put_in_order(&mut choices);
        }
        for (number, taker) in self.takers.iter().enumerate() {
            if let &[receive] = &choices[number][..] {
                let receive_lines = &self.receives[receive];
                lines.receives.insert(taker.pc, receive_lines.line);
                let is_one_each = taker.accepts.len() == receive_lines.clauses.len()
                    && self.are_independent(receive);
                let reached = &reached[&(number, receive)];
                lines
                    .clauses
                    .extend(clauses(taker, receive_lines, reached, is_one_each));
            }
        }
    }

    /// Whether a receive may be this one of the source, for all that functions and lines tell.
    fn is_possible(&self, taker: &Taker, number: usize) -> bool {
        let receive = &self.receives[number];
        let in_place = match taker.home {
            Home::Function => receive.fun.is_none() && !receive.in_template,
            Home::Fun(line @ Some(_)) if self.receives.iter().any(|other| other.fun == line) => {
                receive.fun == line && !receive.in_template
            }
            Home::Fun(_) => receive.fun.is_some() && !receive.in_template,
            Home::Other => true,
        };
        let mut known = taker.accepts.iter().filter_map(|accept| accept.line);
        in_place && known.all(|line| self.may_follow(receive, line))
    }

    /// Whether this may be the next line after a message was taken: one of the receive itself, or one
    /// of what comes after it.
    fn may_follow(&self, receive: &Receive, line: u32) -> bool {
        let has = |receive: &&Receive| {
            let mut clauses = receive.clauses.iter();
            clauses.any(|clause| (clause.line..=clause.end).contains(&line))
        };
        let owners: Vec<&Receive> = self.receives.iter().filter(has).collect();
        let is_outer = |owner: &&Receive| owners.iter().any(|inner| owner.surrounds(inner));
        let mut innermost = owners.iter().copied().filter(|owner| !is_outer(owner));
        let is_own = has(&receive) && !is_outer(&receive);
        line >= receive.line && (is_own || innermost.all(|owner| owner.surrounds(receive)))
    }

    /// Where a receive may take the messages of each clause of the source. Nothing if it cannot be
    /// the same receive.
    fn reached(&self, taker: &Taker, number: usize) -> Option<Reached> {
        let accepts = |shape| walk::accepts(self.code, taker.pc, self.shapes, shape);
        let mut reached = Reached::new();
        let patterns = &self.patterns[number];
        for (at, taken) in patterns.iter().enumerate() {
            let mut places = accepts(taken.all)?;
            if let Some(some) = taken.some {
                let fewer = accepts(some)?;
                places.retain(|place| fewer.contains(place));
            }
            if places.is_empty() && !taken.is_guarded {
                return None;
            }
            for earlier in &patterns[..at] {
                if self.is_in_the_way(earlier, taken) {
                    places.extend(accepts(earlier.all)?);
                }
            }
            reached.push(places);
        }
        let mut accepts = taker.accepts.iter();
        let all_meant =
            accepts.all(|accept| reached.iter().any(|places| places.contains(&accept.pc)));
        all_meant.then_some(reached)
    }

    /// Whether a clause decides what an earlier one with a guard does with its messages, or is useless
    /// because of an earlier one. The compiler may have none or more than one place for the two, and
    /// some that nothing ever gets to.
    fn is_in_the_way(&self, earlier: &Taken, later: &Taken) -> bool {
        let covers = self.shapes.may_cover(earlier.all, later.all);
        let is_covered = self.shapes.may_cover(later.all, earlier.all);
        covers && !(earlier.is_guarded && is_covered)
    }

    /// Whether no clause of a receive is in the way of another.
    fn are_independent(&self, number: usize) -> bool {
        let patterns = &self.patterns[number];
        let mut all = patterns.iter().enumerate();
        all.all(|(at, later)| {
            let mut earlier = patterns[..at].iter();
            !earlier.any(|earlier| self.is_in_the_way(earlier, later))
        })
    }

    /// Receives that take the same come in the order of the source if each is known to come before
    /// the next.
    fn put_in_order(&self, choices: &mut [Vec<usize>]) {
        let open: Vec<usize> = (0..choices.len())
            .filter(|&taker| choices[taker].len() > 1)
            .collect();
        let left: BTreeSet<usize> = open
            .iter()
            .flat_map(|&taker| choices[taker].clone())
            .collect();
        let pairs = open.iter().zip(&left);
        let mut neighbours = open.windows(2);
        if open.len() == left.len()
            && pairs
                .clone()
                .all(|(&taker, receive)| choices[taker].contains(receive))
            && neighbours
                .all(|pair| taker::is_next(self.code, &self.takers[pair[0]], &self.takers[pair[1]]))
        {
            for (&taker, &receive) in pairs {
                choices[taker] = vec![receive];
            }
        }
    }
}

/// The lines of the clauses that are known.
fn clauses(
    taker: &Taker,
    receive: &Receive,
    reached: &Reached,
    is_one_each: bool,
) -> Vec<(u32, u32)> {
    let count = receive.clauses.len();
    let mut choices: Vec<Vec<usize>> = Vec::new();
    for accept in &taker.accepts {
        let possible = (0..count).filter(|&clause| reached[clause].contains(&accept.pc));
        let possible: Vec<usize> = possible.collect();
        let has_line = |&clause: &usize| {
            let clause = &receive.clauses[clause];
            let mut lines = clause.line..=clause.end;
            accept.line.is_some_and(|line| lines.any(|own| own == line))
        };
        let by_line: Vec<usize> = possible.iter().copied().filter(has_line).collect();
        choices.push(match by_line.is_empty() {
            true => possible,
            false => by_line,
        });
    }
    if is_one_each {
        eliminate(&mut choices, count);
        in_order(receive, &mut choices);
    }
    let line = |&clause: &usize| receive.clauses[clause].line;
    let mut found = Vec::new();
    for (accept, possible) in taker.accepts.iter().zip(&choices) {
        // The compiler makes one of clauses that do the same. Then it is the first of them. A guard
        // that never holds would take a clause away.
        let all_here = possible
            .iter()
            .all(|&clause| reached[clause].len() == 1 && !receive.clauses[clause].is_guarded);
        let (Some(first), Some(last)) = (
            possible.iter().map(line).min(),
            possible.iter().map(line).max(),
        ) else {
            continue;
        };
        if first == last || all_here {
            found.push((accept.pc, first));
        }
    }
    found
}

/// Clauses with the same pattern are tested one after the other, and so they come in the order of the
/// source. A guard that says what must not hold may turn that around.
fn in_order(receive: &Receive, choices: &mut [Vec<usize>]) {
    let open = (0..choices.len()).filter(|&accept| choices[accept].len() > 1);
    let open: Vec<usize> = open.collect();
    let left = open.iter().flat_map(|&accept| &choices[accept]);
    let left: BTreeSet<usize> = left.copied().collect();
    let pairs = open.iter().zip(&left);
    if open.len() == left.len()
        && left.iter().all(|&clause| receive.clauses[clause].is_plain)
        && pairs
            .clone()
            .all(|(&accept, clause)| choices[accept].contains(clause))
    {
        for (&accept, &clause) in pairs {
            choices[accept] = vec![clause];
        }
    }
}

/// The largest number of things that are told apart by what the others have.
const THINGS_MAX: usize = 100;

/// Takes away what cannot be, if everybody has one of as many things and no two have the same.
fn eliminate(choices: &mut [Vec<usize>], count: usize) {
    if count > THINGS_MAX {
        return;
    }
    let mut owners = vec![None; count];
    for taker in 0..choices.len() {
        if !give(choices, taker, &mut owners, &mut vec![false; count]) {
            // It does not work out, so something else is true of them.
            return;
        }
    }
    let possible = |taker: usize, thing: usize| {
        let mut owners = owners.clone();
        let Some(other) = owners[thing].filter(|&other| other != taker) else {
            return true;
        };
        let mut taken = vec![false; count];
        taken[thing] = true;
        owners[thing] = Some(taker);
        for owner in &mut owners {
            if *owner == Some(taker) {
                *owner = None;
            }
        }
        give(choices, other, &mut owners, &mut taken)
    };
    let left = (0..choices.len()).map(|taker| {
        let things = choices[taker].iter().copied();
        things.filter(|&thing| possible(taker, thing)).collect()
    });
    let left: Vec<Vec<usize>> = left.collect();
    choices.clone_from_slice(&left);
}

/// Gives one of its choices to somebody, so that others may have to take another one of theirs.
fn give(
    choices: &[Vec<usize>],
    taker: usize,
    owners: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for &thing in &choices[taker] {
        if std::mem::replace(&mut tried[thing], true) {
            continue;
        }
        let is_free = match owners[thing] {
            Some(other) => give(choices, other, owners, tried),
            None => true,
        };
        if is_free {
            owners[thing] = Some(taker);
            return true;
        }
    }
    false
}
