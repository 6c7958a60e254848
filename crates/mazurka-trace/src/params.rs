//! The parameters of a program.

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// The parameters of a program. Each has one value, or several in order, as an option that was given
/// several times.
///
/// In JSON a parameter with one value is a string, one with several values is an array of strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Params(BTreeMap<String, Vec<String>>);

impl Params {
    /// The values of a parameter; none if it is not set.
    #[must_use]
    pub fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// The first value of a parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all(name).first().map(String::as_str)
    }

    /// Replaces the values of a parameter.
    pub fn set(&mut self, name: impl Into<String>, values: Vec<String>) {
        match values.is_empty() {
            true => self.0.remove(&name.into()),
            false => self.0.insert(name.into(), values),
        };
    }

    /// Adds a value to a parameter.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.entry(name.into()).or_default().push(value.into());
    }

    /// Every name with every value of it, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|(name, values)| {
            let values = values.iter().map(String::as_str);
            values.map(move |value| (name.as_str(), value))
        })
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Params {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut params = Params::default();
        for (name, value) in pairs {
            params.push(name, value);
        }
        params
    }
}

/// The values of a parameter in JSON.
struct Values(Vec<String>);

impl Serialize for Params {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Value<'v> {
            One(&'v str),
            Several(&'v [String]),
        }
        serializer.collect_map(self.0.iter().map(|(name, values)| match &values[..] {
            [one] => (name, Value::One(one)),
            several => (name, Value::Several(several)),
        }))
    }
}

impl<'de> Deserialize<'de> for Params {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut params = Params::default();
        for (name, values) in BTreeMap::<String, Values>::deserialize(deserializer)? {
            params.set(name, values.0);
        }
        Ok(params)
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrSeveral;
        impl<'de> Visitor<'de> for OneOrSeveral {
            type Value = Values;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a list of strings")
            }

            fn visit_str<E>(self, text: &str) -> Result<Values, E> {
                Ok(Values(vec![text.to_owned()]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Values, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = list.next_element()? {
                    values.push(value);
                }
                Ok(Values(values))
            }
        }
        deserializer.deserialize_any(OneOrSeveral)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_values_are_a_list() {
        let params: Params = [("pa", "my code"), ("n", "3"), ("pa", "it's")]
            .into_iter()
            .collect();
        let json = r#"{"n":"3","pa":["my code","it's"]}"#;
        assert_eq!(serde_json::to_string(&params).unwrap(), json);
        assert_eq!(serde_json::from_str::<Params>(json).unwrap(), params);
        assert_eq!(params.all("pa"), ["my code", "it's"]);
        assert_eq!(params.get("n"), Some("3"));
        assert_eq!(params.all("m"), [""; 0]);
        let error = serde_json::from_str::<Params>(r#"{"n": 3}"#).unwrap_err();
        let expected = "invalid type: integer `3`, expected a string or a list of strings";
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}
