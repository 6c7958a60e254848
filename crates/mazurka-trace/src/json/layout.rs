//! Writes a JSON value on one line, with spaces after commas and colons.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

struct OneLine;

impl Formatter for OneLine {
    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        separate(writer, first)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        separate(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

fn separate<W: ?Sized + Write>(writer: &mut W, first: bool) -> io::Result<()> {
    if first {
        Ok(())
    } else {
        writer.write_all(b", ")
    }
}

/// The value as JSON on one line.
pub(super) fn one_line(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, OneLine);
    // Our types have string keys and infallible serializers, and writing to a `Vec` cannot fail.
    value
        .serialize(&mut serializer)
        .expect("our types can be serialised");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}
