#[mazurka::test]
fn works() {}

fn main() {}
