//! Random programs with bit syntax, compiled by the real compiler and compared with the real
//! virtual machine.

#[path = "machine/support.rs"]
mod support;
#[path = "machine/world.rs"]
mod world;

use std::fmt::Write;

const SEED: u64 = 4711;
const FUNCTIONS: usize = 100;
const INPUTS: usize = 12;

const TRY: &str = "
t(F, Xs) -> [try F(X) catch C:R:S -> {C, R, hd(S)} end || X <- Xs].
";

#[test]
fn random_matches() {
    let mut random = Random(SEED);
    let mut help = TRY.to_string();
    let mut expressions = Vec::new();
    for number in 0..FUNCTIONS {
        help += &random.matching(number);
        let inputs: Vec<String> = (0..INPUTS)
            .map(|_| {
                let (bits, one, other) = (random.bits(), random.size_value(), random.size_value());
                format!("{{{bits}, {one}, {other}}}")
            })
            .collect();
        let inputs = inputs.join(", ");
        expressions.push(format!(
            "t(fun({{B, S, T}}) -> m{number}(B, S, T) end, [{inputs}])"
        ));
    }
    compare(support::check, &help, &expressions);
}

#[test]
fn random_loops() {
    let mut random = Random(SEED);
    let mut help = TRY.to_string();
    let mut expressions = Vec::new();
    for number in 0..FUNCTIONS {
        help += &random.looping(number);
        let inputs: Vec<String> = (0..INPUTS).map(|_| random.bits()).collect();
        let inputs = inputs.join(", ");
        expressions.push(format!("t(fun(B) -> l{number}(B, []) end, [{inputs}])"));
    }
    compare(support::check, &help, &expressions);
}

#[test]
fn random_construction() {
    let mut random = Random(SEED);
    let mut help = TRY.to_string();
    let mut expressions = Vec::new();
    for number in 0..FUNCTIONS {
        help += &random.building(number);
        let inputs: Vec<String> = (0..INPUTS)
            .map(|_| {
                let (int, bits, float) = (random.int_value(), random.bits(), random.float_value());
                let (one, other) = (random.size_value(), random.size_value());
                format!("{{{int}, {bits}, {float}, {one}, {other}}}")
            })
            .collect();
        let inputs = inputs.join(", ");
        expressions.push(format!(
            "t(fun({{I, B, F, S, T}}) -> b{number}(I, B, F, S, T) end, [{inputs}])"
        ));
    }
    compare(support::check, &help, &expressions);
    // Compilers before OTP 25 generate other instructions, whose errors have fewer details.
    let help = help.replace("C:R:S -> {C, R, hd(S)}", "C:R -> {C, R}");
    compare(support::check_as_of_24, &help, &expressions);
}

fn compare(check: fn(&str, &[&str]), help: &str, expressions: &[String]) {
    let expressions: Vec<&str> = expressions.iter().map(String::as_str).collect();
    println!(
        "seed {SEED}: {} functions, {} calls",
        expressions.len(),
        expressions.len() * INPUTS
    );
    check(help, &expressions);
}

