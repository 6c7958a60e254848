//! Tables for people, documents and spreadsheets.

use crate::args::TableFormat;
use mazurka_report::text::{style, styled};
use std::fmt::Display;
use std::io::{self, Write};

/// A table.
#[derive(Debug)]
pub struct Table {
    columns: &'static [Column],
    rows: Vec<Vec<Cell>>,
}

/// A column.
#[derive(Debug)]
pub struct Column {
    name: &'static str,
    is_number: bool,
}

impl Column {
    /// A column of words.
    pub const fn words(name: &'static str) -> Column {
        Column {
            name,
            is_number: false,
        }
    }

    /// A column of numbers.
    pub const fn numbers(name: &'static str) -> Column {
        Column {
            name,
            is_number: true,
        }
    }
}

/// The content of one cell.
#[derive(Clone, Debug)]
pub struct Cell {
    text: Option<String>,
    at_least: bool,
}

impl Cell {
    /// A cell with a word or a number.
    pub fn new(content: impl Display) -> Cell {
        Cell::maybe(Some(content))
    }

    /// A cell that may be empty.
    pub fn maybe(content: Option<impl Display>) -> Cell {
        Cell {
            text: content.map(|content| content.to_string()),
            at_least: false,
        }
    }

    /// Marks the number as a lower bound, or not.
    pub fn at_least(self, at_least: bool) -> Cell {
        Cell { at_least, ..self }
    }

    /// The cell as text.
    fn shown(&self) -> String {
        match &self.text {
            None => "-".to_owned(),
            Some(text) if self.at_least => format!(">={text}"),
            Some(text) => text.clone(),
        }
    }
}

impl Table {
    /// A table without rows.
    pub fn new(columns: &'static [Column]) -> Table {
        let rows = Vec::new();
        Table { columns, rows }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<Cell>) {
        assert_eq!(row.len(), self.columns.len(), "a cell for each column");
        self.rows.push(row);
    }

    /// Writes the table, or `object` if the format is JSON.
    pub fn write(
        &self,
        out: &mut impl Write,
        format: TableFormat,
        object: &impl serde::Serialize,
    ) -> anyhow::Result<()> {
        match format {
            TableFormat::Text => self.write_text(out)?,
            TableFormat::Markdown => self.write_markdown(out)?,
            TableFormat::Csv => self.write_csv(out)?,
            TableFormat::Json => writeln!(out, "{}", serde_json::to_string_pretty(object)?)?,
        }
        Ok(())
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let widths = self.widths();
        let line = |cells: Vec<String>| {
            let cells = cells.iter().zip(self.columns).zip(&widths);
            let padded: Vec<String> = cells
                .map(|((cell, column), &width)| match column.is_number {
                    true => format!("{cell:>width$}"),
                    false => format!("{cell:<width$}"),
                })
                .collect();
            padded.join("  ").trim_end().to_owned()
        };
        let names = self.columns.iter().map(|column| column.name.to_owned());
        writeln!(out, "{}", styled(style::BOLD, line(names.collect())))?;
        for row in &self.rows {
            writeln!(out, "{}", line(row.iter().map(Cell::shown).collect()))?;
        }
        Ok(())
    }

    fn widths(&self) -> Vec<usize> {
        let width = |at: usize| {
            let cells = self.rows.iter().map(|row| row[at].shown().chars().count());
            cells.chain([self.columns[at].name.len()]).max()
        };
        (0..self.columns.len())
            .map(|at| width(at).unwrap_or_default())
            .collect()
    }

    fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let names = self.columns.iter().map(|column| column.name.to_owned());
        writeln!(out, "{}", line(names.collect()))?;
        let rules = self.columns.iter().map(|column| match column.is_number {
            true => "---:".to_owned(),
            false => "---".to_owned(),
        });
        writeln!(out, "{}", line(rules.collect()))?;
        for row in &self.rows {
            let cells = row.iter().map(|cell| cell.shown().replace('|', "\\|"));
            writeln!(out, "{}", line(cells.collect()))?;
        }
        Ok(())
    }

    /// A lower bound is written as text (`>=5`), so that a spreadsheet does not add it up as a number.
    fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let names = self.columns.iter().map(|column| csv(column.name));
        writeln!(out, "{}", names.collect::<Vec<_>>().join(","))?;
        for row in &self.rows {
            let cells = row.iter().map(|cell| match &cell.text {
                None => String::new(),
                Some(_) => csv(&cell.shown()),
            });
            writeln!(out, "{}", cells.collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    }
}

/// Quotes a field as RFC 4180 requires.
fn csv(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: TableFormat, expected: &str) {
        const COLUMNS: [Column; 3] = [
            Column::words("name"),
            Column::numbers("n"),
            Column::words("why"),
        ];
        let mut table = Table::new(&COLUMNS);
        table.push(vec![
            Cell::new("a,b"),
            Cell::new(1234),
            Cell::maybe(None::<u64>),
        ]);
        table.push(vec![
            Cell::new("c|d"),
            Cell::new(5).at_least(true),
            Cell::new("x"),
        ]);
        let mut out = anstream::StripStream::new(Vec::new());
        table.write(&mut out, format, &[1]).unwrap();
        assert_eq!(String::from_utf8(out.into_inner()).unwrap(), expected);
    }

    #[test]
    fn formats() {
        check(
            TableFormat::Text,
            "name     n  why\na,b   1234  -\nc|d    >=5  x\n",
        );
        check(
            TableFormat::Markdown,
            "| name | n | why |\n| --- | ---: | --- |\n| a,b | 1234 | - |\n| c\\|d | >=5 | x |\n",
        );
        check(TableFormat::Csv, "name,n,why\n\"a,b\",1234,\nc|d,>=5,x\n");
        check(TableFormat::Json, "[\n  1\n]\n");
    }
}
