//! What a schema says about each sort of values: numbers, texts and arrays here, objects in `objects`. Every keyword is about one sort
//! only: without `type`, values of the other sorts satisfy it.

use super::build::{
    any, binary, collection, count, integer, named, not, null, or, refined, select, such_that, test, text, those,
    unary, value, var,
};
use super::disjoint::{ALL, ARRAY, INTEGER, LOGICAL, NULL, OBJECT, Sorts, TEXT, sort_called, sorts};
use super::schema::{Dialect, Node, is_trivial};
use super::translate::{Effect, Mode, Translator};
use crate::json::{Decimal, Parts};
use crate::syntax::ast::{BinaryOp, Expr, Type, UnaryOp};
use crate::value::Value;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// What `type` and the keywords about one sort say.
pub(super) struct Sorted {
    pub(super) ty: Type,
    pub(super) sorts: Sorts,
    /// Whether only `type` says anything.
    pub(super) is_plain: bool,
}

/// A number of the schema: digits / 10^scale.
struct Number {
    digits: BigInt,
    unit: BigInt,
}

impl Number {
    fn floor(&self) -> BigInt {
        self.digits.div_floor(&self.unit)
    }

    fn ceil(&self) -> BigInt {
        -(-&self.digits).div_floor(&self.unit)
    }

    fn is_integer(&self) -> bool {
        self.unit.is_one()
    }
}

/// Keywords that apply other schemas to the same value.
const IN_PLACE: [&str; 11] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "dependentSchemas",
    "dependencies",
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "else",
];

impl<'d> Translator<'d> {
    pub(super) fn by_sort(&mut self, node: &Node<'d>, mode: Mode) -> Sorted {
        let listed = self.listed_sorts(node);
        let (numbers, texts) = (self.numbers(node), self.texts(node, mode));
        let (array, of_array) = self.array(node, mode);
        let object = self.object(node, mode);
        let array_is_plain = of_array.is_empty() && array == collection(any());
        let is_plain = numbers.is_empty() && texts.is_empty() && array_is_plain && object.is_plain();
        let sorts = listed.as_ref().map_or(ALL, |list| list.iter().fold(0, |a, b| a | b));
        let ty = match listed {
            Some(list) => {
                let mut alternatives = Vec::new();
                for sort in list {
                    alternatives.push(match sort {
                        NULL => null(),
                        LOGICAL => named("Logical"),
                        INTEGER => refined(named("Integer"), numbers.clone()),
                        TEXT => refined(named("Text"), texts.clone()),
                        ARRAY => refined(array.clone(), of_array.clone()),
                        _ => object.of_objects(node, self),
                    });
                }
                or(alternatives)
            }
            None => {
                let mut parts = Vec::new();
                if !numbers.is_empty() {
                    parts.push(or(vec![not(named("Integer")), refined(named("Integer"), numbers)]));
                }
                if !texts.is_empty() {
                    parts.push(or(vec![not(named("Text")), refined(named("Text"), texts)]));
                }
                if !array_is_plain {
                    parts.push(or(vec![not(collection(any())), refined(array, of_array)]));
                }
                parts.push(object.of_any(node, self));
                super::build::and(parts)
            }
        };
        Sorted { ty, sorts, is_plain }
    }

    /// In the order of `type`, each once.
    fn listed_sorts(&mut self, node: &Node<'d>) -> Option<Vec<Sorts>> {
        let given = node.get("type")?;
        let words = match &given.data.parts {
            Parts::Members(_) => given.members().unwrap_or_default(),
            _ => vec![given.clone()],
        };
        let mut list = Vec::new();
        for word in words {
            let sort = match &word.data.value {
                Value::Text(name) => {
                    if &**name == "number" {
                        self.number_note(&word);
                    }
                    sort_called(name)
                }
                _ => None,
            };
            match sort {
                Some(sort) if !list.contains(&sort) => list.push(sort),
                Some(_) => {}
                None => {
                    let help = "there are null, boolean, integer, number, string, array, object, and lists of them";
                    self.mistake(&word, "this is not a type of JSON Schema", help);
                    return None;
                }
            }
        }
        Some(list)
    }

