//! The game of minesweeper, with a process for every cell (after Tasharofi et al. 2012).

use super::switch;
use crate::built::Built;
use crate::program::{Mistake, Parameter, Program, Values, Wrong};
use mazurka::{Pid, daemon, interchangeable, me, receive, send, spawn};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const PROGRAM: Program = Program {
    name: "minesweeper",
    about: "cells ask their neighbours for mines and, if there are none, open them (TransDPOR)",
    delivery: mazurka::Delivery::Unordered,
    wrong: Some(Wrong {
        kind: Mistake::Deadlock,
        about: "two neighbouring cells are opened at the same time: each waits for the other's answer and does not reply",
        when: |values, _| values.get("fixed") == 0 && two_at_once(values),
    }),
    parameters: &[
        length("rows", 1, "the number of rows"),
        length("columns", 2, "the number of columns"),
        switch(
            "fixed",
            "1: a cell replies to its neighbours while it waits for answers",
        ),
    ],
    build: |values| {
        interchangeable::<Neighbours>();
        interchangeable::<Request>();
        interchangeable::<Answer>();
        interchangeable::<Opened>();
        let (rows, columns) = (values.get("rows"), values.get("columns"));
        let fixed = values.is_on("fixed");
        Built::rust(move || player(Board { rows, columns }, fixed))
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

/// Whether the first cell opens cells that are neighbours of each other and that have to wait for
/// answers.
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

    fn mines_around(self, cell: i64) -> usize {
        let mines = self.neighbours(cell).filter(|&other| self.is_mine(other));
        mines.count()
    }

    /// The cells that are open at the end, after the first cell is opened.
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

/// The neighbours of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Neighbours(Vec<Pid>);

/// A message to a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Request {
    Open,
    IsMine(Pid),
}

/// A neighbour's answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Answer {
    from: Pid,
    is_mine: bool,
}

/// A cell displays the number of mines around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Opened {
    number: i64,
    mines: usize,
}

async fn player(board: Board, fixed: bool) {
    let player = me();
    let start = |number| {
        let is_mine = board.is_mine(number);
        (number, spawn(move || cell(player, number, is_mine, fixed)))
    };
    let cells: BTreeMap<i64, Pid> = (1..=board.cells()).map(start).collect();
    for (&number, &cell) in &cells {
        let near = board.neighbours(number).map(|other| cells[&other]);
        send(cell, Neighbours(near.collect()));
    }
    send(cells[&1], Request::Open);
    // Receive in a fixed order, so that the player adds no races.
    for cell in board.opened() {
        let mines = receive! { Opened { number, mines } if number == cell => mines };
        assert_eq!(
            mines,
            board.mines_around(cell),
            "the number shown by cell {cell}"
        );
    }
}

async fn cell(player: Pid, number: i64, is_mine: bool, fixed: bool) {
    daemon();
    let Neighbours(neighbours) = receive().await;
    let cell = Cell {
        player,
        number,
        is_mine,
        fixed,
        neighbours,
    };
    let mut is_open = false;
    loop {
        match receive().await {
            Request::IsMine(asker) => cell.answer(asker),
            Request::Open => {
                // A mine must not be opened.
                assert!(!is_mine);
                if !is_open {
                    cell.open().await;
                    is_open = true;
                }
            }
        }
    }
}

struct Cell {
    player: Pid,
    number: i64,
    is_mine: bool,
    /// Whether it replies while it waits for answers.
    fixed: bool,
    neighbours: Vec<Pid>,
}

impl Cell {
    fn answer(&self, asker: Pid) {
        let (from, is_mine) = (me(), self.is_mine);
        send(asker, Answer { from, is_mine });
    }

    async fn open(&self) {
        let mut mines = 0;
        for &neighbour in &self.neighbours {
            mines += usize::from(self.ask(neighbour).await);
        }
        let number = self.number;
        send(self.player, Opened { number, mines });
        if mines == 0 {
            for &neighbour in &self.neighbours {
                send(neighbour, Request::Open);
            }
        }
    }

    /// Whether a neighbour is a mine.
    async fn ask(&self, neighbour: Pid) -> bool {
        send(neighbour, Request::IsMine(me()));
        loop {
            receive! {
                Answer { from, is_mine } if from == neighbour => return is_mine,
                Request::IsMine(asker) if self.fixed => self.answer(asker),
            }
        }
    }
}
