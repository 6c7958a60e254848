#![deny(unused_must_use)]

fn main() {
    mazurka::check(|| async {
        mazurka::receive::<u32>();
        mazurka::sleep(std::time::Duration::from_secs(1));
    });
}
