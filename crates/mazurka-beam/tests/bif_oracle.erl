%% Records the results of the built-in functions of the real virtual machine, for the tests of
%% mazurka-beam.
-module(bif_oracle).
-export([calls/4]).

%% One record for each call: module, function, arguments and outcome. The first record has the release
%% and the number of functions that it does not have.
calls(Names, Count, Seed, Out) ->
    rand:seed(exsss, Seed),
    {Known, Unknown} = lists:partition(fun is_known/1, Names),
    {ok, File} = file:open(Out, [write, raw, delayed_write]),
    Release = list_to_integer(erlang:system_info(otp_release)),
    ok = file:write(File, record({Release, length(Unknown)})),
    [ok = file:write(File, record(call(Name))) || Name <- Known, _ <- lists:seq(1, Count)],
    ok = file:close(File).

record(Term) ->
    Bytes = term_to_binary(Term),
    [<<(byte_size(Bytes)):32>>, Bytes].

is_known({M, F, A}) ->
    _ = code:ensure_loaded(M),
    erlang:function_exported(M, F, A) orelse erlang:is_builtin(M, F, A).

call({M, F, A} = Name) ->
    Args =
        case rand:uniform(10) of
            1 when F =/= posixtime_to_universaltime -> [any() || _ <- lists:seq(1, A)];
            _ -> [value(Kind) || Kind <- kinds(Name)]
        end,
    Outcome =
        try apply(M, F, Args) of
            Value -> {ok, Value}
        catch
            Class:Reason -> {Class, Reason}
        end,
    {M, F, Args, Outcome}.

%% The kinds of arguments of a function.
kinds({erlang, F, 1}) when F =:= '+'; F =:= '-'; F =:= abs; F =:= float; F =:= trunc; F =:= round;
                           F =:= floor; F =:= ceil -> [number];
kinds({erlang, F, 2}) when F =:= '+'; F =:= '-'; F =:= '*'; F =:= '/' -> [number, number];
kinds({erlang, F, 2}) when F =:= 'div'; F =:= 'rem'; F =:= 'band'; F =:= 'bor'; F =:= 'bxor' ->
    [integer, integer];
kinds({erlang, 'bnot', 1}) -> [integer];
kinds({erlang, F, 2}) when F =:= 'bsl'; F =:= 'bsr' -> [integer, distance];
kinds({erlang, F, 2}) when F =:= 'and'; F =:= 'or'; F =:= 'xor' -> [boolean, boolean];
kinds({erlang, 'not', 1}) -> [boolean];
kinds({erlang, F, 2}) when F =:= '++'; F =:= '--'; F =:= append; F =:= subtract -> [list, list];
kinds({erlang, F, 1}) when F =:= hd; F =:= tl; F =:= length; F =:= list_to_tuple -> [list];
kinds({erlang, is_function, 2}) -> [function, small];
kinds({erlang, is_record, 2}) -> [tuple, atom];
kinds({erlang, is_record, 3}) -> [tuple, atom, small];
kinds({erlang, is_integer, 3}) -> [number, integer, integer];
kinds({erlang, element, 2}) -> [small, tuple];
kinds({erlang, delete_element, 2}) -> [small, tuple];
kinds({erlang, insert_element, 3}) -> [small, tuple, any];
kinds({erlang, setelement, 3}) -> [small, tuple, any];
kinds({erlang, append_element, 2}) -> [tuple, any];
kinds({erlang, make_tuple, 2}) -> [small, any];
kinds({erlang, make_tuple, 3}) -> [small, any, {list_of, {tuple_of, [small, any]}}];
kinds({erlang, F, 1}) when F =:= tuple_size; F =:= tuple_to_list -> [tuple];
kinds({erlang, size, 1}) -> [{one_of, [tuple, bits]}];
kinds({erlang, F, 1}) when F =:= bit_size; F =:= byte_size; F =:= bitstring_to_list;
                           F =:= binary_to_list -> [bits];
