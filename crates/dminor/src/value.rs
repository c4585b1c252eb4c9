//! Values (docs/dminor.md, "Values and types"): scalars, collections, which are finite multisets, and entities, which are finite maps from
//! labels.
//!
//! The representation is canonical: members are sorted and counted, fields sorted by label. So equality, order and hash are
//! structural, and neither the order of members nor of fields can be observed.

use crate::syntax::{label, quote};
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub type Label = Arc<str>;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Null,
    Logical(bool),
    Integer(BigInt),
    Text(Arc<str>),
    Collection(Arc<Bag>),
    Entity(Arc<Fields>),
}

/// A finite multiset.
#[derive(Clone, Debug, Default)]
pub struct Bag {
    /// Each distinct member, and how often it occurs: never 0.
    members: BTreeMap<Value, u64>,
    count: u64,
    /// At least as large as the bag: members that were taken out still count.
    extent: Extent,
}

impl PartialEq for Bag {
    fn eq(&self, other: &Bag) -> bool {
        self.members == other.members
    }
}

impl Eq for Bag {}

impl PartialOrd for Bag {
    fn partial_cmp(&self, other: &Bag) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bag {
    fn cmp(&self, other: &Bag) -> Ordering {
        self.members.cmp(&other.members)
    }
}

impl Hash for Bag {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.members.hash(state);
    }
}

/// The fields of an entity.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Fields {
    fields: BTreeMap<Label, Value>,
    extent: Extent,
}

/// How large a value is: determined by the value, and kept because values share their parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Extent {
    /// Scalars, collections and entities in it, and the bytes of its texts and numbers in units of 16.
    pub size: u64,
    /// How deep it nests.
    pub depth: u32,
}

/// Deeper nesting is an error wherever values are made: they are compared, printed and dropped recursively.
pub const DEEPEST_VALUE: u32 = 1_000;

/// Larger values are not made.
pub const LARGEST_VALUE: u64 = 20_000_000;

/// Nor are larger integers, in bits.
pub const LARGEST_INTEGER: u64 = 1_000_000;

impl Extent {
    fn with(&mut self, part: Extent, times: u64) {
        self.size = self.size.saturating_add(part.size.saturating_mul(times));
        self.depth = self.depth.max(part.depth + 1);
    }

    pub fn is_too_large(self) -> bool {
        self.size > LARGEST_VALUE || self.depth > DEEPEST_VALUE
    }
}

impl Bag {
    /// Each distinct member and how often it occurs, in canonical order.
    pub fn distinct(&self) -> impl ExactSizeIterator<Item = (&Value, u64)> {
        self.members.iter().map(|(v, n)| (v, *n))
    }

    /// Every member, as often as it occurs, in canonical order.
    pub fn iter(&self) -> impl Iterator<Item = &Value> {
        self.members.iter().flat_map(|(v, n)| (0..*n).map(move |_| v))
    }

    /// How many members, counted as often as they occur.
    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn insert(&mut self, member: Value, times: u64) {
        if times == 0 {
            return;
        }
        self.extent.with(member.extent(), times);
        self.count = self.count.saturating_add(times);
        let occurrences = self.members.entry(member).or_insert(0);
        *occurrences = occurrences.saturating_add(times);
    }

    /// The k-th distinct member, with one occurrence removed.
    pub fn take(&mut self, k: usize) -> Option<Value> {
        let member = self.members.keys().nth(k)?.clone();
        let left = self.members.get_mut(&member)?;
        *left -= 1;
        if *left == 0 {
            self.members.remove(&member);
        }
        self.count -= 1;
        Some(member)
    }

    /// How many distinct members.
    pub fn kinds(&self) -> usize {
        self.members.len()
    }
}

impl FromIterator<Value> for Bag {
    fn from_iter<I: IntoIterator<Item = Value>>(members: I) -> Bag {
        let mut bag = Bag::default();
        members.into_iter().for_each(|m| bag.insert(m, 1));
        bag
    }
}

impl Fields {
    pub fn get(&self, label: &str) -> Option<&Value> {
        self.fields.get(label)
    }

    /// In the order of the labels.
    pub fn iter(&self) -> impl Iterator<Item = (&Label, &Value)> {
        self.fields.iter()
    }

