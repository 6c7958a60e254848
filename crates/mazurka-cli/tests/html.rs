//! The HTML report, written by the real binary and opened in a real browser.

mod browser;
mod common;
mod pages;

use browser::Browser;
use common::Place;
use mazurka_trace::{Causality, Log, Trace};
use pages::{Page, report};
use serde_json::{Value, json};
use std::time::Instant;

/// Makes every event of every diagram part of the document, not only those in sight. Waits for the next
/// frame, because a diagram is drawn again when the browser reports its new size.
const SHOW_ALL: &str = "document.querySelectorAll('.box').forEach((box) => {
    box.style.height = '40000px'; box.style.maxHeight = 'none'; });
    return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))));";

/// A small program with one error and one race.
const PROGRAM: &str = "any-assert";

/// For each event of the first diagram, by a click on it, what every other one becomes.
const CLICK_ALL: &str = "
    const diagram = document.querySelector('.failing');
    const rows = () => [...diagram.querySelectorAll('.row[data-event]')];
    const shade = (row) => ['chosen', 'past', 'future', 'concurrent'].find((name) => row.classList.contains(name));
    const shaded = {};
    for (const id of rows().map((row) => row.dataset.event)) {
        diagram.querySelector(`.row[data-event=\"${id}\"]`).click();
        shaded[id] = Object.fromEntries(rows().map((row) => [row.dataset.event, shade(row)]));
    }
    return shaded;";

#[test]
fn draws_and_nothing_leaves_the_page() {
    let place = Place::new();
    place.expect(1, "check gallery:philosophers --html report.html");
    let browser = Browser::new();
    browser.open(&place.path().join("report.html"));
    assert_eq!(browser.number(".failing .row[data-event]"), 21);
    assert_eq!(browser.number(".failing .row[data-end]"), 4);
    assert_eq!(browser.number(".failing .head .lane"), 7);
    assert_eq!(browser.number(".failing .arrow.spawn"), 6);
    // Of nine messages three are never received.
    assert_eq!(browser.number(".failing .arrow.message"), 9);
    assert_eq!(browser.number(".failing .arrow.lost"), 3);
    assert_eq!(browser.number(".failing .glyph.race"), 3);
    assert_eq!(browser.number(".failing .row.decisive"), 1);
    assert!(browser.text("h1").starts_with("Error found: 1 error"));
    assert!(
        browser
            .text("#errors")
            .contains("mazurka replay gallery:philosophers")
    );
    browser.click(".failing .row.decisive");
    // Four processes that wait are one error.
    assert_eq!(browser.number(".list"), 0);
    assert!(browser.text("#error h3").starts_with("deadlock in "));
    assert!(
        browser
            .text("#error .explanation")
            .contains("philosopher P.5  waits for fork P.3")
    );
    assert_eq!(browser.complaints(), Vec::<Value>::new());
    let requests = browser.requests();
    let is_page = |url: &String| url.starts_with("file:") || url.starts_with("data:,");
    assert!(
        !requests.is_empty() && requests.iter().all(is_page),
        "{requests:?}"
    );
}

/// Programs with everything that orders events: messages, spawns, timeouts, signals, shared
/// objects, under several delivery models.
#[test]
fn shades_are_those_of_the_kernel() {
    let place = Place::new();
    place.write(
        "pool.erl",
        include_str!("../../../examples/erlang/pool.erl"),
    );
    let browser = Browser::new();
    for (program, options) in [
        ("gallery:philosophers", ""),
        ("gallery:philosophers", "--delivery mailbox"),
        ("gallery:lost-update", ""),
        ("gallery:retry-timeout", ""),
        (
            "gallery:retry-timeout",
            "--delivery causal --timeouts any-time",
        ),
        ("gallery:supervisor", ""),
        ("gallery:name-race", "--param n=4 --delivery unordered"),
        ("gallery:any-deadlock", ""),
        ("pool.erl", "--entry pool:run/0"),
    ] {
        let line = format!("check {program} {options} --html report.html --log-dir logs");
        place.expect(1, &line);
        browser.open(&place.path().join("report.html"));
        browser.run(SHOW_ALL);
        let page = Page::read(&place.path().join("report.html"));
        let trace = replayed(&place, program, options, &page);
        let causality = trace.check().unwrap();
        let shaded = browser.run(CLICK_ALL);
        let compared = compare(&page, &causality, &shaded);
        assert_eq!(compared, page.drawn() * page.drawn(), "{program} {options}");
        assert!(compared > 50, "{program} {options}");
        assert_eq!(browser.complaints(), Vec::<Value>::new());
    }
}

