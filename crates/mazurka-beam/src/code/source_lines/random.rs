//! Random receives with the real compiler: every line that is found is correct.

use std::collections::HashMap;

use super::tests::{FIRST_LINE, receives, with_code};

/// A generator of random programs.
struct Generator {
    state: u64,
    text: String,
    line: usize,
    /// For each line of a clause, the line of its receive.
    owners: HashMap<u32, u32>,
    /// The number of clauses so far, which gives each its own variables.
    clauses: u64,
}

impl Generator {
    fn below(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005);
        self.state = self.state.wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % bound
    }

    fn put(&mut self, text: &str) {
        self.line += text.matches('\n').count();
        self.text.push_str(text);
    }

    fn pattern(&mut self, depth: u32) -> String {
        let small = [
            "a", "b", "c", "1", "2", "1.5", "[]", "_", "V", "W", "B", "\"ab\"",
        ];
        if depth == 0 || self.below(3) == 0 {
            let pattern = small[self.below(small.len() as u64) as usize];
            return match pattern {
                "V" | "W" => format!("{pattern}{}", self.clauses),
                other => other.to_owned(),
            };
        }
        match self.below(9) {
            0..5 => {
                let size = self.below(4);
                let elements: Vec<String> = (0..size).map(|_| self.pattern(depth - 1)).collect();
                format!("{{{}}}", elements.join(", "))
            }
            5 => format!(
                "[{} | {}]",
                self.pattern(depth - 1),
                self.pattern(depth - 1)
            ),
            6 => format!("#{{k := {}}}", self.pattern(depth - 1)),
            7 => format!("#r{{x = {}}}", self.pattern(depth - 1)),
            _ => format!("<<V{}, _/binary>>", self.clauses),
        }
    }

    fn guard(&mut self, pattern: &str) -> String {
        let variables = ["V", "W"].map(|letter| format!("{letter}{}", self.clauses));
        let variable = variables.iter().find(|name| pattern.contains(*name));
        let variable = variable.map_or("B", |name| name);
        let tests = [
            "is_integer(X)",
            "is_atom(X)",
            "X > 3",
            "X >= B",
            "X =:= B",
            "X =/= []",
            "not is_pid(X)",
            "X == 2",
            "X /= a",
            "is_list(X)",
            "tuple_size(X) > 1",
            "hd(X) =:= 1",
            "X < 2.5",
        ];
        let test =
            |this: &mut Self| tests[this.below(tests.len() as u64) as usize].replace('X', variable);
        let one = test(self);
        let other = test(self);
        match self.below(12) {
            0..3 => format!(" when {one}"),
            3 => format!(" when {one}, {other}"),
            4 => format!(" when {one}; {other}"),
            5 => format!(" when {one} orelse {other}"),
            6 => format!(" when not ({one} andalso {other})"),
            _ => String::new(),
        }
    }

    fn receive(&mut self, depth: u32) {
        self.put("receive\n");
        let line = self.line as u32 - 1;
        let count = 1 + self.below(5);
        let mut last = String::new();
        for clause in 0..count {
            self.clauses += 1;
            let pattern = match self.below(3) {
                // The previous pattern with new variables.
                0 if clause > 0 => {
                    let (old, new) = (self.clauses - 1, self.clauses);
                    last.replace(&old.to_string(), &new.to_string())
                }
                _ => self.pattern(2),
            };
            last.clone_from(&pattern);
            let guard = self.guard(&pattern);
            self.owners.insert(self.line as u32, line);
            self.put(&format!("  {pattern}{guard} -> "));
            match self.below(10) {
                0..4 => self.put("?LINE"),
                4 => self.put("{?LINE, B}"),
                5 => self.put("foo:bar(?LINE)"),
                6 => self.put("self() ! ?LINE,\n foo:bar(),\n B"),
                7 => self.put("case B of 1 -> {?LINE}; _ ->\n B end"),
                8 if depth > 0 => {
                    self.put("self() ! ?LINE,\n");
                    self.receive(depth - 1);
                }
                _ => self.put("ok"),
            }
            self.put(if clause + 1 < count { ";\n" } else { "\n" });
        }
        if self.below(4) == 0 {
            self.put(" after B -> ");
            if depth > 0 && self.below(3) == 0 {
                self.put("\n");
                self.receive(depth - 1);
            } else {
                self.put("ok");
            }
            self.put("\n");
        }
        self.put(" end");
    }

    /// Writes `R0 = ...`, with a receive inside.
    fn statement(&mut self, number: u64) {
        let (before, after) = match self.below(12) {
            0..4 => ("\n", ""),
            4 => ("foo:bar(fun() ->\n", " end)"),
            5 => ("foo:bar([\n", " || B <- lists:seq(1, B)])"),
            6 => ("case B of 1 -> ok; _ ->\n", " end"),
            7 => ("try foo:bar() catch _:_ ->\n", " end"),
            8 => ("try foo:bar() after\n", " end"),
            9 => ("foo:bar(),\n", ", foo:bar()"),
            10 => (
                "case B of 1 -> receive a -> B; {_, 1} -> 7 end; _ ->\n",
                " end",
            ),
            _ => ("catch begin\n", " end"),
        };
        self.put(&format!("R{number} = begin "));
        self.put(before);
        self.receive(1);
        self.put(after);
        self.put(" end,\n");
    }
}

