//! Tokens: a log as one word, short enough for a command line.
//!
//! A token is `mz1:` followed by letters, digits, `-` and `_`. They encode a checksum, a length,
//! and the log as numbers, which take four bits each if they are small ([`nibbles`]). Each name is
//! written once and then referred to by its number. So an input of a process takes little more than
//! one character. The length and the checksum detect tokens that were cut off or mistyped.

mod letters;
mod nibbles;

use nibbles::{Broken, Reader, Writer};

use crate::name::process_of_liveness;
use crate::{Delivery, Log, LogEntry, LoggedError, Params, ProcessName, Tag};
use std::collections::{BTreeMap, HashMap};
use thiserror::Error;

/// The prefix of tokens of this version.
const PREFIX: &str = "mz1:";

/// Why a text is not a token.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TokenError {
    /// The text does not have the prefix of a token.
    #[error("this is not a token: tokens begin with `{PREFIX}`")]
    Unmarked,
    /// The token has another version.
    #[error("tokens that begin with `{found}:` are not supported: this mazurka reads `{PREFIX}`")]
    UnknownVersion {
        /// The prefix, without the colon.
        found: String,
    },
    /// The token contains a character that tokens cannot contain.
    #[error(
        "character {place} of this token is `{character}`, which a token cannot contain: copy it again"
    )]
    Character {
        /// The character.
        character: char,
        /// Its position, from 1.
        place: usize,
    },
    /// The end of the token is missing.
    #[error("this token is cut short: it has {found} characters, not {expected}: copy it again")]
    CutShort {
        /// The length of the text, in characters.
        found: usize,
        /// The length that the token should have.
        expected: usize,
    },
    /// There are extra characters after the token.
    #[error("this token is too long: it has {found} characters, not {expected}: copy it again")]
    TooLong {
        /// The length of the text, in characters.
        found: usize,
        /// The length that the token should have.
        expected: usize,
    },
    /// The checksum does not match.
    #[error("this token contains a mistake (its checksum does not match): copy it again")]
    Mistyped,
    /// The checksum matches, but the content cannot be decoded.
    #[error("this token cannot be decoded, although its checksum matches: was it made by mazurka?")]
    Undecodable,
}

/// Whether a text has the prefix of a token of any version. A file with such a name can be given as
/// `./mz1:…`.
pub fn is_token(text: &str) -> bool {
    version_of(text).is_some()
}

fn version_of(text: &str) -> Option<&str> {
    let (version, _) = text.split_once(':')?;
    let digits = version.strip_prefix("mz")?;
    let is_number = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
    is_number.then_some(version)
}

/// The length of the checksum.
const CHECKSUM_BYTES: usize = 3;

impl Log {
    /// The log as one word. [`Log::from_token`] reads it back.
    pub fn to_token(&self) -> String {
        let body = LogWriter::default().log(self);
        let mut bytes = checksum(&body).to_vec();
        let mut length = body.len();
        while length >= 0x80 {
            bytes.push((length & 0x7f) as u8 | 0x80);
            length >>= 7;
        }
        bytes.push(length as u8);
        bytes.extend(body);
        format!("{PREFIX}{}", letters::encode(&bytes))
    }

    /// Reads a token.
    ///
    /// # Errors
    /// The text is not a token, or was not copied completely and correctly.
    pub fn from_token(text: &str) -> Result<Log, TokenError> {
        let text = text.trim();
        let Some(letters) = text.strip_prefix(PREFIX) else {
            return Err(match version_of(text) {
                Some(found) => TokenError::UnknownVersion {
                    found: found.to_owned(),
                },
                None => TokenError::Unmarked,
            });
        };
        let bytes = letters::decode(letters).map_err(|(at, character)| TokenError::Character {
            character,
            place: PREFIX.len() + at + 1,
        })?;
        let body = body(&bytes, letters.len())?;
        LogReader::log(body).map_err(|Broken| TokenError::Undecodable)
    }
}

