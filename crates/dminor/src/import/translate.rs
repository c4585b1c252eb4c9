//! Schemas to types. Each place that a `$ref` leads to becomes a named type, so recursion ends here as it does in the values: a schema
//! that refers to itself for the same value is a mistake.
//!
//! What is imported keeps its meaning. A keyword that cannot be said is replaced by something larger, and reported; below `not` the whole is
//! smaller then, and below `if` or `oneOf` other.

use super::build::{
    and, any, binary, collection, conditional, constant, empty, integer, is_empty, named, not, or, size, such_that,
    test, ty, var,
};
use super::disjoint::{self, disjoint, sort_of};
use super::names::{Names, of_path};
use super::schema::{Dialect, Document, Lost, Node, is_trivial};
use crate::json::{Data, Parts};
use crate::syntax::ast::{BinaryOp, Type, TypeKind};
use crate::value::Value;
use num_bigint::BigInt;
use source::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};

/// What a keyword that is left out does to the type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It has values that do not satisfy the schema.
    More,
    /// It lacks values that do.
    Fewer,
    /// Either.
    Other,
    /// Nothing: it is an annotation, or no keyword of the dialect.
    Nothing,
}

/// A keyword that is not carried.
#[derive(Clone, Debug)]
pub struct NotCarried {
    /// As `#/properties/age/pattern`.
    pub path: String,
    pub reason: String,
    /// On the type that it would be part of.
    pub effect: Effect,
    pub span: Span,
    /// Which type that is.
    pub(super) of: usize,
}

/// Where a schema is in the type that is made of it.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    /// It is about the same value as the type.
    is_same: bool,
    /// 1 as it is, -1 negated, 0 both.
    sign: i8,
    depth: u32,
}

impl Mode {
    fn inner(self) -> Mode {
        Mode { depth: self.depth + 1, ..self }
    }

    /// Of a field or a member.
    pub(super) fn below(self) -> Mode {
        Mode { is_same: false, ..self.inner() }
    }

    fn negated(self) -> Mode {
        Mode { sign: -self.sign, ..self.inner() }
    }

    pub(super) fn both(self) -> Mode {
        Mode { sign: 0, ..self.inner() }
    }
}

/// Deeper schemas become types of their own, as do larger ones: there is an end to what a declaration may hold.
const DEEPEST: u32 = 16;
const LARGEST: usize = 1_500;

/// Schemas of one document that become types.
const MOST_TYPES: usize = 20_000;

pub(super) struct Named<'d> {
    pub(super) name: String,
    pub(super) node: Node<'d>,
    pub(super) definition: Option<Type>,
}

pub(super) struct Translator<'d> {
    pub(super) document: &'d Document<'d>,
    names: Names,
    known: HashMap<usize, usize>,
    pub(super) types: Vec<Named<'d>>,
    current: usize,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) lost: Vec<NotCarried>,
    told: HashSet<String>,
    /// From type to type, about the same value.
    uses: Vec<(usize, usize, Span)>,
    pub(super) needs_object: bool,
    /// The first `number`, and how many there are.
    pub(super) numbers: Option<(Span, usize)>,
}

