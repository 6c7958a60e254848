//! Source lines, chunk `Line`.

use super::compact::{self, tag};
use crate::bytes::{Problem, Reader, Reading};
use crate::term::Atom;

/// The source lines of a module's instructions.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    files: Vec<String>,
    locations: Vec<(u32, u32)>,
}

/// A line of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location<'a> {
    /// The file name that the compiler was given.
    pub file: &'a str,
    /// The line number, from 1.
    pub line: u32,
}

impl Lines {
    /// The location that a `line` instruction refers to by this index; 0 refers to none.
    pub fn get(&self, index: u64) -> Option<Location<'_>> {
        let index = usize::try_from(index).ok()?.checked_sub(1)?;
        let &(file, line) = self.locations.get(index)?;
        let file = self.files.get(file as usize)?;
        Some(Location { file, line })
    }

    /// The number of locations.
    pub fn len(&self) -> usize {
        self.locations.len()
    }

    /// Whether there are no locations.
    pub fn is_empty(&self) -> bool {
        self.locations.is_empty()
    }
}

const VERSION: u32 = 0;

pub(super) fn read(reader: &mut Reader<'_>, module: Atom) -> Reading<Lines> {
    if reader.u32()? != VERSION {
        return Err(reader.fault(Problem::Expected("version 0 of the line table")));
    }
    // Since OTP 27 the flags describe native coverage, which this machine does not implement.
    let _flags = reader.u32()?;
    let _instructions = reader.u32()?;
    let line_count = reader.u32()?;
    let file_count = reader.u32()?;
    let line_count = reader.check_count(line_count.into(), 1)?;
    let mut locations = Vec::with_capacity(line_count);
    let mut file = 0;
    while locations.len() < line_count {
        let tagged = compact::read(reader)?;
        let number = tagged.unsigned().and_then(|n| u32::try_from(n).ok());
        match (tagged.tag(), number) {
            (tag::INTEGER, Some(line)) => locations.push((file, line)),
            // The lines that follow belong to this file.
            (tag::ATOM, Some(index)) if index <= file_count => file = index,
            _ => return Err(reader.fault(Problem::Expected("a line or a file"))),
        }
    }
    let file_count = reader.check_count(file_count.into(), 2)?;
    // File 0 is the module's own source file, which has no entry in the table.
    let mut files = vec![format!("{}.erl", module.name())];
    for _ in 0..file_count {
        let length = reader.u16()?;
        let name = String::from_utf8(reader.take(length.into())?.to_vec());
        files.push(name.map_err(|_| reader.fault(Problem::NotUtf8))?);
    }
    Ok(Lines { files, locations })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_two_files() {
        let mut bytes = Vec::new();
        for word in [0_u32, 1, 5, 3, 1] {
            bytes.extend(word.to_be_bytes());
        }
        bytes.extend([0x71, 0x12, 0x81, 0x91, 0, 3]);
        bytes.extend(b"x.h");
        let lines = read(&mut Reader::new(&bytes), Atom::OK).expect("lines");
        let check = |index, expected: Option<(&str, u32)>| {
            let found = lines.get(index).map(|l| (l.file, l.line));
            assert_eq!(found, expected);
        };
        check(0, None);
        check(1, Some(("ok.erl", 7)));
        check(2, Some(("x.h", 8)));
        check(3, Some(("x.h", 9)));
        check(4, None);
        for length in 0..bytes.len() {
            assert!(read(&mut Reader::new(&bytes[..length]), Atom::OK).is_err());
        }
    }
}
