//! Objects: fields that must be there, fields that may, and no others. A type names the labels it speaks of; so "no other fields" is
//! said by equality with an entity of exactly those that are there, a case for each choice of the optional ones.

use super::build::{
    and, any, binary, conditional, entity, has, is_empty, logical, named, not, optional, or, record, such_that, test,
    var,
};
use super::names::OBJECT;
use super::schema::{Dialect, Node, is_trivial};
use super::sorts::field_of;
use super::translate::{Effect, Mode, Translator};
use crate::json::Parts;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Type};
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::Zero;

/// Optional fields of an object without others: there is a case for each set of them.
const MOST_OPTIONAL: usize = 4;

#[derive(Default)]
pub(super) struct ObjectPart {
    required: Vec<(String, Type)>,
    /// About every value: those that are no objects are in them.
    others: Vec<Type>,
    /// A condition on `x`, which has the required fields.
    closed: Option<Expr>,
    /// No object satisfies it.
    is_impossible: bool,
}

impl ObjectPart {
    pub(super) fn is_plain(&self) -> bool {
        self.required.is_empty() && self.others.is_empty() && self.closed.is_none() && !self.is_impossible
    }

    fn own(&self, translator: &mut Translator) -> Type {
        if self.is_impossible {
            return super::build::empty();
        }
        let base = if self.required.is_empty() { translator.object_type() } else { entity(self.required.clone()) };
        match &self.closed {
            Some(condition) => such_that("x", base, condition.clone()),
            None => base,
        }
    }

    /// The objects that satisfy it.
    pub(super) fn of_objects<'d>(&self, node: &Node<'d>, translator: &mut Translator<'d>) -> Type {
        let mut parts = vec![self.own(translator)];
        parts.extend(self.others.iter().cloned());
        translator.joined(node, parts, and)
    }

    /// Those, and all values that are no objects.
    pub(super) fn of_any<'d>(&self, node: &Node<'d>, translator: &mut Translator<'d>) -> Type {
        let mut parts = Vec::new();
        if !self.required.is_empty() || self.closed.is_some() || self.is_impossible {
            let own = self.own(translator);
            parts.push(or(vec![not(translator.object_type()), own]));
        }
        parts.extend(self.others.iter().cloned());
        translator.joined(node, parts, and)
    }
}

impl<'d> Translator<'d> {
    /// All entities: no field is common to them, so they are what is left.
    pub(super) fn object_type(&mut self) -> Type {
        self.needs_object = true;
        named(OBJECT)
    }

    pub(super) fn object(&mut self, node: &Node<'d>, mode: Mode) -> ObjectPart {
        let mut part = ObjectPart::default();
        let wanted = self.required(node);
        let mut known: Vec<(String, Type)> = Vec::new();
        if let Some(given) = node.get("properties") {
            match given.fields() {
                Some(fields) => {
                    for (label, schema) in fields {
                        let ty = self.schema(&schema, mode.below());
                        known.push((label.to_string(), ty));
                    }
                }
                None => self.mistake(&given, "`properties` must be an object of schemas", "write {\"a\": {…}}"),
            }
        }
        // In the order of the properties, then of `required`.
        for (label, ty) in &known {
            if wanted.contains(label) {
                part.required.push((label.clone(), ty.clone()));
            } else {
                part.others.push(optional(label, ty.clone()));
            }
        }
        part.others.retain(|t| *t != any());
        for label in wanted.iter().filter(|l| !known.iter().any(|(k, _)| k == *l)) {
            part.required.push((label.clone(), any()));
        }
        self.dependent(node, mode, &mut part);
        self.closed(node, mode, &known, &wanted, &mut part);
        let reason = "a type names its fields; it cannot speak of all labels";
        self.lose_unless_trivial(node, "propertyNames", reason, mode);
        let patterns = node.get("patternProperties");
        let is_open = |n: &Node| n.fields().is_some_and(|f| f.iter().all(|(_, s)| is_trivial(s.data)));
        if patterns.is_some_and(|p| !is_open(&p)) {
            self.lose(node, "patternProperties", reason, Effect::More, mode);
        }
        part
    }

    fn required(&mut self, node: &Node<'d>) -> Vec<String> {
        let Some(given) = node.get("required") else { return Vec::new() };
        self.texts_of(&given, "required")
    }

    fn texts_of(&mut self, given: &Node<'d>, key: &str) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        let members = given.members();
        let is_list = members.is_some();
        for member in members.unwrap_or_default() {
            match &member.data.value {
                Value::Text(text) if texts.iter().any(|t| **t == **text) => {}
                Value::Text(text) => texts.push(text.to_string()),
                _ => {
                    self.mistake(&member, format!("`{key}` must be a list of names"), "write [\"a\", \"b\"]");
                    return Vec::new();
                }
            }
        }
        if !is_list {
            self.mistake(given, format!("`{key}` must be a list of names"), "write [\"a\", \"b\"]");
        }
        texts
    }

