//! Whether two schemas share no value, as far as is easily seen: then `oneOf` is a plain union. By their sorts, by their constants, or by
//! a field such as a tag. Never said of schemas that do share one.

use super::schema::{Document, Node};
use crate::json::Data;
use crate::value::Value;

/// Sets of sorts of values.
pub(super) type Sorts = u8;

pub(super) const NULL: Sorts = 1;
pub(super) const LOGICAL: Sorts = 2;
pub(super) const INTEGER: Sorts = 4;
pub(super) const TEXT: Sorts = 8;
pub(super) const ARRAY: Sorts = 16;
pub(super) const OBJECT: Sorts = 32;
pub(super) const ALL: Sorts = 63;

/// References and applicators are followed so far.
const DEEPEST: usize = 6;

/// Schemas that one comparison may look at. Without this bound, nested unions take exponential time.
const MOST_STEPS: u32 = 10_000;

/// One step more, if there is one left.
fn step(document: &Document) -> bool {
    let (own, all) = document.budget.get();
    document.budget.set((own.saturating_sub(1), all.saturating_sub(1)));
    own > 0 && all > 0
}

fn begin(document: &Document) {
    document.budget.set((MOST_STEPS, document.budget.get().1));
}

pub(super) fn sort_called(name: &str) -> Option<Sorts> {
    Some(match name {
        "null" => NULL,
        "boolean" => LOGICAL,
        "integer" | "number" => INTEGER,
        "string" => TEXT,
        "array" => ARRAY,
        "object" => OBJECT,
        _ => return None,
    })
}

pub(super) fn sort_of(data: &Data) -> Sorts {
    match (&data.value, &data.parts) {
        (_, crate::json::Parts::Decimal(_)) => INTEGER,
        (Value::Null, _) => NULL,
        (Value::Logical(_), _) => LOGICAL,
        (Value::Integer(_), _) => INTEGER,
        (Value::Text(_), _) => TEXT,
        (Value::Collection(_), _) => ARRAY,
        (Value::Entity(_), _) => OBJECT,
    }
}

fn constants<'d>(node: &Node<'d>) -> Option<Vec<&'d Data>> {
    match (node.get("const"), node.get("enum")) {
        (Some(one), _) => Some(vec![one.data]),
        (None, Some(list)) => Some(list.members()?.iter().map(|m| m.data).collect()),
        _ => None,
    }
}

/// The schema itself, and those that its values satisfy as well.
fn conjuncts<'d>(document: &Document<'d>, node: &Node<'d>, depth: usize, out: &mut Vec<Node<'d>>) {
    if depth == 0 || !step(document) {
        return;
    }
    if let Some(reference) = node.text("$ref") {
        if let Ok(target) = document.resolve(node, reference) {
            conjuncts(document, &target, depth - 1, out);
        }
        if document.dialect == super::schema::Dialect::Old {
            return;
        }
    }
    out.push(node.clone());
    for inner in node.get("allOf").and_then(|a| a.members()).into_iter().flatten() {
        conjuncts(document, &inner, depth - 1, out);
    }
}

/// The sorts of its values; perhaps more.
pub(super) fn sorts(document: &Document, node: &Node) -> Sorts {
    begin(document);
    sorts_within(document, node, DEEPEST)
}

fn sorts_within(document: &Document, node: &Node, depth: usize) -> Sorts {
    if node.data.value == Value::Logical(false) {
        return 0;
    }
    if !step(document) {
        return ALL;
    }
    let mut all = Vec::new();
    conjuncts(document, node, depth, &mut all);
    let mut found = ALL;
    for part in all {
        if let Some(word) = part.text("type") {
            found &= sort_called(word).unwrap_or(ALL);
        } else if let Some(words) = part.get("type").and_then(|t| t.members()) {
            let sort = |n: &Node| match &n.data.value {
                Value::Text(word) => sort_called(word).unwrap_or(ALL),
                _ => ALL,
            };
            found &= words.iter().map(sort).fold(0, |a, b| a | b);
        }
        if let Some(values) = constants(&part) {
            found &= values.iter().map(|d| sort_of(d)).fold(0, |a, b| a | b);
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(members) = part.get(key).and_then(|a| a.members()) {
                let inner = members.iter().map(|m| sorts_within(document, m, depth.saturating_sub(1)));
                found &= if depth == 0 { ALL } else { inner.fold(0, |a, b| a | b) };
            }
        }
    }
    found
}

pub(super) fn disjoint(document: &Document, a: &Node, b: &Node) -> bool {
    begin(document);
    disjoint_within(document, a, b, DEEPEST)
}

fn disjoint_within(document: &Document, a: &Node, b: &Node, depth: usize) -> bool {
    if depth == 0 || !step(document) {
        return false;
    }
    let common = sorts_within(document, a, depth) & sorts_within(document, b, depth);
    if common == 0 {
        return true;
    }
    let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
    conjuncts(document, a, depth, &mut of_a);
    conjuncts(document, b, depth, &mut of_b);
    // A number that is not an integer is null in a value: equal if in doubt.
    let differ = |x: &Node, y: &Node| match (constants(x), constants(y)) {
        (Some(xs), Some(ys)) => !xs.iter().any(|x| ys.iter().any(|y| x.value == y.value)),
        _ => false,
    };
    if of_a.iter().any(|x| of_b.iter().any(|y| differ(x, y))) {
        return true;
    }
    if common != OBJECT {
        return false;
    }
    let requires = |all: &[Node], label: &str| {
        all.iter().any(|n| {
            let list = n.get("required").and_then(|r| r.members()).unwrap_or_default();
            list.iter().any(|m| m.data.value == Value::text(label))
        })
    };
    let properties = |all: &[Node<'_>]| all.iter().filter_map(|n| n.get("properties")?.fields()).flatten().count();
    // Tags are found among few fields; more are not compared.
    if properties(&of_a) * properties(&of_b) > 10_000 {
        return false;
    }
    of_a.iter().filter_map(|n| n.get("properties")?.fields()).flatten().any(|(label, x)| {
        // What is in both has the field if one of them asks for it.
        (requires(&of_a, &label) || requires(&of_b, &label))
            && of_b
                .iter()
                .filter_map(|n| n.get("properties")?.get(&label))
                .any(|y| disjoint_within(document, &x, &y, depth - 1))
    })
}
