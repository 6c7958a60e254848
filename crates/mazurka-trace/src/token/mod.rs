//! Tokens: a log as one word, short enough for a command line.
//!
//! A token is `mz1:` and then letters, digits, `-` and `_`: a checksum, a length, and the log in
//! numbers of four bits each where they are small ([`nibbles`]). Names are written once and then
//! referred to. So an input of a process takes little more than a character. A token that was
//! copied in part, or typed with a mistake, is told from a good one.

mod letters;
mod nibbles;

use nibbles::{Broken, Reader, Writer};

use crate::{Delivery, Log, LogEntry, LoggedError, ProcessName, Tag};
use std::collections::{BTreeMap, HashMap};
use thiserror::Error;

/// How tokens of this version begin.
const PREFIX: &str = "mz1:";

/// Why a text is not a token.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TokenError {
    /// It does not begin like one.
    #[error("this is no token: those begin with `{PREFIX}`")]
    Unmarked,
    /// It is of another version.
    #[error("tokens that begin with `{found}:` are not known: this mazurka reads `{PREFIX}`")]
    UnknownVersion {
        /// What it begins with.
        found: String,
    },
    /// Something that has no place in it.
    #[error(
        "`{character}`, the character {place} of this token, cannot stand in one: copy it again"
    )]
    Character {
        /// What.
        character: char,
        /// Where, from 1.
        place: usize,
    },
    /// Its end is missing.
    #[error("this token is cut short: it has {found} characters, not {expected}: copy it again")]
    CutShort {
        /// How long it is.
        found: usize,
        /// How long it should be.
        expected: usize,
    },
    /// There is something after it.
    #[error("this token is too long: it has {found} characters, not {expected}: copy it again")]
    TooLong {
        /// How long it is.
        found: usize,
        /// How long it should be.
        expected: usize,
    },
    /// Its checksum is wrong.
    #[error("there is a mistake in this token (its checksum is wrong): copy it again")]
    Mistyped,
    /// The checksum is right and yet it makes no sense.
    #[error("this token makes no sense, though its checksum is right: was it made by mazurka?")]
    Senseless,
}

/// Whether a text is meant to be a token: it begins like one, of whatever version. A file of that
/// name can be given as `./mz1:…`.
pub fn is_token(text: &str) -> bool {
    version_of(text).is_some()
}

fn version_of(text: &str) -> Option<&str> {
    let (version, _) = text.split_once(':')?;
    let digits = version.strip_prefix("mz")?;
    let is_number = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
    is_number.then_some(version)
}

/// How long the checksum is.
const CHECKSUM_BYTES: usize = 3;

impl Log {
    /// The log as one word. [`Log::from_token`] gives it back.
    pub fn to_token(&self) -> String {
        let body = Writing::default().log(self);
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
    /// It is none, or one that was not copied well; the text says how.
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
        Reading::log(body).map_err(|Broken| TokenError::Senseless)
    }
}

/// What is between the head and the end of a token, if it is whole.
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
        // The length itself may be what is wrong: what is far off is a mistake of another kind.
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

/// The kinds of errors that have a number. New ones come last: tokens have the numbers.
const KINDS: [&str; 7] = [
    "crash",
    "assertion",
    "deadlock",
    "stuck",
    "orphan",
    "dead-letter",
    "depth-bound",
];

/// How an entry begins: with 0 and one of these, or with 1 + the number of the sender of the
/// message that it receives.
mod entry {
    pub const TIMEOUT: u64 = 0;
    pub const KILLED: u64 = 1;
    pub const READ: u64 = 2;
    pub const CHOOSE: u64 = 3;
    pub const RECEIVE: u64 = 4;
}

/// How a name begins: with one of these, or with 2 + the length of a path.
mod name {
    pub const TEXT: u64 = 0;
    pub const LIFE: u64 = 1;
}

/// The numbers of a path in the spawn tree, `[1, 2]` of `P.1.2`, if it is written as we write it.
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

/// A number without anything that would be lost.
fn canonical(text: &str) -> Option<u64> {
    let number: u32 = text.parse().ok()?;
    (number.to_string() == text).then_some(u64::from(number))
}

/// `(P.1, 2)` of the tag `P.1#2`.
fn parts(tag: &Tag) -> Option<(&str, u64)> {
    let (sender, number) = tag.as_str().rsplit_once('#')?;
    Some((sender, canonical(number)?))
}

