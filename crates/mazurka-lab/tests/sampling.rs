//! What samplers are good at.

mod support;

use mazurka_engine::{
    Kind, Options, Progress, Sampler, Sampling, SendersFirst, Settings, Stopped, check,
};
use mazurka_lab::oracle::Instruction::{Crash, SkipIfOdd};
use mazurka_lab::oracle::Script;
use std::ops::ControlFlow;
use support::{ANY, ME, PARENT, family, send};

/// One process sends at once, the other after many steps; it crashes if the second is received
/// first. So all that matters is that one message is late.
fn late() -> Script {
    let mut slow = Vec::new();
    for _ in 0..20 {
        slow.extend([send(ME, 0), ANY]);
    }
    slow.push(send(PARENT, 2));
    family(&[ANY, SkipIfOdd(1), Crash], &[&[send(PARENT, 1)], &slow])
}

/// In how many of a thousand executions it crashes.
fn crashes(sampler: Sampler) -> u64 {
    let sampling = Sampling {
        executions: 1_000,
        sampler,
        seed: 1,
    };
    let settings = Settings {
        explore: Options {
            sampling: Some(sampling),
            ..Options::default()
        },
        keep_going: true,
        ..Settings::default()
    };
    let go_on = |_: &Progress| ControlFlow::Continue(());
    let report = check(late(), SendersFirst, &settings, go_on).expect("it is modelled");
    assert_eq!(report.stopped, Stopped::Sampled);
    let sampled = report.progress.sampled.expect("it was sampled");
    assert_eq!(sampled.traces.expect("dives were made").traces, 2.0);
    let crash = report
        .errors()
        .find(|found| found.finding.kind == Kind::Crash);
    crash.map_or(0, |found| found.count)
}

/// No more than two events are ever independent of each other, so one of four executions at least
/// has a given event as late as possible.
#[test]
fn pct_keeps_its_promise() {
    let found = crashes(Sampler::Pct { bug_depth: 1 });
    assert!(found > 250, "{found} of 1000");
}

/// The message, or the start of its sender, must be lower than about twenty others, each with a
/// priority of its own: one execution in about ten. For a random walk it is as twenty coins that all
/// fall on the same side.
#[test]
fn pos_is_better_than_a_random_walk_here() {
    let found = crashes(Sampler::Pos);
    assert!((60..140).contains(&found), "{found} of 1000");
    assert_eq!(crashes(Sampler::Uniform), 0);
}