/// The part after the checksum and the length, if the length and the checksum match.
fn body(bytes: &[u8], letters: usize) -> Result<&[u8], TokenError> {
    let found = PREFIX.len() + letters;
    let cut_short = |bytes: usize| TokenError::CutShort {
        found,
        expected: PREFIX.len() + letters::count(bytes),
    };
    let (sum, mut rest) = bytes
        .split_at_checked(CHECKSUM_BYTES)
        .ok_or_else(|| cut_short(CHECKSUM_BYTES + 2))?;
    let (mut length, mut head) = (0_usize, CHECKSUM_BYTES);
    loop {
        let (&byte, after) = rest.split_first().ok_or_else(|| cut_short(head + 2))?;
        rest = after;
        length |= usize::from(byte & 0x7f) << (7 * (head - CHECKSUM_BYTES));
        head += 1;
        match byte & 0x80 == 0 {
            true => break,
            false if head > CHECKSUM_BYTES + 3 => return Err(TokenError::Mistyped),
            false => {}
        }
    }
    let expected = PREFIX.len() + letters::count(head + length);
    match rest.len() {
        // If the length itself was mistyped, these two errors are misleading but still ask the user
        // to copy the token again.
        short if short < length => Err(TokenError::CutShort { found, expected }),
        long if long > length => Err(TokenError::TooLong { found, expected }),
        _ if found != expected || checksum(rest) != sum => Err(TokenError::Mistyped),
        _ => Ok(rest),
    }
}

/// The low bytes of the CRC-32 of IEEE 802.3.
fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let mut crc = !0_u32;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            let low = crc & 1;
            crc = (crc >> 1) ^ (0xedb8_8320 * low);
        }
    }
    let [a, b, c, _] = (!crc).to_le_bytes();
    [a, b, c]
}

/// The kinds of errors that are encoded as a number. Append new ones at the end: existing tokens
/// contain the numbers.
const KINDS: [&str; 7] = [
    "crash",
    "assertion",
    "deadlock",
    "stuck",
    "orphan",
    "dead-letter",
    "depth-bound",
];

/// The encoding of an entry starts with 0 and one of these numbers; the encoding of a receive
/// normally starts with 1 + the number of the message's sender instead.
mod entry {
    pub const TIMEOUT: u64 = 0;
    pub const KILLED: u64 = 1;
    pub const READ: u64 = 2;
    pub const CHOOSE: u64 = 3;
    pub const RECEIVE: u64 = 4;
}

/// The encoding of a name starts with one of these numbers, or with 2 + the length of a path.
mod name {
    pub const TEXT: u64 = 0;
    pub const LIVENESS: u64 = 1;
}

/// The numbers of a path in the spawn tree: `[1, 2]` for `P.1.2`. `None` if the text is not the
/// canonical form of a path.
fn path(text: &str) -> Option<Vec<u64>> {
    let rest = text.strip_prefix('P')?;
    let mut numbers = Vec::new();
    if !rest.is_empty() {
        for number in rest.strip_prefix('.')?.split('.') {
            numbers.push(canonical(number)?);
        }
    }
    Some(numbers)
}

/// The number, if the text is its canonical form, so that formatting the number restores it.
fn canonical(text: &str) -> Option<u64> {
    let number: u32 = text.parse().ok()?;
    (number.to_string() == text).then_some(u64::from(number))
}

/// The sender and the number of a tag: `(P.1, 2)` for `P.1#2`.
fn parts(tag: &Tag) -> Option<(&str, u64)> {
    let (sender, number) = tag.as_str().rsplit_once('#')?;
    Some((sender, canonical(number)?))
}

/// Encodes a log.
#[derive(Default)]
struct LogWriter<'l> {
    out: Writer,
    numbers: HashMap<&'l str, u64>,
    names: Vec<&'l str>,
}

impl<'l> LogWriter<'l> {
    fn log(mut self, log: &'l Log) -> Vec<u8> {
        self.head(log);
        for pid in log.processes.keys() {
            self.add(pid.as_str());
        }
        for entry in log.processes.values().flatten() {
            self.add_names_of(entry);
        }
        self.out.number(log.processes.len() as u64);
        self.out
            .number((self.names.len() - log.processes.len()) as u64);
        for name in std::mem::take(&mut self.names) {
            self.name(name);
        }
        for entries in log.processes.values() {
            self.out.number(entries.len() as u64);
            let mut next = BTreeMap::new();
            for entry in entries {
                self.entry(entry, &mut next);
            }
        }
        self.out.finish()
    }

    fn head(&mut self, log: &Log) {
        let delivery = log.delivery.map_or(0, |delivery| {
            let at = Delivery::ALL.iter().position(|other| *other == delivery);
            at.map_or(0, |at| at as u64 + 1)
        });
        self.out.number(delivery);
        self.optional(log.program.as_deref());
        self.optional(log.timeouts.as_deref());
        self.out.number(log.params.iter().count() as u64);
        for (name, value) in log.params.iter() {
            self.out.text(name);
            self.out.text(value);
        }
        match &log.error {
            None => self.out.number(0),
            Some(error) => {
                match KINDS.iter().position(|kind| *kind == error.kind) {
                    Some(at) => self.out.number(at as u64 + 2),
                    None => {
                        self.out.number(1);
                        self.out.text(&error.kind);
                    }
                }
                self.name(error.process.as_str());
                self.out.text(&error.message);
            }
        }
    }

