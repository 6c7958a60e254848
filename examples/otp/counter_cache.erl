%% A gen_server that caches values. Clients count visits: each adds one to a value in the cache.
%%
%%     mazurka check counter_cache.erl --entry 'counter_cache:run(2)'     crash: a visit is lost
%%     mazurka check counter_cache.erl --entry 'counter_cache:fixed(2)'   no error
%%
%% Reading the value and writing it are two calls: between them the server may serve the other client.
%% A call that does both is one step of the server.
-module(counter_cache).
-behaviour(gen_server).
-export([run/1, fixed/1]).
-export([init/1, handle_call/3, handle_cast/2]).

run(N) ->
    check(N, fun read_and_write/1).

fixed(N) ->
    check(N, fun update/1).

check(N, Visit) ->
    {ok, Cache} = gen_server:start_link(?MODULE, [], []),
    Main = self(),
    Clients = [spawn(fun() -> Visit(Cache), Main ! {done, self()} end) || _ <- lists:seq(1, N)],
    [receive {done, Client} -> ok end || Client <- Clients],
    N = gen_server:call(Cache, {get, visits}, infinity).

read_and_write(Cache) ->
    Visits = gen_server:call(Cache, {get, visits}, infinity),
    gen_server:call(Cache, {put, visits, Visits + 1}, infinity).

update(Cache) ->
    gen_server:call(Cache, {update, visits, fun(Visits) -> Visits + 1 end}, infinity).

init([]) ->
    {ok, #{visits => 0}}.

handle_call({get, Key}, _From, Values) ->
    {reply, maps:get(Key, Values), Values};
handle_call({put, Key, Value}, _From, Values) ->
    {reply, ok, Values#{Key => Value}};
handle_call({update, Key, Update}, _From, Values) ->
    {reply, ok, maps:update_with(Key, Update, Values)}.

handle_cast(_Request, Values) ->
    {noreply, Values}.