#[test]
fn no_line_is_wrong() {
    // One seed by default, because more take long; 40 have been tried.
    let seeds = std::env::var("MAZURKA_SEEDS").ok();
    let seeds: u64 = seeds.and_then(|seeds| seeds.parse().ok()).unwrap_or(1);
    let mut found = Counts::default();
    for seed in 1..=seeds {
        check(seed, &mut found);
    }
    println!("{found:?}");
    // Finding no lines at all would be trivial.
    assert!(found.receives * 10 > found.receives_in_all * 9, "{found:?}");
    assert!(found.clauses * 10 > found.clauses_in_all * 6, "{found:?}");
}

/// The number of lines that are found.
#[derive(Debug, Default)]
struct Counts {
    receives: usize,
    receives_in_all: usize,
    clauses: usize,
    clauses_in_all: usize,
}

const FUNCTIONS: u64 = 100;

fn check(seed: u64, found: &mut Counts) {
    let mut random = Generator {
        state: seed,
        text: String::new(),
        line: FIRST_LINE,
        owners: HashMap::new(),
        clauses: 0,
    };
    for number in 0..FUNCTIONS {
        random.put(&format!("f{number}(B) ->\n"));
        let statements = 1 + random.below(3);
        for number in 0..statements {
            random.statement(number);
        }
        let results: Vec<String> = (0..statements).map(|number| format!("R{number}")).collect();
        random.put(&format!(" foo:bar(B), {{B, {}}}.\n", results.join(", ")));
    }
    let Generator { text, owners, .. } = random;
    with_code(&text, &["+debug_info"], |code| {
        for receive in receives(code) {
            let mut markers = receive.clauses.iter().filter_map(|&(_, marker)| marker);
            let owner = markers.find_map(|marker| owners.get(&marker).copied());
            if let (Some(line), Some(owner)) = (receive.line, owner) {
                assert_eq!(
                    line,
                    owner,
                    "seed {seed}: a receive\n{}",
                    part(&text, owner)
                );
            }
            found.receives += usize::from(receive.line.is_some());
            found.receives_in_all += 1;
            for (line, marker) in receive.clauses {
                if let (Some(line), Some(marker)) = (line, marker) {
                    assert_eq!(
                        line,
                        marker,
                        "seed {seed}: a clause\n{}",
                        part(&text, marker)
                    );
                }
                found.clauses += usize::from(line.is_some());
                found.clauses_in_all += 1;
            }
        }
    });
}

/// The function that contains a line.
fn part(text: &str, line: u32) -> String {
    let mut first = FIRST_LINE;
    for function in text.split_inclusive("}.\n") {
        let next = first + function.lines().count();
        if next > line as usize {
            let lines = function.lines().zip(first..);
            return lines.map(|(text, n)| format!("{n} {text}\n")).collect();
        }
        first = next;
    }
    String::new()
}
