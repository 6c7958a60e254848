//! Clocks.
//!
//! Each process has its own clock, which depends only on its local history. It starts with the clock of
//! the process that spawned it, advances by each timeout that fires in the process, and by one
//! microsecond whenever it is read. A message carries the clock of its sender, and the receiver's clock
//! is never behind it. So clocks agree with the order in which messages make things happen, and
//! `erlang:now/0` never returns the same time twice to one process.

use num_bigint::BigInt;

use crate::bif::time::posixtime_to_universaltime;
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
const NATIVE: i128 = 1_000_000_000;
/// Nanoseconds from 1970 to the start of the machine: the start of 2025.
const OFFSET: i128 = 1_735_689_600 * NATIVE;

/// Reads the clock of the process: nanoseconds since the start of the machine.
fn read(context: &mut Context<'_>) -> i128 {
    let process = &mut *context.process;
    process.clock_us = process.clock_us.saturating_add(1);
    i128::from(process.clock_us) * (NATIVE / MICROS)
}

/// Microseconds in a second.
const MICROS: i128 = 1_000_000;

fn monotonic_time(context: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(integer(read(context)))
}

fn monotonic_time_in(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    convert(read(context), &arguments[0])
}

fn system_time(context: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(integer(OFFSET + read(context)))
}

fn system_time_in(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    convert(OFFSET + read(context), &arguments[0])
}

fn time_offset(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(integer(OFFSET))
}

fn time_offset_in(_: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    convert(OFFSET, &arguments[0])
}

fn timestamp(context: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    let micros = (OFFSET + read(context)) / (NATIVE / MICROS);
    let seconds = micros / MICROS;
    let parts = [seconds / MICROS, seconds % MICROS, micros % MICROS];
    Ok(Term::tuple(parts.map(integer)))
}

fn date(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    Ok(part(&date_and_time(context, arguments)?, 0))
}

fn time(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    Ok(part(&date_and_time(context, arguments)?, 1))
}

/// The local time zone is UTC.
fn date_and_time(context: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    posixtime_to_universaltime(&integer((OFFSET + read(context)) / NATIVE))
}

fn part(tuple: &Term, index: usize) -> Term {
    match tuple {
        Term::Tuple(tuple) => tuple.get(index).cloned().unwrap_or(Term::Nil),
        _ => Term::Nil,
    }
}

fn time_unit(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(integer(NATIVE))
}

fn integer(number: i128) -> Term {
    Term::from(BigInt::from(number))
}

/// Nanoseconds in another unit.
fn convert(time: i128, unit: &Term) -> Result<Term, Raise> {
    let per_second = match unit {
        Term::Int(parts @ 1..) => i128::from(*parts),
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
