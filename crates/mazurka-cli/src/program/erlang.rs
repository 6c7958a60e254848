//! Erlang programs: files, folders and modules.
//!
//! The entry, the code path, the daemons, the normal exit reasons and the clocks are stored as
//! parameters, so that a log contains them and a replay needs nothing else.

use super::{AnyProgram, Chosen, gallery};
use crate::args::ProgramArgs;
use anyhow::{Context, Result, anyhow, bail};
use mazurka_beam::code::{FunctionInfo, Library, Mfa};
use mazurka_beam::source::{
    CodePath, Entry, Generator, SourceError, parse_daemon, parse_pattern, parse_term,
};
use mazurka_beam::term::{Atom, Term};
use mazurka_beam::{Clocks, Daemon, Kills, Pattern, Program, Rules};
use mazurka_files::{named, shown};
use mazurka_gallery::nearest;
use mazurka_report::{CheckOptions, Params, Subject};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The function a program starts with.
const ENTRY: &str = "entry";
/// Folders with more modules.
const PATHS: &str = "pa";
/// Processes that may wait for ever.
const DAEMONS: &str = "daemon";
/// Exit reasons that are no crash.
const NORMAL: &str = "normal";
/// Which clocks processes read.
const CLOCKS: &str = Clocks::SETTING;
/// Processes that may be killed from outside.
const KILL: &str = "kill";
/// How many of them in one execution.
const MAX_KILLS: &str = "max-kills";
/// Processes whose errors do not count.
const IGNORED: &str = "ignore-process";
/// Modules whose timeouts wait until nothing else can happen.
const PATIENT: &str = "ignore-timeouts-in";

/// The parameters and the options that set them.
const FLAGS: [(&str, &str); 9] = [
    (ENTRY, "--entry"),
    (PATHS, "--pa"),
    (DAEMONS, "--daemon"),
    (NORMAL, "--treat-as-normal"),
    (CLOCKS, "--clocks"),
    (KILL, "--kill"),
    (MAX_KILLS, "--max-kills"),
    (IGNORED, "--ignore-process"),
    (PATIENT, "--ignore-timeouts-in"),
];

/// The option that sets a parameter.
pub fn flag(param: &str) -> &'static str {
    let found = FLAGS.iter().find(|(name, _)| *name == param);
    found.map_or("--param", |(_, flag)| flag)
}

/// The parameters that the arguments set.
fn given(args: &ProgramArgs) -> impl Iterator<Item = (&'static str, Vec<String>)> {
    let all = [
        (ENTRY, args.entry.iter().cloned().collect()),
        (PATHS, args.paths.clone()),
        (DAEMONS, args.daemons.clone()),
        (NORMAL, args.normal.clone()),
        (
            CLOCKS,
            { args.clocks.iter() }
                .map(|clocks| clocks.name().to_owned())
                .collect(),
        ),
        (KILL, args.kill.clone()),
        (
            MAX_KILLS,
            { args.max_kills.iter() }.map(u32::to_string).collect(),
        ),
        (IGNORED, args.ignored.clone()),
        (PATIENT, args.patient.clone()),
    ];
    all.into_iter().filter(|(_, values)| !values.is_empty())
}

const DAEMON_HINT: &str = "give\n\
    --daemon with its module, or with its function as MODULE:FUNCTION/ARITY.";

/// Refuses options that apply to Erlang programs only.
pub fn refuse_flags(args: &ProgramArgs) -> Result<()> {
    match given(args).next() {
        None => Ok(()),
        Some((param, _)) => bail!(
            "{} applies to Erlang programs only; {} is not one",
            flag(param),
            args.program
        ),
    }
}

