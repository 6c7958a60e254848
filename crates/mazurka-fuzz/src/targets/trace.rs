//! Traces, and everything computed from them.

use crate::{Answer, Random, Target, corpus, damage};
use mazurka_trace::Trace;

/// Words of the format.
const WORDS: [&str; 16] = [
    "\"receive\"",
    "\"timeout\"",
    "\"send\"",
    "\"spawn\"",
    "\"read\"",
    "\"publish\"",
    "\"exit\"",
    "\"accepts\"",
    "\"choose\"",
    "\"killed\"",
    "\"deliver\"",
    "\"mailbox\"",
    "null",
    "true",
    "[]",
    "{}",
];

/// The maximum number of variants computed for a trace.
const VARIANTS_MAX: usize = 5;

pub(super) struct Traces {
    texts: Vec<String>,
}

impl Default for Traces {
    fn default() -> Traces {
        let traces = corpus::traces();
        Traces {
            texts: traces.iter().map(Trace::to_json).collect(),
        }
    }
}

impl Target for Traces {
    fn name(&self) -> &'static str {
        "trace"
    }

    fn about(&self) -> &'static str {
        "traces in JSON: reading, validity, races, variants, linearisations"
    }

    fn generate(&mut self, random: &mut Random) -> Vec<u8> {
        let text = random.pick(&self.texts);
        damage::text(random, text, &WORDS).into_bytes()
    }

    fn read(&mut self, input: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(input);
        let Ok(trace) = Trace::from_json(&text) else {
            return Answer::Refused;
        };
        let again = Trace::from_json(&trace.to_json()).expect("written traces can be read");
        assert_eq!(again, trace);
        let _ = trace.orphans();
        let Ok(causality) = trace.check() else {
            return Answer::Refused;
        };
        let races = causality.races();
        for race in races.iter().take(VARIANTS_MAX) {
            for tag in race.others.iter().take(VARIANTS_MAX) {
                let variant = causality
                    .variant(&race.at, tag)
                    .expect("a race has a variant");
                variant.check().expect("a variant is a trace");
            }
        }
        let _ = causality.read_choices();
        let order = causality.random_linearisation(1);
        assert!(order.to_trace().equivalent(&trace));
        let _ = causality.fewest_switches(1_000);
        let _ = causality.count_linearisations(100);
        Answer::Accepted
    }
}
