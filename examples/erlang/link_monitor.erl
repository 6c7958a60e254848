%% Between spawn and link, or spawn and monitor, the new process may already have ended.
%%
%%     mazurka check link_monitor.erl --entry link_monitor:link_late/0
%%     mazurka check link_monitor.erl --entry link_monitor:monitor_late/0
%%     mazurka check link_monitor.erl --entry link_monitor:link_test/0
%%     mazurka check link_monitor.erl --entry link_monitor:monitor_test/0
-module(link_monitor).
-export([link_late/0, monitor_late/0, link_test/0, monitor_test/0]).

%% That a linked process ends normally does no harm. But a link to one that has ended is answered by
%% an exit signal with the reason noproc, which ends this one too.
link_late() ->
    Child = spawn(fun() -> ok end),
    link(Child),
    ok.

%% spawn_link does both in one step.
link_test() ->
    spawn_link(fun() -> ok end),
    ok.

%% A monitor of a process that has ended only says noproc: why it ended is lost.
monitor_late() ->
    Child = spawn(fun() -> exit(finished) end),
    Monitor = monitor(process, Child),
    finished = reason(Monitor, Child).

%% spawn_monitor does both in one step.
monitor_test() ->
    {Child, Monitor} = spawn_monitor(fun() -> exit(finished) end),
    finished = reason(Monitor, Child).

reason(Monitor, Child) ->
    receive
        {'DOWN', Monitor, process, Child, Reason} -> Reason
    end.
