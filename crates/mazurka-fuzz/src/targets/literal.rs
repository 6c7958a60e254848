//! Terms in the external term format, as literals of a module and as input of `binary_to_term`.

use crate::beam_file::BeamFile;
use crate::{Answer, Random, Target, corpus, etf};
use mazurka_beam::loader::Module;
use mazurka_beam::source::parse_term;
use mazurka_beam::term::{Format, decode, encode};

/// Terms from which inputs are generated.
const TERMS: [&str; 6] = [
    "{a, [1, 2.5, -70000, 123456789012345678901234567890], \"text\"}",
    "#{k => <<\"bytes\">>, 1 => #{}, [x | y] => {}}",
    "[{}, {{{{a}}}}, [[], [[]]], 'an atom', \"\\x{3bb}\"]",
    "{'EXIT', {badarg, [{m, f, 2, [{file, \"m.erl\"}, {line, 3}]}]}}",
    "<<1, 2, 3, 4, 5, 6, 7, 8, 9>>",
    "[0, 255, 256, -1, 2147483647, -2147483648, 4294967296, 0.0, 1.0e300]",
];

pub(super) struct Literal {
    terms: Vec<Vec<u8>>,
    file: BeamFile,
}

impl Default for Literal {
    fn default() -> Literal {
        let term = |text: &str| parse_term(text).expect("our own terms are valid");
        Literal {
            terms: { TERMS.iter() }
                .map(|text| encode(&term(text), Format::OTP_25))
                .collect(),
            file: corpus::with_debug_info(),
        }
    }
}

impl Target for Literal {
    fn name(&self) -> &'static str {
        "literal"
    }

    fn about(&self) -> &'static str {
        "terms in the external term format, alone and in the chunk LitT of a .beam file"
    }

    fn generate(&mut self, random: &mut Random) -> Vec<u8> {
        let mut term = random.pick(&self.terms).clone();
        etf::damage(random, &mut term);
        if random.once_in(16) {
            etf::damage(random, &mut term);
        }
        term
    }

    fn read(&mut self, input: &[u8]) -> Answer {
        let mut file = self.file.clone();
        if let Some(chunk) = file.chunk(b"LitT") {
            // The size 0 means that it is not compressed; one literal with its size follows.
            let count = 1_u32.to_be_bytes();
            let size = (input.len() as u32).to_be_bytes();
            *chunk = [&[0; 4], &count[..], &size, input].concat();
        }
        let in_file = Module::parse("it", &file.assemble());
        let Ok(term) = decode(input) else {
            return Answer::Refused;
        };
        drop(in_file);
        for format in [Format::OTP_25, Format::OTP_26] {
            let again = decode(&encode(&term, format)).expect("written terms can be read");
            assert_eq!(again.to_string(), term.to_string());
        }
        Answer::Accepted
    }
}