impl<'d> Translator<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> Translator<'d> {
        Translator {
            document,
            names: Names::default(),
            known: HashMap::new(),
            types: Vec::new(),
            current: 0,
            errors: Vec::new(),
            lost: Vec::new(),
            told: HashSet::new(),
            uses: Vec::new(),
            needs_object: false,
            numbers: None,
        }
    }

    /// The root, its definitions, and all that they refer to.
    pub(super) fn run(&mut self, name: &str) {
        let root = self.document.root.clone();
        let title = root.text("title").filter(|t| t.bytes().any(|b| b.is_ascii_alphanumeric()));
        self.declare(&root, title.unwrap_or(name));
        for key in ["$defs", "definitions"] {
            for (label, node) in root.get(key).and_then(|d| d.fields()).unwrap_or_default() {
                if !self.known.contains_key(&node.key()) {
                    self.declare(&node, &label);
                }
            }
        }
        let mut k = 0;
        while k < self.types.len() {
            self.current = k;
            if self.types[k].definition.is_none() {
                let node = self.types[k].node.clone();
                let definition = self.body(&node, Mode { is_same: true, sign: 1, depth: 0 });
                self.types[k].definition = Some(definition);
            }
            if self.types.len() > MOST_TYPES {
                self.mistake(&root, format!("more than {MOST_TYPES} types are needed"), "import its parts apart");
                return;
            }
            k += 1;
        }
        self.find_cycles();
    }

    fn declare(&mut self, node: &Node<'d>, wish: &str) -> usize {
        let name = self.names.fresh(wish);
        self.known.insert(node.key(), self.types.len());
        self.types.push(Named { name, node: node.clone(), definition: None });
        self.types.len() - 1
    }

    pub(super) fn mistake(&mut self, node: &Node<'d>, message: impl Into<String>, help: &str) {
        self.errors.push(Diagnostic::error("bad-schema", node.span(), message).help(help));
    }

    /// Tells that the keyword is not carried, if it is there.
    pub(super) fn lose(&mut self, node: &Node<'d>, key: &str, reason: &str, effect: Effect, mode: Mode) {
        let Some(keyword) = node.get(key) else { return };
        let effect = match (effect, mode.sign) {
            (Effect::Nothing, _) => Effect::Nothing,
            (_, 0) => Effect::Other,
            (Effect::More, -1) => Effect::Fewer,
            (Effect::Fewer, -1) => Effect::More,
            (effect, _) => effect,
        };
        if self.told.insert(keyword.path.clone()) {
            let (path, span, reason) = (keyword.path.clone(), keyword.span(), reason.to_string());
            self.lost.push(NotCarried { path, reason, effect, span, of: self.current });
        }
    }

    pub(super) fn lose_unless_trivial(&mut self, node: &Node<'d>, key: &str, reason: &str, mode: Mode) {
        if node.get(key).is_some_and(|n| !is_trivial(n.data)) {
            self.lose(node, key, reason, Effect::More, mode);
        }
    }

    pub(super) fn number_note(&mut self, node: &Node<'d>) {
        let (_, count) = self.numbers.get_or_insert((node.span(), 0));
        *count += 1;
    }

    fn reference(&mut self, target: &Node<'d>, wish: &str, mode: Mode, span: Span) -> Type {
        let id = match self.known.get(&target.key()) {
            Some(id) => *id,
            None => self.declare(target, wish),
        };
        if mode.is_same {
            self.uses.push((self.current, id, span));
        }
        named(&self.types[id].name)
    }

    /// The values that satisfy the schema.
    pub(super) fn schema(&mut self, node: &Node<'d>, mode: Mode) -> Type {
        let is_object = matches!(node.data.parts, Parts::Fields(_));
        let title = node.text("title").filter(|_| is_object && node.has("properties"));
        if is_object && (title.is_some() || mode.depth >= DEEPEST) {
            let wish = title.map_or_else(|| of_path(&node.path), str::to_string);
            return self.reference(node, &wish, mode, node.span());
        }
        let made = self.body(node, mode);
        if size(&made) < LARGEST { made } else { self.part(node, made) }
    }

    /// The type by a name of its own.
    fn part(&mut self, node: &Node<'d>, made: Type) -> Type {
        let name = self.names.fresh(&of_path(&node.path));
        self.types.push(Named { name: name.clone(), node: node.clone(), definition: Some(made) });
        named(&name)
    }

    /// Joins many types; if they are too many for one declaration, in groups.
    pub(super) fn joined(&mut self, node: &Node<'d>, parts: Vec<Type>, join: fn(Vec<Type>) -> Type) -> Type {
        let sizes: Vec<usize> = parts.iter().map(size).collect();
        if parts.len() < 2 || sizes.iter().sum::<usize>() < LARGEST {
            return join(parts);
        }
        let (mut groups, mut group, mut total) = (Vec::new(), Vec::new(), 0);
        for (part, size) in parts.into_iter().zip(sizes) {
            if total + size >= LARGEST && !group.is_empty() {
                let made = join(std::mem::take(&mut group));
                groups.push(self.part(node, made));
                total = 0;
            }
            total += size;
            group.push(part);
        }
        let made = join(group);
        groups.push(self.part(node, made));
        self.joined(node, groups, join)
    }

    fn body(&mut self, node: &Node<'d>, mode: Mode) -> Type {
        match node.data.value {
            Value::Logical(true) => return any(),
            Value::Logical(false) => return empty(),
            Value::Entity(_) => {}
            _ => {
                self.mistake(node, "a schema is an object, true or false", "write {\"type\": …}");
                return any();
            }
        }
        let mut parts = Vec::new();
        if let Some(reference) = node.get("$ref") {
            parts.push(self.follow(node, &reference, mode));
            if self.document.dialect == Dialect::Old {
                self.beside_reference(node, mode);
                return and(parts);
            }
        }
        for key in ["$dynamicRef", "$recursiveRef"] {
            self.lose(node, key, "what it refers to depends on where the schema is used", Effect::More, mode);
        }
        self.unknown(node, mode);
        let sorted = self.by_sort(node, mode);
        let only = if sorted.is_plain { sorted.sorts } else { disjoint::ALL };
        let mut constants = Vec::new();
        for key in ["enum", "const"] {
            if let Some(given) = node.get(key) {
                constants.push(self.constants(node, &given, key, only, mode));
            }
        }
        if !sorted.is_plain || constants.is_empty() {
            parts.insert(0, sorted.ty);
        }
        parts.extend(constants);
        for key in ["allOf", "anyOf", "oneOf"] {
            let Some(given) = node.get(key) else { continue };
            let Some(members) = given.members().filter(|m| !m.is_empty()) else {
                self.mistake(&given, format!("`{key}` must be a list of schemas"), "write it as [{…}, {…}]");
                continue;
            };
            match key {
                "allOf" => parts.extend(members.iter().map(|m| self.schema(m, mode.inner()))),
                "anyOf" => parts.push(or(members.iter().map(|m| self.schema(m, mode.inner())).collect())),
                _ => parts.push(self.exactly_one(&members, mode)),
            }
        }
        if let Some(inner) = node.get("not") {
            parts.push(not(self.schema(&inner, mode.negated())));
        }
        parts.push(self.condition(node, mode));
        and(parts)
    }

    fn follow(&mut self, node: &Node<'d>, reference: &Node<'d>, mode: Mode) -> Type {
        let Value::Text(text) = &reference.data.value else {
            self.mistake(reference, "`$ref` must be a text", "write it as \"#/$defs/name\"");
            return any();
        };
        match self.document.resolve(node, text) {
            Ok(target) => match target.data.value {
                Value::Logical(true) => any(),
                Value::Logical(false) => empty(),
                _ => self.reference(&target, &of_path(&target.path), mode, reference.span()),
            },
            Err(Lost::Elsewhere) => {
                self.lose(node, "$ref", "it leads to another document", Effect::More, mode);
                any()
            }
            Err(Lost::Missing) => {
                let message = format!("`{text}` leads nowhere: there is no such place in the schema");
                self.mistake(reference, message, "definitions are referred to as \"#/$defs/name\"");
                any()
            }
        }
    }

    fn beside_reference(&mut self, node: &Node<'d>, mode: Mode) {
        for (label, _) in node.fields().unwrap_or_default() {
            if *label != *"$ref" && !super::schema::ANNOTATIONS.contains(&&*label) {
                self.lose(node, &label, "in draft-07 what is beside `$ref` says nothing", Effect::Nothing, mode);
            }
        }
    }

    /// Keywords that no vocabulary has, or another dialect.
    fn unknown(&mut self, node: &Node<'d>, mode: Mode) {
        for (label, _) in node.fields().unwrap_or_default() {
            let is_known = match self.document.dialect {
                Dialect::Old => !super::NEW_ONLY.contains(&&*label),
                Dialect::New => !super::OLD_ONLY.contains(&&*label),
                Dialect::Either => true,
            };
            let is_keyword = super::KEYWORDS.contains(&&*label)
                || super::NEW_ONLY.contains(&&*label)
                || super::OLD_ONLY.contains(&&*label);
            if !is_known {
                let reason = format!("it is not a keyword of {}", self.document.dialect.name());
                self.lose(node, &label, &reason, Effect::Nothing, mode);
            } else if !is_keyword && !super::schema::ANNOTATIONS.contains(&&*label) && !label.starts_with("x-") {
                self.lose(node, &label, "it is not a keyword", Effect::Nothing, mode);
            }
        }
    }

    /// `enum` or `const`, of these sorts.
    fn constants(&mut self, node: &Node<'d>, given: &Node<'d>, key: &str, sorts: disjoint::Sorts, mode: Mode) -> Type {
        let values = if key == "const" { Some(vec![given.clone()]) } else { given.members() };
        let Some(values) = values else {
            self.mistake(given, "`enum` must be a list of values", "write it as [\"a\", \"b\"]");
            return any();
        };
        let mut alternatives = Vec::new();
        for one in values.iter().filter(|v| sort_of(v.data) & sorts != 0) {
            // A number that is not an integer is not a value.
            if has_decimals(one.data) {
                self.number_note(one);
                continue;
            }
            if has_order(&one.data.value) {
                self.lose(node, key, "the members of a collection have no order", Effect::More, mode);
            }
            match constant(&one.data.value) {
                Some(value) => alternatives.push(ty(TypeKind::Singleton(Box::new(value)))),
                None => {
                    self.lose(node, key, "the object without fields cannot be written", Effect::More, mode);
                    let is_object = matches!(one.data.value, Value::Entity(_));
                    alternatives.push(if is_object { self.object_type() } else { collection(any()) });
                }
            }
        }
        self.joined(given, alternatives, or)
    }

    fn exactly_one(&mut self, members: &[Node<'d>], mode: Mode) -> Type {
        let mut overlaps = Vec::new();
        for (k, a) in members.iter().enumerate() {
            for (l, b) in members.iter().enumerate().skip(k + 1) {
                if !disjoint(self.document, a, b) {
                    overlaps.push((k, l));
                }
            }
        }
        let inner = if overlaps.is_empty() { mode.inner() } else { mode.both() };
        let types: Vec<Type> = members.iter().map(|m| self.schema(m, inner)).collect();
        overlaps.retain(|(k, l)| !is_empty(&types[*k]) && !is_empty(&types[*l]));
        let cost: usize = overlaps.iter().map(|(k, l)| size(&types[*k]) + size(&types[*l])).sum();
        if cost <= 24 {
            let mut parts = vec![or(types.clone())];
            parts.extend(overlaps.iter().map(|(k, l)| not(and(vec![types[*k].clone(), types[*l].clone()]))));
            return and(parts);
        }
        let one = |n: u8| integer(&BigInt::from(n));
        let counted = types.into_iter().map(|t| conditional(test(var("x"), t), one(1), one(0)));
        let sum = counted.reduce(|a, b| binary(BinaryOp::Add, a, b)).unwrap_or_else(|| one(0));
        such_that("x", any(), binary(BinaryOp::Eq, sum, one(1)))
    }

    fn condition(&mut self, node: &Node<'d>, mode: Mode) -> Type {
        let Some(given) = node.get("if") else { return any() };
        let (then, other) = (node.get("then"), node.get("else"));
        if then.is_none() && other.is_none() {
            return any();
        }
        let mut arm = |arm: Option<Node<'d>>| arm.map_or_else(any, |n| self.schema(&n, mode.inner()));
        let (then, other) = (arm(then), arm(other));
        let given = self.schema(&given, mode.both());
        if other == any() {
            return or(vec![not(given), then]);
        }
        if then == any() {
            return or(vec![given, other]);
        }
        such_that("x", any(), conditional(test(var("x"), given), test(var("x"), then), test(var("x"), other)))
    }

    /// References that lead back to a schema for the same value.
    fn find_cycles(&mut self) {
        let mut next: HashMap<usize, Vec<(usize, Span)>> = HashMap::new();
        for (from, to, span) in &self.uses {
            next.entry(*from).or_default().push((*to, *span));
        }
        // 1: on the way, 2: done. Every cycle has an edge to a type on the way.
        let mut state = vec![0u8; self.types.len()];
        for start in 0..self.types.len() {
            let mut way = vec![(start, 0)];
            while let Some((at, k)) = way.last_mut() {
                state[*at] = 1;
                let edge = next.get(at).and_then(|edges| edges.get(*k)).copied();
                *k += 1;
                match edge {
                    None => {
                        state[*at] = 2;
                        way.pop();
                    }
                    Some((to, span)) if state[to] == 1 => {
                        let path = |id: usize| self.types[id].node.path.as_str();
                        let cycle = way.iter().skip_while(|(id, _)| *id != to).map(|(id, _)| path(*id));
                        let text: Vec<&str> = cycle.chain([path(to)]).collect();
                        let message = format!("this schema refers to itself for the same value: {}", text.join(" → "));
                        let problem = Diagnostic::error("unguarded-reference", span, message);
                        self.errors.push(problem.help("a recursive schema refers to itself below properties or items"));
                    }
                    Some((to, _)) if state[to] == 0 => way.push((to, 0)),
                    Some(_) => {}
                }
            }
        }
    }
}

fn has_decimals(data: &Data) -> bool {
    match &data.parts {
        Parts::Decimal(_) => true,
        Parts::Members(members) => members.iter().any(has_decimals),
        Parts::Fields(fields) => fields.iter().any(|(_, d)| has_decimals(d)),
        Parts::None => false,
    }
}

/// Whether another order of its arrays is another JSON value.
fn has_order(value: &Value) -> bool {
    match value {
        Value::Collection(bag) => bag.kinds() > 1 || bag.iter().next().is_some_and(has_order),
        Value::Entity(fields) => fields.iter().any(|(_, v)| has_order(v)),
        _ => false,
    }
}
