%% Programs with timers, whose numbers of executions are known.
-module(timers).
-behaviour(gen_statem).
-export([too_late/0, long/0, order/0, long_order/0, reverse/0, equal/0, both/0, nested/0]).
-export([read/0, twice/0, options/0, absolute/0, named/0, nobody/0, ended/0, other/0, other_ended/0]).
-export([left/0, library/0, library_apply/0, library_interval/0, ticker/0, statem/0, statem_race/0]).
-export([bad/0, pending/0, clock/0, shorter/0, to_others/0, starts/0]).
-export([run/1, expect/2]).
-export([init/1, callback_mode/0, handle_event/4, handle_info/2, handle_call/3, handle_cast/2]).

%% Prints the results of functions, which run at the same time.
run(Names) ->
    Me = self(),
    Run = fun(Name) -> Me ! {Name, try ?MODULE:Name() catch _:Reason -> {failed, Reason} end} end,
    [spawn(fun() -> Run(Name) end) || Name <- Names],
    [receive {Name, Result} -> io:format("~s~n~0p~n", [Name, Result]) end || Name <- Names].

%% Fails if the result is another one.
expect(Name, Result) -> Result = ?MODULE:Name().

%% Some time may have passed.
near(Left, Time) when is_integer(Left), Left =< Time, Left > Time - 500 -> ok.

%% Fired before it is cancelled, or not at all.
too_late() ->
    Timer = erlang:start_timer(10, self(), now),
    case erlang:cancel_timer(Timer) of
        false -> receive {timeout, Timer, now} -> fired after 0 -> error(lost) end;
        Left when is_integer(Left) -> receive Any -> error(Any) after 0 -> cancelled end
    end.

%% A long timer does not fire while anything else can happen.
long() ->
    Timer = erlang:send_after(5000, self(), now),
    ok = near(erlang:cancel_timer(Timer), 5000),
    false = erlang:cancel_timer(Timer),
    receive Any -> Any after 0 -> none end.

order() ->
    erlang:send_after(10, self(), first),
    erlang:send_after(20, self(), second),
    {receive A -> A end, receive B -> B end}.

long_order() ->
    erlang:send_after(3000, self(), second),
    erlang:send_after(2000, self(), first),
    {receive A -> A end, receive B -> B end}.

%% The second timer is started later by an unknown time.
reverse() ->
    erlang:send_after(20, self(), one),
    erlang:send_after(10, self(), other),
    {receive A -> A end, receive B -> B end}.

equal() ->
    erlang:send_after(10, self(), one),
    erlang:send_after(10, self(), other),
    {receive A -> A end, receive B -> B end}.

%% Each is fired or cancelled; if the second has fired, so has the first.
both() ->
    A = erlang:send_after(10, self(), a),
    B = erlang:send_after(20, self(), b),
    Second = erlang:cancel_timer(B),
    First = erlang:cancel_timer(A),
    case {First, Second} of
        {false, false} -> receive a -> receive b -> both end end;
        {false, _} -> receive a -> first end;
        {_, false} -> error(order);
        {_, _} -> none
    end.

nested() ->
    A = erlang:send_after(10, self(), a),
    B = erlang:send_after(20, self(), b),
    {erlang:cancel_timer(A) =/= false, erlang:cancel_timer(B) =/= false}.

read() ->
    Timer = erlang:send_after(10, self(), now),
    case erlang:read_timer(Timer) of
        false -> receive now -> fired after 0 -> error(lost) end;
        Left when is_integer(Left) -> receive now -> false = erlang:read_timer(Timer), pending end
    end.

twice() ->
    Timer = erlang:send_after(2000, self(), now),
    ok = near(erlang:read_timer(Timer), 2000),
    ok = near(erlang:cancel_timer(Timer), 2000),
    false = erlang:read_timer(Timer),
    false = erlang:cancel_timer(make_ref()),
    false = erlang:read_timer(make_ref()).

options() ->
    One = erlang:send_after(2000, self(), now),
    ok = erlang:cancel_timer(One, [{info, false}]),
    Two = erlang:send_after(2000, self(), now),
    ok = erlang:cancel_timer(Two, [{async, true}, {info, false}]),
    Three = erlang:send_after(2000, self(), now),
    ok = erlang:cancel_timer(Three, [{async, true}]),
    ok = near(receive {cancel_timer, Three, Left} -> Left end, 2000),
    Four = erlang:send_after(2000, self(), now),
    ok = near(erlang:cancel_timer(Four, [{async, false}]), 2000),
    receive now -> now after 3000 -> none end.

absolute() ->
    Now = erlang:monotonic_time(millisecond),
    erlang:send_after(Now + 4000, self(), second, [{abs, true}]),
    erlang:start_timer(Now + 2000, self(), first, [{abs, true}]),
    {timeout, _, first} = receive First -> First end,
    receive Second -> Second end.

named() ->
    register(me, self()),
    erlang:send_after(2000, me, hello),
    receive hello -> unregister(me) end.

nobody() ->
    erlang:send_after(10, nobody, hello),
    receive hello -> hello after 2000 -> none end.

%% The timer does not keep the program running, and nobody misses its message.
ended() ->
    erlang:send_after(100000, self(), hello),
    erlang:send_after(10, self(), hello),
    ok.

%% Another process cancels the timer.
other() ->
    Me = self(),
    Timer = erlang:send_after(10, self(), now),
    spawn(fun() -> Me ! {left, erlang:cancel_timer(Timer)} end),
    case receive {left, Left} -> Left end of
        false -> receive now -> fired after 0 -> lost end;
        _ -> receive now -> error(fired) after 0 -> cancelled end
    end.

