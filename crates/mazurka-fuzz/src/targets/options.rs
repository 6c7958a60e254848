//! Options of a check and parameters of programs, as text.

use crate::{Answer, Random, Target, damage};
use mazurka_gallery::programs;
use mazurka_report::{CheckOptions, Plan, SETTINGS, Setting, StopAt};
use std::collections::BTreeMap;

/// Words from which inputs are generated: values of options, and parameters.
const TEXT: &str = "algorithm=optimal algorithm=transdpor algorithm=dpor algorithm=interleavings \
    delivery=mailbox delivery=p2p,causal order=fifo sleep-sets=off preemption-bound=2 \
    timeouts=below-50ms timeouts=any-time timeouts=never expect=crash,deadlock error=orphan \
    strategy=dfs strategy=random strategy=best-first strategy=mcts valuation=max-match:2,depth \
    direct=next,frontier threshold=3 seed=12 sample=10 sampler=pct bug-depth=2 hunt=on \
    keep-going=on max-depth=5 max-seconds=0.5 max-memory=0 P.1:3 n=3 n=0 clients=2 crash=1 p=-1";

const WORDS: [&str; 8] = [" ", "=", ":", ",", "-", "0", "18446744073709551616", "λ"];

pub(super) struct Options;

impl Target for Options {
    fn name(&self) -> &'static str {
        "options"
    }

    fn about(&self) -> &'static str {
        "options and their combinations, and parameters of programs of the gallery"
    }

    fn generate(&mut self, random: &mut Random) -> Vec<u8> {
        let words: Vec<&str> = TEXT.split(' ').filter(|word| !word.is_empty()).collect();
        let mut some: Vec<&str> = Vec::new();
        for _ in 0..=random.below(8) {
            some.push(*random.pick(&words));
        }
        let text = some.join(" ");
        match random.once_in(2) {
            true => text.into_bytes(),
            false => damage::text(random, &text, &WORDS).into_bytes(),
        }
    }

    fn read(&mut self, input: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(input);
        let mut options = CheckOptions::default();
        let mut params = BTreeMap::new();
        for word in text.split(' ') {
            let _ = word.parse::<StopAt>();
            let Some((name, value)) = word.split_once('=') else {
                continue;
            };
            let words: Vec<&str> = value.split(',').collect();
            match Setting::find(name) {
                Some(list) if list.is_list => drop(list.set(&mut options, &words)),
                Some(setting) => drop(setting.set(&mut options, &[value])),
                None => drop(params.insert(name.to_owned(), value.to_owned())),
            }
        }
        for program in programs() {
            let built = program.instantiate(&params);
            assert!(built.is_ok() || !params.is_empty());
            let _ = program.known_traces(&params, options.model());
            let _ = program.goes_wrong(&params, options.model());
        }
        reads_back(&options);
        Answer::of(Plan::new(&options).ok())
    }
}

/// Options that are written can be read again.
fn reads_back(options: &CheckOptions) {
    let mut again = CheckOptions::default();
    for setting in SETTINGS {
        let words = setting.words(options);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if setting.is_list || !words.is_empty() {
            assert_eq!(setting.set(&mut again, &words), Ok(()), "{}", setting.name);
        }
    }
    assert_eq!(&again, options);
}
