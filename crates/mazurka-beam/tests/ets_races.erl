%% Programs whose processes share a table. The owner waits for all others, one after the other.
-module(ets_races).
-compile([export_all, nowarn_export_all]).

%% Runs these functions in processes of their own.
all(Functions) ->
    Owner = self(),
    Start = fun(Function) -> spawn(fun() -> Function(), Owner ! {done, self()} end) end,
    Pids = [Start(Function) || Function <- Functions],
    [receive {done, Pid} -> ok end || Pid <- Pids],
    ok.

table() -> ets:new(t, [public]).
times(N, Function) -> [fun() -> Function(I) end || I <- lists:seq(1, N)].

readers(N) ->
    T = table(),
    all([fun() -> ets:insert(T, {k, 1}) end | times(N, fun(_) -> ets:lookup(T, k) end)]).

counters(N) ->
    T = table(),
    ets:insert(T, {k, 0}),
    all(times(N, fun(_) -> ets:update_counter(T, k, 1) end)).

writers(N) ->
    T = table(),
    all(times(N, fun(I) -> ets:insert(T, {I}) end)).

whole(N) -> whole(N, 1).
whole(Writers, Readers) ->
    T = table(),
    Read = fun(_) -> ets:tab2list(T) end,
    all(times(Readers, Read) ++ times(Writers, fun(I) -> ets:insert(T, {I}) end)).

whole_last(N) ->
    T = table(),
    all(times(N, fun(I) -> ets:insert(T, {I}) end) ++ [fun() -> ets:tab2list(T) end]).

sizes(N) ->
    T = table(),
    all([fun() -> ets:info(T, size) end | times(N, fun(I) -> ets:insert(T, {I}) end)]).

%% A search with the key in its pattern sees that key only.
one_key(N) ->
    T = table(),
    Read = fun() -> ets:match(T, {1, '$1'}) end,
    all([Read | times(N, fun(I) -> ets:insert(T, {I, x}) end)]).

insert_new(N) ->
    T = table(),
    all(times(N, fun(I) -> ets:insert_new(T, {k, I}) end)).

take(N) ->
    T = table(),
    ets:insert(T, {k}),
    all(times(N, fun(_) -> ets:take(T, k) end)).

named(N) ->
    ets:new(named, [named_table, public]),
    all([fun() -> ets:insert(named, {k, 1}) end | times(N, fun(_) -> ets:lookup(named, k) end)]).

%% The table disappears before or after each operation.
deleted(N) ->
    T = table(),
    all([fun() -> ets:delete(T) end | times(N, fun(I) -> catch ets:insert(T, {I}) end)]).

%% The owner ends before or after each operation.
owner_ends(N) ->
    Main = self(),
    Owner = spawn(fun() -> Main ! {table, table()}, receive stop -> ok end end),
    T = receive {table, Table} -> Table end,
    all([fun() -> Owner ! stop end | times(N, fun(I) -> catch ets:insert(T, {I}) end)]).

%% So it does if it is killed.
owner_killed(N) ->
    Main = self(),
    Owner = spawn(fun() -> Main ! {table, table()}, receive stop -> ok end end),
    T = receive {table, Table} -> Table end,
    all([fun() -> exit(Owner, kill) end | times(N, fun(I) -> catch ets:lookup(T, I) end)]).

given_away() ->
    T = ets:new(t, [protected]),
    Main = self(),
    To = spawn(fun() ->
        receive {'ETS-TRANSFER', T, Main, data} -> ok end,
        true = ets:insert(T, {k, 1}),
        Main ! {done, self(), ets:info(T, owner)}
    end),
    true = ets:give_away(T, To, data),
    receive {done, To, To} -> ok end.

inherited() ->
    Main = self(),
    spawn(fun() ->
        T = ets:new(t, [{heir, Main, data}]),
        ets:insert(T, {k, 1})
    end),
    receive {'ETS-TRANSFER', T, _, data} -> [{k, 1}] = ets:lookup(T, k) end,
    Main = ets:info(T, owner),
    true = ets:insert(T, {k, 2}),
    ok.

private() ->
    T = ets:new(t, [private]),
    ets:insert(T, {k, 1}),
    all([fun() -> {'EXIT', {badarg, _}} = (catch ets:lookup(T, k)), 1 = ets:info(T, size) end]).

%% One key is learned after the whole table was read.
learned() ->
    T = table(),
    ets:insert(T, {a}),
    [_] = ets:tab2list(T),
    ets:insert(T, {b}),
    [_, _] = ets:tab2list(T),
    ok.

%% Random programs: several keys, reads of all kinds.
random(Seed) ->
    put(seed, Seed),
    T = ets:new(t, [pick([set, ordered_set, bag]), public]),
    Processes = [[operation() || _ <- lists:seq(1, 1 + random_below(2))]
        || _ <- lists:seq(1, 2 + random_below(2))],
    all([fun() -> [catch perform(T, Operation) || Operation <- Operations] end || Operations <- Processes]).

operation() -> {random_below(10), random_below(2), random_below(3)}.

perform(T, {0, K, V}) -> ets:insert(T, {K, V});
perform(T, {1, K, V}) -> ets:insert_new(T, {K, V});
perform(T, {2, K, _}) -> ets:lookup(T, K);
perform(T, {3, K, _}) -> ets:update_counter(T, K, 1, {K, 0});
perform(T, {4, K, _}) -> ets:take(T, K);
perform(T, {5, _, _}) -> ets:tab2list(T);
perform(T, {6, K, _}) -> ets:delete(T, K);
perform(T, {7, _, _}) -> ets:first(T);
perform(T, {8, _, _}) -> ets:info(T, size);
perform(T, {9, _, 0}) -> ets:delete(T);
perform(T, {9, K, _}) -> ets:member(T, K).

pick(List) -> lists:nth(1 + random_below(length(List)), List).

random_below(Limit) ->
    Seed = (get(seed) * 6364136223846793005 + 1442695040888963407) band 16#ffffffffffffffff,
    put(seed, Seed),
    (Seed bsr 33) rem Limit.
