//! Erlang terms and entry points, as users write them on the command line.

use crate::{Answer, Random, Target, damage};
use mazurka_beam::source::{Entry, parse_term};

/// Texts from which inputs are generated.
const TEXTS: [&str; 8] = [
    "bank:run(3, [{amount, 16#ff}])",
    "'my mod':'F'(a, \"text\\n\", $a, $\\n, 'it''s')",
    "Elixir.My.App:run/0",
    "m:f(#{a => 1, b => [x | y]}, <<\"bytes\">>, <<1, 2:4, 3/utf8>>)",
    "{a, 1.5e-3, -7, 1_000, 36#zz, \"\\x{3bb}\", {[], {}}}",
    "[1 | [2 | [3 | []]]]",
    "main/0",
    "<<\"λ\"/utf8, 5:3>>",
];

const WORDS: [&str; 20] = [
    "(", ")", "[", "]", "{", "}", "#{", "=>", "<<", ">>", "'", "\"", "\\", "$", "16#", "1.0e400",
    "-", ":", "/", "|",
];

pub(super) struct Terms;

impl Target for Terms {
    fn name(&self) -> &'static str {
        "term"
    }

    fn about(&self) -> &'static str {
        "Erlang terms and entry points as text; accepted ones are printed and parsed again"
    }

    fn generate(&mut self, random: &mut Random) -> Vec<u8> {
        let text = random.pick(&TEXTS);
        let mut text = damage::text(random, text, &WORDS).into_bytes();
        if random.once_in(8) {
            damage::bytes(random, &mut text);
        }
        // Deeply nested terms.
        if random.once_in(64) {
            let open = random.pick(&["[", "{", "#{a => ", "<<", "m:f(", "-"]);
            let deep = open.repeat(random.below(2_000)).into_bytes();
            text = [deep, text].concat();
        }
        text
    }

    fn read(&mut self, input: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(input);
        let entry = Entry::parse(&text);
        if let Ok(entry) = &entry {
            let again = Entry::parse(&entry.to_string());
            assert_eq!(again.as_ref(), Ok(entry), "{entry}");
        }
        let term = parse_term(&text);
        if let Ok(term) = &term {
            let again = parse_term(&term.to_string());
            assert_eq!(again.as_ref(), Ok(term), "{term}");
        }
        Answer::of(entry.is_ok().then_some(()).or(term.ok().map(drop)))
    }
}
