//! Match specifications: small programs that select and convert terms. `ets` applies them to the
//! objects of a table, tracing to lists of arguments.
//!
//! | module | content |
//! | --- | --- |
//! | `pattern` | the heads: patterns with variables |
//! | `compile` | guards and bodies, from terms to code |
//! | `run` | evaluates the code |
//!
//! A specification is checked and compiled once by [`Spec::compile`] and can then be run on any
//! number of terms. Nothing here recurses along a term.

mod compile;
mod pattern;
mod run;

use std::hash::{Hash, Hasher};

use crate::term::{PidTerm, Term};
use compile::Code;
pub(crate) use pattern::has_variable;

/// What a specification is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Objects of a table.
    Table,
    /// Arguments of a call that is traced.
    Trace,
}

/// A compiled match specification. Two are equal if they were compiled from equal terms.
#[derive(Debug)]
pub struct Spec {
    source: Term,
    dialect: Dialect,
    clauses: Vec<Clause>,
}

#[derive(Debug)]
struct Clause {
    head: Term,
    guards: Vec<Code>,
    body: Vec<Code>,
}

/// What a specification returns for a term that one of its heads matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Matched {
    /// The value of the body.
    pub value: Term,
    /// The trace actions that the body asks for.
    pub flags: Vec<&'static str>,
}

impl Spec {
    /// Checks and compiles a specification, by the rules of an OTP release.
    ///
    /// # Errors
    /// The real machine's explanation of why it is not valid.
    pub fn compile(source: &Term, dialect: Dialect, release: u32) -> Result<Spec, String> {
        let clauses = compile::clauses(source, dialect, release)?;
        Ok(Spec {
            source: source.clone(),
            dialect,
            clauses,
        })
    }

    /// The term that it was compiled from.
    pub fn source(&self) -> &Term {
        &self.source
    }

    /// The result of the first clause that matches, run in this process. `None` if no clause matches.
    pub fn run(&self, term: &Term, me: PidTerm) -> Option<Matched> {
        let mut bindings = pattern::Bindings::default();
        self.clauses.iter().find_map(|clause| {
            bindings.clear();
            let matches = pattern::matches(&clause.head, term, &mut bindings);
            let matches = matches && run::guards(&clause.guards, term, &bindings, me);
            matches.then(|| run::body(&clause.body, self.dialect, term, &bindings, me))
        })
    }

    /// The heads of its clauses.
    pub fn heads(&self) -> impl Iterator<Item = &Term> {
        self.clauses.iter().map(|clause| &clause.head)
    }
}

impl PartialEq for Spec {
    fn eq(&self, other: &Spec) -> bool {
        self.dialect == other.dialect && self.source == other.source
    }
}

impl Eq for Spec {}

impl Hash for Spec {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.source.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::parse_term;

    fn term(text: &str) -> Term {
        parse_term(text).expect("a term")
    }

    #[track_caller]
    fn check(object: &str, spec: &str, expected: &str) {
        let found = match Spec::compile(&term(spec), Dialect::Table, 25) {
            Err(error) => error,
            Ok(spec) => match spec.run(&term(object), PidTerm::entry()) {
                None => "none".to_owned(),
                Some(matched) => matched.value.to_string(),
            },
        };
        assert_eq!(found, expected, "{spec}");
    }

    #[test]
    fn variables() {
        check("{a,1}", "[{{'$1','$2'},[],['$$']}]", "[a,1]");
        check("{a,1}", "[{{'$2','$1'},[],['$$']}]", "[1,a]");
        check("{a,a}", "[{{'$1','$1'},[],['$1']}]", "a");
        check("{1,1.0}", "[{{'$1','$1'},[],['$1']}]", "none");
        check("{a}", "[{'_',[],['$_']}]", "{a}");
        check("{a}", "[{'_',[],['$1']}]", "Variable $1 is unbound.");
    }

    #[test]
    fn maps_match_a_part() {
        check("{#{a=>1,b=>2}}", "[{{#{a=>'$1'}},[],['$1']}]", "1");
        check("{#{b=>2}}", "[{{#{a=>'$1'}},[],['$1']}]", "none");
        let error = "Variable found in map key.";
        check("{a}", "[{{#{'$1'=>1}},[],[1]}]", error);
    }

    #[test]
    fn expressions() {
        check(
            "{4}",
            "[{{'$1'},[{'>','$1',3}],[{{'$1',{'*','$1',2}}}]}]",
            "{4,8}",
        );
        check("{2}", "[{{'$1'},[{'>','$1',3}],[a]},{'_',[],[b]}]", "b");
        check("{a}", "[{{'$1'},[],[{'+','$1',1}]}]", "'EXIT'");
        check("{a}", "[{{'$1'},[{'+','$1',1}],[b]}]", "none");
        check("{a}", "[{'_',[],[{'andalso',false,{hd,1}}]}]", "false");
        check("{a}", "[{'_',[],[{'orelse',{hd,1},true}]}]", "'EXIT'");
        check(
            "{a}",
            "[{'_',[],[{foo,1}]}]",
            "Function foo/1 does_not_exist.",
        );
        check("{a}", "[]", "Match programs are not in a list.");
        check(
            "{a}",
            "[{'_',[],[]}]",
            "Body clause does not return anything.",
        );
    }

    #[test]
    fn deep_specifications_need_no_stack() {
        let deep = (0..300_000).fold(term("'$1'"), |inner, _| Term::tuple([Term::tuple([inner])]));
        let head = (0..300_000).fold(term("'$1'"), |inner, _| Term::list([inner]));
        let spec = Term::list([Term::tuple([head.clone(), Term::Nil, Term::list([deep])])]);
        let spec = Spec::compile(&spec, Dialect::Table, 25).expect("a valid specification");
        assert!(spec.run(&head, PidTerm::entry()).is_some());
    }
}
