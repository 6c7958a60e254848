//! Assigns compiled receives to receives of the source.

use std::collections::{BTreeMap, BTreeSet};

use super::compiled::{self, CompiledReceive, Origin};
use super::forms::Forms;
use super::matching;
use super::receives::{Receive, Receives};
use super::shape::{ShapeId, Shapes};
use super::{SourceLines, walk};
use crate::code::Code;

pub(super) fn assign(code: &Code, forms: &Forms<'_>, receives: &Receives<'_>) -> SourceLines {
    let mut lines = SourceLines::default();
    let mut functions: BTreeMap<(&str, u32), Vec<CompiledReceive>> = BTreeMap::new();
    for compiled in compiled::find(code, |name, arity| receives.contains_key(&(name, arity))) {
        functions
            .entry(compiled.function)
            .or_default()
            .push(compiled);
    }
    let mut shapes = Shapes::new();
    for (name, compiled) in functions {
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
            compiled,
        };
        function.assign(&mut lines);
    }
    lines
}

/// The shapes of the messages that a clause matches.
struct ClauseShapes {
    /// The shape of all messages.
    all: ShapeId,
    /// The shape of an example that no earlier clause matches, if there is one.
    example: Option<ShapeId>,
    is_guarded: bool,
}

fn shapes_of<'a>(
    forms: &Forms<'a>,
    receive: &Receive,
    shapes: &mut Shapes<'a>,
) -> Vec<ClauseShapes> {
    let before = forms.before(receive.term, receive.whole);
    let bound: BTreeSet<&str> = before.filter_map(|term| forms.variable(term)).collect();
    let is_free = |name: &str| !bound.contains(name);
    let mut clauses: Vec<ClauseShapes> = Vec::new();
    for clause in &receive.clauses {
        let example = shapes.of_example(forms, clause.pattern, &is_free);
        let mut earlier = clauses.iter();
        let is_first = earlier.all(|earlier| shapes.are_disjoint(earlier.all, example));
        clauses.push(ClauseShapes {
            all: shapes.of_pattern(forms, clause.pattern),
            example: Some(example).filter(|_| is_first && !clause.is_guarded),
            is_guarded: clause.is_guarded,
        });
    }
    clauses
}

/// A function of the source.
struct Function<'a, 'f> {
    code: &'a Code,
    /// Its receives in the source.
    receives: &'a [Receive],
    /// The shapes of their clauses.
    patterns: Vec<Vec<ClauseShapes>>,
    shapes: &'a Shapes<'f>,
    /// Its receives in the compiled code.
    compiled: Vec<CompiledReceive>,
}

/// For each clause, the instructions that may accept its messages.
type Reached = Vec<BTreeSet<u32>>;

impl Function<'_, '_> {
    fn assign(&self, lines: &mut SourceLines) {
        let mut reached: BTreeMap<(usize, usize), Reached> = BTreeMap::new();
        let mut choices: Vec<Vec<usize>> = Vec::new();
        for (number, compiled) in self.compiled.iter().enumerate() {
            let mut possible = Vec::new();
            for receive in 0..self.receives.len() {
                if self.is_possible(compiled, receive)
                    && let Some(found) = self.reached(compiled, receive)
                {
                    reached.insert((number, receive), found);
                    possible.push(receive);
                }
            }
            choices.push(possible);
        }
        if self.compiled.len() == self.receives.len() {
            matching::prune(&mut choices, self.receives.len());
            self.order_receives(&mut choices);
        }
        for (number, compiled) in self.compiled.iter().enumerate() {
            if let &[receive] = &choices[number][..] {
                let receive_lines = &self.receives[receive];
                lines.receives.insert(compiled.pc, receive_lines.line);
                let one_to_one = compiled.accepts.len() == receive_lines.clauses.len()
                    && self.are_independent(receive);
                let reached = &reached[&(number, receive)];
                lines
                    .clauses
                    .extend(clauses(compiled, receive_lines, reached, one_to_one));
            }
        }
    }

    /// Whether functions and lines allow that a compiled receive comes from this receive of the
    /// source.
    fn is_possible(&self, compiled: &CompiledReceive, number: usize) -> bool {
        let receive = &self.receives[number];
        let origin_fits = match compiled.origin {
            Origin::Function => receive.fun.is_none() && !receive.in_template,
            Origin::Fun(line @ Some(_)) if self.receives.iter().any(|other| other.fun == line) => {
                receive.fun == line && !receive.in_template
            }
            Origin::Fun(_) => receive.fun.is_some() && !receive.in_template,
            Origin::Other => true,
        };
        let mut known = compiled.accepts.iter().filter_map(|accept| accept.line);
        origin_fits && known.all(|line| self.may_follow(receive, line))
    }

