%% Random operations on tables. The same seed gives the same operations on the real machine and on
%% ours, so their results can be compared.
%%
%% The order in which tables of type set, bag and duplicate_bag are iterated depends on a hash. So
%% results with many keys are sorted, and iteration with limits collects all parts first.
-module(ets_cases).
-export([run/2]).

%% The results of this many operations.
run(Seed, Count) ->
    put(seed, Seed),
    [batch(200) || _ <- lists:seq(1, Count div 200)].

batch(Count) ->
    Type = pick([set, ordered_set, bag, duplicate_bag]),
    KeyPos = pick([1, 1, 1, 2]),
    Table = ets:new(t, [Type, {keypos, KeyPos}, pick([public, protected, private])]),
    Results = [{Type, KeyPos} | [step(Table, Type, KeyPos) || _ <- lists:seq(1, Count)]],
    ets:delete(Table),
    Results.

step(T, Type, KeyPos) ->
    Operation = operation(T, KeyPos),
    {Operation, sorted(Type, element(1, Operation), caught(T, Operation))}.

caught(T, {Name, Arguments}) ->
    try apply(fun(F, A) -> call(T, F, A) end, [Name, Arguments])
    catch Class:Reason -> {Class, Reason} end.

%% Iteration from the start to the end, and searches in parts.
call(T, iterate, []) -> iterate(T, ets:first(T));
call(T, iterate_back, []) -> iterate_back(T, ets:last(T));
call(T, fold, []) -> ets:foldl(fun(Object, All) -> [Object | All] end, [], T);
call(T, foldr, []) -> ets:foldr(fun(Object, All) -> [Object | All] end, [], T);
call(T, next, [Key]) -> case ets:member(T, Key) of true -> is_key(T, ets:next(T, Key)); false -> ets:next(T, Key) end;
call(T, select_parts, [Spec, Limit]) -> parts(fun ets:select/1, ets:select(T, Spec, Limit));
call(T, select_reverse_parts, [Spec, Limit]) -> parts(fun ets:select_reverse/1, ets:select_reverse(T, Spec, Limit));
call(T, match_parts, [Pattern, Limit]) -> parts(fun ets:match/1, ets:match(T, Pattern, Limit));
call(T, match_object_parts, [Pattern, Limit]) -> parts(fun ets:match_object/1, ets:match_object(T, Pattern, Limit));
%% The real machine may list several errors.
call(_, test_ms, [Object, Spec]) ->
    case ets:test_ms(Object, Spec) of
        {error, _} -> error;
        Result -> Result
    end;
call(_, run_ms, [Objects, Spec]) -> ets:match_spec_run(Objects, ets:match_spec_compile(Spec));
call(T, fixed, [Key]) ->
    ets:safe_fixtable(T, true),
    Before = {ets:info(T, fixed), ets:info(T, size)},
    ets:take(T, Key),
    ets:safe_fixtable(T, false),
    {Before, ets:info(T, fixed), ets:info(T, size)};
call(T, info, [Item]) -> ets:info(T, Item);
call(T, Name, Arguments) -> apply(ets, Name, [T | Arguments]).

iterate(_, '$end_of_table') -> [];
iterate(T, Key) -> [Key | iterate(T, ets:next(T, Key))].

iterate_back(_, '$end_of_table') -> [];
iterate_back(T, Key) -> [Key | iterate_back(T, ets:prev(T, Key))].

is_key(_, '$end_of_table') -> true;
is_key(T, Key) -> ets:member(T, Key).

parts(_, '$end_of_table') -> [];
parts(More, {Part, Continuation}) -> Part ++ parts(More, More(Continuation)).

