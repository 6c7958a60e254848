%% N processes send one message each to one that takes them as they come.
%%
%%     mazurka check fan_in.erl --entry 'fan_in:run(4)'     N! executions: 24
-module(fan_in).
-export([run/1, run_test/0]).

run(N) ->
    Receiver = self(),
    [spawn(fun() -> Receiver ! I end) || I <- lists:seq(1, N)],
    take(N).

%% The messages in the order in which they came.
take(0) ->
    [];
take(N) ->
    receive
        I -> [I | take(N - 1)]
    end.

%% Right in every execution: the order is not asserted.
run_test() ->
    [1, 2, 3] = lists:sort(run(3)).
