%% Calls pure functions of the real library with random arguments and records the outcomes, for the
%% tests of mazurka-beam.
-module(library_oracle).
-export([calls/4]).

%% Modules whose exported functions are all called, except for the skipped ones.
modules() ->
    [lists, maps, orddict, ordsets, dict, sets, gb_trees, gb_sets, queue, array, proplists, string, unicode,
     unicode_util, io_lib, io_lib_format, binary, math, erl_scan, erl_parse, erl_anno, base64, calendar, rand,
     filename, uri_string, library_cases].

%% Functions that are not called, with the reason. Those of `later` were added after OTP 25, and are
%% skipped for one of the other reasons.
skipped() ->
    [{clock, calendar, [iso_week_number, local_time, universal_time], 0},
     {seed, rand, [uniform, uniform_real, normal, export_seed, jump, mwc59_seed], 0},
     {seed, rand, [bytes, uniform, seed], 1},
     {seed, rand, [normal, seed], 2},
     {seed, rand, [seed_s], 1},
     {later, rand, [shuffle], 1},
     {folder, filename, [absname], 1},
     {environment, filename, [basedir], any},
     {protocol, io_lib, [collect_chars, collect_line, get_until], any},
     {later, io_lib, [collect_chars_eager, collect_line_no_eol], any},
     {protocol, erl_parse, [parse_and_scan], 1},
     {opaque, binary, [compile_pattern, referenced_byte_size], 1},
     {regex, rand, [format_jumpconst58], 1},
     {release, unicode_util, [spec_version], 0},
     {release, unicode, [bin_is_7bit], 1},
     {later, array, [upgrade], 1},
     %% Functions that only create arguments.
     {helper, library_cases, [functions], 1}].

is_skipped(M, F, A) ->
    F =:= module_info orelse
        lists:any(fun({_, M1, Fs, A1}) ->
                      M =:= M1 andalso lists:member(F, Fs) andalso (A1 =:= any orelse A1 =:= A)
                  end, skipped()).

%% One record for each call: module, function, arguments and outcome. The first record has the release
%% and all functions that are called.
calls(Whose, Count, Seed, Out) ->
    rand:seed(exsss, Seed),
    Functions = functions(Whose),
    {ok, File} = file:open(Out, [write, raw, delayed_write]),
    Release = list_to_integer(erlang:system_info(otp_release)),
    ok = file:write(File, record({Release, [Name || {Name, _} <- Functions]})),
    [ok = file:write(File, call(Name, Kinds)) || {Name, Kinds} <- Functions, _ <- lists:seq(1, Count * weight(Name))],
    ok = file:close(File).

%% Each function with the kinds of its arguments.
functions(elixir) -> elixir_oracle:functions();
functions(otp) ->
    [] = [Skip || {Why, M, Fs, A} = Skip <- skipped(), Why =/= later, F <- Fs,
                  not lists:any(fun({F1, A1}) -> F =:= F1 andalso (A =:= any orelse A =:= A1) end, M:module_info(exports))],
    [{{M, F, A}, kinds(M, F, A)} ||
        M <- modules(), {F, A} <- lists:sort(M:module_info(exports)), not is_skipped(M, F, A)].

record(Term) ->
    Bytes = term_to_binary(Term),
    [<<(byte_size(Bytes)):32>>, Bytes].

%% Functions with many different cases are called more often.
weight({io_lib, format, 2}) -> 20;
weight({library_cases, flat_format, 2}) -> 20;
weight({library_cases, operators, 2}) -> 5;
weight({library_cases, F, 2}) when F =:= arithmetic; F =:= integer_arithmetic -> 5;
weight({M, _, 0}) when M =/= library_cases -> 1;
weight({library_cases, _, _}) -> 2;
weight({string, _, _}) -> 2;
weight(_) -> 1.

call({M, F, A}, Kinds) ->
    Args = spoiled(A, lists:flatmap(fun values/1, Kinds)),
    A = length(Args),
    case outcome(M, F, Args) of
        late -> [];
        Outcome -> record({M, F, Args, Outcome})
    end.

%% An argument is sometimes any term except a size that would need too much memory.
spoiled(0, Args) -> Args;
spoiled(A, Args) ->
    case rand:uniform(15) of
        1 ->
            {Before, [_ | After]} = lists:split(rand:uniform(A) - 1, Args),
            Before ++ [case any() of N when is_integer(N) -> N rem 1000; Any -> Any end] ++ After;
        _ -> Args
    end.

