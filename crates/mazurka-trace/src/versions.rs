//! Races between a read and the publications of its object: the other versions that the read could
//! have seen.

use crate::{At, Causality, Event, ProcessName};

/// A read that could have seen other versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadChoice {
    /// The read.
    pub at: At,
    /// The object that was read.
    pub object: ProcessName,
    /// The version it saw.
    pub version: u32,
    /// The other versions that it could have seen. Never empty.
    pub others: Vec<u32>,
}

impl Causality<'_> {
    /// Every read that could have seen another version of its object. Such a version was possibly
    /// not replaced yet when the process reached the read, and its publication does not depend on
    /// the read.
    ///
    /// For each read this takes time proportional to the number of versions of its object.
    pub fn read_choices(&self) -> Vec<ReadChoice> {
        let versions = self.index.versions();
        let choice = |read| {
            let Event::Read { object, version } = self.index.event(read) else {
                return None;
            };
            let publishes = versions.get(&self.index.process(object)?)?;
            let position = self.index.position(read);
            let owner = self.index.owner(read);
            // The reader's causal past: its previous event, or its spawn.
            let before = match position.checked_sub(1) {
                Some(before) => self.index.nth(owner, before),
                None => self.index.spawn(owner),
            };
            let happened = |a, b| a == b || self.clocks.happened_before(&self.index, a, b);
            let possible = |version: usize| {
                let made = version.checked_sub(1).map(|at| publishes[at]);
                let replaced = publishes.get(version);
                made.is_none_or(|made| !happened(read, made))
                    && match (replaced, before) {
                        (Some(&replaced), Some(before)) => !happened(replaced, before),
                        _ => true,
                    }
            };
            let others: Vec<u32> = (0..=publishes.len())
                .filter(|&other| other != *version as usize && possible(other))
                .filter_map(|other| u32::try_from(other).ok())
                .collect();
            (!others.is_empty()).then(|| ReadChoice {
                at: self.index.at(read),
                object: object.clone(),
                version: *version,
                others,
            })
        };
        self.index.all().filter_map(choice).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::interleaving;
    use crate::{At, Delivery};

    fn check(text: &str, at: At, expected: &[u32]) {
        let run = interleaving(Delivery::P2p, &["o"], text);
        let trace = run.to_trace();
        let causality = trace.check().unwrap();
        let choices = causality.read_choices();
        let found = choices.iter().find(|choice| choice.at == at);
        let others = found.map_or(&[][..], |choice| &choice.others[..]);
        assert_eq!(others, expected, "{text}");
    }

    #[test]
    fn a_read_races_with_concurrent_publications() {
        let concurrent = "p: spawn q, send 1 to o\n o: receive 1, publish\n q: read o 1";
        check(concurrent, At::new("q", 0), &[0]);
        let early = "p: spawn q, send 1 to o\n q: read o 0\n o: receive 1, publish";
        check(early, At::new("q", 0), &[1]);
    }

    #[test]
    fn a_read_does_not_race_with_causally_ordered_publications() {
        let answered =
            "p: send 1 to o\n o: receive 1, publish, send 2 to p\n p: receive 2, read o 1";
        check(answered, At::new("p", 2), &[]);
        let inherited = "p: send 1 to o\n o: receive 1, publish, send 2 to p\n p: receive 2, spawn q\n q: read o 1";
        check(inherited, At::new("q", 0), &[]);
        let own = "p: read o 0, send 1 to o\n o: receive 1, publish";
        check(own, At::new("p", 0), &[]);
    }
}
