//! The abstract code of a module, from which source lines are read.

use crate::beam_file::BeamFile;
use crate::{Answer, Random, Target, corpus, etf};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use mazurka_beam::code::Library;
use mazurka_beam::loader::Module;
use std::io::Write;

pub(super) struct DebugInfo {
    file: BeamFile,
    /// The lines of clauses in the undamaged file.
    lines: Vec<Option<u32>>,
}

impl Default for DebugInfo {
    fn default() -> DebugInfo {
        let file = corpus::with_debug_info();
        DebugInfo {
            lines: lines(&file),
            file,
        }
    }
}

impl Target for DebugInfo {
    fn name(&self) -> &'static str {
        "debug-info"
    }

    fn about(&self) -> &'static str {
        "the chunk Dbgi of a .beam file: source lines of receives and of their clauses"
    }

    fn generate(&mut self, random: &mut Random) -> Vec<u8> {
        let mut chunk = self.file.chunk(b"Dbgi").cloned().unwrap_or_default();
        etf::damage(random, &mut chunk);
        if random.once_in(32) {
            chunk = compressed(&chunk);
        }
        chunk
    }

    fn read(&mut self, input: &[u8]) -> Answer {
        let mut file = self.file.clone();
        if let Some(chunk) = file.chunk(b"Dbgi") {
            *chunk = input.to_vec();
        }
        Answer::of((lines(&file) == self.lines).then_some(()))
    }
}

/// The source lines of all clauses, as far as they are known.
fn lines(file: &BeamFile) -> Vec<Option<u32>> {
    let module = Module::parse("it", &file.assemble()).expect("the other chunks are intact");
    let name = module.name;
    let library = Library::new([]);
    library.add(module).expect("the other chunks are intact");
    let code = library.code(name).expect("it was added");
    let clauses = code.clauses();
    clauses
        .map(|(_, place)| place.map(|place| place.line))
        .collect()
}

/// The chunk in the form that the compiler writes.
fn compressed(chunk: &[u8]) -> Vec<u8> {
    let term = chunk.get(1..).unwrap_or_default();
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(term).expect("memory");
    let size = (term.len() as u32).to_be_bytes();
    let term = encoder.finish().expect("memory");
    [&[131, 80], &size[..], &term].concat()
}
