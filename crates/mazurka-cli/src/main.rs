//! The `mazurka` command.
fn main() {}
