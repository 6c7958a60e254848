//! The digits of π, calculated by one process and printed by another (Christakis et al. 2013).

use super::size;
use crate::built::Built;
use crate::count::choose;
use crate::program::{Mistake, Program, Wrong};
use mazurka::{Delivery, NameRefused, interchangeable, receive, register, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "pidigits",
    about: "a process calculates the first n digits of pi, another one prints them (Concuerror)",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Assertion,
        about: "if messages can overtake each other, digits are printed in the wrong order",
        when: |values, delivery| delivery == Delivery::Unordered && values.get("n") >= 2,
    }),
    parameters: &[size("n", 8, 1, "the number of digits")],
    build: |values| {
        interchangeable::<Digit>();
        let n = values.get("n");
        Built::rust(move || main(n))
    },
    // The printer stops at the first digit that is not the next one. If `left` digits are
    // missing, `left - 1` of them are not the next one.
    traces: |values, delivery| match delivery {
        Delivery::Unordered => choose(values.get("n"), 2)?.checked_add(1),
        _ => Some(1),
    },
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Digit {
    digit: i64,
    position: i64,
}

async fn main(n: i64) -> Result<(), NameRefused> {
    let printer = spawn(move || printer(n));
    register("printer", printer).await?;
    for (position, digit) in (1..=n).zip(digits(n)) {
        send(printer, Digit { digit, position });
    }
    Ok(())
}

async fn printer(n: i64) {
    for next in 1..=n {
        let Digit { position, .. } = receive().await;
        assert_eq!(position, next, "this digit is not the next one");
    }
}

/// The first digits of π, by the spigot of Rabinowitz and Wagon (1995): π is written in a
/// mixed radix in which all its digits are 2, and converted to radix 10.
fn digits(n: i64) -> Vec<i64> {
    // A few more digits than requested, since the last ones may still get a carry.
    let produced = n + 10;
    let mut mixed: Vec<(i64, i64)> = (1..=produced * 10 / 3).map(|i| (i, 2)).collect();
    let mut whole = 2;
    let (mut digits, mut held, mut nines) = (Vec::new(), None, 0);
    for _ in 0..produced {
        let mut carry = 0;
        for (i, digit) in mixed.iter_mut().rev() {
            let sum = *digit * 10 + carry;
            *digit = sum % (2 * *i + 1);
            carry = sum / (2 * *i + 1) * *i;
        }
        let sum = whole * 10 + carry;
        whole = sum % 10;
        let next = sum / 10;
        if next == 9 {
            nines += 1;
            continue;
        }
        // A carry propagates through the nines to the digit before them.
        let carry = next / 10;
        digits.extend(held.map(|held| held + carry));
        digits.extend((0..nines).map(|_| if carry == 1 { 0 } else { 9 }));
        (held, nines) = (Some(next % 10), 0);
    }
    digits
        .into_iter()
        .zip(0..n)
        .map(|(digit, _)| digit)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_pi() {
        assert_eq!(digits(8), [3, 1, 4, 1, 5, 9, 2, 6]);
        let many = digits(1000);
        assert_eq!(many.len(), 1000);
        // Six nines in a row, and the end.
        assert_eq!(many[761..770], [4, 9, 9, 9, 9, 9, 9, 8, 3]);
        assert_eq!(many[994..], [4, 2, 0, 1, 9, 8]);
        for n in 1..60 {
            assert_eq!(digits(n), many[..digits(n).len()]);
            assert_eq!(digits(n).len() as i64, n);
        }
    }
}