    fn number(&mut self, node: &Node<'d>, key: &str) -> Option<Number> {
        let given = node.get(key)?;
        match (&given.data.value, &given.data.parts) {
            (_, Parts::Decimal(Decimal { digits, scale })) => {
                Some(Number { digits: digits.clone(), unit: BigInt::from(10).pow(*scale) })
            }
            (Value::Integer(n), _) => Some(Number { digits: n.clone(), unit: BigInt::one() }),
            _ => {
                self.mistake(&given, format!("`{key}` must be a number"), "write it as 12, or 12.5");
                None
            }
        }
    }

    /// A number of parts: an integer, not negative.
    pub(super) fn amount(&mut self, node: &Node<'d>, key: &str) -> Option<BigInt> {
        let given = node.get(key)?;
        match &given.data.value {
            Value::Integer(n) if !n.is_negative() => Some(n.clone()),
            _ => {
                self.mistake(&given, format!("`{key}` must be an integer, and not negative"), "write it as 12");
                None
            }
        }
    }

    fn numbers(&mut self, node: &Node<'d>) -> Vec<Expr> {
        let compare = |op: BinaryOp, n: &BigInt| binary(op, value(), integer(n));
        let mut conditions = Vec::new();
        if let Some(n) = self.number(node, "minimum") {
            conditions.push(compare(BinaryOp::Ge, &n.ceil()));
        }
        if let Some(n) = self.number(node, "exclusiveMinimum") {
            let op = if n.is_integer() { BinaryOp::Gt } else { BinaryOp::Ge };
            conditions.push(compare(op, &n.ceil()));
        }
        if let Some(n) = self.number(node, "maximum") {
            conditions.push(compare(BinaryOp::Le, &n.floor()));
        }
        if let Some(n) = self.number(node, "exclusiveMaximum") {
            let op = if n.is_integer() { BinaryOp::Lt } else { BinaryOp::Le };
            conditions.push(compare(op, &n.floor()));
        }
        if let Some(n) = self.number(node, "multipleOf") {
            if !n.digits.is_positive() {
                if let Some(given) = node.get("multipleOf") {
                    self.mistake(&given, "`multipleOf` must be greater than 0", "write it as 5");
                }
                return conditions;
            }
            // An integer is a multiple of p/q, in lowest terms, if and only if it is one of p.
            let least = &n.digits / n.digits.gcd(&n.unit);
            if !least.is_one() {
                let quotient = binary(BinaryOp::Div, value(), integer(&least));
                conditions.push(binary(BinaryOp::Eq, binary(BinaryOp::Mul, quotient, integer(&least)), value()));
            }
        }
        conditions
    }

    fn texts(&mut self, node: &Node<'d>, mode: Mode) -> Vec<Expr> {
        let mut conditions = Vec::new();
        match self.amount(node, "minLength") {
            Some(n) if n.is_one() => conditions.push(binary(BinaryOp::Ne, value(), text(""))),
            Some(n) if !n.is_zero() => {
                self.lose(node, "minLength", "texts have no length; only 0 and 1 can be said", Effect::More, mode);
            }
            _ => {}
        }
        match self.amount(node, "maxLength") {
            Some(n) if n.is_zero() => conditions.push(binary(BinaryOp::Eq, value(), text(""))),
            Some(_) => self.lose(node, "maxLength", "texts have no length; only 0 can be said", Effect::More, mode),
            None => {}
        }
        self.lose(node, "pattern", "texts have no patterns", Effect::More, mode);
        self.lose(node, "format", "an annotation unless a validator is set up otherwise", Effect::Nothing, mode);
        conditions
    }

    /// The collections, and conditions on them.
    fn array(&mut self, node: &Node<'d>, mode: Mode) -> (Type, Vec<Expr>) {
        let mut conditions = Vec::new();
        let items = self.items(node, mode, &mut conditions).unwrap_or_else(any);
        let (least, most) = (self.amount(node, "minItems"), self.amount(node, "maxItems"));
        let compare = |op: BinaryOp, n: &BigInt| binary(op, count(value()), integer(n));
        match (least.filter(|n| !n.is_zero()), most) {
            (Some(least), Some(most)) if least == most => conditions.push(compare(BinaryOp::Eq, &least)),
            (least, most) => {
                conditions.extend(least.map(|n| compare(BinaryOp::Ge, &n)));
                conditions.extend(most.map(|n| compare(BinaryOp::Le, &n)));
            }
        }
        self.unique(node, mode, &mut conditions);
        self.contains(node, mode, &mut conditions);
        (collection(items), conditions)
    }

