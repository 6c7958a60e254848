%% Processes for small programs.
-module(oracle_known).
-export([dead/0, server/0, serve/0, ask/2, reason/1]).

%% A process that has ended.
dead() ->
    {Pid, Reference} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Reference, _, _, _} -> Pid end.

%% A process that does what it is asked to do.
server() -> spawn(fun serve/0).

serve() ->
    receive {From, Fun} -> From ! {self(), reason(Fun)} end,
    serve().

ask(Server, Fun) ->
    Server ! {self(), Fun},
    receive {Server, Answer} -> Answer end.

%% What it returns, or why it fails.
reason(Fun) ->
    try Fun() catch error:Reason -> Reason end.
