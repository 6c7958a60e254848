%% A supervisor with two gen_servers: a store, and a reader that asks the store when it starts. The store may
%% be killed at any time after its own start.
%%
%%     mazurka check start_order.erl --entry start_order:run/0     crash: the supervisor does not start
%%     mazurka check start_order.erl --entry start_order:fixed/0   no error
%%
%% If the store ends during the reader's init, the call fails, and with it the start of the supervisor.
%% A reader that asks after its init, and can do without an answer, starts in any case.
-module(start_order).
-export([run/0, fixed/0]).
-export([init/1, handle_continue/2, handle_call/3, handle_cast/2]).

run() ->
    check(reader).

fixed() ->
    check(patient_reader).

check(Reader) ->
    process_flag(trap_exit, true),
    {Killer, Reference} = spawn_monitor(fun() -> receive {store, Store} -> exit(Store, kill) end end),
    {ok, _} = supervisor:start_link(?MODULE, {supervisor, Killer, Reader}),
    receive {'DOWN', Reference, process, Killer, normal} -> ok end.

init({supervisor, Killer, Reader}) ->
    Start = fun(Id, Argument) ->
        #{id => Id, start => {gen_server, start_link, [{local, Id}, ?MODULE, Argument, []]}}
    end,
    {ok, {#{strategy => one_for_one}, [Start(store, {store, Killer}), Start(reader, Reader)]}};
init({store, Killer}) ->
    {ok, 1, {continue, {tell, Killer}}};
init(reader) ->
    {ok, gen_server:call(store, read, infinity)};
init(patient_reader) ->
    {ok, none, {continue, read}}.

handle_continue({tell, Killer}, Value) ->
    Killer ! {store, self()},
    {noreply, Value};
handle_continue(read, none) ->
    try gen_server:call(store, read, infinity) of
        Value -> {noreply, Value}
    catch
        exit:_ -> {noreply, none}
    end.

handle_call(read, _From, Value) ->
    {reply, Value, Value}.

handle_cast(_Request, Value) ->
    {noreply, Value}.
