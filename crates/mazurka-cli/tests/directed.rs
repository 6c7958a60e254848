//! `mazurka check` with valuations, strategies that jump, and hunts; `mazurka lab papers --directed`.

mod common;

use common::{Place, flat, refused};
use serde_json::{Value, json};

const SYNCHRONISED: &str = "gallery:hidden-race --param synchronised=true";

/// Every valuation by name.
const VALUATIONS: [&str; 11] = [
    "depth",
    "max-match",
    "min-match",
    "similarity-avoidance",
    "actor-symmetry",
    "flip-parallel",
    "delay-any",
    "anti-poll",
    "actor-switch=min",
    "actor-switch=max",
    "distance",
];

#[test]
fn a_report_says_how_it_was_directed() {
    let place = Place::new();
    let line = "--valuation flip-parallel,distance:3 --direct next,frontier --threshold 20";
    let report = place.check(1, &format!("{SYNCHRONISED} {line}"));
    assert_eq!(report["algorithm"], "optimal");
    assert_eq!(report["strategy"], "best-first");
    assert_eq!(report["valuations"], "flip-parallel,distance:3");
    assert_eq!(report["direct"], json!(["frontier", "next"]));
    assert_eq!(report["threshold"], 20);
    assert_eq!(report["seed"], Value::Null);
    assert_eq!(report["stopped"], "first-error");
    assert!(report.get("hunters").is_none(), "{report:#}");
    let text = place
        .expect(1, &format!("check {SYNCHRONISED} {line} --verbose"))
        .stdout;
    let row = " algorithm optimal, best-first by flip-parallel,distance:3 at frontier and next, \
               threshold 20% ";
    assert!(flat(&text).contains(row), "{text}");

    let line = format!("{SYNCHRONISED} --strategy mcts --seed 4");
    let text = place.expect(1, &format!("check {line} --verbose")).stdout;
    let row = "\n  algorithm        optimal, mcts, seed 4\n";
    assert!(text.contains(row), "{text}");
    let report = place.check(1, &line);
    assert_eq!(report["strategy"], "mcts");
    assert_eq!(report["seed"], 4);
    for unset in ["valuations", "direct", "threshold", "hunters"] {
        assert!(report.get(unset).is_none(), "{unset}: {report:#}");
    }
    // Another strategy may have valuations as well; then they choose who goes next, and with what.
    let line = format!("{SYNCHRONISED} --strategy dfs");
    let report = place.check(1, &format!("{line} --valuation flip-parallel"));
    assert_eq!(report["strategy"], "dfs");
    assert_eq!(report["valuations"], "flip-parallel");
    assert_eq!(report["direct"], json!(["frontier", "prefer"]));
    assert_eq!(report["executions"], 1);
    assert_eq!(place.check(1, &line)["executions"], 577);
}

/// Explored to the end, it is the same whatever the order.
#[test]
fn directed_or_not_it_finds_the_same() {
    let place = Place::new();
    let mut ways: Vec<String> = ["bfs", "random", "best-first", "mcts"]
        .map(|strategy| format!("--strategy {strategy}"))
        .into();
    // These programs report no distances.
    let valuations = &VALUATIONS[..VALUATIONS.len() - 1];
    for name in valuations {
        ways.push(format!("--valuation {name}"));
        let places = ["frontier", "next", "prefer"];
        ways.extend(places.map(|place| format!("--valuation {name} --direct {place}")));
    }
    ways.push(format!("--valuation {}", valuations.join(",")));
    ways.push("--valuation depth,min-match:1000 --threshold 0".to_owned());
    ways.push("--strategy mcts --seed 9 --valuation delay-any --direct next".to_owned());
    let programs = [
        ("client-server --param clients=3", 0),
        ("philosophers --keep-going", 1),
        ("supervisor --keep-going", 1),
    ];
    for (program, code) in programs {
        let found = |way: &str| {
            let report = place.check(code, &format!("gallery:{program} --no-logs {way}"));
            assert_eq!(report["complete"], true, "{program} {way}");
            let errors = report["errors"].as_array().unwrap();
            let mut errors: Vec<String> = errors
                .iter()
                .map(|e| format!("{} {} {}", e["kind"], e["process"], e["count"]))
                .collect();
            errors.sort();
            (report["executions"].clone(), errors)
        };
        let plain = found("");
        for way in &ways {
            assert_eq!(found(way), plain, "{program} {way}");
        }
    }
}