%% Only ordered tables have an order that programs may rely on.
sorted(ordered_set, _, Result) -> Result;
sorted(_, Name, Result) when Name =:= first; Name =:= last -> Result =:= '$end_of_table';
sorted(_, slot, _) -> unspecified;
sorted(_, next, Result) when is_boolean(Result) -> unspecified;
sorted(_, Name, Result) when is_list(Result), Name =/= lookup, Name =/= take, Name =/= lookup_element,
        Name =/= test_ms, Name =/= run_ms, Name =/= update_counter ->
    %% Keys of maps are in an order in which 1 and 1.0 differ.
    lists:sort(fun(A, B) -> #{A => []} =< #{B => []} end, Result);
sorted(_, _, Result) -> Result.

operation(T, KeyPos) ->
    case random(50) of
        0 -> {insert, [objects(KeyPos)]};
        1 -> {insert_new, [objects(KeyPos)]};
        2 -> {insert_new, [object(KeyPos)]};
        3 -> {lookup, [key()]};
        4 -> {lookup_element, [key(), pick([1, 2, 3, 0, 9])]};
        5 -> {member, [key()]};
        6 -> {take, [key()]};
        7 -> {delete, [key()]};
        8 -> {delete_object, [known_object(T, KeyPos)]};
        9 -> {update_counter, [key(), increments()]};
        10 -> {update_counter, [key(), increments(), default(KeyPos)]};
        11 -> {update_element, [key(), elements()]};
        12 -> {select, [spec(KeyPos)]};
        13 -> {select_count, [spec(KeyPos)]};
        14 -> {select_delete, [narrow_spec(KeyPos)]};
        15 -> {select_replace, [replacement(KeyPos)]};
        16 -> {select_parts, [spec(KeyPos), pick([1, 2, 3, 7, 100, 0, x])]};
        17 -> {select_reverse, [spec(KeyPos)]};
        18 -> {select_reverse_parts, [spec(KeyPos), pick([1, 2, 3, 100])]};
        19 -> {match, [pattern(KeyPos)]};
        20 -> {match_object, [pattern(KeyPos)]};
        21 -> {match_parts, [pattern(KeyPos), pick([1, 2, 5])]};
        22 -> {match_object_parts, [pattern(KeyPos), pick([1, 2, 5])]};
        23 -> {match_delete, [pattern(KeyPos)]};
        24 -> {first, []};
        25 -> {last, []};
        26 -> {next, [key()]};
        27 -> {iterate, []};
        28 -> {iterate_back, []};
        29 -> {tab2list, []};
        30 -> {fold, []};
        31 -> {foldr, []};
        32 -> {test_ms, [object(KeyPos), spec(KeyPos)]};
        33 -> {run_ms, [[object(KeyPos), object(KeyPos), object(KeyPos)], spec(KeyPos)]};
        34 -> {info, [pick([size, type, protection, keypos, name, named_table, heir, compressed,
            read_concurrency, write_concurrency, foo, node])]};
        35 -> {slot, [pick([0, 1, 2, 3, 5, 50])]};
        36 -> {fixed, [key()]};
        37 -> case random(8) of 0 -> {delete_all_objects, []}; _ -> {tab2list, []} end;
        38 -> {select, [full_spec(KeyPos)]};
        39 -> {test_ms, [object(KeyPos), full_spec(KeyPos)]};
        _ -> {insert, [object(KeyPos)]}
    end.

key() ->
    pick([a, b, c, 1, 2, 3, 1.0, 2.0, 2.5, {1, a}, {1.0, a}, [], [x], <<"k">>, "str", 1 bsl 70, #{}, #{k => 1}]).

value() ->
    case random(12) of
        0 -> [value(), value()];
        1 -> {value(), value()};
        2 -> #{key() => value(), k => value()};
        3 -> <<1, 2, 3>>;
        4 -> random(5) / 2;
        5 -> x;
        6 -> key();
        _ -> random(6)
    end.

object(1) ->
    case random(12) of
        0 -> {key()};
        1 -> {key(), value(), value()};
        2 -> pick([{}, x, [], [a | b]]);
        _ -> {key(), value()}
    end;
object(2) ->
    case random(12) of
        0 -> {value()};
        1 -> {value(), key(), value(), value()};
        _ -> {value(), key(), value()}
    end.

%% A tuple without a key crashes OTP 25.
default(1) -> pick([{x, random(5)}, {x, random(5), 7}, {x}, x]);
default(2) -> pick([{1, x, random(5)}, {a, x}, {1, x, 2, 3}, []]).

objects(KeyPos) -> [object(KeyPos) || _ <- lists:seq(1, random(5))].

%% An object that is in the table, if possible.
known_object(T, KeyPos) ->
    case ets:lookup(T, key()) of
        [Object | _] -> Object;
        [] -> object(KeyPos)
    end.

increment() ->
    case random(6) of
        0 -> {pick([1, 2, 3, 0, 9]), pick([1, -1, x, 1.5])};
        1 -> {2, random(5) - 2, pick([2, -2, 5]), pick([0, 1, x])};
        2 -> {pick([2, 3]), 1 bsl 66};
        3 -> {3, random(9) - 4, 3, 0};
        _ -> {pick([2, 3]), random(7) - 3}
    end.

increments() ->
    case random(4) of
        0 -> random(5) - 2;
        1 -> [increment() || _ <- lists:seq(1, random(4))];
        _ -> increment()
    end.

elements() ->
    case random(3) of
        0 -> [{pick([1, 2, 3, 4]), value()} || _ <- lists:seq(1, random(4))];
        _ -> {pick([1, 2, 3, 4, 0, x]), value()}
    end.

%% Patterns.
pattern(KeyPos) ->
    case random(14) of
        0 -> '_';
        1 -> '$1';
        2 -> pick([x, [], {}]);
        3 -> #{k => '$1'};
        _ -> list_to_tuple([part(P =:= KeyPos) || P <- lists:seq(1, KeyPos + pick([1, 1, 1, 0, 2]))])
    end.

part(true) ->
    case random(4) of
        0 -> key();
        1 -> {'$1', '_'};
        _ -> pick(['_', '$1', '$2'])
    end;
part(false) ->
    case random(10) of
        0 -> value();
        1 -> [part(false), part(false)];
        2 -> {part(false), part(false)};
        3 -> #{k => part(false)};
        4 -> ['$3' | '$4'];
        _ -> pick(['_', '$1', '$2', '$3'])
    end.

%% Specifications, whose variables may be unbound.
spec(KeyPos) -> [clause(KeyPos) || _ <- lists:seq(1, pick([1, 1, 1, 2, 0]))].

clause(KeyPos) ->
    {pattern(KeyPos),
        [guard() || _ <- lists:seq(1, pick([0, 0, 1, 2]))],
        [pick(['$_', '$$', true, true, expression(2)])]}.

narrow_spec(KeyPos) ->
    case random(6) of
        0 -> spec(KeyPos);
        1 -> [{'_', [guard()], [true]}];
        _ -> [{full(KeyPos), [guard()], [pick([true, {'is_atom', '$1'}, false])]}]
    end.

%% A specification that binds three variables and is valid.
full_spec(KeyPos) -> [{full(KeyPos), [guard() || _ <- lists:seq(1, random(3))], [expression(3)]}].

full(1) -> pick([{'$1', '$2'}, {'$1', '$2'}, '$1']);
full(2) -> {'$2', '$1', '$3'}.

replacement(KeyPos) ->
    Head = case KeyPos of 1 -> {'$1', '$2'}; 2 -> {'$2', '$1', '_'} end,
    Body = case {KeyPos, random(6)} of
        {_, 0} -> '$_';
        {_, 1} -> {{'$2', '$2'}};
        {1, 2} -> {{'$1', {{'$2'}}}};
        {1, 3} -> {{{element, 1, '$_'}, 1}};
        {1, _} -> {{'$1', {const, y}}};
        {2, 2} -> {{1, {element, 2, '$_'}, 2}};
        {2, _} -> {{'$2', '$1', [z | '$2']}}
    end,
    [{Head, pick([[], [{is_integer, '$2'}]]), [Body]}].

guard() ->
    case random(5) of
        0 -> {pick([is_atom, is_integer, is_float, is_list, is_tuple, is_map, is_binary, is_number, is_pid,
            is_reference, is_port, is_function]), variable()};
        1 -> {pick(['and', 'or', 'andalso', 'orelse']), guard(), guard()};
        2 -> {'not', guard()};
        3 -> {is_record, '$_', a, 2};
        _ -> {pick(['>', '<', '>=', '=<', '==', '=:=', '=/=', '/=']), expression(1), expression(1)}
    end.

variable() -> pick(['$1', '$1', '$2', '$_']).

expression(0) -> pick(['$1', '$2', '$_', '$$', 1, 2, 2.5, x, [], {const, {a, '$1'}}, <<"b">>]);
expression(Depth) ->
    case random(12) of
        0 -> {pick(['+', '-', '*', '/', 'div', 'rem', 'band', 'bor', 'bxor']), expression(Depth - 1), expression(Depth - 1)};
        1 -> {pick([abs, round, trunc, hd, tl, length, size, map_size, byte_size, bit_size, 'bnot', '-', float]), expression(Depth - 1)};
        2 -> {{expression(Depth - 1), expression(Depth - 1)}};
        3 -> [expression(Depth - 1), expression(Depth - 1)];
        4 -> {element, pick([1, 2, 3, x]), '$_'};
        %% With a key that is not a constant, OTP 25 may make a broken map, which crashes it later.
        5 -> #{k => expression(Depth - 1), j => 1};
        6 -> guard();
        7 -> {pick([foo, self_, max, is_boolean]), expression(Depth - 1)};
        8 -> {map_get, k, expression(Depth - 1)};
        9 -> {is_map_key, k, expression(Depth - 1)};
        _ -> expression(0)
    end.

pick(List) -> lists:nth(1 + random(length(List)), List).

random(Limit) ->
    Seed = (get(seed) * 6364136223846793005 + 1442695040888963407) band 16#ffffffffffffffff,
    put(seed, Seed),
    (Seed bsr 33) rem Limit.
