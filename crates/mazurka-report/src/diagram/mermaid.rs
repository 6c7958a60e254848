//! A diagram in Mermaid, which GitHub renders.

use super::limit::{Limits, gap};
use super::{Diagram, Flight, Mark, Row, What};
use crate::files::MERMAID_MARK;
use crate::text::shorten;

/// GitHub draws no more than 50,000 characters.
const LIMITS: Limits = Limits {
    lanes: 40,
    first: 40,
    last: 160,
};
const TEXT_MAX: usize = 60;
const FAILING_MAX: usize = 120;

impl Diagram {
    /// The diagram as a Mermaid sequence diagram. If it is long, its middle is left out and a note
    /// states how much.
    #[must_use]
    pub fn to_mermaid(&self) -> String {
        let fits = self.fit(LIMITS);
        let mut out = format!("sequenceDiagram\n{MERMAID_MARK}");
        for (number, lane) in fits.lanes.iter().enumerate() {
            let name = escape(&shorten(&lane.to_string(), TEXT_MAX));
            out += &format!("    participant p{number} as {name}\n");
        }
        for row in &fits.rows {
            let lines = fits.lines(row);
            match tint(row.mark) {
                Some(colour) => {
                    out += &format!("    rect {colour}\n");
                    lines
                        .iter()
                        .for_each(|line| out += &format!("        {line}\n"));
                    out += "    end\n";
                }
                None => lines
                    .iter()
                    .for_each(|line| out += &format!("    {line}\n")),
            }
        }
        out
    }

    fn lines(&self, row: &Row) -> Vec<String> {
        let lane = row.lane;
        let max = match row.mark {
            Mark::Plain => TEXT_MAX,
            _ => FAILING_MAX,
        };
        let text = escape(&shorten(&row.text, max));
        match &row.what {
            What::Spawn { to } => {
                let spawn = |to| format!("p{lane}-->>p{to}: spawn");
                to.iter().map(spawn).collect()
            }
            // A closed arrowhead if the message is taken at once, otherwise an open one.
            What::Send { to, end, .. } => vec![match end {
                Flight::Taken => format!("p{lane}->>p{to}: {text}"),
                Flight::Later => format!("p{lane}-)p{to}: {text}"),
                Flight::Never => format!("p{lane}-xp{to}: {text} (never received)"),
            }],
            What::Take { .. } => vec![format!("Note over p{lane}: {text}")],
            What::Step => {
                let sign = match row.mark {
                    Mark::Failing => "✗ ",
                    _ => "",
                };
                vec![format!("Note over p{lane}: {sign}{text}")]
            }
            What::Gap { rows } => {
                let last = self.lanes.len().saturating_sub(1);
                let over = match last {
                    0 => "p0".to_owned(),
                    last => format!("p0,p{last}"),
                };
                vec![format!("Note over {over}: {}", gap(*rows))]
            }
        }
    }
}

/// Colours that are readable on light and dark backgrounds.
fn tint(mark: Mark) -> Option<&'static str> {
    match mark {
        Mark::Plain => None,
        Mark::Instead => Some("rgba(0, 150, 200, 0.25)"),
        Mark::Took => Some("rgba(240, 170, 0, 0.3)"),
        Mark::Failing => Some("rgba(220, 40, 40, 0.3)"),
    }
}

/// Escapes characters that are special in Mermaid or HTML by their numbers.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            c if c.is_alphanumeric() || " .,_()[]{}\"'!?=+-/*…✗".contains(c) => escaped.push(c),
            c => escaped += &format!("#{};", u32::from(c)),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_mermaid_cannot_have_is_escaped() {
        assert_eq!(
            escape("a;b#c<d>%%{\"e\"}: \\n"),
            "a#59;b#35;c#60;d#62;#37;#37;{\"e\"}#58; #92;n"
        );
        assert_eq!(escape("Done(1) …"), "Done(1) …");
    }
}
