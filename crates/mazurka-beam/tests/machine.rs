//! The virtual machine, compared with the real one.

#[path = "machine/support.rs"]
mod support;
#[path = "machine/world.rs"]
mod world;

use support::{check, check_ends};

#[test]
fn library_functions() {
    check(
        "",
        &[
            "lists:sort([3, 1, 2, 5, 4, 9, 8, 7, 6, 1, 2, 3])",
            "lists:reverse([1, 2, 3])",
            "lists:seq(1, 10)",
            "lists:usort([b, a, c, a, 1, 2.0, 2, {x}, [y]])",
            "lists:foldl(fun(X, Sum) -> X + Sum end, 0, lists:seq(1, 1000))",
            "lists:foldr(fun(X, L) -> [X * X | L] end, [], lists:seq(1, 20))",
            "lists:map(fun erlang:integer_to_list/1, [1, 2, 3])",
            "lists:filter(fun(X) -> X rem 2 =:= 0 end, lists:seq(1, 20))",
            "lists:partition(fun(X) -> X > 3 end, [1, 5, 2, 6])",
            "lists:sort(fun(A, B) -> A > B end, [3, 1, 2])",
            "lists:keysort(2, [{a, 3}, {b, 1}, {c, 2}])",
            "lists:zip3([1, 2], [a, b], [\"x\", \"y\"])",
            "lists:flatten([1, [2, [3, [4]]], []])",
            "lists:sublist(lists:seq(1, 10), 3, 4)",
            "lists:mapfoldl(fun(X, A) -> {X * 2, A + X} end, 0, [1, 2, 3])",
            "lists:merge([1, 4, 7], [2, 5, 8])",
            "lists:concat([a, 1, \"b\", 2.5])",
            "lists:duplicate(3, x)",
            "lists:splitwith(fun erlang:is_atom/1, [a, b, 1, c])",
            "lists:sort(maps:fold(fun(K, V, A) -> [{K, V} | A] end, [], #{a => 1, b => 2}))",
            "maps:map(fun(_, V) -> V + 1 end, #{a => 1, b => 2})",
            "maps:filter(fun(_, V) -> V > 1 end, #{a => 1, b => 2})",
            "maps:to_list(#{3 => 1, 1 => 2, 2 => 3})",
            "maps:with([a, c], #{a => 1, b => 2, c => 3})",
            "maps:update_with(a, fun(X) -> X + 1 end, #{a => 1})",
            "orddict:to_list(orddict:store(a, 1, orddict:from_list([{b, 2}])))",
            "orddict:update_counter(a, 3, orddict:new())",
            "gb_trees:to_list(lists:foldl(fun(X, T) -> gb_trees:enter(X rem 37, X, T) end,
                gb_trees:empty(), lists:seq(1, 100)))",
            "gb_trees:smallest(gb_trees:from_orddict([{1, a}, {2, b}]))",
            "gb_sets:to_list(gb_sets:union(gb_sets:from_list([3, 1]), gb_sets:from_list([2, 1])))",
            "lists:sort(sets:to_list(sets:from_list([a, b, a])))",
            "lists:sort(sets:to_list(sets:from_list(lists:seq(1, 200))))",
            "lists:sort(dict:to_list(lists:foldl(fun(X, D) -> dict:append(X rem 7, X, D) end,
                dict:new(), lists:seq(1, 100))))",
            "dict:to_list(dict:from_list([{N, N * N} || N <- lists:seq(1, 40)]))",
            "queue:to_list(queue:in(3, queue:in(2, queue:in(1, queue:new()))))",
            "queue:out(queue:from_list([1, 2, 3]))",
            "array:to_list(array:set(3, x, array:new()))",
            "proplists:get_value(b, [a, {b, 3}])",
            "string:to_upper(\"abc\")",
            "string:tokens(\"a b  c\", \" \")",
            "string:join([\"a\", \"b\"], \", \")",
            "string:len(\"hello\")",
            "string:substr(\"hello\", 2, 3)",
            "ordsets:subtract([1, 2, 3], [2])",
            "string:uppercase(\"hello\")",
            "string:split(\"a,b,c\", \",\", all)",
            "string:trim(\"  hello  \")",
            "string:length(<<\"héllo\"/utf8>>)",
            "string:reverse(\"abc\")",
            "string:find(<<\"hello world\">>, <<\"wor\">>)",
            "string:pad(\"a\", 5, leading)",
            "string:lexemes(\"foo bar  baz\", \" \")",
            "string:titlecase(\"ß is a letter\")",
            "lists:flatten(io_lib:format(\"~p ~w ~s ~b ~.3f ~e~n\",
                [[{a, \"b\", 1.5}], \"abc\", \"xyz\", 42, 3.14159, 2.5]))",
            "lists:flatten(io_lib:format(\"~p\", [[{N, lists:seq(1, N)} || N <- lists:seq(1, 20)]]))",
            "lists:flatten(io_lib:format(\"~tp ~ts ~c ~10.5.0f ~16B ~-10s|\",
                [<<\"héllo\"/utf8>>, \"λ\", 65, 3.5, 255, \"ab\"]))",
            "io_lib:write(#{a => {b, [c, \"d\", <<1, 2>>]}})",
            "unicode:characters_to_binary([\"a\", 955, <<\"b\">>])",
            "base64:encode(<<\"hello\">>)",
            "binary:split(<<\"a,b,c\">>, <<\",\">>, [global])",
            "[X || <<X:4>> <= <<1, 2, 255>>]",
            "<< <<(X * 2)>> || <<X>> <= <<1, 2, 3>> >>",
            "calendar:day_of_the_week(2024, 2, 29)",
            "calendar:gregorian_days_to_date(739000)",
            "erl_scan:string(\"foo(X) -> X + 1.\")",
            "begin {ok, T, _} = erl_scan:string(\"{a, [1, 2.5, <<1>>]}.\"),
                erl_parse:parse_term(lists:sublist(T, 8)) end",
            "begin {ok, T, _} = erl_scan:string(\"lists:map(fun(X) -> X * 2 end, [1, 2, 3]).\"),
                {ok, E} = erl_parse:parse_exprs(T), erl_eval:exprs(E, []) end",
            "rand:uniform_s(100, rand:seed_s(exsss, {1, 2, 3}))",
            "element(1, rand:normal_s(rand:seed_s(exro928ss, 42)))",
            "sofs:to_external(sofs:union(sofs:set([a]), sofs:set([b])))",
        ],
    );
}

#[test]
fn instructions() {
    check(
        "-record(r, {a, b = 2, c}).
        fact(0) -> 1; fact(N) -> N * fact(N - 1).
        fib(N) when N < 2 -> N; fib(N) -> fib(N - 1) + fib(N - 2).
        size_of(X) -> case X of {} -> 0; {_} -> 1; {_, _} -> 2; {_, _, _} -> 3; _ -> many end.
        day(N) -> case N of 1 -> mon; 2 -> tue; 3 -> wed; 4 -> thu; 5 -> fri; 6 -> sat;
            7 -> sun; 8 -> a; 9 -> b; 10 -> c; 11 -> d; _ -> none end.
        swap({A, B}) -> {B, A}.
        half(X) when is_float(X) -> X / 2.0 + 1.0; half(X) -> X / 2.
        neg(X) when is_float(X) -> -(X * 3.0).
        kind(X) when is_integer(X) -> integer; kind(X) when is_float(X) -> float;
            kind(X) when is_boolean(X) -> boolean; kind(X) when is_atom(X) -> atom;
            kind(X) when is_pid(X) -> pid; kind(X) when is_reference(X) -> reference;
            kind(X) when is_binary(X) -> binary; kind(X) when is_bitstring(X) -> bits;
            kind([]) -> nil; kind(X) when is_list(X) -> list; kind(X) when is_tuple(X) -> tuple;
            kind(X) when is_map(X) -> map; kind(X) when is_function(X, 2) -> fun2;
            kind(X) when is_function(X) -> function; kind(X) when is_port(X) -> port.
        closure(A, B) -> fun(C) -> fun(D) -> {A, B, C, D} end end.
        keys(#{a := A, b := B}) -> {A, B}; keys(#{a := A}) -> A; keys(M) when is_map(M) -> none.
        mutual(0) -> done; mutual(N) -> other(N - 1).
        other(N) -> mutual(N).",
        &[
            "fact(50)",
            "fib(20)",
            "[size_of(X) || X <- [{}, {a}, {a, b}, {a, b, c}, {1, 2, 3, 4}, []]]",
            "[day(N) || N <- lists:seq(0, 12) ++ [1.0, a, {}]]",
            "swap({1, 2})",
            "[half(X) || X <- [3, 4.0, 1 bsl 100]]",
            "neg(2.5)",
            "[kind(X) || X <- [1, 1 bsl 100, 1.5, true, a, self(), make_ref(), <<1>>, <<1:3>>, [],
                [a], {}, #{}, fun(_, _) -> ok end, fun() -> ok end]]",
            "((closure(1, 2))(3))(4)",
            "[keys(M) || M <- [#{a => 1, b => 2}, #{a => 1}, #{b => 1}]]",
            "mutual(100000)",
            "R = #r{a = id(1)}, {R#r.b, R#r{c = 5}, R#r{a = 2, b = 3, c = 4}}",
            "M = id(#{a => 1}), {M#{b => 2}, M#{a := 3}, #{M => M}}",
            "[{X, Y} || X <- [1, 2, 3], Y <- [a, b], X > 1]",
            "[X || {ok, X} <- [{ok, 1}, error, {ok, 2}]]",
            "{1 =:= id(1.0), 1 == id(1.0), a < id(b), id(2) >= 2, id([1]) =/= [2], id(a) /= a}",
            "{id(7) div 2, id(-7) rem 3, id(7) band 3, 1 bsl id(70), bnot id(5)}",
            "apply(lists, id(reverse), [[1, 2]])",
            "M = id(lists), F = id(reverse), M:F([1, 2, 3])",
            "(id(fun lists:reverse/1))([1, 2])",
            "F = fun G(0) -> []; G(N) -> [N | G(N - 1)] end, F(5)",
            "erlang:apply(fun(A, B) -> A - B end, [5, 3])",
            "{put(a, 1), put(a, 2), get(a), erase(a), get(a), put(z, 1), get()}",
            "is_function(fun id/1, 1)",
            "lists:map(fun(X) -> try X() catch throw:Y -> Y end end,
                [fun() -> throw(a) end, fun() -> b end])",
            "erlang:fun_info(fun lists:map/2, arity)",
            "{erlang:function_exported(lists, map, 2), erlang:function_exported(lists, map, 7)}",
            "begin X = id(1), if X > 2 -> a; true -> b end end",
            "begin A = id({1, {2, 3}}), {X, {Y, Z}} = A, X + Y + Z end",
            "element(2, setelement(2, id({a, b}), c))",
            "node()",
            "{persistent_term:get(k, none), persistent_term:put(k, 1), persistent_term:get(k),
                persistent_term:erase(k), persistent_term:erase(k)}",
            "min(id(1), 2) + max(id(3), 4)",
            "process_flag(trap_exit, true)",
            "{process_flag(trap_exit, true), process_flag(trap_exit, false)}",
            "is_list(module_info(exports))",
            "atom_to_list(element(1, hd(lists:keysort(1, module_info(exports)))))",
        ],
    );
}