/// The execution of the first error, by its log.
fn replayed(place: &Place, program: &str, options: &str, page: &Page) -> Trace {
    let log = page.run()["errors"][0]["log_file"]
        .as_str()
        .unwrap()
        .to_owned();
    let timeouts = options
        .split_once("--timeouts ")
        .map_or("", |(_, after)| after);
    let timeouts = match timeouts {
        "" => String::new(),
        when => format!("--timeouts {when}"),
    };
    let line = format!("trace {program} --log {log} {timeouts}");
    Trace::from_json(&place.expect(0, &line).stdout).unwrap()
}

/// Compares every pair of events; returns the number of pairs.
fn compare(page: &Page, causality: &Causality<'_>, shaded: &Value) -> usize {
    let mut compared = 0;
    for (chosen, others) in shaded.as_object().unwrap() {
        let chosen = page.at(chosen);
        for (other, shade) in others.as_object().unwrap() {
            let other = page.at(other);
            let expected = match () {
                () if chosen == other => "chosen",
                () if causality.happened_before(&other, &chosen) => "past",
                () if causality.happened_before(&chosen, &other) => "future",
                () => "concurrent",
            };
            assert_eq!(shade, expected, "{other}, when {chosen} is chosen");
            compared += 1;
        }
    }
    compared
}

#[test]
fn lanes_can_be_hidden_and_moved() {
    let place = Place::new();
    place.expect(1, "check gallery:philosophers --html report.html");
    let browser = Browser::new();
    browser.open(&place.path().join("report.html"));
    let lanes = || {
        browser.run("return [...document.querySelectorAll('.failing .head .role')].map((name) => name.textContent).join(' ')")
    };
    let of_p4 = ".failing .row[data-event] .who";
    let has_p4 = || {
        let all = browser.run_with(
            "return [...document.querySelectorAll(arguments[0])].some((who) => who.textContent === 'philosopher P.4')",
            &json!([of_p4]),
        );
        all == json!(true)
    };
    assert_eq!(lanes(), "P P.1 P.2 P.3 P.4 P.5 P.6");
    assert!(has_p4());
    let arrows = browser.number(".failing .arrow.message");
    browser.click(".failing .lanes summary");
    browser.click(".failing .lanes li[data-lane='4'] input");
    assert_eq!(lanes(), "P P.1 P.2 P.3 P.5 P.6");
    assert!(!has_p4());
    assert!(browser.number(".failing .arrow.message") < arrows);
    // What happened before stays known, though it is hidden.
    browser.click(".failing .row.decisive");
    let before = browser.run("return document.querySelector('.key.past').dataset.count");
    browser.click(".failing .lanes li[data-lane='4'] input");
    assert_eq!(lanes(), "P P.1 P.2 P.3 P.4 P.5 P.6");
    browser.run("document.querySelector('.failing .row.decisive').click()");
    assert_eq!(
        browser.run("return document.querySelector('.key.past').dataset.count"),
        before
    );

    browser.click(".failing .lanes li[data-lane='2'] button[aria-label='Move fork P.2 left']");
    assert_eq!(lanes(), "P P.2 P.1 P.3 P.4 P.5 P.6");
    browser.run(
        "const data = new DataTransfer(); const lane = (id) => document.querySelector(`.failing .head [data-lane='${id}']`);
         lane(6).dispatchEvent(new DragEvent('dragstart', { dataTransfer: data, bubbles: true }));
         lane(0).dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));",
    );
    assert_eq!(lanes(), "P.6 P P.2 P.1 P.3 P.4 P.5");
    let x = |lane: &str| {
        browser.run(&format!(
            "return document.querySelector(\".failing .head [data-lane='{lane}']\").offsetLeft"
        ))
    };
    assert!(x("6").as_f64() < x("0").as_f64());
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}