/// A pseudo-random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn one_of<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options[self.below(options.len())]
    }

    /// A function that tries several patterns.
    fn matching(&mut self, number: usize) -> String {
        let mut text = format!("m{number}(B, S, T) ->\n  case B of\n");
        for clause in 0..1 + self.below(4) {
            let mut pattern = Pattern::default();
            let segments = 1 + self.below(5);
            let mut parts: Vec<String> = (0..segments).map(|_| pattern.segment(self)).collect();
            parts.extend(pattern_tail(self, clause));
            let tail = match parts.last() {
                Some(last) if last.starts_with("R/") => ", R",
                _ => "",
            };
            let guard = match (self.below(4), pattern.integers.last()) {
                (0, Some(variable)) => format!(" when {variable} rem 2 =:= 1"),
                _ => String::new(),
            };
            let rest = if tail.is_empty() { "none" } else { "R" };
            let _ = writeln!(
                text,
                "    <<{}>>{guard} -> {{{clause}, {rest}, [{}]}};",
                parts.join(", "),
                pattern.variables.join(", ")
            );
        }
        text += "    _ -> nomatch\n  end.\n";
        text
    }

    /// A function that calls itself with the rest. Each call consumes at least one byte.
    fn looping(&mut self, number: usize) -> String {
        let mut text = String::new();
        for clause in 0..1 + self.below(3) {
            let mut pattern = Pattern {
                fixed: true,
                ..Pattern::default()
            };
            let first = match self.below(3) {
                0 => format!("{}", self.below(4)),
                1 => format!("K:{}", 8 + self.below(5)),
                _ => "K".to_string(),
            };
            let mut parts = vec![first];
            parts.extend((0..self.below(3)).map(|_| pattern.segment(self)));
            let key = if parts[0].starts_with('K') {
                "K"
            } else {
                "none"
            };
            let tail = self.one_of(&["R/binary", "R/bits"]);
            parts.push(tail.to_string());
            let variables: Vec<&str> = pattern.variables.iter().map(String::as_str).collect();
            let guard = match (self.below(3), key) {
                (0, "K") => " when K > 3",
                _ => "",
            };
            let _ = writeln!(
                text,
                "l{number}(<<{}>>, L){guard} -> l{number}(R, [{{{clause}, {key}, [{}]}} | L]);",
                parts.join(", "),
                variables.join(", ")
            );
        }
        // Without the last clause the call fails, with the rest as an argument.
        let last = match self.below(3) {
            0 => format!("l{number}(<<>>, L) -> L.\n"),
            1 => format!("l{number}(B, L) -> {{B, L}}.\n"),
            _ => format!("l{number}(<<X:3>>, L) -> {{X, L}}.\n"),
        };
        text + &last
    }

    /// A function that builds a binary.
    fn building(&mut self, number: usize) -> String {
        let parts: Vec<String> = (0..1 + self.below(5)).map(|_| self.built()).collect();
        let body = format!("<<{}>>", parts.join(", "));
        let body = match self.below(5) {
            0 => format!("begin X = {body}, <<X/bits, {}>> end", self.built()),
            1 => format!("<< {body} || _ <- [1, 2] >>"),
            2 => format!("try {body} catch error:badarg -> {{failed, B}} end"),
            _ => body,
        };
        format!("b{number}(I, B, F, S, T) -> _ = {{I, B, F, S, T}}, {body}.\n")
    }

    fn built(&mut self) -> String {
        let endian = self.one_of(&["", "-little", "-big", "-signed-little"]);
        match self.below(12) {
            0 => "I".to_string(),
            1 => format!("I:{}/integer{endian}", self.size()),
            2 => format!(
                "I:{}/integer{endian}-unit:{}",
                self.size(),
                1 + self.below(9)
            ),
            3 => "B/binary".to_string(),
            4 => "B/bits".to_string(),
            5 => format!("B:{}/binary", self.size()),
            6 => format!("B:{}/bits", self.size()),
            7 => format!("F:{}/float{endian}", self.one_of(&["16", "32", "64", "S"])),
            8 => self
                .one_of(&[
                    "I/utf8",
                    "I/utf16",
                    "I/utf16-little",
                    "I/utf32",
                    "I/utf32-little",
                ])
                .to_string(),
            9 => "\"text\"".to_string(),
            10 => format!("{}:{}", self.below(20), 1 + self.below(12)),
            _ => format!(
                "(I + 1):{}{}",
                self.below(70),
                self.one_of(&["", "/little"])
            ),
        }
    }

    /// The size of a segment in terms of the arguments.
    fn size(&mut self) -> String {
        match self.below(6) {
            0 => "S".to_string(),
            1 => "T".to_string(),
            2 => "(S + T)".to_string(),
            _ => format!("{}", self.below(20)),
        }
    }

    fn size_value(&mut self) -> String {
        match self.below(12) {
            0 => self
                .one_of(&["-1", "a", "1 bsl 70", "2.0", "100", "1 bsl 61"])
                .to_string(),
            1 => self.one_of(&["16", "32", "64"]).to_string(),
            _ => self.below(10).to_string(),
        }
    }

    fn int_value(&mut self) -> String {
        match self.below(10) {
            0 => self
                .one_of(&["a", "1.5", "<<1>>", "[]", "16#d800", "16#110000"])
                .to_string(),
            1 => self
                .one_of(&["-1", "1 bsl 80", "-(1 bsl 80)", "16#20ac", "16#1f642"])
                .to_string(),
            _ => self.below(300).to_string(),
        }
    }

    fn float_value(&mut self) -> String {
        match self.below(8) {
            0 => self
                .one_of(&["a", "1 bsl 2000", "<<>>", "1 bsl 80"])
                .to_string(),
            _ => format!("{}.{}", self.below(100), self.below(1000)),
        }
    }

    /// A bit string. Most bytes are small, so that they are useful as sizes.
    fn bits(&mut self) -> String {
        if self.below(25) == 0 {
            return self.one_of(&["a", "[]", "{1}"]).to_string();
        }
        let length = self.below(14);
        let mut parts: Vec<String> = (0..length)
            .map(|_| match self.below(6) {
                0 => self.below(256),
                1 => b"text\xc3\xa9"[self.below(6)].into(),
                _ => self.below(6),
            })
            .map(|byte| byte.to_string())
            .collect();
        if self.below(4) == 0 {
            parts.push(format!("{}:{}", self.below(8), 1 + self.below(7)));
        }
        format!("<<{}>>", parts.join(","))
    }
}

