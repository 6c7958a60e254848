//! Compares integers with floats by their exact values.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

/// 2⁶³: the smallest float larger than every `i64`.
const BEYOND_I64: f64 = 9_223_372_036_854_775_808.0;

/// Compares an integer of 64 bits with a float.
pub(super) fn compare_int(int: i64, float: f64) -> Ordering {
    if float >= BEYOND_I64 {
        return Ordering::Less;
    }
    if float < -BEYOND_I64 {
        return Ordering::Greater;
    }
    let whole = float.trunc();
    // Exact: the float is within the range of `i64`.
    int.cmp(&(whole as i64))
        .then_with(|| whole.partial_cmp(&float).unwrap_or(Ordering::Equal))
}

/// Compares an integer that does not fit into 64 bits with a float.
pub(super) fn compare_big(big: &BigInt, float: f64) -> Ordering {
    if float.abs() < BEYOND_I64 {
        return match big.sign() {
            Sign::Minus => Ordering::Less,
            _ => Ordering::Greater,
        };
    }
    big.cmp(&whole(float))
}

/// Converts an integer to a float; `None` if it is too large. The conversion goes word by word and
/// rounds each time, as the real virtual machine did up to OTP 27, so the last digit may be wrong
/// in the same way.
pub(crate) fn big_to_float(big: &BigInt) -> Option<f64> {
    const WORD: f64 = 18_446_744_073_709_551_616.0;
    let words = big.iter_u64_digits().rev();
    let magnitude = words.fold(0.0, |sum, word| sum * WORD + word as f64);
    let float = match big.sign() {
        Sign::Minus => -magnitude,
        _ => magnitude,
    };
    float.is_finite().then_some(float)
}

/// The float nearest to an integer of at least 2⁶³; `None` if the integer is too large.
pub(crate) fn nearest_float(big: &BigInt) -> Option<f64> {
    const WORD_BITS: u64 = 64;
    let magnitude = big.magnitude();
    let shift = magnitude.bits().saturating_sub(WORD_BITS);
    let first = (magnitude >> shift).iter_u64_digits().next().unwrap_or(0);
    // The last bit of the word is below the precision of a float. Setting it if any later bit is
    // set makes the rounding correct.
    let has_more = magnitude.trailing_zeros().unwrap_or(0) < shift;
    let scale = 2.0_f64.powi(i32::try_from(shift).ok()?);
    let float = (first | u64::from(has_more)) as f64 * scale;
    let float = match big.sign() {
        Sign::Minus => -float,
        _ => float,
    };
    float.is_finite().then_some(float)
}

/// The integer that a float of at least 2⁵³ is equal to.
fn whole(float: f64) -> BigInt {
    const MANTISSA_BITS: u32 = 52;
    let bits = float.to_bits();
    let exponent = (bits >> MANTISSA_BITS) & 0x7ff;
    let mantissa = bits & ((1 << MANTISSA_BITS) - 1) | 1 << MANTISSA_BITS;
    let shift = exponent.saturating_sub(1023 + u64::from(MANTISSA_BITS));
    let magnitude = BigInt::from(mantissa) << shift;
    if float < 0.0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small() {
        let check = |int, float, expected| assert_eq!(compare_int(int, float), expected);
        check(1, 1.0, Ordering::Equal);
        check(0, -0.0, Ordering::Equal);
        check(1, 1.5, Ordering::Less);
        check(-1, -1.5, Ordering::Greater);
        check((1 << 53) + 1, 9_007_199_254_740_992.0, Ordering::Greater);
        check(i64::MAX, BEYOND_I64, Ordering::Less);
        check(i64::MIN, -BEYOND_I64, Ordering::Equal);
        check(i64::MIN, -1.0e300, Ordering::Greater);
    }

    #[test]
    fn nearest() {
        let check = |text: &str, expected: Option<f64>| {
            let big = text.parse().expect("an integer");
            assert_eq!(nearest_float(&big), expected);
        };
        check("9223372036854775808", Some(BEYOND_I64));
        check(
            "4831648485234661159884262711013212630276600899104889989",
            Some(4.831_648_485_234_661_5e54),
        );
        // Halfway between two floats rounds to even, unless a lower bit is set.
        check("36893488147419107328", Some(36_893_488_147_419_103_232.0));
        check("36893488147419107329", Some(36_893_488_147_419_111_424.0));
        check("-18446744073709553664", Some(-18_446_744_073_709_551_616.0));
        check("-18446744073709553665", Some(-18_446_744_073_709_555_712.0));
        let digits = "9".repeat(308);
        check(&digits, Some(1.0e308));
        check(&format!("{digits}9"), None);
        check(&"9".repeat(2000), None);
    }

    #[test]
    fn large() {
        let check = |big: &BigInt, float, expected| assert_eq!(compare_big(big, float), expected);
        let power = BigInt::from(1) << 100;
        let float = 2.0_f64.powi(100);
        check(&power, float, Ordering::Equal);
        check(&(&power + 1), float, Ordering::Greater);
        check(&(&power - 1), float, Ordering::Less);
        check(&-&power, -float, Ordering::Equal);
        check(&power, 1.0e300, Ordering::Less);
        check(&(BigInt::from(1) << 2000), f64::MAX, Ordering::Greater);
        check(&-&power, 0.5, Ordering::Less);
    }
}
