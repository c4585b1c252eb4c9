//! Random schemas and random data, over few labels and few values, so that they meet.

use dminor::interp::Random;
use serde_json::{Map, Value, json};

const LABELS: [&str; 3] = ["a", "b", "c"];
const SORTS: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

pub struct Maker {
    pub random: Random,
    /// Whether schemas may refer to `#/$defs/p` and `#/$defs/q`.
    pub with_references: bool,
}

impl Maker {
    fn chance(&mut self, of: usize) -> bool {
        self.random.below(of) == 0
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.random.below(of.len())]
    }

    pub fn data(&mut self, depth: usize) -> Value {
        match self.random.below(if depth == 0 { 5 } else { 9 }) {
            0 => Value::Null,
            1 => Value::Bool(self.chance(2)),
            2 | 3 => Value::from(self.random.below(8) as i64 - 3),
            4 => Value::from(self.one(&["", "x", "yy"])),
            5 | 6 => (0..self.random.below(4)).map(|_| self.data(depth - 1)).collect(),
            _ => self.object(depth),
        }
    }

    pub fn object(&mut self, depth: usize) -> Value {
        let mut fields = Map::new();
        for _ in 0..self.random.below(4) {
            let label = self.one(&["a", "b", "c", "d"]);
            fields.insert(label.to_string(), self.data(depth.saturating_sub(1)));
        }
        Value::Object(fields)
    }

    fn bound(&mut self) -> Value {
        let n = self.random.below(8) as i64 - 3;
        if self.chance(4) { json!(n as f64 + 0.5) } else { json!(n) }
    }

    fn amount(&mut self) -> Value {
        json!(self.random.below(4))
    }

    fn names(&mut self) -> Value {
        let mut all: Vec<&str> = (0..self.random.below(3)).map(|_| self.one(&LABELS)).collect();
        all.sort_unstable();
        all.dedup();
        json!(all)
    }

    pub fn schema(&mut self, depth: usize) -> Value {
        if self.chance(12) {
            return Value::Bool(self.chance(2));
        }
        let mut keys = Map::new();
        for _ in 0..1 + self.random.below(3) {
            let (key, value) = self.keyword(depth);
            keys.insert(key.to_string(), value);
        }
        Value::Object(keys)
    }

    fn schemas(&mut self, depth: usize) -> Value {
        (0..1 + self.random.below(3)).map(|_| self.schema(depth - 1)).collect()
    }

    fn by_label(&mut self, mut one: impl FnMut(&mut Self) -> Value) -> Value {
        let mut all = Map::new();
        for _ in 0..1 + self.random.below(3) {
            let label = self.one(&LABELS);
            all.insert(label.to_string(), one(self));
        }
        Value::Object(all)
    }

    fn keyword(&mut self, depth: usize) -> (&'static str, Value) {
        let scalars = 19;
        match self.random.below(if depth == 0 { scalars } else { scalars + 20 }) {
            0..=2 => ("type", json!(self.one(&SORTS))),
            3 => {
                let mut all: Vec<&str> = (0..2).map(|_| self.one(&SORTS)).collect();
                all.dedup();
                ("type", json!(all))
            }
            4 => ("minimum", self.bound()),
            5 => ("maximum", self.bound()),
            6 => ("exclusiveMinimum", self.bound()),
            7 => ("exclusiveMaximum", self.bound()),
            8 => ("multipleOf", [json!(1), json!(2), json!(3), json!(1.5), json!(0.25)][self.random.below(5)].clone()),
            9 => ("minItems", self.amount()),
            10 => ("maxItems", self.amount()),
            11 => ("minLength", json!(self.random.below(3))),
            12 => ("maxLength", json!(self.random.below(2))),
            13 => ("enum", (0..1 + self.random.below(4)).map(|_| self.data(2)).collect()),
            14 => ("const", self.data(1)),
            15 => ("required", self.names()),
            16 => ("uniqueItems", json!(!self.chance(4))),
            17 if self.with_references => ("$ref", json!(self.one(&["#/$defs/p", "#/$defs/q"]))),
            18 => (if self.chance(2) { "minProperties" } else { "maxProperties" }, json!(self.random.below(3))),
            17 | 19..=22 => ("properties", self.by_label(|m| m.schema(depth.saturating_sub(1)))),
            23..=25 => ("items", self.schema(depth - 1)),
            26 => ("allOf", self.schemas(depth)),
            27 => ("anyOf", self.schemas(depth)),
            28 | 29 => ("oneOf", self.schemas(depth)),
            30 => ("not", self.schema(depth - 1)),
            31 => ("if", self.schema(depth - 1)),
            32 => ("then", self.schema(depth - 1)),
            33 => ("else", self.schema(depth - 1)),
            34 => ("dependentRequired", self.by_label(|m| m.names())),
            35 => ("dependentSchemas", self.by_label(|m| m.schema(depth - 1))),
            36 => ("additionalProperties", if self.chance(4) { self.schema(depth - 1) } else { json!(false) }),
            37 => ("contains", self.schema(depth - 1)),
            _ => (if self.chance(2) { "minContains" } else { "maxContains" }, self.amount()),
        }
    }
}
