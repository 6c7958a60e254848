//! ETS tables on the command line.

mod common;

use common::{Place, flat};

/// Which keys are inserted depends on races, so that no execution has all of them.
const LATE: &str = r#"-module(late).
-export([run/0]).

run() ->
    Table = ets:new(table, [public]),
    Main = self(),
    Start = fun(Function) -> spawn(fun() -> Function(), Main ! {done, self()} end) end,
    Pids = [Start(Function) || Function <- [
        fun() -> ets:insert(Table, {a}) end,
        fun() ->
            case ets:member(Table, a) of
                true -> ets:insert(Table, {b});
                false -> ets:insert(Table, {c})
            end
        end
    ]],
    case ets:tab2list(Table) of
        [] -> error(empty);
        _ -> ok
    end,
    [receive {done, Pid} -> ok end || Pid <- Pids].
"#;

#[test]
fn an_error_is_replayed_by_a_process_that_has_not_learned_all_keys() {
    let place = Place::new();
    place.write("late.erl", LATE);
    let report = place.check(
        1,
        "late.erl --entry late:run/0 --keep-going --max-seconds 60",
    );
    // 5 in which the read sees something; otherwise the table ends before or after each operation: 8.
    assert_eq!(report["executions"], 13, "{report:#}");
    let logs = place.list("mazurka-logs");
    assert!(!logs.is_empty());
    for log in logs {
        let ran = place.expect(1, &format!("replay late.erl mazurka-logs/{log}"));
        let text = flat(&ran.stdout);
        assert!(
            text.contains("read ets(P:0)[a] before any change"),
            "{text}"
        );
        assert!(text.contains("empty"), "{text}");
    }
}
