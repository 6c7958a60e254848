//! Joining the results of explorers that each explored a part of one program.

use crate::check::{Found, KEPT_PER_SYMPTOM, Report};
use crate::coverage::Clause;
use crate::observe::Stopped;
use crate::repeats::Repeats;
use crate::symptom::Symptom;
use crate::verdict::Finding;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

impl Report {
    /// The report of two parts of one exploration. Findings that neither part kept are counted once
    /// for each part that met them. The tree of executions is that of the first part.
    #[must_use]
    pub fn plus(mut self, other: Report) -> Report {
        self.progress = self.progress.plus(other.progress);
        self.stopped = self.stopped.or(other.stopped);
        self.found = merge(self.found, other.found);
        let errors = self.found.iter().filter(|found| found.is_error);
        self.progress.errors = errors.map(|found| 1 + found.not_kept).sum();
        for daemon in other.stopped_daemons {
            let is_known = |known: &_| daemon.is_same_process(known);
            if !self.stopped_daemons.iter().any(is_known) {
                self.stopped_daemons.push(daemon);
            }
        }
        self.interrupted = self.interrupted.or(other.interrupted);
        self.fault = self.fault.or(other.fault);
        let times = |repeats: &Option<Repeats>| repeats.as_ref().map(|repeats| repeats.times);
        if times(&self.repeats) < times(&other.repeats) {
            self.repeats = other.repeats;
        }
        self.sort();
        self
    }
}

impl Stopped {
    /// Why two parts of one exploration stopped: a part that is not complete decides.
    fn or(self, other: Stopped) -> Stopped {
        match self {
            Stopped::Complete => other,
            Stopped::DepthBound if other != Stopped::Complete => other,
            _ => self,
        }
    }
}

/// Equal findings become one, with the shorter execution.
fn merge(mut found: Vec<Found>, others: Vec<Found>) -> Vec<Found> {
    let mut by_finding: FxHashMap<Finding, usize> = FxHashMap::default();
    let mut alike: FxHashMap<Symptom, (usize, usize)> = FxHashMap::default();
    for (at, known) in found.iter().enumerate() {
        by_finding.insert(known.finding.clone(), at);
        let (_, kept) = alike.entry(Symptom::of(&known.finding)).or_insert((at, 0));
        *kept += 1;
    }
    for other in others {
        if let Some(&at) = by_finding.get(&other.finding) {
            let known = &mut found[at];
            known.count += other.count;
            known.not_kept += other.not_kept;
            if other.steps < known.steps {
                (known.steps, known.trace) = (other.steps, other.trace);
            }
            continue;
        }
        let symptom = Symptom::of(&other.finding);
        let (first, kept) = alike.entry(symptom).or_insert((found.len(), 0));
        if *kept == KEPT_PER_SYMPTOM {
            found[*first].not_kept += 1 + other.not_kept;
            continue;
        }
        *kept += 1;
        by_finding.insert(other.finding.clone(), found.len());
        found.push(other);
    }
    found
}

/// The clauses that two copies of a front-end have covered.
#[must_use]
pub fn merge_clauses(some: Vec<Clause>, others: Vec<Clause>) -> Vec<Clause> {
    let mut taken: BTreeMap<(String, String), u64> = BTreeMap::new();
    for clause in some.into_iter().chain(others) {
        *taken.entry((clause.place, clause.function)).or_default() += clause.taken;
    }
    let clause = |((place, function), taken)| Clause {
        place,
        function,
        taken,
    };
    taken.into_iter().map(clause).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Gathering, Settings, check_by};
    use crate::explore::Explorer;
    use crate::guide::SendersFirst;
    use crate::observe::{Observer, Progress};
    use crate::options::Options;
    use crate::portable::PortableItem;
    use crate::random_programs::{Case, Script, Shape};
    use crate::view::Execution;
    use crate::world::World;
    use mazurka_trace::Delivery;
    use std::ops::ControlFlow;

    /// Stops after some executions.
    struct Few<'o, O>(&'o mut O, u64);

    impl<O: Observer<Script>> Observer<Script> for Few<'_, O> {
        fn execution(&mut self, execution: &Execution<'_, Script>) -> ControlFlow<()> {
            self.1 -= 1;
            self.0.execution(execution)?;
            match self.1 {
                0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }

    /// Explores some items, and returns what it found and what is left.
    fn part(
        case: Case,
        settings: &Settings,
        items: &[PortableItem],
        executions: u64,
    ) -> (Report, Vec<PortableItem>) {
        type Watch = fn(&Progress) -> ControlFlow<()>;
        let watch: Watch = |_| ControlFlow::Continue(());
        let mut left = Vec::new();
        let report = check_by(settings, watch, |observer: &mut Gathering<'_, Watch>| {
            let world = World::new(case.program(), &settings.explore);
            let mut explorer = Explorer::idle(world, SendersFirst);
            for item in items {
                explorer.adopt(item).expect("the same program");
            }
            let stopped = explorer.go_on(&mut Few(observer, executions))?;
            let progress = explorer.progress();
            left = explorer.give_all_away();
            Ok((stopped, progress))
        });
        (report.expect("all is modelled"), left)
    }

    #[test]
    fn the_parts_of_an_exploration_add_up() {
        let (mut compared, mut with_errors) = (0, 0);
        for seed in 0..300 {
            let case = Case {
                shape: Shape::Everything,
                seed,
                delivery: Delivery::P2p,
            };
            let settings = Settings {
                explore: Options {
                    timeouts: case.timeouts(),
                    ..Options::default()
                },
                keep_going: true,
                ..Settings::default()
            };
            let root = [PortableItem::root()];
            let (whole, rest) = part(case, &settings, &root, 500);
            if !rest.is_empty() {
                continue;
            }
            let (first, left) = part(case, &settings, &root, 2);
            let (second, none) = part(case, &settings, &left, u64::MAX);
            assert!(none.is_empty(), "{case:?}");
            let first = Report {
                stopped: Stopped::Complete, // the rest was given away
                ..first
            };
            let parts = first.plus(second);
            let shown = |report: &Report| {
                let found = report.found.iter();
                let mut found: Vec<_> = found
                    .map(|found| (format!("{:?}", found.finding), found.count, found.steps))
                    .collect();
                found.sort();
                (
                    found,
                    report.progress.seen(),
                    report.progress.errors,
                    report.stopped,
                )
            };
            assert_eq!(shown(&parts), shown(&whole), "{case:?}");
            compared += 1;
            with_errors += u32::from(whole.progress.errors > 0);
        }
        assert!(compared > 200, "only {compared} programs");
        assert!(with_errors > 50, "only {with_errors} with errors");
    }

    #[test]
    fn clauses_add_up() {
        let clause = |place: &str, taken| Clause {
            place: place.into(),
            function: "f/0".into(),
            taken,
        };
        let some = vec![clause("a.erl:1", 1), clause("a.erl:2", 0)];
        let others = vec![clause("a.erl:2", 3), clause("a.erl:1", 2)];
        let all = vec![clause("a.erl:1", 3), clause("a.erl:2", 3)];
        assert_eq!(merge_clauses(some, others), all);
    }
}
