%% A gen_event manager whose handler counts alarms. Two processes that need the handler add it if it is not
%% there.
%%
%%     mazurka check alarm.erl --entry alarm:run/0     crash: the handler counts twice
%%     mazurka check alarm.erl --entry alarm:fixed/0   no error
%%
%% Between which_handlers and add_handler the other process can add it, too: a manager accepts the same
%% handler twice. One that is added by a single process is there once.
-module(alarm).
-behaviour(gen_event).
-export([run/0, fixed/0]).
-export([init/1, handle_event/2, handle_call/2]).

run() ->
    check(fun(Ensure) -> in_parallel(2, Ensure) end).

fixed() ->
    check(fun(Ensure) ->
        Ensure(),
        in_parallel(2, Ensure)
    end).

check(Prepare) ->
    {ok, Manager} = gen_event:start(),
    Count = counters:new(1, []),
    Prepare(fun() -> ensure_handler(Manager, Count) end),
    ok = gen_event:sync_notify(Manager, fire),
    1 = counters:get(Count, 1).

in_parallel(N, Do) ->
    Main = self(),
    Pids = [spawn(fun() -> Do(), Main ! {done, self()} end) || _ <- lists:seq(1, N)],
    [receive {done, Pid} -> ok end || Pid <- Pids].

ensure_handler(Manager, Count) ->
    case lists:member(?MODULE, gen_event:which_handlers(Manager)) of
        true -> ok;
        false -> ok = gen_event:add_handler(Manager, ?MODULE, Count)
    end.

init(Count) ->
    {ok, Count}.

handle_event(fire, Count) ->
    counters:add(Count, 1, 1),
    {ok, Count}.

handle_call(_Request, Count) ->
    {ok, ok, Count}.
