//! The receives in the source.

use rustc_hash::FxHashMap;

use super::forms::{Forms, Id, Kind};

/// The receives of each function, including those of its funs, in the order of the source.
pub(super) type Receives<'a> = FxHashMap<(&'a str, u32), Vec<Receive>>;

/// A receive in the source that has clauses.
#[derive(Debug)]
pub(super) struct Receive {
    /// The line of the word `receive`.
    pub(super) line: u32,
    /// The receive in the abstract code.
    pub(super) term: Id,
    /// The function clause that contains it.
    pub(super) whole: Id,
    /// Its clauses.
    pub(super) clauses: Vec<Clause>,
    /// The line of the fun that contains it, if any.
    pub(super) fun: Option<u32>,
    /// Whether it is in the template of a comprehension, for which the compiler generates a
    /// function.
    pub(super) in_template: bool,
}

/// A clause of a receive.
#[derive(Debug)]
pub(super) struct Clause {
    /// Its first line.
    pub(super) line: u32,
    /// Its last line.
    pub(super) end: u32,
    /// Its pattern.
    pub(super) pattern: Id,
    /// Whether it has a guard.
    pub(super) is_guarded: bool,
    /// Whether shapes describe its pattern completely, and its guard contains no negation.
    pub(super) is_plain: bool,
}

impl Receive {
    /// The last line of its clauses.
    pub(super) fn end(&self) -> u32 {
        let ends = self.clauses.iter().map(|clause| clause.end);
        ends.max().unwrap_or(self.line)
    }

    /// Whether one of its clauses contains all lines of the other receive.
    pub(super) fn surrounds(&self, other: &Receive) -> bool {
        let clauses = self.clauses.iter();
        let mut around = clauses.filter(|c| c.line <= other.line && other.end() <= c.end);
        around.next().is_some() && (self.line, self.end()) != (other.line, other.end())
    }
}

/// All receives of a module. `None` if the term is not abstract code, or if the compiler may have
/// inlined functions.
pub(super) fn find<'a>(forms: &Forms<'a>) -> Option<Receives<'a>> {
    let (all, options) = match forms.tagged(forms.root())? {
        ("debug_info_v1", rest) => {
            let &[backend, data] = &rest[..] else {
                return None;
            };
            let mut data = forms.parts(data);
            match (forms.atom(backend), data.next(), data.next()) {
                (Some("erl_abstract_code"), Some(all), options) => (all, options),
                _ => return None,
            }
        }
        ("raw_abstract_v1", rest) => (*rest.first()?, None),
        _ => return None,
    };
    if options.is_some_and(|options| inlines(forms, options)) {
        return None;
    }
    let mut receives = Receives::default();
    for form in forms.list(all) {
        match forms.tagged(form) {
            Some(("attribute", rest)) => {
                if let [_, name, value] = rest[..]
                    && forms.atom(name) == Some("compile")
                    && inlines(forms, value)
                {
                    return None;
                }
            }
            Some(("function", rest)) => {
                if let [_, name, arity, clauses] = rest[..]
                    && let (Some(name), Some(arity)) = (forms.atom(name), forms.int(arity))
                {
                    let arity = u32::try_from(arity).ok()?;
                    let clauses = forms.list(clauses).into_iter();
                    let found = clauses.flat_map(|clause| in_clause(forms, clause));
                    receives.insert((name, arity), found.collect());
                }
            }
            _ => {}
        }
    }
    Some(receives)
}

fn inlines(forms: &Forms<'_>, options: Id) -> bool {
    let mut atoms = forms.all(options).filter_map(|term| forms.atom(term));
    atoms.any(|name| name == "inline")
}

/// The receives in a clause of a function.
fn in_clause(forms: &Forms<'_>, whole: Id) -> Vec<Receive> {
    let mut receives = Vec::new();
    // The enclosing terms, with the line of the fun and whether it is in a template.
    let mut around: Vec<(Id, Option<u32>, bool)> = vec![(whole, None, false)];
    for term in forms.all(whole) {
        while let Some(&(outer, ..)) = around.last()
            && !forms.is_in(term, outer)
        {
            around.pop();
        }
        let Some(&(_, fun, in_template)) = around.last() else {
            break;
        };
        if !matches!(
            forms.tag(term),
            Some("fun" | "named_fun" | "lc" | "bc" | "mc" | "receive")
        ) {
            continue;
        }
        let Some((tag, rest)) = forms.tagged(term) else {
            continue;
        };
        match (tag, &rest[..]) {
            ("fun" | "named_fun", &[annotation, ..]) => {
                around.push((term, forms.line(annotation), false));
            }
            ("lc" | "bc" | "mc", &[_, template, _]) => around.push((template, fun, true)),
            ("receive", &[annotation, clauses] | &[annotation, clauses, _, _]) => {
                let line = forms.line(annotation);
                receives.extend(line.zip(clauses_of(forms, clauses)).map(|(line, clauses)| {
                    Receive {
                        line,
                        term,
                        whole,
                        clauses,
                        fun,
                        in_template,
                    }
                }));
            }
            _ => {}
        }
    }
    receives
}

/// The clauses of a receive. `None` if there are none: then it does not receive messages.
fn clauses_of(forms: &Forms<'_>, clauses: Id) -> Option<Vec<Clause>> {
    let clauses = forms.list(clauses);
    let clauses = clauses.into_iter().map(|term| clause(forms, term));
    let clauses: Vec<Clause> = clauses.collect::<Option<_>>()?;
    (!clauses.is_empty()).then_some(clauses)
}

fn clause(forms: &Forms<'_>, term: Id) -> Option<Clause> {
    let ("clause", rest) = forms.tagged(term)? else {
        return None;
    };
    let [annotation, patterns, guards, _] = rest[..] else {
        return None;
    };
    let [pattern] = forms.list(patterns)[..] else {
        return None;
    };
    let line = forms.line(annotation)?;
    let lines = forms.all(term).filter_map(|term| line_of(forms, term));
    Some(Clause {
        line,
        end: lines.fold(line, u32::max),
        pattern,
        is_guarded: !forms.list(guards).is_empty(),
        is_plain: forms.all(pattern).all(|term| is_simple(forms, term))
            && !forms.all(guards).any(|term| is_negative(forms, term)),
    })
}

/// The line of a term of the abstract code: `{Name, Annotation, ...}`.
fn line_of(forms: &Forms<'_>, term: Id) -> Option<u32> {
    // The number in `{unit, 8}` is not a line.
    forms.tag(term).filter(|&tag| tag != "unit")?;
    let annotation = forms.parts(term).nth(1)?;
    match forms.kind(annotation) {
        Kind::Int(_) | Kind::Tuple | Kind::List => forms.line(annotation),
        Kind::Atom(_) | Kind::Other => None,
    }
}

/// Whether shapes describe this part of a pattern completely.
fn is_simple(forms: &Forms<'_>, term: Id) -> bool {
    !matches!(
        forms.tag(term),
        Some("map" | "bin" | "record" | "string" | "float" | "op")
    )
}

fn is_negative(forms: &Forms<'_>, term: Id) -> bool {
    matches!(forms.atom(term), Some("not" | "=/=" | "/=" | "xor"))
}
