%% As fan_in, but a selective receive takes the messages in a fixed order: there is no race.
%%
%%     mazurka check fan_in_tagged.erl --entry 'fan_in_tagged:run(4)'     1 execution
-module(fan_in_tagged).
-export([run/1, run_test/0]).

run(N) ->
    Receiver = self(),
    Numbers = lists:seq(1, N),
    [spawn(fun() -> Receiver ! {from, I} end) || I <- Numbers],
    [receive {from, I} -> I end || I <- Numbers].

run_test() ->
    [1, 2, 3] = run(3).
