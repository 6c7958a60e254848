use mazurka::receive;

fn main() {
    mazurka::check(|| async {
        receive! {
            number => drop(number),
        }
    });
}