    pub fn insert(&mut self, label: Label, value: Value) {
        self.fields.insert(label, value);
        self.measure();
    }

    fn measure(&mut self) {
        self.extent = Extent::default();
        self.fields.values().for_each(|v| self.extent.with(v.extent(), 1));
    }
}

impl FromIterator<(Label, Value)> for Fields {
    fn from_iter<I: IntoIterator<Item = (Label, Value)>>(fields: I) -> Fields {
        let mut all = Fields { fields: fields.into_iter().collect(), extent: Extent::default() };
        all.measure();
        all
    }
}

impl Value {
    pub fn integer(n: impl Into<BigInt>) -> Value {
        Value::Integer(n.into())
    }

    pub fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    pub fn collection(members: impl IntoIterator<Item = Value>) -> Value {
        Value::Collection(Arc::new(members.into_iter().collect()))
    }

    pub fn entity<'a>(fields: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
        Value::Entity(Arc::new(fields.into_iter().map(|(l, v)| (Label::from(l), v)).collect()))
    }

    pub fn extent(&self) -> Extent {
        match self {
            Value::Null | Value::Logical(_) => Extent { size: 1, depth: 0 },
            Value::Integer(n) if n.bits() > LARGEST_INTEGER => Extent { size: u64::MAX, depth: 0 },
            Value::Integer(n) => Extent { size: 1 + n.bits() / 128, depth: 0 },
            Value::Text(text) => Extent { size: 1 + text.len() as u64 / 16, depth: 0 },
            Value::Collection(bag) => Extent { size: bag.extent.size.saturating_add(1), depth: bag.extent.depth },
            Value::Entity(fields) => Extent { size: fields.extent.size.saturating_add(1), depth: fields.extent.depth },
        }
    }

    /// `an integer`, `a collection`, …
    pub fn sort(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Logical(_) => "a logical",
            Value::Integer(_) => "an integer",
            Value::Text(_) => "a text",
            Value::Collection(_) => "a collection",
            Value::Entity(_) => "an entity",
        }
    }

    /// In the syntax of the language, cut short: for messages.
    pub fn brief(&self) -> String {
        const MOST: usize = 60;
        let mut out = String::new();
        self.write_brief(&mut out, MOST);
        if out.chars().count() > MOST {
            out = out.chars().take(MOST).collect();
            out.push('…');
        }
        out
    }

    fn write_brief(&self, out: &mut String, most: usize) {
        let mut separator = "{";
        match self {
            Value::Integer(n) if n.bits() > 400 => out.push_str("a very large integer"),
            Value::Text(text) if text.len() > most => {
                out.push_str(&quote(&text.chars().take(most).collect::<String>()));
            }
            Value::Collection(bag) if !bag.is_empty() => {
                for member in bag.iter() {
                    out.push_str(separator);
                    separator = ", ";
                    if out.len() > most {
                        return;
                    }
                    member.write_brief(out, most);
                }
                out.push('}');
            }
            Value::Entity(fields) if fields.iter().next().is_some() => {
                for (name, value) in fields.iter() {
                    out.push_str(separator);
                    separator = ", ";
                    if out.len() > most {
                        return;
                    }
                    out.push_str(&format!("{} => ", label(name)));
                    value.write_brief(out, most);
                }
                out.push('}');
            }
            Value::Collection(_) => out.push_str("{}"),
            Value::Entity(_) => out.push_str("the entity without fields"),
            scalar => out.push_str(&scalar.to_string()),
        }
    }
}

/// As JSON, on one line.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Logical(b) => write!(f, "{b}"),
            Value::Integer(n) => write!(f, "{n}"),
            Value::Text(text) => f.write_str(&quote(text)),
            Value::Collection(bag) => {
                f.write_str("[")?;
                for (k, member) in bag.iter().enumerate() {
                    if k > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{member}")?;
                }
                f.write_str("]")
            }
            Value::Entity(fields) => {
                f.write_str("{")?;
                for (k, (name, value)) in fields.iter().enumerate() {
                    if k > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{}: {value}", quote(name))?;
                }
                f.write_str("}")
            }
        }
    }
}
