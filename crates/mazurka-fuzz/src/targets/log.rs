//! Logs.

use crate::{Answer, Random, Target, corpus, damage};
use mazurka_trace::Log;

/// Words of the format.
const WORDS: [&str; 10] = [
    "\"receive\"",
    "\"timeout\"",
    "\"killed\"",
    "\"after\"",
    "\"read\"",
    "\"version\"",
    "\"choose\"",
    "\"of\"",
    "null",
    "{}",
];

pub(super) struct Logs {
    texts: Vec<String>,
}

impl Default for Logs {
    fn default() -> Logs {
        let traces = corpus::traces();
        Logs {
            texts: { traces.iter() }
                .map(|trace| trace.log().to_json())
                .collect(),
        }
    }
}

impl Target for Logs {
    fn name(&self) -> &'static str {
        "log"
    }

    fn about(&self) -> &'static str {
        "logs in JSON; accepted ones are written as JSON and as tokens and read back"
    }

    fn generate(&mut self, random: &mut Random) -> Vec<u8> {
        let text = random.pick(&self.texts);
        damage::text(random, text, &WORDS).into_bytes()
    }

    fn read(&mut self, input: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(input);
        let Ok(log) = Log::from_json(&text) else {
            return Answer::Refused;
        };
        let again = Log::from_json(&log.to_json()).expect("written logs can be read");
        assert_eq!(again, log);
        let again = Log::from_token(&log.to_token()).expect("a token can be read");
        assert_eq!(again, log);
        Answer::Accepted
    }
}