kinds({erlang, split_binary, 2}) -> [bits, small];
kinds({erlang, binary_part, 2}) -> [bits, {tuple_of, [small, small]}];
kinds({erlang, binary_part, 3}) -> [bits, small, small];
kinds({erlang, binary_to_list, 3}) -> [bits, small, small];
kinds({erlang, F, 2}) when F =:= is_map_key; F =:= map_get -> [key, map];
kinds({erlang, map_size, 1}) -> [map];
kinds({maps, F, 1}) when F =:= keys; F =:= values -> [map];
kinds({maps, F, 2}) when F =:= find; F =:= get; F =:= is_key; F =:= remove; F =:= take -> [key, map];
kinds({maps, F, 3}) when F =:= put; F =:= update -> [key, any, map];
kinds({maps, merge, 2}) -> [map, map];
kinds({maps, from_list, 1}) -> [{list_of, {tuple_of, [key, any]}}];
kinds({maps, from_keys, 2}) -> [{list_of, key}, any];
kinds({erts_internal, map_next, 3}) -> [small, small_map, {one_of, [{just, iterator}, list]}];
kinds({lists, F, 3}) when F =:= keyfind; F =:= keymember; F =:= keysearch ->
    [key, small, {list_of, {one_of, [tuple, {tuple_of, [key, key]}]}}];
kinds({lists, member, 2}) -> [key, {list_of, key}];
kinds({lists, reverse, 2}) -> [list, any];
kinds({erlang, F, 1}) when F =:= iolist_size; F =:= iolist_to_binary; F =:= iolist_to_iovec;
                           F =:= list_to_binary; F =:= list_to_bitstring; F =:= crc32; F =:= adler32;
                           F =:= md5 -> [iodata];
kinds({erlang, F, 2}) when F =:= crc32; F =:= adler32 -> [word, iodata];
kinds({erlang, F, 3}) when F =:= crc32_combine; F =:= adler32_combine -> [word, word, small];
kinds({binary, list_to_bin, 1}) -> [iodata];
kinds({erlang, atom_to_binary, 2}) -> [atom, encoding];
kinds({erlang, F, 1}) when F =:= atom_to_list; F =:= atom_to_binary -> [atom];
kinds({erlang, F, 2}) when F =:= binary_to_atom; F =:= binary_to_existing_atom -> [text_binary, encoding];
kinds({erlang, F, 1}) when F =:= binary_to_atom; F =:= binary_to_existing_atom -> [text_binary];
kinds({erlang, F, 1}) when F =:= list_to_atom; F =:= list_to_existing_atom -> [text];
kinds({erlang, F, 1}) when F =:= integer_to_list; F =:= integer_to_binary -> [integer];
kinds({erlang, F, 2}) when F =:= integer_to_list; F =:= integer_to_binary -> [integer, base];
kinds({M, list_to_integer, 1}) when M =:= erlang; M =:= string -> [digits];
kinds({_, list_to_integer, 2}) -> [digits, base];
kinds({erlang, binary_to_integer, 1}) -> [digits_binary];
kinds({_, binary_to_integer, 2}) -> [digits_binary, base];
kinds({M, list_to_float, 1}) when M =:= erlang; M =:= string -> [digits];
kinds({erlang, binary_to_float, 1}) -> [digits_binary];
kinds({erlang, F, 1}) when F =:= float_to_list; F =:= float_to_binary -> [float];
kinds({erlang, F, 2}) when F =:= float_to_list; F =:= float_to_binary -> [float, float_options];
kinds({erlang, list_to_pid, 1}) -> [pid_text];
kinds({erlang, list_to_ref, 1}) -> [ref_text];
kinds({erlang, list_to_port, 1}) -> [port_text];
kinds({erlang, F, 1}) when F =:= pid_to_list; F =:= port_to_list; F =:= ref_to_list -> [identifier];
kinds({erlang, fun_to_list, 1}) -> [function];
kinds({erlang, make_fun, 3}) -> [atom, atom, small];
kinds({erlang, F, 2}) when F =:= phash; F =:= phash2 -> [any, range];
kinds({erlang, F, 2}) when F =:= term_to_binary; F =:= term_to_iovec -> [any, external_options];
kinds({erlang, binary_to_term, 1}) -> [encoded];
kinds({erlang, binary_to_term, 2}) -> [encoded, {list_of, {one_of, [{just, used}, {just, safe}]}}];
kinds({math, _, A}) -> lists:duplicate(A, math);
kinds({unicode, bin_is_7bit, 1}) -> [bits];
kinds({unicode, _, 2}) -> [characters, encoding];
kinds({binary, F, 1}) when F =:= longest_common_prefix; F =:= longest_common_suffix ->
    [{list_of, letters}];
