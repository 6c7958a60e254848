//! Parsers for the values of arguments.

use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser};
use mazurka_beam::Clocks;
use mazurka_engine::Delivery;
use mazurka_files::shown;
use mazurka_lab::oracle::Shape;
use mazurka_lab::{Algorithm, Order};
use mazurka_report::Value;
use std::error::Error;
use std::path::Path;
use std::str::FromStr;

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

/// Which clocks processes read.
pub fn clocks() -> impl TypedValueParser<Value = Clocks> {
    named(Clocks::ALL.map(Clocks::name))
}

/// An algorithm.
pub fn algorithm() -> impl TypedValueParser<Value = Algorithm> {
    named(Algorithm::ALL.map(Algorithm::name))
}

/// An order in which messages are tried.
pub fn order() -> impl TypedValueParser<Value = Order> {
    named(Order::ALL.map(Order::name))
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
        Shape::Polls => "polls",
        Shape::Disturbances => "disturbances",
    }
}

/// A shape of random programs.
pub fn shape() -> impl TypedValueParser<Value = Shape> {
    let find = |name: String| Shape::ALL.into_iter().find(|s| shape_name(*s) == name);
    PossibleValuesParser::new(Shape::ALL.map(shape_name))
        .try_map(move |name| find(name).ok_or("unknown shape"))
}

/// A whole number above 0.
pub fn positive(text: &str) -> Result<u64, String> {
    match u64::parse(text)? {
        0 => Err("give a whole number above 0".to_owned()),
        number => Ok(number),
    }
}

/// A parameter and its value.
pub fn param(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write it as NAME=VALUE, for example n=3".to_owned()),
    }
}
