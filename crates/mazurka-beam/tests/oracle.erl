%% Records results of the real virtual machine, for the tests of mazurka-beam.
-module(oracle).
-export([modules/2, terms/3]).

%% One record for each file of OTP and of other folders: its path, atoms, imports, exports, the number
%% of instructions of each function, and the text of its literals.
modules(Folders, Out) ->
    Paths = lists:append([filelib:wildcard(Folder ++ "/**/*.beam") || Folder <- [code:lib_dir() | Folders]]),
    {ok, File} = file:open(Out, [write, raw, delayed_write]),
    [ok = file:write(File, module(Path)) || Path <- Paths],
    ok = file:close(File).

module(Path) ->
    Chunks = [atoms, imports, exports, locals],
    {ok, {Name, [{atoms, Atoms}, {imports, Imports}, {exports, Exports}, {locals, Locals}]}} =
        beam_lib:chunks(Path, Chunks),
    {beam_file, Name, _, _, _, Code} = beam_disasm:file(Path),
    Functions = [{F, A, Entry, length(Is)} || {function, F, A, Entry, Is} <- Code],
    Line = {unicode:characters_to_binary(Path), [atom_to_binary(A) || {_, A} <- lists:sort(Atoms)],
            [mfa(I) || I <- lists:sort(Imports)],
            [fa(E) || E <- lists:sort(Exports)], [fa(L) || L <- lists:sort(Locals)],
            [{atom_to_binary(F), A, Entry, N} || {F, A, Entry, N} <- Functions],
            [literal(Literal) || Literal <- literals(Path)]},
    record(term_to_binary(Line)).

literals(Path) ->
    case beam_lib:chunks(Path, ["LitT"], [allow_missing_chunks]) of
        {ok, {_, [{_, missing_chunk}]}} ->
            [];
        {ok, {_, [{_, <<0:32, Table/binary>>}]}} ->
            literal_table(Table);
        {ok, {_, [{_, <<_:32, Compressed/binary>>}]}} ->
            literal_table(zlib:uncompress(Compressed))
    end.

literal_table(<<_Count:32, Table/binary>>) ->
    [binary_to_term(Literal) || <<Size:32, Literal:Size/binary>> <= Table].

%% Up to OTP 25, large maps are written in the order of an internal hash. Up to OTP 26, two words are
%% written without quotes.
literal(Term) ->
    case has(fun is_written_otherwise/1, Term) of
        true -> written_otherwise;
        false -> text(Term)
    end.

is_written_otherwise(Map) when is_map(Map) -> release() < 26 andalso map_size(Map) > 32;
is_written_otherwise(Word) -> release() < 27 andalso (Word =:= 'else' orelse Word =:= 'maybe').

%% Whether a term has such a part.
has(Is, Term) -> Is(Term) orelse has_part(Is, Term).

has_part(Is, Map) when is_map(Map) -> has(Is, maps:to_list(Map));
has_part(Is, Tuple) when is_tuple(Tuple) -> has(Is, tuple_to_list(Tuple));
has_part(Is, [Head | Tail]) -> has(Is, Head) orelse has(Is, Tail);
has_part(_, _) -> false.

text(Term) -> unicode:characters_to_binary(io_lib:format(format(), [Term])).

mfa({M, F, A}) -> {atom_to_binary(M), atom_to_binary(F), A}.
fa({F, A}) -> {atom_to_binary(F), A}.

%% Random terms in order, each with its ~w text and its comparison with the previous one. The first
%% record states whether zeros with different signs differ.
terms(Count, Seed, Out) ->
    rand:seed(exsss, Seed),
    Terms = lists:sort(special() ++ [term(rand:uniform(4)) || _ <- lists:seq(1, Count)]),
    {ok, File} = file:open(Out, [write, raw, delayed_write]),
    ok = file:write(File, record(term_to_binary(release() >= 27))),
    lists:foldl(
        fun(Term, Before) ->
            Line = {text(Term), Before == Term, Before =:= Term},
            ok = file:write(File, [record(term_to_binary(Line)), record(encoded(Term))]),
            Term
        end,
        first, Terms),
    ok = file:close(File).

release() -> list_to_integer(erlang:system_info(otp_release)).

%% Since OTP 26 maps are written in an internal order, unless another one is requested.
format() ->
    case release() >= 26 of
        true -> "~kw";
        false -> "~w"
    end.

record(Bytes) -> [<<(byte_size(Bytes)):32>>, Bytes].

