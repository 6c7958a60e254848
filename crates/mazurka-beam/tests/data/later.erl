%% Code that OTP 27 and later compile differently from OTP 25, or that OTP 25 does not support. Each
%% function NAME/0 is a case. Compiled by `erlc +deterministic` of OTP 27.3.4.1 into otp27/, and
%% of OTP 29.1.2 into otp29/, where later.txt has the results of these machines.
-module(later).
-export([header/0, no_header/0, sizes/0, skipped/0, mixed/0, floats/0, tails/0, built/0, appended/0, of_utf/0]).
-export([records/0, same_record/0, bad_record/0]).
-export([map_comprehension/0, map_generator/0, bits_comprehension/0, maybe_all/0, maybe_else/0, maybe_short/0]).
-export([sigils/0, triple_quoted/0, words/0, atoms/0, literals/0]).
-export([zeros/0, zero_keys/0, addition/0, subtraction/0, byte_sizes/0, parts/0, encoded/0, received/0, guarded_receive/0]).

id(X) -> X.
class(F) -> try F() catch C:R -> {C, R} end.

%% One bs_match for several segments.
packet(<<4:4, Length:4, Kind, Size:16, Id:16/little, -1:8/signed, Payload:Size/binary, Rest/bits>>) ->
    {ok, Length, Kind, Id, Payload, Rest};
packet(<<6:4, _:4, Kind, _/binary>>) -> {six, Kind};
packet(<<"HELO ", Name/binary>>) -> {helo, Name};
packet(Other) -> {other, Other}.

