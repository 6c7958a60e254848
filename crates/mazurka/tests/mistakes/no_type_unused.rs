use mazurka::receive;

fn main() {
    mazurka::check(|| async {
        receive! {
            _number => drop(_number),
        }
    });
}
