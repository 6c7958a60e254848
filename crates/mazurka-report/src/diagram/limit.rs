//! Limits diagrams to a maximum number of lanes and rows.

use super::{Diagram, Lane, Mark, Row, What};
use crate::text::count;

/// The maximum size of a diagram.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub lanes: usize,
    /// Rows shown at the start and at the end.
    pub first: usize,
    pub last: usize,
}

/// This many rows before and after a marked one are shown as well.
const AROUND: usize = 2;

impl Diagram {
    /// The diagram within these limits. Where rows are left out, a row states how many.
    pub(super) fn fit(&self, limits: Limits) -> Diagram {
        self.fewer_lanes(limits.lanes.max(2)).fewer_rows(limits)
    }

    /// Merges the least important lanes into one.
    fn fewer_lanes(&self, max: usize) -> Diagram {
        if self.lanes.len() <= max {
            return self.clone();
        }
        let mut weight = vec![(Mark::Plain, 0_usize); self.lanes.len()];
        for row in &self.rows {
            for lane in row.lanes() {
                weight[lane].0 = weight[lane].0.max(row.mark);
                weight[lane].1 += 1;
            }
        }
        let mut by_weight: Vec<usize> = (0..self.lanes.len()).collect();
        by_weight.sort_by_key(|&lane| (std::cmp::Reverse(weight[lane]), lane));
        let mut kept: Vec<usize> = by_weight[..max - 1].to_vec();
        kept.sort_unstable();
        let crowd = kept.len();
        let mut new = vec![crowd; self.lanes.len()];
        for (place, &lane) in kept.iter().enumerate() {
            new[lane] = place;
        }
        let mut lanes: Vec<Lane> = kept.iter().map(|&lane| self.lanes[lane].clone()).collect();
        lanes.push(Lane {
            name: format!("{} others", self.lanes.len() - crowd),
            pid: None,
            from_start: true,
            is_crowd: true,
        });
        let mut rows: Vec<Row> = Vec::new();
        // The number of rows that are only about processes in the shared lane.
        let mut among = 0;
        for row in &self.rows {
            let is_among = row.mark == Mark::Plain && row.lanes().all(|lane| new[lane] == crowd);
            if is_among && among > 0 {
                among += 1;
                if let Some(last) = rows.last_mut() {
                    last.ends.extend(row.ends.iter().map(|&lane| new[lane]));
                    last.ends.retain(|&lane| lane != crowd);
                    last.what = What::Step;
                    last.text = count(among, "step");
                }
                continue;
            }
            among = u64::from(is_among);
            rows.push(self.in_crowd(row, &new, crowd));
        }
        Diagram { lanes, rows }
    }

    /// A row whose text names the processes of the shared lane.
    fn in_crowd(&self, row: &Row, new: &[usize], crowd: usize) -> Row {
        let mut fewer = row.clone();
        let name = |lane: usize| match new[lane] == crowd {
            true => Some(self.lanes[lane].name.as_str()),
            false => None,
        };
        match &row.what {
            What::Send { to, .. } => match (name(row.lane), name(*to)) {
                (Some(from), Some(to)) => {
                    fewer.what = What::Step;
                    fewer.text = format!("{from} sends {to} {}", row.text);
                }
                (Some(from), None) => fewer.text = format!("{from}: {}", row.text),
                (None, Some(to)) => fewer.text = format!("to {to}: {}", row.text),
                (None, None) => {}
            },
            What::Spawn { to } => {
                let hidden: Vec<&str> = to.iter().filter_map(|&lane| name(lane)).collect();
                if let Some(from) = name(row.lane) {
                    fewer.what = What::Step;
                    let names: Vec<&str> = to
                        .iter()
                        .map(|&lane| self.lanes[lane].name.as_str())
                        .collect();
                    fewer.text = format!("{from} starts {}", names.join(", "));
                } else if !hidden.is_empty() {
                    fewer.text = format!("spawn {}", hidden.join(", "));
                }
            }
            What::Take { .. } | What::Step => {
                if let Some(name) = name(row.lane) {
                    fewer.text = format!("{name} {}", row.text);
                }
            }
            What::Gap { .. } => {}
        }
        fewer.renumber(new);
        fewer.ends.retain(|&lane| lane != crowd);
        fewer
    }

    /// Keeps the rows at both ends, and those around the marked ones.
    fn fewer_rows(mut self, limits: Limits) -> Diagram {
        let all = self.rows.len();
        if all <= limits.first + limits.last {
            return self;
        }
        let marked = self.rows.iter().enumerate();
        let marked = marked.filter(|(_, row)| row.mark != Mark::Plain);
        let mut shown = vec![false; all];
        // Many messages may be marked as ones that could have been taken.
        for (at, _) in marked.take(limits.last) {
            let upto = (at + AROUND + 1).min(all);
            shown[at.saturating_sub(AROUND)..upto].fill(true);
        }
        shown[..limits.first].fill(true);
        shown[all - limits.last..].fill(true);
        let mut rows: Vec<Row> = Vec::new();
        for (row, shown) in self.rows.into_iter().zip(shown) {
            match (shown, rows.last_mut()) {
                (true, _) => rows.push(row),
                (false, Some(last)) if matches!(last.what, What::Gap { .. }) => {
                    if let What::Gap { rows } = &mut last.what {
                        *rows += 1;
                    }
                    last.ends.extend(row.ends);
                }
                (false, _) => rows.push(Row {
                    lane: 0,
                    what: What::Gap { rows: 1 },
                    text: String::new(),
                    mark: Mark::Plain,
                    place: None,
                    ends: row.ends,
                }),
            }
        }
        self.rows = rows;
        self
    }
}

impl Row {
    /// All lanes of the row.
    fn lanes(&self) -> impl Iterator<Item = usize> {
        let others: Vec<usize> = match &self.what {
            What::Spawn { to } => to.clone(),
            What::Send { to, .. } => vec![*to],
            What::Take { .. } | What::Step | What::Gap { .. } => Vec::new(),
        };
        others.into_iter().chain([self.lane])
    }
}

/// The text for a gap.
pub(super) fn gap(rows: usize) -> String {
    format!("… {} not shown …", count(rows as u64, "row"))
}