#[test]
fn exceptions() {
    check(
        "f(X) when is_integer(X) -> X.
        g() -> 1 + f(a).
        bad(X) -> X = {ok, element(2, X)}, ok.
        cs(X) -> case X of a -> 1; b -> 2 end.
        ap(F, A) -> R = apply(F, A), {ok, R}.
        deep(0) -> error(deep); deep(N) -> 1 + deep(N - 1).
        deeper(0) -> id(hd([])); deeper(N) -> [N | deeper(N - 1)].
        nested(X) -> try try error(X) catch throw:_ -> wrong end catch error:Y -> {caught, Y} end.
        after_it(X) -> try id(X) + 1 after put(cleaned, true) end.
        again(X) -> try id(X) + 1 catch C:R:S -> erlang:raise(C, R, S) end.
        again2(X) -> try id(X) + 1 catch C:R:S -> put(s, S), erlang:raise(C, R, S) end.
        of_it(X) -> try id(X) of 4 -> ok after ok end.
        catching(F) -> catch F(), caught.
        floats(X, Y) when is_float(Y) -> X * Y + 3.0.
        -record(r, {a}).",
        &[
            "f(a)",
            "g()",
            "hd(id([]))",
            "bad({ok, 2})",
            "bad({error, 1})",
            "cs(x)",
            "lists:nth(3, [1])",
            "nosuch:f(1)",
            "begin nosuch:f(1), ok end",
            "cases:nosuch(1, 2)",
            "begin X = id(cases), X:nosuch(), ok end",
            "(fun(X) -> X end)(1, 2)",
            "(id(3))(1)",
            "error(foo)",
            "error(foo, [a, b])",
            "error(foo, none)",
            "error(foo, [1], [{error_info, #{cause => a}}])",
            "exit(bar)",
            "throw(x)",
            "apply(erlang, hd, [[]])",
            "apply(erlang, id(hd), [[]])",
            "lists:map(fun(X) -> X + a end, [1])",
            "lists:foldl(fun(A, _) -> A end, 0, x)",
            "atom_to_list(id(3))",
            "erlang:raise(error, foo, [])",
            "erlang:raise(error, foo, [{a, b, 1, []}])",
            "erlang:raise(foo, 1, 2)",
            "ap(fun erlang:atom_to_list/1, [1])",
            "ap(fun lists:nosuch/1, [1])",
            "ap(fun lists:map/2, [1, 2])",
            "id(foo) ! 2",
            "id(1) ! 2",
            "{foo, node()} ! 2",
            "erlang:send(id(foo), 2)",
            "begin M = id(#{}), M#{a := 1} end",
            "begin M = id(x), M#{a => 1} end",
            "map_get(a, id(#{}))",
            "maps:get(a, id(#{}))",
            "maps:find(a, id(x))",
            "deep(20)",
            "deeper(20)",
            "nested(foo)",
            "{catch after_it(a), get(cleaned)}",
            "after_it(a)",
            "again(a)",
            "again2(a)",
            "of_it(3)",
            "1 bsl id(a)",
            "1 / id(0)",
            "id(a) / 2",
            "- id(a)",
            "id(a) + 1",
            "1 + id(a)",
            "id(a) - 1",
            "1 - id(a)",
            "id(a) + id(b)",
            "id(a) * 2",
            "id(1) div id(0)",
            "id(1.0e308) * 10",
            "id(1.0e308) * 10.0",
            "floats(a, 1.0)",
            "floats(1.0e308, 1.0e10)",
            "floats(1 bsl 2000, 1.0)",
            "begin X = id(1), if X =:= 2 -> ok end end",
            "receive after id(foo) -> 1 end",
            "receive x -> ok after id(-1) -> 1 end",
            "not id(3)",
            "id(3) and true",
            "id(3) andalso true",
            "apply(id(3), foo, [1])",
            "apply(a, b, id([1 | 2]))",
            "apply(fun id/1, id(x))",
            "apply(id(foo), [1])",
            "(id(a)):foo(1)",
            "begin apply(erlang, id(hd), [[]]), ok end",
            "begin (id(fun erlang:hd/1))([]), ok end",
            "(id(fun erlang:hd/1))([])",
            "begin (id(fun lists:nosuch/1))([]), ok end",
            "(id(fun lists:nosuch/1))([])",
            "begin apply(id(foo), [1]), ok end",
            "begin apply(fun id/1, [1, 2]), ok end",
            "begin apply(fun id/1, id(x)), ok end",
            "begin apply(id(3), foo, [1]), ok end",
            "begin (id(3)):foo(1), ok end",
            "begin apply(id(foo), id([1])), ok end",
            "begin apply(fun id/1, id([1, 2])), ok end",
            "apply(id(foo), id([1]))",
            "begin (id(3))(1), ok end",
            "begin (fun(X) -> X end)(1, 2), ok end",
            "begin F = id(fun(X) -> hd(X) end), F([]), ok end",
            "begin F = id(fun(X) -> hd(X) end), F([]) end",
            "(id(3)):foo(1)",
            "(catch hd(id([])))",
            "(catch error(foo))",
            "(catch exit(foo))",
            "(catch throw(foo))",
            "(catch 1)",
            "catching(fun() -> exit(foo) end)",
            "catching(fun() -> throw(foo) end)",
            "float(id(a))",
            "math:sqrt(id(-1))",
            "lists:keyfind(a, id(0), [])",
            "lists:member(a, id(1))",
            "lists:reverse(id(1), 2)",
            "element(3, id({}))",
            "setelement(3, id({}), 1)",
            "length(id(a))",
            "id(a) ++ [b]",
            "tuple_size(id(a))",
            "is_map_key(a, id(b))",
            "node(id(a))",
            "persistent_term:get(nosuch)",
            "(id(a))#r.a",
            "(id(a))#r{a = 1}",
            "spawn(a, b, id(c))",
            "spawn(id(1), b, [])",
            "spawn(id(3))",
            "erlang:hibernate(id(1), 2, 3)",
            "erlang:system_info(id(foo))",
            "process_info(self(), current_stacktrace)",
            "erlang:raise(error, x, [{a, b, 1}, {a, b, [x]}, {fun lists:map/2, [1]}, {a, b, 1, [{line, 3}]}])",
            "erlang:raise(throw, x, lists:duplicate(10, {a, b, 1}))",
            "element(2, process_info(self(), id(current_stacktrace)))",
            "(fun() -> {process_info(self(), current_function)} end)()",
            "[process_info(self(), current_location)]",
            "lists:map(fun(X) -> process_info(self(), X) end, [current_stacktrace, trap_exit])",
            "try process_info(self(), id(1)) catch C:R -> {C, R} end",
            "process_info(self(), [trap_exit, priority])",
            "erlang:unique_integer(id([foo]))",
            "erlang:monotonic_time(id(foo))",
            "erlang:fun_info(id(1), arity)",
            "erlang:make_fun(id(1), b, 2)",
            "erlang:get_module_info(id(nosuch))",
            "is_function(id(a), id(-1))",
            "erlang:bump_reductions(id(a))",
            "[try X() catch C:R -> {C, R} end || X <- [fun() -> throw(a) end, fun() -> exit(b) end,
                fun() -> error(c) end, fun() -> d end]]",
            "try (fun() -> throw(a) end)() catch error:_ -> no end",
            "try throw(a) catch throw:X when X =:= b -> no end",
            "begin try exit(a) catch exit:a -> put(k, v) end, error(get(k)) end",
            "lists:foreach(fun(X) -> (catch error(X)) end, [1, 2])",
        ],
    );
}

