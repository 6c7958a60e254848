%% Processes that poll their mailboxes.
-module(polls).
-export([answered/0, slowly/0, from_two/0, never/0, helper_never/0, until_deadline/0, three_times/0]).

poll() ->
    receive
        stop -> stopped
    after 0 ->
        poll()
    end.

poll_slowly() ->
    receive
        stop -> stopped
    after 1500 ->
        poll_slowly()
    end.

%% It waits for one message.
answered() ->
    Me = self(),
    spawn(fun() -> Me ! stop end),
    stopped = poll().

slowly() ->
    Me = self(),
    spawn(fun() -> receive after 4000 -> Me ! stop end end),
    stopped = poll_slowly().

%% The order of the two messages is all that differs.
from_two() ->
    Me = self(),
    [spawn(fun() -> Me ! {number, N} end) || N <- [1, 2]],
    [any(), any()].

any() ->
    receive
        {number, N} -> N
    after 10 ->
        any()
    end.

%% No message can come.
never() ->
    poll().

helper_never() ->
    spawn(fun poll/0).

%% The clock advances, so this ends.
until_deadline() ->
    until_deadline(erlang:monotonic_time(millisecond) + 50).

until_deadline(Deadline) ->
    receive
        stop -> stopped
    after 20 ->
        case erlang:monotonic_time(millisecond) >= Deadline of
            true -> timed_out;
            false -> until_deadline(Deadline)
        end
    end.

%% The number of polls is part of the state.
three_times() ->
    Me = self(),
    spawn(fun() -> Me ! stop end),
    times(3).

times(0) ->
    gave_up;
times(N) ->
    receive
        stop -> stopped
    after 0 ->
        times(N - 1)
    end.
