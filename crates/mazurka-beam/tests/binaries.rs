//! Instructions on binaries, compared with the real virtual machine.

#[path = "machine/support.rs"]
mod support;
#[path = "machine/world.rs"]
mod world;

use support::check;

/// Evaluates an expression for each of several values. Exceptions are returned with their location
/// and error info.
const TRY: &str = "
t(F, Xs) -> [try F(X) catch C:R:S -> {C, R, hd(S)} end || X <- Xs].
";

#[test]
fn contexts_across_calls() {
    check(
        "
        words(B) -> words(B, [], []).
        words(<<$\\s, T/binary>>, W, Ws) -> words(T, [], [lists:reverse(W) | Ws]);
        words(<<C, T/binary>>, W, Ws) -> words(T, [C | W], Ws);
        words(<<>>, W, Ws) -> lists:reverse([lists:reverse(W) | Ws]).
        number(<<D, T/binary>>, N) when D >= $0, D =< $9 -> number(T, N * 10 + D - $0);
        number(T, N) -> {N, T}.
        sum(<<$+, T/binary>>, N) -> {M, R} = number(T, 0), sum(R, N + M);
        sum(<<>>, N) -> N;
        sum(<<_, _/binary>> = B, N) -> {rest, B, N}.
        either(<<1, T/binary>>) -> {one, T, id(T)};
        either(<<2, N:16, T/binary>> = B) -> {two, N, byte_size(T), B};
        either(<<3, B:2/binary, T/bits>>) -> {three, B, T};
        either(B) -> {none, B}.
        clause(<<1, T/binary>>) -> clause(T);
        clause(<<2, T/binary>>) -> clause(T);
        clause(<<>>) -> done.
        clause(<<1, T/binary>>, N) -> clause(T, N + 1);
        clause(<<2, 3, T/binary>>, N) -> clause(T, N + 2).
        aligned(<<A:3, T/bits>>, L) -> aligned(T, [A | L]);
        aligned(T, L) -> {L, T}.
        twice(B) -> <<A, R/binary>> = B, C = id(A), <<D, _/binary>> = R, {A, C, D, R}.
        kept(<<A, T/binary>>) -> X = id(A), Y = id(X), kept(T, X + Y).
        kept(<<A, T/binary>>, N) -> X = id(A), kept(T, N + X);
        kept(<<>>, N) -> N.
        pos(<<A, B, T/binary>>) when A > B -> {gt, T};
        pos(<<A, T/binary>>) when A > 100 -> {big, T};
        pos(<<_, T/binary>>) -> pos(T);
        pos(<<>>) -> none.
        line(B) -> line(B, 0).
        line(B, N) -> case B of
            <<L:N/binary, $\\n, R/binary>> -> {L, R};
            _ when N < byte_size(B) -> line(B, N + 1);
            _ -> {B, <<>>} end.
        fields(<<K, L, V:L/binary, T/binary>>) -> [{K, V} | fields(T)];
        fields(<<>>) -> [];
        fields(<<K, Rest/binary>>) -> {short, K, Rest}.
        same(<<A, B, A, T/bits>>) -> {A, B, T}; same(_) -> no.
        bound(A, <<A:8, T/binary>>) -> {yes, T}; bound(_, <<B, _/binary>>) -> {no, B}.
        literal(<<\"abc\", T/binary>>) -> {abc, T}; literal(<<\"ab\", T/binary>>) -> {ab, T};
        literal(<<5:3, 2:7, T/bits>>) -> {bits, T}; literal(<<1.5/float, _/bits>>) -> float;
        literal(<<\"\\x{20ac}\"/utf8, T/binary>>) -> {euro, T}; literal(_) -> no.
        inner(<<X, T/binary>>) -> case T of <<1, R/binary>> -> inner(R); <<2, X>> -> ok end.
        strict(<<_, T/binary>>) -> <<9, R/binary>> = T, strict(R); strict(<<>>) -> ok.
        wrong(<<X, T/binary>>) -> try other(T, X) catch C:V:S -> {C, V, hd(S), T} end.
        other(<<X, T/binary>>, X) -> other(T, X + 1); other(<<>>, X) -> {done, X}.
        raise(<<1, T/binary>>) -> raise(T); raise(<<2, T/binary>>) -> error({bad, T});
        raise(<<3, T/binary>> = B) -> throw({B, T}); raise(B) -> exit(B).
        sent(<<X, T/binary>>, P) when X < 4 -> P ! {X, T}, sent(T, P); sent(B, P) -> P ! B, all().
        all() -> receive X -> [X | all()] after 0 -> [] end.
        closure(<<X, T/binary>>) -> F = fun(Y) -> {X, T, Y} end, {F(1), byte_size(T)}.
        sized(<<X, T/binary>>, N) when byte_size(T) > N -> sized(T, N + X); sized(T, N) -> {T, N}.
        compared(<<A, T/binary>>, T) -> {same, A}; compared(<<_, T/binary>>, B) -> compared(T, B);
        compared(B, _) -> B.
        json(<<$[, T/binary>>) -> {L, R} = items(T), {{list, L}, R};
        json(<<D, _/binary>> = B) when D >= $0, D =< $9 -> number(B, 0).
        items(<<$], T/binary>>) -> {[], T};
        items(<<$,, T/binary>>) -> items(T);
        items(B) -> {I, R} = json(B), {L, R2} = items(R), {[I | L], R2}.
        ",
        &[
            "words(id(<<\"the quick  brown\">>))",
            "words(id(<<>>))",
            "words(id(abc))",
            "words(id(<<1:7>>))",
            "number(id(<<\"123abc\">>), 0)",
            "number(id(<<>>), 0)",
            "sum(id(<<\"+12+30+\">>), 0)",
            "sum(id(<<\"+12x\">>), 0)",
            "[either(B) || B <- [<<1, 2, 3>>, <<2, 1, 2, 9>>, <<2, 1>>, <<3, 7, 8, 1:4>>, <<3, 7>>, <<>>, x,
                <<1, 1:1>>, <<2, 1, 2, 1:1>>]]",
            "clause(id(<<1, 2, 1>>))",
            "clause(id(<<1, 2, 1, 3, 4>>))",
            "clause(id(<<1, 2, 1, 3:4>>))",
            "clause(id([]))",
            "clause(id(<<1, 1, 2, 4, 5>>), 0)",
            "clause(id(<<1, 1, 2>>), 0)",
            "[aligned(<<5, 6, 7:N>>, []) || N <- [1, 2, 3, 4, 5, 6, 7, 8]]",
            "twice(id(<<1, 2, 3>>))",
            "twice(id(<<1>>))",
            "kept(id(<<1, 2, 3, 4>>))",
            "kept(id(<<1, 2, 3, 4:5>>))",
            "[pos(B) || B <- [<<1, 2, 3, 2, 9>>, <<1, 200>>, <<1, 2, 3>>, <<>>]]",
            "[line(B) || B <- [<<\"ab\\ncd\">>, <<\"abcd\">>, <<>>, <<\"\\n\">>]]",
            "[fields(B) || B <- [<<1, 2, 3, 4, 5, 0>>, <<>>]]",
            "fields(id(<<1, 2, 3>>))",
            "fields(id(<<1, 0, 2, 9, 9>>))",
            "[same(B) || B <- [<<1, 2, 1, 7>>, <<1, 2, 3>>, <<1, 2>>, <<1, 2, 1, 3:2>>]]",
            "[bound(X, B) || X <- [1, 2, 257, a], B <- [<<1, 5>>, <<2>>]]",
            "bound(1, id(<<>>))",
            "[literal(B) || B <- [<<\"abcd\">>, <<\"abx\">>, <<5:3, 2:7, 3:3>>, <<1.5/float, 1:1>>,
                <<\"\\x{20ac}uro\"/utf8>>, <<5:3, 3:7>>, <<>>, <<97, 98>>]]",
            "inner(id(<<5, 1, 6, 2, 6>>))",
            "inner(id(<<5, 1, 6, 2, 7>>))",
            "inner(id(<<5, 3>>))",
            "strict(id(<<1, 9, 2, 9>>))",
            "strict(id(<<1, 9, 2, 8>>))",
            "[wrong(B) || B <- [<<1, 1, 2, 3>>, <<1, 1, 3>>, <<1, 2>>, <<1>>]]",
            "raise(id(<<1, 2, 3>>))",
            "raise(id(<<1, 3, 3>>))",
            "raise(id(<<1, 4, 3>>))",
            "raise(id(<<1>>))",
            "sent(id(<<1, 2, 3, 4, 5>>), self())",
            "closure(id(<<1, 2, 3>>))",
            "sized(id(<<1, 1, 1, 1, 1, 1, 1>>), 0)",
            "compared(id(<<1, 2, 3>>), <<3>>)",
            "compared(id(<<1, 2, 3>>), <<4>>)",
            "json(id(<<\"[1,[2,33],[],4]x\">>))",
            "json(id(<<\"[1,a]\">>))",
        ],
    );
}

