//! The chunks of a `.beam` file.

use crate::{Random, damage, etf};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::{GzEncoder, ZlibEncoder};
use std::io::{Read, Write};

/// The chunks of a file. Chunks that OTP 25 compresses are stored uncompressed.
#[derive(Clone, Debug)]
pub(crate) struct BeamFile {
    chunks: Vec<([u8; 4], Vec<u8>)>,
}

impl BeamFile {
    /// Splits one of our files into its chunks.
    pub(crate) fn new(file: &[u8]) -> BeamFile {
        let mut rest = &file[12..];
        let mut chunks = Vec::new();
        while let Some((id, after)) = rest.split_first_chunk::<4>() {
            let (size, after) = after.split_first_chunk::<4>().expect("a size");
            let size = u32::from_be_bytes(*size) as usize;
            chunks.push((*id, plain(id, &after[..size])));
            rest = &after[size.next_multiple_of(4).min(after.len())..];
        }
        BeamFile { chunks }
    }

    pub(crate) fn assemble(&self) -> Vec<u8> {
        let mut form = b"BEAM".to_vec();
        for (id, bytes) in &self.chunks {
            form.extend(id);
            form.extend((bytes.len() as u32).to_be_bytes());
            form.extend(bytes);
            form.resize(form.len().next_multiple_of(4), 0);
        }
        [b"FOR1", &(form.len() as u32).to_be_bytes()[..], &form].concat()
    }

    pub(crate) fn chunk(&mut self, id: &[u8; 4]) -> Option<&mut Vec<u8>> {
        let found = self.chunks.iter_mut().find(|(other, _)| other == id);
        found.map(|(_, bytes)| bytes)
    }

    /// Damages chunks of any kind, and sometimes the container.
    pub(crate) fn damaged(&self, random: &mut Random) -> Vec<u8> {
        let mut file = self.clone();
        for _ in 0..=random.below(2) {
            file.damage_chunk(random);
        }
        let mut bytes = file.assemble();
        match random.below(32) {
            0 => damage::bytes(random, &mut bytes),
            1 => bytes = gzip(&bytes),
            2 => {
                bytes = gzip(&bytes);
                damage::bytes(random, &mut bytes);
            }
            _ => {}
        }
        bytes
    }

    fn damage_chunk(&mut self, random: &mut Random) {
        let at = random.below(self.chunks.len());
        let other = random.below(self.chunks.len());
        match random.below(20) {
            0 => drop(self.chunks.remove(at)),
            1 => {
                let copy = self.chunks[at].clone();
                self.chunks.insert(other, copy);
            }
            2 => self.chunks[at].1 = self.chunks[other].1.clone(),
            3 => self.chunks[at].0 = self.chunks[other].0,
            _ => {
                // Half of the damage is to the instructions, which need the most checks.
                let code = self.chunks.iter().position(|(id, _)| id == b"Code");
                let at = match code {
                    Some(code) if random.once_in(2) => code,
                    _ => at,
                };
                let (id, bytes) = &mut self.chunks[at];
                match &*id {
                    b"Dbgi" => etf::damage(random, bytes),
                    _ => damage::bytes(random, bytes),
                }
                if id == b"LitT" && random.once_in(8) {
                    *bytes = compressed_literals(bytes);
                }
            }
        }
        if self.chunks.is_empty() {
            self.chunks.push((*b"AtU8", Vec::new()));
        }
    }

    /// Damages only the instructions, so that the module can usually be loaded.
    pub(crate) fn with_damaged_code(&self, random: &mut Random) -> Vec<u8> {
        /// Five words come before the instructions.
        const HEAD: usize = 20;
        let mut file = self.clone();
        if let Some(code) = file.chunk(b"Code")
            && code.len() > HEAD
        {
            let mut instructions = code.split_off(HEAD);
            match random.once_in(4) {
                true => damage::bytes(random, &mut instructions),
                false => overwrite(random, &mut instructions),
            }
            code.extend(instructions);
        }
        file.assemble()
    }
}

/// Overwrites bytes in one or two places, without moving others.
fn overwrite(random: &mut Random, bytes: &mut [u8]) {
    for _ in 0..=random.below(2) {
        let at = random.below(bytes.len());
        match random.below(3) {
            0 => bytes[at] = random.byte(),
            1 => bytes[at] = bytes[random.below(bytes.len())],
            _ => {
                let length = (1 + random.below(12)).min(bytes.len() - at);
                let to = random.below(bytes.len() - length + 1);
                bytes.copy_within(at..at + length, to);
            }
        }
    }
}

/// The chunk without compression. The loader reads both forms.
fn plain(id: &[u8; 4], bytes: &[u8]) -> Vec<u8> {
    let unzip = |compressed: &[u8]| {
        let mut plain = Vec::new();
        let read = ZlibDecoder::new(compressed).read_to_end(&mut plain);
        read.map(|_| plain).expect("our own files are intact")
    };
    match (id, bytes) {
        (b"LitT", [_, _, _, _, compressed @ ..]) => [vec![0; 4], unzip(compressed)].concat(),
        (b"Dbgi", [131, 80, _, _, _, _, compressed @ ..]) => {
            [vec![131], unzip(compressed)].concat()
        }
        _ => bytes.to_vec(),
    }
}

fn compressed_literals(plain: &[u8]) -> Vec<u8> {
    let literals = plain.get(4..).unwrap_or_default();
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(literals).expect("memory");
    let size = (literals.len() as u32).to_be_bytes();
    [&size[..], &encoder.finish().expect("memory")].concat()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[cfg(test)]
mod tests {
    use crate::corpus;
    use mazurka_beam::loader::Module;

    #[test]
    fn undamaged_files_are_modules() {
        for mut file in corpus::beam_files() {
            let module = Module::parse("it", &file.assemble()).unwrap();
            assert!(!module.literals.is_empty(), "{}", module.name.name());
            assert!(file.chunk(b"Code").is_some());
        }
    }
}
