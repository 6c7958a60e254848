%% Jobs for workers under an OTP supervisor. What if a worker dies?
%%
%%   mazurka check supervised_pool.erl --entry fixed/0 --kill supervised
%%
%% explores every point at which one worker can be killed. run/0 crashes with a worker that dies with its
%% job; fixed/0 gives the job to the worker that replaces it.
-module(supervised_pool).
-behaviour(gen_server).
-export([run/0, fixed/0]).
-export([start_worker/1, init/1, handle_call/3, handle_cast/2]).

run() ->
    start_pool(),
    receive
        {ready, Worker} -> done = gen_server:call(Worker, job)
    end.

fixed() ->
    start_pool(),
    do_job().

%% Until a worker has done it.
do_job() ->
    receive
        {ready, Worker} ->
            try
                done = gen_server:call(Worker, job)
            catch
                exit:{Reason, _} when Reason =:= killed; Reason =:= noproc -> do_job()
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

handle_call(job, _, Owner) ->
    {reply, done, Owner}.

handle_cast(_, Owner) ->
    {noreply, Owner}.
