//! A diagram as a self-contained SVG picture, which follows the reader's light or dark mode.

use super::canvas::{clip, columns};
use super::limit::{Limits, gap};
use super::{Diagram, Flight, Mark, Row, What};
use crate::files::SVG_MARK;
use crate::xml::{attribute, escape};
use std::collections::HashMap;
use std::fmt::Write;

const LIMITS: Limits = Limits {
    lanes: 60,
    first: 100,
    last: 400,
};
const MARGIN: usize = 24;
/// Lanes are no closer than this, and no farther apart.
const APART_MIN: usize = 120;
const APART_MAX: usize = 240;
const TITLE_HEIGHT: usize = 30;
const HEADER_HEIGHT: usize = 44;
const ROW_HEIGHT: usize = 30;
/// Approximate width of one column of text.
const COLUMN: usize = 7;
/// Texts beside a lane are no longer than this, in columns.
const TEXT_MAX: usize = 90;

const STYLE: &str = "\
text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#1f2328}\
.ground{fill:#fff}\
.title{font-weight:600;font-size:13px}\
.name{font-weight:600}.faint,.role{fill:#59636e}\
.label{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}\
.box{fill:#f6f8fa;stroke:#8c959f}\
.lane{stroke:#b7bfc8;stroke-width:1.5}\
.line{stroke:#57606a;stroke-width:1.3;fill:none}.dot,.head{fill:#57606a}\
.spawn{stroke:#8c959f;stroke-dasharray:2 3}\
.open{fill:#fff;stroke:#57606a;stroke-width:1.3}\
.took .line{stroke:#b35900;stroke-width:2.6}.took .dot,.took text,.head.took{fill:#b35900}\
.took .open{stroke:#b35900;stroke-width:2.6}\
.took text,.instead text,.failing text{font-weight:600}\
.instead .line{stroke:#0969da;stroke-width:2;stroke-dasharray:6 4}\
.instead .dot,.instead text,.head.instead{fill:#0969da}\
.failing .line{stroke:#cf222e;stroke-width:2.6}.failing text,.failing .dot{fill:#cf222e}\
@media (prefers-color-scheme:dark){\
text{fill:#e6edf3}.ground{fill:#0d1117}.faint,.role{fill:#9198a1}\
.label{stroke:#0d1117}.box{fill:#161b22;stroke:#6e7681}.lane{stroke:#484f58}\
.line{stroke:#9198a1}.dot,.head{fill:#9198a1}.spawn{stroke:#6e7681}\
.open{fill:#0d1117;stroke:#9198a1}\
.took .line,.took .open{stroke:#e3a008}.took .dot,.took text,.head.took{fill:#e3a008}\
.instead .line{stroke:#58a6ff}.instead .dot,.instead text,.head.instead{fill:#58a6ff}\
.failing .line{stroke:#ff7b72}.failing text,.failing .dot{fill:#ff7b72}}";

impl Diagram {
    /// The diagram as SVG. If it is long, its middle is left out and a note states how much.
    #[must_use]
    pub fn to_svg(&self, title: &str) -> String {
        let fits = self.fit(LIMITS);
        let drawing = Drawing::new(&fits);
        drawing.draw(title)
    }

    /// The distance between lanes at which most messages between neighbours are readable.
    fn apart(&self) -> usize {
        let between = self.rows.iter().filter_map(|row| match row.what {
            What::Send { to, .. } if to.abs_diff(row.lane) == 1 => Some(columns(&row.text)),
            _ => None,
        });
        let names = self.lanes.iter().map(|lane| columns(&lane.name) + 2);
        let widest = between.chain(names).max().unwrap_or(0);
        (widest * COLUMN + 44).clamp(APART_MIN, APART_MAX)
    }
}

