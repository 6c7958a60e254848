//! Options of a check and parameters of programs, as text.

use crate::{Answer, Random, Target, damage};
use mazurka_engine::{Delivery, Kind, Place, Sampler, Strategy, Timeouts, Valuations};
use mazurka_gallery::programs;
use mazurka_lab::{Algorithm, Order};
use mazurka_report::{CheckOptions, Plan, StopAt};
use std::collections::BTreeMap;

/// Words from which inputs are generated: values of options, and parameters.
const TEXT: &str = "optimal transdpor dpor naive interleavings odpor mailbox p2p causal unordered \
    fifo lifo below-50ms below-1000ms any-time when-quiet never crash deadlock orphan stuck \
    dfs bfs random:7 best-first:3 mcts mailbox:2,new-code next frontier prefer pct uniform \
    12 P.1:3 n=3 n=0 clients=2 crash=1 p=-1";

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
            set(&mut options, word);
            let _ = word.parse::<StopAt>();
            if let Some((name, value)) = word.split_once('=') {
                params.insert(name.to_owned(), value.to_owned());
            }
        }
        for program in programs() {
            let built = program.instantiate(&params);
            assert!(built.is_ok() || !params.is_empty());
            let _ = program.known_traces(&params, options.delivery);
            let _ = program.goes_wrong(&params, options.delivery);
        }
        Answer::of(Plan::new(&options).ok())
    }
}

/// Sets every option that accepts this word.
fn set(options: &mut CheckOptions, word: &str) {
    let number = word.parse::<u64>().ok();
    options.algorithm = word.parse::<Algorithm>().unwrap_or(options.algorithm);
    options.delivery = word.parse::<Delivery>().unwrap_or(options.delivery);
    options.timeouts = word.parse::<Timeouts>().unwrap_or(options.timeouts);
    options.order = word.parse::<Order>().ok().or(options.order);
    options.strategy = word.parse::<Strategy>().ok().or(options.strategy);
    options.valuations = word.parse::<Valuations>().ok().or(options.valuations);
    options.direct.extend(word.parse::<Place>().ok());
    options.sampler = word.parse::<Sampler>().ok().or(options.sampler);
    options.expect.extend(word.parse::<Kind>().ok());
    match word.len() % 4 {
        0 => options.seed = number.or(options.seed),
        1 => options.sample = number.or(options.sample),
        2 => options.threshold = { number }.map(|n| n as u32).or(options.threshold),
        _ => options.preemption_bound = { number }.map(|n| n as u32).or(options.preemption_bound),
    }
}
