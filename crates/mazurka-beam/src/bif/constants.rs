//! Functions with a constant result in this machine, and `make_fun/3`.

use super::BifResult;
use crate::raise::Raise;
use crate::term::{Atom, Fun, Term};

table! {
    "erlang" {
        "make_fun"/3 => make_fun,
    }
    "file" {
        "native_name_encoding"/0 => native_name_encoding,
    }
    "io" {
        "printable_range"/0 => printable_range,
    }
    "net_kernel" {
        "dflag_unicode_io"/1 => dflag_unicode_io,
    }
}

fn make_fun(module: &Term, name: &Term, arity: &Term) -> BifResult {
    match (module, name, arity) {
        (Term::Atom(module), Term::Atom(name), Term::Int(arity @ 0..=255)) => {
            Ok(Term::fun(Fun::Export {
                module: *module,
                name: *name,
                arity: *arity as u32,
            }))
        }
        _ => Err(Raise::badarg()),
    }
}

fn native_name_encoding() -> BifResult {
    Ok(Term::atom("utf8"))
}

fn printable_range() -> BifResult {
    Ok(Term::atom("latin1"))
}

/// Whether the node of a process supports Unicode. There is only one node.
fn dflag_unicode_io(process: &Term) -> BifResult {
    match process {
        Term::Pid(_) => Ok(Atom::TRUE.into()),
        _ => Err(Raise::badarg()),
    }
}