struct Drawing<'d> {
    diagram: &'d Diagram,
    apart: usize,
    /// The row in which each message is taken, if that is later than it is sent.
    taken_in: HashMap<usize, usize>,
    sent_in: HashMap<usize, usize>,
    lines: String,
    /// Texts are drawn last, on top of the lines.
    texts: String,
    /// The rightmost coordinate drawn so far.
    right: usize,
}

impl<'d> Drawing<'d> {
    fn new(diagram: &'d Diagram) -> Self {
        let rows = diagram.rows.iter().enumerate();
        let takes = rows.filter_map(|(at, row)| match row.what {
            What::Take { id, .. } => Some((id, at)),
            _ => None,
        });
        let apart = diagram.apart();
        Drawing {
            diagram,
            apart,
            taken_in: takes.collect(),
            sent_in: diagram.sent_in(),
            lines: String::new(),
            texts: String::new(),
            right: MARGIN + diagram.lanes.len() * apart,
        }
    }

    fn x(&self, lane: usize) -> usize {
        MARGIN + self.apart / 2 + lane * self.apart
    }

    fn top(&self) -> usize {
        MARGIN / 2 + TITLE_HEIGHT + HEADER_HEIGHT
    }

    fn y(&self, row: usize) -> usize {
        self.top() + ROW_HEIGHT + row * ROW_HEIGHT
    }