kinds({binary, at, 2}) -> [letters, small];
kinds({binary, copy, 2}) -> [letters, copies];
kinds({binary, part, 2}) -> [letters, {tuple_of, [small, small]}];
kinds({binary, part, 3}) -> [letters, small, small];
kinds({binary, encode_unsigned, 1}) -> [integer];
kinds({binary, encode_unsigned, 2}) -> [integer, endianness];
kinds({binary, decode_unsigned, 2}) -> [bits, endianness];
kinds({binary, compile_pattern, 1}) -> [pattern];
kinds({binary, split, 3}) -> [letters, pattern, split_options];
kinds({binary, _, 2}) -> [letters, pattern];
kinds({binary, _, 3}) -> [letters, pattern, match_options];
kinds({binary, _, 1}) -> [bits];
kinds({erlang, posixtime_to_universaltime, 1}) -> [seconds];
kinds({erlang, F, 1}) when F =:= universaltime_to_posixtime; F =:= universaltime_to_localtime -> [date];
kinds({erlang, localtime_to_universaltime, 2}) ->
    [date, {one_of, [{just, true}, {just, false}, {just, undefined}, boolean]}];
kinds({net_kernel, dflag_unicode_io, 1}) -> [identifier];
kinds({_, _, A}) -> [any || _ <- lists:seq(1, A)].

