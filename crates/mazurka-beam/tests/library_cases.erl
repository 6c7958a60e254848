%% Code that both virtual machines run when their libraries are compared: funs to pass to library
%% functions, and functions that call library functions in a context or only consist of instructions.
-module(library_cases).
-export([functions/1]).
-export([arithmetic/2, integer_arithmetic/2, shift/2, power/2, factorial/1, gcd/2, digits/2, mean/1,
         float_arithmetic/2]).
-export([operators/2, sorted/1, kind/1, matched/2, guarded/2, selected/1]).
-export([fields/1, little_fields/1, floats/1, utf/1, cut/2, built/3, built_of_units/2, comprehended/1,
         sizes/1, utf_built/1, float_built/2, appended/2]).
-export([parsed_term/1, parsed_exprs/1, parsed_form/1, evaluated/1, printed_form/1, described_error/1]).
-export([uniform/2, uniform_below/3, normal/2, real/2, bytes/2, jumped/2, resumed/2]).
-export([dict_walk/1, set_walk/2, tree_walk/1, array_walk/1, queue_walk/1, iterated/1, map_walk/1]).
-export([flat_format/2, caught/3, dictionary/2, closures/2, pattern_reused/2]).

%% Funs that take the same kinds of arguments.
functions(pred) ->
    [fun(X) -> X > 2 end, fun is_integer/1, fun(X) -> erlang:phash2(X, 2) =:= 0 end, fun erlang:is_atom/1,
     fun(X) when is_atom(X); is_list(X) -> true; (_) -> false end, fun(_) -> true end, fun(X) -> X =/= a end];
functions(compared) ->
    [fun(X) -> X end, fun(X) -> {X} end, fun lists:map/2, fun lists:map/3];
functions(map) ->
    [fun(X) -> {X} end, fun(X) when is_number(X) -> X * 2; (X) -> [X] end, fun erlang:phash2/1,
     fun(X) -> X end, fun(X) -> X + 1 end, fun(_) -> ok end];
functions(to_list) ->
    [fun(X) -> [X, X] end, fun(X) when is_list(X) -> X; (_) -> [] end, fun(X) when X < b -> []; (X) -> [{X}] end];
functions(filtermap) ->
    [fun(X) when is_number(X) -> {true, X + 1}; (X) -> is_atom(X) end, fun(X) -> X > 1 end];
functions(queue_filter) ->
    [fun(X) -> X > 2 end, fun(X) -> [X, {X}] end, fun(_) -> [] end];
functions(fold) ->
    [fun(X, A) -> [X | A] end, fun(X, A) -> {X, A} end, fun(X, A) -> erlang:phash2({X, A}) end];
functions(mapfold) ->
    [fun(X, A) -> {{X}, [X | A]} end, fun(X, A) -> {A, X} end];
functions(flat_mapfold) ->
    [fun(X, A) -> {[X, A], X} end, fun(X, A) when X > 3 -> {halt, A}; (X, A) -> {[X], A} end];
functions(less) ->
    [fun(A, B) -> A =< B end, fun(A, B) -> A >= B end, fun(A, B) -> A < B end, fun(_, _) -> true end,
     fun(A, B) -> erlang:phash2(A, 8) =< erlang:phash2(B, 8) end];
functions(combine) ->
    [fun(A, B) -> {A, B} end, fun(A, B) when is_number(A), is_number(B) -> A + B; (A, _) -> A end];
functions(combine3) ->
    [fun(A, B, C) -> {A, B, C} end, fun(K, A, B) -> [K, A | B] end];
functions(key_pred) ->
    [fun(K, V) -> K < V end, fun(K, _) -> is_atom(K) end, fun(_, V) -> V =/= 1 end];
functions(key_map) ->
    [fun(K, V) -> {K, V} end, fun(_, V) when is_integer(V) -> V + 1; (K, _) -> K end];
functions(key_filtermap) ->
    [fun(K, V) when is_number(V) -> {true, {K, V}}; (K, _) -> is_atom(K) end];
functions(key_fold) ->
    [fun(K, V, A) -> [{K, V} | A] end, fun(K, V, A) -> {K, V, A} end];
functions(unordered_key_fold) ->
    [fun(K, V, A) -> [{K, V} | A] end];
functions(key_mapfold) ->
    [fun(K, V, A) -> {{K, V}, [K | A]} end, fun(_, V, A) -> {A, V} end];