    /// Whether this may be the next line after a receive has accepted a message: a line of the
    /// receive itself, or of the code after it.
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

    /// The instructions of a compiled receive that may accept the messages of each source clause.
    /// `None` if the two cannot be the same receive.
    fn reached(&self, compiled: &CompiledReceive, number: usize) -> Option<Reached> {
        let accepts = |shape| walk::accepts(self.code, compiled.pc, self.shapes, shape);
        let mut reached = Reached::new();
        let patterns = &self.patterns[number];
        for (at, clause) in patterns.iter().enumerate() {
            let mut places = accepts(clause.all)?;
            if let Some(example) = clause.example {
                let fewer = accepts(example)?;
                places.retain(|place| fewer.contains(place));
            }
            if places.is_empty() && !clause.is_guarded {
                return None;
            }
            for earlier in &patterns[..at] {
                if self.interferes(earlier, clause) {
                    places.extend(accepts(earlier.all)?);
                }
            }
            reached.push(places);
        }
        let mut accepts = compiled.accepts.iter();
        let all_reached =
            accepts.all(|accept| reached.iter().any(|places| places.contains(&accept.pc)));
        all_reached.then_some(reached)
    }

    /// Whether an earlier clause may match all messages of a later one. Then the later clause may
    /// be unreachable, or its messages depend on the guard of the earlier one, and the compiler may
    /// generate no instruction, several instructions or unreachable instructions for the two. An
    /// earlier clause with a guard does not interfere if both match the same messages.
    fn interferes(&self, earlier: &ClauseShapes, later: &ClauseShapes) -> bool {
        let covers = self.shapes.may_cover(earlier.all, later.all);
        let is_covered = self.shapes.may_cover(later.all, earlier.all);
        covers && !(earlier.is_guarded && is_covered)
    }

    /// Whether no two clauses of a receive interfere.
    fn are_independent(&self, number: usize) -> bool {
        let patterns = &self.patterns[number];
        let mut all = patterns.iter().enumerate();
        all.all(|(at, later)| {
            let mut earlier = patterns[..at].iter();
            !earlier.any(|earlier| self.interferes(earlier, later))
        })
    }

    /// Assigns the remaining receives in the order of the source, if each compiled one is known to
    /// come directly after the previous one.
    fn order_receives(&self, choices: &mut [Vec<usize>]) {
        let open: Vec<usize> = (0..choices.len())
            .filter(|&index| choices[index].len() > 1)
            .collect();
        let left: BTreeSet<usize> = open
            .iter()
            .flat_map(|&index| choices[index].clone())
            .collect();
        let pairs = open.iter().zip(&left);
        let mut neighbours = open.windows(2);
        if open.len() == left.len()
            && pairs
                .clone()
                .all(|(&index, receive)| choices[index].contains(receive))
            && neighbours.all(|pair| {
                compiled::is_next(self.code, &self.compiled[pair[0]], &self.compiled[pair[1]])
            })
        {
            for (&index, &receive) in pairs {
                choices[index] = vec![receive];
            }
        }
    }
}

/// The instructions of a receive whose clauses are known, with the lines of those clauses.
fn clauses(
    compiled: &CompiledReceive,
    receive: &Receive,
    reached: &Reached,
    one_to_one: bool,
) -> Vec<(u32, u32)> {
    let count = receive.clauses.len();
    let mut choices: Vec<Vec<usize>> = Vec::new();
    for accept in &compiled.accepts {
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
    if one_to_one {
        matching::prune(&mut choices, count);
        order_clauses(receive, &mut choices);
    }
    let line = |&clause: &usize| receive.clauses[clause].line;
    let mut found = Vec::new();
    for (accept, possible) in compiled.accepts.iter().zip(&choices) {
        // The compiler merges clauses with equal bodies; the line is that of the first one. Clauses
        // with guards are excluded, because the compiler drops a clause whose guard is never true.
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

/// Assigns the remaining clauses in the order of the source: clauses with the same pattern are
/// tested in that order. Guards with negations are excluded, because the compiler may reverse their
/// order.
fn order_clauses(receive: &Receive, choices: &mut [Vec<usize>]) {
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