#[test]
fn what_was_found_comes_back() {
    for way in [
        "--valuation similarity-avoidance",
        "--valuation flip-parallel --threshold 0",
        "--strategy mcts",
        "--strategy random --valuation min-match --direct next",
        "--hunt",
    ] {
        for (program, kind) in [(SYNCHRONISED, "assertion"), ("gallery:heat", "deadlock")] {
            let place = Place::new();
            let report = place.check(1, &format!("{program} {way}"));
            let errors = report["errors"].as_array().unwrap();
            let error = errors.iter().find(|error| error["kind"] == kind);
            let error = error.unwrap_or_else(|| panic!("{program} {way}: {errors:#?}"));
            let file = error["log_file"].as_str().unwrap();
            let name = program.split(' ').next().unwrap();
            let ran = place.expect(1, &format!("replay {name} {file}"));
            assert!(ran.stdout.contains(kind), "{way}: {}", ran.stdout);
        }
    }
}

#[test]
fn a_hunt_says_who_found_it() {
    let place = Place::new();
    let report = place.check(1, "gallery:heat --hunt");
    assert_eq!(report["stopped"], "first-error");
    let hunters = report["hunters"].as_array().unwrap();
    let ways: Vec<(&str, &str)> = hunters
        .iter()
        .map(|hunter| {
            let word = |field: &str| hunter[field].as_str().unwrap();
            (word("strategy"), word("valuations"))
        })
        .collect();
    let expected = [
        ("dfs", ""),
        ("best-first", "similarity-avoidance"),
        ("random", ""),
        ("best-first", "flip-parallel"),
        ("mcts", ""),
        ("best-first", "min-match"),
        ("best-first", "actor-symmetry"),
        ("best-first", "actor-switch=min"),
    ];
    assert_eq!(ways, expected);
    // Depth first would need millions of steps.
    let by: Vec<&Value> = hunters.iter().filter(|h| h["ended_it"] == true).collect();
    assert_eq!(by.len(), 1, "{hunters:#?}");
    assert_ne!(by[0]["strategy"], "dfs");
    for field in ["strategy", "executions", "transitions"] {
        assert_eq!(by[0][field], report[field], "{field}");
    }
    let steps = hunters.iter().map(|h| h["transitions"].as_u64().unwrap());
    assert!(steps.sum::<u64>() < 10_000, "{hunters:#?}");

    let text = place
        .expect(1, &format!("check {SYNCHRONISED} --hunt --verbose"))
        .stdout;
    let row =
        " hunted by optimal, best-first by similarity-avoidance (the other 7 ran 1 execution) ";
    assert!(flat(&text).contains(row), "{text}");
    // A hunt cannot continue, so the report does not suggest it.
    assert!(!text.contains("--keep-going"), "{text}");
}

#[test]
fn a_hunt_that_finds_nothing() {
    let place = Place::new();
    let report = place.check(0, "gallery:client-server --param clients=3 --hunt");
    assert_eq!(report["complete"], true);
    assert_eq!(report["executions"], 90);
    let text = place.expect(0, "check gallery:fan-in --hunt").stdout;
    assert!(
        text.starts_with(
            "Verified within one node: nothing goes wrong in any of the 6 executions."
        ),
        "{text}"
    );
    let line = "gallery:fan-in --param n=9 --hunt";
    let report = place.check(3, &format!("{line} --max-seconds 0.3"));
    assert_eq!(report["stopped"], "time-bound");
    let mut hunters = report["hunters"].as_array().unwrap().iter();
    assert!(hunters.all(|hunter| hunter["ended_it"] == false));
    let text = place
        .expect(3, &format!("check {line} --max-seconds 0.3"))
        .stdout;
    assert!(text.contains("8 searches in vain, which ran "), "{text}");
    let report = place.check(3, &format!("{line} --max-executions 5"));
    assert_eq!(report["stopped"], "execution-bound");
    let executions = report["hunters"].as_array().unwrap().iter();
    let executions: Vec<&Value> = executions.map(|hunter| &hunter["executions"]).collect();
    assert_eq!(executions, [&json!(5); 8]);
    // Everything was seen, so what is expected is missing.
    place.expect(1, "check gallery:fan-in --hunt --expect deadlock");
    place.expect(0, "check gallery:retry-timeout --hunt --expect assertion");
}