/// The program that the arguments name, with the parameters of the arguments or else of a log; without
/// an entry, all its tests.
pub fn choose(args: &ProgramArgs, mut params: Params) -> Result<Vec<Chosen>> {
    if let Some((name, _)) = args.params.first() {
        bail!("--param {name}: Erlang programs have no parameters; --entry takes arguments");
    }
    for (name, values) in given(args) {
        params.set(name, values);
    }
    let paths: Vec<PathBuf> = params.all(PATHS).iter().map(|path| named(path)).collect();
    for path in &paths {
        if !path.is_dir() {
            bail!("--pa {}: no such folder", shown(path));
        }
    }
    let daemons = params.all(DAEMONS).iter().map(|text| daemon(text));
    let normal = { params.all(NORMAL).iter() }
        .map(|text| parse_term(text).with_context(|| format!("--treat-as-normal {text}")));
    let rules = Rules {
        daemons: daemons.collect::<Result<_>>()?,
        normal: normal.collect::<Result<_>>()?,
        is_test: false,
        kills: kills(&params)?,
        ignored: patterns(&params, IGNORED)?,
        patient: params.all(PATIENT).to_vec(),
    };
    let clocks = clocks(&params)?;
    let entry = params.get(ENTRY).map(with_part);
    // An entry that no module can have is refused before anything is compiled.
    if let Some((text, _)) = entry
        && Entry::parse_in(Atom::UNDEFINED, text).is_err()
    {
        Entry::parse(text).with_context(|| format!("--entry {text}"))?;
    }

    let code = CodePath::find(&[args.program.as_str()], &paths);
    let mut code = code.map_err(|error| explain(&args.program, error))?;
    if !code.warnings.is_empty() {
        // The output of the compiler, unchanged.
        eprint!("{}", code.warnings);
    }
    let entries = match entry {
        Some((text, part)) => vec![Start {
            entry: entry_of(text, &code.modules)?,
            part,
        }],
        None => tests(&code, &args.program)?,
    };
    let entries = with_parts(&mut code, entries)?;
    let code = Rc::new(code);
    let mut chosen = Vec::new();
    for start in entries {
        let library = code.library().with_clocks(clocks);
        check_entry(&library, &start.entry)?;
        let mut params = params.clone();
        params.set(ENTRY, vec![start.to_string()]);
        let rules = Rules {
            is_test: start.is_test(),
            ..rules.clone()
        };
        let (mfa, arguments) = start.call();
        let program = Program::new(library, mfa, arguments, rules);
        chosen.push(Chosen {
            subject: Subject {
                daemon_hint: DAEMON_HINT.to_owned(),
                sources: code.sources.clone(),
                ..Subject::new(args.program.clone(), params)
            },
            program: AnyProgram::Erlang(program, Rc::clone(&code)),
            delivery: CheckOptions::DELIVERY,
        });
    }
    Ok(chosen)
}

/// Parses `--entry`. The module may be left out if there is only one.
fn entry_of(text: &str, modules: &[String]) -> Result<Entry> {
    match (modules, Entry::parse(text)) {
        (_, Ok(entry)) => Ok(entry),
        ([only], Err(_)) => {
            let entry = Entry::parse_in(Atom::new(only), text);
            entry.with_context(|| format!("--entry {text}"))
        }
        (several, Err(_)) => {
            let entries: Vec<String> = { several.iter() }
                .map(|module| format!("{module}:{text}"))
                .collect();
            bail!("--entry {text}: give the module: {}", some(&entries))
        }
    }
}

/// Adds a suggestion to the error if the program was not found.
fn explain(program: &str, error: SourceError) -> anyhow::Error {
    let is_missing = match &error {
        SourceError::NotFound { .. } | SourceError::NotFoundWithoutOtp { .. } => true,
        SourceError::Unreadable { path, .. } => !path.exists(),
        _ => false,
    };
    let meant = || gallery::meant(program).or_else(|| file_meant(program));
    match is_missing.then(meant).flatten() {
        Some(meant) => anyhow!("{error}: did you mean {meant}?"),
        None => error.into(),
    }
}

