%% Processes for small programs.
-module(oracle_known).
-export([dead/0, server/0, serve/0, ask/2, reason/1]).

%% A process that has ended.
dead() ->
    {Pid, Reference} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Reference, _, _, _} -> Pid end.

%% A process that runs the functions it receives.
server() -> spawn(fun serve/0).

serve() ->
    receive {From, Fun} -> From ! {self(), reason(Fun)} end,
    serve().

ask(Server, Fun) ->
    Server ! {self(), Fun},
    receive {Server, Answer} -> Answer end.

%% The function's value, or the reason of its failure.
reason(Fun) ->
    try Fun() catch error:Reason -> Reason end.
