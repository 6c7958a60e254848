%% The running example of the Concuerror paper (Christakis et al. 2013, Figure 1): a process gives a
%% name to one that may have ended already. Then register/2 fails with badarg.
%%
%%     mazurka check ping_pong.erl --entry ping_pong:pong/0     2 executions, one crashes
%%     mazurka check ping_pong.erl --entry ping_pong:fixed/0    1 execution
-module(ping_pong).
-export([pong/0, fixed/0, fixed_test/0]).

pong() ->
    Pong = self(),
    Ping = spawn(fun() -> Pong ! ping end),
    register(ping_pong, Ping),
    receive
        ping -> ok
    end.

%% The process waits until it has its name.
fixed() ->
    Pong = self(),
    Ping = spawn(fun() -> receive go -> Pong ! ping end end),
    register(ping_pong, Ping),
    Ping ! go,
    receive
        ping -> ok
    end.

fixed_test() ->
    ok = fixed().
