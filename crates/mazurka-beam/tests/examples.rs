//! The Erlang examples: their numbers of executions and their errors.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use mazurka_beam::code::Mfa;
use mazurka_beam::source::{CodePath, Entry};
use mazurka_beam::term::Atom;
use mazurka_beam::{Daemon, Kills, Pattern, Program, Rules};
use mazurka_engine::{Delivery, Options, SendersFirst, Settings, check};

struct Examples {
    code: CodePath,
}

impl Examples {
    fn new() -> Examples {
        Examples::of("erlang")
    }

    fn of(folder: &str) -> Examples {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        let folder = examples.join(folder);
        match CodePath::find(&[folder.to_str().expect("text")], &[]) {
            Ok(code) => Examples { code },
            Err(error) => panic!("{error}"),
        }
    }

    /// Checks the number of executions, and the number of executions with each kind of error. The
    /// functions with these names are daemons.
    #[track_caller]
    fn check(&self, entry: &str, daemons: &[&str], delivery: Delivery, expected: &str) {
        self.check_by(Rules::default(), entry, daemons, delivery, expected);
    }

    /// The same with other rules.
    #[track_caller]
    fn check_by(
        &self,
        rules: Rules,
        entry: &str,
        daemons: &[&str],
        delivery: Delivery,
        expected: &str,
    ) {
        let entry = Entry::parse(entry).expect("an entry");
        let daemon = |name: &&str| {
            let (name, arity) = name.split_once('/').expect("a name and an arity");
            Daemon::Function(Mfa {
                module: entry.module,
                name: Atom::new(name),
                arity: arity.parse().expect("a number"),
            })
        };
        let start = Mfa {
            module: entry.module,
            name: entry.function,
            arity: entry.arguments.len() as u32,
        };
        let daemons = daemons.iter().map(daemon).chain(rules.daemons);
        let rules = Rules {
            daemons: daemons.collect(),
            ..rules
        };
        let program = Program::new(self.code.library(), start, entry.arguments.clone(), rules);
        let settings = Settings {
            keep_going: true,
            explore: Options {
                delivery,
                ..Options::default()
            },
            ..Settings::default()
        };
        let report = check(program, SendersFirst, &settings, |_| {
            ControlFlow::Continue(())
        });
        let report = report.unwrap_or_else(|fault| panic!("{entry}: {fault}"));
        assert!(report.is_complete());
        let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
        for found in report.errors() {
            *kinds
                .entry(format!("{:?}", found.finding.kind))
                .or_default() += found.count;
        }
        let kinds: String = kinds
            .iter()
            .map(|(kind, count)| format!(", {count} {kind}"))
            .collect();
        let found = format!("{}{kinds}", report.progress.executions);
        assert_eq!(found, expected, "{entry}, {delivery:?}");
    }
}

#[test]
fn execution_counts() {
    let examples = Examples::new();
    let check = |entry: &str, daemons: &[&str], delivery, expected: &str| {
        examples.check(entry, daemons, delivery, expected);
    };
    for delivery in [Delivery::Mailbox, Delivery::P2p] {
        check("ping_pong:pong/0", &[], delivery, "2, 1 Crash");
        check("ping_pong:fixed/0", &[], delivery, "1");
        check("selective:main/0", &[], delivery, "2");
        check("fan_in:run(4)", &[], delivery, "24");
        check("fan_in:run_test/0", &[], delivery, "6");
        check("fan_in_tagged:run(4)", &[], delivery, "1");
        check("pairs:run(4)", &[], delivery, "1");
        check("bank:run(2)", &["bank/1"], delivery, "20");
        let found = "7, 1 Deadlock, 3 Stuck";
        check("philosophers:run(3)", &["fork/0"], delivery, found);
        check("philosophers:fixed(3)", &["fork/0"], delivery, "6");
        check("name_race:run(3)", &["server/0"], delivery, "6, 12 Crash");
        check("name_race:fixed(3)", &["polite_server/0"], delivery, "6");
        let daemons = ["pool/1", "worker/0"];
        check("pool:run/0", &daemons, delivery, "2, 1 Deadlock, 1 Stuck");
        let daemons = ["watching_pool/2", "worker/0"];
        check("pool:fixed/0", &daemons, delivery, "2");
        check("pool:fixed_test/0", &daemons, delivery, "2");
        check("link_monitor:link_late/0", &[], delivery, "2, 1 Crash");
        check("link_monitor:monitor_late/0", &[], delivery, "2, 1 Crash");
        check("link_monitor:link_test/0", &[], delivery, "1");
        check("link_monitor:monitor_test/0", &[], delivery, "1");
    }
    check("registry:run(5)", &[], Delivery::Unordered, "720");
    check("registry:run(5)", &[], Delivery::P2p, "720");
    check("registry:run(5)", &[], Delivery::Mailbox, "120");
}

