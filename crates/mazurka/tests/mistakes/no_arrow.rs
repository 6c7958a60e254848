use mazurka::receive;

fn main() {
    mazurka::check(|| async {
        receive! {
            number: u32
        }
    });
}
