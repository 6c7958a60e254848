%% Messages that are taken each by a pattern of its own, for docs/benchmarks.md.
-module(each).
-export([main/0, reverse/0, two/0, one/0, run/2]).
n() -> 50000.
main() -> run(forward, n()).
reverse() -> run(reverse, n()).
one() -> self_send(1, n()), any(n()), error(done).
any(0) -> ok;
any(N) -> receive {_, _} -> any(N - 1) end.
run(forward, N) -> self_send(1, N), up(1, N), error(done);
run(reverse, N) -> self_send(1, N), down(N), error(done).
self_send(I, N) when I > N -> ok;
self_send(I, N) -> self() ! {I, x}, self_send(I + 1, N).
up(I, N) when I > N -> ok;
up(I, N) -> receive {I, _} -> up(I + 1, N) end.
down(0) -> ok;
down(I) -> receive {I, _} -> down(I - 1) end.
%% Two senders, whose messages are taken in turns.
two() ->
    Me = self(),
    N = n() div 2,
    spawn(fun() -> send(Me, a, 1, N) end),
    spawn(fun() -> send(Me, b, 1, N) end),
    turns(1, N), error(done).
send(_, _, I, N) when I > N -> ok;
send(To, Tag, I, N) -> To ! {Tag, I}, send(To, Tag, I + 1, N).
turns(I, N) when I > N -> ok;
turns(I, N) -> receive {a, I} -> ok end, receive {b, I} -> ok end, turns(I + 1, N).