#[test]
fn a_withdrawal_can_overtake_a_deposit_without_ordering() {
    let examples = Examples::new();
    let check = |entry: &str, daemon: &str, expected: &str| {
        examples.check(entry, &[daemon], Delivery::Unordered, expected);
    };
    // In half of the orders of three messages, the withdrawal comes before the large deposit.
    check("bank:run(1)", "bank/1", "6, 3 Crash");
    check("bank:run_selective(1)", "selective_bank/1", "3");
}

#[test]
fn tables() {
    let examples = Examples::of("otp");
    let check = |entry: &str, expected: &str| {
        for delivery in [Delivery::Mailbox, Delivery::P2p] {
            examples.check(entry, &["service/0"], delivery, expected);
        }
    };
    // Each client finds nothing, or the service of the other; if both find nothing, either may write
    // first.
    check("service_registry:run(2)", "4, 2 Crash");
    check("service_registry:fixed(2)", "2");
    check("service_registry:fixed(4)", "24");
    check("rate_limiter:run(2, 1)", "4, 2 Crash");
    check("rate_limiter:run(3, 1)", "15, 12 Crash");
    check("rate_limiter:fixed(3, 1)", "6");
    check("rate_limiter:fixed(5, 2)", "120");
}

#[test]
fn behaviours() {
    let examples = Examples::of("otp");
    let check = |entry: &str, expected: &str| {
        examples.check(entry, &[], Delivery::Mailbox, expected);
    };
    // N clients with k calls each: (Nk)! / (k!)^N.
    check("counter_cache:run(2)", "6, 4 Crash");
    check("counter_cache:run(3)", "90, 84 Crash");
    check("counter_cache:fixed(2)", "2");
    check("counter_cache:fixed(4)", "24");
    check("alarm:run/0", "6, 4 Crash");
    check("alarm:fixed/0", "2");
    check("worker_pool:run/0", "18, 1 Crash");
    check("worker_pool:fixed/0", "17");
    // The entry crashes in eight executions. In four of them the supervisor's end ends the reader first,
    // in the others the reader crashes, too.
    check("start_order:run/0", "12, 12 Crash");
    check("start_order:fixed/0", "47");
}

#[test]
fn kills() {
    let examples = Examples::of("otp");
    let check = |entry: &str, max: u32, delivery, expected: &str| {
        let rules = Rules {
            kills: Kills {
                victims: vec![Pattern::Supervised],
                max,
            },
            ..Rules::default()
        };
        examples.check_by(rules, entry, &[], delivery, expected);
    };
    check("supervised_pool:run()", 0, Delivery::Mailbox, "1");
    check("supervised_pool:fixed()", 0, Delivery::Mailbox, "1");
    check("supervised_pool:run()", 1, Delivery::Mailbox, "7, 4 Crash");
    check("supervised_pool:fixed()", 1, Delivery::Mailbox, "7");
    check("supervised_pool:run()", 1, Delivery::P2p, "9, 4 Crash");
    check("supervised_pool:fixed()", 1, Delivery::P2p, "9");
}
