//! From terms to code: checks specifications, with the error texts of the real machine.

use std::collections::BTreeSet;

use super::pattern::{any, has_variable, variable};
use super::{Clause, Dialect};
use crate::bif;
use crate::raise::Raise;
use crate::term::{Atom, Term};

/// The code of an expression, for a machine with a stack of values.
pub(super) type Code = Vec<Op>;

/// An instruction.
#[derive(Debug)]
pub(super) enum Op {
    Constant(Term),
    Variable(u32),
    /// `'$_'`: the whole term.
    Whole,
    /// `'$$'`: the values of all variables.
    All,
    /// `{self}`
    Myself,
    /// Calls a function with the topmost values, which it replaces by the result.
    Call(bif::Native, usize),
    /// A tuple of the topmost values.
    Tuple(usize),
    Cons,
    /// A map of the topmost keys and values.
    Map(usize),
    /// `and`, or `or`, of the topmost values, all of which must be booleans.
    Booleans {
        of: usize,
        all: bool,
    },
    /// Jumps if the topmost value is this boolean, otherwise drops it. It must be a boolean.
    JumpIf {
        value: bool,
        to: usize,
    },
    /// A trace action, whose argument is the topmost value.
    Action(&'static str),
}

/// Functions of one argument.
const UNARY: [&str; 28] = [
    "+",
    "-",
    "not",
    "bnot",
    "abs",
    "round",
    "trunc",
    "float",
    "size",
    "length",
    "hd",
    "tl",
    "node",
    "map_size",
    "byte_size",
    "bit_size",
    "is_atom",
    "is_float",
    "is_integer",
    "is_list",
    "is_number",
    "is_pid",
    "is_port",
    "is_reference",
    "is_tuple",
    "is_map",
    "is_binary",
    "is_function",
];

/// Functions of two arguments.
const BINARY: [&str; 24] = [
    "+",
    "-",
    "*",
    "/",
    "div",
    "rem",
    "band",
    "bor",
    "bxor",
    "bsl",
    "bsr",
    "xor",
    "element",
    "binary_part",
    ">",
    "==",
    "=:=",
    "=/=",
    "/=",
    "=<",
    ">=",
    "<",
    "is_map_key",
    "map_get",
];

/// Functions that OTP 26 added.
const SINCE_26: [(&str, usize); 4] = [
    ("ceil", 1),
    ("floor", 1),
    ("tuple_size", 1),
    ("is_function", 2),
];

/// Trace actions and their numbers of arguments.
const ACTIONS: [(&str, &[usize]); 14] = [
    ("message", &[1]),
    ("return_trace", &[0]),
    ("exception_trace", &[0]),
    ("caller", &[0]),
    ("caller_line", &[0]),
    ("current_stacktrace", &[0, 1]),
    ("display", &[1]),
    ("process_dump", &[0]),
    ("enable_trace", &[1, 2]),
    ("disable_trace", &[1, 2]),
    ("trace", &[2, 3]),
    ("silent", &[1]),
    ("is_seq_trace", &[0]),
    ("set_tcw", &[1]),
];

pub(super) fn clauses(
    source: &Term,
    dialect: Dialect,
    release: u32,
) -> Result<Vec<Clause>, String> {
    if !matches!(source, Term::Cons(_)) {
        return Err("Match programs are not in a list.".to_owned());
    }
    let mut elements = source.elements();
    let parts: Vec<&Term> = elements.by_ref().collect();
    if !matches!(elements.rest(), Term::Nil) {
        return Err("Match programs are not in a proper list.".to_owned());
    }
    parts
        .into_iter()
        .map(|part| clause(part, dialect, release))
        .collect()
}

fn clause(part: &Term, dialect: Dialect, release: u32) -> Result<Clause, String> {
    let wrong = || "Match program part is not a tuple of arity 3.".to_owned();
    let Term::Tuple(tuple) = part else {
        return Err(wrong());
    };
    let [head, guards, body] = &***tuple else {
        return Err(wrong());
    };
    let mut compiler = Compiler {
        bound: variables(head)?,
        dialect,
        release,
        is_guard: true,
    };
    let guards = compiler.expressions(guards)?;
    compiler.is_guard = false;
    let is_missing = !matches!(body, Term::Cons(_)) && dialect == Dialect::Table;
    if is_missing {
        return Err("Body clause does not return anything.".to_owned());
    }
    let body = compiler.expressions(body)?;
    let head = head.clone();
    Ok(Clause { head, guards, body })
}

/// The variables of a head.
fn variables(head: &Term) -> Result<BTreeSet<u32>, String> {
    let mut bound = BTreeSet::new();
    let mut in_key = false;
    any(head, |part| {
        match part {
            Term::Atom(atom) => bound.extend(variable(*atom)),
            Term::Map(map) => in_key |= map.iter().any(|(key, _)| has_variable(key)),
            _ => {}
        }
        false
    });
    match in_key {
        true => Err("Variable found in map key.".to_owned()),
        false => Ok(bound),
    }
}

struct Compiler {
    bound: BTreeSet<u32>,
    dialect: Dialect,
    release: u32,
    is_guard: bool,
}

/// What is left to do for an expression.
enum Work<'t> {
    Expression(&'t Term),
    Emit(Op),
    /// Emits a jump to the label.
    Jump {
        value: bool,
        label: usize,
    },
    /// The label is here.
    Label(usize),
}

impl Compiler {
    fn expressions(&self, list: &Term) -> Result<Vec<Code>, String> {
        let mut elements = list.elements();
        let codes = elements.by_ref().map(|term| self.expression(term));
        let codes = codes.collect::<Result<Vec<Code>, String>>()?;
        match elements.rest() {
            Term::Nil => Ok(codes),
            _ => Err("Match expression is not a list.".to_owned()),
        }
    }

