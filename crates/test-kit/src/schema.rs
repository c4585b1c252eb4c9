//! A JSON Schema validator for the keywords of the schemas at hand. It does not skip what it does not know: a keyword that it cannot judge
//! is a panic when data get there. (A library for this brings 45 crates and a minute of building into the tests; `boon` agreed.)

use serde_json::{Map, Value};

/// Everything that is wrong with the data, a line each.
pub fn faults(schema: &Value, data: &Value) -> Vec<String> {
    let mut all = Vec::new();
    Validator { root: schema }.check(schema, data, "", &mut all);
    all
}

struct Validator<'a> {
    root: &'a Value,
}

impl Validator<'_> {
    fn holds(&self, schema: &Value, data: &Value) -> bool {
        let mut all = Vec::new();
        self.check(schema, data, "", &mut all);
        all.is_empty()
    }

    fn check(&self, schema: &Value, data: &Value, at: &str, faults: &mut Vec<String>) {
        let keywords = match schema {
            Value::Bool(true) => return,
            Value::Bool(false) => return faults.push(format!("{at}: nothing may be here")),
            schema => schema.as_object().expect("a schema"),
        };
        for (keyword, value) in keywords {
            let is_fine = self.keyword(keyword, value, keywords, data, at, faults);
            if !is_fine {
                faults.push(format!("{at}: {data} does not fit {keyword}: {value}"));
            }
        }
    }

    fn keyword(
        &self,
        keyword: &str,
        value: &Value,
        beside: &Map<String, Value>,
        data: &Value,
        at: &str,
        faults: &mut Vec<String>,
    ) -> bool {
        let schemas = || value.as_array().expect("schemas").iter();
        let (number, limit) = (data.as_f64(), value.as_f64());
        match (keyword, data) {
            ("$ref", _) => {
                let place = value.as_str().and_then(|v| v.strip_prefix('#')).expect("a place in the schema");
                self.check(self.root.pointer(place).expect("a definition"), data, at, faults);
                true
            }
            ("type", _) => match value {
                Value::String(name) => is_of(data, name),
                names => names.as_array().expect("types").iter().any(|n| is_of(data, n.as_str().expect("a type"))),
            },
            ("enum", _) => schemas().any(|v| v == data),
            ("const", _) => value == data,
            ("anyOf", _) => schemas().any(|s| self.holds(s, data)),
            ("oneOf", _) => schemas().filter(|s| self.holds(s, data)).count() == 1,
            ("allOf", _) => {
                schemas().for_each(|s| self.check(s, data, at, faults));
                true
            }
            ("properties", Value::Object(fields)) => {
                for (name, field) in fields {
                    if let Some(schema) = value.get(name) {
                        self.check(schema, field, &format!("{at}/{name}"), faults);
                    }
                }
                true
            }
            ("additionalProperties", Value::Object(fields)) => {
                let known = beside.get("properties");
                for (name, field) in fields.iter().filter(|(n, _)| known.and_then(|k| k.get(*n)).is_none()) {
                    self.check(value, field, &format!("{at}/{name}"), faults);
                }
                true
            }
            ("required", Value::Object(fields)) => schemas().all(|n| fields.contains_key(n.as_str().expect("a name"))),
            ("items", Value::Array(items)) => {
                for (k, item) in items.iter().enumerate() {
                    self.check(value, item, &format!("{at}/{k}"), faults);
                }
                true
            }
            ("uniqueItems", Value::Array(items)) => {
                *value == Value::Bool(false) || (0..items.len()).all(|k| !items[..k].contains(&items[k]))
            }
            ("minItems", Value::Array(items)) => limit.is_some_and(|n| items.len() as f64 >= n),
            ("minimum", Value::Number(_)) => number >= limit,
            ("maximum", Value::Number(_)) => number <= limit,
            ("format", Value::String(text)) if value == "uri" || value == "uri-reference" => {
                is_uri(text, value == "uri")
            }
            ("pattern" | "format", Value::String(_)) => panic!("{at}: {keyword} is not judged here"),
            // About data of another type.
            ("properties" | "additionalProperties" | "required", _) | ("items" | "uniqueItems" | "minItems", _) => true,
            ("minimum" | "maximum" | "pattern" | "format", _) => true,
            ("$schema" | "$id" | "title" | "description" | "default" | "definitions" | "$defs", _) => true,
            _ => panic!("{at}: {keyword} is not judged here"),
        }
    }
}

fn is_of(data: &Value, name: &str) -> bool {
    match name {
        "null" => data.is_null(),
        "boolean" => data.is_boolean(),
        "integer" => data.as_f64().is_some_and(|n| n.fract() == 0.0),
        "number" => data.is_number(),
        "string" => data.is_string(),
        "array" => data.is_array(),
        "object" => data.is_object(),
        name => panic!("{name} is not a type"),
    }
}

/// RFC 3986, as far as characters go.
fn is_uri(text: &str, is_absolute: bool) -> bool {
    let bytes = text.as_bytes();
    let is_hex = |k: usize| bytes.get(k).is_some_and(u8::is_ascii_hexdigit);
    let is_allowed = |(k, byte): (usize, &u8)| match byte {
        b'%' => is_hex(k + 1) && is_hex(k + 2),
        byte => byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=".contains(byte),
    };
    // A colon in the first part of a relative reference would make it a scheme.
    let first = text.split(['/', '?', '#']).next().unwrap_or("");
    bytes.iter().enumerate().all(is_allowed) && (!is_absolute || first.ends_with(':'))
}

#[test]
fn faults_are_found() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": {
            "a": { "type": "array", "minItems": 1, "uniqueItems": true, "items": { "$ref": "#/definitions/n" } },
            "u": { "type": "string", "format": "uri" },
        },
        "definitions": { "n": { "anyOf": [{ "type": "integer", "minimum": 0 }, { "enum": ["x"] }] } },
    });
    let count = |text: &str| faults(&schema, &serde_json::from_str(text).expect("JSON")).len();
    assert_eq!(count(r#"{"a": [1, "x"], "u": "https://a/b%20c"}"#), 0);
    for wrong in [
        "[]",
        r#"{"a": []}"#,
        r#"{"a": [1, 1]}"#,
        r#"{"a": [-1]}"#,
        r#"{"a": [1], "b": 1}"#,
        r#"{"a": [1], "u": "a b"}"#,
        "{}",
    ] {
        assert_eq!(count(wrong), 1, "{wrong}");
    }
}
