%% Programs whose numbers of executions are known: names conflict only with changes of the same name.
-module(names).
-export([different/1, listed/1, listed_twice/1, same/1, looked_up/1, freed/0]).

%% N processes register themselves and stay alive until they are stopped.
start(N, Name) -> [spawn(fun() -> register(Name(I), self()), receive stop -> ok end end) || I <- lists:seq(1, N)].

stop(Pids) -> [Pid ! stop || Pid <- Pids].

name(I) -> lists:nth(I, [one, two, three, four]).

ours(Names) -> [Name || Name <- lists:sort(Names), lists:member(Name, [one, two, three, four])].

different(N) ->
    stop(start(N, fun name/1)).

%% Each name is registered before the list is read, or after.
listed(N) ->
    Pids = start(N, fun name/1),
    true = length(ours(registered())) =< N,
    stop(Pids).

%% Two lists are read by different processes: reads commute.
listed_twice(N) ->
    Pids = start(N, fun name/1),
    [begin Ref = make_ref(), Main ! {Ref, length(ours(registered()))}, receive {Ref, _} -> ok end end
     || Main <- [self(), self()]],
    stop(Pids).

%% N processes want the same name: one gets it.
same(N) ->
    Me = self(),
    Pids = [spawn(fun() ->
        Got = (catch register(one, self())),
        Me ! {self(), Got =:= true},
        receive stop -> ok end
    end) || _ <- lists:seq(1, N)],
    Got = [receive {Pid, Got} -> Got end || Pid <- Pids],
    1 = length([true || true <- Got]),
    stop(Pids).

%% One process registers the name, N processes look it up.
looked_up(N) ->
    Me = self(),
    [Server] = start(1, fun name/1),
    Pids = [spawn(fun() -> Me ! {self(), whereis(one)} end) || _ <- lists:seq(1, N)],
    [receive {Pid, Found} -> true = lists:member(Found, [undefined, Server]) end || Pid <- Pids],
    stop([Server]).

%% The list is read before or after the end of the process frees its name.
freed() ->
    Me = self(),
    Pid = spawn(fun() -> register(one, self()), Me ! registered end),
    receive registered -> ok end,
    case ours(registered()) of
        [one] -> still;
        [] -> false = is_process_alive(Pid)
    end.