    fn optional(&mut self, text: Option<&str>) {
        self.out.number(u64::from(text.is_some()));
        if let Some(text) = text {
            self.out.text(text);
        }
    }

    fn name(&mut self, name: &str) {
        let process = process_of_liveness(name);
        if let Some(numbers) = path(name) {
            self.out.number(2 + numbers.len() as u64);
            numbers.into_iter().for_each(|n| self.out.number(n));
        } else if let Some(numbers) = process.and_then(path) {
            self.out.number(name::LIVENESS);
            self.out.number(numbers.len() as u64);
            numbers.into_iter().for_each(|n| self.out.number(n));
        } else {
            self.out.number(name::TEXT);
            self.out.text(name);
        }
    }

    /// Assigns a number to the name, if it has none.
    fn add(&mut self, name: &'l str) {
        let next = self.names.len() as u64;
        if let std::collections::hash_map::Entry::Vacant(free) = self.numbers.entry(name) {
            free.insert(next);
            self.names.push(name);
        }
    }

    fn add_names_of(&mut self, entry: &'l LogEntry) {
        match entry {
            LogEntry::Receive(tag) | LogEntry::Killed { tag, .. } => match parts(tag) {
                Some((sender, _)) => self.add(sender),
                None => self.add(tag.as_str()),
            },
            LogEntry::Read { object, .. } => self.add(object.as_str()),
            LogEntry::Timeout | LogEntry::Choose { .. } => {}
        }
    }

    fn number_of(&self, name: &str) -> u64 {
        self.numbers.get(name).copied().unwrap_or_default()
    }

    /// `next` has the expected number of the next message of each sender: one more than the last.
    fn entry(&mut self, entry: &'l LogEntry, next: &mut BTreeMap<&'l str, u64>) {
        match entry {
            LogEntry::Receive(tag) => match parts(tag) {
                Some((sender, number)) => {
                    self.out.number(1 + self.number_of(sender));
                    self.message_number(sender, number, next);
                }
                None => {
                    self.out.number(0);
                    self.out.number(entry::RECEIVE);
                    self.out.number(self.number_of(tag.as_str()));
                }
            },
            LogEntry::Timeout => {
                self.out.number(0);
                self.out.number(entry::TIMEOUT);
            }
            LogEntry::Killed { tag, after } => {
                self.out.number(0);
                self.out.number(entry::KILLED);
                match parts(tag) {
                    Some((sender, number)) => {
                        self.out.number(1 + self.number_of(sender));
                        self.message_number(sender, number, next);
                    }
                    None => {
                        self.out.number(0);
                        self.out.number(self.number_of(tag.as_str()));
                    }
                }
                self.out.number(u64::from(*after));
            }
            LogEntry::Read { object, version } => {
                self.out.number(0);
                self.out.number(entry::READ);
                self.out.number(self.number_of(object.as_str()));
                self.out.number(u64::from(*version));
            }
            LogEntry::Choose { of, chosen } => {
                self.out.number(0);
                self.out.number(entry::CHOOSE);
                self.out.number(u64::from(*of));
                self.out.number(u64::from(*chosen));
            }
        }
    }

    fn message_number(&mut self, sender: &'l str, number: u64, next: &mut BTreeMap<&'l str, u64>) {
        let expected = next.insert(sender, number + 1).unwrap_or(0);
        // Zigzag encoding of the difference: the expected number becomes 0, near ones stay small.
        let more = number.wrapping_sub(expected) as i64;
        self.out.number(((more << 1) ^ (more >> 63)) as u64);
    }
}

/// Decodes a log.
struct LogReader<'b> {
    from: Reader<'b>,
    names: Vec<String>,
}

