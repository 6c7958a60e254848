%% Receives, for `required_parts.rs`. Functions whose names start with `keyed` accept only messages
%% with a certain element.
-module(required_parts).
-compile(export_all).
-compile(nowarn_export_all).

keyed_first(I) -> receive {I, _} -> ok end, I.
keyed_second(I) -> receive {a, I} -> ok end, I.
keyed_third(I, J) -> receive {_, J, I} -> ok end, {I, J}.
keyed_and_guard(I) -> receive {I, N} when N > 1 -> ok end, I.
keyed_twice(I) -> receive {I, I} -> ok end, I.

any() -> receive X -> X end.
tagged() -> receive {a, X} -> X end.
whole(I) -> receive I -> ok end, I.
guard(I) -> receive {J, _} when J == I -> ok end, I.
two_clauses(I) -> receive {I, _} -> ok; {_, I, _} -> ok end, I.
or_any(I) -> receive {I, _} -> ok; stop -> ok end, I.
nested(I) -> receive {{I, _}, _} -> ok end, I.
list(I) -> receive [I | _] -> ok end, I.
other(I) -> receive {J, _} when J =/= I -> ok end, I.