#[test]
fn the_same_seed_is_the_same_hunt() {
    let of = |seed: u32| {
        let line = format!("gallery:heat --param n=2 --hunt --no-logs --seed {seed}");
        Place::new().check(1, &line)["hunters"].clone()
    };
    assert_eq!(of(1), of(1));
}

#[test]
fn bounds_hold_for_directed_searches() {
    let place = Place::new();
    for way in ["--valuation min-match", "--strategy mcts"] {
        let line = format!("gallery:fan-in --param n=9 {way}");
        let report = place.check(3, &format!("{line} --max-executions 7"));
        assert_eq!(report["stopped"], "execution-bound");
        assert_eq!(report["executions"], 7);
        let report = place.check(3, &format!("{line} --max-seconds 0.2"));
        assert_eq!(report["stopped"], "time-bound");
    }
}

#[test]
fn what_cannot_be_asked() {
    refused(
        "--valuation deep",
        "unknown valuation `deep`: use depth, max-match, min-match, similarity-avoidance, \
         actor-symmetry, flip-parallel, delay-any, anti-poll, actor-switch=min, actor-switch=max, \
         distance",
    );
    refused(
        "--valuation depth:0",
        "the weight in `depth:0` is not a number from 1 to 1000",
    );
    refused("--valuation depth:1001", "from 1 to 1000");
    refused("--valuation depth,", "unknown valuation ``");
    refused(
        "--valuation depth,min-match,depth:2",
        "`depth` is given twice",
    );
    refused(
        "--valuation depth --direct elsewhere",
        "[possible values: frontier, next, prefer]",
    );
    refused("--strategy best", "[possible values: dfs, bfs, random, ");
    refused("--valuation depth --threshold -1", "'-1'");
}

