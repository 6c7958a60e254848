//! When the timeout of a receive may fire.

use std::fmt;
use std::str::FromStr;

/// When the timeout of a receive may fire. A poll, `after 0`, does not depend on this setting: it may
/// always find no message.
///
/// Logical time is 0 at the start and does not change while anything can happen. Then it becomes the
/// earliest deadline of the waiting timeouts, and those with this deadline may fire, in any order. A
/// deadline is the logical time at which the receive was demanded plus its timeout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeouts {
    /// A timeout below this many milliseconds may fire at any time; a longer one only when
    /// nothing else in the whole program can happen.
    Below(u64),
    /// Every timeout may fire at any time.
    AnyTime,
    /// A timeout fires only when nothing else in the whole program can happen, the earliest
    /// deadline first, equal deadlines in any order.
    WhenQuiet,
    /// No timeout fires.
    Never,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts::Below(1000)
    }
}

impl Timeouts {
    pub(crate) fn any_time(self, timeout_ms: u64) -> bool {
        timeout_ms == 0
            || match self {
                Timeouts::Below(limit) => timeout_ms < limit,
                Timeouts::AnyTime => true,
                Timeouts::WhenQuiet | Timeouts::Never => false,
            }
    }

    pub(crate) fn when_quiet(self, timeout_ms: u64) -> bool {
        match self {
            Timeouts::Below(limit) => timeout_ms >= limit,
            Timeouts::WhenQuiet => true,
            Timeouts::AnyTime | Timeouts::Never => false,
        }
    }
}

impl fmt::Display for Timeouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Timeouts::Below(limit) => write!(f, "below-{limit}ms"),
            Timeouts::AnyTime => f.write_str("any-time"),
            Timeouts::WhenQuiet => f.write_str("when-quiet"),
            Timeouts::Never => f.write_str("never"),
        }
    }
}

impl FromStr for Timeouts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "any-time" => Ok(Timeouts::AnyTime),
            "when-quiet" => Ok(Timeouts::WhenQuiet),
            "never" => Ok(Timeouts::Never),
            other => other
                .strip_prefix("below-")
                .and_then(|rest| rest.strip_suffix("ms"))
                .and_then(|limit| limit.parse().ok())
                .map(Timeouts::Below)
                .ok_or_else(|| {
                    format!(
                        "unknown timeout setting `{other}`: \
                         use below-<N>ms, any-time, when-quiet or never"
                    )
                }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_read_what_they_print() {
        for setting in [
            Timeouts::Below(1000),
            Timeouts::AnyTime,
            Timeouts::WhenQuiet,
            Timeouts::Never,
        ] {
            assert_eq!(setting.to_string().parse(), Ok(setting));
        }
        assert!("below-ms".parse::<Timeouts>().is_err());
        assert!("sometimes".parse::<Timeouts>().is_err());
    }

    #[test]
    fn a_poll_may_always_find_nothing() {
        for setting in [Timeouts::WhenQuiet, Timeouts::Never] {
            assert!(setting.any_time(0));
            assert!(!setting.any_time(1));
        }
    }
}
