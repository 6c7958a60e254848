-module(clocks).
-compile([export_all, nowarn_export_all]).

%% Each of these processes reads a clock, and none of them communicates with another.
times(Count, Read) ->
    Me = self(),
    Numbers = lists:seq(1, Count),
    [spawn(fun() -> Me ! {N, Read()} end) || N <- Numbers],
    [receive {N, Time} -> Time end || N <- Numbers].

two() -> [_, _] = times(2, fun erlang:monotonic_time/0).

three() -> [_, _, _] = times(3, fun erlang:monotonic_time/0).

ordered() ->
    [First, Second] = times(2, fun erlang:monotonic_time/0),
    true = First =< Second.

by(Function) -> times(2, fun() -> read(Function) end).

read(monotonic_time) -> erlang:monotonic_time(millisecond);
read(system_time) -> erlang:system_time();
read(system_time_in) -> erlang:system_time(1000);
read(timestamp) -> erlang:timestamp();
read(now) -> erlang:now();
read(date) -> date();
read(time) -> time();
read(localtime) -> erlang:localtime();
read(universaltime) -> erlang:universaltime();
read(os_system_time) -> os:system_time(second);
read(os_timestamp) -> os:timestamp();
read(os_perf_counter) -> os:perf_counter().

%% These read no clock.
constants() ->
    _ = erlang:time_offset(),
    _ = erlang:convert_time_unit(1, native, second),
    {'EXIT', {badarg, _}} = (catch erlang:monotonic_time(fortnight)),
    ok.

deadline() -> ok = until(erlang:monotonic_time(millisecond) + 50).

until(Deadline) ->
    case erlang:monotonic_time(millisecond) >= Deadline of
        true -> ok;
        false -> timer:sleep(10), until(Deadline)
    end.

%% The times that one process reads increase, whatever another one reads.
increasing() ->
    spawn(fun() -> increases(2) end),
    increases(2).

increases(Count) ->
    Times = [erlang:monotonic_time() || _ <- lists:seq(0, Count)],
    Times = lists:usort(Times).

%% A time in a message is not in the future, and a timeout takes its time.
received() ->
    Me = self(),
    Start = erlang:monotonic_time(millisecond),
    spawn(fun() -> timer:sleep(200), Me ! {sent, erlang:monotonic_time()} end),
    spawn(fun() -> erlang:monotonic_time() end),
    Sent = receive {sent, Time} -> Time end,
    true = erlang:monotonic_time() > Sent,
    true = erlang:monotonic_time(millisecond) - Start >= 200.

%% The end of a process carries no clock, but a later reading of a shared clock is later.
ended() ->
    Me = self(),
    {Pid, Monitor} =
        spawn_monitor(fun() -> timer:sleep(100), Me ! {time, erlang:monotonic_time()} end),
    receive {'DOWN', Monitor, process, Pid, normal} -> ok end,
    Now = erlang:monotonic_time(),
    receive {time, Time} -> true = Time < Now end.

%% Receives that wait for a value which they know take messages with a clock.
known_part() ->
    Me = self(),
    Tag = make_ref(),
    spawn(fun() -> timer:sleep(10), Me ! {Tag, done} end),
    receive {Tag, done} -> ok end.
