%% A registry on ETS: clients use one service, which the first of them starts.
%%
%%     mazurka check service_registry.erl --entry 'service_registry:run(2)'     crash: two services
%%     mazurka check service_registry.erl --entry 'service_registry:fixed(2)'   no error
%%
%% Between lookup and insert another client can do the same. insert_new is one step.
-module(service_registry).
-export([run/1, fixed/1]).

run(N) ->
    check(N, fun find_or_start/1).

fixed(N) ->
    check(N, fun start_or_find/1).

%% All clients must get the same service.
check(N, Find) ->
    Table = ets:new(services, [public]),
    Main = self(),
    Clients = [spawn(fun() -> Main ! {self(), Find(Table)} end) || _ <- lists:seq(1, N)],
    [Service | Others] = [receive {Client, Pid} -> Pid end || Client <- Clients],
    [Service = Other || Other <- Others],
    Service ! stop.

find_or_start(Table) ->
    case ets:lookup(Table, service) of
        [{service, Pid}] ->
            Pid;
        [] ->
            Pid = spawn(fun service/0),
            ets:insert(Table, {service, Pid}),
            Pid
    end.

start_or_find(Table) ->
    Pid = spawn(fun service/0),
    case ets:insert_new(Table, {service, Pid}) of
        true ->
            Pid;
        false ->
            Pid ! stop,
            ets:lookup_element(Table, service, 2)
    end.

service() ->
    receive stop -> ok end.