#[test]
fn matching_segments() {
    let help = format!(
        "{TRY}
        sizes(B, S) -> case B of <<A:S, T/bits>> -> {{A, T}}; _ -> no end.
        own(B) -> case B of <<S, A:S/binary, T/bits>> -> {{A, T}}; _ -> no end.
        expr(B, S) -> case B of <<N, A:(N * S)/bits, C:(S + 1), T/bits>> -> {{A, C, T}}; _ -> no end.
        units(B, S) -> case B of <<A:S/binary-unit:4, C:S/unit:3, T/binary>> -> {{A, C, T}}; _ -> no end.
        fixed(B) -> case B of <<A:4, B1:12/little, C:7/signed, D:9/little-signed, T/bits>> ->
            {{A, B1, C, D, T}}; _ -> no end.
        large(B) -> case B of <<A:72, C:100/little-signed, D:64/signed, T/bits>> -> {{A, C, D, T}}; _ -> no end.
        floats(B) -> case B of <<A/float, C:32/float-little, D:16/float, T/bits>> -> {{A, C, D, T}};
            <<A:32/float, T/bits>> -> {{A, T}}; _ -> no end.
        skips(B, S) -> case B of <<_:S, _:3, _:S/binary, A, _/bits>> -> A; <<_:5, A:S, _/binary>> -> {{a, A}};
            <<_:S/binary-unit:2, _/binary-unit:3>> -> u; _ -> no end.
        utf8(B) -> case B of <<A/utf8, _/utf8, C/utf8, T/bits>> -> {{A, C, T}}; <<A/utf8, T/bits>> -> {{A, T}}; _ -> no end.
        utf16(B) -> case B of <<A/utf16, _/utf16-little, T/bits>> -> {{A, T}}; <<A/utf16-little, T/bits>> -> {{A, T}}; _ -> no end.
        utf32(B) -> case B of <<A/utf32, _/utf32-little, T/bits>> -> {{A, T}}; <<A/utf32-little, T/bits>> -> {{A, T}}; _ -> no end.
        tails(B) -> case B of <<_, T/binary-unit:5>> -> {{five, T}}; <<_, T/binary-unit:16>> -> {{sixteen, T}};
            <<_, T/binary>> -> {{eight, T}}; <<_:3, T/bits>> -> {{one, T}}; _ -> no end.
        native(B) -> <<A:32/native, C:64/native-signed, D:64/native-float>> = B, {{A, C, D}}.
        in_guard(B, X) when <<X:16>> =:= B -> yes; in_guard(B, X) when byte_size(<<X/binary, B/binary>>) > 3 -> long;
            in_guard(_, _) -> no.
        nested(B) -> case B of <<N:8, M:N/binary, R/binary>> -> case M of <<X:N, Y/bits>> -> {{X, Y, R}}; _ -> {{inner, R}} end; _ -> no end.
        multi(A, B) -> case {{A, B}} of {{<<X, R/binary>>, <<X, S/binary>>}} -> {{X, R, S}}; {{<<_, R/binary>>, _}} -> R; _ -> no end.
        maps(#{{k := <<A, R/binary>>}}) -> {{A, R}}; maps(_) -> no.
        "
    );
    check(
        &help,
        &[
            "t(fun(S) -> sizes(<<1, 2, 3, 4, 5>>, S) end,
                [0, 1, 3, 8, 13, 32, 40, 41, -1, a, 1.0, 1 bsl 62, 1 bsl 70, <<>>])",
            "t(fun own/1, [<<2, 1, 2, 3>>, <<0>>, <<3, 1>>, <<1, 2, 1:1>>, <<>>])",
            "t(fun({B, S}) -> expr(B, S) end, [{<<2, 1, 2, 3, 4>>, 3}, {<<2, 255, 2>>, 4}, {<<1, 2>>, a},
                {<<1, 2, 3>>, 0}, {<<0, 1>>, -1}])",
            "t(fun({B, S}) -> units(B, S) end, [{<<1, 2, 3, 4, 5>>, 2}, {<<1, 2, 3, 4, 5, 6, 7:6>>, 4}, {<<1>>, 0}, {<<1:4>>, 1},
                {<<1, 2, 3>>, 8}])",
            "t(fun fixed/1, [<<16#12, 16#34, 16#fe, 16#dc, 16#ba>>, <<255, 255, 255, 255, 1:1>>, <<1, 2>>, <<0, 0, 128, 128>>])",
            "t(fun large/1, [binary:copy(<<16#f1>>, 30), <<0:236>>, <<1:72, (-1):100/little, (-5):64>>, <<1:235>>])",
            "t(fun floats/1, [<<1.5/float, 2.5:32/float-little, 0.5:16/float, 1:3>>, <<255, 255, 255, 255>>, <<1.5:32/float>>,
                <<16#7ff0000000000000:64, 0:48>>, <<0:112>>])",
            "t(fun({B, S}) -> skips(B, S) end, [{B, S} || B <- [<<1, 2, 3, 4, 5>>, <<1:5, 7:3, 1>>, <<5:2>>, <<>>],
                S <- [0, 1, 2, 3, -1, a]])",
            "t(fun utf8/1, [<<\"aé€🙂x\"/utf8>>, <<\"é\"/utf8>>, <<16#c3>>, <<16#ed, 16#a0, 16#80>>, <<16#c0, 16#80>>,
                <<1:1, \"ab\">>, <<16#f4, 16#90, 16#80, 16#80>>, <<>>])",
            "t(fun utf16/1, [<<\"a\"/utf16, \"b\"/utf16-little, 1>>, <<\"🙂\"/utf16, \"🙂\"/utf16-little>>, <<16#d8, 0, 0, 1>>,
                <<16#dc, 0>>, <<0>>, <<\"🙂\"/utf16-little>>])",
            "t(fun utf32/1, [<<\"a\"/utf32, \"b\"/utf32-little, 1>>, <<16#110000:32>>, <<16#d800:32>>, <<97, 0, 0, 0>>, <<0, 0, 1>>])",
            "t(fun tails/1, [<<1>>, <<1, 2:5>>, <<1, 2, 3>>, <<1, 2, 3, 4>>, <<1, 2>>, <<1:3>>, <<1:2>>, <<1:9>>, <<>>, <<1:13>>])",
            "t(fun native/1, [<<1:32/native, (-7):64/native, 2.5:64/native-float>>, <<>>])",
            "t(fun({B, X}) -> in_guard(B, X) end, [{<<0, 5>>, 5}, {<<0, 5>>, a}, {<<1, 2>>, <<3, 4>>}, {<<1>>, <<3>>}, {a, <<1>>}])",
            "t(fun nested/1, [<<2, 16#c1, 2, 3, 4>>, <<9, 1>>, <<1, 255, 3>>, <<0>>])",
            "t(fun({A, B}) -> multi(A, B) end, [{<<1, 2>>, <<1, 3>>}, {<<1, 2>>, <<2>>}, {<<>>, <<1>>}, {<<1>>, a}, {a, b}])",
            "t(fun maps/1, [#{k => <<1, 2>>}, #{k => a}, #{}])",
            "begin <<X:4, _/bits>> = id(<<1:3>>), X end",
            "begin <<X:4, _/bits>> = id(a), X end",
            "(fun(<<X>>) -> X end)(id(<<1, 2>>))",
        ],
    );
}

