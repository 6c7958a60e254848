//! Parameters: defaults and error texts.

use crate::cases::params;
use mazurka_engine::{Delivery, Frontend, PidTable};
use mazurka_gallery::{Built, find, programs};

fn check_error(program: &str, settings: &str, expected: &str) {
    let error = find(program)
        .unwrap()
        .instantiate(&params(settings))
        .unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn errors_name_the_allowed_values() {
    check_error(
        "client-server",
        "round=2",
        "`client-server` has no parameter `round`: it has `clients`, `rounds`",
    );
    check_error(
        "selective",
        "n=2",
        "`selective` has no parameter `n`: it has none",
    );
    for value in ["1001", "-1", "many", ""] {
        check_error(
            "fan-in",
            &format!("n={value}"),
            &format!(
                "`n` of `fan-in` cannot be `{value}`: \
                 it is a number from 0 to 1000, the number of senders"
            ),
        );
    }
}

#[test]
fn switches_accept_true_and_false() {
    let program = find("attach").unwrap();
    for value in ["0", "1", "true", "false"] {
        assert!(
            program
                .instantiate(&params(&format!("ping={value}")))
                .is_ok()
        );
    }
    check_error(
        "attach",
        "clients=true",
        "`clients` of `attach` cannot be `true`: it is a number from 1 to 1000, \
         the number of processes that attach, including the one that starts and stops the server",
    );
}

#[test]
fn wrong_parameters_have_no_known_traces() {
    let program = find("fan-in").unwrap();
    assert_eq!(program.known_traces(&params("n=x"), Delivery::P2p), None);
    assert!(!program.goes_wrong(&params("n=x"), Delivery::P2p));
}

#[test]
fn processes_are_shown_by_their_functions() {
    fn shown(program: &impl Frontend) -> String {
        program.describe().start(&program.entry(), &PidTable::new())
    }
    let check = |name: &str, settings: &str, expected: &str| {
        let shown = match find(name).unwrap().instantiate(&params(settings)).unwrap() {
            Built::Actors(program) => shown(&program),
            Built::Rust(program) => shown(&program),
        };
        assert_eq!(shown, expected);
    };
    check("fan-in", "n=8", "receiver(8)");
    check("philosophers", "", "table");
    check("selective", "", "proc1");
}

#[test]
fn everything_is_described() {
    for program in programs() {
        assert!(!program.about.is_empty() && !program.about.contains('\n'));
        assert!(program.instantiate(&params("")).is_ok());
        for parameter in program.parameters {
            assert!((parameter.min..=parameter.max).contains(&parameter.default));
            assert!(!parameter.about.is_empty());
        }
    }
}