    fn expression(&self, term: &Term) -> Result<Code, String> {
        let mut code = Code::new();
        let mut labels: Vec<usize> = Vec::new();
        let mut work = vec![Work::Expression(term)];
        while let Some(next) = work.pop() {
            match next {
                Work::Emit(op) => code.push(op),
                Work::Jump { value, label } => code.push(Op::JumpIf { value, to: label }),
                Work::Label(label) => labels[label] = code.len(),
                Work::Expression(Term::Atom(atom)) => code.push(self.atom(*atom)?),
                Work::Expression(Term::Cons(cons)) => {
                    work.push(Work::Emit(Op::Cons));
                    work.push(Work::Expression(&cons.tail));
                    work.push(Work::Expression(&cons.head));
                }
                Work::Expression(Term::Map(map)) => {
                    work.push(Work::Emit(Op::Map(map.len())));
                    for (key, value) in map {
                        work.push(Work::Expression(value));
                        work.push(Work::Expression(key));
                    }
                }
                Work::Expression(term @ Term::Tuple(tuple)) => match &***tuple {
                    [Term::Tuple(elements)] => {
                        work.push(Work::Emit(Op::Tuple(elements.len())));
                        work.extend(elements.iter().rev().map(Work::Expression));
                    }
                    [Term::Atom(name), arguments @ ..] => {
                        self.call(name.name(), term, arguments, &mut work, &mut labels)?;
                    }
                    _ => {
                        let what = "is neither a function call, nor a tuple";
                        let hint = "(tuples are written {{ ... }})";
                        return Err(format!("{term} {what} {hint}."));
                    }
                },
                Work::Expression(constant) => code.push(Op::Constant(constant.clone())),
            }
        }
        for op in &mut code {
            if let Op::JumpIf { to, .. } = op {
                *to = labels[*to];
            }
        }
        Ok(code)
    }