#[test]
fn works_with_the_keyboard() {
    const DOWN: &str = "\u{e015}";
    const UP: &str = "\u{e013}";
    const LEFT: &str = "\u{e012}";
    const ESCAPE: &str = "\u{e00c}";
    let place = Place::new();
    place.expect(1, "check gallery:philosophers --html report.html");
    let browser = Browser::new();
    browser.open(&place.path().join("report.html"));
    let chosen = || {
        let text =
            browser.run("return document.querySelector('.failing .row.chosen')?.ariaLabel ?? ''");
        let active = browser.run(
            "const active = document.querySelector('.failing .box').getAttribute('aria-activedescendant');
             return active ? document.getElementById(active).ariaSelected : null",
        );
        assert_eq!(active == json!("true"), text != "", "{text}");
        text.as_str().unwrap().to_owned()
    };
    browser.keys(".failing .box", DOWN);
    assert!(
        chosen()
            .starts_with("fork P.3: receive Take(P.6) from philosopher P.6, decisive, race with 1")
    );
    browser.keys(".failing .box", LEFT);
    assert!(
        chosen().starts_with("philosopher P.6: send Take(P.6) to fork P.3"),
        "{}",
        chosen()
    );
    browser.keys(".failing .box", LEFT);
    assert!(
        chosen().starts_with("table: spawn philosopher P.6"),
        "{}",
        chosen()
    );
    browser.keys(".failing .box", UP);
    assert!(
        chosen().starts_with("table: spawn philosopher P.5"),
        "{}",
        chosen()
    );
    browser.keys(".failing .box", "\u{e014}");
    assert!(
        chosen().starts_with("philosopher P.5: send Take(P.5) to fork P.2"),
        "{}",
        chosen()
    );
    browser.keys(".failing .box", "j");
    assert!(
        chosen().starts_with("fork P.2: receive Take(P.5)"),
        "{}",
        chosen()
    );
    browser.keys(".failing .box", ESCAPE);
    assert_eq!(chosen(), "");
    assert_eq!(
        browser.number(".failing :is(.row.past, .row.future, .row.concurrent)"),
        0
    );
    browser.keys(".failing .box", &format!("{DOWN}h"));
    assert_eq!(browser.number(".failing .head .lane"), 6);
    browser.keys(".failing .box", "H");
    assert_eq!(browser.number(".failing .head .lane"), 7);
    browser.keys(".failing .box", "?");
    assert_eq!(browser.number("dialog[open]"), 1);
    browser.keys("dialog button", ESCAPE);
    assert_eq!(browser.number("dialog[open]"), 0);
    let outline = browser.run(
        "document.querySelector('.failing .box').focus(); return getComputedStyle(document.querySelector('.failing .box')).outlineStyle",
    );
    assert_eq!(outline, "solid", "the focus can be seen");
}

#[test]
fn shows_value_mailbox_source_and_output() {
    let place = Place::new();
    place.write(
        "m.erl",
        "-module(m).\n-export([run/0]).\nrun() ->\n  Self = self(),\n  \
         spawn(fun() -> io:format(\"hello~n\"), Self ! {other, 1}, Self ! {wanted, 2} end),\n  \
         receive\n    {wanted, N} -> error({got, N})\n  end.\n",
    );
    place.expect(1, "check m.erl --entry m:run/0 --html report.html");
    let browser = Browser::new();
    browser.open(&place.path().join("report.html"));
    let row = |start: &str| {
        let found = browser.run_with(
            "return [...document.querySelectorAll('.failing .row[data-event]')]
                .find((row) => row.ariaLabel.startsWith(arguments[0])).dataset.event",
            &json!([start]),
        );
        format!(".failing .row[data-event='{}']", found.as_str().unwrap())
    };
    browser.click(&row("run: receive {wanted"));
    let details = browser.text(".details");
    assert!(details.contains("{wanted, 2}"), "{details}");
    assert!(details.contains("m.erl:6"), "{details}");
    let mailbox = browser.text(".mailbox");
    assert!(mailbox.contains("{other, 1} from fun of run"), "{mailbox}");
    assert!(mailbox.contains("— not accepted"), "{mailbox}");
    assert!(mailbox.contains("— taken"), "{mailbox}");
    browser.click(&row("fun of run: send {other"));
    let details = browser.text(".details");
    assert!(
        details.contains("Printed before it") && details.contains("hello"),
        "{details}"
    );
    assert!(details.contains("m.erl:5"), "{details}");
    assert!(browser.text("#coverage").len() > 20);
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}