#[test]
fn building_segments() {
    let help = format!(
        "{TRY}
        int(V, S) -> <<V:S>>.
        int8(V) -> <<V>>.
        many(A, B, C) -> <<A:4, B:12/little, C:7, A:9/little-signed, 1:1, B:(C + 1)>>.
        wide(V) -> <<V:100, V:100/little, V:64/native>>.
        flt(V, S) -> <<V:S/float>>.
        flts(V) -> <<V/float, V:32/float-little, V:16/float>>.
        bin(V, S) -> <<V:S/binary>>.
        all(A, B) -> <<A/binary, B/bits>>.
        units(A, B) -> <<1:1, A/binary-unit:3, B/binary-unit:16>>.
        part(A, S) -> <<7:3, A:S/bits, A:S/binary-unit:2>>.
        str(V) -> <<\"prefix\", V:8, \"suffix é\"/utf8, V/utf8>>.
        utf(V) -> <<V/utf8, V/utf16, V/utf16-little, V/utf32, V/utf32-little>>.
        app(A, V) -> <<A/binary, V>>.
        app(A, V, S) -> <<A/bits, V:S, A/bits>>.
        expr(A) -> <<(A + 1):16, (byte_size(<<A>>)), (-A):8>>.
        limit(A, S, B, T) -> <<A:S, B:T>>.
        zero(A) -> <<1, A:0, A:0/unit:8>>.
        fixed(A) -> <<A:2/binary, A:3/bits>>.
        "
    );
    let expressions = [
        "t(fun({V, S}) -> int(V, S) end, [{5, 3}, {-1, 9}, {1 bsl 80, 81}, {-(1 bsl 80), 90}, {a, 8}, {1, -1}, {1, a},
            {1, 1 bsl 70}, {1, -(1 bsl 70)}, {1, 1 bsl 62}, {a, 0}, {1.0, 8}, {7, 0}, {7, 200}, {-7, 200}])",
        "t(fun int8/1, [1, 256, -1, a, 1 bsl 100, <<1>>])",
        "t(fun({A, B, C}) -> many(A, B, C) end, [{1, 2, 3}, {-1, -2, 5}, {1 bsl 70, 1 bsl 71, 12}, {1, 2, -2}, {1, a, 3}, {a, 1, 1}])",
        "t(fun wide/1, [1, -1, 1 bsl 99, -(1 bsl 63), a])",
        "t(fun({V, S}) -> flt(V, S) end, [{V, S} || V <- [1.5, 2, 1 bsl 100, 1 bsl 2000, a, 1.0e300, 70000.0, 6.0e-8],
            S <- [16, 32, 64, 8, 0, -1, a, 1 bsl 70]])",
        "t(fun flts/1, [0.1, -0.0, 1, 1.0e10, a])",
        "t(fun({V, S}) -> bin(V, S) end, [{<<1, 2, 3>>, 2}, {<<1>>, 2}, {<<1:3>>, 0}, {a, 0}, {<<1>>, -1}, {<<1>>, a}, {<<1>>, 1 bsl 70}])",
        "t(fun({A, B}) -> all(A, B) end, [{<<1>>, <<2>>}, {<<1:1>>, <<2>>}, {<<1>>, <<2:3>>}, {a, <<>>}, {<<>>, b}])",
        "t(fun({A, B}) -> units(A, B) end, [{<<1:3>>, <<2, 3>>}, {<<1:4>>, <<>>}, {<<>>, <<1>>}, {<<1:6>>, a}])",
        "t(fun({A, S}) -> part(A, S) end, [{<<255, 1>>, 5}, {<<255>>, 5}, {<<1>>, 0}, {<<1>>, a}])",
        "t(fun str/1, [65, 16#20ac, -1, 16#d800, a])",
        "t(fun utf/1, [65, 233, 16#20ac, 16#1f642, 16#d800, 16#110000, -1, a, 1.0, 1 bsl 70, 16#ffff])",
        "t(fun({A, V}) -> app(A, V) end, [{<<1>>, 2}, {<<1:1>>, 2}, {a, 2}, {<<1>>, b}, {a, b}])",
        "t(fun({A, V, S}) -> app(A, V, S) end, [{<<1>>, 2, 5}, {<<1:3>>, 2, 5}, {a, 2, 5}, {<<1>>, 2, -1}, {a, b, c}, {<<1>>, 1, 1 bsl 70}])",
        "t(fun expr/1, [1, 255, -1, a])",
        "t(fun({A, S, B, T}) -> limit(A, S, B, T) end, [{a, 8, 1, 1 bsl 70}, {1, 1 bsl 70, a, 8}, {1, 1 bsl 70, 1, a}, {1, a, 1, 1 bsl 70},
            {1, 1 bsl 61, 1, 1 bsl 61}, {a, 8, 1, -1}, {a, 8, b, 8}])",
        "t(fun zero/1, [1, a])",
        "t(fun fixed/1, [<<1, 2, 3>>, <<1, 2>>, <<1>>, <<1:3>>, a])",
        "int(a, 8)",
        "app(a, 2)",
    ];
    check(&help, &expressions);
    // Compilers before OTP 25 generate other instructions, whose errors have fewer details.
    let help = help.replace("C:R:S -> {C, R, hd(S)}", "C:R -> {C, R}");
    support::check_as_of_24(&help, &expressions[..expressions.len() - 2]);
}

