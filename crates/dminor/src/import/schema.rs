//! A JSON Schema document: its dialect, its places, and what `$ref` leads to.

use crate::json::{Data, Parts};
use crate::value::{Label, Value};
use source::Span;
use std::cell::Cell;
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    /// Draft-07 and draft-06: keywords beside `$ref` say nothing.
    Old,
    /// 2020-12.
    New,
    /// No `$schema`, or 2019-09: the keywords of both.
    Either,
}

impl Dialect {
    fn of(root: &Data) -> Dialect {
        match field(root, "$schema").map(|d| &d.value) {
            Some(Value::Text(uri)) if uri.contains("draft-0") => Dialect::Old,
            Some(Value::Text(uri)) if uri.contains("2020-12") => Dialect::New,
            _ => Dialect::Either,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Dialect::Old => "draft-07",
            Dialect::New => "2020-12",
            Dialect::Either => "2020-12 or draft-07",
        }
    }
}

pub(super) fn field<'d>(data: &'d Data, key: &str) -> Option<&'d Data> {
    let Parts::Fields(fields) = &data.parts else { return None };
    fields.iter().find(|(l, _)| **l == *key).map(|(_, d)| d)
}

/// A place in a document.
#[derive(Clone)]
pub(super) struct Node<'d> {
    pub(super) data: &'d Data,
    /// As `#/properties/age`.
    pub(super) path: String,
    /// The nearest schema around it with an `$id`, which a `#` is about.
    base: &'d Data,
    base_path: String,
}

impl<'d> Node<'d> {
    pub(super) fn root(data: &'d Data) -> Node<'d> {
        Node { data, path: "#".to_string(), base: data, base_path: "#".to_string() }
    }

    /// Which place it is.
    pub(super) fn key(&self) -> usize {
        std::ptr::from_ref(self.data) as usize
    }

    pub(super) fn span(&self) -> Span {
        self.data.span.unwrap_or_default()
    }

    fn below(&self, step: &str, data: &'d Data) -> Node<'d> {
        let path = format!("{}/{}", self.path, step.replace('~', "~0").replace('/', "~1"));
        let mut node = Node { data, path, base: self.base, base_path: self.base_path.clone() };
        let has_id = field(data, "$id").is_some_and(|id| matches!(&id.value, Value::Text(t) if !t.starts_with('#')));
        if has_id {
            (node.base, node.base_path) = (data, node.path.clone());
        }
        node
    }

    pub(super) fn get(&self, key: &str) -> Option<Node<'d>> {
        field(self.data, key).map(|d| self.below(key, d))
    }

    pub(super) fn has(&self, key: &str) -> bool {
        field(self.data, key).is_some()
    }

    pub(super) fn text(&self, key: &str) -> Option<&'d str> {
        match &field(self.data, key)?.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn fields(&self) -> Option<Vec<(Label, Node<'d>)>> {
        let Parts::Fields(fields) = &self.data.parts else { return None };
        Some(fields.iter().map(|(l, d)| (l.clone(), self.below(l, d))).collect())
    }

    pub(super) fn members(&self) -> Option<Vec<Node<'d>>> {
        let Parts::Members(members) = &self.data.parts else { return None };
        Some(members.iter().enumerate().map(|(k, d)| self.below(&k.to_string(), d)).collect())
    }

    fn step(&self, token: &str) -> Option<Node<'d>> {
        match &self.data.parts {
            Parts::Fields(_) => self.get(token),
            Parts::Members(members) => {
                let is_index = token == "0" || !token.starts_with('0') && token.bytes().all(|b| b.is_ascii_digit());
                let data = members.get(token.parse::<usize>().ok().filter(|_| is_index)?)?;
                Some(self.below(token, data))
            }
            _ => None,
        }
    }
}

/// Whether every value satisfies it, as far as can be seen at once.
pub(super) fn is_trivial(data: &Data) -> bool {
    match (&data.value, &data.parts) {
        (Value::Logical(b), _) => *b,
        (_, Parts::Fields(fields)) => fields.iter().all(|(l, _)| ANNOTATIONS.contains(&&**l)),
        _ => false,
    }
}

/// Keywords that say nothing about values.
pub(super) const ANNOTATIONS: [&str; 22] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$schema",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$vocabulary",
    "$defs",
    "definitions",
    "contentMediaType",
    "contentEncoding",
    "contentSchema",
    "example",
    "markdownDescription",
];

/// Why a reference leads nowhere.
pub(super) enum Lost {
    /// To another document.
    Elsewhere,
    /// In this one there is no such place.
    Missing,
}

pub(super) struct Document<'d> {
    pub(super) root: Node<'d>,
    pub(super) dialect: Dialect,
    /// Steps that comparisons of schemas may still take, in this one and in all.
    pub(super) budget: Cell<(u32, u32)>,
    ids: Vec<(String, Node<'d>)>,
    /// By the schema with the `$id` around it.
    anchors: HashMap<(usize, String), Node<'d>>,
}

impl<'d> Document<'d> {
    pub(super) fn new(data: &'d Data) -> Document<'d> {
        let root = Node::root(data);
        let mut document = Document {
            root: root.clone(),
            dialect: Dialect::of(data),
            budget: Cell::new((0, 5_000_000)),
            ids: Vec::new(),
            anchors: HashMap::new(),
        };
        document.index(&root);
        document
    }

    fn index(&mut self, node: &Node<'d>) {
        let base = std::ptr::from_ref(node.base) as usize;
        if let Some(id) = node.text("$id") {
            match id.strip_prefix('#') {
                Some(anchor) if !anchor.is_empty() => {
                    self.anchors.entry((base, anchor.to_string())).or_insert_with(|| node.clone());
                }
                _ => self.ids.push((id.trim_end_matches('#').to_string(), node.clone())),
            }
        }
        for key in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = node.text(key) {
                self.anchors.entry((base, anchor.to_string())).or_insert_with(|| node.clone());
            }
        }
        let inner = node.fields().into_iter().flatten().filter(|(l, _)| {
            // In these stand values, not schemas.
            !["const", "enum", "default", "examples"].contains(&&**l)
        });
        inner.for_each(|(_, n)| self.index(&n));
        node.members().into_iter().flatten().for_each(|n| self.index(&n));
    }

    /// What a reference leads to from this place.
    pub(super) fn resolve(&self, from: &Node<'d>, reference: &str) -> Result<Node<'d>, Lost> {
        let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = if uri.is_empty() {
            Node { data: from.base, path: from.base_path.clone(), base: from.base, base_path: from.base_path.clone() }
        } else {
            let is_it = |id: &str| id == uri || id.strip_suffix(uri).is_some_and(|before| before.ends_with('/'));
            let found = self.ids.iter().find(|(id, _)| is_it(id));
            found.map(|(_, node)| node.clone()).ok_or(Lost::Elsewhere)?
        };
        let fragment = decoded(fragment);
        if fragment.is_empty() {
            return Ok(resource);
        }
        if let Some(pointer) = fragment.strip_prefix('/') {
            let mut tokens = pointer.split('/').map(|t| t.replace("~1", "/").replace("~0", "~"));
            return tokens.try_fold(resource, |node, token| node.step(&token)).ok_or(Lost::Missing);
        }
        let base = std::ptr::from_ref(resource.base) as usize;
        self.anchors.get(&(base, fragment)).cloned().ok_or(Lost::Missing)
    }
}

/// `%25` is `%`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|d| std::str::from_utf8(d).ok());
        let code = digits.filter(|_| first == b'%').and_then(|d| u8::from_str_radix(d, 16).ok());
        match code {
            Some(code) => {
                bytes.push(code);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