/// The page makes the log of a variant by itself; the kernel and the program agree with it.
#[test]
fn a_variant_can_be_replayed() {
    let place = Place::new();
    let browser = Browser::new();
    for (program, options) in [
        ("gallery:philosophers", ""),
        ("gallery:lost-update", ""),
        ("gallery:supervisor", ""),
        ("gallery:retry-timeout", ""),
        ("gallery:name-race", "--delivery mailbox"),
    ] {
        let line = format!("check {program} {options} --html report.html --log-dir logs");
        place.expect(1, &line);
        let file = place.path().join("report.html");
        browser.open(&file);
        browser.run(SHOW_ALL);
        let page = Page::read(&file);
        let trace = replayed(&place, program, options, &page);
        let causality = trace.check().unwrap();
        let mut variants = 0;
        for race in causality.races() {
            let Some(receive) = page.id(&race.at).filter(|id| page.is_drawn(*id)) else {
                continue;
            };
            for other in &race.others {
                let log = browser.run_with(
                    "document.querySelector(`.failing .row[data-event='${arguments[0]}']`).click();
                     document.querySelector(`.variant[data-send='${arguments[1]}']`).click();
                     return document.querySelector('.failing .banner .log').textContent",
                    &json!([receive, page.send(other.as_str())]),
                );
                let log = log.as_str().unwrap();
                let expected = causality.variant(&race.at, other).unwrap().log();
                assert_eq!(Log::from_json(log).unwrap().processes, expected.processes);
                place.write("variant.json", log);
                let ran = place.run(&format!("replay {program} variant.json"));
                assert!(matches!(ran.code, Some(0 | 1)), "{program}: {ran:#?}");
                variants += 1;
            }
        }
        assert!(variants > 0, "{program}");
        assert!(
            browser.number(".failing .row.dropped") > 0
                && browser.number(".failing .arrow.variant") == 1
        );
        assert_eq!(browser.complaints(), Vec::<Value>::new());
    }
}

/// On a telephone only the diagram scrolls sideways. The page follows the dark mode of the system.
#[test]
fn fits_a_telephone_in_light_and_dark() {
    let place = Place::new();
    let colour = "return getComputedStyle(document.body).backgroundColor";
    let browser = Browser::new();
    browser.resize(360, 740);
    for line in [
        "gallery:name-race --param n=30",
        "gallery:supervisor --delivery causal",
    ] {
        place.expect(1, &format!("check {line} --html report.html"));
        browser.prefer_dark(false);
        browser.open(&place.path().join("report.html"));
        let fits = || {
            let wide = browser.run("return document.documentElement.scrollWidth");
            assert_eq!(wide, 360, "{line}");
        };
        fits();
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
        browser.run(
            "document.querySelector('.failing .row[data-event] .racing').closest('.row').click()",
        );
        fits();
        browser.run("document.querySelector('button.variant')?.click()");
        fits();
        let scrolls = browser.run(
            "const box = document.querySelector('.failing .box'); return box.scrollWidth > box.clientWidth",
        );
        assert_eq!(scrolls, true);
        let light = browser.run(colour);
        browser.prefer_dark(true);
        assert_ne!(browser.run(colour), light);
    }
}

/// What is clipped without a way to see it, or sticks out of the page: tags, classes and texts.
const CLIPPED: &str = "
    const wide = document.documentElement.clientWidth;
    const scrolls = (value) => value === 'auto' || value === 'scroll';
    const clipped = [];
    for (const one of document.querySelectorAll('body *')) {
        const style = getComputedStyle(one);
        const box = one.getBoundingClientRect();
        if (box.width === 0 || box.height === 0 || one.closest('.skip, svg, [hidden]')) continue;
        const hides = !scrolls(style.overflowX) && style.overflowX !== 'visible';
        const hidesBelow = !scrolls(style.overflowY) && style.overflowY !== 'visible';
        const isOver = (hides && one.scrollWidth > one.clientWidth + 1)
            || (hidesBelow && one.scrollHeight > one.clientHeight + 2);
        // A name or a value that is cut can be read in its title.
        const isCut = isOver && !(one.matches('.what, .who, .name, .role') && one.closest('[title]'));
        let scroller = one.parentElement;
        while (scroller && !scrolls(getComputedStyle(scroller).overflowX)) scroller = scroller.parentElement;
        const sticksOut = !scroller && (box.right > wide + 1 || box.left < -1);
        // A text that is wider than its own element spills over its neighbours.
        const spills = style.overflowX === 'visible' && style.display !== 'inline' && one.clientWidth > 0
            && one.scrollWidth > one.clientWidth + 1 && one.children.length === 0;
        if (isCut || sticksOut || spills) {
            clipped.push(`${isCut ? 'cut' : sticksOut ? 'sticks out' : 'spills'}: ${one.tagName}.${one.className}: ${one.textContent.slice(0, 60)}`);
        }
    }
    return clipped;";

