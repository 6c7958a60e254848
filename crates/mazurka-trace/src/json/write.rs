//! Writing traces and logs.

use serde::Serialize;

use super::FORMAT_VERSION;
use super::event::EventWriter;
use super::layout::one_line;
use crate::{Log, Params, ProcessName, Trace, escape_invisible};

impl Trace {
    /// The trace as JSON, one event per line. [`Trace::from_json`] reads it back.
    pub fn to_json(&self) -> String {
        let mut head = head("trace", &self.program, &self.params);
        head.push(("delivery", one_line(&self.delivery)));
        head.push(("initial", one_line(&self.initial)));
        head.push(("objects", one_line(&self.objects)));
        if !self.object_notes.is_empty() {
            head.push(("object_notes", one_line(&self.object_notes)));
        }
        if !self.notes.is_empty() {
            head.push(("notes", one_line(&self.notes)));
        }
        let blocks = self.processes.iter().map(|(pid, events)| {
            let mut writer = EventWriter::new();
            let events = events.iter().enumerate();
            block(pid, events.map(|(at, event)| writer.fields(at, event)))
        });
        escape_invisible(document(&head, blocks.collect()))
    }
}

impl Log {
    /// The log as JSON, one entry per line. [`Log::from_json`] reads it back.
    pub fn to_json(&self) -> String {
        let mut head = head("log", &self.program, &self.params);
        if let Some(delivery) = self.delivery {
            head.push(("delivery", one_line(&delivery)));
        }
        if let Some(timeouts) = &self.timeouts {
            head.push(("timeouts", one_line(timeouts)));
        }
        if let Some(error) = &self.error {
            head.push(("error", one_line(error)));
        }
        let blocks = self.processes.iter();
        let blocks = blocks.map(|(pid, log)| block(pid, log));
        escape_invisible(document(&head, blocks.collect()))
    }
}

type Fields = Vec<(&'static str, String)>;

fn head(kind: &str, program: &Option<String>, params: &Params) -> Fields {
    let mut fields = vec![
        ("mazurka", one_line(&kind)),
        ("version", FORMAT_VERSION.to_string()),
    ];
    if let Some(program) = program {
        fields.push(("program", one_line(program)));
    }
    if !params.is_empty() {
        fields.push(("params", one_line(params)));
    }
    fields
}

fn document(head: &Fields, blocks: Vec<String>) -> String {
    let mut lines: Vec<String> = head
        .iter()
        .map(|(name, value)| format!("  \"{name}\": {value},"))
        .collect();
    lines.push(match blocks.is_empty() {
        true => "  \"processes\": {}".to_owned(),
        false => format!("  \"processes\": {{\n{}\n  }}", blocks.join(",\n")),
    });
    format!("{{\n{}\n}}\n", lines.join("\n"))
}

fn block(pid: &ProcessName, items: impl IntoIterator<Item = impl Serialize>) -> String {
    let pid = one_line(pid);
    let items: Vec<String> = { items.into_iter() }
        .map(|item| format!("      {}", one_line(&item)))
        .collect();
    if items.is_empty() {
        return format!("    {pid}: []");
    }
    format!("    {pid}: [\n{}\n    ]", items.join(",\n"))
}
