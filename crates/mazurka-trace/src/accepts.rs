//! The constraint of a receive, as the set of messages that satisfy it.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Tag;

/// Which messages satisfy the constraint of a receive.
///
/// A trace contains neither the values nor the patterns of the program's language. Instead it
/// stores the result of `match(value, constraint)` (Vidal 2022, section 3) for the messages it
/// contains. A tag that no event sends has no meaning here. It also does not matter whether the set
/// contains a message that the receive cannot take: because its process consumed the message
/// earlier, because its send depends on the receive, or because the sender sent another message
/// before that the receive accepts and could take, unless delivery is `unordered`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Accepts {
    /// Every message.
    #[default]
    All,
    /// Only these messages. Several receives may share the set.
    Only(Arc<BTreeSet<Tag>>),
    /// Every message except these.
    Except(Arc<BTreeSet<Tag>>),
}

impl Accepts {
    /// Whether the message `tag` satisfies the constraint.
    pub fn accepts(&self, tag: &Tag) -> bool {
        match self {
            Accepts::All => true,
            Accepts::Only(tags) => tags.contains(tag),
            Accepts::Except(tags) => !tags.contains(tag),
        }
    }
}

/// JSON: `"all"`, a list of tags, or `{"except": [tags]}`.
impl Serialize for Accepts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Accepts::All => serializer.serialize_str("all"),
            Accepts::Only(tags) => serializer.collect_seq(tags.iter()),
            Accepts::Except(tags) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("except", tags.as_ref())?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Accepts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AcceptsVisitor)
    }
}

struct AcceptsVisitor;

impl<'de> Visitor<'de> for AcceptsVisitor {
    type Value = Accepts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"all\", a list of tags, or {\"except\": [tags]}")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Accepts, E> {
        match text {
            "all" => Ok(Accepts::All),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Accepts, A::Error> {
        let mut tags = BTreeSet::new();
        while let Some(tag) = seq.next_element()? {
            tags.insert(tag);
        }
        Ok(Accepts::Only(Arc::new(tags)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Accepts, A::Error> {
        let mut except = None;
        while let Some(key) = map.next_key::<String>()? {
            if key != "except" {
                return Err(A::Error::unknown_field(&key, &["except"]));
            }
            if except.is_some() {
                return Err(A::Error::duplicate_field("except"));
            }
            except = Some(map.next_value()?);
        }
        except
            .map(|tags| Accepts::Except(Arc::new(tags)))
            .ok_or_else(|| A::Error::missing_field("except"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, accepted: &[&str], refused: &[&str]) {
        let accepts: Accepts = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&accepts).unwrap(), json);
        for &tag in accepted {
            assert!(accepts.accepts(&tag.into()), "{json} should accept {tag}");
        }
        for &tag in refused {
            assert!(!accepts.accepts(&tag.into()), "{json} should refuse {tag}");
        }
    }

    #[test]
    fn forms() {
        check(r#""all""#, &["1", "2"], &[]);
        check(r#"["1","2"]"#, &["1", "2"], &["3"]);
        check("[]", &[], &["1"]);
        check(r#"{"except":["1"]}"#, &["2"], &["1"]);
    }

    #[test]
    fn malformed() {
        for json in [
            r#""some""#,
            "1",
            "{}",
            r#"{"only":[]}"#,
            r#"{"except":[],"except":[]}"#,
            "[1]",
        ] {
            assert!(serde_json::from_str::<Accepts>(json).is_err(), "{json}");
        }
    }
}