/// Nothing is clipped at the width of a small screen and of a telephone: no badge, no source place, no cell
/// of a table, no text. Names and values in a diagram are cut where there is no space, and have a title.
#[test]
fn nothing_is_clipped() {
    let place = Place::new();
    for name in ["cache", "ticker", "pool"] {
        let examples =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/erlang");
        let file = examples.join(format!("{name}.erl"));
        if let Ok(text) = std::fs::read_to_string(file) {
            place.write(&format!("{name}.erl"), &text);
        }
    }
    let browser = Browser::new();
    for line in [
        "gallery:philosophers",
        "gallery:lost-update --param n=4 --keep-going",
        "gallery:name-race --param n=30",
        "gallery:supervisor --delivery causal",
        "gallery:leader --param n=3 --delivery unordered --keep-going",
        "cache.erl --entry cache:main/0 --daemon cache:store/1",
        "pool.erl --entry pool:run/0",
    ] {
        place.expect(1, &format!("check {line} --html report.html"));
        for (wide, high) in [(1280, 960), (390, 800)] {
            browser.resize(wide, high);
            browser.open(&place.path().join("report.html"));
            let clipped = || {
                assert_eq!(browser.run(CLIPPED), json!([]), "{line} at {wide}");
                let document = browser.run("return document.documentElement.scrollWidth");
                assert_eq!(document, wide, "{line}");
            };
            clipped();
            browser
                .run("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
            browser.run("document.querySelector('.failing .row[data-event]')?.click()");
            clipped();
        }
        assert_eq!(browser.complaints(), Vec::<Value>::new());
    }
}

/// The daemons that were stopped are a row of the page, as they are a line of the text.
#[test]
fn stopped_daemons_are_in_the_page() {
    let place = Place::new();
    place.write(
        "ticker.erl",
        "-module(ticker).\n-export([run/0, tick/1]).\nrun() -> spawn(?MODULE, tick, [self()]).\n\
         tick(Main) -> receive stop -> ok after 1000 -> tick(Main) end.\n",
    );
    let line = "check ticker.erl --entry ticker:run/0 --daemon ticker:tick/1 --html report.html";
    let ran = place.expect(0, line);
    let text = "Daemons stopped while their timers ran: ticker:tick/1 (P.1) at ticker.erl:4.";
    assert!(ran.stdout.contains(text), "{}", ran.stdout);
    let browser = Browser::new();
    browser.open(&place.path().join("report.html"));
    let counts = browser.text(".cards");
    assert!(
        counts.contains("stopped daemons\nticker:tick/1 (P.1) at ticker.erl:4"),
        "{counts}"
    );
}

#[test]
fn prints_all_events() {
    let place = Place::new();
    place.expect(1, "check gallery:polling --param n=200 --html report.html");
    let browser = Browser::new();
    browser.open(&place.path().join("report.html"));
    let in_sight = browser.number(".failing .row[data-event]");
    browser.run(
        "window.printed = 0; addEventListener('beforeprint', () => {
             window.printed = document.querySelectorAll('.failing .row[data-event]').length; });",
    );
    let pdf = browser.print();
    assert!(pdf.starts_with("JVBERi0"), "a PDF");
    let events = Page::read(&place.path().join("report.html")).drawn() as u64;
    let printed = browser.run("return window.printed").as_u64().unwrap();
    assert!(events > 200 && in_sight < 20, "{in_sight} of {events}");
    assert_eq!(printed, events);
    let after = browser.number(".failing .row[data-event]");
    assert_eq!(after, in_sight, "the rest goes again");
}