#[test]
fn processes() {
    check(
        "pong() -> receive {ping, From} -> From ! {pong, self()}, pong(); stop -> ok end.
        ping(P) -> P ! {ping, self()}, receive {pong, P} -> pong end.
        count(N) -> receive {add, X} -> count(N + X); {get, From} -> From ! {count, N}, count(N) end.
        sel(A) -> receive {add, X, Y} when is_integer(X), Y > A -> {sum, X + Y + A};
            stop -> stopped; [H | _] when element(1, H) =:= A; map_get(k, H) =:= A -> H
            after 100 -> timed_out end.
        all() -> receive X -> [X | all()] after 0 -> [] end.
        ring(0, P) -> P; ring(N, P) -> ring(N - 1, spawn(fun() -> relay(P) end)).
        relay(P) -> receive X -> P ! [self() | X], relay(P) end.
        me() -> receive {for, X} when X =:= self() -> mine after 10 -> not_mine end.",
        &[
            "ping(spawn(fun pong/0))",
            "begin P = spawn(cases, pong, []), [ping(P), ping(P)] end",
            "begin C = spawn(fun() -> count(0) end), [C ! {add, N} || N <- [1, 2, 3]],
                C ! {get, self()}, receive {count, N} -> N end end",
            "begin self() ! b, self() ! a, receive a -> first end, all() end",
            "begin [self() ! X || X <- [1, {add, 1, 2}, x, {add, 1, 9}]], {sel(5), all()} end",
            "begin self() ! [{5}], sel(5) end",
            "begin self() ! [#{k => 5}], sel(5) end",
            "begin self() ! [a], sel(5) end",
            "begin self() ! {add, 1, 2}, {sel(5), all()} end",
            "all()",
            "receive after 10 -> ok end",
            "receive x -> x after 0 -> none end",
            "begin T = id(5), receive x -> x after T -> none end end",
            "begin self() ! x, receive x -> x after id(-1) -> none end end",
            "begin self() ! x, receive after 0 -> all() end end",
            "begin P = ring(10, self()), P ! [], receive L -> length(L) end end",
            "begin self() ! {for, self()}, me() end",
            "begin self() ! {for, spawn(fun() -> ok end)}, me() end",
            "begin R = make_ref(), self() ! {x, make_ref()}, self() ! {y, R},
                receive {K, R} -> K end end",
            "begin S = self(), spawn(fun() -> S ! {value, catch hd([])} end),
                receive {value, {'EXIT', {badarg, _}}} -> ok end end",
            "try receive {a, X} -> X after 0 -> throw(none) end catch none -> caught end",
            "begin S = self(), P = spawn(fun() -> receive {go, F} -> S ! F(2) end end),
                P ! {go, fun(X) -> X * 21 end}, receive N -> N end end",
            "begin S = self(), spawn(fun() -> S ! self() end), receive P -> is_pid(P) end end",
            "self() ! x",
            "erlang:send(self(), x, [noconnect])",
            "[spawn(fun() -> S ! N end) || S <- [self()], N <- [1, 2]] =/= all()",
        ],
    );
}

