%% Between spawn and link, or spawn and monitor, the new process may already have ended. Then the
%% reason is noproc, and the real reason is lost.
%%
%%     mazurka check link_monitor.erl --entry link_monitor:link_late/0        2 executions, one crashes
%%     mazurka check link_monitor.erl --entry link_monitor:monitor_late/0     2 executions, one crashes
%%     mazurka check link_monitor.erl --entry link_monitor:link_test/0        1 execution
%%     mazurka check link_monitor.erl --entry link_monitor:monitor_test/0     1 execution
-module(link_monitor).
-export([link_late/0, monitor_late/0, link_test/0, monitor_test/0]).

link_late() ->
    process_flag(trap_exit, true),
    Child = spawn(fun child/0),
    link(Child),
    normal = exit_reason(Child).

%% spawn_link does both in one step.
link_test() ->
    process_flag(trap_exit, true),
    Child = spawn_link(fun child/0),
    normal = exit_reason(Child).

monitor_late() ->
    Child = spawn(fun child/0),
    Monitor = monitor(process, Child),
    normal = down_reason(Monitor, Child).

%% spawn_monitor does both in one step.
monitor_test() ->
    {Child, Monitor} = spawn_monitor(fun child/0),
    normal = down_reason(Monitor, Child).

child() ->
    ok.

exit_reason(Child) ->
    receive
        {'EXIT', Child, Reason} -> Reason
    end.

down_reason(Monitor, Child) ->
    receive
        {'DOWN', Monitor, process, Child, Reason} -> Reason
    end.
