//! The tree of executions in the language of Graphviz.

use crate::files::DOT_MARK;
use crate::outcome::Outcome;
use crate::text::{count, shorten};
use mazurka_engine::{ExecutionTree, Kind, TreeEnd, Varied};
use std::fmt::Write;

const TEXT_WIDTH: usize = 40;

/// The number of prefixes of executions that a tree shows.
pub const TREE_NODES_MAX: usize = 2_000;

impl Outcome {
    /// The tree of executions in DOT, if it was kept: a circle for each prefix that was explored,
    /// labelled with how it differs from its parent, and a box for the execution that it leads to, red
    /// if that has an error.
    #[must_use]
    pub fn to_dot(&self) -> Option<String> {
        self.tree
            .as_ref()
            .map(|tree| dot(tree, &self.subject.to_string()))
    }
}

fn dot(tree: &ExecutionTree, title: &str) -> String {
    let mut dot = format!(
        "digraph executions {{\n{DOT_MARK}  label={};\n  labelloc=t;\n  rankdir=LR;\n  \
         node [fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=9];\n",
        quoted(&title_of(tree, title))
    );
    for (number, node) in tree.nodes.iter().enumerate() {
        let _ = writeln!(dot, "  b{number} [shape=point, width=0.08];");
        if let Some(parent) = node.parent {
            let label = node.varied.as_ref().map(label).unwrap_or_default();
            let _ = writeln!(dot, "  b{parent} -> b{number} [label={}];", quoted(&label));
        }
        if let Some(end) = &node.end {
            let (words, colours) = leaf(end);
            let _ = writeln!(
                dot,
                "  e{number} [shape=box, style=\"rounded,filled\", {colours}, label={}];\n  \
                 b{number} -> e{number} [style=dotted, arrowhead=none];",
                quoted(&words)
            );
        }
    }
    if tree.left_out > 0 {
        let words = format!(
            "{} not shown",
            count(tree.left_out, "more prefix").replace("prefixs", "prefixes")
        );
        let _ = writeln!(dot, "  rest [shape=note, label={}];", quoted(&words));
    }
    dot + "}\n"
}

fn title_of(tree: &ExecutionTree, title: &str) -> String {
    let title = shorten(title, 200);
    match tree.left_out {
        0 => title,
        left_out => format!(
            "{title}\nthe first {} of {} prefixes of executions",
            tree.nodes.len(),
            tree.nodes.len() as u64 + left_out
        ),
    }
}

/// `P takes Done(2) from P.2, not Done(1) from P.1`
fn label(varied: &Varied) -> String {
    let now = shorten(&varied.now, TEXT_WIDTH);
    let before = varied.before.as_ref();
    let before = before.filter(|before| **before != varied.now);
    let before = before.map(|before| format!("\ninstead of {}", shorten(before, TEXT_WIDTH)));
    let process = shorten(&varied.process, TEXT_WIDTH);
    format!("{process}: {now}{}", before.unwrap_or_default())
}

fn leaf(end: &TreeEnd) -> (String, &'static str) {
    let number = end.number + 1;
    if !end.errors.is_empty() {
        let kinds: Vec<&str> = end.errors.iter().copied().map(Kind::name).collect();
        return (
            format!("{number}: {}", kinds.join(", ")),
            "fillcolor=\"#ffd7d5\", color=\"#cf222e\", fontcolor=\"#82071e\"",
        );
    }
    match end.cut_short {
        true => (
            format!("{number}: cut short"),
            "fillcolor=\"#fff8c5\", color=\"#9a6700\"",
        ),
        false => (
            number.to_string(),
            "fillcolor=\"#dafbe1\", color=\"#1a7f37\"",
        ),
    }
}

/// A text in quotes. Graphviz interprets backslash escapes and HTML character names.
fn quoted(text: &str) -> String {
    let text = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('&', "&amp;")
        .replace('\n', "\\n");
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes() {
        assert_eq!(
            quoted("a \"b\" \\c\n&lt;"),
            "\"a \\\"b\\\" \\\\c\\n&amp;lt;\""
        );
    }
}