/// The `.erl` or `.beam` file in the same folder with the most similar name.
fn file_meant(program: &str) -> Option<String> {
    let program = Path::new(program);
    let folder = match program.parent()? {
        here if here.as_os_str().is_empty() => Path::new("."),
        folder => folder,
    };
    let entries = fs::read_dir(folder).ok()?.flatten();
    let names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".erl") || name.ends_with(".beam"))
        .collect();
    let name = program.file_name()?.to_str()?;
    let near = nearest(name, names.iter().map(String::as_str));
    let near = near.first()?;
    Some(shown(&program.with_file_name(near)))
}

/// The first items as text, and the number of the others.
fn some(items: &[String]) -> String {
    const SHOWN_MAX: usize = 10;
    let text = items[..items.len().min(SHOWN_MAX)].join(", ");
    match items.len().saturating_sub(SHOWN_MAX) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

/// Splits `m:f_test_/0#2` into the entry and the number of the part.
fn with_part(text: &str) -> (&str, Option<u32>) {
    match text.rsplit_once('#') {
        Some((entry, part)) if entry.ends_with("_test_/0") => match part.parse() {
            Ok(part @ 1..) => (entry, Some(part)),
            _ => (text, None),
        },
        _ => (text, None),
    }
}

/// The start of a program: `m:f/0`, `m:f(…)` with arguments, or `m:f_test_/0#2`, one part of the tests
/// of a generator.
#[derive(Clone)]
struct Start {
    entry: Entry,
    part: Option<u32>,
}

impl Start {
    /// Whether EUnit would run it as a test.
    fn is_test(&self) -> bool {
        let is_simple = self.entry.function.name().ends_with("_test");
        self.entry.arguments.is_empty() && (is_simple || self.is_generator())
    }

    fn is_generator(&self) -> bool {
        self.entry.arguments.is_empty() && Generator::is_named(self.entry.function.name())
    }

    fn generator(&self) -> Option<Generator> {
        self.is_generator().then_some(Generator {
            module: self.entry.module,
            function: self.entry.function,
            part: self.part,
        })
    }

    /// The call that the entry process makes.
    fn call(&self) -> (Mfa, Vec<Term>) {
        if let Some(generator) = self.generator() {
            return generator.call();
        }
        let Entry {
            module,
            function,
            arguments,
        } = self.entry.clone();
        let mfa = Mfa {
            module,
            name: function,
            arity: u32::try_from(arguments.len()).unwrap_or(u32::MAX),
        };
        (mfa, arguments)
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Start { entry, part } = self;
        let plain = format!("{}:{}/0", entry.module.name(), entry.function.name());
        let (module, function) = (Term::Atom(entry.module), Term::Atom(entry.function));
        match Entry::parse(&plain) {
            _ if !entry.arguments.is_empty() => write!(f, "{entry}")?,
            Ok(same) if same == *entry => f.write_str(&plain)?,
            _ => write!(f, "{module}:{function}/0")?,
        }
        part.map_or(Ok(()), |part| write!(f, "#{part}"))
    }
}

/// Splits each generator into the parts that are explored separately, and adds the driver that runs
/// them to the code.
fn with_parts(code: &mut CodePath, entries: Vec<Start>) -> Result<Vec<Start>> {
    if !entries.iter().any(Start::is_generator) {
        return Ok(entries);
    }
    code.add_eunit_driver()
        .context("cannot compile the driver of EUnit's test generators")?;
    let library = code.library();
    let mut all = Vec::new();
    for start in entries {
        check_entry(&library, &start.entry)?;
        match start.generator() {
            Some(whole) if whole.part.is_none() => {
                let parts = whole.parts(&library).into_iter();
                all.extend(parts.map(|generator| Start {
                    part: generator.part,
                    ..start.clone()
                }));
            }
            _ => all.push(start),
        }
    }
    Ok(all)
}

/// Every exported `*_test/0` and `*_test_/0` of the given modules.
fn tests(code: &CodePath, program: &str) -> Result<Vec<Start>> {
    let library = code.library();
    let mut tests = Vec::new();
    for module in &code.modules {
        let module = Atom::new(module);
        let code = match library.code(module) {
            Ok(code) => code,
            Err(absent) => bail!("{absent}"),
        };
        let is_exported = |mfa: &Mfa| code.exports().contains(&(mfa.name, mfa.arity));
        // In the order of the source.
        let functions = code.functions.iter().map(|function| function.mfa);
        let functions = functions.filter(|mfa| mfa.arity == 0 && is_exported(mfa));
        let starts = functions.map(|mfa| Start {
            entry: Entry {
                module,
                function: mfa.name,
                arguments: Vec::new(),
            },
            part: None,
        });
        tests.extend(starts.filter(Start::is_test));
    }
    if tests.is_empty() {
        bail!(
            "{program} exports no function NAME_test/0 or NAME_test_/0: give the function to start with, as \
             --entry MODULE:FUNCTION/0 or --entry 'MODULE:FUNCTION(ARGUMENTS)'"
        );
    }
    Ok(tests)
}

/// Checks that the entry exists and is exported, before anything is run.
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
    if !arities.is_empty() {
        bail!(
            "--entry: {} exports {} with {} arguments, not with {arity}",
            module.name(),
            function.name(),
            arities.join(" or ")
        );
    }
    // In the order of the source. Every module has module_info.
    let functions = code.functions.iter().map(|function| function.mfa);
    let exports = functions.filter(|mfa| {
        mfa.name.name() != "module_info" && code.exports().contains(&(mfa.name, mfa.arity))
    });
    let exports: Vec<String> = exports
        .map(|mfa| format!("{}/{}", mfa.name.name(), mfa.arity))
        .collect();
    let wanted = format!("{}/{arity}", function.name());
    let is_there =
        |info: &FunctionInfo| info.mfa.name == function && info.mfa.arity as usize == arity;
    let advice = if code.functions.iter().any(is_there) {
        "it exists, but only exported functions can be called".to_owned()
    } else {
        match nearest(&wanted, exports.iter().map(String::as_str)).first() {
            Some(near) => format!("did you mean {near}?"),
            None => "choose one of its exports".to_owned(),
        }
    };
    let exports = match exports.is_empty() {
        true => "it exports nothing".to_owned(),
        false => format!("it exports {}", some(&exports)),
    };
    bail!(
        "--entry: {} exports no function {wanted}: {advice} ({exports})",
        module.name()
    )
}