#[test]
fn process_info() {
    check(
        "info(Item) -> {value(process_info(self(), Item))}.
        value({garbage_collection, L}) -> lists:keydelete(minor_gcs, 1, L);
            value(X) -> X.
        caught(Items) -> try process_info(self(), Items) catch C:R -> {C, R} end.
        in_child(F) -> S = self(), P = spawn(fun() -> S ! {self(), F()} end),
            receive {P, X} -> X end.
        deep(0, F) -> F(); deep(N, F) -> try deep(N - 1, F) catch no -> no end.
        waiting() -> receive stop -> ok end.
        linked(P) -> {links, L} = process_info(self(), links), lists:member(P, L).
        located() -> {process_info(self(), [current_function, current_location])}.
        usual() -> X = process_info(self()), {X, ok}.",
        &[
            "[info(I) || I <- [dictionary, trap_exit, status, priority, error_handler, monitors,
                initial_call, min_heap_size, min_bin_vheap_size, fullsweep_after, max_heap_size,
                message_queue_data, garbage_collection, catchlevel, suspending,
                sequential_trace_token, last_calls, messages, message_queue_len, links,
                registered_name, trace]]",
            "[caught(X) || X <- [label, async_dist, {dictionary, a}, foo, [links, foo], [links | x],
                [{a}], 1, []]]",
            "begin process_flag(priority, high), process_flag(min_heap_size, 987),
                process_flag(fullsweep_after, 7), process_flag(message_queue_data, off_heap),
                process_flag(error_handler, lists),
                X = {[info(I) || I <- [priority, min_heap_size, fullsweep_after,
                    message_queue_data, error_handler, garbage_collection]],
                    process_flag(max_heap_size, 0)},
                process_flag(error_handler, error_handler), X end",
            "begin put(a, 1), info([dictionary, trap_exit]) end",
            "[deep(N, fun() -> process_info(self(), catchlevel) end) || N <- [0, 1, 3]]",
            "located()",
            "{process_info(self(), [current_stacktrace])}",
            "begin [T] = process_info(self(), [current_stacktrace]), T end",
            "lists:map(fun(X) -> process_info(self(), X) end, [[current_location], [trap_exit]])",
            "begin self() ! a, self() ! b, {process_info(self(), [messages, message_queue_len]),
                process_info(self(), message_queue_len), receive X -> X end,
                process_info(self(), messages)} end",
            "begin {X, _} = usual(), [K || {K, _} <- X] end",
            "begin put(k, v), self() ! m, {X, _} = usual(),
                [{K, proplists:get_value(K, X)} || K <- [current_function, initial_call, status,
                    message_queue_len, dictionary, links, trap_exit, error_handler, priority,
                    suspending]] end",
            "process_info(self(), [registered_name, links, registered_name])",
            "begin S = self(), in_child(fun() -> {parent, P} = process_info(self(), parent),
                P =:= S end) end",
            "begin P = spawn_link(fun waiting/0), Q = spawn(fun waiting/0),
                X = {linked(P), linked(Q), link(Q), linked(P), linked(Q), unlink(P), linked(P),
                    linked(Q), unlink(Q), linked(Q), process_info(self(), links)},
                P ! stop, Q ! stop, X end",
            "begin S = self(), P = spawn(fun() -> link(S), S ! linked, waiting() end),
                receive linked -> ok end, X = {linked(P), unlink(P), linked(P)}, P ! stop, X end",
            "process_info(id(1))",
            "process_info(id(1), links)",
        ],
    );
}

