//! The published schema of reports, and as much of JSON Schema as it uses.

use serde_json::Value;
use std::path::Path;

/// The schema that the repository publishes.
pub fn published() -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/report.schema.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// Asserts that a report matches the schema and has no field that is not in it.
#[track_caller]
pub fn check_report(report: &Value) {
    let schema = published();
    let mut wrong = Vec::new();
    let validator = Validator { root: &schema };
    validator.check(&schema, report, "", &mut wrong);
    assert!(wrong.is_empty(), "{wrong:#?}\n{report:#}");
}

/// What is wrong with a value, by the published schema.
pub fn faults(report: &Value) -> Vec<String> {
    let schema = published();
    let mut wrong = Vec::new();
    Validator { root: &schema }.check(&schema, report, "", &mut wrong);
    wrong
}

struct Validator<'s> {
    root: &'s Value,
}

impl Validator<'_> {
    fn check(&self, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
        let here = |why: String| format!("{at}: {why}");
        for (keyword, rule) in schema.as_object().unwrap() {
            match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" => {}
                "$ref" => {
                    let pointer = rule.as_str().unwrap().strip_prefix('#').unwrap();
                    let target = self.root.pointer(pointer).expect("what is referred to");
                    self.check(target, value, at, wrong);
                }
                "type" => {
                    let types: Vec<&str> = match rule {
                        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
                        one => vec![one.as_str().unwrap()],
                    };
                    if !types.iter().any(|name| is_a(value, name)) {
                        wrong.push(here(format!("{value} is not a {rule}")));
                    }
                }
                "const" if value != rule => wrong.push(here(format!("{value} is not {rule}"))),
                "enum" if !rule.as_array().unwrap().contains(value) => {
                    wrong.push(here(format!("{value} is none of {rule}")));
                }
                "const" | "enum" => {}
                "minimum" if value.as_f64() < rule.as_f64() && value.is_number() => {
                    wrong.push(here(format!("{value} is below {rule}")));
                }
                "maximum" if value.as_f64() > rule.as_f64() => {
                    wrong.push(here(format!("{value} is above {rule}")))
                }
                "minimum" | "maximum" => {}
                "minLength" => {
                    let length = value.as_str().map(|text| text.chars().count() as u64);
                    if length < rule.as_u64() {
                        wrong.push(here(format!("{value} is too short")));
                    }
                }
                "minItems" | "maxItems" => {
                    let Some(items) = value.as_array() else {
                        continue;
                    };
                    let (length, bound) = (items.len() as u64, rule.as_u64().unwrap());
                    let fits = match keyword.as_str() {
                        "minItems" => length >= bound,
                        _ => length <= bound,
                    };
                    if !fits {
                        wrong.push(here(format!("{length} items, {keyword} is {bound}")));
                    }
                }
                "items" => {
                    for (place, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{at}/{place}"), wrong);
                    }
                }
                "required" => {
                    for name in rule.as_array().unwrap() {
                        if value.get(name.as_str().unwrap()).is_none() {
                            wrong.push(here(format!("no {name}")));
                        }
                    }
                }
                "properties" => {
                    let known = rule.as_object().unwrap();
                    for (name, inner) in value.as_object().into_iter().flatten() {
                        match known.get(name) {
                            Some(rule) => self.check(rule, inner, &format!("{at}/{name}"), wrong),
                            None => wrong.push(format!("{at}: {name} is not in the schema")),
                        }
                    }
                }
                // Unknown properties are refused below "properties".
                "additionalProperties" if *rule == Value::Bool(false) => {}
                "additionalProperties" => {
                    for (name, inner) in value.as_object().into_iter().flatten() {
                        self.check(rule, inner, &format!("{at}/{name}"), wrong);
                    }
                }
                "anyOf" => {
                    let fits = |schema: &Value| {
                        let mut wrong = Vec::new();
                        self.check(schema, value, at, &mut wrong);
                        wrong.is_empty()
                    };
                    if !rule.as_array().unwrap().iter().any(fits) {
                        wrong.push(here(format!("{value} is none of those that it may be")));
                    }
                }
                other => panic!("the schema uses {other}, which the tests do not know"),
            }
        }
    }
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("no type {other}"),
    }
}
