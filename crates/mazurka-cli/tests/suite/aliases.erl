%% Programs with aliases and calls with a timeout, whose numbers of executions are known.
-module(aliases).
-behaviour(gen_server).
-export([states/0, calls/2, named_calls/2, statem_calls/2, states/1, events/2, erpcs/1]).
-export([dropped/0, kept/0, late/0, reply_twice/0, reply_once/0, muted/0, tagged/0, spawned/0]).
-export([call_timeout/0, call_dead/0, own/0, requested/0]).
-export([run/1, expect/2]).
-export([init/1, handle_call/3, handle_cast/2, callback_mode/0, handle_event/4, handle_event/2]).

init(statem) -> {ok, only, 0};
init(_) -> {ok, 0}.

handle_call(next, _, N) -> {reply, N, N + 1};
handle_call(never, _, N) -> {noreply, N};
handle_call(twice, From, N) -> gen_server:reply(From, first), {reply, second, N};
handle_call(stop, _, N) -> {stop, normal, N}.
handle_cast(next, N) -> {noreply, N + 1}.
callback_mode() -> handle_event_function.
handle_event({call, From}, next, only, N) -> {keep_state, N + 1, [{reply, From, N}]}.
handle_event(next, N) -> {ok, N + 1}.

%% Prints the results of functions, which run at the same time.
run(Names) ->
    Me = self(),
    Run = fun(Name) -> Me ! {Name, try ?MODULE:Name() catch _:Reason -> {failed, Reason} end} end,
    [spawn(fun() -> Run(Name) end) || Name <- Names],
    [receive {Name, Result} -> io:format("~s~n~0p~n", [Name, Result]) end || Name <- Names].

%% Fails if the result is another one.
expect(Name, Result) -> Result = ?MODULE:Name().

%% Runs the function in N processes and waits for them in the order of their spawns.
in_processes(N, Fun) ->
    Me = self(),
    Pids = [spawn(fun() -> Fun(), Me ! {self(), done} end) || _ <- lists:seq(1, N)],
    [receive {Pid, done} -> ok end || Pid <- Pids].

times(K, Fun) -> [Fun() || _ <- lists:seq(1, K)].

calls(N, K) ->
    {ok, Server} = gen_server:start(?MODULE, server, []),
    in_processes(N, fun() -> times(K, fun() -> gen_server:call(Server, next) end) end).

named_calls(N, K) ->
    {ok, _} = gen_server:start({local, server}, ?MODULE, server, []),
    in_processes(N, fun() -> times(K, fun() -> gen_server:call(server, next) end) end).

statem_calls(N, K) ->
    {ok, Server} = gen_statem:start(?MODULE, statem, []),
    in_processes(N, fun() -> times(K, fun() -> gen_statem:call(Server, next, 5000) end) end).

%% The result depends on the order of two calls.
states() ->
    {ok, Server} = gen_server:start(?MODULE, server, []),
    Me = self(),
    spawn(fun() -> gen_server:call(Server, next), Me ! done end),
    State = sys:get_state(Server),
    receive done -> State end.

states(N) ->
    {ok, Server} = gen_server:start(?MODULE, server, []),
    in_processes(N, fun() -> 0 = sys:get_state(Server) end).

events(N, K) ->
    {ok, Manager} = gen_event:start(),
    ok = gen_event:add_handler(Manager, ?MODULE, handler),
    in_processes(N, fun() -> times(K, fun() -> gen_event:sync_notify(Manager, next) end) end).

erpcs(N) ->
    in_processes(N, fun() -> 6 = erpc:call(node(), lists, sum, [[1, 2, 3]], 5000) end).

%% Whether the message comes before or after the alias ends.
dropped() ->
    Alias = alias(),
    spawn(fun() -> Alias ! hello end),
    true = unalias(Alias),
    receive hello -> received after 0 -> dropped end.

%% The message arrives before another one of the same sender.
kept() ->
    Alias = alias(),
    Me = self(),
    spawn(fun() -> Alias ! hello, Me ! go end),
    receive go -> ok end,
    true = unalias(Alias),
    false = unalias(Alias),
    receive hello -> received after 0 -> dropped end.

%% The message is sent after the alias has ended.
late() ->
    Alias = alias(),
    Me = self(),
    Pid = spawn(fun() -> receive go -> Alias ! hello, Me ! sent end end),
    true = unalias(Alias),
    Pid ! go,
    receive sent -> ok end,
    receive hello -> received after 0 -> dropped end.

own() ->
    Alias = alias([explicit_unalias]),
    Alias ! one,
    erlang:send(Alias, two),
    ok = erlang:send(Alias, three, [noconnect]),
    one = receive One -> One end,
    true = unalias(Alias),
    Alias ! four,
    make_ref() ! five,
    [receive M -> M after 0 -> none end || _ <- [1, 2, 3]].

%% The first message ends the alias.
reply_once() ->
    Alias = alias([reply]),
    Alias ! one,
    one = receive One -> One end,
    Alias ! two,
    false = unalias(Alias),
    receive Two -> Two after 0 -> none end.

%% The first message ends the alias and the monitor.
muted() ->
    Pid = spawn(fun() -> receive {to, Alias} -> Alias ! {Alias, hello} end end),
    Ref = monitor(process, Pid, [{alias, reply_demonitor}]),
    Pid ! {to, Ref},
    Hello = receive {Ref, Message} -> Message; {'DOWN', Ref, _, _, _} -> down end,
    Last = monitor(process, Pid),
    receive {'DOWN', Last, _, _, _} -> ok end,
    false = demonitor(Ref, [info]),
    {Hello, receive Other -> Other after 0 -> none end}.

tagged() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    Ref = monitor(process, Pid, [{tag, {gone, pid}}]),
    Pid ! stop,
    receive {{gone, pid}, Ref, process, Pid, normal} -> ok end.

spawned() ->
    Me = self(),
    {Pid, Ref} = spawn_opt(fun() -> receive {to, Alias} -> Alias ! hello, Me ! sent end end,
                           [{monitor, [{alias, demonitor}, {tag, gone}]}]),
    Pid ! {to, Ref},
    hello = receive Hello -> Hello end,
    sent = receive Sent -> Sent end,
    receive {gone, Ref, process, Pid, normal} -> ok end.

requested() ->
    Id = spawn_request(fun() -> ok end, [monitor]),
    Pid = receive {spawn_reply, Id, ok, P} -> P end,
    receive {'DOWN', Id, process, Pid, normal} -> ok end.

%% The second reply comes before the alias ends, or is lost.
reply_twice() ->
    {ok, Server} = gen_server:start(?MODULE, server, []),
    first = gen_server:call(Server, twice),
    sys:get_state(Server),
    receive {[alias | _], second} -> second after 0 -> none end.

call_timeout() ->
    {ok, Server} = gen_server:start(?MODULE, server, []),
    {'EXIT', {timeout, _}} = (catch gen_server:call(Server, never)),
    receive Any -> Any after 0 -> none end.

call_dead() ->
    {ok, Server} = gen_server:start(?MODULE, server, []),
    {'EXIT', {normal, _}} = (catch gen_server:call(Server, stop)),
    {'EXIT', {noproc, _}} = (catch gen_server:call(Server, next)),
    {'EXIT', {noproc, _}} = (catch gen_server:call(nobody, next)),
    receive Any -> Any after 0 -> none end.
