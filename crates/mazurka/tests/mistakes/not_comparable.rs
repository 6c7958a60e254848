fn main() {
    mazurka::check(|| async {
        mazurka::send(mazurka::me(), 0.5);
    });
}
