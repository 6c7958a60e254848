//! The subjects of published evaluations, and what was published of them.

mod directed;
mod figures;
mod mark;
mod plot;

pub use directed::{HUNTED, Hunted, Way, ways};
pub use figures::{Published, ROWS, Row};
pub use mark::Mark;
pub use plot::{Panel, Point, Series, draw};

use std::collections::BTreeMap;

/// A program that was evaluated in a paper, as the gallery has it.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Its name in the paper.
    pub name: &'static str,
    /// The program of the gallery.
    pub program: &'static str,
    /// Its parameters.
    params: Params,
    /// The number of messages that only start the paper's program; ours starts without them.
    pub boots: u64,
    /// Whether exploration stops at the first error.
    pub to_first_error: bool,
    /// Why our figures differ, if they do: the rest of a sentence that begins "NAME differs:".
    pub note: Option<&'static str>,
}

impl Subject {
    /// The subject of this name.
    pub fn find(name: &str) -> Option<&'static Subject> {
        SUBJECTS.iter().find(|subject| subject.name == name)
    }

    /// Its parameters.
    pub fn params(&self) -> BTreeMap<String, String> {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        self.params.iter().map(owned).collect()
    }

    /// The program and its parameters, as on the command line.
    pub fn arguments(&self) -> Vec<String> {
        let mut words = vec![self.program.to_owned()];
        for (name, value) in self.params {
            words.extend(["--param".to_owned(), format!("{name}={value}")]);
        }
        words
    }
}

/// The names of all subjects.
pub fn subject_names() -> impl Iterator<Item = &'static str> {
    SUBJECTS.iter().map(|subject| subject.name)
}

type Params = &'static [(&'static str, &'static str)];

impl Subject {
    const fn new(name: &'static str, program: &'static str, params: Params) -> Subject {
        Subject {
            name,
            program,
            params,
            boots: 1,
            to_first_error: false,
            note: None,
        }
    }

    /// Everything in it begins by itself, in the paper too.
    const fn unbooted(self) -> Subject {
        Subject { boots: 0, ..self }
    }

    const fn to_first_error(self) -> Subject {
        Subject {
            to_first_error: true,
            ..self
        }
    }

    const fn note(self, note: &'static str) -> Subject {
        Subject {
            note: Some(note),
            ..self
        }
    }
}

/// The subjects of Tasharofi et al. 2012.
const SUBJECTS: [Subject; 16] = [
    Subject::new("registry", "gallery:registry", &[("n", "2")]),
    Subject::new("fib5", "gallery:fibonacci", &[("n", "5")]).note(NOTHING_LEFT_OUT),
    Subject::new("quicksort6", "gallery:quicksort", &[("n", "6")]).note(NOTHING_LEFT_OUT),
    Subject::new("pi5", "gallery:pi", &[("n", "5")]),
    Subject::new("pipesort4", "gallery:pipesort", &[("n", "4")]).note(OTHER_LEFT_OUT),
    Subject::new("chameneos2", "gallery:chameneos", &[("n", "2")]),
    Subject::new("leader4", "gallery:leader", &[("n", "4")])
        .unbooted()
        .note(OTHER_LEFT_OUT),
    Subject::new("shortpath4", "gallery:shortpath", &[("graph", "4")])
        .unbooted()
        .note(OTHER_LEFT_OUT),
    Subject::new("shortpath5", "gallery:shortpath", &[("graph", "5")])
        .unbooted()
        .note(OTHER_LEFT_OUT),
    Subject::new("regsim", "gallery:registry", &[("n", "5")]),
    Subject::new("regsim-2-level", "gallery:regsim-2-level", &[]).note(
        "the program is not public. Ours has as many traces, but probably spawns its processes in \
         another order, and so tries messages in another order.",
    ),
    Subject::new("diningphil", "gallery:philosophers", PHILOSOPHERS).note(
        "the program is not public. Ours has as many traces, with fewer messages in each. (The \
         paper's TransDPOR finds 29 of the 31 in LCA order.)",
    ),
    Subject::new("diningphil-bug", "gallery:philosophers", PHILOSOPHERS)
        .to_first_error()
        .note(
            "the program is not public. In ours ten messages lead to the deadlock, on the first \
             path in every order.",
        ),
    Subject::new("minesweeper", "gallery:minesweeper", &[])
        .to_first_error()
        .note(
            "the program is not public. Ours deadlocks on the first path in every order, theirs \
             in FIFO order.",
        ),
    Subject::new(
        "le-erlang3-failure",
        "gallery:le-erlang",
        &[("n", "3"), ("failure", "1")],
    )
    .to_first_error()
    .note(
        "how the authors let a process fail is not public. In ours the safety violation needs a \
         late message to a process that was restarted, which a depth-first search meets late.",
    ),
    Subject::new(
        "le-erlang4",
        "gallery:le-erlang",
        &[("n", "4"), ("failure", "0")],
    )
    .to_first_error()
    .note(
        "ours ends each path with a timeout and eight messages that ask who leads. And the \
         original is not public in every detail.",
    ),
];

/// The subjects of Christakis et al. 2013 whose schedules are counted.
pub const SCHEDULED: [Subject; 2] = [
    Subject::new("pidigits, 8 digits", "gallery:pidigits", &[("n", "8")]),
    Subject::new("attach, without ping", "gallery:attach", &[("ping", "0")]),
];

const NOTHING_LEFT_OUT: &str = "only TransDPOR without sleep sets in ECA order. Ours explores what \
     DPOR does there; in which order the authors looked at races, which decides what TransDPOR \
     leaves out, is not published in every detail.";

const OTHER_LEFT_OUT: &str = "only TransDPOR. In which order the authors looked at races, which \
     decides what it leaves out, is not published in every detail.";

const PHILOSOPHERS: Params = &[("n", "5"), ("fixed", "0")];

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_engine::Delivery;
    use mazurka_gallery::find;

    #[test]
    fn the_gallery_has_every_subject() {
        for subject in SUBJECTS.iter().chain(&SCHEDULED) {
            let name = subject
                .program
                .strip_prefix("gallery:")
                .expect("all are there");
            let program = find(name).expect(name);
            let built = program.instantiate(&subject.params());
            assert!(built.is_ok(), "{}: {:#}", subject.name, built.unwrap_err());
        }
    }

    /// `mazurka check` runs them as `mazurka lab papers` does. The philosophers are the same in every
    /// model, and not only of that paper.
    #[test]
    fn subjects_have_the_model_of_their_paper() {
        for (subjects, delivery) in [
            (&SUBJECTS[..], Delivery::Unordered),
            (&SCHEDULED[..], Delivery::Mailbox),
        ] {
            for subject in subjects {
                let name = subject.program.trim_start_matches("gallery:");
                if name != "philosophers" {
                    assert_eq!(find(name).expect(name).delivery, delivery, "{name}");
                }
            }
        }
    }

    #[test]
    fn every_row_has_its_subject() {
        for row in &ROWS {
            assert!(Subject::find(row.subject).is_some(), "{}", row.subject);
        }
        for name in subject_names() {
            assert!(ROWS.iter().any(|row| row.subject == name), "{name}");
        }
    }
}
