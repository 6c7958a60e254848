//! The lines of the source that events point to.

use crate::files::read_source;
use crate::text::{file_of, parts, shorten};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

/// The maximum length of a line; longer ones are cut.
const LINE_MAX: usize = 300;

/// Reads each file once, and keeps the requested lines.
pub(super) struct Sources<'s> {
    files: &'s [PathBuf],
    read: HashMap<&'s PathBuf, Vec<String>>,
    lines: BTreeMap<String, String>,
}

impl<'s> Sources<'s> {
    pub(super) fn new(files: &'s [PathBuf]) -> Self {
        Sources {
            files,
            read: HashMap::new(),
            lines: BTreeMap::new(),
        }
    }

    /// Keeps the line at a place, `file:line`, if it can be read.
    pub(super) fn keep(&mut self, place: &str) {
        if !self.lines.contains_key(place)
            && let Some(line) = self.find(place)
        {
            self.lines.insert(place.to_owned(), line);
        }
    }

    fn find(&mut self, place: &str) -> Option<String> {
        let (file, line) = parts(place)?;
        let file = file_of(self.files, file)?;
        let text = self.read.entry(file).or_insert_with(|| {
            let text = read_source(file).unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        });
        let line = text.get(line.checked_sub(1)?)?;
        Some(shorten(line.trim_end(), LINE_MAX))
    }

    /// The lines, by place.
    pub(super) fn lines(self) -> BTreeMap<String, String> {
        self.lines
    }
}