impl LogReader<'_> {
    fn log(body: &[u8]) -> Result<Log, Broken> {
        let mut reader = LogReader {
            from: Reader::new(body),
            names: Vec::new(),
        };
        let mut log = reader.head()?;
        let processes = reader.from.number()?;
        let others = reader.from.number()?;
        for _ in 0..processes.saturating_add(others) {
            let name = reader.name()?;
            reader.names.push(name);
        }
        for at in 0..processes {
            let pid = ProcessName::from(reader.name_of(at)?);
            let mut entries = Vec::new();
            let mut next = BTreeMap::new();
            for _ in 0..reader.from.number()? {
                entries.push(reader.entry(&mut next)?);
            }
            if log.processes.insert(pid, entries).is_some() {
                return Err(Broken);
            }
        }
        reader.from.finish()?;
        Ok(log)
    }

    fn head(&mut self) -> Result<Log, Broken> {
        let delivery = match self.from.number()? {
            0 => None,
            at => Some(*Delivery::ALL.get(index(at - 1)?).ok_or(Broken)?),
        };
        let program = self.optional()?;
        let timeouts = self.optional()?;
        let mut params = Params::default();
        for _ in 0..self.from.number()? {
            let name = self.from.text()?;
            params.push(name, self.from.text()?);
        }
        let kind = match self.from.number()? {
            0 => None,
            1 => Some(self.from.text()?),
            at => Some((*KINDS.get(index(at - 2)?).ok_or(Broken)?).to_owned()),
        };
        let error = match kind {
            None => None,
            Some(kind) => Some(LoggedError {
                kind,
                process: self.name()?.into(),
                message: self.from.text()?,
            }),
        };
        Ok(Log {
            program,
            params,
            delivery,
            timeouts,
            error,
            processes: BTreeMap::new(),
        })
    }

    fn optional(&mut self) -> Result<Option<String>, Broken> {
        match self.from.number()? {
            0 => Ok(None),
            1 => self.from.text().map(Some),
            _ => Err(Broken),
        }
    }

    fn name(&mut self) -> Result<String, Broken> {
        match self.from.number()? {
            name::TEXT => self.from.text(),
            name::LIVENESS => {
                let numbers = self.from.number()?;
                Ok(ProcessName::of_liveness(self.path(numbers)?).to_string())
            }
            more => self.path(more - 2),
        }
    }

    fn path(&mut self, numbers: u64) -> Result<String, Broken> {
        let mut path = String::from("P");
        for _ in 0..numbers {
            path += &format!(".{}", self.from.number()?);
        }
        Ok(path)
    }

    fn name_of(&self, at: u64) -> Result<&str, Broken> {
        let name = self.names.get(index(at)?).ok_or(Broken)?;
        Ok(name.as_str())
    }

    fn entry(&mut self, next: &mut BTreeMap<u64, u64>) -> Result<LogEntry, Broken> {
        match self.from.number()? {
            0 => {}
            more => return Ok(LogEntry::Receive(self.tag(more - 1, next)?)),
        }
        Ok(match self.from.number()? {
            entry::TIMEOUT => LogEntry::Timeout,
            entry::KILLED => {
                let tag = match self.from.number()? {
                    0 => {
                        let at = self.from.number()?;
                        self.name_of(at)?.into()
                    }
                    more => self.tag(more - 1, next)?,
                };
                let after = self.u32()?;
                LogEntry::Killed { tag, after }
            }
            entry::READ => {
                let at = self.from.number()?;
                LogEntry::Read {
                    object: self.name_of(at)?.into(),
                    version: self.u32()?,
                }
            }
            entry::CHOOSE => {
                let (of, chosen) = (self.u32()?, self.u32()?);
                if chosen >= of {
                    return Err(Broken);
                }
                LogEntry::Choose { of, chosen }
            }
            entry::RECEIVE => {
                let at = self.from.number()?;
                LogEntry::Receive(self.name_of(at)?.into())
            }
            _ => return Err(Broken),
        })
    }

    fn tag(&mut self, sender: u64, next: &mut BTreeMap<u64, u64>) -> Result<Tag, Broken> {
        let code = self.from.number()?;
        let more = (code >> 1) as i64 ^ -((code & 1) as i64);
        let expected = next.get(&sender).copied().unwrap_or(0);
        let number = expected.checked_add_signed(more).ok_or(Broken)?;
        let number = u32::try_from(number).map_err(|_| Broken)?;
        next.insert(sender, u64::from(number) + 1);
        Ok(format!("{}#{number}", self.name_of(sender)?).into())
    }

    fn u32(&mut self) -> Result<u32, Broken> {
        u32::try_from(self.from.number()?).map_err(|_| Broken)
    }
}

fn index(at: u64) -> Result<usize, Broken> {
    usize::try_from(at).map_err(|_| Broken)
}

#[cfg(test)]
mod tests;
