%% Helper functions of programs translated from scripts.
-module(oracle_help).
-export([pick/2, place/2, reason/1, number/1, demonitor/3, has_name/1, links/2]).

%% The process with this number.
pick(N, Known) ->
    lists:nth(abs(N) rem length(Known) + 1, Known).

%% The number of a process among the known ones.
place(undefined, _) -> -3;
place(Pid, Known) -> place(Pid, Known, 1).

place(Pid, [Pid | _], N) -> N;
place(Pid, [_ | Known], N) -> place(Pid, Known, N + 1);
place(_, [], _) -> 40.

reason(normal) -> 0;
reason({stopped, N}) -> 1 + N;
reason({stopped, N, _}) -> 1 + N;
reason({crash, N}) -> 2 + N;
reason({crash, N, _}) -> 2 + N;
reason({{crash, N}, Stack}) when is_list(Stack) -> 2 + N;
reason(kill) -> 4;
reason(killed) -> 5;
reason(noproc) -> 6.

number(false) -> 0;
number(true) -> 1.

%% Removes the first monitor of this process.
demonitor(Of, Monitors, Options) ->
    Reference = case lists:keyfind(Of, 1, Monitors) of
        {_, Found} -> Found;
        false -> make_ref()
    end,
    number(case Options of
        none -> erlang:demonitor(Reference);
        _ -> erlang:demonitor(Reference, Options)
    end).

has_name(Pid) ->
    case process_info(Pid, registered_name) of
        undefined -> -3;
        [] -> 0;
        {registered_name, _} -> 1
    end.

%% The links of this process, as a number. The order of links is unspecified.
links(Known, Way) ->
    {links, Links} = case Way of
        alone -> process_info(self(), links);
        in_list -> lists:nth(2, process_info(self(), [trap_exit, links]));
        usual -> lists:keyfind(links, 1, process_info(self()))
    end,
    Places = lists:sort([place(Pid, Known) || Pid <- Links]),
    lists:foldl(fun(Place, Sum) -> 3 * Sum + Place end, 0, Places).