#[test]
fn comprehensions_and_loops() {
    let help = format!(
        "{TRY}
        inc(B, S) -> << <<(X + 1):S>> || <<X:S>> <= B >>.
        list(B, S) -> [X || <<X:3, _:S>> <= B].
        odd(B) -> << <<X>> || <<X>> <= B, X rem 2 =:= 1 >>.
        pairs(B) -> [{{A, C}} || <<A, L, C:L/binary>> <= B].
        from(L) -> << <<X/utf8>> || X <- L >>.
        bits(L) -> << <<X:1>> || X <- L >>.
        nested(B, L) -> << <<X, Y:4>> || <<X:4>> <= B, Y <- L, Y > X >>.
        double(B) -> << <<A/bits, A/bits>> || <<A:5/bits>> <= B >>.
        join([]) -> <<>>; join([H]) -> H; join([H | T]) -> <<H/binary, $,, (join(T))/binary>>.
        rev(B) -> rev(B, <<>>).
        rev(<<X, T/binary>>, A) -> rev(T, <<X, A/binary>>); rev(<<>>, A) -> A.
        copy(B) -> copy(B, <<>>).
        copy(<<X, T/binary>>, A) -> copy(T, <<A/binary, (X bxor 1)>>); copy(<<>>, A) -> A.
        grow(N) -> grow(N, <<>>).
        grow(0, A) -> A; grow(N, A) -> grow(N - 1, <<A/bits, N:3, \"ab\">>).
        fork(A) -> B = <<A/binary, 1>>, C = <<A/binary, 2>>, D = <<B/binary, 3>>, {{A, B, C, D}}.
        keep(0, _, L) -> L; keep(N, A, L) -> B = <<A/binary, N>>, keep(N - 1, B, [B | L]).
        acc([H | T], A, N) -> M = N + id(H), acc(T, <<A/binary, H>>, M); acc([], A, N) -> {{A, N}}.
        caught(A, X) -> B = <<A/binary, 5>>, try id(<<B/binary, X>>) catch _:_ -> {{failed, A, B}} end.
        caught2(A, X) -> B = <<A/binary, 5>>, try id(x), C = <<B/binary, X>>, id(C) catch _:_ -> {{failed, id(B)}} end.
        used(A, X) -> B = <<A/binary, X>>, C = <<B/binary, X>>, id({{A, B, C}}).
        hex(B) -> << <<(digit(H)), (digit(L))>> || <<H:4, L:4>> <= B >>.
        digit(D) when D < 10 -> $0 + D; digit(D) -> $a + D - 10.
        crc(B) -> crc(B, 0).
        crc(<<X:16/little, T/bits>>, C) -> crc(T, (C * 31 + X) band 16#ffffffff);
        crc(<<X, T/bits>>, C) -> crc(T, C bxor X); crc(<<>>, C) -> C; crc(T, C) -> {{T, C}}.
        "
    );
    let expressions = [
        "t(fun({B, S}) -> inc(B, S) end, [{<<1, 2, 3>>, 8}, {<<1, 2, 3>>, 5}, {<<>>, 8}, {a, 8}, {<<1>>, a}, {<<255>>, 3}])",
        "t(fun({B, S}) -> list(B, S) end, [{<<1, 2, 3>>, 1}, {<<1, 2, 3>>, 6}, {<<1:2>>, 1}, {a, 1}, {<<1>>, a}])",
        "t(fun odd/1, [<<1, 2, 3, 4, 5>>, <<>>, a])",
        "t(fun pairs/1, [<<1, 2, 3, 4, 5, 0>>, <<1, 9, 1>>])",
        "t(fun from/1, [\"aé€\", [], [a], [1 | b], x])",
        "t(fun bits/1, [[1, 0, 1], [], [a]])",
        "t(fun({B, L}) -> nested(B, L) end, [{<<16#12, 16#34>>, [1, 2, 3, 4, 5]}, {<<16#12>>, []}])",
        "t(fun double/1, [<<16#12, 16#34, 16#56>>, <<1:5>>, <<1:4>>])",
        "t(fun join/1, [[<<\"a\">>, <<\"bc\">>, <<>>], [], [a, b]])",
        "rev(id(<<1, 2, 3, 4>>))",
        "copy(list_to_binary(lists:seq(0, 255)))",
        "byte_size(copy(binary:copy(<<\"hello\">>, 20000)))",
        "byte_size(lists:foldl(fun(X, A) -> <<A/binary, X>> end, <<>>, lists:seq(1, 50000)))",
        "begin {A, N} = acc(lists:seq(1, 50000), <<>>, 0), {byte_size(A), N} end",
        "t(fun(X) -> caught(<<1>>, X) end, [2, a])",
        "t(fun(X) -> caught2(<<1>>, X) end, [2, a])",
        "t(fun(X) -> used(<<1>>, X) end, [2, a])",
        "grow(20)",
        "bit_size(grow(5000))",
        "fork(id(<<7>>))",
        "fork(copy(<<7, 8>>))",
        "keep(4, <<>>, [])",
        "hex(id(<<1, 171, 255>>))",
        "t(fun crc/1, [<<1, 2, 3, 4, 5>>, <<1, 2, 3:3>>, <<>>])",
        "<< <<X:16>> || X <- lists:seq(1, 200) >>",
        "begin A = copy(<<1, 2>>), B = <<A/binary, 9>>, C = <<B/binary, 10>>, D = <<B/binary, 11>>, {A, B, C, D} end",
    ];
    check(&help, &expressions);
    let help = help.replace("C:R:S -> {C, R, hd(S)}", "C:R -> {C, R}");
    support::check_as_of_24(&help, &expressions);
}

#[test]
fn binaries_in_messages() {
    check(
        "
        server(N) -> receive
            {add, <<X:16, _/binary>>} when X > N -> server(N + X);
            <<\"get\", Key/binary>> -> {N, Key};
            <<S, V:S/binary, N:8>> -> {sized, V}
        after 100 -> {timeout, N} end.
        all() -> receive X -> [X | all()] after 0 -> [] end.
        stream(<<L, Chunk:L/binary, T/binary>>, To) -> To ! {chunk, Chunk}, receive ok -> ok end, stream(T, To);
        stream(<<>>, To) -> To ! done;
        stream(<<_, T/binary>>, To) -> To ! {short, T}.
        collect(L) -> receive {chunk, C} -> P = get(sender), P ! ok, collect([C | L]);
            done -> lists:reverse(L); {short, T} -> {lists:reverse(L), T} end.
        run(B, _) -> S = self(), P = spawn(fun() -> stream(B, S) end), put(sender, P), collect([]).
        ask(<<A, T/binary>>, P) -> P ! {self(), A}, receive {P, R} -> [R | ask(T, P)] end; ask(<<>>, _) -> [].
        echo() -> receive {F, A} -> F ! {self(), A * 2}, echo() end.
        ",
        &[
            "begin [self() ! M || M <- [{add, <<0, 1, 9>>}, {add, a}, <<\"put\">>, {add, <<0, 5>>}, <<\"getk\">>]], {server(1), all()} end",
            "begin self() ! <<2, 1, 2, 5>>, self() ! <<2, 1, 2, 6>>, {server(6), all()} end",
            "begin self() ! <<>>, {server(6), all()} end",
            "run(id(<<1, 5, 2, 6, 7, 0>>), x)",
            "run(id(<<1, 5, 9, 6, 7>>), x)",
            "ask(id(<<1, 2, 3>>), spawn(fun echo/0))",
            "begin S = self(), spawn(fun() -> S ! <<1:3, 2:5, \"abc\">> end), receive <<A:3, B/bits>> -> {A, B} end end",
        ],
    );
}

#[test]
fn library_functions_on_binaries() {
    check(
        TRY,
        &[
            "base64:encode(list_to_binary(lists:seq(0, 255)))",
            "[base64:encode(binary:part(<<\"hello world\">>, 0, N)) || N <- lists:seq(0, 11)]",
            "[base64:decode(base64:encode(binary:part(<<\"hello world\">>, 0, N))) || N <- lists:seq(0, 11)]",
            "t(fun base64:decode/1, [<<\"aGVsbG8=\">>, \"aGVsbG8=\", <<\"a\">>, <<\"aGVs bG8=\">>, <<\"====\">>, <<\"*\">>, a])",
            "base64:mime_decode(<<\"aGVs\\nbG8=!\">>)",
            "base64:encode_to_string(\"hi\")",
            "t(fun string:length/1, [<<\"aé€🙂\"/utf8>>, \"e\\x{301}\", <<>>, <<255>>])",
            "string:uppercase(<<\"straße éà\"/utf8>>)",
            "string:lowercase(<<\"ÀÉ ΑΣ\"/utf8>>)",
            "string:titlecase(<<\"ǆ hello\"/utf8>>)",
            "string:casefold(<<\"Straße\"/utf8>>)",
            "string:reverse(<<\"ae\\x{301}z\"/utf8>>)",
            "string:trim(<<\"  hi there \\n\">>)",
            "string:trim(<<\"xxhixx\">>, both, \"x\")",
            "string:split(<<\"a,b,c\">>, <<\",\">>)",
            "string:split(<<\"a,b,c\">>, <<\",\">>, all)",
            "string:lexemes(<<\"a b\\tc\">>, \" \\t\")",
            "string:slice(<<\"héllo wörld\"/utf8>>, 1, 4)",
            "string:pad(<<\"ab\">>, 5, both, $-)",
            "string:find(<<\"hello\">>, <<\"l\">>)",
            "string:find(<<\"hello\">>, <<\"l\">>, trailing)",
            "string:prefix(<<\"hello\">>, <<\"he\">>)",
            "string:equal(<<\"Hello\">>, \"hello\", true)",
            "string:to_graphemes(<<\"e\\x{301}🇩🇪👨‍👩‍👧\"/utf8>>)",
            "string:next_codepoint(<<\"€x\"/utf8>>)",
            "string:next_grapheme(<<\"e\\x{301}x\"/utf8>>)",
            "string:to_integer(<<\"42abc\">>)",
            "string:to_float(<<\"4.25x\">>)",
            "string:replace(<<\"a-b-c\">>, <<\"-\">>, <<\"+\">>, all)",
            "string:is_empty(<<>>)",
            "string:chomp(<<\"line\\r\\n\">>)",
            "string:jaro_similarity(<<\"hello\">>, <<\"hallo\">>)",
            "unicode:characters_to_nfd_binary(<<\"é\"/utf8>>)",
            "unicode:characters_to_nfc_list(<<\"e\\x{301}\"/utf8>>)",
            "unicode:characters_to_nfkc_binary(<<\"ﬁ\"/utf8>>)",
            "unicode:bom_to_encoding(<<16#ef, 16#bb, 16#bf, 1>>)",
            "unicode:encoding_to_bom({utf16, little})",
            "unicode_util:gc(<<\"e\\x{301}x\"/utf8>>)",
            "unicode_util:cp(<<16#c3>>)",
            "unicode_util:nfd(<<\"é\"/utf8>>)",
            "binary:decode_hex(<<\"00ff1a\">>)",
            "binary:encode_hex(<<0, 255, 26>>)",
            "binary:replace(<<\"a-b-c\">>, <<\"-\">>, <<\"+\">>, [global])",
            "binary:split(<<\"a,b,c\">>, <<\",\">>, [global])",
            "io_lib:format(\"~p ~w ~s\", [<<\"abc\">>, <<1, 2:3>>, <<\"x\">>])",
            "lists:flatten(io_lib:format(\"~tp ~ts\", [<<\"é\"/utf8>>, <<\"€\"/utf8>>]))",
            "filename:join(<<\"a\">>, <<\"b\">>)",
            "filename:basename(<<\"/a/b.erl\">>, <<\".erl\">>)",
            "uri_string:parse(<<\"http://host:80/path?q=1#f\">>)",
            "uri_string:quote(<<\"a b&c\">>)",
        ],
    );
}

/// A match context in a stack frame is not changed by another copy of its process.
#[test]
fn snapshots_do_not_share_contexts() {
    use mazurka_beam::code::Library;
    use mazurka_beam::machine::{Effect, Input, Machine, Process, Start, Stop};
    use mazurka_beam::source::CodePath;
    use mazurka_beam::term::{Atom, PidTerm, Term};

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stream.erl");
    let source = "-module(stream).\n-export([run/1]).\n\
        run(<<X, Rest/binary>>) -> self() ! X, receive ok -> ok end, run(Rest).\n";
    std::fs::write(&file, source).expect("a file");
    let program = CodePath::find(&[file.to_str().expect("text")], &[]);
    let program = program.unwrap_or_else(|error| panic!("{error}"));
    let library = Library::new(program.folders.clone());
    let start = Start {
        module: Atom::new("stream"),
        name: Atom::new("run"),
        arguments: vec![Term::binary(&[1, 2, 3, 4])],
        leader: PidTerm::entry(),
        clock_us: 0,
    };
    let mut machine = Machine::new();
    let mut new = true;
    let mut next = |process: &mut Process| {
        let mut effects = Vec::new();
        let input = Input::Message(Atom::OK.into());
        let stop = match new {
            true => machine.run(&library, process, &mut effects),
            false => machine.resume(&library, process, input, &mut effects),
        };
        new = false;
        assert!(matches!(stop, Stop::Receive { .. }), "{stop:?}");
        match &effects[..] {
            [Effect::Send { value, .. }] => value.to_string(),
            effects => panic!("{effects:?}"),
        }
    };
    let mut first = Process::new(PidTerm::entry(), &start);
    assert_eq!(next(&mut first), "1");
    let mut second = first.clone();
    assert_eq!(next(&mut first), "2");
    assert_eq!(next(&mut first), "3");
    let mut third = first.clone();
    assert_eq!(next(&mut second), "2");
    assert_eq!(next(&mut first), "4");
    assert_eq!(next(&mut third), "4");
    assert_eq!(next(&mut second), "3");
}

/// The instruction `bs_match`, which only compilers since OTP 26 generate.
#[test]
fn commands_of_newer_compilers() {
    use mazurka_beam::code::Library;
    use mazurka_beam::loader::{Function, Instruction, Lines, Module, Opcode, Operand, Place};
    use mazurka_beam::machine::{End, Start, Stop};
    use mazurka_beam::term::{Atom, PidTerm, Term};

    let opcode = |name: &str| {
        let mut opcodes = (1..192).filter_map(Opcode::new);
        opcodes.find(|opcode| opcode.name() == name).expect("it")
    };
    let instruction = |name: &str, operands: Vec<Operand>| Instruction {
        opcode: opcode(name),
        operands: operands.into(),
    };
    let atom = |name: &str| Operand::Atom(Atom::new(name));
    let number = Operand::Unsigned;
    let (name, function) = (Atom::new("newer"), Atom::new("run"));
    // run(<<1, A:12/signed-little, B:4/bits, _:8, T/binary>>) -> exit({A, B, T});
    // run(B) -> exit(B).
    let commands = vec![
        atom("ensure_at_least"),
        number(32),
        number(8),
        atom("=:="),
        Operand::Nil,
        number(8),
        number(1),
        atom("integer"),
        number(1),
        Operand::Literal(0),
        number(12),
        number(1),
        Operand::X(1),
        atom("binary"),
        number(2),
        Operand::Nil,
        number(4),
        number(1),
        Operand::X(2),
        atom("skip"),
        number(8),
        atom("get_tail"),
        number(3),
        number(8),
        Operand::X(3),
    ];
    let tuple = vec![Operand::X(1), Operand::X(2), Operand::X(3)];
    let instructions = vec![
        instruction("label", vec![number(1)]),
        instruction(
            "func_info",
            vec![Operand::Atom(name), Operand::Atom(function), number(1)],
        ),
        instruction("label", vec![number(2)]),
        instruction(
            "bs_start_match4",
            vec![Operand::Label(1), number(1), Operand::X(0), Operand::X(0)],
        ),
        instruction(
            "bs_get_position",
            vec![Operand::X(0), Operand::X(4), number(1)],
        ),
        instruction(
            "bs_match",
            vec![
                Operand::Label(3),
                Operand::X(0),
                Operand::List(commands.into()),
            ],
        ),
        instruction(
            "put_tuple2",
            vec![Operand::X(0), Operand::List(tuple.into())],
        ),
        instruction("call_ext_only", vec![number(1), number(0)]),
        instruction("label", vec![number(3)]),
        instruction("bs_set_position", vec![Operand::X(0), Operand::X(4)]),
        instruction("bs_get_tail", vec![Operand::X(0), Operand::X(0), number(1)]),
        instruction("call_ext_only", vec![number(1), number(0)]),
    ];
    let place = |instruction| {
        Some(Place {
            function: 0,
            instruction,
        })
    };
    let module = Module {
        name,
        atoms: vec![name],
        functions: vec![Function {
            name: function,
            arity: 1,
            entry: 2,
            instructions,
        }],
        labels: vec![None, place(0), place(2), place(8)],
        imports: vec![mazurka_beam::loader::Import {
            module: Atom::ERLANG,
            name: Atom::EXIT,
            arity: 1,
        }],
        exports: vec![mazurka_beam::loader::Entry {
            name: function,
            arity: 1,
            label: 2,
        }],
        locals: Vec::new(),
        lambdas: Vec::new(),
        literals: vec![Term::list([Term::atom("signed"), Term::atom("little")])],
        strings: Vec::new(),
        lines: Lines::default(),
        abstract_code: Vec::new(),
    };
    let library = Library::new([]);
    library.add(module).expect("it can be run");
    let check = |bytes: &[u8], expected: &str| {
        let start = Start {
            module: name,
            name: function,
            arguments: vec![Term::binary(bytes)],
            leader: PidTerm::entry(),
            clock_us: 0,
        };
        let mut world = world::World::new(&library);
        world.spawn(PidTerm::entry(), &start);
        world.run();
        match world.end_of(PidTerm::entry()) {
            Some(Stop::Exit(End::Raised { reason, .. })) => {
                assert_eq!(reason.to_string(), expected)
            }
            other => panic!("{other:?}"),
        }
    };
    check(&[1, 0xff, 0xe5, 9, 7, 8], "{-257,<<5:4>>,<<7,8>>}");
    check(&[1, 0, 0x10, 9], "{256,<<0:4>>,<<>>}");
    check(&[2, 0, 0, 9], "<<2,0,0,9>>");
    check(&[1, 2, 3], "<<1,2,3>>");
}
