//! Erlang programs: files, folders and modules.
//!
//! What else must be known to run one is kept as parameters, so that logs have it and a replay
//! needs nothing but the log.

use super::{AnyProgram, Chosen, gallery};
use crate::args::ProgramArgs;
use anyhow::{Context, Result, bail};
use mazurka_beam::code::{Library, Mfa};
use mazurka_beam::source::{CodePath, Entry, SourceError, parse_term};
use mazurka_beam::term::Atom;
use mazurka_beam::{Daemon, Program, Rules};
use mazurka_report::{Subject, shell_word};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

/// Where a program begins.
const ENTRY: &str = "entry";
/// Folders with more modules.
const PATHS: &str = "pa";
/// Processes that may wait for ever.
const DAEMONS: &str = "daemon";
/// Reasons for which processes may exit.
const NORMAL: &str = "normal";

/// What separates several folders or daemons in one parameter.
const SEPARATOR: char = ' ';

const DAEMON_HINT: &str = "give\n\
    --daemon with its module, or with its function as MODULE:FUNCTION/ARITY.";

/// These options say nothing to programs of other kinds.
pub fn refuse_flags(args: &ProgramArgs) -> Result<()> {
    let flag = match args {
        ProgramArgs { entry: Some(_), .. } => "--entry",
        ProgramArgs { paths, .. } if !paths.is_empty() => "--pa",
        ProgramArgs { daemons, .. } if !daemons.is_empty() => "--daemon",
        ProgramArgs { normal, .. } if !normal.is_empty() => "--treat-as-normal",
        _ => return Ok(()),
    };
    bail!(
        "{flag} is for Erlang programs only; {} is none",
        args.program
    )
}

/// The program of the arguments and the parameters; without an entry, all its tests.
pub fn choose(args: &ProgramArgs, mut params: BTreeMap<String, String>) -> Result<Vec<Chosen>> {
    add_flags(args, &mut params);
    if let Some(name) = params.keys().find(|name| {
        let known = [ENTRY, PATHS, DAEMONS, NORMAL];
        !known.contains(&name.as_str())
    }) {
        bail!("--param {name}: Erlang programs have no parameters; --entry takes arguments");
    }
    let list = |name: &str| -> Vec<String> {
        let joined = params.get(name).map_or("", String::as_str);
        let items = joined.split(SEPARATOR).filter(|item| !item.is_empty());
        items.map(str::to_owned).collect()
    };
    let paths: Vec<PathBuf> = list(PATHS).into_iter().map(PathBuf::from).collect();
    for path in &paths {
        if !path.is_dir() {
            bail!("--pa {}: there is no such folder", path.display());
        }
    }
    let daemons = list(DAEMONS);
    let daemons: Result<Vec<Daemon>> = daemons.iter().map(|text| daemon(text)).collect();
    let normal = list(NORMAL)
        .into_iter()
        .map(|text| parse_term(&text).with_context(|| format!("--treat-as-normal {text}")));
    let rules = Rules {
        daemons: daemons?,
        normal: normal.collect::<Result<_>>()?,
    };
    let entry = params
        .get(ENTRY)
        .map(|text| Entry::parse(text).with_context(|| format!("--entry {text}")));
    let entry = entry.transpose()?;

    let code = CodePath::find(&[args.program.as_str()], &paths);
    let code = code.map_err(|error| explain(&args.program, error))?;
    if !code.warnings.is_empty() {
        // The compiler's own words, as they are.
        eprint!("{}", code.warnings);
    }
    let code = Rc::new(code);
    let entries = match entry {
        Some(entry) => vec![entry],
        None => tests(&code, &args.program)?,
    };
    let mut chosen = Vec::new();
    for entry in entries {
        let library = code.library();
        check_entry(&library, &entry)?;
        let mfa = Mfa {
            module: entry.module,
            name: entry.function,
            arity: u32::try_from(entry.arguments.len()).unwrap_or(u32::MAX),
        };
        let mut params = params.clone();
        params.insert(ENTRY.to_owned(), name_of(&entry));
        let program = Program::new(library, mfa, entry.arguments, rules.clone());
        chosen.push(Chosen {
            subject: Subject {
                daemon_hint: DAEMON_HINT.to_owned(),
                sources: code.sources.clone(),
                ..Subject::new(args.program.clone(), params)
            },
            program: AnyProgram::Erlang(program, Rc::clone(&code)),
        });
    }
    Ok(chosen)
}

