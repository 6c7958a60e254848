//! `.beam` files: loads them and prepares them for running.

use crate::beam_file::BeamFile;
use crate::{Answer, Random, Target, corpus};
use mazurka_beam::code::Library;
use mazurka_beam::loader::Module;

pub(super) struct Load {
    files: [BeamFile; 2],
}

impl Default for Load {
    fn default() -> Load {
        Load {
            files: corpus::beam_files(),
        }
    }
}

impl Target for Load {
    fn name(&self) -> &'static str {
        "beam-load"
    }

    fn about(&self) -> &'static str {
        ".beam files with damage in any chunk: loading, and preparing the code for running"
    }

    fn generate(&mut self, random: &mut Random) -> Vec<u8> {
        random.pick(&self.files).damaged(random)
    }

    fn read(&mut self, input: &[u8]) -> Answer {
        let module = Module::parse("it", input).ok();
        Answer::of(module.and_then(|module| Library::new([]).add(module).ok()))
    }
}
