use mazurka::receive;

fn main() {
    mazurka::check(|| async {
        receive! {
            n: u32 => if n > 1 { drop(n) }
            "stop" => {}
        }
    });
}
