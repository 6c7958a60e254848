//! A diagram on a terminal.

use super::canvas::{Canvas, clip, columns};
use super::limit::{Room, gap};
use super::{Diagram, Flight, Mark, Row, What};
use crate::text::style;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

const INDENT: usize = 4;
/// Lanes are no closer than this, and no farther apart.
const APART_MIN: usize = 10;
const APART_MAX: usize = 36;
/// Narrower terminals have to break lines.
const WIDTH_MIN: usize = 30;
/// A text with less room than this goes to where there is more.
const ROOM_FOR_TEXT: usize = 24;
const FIRST: usize = 20;
const LAST: usize = 80;

impl Diagram {
    /// Writes it for a terminal of this width. It has colours in it.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write(&self, out: &mut impl Write, width: usize) -> io::Result<()> {
        let width = width.max(WIDTH_MIN) - INDENT;
        let fits = self.fit(Room {
            lanes: width / APART_MIN,
            first: FIRST,
            last: LAST,
        });
        let apart = (width / fits.lanes.len().max(1)).clamp(1, APART_MAX);
        let pen = Pen {
            diagram: &fits,
            apart,
            width,
            spans: fits.spans(),
        };
        for line in pen
            .header()
            .into_iter()
            .chain(pen.rows())
            .chain(fits.legend())
        {
            let line = format!("{:INDENT$}{line}", "");
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// What the marks mean, if there are any.
    fn legend(&self) -> Option<String> {
        let entry = |mark, sign: &str, words: &str| {
            let shown = self.has(mark);
            let style = colour(mark);
            shown.then(|| format!("{style}{sign}{style:#} {words}"))
        };
        let entries = [
            entry(Mark::Took, "◆━", "the choice that leads to the error"),
            entry(Mark::Instead, "╌╌", "what could have been taken instead"),
            entry(Mark::Failing, "✗", "where it fails"),
        ];
        let entries: Vec<String> = entries.into_iter().flatten().collect();
        (!entries.is_empty()).then(|| entries.join("   "))
    }
}

fn colour(mark: Mark) -> Style {
    match mark {
        Mark::Plain => Style::new(),
        Mark::Instead => AnsiColor::Cyan.on_default().bold(),
        Mark::Took => style::WARN,
        Mark::Failing => style::BAD,
    }
}

struct Pen<'d> {
    diagram: &'d Diagram,
    apart: usize,
    width: usize,
    spans: Vec<(usize, usize)>,
}

