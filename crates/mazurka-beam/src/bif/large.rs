//! Division and conversion of very large integers, which take quadratic time. They are done in
//! pieces, with a check of the brake between pieces.

use num_bigint::{BigInt, BigUint, Sign};

use crate::meter;
use crate::raise::Raise;

/// The size of a piece in bits, which takes about a millisecond.
const PIECE_BITS: u64 = 1 << 15;
/// The size of a piece in digits, for conversion from and to text.
const PIECE_DIGITS: u32 = 4_000;

/// The digits of an integer, with its sign.
pub(super) fn to_text(big: &BigInt, base: u32) -> Result<String, Raise> {
    let size = bytes(big.bits());
    meter::spend(size)?;
    if big.bits() <= PIECE_BITS || base.is_power_of_two() {
        return Ok(big.to_str_radix(base).to_uppercase());
    }
    let piece = BigUint::from(base).pow(PIECE_DIGITS);
    // Pieces are computed from the last digits to the first.
    let mut pieces = Vec::new();
    let mut rest = big.magnitude().clone();
    while rest >= piece {
        meter::work(size.saturating_mul(PIECE_DIGITS as usize / 16))?;
        let above = &rest / &piece;
        pieces.push((rest - &above * &piece).to_str_radix(base));
        rest = above;
    }
    let mut text = match big.sign() {
        Sign::Minus => "-".to_owned(),
        Sign::NoSign | Sign::Plus => String::new(),
    };
    text += &rest.to_str_radix(base);
    for digits in pieces.into_iter().rev() {
        text.extend(std::iter::repeat_n(
            '0',
            PIECE_DIGITS as usize - digits.len(),
        ));
        text += &digits;
    }
    Ok(text.to_uppercase())
}

/// The number with these digits; `None` if a digit is not less than the base.
pub(super) fn from_digits(digits: &[u8], base: u32) -> Result<Option<BigUint>, Raise> {
    if base.is_power_of_two() {
        return Ok(BigUint::from_radix_be(digits, base));
    }
    let mut number = BigUint::ZERO;
    for digits in digits.chunks(PIECE_DIGITS as usize) {
        let size = bytes(number.bits());
        meter::work(size.saturating_mul(digits.len() / 16 + 1))?;
        let Some(piece) = BigUint::from_radix_be(digits, base) else {
            return Ok(None);
        };
        number = number * BigUint::from(base).pow(digits.len() as u32) + piece;
    }
    Ok(Some(number))
}

/// The quotient, rounded towards zero, and the remainder, with the sign of `one`. `other` is not 0.
pub(super) fn divide(one: &BigInt, other: &BigInt) -> Result<(BigInt, BigInt), Raise> {
    let (above, below) = (one.magnitude(), other.magnitude());
    if above.bits() <= PIECE_BITS || below.bits() <= PIECE_BITS {
        return Ok((one / other, one % other));
    }
    // Long division with digits of `PIECE_BITS` bits.
    let mask = (BigUint::from(1_u8) << PIECE_BITS) - 1_u8;
    let (mut quotient, mut rest) = (BigUint::ZERO, BigUint::ZERO);
    for piece in (0..above.bits().div_ceil(PIECE_BITS)).rev() {
        meter::work(bytes(above.bits() + below.bits() * (PIECE_BITS / 64)))?;
        rest = (rest << PIECE_BITS) + ((above >> (piece * PIECE_BITS)) & &mask);
        let digit = &rest / below;
        rest -= &digit * below;
        quotient = (quotient << PIECE_BITS) + digit;
    }
    let sign = one.sign() * other.sign();
    Ok((
        BigInt::from_biguint(sign, quotient),
        BigInt::from_biguint(one.sign(), rest),
    ))
}

fn bytes(bits: u64) -> usize {
    usize::try_from(bits / 8).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn large(bits: u64) -> BigInt {
        (BigInt::from(3) << bits) + 12_345
    }

    #[test]
    fn results_in_pieces_equal_results_in_one_piece() {
        for number in [large(40_000), -large(100_000), large(33)] {
            let text = to_text(&number, 10).expect("no limits");
            assert_eq!(text, number.to_string());
            let digits: Vec<u8> = { text.bytes() }
                .filter(|&digit| digit != b'-')
                .map(|digit| digit - b'0')
                .collect();
            let back = from_digits(&digits, 10)
                .expect("no limits")
                .expect("digits");
            assert_eq!(back, *number.magnitude());
        }
        for (one, other) in [(100_000, 50_000), (100_000, 99_000), (50_000, 100_000)] {
            for (one, other) in [(large(one), large(other)), (-large(one), large(other))] {
                let divided = divide(&one, &other).expect("no limits");
                assert_eq!(divided, (&one / &other, &one % &other));
            }
        }
    }
}
