//! Clocks. They always return the same time: durations are not modelled, and a moving clock would
//! make all states different.

use num_bigint::BigInt;

use crate::machine::native::{Context, Local, Row};
use crate::raise::Raise;
use crate::term::Term;

pub(super) const TABLE: &[Row<Local>] = &[
    ("erlang", "monotonic_time", 0, monotonic_time),
    ("erlang", "monotonic_time", 1, monotonic_time_in),
    ("erlang", "system_time", 0, system_time),
    ("erlang", "system_time", 1, system_time_in),
    ("erlang", "time_offset", 0, time_offset),
    ("erlang", "time_offset", 1, time_offset_in),
    ("erlang", "timestamp", 0, timestamp),
    ("erlang", "now", 0, timestamp),
    ("erlang", "date", 0, date),
    ("erlang", "time", 0, time),
    ("erlang", "localtime", 0, date_and_time),
    ("erlang", "universaltime", 0, date_and_time),
    ("erts_internal", "time_unit", 0, time_unit),
    ("erts_internal", "perf_counter_unit", 0, time_unit),
    ("os", "system_time", 0, system_time),
    ("os", "system_time", 1, system_time_in),
    ("os", "timestamp", 0, timestamp),
    ("os", "perf_counter", 0, monotonic_time),
];

/// Units in a second.
const NATIVE: i64 = 1_000_000_000;
/// Nanoseconds since the start of the machine.
const MONOTONIC: i64 = 0;
/// Nanoseconds since 1970: the start of 2025.
const SYSTEM: i64 = 1_735_689_600 * NATIVE;

fn monotonic_time(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Term::Int(MONOTONIC))
}

fn monotonic_time_in(_: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    convert(MONOTONIC, &arguments[0])
}

fn system_time(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Term::Int(SYSTEM))
}

fn system_time_in(_: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    convert(SYSTEM, &arguments[0])
}

fn time_offset(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Term::Int(SYSTEM - MONOTONIC))
}

fn time_offset_in(_: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    convert(SYSTEM - MONOTONIC, &arguments[0])
}

fn timestamp(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    let seconds = SYSTEM / NATIVE;
    Ok(tuple_of([seconds / 1_000_000, seconds % 1_000_000, 0]))
}

fn date(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(tuple_of([2025, 1, 1]))
}

fn time(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(tuple_of([0, 0, 0]))
}

fn date_and_time(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    Ok(Term::tuple([
        date(context, arguments)?,
        time(context, arguments)?,
    ]))
}

fn time_unit(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Term::Int(NATIVE))
}

fn tuple_of(numbers: [i64; 3]) -> Term {
    Term::tuple(numbers.map(Term::Int))
}

/// Nanoseconds in another unit.
fn convert(time: i64, unit: &Term) -> Result<Term, Raise> {
    let per_second = match unit {
        Term::Int(parts @ 1..) => *parts,
        Term::Atom(name) => match name.name() {
            "second" | "seconds" => 1,
            "millisecond" | "milli_seconds" => 1_000,
            "microsecond" | "micro_seconds" => 1_000_000,
            "nanosecond" | "nano_seconds" | "native" | "perf_counter" => NATIVE,
            _ => return Err(Raise::badarg()),
        },
        _ => return Err(Raise::badarg()),
    };
    Ok(Term::from(BigInt::from(time) * per_second / NATIVE))
}
