//! The two kinds of names in a trace: names of processes and names of messages.
//!
//! Names are opaque text, except that of a liveness object, which contains its process. The engine uses logical names (`P.1.2`, `P.1#0`) that are the same in
//! every execution; a trace written by hand may use any names.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        // A name is ordered and hashed like its text, so maps accept `&str` keys for lookups.
        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self::from)
            }
        }
    };
}

name! {
    /// The name of a process. Cheap to clone.
    ProcessName
}

name! {
    /// The name of a message. Cheap to clone.
    Tag
}
impl ProcessName {
    /// The name of the object that records whether a process has ended.
    pub fn of_liveness(process: impl fmt::Display) -> Self {
        format!("liveness({process})").into()
    }

    /// The name of the object that makes the end of a process known to another one.
    pub fn of_courier(
        of: impl fmt::Display,
        to: impl fmt::Display,
        tie: impl fmt::Display,
    ) -> Self {
        format!("liveness({of})>{to}:{tie}").into()
    }

    /// The process whose end this object records, or makes known to another process.
    pub fn liveness_of(&self) -> Option<&str> {
        let (process, rest) = self.as_str().strip_prefix("liveness(")?.split_once(')')?;
        (rest.is_empty() || rest.starts_with('>')).then_some(process)
    }
}

/// The process in the name of a liveness object.
pub(crate) fn process_of_liveness(name: &str) -> Option<&str> {
    name.strip_prefix("liveness(")?.strip_suffix(')')
}