header() -> packet(id(<<16#45, 7, 2:16, 258:16/little, 255, "ab", 3:3>>)).
no_header() ->
    [packet(id(B)) || B <- [<<16#60, 9>>, <<16#60, 9, 1:1>>, <<"HELO you">>, <<"HELO">>, <<16#45, 7, 9:16, 0:16, 255, "ab">>, <<>>]].

fields(<<A:3, B:13/signed-little, C:32/unsigned, D:7/bits, E:70>>) -> {A, B, C, D, E};
fields(<<A:16/signed, _:4, B:4>>) -> {A, B}.
sizes() -> [class(fun() -> fields(id(<<N:Size>>)) end) || {N, Size} <- [{16#123456789abcdef0123456789abcdef, 125}, {16#fffe5a, 24}, {1, 23}]].

skip(<<_:5, A:3, _:16, B/binary>>) -> {A, B};
skip(<<_:12, A:12>>) -> A.
skipped() -> [class(fun() -> skip(id(B)) end) || B <- [<<255, 1, 2, "xyz">>, <<1, 2, 3:3, 4:5>>, <<1:1>>]].

mix(<<A, Size, B:Size/bits, C:Size/unit:2, D/bits>>) -> {A, Size, B, C, D}.
mixed() -> [class(fun() -> mix(id(B)) end) || B <- [<<1, 3, 5:3, 6:6, 1:1>>, <<1, 0>>, <<1, 9, 0>>]].

float_of(<<A:16/float, B:32/float-little, C/float>>) -> [A, B, C].
floats() -> [class(fun() -> float_of(id(B)) end) || B <- [<<1.5:16/float, 2.25:32/float-little, -0.5/float>>, <<-1:112>>]].

sum(<<N:16/little, Rest/binary>>, S) -> sum(Rest, S + N);
sum(<<N>>, S) -> {odd, S + N};
sum(<<>>, S) -> S;
sum(Rest, S) -> {rest, Rest, S}.
tails() -> [sum(id(B), 0) || B <- [<<1, 0, 2, 0>>, <<1, 1, 1>>, <<>>, <<1, 0, 1:4>>]].

built() ->
    {A, B, S, Bin} = {id(5), id(-7), id(2), id(<<"bin">>)},
    [<<A, B:16/little, Bin/binary, A:S, 1:2>>, <<B:S/signed>>, <<(id(1.5)):S/float-unit:32>> =:= <<>> | [caused(F) || F <- built_wrong()]].
caused(F) ->
    try F() catch error:R:S -> {_, _, _, Facts} = hd(S), {R, maps:get(cause, proplists:get_value(error_info, Facts))} end.
built_wrong() -> [fun() -> <<1, (id(x)), (id(y))/utf8>> end, fun() -> <<(id(<<1>>)):(id(2))/binary>> end, fun() -> <<1:(id(-1))>> end].
appended() -> lists:foldl(fun(X, Acc) -> <<Acc/binary, X:24, "x">> end, <<>>, [1, 2, 16#ffffff1]).
of_utf() ->
    B = <<(id(955))/utf8, (id(128512))/utf16, (id(233))/utf32-little>>,
    <<X/utf8, Y/utf16, Z/utf32-little>> = id(B),
    {B, X, Y, Z}.

-record(r, {a, b = 2, c = [], d}).
records() ->
    R = id(#r{a = 1}),
    {R#r{b = 3}, R#r{a = R#r.b, d = R}, R#r{a = x, b = y, c = z, d = w}, R}.
same_record() -> R = id(#r{a = 1}), {R#r{a = 1}, R#r{b = R#r.b, c = []}}.
bad_record() -> [class(fun() -> (id(X))#r{a = 1} end) || X <- [{r, 1}, {q, 1, 2, 3, 4}, r]].

map_comprehension() -> #{K => V * V || {K, V} <- id([{1, 2}, {2, 3}, bad, {1, 5}]), V > 1}.
map_generator() -> lists:sort([{V, K} || K := V <- id(#{1 => a, 2 => b, 3 => c}), K =/= 2]).
bits_comprehension() -> << <<X:4>> || <<X:3>> <= id(<<16#abcdef:24>>), X > 2 >>.

steps(A, B) ->
    maybe
        {ok, X} ?= A,
        true = X > 0,
        {ok, Y} ?= B,
        X + Y
    else
        {error, Why} -> {failed, Why};
        none -> nothing
    end.
maybe_all() -> steps(id({ok, 1}), id({ok, 2})).
maybe_else() -> [class(fun() -> steps(id(A), id(B)) end) || {A, B} <- [{{error, x}, 1}, {{ok, 1}, none}, {{ok, -1}, none}, {other, 1}]].
maybe_short() -> maybe {ok, X} ?= id(nope), X end.

sigils() -> [~"binary λ", ~b[x"y\n], ~S(raw\n), ~s{a\tb}, ~B'q'].
triple_quoted() ->
    {"""
     first "line"
       second\n
     """,
     ~"""
     bytes λ
     """}.
words() -> ['maybe', 'else', 'end', maybe_].
atoms() -> [atom_to_binary('λόγος'), binary_to_atom(<<"größe"/utf8>>), '𝕒'].
literals() -> {1.5, -0.0, 1 bsl 80, "text", <<"bits", 5:3>>, [a | b], {}, #{k => [1, 2], 1 => 1.0}, fun lists:map/2}.

zeros() ->
    {P, N} = {id(0.0), id(-0.0)},
    {P =:= N, P == N, {P} =:= {N}, P =/= N, case N of +0.0 -> plus; -0.0 -> minus end, abs(N), N + 0.0, lists:usort([P, N])}.
zero_keys() -> M = #{id(0.0) => plus, id(-0.0) => minus}, {map_size(M), maps:get(-0.0, M), maps:get(0.0, M)}.

traced(F) -> try F() catch C:R:S -> {C, R, hd(S)} end.
addition() -> [traced(fun() -> id(a) + 1 end), traced(fun() -> 1 + id(a) end), traced(fun() -> id(a) + id(b) end)].
subtraction() -> [traced(fun() -> id(a) - 1 end), traced(fun() -> 1 - id(a) end)].

rest_sizes(<<A, Rest/bits>>) when bit_size(Rest) > 9 -> {A, bit_size(Rest), byte_size(Rest)};
rest_sizes(<<A:2, Rest/bits>>) -> {A, byte_size(Rest)}.
byte_sizes() -> [rest_sizes(id(B)) || B <- [<<1, 2, 3>>, <<1, 2, 3:2>>, <<2:2, 1:9>>, <<3:2>>]].

parts() ->
    [class(F) || F <- [fun() -> binary_part(id(<<1, 2, 3:3>>), 0, 1) end, fun() -> binary:match(id(<<>>), <<>>) end,
                       fun() -> binary:copy(id(<<1:1>>), 0) end, fun() -> binary_part(id(<<1, 2>>), 2, -1) end]].
encoded() -> term_to_binary(id({a, ['λ']})).

received() ->
    self() ! {other, 1}, self() ! <<7, 2, "ab", 0>>,
    receive <<7, N, Bytes:N/binary, _/bits>> when N > 1 -> {N, Bytes} after 0 -> none end.
guarded_receive() ->
    R = make_ref(), self() ! {R, #{k => 3}}, self() ! {R, #{k => 1}},
    receive {R, #{k := V} = M} when map_get(k, M) < 2 -> V after 0 -> none end.
