fn main() {
    mazurka::check(|| async {
        mazurka::spawn(|| async { 5 });
    });
}
