//! The abstract code of a module, from chunk `Dbgi`, or `Abst` in old files.
//!
//! It is large, and most of it is not needed, so it is read into one flat list of nodes. Its atoms
//! are not interned, because a program could observe that with `list_to_existing_atom/1`.

use flate2::read::ZlibDecoder;

use crate::bytes::{Problem, Reader, Reading, inflate};

/// The terms of the abstract code in preorder: each term comes before its parts.
pub(super) struct Forms<'a> {
    nodes: Vec<Node<'a>>,
}

#[derive(Clone, Copy)]
struct Node<'a> {
    kind: Kind<'a>,
    /// The index of the node after its last part.
    end: u32,
}

/// The kind of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// A tuple.
    Tuple,
    /// A list. If it is not empty, its last part is the tail.
    List,
    /// An atom.
    Atom(&'a str),
    /// An integer.
    Int(i64),
    /// Another term.
    Other,
}

/// The index of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Id(u32);

/// The largest abstract code that is read, in bytes. A module of 10,000 lines has a few million.
const BYTES_MAX: usize = 1 << 26;

/// Decompresses a term in the external format. `None` if it is damaged.
pub(super) fn unpack(chunk: &[u8]) -> Option<Vec<u8>> {
    let bytes = match chunk {
        // The version, the tag of compressed terms, and the decompressed size.
        [131, 80, _, _, _, _, compressed @ ..] => inflate(ZlibDecoder::new(compressed)).ok()?,
        [131, plain @ ..] => plain.to_vec(),
        _ => return None,
    };
    (bytes.len() <= BYTES_MAX).then_some(bytes)
}

impl<'a> Forms<'a> {
    /// Reads decompressed bytes. `None` if they are damaged.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Forms<'a>> {
        read(&mut Reader::new(bytes)).ok()
    }

    /// The whole term.
    pub(super) fn root(&self) -> Id {
        Id(0)
    }

    pub(super) fn kind(&self, term: Id) -> Kind<'a> {
        self.nodes[term.0 as usize].kind
    }

    /// The direct parts of a term.
    pub(super) fn parts(&self, term: Id) -> impl Iterator<Item = Id> + '_ {
        let end = self.nodes[term.0 as usize].end;
        let mut next = term.0 + 1;
        std::iter::from_fn(move || {
            let part = (next < end).then_some(Id(next))?;
            next = self.nodes[next as usize].end;
            Some(part)
        })
    }

    /// The term and its parts at any depth, in preorder.
    pub(super) fn all(&self, term: Id) -> impl Iterator<Item = Id> + use<'a> {
        (term.0..self.nodes[term.0 as usize].end).map(Id)
    }

    /// The terms of `whole` that come before `part`, in preorder.
    pub(super) fn before(&self, part: Id, whole: Id) -> impl Iterator<Item = Id> + use<'a> {
        (whole.0..part.0).map(Id)
    }

    /// Whether `term` is `whole` or a part of it at any depth.
    pub(super) fn is_in(&self, term: Id, whole: Id) -> bool {
        (whole.0..self.nodes[whole.0 as usize].end).contains(&term.0)
    }

    /// The first element of a tuple, if it is an atom.
    pub(super) fn tag(&self, term: Id) -> Option<&'a str> {
        match self.kind(term) {
            Kind::Tuple => self.atom(self.parts(term).next()?),
            _ => None,
        }
    }

    /// The first element of a tuple, if it is an atom, and the other elements.
    pub(super) fn tagged(&self, term: Id) -> Option<(&'a str, Vec<Id>)> {
        let tag = self.tag(term)?;
        Some((tag, self.parts(term).skip(1).collect()))
    }

    /// The elements of a list.
    pub(super) fn list(&self, term: Id) -> Vec<Id> {
        let mut elements = Vec::new();
        if self.kind(term) == Kind::List {
            elements.extend(self.parts(term));
            elements.pop();
        }
        elements
    }

    pub(super) fn atom(&self, term: Id) -> Option<&'a str> {
        match self.kind(term) {
            Kind::Atom(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn int(&self, term: Id) -> Option<i64> {
        match self.kind(term) {
            Kind::Int(int) => Some(int),
            _ => None,
        }
    }

    /// The name of a variable: `{var, Annotation, Name}`.
    pub(super) fn variable(&self, term: Id) -> Option<&'a str> {
        self.tag(term).filter(|&tag| tag == "var")?;
        self.atom(self.parts(term).nth(2)?)
    }

    /// The line of an annotation: `Line`, `{Line, Column}`, or a list in which `location` is one of
    /// these.
    pub(super) fn line(&self, annotation: Id) -> Option<u32> {
        let location = match self.kind(annotation) {
            Kind::List => self.list(annotation).into_iter().find_map(|item| {
                let (tag, rest) = self.tagged(item)?;
                rest.first().copied().filter(|_| tag == "location")
            })?,
            _ => annotation,
        };
        let line = match self.kind(location) {
            Kind::Tuple => self.parts(location).next()?,
            _ => location,
        };
        u32::try_from(self.int(line)?).ok().filter(|&line| line > 0)
    }
}

fn read<'a>(reader: &mut Reader<'a>) -> Reading<Forms<'a>> {
    let mut nodes: Vec<Node<'a>> = Vec::new();
    // The terms whose parts are being read, with the number of parts left.
    let mut open: Vec<(usize, u64)> = Vec::new();
    loop {
        let (kind, parts) = read_head(reader)?;
        open.push((nodes.len(), parts));
        nodes.push(Node { kind, end: 0 });
        while let Some(&(start, 0)) = open.last() {
            nodes[start].end = nodes.len() as u32;
            open.pop();
        }
        match open.last_mut() {
            Some((_, parts)) => *parts -= 1,
            None => return Ok(Forms { nodes }),
        }
    }
}

/// Reads the start of the next term: its kind and its number of parts.
fn read_head<'a>(reader: &mut Reader<'a>) -> Reading<(Kind<'a>, u64)> {
    let tag = reader.u8()?;
    Ok(match tag {
        97 => (Kind::Int(reader.u8()?.into()), 0),
        98 => (Kind::Int(i32::from_be_bytes(reader.array()?).into()), 0),
        100 | 118 => {
            let length = reader.u16()?;
            (atom(reader.take(length.into())?, tag == 118), 0)
        }
        115 | 119 => {
            let length = reader.u8()?;
            (atom(reader.take(length.into())?, tag == 119), 0)
        }
        104 => (Kind::Tuple, reader.u8()?.into()),
        105 => (Kind::Tuple, reader.u32()?.into()),
        106 => (Kind::List, 0),
        // The tail comes last.
        108 => (Kind::List, u64::from(reader.u32()?) + 1),
        116 => (Kind::Other, 2 * u64::from(reader.u32()?)),
        70 | 99 | 107 | 109 | 77 | 110 | 111 => {
            let length = match tag {
                70 => 8,
                99 => 31,
                107 => reader.u16()?.into(),
                77 | 111 => reader.u32()? as usize + 1,
                110 => usize::from(reader.u8()?) + 1,
                _ => reader.u32()? as usize,
            };
            reader.take(length)?;
            (Kind::Other, 0)
        }
        // Source code contains no pids, funs, ports and references.
        _ => return Err(reader.fault(Problem::UnknownTag(tag))),
    })
}

/// The kind of an atom. Names in Latin-1 that are not ASCII are not supported.
fn atom(bytes: &[u8], is_utf8: bool) -> Kind<'_> {
    match std::str::from_utf8(bytes) {
        Ok(name) if is_utf8 || name.is_ascii() => Kind::Atom(name),
        _ => Kind::Other,
    }
}
