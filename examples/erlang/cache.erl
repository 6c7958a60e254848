%% Get-or-create: two clients ask a store for a key and insert a value of their own if there is
%% none. Both should end up with the same value.
%%
%%     mazurka check cache.erl --entry cache:main/0 --daemon cache:store/1
%%     mazurka check cache.erl --entry cache:fixed/0 --daemon cache:store/1
%%
%% Both lookups may come before both inserts. Then each client keeps its own value, and main/0
%% crashes: that is so in 4 of 6 executions. If the store itself gets or creates, it cannot happen.
-module(cache).
-export([main/0, fixed/0, store/1]).

main() ->
    run(fun(Store, Mine) -> get_or_insert(Store, k, Mine) end).

fixed() ->
    run(fun(Store, Mine) -> call(Store, {get_or_insert, k, Mine}) end).

run(Get) ->
    Main = self(),
    Store = spawn(?MODULE, store, [#{}]),
    [spawn(fun() -> client(Main, Get, Store, Mine) end) || Mine <- [1, 2]],
    Value = receive {1, First} -> First end,
    receive {2, Second} -> Value = Second end.

client(Main, Get, Store, Mine) ->
    Main ! {Mine, Get(Store, Mine)}.

get_or_insert(Store, Key, Mine) ->
    case call(Store, {lookup, Key}) of
        {ok, Value} -> Value;
        none -> call(Store, {insert, Key, Mine}), Mine
    end.

call(Store, Request) ->
    Store ! {self(), Request},
    receive {Store, Answer} -> Answer end.

store(Values) ->
    receive
        {From, {lookup, Key}} ->
            case Values of
                #{Key := Value} -> From ! {self(), {ok, Value}};
                #{} -> From ! {self(), none}
            end,
            store(Values);
        {From, {insert, Key, Value}} ->
            From ! {self(), ok},
            store(Values#{Key => Value});
        {From, {get_or_insert, Key, Default}} ->
            Value = maps:get(Key, Values, Default),
            From ! {self(), Value},
            store(Values#{Key => Value})
    end.
