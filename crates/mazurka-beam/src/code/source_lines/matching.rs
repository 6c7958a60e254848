//! Perfect matchings of a bipartite graph, by augmenting paths.

/// The largest number of right nodes for which choices are pruned.
const NODES_MAX: usize = 100;

/// Keeps only the choices that occur in some perfect matching. `choices` are the right nodes that
/// each left node may be matched with; there are `count` right nodes. If no perfect matching
/// exists, the choices stay as they are: the assumption of a one-to-one relation is wrong.
pub(super) fn prune(choices: &mut [Vec<usize>], count: usize) {
    if count > NODES_MAX {
        return;
    }
    // The left node that each right node is matched with.
    let mut matched = vec![None; count];
    for left in 0..choices.len() {
        if !augment(choices, left, &mut matched, &mut vec![false; count]) {
            return;
        }
    }
    let is_possible = |left: usize, right: usize| {
        let mut matched = matched.clone();
        let Some(other) = matched[right].filter(|&other| other != left) else {
            return true;
        };
        let mut tried = vec![false; count];
        tried[right] = true;
        for node in &mut matched {
            if *node == Some(left) {
                *node = None;
            }
        }
        augment(choices, other, &mut matched, &mut tried)
    };
    let pruned = (0..choices.len()).map(|left| {
        let rights = choices[left].iter().copied();
        rights.filter(|&right| is_possible(left, right)).collect()
    });
    let pruned: Vec<Vec<usize>> = pruned.collect();
    choices.clone_from_slice(&pruned);
}

/// Matches a left node, and matches other left nodes again where necessary. Returns whether that is
/// possible without the right nodes that have been tried.
fn augment(
    choices: &[Vec<usize>],
    left: usize,
    matched: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for &right in &choices[left] {
        if std::mem::replace(&mut tried[right], true) {
            continue;
        }
        let is_free = match matched[right] {
            Some(other) => augment(choices, other, matched, tried),
            None => true,
        };
        if is_free {
            matched[right] = Some(left);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(choices: &[&[usize]], count: usize, expected: &[&[usize]]) {
        let mut choices: Vec<Vec<usize>> = choices.iter().map(|rights| rights.to_vec()).collect();
        prune(&mut choices, count);
        assert_eq!(choices, expected);
    }

    #[test]
    fn only_choices_of_perfect_matchings_are_kept() {
        check(&[&[0, 1], &[0]], 2, &[&[1], &[0]]);
        check(
            &[&[0, 1, 2], &[0, 1], &[0, 1]],
            3,
            &[&[2], &[0, 1], &[0, 1]],
        );
        check(&[&[0, 1], &[0, 1]], 2, &[&[0, 1], &[0, 1]]);
    }

    #[test]
    fn without_a_perfect_matching_all_choices_are_kept() {
        check(&[&[0, 1], &[0], &[0]], 3, &[&[0, 1], &[0], &[0]]);
    }
}
