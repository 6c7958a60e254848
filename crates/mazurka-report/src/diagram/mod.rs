//! One execution as a picture: a lane for each process, time goes down, messages cross over.
//!
//! A [`Diagram`] is made of a trace once; [terminal](Diagram::write), [SVG](Diagram::to_svg) and
//! [Mermaid](Diagram::to_mermaid) draw the same rows. What takes several events to say and one
//! row to see is folded: a message that is received before its receiver does anything else, the
//! processes that are started in a row, the requests that a shared object only says `ok` to, what
//! the runtime keeps to itself.

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
    /// What it is called.
    name: String,
    /// Its pid, if that is not its name.
    pid: Option<String>,
    /// Whether it is there before anything happens.
    from_start: bool,
    /// Several processes for which there is no room.
    is_crowd: bool,
}

/// What happens at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    /// The number of the lane.
    lane: usize,
    what: What,
    text: String,
    mark: Mark,
    /// Where in the source.
    place: Option<String>,
    /// The lanes that end with this row.
    ends: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// Starts processes.
    Spawn { to: Vec<usize> },
    /// Sends a message. The number is that of the message.
    Send { to: usize, id: usize, end: Flight },
    /// Takes a message that was sent in an earlier row.
    Take { from: Option<usize>, id: usize },
    /// Does something by itself.
    Step,
    /// So many rows are not shown.
    Gap { rows: usize },
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flight {
    /// Its receiver takes it before doing anything else.
    Taken,
    /// Its receiver takes it in a later row, or where the diagram has ended.
    Later,
    /// Nobody ever takes it.
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
    /// It would take too long to wait for.
    #[error("it has {0} events, too many to draw")]
    TooLong(usize),
    /// The trace is none.
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
