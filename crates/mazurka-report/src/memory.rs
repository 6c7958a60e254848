//! The memory use of this process, on systems that report it.

/// The memory in use now, in bytes.
#[must_use]
pub fn in_use() -> Option<u64> {
    field("VmRSS:")
}

/// The maximum memory that was in use at any time, in bytes.
#[must_use]
pub fn peak() -> Option<u64> {
    field("VmHWM:")
}

/// The memory that is still available on the system, in bytes.
#[must_use]
pub fn available() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/meminfo").ok()?;
    parse(&status, "MemAvailable:")
}

/// Linux only; elsewhere there is no such file.
fn field(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    parse(&status, name)
}

fn parse(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_status_file() {
        let status = "Name:\tmazurka\nVmHWM:\t    5120 kB\nVmRSS:\t     512 kB\n";
        assert_eq!(parse(status, "VmHWM:"), Some(5 << 20));
        assert_eq!(parse(status, "VmRSS:"), Some(512 << 10));
        assert_eq!(parse(status, "VmSwap:"), None);
    }
}