/// A value of `--daemon`.
fn daemon(text: &str) -> Result<Daemon> {
    parse_daemon(text).map_err(|error| {
        anyhow!("--daemon {text}: {error}: give a module, or a function as MODULE:FUNCTION/ARITY")
    })
}

/// The values of an option that names processes.
fn patterns(params: &Params, name: &str) -> Result<Vec<Pattern>> {
    let pattern = |text: &String| {
        parse_pattern(text).map_err(|error| {
            anyhow!(
                "{} {text}: {error}: give a registered name, a module, a function as \
                 MODULE:FUNCTION/ARITY, or supervised",
                flag(name)
            )
        })
    };
    params.all(name).iter().map(pattern).collect()
}

/// Which processes may be killed.
fn kills(params: &Params) -> Result<Kills> {
    let max = match params.get(MAX_KILLS) {
        None => Kills::MAX_DEFAULT,
        Some(text) => { text.parse() }.with_context(|| format!("--max-kills {text}"))?,
    };
    Ok(Kills {
        victims: patterns(params, KILL)?,
        max,
    })
}

/// The clocks that the parameters choose.
fn clocks(params: &Params) -> Result<Clocks> {
    match params.get(CLOCKS) {
        None => Ok(Clocks::default()),
        Some(text) => { text.parse() }.map_err(|error: String| anyhow!("--clocks {text}: {error}")),
    }
}
