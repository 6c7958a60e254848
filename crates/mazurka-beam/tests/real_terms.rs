//! Random terms: their order, equality and text are compared with the real virtual machine.

mod common;

use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use mazurka_beam::source::parse_term;
use mazurka_beam::term::{Atom, Term, Zeros, compare, decode, equal, exactly_equal};

const TERMS: usize = 10_000;
const SEED: u32 = 4711;

#[test]
fn order_equality_and_text_match_erlang() {
    let records = common::ask("oracle", &format!("oracle:terms({TERMS}, {SEED}, OUT)"));
    let (header, records) = records.split_first().expect("a header");
    let zeros = match decode(header).expect("a term") {
        Term::Atom(Atom::TRUE) => Zeros::Differ,
        _ => Zeros::Same,
    };
    let terms: Vec<Checked> = records.chunks_exact(2).map(Checked::read).collect();
    assert!(terms.len() > TERMS);
    for checked in &terms {
        assert_eq!(checked.term.to_string(), checked.text);
    }
    let mut equal_pairs = [0; 2];
    for pair in terms.windows(2) {
        let (one, other) = (&pair[0].term, &pair[1].term);
        assert_ne!(compare(one, other), Ordering::Greater, "{one} {other}");
        assert_ne!(compare(other, one), Ordering::Less, "{one} {other}");
        assert_eq!(equal(one, other), pair[1].equal, "{one} {other}");
        let exactly = exactly_equal(one, other, zeros);
        assert_eq!(exactly, pair[1].exactly_equal, "{one} {other}");
        if exactly {
            assert_eq!(hash(one), hash(other), "{one} {other}");
        }
        equal_pairs[0] += usize::from(pair[1].equal);
        equal_pairs[1] += usize::from(exactly);
    }
    // Neighbours are close in the order; compare distant terms, too.
    for distance in [2, 3, 10, 100, 1000, 5000] {
        for (one, other) in terms.iter().zip(&terms[distance..]) {
            assert_ne!(compare(&one.term, &other.term), Ordering::Greater);
        }
    }
    println!(
        "{} terms; {} neighbours are ==, {} are =:=",
        terms.len(),
        equal_pairs[0],
        equal_pairs[1]
    );
}

#[test]
fn text_written_by_erlang_can_be_parsed() {
    let records = common::ask("oracle", &format!("oracle:terms({TERMS}, {SEED}, OUT)"));
    let mut read = 0;
    for checked in records[1..].chunks_exact(2).map(Checked::read) {
        // Identifiers and funs have no parsable text.
        match parse_term(&checked.text) {
            Ok(term) => {
                assert_eq!(term, checked.term, "{}", checked.text);
                read += 1;
            }
            Err(error) => {
                let identifier = ["#Ref<", "#Port<", "#Fun<", "<0.", "fun "];
                let has = |text: &&str| checked.text.contains(*text);
                assert!(identifier.iter().any(has), "{error}: {}", checked.text);
            }
        }
    }
    assert!(read > TERMS / 2);
    println!("{read} terms were read");
}

/// A term with Erlang's results for it.
struct Checked {
    term: Term,
    text: String,
    /// Its order relative to the previous term.
    equal: bool,
    exactly_equal: bool,
}

impl Checked {
    fn read(records: &[Vec<u8>]) -> Checked {
        let facts = decode(&records[0]).expect("a term");
        let Term::Tuple(facts) = &facts else {
            panic!("{facts}");
        };
        let Term::Bits(text) = &facts[0] else {
            panic!("{}", facts[0]);
        };
        let text = String::from_utf8(text.iter().collect()).expect("UTF-8");
        Checked {
            term: decode(&records[1]).unwrap_or_else(|fault| panic!("{text}: {fault}")),
            text,
            equal: facts[1] == Term::Atom(Atom::TRUE),
            exactly_equal: facts[2] == Term::Atom(Atom::TRUE),
        }
    }
}

fn hash(term: &Term) -> u64 {
    let mut hasher = DefaultHasher::new();
    term.hash(&mut hasher);
    hasher.finish()
}
