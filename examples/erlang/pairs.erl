%% N independent pairs of processes play ping-pong: no race, however many there are.
%%
%%     mazurka check pairs.erl --entry 'pairs:run(4)'     1 execution
-module(pairs).
-export([run/1]).

run(N) ->
    [spawn(fun ping/0) || _ <- lists:seq(1, N)].

ping() ->
    Pong = spawn(fun pong/0),
    Pong ! {ping, self()},
    receive
        pong -> ok
    end.

pong() ->
    receive
        {ping, From} -> From ! pong
    end.
