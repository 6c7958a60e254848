%% A small program whose processes use many features. OTP 25 compiles it to
%% actors.beam:
%%   erlc +deterministic +debug_info actors.erl
-module(actors).
-export([main/0, server/2, client/3]).

main() ->
    process_flag(trap_exit, true),
    Server = spawn_link(?MODULE, server, [#{}, 0]),
    register(server, Server),
    Self = self(),
    Clients = [spawn_monitor(fun() -> client(Self, Server, N) end) || N <- [1, 2]],
    Values = [receive {value, V} when is_integer(V) -> V end || _ <- Clients],
    [receive {'DOWN', Ref, process, Pid, Reason} -> Reason end || {Pid, Ref} <- Clients],
    ets:new(table, [named_table, public]),
    ets:insert(table, {sum, lists:sum(Values)}),
    [{sum, Sum}] = ets:lookup(table, sum),
    Server ! stop,
    receive
        {'EXIT', Server, normal} -> {ok, Sum, <<Sum:16, "end">>};
        Other -> exit({unexpected, Other})
    after 100 -> timeout
    end.

server(State, N) ->
    receive
        {From, Ref, {put, Key, Value}} ->
            From ! {Ref, ok},
            server(State#{Key => Value}, N + 1);
        {From, Ref, {get, Key}} ->
            From ! {Ref, try maps:get(Key, State) catch error:{badkey, _} -> none end},
            server(State, N + 1);
        stop when N >= 0, N =< 4 -> ok;
        stop -> exit(N * 1.5)
    end.

client(Parent, Server, N) ->
    ok = call(Server, {put, N, <<N:8/little, 1:4>>}),
    <<Found:8/little, _/bits>> = call(Server, {get, N}),
    Parent ! {value, Found}.

call(Server, Request) ->
    Ref = make_ref(),
    Server ! {self(), Ref, Request},
    receive {Ref, Answer} -> Answer end.
