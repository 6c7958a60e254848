//! One exploration by several explorers that know nothing of each other.

use super::program::{Script, mix};
use mazurka_engine::world::{Candidates, Entry, World};
use mazurka_engine::{Execution, Explorer, Guide, Observer, Options, PortableItem, Progress};
use std::ops::ControlFlow;

/// Number of explorers that take turns.
const EXPLORERS: u64 = 3;

/// Explores a program by explorers that take turns. Each turn one of them adopts some of the items
/// that are left, explores for a while, and gives away what it has not explored. Each has its own
/// copy of the program, and has met processes, objects and values in another order before.
///
/// # Panics
/// If a scripted program cannot be run, which is an error of ours.
pub(super) fn share<O: Observer<Script>>(
    program: Script,
    guide: impl Guide + Copy,
    options: &Options,
    seed: u64,
    observer: &mut O,
) {
    let explorer = |nth: u64| {
        let world = World::new(program.clone(), options);
        Explorer::idle(experienced(world, mix(seed ^ nth)), guide)
    };
    let mut explorers: Vec<_> = (0..EXPLORERS).map(explorer).collect();
    let mut left = vec![PortableItem::root()];
    let mut random = seed;
    while !left.is_empty() {
        random = mix(random);
        let at = (random % EXPLORERS) as usize;
        let explorer = &mut explorers[at];
        let taken = 1 + (random >> 8) as usize % left.len();
        for item in left.drain(left.len() - taken..) {
            let text = serde_json::to_string(&item).expect("plain data");
            let item = serde_json::from_str(&text).expect("it was written like that");
            explorer.adopt(&item).expect("the same program");
        }
        let mut turn = Turn {
            observer,
            executions: (random >> 32) % 8,
            reports: (random >> 40) % 4,
        };
        explorer.go_on(&mut turn).expect("all is modelled");
        left.extend(explorer.give_all_away());
        let rotation = (random >> 48) as usize % left.len().max(1);
        left.rotate_left(rotation);
    }
}

/// A world in which processes, objects and values have been numbered in a random order.
fn experienced(mut world: World<Script>, mut random: u64) -> World<Script> {
    let mut paths: Vec<_> = { 1..=4 }
        .flat_map(|child| [vec![child], vec![child, 1], vec![child, 2]])
        .collect();
    paths.sort_by_key(|path| mix(random ^ u64::from(path[0] * 8 + path.len() as u32)));
    world.number(&paths);
    let mut candidates = Candidates::default();
    for _ in 0..3 {
        world.truncate(0);
        for stamp in 0..40 {
            random = mix(random);
            let enabled: Vec<_> = world.graph().enabled().collect();
            let Some(last) = enabled.len().checked_sub(1) else {
                break;
            };
            let slot = enabled[random as usize % (last + 1)];
            world.list(slot, &mut candidates).expect("all is modelled");
            let pick = candidates.picks[(random >> 32) as usize % candidates.picks.len()];
            let pid = world.graph().process(slot).pid;
            let entry = Entry::new(pid, pick, stamp);
            world.apply(entry).expect("all is modelled");
        }
    }
    world
}

/// Passes on what an explorer does, and stops it after some executions or reports of progress.
struct Turn<'o, O> {
    observer: &'o mut O,
    executions: u64,
    reports: u64,
}

impl<O: Observer<Script>> Observer<Script> for Turn<'_, O> {
    fn execution(&mut self, execution: &Execution<'_, Script>) -> ControlFlow<()> {
        self.observer.execution(execution)?;
        self.executions = match self.executions.checked_sub(1) {
            Some(left) => left,
            None => return ControlFlow::Break(()),
        };
        ControlFlow::Continue(())
    }

    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        self.reports = match self.reports.checked_sub(1) {
            Some(left) => left,
            None => return ControlFlow::Break(()),
        };
        ControlFlow::Continue(())
    }
}
