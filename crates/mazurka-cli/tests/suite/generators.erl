-module(generators).
-include_lib("eunit/include/eunit.hrl").
-export([twice/1]).

%% EUnit's test generators, of every kind. Those whose names begin with bad fail.

twice(X) -> 2 * X.

list_test_() -> [?_assertEqual(4, twice(2)), ?_assert(twice(1) > 1)].

bad_list_test_() -> [?_assertEqual(4, twice(2)), ?_assertEqual(5, twice(2))].

deep_test_() -> [[], [[?_test(ok)], ?_test(ok)] | ?_test(ok)].

titles_test_() -> {"sums", [{"right", ?_assertEqual(2, twice(1))}, {<<"zero">>, ?_assertEqual(0, twice(0))}]}.

bad_title_test_() -> {"sums", [{"right", ?_assertEqual(2, twice(1))},
    {"wrong", ?_assertEqual(3, twice(1))}]}.

line_test_() -> {22, fun() -> ok end}.

named_test_() -> [{?MODULE, simple_test}, {test, ?MODULE, simple_test}, fun simple_test/0].

simple_test() -> ok.

bad_named_test_() -> {test, ?MODULE, there_is_none}.

lazy_test_() -> {generator, fun() -> [?_test(ok), {generator, ?MODULE, list_test_}] end}.

bad_lazy_test_() -> {generator, fun() -> error(bad) end}.

%% A server that adds up what it gets.
start() -> spawn(fun() -> loop(0) end).

loop(Sum) ->
    receive
        {add, N} -> loop(Sum + N);
        {get, From} -> From ! {sum, Sum}, loop(Sum);
        stop -> ok
    end.

stop(Server) -> Server ! stop.

get_sum(Server) ->
    Server ! {get, self()},
    receive {sum, Sum} -> Sum end.

setup_test_() ->
    {setup, fun start/0, fun stop/1, fun(Server) ->
        [?_test(Server ! {add, 2}), ?_assertEqual(2, get_sum(Server))]
    end}.

setup_only_test_() -> {setup, fun() -> ok end, ?_test(ok)}.

bad_setup_test_() -> {setup, fun() -> error(bad) end, fun(_) -> ok end, ?_test(ok)}.

bad_cleanup_test_() -> {setup, fun() -> ok end, fun(_) -> error(bad) end, ?_test(ok)}.

%% The cleanup of one fixture is over before the next one begins.
cleaned_test_() ->
    Setup = fun() -> register(the_server, start()) end,
    Cleanup = fun(_) -> Server = whereis(the_server), unregister(the_server), stop(Server) end,
    [{setup, Setup, Cleanup, ?_assertEqual(0, get_sum(the_server))},
     {setup, Setup, Cleanup, ?_assertEqual(0, get_sum(the_server))}].

%% A local fixture is set up in the process of its tests.
local_test_() ->
    [{setup, local, fun() -> self() end, fun(Pid) -> ?assertEqual(Pid, self()) end,
        fun(Pid) -> ?_assertEqual(Pid, self()) end},
     {setup, spawn, fun() -> self() end, fun(Pid) -> ?assertEqual(Pid, self()) end,
        fun(Pid) -> ?_assertNotEqual(Pid, self()) end},
     {setup, fun() -> self() end, fun(Pid) -> ?assertEqual(Pid, self()) end,
        fun(Pid) -> ?_assertNotEqual(Pid, self()) end}].

setups_test_() ->
    {setup, [{one, fun() -> 1 end, fun(1) -> ok end}, {two, fun() -> 2 end}],
        fun([One, Two]) -> ?_assertEqual({1, 2}, {One, Two}) end}.

instantiate_test_() ->
    {setup, fun() -> 7 end, fun(7) -> ok end, fun(N) -> {"seven", ?_assertEqual(14, twice(N))} end}.

bad_instantiate_test_() ->
    {setup, fun() -> 7 end, fun(7) -> ok end, fun(_) -> error(bad) end}.

with_test_() ->
    [{with, 3, [fun(N) -> ?assertEqual(6, twice(N)) end]},
     {setup, fun() -> 4 end, fun(_) -> ok end, {with, [fun(N) -> ?assertEqual(8, twice(N)) end]}}].

bad_with_test_() -> {with, 3, [fun(N) -> ?assertEqual(6, twice(N)) end, fun(N) -> ?assertEqual(7, twice(N)) end]}.

foreach_test_() ->
    {foreach, fun start/0, fun stop/1, [
        fun(Server) -> ?_assertEqual(0, get_sum(Server)) end,
        fun(Server) -> [?_test(Server ! {add, 2}), ?_assertEqual(2, get_sum(Server))] end
    ]}.

bad_foreach_test_() ->
    {"each", {foreach, fun start/0, fun stop/1, [
        fun(Server) -> ?_assertEqual(0, get_sum(Server)) end,
        fun(Server) -> ?_assertEqual(1, get_sum(Server)) end
    ]}}.

foreachx_test_() ->
    {foreachx, fun(X) -> X end, fun(X, X) -> ok end, [
        {1, fun(X, Given) -> ?_assertEqual(X, Given) end},
        {2, fun(X, Given) -> ?_assertEqual({2, 2}, {X, Given}) end}
    ]}.

bad_foreachx_test_() ->
    {foreachx, fun(X) -> X end, [
        {1, fun(X, Given) -> ?_assertEqual(X, Given) end},
        {2, fun(X, _) -> ?_assertEqual(1, X) end}
    ]}.

%% Tests of one process can leave something for each other.
spawn_test_() -> {spawn, [?_test(put(left, behind)), ?_assertEqual(behind, get(left))]}.

bad_spawn_test_() -> [?_test(put(left, behind)), {spawn, ?_assertEqual(behind, get(left))}].

timeout_test_() -> {timeout, 60, [?_test(ok), {"with a title", {timeout, 1.5, ?_test(ok)}}]}.

inorder_test_() ->
    {inorder, {setup, fun start/0, fun stop/1, fun(Server) ->
        [?_test(Server ! {add, N}) || N <- [1, 2, 3]] ++ [?_assertEqual(6, get_sum(Server))]
    end}}.

inparallel_test_() -> [{inparallel, [?_test(ok), ?_test(ok)]}, {inparallel, 1, [?_test(ok), ?_test(ok)]}].

bad_inparallel_test_() -> {inparallel, [?_test(ok), ?_test(error(bad))]}.

module_test_() -> [other, {module, other}].

bad_module_test_() -> worse.

bad_description_test_() -> {this, is, [no, test]}.

bad_throw_test_() -> ?_test(throw(ball)).

bad_exit_test_() -> ?_test(exit(normal)).

killed_test_() -> {spawn, ?_test(exit(self(), kill))}.

%% What is not run here; they would be skipped by EUnit without another node.

node_test_() -> {node, other@nowhere, ?_test(ok)}.

remote_test_() -> {spawn, other@nowhere, ?_test(ok)}.

file_test_() -> "tests.txt".
