//! Clocks.
//!
//! Each process has its own clock, which depends only on its local history. It starts with the clock of
//! the process that spawned it, advances by each timeout that fires in the process, and by one
//! microsecond whenever it is read. A message carries the clock of its sender, and the receiver's clock
//! is never behind it. So clocks agree with the order in which messages make things happen, and
//! `erlang:now/0` never returns the same time twice to one process.
//!
//! With [`Clocks::Shared`] a reading is a request to one clock that all processes share. The time is
//! later than all earlier readings and than the process's own clock, and becomes the time of both.

use mazurka_engine::Operation;
use num_bigint::BigInt;

use super::ask::Pending;
use super::native::{Asking, Context, Next, Row};
use crate::bif::time::posixtime_to_universaltime;
use crate::clocks::Clocks;
use crate::raise::Raise;
use crate::term::Term;

pub(super) const TABLE: &[Row<Asking>] = &[
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

/// Native units in a second: nanoseconds.
const NATIVE: i64 = 1_000_000_000;
/// Microseconds in a second.
const MICROS: i64 = 1_000_000;
/// Seconds from 1970 to the start of the machine: the start of 2025.
const OFFSET_SECONDS: i64 = 1_735_689_600;

/// The form in which a function returns a time.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Since the start of the machine, in parts of a second.
    Monotonic {
        /// How many of these parts a second has.
        per_second: i64,
    },
    /// Since 1970, in parts of a second.
    System {
        /// How many of these parts a second has.
        per_second: i64,
    },
    /// `{MegaSeconds, Seconds, MicroSeconds}` since 1970.
    Timestamp,
    /// `{Year, Month, Day}`.
    Date,
    /// `{Hour, Minute, Second}`.
    Time,
    /// `{Date, Time}`.
    DateAndTime,
}

/// Reads the clock.
fn read(context: &mut Context<'_>, form: Form) -> Result<Next, Raise> {
    context.library.note_clock_reading();
    let next_us = context.process.clock_us.saturating_add(1);
    match context.library.clocks() {
        Clocks::Own => returned(context, form, next_us),
        Clocks::Shared => {
            let operation = Operation::Advance {
                counter: Term::atom("clock"),
                least: i64::try_from(next_us).unwrap_or(i64::MAX),
            };
            Ok(Next::Ask(operation, Pending::Clock(form)))
        }
    }
}

/// Continues with the time of the shared clock.
pub(super) fn shared_read(
    context: &mut Context<'_>,
    form: Form,
    time_us: i64,
) -> Result<Next, Raise> {
    returned(context, form, u64::try_from(time_us).unwrap_or(0))
}

/// Returns this time, which the process now knows.
fn returned(context: &mut Context<'_>, form: Form, time_us: u64) -> Result<Next, Raise> {
    let process = &mut *context.process;
    process.advance_clock(time_us);
    process.clock_readings += 1;
    form.of(time_us).map(Next::Value)
}

impl Form {
    /// A time since the start of the machine in this form. The local time zone is UTC.
    fn of(self, time_us: u64) -> Result<Term, Raise> {
        let monotonic_us = i128::from(time_us);
        let system_us = i128::from(OFFSET_SECONDS * MICROS) + monotonic_us;
        let seconds = system_us / i128::from(MICROS);
        match self {
            Form::Monotonic { per_second } => Ok(convert(monotonic_us, per_second)),
            Form::System { per_second } => Ok(convert(system_us, per_second)),
            Form::Timestamp => {
                let mega = i128::from(MICROS);
                let parts = [seconds / mega, seconds % mega, system_us % mega];
                Ok(Term::tuple(parts.map(integer)))
            }
            Form::Date => Ok(part(&posixtime_to_universaltime(&integer(seconds))?, 0)),
            Form::Time => Ok(part(&posixtime_to_universaltime(&integer(seconds))?, 1)),
            Form::DateAndTime => posixtime_to_universaltime(&integer(seconds)),
        }
    }
}

fn monotonic_time(context: &mut Context<'_>, _: &[Term]) -> Result<Next, Raise> {
    read(context, Form::Monotonic { per_second: NATIVE })
}

fn monotonic_time_in(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let per_second = per_second(&arguments[0])?;
    read(context, Form::Monotonic { per_second })
}

fn system_time(context: &mut Context<'_>, _: &[Term]) -> Result<Next, Raise> {
    read(context, Form::System { per_second: NATIVE })
}

fn system_time_in(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let per_second = per_second(&arguments[0])?;
    read(context, Form::System { per_second })
}

fn time_offset(_: &mut Context<'_>, _: &[Term]) -> Result<Next, Raise> {
    Form::System { per_second: NATIVE }.of(0).map(Next::Value)
}

fn time_offset_in(_: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let per_second = per_second(&arguments[0])?;
    Form::System { per_second }.of(0).map(Next::Value)
}

fn timestamp(context: &mut Context<'_>, _: &[Term]) -> Result<Next, Raise> {
    read(context, Form::Timestamp)
}

fn date(context: &mut Context<'_>, _: &[Term]) -> Result<Next, Raise> {
    read(context, Form::Date)
}

fn time(context: &mut Context<'_>, _: &[Term]) -> Result<Next, Raise> {
    read(context, Form::Time)
}

fn date_and_time(context: &mut Context<'_>, _: &[Term]) -> Result<Next, Raise> {
    read(context, Form::DateAndTime)
}

fn time_unit(_: &mut Context<'_>, _: &[Term]) -> Result<Next, Raise> {
    Ok(Next::Value(Term::Int(NATIVE)))
}

fn part(tuple: &Term, index: usize) -> Term {
    match tuple {
        Term::Tuple(tuple) => tuple.get(index).cloned().unwrap_or(Term::Nil),
        _ => Term::Nil,
    }
}

fn integer(number: i128) -> Term {
    Term::from(BigInt::from(number))
}

/// Microseconds in another unit.
fn convert(time_us: i128, per_second: i64) -> Term {
    Term::from(BigInt::from(time_us) * per_second / MICROS)
}

/// How many of these units a second has.
fn per_second(unit: &Term) -> Result<i64, Raise> {
    match unit {
        Term::Int(parts @ 1..) => Ok(*parts),
        Term::Atom(name) => match name.name() {
            "second" | "seconds" => Ok(1),
            "millisecond" | "milli_seconds" => Ok(1_000),
            "microsecond" | "micro_seconds" => Ok(MICROS),
            "nanosecond" | "nano_seconds" | "native" | "perf_counter" => Ok(NATIVE),
            _ => Err(Raise::badarg()),
        },
        _ => Err(Raise::badarg()),
    }
}
