//! Heat spreads along a bar that four processes share; sends wait until they are received.
//!
//! In every step neighbours exchange the temperatures at their borders, from the far end of the bar
//! to the near one. Then every process reports how much its part has changed to the process at the
//! near end, which receives these changes from any sender. It does not check which step they belong
//! to, and the process at the far end may be one step ahead of its neighbour.

use super::{size, switch};
use crate::built::Built;
use crate::count::{factorial, merges, power};
use crate::program::{Mistake, Program, Wrong};
use mazurka::{Pid, hand_over, interchangeable, me, receive, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "heat",
    about: "heat spreads along a bar that 4 processes share: they exchange borders and report changes (MPI)",
    delivery: mazurka::Delivery::Mailbox,
    wrong: Some(Wrong {
        kind: Mistake::Deadlock,
        about: "a change of the next step is accepted in place of a late one, and the sender of the late one waits forever",
        when: |values, _| !values.is_on("fixed") && values.get("n") >= 2,
    }),
    parameters: &[
        size("n", 3, 0, "the number of steps"),
        size(
            "pieces",
            4,
            1,
            "the number of pieces of the bar that each process has and sends back at the end",
        ),
        switch("fixed", "1: changes contain the number of their step"),
    ],
    build: |values| {
        interchangeable::<Initial>();
        interchangeable::<Border>();
        interchangeable::<Change>();
        interchangeable::<Piece>();
        let (steps, pieces) = (values.get("n"), values.count("pieces"));
        let fixed = values.is_on("fixed");
        Built::rust(move || near_end(steps, pieces, fixed))
    },
    // In each step the changes arrive in any order, and so do the pieces at the end. In each step
    // except the last, two orders in which the nearest process is late lead to the deadlock.
    traces: |values, _| {
        let (steps, fixed) = (values.get("n"), values.is_on("fixed"));
        let others = i64::try_from(OTHERS).ok()?;
        let orders = factorial(others)?;
        let pieces = merges(others, values.get("pieces"))?;
        let fine = power(orders, steps)?.checked_mul(pieces)?;
        let before_last = if fixed || steps < 2 { 0 } else { steps - 1 };
        let deadlocks = 2 * (power(orders, before_last)? - 1) / (orders - 1);
        fine.checked_add(deadlocks)
    },
};

/// The number of processes besides the one at the near end.
const OTHERS: usize = 3;

/// The initial data of a process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Initial {
    pieces: usize,
    nearer: Pid,
    farther: Option<Pid>,
}

/// The temperature at the border of a neighbour.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Border {
    from: Pid,
    temperature: i64,
}

/// The change of a part in one step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Change {
    step: i64,
    by: i64,
}

/// The final temperature of a piece.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Piece {
    temperature: i64,
}

async fn near_end(steps: i64, pieces: usize, fixed: bool) {
    let root = me();
    let others: Vec<Pid> = (0..OTHERS)
        .map(|_| spawn(move || other(root, steps)))
        .collect();
    for (i, &process) in others.iter().enumerate() {
        let nearer = i.checked_sub(1).map_or(root, |i| others[i]);
        let farther = others.get(i + 1).copied();
        let initial = Initial {
            pieces,
            nearer,
            farther,
        };
        hand_over(process, initial).await;
    }
    let mut part = vec![1 << 16; pieces];
    for step in 0..steps {
        let farther = exchange_with_farther(others[0], &part).await;
        let mut change = spread(&mut part, None, Some(farther));
        for _ in &others {
            change += receive! { Change { step: of, by } if !fixed || of == step => by };
        }
        assert!(change >= 0);
    }
    for _ in 0..OTHERS * pieces {
        receive! { Piece { .. } => {} }
    }
}

async fn other(root: Pid, steps: i64) {
    let Initial {
        pieces,
        nearer,
        farther,
    } = receive().await;
    let mut part = vec![0; pieces];
    for step in 0..steps {
        let far = match farther {
            Some(farther) => Some(exchange_with_farther(farther, &part).await),
            None => None,
        };
        let near = exchange_with_nearer(nearer, &part).await;
        let by = spread(&mut part, Some(near), far);
        hand_over(root, Change { step, by }).await;
    }
    for temperature in part {
        hand_over(root, Piece { temperature }).await;
    }
}

/// The farther process sends first.
async fn exchange_with_farther(farther: Pid, part: &[i64]) -> i64 {
    let theirs = border_of(farther).await;
    give_border(farther, part[part.len() - 1]).await;
    theirs
}

async fn exchange_with_nearer(nearer: Pid, part: &[i64]) -> i64 {
    give_border(nearer, part[0]).await;
    border_of(nearer).await
}

async fn give_border(to: Pid, temperature: i64) {
    let from = me();
    hand_over(to, Border { from, temperature }).await;
}

async fn border_of(neighbour: Pid) -> i64 {
    receive! { Border { from, temperature } if from == neighbour => temperature }
}

/// One step of the heat equation on some temperatures, the nearest first. No heat leaves at the ends
/// of the bar. Returns the total change.
fn spread(part: &mut [i64], near: Option<i64>, far: Option<i64>) -> i64 {
    let before = part.to_vec();
    for (i, piece) in part.iter_mut().enumerate() {
        let near = i.checked_sub(1).map_or(near, |i| Some(before[i]));
        let far = before.get(i + 1).copied().or(far);
        let neighbours = near.unwrap_or(before[i]) + far.unwrap_or(before[i]);
        *piece = (neighbours + 2 * before[i]) / 4;
    }
    let changes = part
        .iter()
        .zip(&before)
        .map(|(now, then)| now.abs_diff(*then));
    i64::try_from(changes.sum::<u64>()).expect("temperatures are small")
}
