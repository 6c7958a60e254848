%% A pool: a table lists the idle workers, and a gen_server records who has one. It monitors the clients, so
%% that the worker of a client that ends comes back.
%%
%%     mazurka check worker_pool.erl --entry worker_pool:run/0     crash: a worker is lost
%%     mazurka check worker_pool.erl --entry worker_pool:fixed/0   no error
%%
%% The client takes a worker from the table itself and reports it to the server afterwards. If it is
%% killed in between, the server does not know of it. A worker that the server lends is never lost.
-module(worker_pool).
-behaviour(gen_server).
-export([run/0, fixed/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

run() ->
    check(fun take_and_report/2).

fixed() ->
    check(fun borrow/2).

%% One worker, and a client that is killed at any time. Afterwards the worker must be there again.
check(Take) ->
    Idle = ets:new(idle, [public]),
    {ok, Pool} = gen_server:start_link(?MODULE, Idle, []),
    ets:insert(Idle, {worker_1}),
    {Client, Reference} = spawn_monitor(fun() -> Take(Pool, Idle) end),
    exit(Client, kill),
    receive {'DOWN', Reference, process, Client, _} -> ok end,
    gen_server:call(Pool, settle, infinity),
    [{worker_1}] = ets:tab2list(Idle).

take_and_report(Pool, Idle) ->
    case ets:take(Idle, worker_1) of
        [{Worker}] ->
            gen_server:call(Pool, {taken, Worker}, infinity),
            work(Pool, Worker);
        [] ->
            none
    end.

borrow(Pool, _Idle) ->
    case gen_server:call(Pool, borrow, infinity) of
        {ok, Worker} -> work(Pool, Worker);
        none -> none
    end.

work(Pool, Worker) ->
    gen_server:call(Pool, {return, Worker}, infinity).

%% The state: the table, for each monitor of a client its worker, and who waits until no worker is lent.
init(Idle) ->
    {ok, {Idle, #{}, none}}.

handle_call({taken, Worker}, {Client, _}, State) ->
    {reply, ok, lend(Client, Worker, State)};
handle_call(borrow, {Client, _}, {Idle, _, _} = State) ->
    case ets:first(Idle) of
        '$end_of_table' ->
            {reply, none, State};
        Worker ->
            ets:delete(Idle, Worker),
            {reply, {ok, Worker}, lend(Client, Worker, State)}
    end;
handle_call({return, Worker}, _From, State) ->
    {reply, ok, give_back(Worker, State)};
handle_call(settle, From, {Idle, Lent, none}) ->
    {noreply, settled({Idle, Lent, From})}.

handle_cast(_Request, State) ->
    {noreply, State}.

handle_info({'DOWN', Reference, process, _, _}, {_, Lent, _} = State) ->
    case Lent of
        #{Reference := Worker} -> {noreply, give_back(Worker, State)};
        #{} -> {noreply, State}
    end.

lend(Client, Worker, {Idle, Lent, Waiting}) ->
    {Idle, Lent#{monitor(process, Client) => Worker}, Waiting}.

give_back(Worker, {Idle, Lent, Waiting}) ->
    ets:insert(Idle, {Worker}),
    settled({Idle, maps:filter(fun(_, Other) -> Other =/= Worker end, Lent), Waiting}).

settled({Idle, Lent, Waiting}) when map_size(Lent) =:= 0, Waiting =/= none ->
    gen_server:reply(Waiting, ok),
    {Idle, Lent, none};
settled(State) ->
    State.
