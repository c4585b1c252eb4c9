//! A JSON Schema validator straight from the specification: arrays are ordered, numbers are numbers. Slow, and without a line of the
//! importer. `pattern`, `patternProperties` and the `unevaluated` keywords are not in it.

use serde_json::{Map, Value};

pub struct Validator<'a> {
    pub root: &'a Value,
    /// Draft-07: keywords beside `$ref` are ignored, and there are no newer ones.
    pub is_old: bool,
}

fn number(v: &Value) -> Option<f64> {
    v.as_f64()
}

fn is_integer(v: &Value) -> bool {
    number(v).is_some_and(|n| n.fract() == 0.0)
}

/// JSON equality: 1 is 1.0, and arrays have an order.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(_), Value::Number(_)) => number(a) == number(b),
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(p, q)| equal(p, q)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(k, p)| y.get(k).is_some_and(|q| equal(p, q)))
        }
        _ => a == b,
    }
}

fn is_of(data: &Value, name: &str) -> bool {
    match name {
        "null" => data.is_null(),
        "boolean" => data.is_boolean(),
        "integer" => is_integer(data),
        "number" => data.is_number(),
        "string" => data.is_string(),
        "array" => data.is_array(),
        _ => data.is_object(),
    }
}

impl Validator<'_> {
    fn resolve(&self, reference: &str) -> &Value {
        let fragment = reference.strip_prefix('#').expect("a reference into the document");
        if fragment.is_empty() || fragment.starts_with('/') {
            let plain = fragment.replace("%25", "%").replace("%22", "\"");
            return self.root.pointer(&plain).expect("a place");
        }
        anchored(self.root, fragment).expect("an anchor")
    }

    pub fn valid(&self, schema: &Value, data: &Value) -> bool {
        match schema {
            Value::Bool(b) => *b,
            Value::Object(keys) => {
                if let Some(Value::String(reference)) = keys.get("$ref") {
                    let holds = self.valid(self.resolve(reference), data);
                    if self.is_old || !holds {
                        return holds;
                    }
                }
                self.general(keys, data)
                    && match data {
                        Value::Number(_) => numbers(keys, number(data).expect("a number")),
                        Value::String(text) => texts(keys, text),
                        Value::Array(items) => self.array(keys, items),
                        Value::Object(fields) => self.object(keys, fields),
                        _ => true,
                    }
            }
            _ => panic!("no schema: {schema}"),
        }
    }

    fn general(&self, keys: &Map<String, Value>, data: &Value) -> bool {
        let list = |key: &str| keys.get(key).and_then(Value::as_array);
        let count = |all: &[Value]| all.iter().filter(|s| self.valid(s, data)).count();
        let of_type = match keys.get("type") {
            Some(Value::String(name)) => is_of(data, name),
            Some(Value::Array(names)) => names.iter().any(|n| is_of(data, n.as_str().expect("a name"))),
            _ => true,
        };
        // Alone it says nothing, even if it leads back to itself.
        let has_arms = keys.contains_key("then") || keys.contains_key("else");
        let condition = match keys.get("if").filter(|_| has_arms) {
            Some(test) => {
                let arm = if self.valid(test, data) { "then" } else { "else" };
                keys.get(arm).is_none_or(|s| self.valid(s, data))
            }
            None => true,
        };
        of_type
            && condition
            && list("enum").is_none_or(|all| all.iter().any(|v| equal(v, data)))
            && keys.get("const").is_none_or(|v| equal(v, data))
            && list("allOf").is_none_or(|all| count(all) == all.len())
            && list("anyOf").is_none_or(|all| count(all) > 0)
            && list("oneOf").is_none_or(|all| count(all) == 1)
            && keys.get("not").is_none_or(|s| !self.valid(s, data))
    }

    fn array(&self, keys: &Map<String, Value>, items: &[Value]) -> bool {
        let size = |key: &str| keys.get(key).and_then(number);
        let (prefix, rest) = match keys.get("items") {
            Some(Value::Array(prefix)) => (prefix.as_slice(), keys.get("additionalItems")),
            rest if self.is_old => (&[][..], rest),
            rest => (keys.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice), rest),
        };
        let at = |k: usize| prefix.get(k).or(rest);
        let found = keys.get("contains").map(|s| items.iter().filter(|i| self.valid(s, i)).count() as f64);
        let least = size("minContains").filter(|_| !self.is_old).unwrap_or(1.0);
        let most = size("maxContains").filter(|_| !self.is_old).unwrap_or(f64::INFINITY);
        let is_unique = || (0..items.len()).all(|k| items[..k].iter().all(|other| !equal(other, &items[k])));
        items.iter().enumerate().all(|(k, i)| at(k).is_none_or(|s| self.valid(s, i)))
            && size("minItems").is_none_or(|n| items.len() as f64 >= n)
            && size("maxItems").is_none_or(|n| items.len() as f64 <= n)
            && (keys.get("uniqueItems") != Some(&Value::Bool(true)) || is_unique())
            && found.is_none_or(|n| least <= n && n <= most)
    }

    fn object(&self, keys: &Map<String, Value>, fields: &Map<String, Value>) -> bool {
        let size = |key: &str| keys.get(key).and_then(number);
        let known = keys.get("properties").and_then(Value::as_object);
        let present = |names: &Value| {
            let mut names = names.as_array().expect("names").iter();
            names.all(|n| fields.contains_key(n.as_str().expect("a name")))
        };
        let whole = Value::Object(fields.clone());
        let mut dependent = ["dependentRequired", "dependentSchemas", "dependencies"].into_iter();
        known.is_none_or(|all| all.iter().all(|(k, s)| fields.get(k).is_none_or(|v| self.valid(s, v))))
            && keys.get("required").is_none_or(present)
            && keys.get("additionalProperties").is_none_or(|s| {
                let others = fields.iter().filter(|(k, _)| !known.is_some_and(|all| all.contains_key(*k)));
                others.into_iter().all(|(_, v)| self.valid(s, v))
            })
            && keys.get("propertyNames").is_none_or(|s| fields.keys().all(|k| self.valid(s, &Value::from(k.as_str()))))
            && size("minProperties").is_none_or(|n| fields.len() as f64 >= n)
            && size("maxProperties").is_none_or(|n| fields.len() as f64 <= n)
            && dependent.all(|key| {
                let all = keys.get(key).filter(|_| !self.is_old || key == "dependencies").and_then(Value::as_object);
                all.is_none_or(|all| {
                    all.iter().filter(|(k, _)| fields.contains_key(*k)).all(|(_, then)| match then {
                        Value::Array(_) => present(then),
                        schema => self.valid(schema, &whole),
                    })
                })
            })
    }
}

