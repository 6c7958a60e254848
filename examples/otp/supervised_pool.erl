%% Jobs for workers under an OTP supervisor. What if a worker dies?
%%
%%   mazurka check supervised_pool.erl --entry fixed/0 --kill supervised --daemon gen
%%
%% explores every point at which one worker can be killed. run/0 loses the job of a worker that dies;
%% fixed/0 monitors its workers and gives the job to another one.
-module(supervised_pool).
-behaviour(gen_server).
-export([run/0, fixed/0]).
-export([start_worker/1, init/1, handle_call/3, handle_cast/2]).

run() ->
    start_pool(),
    receive
        {ready, Worker} -> gen_server:cast(Worker, {job, 1})
    end,
    receive
        {done, 1} -> ok
    end.

fixed() ->
    start_pool(),
    do([1]).

%% Until a worker has done all jobs.
do([]) ->
    ok;
do([Job | Jobs]) ->
    receive
        {ready, Worker} ->
            Monitor = monitor(process, Worker),
            gen_server:cast(Worker, {job, Job}),
            receive
                {done, Job} -> do(Jobs);
                {'DOWN', Monitor, process, Worker, _} -> do([Job | Jobs])
            end
    end.

%% A worker that dies in its init/1 is not restarted: it was never started.
start_pool() ->
    {ok, Supervisor} = supervisor:start_link(?MODULE, supervisor),
    unlink(Supervisor),
    start_child(Supervisor).

start_child(Supervisor) ->
    Worker = #{id => worker, start => {?MODULE, start_worker, [self()]}},
    case supervisor:start_child(Supervisor, Worker) of
        {ok, _} -> ok;
        {error, _} -> start_child(Supervisor)
    end.

start_worker(Owner) ->
    gen_server:start_link(?MODULE, {worker, Owner}, []).

init(supervisor) ->
    {ok, {#{intensity => 2}, []}};
init({worker, Owner}) ->
    Owner ! {ready, self()},
    {ok, Owner}.

handle_call(_, _, Owner) ->
    {noreply, Owner}.

handle_cast({job, Job}, Owner) ->
    Owner ! {done, Job},
    {noreply, Owner}.
