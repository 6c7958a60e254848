//! The current path as a chain of segments that frontier items continue.

use crate::frontend::{Fault, Frontend};
use crate::frontier::{Item, Segment};
use crate::graph::Graph;
use crate::world::World;
use std::rc::Rc;

/// The segments that make up the current path. The first is the empty path.
#[derive(Default)]
pub(crate) struct Spine {
    segments: Vec<Rc<Segment>>,
    /// How many steps of the current path the segments describe.
    described: usize,
    /// Scratch buffer, reused between items.
    chain: Vec<Rc<Segment>>,
}

/// The way to a frontier item.
pub(crate) struct Reached {
    /// Steps of the previous path that were kept.
    pub common: usize,
    /// Steps of the item's parent that were made again.
    pub repeated: u64,
}

impl Spine {
    /// Forgets the current path.
    pub(crate) fn clear(&mut self) {
        self.segments.clear();
        self.described = 0;
    }

    /// The segment that describes the current path up to its end, or up to the first step that no
    /// segment describes.
    pub(crate) fn last(&self) -> &Rc<Segment> {
        self.segments.last().expect("the root is always there")
    }

    /// The segment that describes the first `steps` steps of the current path, and perhaps more.
    pub(crate) fn segment_of(&self, steps: usize) -> &Rc<Segment> {
        let before = |segment: &Rc<Segment>| segment.start < steps;
        let at = self.segments.iter().rposition(before).unwrap_or(0);
        &self.segments[at]
    }

    /// Makes a segment of the steps that none describes yet, so that items can continue it.
    pub(crate) fn extend(&mut self, graph: &Graph) {
        let path = graph.path();
        if path.len() > self.described {
            let entries = path[self.described..].iter().map(|placed| placed.entry);
            let segment = Segment::after(self.last(), self.described, entries);
            self.described = path.len();
            self.segments.push(segment);
        }
    }

    /// Makes the current graph the one that `item` describes: back to what both have in common, then
    /// forward.
    pub(crate) fn go_to<F: Frontend>(
        &mut self,
        world: &mut World<F>,
        item: &Item,
    ) -> Result<Reached, Fault> {
        let mut chain = std::mem::take(&mut self.chain);
        let mut first = &item.parent;
        while !self.has(first) {
            chain.push(Rc::clone(first));
            match &first.parent {
                Some(parent) => first = parent,
                None => break,
            }
        }
        let wanted = chain.last().map_or(item.start, |segment| segment.start);
        let shared = match self.has(first) {
            true => first.depth + 1,
            false => 0,
        };
        let have = match self.segments.get(shared) {
            Some(beyond) => beyond.start,
            None => self.described,
        };
        let common = if shared == 0 { 0 } else { have.min(wanted) };
        world.truncate(common);
        self.segments.truncate(shared);
        let steps_before = world.steps;
        if let Some(last) = self.segments.last() {
            redo(world, last, common, wanted)?;
        }
        while let Some(segment) = chain.pop() {
            let upto = chain.last().map_or(item.start, |child| child.start);
            redo(world, &segment, segment.start, upto)?;
            self.segments.push(segment);
        }
        self.chain = chain;
        self.described = item.start;
        let repeated = world.steps - steps_before;
        for &entry in &item.entries {
            world.apply(entry)?;
        }
        Ok(Reached { common, repeated })
    }

    fn has(&self, segment: &Rc<Segment>) -> bool {
        let own = self.segments.get(segment.depth);
        own.is_some_and(|own| Rc::ptr_eq(own, segment))
    }
}

/// Makes the steps of a segment again, those at `from..upto` of its path.
fn redo<F: Frontend>(
    world: &mut World<F>,
    segment: &Segment,
    from: usize,
    upto: usize,
) -> Result<(), Fault> {
    for at in from..upto {
        world.apply(segment.entries[at - segment.start])?;
    }
    Ok(())
}
