%% A pool that lends workers to clients. One client ends without giving its worker back. A pool that
%% trusts its clients never sees that worker again, and if the other client comes second, it waits for
%% ever. The fix is to monitor every client.
%%
%%     mazurka check pool.erl --entry pool:run/0 --daemon pool:pool/1 --daemon pool:worker/0
%%     mazurka check pool.erl --entry pool:fixed/0 --daemon pool:watching_pool/2 --daemon pool:worker/0
-module(pool).
-export([run/0, fixed/0, pool/1, watching_pool/2, worker/0, fixed_test/0]).

run() ->
    Worker = spawn(?MODULE, worker, []),
    clients(spawn(?MODULE, pool, [[Worker]])).

fixed() ->
    Worker = spawn(?MODULE, worker, []),
    clients(spawn(?MODULE, watching_pool, [[Worker], #{}])).

clients(Pool) ->
    Main = self(),
    _Forgetful = spawn(fun() -> borrow(Pool) end),
    _Tidy = spawn(fun() ->
        Worker = borrow(Pool),
        Main ! {square, square(Worker, 7)},
        Pool ! {give_back, self(), Worker}
    end),
    receive
        {square, Square} -> Square
    end.

borrow(Pool) ->
    Pool ! {borrow, self()},
    receive
        {lent, Worker} -> Worker
    end.

square(Worker, Number) ->
    Worker ! {square, self(), Number},
    receive
        {result, Worker, Result} -> Result
    end.

worker() ->
    receive
        {square, Client, Number} ->
            Client ! {result, self(), Number * Number},
            worker()
    end.

%% While no worker is free, requests wait in the mailbox.
pool(Free) ->
    receive
        {borrow, Client} when Free =/= [] ->
            Client ! {lent, hd(Free)},
            pool(tl(Free));
        {give_back, _, Worker} ->
            pool([Worker | Free])
    end.

%% Lent maps each client to its worker and the monitor of the client.
watching_pool(Free, Lent) ->
    receive
        {borrow, Client} when Free =/= [] ->
            Worker = hd(Free),
            Monitor = monitor(process, Client),
            Client ! {lent, Worker},
            watching_pool(tl(Free), Lent#{Client => {Worker, Monitor}});
        {give_back, Client, Worker} ->
            {{Worker, Monitor}, Others} = maps:take(Client, Lent),
            demonitor(Monitor, [flush]),
            watching_pool([Worker | Free], Others);
        {'DOWN', Monitor, process, Client, _} ->
            {{Worker, Monitor}, Others} = maps:take(Client, Lent),
            watching_pool([Worker | Free], Others)
    end.

fixed_test() ->
    49 = fixed().
