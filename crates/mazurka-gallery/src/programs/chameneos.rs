//! Chameneos: creatures meet at a mall and change their colours (a subject of Tasharofi et
//! al. 2012, after the benchmark chameneos-redux).

use super::size;
use crate::count::{factorial, power};
use crate::program::{Program, Values};
use crate::{
    Next, Pattern, Term, Turn, assert_equal, assert_that, done, pattern, receive, start, tuple,
};
use mazurka_engine::{Delivery, Pid};

pub(super) const PROGRAM: Program = Program {
    name: "chameneos",
    about: "creatures meet n times, two at a time, and change colour (TransDPOR's chameneos)",
    wrong: None,
    parameters: &[
        size("n", 2, 0, "the number of meetings"),
        size("creatures", 3, 2, "the number of creatures"),
    ],
    entry: |values| start!(mall, values.get("n"), values.get("creatures")),
    traces,
};

/// Whoever is not there yet may be the next to come: two for each meeting, and all in some
/// order when the mall has closed.
fn traces(values: &Values, _: Delivery) -> Option<u128> {
    let (n, creatures) = (values.get("n"), values.get("creatures"));
    let couples = u128::try_from(creatures * (creatures - 1)).ok()?;
    power(couples, n)?.checked_mul(factorial(creatures)?)
}

/// Colours are 0, 1 and 2.
const COLOURS: i64 = 3;

fn mall(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (n, creatures) = (args.int(0)?, args.int(1)?);
    for i in 0..creatures {
        let creature = turn.spawn(start!(creature, turn.me(), i % COLOURS));
        turn.send(creature, Term::Atom("go"));
    }
    meetings(n, n, creatures)
}

fn meetings(left: i64, n: i64, creatures: i64) -> Next {
    if left == 0 {
        // Two met each time. A meeting of colours a and b makes both -(a + b), modulo 3, so
        // that the sum of all colours stays what it was, modulo 3.
        let colours = (0..creatures).map(|i| i % COLOURS).sum();
        return close(creatures, 2 * n, colours);
    }
    visitor(move |one, _| {
        visitor(move |other, turn| {
            turn.send(one.who, tuple!["meet", other.who, other.colour]);
            turn.send(other.who, tuple!["meet", one.who, one.colour]);
            meetings(left - 1, n, creatures)
        })
    })
}

/// Sends the others away. They bring what is left of the sums.
fn close(creatures: i64, met: i64, colours: i64) -> Next {
    if creatures == 0 {
        assert_equal("the number of meetings not reported", met, 0)?;
        assert_equal("the change in colours", colours % COLOURS, 0)?;
        return done();
    }
    visitor(move |visitor, turn| {
        turn.send(visitor.who, Term::Atom("stop"));
        close(creatures - 1, met - visitor.met, colours - visitor.colour)
    })
}

#[derive(Clone, Copy)]
struct Visitor {
    who: Pid,
    colour: i64,
    /// How often it has met somebody.
    met: i64,
}

fn visitor(then: impl Fn(Visitor, &mut Turn<'_>) -> Next + 'static) -> Next {
    let number = Pattern::Integer;
    let visit = pattern!["visit", Pattern::Process, number.clone(), number];
    receive(visit, move |message, turn| {
        let visitor = Visitor {
            who: message.pid(1)?,
            colour: message.int(2)?,
            met: message.int(3)?,
        };
        then(visitor, turn)
    })
}

fn creature(args: &Term, _: &mut Turn<'_>) -> Next {
    let (mall, colour) = (args.pid(0)?, args.int(1)?);
    receive(Pattern::from("go"), move |_, turn| {
        visit(mall, colour, 0, turn)
    })
}

fn visit(mall: Pid, colour: i64, met: i64, turn: &mut Turn<'_>) -> Next {
    turn.send(mall, tuple!["visit", turn.me(), colour, met]);
    let clauses = [
        pattern!["meet", Pattern::Process, Pattern::Integer],
        Pattern::from("stop"),
    ];
    receive(Pattern::one_of(clauses), move |message, turn| {
        if message.is_tagged("stop") {
            return done();
        }
        assert_that(message.pid(1)? != turn.me(), "nobody meets itself")?;
        visit(mall, complement(colour, message.int(2)?), met + 1, turn)
    })
}

/// The same colour if both have it, otherwise the third.
fn complement(one: i64, other: i64) -> i64 {
    match one == other {
        true => one,
        false => COLOURS - one - other,
    }
}
