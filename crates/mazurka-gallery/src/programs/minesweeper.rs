//! The game of minesweeper, every cell a process (after Tasharofi et al. 2012).

use super::switch;
use crate::program::{Mistake, Parameter, Program, Values, Wrong};
use crate::{
    Next, Pattern, Term, Turn, assert_equal, assert_that, crash, done, pattern, receive, start,
    tuple,
};
use mazurka_engine::Pid;
use std::collections::BTreeSet;
use std::rc::Rc;

pub(super) const PROGRAM: Program = Program {
    name: "minesweeper",
    about: "cells ask their neighbours for mines and, if there are none, open them (TransDPOR)",
    wrong: Some(Wrong {
        kind: Mistake::Deadlock,
        about: "two neighbours are being opened: each waits for the other's answer and gives none",
        when: |values, _| values.get("fixed") == 0 && two_at_once(values),
    }),
    parameters: &[
        length("rows", 1, "the number of rows"),
        length("columns", 2, "the number of columns"),
        switch("fixed", "1: a cell gives answers while it waits for one"),
    ],
    entry: |values| {
        let get = |name| values.get(name);
        start!(player, get("rows"), get("columns"), get("fixed"))
    },
    traces: |_, _| None,
};

const fn length(name: &'static str, min: i64, about: &'static str) -> Parameter {
    Parameter {
        name,
        default: 3,
        min,
        max: 20,
        about,
    }
}

/// The first cell opens neighbours that are neighbours of each other, and those that it
/// opens have something to wait for.
fn two_at_once(values: &Values) -> bool {
    let (rows, columns) = (values.get("rows"), values.get("columns"));
    rows.min(columns) >= 2 && rows.max(columns) >= 3
}

/// A board with one mine, in the last cell. Cells are numbered row by row.
#[derive(Clone, Copy)]
struct Board {
    rows: i64,
    columns: i64,
}

impl Board {
    fn cells(self) -> i64 {
        self.rows * self.columns
    }

    fn is_mine(self, cell: i64) -> bool {
        cell == self.cells()
    }

    fn neighbours(self, cell: i64) -> impl Iterator<Item = i64> {
        let at = move |cell| ((cell - 1) / self.columns, (cell - 1) % self.columns);
        let (row, column) = at(cell);
        (1..=self.cells()).filter(move |&other| {
            let (r, c) = at(other);
            other != cell && (r - row).abs() <= 1 && (c - column).abs() <= 1
        })
    }

    fn mines_around(self, cell: i64) -> i64 {
        let mines = self.neighbours(cell).filter(|&other| self.is_mine(other));
        mines.map(|_| 1).sum()
    }

    /// What is open in the end when the first cell is opened.
    fn opened(self) -> BTreeSet<i64> {
        let (mut opened, mut next) = (BTreeSet::from([1]), vec![1]);
        while let Some(cell) = next.pop() {
            if self.mines_around(cell) == 0 {
                next.extend(self.neighbours(cell).filter(|&other| opened.insert(other)));
            }
        }
        opened
    }
}

fn player(args: &Term, turn: &mut Turn<'_>) -> Next {
    let (rows, columns, fixed) = (args.int(0)?, args.int(1)?, args.int(2)?);
    let board = Board { rows, columns };
    let cells: Vec<(i64, Pid)> = (1..=board.cells())
        .map(|i| {
            let mine = i64::from(board.is_mine(i));
            (i, turn.spawn(start!(cell, turn.me(), i, mine, fixed)))
        })
        .collect();
    for &(i, cell) in &cells {
        let near: BTreeSet<_> = board.neighbours(i).collect();
        let near = cells.iter().filter(|(other, _)| near.contains(other));
        let near = near.map(|&(_, pid)| Term::Pid(pid)).collect();
        turn.send(cell, tuple!["neighbours", Term::Tuple(near)]);
    }
    turn.send(cells[0].1, Term::Atom("open"));
    wait_for(board.opened(), board)
}

/// In a fixed order, so that the player adds no races of its own.
fn wait_for(mut closed: BTreeSet<i64>, board: Board) -> Next {
    let Some(cell) = closed.pop_first() else {
        return done();
    };
    let opened = pattern!["opened", cell, Pattern::Integer];
    receive(opened, move |message, _| {
        let mines = board.mines_around(cell);
        assert_equal("the number that a cell shows", message.int(2)?, mines)?;
        wait_for(closed.clone(), board)
    })
}

struct Cell {
    player: Pid,
    number: i64,
    mine: i64,
    /// Whether it gives answers while it waits for one.
    fixed: bool,
    neighbours: Vec<Pid>,
}

fn cell(args: &Term, turn: &mut Turn<'_>) -> Next {
    turn.daemon();
    let (player, number, mine) = (args.pid(0)?, args.int(1)?, args.int(2)?);
    let fixed = args.int(3)? == 1;
    receive(pattern!["neighbours", Pattern::Any], move |message, _| {
        let Term::Tuple(neighbours) = message.at(1)? else {
            return crash("badarg");
        };
        let cell = Cell {
            player,
            number,
            mine,
            fixed,
            neighbours: neighbours
                .iter()
                .map(Term::as_pid)
                .collect::<Result<_, _>>()?,
        };
        rest(cell.into(), false)
    })
}

fn rest(cell: Rc<Cell>, open: bool) -> Next {
    let clauses = [Pattern::from("open"), pattern!["is_mine", Pattern::Process]];
    receive(Pattern::one_of(clauses), move |message, turn| {
        if message.is_tagged("is_mine") {
            cell.answer(message.pid(1)?, turn);
            return rest(cell.clone(), open);
        }
        assert_that(cell.mine == 0, "no mine is opened")?;
        match open {
            true => rest(cell.clone(), true),
            false => ask_neighbours(cell.clone(), 0, 0, turn),
        }
    })
}

/// One after the other, waiting for each answer.
fn ask_neighbours(cell: Rc<Cell>, asked: usize, mines: i64, turn: &mut Turn<'_>) -> Next {
    if let Some(&neighbour) = cell.neighbours.get(asked) {
        turn.send(neighbour, tuple!["is_mine", turn.me()]);
        return wait_for_answer(cell, asked, mines);
    }
    turn.send(cell.player, tuple!["opened", cell.number, mines]);
    if mines == 0 {
        for &neighbour in &cell.neighbours {
            turn.send(neighbour, Term::Atom("open"));
        }
    }
    rest(cell, true)
}

fn wait_for_answer(cell: Rc<Cell>, asked: usize, mines: i64) -> Next {
    let answer = pattern!["mine", cell.neighbours[asked], Pattern::Integer];
    let pattern = match cell.fixed {
        true => Pattern::one_of([answer, pattern!["is_mine", Pattern::Process]]),
        false => answer,
    };
    receive(pattern, move |message, turn| {
        if message.is_tagged("is_mine") {
            cell.answer(message.pid(1)?, turn);
            return wait_for_answer(cell.clone(), asked, mines);
        }
        ask_neighbours(cell.clone(), asked + 1, mines + message.int(2)?, turn)
    })
}

impl Cell {
    fn answer(&self, to: Pid, turn: &mut Turn<'_>) {
        turn.send(to, tuple!["mine", turn.me(), self.mine]);
    }
}
