//! Built-in functions whose results have changed since OTP 25.

use super::{Entry, arith, binaries, binary, external, types};

/// The changed functions by release, latest first.
pub(super) const CHANGES: &[(u32, &[Entry])] = &[
    (29, since_29::TABLE),
    (27, since_27::TABLE),
    (26, since_26::TABLE),
];

/// Encoded atoms are in UTF-8, and encoded ports have numbers of eight bytes.
mod since_26 {
    use super::external;

    table! {
        "erlang" {
            "term_to_binary"/1 => external::term_to_binary_since_26,
            "term_to_binary"/2 => external::term_to_binary_since_26_as,
            "term_to_iovec"/1 => external::term_to_iovec_since_26,
            "term_to_iovec"/2 => external::term_to_iovec_since_26_as,
        }
    }
}

/// Functions on bytes refuse bit strings that are not binaries. Patterns are checked even if the
/// range to search is empty. `abs(-0.0)` is `0.0`.
mod since_27 {
    use super::{arith, binaries, binary};

    table! {
        "erlang" {
            "abs"/1 => arith::abs_since_27,
            "binary_part"/2 => binaries::whole_binary_part_of,
            "binary_part"/3 => binaries::whole_binary_part,
            "binary_to_list"/3 => binaries::whole_binary_to_list_between,
        }
        "binary" {
            "part"/2 => binaries::whole_binary_part_of,
            "part"/3 => binaries::whole_binary_part,
            "copy"/2 => binary::whole_copies,
            "match"/2 => binary::checked_match,
            "match"/3 => binary::checked_match_within,
            "matches"/2 => binary::checked_matches,
            "matches"/3 => binary::checked_matches_within,
            "split"/2 => binary::checked_split,
            "split"/3 => binary::checked_split_as,
        }
    }
}

/// Big integers are rounded to the nearest float. `is_record/3` also tests native records, which
/// have a module.
mod since_29 {
    use super::{arith, types};

    table! {
        "erlang" {
            "+"/2 => arith::add_nearest,
            "-"/2 => arith::subtract_nearest,
            "*"/2 => arith::multiply_nearest,
            "/"/2 => arith::divide_nearest,
            "float"/1 => arith::nearest_float,
            "is_record"/3 => types::is_record_of_either_kind,
        }
    }
}
