async fn worker(main: mazurka::Pid) {
    mazurka::send(main, 1);
}

fn main() {
    mazurka::check(|| async {
        mazurka::spawn(worker(mazurka::me()));
    });
}