%% In a separate process, because the call may run out of memory or time.
outcome(M, F, Args) ->
    Call = fun() ->
        exit(try {ok, apply(M, F, Args)}
             catch Class:Reason -> {Class, Reason} end)
    end,
    {Pid, Monitor} =
        spawn_opt(Call, [monitor, {max_heap_size, #{size => 2000000, kill => true, error_logger => false}}]),
    receive
        {'DOWN', Monitor, _, _, killed} -> late;
        {'DOWN', Monitor, _, _, Outcome} -> Outcome
    after 1000 ->
        exit(Pid, kill),
        receive {'DOWN', Monitor, _, _, _} -> late end
    end.

%% The kinds of arguments of a function.
kinds(_, _, 0) -> [];

kinds(lists, F, 2) when F =:= all; F =:= any; F =:= dropwhile; F =:= filter; F =:= partition; F =:= search;
                        F =:= splitwith; F =:= takewhile -> [{'fun', pred}, list];
kinds(lists, F, 1) when F =:= append; F =:= merge; F =:= umerge -> [{list, sorted}];
kinds(lists, F, 2) when F =:= append; F =:= subtract; F =:= prefix; F =:= suffix -> [short, short];
kinds(lists, concat, 1) -> [{list, {one, [atom, small, string, float]}}];
kinds(lists, F, 2) when F =:= delete; F =:= member; F =:= join -> [key, list];
kinds(lists, duplicate, 2) -> [small, any];
kinds(lists, enumerate, 2) -> [integer, list];
kinds(lists, enumerate, 3) -> [integer, small, list];
kinds(lists, F, 2) when F =:= filtermap; F =:= zf -> [{'fun', filtermap}, list];
kinds(lists, flatmap, 2) -> [{'fun', to_list}, list];
kinds(lists, F, 1) when F =:= flatten; F =:= flatlength -> [deep_list];
kinds(lists, flatten, 2) -> [deep_list, list];
kinds(lists, F, 3) when F =:= foldl; F =:= foldr -> [{'fun', fold}, any, list];
kinds(lists, F, 2) when F =:= foreach; F =:= map -> [{'fun', map}, list];
kinds(lists, F, 3) when F =:= keydelete; F =:= keyfind; F =:= keymember; F =:= keysearch; F =:= keytake ->
    [key, position, {list, pair}];
kinds(lists, keymap, 3) -> [{'fun', map}, position, {list, pair}];
kinds(lists, F, 3) when F =:= keymerge; F =:= ukeymerge -> [{just, 1}, {keysorted, 1}, {keysorted, 1}];
kinds(lists, F, 3) when F =:= rkeymerge; F =:= rukeymerge -> [{just, 1}, {reversed, 1}, {reversed, 1}];
kinds(lists, F, 4) when F =:= keyreplace; F =:= keystore -> [key, position, {list, pair}, tuple];
kinds(lists, F, 2) when F =:= keysort; F =:= ukeysort -> [position, {list, pair}];
kinds(lists, F, 3) when F =:= mapfoldl; F =:= mapfoldr -> [{'fun', mapfold}, any, list];
kinds(lists, F, 2) when F =:= merge; F =:= umerge -> [sorted, sorted];
kinds(lists, F, 3) when F =:= merge; F =:= umerge; F =:= rmerge; F =:= rumerge -> [{'fun', less}, sorted, sorted];
kinds(lists, F, 3) when F =:= merge3; F =:= umerge3 -> [sorted, sorted, sorted];
kinds(lists, F, 2) when F =:= rmerge; F =:= rumerge -> [rsorted, rsorted];
kinds(lists, F, 3) when F =:= rmerge3; F =:= rumerge3 -> [rsorted, rsorted, rsorted];
kinds(lists, F, 2) when F =:= nth; F =:= nthtail; F =:= split -> [count, list];
kinds(lists, reverse, 2) -> [list, any];
kinds(lists, seq, 2) -> [small, small];
kinds(lists, seq, 3) -> [small, small, {one, [small, {just, 1}, {just, 2}, {just, -1}]}];
kinds(lists, F, 2) when F =:= sort; F =:= usort -> [{'fun', less}, list];
kinds(lists, sublist, 2) -> [list, count];
kinds(lists, sublist, 3) -> [list, count, count];
kinds(lists, sum, 1) -> [{list, number}];
kinds(lists, uniq, 2) -> [{'fun', map}, list];
kinds(lists, unzip, 1) -> [{list, pair}];
kinds(lists, unzip3, 1) -> [{list, {tuple, [any, key, small]}}];
kinds(lists, zip, A) -> [three, three | [padding || A =:= 3]];
kinds(lists, zip3, A) -> [three, three, three | [padding || A =:= 4]];
kinds(lists, zipwith, A) -> [{'fun', combine}, three, three | [padding || A =:= 4]];
kinds(lists, zipwith3, A) -> [{'fun', combine3}, three, three, three | [padding || A =:= 5]];
kinds(lists, _, 1) -> [list];

kinds(maps, filter, 2) -> [{'fun', key_pred}, map];
kinds(maps, filtermap, 2) -> [{'fun', key_filtermap}, map];
kinds(maps, F, 2) when F =:= find; F =:= get; F =:= is_key; F =:= remove; F =:= take -> [key, map];
kinds(maps, fold, 3) -> [{'fun', unordered_key_fold}, list, map];
kinds(maps, F, 2) when F =:= foreach; F =:= map -> [{'fun', key_map}, map];
kinds(maps, from_keys, 2) -> [list, any];
kinds(maps, from_list, 1) -> [pairs];
kinds(maps, get, 3) -> [key, map, any];
kinds(maps, groups_from_list, 2) -> [{'fun', map}, list];
kinds(maps, groups_from_list, 3) -> [{'fun', map}, {'fun', map}, list];
kinds(maps, F, 2) when F =:= intersect; F =:= merge -> [map, map];
kinds(maps, F, 3) when F =:= intersect_with; F =:= merge_with -> [{'fun', combine3}, map, map];
kinds(maps, next, 1) -> [map_iterator];
kinds(maps, is_iterator_valid, 1) -> [{one, [map_iterator, any]}];
kinds(maps, iterator, 2) -> [map, {one, [{pick, [undefined, ordered, reversed]}, {'fun', less}]}];
kinds(maps, F, 3) when F =:= put; F =:= update -> [key, any, map];
kinds(maps, update_with, 3) -> [key, {'fun', map}, map];
kinds(maps, update_with, 4) -> [key, {'fun', map}, any, map];
kinds(maps, F, 2) when F =:= with; F =:= without -> [{list, key}, map];
kinds(maps, _, 1) -> [map];

kinds(M, F, A) when M =:= orddict; M =:= dict -> dict_kinds(F, A, M);
kinds(M, F, A) when M =:= ordsets; M =:= sets; M =:= gb_sets -> set_kinds(F, A, M);

kinds(gb_trees, F, 2) when F =:= delete; F =:= get; F =:= take; F =:= delete_any; F =:= is_defined; F =:= lookup;
                           F =:= take_any -> [key, tree];
kinds(gb_trees, F, 3) when F =:= enter; F =:= insert; F =:= update -> [key, any, tree];
kinds(gb_trees, from_orddict, 1) -> [orddict];
kinds(gb_trees, from_list, 1) -> [pairs];
kinds(gb_trees, F, 2) when F =:= iterator_from; F =:= larger; F =:= smaller -> [key, tree];
kinds(gb_trees, iterator, 2) -> [tree, direction];
kinds(gb_trees, iterator_from, 3) -> [key, tree, direction];
kinds(gb_trees, map, 2) -> [{'fun', key_map}, tree];
kinds(gb_trees, next, 1) -> [tree_iterator];
kinds(gb_trees, _, 1) -> [tree];

kinds(queue, F, 2) when F =:= all; F =:= any; F =:= delete_with; F =:= delete_with_r -> [{'fun', pred}, queue];
kinds(queue, F, 2) when F =:= cons; F =:= delete; F =:= delete_r; F =:= in; F =:= in_r; F =:= member -> [key, queue];
kinds(queue, snoc, 2) -> [queue, key];
kinds(queue, filter, 2) -> [{'fun', queue_filter}, queue];
kinds(queue, filtermap, 2) -> [{'fun', filtermap}, queue];
kinds(queue, fold, 3) -> [{'fun', fold}, any, queue];
kinds(queue, from_list, 1) -> [list];
kinds(queue, join, 2) -> [queue, queue];
kinds(queue, split, 2) -> [count, queue];
kinds(queue, is_queue, 1) -> [{one, [queue, any]}];
kinds(queue, _, 1) -> [queue];

kinds(array, F, 3) when F =:= foldl; F =:= foldr; F =:= sparse_foldl; F =:= sparse_foldr -> [{'fun', key_fold}, any, array];
kinds(array, append, 2) -> [any, array];
kinds(array, prepend, 2) -> [any, array];
kinds(array, concat, 1) -> [{list1, array}];
kinds(array, concat, 2) -> [array, array];
kinds(array, F, 5) when F =:= foldl; F =:= foldr; F =:= sparse_foldl; F =:= sparse_foldr ->
    [index, index, {'fun', key_fold}, any, array];
kinds(array, F, 3) when F =:= mapfoldl; F =:= mapfoldr; F =:= sparse_mapfoldl; F =:= sparse_mapfoldr ->
    [{'fun', key_mapfold}, any, array];
kinds(array, F, 5) when F =:= mapfoldl; F =:= mapfoldr; F =:= sparse_mapfoldl; F =:= sparse_mapfoldr ->
    [index, index, {'fun', key_mapfold}, any, array];
kinds(array, from, A) -> [{'fun', supply}, count | [any || A =:= 3]];
kinds(array, shift, 2) -> [small, array];
kinds(array, slice, 3) -> [index, count, array];
kinds(array, from_list, 1) -> [list];
kinds(array, from_list, 2) -> [list, any];
kinds(array, from_orddict, 1) -> [{indexed, 12}];
kinds(array, from_orddict, 2) -> [{indexed, 60}, any];
kinds(array, F, 2) when F =:= get; F =:= reset -> [index, array];
kinds(array, F, 2) when F =:= map; F =:= sparse_map -> [{'fun', index_map}, array];
kinds(array, new, 1) -> [array_options];
kinds(array, new, 2) -> [count, array_options];
kinds(array, resize, 2) -> [index, array];
kinds(array, set, 3) -> [index, any, array];
kinds(array, is_array, 1) -> [{one, [array, any]}];
kinds(array, _, 1) -> [array];

kinds(proplists, F, 2) when F =:= expand -> [{list, {tuple, [property, proplist]}}, proplist];
kinds(proplists, normalize, 2) ->
    [{list, {one, [{tuple, [{just, aliases}, {list, {tuple, [atom, atom]}}]},
                   {tuple, [{just, negations}, {list, {tuple, [atom, atom]}}]},
                   {tuple, [{just, expand}, {list, {tuple, [property, proplist]}}]}]}}, proplist];
kinds(proplists, F, 2) when F =:= substitute_aliases; F =:= substitute_negations ->
    [{list, {tuple, [short_atom, short_atom]}}, proplist];
kinds(proplists, split, 2) -> [proplist, {list, short_atom}];
kinds(proplists, to_map, 2) -> [proplist, {list, {one, [{tuple, [{just, aliases}, {list, {tuple, [short_atom, short_atom]}}]}]}}];
kinds(proplists, property, 1) -> [property];
kinds(proplists, property, 2) -> [short_atom, any];
kinds(proplists, get_value, 3) -> [short_atom, proplist, any];
kinds(proplists, from_map, 1) -> [map];
kinds(proplists, _, 2) -> [short_atom, proplist];
kinds(proplists, _, 1) -> [proplist];

kinds(string, F, A) -> string_kinds(F, A);

kinds(unicode, F, 1) when F =:= bin_is_7bit; F =:= bom_to_encoding -> [{one, [chardata_binary, with_bom]}];
kinds(unicode, encoding_to_bom, 1) -> [encoding];
kinds(unicode, F, 1) when F =:= category; F =:= is_id_continue; F =:= is_id_start; F =:= is_whitespace -> [codepoint];
kinds(unicode, F, 2) when F =:= characters_to_binary_int; F =:= characters_to_list_int -> [encoded_chardata, encoding];
kinds(unicode, _, 1) -> [chardata];
kinds(unicode, _, 2) -> [encoded_chardata, encoding];
kinds(unicode, _, 3) -> [encoded_chardata, encoding, encoding];
kinds(unicode_util, F, 1) when F =:= get_case; F =:= lookup; F =:= category; F =:= is_letter_not_pattern_syntax;
                               F =:= is_other_id_continue; F =:= is_other_id_start -> [codepoint];
kinds(unicode_util, is_wide, 1) -> [{one, [codepoint, unicode_string]}];
kinds(unicode_util, is_whitespace, 1) -> [{one, [codepoint, {just, $\s}, {just, "\r\n"}]}];
kinds(unicode_util, _, 1) -> [chardata];

kinds(M, F, A) when M =:= io_lib; M =:= io_lib_format -> io_kinds(F, A);

kinds(binary, at, 2) -> [letters, small];
kinds(binary, F, 2) when F =:= bin_to_list; F =:= part -> [letters, {tuple, [count, small]}];
kinds(binary, F, 3) when F =:= bin_to_list; F =:= part -> [letters, count, small];
kinds(binary, copy, 2) -> [letters, count];
kinds(binary, decode_hex, 1) -> [hex];
kinds(binary, decode_unsigned, 2) -> [binary, endianness];
kinds(binary, encode_hex, 2) -> [binary, {pick, [uppercase, lowercase]}];
kinds(binary, join, 2) -> [{list, letters}, letters];
kinds(binary, encode_unsigned, 1) -> [natural];
kinds(binary, encode_unsigned, 2) -> [natural, endianness];
kinds(binary, F, 1) when F =:= longest_common_prefix; F =:= longest_common_suffix -> [{list1, letters}];
kinds(binary, list_to_bin, 1) -> [iolist];
kinds(binary, F, 2) when F =:= match; F =:= matches; F =:= split -> [letters, pattern];
kinds(binary, F, 3) when F =:= match; F =:= matches -> [letters, pattern, scope];
kinds(binary, replace, 3) -> [letters, pattern, letters];
kinds(binary, replace, 4) -> [letters, pattern, letters, {list, {one, [{just, global}, scope1, {tuple, [{just, insert_replaced}, count]}]}}];
kinds(binary, split, 3) -> [letters, pattern, {list, {one, [{just, global}, {just, trim}, {just, trim_all}, scope1]}}];
kinds(binary, _, 1) -> [{one, [binary, letters]}];

kinds(math, F, 1) when F =:= acos; F =:= asin; F =:= atanh -> [unit_float];
kinds(math, _, A) -> lists:duplicate(A, {one, [small, unit_float, positive_float]});

kinds(erl_scan, string, 1) -> [code];
kinds(erl_scan, string, 2) -> [code, location];
kinds(erl_scan, string, 3) -> [code, location, {list, {one, [{just, return}, {just, text}, {just, return_comments}, {just, return_white_spaces},
                                                              {tuple, [{just, reserved_word_fun}, {'fun', reserved}]}]}}];
kinds(erl_scan, tokens, 3) -> [{just, []}, {one, [code, {just, eof}]}, location];
kinds(erl_scan, tokens, 4) -> [{just, []}, code, location, {list, {just, return}}];
kinds(erl_scan, continuation_location, 1) -> [scan_continuation];
kinds(erl_scan, format_error, 1) -> [scan_error];
kinds(erl_scan, F, 1) when F =:= reserved_word; F =:= f_reserved_word -> [word];
kinds(erl_scan, _, 1) -> [token];
kinds(erl_parse, abstract, 1) -> [plain];
kinds(erl_parse, abstract, 2) -> [plain, {one, [{list, {one, [{tuple, [{just, line}, count]}, {tuple, [{just, encoding}, {pick, [latin1, utf8, none]}]}]}}, count]}];
kinds(erl_parse, F, 1) when F =:= anno_from_term; F =:= anno_to_term; F =:= first_anno; F =:= new_anno; F =:= normalise; F =:= tokens -> [abstract];
kinds(erl_parse, tokens, 2) -> [abstract, {just, []}];
kinds(erl_parse, map_anno, 2) -> [{'fun', anno_map}, abstract];
kinds(erl_parse, fold_anno, 3) -> [{'fun', anno_fold}, {just, []}, abstract];
kinds(erl_parse, mapfold_anno, 3) -> [{'fun', anno_mapfold}, {just, 1}, abstract];
kinds(erl_parse, format_error, 1) -> [{one, [{list, string}, string, any]}];
kinds(erl_parse, F, 1) when F =:= inop_prec; F =:= preop_prec; F =:= type_inop_prec; F =:= type_preop_prec ->
    [{pick, ['=', '!', '+', '-', '*', '/', 'not', 'bnot', '::', '|', '..', '#', 'catch', ':', '++', andalso_]}];
kinds(erl_parse, _, 1) -> [tokens];
kinds(erl_anno, new, 1) -> [location];
kinds(erl_anno, F, 1) when F =:= from_term; F =:= is_anno -> [anno];
kinds(erl_anno, F, 2) when F =:= set_file; F =:= set_text -> [string, anno];
kinds(erl_anno, F, 2) when F =:= set_generated; F =:= set_record -> [boolean, anno];
kinds(erl_anno, set_line, 2) -> [count, anno];
kinds(erl_anno, F, 2) when F =:= set_end_location; F =:= set_location -> [location, anno];
kinds(erl_anno, _, 1) -> [anno];

kinds(base64, F, 1) when F =:= encode; F =:= encode_to_string -> [{one, [binary, {list, byte}]}];
kinds(base64, F, 2) when F =:= encode; F =:= encode_to_string -> [{one, [binary, {list, byte}]}, base64_options];
kinds(base64, format_error, 2) -> [any, base64_trace];
kinds(base64, _, 2) -> [base64, base64_options];
kinds(base64, _, 1) -> [base64];

kinds(calendar, date_to_gregorian_days, 3) -> [year, month, day];
kinds(calendar, F, 1) when F =:= date_to_gregorian_days; F =:= day_of_the_week; F =:= iso_week_number; F =:= valid_date -> [date];
kinds(calendar, F, 3) when F =:= day_of_the_week; F =:= valid_date -> [year, month, day];
kinds(calendar, datetime_to_gregorian_seconds, 1) -> [datetime];
kinds(calendar, gregorian_days_to_date, 1) -> [{below, 4000000}];
kinds(calendar, F, 1) when F =:= gregorian_seconds_to_datetime; F =:= seconds_to_daystime -> [{below, 100000000000}];
kinds(calendar, is_leap_year, 1) -> [year];
kinds(calendar, last_day_of_the_month, 2) -> [year, month];
kinds(calendar, F, 1) when F =:= now_to_datetime; F =:= now_to_universal_time; F =:= now_to_local_time -> [{tuple, [{below, 4000}, {below, 1000000}, {below, 1000000}]}];
kinds(calendar, rfc3339_to_system_time, 1) -> [rfc3339];
kinds(calendar, rfc3339_to_system_time, 2) -> [rfc3339, {list, {tuple, [{just, unit}, unit]}}];
kinds(calendar, seconds_to_time, 1) -> [{below, 86400}];
kinds(calendar, system_time_to_rfc3339, 1) -> [{below, 10000000000}];
kinds(calendar, F, 1) when F =:= local_time_to_universal_time; F =:= local_time_to_universal_time_dst; F =:= universal_time_to_local_time ->
    [datetime];
kinds(calendar, local_time_to_universal_time, 2) -> [datetime, {pick, [true, false, undefined]}];
kinds(calendar, system_time_to_rfc3339, 2) -> [{below, 10000000000}, rfc3339_options];
kinds(calendar, F, 2) when F =:= system_time_to_universal_time; F =:= system_time_to_local_time -> [{below, 10000000000000}, unit];
kinds(calendar, time_difference, 2) -> [datetime, datetime];
kinds(calendar, F, A) when F =:= local_time_to_system_time; F =:= universal_time_to_system_time ->
    [datetime | [{list, {tuple, [{just, unit}, unit]}} || A =:= 2]];
kinds(calendar, time_to_seconds, 1) -> [time];

kinds(rand, bytes_s, 2) -> [count, rand_state];
kinds(rand, exro928_seed, 1) -> [{list16, {below, 1 bsl 58}}];
kinds(rand, F, 1) when F =:= exro928_jump_2pow20; F =:= exro928_jump_2pow512; F =:= exro928_next; F =:= exro928_next_state -> [exro928];
kinds(rand, F, 1) when F =:= exsp_jump; F =:= exsp_next -> [exsp];
kinds(rand, F, 1) when F =:= mwc59; F =:= mwc59_value; F =:= mwc59_value32; F =:= mwc59_float -> [{below, 1 bsl 58}];
kinds(rand, mwc59_seed, 1) -> [{below, 1 bsl 58}];
kinds(rand, splitmix64_next, 1) -> [{below, 1 bsl 64}];
kinds(rand, seed58, 2) -> [count, {below, 1 bsl 64}];
kinds(rand, shuffle_s, 2) -> [list, rand_state];
kinds(rand, seed_s, 2) -> [algorithm, seed];
kinds(rand, F, 1) when F =:= float2str; F =:= bc64 -> [{one, [positive_float, {below, 1 bsl 64}]}];
kinds(rand, make_float, 3) -> [{pick, [0, 1]}, {below, 2047}, {below, 1 bsl 52}];
kinds(rand, normal_s, 3) -> [number, positive_float, rand_state];
kinds(rand, uniform_s, 2) -> [{one, [{below, 100}, {below, 1 bsl 70}]}, rand_state];
kinds(rand, _, 1) -> [rand_state];

kinds(filename, F, 2) when F =:= absname; F =:= absname_join -> [path, {just, "/home/x"}];
kinds(filename, F, 2) when F =:= basename; F =:= rootname -> [path, {one, [extension, extension_binary]}];
kinds(filename, join, 1) -> [{list1, path}];
kinds(filename, _, 2) -> [path, path];
kinds(filename, _, 1) -> [path];

kinds(uri_string, F, A) when F =:= compose_query -> [{list, {tuple, [uri_text, {one, [uri_text, {just, true}]}]}} | [query_options || A =:= 2]];
kinds(uri_string, dissect_query, 1) -> [{one, [uri, {pick, ["a=1&b=%41", <<"x;y=2">>, "&&", "a=%C3%A9+b", "=", <<"%zz">>, "%ff"]}]}];
kinds(uri_string, F, 1) when F =:= is_host; F =:= is_path -> [uri_text];
kinds(uri_string, F, 1) when F =:= quote; F =:= unquote -> [{one, [uri_text, uri]}];
kinds(uri_string, quote, 2) -> [uri_text, letters_string];
kinds(uri_string, percent_decode, 1) -> [{one, [uri, parsed_uri]}];
kinds(uri_string, recompose, 1) -> [parsed_uri];
kinds(uri_string, normalize, 1) -> [{one, [uri, parsed_uri]}];
kinds(uri_string, normalize, 2) -> [{one, [uri, parsed_uri]}, {list, {just, return_map}}];
kinds(uri_string, resolve, A) -> [uri, uri | [{list, {just, return_map}} || A =:= 3]];
kinds(uri_string, transcode, 2) -> [uri, {list, {tuple, [{pick, [in_encoding, out_encoding]}, {pick, [utf8, utf16, utf32, latin1]}]}}];
kinds(uri_string, _, 1) -> [uri];

kinds(library_cases, F, A) -> case_kinds(F, A).

dict_kinds(F, 3, M) when F =:= append; F =:= store -> [key, any, M];
dict_kinds(append_list, 3, M) -> [key, list, M];
dict_kinds(F, 2, M) when F =:= erase; F =:= fetch; F =:= find; F =:= is_key; F =:= take -> [key, M];
dict_kinds(filter, 2, M) -> [{'fun', key_pred}, M];
dict_kinds(map, 2, M) -> [{'fun', key_map}, M];
dict_kinds(fold, 3, M) -> [{'fun', key_fold}, any, M];
dict_kinds(from_list, 1, _) -> [pairs];
dict_kinds(merge, 3, M) -> [{'fun', combine3}, M, M];
dict_kinds(update, 3, M) -> [key, {'fun', map}, M];
dict_kinds(update, 4, M) -> [key, {'fun', map}, any, M];
dict_kinds(update_counter, 3, M) -> [key, small, M];
dict_kinds(_, 1, M) -> [M].

set_kinds(F, 2, M) when F =:= add_element; F =:= del_element; F =:= is_element; F =:= add; F =:= delete; F =:= delete_any;
                        F =:= insert; F =:= is_member; F =:= iterator_from; F =:= larger; F =:= smaller -> [key, M];
set_kinds(iterator, 2, M) -> [M, direction];
set_kinds(iterator_from, 3, M) -> [key, M, direction];
set_kinds(filter, 2, M) -> [{'fun', pred}, M];
set_kinds(filtermap, 2, M) -> [{'fun', filtermap}, M];
set_kinds(map, 2, M) -> [{'fun', map}, M];
set_kinds(fold, 3, M) -> [{'fun', fold}, any, M];
set_kinds(from_list, 1, _) -> [list];
set_kinds(from_list, 2, _) -> [list, set_options];
set_kinds(new, 1, _) -> [set_options];
set_kinds(from_ordset, 1, _) -> [ordsets];
set_kinds(intersection, 1, M) -> [{list1, M}];
set_kinds(union, 1, M) -> [{list, M}];
set_kinds(next, 1, _) -> [set_iterator];
set_kinds(singleton, 1, _) -> [any];
set_kinds(is_set, 1, M) -> [{one, [M, any]}];
set_kinds(_, 1, M) -> [M];
set_kinds(_, 2, M) -> [M, M].

string_kinds(F, 2) when F =:= centre; F =:= left; F =:= right; F =:= substr; F =:= sub_string; F =:= sub_word -> [string, count];
string_kinds(F, 3) when F =:= centre; F =:= left; F =:= right; F =:= sub_word -> [string, count, letter];
string_kinds(F, 3) when F =:= substr; F =:= sub_string -> [string, count, count];
string_kinds(chars, 2) -> [letter, count];
string_kinds(chars, 3) -> [letter, count, string];
string_kinds(F, 2) when F =:= chr; F =:= rchr; F =:= words -> [string, letter];
string_kinds(F, 2) when F =:= concat; F =:= cspan; F =:= span; F =:= str; F =:= rstr; F =:= tokens -> [string, letters_string];
string_kinds(copies, 2) -> [string, count];
string_kinds(equal, 2) -> [chardata, chardata];
string_kinds(equal, 3) -> [chardata, chardata, boolean];
string_kinds(equal, 4) -> [chardata, chardata, boolean, {pick, [none, nfc, nfd, nfkc, nfkd]}];
string_kinds(jaro_similarity, 2) -> [text, text];
string_kinds(F, 2) when F =:= find; F =:= prefix; F =:= split -> [text, separator];
string_kinds(F, 3) when F =:= find; F =:= split -> [text, separator, {pick, [leading, trailing, leading, trailing, all]}];
string_kinds(join, 2) -> [{list, string}, string];
string_kinds(lexemes, 2) -> [text, {list, grapheme}];
string_kinds(nth_lexeme, 3) -> [text, {pick, [1, 1, 2, 3]}, {list, grapheme}];
string_kinds(list_to_float, 1) -> [digits];
string_kinds(list_to_integer, 1) -> [digits];
string_kinds(F, 1) when F =:= to_float; F =:= to_integer -> [{one, [digits, digits_chardata]}];
string_kinds(pad, 2) -> [text, count];
string_kinds(pad, 3) -> [text, count, {pick, [leading, trailing, both]}];
string_kinds(pad, 4) -> [text, count, {pick, [leading, trailing, both]}, grapheme];
string_kinds(replace, 3) -> [text, separator, chardata];
string_kinds(replace, 4) -> [text, separator, chardata, {pick, [leading, trailing, all]}];
string_kinds(slice, 2) -> [text, count];
string_kinds(slice, 3) -> [text, count, {one, [count, {just, infinity}]}];
string_kinds(strip, 1) -> [string];
string_kinds(strip, 2) -> [string, {pick, [left, right, both]}];
string_kinds(strip, 3) -> [string, {pick, [left, right, both]}, letter];
string_kinds(F, 2) when F =:= take; F =:= trim -> case F of take -> [text, {list, grapheme}]; trim -> [text, {pick, [leading, trailing, both]}] end;
string_kinds(take, 3) -> [text, {list, grapheme}, boolean];
string_kinds(take, 4) -> [text, {list, grapheme}, boolean, {pick, [leading, trailing]}];
string_kinds(trim, 3) -> [text, {pick, [leading, trailing, both]}, {list, grapheme}];
string_kinds(F, 1) when F =:= to_lower; F =:= to_upper -> [{one, [string, letter]}];
string_kinds(F, 1) when F =:= len; F =:= words -> [string];
string_kinds(_, 1) -> [text].

io_kinds(F, 2) when F =:= format; F =:= fwrite -> [formatted];
io_kinds(F, 3) when F =:= format; F =:= fwrite -> [formatted, {list, {tuple, [{just, chars_limit}, {below, 100}]}}];
io_kinds(F, 2) when F =:= bformat; F =:= bfwrite; F =:= fwrite_bin -> [formatted];
io_kinds(F, 3) when F =:= bformat; F =:= bfwrite; F =:= fwrite_bin ->
    [formatted, {list, {tuple, [{just, chars_limit}, {below, 100}]}}];
io_kinds(build_bin, 1) -> [scanned_format];
io_kinds(build_bin, 2) -> [scanned_format, {list, {tuple, [{just, chars_limit}, {below, 100}]}}];
io_kinds(bwrite, 2) -> [wide, {list, {one, [{tuple, [{just, depth}, small]}, {tuple, [{just, encoding}, {pick, [latin1, utf8, unicode]}]}]}}];
io_kinds(bwrite_string, 3) -> [unicode_string, {pick, [$", $', []]}, {pick, [latin1, unicode]}];
io_kinds(F, 5) when F =:= write; F =:= write_bin -> [wide, small, boolean, {pick, [latin1, unicode]}, {pick, [undefined, ordered]}];
io_kinds(write_binary_bin, 4) -> [bits, small, small, {just, <<>>}];
io_kinds(write_string_bin, 3) -> [unicode_string, {pick, [$", $', []]}, {pick, [latin1, unicode]}];
io_kinds(F, 2) when F =:= scan_format; F =:= scan -> [formatted];
io_kinds(F, 1) when F =:= build_text; F =:= unscan_format; F =:= build; F =:= unscan -> [scanned_format];
io_kinds(F, 2) when F =:= build_text; F =:= build -> [scanned_format, {list, {tuple, [{just, chars_limit}, {below, 100}]}}];
io_kinds(fwrite_g, 1) -> [float];
io_kinds(F, 1) when F =:= char_list; F =:= latin1_char_list; F =:= printable_latin1_list; F =:= printable_list; F =:= printable_unicode_list ->
    [{one, [string, unicode_string, list]}];
io_kinds(F, 1) when F =:= chars_length; F =:= deep_char_list; F =:= deep_latin1_char_list; F =:= deep_unicode_char_list -> [{one, [chardata, iolist, list]}];
io_kinds(format_prompt, 1) -> [{one, [string, atom, {tuple, [{just, format}, {just, "~w>"}, {tuple_list, [any]}]}]}];
io_kinds(format_prompt, 2) -> [{one, [string, atom]}, {pick, [latin1, unicode]}];
io_kinds(fread, 2) -> [fread_format, fread_input];
io_kinds(fread, 3) -> [{just, []}, {one, [fread_input, {just, eof}]}, fread_format];
io_kinds(indentation, 2) -> [string, count];
io_kinds(limit_term, 2) -> [wide, count];
io_kinds(print, 1) -> [wide];
io_kinds(print, 4) -> [wide, count, {pick, [20, 40, 80, 1]}, {pick, [-1, 3, 10, 30]}];
io_kinds(quote_atom, 2) -> [atom, string];
io_kinds(write, 1) -> [wide];
io_kinds(write, 2) -> [wide, {one, [small, {list, {one, [{tuple, [{just, depth}, small]}, {tuple, [{just, encoding}, {pick, [latin1, utf8, unicode]}]}]}}]}];
io_kinds(write, 3) -> [wide, small, boolean];
io_kinds(F, 1) when F =:= write_atom; F =:= write_atom_as_latin1 -> [atom];
io_kinds(write_binary, 3) -> [bits, small, small];
io_kinds(F, 1) when F =:= write_char; F =:= write_char_as_latin1; F =:= write_latin1_char; F =:= write_unicode_char -> [codepoint];
io_kinds(F, 2) when F =:= write_latin1_string; F =:= write_string; F =:= write_string_as_latin1 -> [unicode_string, {pick, [$", $', []]}];
io_kinds(_, 1) -> [unicode_string].

case_kinds(arithmetic, 2) -> [number, number];
case_kinds(F, 2) when F =:= integer_arithmetic; F =:= gcd -> [integer, integer];
case_kinds(float_arithmetic, 2) -> [float, float];
case_kinds(shift, 2) -> [integer, {one, [small, {below, 200}]}];
case_kinds(power, 2) -> [{one, [integer, small, small_float]}, count];
case_kinds(factorial, 1) -> [{below, 60}];
case_kinds(digits, 2) -> [natural, {pick, [2, 3, 10, 16, 1000, 1 bsl 32, 1 bsl 65]}];
case_kinds(mean, 1) -> [{list1, number}];
case_kinds(F, 2) when F =:= operators; F =:= matched; F =:= guarded -> [comparable, comparable];
case_kinds(sorted, 1) -> [{list, comparable}];
case_kinds(F, 1) when F =:= kind; F =:= selected -> [comparable];
case_kinds(F, 1) when F =:= fields; F =:= little_fields; F =:= floats; F =:= utf; F =:= sizes; F =:= comprehended -> [bits];
case_kinds(cut, 2) -> [bits, {below, 20}];
case_kinds(built, 3) -> [integer, integer, {below, 80}];
case_kinds(built_of_units, 2) -> [bits, {below, 20}];
case_kinds(utf_built, 1) -> [codepoint];
case_kinds(float_built, 2) -> [number, {pick, [16, 32, 64, 64, 8]}];
case_kinds(appended, 2) -> [bits, {list, {below, 1000}}];
case_kinds(F, 1) when F =:= parsed_term; F =:= parsed_exprs; F =:= parsed_form; F =:= evaluated; F =:= printed_form; F =:= described_error ->
    [{code, F}];
case_kinds(jumped, 2) -> [jumping_algorithm, seed];
case_kinds(uniform_below, 3) -> [algorithm, seed, {one, [{below, 100}, {below, 1 bsl 70}]}];
case_kinds(F, 2) when F =:= uniform; F =:= normal; F =:= real; F =:= bytes; F =:= resumed -> [algorithm, seed];
case_kinds(F, 1) when F =:= dict_walk; F =:= tree_walk; F =:= map_walk -> [{one, [pairs, many_pairs]}];
case_kinds(set_walk, 2) -> [{one, [list, {many, key}]}, {pick, [1, 2]}];
case_kinds(array_walk, 1) -> [{list, {tuple, [{one, [count, {below, 5000}]}, any]}}];
case_kinds(queue_walk, 1) -> [list];
case_kinds(iterated, 1) -> [map];
case_kinds(flat_format, 2) -> [formatted];
case_kinds(caught, 3) -> [{pick, ['+', 'div', map_get, is_map_key, element, '++', 'and', 'band', binary_part, hd, 'rem']}, comparable, comparable];
case_kinds(dictionary, 2) -> [pairs, key];
case_kinds(closures, 2) -> [list, any];
case_kinds(pattern_reused, 2) -> [{list1, letters1}, {list, letters}].


%% Most kinds describe one argument.
values(formatted) ->
    {Format, Args} = formatted(),
    [Format, Args];
values(Kind) -> [value(Kind)].

value({just, Value}) -> Value;
value({pick, Values}) -> pick(Values);
value({one, Kinds}) -> value(pick(Kinds));
value({list, Kind}) -> [value(Kind) || _ <- some(6)];
value({list1, Kind}) -> [value(Kind) | value({list, Kind})];
value({list16, Kind}) -> [value(Kind) || _ <- lists:seq(1, 16)];
value({many, Kind}) -> [value(Kind) || _ <- lists:seq(1, 20 + rand:uniform(100))];
value({tuple, Kinds}) -> list_to_tuple([value(Kind) || Kind <- Kinds]);
value({tuple_list, Kinds}) -> [value(Kind) || Kind <- Kinds];
value({below, N}) -> rand:uniform(N) - 1;
value({'fun', Kind}) -> pick(library_cases:functions(Kind));
value(any) -> any();
value(boolean) -> pick([true, false]);
value(atom) -> atom();
value(short_atom) -> pick([a, b, c, d, no_a, no_b]);
value(small) -> rand:uniform(14) - 4;
value(count) -> rand:uniform(9) - 1;
value(position) -> pick([1, 1, 2, 2, 3]);
value(byte) -> rand:uniform(256) - 1;
value(integer) -> integer();
value(natural) -> abs(integer());
value(number) -> value({one, [integer, float, small]});
value(float) -> float();
value(small_float) -> rand:uniform(100) / 8;
value(unit_float) -> rand:uniform() * 2 - 1;
value(positive_float) -> rand:uniform() * pick([1, 10, 1000]) + 0.001;
value(key) -> key();
value(tuple) -> list_to_tuple([key() || _ <- some(4)]);
value(pair) -> value({one, [{tuple, [key, any]}, {tuple, [key, key]}, {tuple, [key, key, any]}, {tuple, [key, key]}]});
value(pairs) -> [{key(), any(1)} || _ <- some(10)];
value(many_pairs) -> [{value({one, [{below, 80}, key]}), any(0)} || _ <- lists:seq(1, 20 + rand:uniform(80))];
value(list) ->
    case rand:uniform(4) of
        1 -> [key() || _ <- some(12)];
        2 -> [rand:uniform(9) || _ <- some(20)];
        3 -> [any(1) || _ <- some(6)];
        4 -> value({many, small})
    end;
value(short) -> [pick([1, 2, a]) || _ <- some(4)];
value(three) -> [key() || _ <- lists:seq(1, pick([3, 3, 3, 3, 3, 2]))];
value(padding) -> pick([fail, trim, {pad, {x, y, z}}, {pad, {x, y}}]);
value(deep_list) -> deep_list(4);
value(sorted) -> lists:sort(value(list));
value(rsorted) -> lists:reverse(value(sorted));
value({keysorted, N}) -> lists:keysort(N, value({list, pair}));
value({reversed, N}) -> lists:reverse(value({keysorted, N}));
value(map) -> ordered(maps:from_list(value({one, [pairs, pairs, pairs, many_pairs]})));
value(map_iterator) -> maps:iterator(value(small_map));
value(orddict) -> orddict:from_list(value({one, [pairs, many_pairs]}));
value(dict) -> dict:from_list(value({one, [pairs, many_pairs]}));
value(ordsets) -> ordsets:from_list(value(list));
value(sets) -> sets:from_list(one_atom(value({one, [list, {many, key}]})), [{version, pick([1, 2])}]);
value(gb_sets) -> lists:foldl(fun gb_sets:add/2, gb_sets:from_list(value(list)), value(list));
value(set_options) -> pick([[], [{version, 1}], [{version, 2}]]);
value(set_iterator) -> pick([gb_sets:iterator(value(gb_sets)), gb_sets:iterator_from(key(), value(gb_sets))]);
value(tree) -> lists:foldl(fun({K, V}, T) -> gb_trees:enter(K, V, T) end, gb_trees:from_orddict(value(orddict)), value(pairs));
value(direction) -> pick([ordered, reversed]);
value(tree_iterator) -> pick([gb_trees:iterator(value(tree)), gb_trees:iterator_from(key(), value(tree))]);
value(queue) ->
    Add = fun(X, Q) -> case rand:uniform(3) of 1 -> queue:in_r(X, Q); 2 -> queue:in(X, Q); 3 -> queue:in(X, element(2, queue:out(Q))) end end,
    lists:foldl(Add, queue:from_list([key() || _ <- some(5)]), [key() || _ <- some(8)]);
value(array) ->
    Set = fun({I, V}, A) -> try array:set(I, V, A) catch error:badarg -> A end end,
    lists:foldl(Set, array:new(value(array_options)), value({indexed, pick([12, 200])}));
value({indexed, Most}) -> orddict:from_list([{rand:uniform(Most) - 1, any(1)} || _ <- some(10)]);
value(index) -> pick([rand:uniform(15) - 1, rand:uniform(150)]);
value(array_options) -> [pick([{default, key()}, {fixed, false}, {size, rand:uniform(20)}, {fixed, true}, rand:uniform(30)]) || _ <- some(3)];
value(property) -> pick([value(short_atom), {value(short_atom), true}, {value(short_atom), key()}]);
value(proplist) -> [pick([value(property), value(property), value(property), {a, 1, 2}, key()]) || _ <- some(8)];

value(letter) -> pick("ab c.xX");
value(string) -> pick([[pick("abc ABC,.x12") || _ <- some(14)], [pick("ab ") || _ <- some(8)], [pick([$a, $b, 233, 255, $\n]) || _ <- some(5)]]);
value(letters_string) -> [pick("abc ,") || _ <- some(3)];
value(unicode_string) -> [codepoint() || _ <- some(10)];
value(codepoint) -> codepoint();
value(grapheme) -> pick([codepoint(), $a, $c, $b, $\s, [$e, 16#301], "\r\n"]);
value(text) -> value({one, [string, string_binary, chardata, chardata]});
value(string_binary) -> utf8(value(string));
value(chardata) ->
    case rand:uniform(12) of
        1 -> bits();
        2 -> [broken_binary(), codepoint()];
        _ -> chardata(3)
    end;
value(chardata_binary) -> utf8([codepoint() || _ <- some(8)]);
value(with_bom) -> <<(unicode:encoding_to_bom(value(encoding)))/binary, "abc">>;
value(separator) -> value({one, [{list1, letter}, string_binary, letters_string, chardata, {tuple_list, [{pick, [16#301, 955]}]}]});
value(encoding) -> pick([latin1, unicode, utf8, utf16, {utf16, little}, {utf16, big}, utf32, {utf32, little}, {utf32, big}]);
value(encoded_chardata) ->
    Encoding = value(encoding),
    Part = fun() ->
        case unicode:characters_to_binary([codepoint() || _ <- some(5)], unicode, Encoding) of
            Bytes when is_binary(Bytes) -> Bytes;
            _ -> <<"latin">>
        end
    end,
    Cut = fun(Bytes) -> binary:part(Bytes, 0, rand:uniform(byte_size(Bytes) + 1) - 1) end,
    case rand:uniform(6) of
        1 -> [Part(), codepoint(), [Part() | Part()]];
        2 -> Cut(Part());
        3 -> [Cut(Part()), Part()];
        4 -> [[pick([codepoint(), Part()])] || _ <- some(4)];
        5 -> value(chardata);
        6 -> Part()
    end;
value(digits) ->
    pick(["", "+", "-"]) ++ integer_to_list(rand:uniform(pick([10, 1000, 1 bsl 70]))) ++ pick(["", "", ".5", ".25e3", ".0E-7", ".e", ".75e400"]) ++
        pick(["", "", "x", " y", [955]]);
value(digits_chardata) -> pick([list_to_binary([C || C <- value(digits), C < 256]), [[D] || D <- value(digits)]]);

value(plain) -> plain(3);
value(wide) ->
    case rand:uniform(5) of
        1 -> any();
        2 -> lists:seq(1, rand:uniform(60));
        3 -> value(unicode_string);
        Depth -> wide(Depth - 1)
    end;
value(wider) -> wide(5);
value(scanned_format) ->
    {Format, Args} = formatted(),
    try io_lib:scan_format(Format, Args) catch error:_ -> value(scanned_format) end;
value(fread_format) -> lists:append([pick(["~d", "~u", "~s", "~f", "~a", "~c", "~2c", "~3d", "~*d", "~16u", "~#", "~l", "~ts", " ", ",", "~~", "x"]) || _ <- some(4)]);
value(fread_input) -> lists:append([pick(["12", "-7", "abc", "1.5e3", "2.25", " ", ",", "~", "x", "16#ff", "\n", [955]]) || _ <- some(6)]);

value(binary) -> rand:bytes(pick([0, 1, 2, 3, 4, 8, 9, rand:uniform(40)]));
value(bits) -> bits();
value(letters) ->
    case rand:uniform(12) of
        1 -> bits();
        _ -> letters(rand:uniform(14) - 1)
    end;
value(letters1) -> letters(rand:uniform(3));
value(pattern) -> pick([letters(1), letters(2), letters(3), value({list1, letters1})]);
value(scope1) -> {scope, {rand:uniform(6) - 1, rand:uniform(8) - 4}};
value(scope) -> pick([[], [value(scope1)]]);
value(endianness) -> pick([big, little]);
value(hex) -> binary:encode_hex(value(binary));
value(iolist) -> iolist(3);
value(base64_options) -> maps:from_list([pick([{mode, pick([standard, urlsafe])}, {padding, value(boolean)}]) || _ <- some(2)]);
value(base64_trace) -> [{base64, decode, [x], [{error_info, #{cause => pick([missing_padding, {1, 2}, other]), module => base64}}]}];
value(base64) ->
    Good = base64:encode(value(binary)),
    Broken = << <<(case rand:uniform(12) of 1 -> pick(" =\n*-_"); _ -> B end)>> || <<B>> <= Good >>,
    pick([Good, binary_to_list(Good), <<Good/binary, "\n">>, Broken, binary_to_list(Broken)]);

value(comparable) ->
    Kinds = [integer, float, key, key, any, bits, string, map, tuple, list, {'fun', compared},
             {pick, [1, 2, 3, 16#fffffffffffffffff, float(1 bsl 60), 1 bsl 60, <<"ab">>, "ab", true, false, ok]}],
    value({one, Kinds});

value(code) -> value({code, evaluated});
value({code, F}) ->
    Code = pick(code(F)),
    Place = rand:uniform(length(Code) + 1) - 1,
    {Before, After} = lists:split(Place, Code),
    case rand:uniform(5) of
        1 -> Before ++ pick([" ", "(", "}", "$", "\"", "x", "1", ",", "=", "\\", "%", ".", [955], "'"]) ++ After;
        2 when After =/= [] -> Before ++ tl(After);
        _ -> Code
    end;
value(location) -> pick([1, 7, {1, 1}, {3, 14}]);
value(word) -> pick(['after', 'when', 'fun', foo, 'maybe', 'try', a, 'bnot']);
value(tokens) ->
    case erl_scan:string(value({code, pick([evaluated, parsed_form])}) ++ ".", value(location)) of
        {ok, [_ | _] = Tokens, _} -> Tokens;
        _ -> value(tokens)
    end;
value(token) -> pick(value(tokens));
value(scan_continuation) ->
    case erl_scan:tokens([], value(code), value(location)) of
        {more, Continuation} -> Continuation;
        _ -> value(scan_continuation)
    end;
value(scan_error) ->
    case erl_scan:string(value(code)) of
        {error, {_, _, What}, _} -> What;
        _ -> value(scan_error)
    end;
value(abstract) ->
    case erl_parse:parse_exprs(value(tokens)) of
        {ok, Exprs} -> pick(Exprs);
        _ -> erl_parse:abstract(value(plain))
    end;
value(anno) -> pick([value(location), erl_anno:set_file("f.erl", erl_anno:new(value(location))), erl_anno:set_generated(true, erl_anno:new(3)),
                     erl_anno:set_text("abc", erl_anno:new(value(location))), erl_anno:set_record(true, erl_anno:new({2, 3}))]);

value(year) -> pick([rand:uniform(3000), 1900 + rand:uniform(200), 0, 2000]);
value(month) -> pick([rand:uniform(12), rand:uniform(12), rand:uniform(12), 2, 13]);
value(day) -> pick([rand:uniform(28), rand:uniform(28), rand:uniform(31), 29]);
value(date) -> {value(year), value(month), value(day)};
value(time) -> {rand:uniform(24) - 1, rand:uniform(60) - 1, rand:uniform(60) - 1};
value(datetime) -> {{value(year), rand:uniform(12), rand:uniform(28)}, value(time)};
value(unit) -> pick([second, millisecond, microsecond, nanosecond, native]);
value(rfc3339) ->
    {{Y, Mo, D}, {H, Mi, S}} = value(datetime),
    lists:flatten(io_lib:format("~4..0w-~2..0w-~2..0w~s~2..0w:~2..0w:~2..0w~s~s",
                                [Y, Mo, D, pick(["T", " ", "t"]), H, Mi, S, pick(["", "", ".5", ".123456789"]), pick(["Z", "z", "+02:00", "-11:30", "", "+2"])]));
value(rfc3339_options) ->
    [{offset, pick(["Z", "+01:00", "-09:30", 3600, -60])} | [pick([{unit, value(unit)}, {time_designator, pick("T ")}]) || _ <- some(2)]];

value(algorithm) -> pick([exsss, exro928ss, exrop, exsp, exs1024s, exs64, exsplus, exs1024, dummy]);
value(jumping_algorithm) -> pick([exsss, exro928ss, exrop, exsp, exs1024s, exsplus, exs1024, exs64]);
value(seed) -> pick([rand:uniform(1000), rand:uniform(1 bsl 64), {rand:uniform(100), rand:uniform(1 bsl 40), rand:uniform(100)}, -5]);
value(rand_state) -> rand:seed_s(value(algorithm), value(seed));
value(exro928) -> rand:exro928_seed(value({list16, {below, 1 bsl 58}}));
value(exsp) -> [rand:uniform(1 bsl 58) - 1 | rand:uniform(1 bsl 58) - 1];

value(uri_text) -> pick([[pick("ab/ %&=?:@.1" ++ [233, 955]) || _ <- some(6)], [pick("ab1.") || _ <- some(6)], value(string_binary)]);
value(uri) ->
    Text = lists:append([pick(["http://", "HTTP://", "//", "", "a:", "ftp://"]), pick(["", "user@", "u:p@"]), pick(["example.com", "", "EXAMPLE.Com", "[::1]", "127.0.0.1"]),
                         pick(["", ":80", ":8080", ":x"]), pick(["", "/", "/a/b", "/a/./b/../c", "/%7efoo/%41", [$/, 246], "a b"]), pick(["", "?", "?q=1&r=%20"]),
                         pick(["", "#", "#frag"])]),
    pick([Text, Text, utf8(Text), <<(utf8(Text))/binary, (pick([<<>>, <<>>, <<"%">>, <<255>>]))/binary>>]);
value(parsed_uri) ->
    try uri_string:parse(value(uri)) of
        Map when is_map(Map) -> Map;
        {error, _, _} -> #{path => <<"a">>}
    catch
        error:_ -> #{path => "/a", host => "h", scheme => "s"}
    end;
value(query_options) -> [pick([{encoding, latin1}, {encoding, utf8}, {encoding, unicode}]) || _ <- some(2)];

%% Values of Elixir.
value(range) ->
    #{'__struct__' => 'Elixir.Range', first => value(small), last => value(small), step => pick([1, 1, 1, 2, -1])};
%% Small maps, which are not ordered by hash.
value(map_set) -> 'Elixir.MapSet':new(one_atom([key() || _ <- some(12)]));
value(small_map) -> ordered(maps:from_list(value(pairs)));
value(keyword) -> [{value(short_atom), any(1)} || _ <- some(6)];
value(digits_text) -> utf8(value(digits));
value(version) -> pick([<<"1.2.3">>, <<"1.0.0-rc.1+b">>, <<"2.0.0-alpha">>, <<"1.2">>, <<"x.y">>, <<"10.0.1">>]);

value(path) ->
    Path = pick(["", "/", "./", "../", "a/"]) ++ lists:append([pick(["a", "b.c", "/", "//", ".", "..", "ab.erl", " ", [955]]) || _ <- some(5)]),
    pick([Path, Path, Path, utf8(Path), [Path, $/, ab], list_to_atom(Path)]);
value(extension) -> pick([".erl", ".c", "c", "", ".d"]);
value(extension_binary) -> utf8(value(extension)).

pick(List) -> lists:nth(rand:uniform(length(List)), List).
some(Most) -> lists:seq(1, rand:uniform(Most + 1) - 1).

utf8(Characters) -> unicode:characters_to_binary(Characters).

%% Since OTP 26 the iteration order of a map orders atoms by their time of creation. Our machine cannot
%% know it, so at most one atom is a key.
ordered(Map) -> maps:with(one_atom(maps:keys(Map)), Map).

one_atom(Keys) ->
    case erlang:system_info(otp_release) < "26" orelse lists:partition(fun is_atom/1, Keys) of
        {[Atom | _], Others} -> [Atom | Others];
        _ -> Keys
    end.

any() -> any(3).

any(0) -> leaf(rand:uniform(8));
any(Depth) ->
    case rand:uniform(9) of
        1 -> list_to_tuple([any(Depth - 1) || _ <- some(4)]);
        2 -> [any(Depth - 1) || _ <- some(4)];
        3 -> [any(Depth - 1) || _ <- some(3)] ++ any(0);
        4 -> ordered(maps:from_list([{any(Depth - 1), any(Depth - 1)} || _ <- some(5)]));
        _ -> leaf(rand:uniform(8))
    end.

%% Only the positive float zero: since OTP 27 the two zeros are not =:= any more.
leaf(1) -> rand:uniform(5) - 3;
leaf(2) -> float(rand:uniform(5) - 3);
leaf(3) -> integer();
leaf(4) -> float() + 0.0;
leaf(5) -> atom();
leaf(6) -> bits();
leaf(7) -> value(string);
leaf(8) -> pick([ok, [], {}, #{}, <<>>, '', true, false, fun lists:map/2]).

%% Wider than a line.
wide(0) ->
    case rand:uniform(5) of
        1 -> leaf(rand:uniform(8));
        2 -> value(unicode_string);
        3 -> value(chardata_binary);
        4 -> atom();
        5 -> lists:duplicate(rand:uniform(100), $a)
    end;
wide(Depth) ->
    case rand:uniform(7) of
        1 -> list_to_tuple([wide(Depth - 1) || _ <- some(6)]);
        2 -> [wide(Depth - 1) || _ <- some(8)];
        3 -> ordered(maps:from_list([{wide(0), wide(Depth - 1)} || _ <- some(6)]));
        4 -> [{atom(), wide(Depth - 1)} || _ <- some(8)];
        5 -> [wide(Depth - 1) | wide(0)];
        _ -> wide(0)
    end.

%% Terms that can be written in source code.
plain(0) -> pick([rand:uniform(100) - 50, a, "ab", <<"ab">>, 1.5, [], {}, 'A b', [955], <<3:4>>, 1 bsl 70]);
plain(Depth) ->
    case rand:uniform(5) of
        1 -> list_to_tuple([plain(Depth - 1) || _ <- some(4)]);
        2 -> [plain(Depth - 1) || _ <- some(4)];
        3 -> #{plain(0) => plain(Depth - 1)};
        4 -> [plain(Depth - 1) | plain(0)];
        5 -> plain(0)
    end.

%% Few values, so that some are equal.
key() ->
    Keys = {1, 1.0, 2, 2.0, 3, 4, a, b, c, {1}, {1.0}, "ab", <<"ab">>, [1 | 2], 1 bsl 64, float(1 bsl 64), #{1 => 2}},
    case rand:uniform(tuple_size(Keys) + 1) of
        N when N =< tuple_size(Keys) -> element(N, Keys);
        _ -> any(1)
    end.

deep_list(0) -> [key()];
deep_list(Depth) ->
    [case rand:uniform(3) of
         1 -> key();
         2 -> deep_list(Depth - 1);
         3 -> []
     end || _ <- some(4)].

integer() ->
    case rand:uniform(4) of
        1 -> rand:uniform(21) - 11;
        2 -> sign() * ((1 bsl pick([7, 8, 16, 27, 28, 31, 32, 52, 53, 54, 59, 60, 62, 63, 64, 65, 127, 128])) + rand:uniform(5) - 3);
        3 -> sign() * (rand:uniform(1 bsl rand:uniform(200)) bsr rand:uniform(8));
        4 -> sign() * (rand:uniform(1 bsl 64) bsl pick([0, 10, 64, 100]))
    end.
sign() -> pick([-1, 1]).

float() ->
    case rand:uniform(6) of
        1 -> sign() * rand:uniform(100000) / math:pow(10, rand:uniform(12));
        2 -> sign() * rand:uniform(1000) * math:pow(10, rand:uniform(25));
        3 -> pick([0.0, 0.5, -0.5, 1.5, 2.5, 1.0e300, -1.0e300, 1.7976931348623157e308, 2.2250738585072014e-308, 5.0e-324]);
        4 -> sign() * float((1 bsl pick([31, 52, 53, 54, 59, 60, 63, 64, 100])) + rand:uniform(3) - 2);
        5 -> sign() * rand:uniform(100000) / 1000;
        6 -> rand:uniform()
    end.

atom() ->
    Characters = "aabcxyzAZ09_@ '" ++ [0, 127, 128, 160, 233, 255, 955, 8364, 128512],
    pick([binary_to_atom(utf8([pick(Characters) || _ <- some(6)])), ok, true, error, a, b, 'when', some_longer_name]).

%% Also bit strings that start in the middle of a byte.
bits() ->
    Size = pick([rand:uniform(40) - 1, 8 * (rand:uniform(20) - 1)]),
    Skipped = pick([0, 0, rand:uniform(8) - 1]),
    <<_:Skipped, Bits:Size/bits, _/bits>> = rand:bytes(21),
    Bits.

letters(Length) -> << <<(pick("aab"))>> || _ <- lists:seq(1, Length) >>.

iolist(0) -> pick([value(binary), []]);
iolist(Depth) ->
    [case rand:uniform(4) of
         1 -> iolist(Depth - 1);
         2 -> value(binary);
         _ -> value(byte)
     end || _ <- some(5)] ++ pick([[], [], value(binary)]).

%% Letters, combining marks, emoji with modifiers and joiners, flags, Hangul, letters with special cases.
codepoint() ->
    case rand:uniform(10) of
        1 -> pick([$\r, $\n, $\t, 0, 127, 133, 160]);
        2 -> pick([233, 223, 255, 16#130, 16#131, 955, 16#3A3, 16#3C2, 16#1C5, 16#FB03]);
        3 -> pick([16#300, 16#301, 16#308, 16#323, 16#200D, 16#FE0F, 16#1F3FD]);
        4 -> pick([128512, 16#1F468, 16#1F469, 16#1F467, 16#1F1E9, 16#1F1EA, 16#2764]);
        5 -> pick([16#1100, 16#1161, 16#11A8, 16#AC00, 16#AC01, 16#915, 16#94D, 16#937, 16#600, 16#E33]);
        6 -> pick([8364, 16#FF21, 16#2126, 16#1E9B, 16#10400, 16#F900]);
        7 -> pick([rand:uniform(16#D7FF), 16#E000 + rand:uniform(16#10000)]);
        _ -> pick("abc XYZ.,1")
    end.

chardata(Depth) ->
    case rand:uniform(4) of
        1 -> codepoint_list();
        2 -> utf8(codepoint_list());
        _ when Depth =:= 0 -> [];
        _ ->
            [case rand:uniform(3) of
                 1 -> chardata(Depth - 1);
                 _ -> codepoint()
             end || _ <- some(5)] ++ pick([[], [], utf8([codepoint()])])
    end.

codepoint_list() -> [codepoint() || _ <- some(6)].

broken_binary() ->
    Whole = utf8([pick([$a, 233, 955, 8364, 128512]) || _ <- some(4)]),
    pick([binary:part(Whole, 0, rand:uniform(byte_size(Whole) + 1) - 1), <<Whole/binary, (pick([16#80, 16#C0, 16#E0, 16#F5, 16#FF])), $a>>]).

%% A format string with its arguments.
formatted() ->
    {Parts, Args} = lists:unzip([control() || _ <- some(4)]),
    Format = lists:append(Parts),
    Wrong = pick([[], [], [], [], [], [], [], [], [], [], [extra]]),
    {pick([Format, Format, Format, utf8(Format)]), lists:append(Args) ++ Wrong}.

control() ->
    {Width, WidthArgs} = pick([{"", []}, {"", []}, {integer_to_list(rand:uniform(30)), []}, {"-" ++ integer_to_list(rand:uniform(30)), []}, {"*", [rand:uniform(20)]}]),
    {Precision, PrecisionArgs} = pick([{"", []}, {"", []}, {".", []}, {"." ++ integer_to_list(rand:uniform(20)), []}, {".*", [rand:uniform(16)]}]),
    {Pad, PadArgs} =
        case Precision of
            "" -> {"", []};
            _ -> pick([{"", []}, {"", []}, {"." ++ [pick("0* x_")], []}, {".*", [$-]}])
        end,
    Before = "~" ++ Width ++ Precision ++ Pad,
    Args = WidthArgs ++ PrecisionArgs ++ PadArgs,
    {Controls, Kinds} =
        pick([{["w", "p", "tw", "tp", "lp", "ltp"], [wide]},
              {["p", "tp", "w", "tw"], [wider]},
              {["W", "P", "tP", "tW"], [wide, small]},
              {["s", "ts"], [{one, [string, string_binary, atom, iolist, {list, string}, any]}]},
              {["ts"], [chardata]},
              {["e", "f", "g"], [{one, [float, small_float, positive_float]}]},
              {["b", "B", "#", "+", "w", "p"], [integer]},
              {["x", "X"], [integer, {pick, ["0x", pre, "a b"]}]},
              {["c", "tc"], [{one, [letter, codepoint]}]},
              {["i"], [any]}, {["n"], []}, {["~"], []}]),
    Value = [value(Kind) || Kind <- Kinds],
    Plain = pick(["", "", "abc", " ", "\n", "{", [955]]),
    case rand:uniform(3) of
        1 -> {Before ++ pick(Controls) ++ Plain, Args ++ Value};
        _ -> {"~" ++ pick(Controls) ++ Plain, Value}
    end.

%% Programs to start from.
code(parsed_form) ->
    ["foo(X) when X > 1; is_atom(X) -> X + 1; foo(_) -> ok", "-module(foo)", "-export([a/1, b/2])", "-record(r, {a = 1 :: integer(), b})",
     "-spec f(A, B) -> {A, B} when A :: atom(), B :: [integer()]", "-type t() :: #{a := integer(), b => _} | 1..5 | fun((...) -> t())",
     "f(#r{a = X} = R) -> try R#r.b of 1 -> ok catch error:E:S -> {E, S} after done end", "-attribute({a, [1, 2]})",
     "g([H | T], <<A:3/integer-little, _/bits>>) -> case T of [] -> H; _ when A -> receive {x, Y} -> Y after 10 -> ok end end"];
code(printed_form) -> code(parsed_form) ++ code(evaluated);
code(parsed_term) ->
    ["{a, [1, 2.5, <<1, 2:3>>], \"text\", 'Q a', #{a => 1}, $x, -3, 16#ff, [a | b]}", "[]", "foo", "\"a\" \"b\"", "-1.5e3", "#{}", "fun foo:bar/3", "1 + 2", "X"];
code(_) ->
    ["A + 1", "lists:map(fun(X) -> X * 2 end, B)", "[X || X <- B, X > 2]", "case A of 1 -> one; _ -> other end", "<<A:8, 2:3>>", "#{a => A, b => B}",
     "begin X = {A, B}, {Y, [Z | _]} = X, Y + Z end", "fun F(0) -> 1; F(N) -> N * F(N - 1) end(10)", "try error(x) catch error:E -> {caught, E} end",
     "if A > 1 -> a; true -> b end", "<< <<X:4>> || X <- B >>", "M = #{k => 1}, M#{k := 2}", "\"text\\n\\x{3bb}\\101\" ++ [$\\s, $a]", "1.5e3 / 16#ff - 36#zz", "not (A =:= 1 andalso B =/= [])",
     "'quoted atom' % comment", "catch throw(A)", "{ok, _} = {A, B}", "lists:foldl(fun(X, S) -> X + S end, 0, B) div A", "bnot A bsl 3 band 255", "\"\"\"", "X = 1_000, X rem 7", "$\\^a",
     "[{X, Y} || X <- B, Y <- [1, 2], X > Y]", "string:uppercase(\"abc\")", "io_lib:format(\"~p\", [A])", "hd([])", "?MACRO", "f(", "<<\"abc\"/utf8, 1:16/little>>"].
