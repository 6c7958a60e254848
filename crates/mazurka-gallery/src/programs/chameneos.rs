//! Chameneos: creatures meet at a mall and change their colours (a subject of Tasharofi et
//! al. 2012, after the benchmark chameneos-redux).

use super::size;
use crate::built::Built;
use crate::count::{factorial, power};
use crate::program::{Program, Values};
use mazurka::{Delivery, Pid, interchangeable, me, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "chameneos",
    about: "creatures meet n times, two at a time, and change colour (TransDPOR's chameneos)",
    delivery: mazurka::Delivery::Unordered,
    wrong: None,
    parameters: &[
        size("n", 2, 0, "the number of meetings"),
        size("creatures", 3, 2, "the number of creatures"),
    ],
    build: |values| {
        interchangeable::<Visit>();
        interchangeable::<Answer>();
        let (n, creatures) = (values.get("n"), values.get("creatures"));
        Built::rust(move || mall(n, creatures))
    },
    traces,
};

/// Any creature that is not at the mall may arrive next: two for each meeting, and all of them in any
/// order after the mall has closed.
fn traces(values: &Values, _: Delivery) -> Option<u128> {
    let (n, creatures) = (values.get("n"), values.get("creatures"));
    let couples = u128::try_from(creatures * (creatures - 1)).ok()?;
    power(couples, n)?.checked_mul(factorial(creatures)?)
}

/// Colours are 0, 1 and 2.
const COLOURS: i64 = 3;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Go;

/// A creature comes to the mall.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Visit {
    who: Pid,
    colour: i64,
    /// The number of its meetings so far.
    met: i64,
}

/// The mall's answer to a visitor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Answer {
    Meet { with: Pid, theirs: i64 },
    Stop,
}

async fn mall(n: i64, creatures: i64) {
    let mall = me();
    for i in 0..creatures {
        let creature = spawn(move || creature(mall, i % COLOURS));
        send(creature, Go);
    }
    for _ in 0..n {
        let (one, other): (Visit, Visit) = (receive().await, receive().await);
        send(one.who, other.greets());
        send(other.who, one.greets());
    }
    // Two creatures meet each time. A meeting of colours a and b changes both to -(a + b) modulo 3,
    // so the sum of all colours modulo 3 does not change.
    let mut met = 2 * n;
    let mut colours: i64 = (0..creatures).map(|i| i % COLOURS).sum();
    for _ in 0..creatures {
        let visitor: Visit = receive().await;
        send(visitor.who, Answer::Stop);
        met -= visitor.met;
        colours -= visitor.colour;
    }
    assert_eq!(met, 0, "both creatures know of a meeting");
    assert_eq!(colours % COLOURS, 0, "the colours add up to the same");
}

impl Visit {
    /// The answer that the other visitor gets.
    fn greets(&self) -> Answer {
        Answer::Meet {
            with: self.who,
            theirs: self.colour,
        }
    }
}

async fn creature(mall: Pid, mut colour: i64) {
    let Go = receive().await;
    let who = me();
    for met in 0.. {
        send(mall, Visit { who, colour, met });
        match receive().await {
            Answer::Meet { with, theirs } => {
                assert_ne!(with, who, "no creature meets itself");
                colour = complement(colour, theirs);
            }
            Answer::Stop => break,
        }
    }
}

/// The same colour if both have it, otherwise the third.
fn complement(one: i64, other: i64) -> i64 {
    match one == other {
        true => one,
        false => COLOURS - one - other,
    }
}
