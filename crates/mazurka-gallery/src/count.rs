//! Closed forms for numbers of traces. They return `None` if a number overflows.

/// `n!`
pub(crate) fn factorial(n: i64) -> Option<u128> {
    (1..=u128::try_from(n).ok()?).try_fold(1_u128, u128::checked_mul)
}

/// `base^exponent`
pub(crate) fn power(base: u128, exponent: i64) -> Option<u128> {
    base.checked_pow(u32::try_from(exponent).ok()?)
}

/// `n` choose `k`
pub(crate) fn choose(n: i64, k: i64) -> Option<u128> {
    let (n, k) = (u128::try_from(n).ok()?, u128::try_from(k).ok()?);
    (0..k.min(n.checked_sub(k)?)).try_fold(1_u128, |product, i| {
        Some(product.checked_mul(n.checked_sub(i)?)? / (i + 1))
    })
}

/// The number of ways to merge `queues` queues of `length` elements: `(qℓ)! / (ℓ!)^q`.
pub(crate) fn merges(queues: i64, length: i64) -> Option<u128> {
    // One queue after the other, so that intermediate results stay small.
    (1..=queues).try_fold(1_u128, |product, queue| {
        product.checked_mul(choose(queue.checked_mul(length)?, length)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers() {
        assert_eq!(factorial(8), Some(40_320));
        assert_eq!(factorial(0), Some(1));
        assert_eq!(factorial(100), None);
        assert_eq!(choose(5, 2), Some(10));
        assert_eq!(choose(2, 5), None);
        assert_eq!(choose(1002, 1000), Some(501_501));
        assert_eq!(merges(3, 3), Some(1680));
        assert_eq!(merges(1, 7), Some(1));
        assert_eq!(power(2, 5), Some(32));
        assert_eq!(power(2, 128), None);
    }
}
