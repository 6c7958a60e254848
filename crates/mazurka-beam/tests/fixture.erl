%% A module that uses many features of the file format. OTP 25 compiles it to fixture.beam:
%%   erlc +deterministic fixture.erl
-module(fixture).
-export([area/1, loop/2, parse/1, build/2, adder/1, kind/1, safe/1]).

-record(point, {x = 0.0, y = 0.0}).

area({circle, R}) -> 3.14159 * R * R;
area({square, A}) -> A * A;
area(#point{}) -> 0;
area(nothing) -> 123456789012345678901234567890.

loop(State, Timeout) ->
    receive
        {From, Ref, get} -> From ! {Ref, State}, loop(State, Timeout);
        stop -> ok
    after Timeout -> #{state => State, list => [1, 2.5, "text", <<"bytes">>, <<5:3>>], 1 => 'ünï'}
    end.

parse(<<"GET ", Length:16/little, Body:Length/binary, Rest/bits>>) -> {Body, Rest};
parse(<<C/utf8, Rest/binary>>) when C > 127 -> {C, Rest}.

build(Name, N) -> <<"name:", Name/binary, N:32, 1.5/float>>.

adder(N) -> {fun(X) -> X + N end, fun lists:map/2, fun ?MODULE:area/1}.

kind(X) when is_integer(X), X < -70000 -> small;
kind(a) -> 1;
kind(b) -> 2;
kind(c) -> 3;
kind({_, _}) -> pair;
kind({_, _, _}) -> triple.

safe(F) ->
    try F() of
        X -> {ok, X}
    catch
        error:Reason:Stack -> {error, Reason, Stack}
    end.