    fn atom(&self, atom: Atom) -> Result<Op, String> {
        Ok(match atom.name() {
            "$_" => Op::Whole,
            "$$" => Op::All,
            name => match variable(atom) {
                Some(number) if self.bound.contains(&number) => Op::Variable(number),
                Some(_) => return Err(format!("Variable {name} is unbound.")),
                None => Op::Constant(atom.into()),
            },
        })
    }

    fn call<'t>(
        &self,
        name: &str,
        term: &Term,
        arguments: &'t [Term],
        work: &mut Vec<Work<'t>>,
        labels: &mut Vec<usize>,
    ) -> Result<(), String> {
        let of = arguments.len();
        match (name, arguments) {
            ("const", [constant]) => work.push(Work::Emit(Op::Constant(constant.clone()))),
            ("const", _) => {
                let what = "called with more than one argument in";
                return Err(format!("Special form 'const' {what} {term}."));
            }
            ("and" | "or" | "andalso" | "orelse", []) => {
                let what = "called without arguments in";
                return Err(format!("Special form '{name}' {what} {{{name}}}."));
            }
            ("and" | "or", _) => {
                let all = name == "and";
                work.push(Work::Emit(Op::Booleans { of, all }));
                work.extend(arguments.iter().rev().map(Work::Expression));
            }
            ("andalso" | "orelse", [first, rest @ ..]) => {
                let (value, label) = (name == "orelse", labels.len());
                labels.push(0);
                work.push(Work::Label(label));
                for argument in rest.iter().rev() {
                    work.push(Work::Expression(argument));
                    work.push(Work::Jump { value, label });
                }
                work.push(Work::Expression(first));
            }
            ("self", []) => work.push(Work::Emit(Op::Myself)),
            ("node", []) => work.push(Work::Emit(Op::Constant(Atom::NONODE.into()))),
            _ => {
                let op = match self.action(name, of)? {
                    Some(action) => Op::Action(action),
                    None => Op::Call(self.function(name, of)?, of),
                };
                let is_action = matches!(op, Op::Action(_));
                work.push(Work::Emit(op));
                if is_action {
                    // An action uses its last argument only.
                    let last = arguments.last().map(Work::Expression);
                    work.push(last.unwrap_or(Work::Emit(Op::Constant(Term::Nil))));
                } else {
                    work.extend(arguments.iter().rev().map(Work::Expression));
                }
            }
        }
        Ok(())
    }

    fn action(&self, name: &str, of: usize) -> Result<Option<&'static str>, String> {
        let Some((action, arities)) = ACTIONS.iter().find(|row| row.0 == name) else {
            return Ok(None);
        };
        if self.dialect == Dialect::Table {
            return Err(format!("Special form '{name}' used in wrong dialect."));
        }
        if self.is_guard {
            return Err(format!("Special form '{name}' used in guard context."));
        }
        match arities.contains(&of) {
            true => Ok(Some(action)),
            false => Err(format!(
                "Special form '{name}' called with wrong arguments."
            )),
        }
    }

    fn function(&self, name: &str, of: usize) -> Result<bif::Native, String> {
        let is_known = match of {
            1 => UNARY.contains(&name),
            2 => BINARY.contains(&name),
            3 => matches!(name, "binary_part" | "is_record"),
            _ => false,
        };
        let is_known = is_known || self.release >= 26 && SINCE_26.contains(&(name, of));
        let arity = u32::try_from(of).unwrap_or(u32::MAX);
        let native = match (name, of) {
            ("node", 1) => Some(node as bif::Native),
            _ => bif::pure(Atom::ERLANG, Atom::new(name), arity, self.release),
        };
        native.filter(|_| is_known).ok_or_else(|| {
            let name = Term::atom(name);
            format!("Function {name}/{of} does_not_exist.")
        })
    }
}

fn node(arguments: &[Term]) -> Result<Term, Raise> {
    match arguments {
        [Term::Pid(_) | Term::Reference(_) | Term::Port(_)] => Ok(Atom::NONODE.into()),
        _ => Err(Raise::badarg()),
    }
}