functions(supply) ->
    [fun(N) when N < 20 -> {N * N, N + 1}; (_) -> done end];
functions(index_map) ->
    [fun(I, V) -> {I, V} end, fun(I, V) when is_number(V) -> I + V; (_, V) -> V end];
functions(uri) ->
    [fun(C) -> C >= $a andalso C =< $z end];
functions(anno_map) ->
    [fun(A) -> erl_anno:set_line(7, A) end];
functions(anno_fold) ->
    [fun(A, L) -> [erl_anno:line(A) | L] end];
functions(anno_mapfold) ->
    [fun(A, N) -> {erl_anno:set_line(N, A), N + 1} end];
functions(reserved) ->
    [fun(W) -> W =:= 'maybe' orelse W =:= foo end].

%% Arithmetic.

arithmetic(A, B) ->
    [A + B, A - B, A * B, -A, +B, abs(A), attempt(fun() -> A / B end), attempt(fun() -> round(A) end),
     attempt(fun() -> trunc(A / 7) end), attempt(fun() -> float(A) * 1.5 end), min(A, B), max(A, B)].

integer_arithmetic(A, B) ->
    [attempt(fun() -> A div B end), attempt(fun() -> A rem B end), A band B, A bor B, A bxor B, bnot A,
     (A * B) div 1000003, A * A * A - B * B, A + 1, A - 1, B * 16#ffffffffffffffff, A band 16#ffffffff,
     (A bsl 7) bsr 3].

%% The sign of a negated zero depends on the processor in some releases.
float_arithmetic(A, B) when is_float(A), is_float(B) ->
    C = A * 2.0 + B / 3.0 - 1.5,
    [C, -C + 0.0, C * C, floor(C), ceil(C), trunc(C), round(C), C == trunc(C)].

shift(A, N) -> [A bsl N, A bsr N, (A bsl N) bsr N, A bsr 1, A bsl 1].

power(_, 0) -> 1;
power(A, N) when N rem 2 =:= 0 -> power(A * A, N div 2);
power(A, N) when N > 0 -> A * power(A, N - 1).

factorial(0) -> 1;
factorial(N) when N > 0 -> N * factorial(N - 1).

gcd(A, 0) -> abs(A);
gcd(A, B) -> gcd(B, A rem B).

digits(0, _) -> [];
digits(N, Base) when N > 0, Base > 1 -> [N rem Base | digits(N div Base, Base)].

mean(List) -> lists:sum(List) / length(List).

attempt(Fun) ->
    try Fun() catch Class:Reason -> {Class, Reason} end.

%% Order and patterns.

