//! Segments of every kind, compared with the real virtual machine.

mod common;

use std::rc::Rc;

use mazurka_beam::bits::{Append, Context, Flags, Kind, Segment, Size, create, field_size, is_all};
use mazurka_beam::term::{Bits, Term, decode};

/// The number of cases of each kind.
const CASES: usize = 1000;
const SEED: u32 = 4711;

#[test]
fn segments_match_erlang() {
    let question = format!("bit_oracle:segments({CASES}, {SEED}, OUT)");
    let records = common::ask("bit_oracle", &question);
    let mut differences = Vec::new();
    let mut succeeded = [0; 2];
    for record in &records {
        let case = decode(record).expect("a term");
        let Term::Tuple(facts) = &case else {
            panic!("{case}");
        };
        let results: Vec<(Term, &Term)> = match facts.len() {
            5 => vec![(build(&facts[1], &facts[2], &facts[3]), &facts[4])],
            _ => matched(&facts[1], &facts[2], &facts[3], &facts[4])
                .into_iter()
                .zip(&facts[5..])
                .collect(),
        };
        let failed = |term: &Term| term.to_string().starts_with("{error,");
        let ok = !failed(results[0].1) && results[0].1.to_string() != "nomatch";
        succeeded[usize::from(facts.len() == 5)] += usize::from(ok);
        for (mine, real) in results {
            if mine != *real {
                differences.push(format!("{case}\n  is here {mine}"));
            }
        }
    }
    println!(
        "{} cases: {} matched, {} were built",
        records.len(),
        succeeded[0],
        succeeded[1]
    );
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences[..differences.len().min(20)].join("\n")
    );
}

struct Spec {
    kind: String,
    flags: Flags,
    unit: usize,
}

impl Spec {
    fn read(term: &Term) -> Spec {
        let Term::Tuple(parts) = term else {
            panic!("{term}");
        };
        let Term::Int(unit) = parts[3] else {
            panic!("{term}");
        };
        Spec {
            kind: parts[0].to_string(),
            flags: Flags {
                little: parts[1].to_string() == "little",
                signed: parts[2].to_string() == "signed",
            },
            unit: usize::try_from(unit).expect("a unit"),
        }
    }
}

fn bits(bits: Bits) -> Term {
    Term::Bits(Rc::new(bits))
}

fn build(spec: &Term, value: &Term, size: &Term) -> Term {
    let spec = Spec::read(spec);
    let segment = |kind, number, value, size| Segment::Value {
        kind,
        number,
        unit: if number == 2 { 1 } else { spec.unit },
        flags: spec.flags,
        value,
        size,
    };
    let five = Term::Int(5);
    let one = Term::Int(1);
    let sized = Size::Units(size);
    let (append, segments) = match &spec.kind[..] {
        "integer" => (None, vec![segment(Kind::Integer, 1, value, sized)]),
        "float" => (None, vec![segment(Kind::Float, 1, value, sized)]),
        "binary" => (None, vec![segment(Kind::Binary, 1, value, sized)]),
        "utf8" => (None, vec![segment(Kind::Utf8, 1, value, Size::Natural)]),
        "utf16" => (None, vec![segment(Kind::Utf16, 1, value, Size::Natural)]),
        "utf32" => (None, vec![segment(Kind::Utf32, 1, value, Size::Natural)]),
        "all" => {
            let all = Segment::Value {
                kind: Kind::Binary,
                number: 2,
                unit: spec.unit,
                flags: spec.flags,
                value,
                size: Size::Natural,
            };
            let bit = segment(Kind::Integer, 2, &one, Size::Units(&one));
            (None, vec![bit, all])
        }
        _ => {
            let append = Append {
                value: value.clone(),
                number: 1,
                unit: spec.unit,
            };
            let more = segment(Kind::Integer, 2, &five, sized);
            (Some(append), vec![more])
        }
    };
    match create(append, segments.into_iter(), false) {
        Ok(built) => Term::tuple([Term::atom("ok"), bits(built)]),
        Err(failure) => {
            let reason = failure.reason.into();
            Term::tuple([Term::atom("error"), reason, failure.cause()])
        }
    }
}

/// The matched value with the rest, and the rest after skipping the segment.
fn matched(spec: &Term, subject: &Term, offset: &Term, size: &Term) -> [Term; 2] {
    let spec = Spec::read(spec);
    let Term::Bits(subject) = subject else {
        panic!("{subject}");
    };
    let context = Context::new(Bits::clone(subject));
    let nomatch = || [Term::atom("nomatch"), Term::atom("nomatch")];
    let Some(()) = field_size(offset, 1).and_then(|offset| context.skip(offset)) else {
        return nomatch();
    };
    match take(&spec, &context, size) {
        Some(value) => {
            let rest = bits(context.tail());
            [Term::tuple([value, rest.clone()]), rest]
        }
        None => nomatch(),
    }
}

fn take(spec: &Spec, context: &Context, size: &Term) -> Option<Term> {
    assert!(!is_all(size));
    let character = |character: char| Term::Int(i64::from(u32::from(character)));
    match &spec.kind[..] {
        "integer" => context.integer(field_size(size, spec.unit)?, spec.flags),
        "float" => context
            .float(field_size(size, spec.unit)?, spec.flags)
            .map(Term::Float),
        "binary" => context.bits(field_size(size, spec.unit)?).map(bits),
        "all" => context.rest(spec.unit).map(bits),
        "utf8" => context.utf8().map(character),
        "utf16" => context.utf16(spec.flags).map(character),
        "utf32" => context.utf32(spec.flags).map(character),
        _ => None,
    }
}
