//! Findings that differ in numbers only.
//!
//! They count as one error, but may be two bugs that fail at the same line. So the numbers of all of
//! them are shown.

use super::shorten;
use super::source::place_in;
use crate::outcome::Kept;
use mazurka_engine::Symptom;
use std::collections::HashMap;

/// Groups findings by process and symptom, in order of appearance.
pub(super) fn ways<'k>(findings: impl Iterator<Item = &'k Kept>) -> Vec<Vec<&'k Kept>> {
    let mut all: Vec<Vec<&Kept>> = Vec::new();
    let mut known: HashMap<(&str, Symptom), usize> = HashMap::new();
    for kept in findings {
        let finding = &kept.found.finding;
        let key = (finding.process.as_str(), Symptom::of(finding));
        let at = *known.entry(key).or_insert(all.len());
        match all.get_mut(at) {
            Some(same) => same.push(kept),
            None => all.push(vec![kept]),
        }
    }
    all
}

/// `fails in 2 ways: left: 1; left: 2`, of findings with one symptom, if there are several.
pub(super) fn numbers(ways: &[&Kept]) -> Option<String> {
    const SHOWN: usize = 8;
    const COLUMNS: usize = 40;
    if ways.len() < 2 {
        return None;
    }
    let texts: Vec<&str> = ways
        .iter()
        .map(|kept| without_place(&kept.found.finding.message))
        .collect();
    let mut parts = differing(&texts);
    parts.truncate(SHOWN);
    let mut parts: Vec<String> = parts.iter().map(|part| shorten(part, COLUMNS)).collect();
    if let more @ 1.. = ways.len().saturating_sub(SHOWN) {
        parts.push(format!("and {more} more"));
    }
    Some(format!(
        "fails in {} ways: {}",
        ways.len(),
        parts.join("; ")
    ))
}

fn without_place(message: &str) -> &str {
    let place = place_in(message).map_or(0, |place| place.len() + " at ".len());
    &message[..message.len() - place]
}

/// The words in which texts differ, with the word before them.
fn differing(texts: &[&str]) -> Vec<String> {
    let texts: Vec<Vec<&str>> = texts.iter().map(|text| text.split(' ').collect()).collect();
    let shortest = texts.iter().map(Vec::len).min().unwrap_or(0);
    let is_common = |word: &dyn Fn(&Vec<&'_ str>) -> String| {
        texts.iter().all(|words| word(words) == word(&texts[0]))
    };
    let before = (0..shortest)
        .take_while(|&at| is_common(&|words| words[at].to_owned()))
        .count();
    let after = (0..shortest - before)
        .take_while(|&back| is_common(&|words| words[words.len() - 1 - back].to_owned()))
        .count();
    let from = before.saturating_sub(1);
    let part = |words: &Vec<&str>| {
        let part = words[from..words.len() - after].join(" ");
        part.trim_end_matches(',').to_owned()
    };
    texts.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ() {
        let failed = "assertion failed, left: ";
        let texts = ["1, right: 0", "20, right: 0"].map(|rest| format!("{failed}{rest}"));
        let texts = texts.each_ref().map(String::as_str);
        assert_eq!(differing(&texts), ["left: 1", "left: 20"]);
        assert_eq!(
            differing(&["{got, 1}", "{got, 2}"]),
            ["{got, 1}", "{got, 2}"]
        );
        assert_eq!(differing(&["a 1", "a 1 1"]), ["1", "1 1"]);
    }
}
