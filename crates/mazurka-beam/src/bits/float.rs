//! Floats of 16, 32 and 64 bits.

use super::builder::Builder;
use crate::term::{Bits, Term, big_to_float};

/// Reads the float in the `size` bits that start at `at`; the caller has checked that they exist.
/// `None` if floats do not have this size, or if it is not finite.
pub(super) fn read(bits: &Bits, at: usize, size: usize, little: bool) -> Option<f64> {
    let mut bytes = [0; 8];
    let bytes = bytes.get_mut(..size / 8)?;
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = bits.octet(at + index * 8);
    }
    if little {
        bytes.reverse();
    }
    let float = match (size, &*bytes) {
        // Erlang also has floats of 16 bits.
        (0, _) => 0.0,
        (16, &[a, b]) => from_half(u16::from_be_bytes([a, b])),
        (32, &[a, b, c, d]) => f64::from(f32::from_be_bytes([a, b, c, d])),
        (64, &[a, b, c, d, e, f, g, h]) => f64::from_be_bytes([a, b, c, d, e, f, g, h]),
        _ => return None,
    };
    float.is_finite().then_some(float)
}

/// The reason why a float cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// Floats do not have this size.
    Size,
    /// The value is not a number.
    Type,
    /// The value is too large for a float.
    Range,
}

/// Appends a number as a float of `size` bits.
pub(super) fn write(
    value: &Term,
    size: usize,
    little: bool,
    builder: &mut Builder,
) -> Result<(), Problem> {
    if !matches!(size, 16 | 32 | 64) {
        return Err(Problem::Size);
    }
    let float = match value {
        Term::Float(float) => *float,
        // Rounds to nearest, as the real virtual machine does.
        Term::Int(int) => *int as f64,
        Term::Big(big) => big_to_float(big).ok_or(Problem::Range)?,
        _ => return Err(Problem::Type),
    };
    // A value too large for 16 or 32 bits becomes infinite.
    match size {
        16 => put(to_half(float as f32).to_be_bytes(), little, builder),
        32 => put((float as f32).to_be_bytes(), little, builder),
        _ => put(float.to_be_bytes(), little, builder),
    }
    Ok(())
}

fn put<const N: usize>(mut bytes: [u8; N], little: bool, builder: &mut Builder) {
    if little {
        bytes.reverse();
    }
    builder.put_octets(bytes);
}

const HALF_INFINITY: u16 = 0x7c00;

/// Decodes a float of 16 bits: a sign, 5 bits of exponent, 10 bits of mantissa.
fn from_half(half: u16) -> f64 {
    let exponent = i32::from(half >> 10 & 0x1f);
    let mantissa = f64::from(half & 0x3ff);
    let magnitude = match exponent {
        0 => mantissa * 2.0_f64.powi(-24),
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (mantissa + 1024.0) * 2.0_f64.powi(exponent - 25),
    };
    if half >> 15 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

/// Rounds to nearest, ties to even. Values that are too large become infinite.
fn to_half(float: f32) -> u16 {
    let bits = float.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let magnitude = f32::from_bits(bits & 0x7fff_ffff);
    // The largest float of 16 bits plus half of its distance to the next lower one.
    if magnitude >= 65520.0 {
        return sign | HALF_INFINITY;
    }
    // The exponent of the result; subnormal results all have the smallest one.
    let exponent = ((magnitude.to_bits() >> 23) as i32 - 127).max(-14);
    let steps = f64::from(magnitude) / 2.0_f64.powi(exponent - 10);
    let steps = steps.round_ties_even() as u16;
    // A mantissa that overflows increments the exponent, as it should.
    let biased = (exponent + 14) as u16;
    sign | ((biased << 10) + steps)
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;

    #[test]
    fn halves() {
        let check = |half: u16, float: f64| {
            assert_eq!(from_half(half), float, "{half:x}");
            assert_eq!(to_half(float as f32), half, "{float}");
        };
        check(0, 0.0);
        check(0x3c00, 1.0);
        check(0xc000, -2.0);
        check(0x7bff, 65504.0);
        check(0x0001, 2.0_f64.powi(-24));
        check(0x03ff, 1023.0 * 2.0_f64.powi(-24));
        check(0x0400, 2.0_f64.powi(-14));
        check(0x3555, 0.333_251_953_125);
        check(0x7c00, f64::INFINITY);
        assert_eq!(to_half(65519.0), 0x7bff);
        assert_eq!(to_half(-65520.0), 0xfc00);
        assert_eq!(to_half(2049.0), 0x6800);
        assert_eq!(to_half(2051.0), 0x6802);
    }

    #[test]
    fn every_half_survives_a_round_trip() {
        for half in 0..=u16::MAX {
            let float = from_half(half);
            if float.is_nan() {
                continue;
            }
            assert_eq!(to_half(float as f32), half, "{half:x}");
        }
    }

    #[test]
    fn invalid_floats_are_refused() {
        let check = |value: Term, size, problem| {
            assert_eq!(
                write(&value, size, false, &mut Builder::new()),
                Err(problem)
            );
        };
        check(1.0.into(), 24, Problem::Size);
        check(1.0.into(), 0, Problem::Size);
        check(Term::Nil, 24, Problem::Size);
        check(Term::Nil, 64, Problem::Type);
        check((BigInt::from(1) << 2000_u32).into(), 64, Problem::Range);
        let infinite = Bits::from_bytes(&[0x7f, 0xf0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(read(&infinite, 0, 64, false), None);
        assert_eq!(read(&infinite, 0, 24, false), None);
        assert_eq!(read(&infinite, 0, 128, false), None);
        assert_eq!(read(&infinite, 0, 0, false), Some(0.0));
    }
}
