%% Records how the real virtual machine builds and matches segments of every kind, for the tests of
%% mazurka-beam.
-module(bit_oracle).
-export([segments/3]).

%% Records of {build, Kind, Value, Size, Result} and {match, Kind, Bits, Offset, Size, Result, Skipped}.
segments(Count, Seed, Out) ->
    rand:seed(exsss, Seed),
    {ok, File} = file:open(Out, [write, raw, delayed_write]),
    [ok = file:write(File, record(term_to_binary(Case)))
     || Kind <- kinds(), _ <- lists:seq(1, Count), Case <- [built(Kind), matched(Kind)]],
    ok = file:close(File).

record(Bytes) -> [<<(byte_size(Bytes)):32>>, Bytes].

built(Kind) ->
    {Value, Size} = {value(Kind), size()},
    Result =
        try build(Kind, Value, Size) of
            Bits -> {ok, Bits}
        catch
            error:Reason:Stack ->
                [{_, _, _, Info} | _] = Stack,
                #{cause := Cause} = proplists:get_value(error_info, Info),
                {error, Reason, Cause}
        end,
    {build, Kind, Value, Size, Result}.

matched(Kind) ->
    Bits = matchable(Kind),
    {Offset, Size} = {offset(Bits), size()},
    {match, Kind, Bits, Offset, Size, match(Kind, Bits, Offset, Size), skip(Kind, Bits, Offset, Size)}.

offset(Bits) ->
    case rand:uniform(3) of
        1 -> 0;
        2 -> rand:uniform(8);
        3 -> rand:uniform(bit_size(Bits) + 1) - 1
    end.

size() ->
    case rand:uniform(12) of
        N when N =< 4 -> rand:uniform(20) - 1;
        5 -> rand:uniform(200);
        6 -> 16;
        7 -> 32;
        8 -> 64;
        9 -> 8;
        10 -> 2;
        11 -> lists:nth(rand:uniform(8), [0, 4, 63, 65, 128, 24, 72, 1]);
        12 -> lists:nth(rand:uniform(8), [-1, a, 2.0, 1 bsl 70, -(1 bsl 70), 1 bsl 62, [], <<>>])
    end.

