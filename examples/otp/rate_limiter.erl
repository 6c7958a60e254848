%% A rate limiter on ETS: of N requests, at most Limit are let through.
%%
%%     mazurka check rate_limiter.erl --entry 'rate_limiter:run(3, 1)'     crash: too many requests
%%     mazurka check rate_limiter.erl --entry 'rate_limiter:fixed(3, 1)'   no error
%%
%% Reading the counter and writing it are two steps. update_counter is one.
-module(rate_limiter).
-export([run/2, fixed/2]).

run(N, Limit) ->
    check(N, Limit, fun read_and_write/2).

fixed(N, Limit) ->
    check(N, Limit, fun update/2).

check(N, Limit, Request) ->
    Table = ets:new(limits, [public]),
    ets:insert(Table, {used, 0}),
    Main = self(),
    Pids = [spawn(fun() -> Main ! {self(), Request(Table, Limit)} end) || _ <- lists:seq(1, N)],
    Allowed = [Pid || Pid <- Pids, receive {Pid, Answer} -> Answer end],
    true = length(Allowed) =< Limit.

read_and_write(Table, Limit) ->
    case ets:lookup(Table, used) of
        [{used, Used}] when Used < Limit -> ets:insert(Table, {used, Used + 1});
        _ -> false
    end.

update(Table, Limit) ->
    ets:update_counter(Table, used, 1) =< Limit.
