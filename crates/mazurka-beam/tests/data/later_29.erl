%% Features added by OTP 28 and 29. Compiled by `erlc +deterministic` of OTP 29.1.2 into otp29/,
%% where later_29.txt has the results of that machine.
-module(later_29).
-export([zipped/0, strict/0, within/0, within_any/0, native_records/0, rounded/0, long_atom/0, literal/0]).

id(X) -> X.
class(F) -> try F() catch C:R -> {C, R} end.

zipped() -> {[{A, B} || A <- id([1, 2]) && <<B>> <= id(<<3, 4>>)], class(fun() -> [{A, B} || A <- id([1]) && B <- id([])] end)}.
strict() -> [class(fun() -> [X || {X} <:- id(L)] end) || L <- [[{1}, {2}], [{1}, 2]]].

%% A guard of three arguments.
percent(X) when is_integer(X, 0, 100) -> yes;
percent(_) -> no.
within() -> [percent(id(X)) || X <- [0, 100, 101, -1, 5.0, a]].
within_any() -> [class(fun() -> is_integer(id(X), id(Y), id(Z)) end) || {X, Y, Z} <- [{1, 0, 2}, {1, 2, 0}, {1, a, 2}, {1 bsl 70, 0, 1 bsl 80}]].

%% Terms that are not native records.
native_records() ->
    {[is_record(id(X)) || X <- [{r, 1}, r]], class(fun() -> is_record(id({r, 1}), id(m), id(r)) end), is_record(id({r, 1}), id(r), id(2))}.

%% Rounded to the nearest float, unlike in OTP 25.
rounded() ->
    N = id(4831648485234661159884262711013212630276600899104889989),
    {float(N), N + 1.0, 1.0 - N, N * 1.0, N / 1, converted(N, 1.0), class(fun() -> float(id(1 bsl 2000)) end), class(fun() -> id(1 bsl 2000) / 2 end)}.
converted(N, X) when is_float(X) -> N * X + X.

%% Its name has more than 255 bytes.
long_atom() -> byte_size(atom_to_binary('λλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλλ')).
literal() -> {id(x), #{a => {"not compressed", <<1, 2, 3>>}}, 1.0e10}.
