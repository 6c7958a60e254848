//! As much of HTTP as a driver on this machine needs.

use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A browser that needs longer will never answer.
const PATIENCE: Duration = Duration::from_secs(120);

/// Asks, and expects JSON.
pub fn ask(port: u16, method: &str, path: &str, body: &Value) -> Value {
    try_ask(port, method, path, body).unwrap_or_else(|error| panic!("{method} {path}: {error}"))
}

/// Asks, and hopes for JSON.
pub fn try_ask(port: u16, method: &str, path: &str, body: &Value) -> io::Result<Value> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let body = match body {
        Value::Null => String::new(),
        body => body.to_string(),
    };
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut content = vec![0; length];
    reader.read_exact(&mut content)?;
    serde_json::from_slice(&content).map_err(io::Error::other)
}
