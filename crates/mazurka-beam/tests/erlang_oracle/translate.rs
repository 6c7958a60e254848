//! Translates scripts to Erlang functions.

use std::collections::BTreeSet;
use std::fmt::Write;

use mazurka_lab::oracle::{Instruction, Pattern, Script, Target, Term};

/// The style of the translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// One operation for one instruction.
    Plain,
    /// Also uses features that only Erlang has: messages and monitors by name, options of functions,
    /// failures of both classes.
    Own,
    /// As above, and every message and reason contains everything that its sender has observed. A
    /// process records its observations where it may wait forever and where it ends. Calls of
    /// `oracle_world` slow down the real machine.
    Reporting,
}

/// The functions of a program. The entry function is `NAME/0`.
pub fn translate(name: &str, script: &Script, style: Style, seed: u64) -> String {
    let mut text = format!("{name}() -> {name}_0([], 0).\n");
    for role in 0..script.roles.len() {
        _ = writeln!(
            text,
            "{name}_{role}(K, L) ->\n    \
             {name}_{role}_0([self() | K], L, [], [{{r, {role}, length(K)}}])."
        );
        for &at in &labels(&script.roles[role]) {
            let mut function = Function {
                name,
                script,
                style,
                role,
                random: mix(seed ^ (role as u64) << 32 ^ (at as u64) << 40),
                known: "K0".into(),
                last: "L0".into(),
                monitors: "M0".into(),
                seen: "H0".into(),
                fresh: 0,
                text: String::new(),
            };
            function.write(at);
            text.push_str(&function.text);
        }
    }
    text
}

/// The instructions at which functions start. A function is a basic block of a role.
fn labels(instructions: &[Instruction]) -> BTreeSet<usize> {
    let mut labels = BTreeSet::from([0]);
    for (at, instruction) in instructions.iter().enumerate() {
        if let Instruction::SkipIfOdd(count) = instruction {
            labels.insert(at + 1);
            labels.insert((at + 1 + count).min(instructions.len()));
        }
    }
    labels
}

/// A hash of the number.
pub fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// A function under construction, with the variables at the current point.
struct Function<'s> {
    name: &'s str,
    script: &'s Script,
    style: Style,
    role: usize,
    random: u64,
    known: String,
    last: String,
    monitors: String,
    seen: String,
    fresh: usize,
    text: String,
}