%% Mostly values that fit.
value(Kind) ->
    case rand:uniform(12) of
        1 -> lists:nth(rand:uniform(9), [a, [], 1.5, <<1>>, -1, 1 bsl 70, {}, <<1:7>>, 16#d800]);
        _ -> value_of(element(1, Kind))
    end.

value_of(integer) -> integer();
value_of(float) ->
    case rand:uniform(4) of
        1 -> integer();
        _ -> float()
    end;
value_of(Binary) when Binary =:= binary; Binary =:= all; Binary =:= append -> bits();
value_of(_Character) -> character().

integer() -> sign() * (rand:uniform(1 bsl rand:uniform(200)) bsr rand:uniform(8)).
sign() -> (rand:uniform(2) * 2) - 3.

float() ->
    case rand:uniform(4) of
        1 -> sign() * rand:uniform(100000) / math:pow(10, rand:uniform(12));
        2 -> sign() * rand:uniform() * math:pow(2, rand:uniform(45) - 28);
        3 -> sign() * (rand:uniform(4096) + (rand:uniform(3) - 2) / 1024) * math:pow(2, rand:uniform(30) - 28);
        4 ->
            case rand:bytes(8) of
                <<F/float>> -> F;
                _ -> 0.5
            end
    end.

bits() ->
    Bytes = rand:bytes(rand:uniform(30) - 1),
    Size = rand:uniform(8) - 1,
    case rand:uniform(3) of
        1 -> <<Bytes/binary, 5:Size>>;
        2 -> Bytes;
        3 ->
            <<_:Size/bits, Rest/bits>> = <<1:Size, Bytes/binary>>,
            Rest
    end.

character() ->
    case rand:uniform(6) of
        1 -> rand:uniform(16#80) - 1;
        2 -> rand:uniform(16#800) - 1;
        3 -> rand:uniform(16#10000) - 1;
        4 -> rand:uniform(16#110000) - 1;
        5 -> 16#d7f0 + rand:uniform(32) - 1;
        6 -> lists:nth(rand:uniform(10), [0, 16#7f, 16#80, 16#7ff, 16#800, 16#d7ff, 16#e000, 16#ffff, 16#10000, 16#10ffff])
    end.

%% Bits that may contain a match.
matchable({Utf, Endian, _, _}) when Utf =:= utf8; Utf =:= utf16; Utf =:= utf32 ->
    Text = unicode:characters_to_binary([scalar() || _ <- lists:seq(1, 3)], utf8,
                                        case Utf of utf8 -> utf8; _ -> {Utf, Endian} end),
    Skew = rand:uniform(8) - 1,
    case rand:uniform(5) of
        1 -> rand:bytes(rand:uniform(6));
        2 -> binary:part(Text, 0, rand:uniform(byte_size(Text)));
        3 -> <<1:Skew, Text/binary>>;
        4 ->
            At = rand:uniform(byte_size(Text)) - 1,
            <<A:At/binary, _, B/binary>> = Text,
            <<A/binary, (rand:uniform(256) - 1), B/binary>>;
        5 -> Text
    end;
matchable({float, _, _, _}) ->
    case rand:uniform(3) of
        1 -> <<(float()):64/float, 0>>;
        2 -> <<(float()):32/float-little, 1:1>>;
        3 -> rand:bytes(8)
    end;
matchable(_) ->
    bits().

scalar() ->
    case character() of
        C when C >= 16#d800, C =< 16#dfff -> $a;
        C -> C
    end.

kinds() ->
    [{integer, big, unsigned, 1},
     {integer, big, unsigned, 3},
     {integer, big, unsigned, 8},
     {integer, big, signed, 1},
     {integer, big, signed, 3},
     {integer, big, signed, 8},
     {float, big, unsigned, 1},
     {float, big, unsigned, 8},
     {utf16, big, unsigned, 0},
     {utf32, big, unsigned, 0},
     {integer, little, unsigned, 1},
     {integer, little, unsigned, 3},
     {integer, little, unsigned, 8},
     {integer, little, signed, 1},
     {integer, little, signed, 3},
     {integer, little, signed, 8},
     {float, little, unsigned, 1},
     {float, little, unsigned, 8},
     {utf16, little, unsigned, 0},
     {utf32, little, unsigned, 0},
     {binary, big, unsigned, 1},
     {binary, big, unsigned, 3},
     {binary, big, unsigned, 8},
     {utf8, big, unsigned, 0},
     {all, big, unsigned, 1},
     {append, big, unsigned, 1},
     {all, big, unsigned, 3},
     {append, big, unsigned, 3},
     {all, big, unsigned, 8},
     {append, big, unsigned, 8}].

build({integer, big, unsigned, 1}, V, S) -> <<V:S/integer-unit:1>>;
build({integer, big, unsigned, 3}, V, S) -> <<V:S/integer-unit:3>>;
build({integer, big, unsigned, 8}, V, S) -> <<V:S/integer-unit:8>>;
build({integer, big, signed, 1}, V, S) -> <<V:S/integer-signed-unit:1>>;
build({integer, big, signed, 3}, V, S) -> <<V:S/integer-signed-unit:3>>;
build({integer, big, signed, 8}, V, S) -> <<V:S/integer-signed-unit:8>>;
build({float, big, unsigned, 1}, V, S) -> <<V:S/float-unit:1>>;
build({float, big, unsigned, 8}, V, S) -> <<V:S/float-unit:8>>;
build({utf16, big, unsigned, 0}, V, _) -> <<V/utf16>>;
build({utf32, big, unsigned, 0}, V, _) -> <<V/utf32>>;
build({integer, little, unsigned, 1}, V, S) -> <<V:S/integer-little-unit:1>>;
build({integer, little, unsigned, 3}, V, S) -> <<V:S/integer-little-unit:3>>;
build({integer, little, unsigned, 8}, V, S) -> <<V:S/integer-little-unit:8>>;
build({integer, little, signed, 1}, V, S) -> <<V:S/integer-little-signed-unit:1>>;
build({integer, little, signed, 3}, V, S) -> <<V:S/integer-little-signed-unit:3>>;
build({integer, little, signed, 8}, V, S) -> <<V:S/integer-little-signed-unit:8>>;
build({float, little, unsigned, 1}, V, S) -> <<V:S/float-little-unit:1>>;
build({float, little, unsigned, 8}, V, S) -> <<V:S/float-little-unit:8>>;
build({utf16, little, unsigned, 0}, V, _) -> <<V/utf16-little>>;
build({utf32, little, unsigned, 0}, V, _) -> <<V/utf32-little>>;
build({binary, big, unsigned, 1}, V, S) -> <<V:S/binary-unit:1>>;
build({binary, big, unsigned, 3}, V, S) -> <<V:S/binary-unit:3>>;
build({binary, big, unsigned, 8}, V, S) -> <<V:S/binary-unit:8>>;
build({utf8, big, unsigned, 0}, V, _) -> <<V/utf8>>;
build({all, big, unsigned, 1}, V, _) -> <<1:1, V/binary-unit:1>>;
build({append, big, unsigned, 1}, V, S) -> <<V/binary-unit:1, 5:S>>;
build({all, big, unsigned, 3}, V, _) -> <<1:1, V/binary-unit:3>>;
build({append, big, unsigned, 3}, V, S) -> <<V/binary-unit:3, 5:S>>;
build({all, big, unsigned, 8}, V, _) -> <<1:1, V/binary-unit:8>>;
build({append, big, unsigned, 8}, V, S) -> <<V/binary-unit:8, 5:S>>.

match({integer, big, unsigned, 1}, Bits, O, S) ->
    case Bits of <<_:O, X:S/integer-unit:1, R/bits>> -> {X, R}; _ -> nomatch end;
match({integer, big, unsigned, 3}, Bits, O, S) ->
    case Bits of <<_:O, X:S/integer-unit:3, R/bits>> -> {X, R}; _ -> nomatch end;
match({integer, big, unsigned, 8}, Bits, O, S) ->
    case Bits of <<_:O, X:S/integer-unit:8, R/bits>> -> {X, R}; _ -> nomatch end;
match({integer, big, signed, 1}, Bits, O, S) ->
    case Bits of <<_:O, X:S/integer-signed-unit:1, R/bits>> -> {X, R}; _ -> nomatch end;
match({integer, big, signed, 3}, Bits, O, S) ->
    case Bits of <<_:O, X:S/integer-signed-unit:3, R/bits>> -> {X, R}; _ -> nomatch end;
match({integer, big, signed, 8}, Bits, O, S) ->
    case Bits of <<_:O, X:S/integer-signed-unit:8, R/bits>> -> {X, R}; _ -> nomatch end;
match({float, big, unsigned, 1}, Bits, O, S) ->
    case Bits of <<_:O, X:S/float-unit:1, R/bits>> -> {X, R}; _ -> nomatch end;
match({float, big, unsigned, 8}, Bits, O, S) ->
    case Bits of <<_:O, X:S/float-unit:8, R/bits>> -> {X, R}; _ -> nomatch end;
match({utf16, big, unsigned, 0}, Bits, O, _) ->
    case Bits of <<_:O, X/utf16, R/bits>> -> {X, R}; _ -> nomatch end;
match({utf32, big, unsigned, 0}, Bits, O, _) ->
    case Bits of <<_:O, X/utf32, R/bits>> -> {X, R}; _ -> nomatch end;
match({integer, little, unsigned, 1}, Bits, O, S) ->
    case Bits of <<_:O, X:S/integer-little-unit:1, R/bits>> -> {X, R}; _ -> nomatch end;
match({integer, little, unsigned, 3}, Bits, O, S) ->
    case Bits of <<_:O, X:S/integer-little-unit:3, R/bits>> -> {X, R}; _ -> nomatch end;
match({integer, little, unsigned, 8}, Bits, O, S) ->
    case Bits of <<_:O, X:S/integer-little-unit:8, R/bits>> -> {X, R}; _ -> nomatch end;
match({integer, little, signed, 1}, Bits, O, S) ->
    case Bits of <<_:O, X:S/integer-little-signed-unit:1, R/bits>> -> {X, R}; _ -> nomatch end;
match({integer, little, signed, 3}, Bits, O, S) ->
    case Bits of <<_:O, X:S/integer-little-signed-unit:3, R/bits>> -> {X, R}; _ -> nomatch end;
match({integer, little, signed, 8}, Bits, O, S) ->
    case Bits of <<_:O, X:S/integer-little-signed-unit:8, R/bits>> -> {X, R}; _ -> nomatch end;
match({float, little, unsigned, 1}, Bits, O, S) ->
    case Bits of <<_:O, X:S/float-little-unit:1, R/bits>> -> {X, R}; _ -> nomatch end;
match({float, little, unsigned, 8}, Bits, O, S) ->
    case Bits of <<_:O, X:S/float-little-unit:8, R/bits>> -> {X, R}; _ -> nomatch end;
match({utf16, little, unsigned, 0}, Bits, O, _) ->
    case Bits of <<_:O, X/utf16-little, R/bits>> -> {X, R}; _ -> nomatch end;
match({utf32, little, unsigned, 0}, Bits, O, _) ->
    case Bits of <<_:O, X/utf32-little, R/bits>> -> {X, R}; _ -> nomatch end;
match({binary, big, unsigned, 1}, Bits, O, S) ->
    case Bits of <<_:O, X:S/binary-unit:1, R/bits>> -> {X, R}; _ -> nomatch end;
match({binary, big, unsigned, 3}, Bits, O, S) ->
    case Bits of <<_:O, X:S/binary-unit:3, R/bits>> -> {X, R}; _ -> nomatch end;
match({binary, big, unsigned, 8}, Bits, O, S) ->
    case Bits of <<_:O, X:S/binary-unit:8, R/bits>> -> {X, R}; _ -> nomatch end;
match({utf8, big, unsigned, 0}, Bits, O, _) ->
    case Bits of <<_:O, X/utf8, R/bits>> -> {X, R}; _ -> nomatch end;
match({all, big, unsigned, 1}, Bits, O, _) ->
    case Bits of <<_:O, X/binary-unit:1>> -> {X, <<>>}; _ -> nomatch end;
match({append, big, unsigned, 1}, _, _, _) -> nomatch;
match({all, big, unsigned, 3}, Bits, O, _) ->
    case Bits of <<_:O, X/binary-unit:3>> -> {X, <<>>}; _ -> nomatch end;
match({append, big, unsigned, 3}, _, _, _) -> nomatch;
match({all, big, unsigned, 8}, Bits, O, _) ->
    case Bits of <<_:O, X/binary-unit:8>> -> {X, <<>>}; _ -> nomatch end;
match({append, big, unsigned, 8}, _, _, _) -> nomatch.

skip({integer, big, unsigned, 1}, Bits, O, S) ->
    case Bits of <<_:O, _:S/integer-unit:1, R/bits>> -> R; _ -> nomatch end;
skip({integer, big, unsigned, 3}, Bits, O, S) ->
    case Bits of <<_:O, _:S/integer-unit:3, R/bits>> -> R; _ -> nomatch end;
skip({integer, big, unsigned, 8}, Bits, O, S) ->
    case Bits of <<_:O, _:S/integer-unit:8, R/bits>> -> R; _ -> nomatch end;
skip({integer, big, signed, 1}, Bits, O, S) ->
    case Bits of <<_:O, _:S/integer-signed-unit:1, R/bits>> -> R; _ -> nomatch end;
skip({integer, big, signed, 3}, Bits, O, S) ->
    case Bits of <<_:O, _:S/integer-signed-unit:3, R/bits>> -> R; _ -> nomatch end;
skip({integer, big, signed, 8}, Bits, O, S) ->
    case Bits of <<_:O, _:S/integer-signed-unit:8, R/bits>> -> R; _ -> nomatch end;
skip({float, big, unsigned, 1}, Bits, O, S) ->
    case Bits of <<_:O, _:S/float-unit:1, R/bits>> -> R; _ -> nomatch end;
skip({float, big, unsigned, 8}, Bits, O, S) ->
    case Bits of <<_:O, _:S/float-unit:8, R/bits>> -> R; _ -> nomatch end;
skip({utf16, big, unsigned, 0}, Bits, O, _) ->
    case Bits of <<_:O, _/utf16, R/bits>> -> R; _ -> nomatch end;
skip({utf32, big, unsigned, 0}, Bits, O, _) ->
    case Bits of <<_:O, _/utf32, R/bits>> -> R; _ -> nomatch end;
skip({integer, little, unsigned, 1}, Bits, O, S) ->
    case Bits of <<_:O, _:S/integer-little-unit:1, R/bits>> -> R; _ -> nomatch end;
skip({integer, little, unsigned, 3}, Bits, O, S) ->
    case Bits of <<_:O, _:S/integer-little-unit:3, R/bits>> -> R; _ -> nomatch end;
skip({integer, little, unsigned, 8}, Bits, O, S) ->
    case Bits of <<_:O, _:S/integer-little-unit:8, R/bits>> -> R; _ -> nomatch end;
skip({integer, little, signed, 1}, Bits, O, S) ->
    case Bits of <<_:O, _:S/integer-little-signed-unit:1, R/bits>> -> R; _ -> nomatch end;
skip({integer, little, signed, 3}, Bits, O, S) ->
    case Bits of <<_:O, _:S/integer-little-signed-unit:3, R/bits>> -> R; _ -> nomatch end;
skip({integer, little, signed, 8}, Bits, O, S) ->
    case Bits of <<_:O, _:S/integer-little-signed-unit:8, R/bits>> -> R; _ -> nomatch end;
skip({float, little, unsigned, 1}, Bits, O, S) ->
    case Bits of <<_:O, _:S/float-little-unit:1, R/bits>> -> R; _ -> nomatch end;
skip({float, little, unsigned, 8}, Bits, O, S) ->
    case Bits of <<_:O, _:S/float-little-unit:8, R/bits>> -> R; _ -> nomatch end;
skip({utf16, little, unsigned, 0}, Bits, O, _) ->
    case Bits of <<_:O, _/utf16-little, R/bits>> -> R; _ -> nomatch end;
skip({utf32, little, unsigned, 0}, Bits, O, _) ->
    case Bits of <<_:O, _/utf32-little, R/bits>> -> R; _ -> nomatch end;
skip({binary, big, unsigned, 1}, Bits, O, S) ->
    case Bits of <<_:O, _:S/binary-unit:1, R/bits>> -> R; _ -> nomatch end;
skip({binary, big, unsigned, 3}, Bits, O, S) ->
    case Bits of <<_:O, _:S/binary-unit:3, R/bits>> -> R; _ -> nomatch end;
skip({binary, big, unsigned, 8}, Bits, O, S) ->
    case Bits of <<_:O, _:S/binary-unit:8, R/bits>> -> R; _ -> nomatch end;
skip({utf8, big, unsigned, 0}, Bits, O, _) ->
    case Bits of <<_:O, _/utf8, R/bits>> -> R; _ -> nomatch end;
skip({all, big, unsigned, 1}, Bits, O, _) ->
    case Bits of <<_:O, _/binary-unit:1>> -> <<>>; _ -> nomatch end;
skip({append, big, unsigned, 1}, _, _, _) -> nomatch;
skip({all, big, unsigned, 3}, Bits, O, _) ->
    case Bits of <<_:O, _/binary-unit:3>> -> <<>>; _ -> nomatch end;
skip({append, big, unsigned, 3}, _, _, _) -> nomatch;
skip({all, big, unsigned, 8}, Bits, O, _) ->
    case Bits of <<_:O, _/binary-unit:8>> -> <<>>; _ -> nomatch end;
skip({append, big, unsigned, 8}, _, _, _) -> nomatch.
