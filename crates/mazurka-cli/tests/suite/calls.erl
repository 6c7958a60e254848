%% Programs whose numbers of executions are known: only the order of requests at a server matters.
-module(calls).
-behaviour(gen_server).
-export([monitors/1, links/1, calls/2, casts/2, statem_calls/2, named_calls/2, two_servers/0]).
-export([start_children/1, forget_monitor/0, flush_monitor/0, late_monitor/0]).
-export([kill/0, kill_and_inform/0, told_of_end/0, exit_before_down/0]).
-export([init/1, handle_call/3, handle_cast/2, callback_mode/0, handle_event/4]).

init({children, N}) ->
    Start = {gen_server, start_link, [?MODULE, server, []]},
    {ok, {#{}, [#{id => Id, start => Start} || Id <- lists:seq(1, N)]}};
init(statem) ->
    {ok, only, 0};
init(server) ->
    {ok, 0}.

handle_call(next, _, N) -> {reply, N, N + 1}.
handle_cast(next, N) -> {noreply, N + 1}.
callback_mode() -> handle_event_function.
handle_event({call, From}, next, only, N) -> {keep_state, N + 1, [{reply, From, N}]}.

%% Runs the function in N processes and waits for them in the order of their spawns.
in_processes(N, Fun) -> all([Fun || _ <- lists:seq(1, N)]).

all(Funs) ->
    Me = self(),
    Pids = [spawn(fun() -> Fun(), Me ! {self(), done} end) || Fun <- Funs],
    [receive {Pid, done} -> ok end || Pid <- Pids].

idle() -> receive never -> ok end.

monitors(N) ->
    Server = spawn(fun idle/0),
    in_processes(N, fun() -> demonitor(monitor(process, Server)) end).

links(N) ->
    Server = spawn(fun idle/0),
    in_processes(N, fun() -> link(Server), unlink(Server) end).

calls(N, K) ->
    {ok, Server} = gen_server:start(?MODULE, server, []),
    in_processes(N, fun() -> [gen_server:call(Server, next, infinity) || _ <- lists:seq(1, K)] end).

casts(N, K) ->
    {ok, Server} = gen_server:start(?MODULE, server, []),
    in_processes(N, fun() -> [gen_server:cast(Server, next) || _ <- lists:seq(1, K)] end).

statem_calls(N, K) ->
    {ok, Server} = gen_statem:start(?MODULE, statem, []),
    in_processes(N, fun() -> [gen_statem:call(Server, next, infinity) || _ <- lists:seq(1, K)] end).

named_calls(N, K) ->
    {ok, _} = gen_server:start({local, server}, ?MODULE, server, []),
    in_processes(N, fun() -> [gen_server:call(server, next, infinity) || _ <- lists:seq(1, K)] end).

two_servers() ->
    {ok, A} = gen_server:start(?MODULE, server, []),
    {ok, B} = gen_server:start(?MODULE, server, []),
    all([fun() -> gen_server:call(Server, next, infinity) end || Server <- [A, A, B, B]]).

%% The supervisor shuts its children down when this process ends.
start_children(N) ->
    {ok, _} = supervisor:start_link(?MODULE, {children, N}).

%% The message stays in the mailbox, or is not sent.
forget_monitor() ->
    demonitor(monitor(process, spawn(fun() -> ok end))).

%% Only whether the process had ended when it was monitored differs.
flush_monitor() ->
    demonitor(monitor(process, spawn(fun() -> ok end)), [flush]).

%% The reason tells whether the process had ended.
late_monitor() ->
    Ref = monitor(process, spawn(fun() -> ok end)),
    receive {'DOWN', Ref, process, _, Reason} -> Reason end.

%% The signal is delivered before the question is answered.
kill() ->
    Pid = spawn(fun idle/0),
    exit(Pid, kill),
    false = is_process_alive(Pid).

kill_and_inform() ->
    Pid = spawn(fun idle/0),
    exit(Pid, kill),
    undefined = process_info(Pid, message_queue_len).

%% A process may learn of an end from another one before its own DOWN message arrives.
told_of_end() ->
    Me = self(),
    Pid = spawn(fun() -> receive stop -> ok end end),
    Ref = monitor(process, Pid),
    Other = spawn(fun() ->
        Its = monitor(process, Pid),
        Me ! {self(), ready},
        receive {'DOWN', Its, process, _, _} -> Me ! down end
    end),
    receive {Other, ready} -> ok end,
    Pid ! stop,
    receive
        down -> receive {'DOWN', Ref, process, Pid, normal} -> second end;
        {'DOWN', Ref, process, Pid, normal} -> receive down -> first end
    end.

%% A process that is linked to another and monitors it gets the exit signal first.
exit_before_down() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> receive stop -> ok end end),
    Ref = monitor(process, Pid),
    Pid ! stop,
    {'EXIT', Pid, normal} = receive First -> First end,
    {'DOWN', Ref, process, Pid, normal} = receive Second -> Second end.
