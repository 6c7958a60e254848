//! Modules, functions and funs.

use crate::code::Mfa;
use crate::machine::Target;
use crate::machine::native::{Context, Local, Native, Row};
use crate::raise::Raise;
use crate::term::{Atom, Fun, Term};

pub(super) const TABLE: &[Row<Local>] = &[
    ("erlang", "function_exported", 3, function_exported),
    ("erlang", "module_loaded", 1, module_loaded),
    ("erlang", "get_module_info", 1, module_info),
    ("erlang", "get_module_info", 2, module_info_item),
    ("erlang", "is_builtin", 3, is_builtin),
    ("erlang", "fun_info", 2, fun_info),
    ("erlang", "fun_info_mfa", 1, fun_info_mfa),
    ("code", "ensure_loaded", 1, ensure_loaded),
    ("code", "ensure_modules_loaded", 1, ensure_modules_loaded),
    ("code", "load_file", 1, ensure_loaded),
    ("code", "is_loaded", 1, is_loaded),
    ("code", "which", 1, which),
];

fn name_of(arguments: &[Term]) -> Result<Mfa, Raise> {
    match arguments {
        [Term::Atom(module), Term::Atom(name), Term::Int(arity)] => Ok(Mfa {
            module: *module,
            name: *name,
            arity: u32::try_from(*arity).map_err(|_| Raise::badarg())?,
        }),
        _ => Err(Raise::badarg()),
    }
}

/// Whether the module exists counts, not whether it is loaded: modules are loaded on their first call.
fn function_exported(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let mfa = name_of(arguments)?;
    let target = Target::find(context.library, mfa);
    let exported = matches!(target, Ok(Target::Code(_) | Target::Native(_)));
    Ok(Atom::bool(exported).into())
}

fn is_builtin(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let native = Native::find(name_of(arguments)?, context.library.release());
    Ok(Atom::bool(native.is_some()).into())
}

fn module_loaded(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let Term::Atom(module) = arguments[0] else {
        return Err(Raise::badarg());
    };
    Ok(Atom::bool(context.library.code(module).is_ok()).into())
}

fn ensure_loaded(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let Term::Atom(module) = arguments[0] else {
        return Err(Raise::error(Atom::FUNCTION_CLAUSE));
    };
    Ok(match context.library.code(module) {
        Ok(_) => Term::tuple([Atom::MODULE.into(), module.into()]),
        Err(_) => Term::tuple([Atom::ERROR.into(), Term::atom("nofile")]),
    })
}

/// The name of the file of a module. Its folder may be another one in every run.
fn file(module: Atom) -> Term {
    let name = format!("{}.beam", module.name());
    Term::list(
        name.chars()
            .map(|c| Term::Int(i64::from(u32::from(c))))
            .collect::<Vec<_>>(),
    )
}

/// All modules that exist count as loaded.
fn is_loaded(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let Term::Atom(module) = arguments[0] else {
        return Err(Raise::error(Atom::FUNCTION_CLAUSE));
    };
    Ok(match context.library.code(module) {
        Ok(_) => Term::tuple([Atom::FILE.into(), file(module)]),
        Err(_) => Atom::FALSE.into(),
    })
}

fn which(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let Term::Atom(module) = arguments[0] else {
        return Err(Raise::error(Atom::FUNCTION_CLAUSE));
    };
    Ok(match context.library.code(module) {
        Ok(_) => file(module),
        Err(_) => Term::atom("non_existing"),
    })
}

fn ensure_modules_loaded(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let clause = || Raise::error(Atom::FUNCTION_CLAUSE);
    let mut absent = Vec::new();
    let mut modules = arguments[0].elements();
    for module in modules.by_ref() {
        let Term::Atom(name) = module else {
            return Err(clause());
        };
        if context.library.code(*name).is_err() {
            absent.push(Term::tuple([module.clone(), Term::atom("nofile")]));
        }
    }
    match (modules.rest(), absent.is_empty()) {
        (Term::Nil, true) => Ok(Atom::OK.into()),
        (Term::Nil, false) => Ok(Term::tuple([Atom::ERROR.into(), Term::list(absent)])),
        _ => Err(clause()),
    }
}

