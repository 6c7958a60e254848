%% Small scenarios with OTP's behaviours and services. Each returns a term, which is compared between the
%% real machine and ours. They use no finite timeouts of calls.
%%
%% This module is the callback module of all behaviours. The state of a gen_server is {srv, Value}, that of
%% a handler of a gen_event {evt, Value}.
-module(otp_scenarios).
-export([names/0, real/1, check/2, run/1]).
-export([init/1, handle_continue/2, handle_call/3, handle_cast/2, handle_info/2, terminate/2, code_change/3]).
-export([callback_mode/0, handle_event/4, terminate/3]).
-export([handle_event/2, handle_call/2]).
-export([init_ack/2, loop/1, failing_start/0]).

%% The results on the real machine: {Name, Result}.
real(Names) ->
    logger:set_primary_config(level, none),
    [{Name, real_result(Name)} || Name <- Names].

real_result(Name) ->
    Before = processes(),
    {Pid, Ref} = spawn_monitor(fun() -> exit({result, result(Name)}) end),
    Result =
        receive
            {'DOWN', Ref, process, Pid, {result, Found}} -> Found;
            {'DOWN', Ref, process, Pid, Reason} -> {ended, plain(Reason)}
        after 10000 -> timeout
        end,
    [exit(Left, kill) || Left <- processes() -- Before],
    await_end(processes() -- Before),
    Result.

await_end([]) -> ok;
await_end(Pids) ->
    timer:sleep(1),
    await_end([Pid || Pid <- Pids, is_process_alive(Pid)]).

%% Fails if the result is not the expected one.
check(Name, Expected) ->
    case result(Name) of
        Expected -> ok;
        Other -> exit({differs, Name, Other, Expected})
    end.

result(Name) ->
    try plain(run(Name))
    catch Class:Reason -> {caught, Class, plain(Reason)} end.

%% A term without pids, references, funs and stack traces.
plain(Pid) when is_pid(Pid) -> pid;
plain(Ref) when is_reference(Ref) -> ref;
plain(Fun) when is_function(Fun) -> 'fun';
plain(Tuple) when is_tuple(Tuple) -> list_to_tuple([plain(E) || E <- tuple_to_list(Tuple)]);
plain(Map) when is_map(Map) -> maps:from_list([{plain(K), plain(V)} || {K, V} <- maps:to_list(Map)]);
plain([{M, F, A, L} | _]) when is_atom(M), is_atom(F), is_list(L), (is_integer(A) orelse is_list(A)) -> stack;
plain([Head | Tail]) -> [plain(Head) | plain(Tail)];
plain(Other) -> Other.

%% gen_server

init({server, V}) -> {ok, {srv, V}};
init({trapping, V}) -> process_flag(trap_exit, true), {ok, {srv, V}};
init({telling, Pid}) -> process_flag(trap_exit, true), {ok, {srv, {tell, Pid}}};
init({continuing, V}) -> {ok, {srv, V}, {continue, {set, {continued, V}}}};
init({hibernating, V}) -> {ok, {srv, V}, hibernate};
init(server_stop) -> {stop, no_reason};
init(server_shutdown) -> {stop, {shutdown, early}};
init(server_ignore) -> ignore;
init(server_crash) -> error(init_failed);
init(server_exit) -> exit(init_exited);
init(server_throw) -> throw({ok, {srv, thrown}});
init(server_bad) -> not_a_result;
init({once, Table}) ->
    case ets:update_counter(Table, starts, 1) of
        1 -> {ok, {srv, first}};
        _ -> {stop, only_once}
    end;
init({counting, Table, Id}) ->
    {ok, {srv, {Id, ets:update_counter(Table, Id, 1, {Id, 0})}}};
