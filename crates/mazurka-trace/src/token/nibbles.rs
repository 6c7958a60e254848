//! Encodes numbers and texts as sequences of nibbles (four bits each).
//!
//! A number is written three bits at a time, the lowest first; the fourth bit of a nibble is set if
//! more nibbles follow. A text is written as its length in bytes and two nibbles for each byte.

/// The input cannot be decoded.
#[derive(Debug)]
pub(super) struct Broken;

#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
    half: bool,
}

impl Writer {
    fn nibble(&mut self, nibble: u8) {
        match self.bytes.last_mut() {
            Some(last) if self.half => *last |= nibble,
            _ => self.bytes.push(nibble << 4),
        }
        self.half = !self.half;
    }

    pub(super) fn number(&mut self, mut number: u64) {
        while number > 7 {
            self.nibble((number & 7) as u8 | 8);
            number >>= 3;
        }
        self.nibble(number as u8);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        for byte in text.bytes() {
            self.nibble(byte >> 4);
            self.nibble(byte & 15);
        }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

pub(super) struct Reader<'b> {
    bytes: &'b [u8],
    /// The position, in nibbles.
    at: usize,
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    fn nibble(&mut self) -> Result<u8, Broken> {
        let byte = *self.bytes.get(self.at / 2).ok_or(Broken)?;
        self.at += 1;
        Ok(match self.at % 2 {
            1 => byte >> 4,
            _ => byte & 15,
        })
    }

    pub(super) fn number(&mut self) -> Result<u64, Broken> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(3) {
            let nibble = self.nibble()?;
            let bits = u64::from(nibble & 7);
            if shift == 63 && bits > 1 {
                return Err(Broken);
            }
            number |= bits << shift;
            if nibble & 8 == 0 {
                return Ok(number);
            }
        }
        Err(Broken)
    }

    pub(super) fn text(&mut self) -> Result<String, Broken> {
        let mut bytes = Vec::new();
        for _ in 0..self.number()? {
            bytes.push(self.nibble()? << 4 | self.nibble()?);
        }
        String::from_utf8(bytes).map_err(|_| Broken)
    }

    /// Checks that the input ends here, except for a zero nibble that fills the last byte.
    pub(super) fn finish(mut self) -> Result<(), Broken> {
        let padding = self.at.is_multiple_of(2) || self.nibble()? == 0;
        match padding && self.at == self.bytes.len() * 2 {
            true => Ok(()),
            false => Err(Broken),
        }
    }
}
