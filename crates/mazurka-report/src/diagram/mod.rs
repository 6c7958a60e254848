//! One execution as a picture: a lane for each process, time runs downwards, messages are arrows
//! between lanes.
//!
//! A [`Diagram`] is built from a trace once; [terminal](Diagram::write), [SVG](Diagram::to_svg) and
//! [Mermaid](Diagram::to_mermaid) draw the same rows. Some events share a row: a send and its
//! receive, if the receiver does nothing in between, and spawns in succession. Answers `ok` of shared
//! objects and internal events of the runtime are not drawn.

mod build;
mod canvas;
mod limit;
mod mermaid;
mod pictures;
mod svg;
mod terminal;

pub use pictures::Picture;

use mazurka_trace::TraceError;

/// An execution, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    lanes: Vec<Lane>,
    rows: Vec<Row>,
}

/// A process, or an object that processes share.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lane {
    /// Its name in reports.
    name: String,
    /// Its pid, if that is not its name.
    pid: Option<String>,
    /// Whether it exists from the first row on.
    from_start: bool,
    /// Whether it stands for several processes, because there are too many lanes.
    is_crowd: bool,
}

/// One row of the diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    /// The number of the lane.
    lane: usize,
    what: What,
    text: String,
    mark: Mark,
    /// Its place in the source.
    place: Option<String>,
    /// The lanes that end with this row.
    ends: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// Starts processes.
    Spawn { to: Vec<usize> },
    /// Sends a message. `id` is the number of the message.
    Send { to: usize, id: usize, end: Flight },
    /// Takes a message that was sent in an earlier row.
    Take { from: Option<usize>, id: usize },
    /// Does something without another lane.
    Step,
    /// This many rows are not shown.
    Gap { rows: usize },
}

/// When a message is received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flight {
    /// Its receiver takes it before doing anything else, so the receive is in the same row.
    Taken,
    /// Its receiver takes it in a later row, or after the end of the diagram.
    Later,
    /// It is never received.
    Never,
}

/// What is special about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    /// Nothing.
    Plain,
    /// The message that could have been taken.
    Instead,
    /// The choice that leads to the error: the message that was taken.
    Took,
    /// Where it fails.
    Failing,
}

/// Why an execution cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// It is so long that drawing it would take too much time.
    #[error("it has {0} events, too many to draw")]
    TooLong(usize),
    /// The trace is not that of an execution.
    #[error("it cannot be put in order: {0}")]
    Invalid(TraceError),
}

impl Diagram {
    /// Whether a row has this mark.
    fn has(&self, mark: Mark) -> bool {
        self.rows.iter().any(|row| row.mark == mark)
    }

    /// For each lane the row from which it is drawn, and the one before which it ends.
    fn spans(&self) -> Vec<(usize, usize)> {
        let last = self.rows.len();
        let begin = |lane: &Lane| if lane.from_start { 0 } else { last };
        let mut spans: Vec<_> = self.lanes.iter().map(|lane| (begin(lane), last)).collect();
        for (at, row) in self.rows.iter().enumerate() {
            let mut seen = |lane: usize| spans[lane].0 = spans[lane].0.min(at);
            match &row.what {
                What::Spawn { to } => to.iter().copied().for_each(&mut seen),
                What::Send { to, .. } => seen(*to),
                _ => {}
            }
            if !matches!(row.what, What::Gap { .. }) {
                seen(row.lane);
            }
            for &lane in &row.ends {
                spans[lane].1 = at + 1;
            }
        }
        spans
    }

    /// The row in which each message is sent, by number.
    fn sent_in(&self) -> std::collections::HashMap<usize, usize> {
        let rows = self.rows.iter().enumerate();
        let sends = rows.filter_map(|(at, row)| match row.what {
            What::Send { id, .. } => Some((id, at)),
            _ => None,
        });
        sends.collect()
    }
}

/// The name of a lane with its pid.
impl std::fmt::Display for Lane {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.pid {
            Some(pid) => write!(f, "{} {pid}", self.name),
            None => f.write_str(&self.name),
        }
    }
}
