fn main() {
    mazurka::check(|| async {
        let number: u32 = mazurka::receive::<u32>();
        let _ = number;
    });
}