fn add_flags(args: &ProgramArgs, params: &mut BTreeMap<String, String>) {
    let join = |items: &[String]| items.join(&SEPARATOR.to_string());
    if let Some(entry) = &args.entry {
        params.insert(ENTRY.to_owned(), entry.clone());
    }
    if !args.paths.is_empty() {
        params.insert(PATHS.to_owned(), join(&args.paths));
    }
    if !args.daemons.is_empty() {
        params.insert(DAEMONS.to_owned(), join(&args.daemons));
    }
    if !args.normal.is_empty() {
        // Spaces separate the terms of the parameter, so none may stand in them.
        let terms: Vec<String> = args
            .normal
            .iter()
            .map(|term| term.replace(' ', ""))
            .collect();
        params.insert(NORMAL.to_owned(), join(&terms));
    }
}

/// The flags that give a parameter this value, with a space before each.
pub fn flags_for(name: &str, value: &str) -> String {
    let flag = match name {
        ENTRY => return format!(" --entry {}", shell_word(value)),
        PATHS => "--pa",
        DAEMONS => "--daemon",
        _ => "--treat-as-normal",
    };
    let items = value.split(SEPARATOR).filter(|item| !item.is_empty());
    items
        .map(|item| format!(" {flag} {}", shell_word(item)))
        .collect()
}

/// What was not found may have been meant otherwise.
fn explain(program: &str, error: SourceError) -> anyhow::Error {
    let error = anyhow::Error::from(error);
    match gallery::has(program) {
        true => error.context(format!(
            "there is a program of that name in the gallery: write {}{program}",
            gallery::PREFIX
        )),
        false => error,
    }
}

/// `m:f/0`, or `m:f(…)` with its arguments.
fn name_of(entry: &Entry) -> String {
    match entry.arguments.is_empty() {
        true => format!("{}:{}/0", entry.module.name(), entry.function.name()),
        false => entry.to_string(),
    }
}

/// Every exported `*_test/0` of the modules that were named.
fn tests(code: &CodePath, program: &str) -> Result<Vec<Entry>> {
    let library = code.library();
    let mut tests = Vec::new();
    for module in &code.modules {
        let module = Atom::new(module);
        let code = match library.code(module) {
            Ok(code) => code,
            Err(absent) => bail!("{absent}"),
        };
        let is_test = |mfa: &Mfa| mfa.arity == 0 && mfa.name.name().ends_with("_test");
        let is_exported = |mfa: &Mfa| code.exports().contains(&(mfa.name, mfa.arity));
        // In the order of the source.
        let functions = code.functions.iter().map(|function| function.mfa);
        let found = functions.filter(|mfa| is_test(mfa) && is_exported(mfa));
        tests.extend(found.map(|mfa| Entry {
            module,
            function: mfa.name,
            arguments: Vec::new(),
        }));
    }
    if tests.is_empty() {
        bail!(
            "{program} exports no function NAME_test/0: say with --entry MODULE:FUNCTION/0 or \
             --entry 'MODULE:FUNCTION(ARGUMENTS)' where to begin"
        );
    }
    Ok(tests)
}

/// The entry must be there before anything is run.
fn check_entry(library: &Library, entry: &Entry) -> Result<()> {
    let (module, function) = (entry.module, entry.function);
    let arity = entry.arguments.len();
    let code = match library.code(module) {
        Ok(code) => code,
        Err(absent) => bail!("--entry: the module {}: {absent}", module.name()),
    };
    let has = |&(name, count): &(Atom, u32)| name == function && count as usize == arity;
    if code.exports().iter().any(has) {
        return Ok(());
    }
    let same_name = code.exports().iter().filter(|(name, _)| *name == function);
    let arities: Vec<String> = same_name.map(|(_, arity)| arity.to_string()).collect();
    match arities.is_empty() {
        true => bail!(
            "--entry: {} exports no function {}/{arity}",
            module.name(),
            function.name()
        ),
        false => bail!(
            "--entry: {} exports {} with {} arguments, not with {arity}",
            module.name(),
            function.name(),
            arities.join(" or ")
        ),
    }
}

/// `module`, or `module:function/arity`.
fn daemon(text: &str) -> Result<Daemon> {
    let Some((module, rest)) = text.split_once(':') else {
        return Ok(Daemon::Module(text.to_owned()));
    };
    let function = rest
        .rsplit_once('/')
        .and_then(|(name, arity)| Some((name, arity.parse().ok()?)));
    match function {
        Some((name, arity)) if !name.is_empty() => Ok(Daemon::Function(Mfa {
            module: Atom::new(module),
            name: Atom::new(name),
            arity,
        })),
        _ => bail!("--daemon {text}: give a module, or a function as MODULE:FUNCTION/ARITY"),
    }
}
