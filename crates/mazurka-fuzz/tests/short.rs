//! A short run of every target, one after the other, because the time limit applies to the processor
//! time of the whole program.

use mazurka_fuzz::{Work, all, fuzz};

const SEED: u64 = 20;
const INPUTS: u64 = 3_000;

#[test]
fn no_target_has_findings() {
    for mut target in all() {
        let work = Work {
            seed: SEED,
            first: 0,
            inputs: INPUTS,
            save_to: None,
        };
        let report = fuzz(target.as_mut(), &work);
        let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
        assert!(findings.is_empty(), "{}", findings.join("\n"));
        assert_eq!(report.inputs, INPUTS);
        // Inputs are useful only if some are accepted and some are refused.
        let share = report.accepted * 100 / INPUTS;
        assert!(
            (1..100).contains(&share),
            "{}: {share} % accepted",
            target.name()
        );
    }
}