#[test]
fn nothing_wrong_and_nothing_to_draw() {
    let place = Place::new();
    place.expect(0, "check gallery:fan-in --html report.html");
    let browser = Browser::new();
    browser.open(&place.path().join("report.html"));
    assert_eq!(
        browser.text("h1"),
        "Verified within one node: nothing goes wrong in any of the 6 executions."
    );
    assert_eq!(browser.number(".diagram"), 0);
    assert!(
        browser
            .text("#coverage")
            .contains("Not available for this kind of program.")
    );
    let summary = browser.text(".cards");
    for part in [
        "executions",
        "mailbox (a receive takes",
        "max-depth",
        env!("CARGO_PKG_VERSION"),
    ] {
        assert!(summary.contains(part), "{part} in {summary}");
    }
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}

#[test]
fn many_tests_are_one_page() {
    let place = Place::new();
    place.write(
        "m.erl",
        "-module(m).\n-export([good_test/0, bad_test/0]).\ngood_test() -> ok.\n\
         bad_test() -> receive never -> ok end.\n",
    );
    let ran = place.expect(1, "check m.erl --html report.html");
    assert!(ran.stdout.contains("bad_test"), "{}", ran.stdout);
    let browser = Browser::new();
    browser.open(&place.path().join("report.html"));
    let tests = browser.text("nav");
    assert!(tests.starts_with("2 tests"), "{tests}");
    let texts = ["0", "1"].map(|run| {
        browser.follow(&format!("nav a[href='#run={run}']"));
        browser.text("h1")
    });
    assert!(
        texts.iter().any(|text| text.starts_with("Verified")),
        "{texts:?}"
    );
    assert!(
        texts.iter().any(|text| text.starts_with("Error found")),
        "{texts:?}"
    );
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}

#[test]
fn a_page_that_cannot_be_written_is_said_before_the_check() {
    let place = Place::new();
    let ran = place.expect(2, "check gallery:philosophers --html no/such/report.html");
    let error = "cannot write no/such/report.html: there is no directory no/such";
    assert!(ran.stderr.contains(error), "{}", ran.stderr);
    assert_eq!(place.list("."), Vec::<String>::new());
}

/// Whatever a program puts into its names and values stays text.
#[test]
fn markup_in_values_stays_text() {
    let place = Place::new();
    let file = place.path().join("report.html");
    report(&file, PROGRAM, |outcome| {
        let evil = "</script><script>window.struck = 1</script><img src=x onerror=window.struck=1> \u{2028} ' \" `";
        pages::rename(outcome, evil);
    });
    let browser = Browser::new();
    browser.open(&file);
    browser.run(SHOW_ALL);
    browser.run(CLICK_ALL);
    assert_eq!(browser.run("return window.struck === undefined"), true);
    assert_eq!(browser.number("img"), 0);
    assert!(browser.text(".message").contains("</script><script>"));
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}

#[test]
fn failing_and_passing_side_by_side() {
    let place = Place::new();
    let file = place.path().join("report.html");
    let parting = report(&file, PROGRAM, |outcome| {
        let diagnosis = outcome.found[0].diagnosis.as_ref().unwrap();
        diagnosis.parting.as_ref().unwrap().at.clone()
    });
    let browser = Browser::new();
    browser.open(&file);
    assert_eq!(browser.number(".diagram"), 2);
    let left = |class: &str| {
        let at = browser.run(&format!(
            "return document.querySelector('{class}').getBoundingClientRect().left"
        ));
        at.as_f64().unwrap()
    };
    assert!(left(".diagram.failing") < left(".diagram.passing"));
    let decisive = |pane: &str| {
        browser.run(&format!(
            "return document.querySelector('{pane} .row.decisive').ariaLabel"
        ))
    };
    let (failing, passing) = (decisive(".failing"), decisive(".passing"));
    let who = |label: &Value| {
        let (who, _) = label.as_str().unwrap().split_once(':').unwrap();
        who.to_owned()
    };
    assert_eq!(who(&failing), who(&passing));
    assert_eq!((who(&failing).as_str(), parting.pid.as_str()), ("p0", "P"));
    assert_ne!(failing, passing);
    assert_eq!(
        browser.number(".failing .row.same"),
        browser.number(".passing .row.same")
    );
    assert_eq!(browser.number(".divider.parts"), 2);
    // What is the same in both is shown in the same order.
    let same = |pane: &str| {
        browser.run(&format!(
            "return [...document.querySelectorAll('{pane} .row.same .what')].map((one) => one.textContent)"
        ))
    };
    assert_eq!(same(".failing"), same(".passing"));
    // The variant of the decisive race is the passing execution.
    browser.click(".failing .row.decisive");
    browser.click("button.variant");
    browser.click(".banner a");
    assert_eq!(browser.number(".passing .row.chosen.decisive"), 1);
    assert_eq!(browser.number(".failing .row.chosen"), 0);
    assert!(browser.text(".error").contains("every continuation fails"));
    assert_eq!(browser.complaints(), Vec::<Value>::new());
    browser.resize(360, 740);
    assert!(
        left(".diagram.failing") >= left(".diagram.passing"),
        "one below the other"
    );
    assert_eq!(
        browser.run("return document.documentElement.scrollWidth"),
        360
    );
}