    fn draw(mut self, title: &str) -> String {
        self.lanes();
        for (at, row) in self.diagram.rows.iter().enumerate() {
            self.row(at, row);
        }
        let legend = self.legend();
        let height = self.y(self.diagram.rows.len()) + MARGIN + ROW_HEIGHT / 2;
        let width = (self.right + MARGIN).max(MARGIN * 2 + columns(title) * 8);
        let marker = |class: &str| {
            format!(
                "<marker id=\"head-{class}\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" \
                 markerUnits=\"userSpaceOnUse\" markerWidth=\"11\" markerHeight=\"11\" \
                 orient=\"auto\"><path class=\"head {class}\" d=\"M0 0.5 10 5 0 9.5z\"/></marker>"
            )
        };
        let markers: String = ["plain", "took", "instead", "failing"].map(marker).concat();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <title>{title}</title>\n{SVG_MARK}\n<style>{STYLE}</style>\n<defs>{markers}</defs>\n\
             <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n\
             <text class=\"title\" x=\"{MARGIN}\" y=\"{y}\">{title}</text>\n\
             {}{}{legend}</svg>\n",
            self.lines,
            self.texts,
            title = escape(&crate::text::shorten(title, 300)),
            y = MARGIN / 2 + 14,
        )
    }

    fn lanes(&mut self) {
        let spans = self.diagram.spans();
        for (number, lane) in self.diagram.lanes.iter().enumerate() {
            let x = self.x(number);
            let (begin, end) = spans[number];
            let from = match lane.from_start {
                true => self.top(),
                false => self.y(begin),
            };
            let to = self.y(end) - ROW_HEIGHT * 2 / 5;
            if end < self.diagram.rows.len() {
                let _ = writeln!(
                    self.lines,
                    "<path class=\"lane\" d=\"M{} {to}h12\"/>",
                    x - 6
                );
            }
            let dashes = if lane.is_crowd {
                " stroke-dasharray=\"2 4\""
            } else {
                ""
            };
            let _ = writeln!(
                self.lines,
                "<line class=\"lane\" x1=\"{x}\" y1=\"{from}\" x2=\"{x}\" y2=\"{to}\"{dashes}/>"
            );
            let width = self.apart - 14;
            let left = x - width / 2;
            let y = MARGIN / 2 + TITLE_HEIGHT - 4;
            let available = width / COLUMN - 1;
            let name_y = if lane.pid.is_some() { y + 17 } else { y + 23 };
            let _ = writeln!(
                self.texts,
                "<g><title>{full}</title><rect class=\"box\" x=\"{left}\" y=\"{y}\" width=\"{width}\" \
                 height=\"38\" rx=\"6\"/><text class=\"name\" text-anchor=\"middle\" x=\"{x}\" \
                 y=\"{name_y}\">{name}</text>{role}</g>",
                full = escape(&lane.to_string()),
                name = escape(&clip(&lane.name, available)),
                role = lane.pid.as_ref().map_or_else(String::new, |role| format!(
                    "<text class=\"role\" text-anchor=\"middle\" x=\"{x}\" y=\"{}\">{}</text>",
                    y + 32,
                    escape(&clip(role, available))
                )),
            );
        }
    }

    fn row(&mut self, at: usize, row: &Row) {
        let class = class(row.mark);
        let (x, y) = (self.x(row.lane), self.y(at));
        let tip = match &row.place {
            Some(place) => format!("<title>{}: {}</title>", attribute(place), escape(&row.text)),
            None => format!("<title>{}</title>", escape(&row.text)),
        };
        match &row.what {
            What::Spawn { to } => {
                for &lane in to {
                    let _ = writeln!(
                        self.lines,
                        "<path class=\"line spawn\" marker-end=\"url(#head-plain)\" d=\"M{x} {y}H{}\"/>",
                        self.x(lane)
                    );
                }
                let text = match row.text.is_empty() {
                    true => "spawn",
                    false => row.text.as_str(),
                };
                let rightwards = to.iter().any(|&lane| self.x(lane) > x);
                self.label((x, y), rightwards, text, self.apart, "faint", "");
            }
            What::Send { to, end, .. } if *to == row.lane => {
                let never = match end {
                    Flight::Never => " (never received)",
                    _ => "",
                };
                self.dot((x, y), class, "dot", &tip);
                self.beside((x, y), &format!("sends itself {}{never}", row.text), class);
            }
            What::Send { to, id, end } => self.send((x, y), row, (*to, *id, *end), &tip),
            What::Take { id, from } => {
                if !self.sent_in.contains_key(id) {
                    // Its send is not shown.
                    let _ = writeln!(
                        self.lines,
                        "<g class=\"{class}\"><path class=\"line\" marker-end=\"url(#head-{class})\" \
                         d=\"M{} {}L{x} {y}\"/></g>",
                        x + 24,
                        y - 14
                    );
                }
                self.dot((x, y), class, "dot", &tip);
                // The text must not cover an arrow that comes from the right.
                let is_hit = from.is_some_and(|from| from > row.lane);
                let y = if is_hit { y + 9 } else { y };
                let text_class = if row.mark == Mark::Plain {
                    "plain faint"
                } else {
                    class
                };
                self.beside((x, y), &row.text, text_class);
            }
            What::Step if row.mark == Mark::Failing => {
                let _ = writeln!(
                    self.lines,
                    "<g class=\"failing\">{tip}<path class=\"line\" d=\"M{} {}l14 14m0 -14l-14 14\"/></g>",
                    x - 7,
                    y - 7
                );
                self.beside((x, y), &row.text, class);
            }
            What::Step => {
                self.dot((x, y), class, "open", &tip);
                self.beside((x, y), &row.text, class);
            }
            What::Gap { rows } => {
                let left = self.x(0).saturating_sub(self.apart / 2);
                let _ = writeln!(
                    self.texts,
                    "<rect class=\"ground\" x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\
                     <text class=\"faint\" x=\"{}\" y=\"{}\">{}</text>",
                    y - ROW_HEIGHT / 3,
                    self.apart * self.diagram.lanes.len(),
                    ROW_HEIGHT * 2 / 3,
                    self.x(0),
                    y + 4,
                    escape(&gap(*rows))
                );
            }
        }
    }

    fn send(
        &mut self,
        (x, y): (usize, usize),
        row: &Row,
        (to, id, end): (usize, usize, Flight),
        tip: &str,
    ) {
        let class = class(row.mark);
        let target = self.x(to);
        let rightwards = target > x;
        let taken = self.taken_in.get(&id).copied();
        let mut text = row.text.clone();
        let (end_x, end_y) = match (end, taken) {
            (Flight::Taken, _) => (target, y),
            (_, Some(taken)) => (target, self.y(taken)),
            (_, None) => {
                if end == Flight::Never {
                    text += " (never received)";
                }
                // The arrow ends early, because the message is never received.
                let short = 22;
                (
                    if rightwards {
                        target - short
                    } else {
                        target + short
                    },
                    y,
                )
            }
        };
        let _ = writeln!(
            self.lines,
            "<g class=\"{class}\">{tip}<path class=\"line\" marker-end=\"url(#head-{class})\" \
             d=\"M{x} {y}L{end_x} {end_y}\"/><circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"3\"/></g>"
        );
        if end == Flight::Taken {
            self.dot((target, y), class, "dot", tip);
        }
        let available = x.abs_diff(target);
        // A steep line leaves less space beside its start.
        let steep = end_y > y + ROW_HEIGHT * 2;
        let available = if steep {
            available.max(self.apart)
        } else {
            available
        };
        self.label((x, y), rightwards, &text, available, class, tip);
    }

    /// Writes a text above the start of a line.
    fn label(
        &mut self,
        (x, y): (usize, usize),
        rightwards: bool,
        text: &str,
        available: usize,
        class: &str,
        tip: &str,
    ) {
        let text = clip(text, (available.saturating_sub(36) / COLUMN).max(4));
        let (x, anchor) = match rightwards {
            true => (x + 9, "start"),
            false => (x - 9, "end"),
        };
        let _ = writeln!(
            self.texts,
            "<g class=\"{class}\">{tip}<text class=\"label {class}\" text-anchor=\"{anchor}\" x=\"{x}\" \
             y=\"{}\">{}</text></g>",
            y - 5,
            escape(&text)
        );
    }

    fn dot(&mut self, (x, y): (usize, usize), class: &str, shape: &str, tip: &str) {
        let _ = writeln!(
            self.lines,
            "<g class=\"{class}\">{tip}<circle class=\"{shape}\" cx=\"{x}\" cy=\"{y}\" r=\"4.5\"/></g>"
        );
    }

    /// Writes a text to the right of a lane.
    fn beside(&mut self, (x, y): (usize, usize), text: &str, class: &str) {
        let text = clip(text, TEXT_MAX);
        let x = x + 11;
        self.right = self.right.max(x + columns(&text) * 8);
        let _ = writeln!(
            self.texts,
            "<g class=\"{class}\"><text class=\"label {class}\" x=\"{x}\" y=\"{}\">{}</text></g>",
            y + 4,
            escape(&text)
        );
    }

    fn legend(&mut self) -> String {
        let y = self.y(self.diagram.rows.len()) + ROW_HEIGHT / 2;
        let mut x = MARGIN;
        let mut legend = String::new();
        for (mark, words) in [
            (Mark::Took, "the choice that leads to the error"),
            (Mark::Instead, "what could have been taken instead"),
            (Mark::Failing, "where it fails"),
        ] {
            if !self.diagram.has(mark) {
                continue;
            }
            let class = class(mark);
            let sign = match mark {
                Mark::Failing => format!(
                    "<path class=\"line\" d=\"M{} {}l10 10m0 -10l-10 10\"/>",
                    x + 8,
                    y - 9
                ),
                _ => format!("<path class=\"line\" d=\"M{x} {}h24\"/>", y - 4),
            };
            let _ = writeln!(
                legend,
                "<g class=\"{class}\">{sign}<text x=\"{}\" y=\"{y}\">{words}</text></g>",
                x + 30
            );
            x += 30 + words.len() * 8 + 24;
        }
        self.right = self.right.max(x);
        legend
    }
}

fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Plain => "plain",
        Mark::Instead => "instead",
        Mark::Took => "took",
        Mark::Failing => "failing",
    }
}