/// The machine reports the release of the installation.
#[test]
fn release() {
    let library = mazurka_beam::code::Library::new([]);
    assert_eq!(library.release(), 25);
    assert_eq!(library.with_release(27).release(), 27);
    check(
        "",
        &[
            "erlang:system_info(otp_release)",
            "erlang:system_info(compat_rel)",
        ],
    );
}

#[test]
fn ends_of_processes() {
    check_ends(
        "f(X) -> X + 1.
        g() -> error(foo).
        h(F) -> F(), ok.
        sleeper() -> receive after 10 -> exit(slept) end.
        hib() -> put(a, 1), Me = self(), spawn(fun() -> Me ! hello end),
            catch erlang:hibernate(?MODULE, woken, [x]), ok.
        woken(X) -> receive M -> exit({woken, X, get(a), M}) after 0 -> exit(too_early) end.
        full() -> self() ! a, self() ! b, self() ! c, erlang:hibernate(?MODULE, drain, []).
        drain() -> receive b -> erlang:hibernate(?MODULE, drained, []) end.
        drained() -> exit([receive X -> X after 0 -> none end || _ <- [1, 2, 3]]).",
        &[
            "{cases, f, [a]}",
            "{cases, f, [1]}",
            "{cases, f, [1, 2]}",
            "{cases, g, []}",
            "{cases, h, [fun() -> f(a), ok end]}",
            "{cases, h, [fun() -> nosuch:f(1), ok end]}",
            "{cases, h, [x]}",
            "{cases, h, [fun id/1]}",
            "{erlang, apply, [fun() -> g() end, []]}",
            "{erlang, apply, [fun() -> f(a), ok end, []]}",
            "{erlang, apply, [fun(X) -> X end, []]}",
            "{erlang, apply, [x, []]}",
            "{erlang, apply, [fun g/0, a]}",
            "{erlang, apply, [cases, h, [fun() -> f(a), ok end]]}",
            "{erlang, hd, [[]]}",
            "{erlang, error, [a]}",
            "{erlang, exit, [a]}",
            "{erlang, exit, [normal]}",
            "{erlang, throw, [a]}",
            "{erlang, self, []}",
            "{nosuch, f, [1]}",
            "{cases, nosuch, [1]}",
            "{erlang, apply, [fun() -> throw(a), ok end, []]}",
            "{erlang, apply, [fun() -> exit({shutdown, a}), ok end, []]}",
            "{cases, sleeper, []}",
            "{cases, hib, []}",
            "{cases, full, []}",
            "{lists, map, [a, b]}",
            "{erlang, send, [nosuch, a]}",
        ],
    );
}