    fn dependent(&mut self, node: &Node<'d>, mode: Mode, part: &mut ObjectPart) {
        let dialect = self.document.dialect;
        let keys = ["dependentRequired", "dependentSchemas", "dependencies"];
        for key in keys {
            let is_known = dialect != if key == "dependencies" { Dialect::New } else { Dialect::Old };
            let Some(given) = node.get(key).filter(|_| is_known) else { continue };
            let Some(fields) = given.fields() else {
                self.mistake(&given, format!("`{key}` must be an object"), "write {\"a\": [\"b\"]}");
                continue;
            };
            for (label, then) in fields {
                let is_list = matches!(then.data.parts, Parts::Members(_)) || key == "dependentRequired";
                let consequence = if is_list {
                    let labels = self.texts_of(&then, key);
                    if labels.is_empty() { any() } else { entity(labels.into_iter().map(|l| (l, any())).collect()) }
                } else {
                    self.schema(&then, mode)
                };
                let clause = or(vec![not(has(&label)), consequence]);
                if clause != any() {
                    part.others.push(clause);
                }
            }
        }
    }

    /// `additionalProperties`, and how many properties there are.
    fn closed(
        &mut self,
        node: &Node<'d>,
        mode: Mode,
        known: &[(String, Type)],
        wanted: &[String],
        part: &mut ObjectPart,
    ) {
        let (least, most) = (self.amount(node, "minProperties"), self.amount(node, "maxProperties"));
        let lose_amounts = |t: &mut Self| {
            let reason = "a type names its fields; it cannot count them";
            if least.as_ref().is_some_and(|n| *n > BigInt::from(wanted.len())) {
                t.lose(node, "minProperties", reason, Effect::More, mode);
            }
            t.lose(node, "maxProperties", reason, Effect::More, mode);
        };
        let is_new = self.document.dialect != Dialect::Old;
        let unevaluated = node.get("unevaluatedProperties").filter(|r| is_new && !is_trivial(r.data));
        let (key, rest) = match (node.get("additionalProperties"), unevaluated) {
            (Some(rest), _) => ("additionalProperties", rest),
            (None, Some(rest)) if self.is_alone(node) => ("unevaluatedProperties", rest),
            (None, Some(_)) => {
                let reason = "which fields other keywords have looked at cannot be said";
                self.lose(node, "unevaluatedProperties", reason, Effect::More, mode);
                return lose_amounts(self);
            }
            (None, None) => return lose_amounts(self),
        };
        if is_trivial(rest.data) {
            return lose_amounts(self);
        }
        let has_patterns = node.get("patternProperties").and_then(|p| p.fields()).is_some_and(|f| !f.is_empty());
        if rest.data.value != Value::Logical(false) || has_patterns {
            self.lose(node, key, "a type names its fields; it cannot speak of the others", Effect::More, mode);
            return lose_amounts(self);
        }
        let optional: Vec<&String> =
            known.iter().filter(|(l, t)| !wanted.contains(l) && !is_empty(t)).map(|(l, _)| l).collect();
        part.is_impossible = wanted.iter().any(|l| !known.iter().any(|(k, _)| k == l));
        if part.is_impossible {
            return;
        }
        if optional.len() > MOST_OPTIONAL {
            let reason = format!(
                "{} of its fields may be absent, up to {MOST_OPTIONAL} are carried: each choice is a case",
                optional.len()
            );
            self.lose(node, key, &reason, Effect::More, mode);
            return lose_amounts(self);
        }
        let is_within = |n: usize| {
            least.as_ref().is_none_or(|l| *l <= BigInt::from(n)) && most.as_ref().is_none_or(|m| BigInt::from(n) <= *m)
        };
        if wanted.is_empty() && least.as_ref().is_none_or(Zero::is_zero) {
            let reason = "an object with none of its fields cannot be told from one with others only";
            self.lose(node, key, reason, Effect::More, mode);
        }
        let mut present: Vec<String> =
            known.iter().filter(|(l, _)| wanted.contains(l)).map(|(l, _)| l.clone()).collect();
        let condition = cases(&optional, &mut present, &is_within);
        if condition.kind != ExprKind::Logical(true) {
            part.closed = Some(condition);
        }
    }
}

/// For each choice of the optional fields: x has these and no others.
fn cases(optional: &[&String], present: &mut Vec<String>, is_within: &dyn Fn(usize) -> bool) -> Expr {
    let Some((first, others)) = optional.split_first() else {
        if !is_within(present.len()) {
            return logical(false);
        }
        if present.is_empty() {
            return logical(true);
        }
        let fields = present.iter().map(|l| (l.clone(), field_of(l))).collect();
        return binary(BinaryOp::Eq, var("x"), record(fields));
    };
    let without = cases(others, present, is_within);
    present.push(first.to_string());
    let with = cases(others, present, is_within);
    present.pop();
    if with == without && matches!(with.kind, ExprKind::Logical(_)) {
        return with;
    }
    conditional(test(var("x"), has(first)), with, without)
}