%% The end of its receiver cancels a timer.
other_ended() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    Timer = erlang:send_after(5000, Pid, now),
    Ref = monitor(process, Pid),
    Pid ! stop,
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    erlang:cancel_timer(Timer).

%% A process that waits for ever is found beside a timer.
left() ->
    erlang:send_after(2000, self(), hello),
    receive never -> ok end.

pending() ->
    Pid = spawn(fun() -> receive hello -> ok end end),
    erlang:send_after(2000, Pid, hello),
    ok.

clock() ->
    T0 = erlang:monotonic_time(millisecond),
    erlang:send_after(2000, self(), hello),
    receive hello -> ok end,
    T1 = erlang:monotonic_time(millisecond),
    true = T1 - T0 >= 2000,
    T1 - T0 < 2100.

%% Part of the time has passed.
shorter() ->
    Timer = erlang:send_after(3000, self(), hello),
    receive after 1000 -> ok end,
    Left = erlang:read_timer(Timer),
    true = Left =< 2000,
    true = Left > 1800,
    receive hello -> ok after 2500 -> late end.

%% The messages of two timers to another process come in the order of their deadlines.
to_others() ->
    Me = self(),
    Pid = spawn(fun() -> Me ! {receive A -> A end, receive B -> B end} end),
    erlang:send_after(10, Pid, first),
    erlang:send_after(20, Pid, second),
    receive Both -> Both end.

bad() ->
    [catch_error(F) || F <- [
        fun() -> erlang:send_after(-1, self(), x) end,
        fun() -> erlang:send_after(1, "name", x) end,
        fun() -> erlang:send_after(1, self(), x, [{abs, maybe}]) end,
        fun() -> erlang:send_after(1, self(), x, [other]) end,
        fun() -> erlang:cancel_timer(x) end,
        fun() -> erlang:cancel_timer(make_ref(), [{info, x}]) end,
        fun() -> erlang:read_timer(x) end,
        fun() -> monitor(process, self(), [{alias, x}]) end,
        fun() -> alias([x]) end,
        fun() -> unalias(x) end,
        fun() -> timer:send_after(x, self(), y) end,
        fun() -> timer:apply_after(x, io, format, []) end,
        fun() -> timer:cancel(x) end]].

catch_error(F) -> try F() catch error:Reason -> Reason end.

library() ->
    {ok, One} = timer:send_after(2000, one),
    {ok, _} = timer:send_after(3000, self(), two),
    register(library, self()),
    {ok, Three} = timer:send_after(2500, library, three),
    {ok, _} = timer:send_after(0, zero),
    zero = receive First -> First end,
    {ok, cancel} = timer:cancel(One),
    {receive A -> A end, receive B -> B end, timer:cancel(Three)}.

library_apply() ->
    Me = self(),
    {ok, _} = timer:apply_after(2000, erlang, send, [Me, hello]),
    {ok, Two} = timer:apply_after(3000, erlang, send, [Me, never]),
    hello = receive A -> A end,
    {ok, cancel} = timer:cancel(Two),
    Pid = spawn(fun() -> receive never -> ok end end),
    Ref = monitor(process, Pid),
    {ok, _} = timer:exit_after(1000, Pid, bye),
    bye = receive {'DOWN', Ref, process, Pid, Reason} -> Reason end,
    receive B -> B after 5000 -> none end.

library_interval() ->
    {ok, Timer} = timer:send_interval(1000, tick),
    [receive tick -> ok end || _ <- [1, 2, 3]],
    {ok, cancel} = timer:cancel(Timer),
    receive tick -> tick after 5000 -> none end.

%% A server that ticks for ever.
init(ticker) -> erlang:send_after(1000, self(), tick), {ok, 0};
init({statem, Time}) -> {ok, closed, Time}.

handle_info(tick, N) -> erlang:send_after(1000, self(), tick), {noreply, N + 1}.
handle_call(ticks, _, N) -> {reply, N, N}.
handle_cast(_, N) -> {noreply, N}.

ticker() ->
    {ok, Server} = gen_server:start(?MODULE, ticker, []),
    timer:sleep(3500),
    gen_server:call(Server, ticks).

starts() ->
    {ok, _} = gen_server:start(?MODULE, ticker, []),
    ok.

callback_mode() -> handle_event_function.

%% A door that closes itself.
handle_event({call, From}, open, closed, Time) ->
    {next_state, open, Time, [{reply, From, ok}, {state_timeout, Time, close}]};
handle_event({call, From}, state, State, _) ->
    {keep_state_and_data, [{reply, From, State}]};
handle_event({call, From}, close, open, Time) ->
    {next_state, closed, Time, [{reply, From, ok}]};
handle_event({call, From}, close, closed, _) ->
    {keep_state_and_data, [{reply, From, already}]};
handle_event(state_timeout, close, open, Time) ->
    {next_state, closed, Time}.

statem() ->
    {ok, Door} = gen_statem:start(?MODULE, {statem, 2000}, []),
    ok = gen_statem:call(Door, open),
    open = gen_statem:call(Door, state),
    timer:sleep(3000),
    closed = gen_statem:call(Door, state),
    ok = gen_statem:call(Door, open),
    ok = gen_statem:call(Door, close),
    timer:sleep(3000),
    gen_statem:call(Door, state).

%% The door may have closed itself before.
statem_race() ->
    {ok, Door} = gen_statem:start(?MODULE, {statem, 10}, []),
    ok = gen_statem:call(Door, open),
    gen_statem:call(Door, close).
