//! Messages as text. If the `Debug` of a program's type panics, the text states that.

use crate::constraint::short;
use crate::stage;
use mazurka_engine::Bounded;
use std::any::type_name;
use std::fmt;

/// The `Debug` text of a value, cut if it is very long.
pub(crate) fn show<T: fmt::Debug>(value: &T) -> String {
    show_as(value, type_name::<T>())
}

/// The same for a value whose type has this name.
pub(crate) fn show_as(value: &dyn fmt::Debug, type_name: &str) -> String {
    stage::aside(|| Bounded::debug(value)).unwrap_or_else(|panicked| {
        let of = short(type_name);
        match panicked {
            Some(panicked) => format!("<Debug of {of} panicked: {}>", panicked.failure),
            None => format!("<Debug of {of} panicked>"),
        }
    })
}