fn anchored<'v>(at: &'v Value, name: &str) -> Option<&'v Value> {
    match at {
        Value::Object(keys) if keys.get("$anchor").is_some_and(|a| a == name) => Some(at),
        Value::Object(keys) if keys.get("$id").is_some_and(|a| *a == format!("#{name}")) => Some(at),
        Value::Object(keys) => keys.values().find_map(|v| anchored(v, name)),
        Value::Array(all) => all.iter().find_map(|v| anchored(v, name)),
        _ => None,
    }
}

fn numbers(keys: &Map<String, Value>, n: f64) -> bool {
    let bound = |key: &str| keys.get(key).and_then(number);
    bound("minimum").is_none_or(|b| n >= b)
        && bound("maximum").is_none_or(|b| n <= b)
        && bound("exclusiveMinimum").is_none_or(|b| n > b)
        && bound("exclusiveMaximum").is_none_or(|b| n < b)
        && bound("multipleOf").is_none_or(|b| (n / b).fract() == 0.0)
}

fn texts(keys: &Map<String, Value>, text: &str) -> bool {
    let bound = |key: &str| keys.get(key).and_then(number);
    let length = text.chars().count() as f64;
    bound("minLength").is_none_or(|b| length >= b) && bound("maxLength").is_none_or(|b| length <= b)
}
