//! A diagram on a terminal.

use super::canvas::{Canvas, clip, columns};
use super::limit::{Limits, gap};
use super::{Diagram, Flight, Mark, Row, What};
use crate::text::style;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

const INDENT: usize = 4;
/// Lanes are no closer than this, and no farther apart.
const APART_MIN: usize = 10;
const APART_MAX: usize = 36;
/// On narrower terminals, the terminal breaks the lines.
const WIDTH_MIN: usize = 30;
/// A text with less space than this moves to the side with more.
const ROOM_FOR_TEXT: usize = 24;
const FIRST: usize = 20;
const LAST: usize = 80;

impl Diagram {
    /// Writes the diagram, with colours, for a terminal of this width.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write(&self, out: &mut impl Write, width: usize) -> io::Result<()> {
        let width = width.max(WIDTH_MIN) - INDENT;
        let fits = self.fit(Limits {
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
            .chain(fits.legend(width))
        {
            let line = format!("{:INDENT$}{line}", "");
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Explains the signs that occur in the diagram.
    fn legend(&self, width: usize) -> Vec<String> {
        let marked = |mark, sign, words| (self.has(mark), colour(mark), sign, words);
        let flies = |wanted| {
            let mut ends = self.rows.iter().filter_map(|row| match row.what {
                What::Send { end, to, .. } if to != row.lane => Some(end),
                _ => None,
            });
            ends.any(|end| end == wanted)
        };
        let entries = [
            (flies(Flight::Later), style::FAINT, "▷", "received later"),
            (flies(Flight::Never), style::FAINT, "╳", "never received"),
            marked(Mark::Took, "◆", "the choice that leads to the error"),
            marked(Mark::Instead, "╌", "what could have been taken instead"),
            marked(Mark::Failing, "✗", "where it fails"),
        ];
        let mut lines: Vec<String> = Vec::new();
        let mut available = 0;
        for (_, style, sign, words) in entries.iter().filter(|entry| entry.0) {
            let words = clip(words, width.saturating_sub(2));
            let entry = format!("{style}{sign}{style:#} {words}");
            let wide = columns(&words) + 2;
            match lines.last_mut() {
                Some(line) if wide + 3 <= available => {
                    *line += &format!("   {entry}");
                    available -= wide + 3;
                }
                _ => {
                    lines.push(entry);
                    available = width.saturating_sub(wide);
                }
            }
        }
        if !lines.is_empty() {
            lines.insert(0, String::new());
        }
        lines
    }
}

fn head(end: Flight, taken: char, later: char) -> char {
    match end {
        Flight::Taken => taken,
        Flight::Later => later,
        Flight::Never => '╳',
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
            let available = self.apart.saturating_sub(1).max(1);
            names.write(self.x(number), &clip(&lane.name, available), style::BOLD);
            if let Some(role) = &lane.pid {
                roles.write(self.x(number), &clip(role, available), style::FAINT);
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
        rows.flat_map(|(at, row)| self.row(at, row)).collect()
    }

    /// A line with only the lanes that exist in this row.
    fn lanes(&self, at: usize) -> Canvas {
        let mut canvas = Canvas::new(self.width);
        for (lane, &(begin, end)) in self.spans.iter().enumerate() {
            if begin <= at && at <= end {
                let line = if at < end { '│' } else { '┴' };
                canvas.put(self.x(lane), line, style::FAINT);
            }
        }
        canvas
    }

    fn row(&self, at: usize, row: &Row) -> Vec<String> {
        let mut canvas = self.lanes(at);
        match &row.what {
            What::Spawn { to } => self.spawn(&mut canvas, row, to),
            What::Send { to, end, .. } if *to == row.lane => {
                let never = match end {
                    Flight::Never => " (never received)",
                    _ => "",
                };
                let text = format!("sends itself {}{never}", row.text);
                return self.beside(at, row, '○', &text);
            }
            What::Send { to, end, .. } => self.send(&mut canvas, row, *to, *end),
            What::Take { .. } => {
                let sign = if row.mark == Mark::Took { '◆' } else { '●' };
                return self.beside(at, row, sign, &row.text);
            }
            What::Step => {
                let sign = match row.mark {
                    Mark::Failing => '✗',
                    Mark::Took => '◆',
                    _ => '○',
                };
                return self.beside(at, row, sign, &row.text);
            }
            What::Gap { rows } => {
                canvas.fill(0..self.width, ' ', Style::new());
                canvas.write(0, &clip(&gap(*rows), self.width), style::FAINT);
            }
        }
        vec![canvas.finish()]
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
        let text = clip(text, self.apart.saturating_sub(6));
        match rightwards {
            true => {
                canvas.put(from, '├', style);
                canvas.write(from + 2, &format!(" {text} "), style);
            }
            false => {
                canvas.put(from, '┤', style);
                let start = from.saturating_sub(columns(&text) + 3);
                canvas.write(start, &format!(" {text} "), style);
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
        // 6 columns: a blank on both sides, a piece of line, and the arrowhead.
        let text = clip(&row.text, (right - left).saturating_sub(6));
        let text = format!(" {text} ");
        match rightwards {
            true => {
                canvas.put(from, '├', style);
                canvas.write(from + 2, &text, style);
                canvas.put(x - 1, head(end, '▶', '▷'), style);
            }
            false => {
                canvas.put(from, '┤', style);
                canvas.write(from.saturating_sub(1 + columns(&text)), &text, style);
                canvas.put(x + 1, head(end, '◀', '◁'), style);
            }
        }
        if end == Flight::Taken {
            canvas.put(x, '●', style);
        }
    }

    /// A sign on a lane and a text beside it, on the wider side if it does not fit on the right. An
    /// important text may take several lines.
    fn beside(&self, at: usize, row: &Row, sign: char, text: &str) -> Vec<String> {
        let style = colour(row.mark);
        let x = self.x(row.lane);
        let right = self.width.saturating_sub(x + 2);
        // Between the first lane and this one, with blanks.
        let left = x.saturating_sub(3);
        let is_right = columns(text) <= right || right >= ROOM_FOR_TEXT.max(left);
        let available = if is_right { right } else { left };
        let lines = match row.mark {
            Mark::Plain => vec![clip(text, available)],
            _ => wrap(text, available),
        };
        let mut written = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let mut canvas = self.lanes(at);
            if number == 0 {
                canvas.put(x, sign, style);
            }
            let start = match is_right {
                true => x + 1,
                false => x.saturating_sub(columns(line) + 2),
            };
            canvas.write(start, &format!(" {line} "), style);
            written.push(canvas.finish());
        }
        written
    }
}

/// Splits a text into up to three lines, at blanks if possible.
fn wrap(text: &str, width: usize) -> Vec<String> {
    const LINES: usize = 3;
    let mut lines = Vec::new();
    let mut rest = text.trim();
    while lines.len() + 1 < LINES && columns(rest) > width {
        let mut cut = 0;
        let mut available = width;
        for (at, c) in rest.char_indices() {
            let wide = columns(c.encode_utf8(&mut [0; 4]));
            if c == ' ' {
                cut = at;
            }
            if wide > available {
                break;
            }
            available -= wide;
        }
        if cut == 0 {
            break;
        }
        lines.push(rest[..cut].to_owned());
        rest = rest[cut..].trim_start();
    }
    lines.push(clip(rest, width));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_at_blanks() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("one two three four five", 5), ["one", "two", "thre…"]);
        assert_eq!(wrap("unbreakable", 5), ["unbr…"]);
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(wrap("a b", 0), [""]);
    }
}
