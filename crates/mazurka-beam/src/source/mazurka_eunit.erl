%% Runs the tests of an EUnit test generator, in the order and in the processes of EUnit.
%%
%% Unlike EUnit it stops at the first test that fails: it runs the pending cleanups and raises the
%% test's exception again. There are no time limits, since there is no clock.

%% Traces show this file name, wherever the module is compiled.
-file("mazurka_eunit.erl", 8).
-module(mazurka_eunit).
-export([parts/2, run/3, tests/1, not_modelled/3]).

-record(state, {
    order = inorder,
    titles = [],
    %% The generator, for messages.
    origin
}).

%% The number of parts of a generator that can be run separately: the tests of a foreach fixture,
%% which runs the setup for each of them. 0 if there are none.
parts(Module, Function) ->
    length(apart(Module:Function())).

%% Runs one of these parts, counted from 1, or all tests if the number is 0.
run(Module, Function, Part) ->
    Tests =
        case Part of
            0 -> Module:Function();
            _ -> lists:nth(Part, apart(Module:Function()))
        end,
    run_all([Tests], #state{origin = {Module, Function}}).

apart([Test]) ->
    apart(Test);
apart({timeout, _, Tests}) ->
    apart(Tests);
apart({Title, Tests}) when is_list(Title); is_binary(Title) ->
    [{Title, Test} || Test <- apart(Tests)];
apart(Tests) when tuple_size(Tests) > 2 ->
    Last = tuple_size(Tests),
    case element(1, Tests) of
        Each when Each =:= foreach; Each =:= foreachx ->
            [setelement(Last, Tests, [Test]) || Test <- element(Last, Tests)];
        Title when is_list(Title); is_binary(Title) ->
            apart({Title, erlang:delete_element(1, Tests)});
        _ ->
            []
    end;
apart(_) ->
    [].

run_all(Tests, #state{order = inorder} = State) ->
    case next(Tests, State) of
        {Item, Rest} ->
            run_item(Item, State),
            run_all(Rest, State);
        none ->
            ok
    end;
run_all(Tests, #state{order = {inparallel, Max}} = State) ->
    in_parallel(Tests, Max, [], State).

%% Starts up to Max tests at the same time, waits for all of them, and continues with the rest.
in_parallel(Tests, Max, Started, State) when Max > 0, length(Started) =:= Max ->
    wait_for_all(Started),
    in_parallel(Tests, Max, [], State);
in_parallel(Tests, Max, Started, State) ->
    case next(Tests, State) of
        {Item, Rest} ->
            Task = start(fun() -> run_item(Item, State) end),
            in_parallel(Rest, Max, [Task | Started], State);
        none ->
            wait_for_all(Started)
    end.

run_item({test, Line, Test}, State) ->
    announce(Line, State),
    Test();
run_item({group, here, Order, Tests}, State) ->
    run_all([Tests], ordered(Order, State));
run_item({group, spawn, Order, Tests}, State) ->
    in_child(Tests, ordered(Order, State));
run_item({titled, Title, Tests}, #state{titles = Titles} = State) ->
    run_all([Tests], State#state{titles = [Title | Titles]});
run_item({setup, Where, Setup, Cleanup, Instantiate}, State) ->
    Given = Setup(),
    Tests = Instantiate(Given),
    try
        case Where of
            local -> run_all([Tests], State);
            spawn -> in_child(Tests, State)
        end
    catch
        Class:Reason:Trace ->
            %% The failure of the test takes precedence.
            catch Cleanup(Given),
            erlang:raise(Class, Reason, Trace)
    end,
    Cleanup(Given).

ordered(same, State) -> State;
ordered(Order, State) -> State#state{order = Order}.

%% Prints the next test, if it has a title or a line.
announce(unknown, #state{titles = []}) ->
    ok;
announce(Line, #state{titles = Titles}) ->
    Place = [[" at line ", integer_to_list(Line)] || is_integer(Line)],
    Title = [[": ", lists:join(", ", lists:reverse(Titles))] || Titles =/= []],
    erlang:display_string(unicode:characters_to_list(["test", Place, Title, "\n"])).

%% Runs tests in a separate process.

in_child(Tests, State) ->
    outcome(wait(start(fun() -> run_all([Tests], State) end))).

start(Run) ->
    {_, Monitor} = spawn_monitor(?MODULE, tests, [Run]),
    Monitor.

%% The exit reason of the process contains the failure. The parent only waits for its end, so there
%% is no race.
tests(Run) ->
    try
        Run()
    catch
        Class:Reason:Trace -> exit({shutdown, {?MODULE, Class, Reason, Trace}})
    end.

wait(Monitor) ->
    receive
        {'DOWN', Monitor, process, _, Reason} -> Reason
    end.

wait_for_all(Started) ->
    Reasons = [wait(Monitor) || Monitor <- lists:reverse(Started)],
    lists:foreach(fun outcome/1, Reasons).

outcome(normal) -> ok;
outcome({shutdown, {?MODULE, Class, Reason, Trace}}) -> erlang:raise(Class, Reason, Trace);
outcome(Reason) -> exit(Reason).

%% The next test or group of a deep list of tests, and the rest.

next([], _) ->
    none;
next([[] | Rest], State) ->
    next(Rest, State);
next([[First | More] = Tests | Rest], State) ->
    case is_text(Tests) of
        true -> refuse("a file or folder of tests", State);
        false -> next([First, More | Rest], State)
    end;
next([Test | Rest], State) ->
    case read(Test, State) of
        {instead, Tests} -> next([Tests | Rest], State);
        Item -> {Item, Rest}
    end;
next(Test, State) ->
    next([Test], State).

is_text(List) ->
    lists:all(fun(C) -> is_integer(C) andalso C >= 0 andalso C =< 16#10ffff end, List).

%% Interprets a description of tests.

read({foreach, Setup, Tests}, State) when is_function(Setup) ->
    read({foreach, spawn, Setup, fun ok/1, Tests}, State);
read({foreach, Setup, Cleanup, Tests}, State) when is_function(Setup), is_function(Cleanup) ->
    read({foreach, spawn, Setup, Cleanup, Tests}, State);
read({foreach, Where, Setup, Tests}, State) when is_function(Setup) ->
    read({foreach, Where, Setup, fun ok/1, Tests}, State);
read({foreach, Where, Setup, Cleanup, Tests}, _) ->
    {instead, [{setup, Where, Setup, Cleanup, Test} || Test <- Tests]};
read({foreachx, Setup, Pairs}, State) when is_function(Setup) ->
    read({foreachx, spawn, Setup, fun ok/2, Pairs}, State);
read({foreachx, Setup, Cleanup, Pairs}, State) when is_function(Setup), is_function(Cleanup) ->
    read({foreachx, spawn, Setup, Cleanup, Pairs}, State);
read({foreachx, Where, Setup, Pairs}, State) when is_function(Setup) ->
    read({foreachx, Where, Setup, fun ok/2, Pairs}, State);
read({foreachx, Where, Setup, Cleanup, Pairs}, _) ->
    One = fun({X, Instantiate}) when is_function(Instantiate, 2) ->
        {setup, Where, fun() -> Setup(X) end, fun(Given) -> Cleanup(X, Given) end,
            fun(Given) -> Instantiate(X, Given) end}
    end,
    {instead, lists:map(One, Pairs)};
read({generator, Generator}, _) when is_function(Generator, 0) ->
    {instead, Generator()};
read({generator, Module, Function}, _) when is_atom(Module), is_atom(Function) ->
    {instead, Module:Function()};
read({inorder, Tests}, _) ->
    {group, here, inorder, Tests};
read({inparallel, Tests}, _) ->
    {group, here, {inparallel, 0}, Tests};
read({inparallel, Max, Tests}, _) when is_integer(Max), Max >= 0 ->
    {group, here, {inparallel, Max}, Tests};
read({timeout, Seconds, Tests}, _) when is_number(Seconds), Seconds >= 0 ->
    {group, here, same, Tests};
read({spawn, Tests}, _) ->
    {group, spawn, same, Tests};
read({spawn, Node, _}, State) when is_atom(Node) ->
    refuse("tests on another node, {spawn, Node, Tests}", State);
read({setup, Setup, Tests}, State) when is_function(Setup); is_list(Setup) ->
    read({setup, spawn, Setup, Tests}, State);
read({setup, Setup, Cleanup, Tests}, State) when is_function(Setup), is_function(Cleanup) ->
    read({setup, spawn, Setup, Cleanup, Tests}, State);
read({setup, Where, Setup, Tests}, State) when is_function(Setup) ->
    read({setup, Where, Setup, fun ok/1, Tests}, State);
read({setup, Where, Setups, Tests}, State) when is_list(Setups) ->
    Cleanup = fun(Given) -> clean_up(lists:reverse(Given), lists:reverse(Setups)) end,
    read({setup, Where, fun() -> set_up(Setups, Setups, []) end, Cleanup, Tests}, State);
read({setup, {spawn, _}, _, _, _}, State) ->
    refuse("tests on another node, {setup, {spawn, Node}, ...}", State);
read({setup, Where, Setup, Cleanup, Tests} = All, _) when
    is_function(Setup, 0), is_function(Cleanup, 1)
->
    case Tests of
        _ when is_function(Tests, 0) ->
            {setup, spawn, Setup, Cleanup, fun(_) -> Tests end};
        _ when Where =/= local, Where =/= spawn ->
            error({bad_test, All});
        _ when is_function(Tests, 1) ->
            {setup, Where, Setup, Cleanup, Tests};
        _ when is_function(Tests) ->
            error({bad_test, All});
        {with, Functions} ->
            {setup, Where, Setup, Cleanup, fun(Given) -> {with, Given, Functions} end};
        _ ->
            {setup, Where, Setup, Cleanup, fun(_) -> Tests end}
    end;
read({node, _, _}, State) ->
    refuse("tests on another node, {node, Node, Tests}", State);
read({node, _, _, _}, State) ->
    refuse("tests on another node, {node, Node, Arguments, Tests}", State);
read({module, Module}, _) when is_atom(Module) ->
    {instead, of_module(Module)};
read({application, _}, State) ->
    refuse("the tests of an application", State);
read({application, _, _}, State) ->
    refuse("the tests of an application", State);
read({file, _}, State) ->
    refuse("a file of tests", State);
read({dir, _}, State) ->
    refuse("a folder of tests", State);
read({with, X, Functions}, _) when is_list(Functions) ->
    {instead, [fun() -> Function(X) end || Function <- Functions]};
read({Title, Tests}, _) when is_list(Title); is_binary(Title) ->
    {titled, Title, Tests};
read(Tests, _) when
    tuple_size(Tests) > 2, is_list(element(1, Tests));
    tuple_size(Tests) > 2, is_binary(element(1, Tests))
->
    {titled, element(1, Tests), erlang:delete_element(1, Tests)};
read(Module, _) when is_atom(Module) ->
    {instead, of_module(Module)};
read({Line, Test}, State) when is_integer(Line), Line >= 0 ->
    {test, _, Simple} = read(Test, State),
    {test, Line, Simple};
read({{Module, Function, Arity}, Test}, State) when
    is_atom(Module), is_atom(Function), is_integer(Arity)
->
    {test, _, Simple} = read(Test, State),
    {test, unknown, Simple};
read(Test, _) when is_function(Test, 0) ->
    {test, unknown, Test};
read({test, Module, Function}, _) when is_atom(Module), is_atom(Function) ->
    {test, unknown, fun() -> Module:Function() end};
read({Module, Function}, _) when is_atom(Module), is_atom(Function) ->
    {test, unknown, fun() -> Module:Function() end};
read(Other, _) ->
    error({bad_test, Other}).

ok(_) -> ok.
ok(_, _) -> ok.

%% Runs a list of tagged setups in order, and their cleanups in reverse order.

set_up([], _, Given) ->
    lists:reverse(Given);
set_up([Setup | Rest], All, Given) ->
    try
        (element(2, Setup))()
    of
        One -> set_up(Rest, All, [One | Given])
    catch
        Class:Reason:Trace ->
            clean_up(Given, lists:nthtail(length(Rest) + 1, lists:reverse(All))),
            erlang:raise(Class, Reason, Trace)
    end.

%% In both lists the last setup comes first.
clean_up([One | Given], [{_, _, Cleanup} | Setups]) ->
    Cleanup(One),
    clean_up(Given, Setups);
clean_up([_ | Given], [_ | Setups]) ->
    clean_up(Given, Setups);
clean_up([], _) ->
    ok.

of_module(Module) ->
    Exports = Module:module_info(exports),
    Own = [Test || {Function, 0} <- Exports, Test <- of_function(Module, Function)],
    Tests = Own ++ of_test_module(atom_to_list(Module)),
    case lists:member({eunit_wrapper_, 1}, Exports) of
        true -> {generator, fun() -> Module:eunit_wrapper_(Tests) end};
        false -> Tests
    end.

of_function(Module, Function) ->
    Name = atom_to_list(Function),
    case {lists:suffix("_test", Name), lists:suffix("_test_", Name)} of
        {true, _} -> [{test, Module, Function}];
        {_, true} -> [{generator, Module, Function}];
        _ -> []
    end.

%% The tests of a module m include those of m_tests, if that module exists.
of_test_module(Name) ->
    Module = list_to_atom(Name ++ "_tests"),
    case lists:suffix("_tests", Name) orelse code:ensure_loaded(Module) of
        {module, _} -> of_module(Module);
        _ -> []
    end.

refuse(What, #state{origin = {Module, Function}}) ->
    ?MODULE:not_modelled(What, Module, Function).

%% Stops the exploration. The virtual machine implements this function.
not_modelled(_, _, _) ->
    erlang:nif_error(undef).
