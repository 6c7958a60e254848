//! The virtual machine, compared with the real one.

#[path = "machine/support.rs"]
mod support;
#[path = "machine/world.rs"]
mod world;

use support::check;

#[test]
fn library_functions() {
    check(
        "",
        &[
            "lists:sort([3, 1, 2, 5, 4, 9, 8, 7, 6, 1, 2, 3])",
            "lists:reverse([1, 2, 3])",
            "lists:seq(1, 10)",
            "lists:usort([b, a, c, a, 1, 2.0, 2, {x}, [y]])",
        ],
    );
}