operators(A, B) ->
    [A == B, A /= B, A =:= B, A =/= B, A < B, A > B, A =< B, A >= B, min(A, B), max(A, B), {A, B} < {B, A},
     [A] =< [B], #{A => 1} =:= #{B => 1}, #{A => 1} < #{B => 1}, #{k => A} == #{k => B}].

sorted(List) ->
    [lists:sort(List), lists:usort(List), lists:sort(fun(A, B) -> A >= B end, List),
     lists:keysort(1, [{X} || X <- List]), lists:foldl(fun erlang:max/2, [], List), ordsets:from_list(List),
     lists:sort([[X] || X <- List]), lists:sort([#{x => X} || X <- List])].

kind(X) when is_boolean(X) -> boolean;
kind(X) when is_atom(X) -> {atom, X};
kind(X) when is_integer(X), X < 0 -> negative;
kind(X) when is_integer(X) -> {integer, X};
kind(X) when is_float(X) -> {float, X};
kind(X) when is_binary(X) -> {binary, byte_size(X)};
kind(X) when is_bitstring(X) -> {bits, bit_size(X)};
kind([]) -> nil;
kind([X | _]) -> {list, kind(X)};
kind({}) -> empty;
kind({X}) -> {one, kind(X)};
kind(X) when is_tuple(X), element(1, X) =:= a -> tagged;
kind(X) when tuple_size(X) > 2 -> {tuple, tuple_size(X)};
kind(#{a := X}) -> {with_a, kind(X)};
kind(X) when map_size(X) > 2 -> {map, map_size(X)};
kind(X) when is_function(X, 1) -> function1;
kind(_) -> other.

matched(X, Y) ->
    case {X, Y} of
        {Same, Same} -> same;
        {[H | _], [H | _]} -> {same_head, H};
        {{A, B}, {B, A}} -> swapped;
        {#{a := A}, #{b := A}} -> {shared, A};
        {[_, _ | T], _} when length(T) > 1 -> {long, T};
        {N, M} when is_number(N), is_number(M), N == M -> equal;
        {<<A, _/bits>>, <<A, _/bits>>} -> {same_byte, A};
        {_, #{X := V}} -> {value, V};
        {#{Y := V}, _} -> {value_of, V};
        {A, A1} when A > A1 -> greater;
        _ -> none
    end.

guarded(X, Y) ->
    if
        X + Y > 10 -> {sum, X + Y};
        hd(X) =:= Y -> head;
        element(2, X) =:= Y -> second;
        map_get(Y, X) =:= 1; is_map_key(X, Y) -> key;
        byte_size(X) > 2 andalso Y =/= 1 -> long;
        abs(X) < Y orelse length(Y) =:= 2 -> two;
        not X -> negated;
        X xor Y -> different;
        (X rem 2) band 1 =:= Y -> odd;
        round(X) =:= Y -> rounded;
        binary_part(X, 0, 1) =:= Y -> part;
        true -> none
    end.

selected(X) ->
    case X of
        0 -> zero; 1 -> one; 2 -> two; 3 -> three; -1 -> minus; 16#fffffffffffffffff -> big;
        1.0 -> float_one; 2.5 -> float; a -> atom_a; b -> atom_b; ok -> ok_atom; true -> yes; false -> no;
        "ab" -> text; <<"ab">> -> bytes; {1} -> tuple; {} -> empty; [] -> nil; #{} -> map; _ -> other
    end.

%% Bit syntax.

fields(<<A:3, B:5/signed, C:12, D:1/bits, E:16/signed, Rest/bits>>) -> {A, B, C, D, E, Rest};
fields(<<A:7/unsigned, B/bits>>) -> {A, B};
fields(<<A/bits>>) -> {bit_size(A), A}.

little_fields(<<A:16/little, B:13/little-signed, C:3, D:9/little, E/bits>>) -> {A, B, C, D, E};
little_fields(<<A:24/little-signed, E/bits>>) -> {A, E};
little_fields(<<A/signed, B/binary>>) -> {A, B};
little_fields(Other) -> {other, Other}.

floats(<<A:64/float, B:32/float-little, C:16/float, Rest/bits>>) -> {A, B, C, Rest};
floats(<<A:32/float, Rest/bits>>) -> {A, Rest};
floats(<<A:16/float, _/bits>>) -> A;
floats(Other) -> {none, Other}.

utf(<<C/utf8, Rest/bits>>) when C > 127 -> [{utf8, C} | utf(Rest)];
utf(<<C/utf16, Rest/bits>>) when C < 32; C > 255 -> [{utf16, C} | utf(Rest)];
utf(<<C/utf16-little, Rest/bits>>) when C < 256 -> [{little, C} | utf(Rest)];
utf(<<C/utf32, Rest/bits>>) -> [{utf32, C} | utf(Rest)];
utf(<<C:8, Rest/bits>>) -> [C | utf(Rest)];
utf(Rest) -> [Rest].

cut(Bits, N) ->
    Parts = [fun() -> <<A:N, B/bits>> = Bits, {A, B} end, fun() -> <<A:N/binary, B/bits>> = Bits, {A, B} end,
             fun() -> <<A:N/binary-unit:3, B/bits>> = Bits, {A, B} end, fun() -> <<_:3, A:N/bits, _/bits>> = Bits, A end,
             fun() -> <<A:N/signed-little, _/bits>> = Bits, A end, fun() -> <<_:N/unit:4, A/binary>> = Bits, A end],
    [attempt(Part) || Part <- Parts].

built(A, B, N) ->
    Parts = [fun() -> <<A:N, B:3>> end, fun() -> <<B:5, A:N/little>> end, fun() -> <<A:N/unit:8, B:N/unit:3>> end,
             fun() -> <<1:1, A:N/signed-little, B:16/native>> end, fun() -> <<A:0, B, 3:2>> end],
    [attempt(Part) || Part <- Parts].

built_of_units(Bits, N) ->
    Parts = [fun() -> <<Bits/bits, N>> end, fun() -> <<N:3, Bits/bits>> end, fun() -> <<Bits/binary, Bits/binary>> end,
             fun() -> <<Bits:N/bits>> end, fun() -> <<Bits:N/binary>> end, fun() -> <<Bits:1/binary-unit:7, Bits/bits>> end],
    [attempt(Part) || Part <- Parts].

comprehended(Bits) ->
    {[X || <<X:5>> <= Bits], << <<X:3>> || <<X:4>> <= Bits, X > 2 >>, << <<X/binary, 0>> || <<X:2/binary>> <= Bits >>,
     [{A, B} || <<A:4, B:4>> <= Bits, A =< B], << <<(X + 1)>> || X <- binary_to_list(<<1, 2, 255>>) >>,
     << <<X:1, Y:2>> || <<X:1>> <= Bits, Y <- [1, 2] >>}.

sizes(<<N:4, A:N/binary, M, B:(M band 7)/bits, Rest/bits>>) -> {N, A, M, B, Rest};
sizes(<<N:2, A:N/unit:5, Rest/bits>>) -> {N, A, Rest};
sizes(Rest) -> Rest.

utf_built(C) ->
    Parts = [fun() -> <<C/utf8>> end, fun() -> <<C/utf16>> end, fun() -> <<1:3, C/utf16-little>> end, fun() -> <<C/utf32>> end,
             fun() -> <<$a, C/utf32-little, $b>> end],
    [attempt(Part) || Part <- Parts].

float_built(A, N) ->
    Parts = [fun() -> <<A:64/float>> end, fun() -> <<1:1, A:32/float-little>> end, fun() -> <<A:16/float>> end, fun() -> <<A:N/float>> end],
    [attempt(Part) || Part <- Parts].

appended(Bits, List) ->
    lists:foldl(fun(X, Whole) -> <<Whole/bits, X:(X rem 11), Bits/bits>> end, <<>>, List).

%% Parsing and evaluating.

parsed_term(Text) -> erl_parse:parse_term(tokens(Text)).
parsed_exprs(Text) -> erl_parse:parse_exprs(tokens(Text)).
parsed_form(Text) -> erl_parse:parse_form(tokens(Text)).

tokens(Text) ->
    case erl_scan:string(Text ++ ".", {1, 1}) of
        {ok, Tokens, _} -> Tokens;
        Error -> throw(Error)
    end.

evaluated(Text) ->
    case parsed_exprs(Text) of
        {ok, Exprs} ->
            {value, Value, Bindings} = erl_eval:exprs(Exprs, [{'A', 1}, {'B', [2, 3]}]),
            {Value, Bindings};
        Error -> Error
    end.

printed_form(Text) ->
    case parsed_form(Text) of
        {ok, Form} -> lists:flatten(erl_pp:form(Form));
        {error, _} ->
            case parsed_exprs(Text) of
                {ok, Exprs} -> lists:flatten(erl_pp:exprs(Exprs));
                Error -> described(Error)
            end
    end.

described_error(Text) ->
    case erl_scan:string(Text) of
        {ok, Tokens, _} -> described(erl_parse:parse_exprs(Tokens));
        {error, {_, Module, What}, _} -> lists:flatten(Module:format_error(What))
    end.

described({error, {_, Module, What}}) -> lists:flatten(Module:format_error(What));
described(Other) -> Other.

%% Random numbers, kept in the dictionary of the process.

uniform(Algorithm, Seed) -> seeded(Algorithm, Seed, fun rand:uniform/0).
uniform_below(Algorithm, Seed, N) -> seeded(Algorithm, Seed, fun() -> rand:uniform(N) end).
normal(Algorithm, Seed) -> seeded(Algorithm, Seed, fun() -> {rand:normal(), rand:normal(1, 2.5)} end).
real(Algorithm, Seed) -> seeded(Algorithm, Seed, fun rand:uniform_real/0).
bytes(Algorithm, Seed) -> seeded(Algorithm, Seed, fun() -> rand:bytes(11) end).

seeded(Algorithm, Seed, Draw) ->
    _ = rand:seed(Algorithm, Seed),
    {[Draw() || _ <- [1, 2, 3, 4, 5]], rand:export_seed()}.

jumped(Algorithm, Seed) ->
    _ = rand:seed(Algorithm, Seed),
    _ = rand:jump(),
    rand:uniform().

resumed(Algorithm, Seed) ->
    _ = rand:seed(Algorithm, Seed),
    _ = rand:uniform(),
    Exported = rand:export_seed(),
    One = rand:uniform(1 bsl 40),
    _ = rand:seed(Exported),
    {One, rand:uniform(1 bsl 40)}.

%% Functions that walk through the data structures of other modules.

dict_walk(Pairs) ->
    Dict = lists:foldl(fun({K, V}, D) -> dict:append(K, V, D) end, dict:new(), Pairs),
    Fewer = lists:foldl(fun({K, _}, D) -> dict:erase(K, D) end, Dict, lists:sublist(Pairs, length(Pairs) div 2)),
    {dict:to_list(Dict), dict:fetch_keys(Dict), dict:size(Fewer), dict:to_list(Fewer), Dict}.

set_walk(Elements, Version) ->
    Set = lists:foldl(fun sets:add_element/2, sets:new([{version, Version}]), Elements),
    Half = sets:from_list(lists:sublist(Elements, length(Elements) div 2), [{version, Version}]),
    {lists:sort(sets:to_list(Set)), sets:size(Set), lists:sort(sets:to_list(sets:subtract(Set, Half)))}.

tree_walk(Pairs) ->
    Tree = lists:foldl(fun({K, V}, T) -> gb_trees:enter(K, V, T) end, gb_trees:empty(), Pairs),
    {Tree, gb_trees:balance(Tree), steps(fun gb_trees:next/1, gb_trees:iterator(Tree))}.

steps(Next, Iterator) ->
    case Next(Iterator) of
        none -> [];
        {K, V, Rest} -> [{K, V} | steps(Next, Rest)]
    end.

array_walk(Pairs) ->
    Array = lists:foldl(fun({I, V}, A) -> array:set(I, V, A) end, array:new([{default, none}]), Pairs),
    {array:size(Array), array:sparse_to_orddict(Array), array:size(array:resize(Array)), array:sparse_size(Array)}.

queue_walk(Elements) ->
    Queue = lists:foldl(fun(X, Q) when is_atom(X) -> queue:in_r(X, Q);
                           (X, Q) when is_number(X) -> element(2, queue:out(queue:in(X, Q)));
                           (X, Q) -> queue:in(X, Q) end, queue:new(), Elements),
    {queue:to_list(Queue), queue:len(Queue), queue:out_r(Queue), Queue}.

iterated(Map) -> lists:sort(steps(fun maps:next/1, maps:iterator(Map))).

map_walk(Pairs) ->
    Map = lists:foldl(fun({K, V}, M) -> M#{K => V} end, #{}, Pairs),
    Fewer = lists:foldl(fun({K, _}, M) -> maps:remove(K, M) end, Map, lists:sublist(Pairs, length(Pairs) div 2)),
    {Map, map_size(Fewer), Fewer, [Map#{K := changed} =:= Map || {K, _} <- Pairs], maps:merge(Fewer, Map) =:= Map}.

%% Other settings.

flat_format(Format, Arguments) -> lists:flatten(io_lib:format(Format, Arguments)).

caught(F, X, Y) ->
    try
        try apply(erlang, F, [X, Y]) of
            Value -> {value, Value}
        catch
            error:badarith -> throw({arith, X});
            error:{badmap, M} -> exit(M);
            error:badarg:Trace -> {badarg, element(2, hd(Trace))}
        after
            put(done, X)
        end
    catch
        throw:Thrown -> {thrown, Thrown, get(done)};
        Class:Reason -> {Class, Reason, get(done)}
    end.

dictionary(Pairs, Key) ->
    Old = [put(K, V) || {K, V} <- Pairs],
    {Old, get(Key), erase(Key), get(Key), maps:from_list(get()), maps:from_keys(get_keys(), x), maps:from_list(erase())}.

closures(List, N) ->
    Adders = [fun(Y) -> {X, N, Y} end || X <- List],
    Compose = lists:foldl(fun(F, G) -> fun(X) -> F(G(X)) end end, fun(X) -> X end, Adders),
    Recursive = fun Self([]) -> N; Self([_ | T]) -> [Self(T)] end,
    {Compose(start), Recursive(List), [F(N) || F <- Adders], erlang:fun_info(Compose, arity)}.

pattern_reused(Patterns, Subjects) ->
    Pattern = binary:compile_pattern(Patterns),
    [{binary:match(S, Pattern), binary:matches(S, Pattern), binary:split(S, Pattern, [global])} || S <- Subjects].
