%% The bank of González-Abril and Vidal 2021, Figure 1: customers pay in twice and then draw; the bank
%% has one account.
%%
%%     mazurka check bank.erl --entry 'bank:run(2)' --daemon bank:bank/1
%%
%% With two customers there are 20 executions, all of them right. Where messages may overtake each
%% other (--delivery unordered), money is drawn before it was paid in, and a customer crashes. The
%% selective bank leaves a draft in its mailbox until the money is there:
%%
%%     mazurka check bank.erl --entry 'bank:run_selective(2)' --daemon bank:selective_bank/1 \
%%         --delivery unordered
-module(bank).
-export([run/1, run_selective/1, bank/1, selective_bank/1]).

run(N) ->
    start(spawn(?MODULE, bank, [0]), N).

run_selective(N) ->
    start(spawn(?MODULE, selective_bank, [0]), N).

start(Bank, N) ->
    [spawn(fun() -> customer(Bank) end) || _ <- lists:seq(1, N)].

bank(Balance) ->
    receive
        {deposit, Amount} ->
            bank(Balance + Amount);
        {withdraw, Customer, Amount} when Amount =< Balance ->
            Customer ! {paid, Balance - Amount},
            bank(Balance - Amount);
        {withdraw, Customer, _} ->
            Customer ! refused,
            bank(Balance)
    end.

selective_bank(Balance) ->
    receive
        {deposit, Amount} ->
            selective_bank(Balance + Amount);
        {withdraw, Customer, Amount} when Amount =< Balance ->
            Customer ! {paid, Balance - Amount},
            selective_bank(Balance - Amount)
    end.

customer(Bank) ->
    Bank ! {deposit, 120},
    Bank ! {deposit, 42},
    Bank ! {withdraw, self(), 100},
    {paid, _} = receive Reply -> Reply end.
