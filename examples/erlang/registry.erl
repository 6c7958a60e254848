%% The registry example of the TransDPOR paper (Tasharofi et al. 2012, Figure 1): a master registers
%% itself, and then asks N workers to register too.
%%
%%     mazurka check registry.erl --entry 'registry:run(5)' --delivery unordered   (N+1)!: 720
%%     mazurka check registry.erl --entry 'registry:run(5)' --delivery mailbox     N!: 120
%%
%% On one node the master is always the first, because it registers before it wakes the workers.
-module(registry).
-export([run/1]).

run(N) ->
    Registry = spawn(fun() -> registry(N + 1) end),
    Registry ! {member, self()},
    Workers = [spawn(fun worker/0) || _ <- lists:seq(1, N)],
    [Worker ! {register_at, Registry} || Worker <- Workers].

%% Receives this number of registrations; returns the members in the order of arrival.
registry(0) ->
    [];
registry(Members) ->
    receive
        {member, Pid} -> [Pid | registry(Members - 1)]
    end.

worker() ->
    receive
        {register_at, Registry} -> Registry ! {member, self()}
    end.