value({just, Value}) -> Value;
value({one_of, Kinds}) -> value(pick(Kinds));
value({list_of, Kind}) -> [value(Kind) || _ <- some(6)];
value({tuple_of, Kinds}) -> list_to_tuple([value(Kind) || Kind <- Kinds]);
value(any) -> any();
value(number) -> value(pick([integer, integer, float]));
value(integer) -> integer();
value(float) -> float();
value(math) -> pick([rand:uniform() * 2 - 1, rand:uniform(2000) / 100 - 10, rand:uniform(20) - 10, 0, 1, float(), integer()]);
value(distance) -> pick([rand:uniform(200) - 100, rand:uniform(70) - 35, 63, 64, -63, -64, 1 bsl 40, -(1 bsl 40), 1 bsl 70, -(1 bsl 70), 0]);
value(boolean) -> pick([true, false, true, false, ok]);
value(small) -> pick([rand:uniform(8) - 3, rand:uniform(4), rand:uniform(4), 0, 1 bsl 60, 1 bsl 64]);
value(word) -> pick([rand:uniform(1 bsl 32) - 1, 0, 1, 16#ffffffff, 1 bsl 32, -1]);
value(range) -> pick([1, 2, 10, 1 bsl 27, 1 bsl 32, (1 bsl 32) - 1, (1 bsl 32) + 1, 0, rand:uniform(1000)]);
value(copies) -> pick([0, 1, 2, 3, 10, -1]);
value(base) -> pick([2, 8, 10, 16, 36, rand:uniform(35) + 1, 10, 16, 1, 37, 0]);
value(atom) -> atom();
value(encoding) -> pick([latin1, utf8, unicode, utf8, latin1, unicode, nonsense]);
value(endianness) -> pick([big, little, big, little, native]);
value(tuple) -> list_to_tuple([any() || _ <- some(5)]);
value(list) -> list();
value(key) -> key();
value(map) -> pick([small_map(), small_map(), large_map()]);
value(small_map) -> small_map();
value(bits) -> pick([bits(), binary()]);
value(letters) ->
    case rand:uniform(10) of
        1 -> bits();
        _ -> letters(rand:uniform(15) - 1)
    end;
value(pattern) -> pick([letters(2), letters(1), letters(3), [letters(rand:uniform(3)) || _ <- some(4)], <<>>]);
value(match_options) -> pick([[], [{scope, {small(), small()}}], [nonsense]]);
value(split_options) ->
    [pick([global, global, trim, trim_all, {scope, {small(), small()}}]) || _ <- some(3)];
value(function) -> pick([fun lists:map/2, fun erlang:node/0, fun() -> ok end, any()]);
value(identifier) -> identifier(rand:uniform(3));
value(iodata) -> pick([iodata(3), iodata(3), binary(), iodata_with_bits()]);
value(text) -> text();
value(text_binary) -> pick([unicode:characters_to_binary(text()), binary()]);
value(digits) -> pick([digits(), digits(), digits() ++ pick([[], "x", a, [a]])]);
value(digits_binary) -> list_to_binary(digits());
value(characters) -> pick([characters(3), characters(3), binary_of_characters()]);
value(float_options) ->
    [pick([compact, short, {decimals, rand:uniform(8) - 1}, {decimals, rand:uniform(30) - 1},
           {scientific, rand:uniform(24) - 1}, {decimals, pick([253, 254, -1])},
           {scientific, pick([249, 250, -1])}, nonsense]) || _ <- some(2)];
value(external_options) ->
    [pick([{minor_version, rand:uniform(3) - 1}, {minor_version, 3}, compressed, {compressed, rand:uniform(10) - 1},
           deterministic]) || _ <- some(2)];
value(encoded) -> encoded();
%% Before year 1 the real function is off by some days.
value(seconds) -> pick([rand:uniform(1 bsl 34) - (1 bsl 33), rand:uniform(1 bsl 45), 62135596800, 0, -1, 951868799, 1 bsl 64]);
value(date) ->
    {{1590 + rand:uniform(pick([20, 500, 10000])), rand:uniform(13) - rand:uniform(2) + 1, rand:uniform(32) - rand:uniform(2) + 1},
     {rand:uniform(26) - 2, rand:uniform(61) - 1, rand:uniform(62) - 2}};
value(pid_text) -> damaged("<0." ++ number_text() ++ "." ++ integer_to_list(rand:uniform(100) - 1) ++ ">");
value(ref_text) -> damaged("#Ref<0." ++ number_text() ++ "." ++ number_text() ++ "." ++ number_text() ++ ">");
value(port_text) -> damaged("#Port<0." ++ number_text() ++ ">").

small() -> rand:uniform(10) - 3.
number_text() -> integer_to_list(rand:uniform(30000)).

%% Mostly unchanged.
damaged(Text) ->
    Place = rand:uniform(length(Text)),
    {Before, [_ | After]} = lists:split(Place - 1, Text),
    pick([Text, Text, Text, Before ++ After, Before ++ [pick("x0.<>")] ++ After, Text ++ "x"]).

pick(List) -> lists:nth(rand:uniform(length(List)), List).
some(Most) -> lists:seq(1, rand:uniform(Most + 1) - 1).

any() -> any(3).

any(0) -> leaf(rand:uniform(9));
any(Depth) ->
    case rand:uniform(9) of
        1 -> list_to_tuple([any(Depth - 1) || _ <- some(4)]);
        2 -> [any(Depth - 1) || _ <- some(4)];
        3 -> [any(Depth - 1) || _ <- some(3)] ++ any(0);
        4 -> ordered(maps:from_list([{any(Depth - 1), any(Depth - 1)} || _ <- some(5)]));
        _ -> leaf(rand:uniform(9))
    end.

%% Only the positive float zero: since OTP 27 the two zeros are not =:= any more.
leaf(1) -> rand:uniform(5) - 3;
leaf(2) -> float(rand:uniform(5) - 3);
leaf(3) -> integer();
leaf(4) -> float() + 0.0;
leaf(5) -> atom();
leaf(6) -> pick([bits(), binary()]);
leaf(7) -> identifier(rand:uniform(4));
leaf(8) -> text();
leaf(9) -> pick([ok, [], {}, #{}, <<>>, '', true, false]).

%% Few values, so that some are equal.
key() -> pick([1, 1.0, 2, 2.0, a, b, {1}, {1.0}, "ab", <<"ab">>, [1 | 2], 1 bsl 64, float(1 bsl 64), #{1 => 2}, any(1)]).

list() -> pick([[any(1) || _ <- some(5)], [key() || _ <- some(30)], [key() || _ <- some(5)], [key() || _ <- some(3)] ++ key()]).

small_map() -> ordered(maps:from_list([{key(), any(1)} || _ <- some(12)])).

%% Since OTP 26 maps order atoms by their time of creation: so at most one atom is a key.
ordered(Map) ->
    case erlang:system_info(otp_release) < "26" orelse lists:filter(fun is_atom/1, maps:keys(Map)) of
        [_ | Atoms] -> maps:without(Atoms, Map);
        _ -> Map
    end.

large_map() -> maps:from_list([{any(1), key()} || _ <- lists:seq(1, 30 + rand:uniform(40))]).

integer() ->
    case rand:uniform(4) of
        1 -> rand:uniform(21) - 11;
        2 -> sign() * ((1 bsl pick([7, 8, 16, 27, 28, 31, 32, 52, 53, 54, 59, 60, 62, 63, 64, 65, 127, 128])) + rand:uniform(5) - 3);
        3 -> sign() * (rand:uniform(1 bsl rand:uniform(200)) bsr rand:uniform(8));
        4 -> sign() * (rand:uniform(1 bsl 64) bsl pick([0, 100, 900, 959, 960, 961, 1100]))
    end.
sign() -> pick([-1, 1]).

float() ->
    case rand:uniform(7) of
        1 -> sign() * rand:uniform(100000) / math:pow(10, rand:uniform(12));
        2 -> sign() * rand:uniform(1000) * math:pow(10, rand:uniform(25));
        3 -> pick([0.0, -0.0, 0.5, -0.5, 1.5, 2.5, 1.0e300, -1.0e300, 1.7976931348623157e308, 2.2250738585072014e-308, 5.0e-324]);
        4 -> sign() * float((1 bsl pick([31, 52, 53, 54, 59, 60, 63, 64, 100])) + rand:uniform(3) - 2);
        5 -> sign() * rand:uniform(100000) / 1000;
        6 -> rand:uniform();
        7 ->
            case rand:bytes(8) of
                <<F/float>> -> F;
                _ -> 0.25
            end
    end.

atom() ->
    Characters = "aabcxyzAZ09_@ '" ++ [0, 127, 128, 160, 233, 255, 955, 8364, 128512],
    Name = [pick(Characters) || _ <- some(6)],
    pick([binary_to_atom(unicode:characters_to_binary(Name)), ok, true, false, error, a, b]).

binary() -> pick([rand:bytes(rand:uniform(20) - 1), rand:bytes(rand:uniform(5) - 1), rand:bytes(rand:uniform(200))]).

%% Also bit strings that start in the middle of a byte.
bits() ->
    Size = rand:uniform(40) - 1,
    case rand:uniform(2) of
        1 ->
            <<(rand:uniform(1 bsl 40)):Size>>;
        2 ->
            Skipped = rand:uniform(8) - 1,
            <<_:Skipped, Bits/bits>> = <<(rand:uniform(1 bsl 40)):(Size + Skipped)>>,
            Bits
    end.

letters(Length) -> << <<(pick("aab"))>> || _ <- lists:seq(1, Length) >>.

identifier(1) -> list_to_pid("<0." ++ integer_to_list(rand:uniform(200)) ++ ".0>");
identifier(2) -> make_ref();
identifier(3) -> hd(erlang:ports());
identifier(4) -> pick([fun lists:map/2, fun lists:'when'/3, fun() -> ok end]).

text() ->
    Characters = "abcdefxyz 01" ++ [233, 255, 955, 8364, 128512],
    pick([[pick(Characters) || _ <- some(10)], "ok", "true", "no atom has this name", [pick("abc") || _ <- some(10)],
          lists:duplicate(pick([254, 255, 256, 300]), pick("a" ++ [233, 955])), [pick([97, 16#D7FF, 16#D800, 16#DFFF, 16#110000, -1, 1 bsl 62]) || _ <- some(3)]]).

digits() ->
    pick([pick(["", "+", "-"]) ++ [pick("0123456789") || _ <- some(40)],
          pick(["", "+", "-"]) ++ integer_to_list(rand:uniform(1000)) ++ pick(["", ".", ".5", ".25", ".0"]) ++
              pick(["", "", "e", "e5", "e-5", "E+17", "e308", "e400", "e-400", "e+"]),
          float_to_list(float(), [short]), float_to_list(float()),
          [pick("0123456789abcdefzABCDEFZ+-.e _") || _ <- some(6)],
          pick(["", "-", "+"]) ++ integer_to_list(abs(integer()), pick([2, 10, 16, 36]))]).

iodata(0) -> pick([binary(), []]);
iodata(Depth) ->
    [pick([rand:uniform(256) - 1, rand:uniform(256) - 1, iodata(Depth - 1), binary()]) || _ <- some(5)] ++
        pick([[], [], [], binary()]).

iodata_with_bits() -> [pick([iodata(1), bits(), rand:uniform(300) - 20, a]) || _ <- some(4)].

characters(0) -> pick([binary_of_characters(), []]);
characters(Depth) ->
    [pick([pick("abc"), pick([233, 955, 8364, 128512]), characters(Depth - 1), binary_of_characters(), odd_character()]) || _ <- some(5)] ++
        pick([[], [], [], binary_of_characters()]).

odd_character() ->
    case rand:uniform(12) of
        1 -> pick([16#D800, 16#DFFF, 16#110000, -1, 1 bsl 58, 1 bsl 62, a, 1.0]);
        2 -> bits();
        _ -> rand:uniform(16#D7FF)
    end.

%% Sometimes cut in the middle of a character, and sometimes damaged.
binary_of_characters() ->
    Whole = unicode:characters_to_binary([pick([$a, $b, 233, 955, 8364, 128512, 16#FFFF]) || _ <- some(4)]),
    case rand:uniform(5) of
        1 -> binary:part(Whole, 0, rand:uniform(byte_size(Whole) + 1) - 1);
        2 ->
            Cut = rand:uniform(byte_size(Whole) + 1) - 1,
            binary:part(Whole, Cut, byte_size(Whole) - Cut);
        3 -> <<Whole/binary, (pick([16#80, 16#C0, 16#C3, 16#E0, 16#ED, 16#F0, 16#F4, 16#F5, 16#F8, 16#FF])),
               (pick([16#80, 16#A0, 16#BF, $a, 16#FF])), Whole/binary>>;
        _ -> Whole
    end.

%% Without values that belong to this node or come from a hash.
encoded() ->
    Term = without_identifiers(any()),
    Bytes = term_to_binary(Term, [pick([compressed, {minor_version, rand:uniform(3) - 1}, deterministic])]),
    case rand:uniform(6) of
        1 -> binary:part(Bytes, 0, rand:uniform(byte_size(Bytes)) - 1);
        2 -> <<Bytes/binary, 1, 2, 3>>;
        3 ->
            Place = rand:uniform(byte_size(Bytes)) - 1,
            <<Before:Place/binary, _, After/binary>> = Bytes,
            <<Before/binary, (byte_without_meaning()), After/binary>>;
        _ -> Bytes
    end.

%% Not a tag that only the real machine supports, or one of an identifier.
byte_without_meaning() ->
    Byte = rand:uniform(256) - 1,
    case lists:member(Byte, "IJKLNRXYZefgrxpu") of
        true -> byte_without_meaning();
        false -> Byte
    end.

without_identifiers(Term) when is_pid(Term); is_port(Term); is_reference(Term); is_function(Term) -> none;
without_identifiers(Tuple) when is_tuple(Tuple) ->
    list_to_tuple([without_identifiers(T) || T <- tuple_to_list(Tuple)]);
without_identifiers([Head | Tail]) -> [without_identifiers(Head) | without_identifiers(Tail)];
without_identifiers(Map) when is_map(Map) ->
    maps:from_list([{without_identifiers(K), without_identifiers(V)} || {K, V} <- maps:to_list(Map)]);
without_identifiers(Term) -> Term.