/// The end of a pattern, after its segments.
fn pattern_tail(random: &mut Random, clause: usize) -> Option<String> {
    let tail = match random.below(6) {
        0 if clause > 0 => return None,
        0 | 1 => "_/bits",
        2 => "_/binary",
        3 => "R/bits",
        4 => "R/binary-unit:3",
        _ => "R/binary",
    };
    Some(tail.to_string())
}

/// A pattern under construction.
#[derive(Default)]
struct Pattern {
    variables: Vec<String>,
    /// The variables that are integers and can be sizes.
    integers: Vec<String>,
    /// Whether no argument can be a size.
    fixed: bool,
}

impl Pattern {
    fn variable(&mut self) -> String {
        let name = format!("V{}", self.variables.len());
        self.variables.push(name.clone());
        name
    }

    fn size(&mut self, random: &mut Random) -> String {
        let earlier = self.integers.last().cloned();
        match (random.below(8), earlier) {
            (0 | 1, Some(variable)) => variable,
            (2, Some(variable)) => format!("({variable} band 7)"),
            (3, _) if !self.fixed => "S".to_string(),
            (4, _) if !self.fixed => "T".to_string(),
            (5, _) if !self.fixed => "(S + 1)".to_string(),
            (6, _) => ["0", "63", "64", "65", "72"][random.below(5)].to_string(),
            _ => (1 + random.below(20)).to_string(),
        }
    }

    fn segment(&mut self, random: &mut Random) -> String {
        let flags = random.one_of(&["", "-little", "-signed", "-little-signed"]);
        match random.below(14) {
            0..=3 => {
                let size = self.size(random);
                let name = self.variable();
                self.integers.push(name.clone());
                format!("{name}:{size}/integer{flags}")
            }
            4 => {
                let name = self.variable();
                self.integers.push(name.clone());
                name
            }
            5 => random.below(6).to_string(),
            6 => format!("{}:{}", random.below(4), 1 + random.below(11)),
            7 => format!("_:{}", self.size(random)),
            8 => {
                let size = self.size(random);
                format!("{}:{size}/binary", self.variable())
            }
            9 => {
                let size = self.size(random);
                format!("{}:{size}/bits", self.variable())
            }
            10 => {
                let size = random.one_of(&["16", "32", "64"]);
                let endian = random.one_of(&["", "-little"]);
                format!("{}:{size}/float{endian}", self.variable())
            }
            11 => {
                let encoding = random.one_of(&["utf8", "utf16", "utf16-little", "utf32"]);
                let skipped = random.below(3) == 0;
                let name = if skipped {
                    "_".to_string()
                } else {
                    self.variable()
                };
                format!("{name}/{encoding}")
            }
            12 => random.one_of(&["\"t\"", "\"te\""]).to_string(),
            _ => match self.integers.first() {
                // A variable that is already bound.
                Some(variable) => format!("{variable}:{}", 1 + random.below(9)),
                None => "_".to_string(),
            },
        }
    }
}
