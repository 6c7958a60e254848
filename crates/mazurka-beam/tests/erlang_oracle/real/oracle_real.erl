%% Runs programs on the real machine and writes their outcomes to a file.
-module(oracle_real).
-export([main/4]).

%% A program is idle after this number of checks without a change, with this time between them, in ms.
-define(QUIET, 4).
-define(INTERVAL, 1).
%% The maximum number of checks.
-define(LOOKS, 3000).

%% Runs each of the programs in a file Runs times, with Workers programs at the same time.
main(In, Out, Runs, Workers) ->
    logger:set_primary_config(level, none),
    {ok, Programs} = file:consult(In),
    ets:new(oracle_notes, [named_table, public, {write_concurrency, true}]),
    ets:new(oracle_jobs, [named_table, public]),
    ets:new(oracle_outcomes, [named_table, public]),
    %% All programs in turn, so that each runs beside different ones.
    Jobs = [Program || _ <- lists:seq(1, Runs), Program <- Programs],
    ets:insert(oracle_jobs, [{next, 0} | lists:zip(lists:seq(1, length(Jobs)), Jobs)]),
    Started = [spawn_monitor(fun work/0) || _ <- lists:seq(1, Workers)],
    [receive {'DOWN', Reference, _, _, normal} -> ok end || {_, Reference} <- Started],
    Lines = [io_lib:format("~b\t~b\t~s~n", [Number, Count, Outcome])
             || {{Number, Outcome}, Count} <- ets:tab2list(oracle_outcomes)],
    ok = file:write_file(Out, Lines).

work() ->
    case ets:lookup(oracle_jobs, ets:update_counter(oracle_jobs, next, 1)) of
        [{_, {Number, Module, Function}}] ->
            Key = {Number, run(Module, Function)},
            ets:update_counter(oracle_outcomes, Key, 1, {Key, 0}),
            work();
        [] ->
            ok
    end.

run(Module, Function) ->
    Me = self(),
    Entry = spawn(fun() ->
        group_leader(Me, self()),
        receive go -> Module:Function() end
    end),
    erlang:trace(Entry, true, [procs, set_on_spawn]),
    Entry ! go,
    {Events, Live} = watch([], 0, 0, Entry),
    Outcome = outcome(Entry, Events),
    clear(Live, Events, Entry),
    Outcome.

%% The events until the program is idle, the last one first, and the processes that are left.
watch(Events, Quiet, Looks, Entry) ->
    receive
        Event when element(1, Event) =:= trace -> watch([Event | Events], 0, Looks, Entry)
    after ?INTERVAL ->
        Live = live(Events, Entry),
        case lists:all(fun waits/1, Live) of
            true when Quiet + 1 =:= ?QUIET -> {Events, Live};
            true -> watch(Events, Quiet + 1, Looks + 1, Entry);
            false when Looks < ?LOOKS -> watch(Events, 0, Looks + 1, Entry);
            false -> {[endless | Events], Live}
        end
    end.

live(Events, Entry) ->
    Known = [Entry] ++ [Pid || {trace, _, spawn, Pid, _} <- Events]
        ++ [Pid || {trace, Pid, spawned, _, _} <- Events],
    lists:usort(Known) -- [Pid || {trace, Pid, exit, _} <- Events].

%% An exiting process may still affect others.
waits(Pid) ->
    case process_info(Pid, [status, dictionary]) of
        [{status, waiting}, {dictionary, Dictionary}] ->
            lists:member({waits, for_ever}, Dictionary);
        _ ->
            false
    end.

outcome(_, [endless | _]) ->
    "endless";
outcome(Entry, Events) ->
    Paths = paths(Entry, "P", lists:reverse(Events)),
    Ends = maps:from_list([{Pid, Reason} || {trace, Pid, exit, Reason} <- Events]),
    Ways = [way(Path, Pid, Ends) || {Path, Pid} <- lists:sort(Paths)],
    [C || C <- lists:flatten(Ways), C =/= $\s].

paths(Pid, Path, Events) ->
    Children = [Child || {trace, Parent, spawn, Child, _} <- Events, Parent =:= Pid],
    Numbered = lists:zip(lists:seq(1, length(Children)), Children),
    [{Path, Pid} | lists:append([paths(Child, Path ++ "." ++ integer_to_list(N), Events)
                                 || {N, Child} <- Numbered])].

way(Path, Pid, Ends) ->
    Seen = case ets:lookup(oracle_notes, Pid) of
        [{_, Noted}] -> Noted;
        [] -> nothing
    end,
    case Ends of
        #{Pid := normal} -> io_lib:format("~s=normal:~0p;", [Path, Seen]);
        #{Pid := Reason} -> io_lib:format("~s=ended:~0p;", [Path, Reason]);
        #{} -> io_lib:format("~s=waits:~0p;", [Path, Seen])
    end.

%% Ends the processes that are left. One that traps exits may start others in reaction.
clear([], Events, Entry) ->
    Pids = [Entry | [Pid || {trace, _, spawn, Pid, _} <- Events]],
    [ets:delete(oracle_notes, Pid) || Pid <- Pids],
    ok;
clear(Live, Events, Entry) ->
    [exit(Pid, kill) || Pid <- Live],
    Events1 = heard(Events),
    clear(live(Events1, Entry), Events1, Entry).

heard(Events) ->
    receive
        Event when element(1, Event) =:= trace -> heard([Event | Events])
    after ?INTERVAL ->
        Events
    end.
