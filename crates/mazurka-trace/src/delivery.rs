//! Delivery models: which messages a receive may consume.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Which of the waiting messages a receive may consume.
///
/// Each model allows a subset of what the previous one allows.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Delivery {
    /// Any matching message already sent: the bare actor model.
    Unordered,
    /// The first matching message of each sender: the guarantee of MPI and of Erlang between
    /// nodes. The default for a trace file that names no model.
    #[default]
    P2p,
    /// As [`P2p`](Delivery::P2p), except for a message whose send happened after the send of
    /// another matching message that still waits.
    Causal,
    /// The matching message that was sent first, as within one Erlang node or one operating
    /// system process. A timeout fires only if no matching message waits.
    Mailbox,
}

impl Delivery {
    /// All models, the most permissive first.
    pub const ALL: [Delivery; 4] = [
        Delivery::Unordered,
        Delivery::P2p,
        Delivery::Causal,
        Delivery::Mailbox,
    ];

    /// The name used on the command line, in files and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Delivery::Unordered => "unordered",
            Delivery::P2p => "p2p",
            Delivery::Causal => "causal",
            Delivery::Mailbox => "mailbox",
        }
    }
}

impl fmt::Display for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a delivery model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown delivery model `{0}`: use unordered, p2p, causal or mailbox")]
pub struct UnknownDelivery(pub String);

impl FromStr for Delivery {
    type Err = UnknownDelivery;

    fn from_str(text: &str) -> Result<Self, UnknownDelivery> {
        Delivery::ALL
            .into_iter()
            .find(|model| model.name() == text)
            .ok_or_else(|| UnknownDelivery(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_to_the_same_model() {
        for model in Delivery::ALL {
            assert_eq!(model.to_string().parse(), Ok(model));
            assert_eq!(
                serde_json::to_string(&model).unwrap(),
                format!("\"{model}\"")
            );
        }
        assert_eq!(
            "fifo".parse::<Delivery>(),
            Err(UnknownDelivery("fifo".into()))
        );
    }
}
