//! The values of settings: as words, and as Rust code.

use mazurka_engine::{Delivery, Kind, Place, Sampler, Strategy, Timeouts, Valuations};
use mazurka_lab::{Algorithm, Order};
use std::num::{IntErrorKind, ParseIntError};
use std::time::Duration;

/// The value of a setting.
pub trait Value: Sized {
    /// Parses a word of the command line or of the environment.
    ///
    /// # Errors
    /// The word is not a value. The text names the values that are.
    fn parse(word: &str) -> Result<Self, String>;

    /// As a word, which [`parse`](Value::parse) reads back.
    fn word(&self) -> String;

    /// As Rust code.
    fn code(&self) -> String;

    /// Every value as a word, if there are only a few.
    #[must_use]
    fn names() -> Vec<&'static str> {
        Vec::new()
    }
}

/// Implements [`Value`] by `FromStr`: a type, its words, the code of a value.
macro_rules! values {
    ($($type:ty, $names:expr, $word:expr, $code:expr;)+) => {$(
        impl Value for $type {
            fn parse(word: &str) -> Result<Self, String> {
                word.parse().map_err(|error: <$type as std::str::FromStr>::Err| error.to_string())
            }
            fn word(&self) -> String {
                let word: fn(&$type) -> String = $word;
                word(self)
            }
            fn code(&self) -> String {
                let code: fn(&$type) -> String = $code;
                code(self)
            }
            fn names() -> Vec<&'static str> {
                $names.to_vec()
            }
        }
    )+};
}

values! {
    Delivery, Delivery::ALL.map(Delivery::name), ToString::to_string, |v| format!("Delivery::{v:?}");
    Timeouts, [], ToString::to_string, |v| format!("Timeouts::{v:?}");
    Algorithm, Algorithm::ALL.map(Algorithm::name), ToString::to_string, |v| format!("Algorithm::{v:?}");
    Order, Order::ALL.map(Order::name), ToString::to_string, |v| format!("Order::{v:?}");
    Strategy, Strategy::NAMES, ToString::to_string, |v| format!("Strategy::{}", without_fields(v));
    Sampler, Sampler::ALL.map(Sampler::name), ToString::to_string, |v| format!("Sampler::{}", without_fields(v));
    Valuations, [], ToString::to_string, |v| format!("{:?}.parse().unwrap()", v.to_string());
    Place, Place::ALL.map(Place::name), |v| v.name().to_owned(), |v| format!("&[Place::{v:?}]");
    Kind, Kind::ALL.map(Kind::name), ToString::to_string, |v| format!("Kind::{v:?}");
}

/// `Mcts { .. }` for `Mcts { seed: 3 }`.
fn without_fields(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    match text.split_once(" {") {
        Some((name, _)) => format!("{name} {{ .. }}"),
        None => text,
    }
}

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl Value for $type {
            fn parse(word: &str) -> Result<Self, String> {
                word.parse().map_err(|error: ParseIntError| match error.kind() {
                    IntErrorKind::PosOverflow => "this number is too large".to_owned(),
                    _ => "give a whole number, 0 or above".to_owned(),
                })
            }
            fn word(&self) -> String {
                self.to_string()
            }
            fn code(&self) -> String {
                self.to_string()
            }
        }
    )+};
}

numbers!(u32, u64);

impl Value for bool {
    fn parse(word: &str) -> Result<Self, String> {
        match word {
            "1" | "on" | "true" | "yes" => Ok(true),
            "0" | "off" | "false" | "no" => Ok(false),
            _ => Err("use on or off".to_owned()),
        }
    }
    fn word(&self) -> String {
        on_off(*self)
    }
    fn code(&self) -> String {
        self.to_string()
    }
    fn names() -> Vec<&'static str> {
        vec!["on", "off"]
    }
}

/// Seconds.
impl Value for Duration {
    fn parse(word: &str) -> Result<Self, String> {
        seconds(word.parse().unwrap_or(0.0))
    }
    fn word(&self) -> String {
        self.as_secs_f64().to_string()
    }
    fn code(&self) -> String {
        format!("{:?}", self.as_secs_f64())
    }
}

/// A time above 0.
///
/// # Errors
/// It is not a number above 0, or too large.
pub fn seconds(seconds: f64) -> Result<Duration, String> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("give a number of seconds above 0, for example 60 or 0.5".to_owned()),
    }
}

/// `on` or `off`.
#[must_use]
pub fn on_off(on: bool) -> String {
    let word = if on { "on" } else { "off" };
    word.to_owned()
}