/// A log on its way into a token.
#[derive(Default)]
struct Writing<'l> {
    out: Writer,
    numbers: HashMap<&'l str, u64>,
    names: Vec<&'l str>,
}

impl<'l> Writing<'l> {
    fn log(mut self, log: &'l Log) -> Vec<u8> {
        self.head(log);
        for pid in log.processes.keys() {
            self.add(pid.as_str());
        }
        for entry in log.processes.values().flatten() {
            self.add_all(entry);
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
        self.out.number(log.params.len() as u64);
        for (name, value) in &log.params {
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
        let life = name
            .strip_prefix("life(")
            .and_then(|of| of.strip_suffix(')'));
        if let Some(numbers) = path(name) {
            self.out.number(2 + numbers.len() as u64);
            numbers.into_iter().for_each(|n| self.out.number(n));
        } else if let Some(numbers) = life.and_then(path) {
            self.out.number(name::LIFE);
            self.out.number(numbers.len() as u64);
            numbers.into_iter().for_each(|n| self.out.number(n));
        } else {
            self.out.number(name::TEXT);
            self.out.text(name);
        }
    }

    /// Gives a name a number, if it has none.
    fn add(&mut self, name: &'l str) {
        let next = self.names.len() as u64;
        if let std::collections::hash_map::Entry::Vacant(free) = self.numbers.entry(name) {
            free.insert(next);
            self.names.push(name);
        }
    }

    fn add_all(&mut self, entry: &'l LogEntry) {
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

    /// `next` has the number that the next message of each sender probably has.
    fn entry(&mut self, entry: &'l LogEntry, next: &mut BTreeMap<&'l str, u64>) {
        match entry {
            LogEntry::Receive(tag) => match parts(tag) {
                Some((sender, number)) => {
                    self.out.number(1 + self.number_of(sender));
                    self.sequel(sender, number, next);
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
                        self.sequel(sender, number, next);
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

    fn sequel(&mut self, sender: &'l str, number: u64, next: &mut BTreeMap<&'l str, u64>) {
        let expected = next.insert(sender, number + 1).unwrap_or(0);
        // Both are small, and what is likely becomes 0.
        let more = number.wrapping_sub(expected) as i64;
        self.out.number(((more << 1) ^ (more >> 63)) as u64);
    }
}

/// A log on its way out of a token.
struct Reading<'b> {
    from: Reader<'b>,
    names: Vec<String>,
}

impl Reading<'_> {
    fn log(body: &[u8]) -> Result<Log, Broken> {
        let mut reading = Reading {
            from: Reader::new(body),
            names: Vec::new(),
        };
        let mut log = reading.head()?;
        let processes = reading.from.number()?;
        let others = reading.from.number()?;
        for _ in 0..processes.saturating_add(others) {
            let name = reading.name()?;
            reading.names.push(name);
        }
        for at in 0..processes {
            let pid = ProcessName::from(reading.name_of(at)?);
            let mut entries = Vec::new();
            let mut next = BTreeMap::new();
            for _ in 0..reading.from.number()? {
                entries.push(reading.entry(&mut next)?);
            }
            if log.processes.insert(pid, entries).is_some() {
                return Err(Broken);
            }
        }
        reading.from.finish()?;
        Ok(log)
    }

    fn head(&mut self) -> Result<Log, Broken> {
        let delivery = match self.from.number()? {
            0 => None,
            at => Some(*Delivery::ALL.get(index(at - 1)?).ok_or(Broken)?),
        };
        let program = self.optional()?;
        let timeouts = self.optional()?;
        let mut params = BTreeMap::new();
        for _ in 0..self.from.number()? {
            let name = self.from.text()?;
            params.insert(name, self.from.text()?);
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
            name::LIFE => {
                let numbers = self.from.number()?;
                Ok(format!("life({})", self.path(numbers)?))
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
                let after = self.small()?;
                LogEntry::Killed { tag, after }
            }
            entry::READ => {
                let at = self.from.number()?;
                LogEntry::Read {
                    object: self.name_of(at)?.into(),
                    version: self.small()?,
                }
            }
            entry::CHOOSE => {
                let (of, chosen) = (self.small()?, self.small()?);
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

    fn small(&mut self) -> Result<u32, Broken> {
        u32::try_from(self.from.number()?).map_err(|_| Broken)
    }
}

fn index(at: u64) -> Result<usize, Broken> {
    usize::try_from(at).map_err(|_| Broken)
}

#[cfg(test)]
mod tests;
