fn main() {
    mazurka::check(|| async {
        let main = mazurka::me();
        mazurka::spawn(async move { mazurka::send(main, 1) });
    });
}
