#[mazurka::test(delivery: Mailbox)]
async fn works() {}

fn main() {}