/// `distance` is refused, alone or in a sum, if the program reports no distances.
#[test]
fn distance_needs_a_program_that_reports_distances() {
    let why = "--valuation: the valuation `distance` cannot be computed for this program, because no \
               process reports a distance in its first execution.";
    let instead = "leave `distance` out, or use another valuation such as `similarity-avoidance`";
    for line in [
        "--valuation distance",
        "--valuation depth,distance:2",
        "--valuation distance --strategy dfs --direct next",
    ] {
        refused(line, why);
        refused(line, instead);
    }
    let place = Place::new();
    let quiet = "-module(quiet).\n-export([run/0]).\nrun() -> receive after 10 -> ok end.\n";
    place.write("quiet.erl", quiet);
    let line = "check quiet.erl --entry quiet:run() --valuation distance";
    let ran = place.expect(2, line);
    assert!(ran.stderr.contains(why), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
    place.expect(1, &format!("check {SYNCHRONISED} --valuation distance"));
}

#[test]
fn what_does_not_go_together() {
    refused(
        "--direct next",
        "--direct has no effect without --valuation: leave it out, or add --valuation",
    );
    refused(
        "--threshold 3 --strategy dfs",
        "--threshold has no effect without --strategy best-first: leave it out, or add --strategy \
         best-first",
    );
    refused(
        "--threshold 3 --strategy mcts --valuation depth",
        "--threshold has no effect without --strategy best-first",
    );
    refused(
        "--threshold 3 --strategy best-first",
        "--threshold has no effect without --valuation: leave it out, or add --valuation",
    );
    refused(
        "--threshold 3 --valuation depth --direct next",
        "--threshold has no effect without --direct frontier: leave it out, or add --direct frontier",
    );
    for strategy in ["dfs", "bfs", "random", "mcts"] {
        refused(
            &format!("--valuation depth --direct frontier --strategy {strategy}"),
            &format!(
                "--direct frontier does not apply to --strategy {strategy}, which does not ask \
                 valuations there: leave it out, or choose --strategy best-first"
            ),
        );
    }
    refused(
        "--valuation depth --algorithm dpor",
        "--valuation does not apply to --algorithm dpor: leave it out, or choose --algorithm optimal",
    );
    refused(
        "--strategy mcts --algorithm dpor",
        "--strategy mcts is for --algorithm optimal only",
    );
    refused(
        "--valuation depth --seed 3",
        "--seed does not apply to --strategy best-first, which makes no random choices: leave it \
         out, or add --strategy random",
    );
    refused(
        "--valuation depth --sample 10",
        "--valuation applies to exploration only, and --sample 10 samples instead: leave out one of the \
         two",
    );
}

#[test]
fn what_does_not_go_with_a_hunt() {
    for other in [
        "--algorithm dpor",
        "--order lca",
        "--strategy bfs",
        "--valuation depth",
        "--direct next",
        "--threshold 3",
        "--sample 10",
        "--sampler pct",
        "--bug-depth 2",
        "--keep-going",
    ] {
        let name = other.split(' ').next().unwrap();
        refused(
            &format!("--hunt {other}"),
            &format!("--hunt and {name} do not go together"),
        );
    }
    refused(
        "--hunt --keep-going",
        "a hunt ends with the first error: leave out one of the two",
    );
}

/// Every search for every subject; how far those that jump nowhere come is not the point here.
#[test]
fn the_table() {
    let place = Place::new();
    let ran = place.run("lab papers --directed --seeds 2 --max-seconds 0.2 --format json");
    assert_eq!(ran.code, Some(3), "depth first does not find that of heat");
    let table: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(table["mazurka"], "directed");
    assert_eq!(table["version"], 1);
    assert_eq!(table["seeds"], 2);
    assert_eq!(table["interrupted"], false);
    let rows = table["rows"].as_array().unwrap();
    // Four strategies, one by each valuation, and A*. Two programs report no distances.
    assert_eq!(rows.len(), 7 * (4 + VALUATIONS.len() + 1) - 2 * 2);
    let row = |subject: &str, strategy: &str, valuation: Value, threshold: Value| {
        let mut fitting = rows.iter().filter(|row| {
            row["subject"] == subject
                && row["strategy"] == strategy
                && row["valuation"] == valuation
                && row["threshold"] == threshold
        });
        let row = fitting.next().expect("there is such a row");
        assert!(fitting.next().is_none(), "{row:#}");
        row.clone()
    };
    for subject in [
        "any-deadlock",
        "any-assert",
        "pattern",
        "pattern, reordered",
        "pattern, synchronised",
        "pattern, both",
        "heat",
    ] {
        for strategy in ["dfs", "bfs"] {
            assert_eq!(row(subject, strategy, Value::Null, Value::Null)["runs"], 1);
        }
        for strategy in ["random", "mcts"] {
            assert_eq!(row(subject, strategy, Value::Null, Value::Null)["runs"], 2);
        }
        let has_distances = !["any-deadlock", "heat"].contains(&subject);
        for valuation in VALUATIONS {
            if has_distances || valuation != "distance" {
                row(subject, "best-first", valuation.into(), Value::Null);
            }
        }
        if has_distances {
            row(subject, "best-first", "distance".into(), 0.into());
        }
        // Found quickly everywhere.
        let flip = row(subject, "best-first", "flip-parallel".into(), Value::Null);
        assert_eq!(flip["missed"], 0, "{flip:#}");
    }
    let pattern = row("pattern", "dfs", Value::Null, Value::Null);
    assert_eq!(pattern["program"], "hidden-race");
    assert_eq!(pattern["switches"], json!([]));
    assert_eq!(pattern["published"], "83 / 224");
    assert_eq!(pattern["steps"], 17.0);
    assert_eq!(pattern["steps_deviation"], 0.0);
    assert_eq!(pattern["executions"], 2.0);
    let heat = row("heat", "dfs", Value::Null, Value::Null);
    assert_eq!(heat["missed"], 1, "{heat:#}");
}

/// Erlang processes that report to one, which wants the last of them not to be the first.
const REPORTS: &str = r"-module(reports).
-export([fine/1, wrong/1]).

run(N) ->
    Self = self(),
    [spawn(fun() -> Self ! {n, I} end) || I <- lists:seq(1, N)],
    [receive {n, I} -> I end || _ <- lists:seq(1, N)].

fine(N) ->
    N = length(run(N)).

wrong(N) ->
    [First | _] = run(N),
    true = First < N.
";

#[test]
fn an_erlang_program_is_hunted() {
    let place = Place::new();
    place.write("reports.erl", REPORTS);
    let report = place.check(1, "reports.erl --entry reports:wrong(6) --hunt");
    assert_eq!(report["stopped"], "first-error");
    assert_eq!(report["errors"][0]["kind"], "crash", "{report:#}");
    let file = report["errors"][0]["log_file"].as_str().unwrap();
    let ran = place.expect(1, &format!("replay reports.erl {file}"));
    assert!(ran.stdout.contains("{badmatch,false}") || ran.stdout.contains("{badmatch, false}"));
    // Each hunter has a machine of its own, and what one does is nothing to the others.
    let report = place.check(0, "reports.erl --entry reports:fine(6) --hunt");
    assert_eq!(report["executions"], 720);
    assert_eq!(report["complete"], true);
    let hunters = report["hunters"].as_array().unwrap();
    let all_had_turns = hunters.iter().all(|h| h["transitions"].as_u64() > Some(0));
    assert!(all_had_turns, "{hunters:#?}");
    for way in ["--valuation flip-parallel", "--strategy mcts"] {
        let line = format!("reports.erl --entry reports:fine(5) {way}");
        assert_eq!(place.check(0, &line)["executions"], 120, "{way}");
    }
}

/// Executions and transitions to the first error of the parcel that is signed for and returned.
fn to_the_error(entry: &str, way: &str) -> (u64, u64) {
    let place = Place::new();
    place.write(
        "parcel.erl",
        include_str!("../../../examples/erlang/parcel.erl"),
    );
    let report = place.check(1, &format!("parcel.erl --entry {entry} --no-logs {way}"));
    assert_eq!(report["stopped"], "first-error");
    assert_eq!(report["errors"][0]["kind"], "crash");
    let number = |field: &str| report[field].as_u64().unwrap();
    (number("executions"), number("transitions"))
}

/// `docs/results/directed.md` has these figures. If each state is a function, the distance shows the way
/// to the error; if the state is a value, it is the same everywhere.
#[test]
fn distances_of_erlang_code() {
    for (entry, way, expected) in [
        ("parcel:by_function(8)", "", (6_639, 18_059)),
        ("parcel:by_function(8)", "--valuation distance", (1, 15)),
        (
            "parcel:by_function(8)",
            "--valuation distance --strategy best-first --direct frontier",
            (13, 92),
        ),
        (
            "parcel:by_function(8)",
            "--valuation distance --threshold 0",
            (1, 15),
        ),
        ("parcel:by_value(8)", "", (6_639, 18_059)),
        (
            "parcel:by_value(8)",
            "--valuation distance",
            (5_739, 17_040),
        ),
        (
            "parcel:by_value(8)",
            "--valuation distance --threshold 0",
            (1, 5_175),
        ),
    ] {
        assert_eq!(to_the_error(entry, way), expected, "{entry} {way}");
    }
}

/// Directed by distances or not, an exploration to the end finds the same.
#[test]
fn distances_of_erlang_code_change_the_order_only() {
    let place = Place::new();
    place.write(
        "parcel.erl",
        include_str!("../../../examples/erlang/parcel.erl"),
    );
    let found = |way: &str| {
        let line = "parcel.erl --entry parcel:by_function(7) --no-logs --keep-going";
        let report = place.check(1, &format!("{line} {way}"));
        assert_eq!(report["complete"], true, "{way}");
        (
            report["executions"].clone(),
            report["errors"][0]["count"].clone(),
        )
    };
    let plain = found("");
    for way in [
        "--valuation distance",
        "--valuation distance --threshold 0",
        "--valuation distance --direct frontier,next,prefer",
        "--valuation depth,distance:3",
        "--strategy mcts",
    ] {
        assert_eq!(found(way), plain, "{way}");
    }
}
