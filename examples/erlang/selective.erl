%% The three processes of Vidal 2022, Figure 1. Of the three messages that B gets, its receive leaves
%% {val, 0} in the mailbox, whenever it comes; the other two race.
%%
%%     mazurka check selective.erl --entry selective:main/0     2 executions
-module(selective).
-export([main/0]).

main() ->
    B = spawn(fun b/0),
    spawn(fun() -> c(B) end),
    B ! {val, 1}.

b() ->
    receive
        {val, M} when M > 0 -> {ok, M};
        error -> error
    end.

c(B) ->
    B ! {val, 0},
    B ! {val, 2}.
