use super::*;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

fn log() -> Log {
    let processes = [
        (
            "P",
            vec![LogEntry::Timeout, LogEntry::Receive("P.1#0".into())],
        ),
        (
            "P.1",
            vec![
                LogEntry::Receive("P#0".into()),
                LogEntry::Receive("P#1".into()),
            ],
        ),
    ];
    Log {
        program: Some("gallery:retry-timeout".into()),
        params: Params::from_iter([("fixed", "0")]),
        delivery: Some(Delivery::P2p),
        timeouts: None,
        error: Some(LoggedError {
            kind: "assertion".into(),
            process: "P".into(),
            message: "left: 1, right: 2".into(),
        }),
        processes: processes.map(|(pid, entries)| (pid.into(), entries)).into(),
    }
}

/// Tokens and JSON refuse the same choices, so a log that was read can be written in both forms.
#[test]
fn a_choice_out_of_range_is_refused() {
    for (of, chosen) in [(0, 0), (0, 1), (3, 3)] {
        let mut log = log();
        let entries = vec![LogEntry::Choose { of, chosen }];
        log.processes.insert("P.2".into(), entries);
        assert_eq!(
            Log::from_token(&log.to_token()),
            Err(TokenError::Undecodable)
        );
        assert!(Log::from_json(&log.to_json()).is_err());
    }
}

/// People keep tokens in notes and issues, so old tokens must stay readable.
#[test]
fn a_token_of_version_1() {
    let token =
        "mz1:qRrCOiHSZ2FsbGVyeTpyZXRyeS10aW1lb3V0AVZml4ZWQTAykmxlZnQ6IDEsIHJpZ2h0OiAyICMSACAhAQA";
    assert_eq!(log().to_token(), token);
    assert_eq!(Log::from_token(token), Ok(log()));
}

#[test]
fn error_texts() {
    let token = log().to_token();
    let error_text = |text: &str| Log::from_token(text).unwrap_err().to_string();
    assert_eq!(
        error_text("log.json"),
        "this is not a token: tokens begin with `mz1:`"
    );
    assert!(error_text("mz2:AAAA").starts_with("tokens that begin with `mz2:` are not supported"));
    for length in "mz1:".len()..token.len() {
        let error = Log::from_token(&token[..length]).unwrap_err();
        assert!(matches!(error, TokenError::CutShort { .. }), "{error}");
    }
    assert!(error_text(&format!("{token}AA")).starts_with("this token is too long"));
    assert!(error_text(&format!("{token}.")).contains("is `.`, which a token cannot contain"));
    // Replace each character by another one.
    for (at, old) in token.char_indices().skip("mz1:".len()) {
        for new in ['A', 'x', '_'] {
            let mut mistyped = token.clone();
            mistyped.replace_range(at..=at, &new.to_string());
            let read = Log::from_token(&mistyped);
            // The last character may have unused bits.
            assert!(
                old == new || read.is_err() || at + 1 == token.len(),
                "{mistyped}"
            );
        }
    }
    assert!(Log::from_token(&format!("  {token}\n")).is_ok());
    assert!(is_token("mz1:") && is_token("mz22:x"));
    assert!(!is_token("mz:") && !is_token("mazurka-logs/a.json") && !is_token("./mz1:a"));
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        vec(0_u32..40, 0..4).prop_map(|path| {
            let path: Vec<String> = path.iter().map(|n| format!(".{n}")).collect();
            format!("P{}", path.concat())
        }),
        (0_u32..9).prop_map(|n| format!("liveness(P.{n})")),
        "[a-zäP.#()0-9]{0,6}",
    ]
}

fn tag() -> impl Strategy<Value = String> {
    prop_oneof![
        (name(), 0_u32..100).prop_map(|(sender, number)| format!("{sender}#{number}")),
        (name(), any::<u32>()).prop_map(|(sender, number)| format!("{sender}#{number}")),
        "[a-z#0]{0,5}",
    ]
}

fn entry() -> impl Strategy<Value = LogEntry> {
    prop_oneof![
        5 => tag().prop_map(|tag| LogEntry::Receive(tag.into())),
        1 => Just(LogEntry::Timeout),
        1 => (tag(), any::<u32>()).prop_map(|(tag, after)| LogEntry::Killed { tag: tag.into(), after }),
        1 => (name(), any::<u32>())
            .prop_map(|(object, version)| LogEntry::Read { object: object.into(), version }),
        1 => (1..=u32::MAX, any::<u32>())
            .prop_map(|(of, any)| LogEntry::Choose { of, chosen: any % of }),
    ]
}

fn any_log() -> impl Strategy<Value = Log> {
    let error = (
        prop_oneof![Just("stuck".to_owned()), "[a-z]{0,5}"],
        name(),
        ".{0,20}",
    );
    let error = error.prop_map(|(kind, process, message)| LoggedError {
        kind,
        process: process.into(),
        message,
    });
    let processes = btree_map(name().prop_map(ProcessName::from), vec(entry(), 0..8), 0..5);
    (
        option::of(".{0,9}"),
        vec(("[a-z]{0,3}", ".{0,4}"), 0..4),
        option::of(proptest::sample::select(Delivery::ALL.to_vec())),
        option::of("[a-z-]{0,5}"),
        option::of(error),
        processes,
    )
        .prop_map(
            |(program, params, delivery, timeouts, error, processes)| Log {
                program,
                params: params.into_iter().collect(),
                delivery,
                timeouts,
                error,
                processes,
            },
        )
}

proptest! {
    #[test]
    fn tokens_round_trip(log in any_log()) {
        prop_assert_eq!(Log::from_token(&log.to_token()), Ok(log));
    }

    #[test]
    fn json_logs_round_trip(log in any_log()) {
        prop_assert_eq!(Log::from_json(&log.to_json()), Ok(log));
    }

    /// Decoding garbage returns a log or an error; it does not panic.
    #[test]
    fn garbage(text in "[A-Za-z0-9_-]{0,60}", bytes in vec(any::<u8>(), 0..60)) {
        let _ = Log::from_token(&text);
        let _ = Log::from_token(&format!("mz1:{text}"));
        // As if the checksum were right.
        let _ = LogReader::log(&bytes);
    }

    /// A token is short: at most two characters for each input, plus 40.
    #[test]
    fn tokens_are_short(inputs in 1_usize..60) {
        let entries = (0..inputs).map(|n| LogEntry::Receive(format!("P.{}#{}", n % 5, n / 5).into()));
        let log = Log {
            processes: BTreeMap::from([("P".into(), entries.collect())]),
            ..Log::default()
        };
        prop_assert!(log.to_token().len() <= 40 + 2 * inputs, "{}", log.to_token());
    }
}
