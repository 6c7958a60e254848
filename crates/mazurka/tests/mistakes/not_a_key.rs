fn main() {
    mazurka::check(|| async {
        let _ = mazurka::register(0.5, mazurka::me()).await;
    });
}
