%% The version for exploration: nothing takes time, and a process records an observation by sending
%% itself a message that it never receives.
-module(oracle_world).
-export([delay/0, wait/1, woke/0, note/1, time/1, name/1]).

delay() -> ok.

wait(Seen) -> note(Seen).

woke() -> ok.

note(Seen) -> self() ! {note, Seen}.

time(Time) -> Time.

name(0) -> n0;
name(1) -> n1.
