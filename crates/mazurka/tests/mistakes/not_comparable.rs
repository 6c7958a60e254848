#[derive(Clone, Debug)]
struct Job {
    id: u32,
}

fn main() {
    mazurka::check(|| async {
        mazurka::send(mazurka::me(), Job { id: 1 });
    });
}