/// The items of `Module:module_info()`. Attributes and compiler options are not stored.
const ITEMS: &[&str] = &["module", "exports", "attributes", "compile", "md5"];

fn module_info(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let items = ITEMS.iter().map(|item| {
        let name = Term::atom(item);
        let value = module_info_item(context, &[arguments[0].clone(), name.clone()])?;
        Ok(Term::tuple([name, value]))
    });
    Ok(Term::list(items.collect::<Result<Vec<_>, Raise>>()?))
}

fn module_info_item(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let (Term::Atom(module), Term::Atom(item)) = (&arguments[0], &arguments[1]) else {
        return Err(Raise::badarg());
    };
    let code = context.library.code(*module).map_err(|_| Raise::badarg())?;
    let entry = |name: Atom, arity: u32| Term::tuple([name.into(), Term::Int(arity.into())]);
    Ok(match item.name() {
        "module" => Term::Atom(*module),
        "exports" => {
            let exports = code.exports().iter();
            let exports = exports.map(|&(name, arity)| entry(name, arity));
            Term::list(exports.collect::<Vec<_>>())
        }
        "functions" => {
            let functions = code.functions.iter();
            let functions = functions.map(|info| entry(info.mfa.name, info.mfa.arity));
            Term::list(functions.collect::<Vec<_>>())
        }
        "attributes" | "compile" | "nifs" => Term::Nil,
        "native" => Atom::FALSE.into(),
        "native_addresses" => Term::Nil,
        "md5" => Term::binary(&[0; 16]),
        _ => return Err(Raise::badarg()),
    })
}

fn fun_info(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let (Term::Fun(fun), Term::Atom(item)) = (&arguments[0], &arguments[1]) else {
        return Err(Raise::badarg());
    };
    let value = match (&**fun, item.name()) {
        (_, "arity") => Term::Int(fun.arity().into()),
        (Fun::Export { module, .. }, "module") => (*module).into(),
        (Fun::Export { name, .. }, "name") => (*name).into(),
        (Fun::Export { .. }, "type") => Term::atom("external"),
        (Fun::Export { .. }, "env") => Term::Nil,
        (Fun::Export { .. }, "index" | "new_index" | "uniq" | "new_uniq" | "pid" | "refc") => {
            Atom::UNDEFINED.into()
        }
        (Fun::Local(lambda), "module") => lambda.module.into(),
        (Fun::Local(_), "name") => fun_name(context, fun).into(),
        (Fun::Local(_), "type") => Term::atom("local"),
        (Fun::Local(lambda), "env") => Term::list(lambda.environment.iter().cloned()),
        (Fun::Local(lambda), "index" | "new_index") => Term::Int(lambda.index.into()),
        (Fun::Local(lambda), "uniq") => Term::Int(lambda.unique.into()),
        (Fun::Local(_), "new_uniq") => Term::binary(&[0; 16]),
        (Fun::Local(_), "pid") => Term::Pid(context.process.pid),
        (Fun::Local(_), "refc") => Term::Int(1),
        _ => return Err(Raise::badarg()),
    };
    Ok(Term::tuple([(*item).into(), value]))
}

fn fun_info_mfa(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let Term::Fun(fun) = &arguments[0] else {
        return Err(Raise::badarg());
    };
    let module = match &**fun {
        Fun::Export { module, .. } => *module,
        Fun::Local(lambda) => lambda.module,
    };
    let name = fun_name(context, fun);
    let arity = Term::Int(fun.arity().into());
    Ok(Term::tuple([module.into(), name.into(), arity]))
}

/// The name of the function that contains a fun's code.
fn fun_name(context: &Context<'_>, fun: &Fun) -> Atom {
    match fun {
        Fun::Export { name, .. } => *name,
        Fun::Local(lambda) => {
            let code = context.library.code(lambda.module).ok();
            let entry = code.and_then(|code| code.lambdas.get(lambda.index as usize));
            entry.map_or(Atom::new(""), |entry| entry.name)
        }
    }
}
