%% Dining philosophers; the forks are processes.
%%
%%     mazurka check philosophers.erl --entry 'philosophers:run(3)' --daemon philosophers:fork/0
%%     mazurka check philosophers.erl --entry 'philosophers:fixed(3)' --daemon philosophers:fork/0
%%
%% Each fork goes first to one or to the other of two philosophers. If every fork goes first to the
%% one on its right, everyone has a left fork and waits for a right one. That is one of 2^N - 1
%% executions: 7. If the last philosopher takes the right fork first, it cannot happen: 6 executions.
-module(philosophers).
-export([run/1, fixed/1, fork/0, fixed_test/0]).

run(N) ->
    table(N, fun(_, Left, Right) -> {Left, Right} end).

fixed(N) ->
    table(N, fun(I, Left, Right) when I =:= N -> {Right, Left};
                (_, Left, Right) -> {Left, Right}
             end).

table(N, Order) ->
    Table = self(),
    Forks = [First | Others] = [spawn(?MODULE, fork, []) || _ <- lists:seq(1, N)],
    Seats = lists:zip3(lists:seq(1, N), Forks, Others ++ [First]),
    [spawn(fun() -> philosopher(Table, I, Order(I, Left, Right)) end) || {I, Left, Right} <- Seats],
    %% In a fixed order, so that the table adds no races of its own.
    [receive {sated, I} -> I end || I <- lists:seq(1, N)].

philosopher(Table, I, {First, Second}) ->
    take(First),
    take(Second),
    First ! {put, self()},
    Second ! {put, self()},
    Table ! {sated, I}.

take(Fork) ->
    Fork ! {take, self()},
    receive
        {taken, Fork} -> ok
    end.

fork() ->
    Holder = receive {take, By} -> By end,
    Holder ! {taken, self()},
    %% Requests of others wait in the mailbox.
    receive
        {put, Holder} -> fork()
    end.

fixed_test() ->
    [1, 2, 3] = fixed(3).
