//! The HTML report: one file that needs neither a network nor a server.
//!
//! The page contains its data as JSON ([`data`]); its scripts draw that. They compute the causal order
//! from the edges between events, and the browser tests compare it with the kernel's.
//!
//! | file | content |
//! | --- | --- |
//! | `data` | what is in the page, as JSON |
//! | `run` | one check: verdict, counts, options, coverage |
//! | `failure` | one error, and where it departs from a passing execution |
//! | `execution` | the lanes and events of one execution |
//! | `sources` | the lines of the source that events point to |
//! | `escape` | text that cannot end the script it is in |
//! | `page.html`, `style.css`, `script/` | the page itself |

mod data;
mod escape;
mod execution;
mod failure;
mod run;
mod sources;

use crate::outcome::Outcome;
use crate::text::{count, visible};
use data::Page;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
/// The scripts, each after those that it uses.
const SCRIPTS: [&str; 9] = [
    include_str!("script/dom.js"),
    include_str!("script/causality.js"),
    include_str!("script/layout.js"),
    include_str!("script/variant.js"),
    include_str!("script/shapes.js"),
    include_str!("script/diagram.js"),
    include_str!("script/details.js"),
    include_str!("script/sections.js"),
    include_str!("script/main.js"),
];

/// The report of these checks as one page.
#[must_use]
pub fn html(outcomes: &[&Outcome]) -> String {
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        runs: outcomes.iter().map(|outcome| run::run(outcome)).collect(),
    };
    let data = serde_json::to_string(&page).expect("our types serialise");
    let scripts = SCRIPTS.concat();
    fill(
        TEMPLATE,
        &[
            ("title", &escape::text(&title(outcomes))),
            ("style", STYLE),
            ("data", &escape::json(&data)),
            ("script", &scripts),
        ],
    )
}

fn title(outcomes: &[&Outcome]) -> String {
    match outcomes {
        [only] => format!("{} – Mazurka", visible(&only.subject.to_string())),
        all => format!("{} – Mazurka", count(all.len() as u64, "test")),
    }
}

/// The template with each `{{name}}` replaced. The values are not searched for names.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        filled += before;
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        let value = values.iter().find(|(known, _)| *known == name);
        filled += value.map_or("", |(_, value)| value);
        rest = after;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_templates() {
        let values = [("a", "{{b}}"), ("b", "no")];
        assert_eq!(fill("<{{a}}|{{c}}>", &values), "<{{b}}|>");
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let page = html(&[]);
        for wrong in ["http:", "https:", "src=", "@import", "url("] {
            let found = page.replace("http://www.w3.org/2000/svg", "");
            assert!(!found.contains(wrong), "{wrong}");
        }
        assert!(page.contains("default-src 'none'"));
    }
}
