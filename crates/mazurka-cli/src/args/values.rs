//! Parsers for the values of arguments.

use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser};
use mazurka_engine::{Delivery, Kind, Place, Sampler, Strategy};
use mazurka_files::shown;
use mazurka_lab::oracle::Shape;
use mazurka_lab::{Algorithm, Order};
use std::error::Error;
use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// A parser for one of these names, which shell completions list.
fn named<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Into<Box<dyn Error + Send + Sync>>> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// The name of a file as text, with bytes that are not UTF-8 escaped. `mazurka_files::named` reads it
/// back.
pub fn file_name() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|name| shown(Path::new(&name)))
}

/// A delivery model.
pub fn delivery() -> impl TypedValueParser<Value = Delivery> {
    named(Delivery::ALL.map(Delivery::name))
}

/// An algorithm.
pub fn algorithm() -> impl TypedValueParser<Value = Algorithm> {
    named(Algorithm::ALL.map(Algorithm::name))
}

/// An order in which messages are tried.
pub fn order() -> impl TypedValueParser<Value = Order> {
    named(Order::ALL.map(Order::name))
}

/// A strategy.
pub fn strategy() -> impl TypedValueParser<Value = Strategy> {
    named(Strategy::NAMES)
}

/// A place that valuations direct.
pub fn place() -> impl TypedValueParser<Value = Place> {
    named(Place::ALL.map(Place::name))
}

/// A sampler.
pub fn sampler() -> impl TypedValueParser<Value = Sampler> {
    named(Sampler::ALL.map(Sampler::name))
}

const WARNINGS: [Kind; 3] = [Kind::Orphan, Kind::DeadLetter, Kind::DepthBound];

/// A kind of warning.
pub fn warning() -> impl TypedValueParser<Value = Kind> {
    named(WARNINGS.map(Kind::name))
}

/// A kind of error or warning.
pub fn kind() -> impl TypedValueParser<Value = Kind> {
    named(Kind::ALL.map(Kind::name))
}

/// The name of a shape on the command line.
pub fn shape_name(shape: Shape) -> &'static str {
    match shape {
        Shape::Messages => "messages",
        Shape::Timeouts => "timeouts",
        Shape::Signals => "signals",
        Shape::Objects => "objects",
        Shape::Everything => "everything",
        Shape::Choices => "choices",
        Shape::Rendezvous => "rendezvous",
        Shape::Daemons => "daemons",
    }
}

/// A shape of random programs.
pub fn shape() -> impl TypedValueParser<Value = Shape> {
    let find = |name: String| Shape::ALL.into_iter().find(|s| shape_name(*s) == name);
    PossibleValuesParser::new(Shape::ALL.map(shape_name))
        .try_map(move |name| find(name).ok_or("unknown shape"))
}

/// `on` or `off`.
pub fn switch() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|word| word == "on")
}

/// A whole number.
pub fn whole<T: FromStr<Err = ParseIntError>>(text: &str) -> Result<T, &'static str> {
    text.parse()
        .map_err(|error: ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => "this number is too large",
            _ => "give a whole number, 0 or above",
        })
}

/// A whole number above 0.
pub fn positive(text: &str) -> Result<u64, &'static str> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Err("this number is too large"),
        _ => Err("give a whole number above 0"),
    }
}

/// A whole number above 0 that fits 32 bits.
pub fn small_positive(text: &str) -> Result<u32, &'static str> {
    u32::try_from(positive(text)?).map_err(|_| "this number is too large")
}

/// A parameter and its value.
pub fn param(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write it as NAME=VALUE, for example n=3".to_owned()),
    }
}

/// A time above 0.
pub fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|seconds| !seconds.is_zero())
        .ok_or_else(|| "give a number of seconds above 0, for example 60 or 0.5".to_owned())
}