impl Pen<'_> {
    fn x(&self, lane: usize) -> usize {
        lane * self.apart
    }

    /// The names, and below them the roles.
    fn header(&self) -> Vec<String> {
        let mut names = Canvas::new(self.width);
        let mut roles = Canvas::new(self.width);
        let mut has_roles = false;
        for (number, lane) in self.diagram.lanes.iter().enumerate() {
            let room = self.apart.saturating_sub(1).max(1);
            names.write(self.x(number), &clip(&lane.name, room), style::BOLD);
            if let Some(role) = &lane.role {
                roles.write(self.x(number), &clip(role, room), style::FAINT);
                has_roles = true;
            }
        }
        let mut lines = vec![names.finish()];
        if has_roles {
            lines.push(roles.finish());
        }
        lines
    }

    fn rows(&self) -> Vec<String> {
        let rows = self.diagram.rows.iter().enumerate();
        rows.map(|(at, row)| self.row(at, row)).collect()
    }

    fn row(&self, at: usize, row: &Row) -> String {
        let mut canvas = Canvas::new(self.width);
        for (lane, &(begin, end)) in self.spans.iter().enumerate() {
            if begin <= at && at < end {
                canvas.put(self.x(lane), '│', style::FAINT);
            }
        }
        let style = colour(row.mark);
        let x = self.x(row.lane);
        match &row.what {
            What::Spawn { to } => self.spawn(&mut canvas, row, to),
            What::Send { to, end, .. } if *to == row.lane => {
                let text = match end {
                    Flight::Never => format!("sends itself {} (never received)", row.text),
                    _ => format!("sends itself {}", row.text),
                };
                canvas.put(x, '○', style);
                self.text(&mut canvas, row.lane, &text, style);
            }
            What::Send { to, end, .. } => self.send(&mut canvas, row, *to, *end),
            What::Take { .. } => {
                let sign = if row.mark == Mark::Took { '◆' } else { '●' };
                canvas.put(x, sign, style);
                self.text(&mut canvas, row.lane, &row.text, style);
            }
            What::Step => {
                let sign = match row.mark {
                    Mark::Failing => '✗',
                    Mark::Took => '◆',
                    _ => '○',
                };
                canvas.put(x, sign, style);
                self.text(&mut canvas, row.lane, &row.text, style);
            }
            What::End { lanes } => {
                for &lane in lanes {
                    canvas.put(self.x(lane), '┴', style::FAINT);
                }
            }
            What::Gap { rows } => {
                canvas.fill(0..self.width, ' ', Style::new());
                canvas.write(0, &clip(&gap(*rows), self.width), style::FAINT);
            }
        }
        canvas.finish()
    }

    fn spawn(&self, canvas: &mut Canvas, row: &Row, to: &[usize]) {
        let style = style::FAINT;
        let from = self.x(row.lane);
        for &lane in to {
            let x = self.x(lane);
            match x > from {
                true => {
                    canvas.fill(from + 1..x, '─', style);
                }
                false => canvas.fill(x + 1..from, '─', style),
            }
        }
        for &lane in to {
            let x = self.x(lane);
            match x > from {
                true => canvas.put(x.saturating_sub(1), '▶', style),
                false => canvas.put(x + 1, '◀', style),
            }
            canvas.put(x, '┬', style);
        }
        let rightwards = to.iter().any(|&lane| self.x(lane) > from);
        let text = match row.text.is_empty() {
            true => "spawn",
            false => row.text.as_str(),
        };
        let text = clip(text, self.apart.saturating_sub(4));
        match rightwards {
            true => {
                canvas.put(from, '├', style);
                canvas.write(from + 2, &text, style);
            }
            false => {
                canvas.put(from, '┤', style);
                let start = from.saturating_sub(columns(&text) + 1);
                canvas.write(start, &text, style);
            }
        }
    }

    fn send(&self, canvas: &mut Canvas, row: &Row, to: usize, end: Flight) {
        let style = colour(row.mark);
        let (from, x) = (self.x(row.lane), self.x(to));
        let line = match row.mark {
            Mark::Took => '━',
            Mark::Instead => '╌',
            _ => '─',
        };
        let rightwards = x > from;
        let (left, right) = (from.min(x), from.max(x));
        canvas.fill(left + 1..right, line, style);
        let text = match end {
            Flight::Never => format!("{} (never received)", row.text),
            _ => row.text.clone(),
        };
        // A blank on both sides, a bit of line before, and the head.
        let text = clip(&text, (right - left).saturating_sub(6));
        let text = format!(" {text} ");
        match rightwards {
            true => {
                canvas.put(from, '├', style);
                canvas.write(from + 2, &text, style);
                canvas.put(x - 1, if end == Flight::Taken { '▶' } else { '▷' }, style);
            }
            false => {
                canvas.put(from, '┤', style);
                canvas.write(from.saturating_sub(1 + columns(&text)), &text, style);
                canvas.put(x + 1, if end == Flight::Taken { '◀' } else { '◁' }, style);
            }
        }
        if end == Flight::Taken {
            canvas.put(x, '●', style);
        }
    }

    /// A text beside a lane, on the side that has room for it.
    fn text(&self, canvas: &mut Canvas, lane: usize, text: &str, style: Style) {
        let x = self.x(lane);
        let right = self.width.saturating_sub(x + 2);
        let left = x.saturating_sub(1);
        let wanted = columns(text);
        if wanted <= right || right >= ROOM_FOR_TEXT.max(left) {
            let text = clip(text, right);
            canvas.write(x + 1, &format!(" {text} "), style);
        } else {
            let text = clip(text, left.saturating_sub(1));
            let start = left.saturating_sub(columns(&text) + 1);
            canvas.write(start, &format!(" {text} "), style);
        }
    }
}
