%% The world of programs that tell what they see, when they are explored: nothing takes time, and
%% what a process notes is a message to itself that it never takes.
-module(oracle_world).
-export([delay/0, wait/1, woke/0, note/1, time/1, name/1]).

delay() -> ok.

wait(Seen) -> note(Seen).

woke() -> ok.

note(Seen) -> self() ! {note, Seen}.

time(Time) -> Time.

name(0) -> n0;
name(1) -> n1.
