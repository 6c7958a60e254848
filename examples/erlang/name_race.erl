%% N processes register themselves under the same name. All but the first are refused with badarg.
%%
%%     mazurka check name_race.erl --entry 'name_race:run(3)' --daemon name_race:server/0
%%     mazurka check name_race.erl --entry 'name_race:fixed(3)' --daemon name_race:polite_server/0
%%
%% N! executions: they differ in the order in which processes are refused.
-module(name_race).
-export([run/1, fixed/1, server/0, polite_server/0]).

run(N) ->
    [spawn(?MODULE, server, []) || _ <- lists:seq(1, N)].

fixed(N) ->
    [spawn(?MODULE, polite_server, []) || _ <- lists:seq(1, N)].

server() ->
    register(server, self()),
    serve().

%% A process that finds the name taken ends normally.
polite_server() ->
    try register(server, self()) of
        true -> serve()
    catch
        error:badarg -> ok
    end.

serve() ->
    receive
        stop -> ok
    end.
