//! Which samplers find which errors.

mod support;

use mazurka_engine::{
    Kind, Options, Progress, Sampler, Sampling, SendersFirst, Settings, Stopped, check,
};
use mazurka_lab::oracle::Instruction::{Crash, SkipIfOdd};
use mazurka_lab::oracle::Script;
use std::ops::ControlFlow;
use support::{ANY, ME, PARENT, family, send};

/// One process sends at once, the other after many steps. The entry process crashes if it receives the
/// second message first, so if the first message is sent late.
fn late() -> Script {
    let mut slow = Vec::new();
    for _ in 0..20 {
        slow.extend([send(ME, 0), ANY]);
    }
    slow.push(send(PARENT, 2));
    family(&[ANY, SkipIfOdd(1), Crash], &[&[send(PARENT, 1)], &slow])
}

/// Number of crashes in 1000 executions.
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

/// At most two events are concurrent at any time. So by the guarantee of PCT, at least one execution in
/// four makes a given event as late as possible.
#[test]
fn pct_finds_the_crash_as_often_as_it_guarantees() {
    let found = crashes(Sampler::Pct { bug_depth: 1 });
    assert!(found > 250, "{found} of 1000");
}

/// The message, or the start of its sender, must have a lower priority than about 20 other events: about
/// one execution in ten. A random walk must make 20 choices in the same way.
#[test]
fn pos_finds_the_crash_and_a_random_walk_does_not() {
    let found = crashes(Sampler::Pos);
    assert!((60..140).contains(&found), "{found} of 1000");
    assert_eq!(crashes(Sampler::Uniform), 0);
}
