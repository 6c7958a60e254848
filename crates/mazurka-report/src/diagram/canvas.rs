//! One line of a terminal, drawn cell by cell.

use anstyle::Style;
use unicode_width::UnicodeWidthChar;

/// A line of a fixed number of columns.
pub(super) struct Canvas {
    cells: Vec<Cell>,
}

#[derive(Clone, Copy)]
struct Cell {
    /// `None` in the second half of a wide character.
    glyph: Option<char>,
    style: Style,
}

impl Canvas {
    pub fn new(width: usize) -> Canvas {
        let blank = Cell {
            glyph: Some(' '),
            style: Style::new(),
        };
        Canvas {
            cells: vec![blank; width],
        }
    }

    /// Draws a glyph that is one column wide. Columns outside the line are ignored.
    pub fn put(&mut self, x: usize, glyph: char, style: Style) {
        // Overwriting half of a wide character removes the other half.
        if let Some(next) = self.cells.get_mut(x + 1)
            && next.glyph.is_none()
        {
            next.glyph = Some(' ');
        }
        if x > 0 && self.cells.get(x).is_some_and(|cell| cell.glyph.is_none()) {
            self.cells[x - 1].glyph = Some(' ');
        }
        if let Some(cell) = self.cells.get_mut(x) {
            *cell = Cell {
                glyph: Some(glyph),
                style,
            };
        }
    }

    /// Draws the same glyph in all these columns.
    pub fn fill(&mut self, columns: std::ops::Range<usize>, glyph: char, style: Style) {
        for x in columns {
            self.put(x, glyph, style);
        }
    }

    /// Writes a text from a column on.
    pub fn write(&mut self, x: usize, text: &str, style: Style) {
        let mut x = x;
        for c in text.chars() {
            match c.width() {
                Some(1) => self.put(x, c, style),
                Some(2) if x + 1 < self.cells.len() => {
                    self.put(x, c, style);
                    self.put(x + 1, ' ', style);
                    self.cells[x + 1].glyph = None;
                }
                Some(2) => self.put(x, ' ', style),
                // Characters without width, or that move the cursor, are left out.
                _ => continue,
            }
            x += c.width().unwrap_or(0);
        }
    }

    /// The line with its colours, without blanks at its end.
    pub fn finish(self) -> String {
        let blank = |cell: &Cell| cell.glyph == Some(' ');
        let end = self.cells.iter().rposition(|cell| !blank(cell));
        let mut line = String::new();
        let mut style = Style::new();
        for cell in &self.cells[..end.map_or(0, |end| end + 1)] {
            if cell.style != style {
                line += &format!("{style:#}{}", cell.style);
                style = cell.style;
            }
            line.extend(cell.glyph);
        }
        line + &format!("{style:#}")
    }
}

/// The width of a text in columns.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// A text, cut to at most `width` columns.
pub(super) fn clip(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut clipped = String::new();
    let mut left = width.saturating_sub(1);
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if wide > left {
            break;
        }
        left -= wide;
        clipped.push(c);
    }
    if width > 0 {
        clipped.push('…');
    }
    clipped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(width: usize, draw: impl FnOnce(&mut Canvas)) -> String {
        let mut canvas = Canvas::new(width);
        draw(&mut canvas);
        canvas.finish()
    }

    #[test]
    fn nothing_is_drawn_outside() {
        let plain = Style::new();
        assert_eq!(line(3, |c| c.write(1, "abcdef", plain)), " ab");
        assert_eq!(line(0, |c| c.put(5, 'x', plain)), "");
        assert_eq!(line(3, |c| c.write(0, "a日本", plain)), "a日");
        assert_eq!(line(4, |c| c.write(1, "日本", plain)), " 日");
    }

    #[test]
    fn half_a_wide_character_is_none() {
        let plain = Style::new();
        let over = |x: usize| {
            line(4, |c| {
                c.write(0, "日本", plain);
                c.put(x, '|', plain);
            })
        };
        assert_eq!(over(0), "| 本");
        assert_eq!(over(1), " |本");
        assert_eq!(over(2), "日|");
    }

    #[test]
    fn clips_by_columns() {
        assert_eq!(clip("日本", 4), "日本");
        assert_eq!(clip("日本", 3), "日…");
        assert_eq!(clip("abc", 2), "a…");
        assert_eq!(clip("abc", 0), "");
        assert_eq!(clip("a\u{301}b", 2), "a\u{301}b");
    }
}