    fn items(&mut self, node: &Node<'d>, mode: Mode, conditions: &mut Vec<Expr>) -> Option<Type> {
        let is_old = self.document.dialect != Dialect::New;
        let is_new = self.document.dialect != Dialect::Old;
        let items = node.get("items");
        let listed = items.as_ref().filter(|i| is_old && matches!(i.data.parts, Parts::Members(_)));
        let (prefix, key, beyond) = match listed {
            Some(list) => (Some(list.clone()), "items", "additionalItems"),
            None => (node.get("prefixItems").filter(|_| is_new), "prefixItems", "items"),
        };
        if let Some(prefix) = prefix {
            let Some(places) = prefix.members() else {
                self.mistake(&prefix, format!("`{key}` must be a list of schemas"), "write it as [{…}, {…}]");
                return None;
            };
            if places.iter().any(|p| !is_trivial(p.data)) {
                self.lose(node, key, "members of a collection have no places", Effect::More, mode);
            }
            if let Some(rest) = node.get(beyond) {
                if rest.data.value == Value::Logical(false) {
                    conditions.push(binary(BinaryOp::Le, count(value()), integer(&places.len().into())));
                } else if !is_trivial(rest.data) {
                    let reason = "members of a collection have no places, so none comes after the others";
                    self.lose(node, beyond, reason, Effect::More, mode);
                }
            }
            if !node.has(beyond) {
                self.lose_unless_trivial(node, "unevaluatedItems", "members of a collection have no places", mode);
            }
            return None;
        }
        if let Some(items) = items {
            return Some(self.schema(&items, mode.below()));
        }
        let rest = node.get("unevaluatedItems").filter(|r| is_new && !is_trivial(r.data))?;
        if node.has("contains") || IN_PLACE.iter().any(|k| node.has(k)) {
            let reason = "which members other keywords have looked at cannot be said";
            self.lose(node, "unevaluatedItems", reason, Effect::More, mode);
            return None;
        }
        Some(self.schema(&rest, mode.below()))
    }

    fn unique(&mut self, node: &Node<'d>, mode: Mode, conditions: &mut Vec<Expr>) {
        let Some(given) = node.get("uniqueItems") else { return };
        match given.data.value {
            Value::Logical(true) => {}
            Value::Logical(false) => return,
            _ => return self.mistake(&given, "`uniqueItems` must be true or false", "write true"),
        }
        let of_items = node.get("items").filter(|i| !matches!(i.data.parts, Parts::Members(_)));
        let is_scalar = of_items.is_some_and(|i| sorts(self.document, &i) & (ARRAY | OBJECT) == 0);
        if !is_scalar {
            let reason = "arrays in the members that differ in order only count as equal";
            self.lose(node, "uniqueItems", reason, Effect::Fewer, mode);
        }
        let same = those("y", value(), binary(BinaryOp::Eq, var("y"), var("x")));
        let once = binary(BinaryOp::Eq, count(same), integer(&BigInt::one()));
        conditions.push(test(value(), collection(such_that("x", any(), once))));
    }

    fn contains(&mut self, node: &Node<'d>, mode: Mode, conditions: &mut Vec<Expr>) {
        let Some(given) = node.get("contains") else { return };
        let is_new = self.document.dialect != Dialect::Old;
        let least = self.amount(node, "minContains").filter(|_| is_new).unwrap_or_else(BigInt::one);
        let most = self.amount(node, "maxContains").filter(|_| is_new);
        let mode = if most.is_some() { mode.below().both() } else { mode.below() };
        let wanted = self.schema(&given, mode);
        if least.is_one() && most.is_none() {
            let none = test(value(), collection(not(wanted)));
            conditions.push(unary(UnaryOp::Not, none));
            return;
        }
        let found = count(those("x", value(), test(var("x"), wanted)));
        if !least.is_zero() {
            conditions.push(binary(BinaryOp::Ge, found.clone(), integer(&least)));
        }
        conditions.extend(most.map(|n| binary(BinaryOp::Le, found, integer(&n))));
    }

    /// Whether a keyword beside it applies other schemas to the same value.
    pub(super) fn is_alone(&self, node: &Node<'d>) -> bool {
        !IN_PLACE.iter().any(|k| node.has(k))
    }
}

/// `x.l`
pub(super) fn field_of(label: &str) -> Expr {
    select(var("x"), label)
}