%% supervisor
init({sup, Strategy, Intensity, Children}) ->
    {ok, {#{strategy => Strategy, intensity => Intensity, period => 5}, Children}};
init({sup_result, Result}) -> Result;
%% supervisor_bridge
init({bridge, Tell}) ->
    {ok, Child} = gen_server:start_link(?MODULE, {server, 1}, []),
    Tell ! {child, Child},
    {ok, Child, {srv, Tell}};
%% gen_event
init({event, V}) -> {ok, {evt, V}};
init({{event, V}, Old}) -> {ok, {evt, {V, Old}}};
init(event_error) -> {error, no_handler};
init(event_crash) -> error(handler_failed);
%% gen_statem
init({statem, State}) -> {ok, State, data};
init({statem, State, Actions}) -> {ok, State, data, Actions};
init(statem_stop) -> {stop, no_machine};
init(statem_ignore) -> ignore.

handle_call(get, _, {srv, V} = S) -> {reply, V, S};
handle_call({set, V}, _, {srv, Old}) -> {reply, Old, {srv, V}};
handle_call(crash, _, _) -> error(call_failed);
handle_call(exit, _, _) -> exit(call_exited);
handle_call(throw, _, S) -> throw({reply, thrown, S});
handle_call(bad, _, _) -> not_a_result;
handle_call(stop, _, S) -> {stop, normal, stopped, S};
handle_call({stop, Reason}, _, S) -> {stop, Reason, stopped, S};
handle_call({stop_silent, Reason}, _, S) -> {stop, Reason, S};
handle_call(later, From, {srv, V} = S) -> gen_server:cast(self(), {reply, From, V}), {noreply, S};
handle_call(continue, From, S) -> {noreply, S, {continue, {reply, From, continued}}};
handle_call(hibernate, _, S) -> {reply, ok, S, hibernate};
handle_call({call, Pid, Request}, _, S) -> {reply, catch gen_server:call(Pid, Request, infinity), S};
handle_call(state_of_self, _, S) -> {reply, catch gen_server:call(self(), get, infinity), S}.

handle_cast({set, V}, _) -> {noreply, {srv, V}};
handle_cast({reply, From, V}, S) -> gen_server:reply(From, V), {noreply, S};
handle_cast(crash, _) -> error(cast_failed);
handle_cast({stop, Reason}, S) -> {stop, Reason, S}.

handle_info(Message, {evt, V}) -> {ok, {evt, [{info, Message} | V]}};
handle_info(crash, {srv, _}) -> error(info_failed);
handle_info(Message, {srv, V}) -> {noreply, {srv, {info, Message, V}}}.

handle_continue({set, V}, _) -> {noreply, {srv, V}};
handle_continue({reply, From, V}, S) -> gen_server:reply(From, V), {noreply, S}.

terminate(Reason, {srv, {tell, Pid}}) -> Pid ! {terminated, Reason};
terminate(Reason, {srv, Pid}) when is_pid(Pid) -> Pid ! {terminated, Reason};
terminate(swapped, {evt, V}) -> V;
terminate(Reason, {evt, Pid}) when is_pid(Pid) -> Pid ! {handler_terminated, Reason};
terminate(Reason, {evt, V}) -> {terminated, Reason, V};
terminate(_, _) -> ok.

code_change(_, S, _) -> {ok, S}.

%% gen_statem

callback_mode() -> handle_event_function.

handle_event({call, From}, get, State, _) -> {keep_state_and_data, [{reply, From, State}]};
handle_event({call, From}, {go, To}, State, Data) -> {next_state, To, Data, [{reply, From, {State, To}}]};
handle_event({call, _}, crash, _, _) -> error(statem_failed);
handle_event({call, _}, postponed, locked, _) -> {keep_state_and_data, [postpone]};
handle_event({call, From}, postponed, State, _) -> {keep_state_and_data, [{reply, From, {at, State}}]};
handle_event({call, From}, internal, _, Data) ->
    {keep_state, Data, [{next_event, internal, {answer, From}}]};
handle_event(internal, {answer, From}, State, _) -> {keep_state_and_data, [{reply, From, {internal, State}}]};
handle_event(cast, unlock, locked, Data) -> {next_state, unlocked, Data};
handle_event(cast, stop, _, _) -> {stop, normal};
handle_event({call, From}, stop, _, _) -> {stop_and_reply, normal, [{reply, From, stopping}]};
handle_event(info, Message, _, Data) -> {next_state, {info, Message}, Data};
handle_event(timeout, zero, State, Data) -> {next_state, {zero, State}, Data}.

terminate(_, _, _) -> ok.

%% gen_event

handle_event(crash, {evt, _}) -> error(event_failed);
handle_event(remove, {evt, _}) -> remove_handler;
handle_event({swap, V}, S) -> {swap_handler, swapped, S, {otp_scenarios, V}, {event, V}};
handle_event(Event, {evt, Pid} = S) when is_pid(Pid) -> Pid ! {handled, Event}, {ok, S};
handle_event(Event, {evt, V}) -> {ok, {evt, [Event | V]}}.

handle_call(get, {evt, V} = S) -> {ok, V, S};
handle_call(crash, {evt, _}) -> error(event_call_failed);
handle_call(remove, {evt, _}) -> {remove_handler, removed}.

%% Helpers

init_ack(Parent, V) ->
    proc_lib:init_ack(Parent, {ok, self()}),
    loop(V).

failing_start() -> error(start_failed).

loop(V) ->
    receive
        {get, From} -> From ! {value, V}, loop(V);
        crash -> error(loop_failed);
        {exit, Reason} -> exit(Reason);
        stop -> ok
    end.

server(V) -> {ok, P} = gen_server:start(?MODULE, {server, V}, []), P.
call(P, R) -> gen_server:call(P, R, infinity).
caught(F) -> try {ok, F()} catch C:R -> {C, R} end.
down(P) -> Ref = monitor(process, P), receive {'DOWN', Ref, _, _, Reason} -> Reason end.
crashed(P, Message) ->
    Ref = monitor(process, P),
    P ! Message,
    receive {'DOWN', Ref, _, _, Reason} -> Reason end.
trapped() -> receive {'EXIT', _, Reason} -> Reason end.

child(Id) -> child(Id, permanent).
child(Id, Restart) ->
    #{id => Id, start => {gen_server, start_link, [?MODULE, {server, Id}, []]}, restart => Restart}.
sup(Strategy, Children) -> sup(Strategy, 3, Children).
sup(Strategy, Intensity, Children) ->
    {ok, S} = supervisor:start_link(?MODULE, {sup, Strategy, Intensity, Children}),
    S.
pid_of(S, Id) -> {Id, Pid, _, _} = lists:keyfind(Id, 1, supervisor:which_children(S)), Pid.

%% Kills a child and returns its successor.
kill_child(S, Id) ->
    Old = pid_of(S, Id),
    exit(Old, kill),
    await_other(S, Id, Old, 20).

await_other(S, Id, Old, N) when N > 0 ->
    case pid_of(S, Id) of
        Old -> await_other(S, Id, Old, N - 1);
        New -> New
    end;
await_other(_, _, _, 0) -> not_restarted.

counted(Table) -> lists:sort(ets:tab2list(Table)).
counting(Table, Id) ->
    #{id => Id, start => {gen_server, start_link, [?MODULE, {counting, Table, Id}, []]}}.
event_manager() -> {ok, M} = gen_event:start(), M.

names() -> [
    server_call, server_start_link, server_named, server_named_twice, server_cast, server_info, server_later,
    server_continue, server_init_continue, server_call_stop, server_call_stop_reason, server_stop_without_reply,
    server_crash, server_exit, server_throw, server_bad_reply, server_cast_crash, server_info_crash,
    server_call_dead, server_call_unknown_name, server_call_self, server_init_stop, server_init_shutdown,
    server_init_ignore, server_init_crash, server_init_exit, server_init_throw, server_init_bad,
    server_start_link_crash, server_stop, server_stop_reason, server_stop_dead, server_terminate,
    server_terminate_by_parent, server_no_terminate_without_trap, server_global, server_global_twice,
    server_hibernate, server_init_hibernate, server_start_monitor,
    server_abcast, server_chain, server_get_state, server_replace_state, server_suspend, server_get_status,
    server_enter_loop, server_exit_signal, server_kill, server_shutdown_signal,
    statem_call, statem_go, statem_postpone, statem_internal, statem_info, statem_crash, statem_stop,
    statem_stop_and_reply, statem_init_stop, statem_init_ignore, statem_named, statem_next_event_at_start,
    statem_cast_stop, statem_timeout_zero,
    event_notify, event_sync_notify, event_call, event_add_twice, event_delete, event_swap, event_crash,
    event_call_crash, event_remove, event_init_error, event_init_crash, event_which, event_named, event_info,
    event_stop, event_sup_handler, event_sup_handler_owner_ends, event_bad_handler, event_self_swap,
    sup_start, sup_which, sup_count, sup_one_for_one, sup_one_for_all, sup_rest_for_one, sup_transient_normal,
    sup_transient_crash, sup_temporary, sup_intensity, sup_start_child, sup_start_child_twice,
    sup_terminate_child, sup_restart_child, sup_delete_child, sup_delete_running, sup_get_childspec,
    sup_child_fails, sup_second_child_fails, sup_ignore_child, sup_bad_spec, sup_bad_strategy, sup_init_ignore,
    sup_stop, sup_shutdown_order, sup_brutal_kill, sup_simple, sup_simple_restart, sup_simple_terminate,
    sup_restart_fails, sup_nested, sup_named, sup_significant, sup_check_childspecs, sup_bridge,
    sup_bridge_child_ends, sup_via_global,
    proc_spawn_crash, proc_spawn_link_crash, proc_start_link, proc_start_link_crash, proc_initial_call,
    proc_ancestors, proc_stop, proc_hibernate, proc_translate,
    persistent_put_get, persistent_erase, persistent_default, atomics_all, atomics_errors, counters_all,
    global_names, global_send, global_name_of_dead, pg_members, pg_other_process, rpc_call, rpc_crash,
    erpc_call, erpc_crash, erpc_exit, env_set, env_default, env_kernel, logger_calls, rand_seeded,
    own_node, send_to_own_node, spawn_on_own_node, code_loaded
].

run(server_call) -> P = server(1), [call(P, get), call(P, {set, 2}), call(P, get)];
run(server_start_link) -> {ok, P} = gen_server:start_link(?MODULE, {server, 1}, []), {call(P, get), links_to(P)};
run(server_named) ->
    {ok, P} = gen_server:start({local, named}, ?MODULE, {server, 1}, []),
    {whereis(named) =:= P, call(named, get), process_info(P, registered_name)};
run(server_named_twice) ->
    {ok, P} = gen_server:start({local, named}, ?MODULE, {server, 1}, []),
    {error, {already_started, Q}} = gen_server:start({local, named}, ?MODULE, {server, 2}, []),
    {P =:= Q, call(named, get)};
run(server_cast) -> P = server(1), {gen_server:cast(P, {set, 5}), call(P, get)};
run(server_info) -> P = server(1), P ! hello, call(P, get);
run(server_later) -> call(server(3), later);
run(server_continue) -> call(server(1), continue);
run(server_init_continue) -> {ok, P} = gen_server:start(?MODULE, {continuing, 1}, []), call(P, get);
run(server_call_stop) -> P = server(1), R = monitor(process, P), A = call(P, stop), {A, receive {'DOWN', R, _, _, Why} -> Why end};
run(server_call_stop_reason) -> P = server(1), R = monitor(process, P), A = call(P, {stop, because}), {A, receive {'DOWN', R, _, _, Why} -> Why end};
run(server_stop_without_reply) -> P = server(1), caught(fun() -> call(P, {stop_silent, because}) end);
run(server_crash) -> P = server(1), caught(fun() -> call(P, crash) end);
run(server_exit) -> P = server(1), caught(fun() -> call(P, exit) end);
run(server_throw) -> P = server(1), call(P, throw);
run(server_bad_reply) -> P = server(1), caught(fun() -> call(P, bad) end);
run(server_cast_crash) -> P = server(1), R = monitor(process, P), gen_server:cast(P, crash), receive {'DOWN', R, _, _, Why} -> Why end;
run(server_info_crash) -> crashed(server(1), crash);
run(server_call_dead) -> P = server(1), call(P, stop), down(P), caught(fun() -> call(P, get) end);
run(server_call_unknown_name) -> caught(fun() -> call(no_such_name, get) end);
run(server_call_self) -> call(server(1), state_of_self);
run(server_init_stop) -> {gen_server:start(?MODULE, server_stop, []), caught(fun() -> process_flag(trap_exit, true), A = gen_server:start_link(?MODULE, server_stop, []), {A, trapped()} end)};
run(server_init_shutdown) -> gen_server:start(?MODULE, server_shutdown, []);
run(server_init_ignore) -> gen_server:start(?MODULE, server_ignore, []);
run(server_init_crash) -> gen_server:start(?MODULE, server_crash, []);
run(server_init_exit) -> gen_server:start(?MODULE, server_exit, []);
run(server_init_throw) -> {ok, P} = gen_server:start(?MODULE, server_throw, []), call(P, get);
run(server_init_bad) -> gen_server:start(?MODULE, server_bad, []);
run(server_start_link_crash) -> process_flag(trap_exit, true), A = gen_server:start_link(?MODULE, server_crash, []), {A, trapped()};
run(server_stop) -> P = server(1), R = monitor(process, P), A = gen_server:stop(P), {A, receive {'DOWN', R, _, _, Why} -> Why end};
run(server_stop_reason) -> P = server(1), R = monitor(process, P), A = gen_server:stop(P, because, infinity), {A, receive {'DOWN', R, _, _, Why} -> Why end};
run(server_stop_dead) -> P = server(1), gen_server:stop(P), caught(fun() -> gen_server:stop(P) end);
run(server_terminate) -> {ok, P} = gen_server:start(?MODULE, {telling, self()}, []), gen_server:stop(P), receive {terminated, Why} -> Why end;
run(server_terminate_by_parent) ->
    Me = self(),
    Parent = spawn(fun() -> {ok, P} = gen_server:start_link(?MODULE, {telling, Me}, []), Me ! {server, P}, receive stop -> exit(parent_stops) end end),
    P = receive {server, S} -> S end,
    R = monitor(process, P),
    Parent ! stop,
    Told = receive {terminated, Why} -> Why end,
    {Told, receive {'DOWN', R, _, _, End} -> End end};
run(server_no_terminate_without_trap) ->
    {ok, P} = gen_server:start(?MODULE, {server, self()}, []),
    R = monitor(process, P),
    exit(P, struck),
    Why = receive {'DOWN', R, _, _, W} -> W end,
    {Why, receive {terminated, _} -> told after 0 -> not_told end};
run(server_global) -> {ok, _} = gen_server:start({global, {g, 1}}, ?MODULE, {server, 1}, []), call({global, {g, 1}}, get);
run(server_global_twice) ->
    {ok, _} = gen_server:start({global, g}, ?MODULE, {server, 1}, []),
    gen_server:start({global, g}, ?MODULE, {server, 2}, []);
run(server_hibernate) -> P = server(1), [call(P, hibernate), call(P, get)];
run(server_init_hibernate) -> {ok, P} = gen_server:start(?MODULE, {hibernating, 1}, []), P ! wake, call(P, get);
run(server_start_monitor) -> {ok, {P, R}} = gen_server:start_monitor(?MODULE, {server, 1}, []), exit(P, kill), receive {'DOWN', R, process, P, Why} -> Why end;
run(server_abcast) ->
    {ok, P} = gen_server:start({local, casted}, ?MODULE, {server, 1}, []),
    A = gen_server:abcast([node()], casted, {set, 2}),
    {A, call(P, get)};
run(server_chain) -> A = server(1), B = server(2), [call(A, {call, B, get}), call(A, {call, B, crash})];
run(server_get_state) -> sys:get_state(server(4), infinity);
run(server_replace_state) -> P = server(1), S = sys:replace_state(P, fun({srv, V}) -> {srv, {new, V}} end, infinity), {S, call(P, get)};
run(server_suspend) -> P = server(1), A = sys:suspend(P, infinity), B = sys:resume(P, infinity), {A, B, call(P, get)};
run(server_get_status) -> {status, _, {module, M}, [_, State, _, _, _]} = sys:get_status(server(1), infinity), {M, State};
run(server_enter_loop) ->
    P = proc_lib:spawn(fun() -> gen_server:enter_loop(?MODULE, [], {srv, entered}) end),
    call(P, get);
run(server_exit_signal) -> P = server(1), exit(P, struck), down(P) =/= no;
run(server_kill) -> {ok, P} = gen_server:start(?MODULE, {trapping, 1}, []), R = monitor(process, P), exit(P, kill), receive {'DOWN', R, _, _, Why} -> Why end;
run(server_shutdown_signal) -> {ok, P} = gen_server:start(?MODULE, {trapping, 1}, []), exit(P, shutdown), call(P, get);

run(statem_call) -> P = statem(locked), gen_statem:call(P, get, infinity);
run(statem_go) -> P = statem(a), [gen_statem:call(P, {go, b}, infinity), gen_statem:call(P, get, infinity)];
run(statem_postpone) -> P = statem(locked), Me = self(), spawn(fun() -> Me ! {answer, gen_statem:call(P, postponed, infinity)} end), gen_statem:cast(P, unlock), receive {answer, A} -> A end;
run(statem_internal) -> gen_statem:call(statem(x), internal, infinity);
run(statem_info) -> P = statem(x), P ! hello, gen_statem:call(P, get, infinity);
run(statem_crash) -> P = statem(x), caught(fun() -> gen_statem:call(P, crash, infinity) end);
run(statem_stop) -> P = statem(x), R = monitor(process, P), A = gen_statem:stop(P), {A, receive {'DOWN', R, _, _, Why} -> Why end};
run(statem_stop_and_reply) -> P = statem(x), R = monitor(process, P), A = gen_statem:call(P, stop, infinity), {A, receive {'DOWN', R, _, _, Why} -> Why end};
run(statem_init_stop) -> gen_statem:start(?MODULE, statem_stop, []);
run(statem_init_ignore) -> gen_statem:start(?MODULE, statem_ignore, []);
run(statem_named) -> {ok, _} = gen_statem:start({local, machine}, ?MODULE, {statem, x}, []), gen_statem:call(machine, get, infinity);
run(statem_next_event_at_start) -> {ok, P} = gen_statem:start(?MODULE, {statem, x, [{next_event, info, first}]}, []), gen_statem:call(P, get, infinity);
run(statem_cast_stop) -> P = statem(x), R = monitor(process, P), gen_statem:cast(P, stop), receive {'DOWN', R, _, _, Why} -> Why end;
run(statem_timeout_zero) -> {ok, P} = gen_statem:start(?MODULE, {statem, x, [{timeout, 0, zero}]}, []), gen_statem:call(P, get, infinity);

run(event_notify) -> M = event_manager(), A = gen_event:add_handler(M, ?MODULE, {event, []}), gen_event:notify(M, one), gen_event:notify(M, two), {A, gen_event:call(M, ?MODULE, get, infinity)};
run(event_sync_notify) -> M = event_manager(), gen_event:add_handler(M, ?MODULE, {event, []}), A = gen_event:sync_notify(M, one), {A, gen_event:call(M, ?MODULE, get, infinity)};
run(event_call) -> M = event_manager(), gen_event:add_handler(M, {?MODULE, a}, {event, 1}), gen_event:call(M, {?MODULE, a}, get, infinity);
run(event_add_twice) -> M = event_manager(), [gen_event:add_handler(M, ?MODULE, {event, []}) || _ <- [1, 2]];
run(event_delete) -> M = event_manager(), gen_event:add_handler(M, ?MODULE, {event, 7}), [gen_event:delete_handler(M, ?MODULE, done), gen_event:which_handlers(M)];
run(event_swap) -> M = event_manager(), gen_event:add_handler(M, {?MODULE, a}, {event, old}), A = gen_event:swap_handler(M, {{?MODULE, a}, swapped}, {{?MODULE, b}, {event, x}}), {A, gen_event:which_handlers(M)};
run(event_self_swap) -> M = event_manager(), gen_event:add_handler(M, {?MODULE, a}, {event, old}), gen_event:sync_notify(M, {swap, b}), gen_event:which_handlers(M);
run(event_crash) -> M = event_manager(), gen_event:add_handler(M, ?MODULE, {event, []}), gen_event:notify(M, crash), {gen_event:which_handlers(M), is_process_alive(M)};
run(event_call_crash) -> M = event_manager(), gen_event:add_handler(M, ?MODULE, {event, []}), A = gen_event:call(M, ?MODULE, crash, infinity), {A, gen_event:which_handlers(M)};
run(event_remove) -> M = event_manager(), gen_event:add_handler(M, ?MODULE, {event, []}), A = gen_event:call(M, ?MODULE, remove, infinity), {A, gen_event:which_handlers(M)};
run(event_init_error) -> M = event_manager(), gen_event:add_handler(M, ?MODULE, event_error);
run(event_init_crash) -> M = event_manager(), gen_event:add_handler(M, ?MODULE, event_crash);
run(event_which) -> M = event_manager(), [gen_event:add_handler(M, {?MODULE, I}, {event, []}) || I <- [1, 2]], gen_event:which_handlers(M);
run(event_named) -> {ok, M} = gen_event:start({local, manager}), {gen_event:start({local, manager}), gen_event:which_handlers(manager), whereis(manager) =:= M};
run(event_info) -> M = event_manager(), gen_event:add_handler(M, ?MODULE, {event, []}), M ! hello, gen_event:call(M, ?MODULE, get, infinity);
run(event_stop) -> M = event_manager(), gen_event:add_handler(M, ?MODULE, {event, self()}), A = gen_event:stop(M), {A, receive {handler_terminated, Why} -> Why end};
run(event_sup_handler) -> M = event_manager(), gen_event:add_sup_handler(M, ?MODULE, {event, []}), gen_event:notify(M, crash), receive {gen_event_EXIT, H, Why} -> {H, Why} end;
run(event_sup_handler_owner_ends) ->
    M = event_manager(),
    Me = self(),
    {_, R} = spawn_monitor(fun() -> gen_event:add_sup_handler(M, ?MODULE, {event, Me}), exit(owner_ends) end),
    receive {'DOWN', R, _, _, _} -> ok end,
    receive {handler_terminated, Why} -> Why end;
run(event_bad_handler) -> M = event_manager(), {gen_event:call(M, none, get, infinity), gen_event:delete_handler(M, none, x)};

run(sup_start) -> S = sup(one_for_one, [child(a), child(b)]), call(pid_of(S, a), get);
run(sup_which) -> supervisor:which_children(sup(one_for_one, [child(a), child(b, temporary)]));
run(sup_count) -> supervisor:count_children(sup(one_for_one, [child(a), child(b, temporary)]));
run(sup_one_for_one) -> T = ets:new(t, [public]), S = sup(one_for_one, [counting(T, a), counting(T, b)]), _ = kill_child(S, a), counted(T);
run(sup_one_for_all) -> T = ets:new(t, [public]), S = sup(one_for_all, [counting(T, a), counting(T, b)]), _ = kill_child(S, a), counted(T);
run(sup_rest_for_one) -> T = ets:new(t, [public]), S = sup(rest_for_one, [counting(T, a), counting(T, b), counting(T, c)]), _ = kill_child(S, b), counted(T);
run(sup_transient_normal) -> S = sup(one_for_one, [child(a, transient)]), call(pid_of(S, a), stop), P = pid_of(S, a), {P =:= undefined orelse await_undefined(S, a, 20), supervisor:count_children(S)};
run(sup_transient_crash) -> S = sup(one_for_one, [child(a, transient)]), P = pid_of(S, a), catch call(P, crash), call(await_other(S, a, P, 20), get);
run(sup_temporary) -> S = sup(one_for_one, [child(a, temporary)]), P = pid_of(S, a), exit(P, kill), await_children(S, 0, 20);
run(sup_intensity) -> process_flag(trap_exit, true), S = sup(one_for_one, 0, [child(a)]), exit(pid_of(S, a), kill), trapped();
run(sup_start_child) -> S = sup(one_for_one, []), {ok, P} = supervisor:start_child(S, child(x)), call(P, get);
run(sup_start_child_twice) -> S = sup(one_for_one, [child(x)]), supervisor:start_child(S, child(x));
run(sup_terminate_child) -> S = sup(one_for_one, [child(x)]), {supervisor:terminate_child(S, x), supervisor:start_child(S, child(x)), supervisor:terminate_child(S, y), supervisor:which_children(S)};
run(sup_restart_child) -> S = sup(one_for_one, [child(x)]), A = supervisor:restart_child(S, x), supervisor:terminate_child(S, x), {A, supervisor:restart_child(S, x), supervisor:restart_child(S, y)};
run(sup_delete_child) -> S = sup(one_for_one, [child(x)]), supervisor:terminate_child(S, x), {supervisor:delete_child(S, x), supervisor:which_children(S), supervisor:delete_child(S, x)};
run(sup_delete_running) -> supervisor:delete_child(sup(one_for_one, [child(x)]), x);
run(sup_get_childspec) -> supervisor:get_childspec(sup(one_for_one, [child(x)]), x);
run(sup_child_fails) -> process_flag(trap_exit, true), A = supervisor:start_link(?MODULE, {sup, one_for_one, 1, [#{id => x, start => {gen_server, start_link, [?MODULE, server_stop, []]}}]}), {A, trapped()};
run(sup_second_child_fails) -> process_flag(trap_exit, true), A = supervisor:start_link(?MODULE, {sup, one_for_one, 1, [#{id => t, start => {gen_server, start_link, [?MODULE, {telling, self()}, []]}}, #{id => x, start => {gen_server, start_link, [?MODULE, server_crash, []]}}]}), {A, receive {terminated, Why} -> Why end, trapped()};
run(sup_ignore_child) -> S = sup(one_for_one, [#{id => x, start => {gen_server, start_link, [?MODULE, server_ignore, []]}}]), supervisor:which_children(S);
run(sup_bad_spec) -> process_flag(trap_exit, true), {supervisor:start_link(?MODULE, {sup, one_for_one, 1, [#{id => x}]}), trapped()};
run(sup_bad_strategy) -> process_flag(trap_exit, true), {supervisor:start_link(?MODULE, {sup, no_strategy, 1, []}), trapped()};
run(sup_init_ignore) -> supervisor:start_link(?MODULE, {sup_result, ignore});
run(sup_stop) -> process_flag(trap_exit, true), S = sup(one_for_one, [child(a)]), P = pid_of(S, a), R = monitor(process, P), gen_server:stop(S), {receive {'DOWN', R, _, _, Why} -> Why end, trapped()};
run(sup_shutdown_order) ->
    process_flag(trap_exit, true),
    Tell = fun(Id) -> #{id => Id, start => {gen_server, start_link, [?MODULE, {telling, self()}, []]}} end,
    S = sup(one_for_one, [Tell(a), Tell(b)]),
    Names = [{pid_of(S, Id), Id} || Id <- [a, b]],
    Refs = [{monitor(process, P), Id} || {P, Id} <- Names],
    exit(S, shutdown),
    trapped(),
    [receive {'DOWN', R, _, _, Why} -> {proplists:get_value(R, Refs), Why} end || _ <- Refs];
run(sup_brutal_kill) -> S = sup(one_for_one, [(child(a))#{shutdown => brutal_kill}]), R = monitor(process, pid_of(S, a)), A = supervisor:terminate_child(S, a), {A, receive {'DOWN', R, _, _, Why} -> Why end};
run(sup_simple) -> S = simple(permanent), {ok, P} = supervisor:start_child(S, [{server, 1}, []]), {ok, Q} = supervisor:start_child(S, [{server, 2}, []]), {call(P, get), call(Q, get), supervisor:count_children(S)};
run(sup_simple_restart) -> S = simple(permanent), {ok, P} = supervisor:start_child(S, [{server, 1}, []]), exit(P, kill), await_simple(S, P, 20);
run(sup_simple_terminate) -> S = simple(temporary), {ok, P} = supervisor:start_child(S, [{server, 1}, []]), {supervisor:terminate_child(S, P), supervisor:which_children(S), supervisor:terminate_child(S, x)};
run(sup_restart_fails) -> process_flag(trap_exit, true), T = ets:new(t, [public]), ets:insert(T, {starts, 0}), S = sup(one_for_one, 2, [#{id => x, start => {gen_server, start_link, [?MODULE, {once, T}, []]}}]), exit(pid_of(S, x), kill), {trapped(), ets:lookup(T, starts)};
run(sup_nested) -> S = sup(one_for_one, [#{id => inner, type => supervisor, start => {supervisor, start_link, [?MODULE, {sup, one_for_all, 1, [child(a)]}]}}]), I = pid_of(S, inner), {call(pid_of(I, a), get), supervisor:which_children(S)};
run(sup_named) -> {ok, S} = supervisor:start_link({local, my_sup}, ?MODULE, {sup, one_for_one, 1, [child(a)]}), {supervisor:which_children(my_sup), whereis(my_sup) =:= S};
run(sup_via_global) -> {ok, _} = supervisor:start_link({global, my_sup}, ?MODULE, {sup, one_for_one, 1, [child(a)]}), supervisor:which_children({global, my_sup});
run(sup_significant) -> process_flag(trap_exit, true), {ok, S} = supervisor:start_link(?MODULE, {sup_result, {ok, {#{auto_shutdown => any_significant}, [(child(a, transient))#{significant => true}]}}}), call(pid_of(S, a), stop), trapped();
run(sup_check_childspecs) -> [supervisor:check_childspecs([child(a)]), supervisor:check_childspecs([child(a), child(a)]), supervisor:check_childspecs([#{}])];
run(sup_bridge) -> {ok, B} = supervisor_bridge:start_link(?MODULE, {bridge, self()}), unlink(B), gen_server:stop(B), receive {terminated, Why} -> Why end;
run(sup_bridge_child_ends) -> process_flag(trap_exit, true), Me = self(), {ok, B} = supervisor_bridge:start_link(?MODULE, {bridge, Me}), true = is_process_alive(B), receive {child, Child} -> exit(Child, child_ends) end, trapped();

run(proc_spawn_crash) -> crashed(proc_lib:spawn(?MODULE, loop, [1]), crash);
run(proc_spawn_link_crash) -> process_flag(trap_exit, true), P = proc_lib:spawn_link(?MODULE, loop, [1]), P ! crash, trapped();
run(proc_start_link) -> {ok, P} = proc_lib:start_link(?MODULE, init_ack, [self(), 7]), value(P);
run(proc_start_link_crash) -> process_flag(trap_exit, true), proc_lib:start_link(?MODULE, failing_start, []);
run(proc_initial_call) -> Me = self(), proc_lib:spawn(fun() -> Me ! {call, proc_lib:initial_call(self())} end), receive {call, C} -> C end;
run(proc_ancestors) -> Me = self(), proc_lib:spawn(fun() -> Me ! {is, [hd(get('$ancestors')) =:= Me, length(get('$ancestors'))]} end), receive {is, X} -> X end;
run(proc_stop) -> {ok, P} = gen_server:start(?MODULE, {telling, self()}, []), A = proc_lib:stop(P, because, infinity), {A, receive {terminated, Why} -> Why end};
run(proc_hibernate) -> P = proc_lib:spawn(fun() -> proc_lib:hibernate(?MODULE, loop, [9]) end), value(P);
run(proc_translate) -> P = server(1), proc_lib:translate_initial_call([P]);

run(persistent_put_get) -> persistent_term:put({t, 1}, x), persistent_term:get({t, 1});
run(persistent_erase) -> persistent_term:put({t, 2}, x), [persistent_term:erase({t, 2}), persistent_term:erase({t, 2}), caught(fun() -> persistent_term:get({t, 2}) end)];
run(persistent_default) -> persistent_term:get({t, never}, none);
run(atomics_all) ->
    A = atomics:new(3, [{signed, false}]),
    [atomics:put(A, 1, 5), atomics:add(A, 1, 2), atomics:add_get(A, 1, 2), atomics:sub(A, 1, 1), atomics:sub_get(A, 1, 1),
     atomics:exchange(A, 1, 18446744073709551615), atomics:add_get(A, 1, 3), atomics:compare_exchange(A, 1, 2, 9),
     atomics:compare_exchange(A, 1, 2, 9), atomics:get(A, 1), atomics:get(A, 2), maps:remove(memory, atomics:info(A))];
run(atomics_errors) ->
    A = atomics:new(1, []),
    [caught(F) || F <- [fun() -> atomics:get(A, 0) end, fun() -> atomics:get(A, 2) end, fun() -> atomics:put(A, 1, x) end,
        fun() -> atomics:put(A, 1, 1 bsl 63) end, fun() -> atomics:new(0, []) end, fun() -> atomics:get(x, 1) end,
        fun() -> atomics:put(A, 1, -(1 bsl 63)) end, fun() -> atomics:sub_get(A, 1, 1) end]];
run(counters_all) ->
    [begin
        C = counters:new(2, Options),
        [counters:add(C, 1, 5), counters:sub(C, 1, 2), counters:get(C, 1), counters:put(C, 2, 7), counters:get(C, 2),
         caught(fun() -> counters:get(C, 3) end), maps:get(size, counters:info(C))]
     end || Options <- [[], [atomics], [write_concurrency]]];
run(global_names) -> [global:register_name({n, 1}, self()), global:register_name({n, 1}, self()), global:whereis_name({n, 1}) =:= self(), global:unregister_name({n, 1}), global:whereis_name({n, 1})];
run(global_send) -> global:register_name(me, self()), P = global:send(me, hello), [P =:= self(), receive hello -> got end, caught(fun() -> global:send(nobody, hello) end)];
run(global_name_of_dead) -> {P, R} = spawn_monitor(fun() -> ok end), receive {'DOWN', R, _, _, _} -> ok end, _ = P, global:whereis_name(never_registered);
run(pg_members) -> {ok, _} = pg:start_link(scope), [pg:join(scope, g, self()), pg:get_members(scope, g), pg:which_groups(scope), pg:leave(scope, g, self()), pg:get_members(scope, g), pg:leave(scope, g, self())];
run(pg_other_process) ->
    {ok, _} = pg:start_link(scope),
    P = spawn(fun() -> receive stop -> ok end end),
    pg:join(scope, g, P),
    A = length(pg:get_members(scope, g)),
    pg:leave(scope, g, P),
    P ! stop,
    {A, pg:get_local_members(scope, g)};
run(rpc_call) -> rpc:call(node(), lists, reverse, [[1, 2]]);
run(rpc_crash) -> rpc:call(node(), erlang, hd, [[]]);
run(erpc_call) -> erpc:call(node(), lists, reverse, [[1, 2]], infinity);
run(erpc_crash) -> caught(fun() -> erpc:call(node(), erlang, hd, [[]], infinity) end);
run(erpc_exit) -> caught(fun() -> erpc:call(node(), erlang, exit, [bye], infinity) end);
run(env_set) -> [application:get_env(my_app, k), application:set_env(my_app, k, 1), application:get_env(my_app, k), application:get_env(my_app, k, d), application:unset_env(my_app, k), application:get_env(my_app, k)];
run(env_default) -> application:get_env(my_app, other, d);
run(env_kernel) -> application:get_key(stdlib, no_such_key);
run(logger_calls) -> [logger:error("x ~p", [1]), logger:log(warning, #{a => 1}), logger:info("y"), error_logger:error_msg("z~n"), error_logger:info_report([{a, 1}])];
run(rand_seeded) -> rand:seed(exsss, {1, 2, 3}), [rand:uniform(1000), rand:uniform(1000), rand:uniform()];
run(own_node) -> [node(), node(self()), nodes(), is_alive()];
run(send_to_own_node) -> register(here, self()), {here, node()} ! hello, receive hello -> got end;
run(spawn_on_own_node) -> Me = self(), spawn(node(), fun() -> Me ! hello end), receive hello -> got end;
run(code_loaded) -> [code:ensure_loaded(lists), code:ensure_loaded(no_such_module), code:which(no_such_module), code:is_loaded(no_such_module)].

statem(State) -> {ok, P} = gen_statem:start(?MODULE, {statem, State}, []), P.

simple(Restart) ->
    Child = #{id => w, start => {gen_server, start_link, [?MODULE]}, restart => Restart, shutdown => brutal_kill},
    sup(simple_one_for_one, [Child]).

await_simple(S, Old, N) when N > 0 ->
    case supervisor:which_children(S) of
        [{_, New, _, _}] when is_pid(New), New =/= Old -> call(New, get);
        _ -> await_simple(S, Old, N - 1)
    end;
await_simple(_, _, 0) -> not_restarted.

await_undefined(S, Id, N) when N > 0 -> pid_of(S, Id) =:= undefined orelse await_undefined(S, Id, N - 1);
await_undefined(_, _, 0) -> false.

await_children(S, Count, N) when N > 0 ->
    case supervisor:which_children(S) of
        Children when length(Children) =:= Count -> Children;
        _ -> await_children(S, Count, N - 1)
    end;
await_children(_, _, 0) -> too_many.

value(P) -> P ! {get, self()}, receive {value, V} -> P ! stop, V end.

links_to(P) -> {links, L} = process_info(self(), links), lists:member(P, L).
