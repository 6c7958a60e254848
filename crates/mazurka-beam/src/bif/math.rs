//! The module `math`.

use super::BifResult;
use super::arith::to_float;
use crate::raise::Raise;
use crate::term::Term;

table! {
    "math" {
        "acos"/1 => |x| one(x, f64::acos),
        "acosh"/1 => |x| one(x, acosh),
        "asin"/1 => |x| one(x, f64::asin),
        "asinh"/1 => |x| one(x, asinh),
        "atan"/1 => |x| one(x, f64::atan),
        "atan2"/2 => |y, x| two(y, x, f64::atan2),
        "atanh"/1 => |x| one(x, atanh),
        "ceil"/1 => |x| one(x, f64::ceil),
        "cos"/1 => |x| one(x, f64::cos),
        "cosh"/1 => |x| one(x, f64::cosh),
        "erf"/1 => |x| one(x, erf),
        "erfc"/1 => |x| one(x, erfc),
        "exp"/1 => |x| one(x, f64::exp),
        "floor"/1 => |x| one(x, f64::floor),
        "fmod"/2 => |x, y| two(x, y, |x, y| x % y),
        "log"/1 => |x| one(x, f64::ln),
        "log10"/1 => |x| one(x, f64::log10),
        "log2"/1 => |x| one(x, f64::log2),
        "pow"/2 => |x, y| two(x, y, f64::powf),
        "sin"/1 => |x| one(x, f64::sin),
        "sinh"/1 => |x| one(x, f64::sinh),
        "sqrt"/1 => |x| one(x, f64::sqrt),
        "tan"/1 => |x| one(x, f64::tan),
        "tanh"/1 => |x| one(x, f64::tanh),
    }
}

/// Converts a number to a float. The error for a number that is too large differs from that for a
/// term that is not a number.
fn argument(term: &Term) -> Result<f64, Raise> {
    match term {
        Term::Int(_) | Term::Big(_) | Term::Float(_) => to_float(term).ok_or_else(Raise::badarith),
        _ => Err(Raise::badarg()),
    }
}

fn finite(float: f64) -> BifResult {
    if float.is_finite() {
        Ok(Term::Float(float))
    } else {
        Err(Raise::badarith())
    }
}

fn one(x: &Term, function: fn(f64) -> f64) -> BifResult {
    finite(function(argument(x)?))
}

fn two(x: &Term, y: &Term, function: fn(f64, f64) -> f64) -> BifResult {
    finite(function(argument(x)?, argument(y)?))
}

// The inverse hyperbolic functions by logarithms, in forms that keep precision. They switch between
// forms at the same arguments as the GNU C library, so that the last digit is the same.

fn asinh(x: f64) -> f64 {
    let size = x.abs();
    let result = if size >= 268_435_712.0 {
        size.ln() + std::f64::consts::LN_2
    } else if size >= 2.000_001_907_348_633 {
        (2.0 * size + 1.0 / ((x * x + 1.0).sqrt() + size)).ln()
    } else {
        let square = x * x;
        (size + square / (1.0 + (1.0 + square).sqrt())).ln_1p()
    };
    result.copysign(x)
}

fn acosh(x: f64) -> f64 {
    if x < 1.0 {
        f64::NAN
    } else if x >= 268_435_456.0 {
        x.ln() + std::f64::consts::LN_2
    } else if x > 2.0 {
        (2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt())).ln()
    } else {
        let beyond = x - 1.0;
        (beyond + (2.0 * beyond + beyond * beyond).sqrt()).ln_1p()
    }
}

fn atanh(x: f64) -> f64 {
    let size = x.abs();
    let result = if size < 0.5 {
        let double = size + size;
        0.5 * (double + double * size / (1.0 - size)).ln_1p()
    } else {
        0.5 * ((size + size) / (1.0 - size)).ln_1p()
    };
    result.copysign(x)
}

/// From this argument the continued fraction is more precise than the series.
const SERIES_MAX: f64 = 2.5;

/// The error function. The last digit may differ from that of the C library.
fn erf(x: f64) -> f64 {
    let size = x.abs();
    let result = if size < SERIES_MAX {
        series(size)
    } else {
        1.0 - fraction(size)
    };
    result.copysign(x)
}

/// One minus the error function, without cancellation where it is small.
fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        1.0 + erf(-x)
    } else if x < 1.0 {
        1.0 - series(x)
    } else {
        fraction(x)
    }
}

/// `2/√π · e^(-x²) · Σ 2ⁿx²ⁿ⁺¹/(2n+1)!!`: all terms are positive.
fn series(x: f64) -> f64 {
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term > sum * f64::EPSILON / 4.0 {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    bell(x, std::f64::consts::FRAC_2_SQRT_PI * sum)
}

/// `e^(-x²)/√π · 1/(x + (1/2)/(x + (2/2)/(x + …)))`, from the inside out.
fn fraction(x: f64) -> f64 {
    const DEPTH: u32 = 400;
    let inner = (1..=DEPTH)
        .rev()
        .fold(x, |inner, n| x + f64::from(n) / 2.0 / inner);
    bell(x, std::f64::consts::FRAC_2_SQRT_PI / 2.0 / inner)
}

/// `e^(-x²)` times a factor. The square is split into two parts, because its rounding error would
/// be visible in the result. The power is split into two factors, because it could underflow before
/// the multiplication.
fn bell(x: f64, times: f64) -> f64 {
    if x.abs() > 30.0 {
        return 0.0;
    }
    let short = f64::from(x as f32);
    let root = (-short * short / 2.0).exp();
    let rest = ((short - x) * (short + x)).exp();
    root * (root * rest * times)
}
