-module(parcel).
-export([by_function/1, by_value/1]).

%% A parcel is a process that changes its state with the messages it gets, and ignores those that do not
%% fit its state. N persons send it one message each, in any order. The bug: a parcel that was returned
%% can still be signed for.
%%
%%   mazurka check parcel.erl --entry 'parcel:by_function(8)'
%%   mazurka check parcel.erl --entry 'parcel:by_function(8)' --valuation distance

%% Each state is a function, so the code shows how far it is from there to the error.
by_function(N) ->
    post(fun() -> new(N) end, N).

%% The state is a value, so all states look the same in the code: the error may be the next step.
by_value(N) ->
    post(fun() -> parcel(new, N) end, N).

post(Start, N) ->
    Messages = [sign, weigh, pack, pay, ask, return, send, insure],
    Parcel = spawn(Start),
    [spawn(fun() -> Parcel ! Message end) || Message <- lists:sublist(Messages, N)],
    ok.

new(0) -> ok;
new(N) ->
    receive
        pay -> paid(N - 1);
        _ -> new(N - 1)
    end.

paid(0) -> ok;
paid(N) ->
    receive
        pack -> packed(N - 1);
        _ -> paid(N - 1)
    end.

packed(0) -> ok;
packed(N) ->
    receive
        send -> sent(N - 1);
        _ -> packed(N - 1)
    end.

sent(0) -> ok;
sent(N) ->
    receive
        return -> returned(N - 1);
        _ -> sent(N - 1)
    end.

returned(0) -> ok;
returned(N) ->
    receive
        sign -> error(signed_and_returned);
        _ -> returned(N - 1)
    end.

parcel(lost, _) -> error(signed_and_returned);
parcel(_, 0) -> ok;
parcel(State, N) ->
    receive
        Message -> parcel(next(State, Message), N - 1)
    end.

next(new, pay) -> paid;
next(paid, pack) -> packed;
next(packed, send) -> sent;
next(sent, return) -> returned;
next(returned, sign) -> lost;
next(State, _) -> State.
