//! A real Chromium without a window, driven through `chromedriver` by the WebDriver protocol.

#![allow(dead_code, reason = "no test file uses all of it")]

mod http;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// One at a time: a browser takes much memory.
static TURN: Mutex<()> = Mutex::new(());

const MISSING: &str = "the tests of the HTML report need a real browser: install `chromium` and \
    `chromedriver` (on Debian: apt-get install chromium chromium-driver)";

/// How WebDriver names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with one page, which ends when this goes.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Browser {
    /// Starts one.
    pub fn new() -> Browser {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let profile = tempfile::tempdir().unwrap();
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{MISSING} ({error})"));
        let port = port(&mut driver);
        let mut browser = Browser {
            driver,
            port,
            session: String::new(),
            _profile: profile,
            _turn: turn,
        };
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--force-device-scale-factor=1",
        ];
        let own = format!("--user-data-dir={}", browser._profile.path().display());
        let arguments: Vec<&str> = arguments.into_iter().chain([own.as_str()]).collect();
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let made = browser.ask("POST", "/session", &wanted);
        let session = made["sessionId"].as_str();
        browser.session = session
            .unwrap_or_else(|| panic!("{MISSING}\n{made}"))
            .to_owned();
        browser.resize(1400, 1000);
        browser
    }

    /// Opens a file.
    pub fn open(&self, file: &Path) {
        self.open_at(file, "");
    }

    /// Opens a file at a place in it.
    pub fn open_at(&self, file: &Path, hash: &str) {
        let file = file.canonicalize().unwrap();
        let url = format!("file://{}{hash}", file.display());
        // Another place in the same file would not load it again.
        self.post("/url", &json!({"url": "about:blank"}));
        self.requests(); // those of the browser's own first page
        self.post("/url", &json!({ "url": url }));
    }

    /// The size of the page on the screen.
    pub fn resize(&self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
        self.devtools("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// Whether the user prefers dark pages.
    pub fn prefer_dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": value}]);
        self.devtools(
            "Emulation.setEmulatedMedia",
            &json!({ "features": features }),
        );
    }

    /// What a function body returns.
    pub fn run(&self, script: &str) -> Value {
        self.run_with(script, &json!([]))
    }

    /// What a function body returns, given these `arguments`.
    pub fn run_with(&self, script: &str, arguments: &Value) -> Value {
        self.post(
            "/execute/sync",
            &json!({"script": script, "args": arguments}),
        )
    }

    /// Clicks on what a selector finds first, as a user would.
    pub fn click(&self, selector: &str) {
        let element = self.find(selector);
        self.post(&format!("/element/{element}/click"), &json!({}));
    }

    /// Clicks on a link to another part of the page, and waits until that is shown.
    pub fn follow(&self, selector: &str) {
        self.run(
            "window.followed = false;
             addEventListener('hashchange', () => { window.followed = true; }, { once: true })",
        );
        self.click(selector);
        let clicked = Instant::now();
        while self.run("return window.followed") != true {
            assert!(clicked.elapsed() < Duration::from_secs(20), "{selector}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Types keys into what a selector finds first.
    pub fn keys(&self, selector: &str, keys: &str) {
        let element = self.find(selector);
        self.post(
            &format!("/element/{element}/value"),
            &json!({ "text": keys }),
        );
    }

    /// The text of what a selector finds first.
    pub fn text(&self, selector: &str) -> String {
        let element = self.find(selector);
        let text = self.get(&format!("/element/{element}/text"));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// How many elements there are.
    pub fn number(&self, selector: &str) -> u64 {
        let found = self.run_with(
            "return document.querySelectorAll(arguments[0]).length",
            &json!([selector]),
        );
        found.as_u64().unwrap()
    }

    /// The page as it is on the screen, as a PNG in base64.
    pub fn screenshot(&self) -> String {
        self.get("/screenshot").as_str().unwrap().to_owned()
    }

    /// The page as it is on paper, as a PDF in base64.
    pub fn print(&self) -> String {
        let pdf = self.post("/print", &json!({}));
        pdf.as_str().unwrap().to_owned()
    }

    /// What the console complains about.
    pub fn complaints(&self) -> Vec<Value> {
        let log = self.post("/se/log", &json!({"type": "browser"}));
        log.as_array().unwrap().clone()
    }

    /// The addresses that were asked for since the last time.
    pub fn requests(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({"type": "performance"}));
        let url = |entry: &Value| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &message["message"];
            let is_request = message["method"] == "Network.requestWillBeSent";
            let url = message["params"]["request"]["url"].as_str();
            url.filter(|_| is_request).map(str::to_owned)
        };
        log.as_array().unwrap().iter().filter_map(url).collect()
    }

    /// A command of the DevTools protocol.
    pub fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post(
            "/goog/cdp/execute",
            &json!({"cmd": command, "params": parameters}),
        )
    }

    fn find(&self, selector: &str) -> String {
        let by = json!({"using": "css selector", "value": selector});
        let found = self.post("/element", &by);
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    fn get(&self, path: &str) -> Value {
        self.ask(
            "GET",
            &format!("/session/{}{path}", self.session),
            &Value::Null,
        )
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.ask("POST", &format!("/session/{}{path}", self.session), body)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut answer = http::ask(self.port, method, path, body);
        let value = answer["value"].take();
        let error = value.get("error").and_then(Value::as_str);
        assert!(error.is_none(), "{method} {path} {body}: {value:#}");
        value
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let path = format!("/session/{}", self.session);
            let _ = http::try_ask(self.port, "DELETE", &path, &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The port that the driver chose.
fn port(driver: &mut Child) -> u16 {
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let port = |line: &String| {
        let (_, after) = line.split_once("started successfully on port ")?;
        after.trim_end_matches('.').parse().ok()
    };
    lines
        .map_while(Result::ok)
        .find_map(|line| port(&line))
        .expect(MISSING)
}
