%% The version for the real machine: operations are delayed at random, and a process records its
%% observations where they stay after its end.
-module(oracle_world).
-export([delay/0, wait/1, woke/0, note/1, time/1, name/1]).

delay() ->
    case rand:uniform(12) of
        1 -> sleep(rand:uniform(3) - 1);
        2 -> yield(rand:uniform(20));
        3 -> compute(rand:uniform(3000));
        N when N < 6 -> erlang:yield();
        _ -> ok
    end.

sleep(Time) -> receive after Time -> ok end.

yield(0) -> ok;
yield(N) -> erlang:yield(), yield(N - 1).

compute(0) -> ok;
compute(N) -> compute(N - 1).

%% This shows the observer that the process waits for a message and for nothing else.
wait(Seen) ->
    note(Seen),
    delay(),
    put(waits, for_ever).

woke() -> erase(waits).

note(Seen) -> ets:insert(oracle_notes, {self(), Seen}).

time(0) -> 0;
time(_) -> rand:uniform(4) - 1.

%% Many programs run at the same time, each with its own names.
name(N) -> list_to_atom(integer_to_list(N) ++ pid_to_list(group_leader())).
