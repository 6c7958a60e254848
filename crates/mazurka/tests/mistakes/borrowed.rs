fn main() {
    mazurka::check(|| async {
        let name = String::from("Ada");
        mazurka::spawn(|| async { mazurka::println!("{}", name) });
    });
}