%% The encodings differ; all must be readable.
encoded(Term) ->
    case rand:uniform(4) of
        1 -> term_to_binary(Term, [compressed]);
        2 -> term_to_binary(Term, [{minor_version, 0}]);
        3 -> term_to_binary(Term, [{minor_version, 1}]);
        4 -> term_to_binary(Term)
    end.

term(0) ->
    leaf(rand:uniform(11));
term(Depth) ->
    case rand:uniform(8) of
        1 -> list_to_tuple(terms(Depth));
        2 -> terms(Depth);
        3 -> terms(Depth) ++ term(0);
        4 -> maps:from_list([{term(Depth - 1), term(Depth - 1)} || _ <- some(6)]);
        5 -> closure(term(Depth - 1));
        _ -> leaf(rand:uniform(11))
    end.

terms(Depth) -> [term(Depth - 1) || _ <- some(4)].
some(Most) -> lists:seq(1, rand:uniform(Most + 1) - 1).

leaf(1) -> rand:uniform(5) - 3;
leaf(2) -> float(rand:uniform(5) - 3);
leaf(3) -> integer();
leaf(4) -> float();
leaf(5) -> near_float();
leaf(6) -> atom();
leaf(7) -> rand:bytes(rand:uniform(5) - 1);
leaf(8) -> bits();
leaf(9) -> identifier(rand:uniform(6));
leaf(10) -> [C || _ <- some(5), C <- [rand:uniform(256) - 1]];
leaf(11) -> lists:nth(rand:uniform(6), [ok, [], {}, #{}, <<>>, '']).

integer() -> sign() * (rand:uniform(1 bsl rand:uniform(200)) bsr rand:uniform(8)).
sign() -> (rand:uniform(2) * 2) - 3.

%% All finite floats are equally likely. Short ones, which are common in practice, are added.
float() ->
    case rand:uniform(3) of
        1 -> sign() * rand:uniform(100000) / math:pow(10, rand:uniform(12));
        2 -> sign() * rand:uniform(1000) * math:pow(10, rand:uniform(25));
        3 ->
            case rand:bytes(8) of
                <<F/float>> -> F;
                _ -> 0.5
            end
    end.

%% Numbers near the limits of exact comparison of integers and floats.
near_float() ->
    Power = 1 bsl (50 + rand:uniform(80)),
    lists:nth(rand:uniform(4), [Power, float(Power), Power + rand:uniform(3) - 2, -float(Power)]).

atom() ->
    Characters = "aabcxyzAZ09_@ '\\\"\n\t\e\v\b\f\r" ++ [0, 7, 127, 128, 159, 160, 215, 233, 247, 255, 955, 8364, 128512],
    Name = [lists:nth(rand:uniform(length(Characters)), Characters) || _ <- some(4)],
    binary_to_atom(unicode:characters_to_binary(Name)).

bits() ->
    Size = rand:uniform(20) - 1,
    Value = rand:uniform(1 bsl 20),
    <<Value:Size>>.

identifier(1) -> self();
identifier(2) -> list_to_pid("<0." ++ integer_to_list(rand:uniform(200)) ++ ".0>");
identifier(3) -> make_ref();
identifier(4) -> hd(erlang:ports());
identifier(5) -> fun lists:map/2;
identifier(6) ->
    %% OTP 25 garbles non-ASCII names; we do not reproduce that.
    Ascii = [C || C <- atom_to_list(atom()), C < 128],
    F = lists:nth(rand:uniform(3), [map, list_to_atom(Ascii), 'when']),
    A = rand:uniform(5),
    fun lists:F/A.

closure(X) ->
    case rand:uniform(3) of
        1 -> fun() -> X end;
        2 -> fun(Y) -> {X, Y} end;
        3 -> fun(_) -> nothing end
    end.

special() ->
    Reserved = ['after', 'and', 'andalso', 'band', 'begin', 'bnot', 'bor', 'bsl', 'bsr', 'bxor',
                'case', 'catch', 'cond', 'div', 'end', 'fun', 'if', 'let', 'not', 'of', 'or',
                'orelse', 'receive', 'rem', 'try', 'when', 'xor'],
    Reserved ++ [math:pow(10, N) || N <- lists:seq(-30, 30)] ++
        [math:pow(2, N) || N <- lists:seq(-1074, 1023)] ++
        [-0.0, 0.0, {0.0}, {-0.0}, 1.7976931348623157e308, 2.2250738585072014e-308] ++
        [lists:seq(1, 70000), lists:duplicate(300, 7), binary:copy(<<1>>, 300)] ++
        [list_to_tuple(lists:seq(1, 300)), 1 bsl 3000, -(1 bsl 3000)].
