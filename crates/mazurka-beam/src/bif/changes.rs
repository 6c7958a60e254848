//! Built-in functions that answer otherwise in later releases than OTP 25.

use super::{Entry, arith, binaries, binary, external, types};

/// What has changed since which release, the latest first.
pub(super) const CHANGES: &[(u32, &[Entry])] = &[
    (29, since_29::TABLE),
    (27, since_27::TABLE),
    (26, since_26::TABLE),
];

/// Atoms in the external format are in UTF-8, and ports have wide numbers.
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

/// Where bytes are taken from a binary, there must be no other bits. Patterns are looked at even
/// if there is nothing to find them in.
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

/// Large integers are rounded to the nearest float. And there are native records, which have a module.
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
