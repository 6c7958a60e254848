//! A file in the formats of several releases, and damaged in many ways.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::GzEncoder;
use mazurka_beam::loader::{LoadError, Module};
use mazurka_beam::term::{Atom, decode};
use proptest::prelude::*;

const FIXTURE: &[u8] = include_bytes!("fixture.beam");

fn parse(bytes: &[u8]) -> Result<Module, LoadError> {
    Module::parse("fixture.beam", bytes)
}

fn fixture() -> Module {
    parse(FIXTURE).expect("a module")
}

type Chunk = ([u8; 4], Vec<u8>);

/// The chunks of the fixture.
fn chunks() -> Vec<Chunk> {
    split(FIXTURE)
}

fn split(file: &[u8]) -> Vec<Chunk> {
    let mut rest = &file[12..];
    let mut chunks = Vec::new();
    while let Some((id, after)) = rest.split_first_chunk::<4>() {
        let (size, after) = after.split_first_chunk::<4>().expect("a size");
        let size = u32::from_be_bytes(*size) as usize;
        chunks.push((*id, after[..size].to_vec()));
        rest = &after[size.next_multiple_of(4).min(after.len())..];
    }
    chunks
}

fn assemble(chunks: &[Chunk]) -> Vec<u8> {
    let mut form = b"BEAM".to_vec();
    for (id, bytes) in chunks {
        form.extend(id);
        form.extend((bytes.len() as u32).to_be_bytes());
        form.extend(bytes);
        form.resize(form.len().next_multiple_of(4), 0);
    }
    [b"FOR1", &(form.len() as u32).to_be_bytes()[..], &form].concat()
}

/// The fixture with one chunk replaced.
fn with_chunk(id: &[u8; 4], change: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut chunks = chunks();
    for (other, bytes) in &mut chunks {
        if other == id {
            *bytes = change(bytes);
        }
    }
    assemble(&chunks)
}

/// Atoms in the format of OTP 28.
fn long_atoms(short: &[u8]) -> Vec<u8> {
    let count = i32::from_be_bytes(short[..4].try_into().expect("four bytes"));
    let mut long = (-count).to_be_bytes().to_vec();
    let mut rest = &short[4..];
    for _ in 0..count {
        let (length, name) = (rest[0], &rest[1..=usize::from(rest[0])]);
        match length {
            0..16 => long.push(length << 4),
            16.. => long.extend([0b0000_1000, length]),
        }
        long.extend(name);
        rest = &rest[name.len() + 1..];
    }
    long
}

/// Literals in the format of OTP 28.
fn plain_literals(compressed: &[u8]) -> Vec<u8> {
    let mut plain = vec![0; 4];
    let mut decoder = ZlibDecoder::new(&compressed[4..]);
    decoder.read_to_end(&mut plain).expect("compressed data");
    plain
}

#[test]
fn the_fixture_has_the_content_of_its_source() {
    let module = fixture();
    assert_eq!(module.name.name(), "fixture");
    let area = module.export(Atom::new("area"), 1).expect("an export");
    let place = module.place(area.label).expect("a place");
    let function = &module.functions[place.function as usize];
    assert_eq!((function.name.name(), function.entry), ("area", area.label));
    let literals: Vec<String> = module.literals.iter().map(ToString::to_string).collect();
    assert!(literals.contains(&"fun lists:map/2".into()), "{literals:?}");
    assert_eq!(module.lambdas.len(), 1);
    assert_eq!((module.lambdas[0].arity, module.lambdas[0].free), (2, 1));
    let line = module.lines.get(1).expect("a line");
    assert_eq!((line.file, line.line), ("fixture.erl", 8));
}

#[test]
fn otp_28_format_and_compressed_files_are_equivalent() {
    let expected = format!("{:?}", fixture());
    let check = |bytes: &[u8]| {
        let module = parse(bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format!("{module:?}"), expected);
    };
    check(&assemble(&chunks()));
    check(&with_chunk(b"AtU8", long_atoms));
    check(&with_chunk(b"LitT", plain_literals));
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(FIXTURE).expect("memory");
    check(&encoder.finish().expect("memory"));
}

#[test]
fn errors_name_file_chunk_and_offset() {
    let check = |bytes: &[u8], expected: &str| {
        let error = parse(bytes).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    check(
        b"#!/bin/sh\n",
        "fixture.beam: not a BEAM file: offset 0: FOR1 is expected here",
    );
    check(
        &FIXTURE[..FIXTURE.len() / 2],
        "fixture.beam: not a BEAM file: offset 8: truncated",
    );
    let newer = with_chunk(b"Code", |code| {
        let mut code = code.to_vec();
        code[11] = 200;
        code
    });
    check(
        &newer,
        "fixture.beam: chunk Code, offset 20: made by OTP newer than 29: opcode 200 is unknown",
    );
    check(
        &assemble(&[]),
        "fixture.beam: chunk AtU8, offset 0: the chunk is missing",
    );
    let error = Module::load("no/such.beam".as_ref())
        .map(|_| ())
        .unwrap_err();
    assert!(error.to_string().starts_with("no/such.beam: "), "{error}");
}

#[test]
fn no_truncated_file_panics() {
    for length in 0..FIXTURE.len() {
        assert!(parse(&FIXTURE[..length]).is_err(), "cut to {length}");
    }
    for (index, (_, bytes)) in chunks().iter().enumerate() {
        for length in 0..bytes.len() {
            let mut chunks = chunks();
            chunks[index].1.truncate(length);
            // Some chunks are not read, so this may succeed.
            let _ = parse(&assemble(&chunks));
        }
    }
}

#[test]
fn no_flipped_bit_panics() {
    let plain = with_chunk(b"LitT", plain_literals);
    for bit in 0..plain.len() * 8 {
        let mut bytes = plain.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let _ = parse(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_damage_panics(
        chunk in 0..16_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut chunks = split(&with_chunk(b"LitT", plain_literals));
        let index = chunk % chunks.len();
        let content = &mut chunks[index].1;
        for (index, byte) in changes {
            if !content.is_empty() {
                let at = index.index(content.len());
                content[at] = byte;
            }
        }
        if let Some(cut) = cut {
            content.truncate(cut.index(content.len() + 1));
        }
        let _ = parse(&assemble(&chunks));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes);
        let _ = parse(&assemble(&[(*b"AtU8", bytes.clone())]));
        let _ = parse(&with_chunk(b"Code", |code| [&code[..20], &bytes].concat()));
        let _ = decode(&bytes);
        let _ = decode(&[&[131], &bytes[..]].concat());
    }
}