impl Function<'_> {
    fn write(&mut self, begin: usize) {
        let instructions = &self.script.roles[self.role];
        let labels = labels(instructions);
        _ = writeln!(
            self.text,
            "{}_{}_{begin}(K0, L0, M0, H0) ->",
            self.name, self.role
        );
        for (at, &instruction) in instructions.iter().enumerate().skip(begin) {
            if at > begin && labels.contains(&at) {
                return self.continue_at(at);
            }
            if self.style == Style::Reporting {
                self.line("oracle_world:delay()");
            }
            match instruction {
                Instruction::SkipIfOdd(count) => {
                    let skipped = (at + 1 + count).min(instructions.len());
                    let state = self.state();
                    let place = format!("{}_{}", self.name, self.role);
                    let last = &self.last;
                    _ = writeln!(
                        self.text,
                        "    case {last} rem 2 of\n        \
                         0 -> {place}_{}({state});\n        \
                         _ -> {place}_{skipped}({state})\n    end.",
                        at + 1
                    );
                    return;
                }
                Instruction::Exit => return self.end(true),
                Instruction::Crash => return self.crash(),
                _ => self.instruction(instruction),
            }
        }
        if begin < instructions.len() && labels.contains(&instructions.len()) {
            return self.continue_at(instructions.len());
        }
        self.end(false);
    }

    fn continue_at(&mut self, at: usize) {
        let (name, role, state) = (self.name, self.role, self.state());
        _ = writeln!(self.text, "    {name}_{role}_{at}({state}).");
    }

    fn end(&mut self, on_purpose: bool) {
        if self.style == Style::Reporting {
            self.line(&format!("oracle_world:note({})", self.seen));
        }
        let raises = on_purpose && self.style != Style::Plain && self.below(2) == 0;
        self.text.push_str(match raises {
            true => "    exit(normal).\n",
            false => "    ok.\n",
        });
    }

    fn crash(&mut self) {
        let (last, seen) = (&self.last, &self.seen);
        let text = match self.style {
            Style::Reporting => format!("    exit({{crash, {last}, {seen}}}).\n"),
            _ => format!("    exit({{crash, {last}}}).\n"),
        };
        // The stack traces of failures differ between the machines.
        let text = match self.style == Style::Own && self.below(2) == 0 {
            true => text.replace("exit(", "error("),
            false => text,
        };
        self.text.push_str(&text);
    }

    fn instruction(&mut self, instruction: Instruction) {
        let (known, last, seen) = (self.known.clone(), self.last.clone(), self.seen.clone());
        match instruction {
            Instruction::Spawn {
                role,
                link,
                monitor,
            } => self.spawn(role, link, monitor),
            Instruction::Send { to, value } => {
                let (to, message) = (self.pid(to), self.message(value));
                self.line(&format!("{to} ! {message}"));
            }
            Instruction::Receive {
                pattern,
                timeout_ms,
            } => self.receive(pattern, timeout_ms),
            Instruction::Kill(target) => {
                let to = self.pid(target);
                self.line(&format!("exit({to}, kill)"));
            }
            Instruction::Stop(target) => {
                let to = self.pid(target);
                self.line(&match self.style {
                    Style::Reporting => format!("exit({to}, {{stopped, {last}, {seen}}})"),
                    _ => format!("exit({to}, {{stopped, {last}}})"),
                });
            }
            Instruction::SignalNormal(target) => {
                let to = self.pid(target);
                self.line(&format!("exit({to}, normal)"));
            }
            Instruction::TrapExit(on) => self.line(&format!("process_flag(trap_exit, {on})")),
            Instruction::Link(target) => {
                let to = self.pid(target);
                self.result(&match self.style {
                    Style::Plain => format!("begin link({to}), 1 end"),
                    _ => format!("try link({to}) of true -> 1 catch error:noproc -> -4 end"),
                });
            }
            Instruction::Unlink(target) => {
                let from = self.pid(target);
                self.result(&format!("begin unlink({from}), 1 end"));
            }
            Instruction::Links => {
                let way = match self.style {
                    Style::Plain => "alone",
                    _ => ["alone", "alone", "in_list", "usual"][self.below(4)],
                };
                self.result(&format!("oracle_help:links({known}, {way})"));
            }
            Instruction::Monitor(target) => {
                let of = self.pid(target);
                self.monitor(&of, &format!("monitor(process, {of})"));
            }
            Instruction::Demonitor(target) => {
                let of = self.pid(target);
                let options = match self.style {
                    Style::Plain => "none",
                    _ => ["none", "[]", "[flush]", "[info]", "[flush, info]"][self.below(5)],
                };
                let monitors = self.monitors.clone();
                self.result(&format!(
                    "oracle_help:demonitor({of}, {monitors}, {options})"
                ));
            }
            Instruction::IsAlive(target) => {
                let of = self.pid(target);
                let asked = match self.style != Style::Plain && self.below(2) == 0 {
                    true => format!("oracle_help:has_name({of})"),
                    false => format!("oracle_help:number(is_process_alive({of}))"),
                };
                self.result(&asked);
            }
            Instruction::Register { name, target } => {
                let (name, pid) = (self.named(name), self.pid(target));
                self.result(&granted(&format!("register({name}, {pid})")));
            }
            Instruction::Unregister { name } => {
                let name = self.named(name);
                self.result(&granted(&format!("unregister({name})")));
            }
            Instruction::WhereIs { name } => {
                let name = self.named(name);
                let way = match self.style {
                    Style::Plain => 0,
                    _ => self.below(4),
                };
                match way {
                    0 => {
                        self.result(&format!("oracle_help:place(whereis({name}), {known})"));
                    }
                    1 => {
                        let message = self.message(Term::LastPlus(1));
                        let sent = format!("begin {name} ! {message}, true end");
                        self.result(&granted(&sent));
                    }
                    2 => {
                        let message = self.message(Term::LastPlus(2));
                        self.line(&format!("{{{name}, node()}} ! {message}"));
                    }
                    _ => self.monitor(&name, &format!("monitor(process, {name})")),
                }
            }
            other => unreachable!("{other:?} is nothing that Erlang has"),
        }
    }

    fn spawn(&mut self, role: usize, link: bool, monitor: bool) {
        let (name, known, last) = (self.name, self.known.clone(), self.last.clone());
        let as_fun = self.below(2) == 0;
        let start = match as_fun {
            true => format!("fun() -> {name}_{role}({known}, {last}) end"),
            false => format!("?MODULE, {name}_{role}, [{known}, {last}]"),
        };
        // Only the last of these creates both a link and a monitor.
        let both = self.style != Style::Plain && self.below(3) == 0;
        let call = match (link, monitor) {
            (true, _) if both => format!("spawn_opt({start}, [link])"),
            (true, _) => format!("spawn_link({start})"),
            (_, true) if both => format!("spawn_opt({start}, [monitor, link])"),
            (_, true) => format!("spawn_monitor({start})"),
            (false, false) => format!("spawn({start})"),
        };
        let child = self.variable("P");
        if monitor && !link {
            let reference = self.variable("R");
            self.line(&format!("{{{child}, {reference}}} = {call}"));
            self.add_monitor(&child, &reference);
        } else {
            self.line(&format!("{child} = {call}"));
        }
        let more = self.variable("K");
        self.line(&format!("{more} = {known} ++ [{child}]"));
        self.known = more;
    }

    fn monitor(&mut self, of: &str, call: &str) {
        let reference = self.variable("R");
        self.line(&format!("{reference} = {call}"));
        self.add_monitor(of, &reference);
        self.result("1");
    }

    fn add_monitor(&mut self, of: &str, reference: &str) {
        let more = self.variable("M");
        let monitors = &self.monitors;
        self.line(&format!("{more} = {monitors} ++ [{{{of}, {reference}}}]"));
        self.monitors = more;
    }

    fn receive(&mut self, pattern: Pattern, timeout_ms: Option<u64>) {
        let reporting = self.style == Style::Reporting;
        let message = self.variable("N");
        let wanted = match pattern {
            Pattern::Any => Some(format!("when is_integer({message})")),
            // A guard and a pattern are equivalent, but compile to different code.
            Pattern::Equals(n) if self.below(2) == 0 => Some(format!("when {message} =:= {n}")),
            Pattern::Equals(n) => Some(format!("= {n}")),
            Pattern::AtLeast(n) => Some(format!("when is_integer({message}), {message} >= {n}")),
            Pattern::Odd => Some(format!("when {message} rem 2 =/= 0")),
            Pattern::ExitOrDown => None,
        };
        let mut clauses = Vec::new();
        if let Some(wanted) = wanted {
            let (wanted, guard) = match wanted.strip_prefix('=') {
                Some(n) => (format!("{message} ={n}"), String::new()),
                None => (message.clone(), wanted),
            };
            clauses.push(match reporting {
                true => format!("{{{wanted}, G}} {guard} -> {{{message}, {{m, {message}, G}}}}"),
                false => format!("{wanted} {guard} -> {message}"),
            });
        }
        if matches!(pattern, Pattern::Any | Pattern::ExitOrDown) {
            let known = self.known.clone();
            for (kind, news, add) in [
                ("exit", "{'EXIT', F, R}", 10),
                ("down", "{'DOWN', _, process, F, R}", 20),
            ] {
                let number = format!("{add} + oracle_help:reason(R)");
                clauses.push(match reporting {
                    true => format!(
                        "{news} -> {{{number}, {{{kind}, oracle_help:place(F, {known}), R}}}}"
                    ),
                    false => format!("{news} -> {number}"),
                });
            }
        }
        let mut receive = format!(
            "receive\n        {}",
            clauses
                .join(";\n        ")
                .replace(", F, R}", &format!(", F{message}, R{message}}}"))
                .replace("(R)", &format!("(R{message})"))
                .replace("(F, ", &format!("(F{message}, "))
                .replace(", R}}", &format!(", R{message}}}}}"))
                .replace(", G}", &format!(", G{message}}}"))
        );
        match timeout_ms {
            Some(time) if reporting => {
                _ = write!(
                    receive,
                    "\n        after oracle_world:time({time}) -> {{-1, timeout}}"
                );
            }
            Some(time) => _ = write!(receive, "\n        after {time} -> -1"),
            None => {}
        }
        receive.push_str("\n    end");
        if !reporting {
            return self.result(&receive);
        }
        if timeout_ms.is_none() {
            self.line(&format!("oracle_world:wait({})", self.seen));
        }
        let (last, event, seen) = (self.variable("L"), self.variable("E"), self.variable("H"));
        self.line(&format!("{{{last}, {event}}} = {receive}"));
        if timeout_ms.is_none() {
            self.line("oracle_world:woke()");
        }
        self.line(&format!("{seen} = [{event} | {}]", self.seen));
        (self.last, self.seen) = (last, seen);
    }

    /// Sets the last input to the value of this expression.
    fn result(&mut self, expression: &str) {
        let last = self.variable("L");
        self.line(&format!("{last} = {expression}"));
        if self.style == Style::Reporting {
            let seen = self.variable("H");
            self.line(&format!("{seen} = [{{a, {last}}} | {}]", self.seen));
            self.seen = seen;
        }
        self.last = last;
    }

    fn message(&self, value: Term) -> String {
        let number = match value {
            Term::Constant(n) => n.to_string(),
            Term::LastPlus(n) => format!("(({} + {n}) band 7)", self.last),
        };
        match self.style {
            Style::Reporting => format!("{{{number}, {}}}", self.seen),
            _ => number,
        }
    }

    fn pid(&self, target: Target) -> String {
        match target {
            Target::Known(n) => format!("oracle_help:pick({n}, {})", self.known),
            Target::ByLast => format!("oracle_help:pick({}, {})", self.last, self.known),
        }
    }

    fn named(&self, name: i64) -> String {
        match self.style {
            Style::Reporting => format!("(oracle_world:name({name}))"),
            _ => format!("n{name}"),
        }
    }

    fn state(&self) -> String {
        [&self.known, &self.last, &self.monitors, &self.seen]
            .map(String::as_str)
            .join(", ")
    }

    fn line(&mut self, code: &str) {
        _ = writeln!(self.text, "    {code},");
    }

    fn variable(&mut self, kind: &str) -> String {
        self.fresh += 1;
        format!("{kind}{}", self.fresh)
    }

    fn below(&mut self, n: u64) -> usize {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(self.random) % n) as usize
    }
}

/// An expression for whether a function that returns `true` or fails succeeded.
fn granted(call: &str) -> String {
    format!("try {call} of true -> 1 catch error:badarg -> -2 end")
}