#[test]
fn clauses_that_never_took_a_message_come_first() {
    let place = Place::new();
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/erlang/pool.erl"
    );
    std::fs::copy(example, place.path().join("pool.erl")).unwrap();
    place.expect(1, "check pool.erl --entry pool:run/0 --html report.html");
    let browser = Browser::new();
    browser.open(&place.path().join("report.html"));
    let coverage = browser.text("#coverage");
    assert!(
        coverage.contains("7 clauses of 9 never took a message"),
        "{coverage}"
    );
    let first = browser.text("#coverage tbody tr");
    assert!(
        first.contains("pool.erl:27") && first.contains("never"),
        "{first}"
    );
}

/// Two processes that play ping-pong until one of them fails.
const LONG: &str = "-module(long).
-export([run/0]).
run() ->
    Self = self(),
    Other = spawn(fun() -> pong(Self) end),
    ping(Other, 500).
ping(_, 0) -> error(tired);
ping(Other, N) ->
    Other ! {ping, N},
    receive {pong, N} -> ping(Other, N - 1) end.
pong(Self) ->
    receive {ping, N} -> Self ! {pong, N} end,
    pong(Self).
";

/// Five messages in any order, and an error for each.
const ORDERS: &str = "-module(orders).
-export([run/0]).
run() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- lists:seq(1, 5)],
    error({order, [receive N -> N end || _ <- lists:seq(1, 5)]}).
";

/// Executions of 2,000 events, few processes and many, and errors with 100 symptoms.
/// `docs/results/reports.md` has the figures of a release build; the limits here allow for a debug
/// build on a busy machine.
#[test]
fn large_reports_open_smoothly() {
    let browser = Browser::new();
    for (line, events_min, errors) in [
        ("long.erl --entry long:run/0 --daemon long", 2000, 1),
        ("gallery:name-race --param n=300", 2000, 1),
        ("gallery:name-race --param n=101", 700, 1),
        ("orders.erl --entry orders:run/0 --keep-going", 20, 1),
    ] {
        let place = Place::new();
        place.write("long.erl", LONG);
        place.write("orders.erl", ORDERS);
        let start = Instant::now();
        place.expect(1, &format!("check {line} --html report.html --no-logs"));
        let check_ms = start.elapsed().as_millis();
        let file = place.path().join("report.html");
        let page = Page::read(&file);
        assert!(page.drawn() >= events_min, "{}", page.drawn());
        assert_eq!(page.run()["errors"].as_array().unwrap().len(), errors);
        browser.open(&file);
        let figures = browser.run(pages::MEASURE);
        println!("{line}: the check took {check_ms} ms; {figures}");
        assert!(check_ms < 10_000, "{line}: the check took {check_ms} ms");
        for (name, limit) in [
            ("open_ms", 5000.0),
            ("click_ms", 500.0),
            ("scroll_ms", 500.0),
        ] {
            let value = figures[name].as_f64().unwrap();
            assert!(value < limit, "{line}: {name} is {value}");
        }
        assert!(figures["rows"].as_f64().unwrap() < 200.0, "{figures}");
        assert_eq!(browser.complaints(), Vec::<Value>::new());
    }
}
