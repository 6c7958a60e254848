//! Tokens of logs.

use crate::{Answer, Random, Target, corpus, damage};
use mazurka_trace::Log;

const PREFIX: &str = "mz1:";
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const CHECKSUM_BYTES: usize = 3;

pub(super) struct Tokens {
    tokens: Vec<String>,
}

impl Default for Tokens {
    fn default() -> Tokens {
        let traces = corpus::traces();
        Tokens {
            tokens: { traces.iter() }
                .map(|trace| trace.log().to_token())
                .collect(),
        }
    }
}

impl Target for Tokens {
    fn name(&self) -> &'static str {
        "token"
    }

    fn about(&self) -> &'static str {
        "tokens of logs, most of them damaged, with a correct checksum"
    }

    fn generate(&mut self, random: &mut Random) -> Vec<u8> {
        let token = random.pick(&self.tokens);
        if random.once_in(8) {
            let mut text = token.clone().into_bytes();
            damage::bytes(random, &mut text);
            return text;
        }
        let bytes = decode(&token[PREFIX.len()..]);
        let after_length = bytes[CHECKSUM_BYTES..]
            .iter()
            .position(|byte| byte & 0x80 == 0);
        let head = CHECKSUM_BYTES + after_length.expect("a length has an end") + 1;
        let mut body = bytes[head..].to_vec();
        damage::bytes(random, &mut body);
        make(&body).into_bytes()
    }

    fn read(&mut self, input: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(input);
        let Ok(log) = Log::from_token(&text) else {
            return Answer::Refused;
        };
        let again = Log::from_token(&log.to_token()).expect("a token can be read");
        assert_eq!(again, log);
        let again = Log::from_json(&log.to_json()).expect("written logs can be read");
        assert_eq!(again, log);
        Answer::Accepted
    }
}

/// A token with this body.
fn make(body: &[u8]) -> String {
    let mut bytes = checksum(body).to_vec();
    let mut length = body.len();
    while length >= 0x80 {
        bytes.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend(body);
    let mut text = PREFIX.to_owned();
    for group in bytes.chunks(3) {
        let at = |n: usize| u32::from(group.get(n).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        let letter = |n: usize| LETTERS[(bits >> (18 - 6 * n) & 63) as usize];
        text.extend((0..=group.len()).map(|n| char::from(letter(n))));
    }
    text
}

fn decode(letters: &str) -> Vec<u8> {
    let (mut bits, mut have, mut bytes) = (0_u32, 0, Vec::new());
    for letter in letters.bytes() {
        let value = LETTERS.iter().position(|&other| other == letter);
        bits = (bits << 6 | value.expect("our own tokens are valid") as u32) & 0xffff;
        have += 6;
        if have >= 8 {
            have -= 8;
            bytes.push((bits >> have) as u8);
        }
    }
    bytes
}

/// The low bytes of the CRC-32 of IEEE 802.3.
fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let mut crc = !0_u32;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 * (crc & 1));
        }
    }
    let [a, b, c, _] = (!crc).to_le_bytes();
    [a, b, c]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intact_bodies_are_accepted() {
        for token in Tokens::default().tokens {
            let bytes = decode(&token[PREFIX.len()..]);
            let length = bytes[CHECKSUM_BYTES..]
                .iter()
                .position(|byte| byte & 0x80 == 0);
            let body = &bytes[CHECKSUM_BYTES + length.unwrap() + 1..];
            assert_eq!(make(body), token);
        }
    }
}
