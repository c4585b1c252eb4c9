//! Formulas about the heap as MONA's, and what a field holds.
//!
//! What is not known of a field (of objects outside of the structure) may be anything. So a formula is said twice: what *must* hold
//! whatever is not known, and what *may* hold. Goals are of the first kind, assumptions of the second.

use super::execute::{State, Value};
use super::formula::Mode;
use super::{Owed, Prover, Shown, open};
use crate::program::*;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What a field holds: at entry, and after writes.
#[derive(Clone, Debug)]
pub enum Version {
    /// As laid out.
    Entry(FieldId),
    Written {
        object: String,
        value: String,
        before: Rc<Version>,
    },
}

/// What module variables and fields hold at some moment.
#[derive(Clone, Debug)]
pub struct Heap {
    pub globals: FxHashMap<GlobalId, Value>,
    /// Of fields that hold objects or Booleans.
    pub fields: FxHashMap<FieldId, Rc<Version>>,
    /// Objects made since the entry.
    pub made: Vec<String>,
    /// Names of sets and Booleans of other modules that calls have changed.
    pub elsewhere: FxHashMap<SpecVarId, String>,
    /// Heaps with the same stamp are the same.
    pub stamp: u32,
}

impl Heap {
    /// Whether an object is there.
    pub fn has(&self, x: &str) -> String {
        let mut parts = vec![format!("{x} in A")];
        parts.extend(self.made.iter().map(|made| format!("{x} = {made}")));
        any(&parts)
    }

    pub fn has_changed_elsewhere(&self) -> bool {
        !self.elsewhere.is_empty()
    }
}

/// The values of a formula's variables.
#[derive(Clone, Default, Debug)]
pub struct Bound(Vec<(u32, String)>);

impl Bound {
    pub fn with(&self, number: u32, name: &str) -> Bound {
        let mut inner = self.clone();
        inner.0.push((number, name.to_owned()));
        inner
    }

    pub fn get(&self, number: u32) -> Option<&str> {
        self.0.iter().rev().find(|(n, _)| *n == number).map(|(_, name)| name.as_str())
    }
}

/// A term: its value, and the fields that are read on the way to it.
struct Reading {
    value: Value,
    steps: Vec<Step>,
}

/// What a field of an object holds, by a name of its own.
struct Step {
    /// The object is not null.
    is_there: String,
    /// It is not known what the field holds: then whatever is said of it may be.
    unknown: String,
    /// The name, and that the field holds it; none of a Boolean field.
    holds: Option<(String, String)>,
}

impl Prover<'_> {
    pub fn heap_formula(&mut self, state: &mut State, formula: &HeapFormula, mode: Mode) -> Shown<String> {
        let span = self.program.module(self.module).span;
        let heap = state.heap.clone();
        match self.about(state, &heap, formula, &Bound::default(), mode)? {
            Some(text) => Ok(text),
            None => open(span, "a formula quantifies over something that is not an object"),
        }
    }

    /// None: it is not about objects. Of a heap that was or is the state's; sets that the formula speaks of are defined there.
    pub fn about(
        &mut self,
        state: &mut State,
        heap: &Heap,
        formula: &HeapFormula,
        bound: &Bound,
        mode: Mode,
    ) -> Shown<Option<String>> {
        macro_rules! inner {
            ($formula:expr, $mode:expr) => {
                match self.about(state, heap, $formula, bound, $mode)? {
                    Some(text) => text,
                    None => return Ok(None),
                }
            };
        }
        let unknown = || Ok(Some(mode.unknown().into()));
        Ok(Some(match formula {
            HeapFormula::True => "true".into(),
            HeapFormula::False => "false".into(),
            HeapFormula::Not(a) => not(&inner!(a, mode.other())),
            HeapFormula::And(parts) | HeapFormula::Or(parts) => {
                let mut texts = Vec::new();
                for part in parts {
                    texts.push(inner!(part, mode));
                }
                if matches!(formula, HeapFormula::And(_)) { all(&texts) } else { any(&texts) }
            }
            HeapFormula::Implies(a, b) => any(&[not(&inner!(a, mode.other())), inner!(b, mode)]),
            HeapFormula::Iff(a, b) => {
                let (a_here, b_here) = (inner!(a, mode), inner!(b, mode));
                let (a_other, b_other) = (inner!(a, mode.other()), inner!(b, mode.other()));
                any(&[all(&[a_here, b_here]), all(&[not(&a_other), not(&b_other)])])
            }
            HeapFormula::Compare(op, a, b) => {
                let (Some(a), Some(b)) = (self.reading(state, heap, a, bound), self.reading(state, heap, b, bound))
                else {
                    return unknown();
                };
                let holds = match (&a.value, &b.value, op) {
                    (Value::Object(x), Value::Object(y), BinaryOp::Equal) => same(x, y),
                    (Value::Object(x), Value::Object(y), BinaryOp::NotEqual) => not(&same(x, y)),
                    (Value::Bool(x), Value::Bool(y), BinaryOp::Equal) => format!("({x} <=> {y})"),
                    (Value::Bool(x), Value::Bool(y), BinaryOp::NotEqual) => format!("~({x} <=> {y})"),
                    _ => return unknown(),
                };
                exists(mode, [a, b], holds)
            }
            HeapFormula::Holds(term) => {
                let Some(reading) = self.reading(state, heap, term, bound) else { return unknown() };
                let Value::Bool(holds) = reading.value.clone() else { return unknown() };
                exists(mode, [reading], holds)
            }
            HeapFormula::Reach(from, route, to) => {
                let (Some(a), Some(b)) = (self.reading(state, heap, from, bound), self.reading(state, heap, to, bound))
                else {
                    return unknown();
                };
                let (Value::Object(x), Value::Object(y)) = (a.value.clone(), b.value.clone()) else {
                    return unknown();
                };
                let null = self.layout.null();
                if x == null || y == null {
                    return Ok(Some("false".into()));
                }
                if let (HeapTerm::Global(_) | HeapTerm::Local(_), Route::Star(inner)) = (from, route) {
                    let set = self.reached(state, heap, inner, &x, mode)?;
                    exists(mode, [b], format!("{y} in {set}"))
                } else {
                    let way = self.way(heap, route, &x, &y, mode);
                    exists(mode, [a, b], all(&[not(&same(&x, null)), not(&same(&y, null)), way]))
                }
            }
            HeapFormula::Quantified { exists, variable, ty: Type::Object(object), body, .. } => {
                let name = self.fresh("q");
                let Some(body) = self.about(state, heap, body, &bound.with(*variable, &name), mode)? else {
                    return Ok(None);
                };
                let domain = all(&[heap.has(&name), self.layout.typed(&name, *object)]);
                if *exists {
                    format!("(ex1 {name}: ({domain} & {body}))")
                } else {
                    format!("(all1 {name}: ({domain} => {body}))")
                }
            }
            HeapFormula::Quantified { exists, variable, ty: Type::Bool, body, .. } => {
                let name = self.fresh("b");
                let Some(body) = self.about(state, heap, body, &bound.with(*variable, &name), mode)? else {
                    return Ok(None);
                };
                format!("({} {name}: {body})", if *exists { "ex0" } else { "all0" })
            }
            // Ints: nothing is known of what depends on them.
            HeapFormula::Quantified { ty: Type::Int, .. } => return unknown(),
            HeapFormula::Quantified { .. } => return Ok(None),
        }))
    }

    /// A name for the set of objects that x, which is no bound variable, leads to by any number of steps.
    fn reached(&mut self, state: &mut State, heap: &Heap, step: &Route, x: &str, mode: Mode) -> Shown<String> {
        let key = format!("{} {step:?} {x} {mode:?}", heap.stamp);
        if let Some(known) = state.reached.get(&key) {
            return Ok(known.clone());
        }
        if let Some(block) = self.block_of(heap, step, x) {
            return Ok(block);
        }
        if mode == Mode::May && !self.only_follows {
            // If all fields on the way are known, what may be reached is what must be.
            let must = self.reached(state, heap, step, x, Mode::Must)?;
            let (y, mut fields) = (self.fresh("e"), Vec::new());
            super::layout::steps(step, &mut fields);
            let known = fields.iter().filter_map(|f| {
                let owner = self.layout.typed(&y, self.program.field(*f).object);
                Some(any(&[not(&owner), is_known(heap.fields.get(f)?, &y)]))
            });
            let goal = format!("(all1 {y}: ({y} in {must} => {}))", all(&known.collect::<Vec<_>>()));
            let span = self.program.module(self.module).span;
            let is_known = if self.hopes_for_fields {
                self.count_question(span)?;
                let goals = vec![(goal, span, "that the fields on a route are known".to_string())];
                self.owed.push(Owed { state: state.clone(), goals, is_hope: true });
                true
            } else {
                self.follows(state, &goal, span)?
            };
            if is_known {
                state.reached.insert(key, must.clone());
                return Ok(must);
            }
        }
        let (name, y) = (self.fresh("R"), self.fresh("e"));
        let star = self.star(heap, step, x, &y, mode);
        let null = self.layout.null();
        let inside = all(&[not(&same(x, null)), not(&same(&y, null)), star]);
        state.define(&name, format!("(all1 {y}: ({y} in {name} <=> {inside}))"));
        state.reached.insert(key, name.clone());
        Ok(name)
    }

    /// None: it is not an object or a Boolean.
    fn reading(&mut self, state: &State, heap: &Heap, term: &HeapTerm, bound: &Bound) -> Option<Reading> {
        let plain = |value: Value| Some(Reading { value, steps: Vec::new() });
        match term {
            HeapTerm::Null => plain(Value::Object(self.layout.null().into())),
            HeapTerm::Bool(b) => plain(Value::Bool(b.to_string())),
            HeapTerm::Global(global) => plain(heap.globals.get(global).cloned().unwrap_or(Value::Other)),
            HeapTerm::Local(local) => plain(state.locals.get(local).cloned().unwrap_or(Value::Other)),
            HeapTerm::Bound(number) => {
                let name = bound.get(*number)?.to_owned();
                let is_bool = name.starts_with('b');
                plain(if is_bool { Value::Bool(name) } else { Value::Object(name) })
            }
            HeapTerm::Field(of, field) => {
                let mut reading = self.reading(state, heap, of, bound)?;
                let Value::Object(x) = reading.value.clone() else { return None };
                let is_there = not(&same(&x, self.layout.null()));
                let version = heap.fields.get(field)?.clone();
                let (value, step) = match &self.program.field(*field).ty {
                    Type::Bool => {
                        let flag = Value::Bool(self.flag(&version, &x));
                        (flag, Step { is_there, unknown: "false".into(), holds: None })
                    }
                    Type::Object(_) => {
                        let name = self.fresh("t");
                        let holds = Some((name.clone(), self.known(&version, &x, &name)));
                        (Value::Object(name), Step { is_there, unknown: not(&is_known(&version, &x)), holds })
                    }
                    _ => return None,
                };
                reading.value = value;
                reading.steps.push(step);
                Some(reading)
            }
            HeapTerm::Int(_) | HeapTerm::Index(..) | HeapTerm::Length(_) | HeapTerm::Arithmetic(..) => None,
        }
    }

    /// Whether a field of x holds y, null included.
    pub fn holds(&self, heap: &Heap, field: FieldId, version: &Version, x: &str, y: &str, mode: Mode) -> String {
        let known = self.known(version, x, y);
        match mode {
            Mode::Must => known,
            Mode::May => {
                let null = self.layout.null();
                let Type::Object(target) = self.program.field(field).ty else { return known };
                // What was not written since, and so is none of the objects that were made.
                let there = all(&[format!("{y} in A"), self.layout.typed(y, target)]);
                let owner = self.layout.typed(x, self.program.field(field).object);
                let unknown = all(&[not(&is_known(version, x)), owner, heap.has(x), any(&[same(y, null), there])]);
                any(&[known, unknown])
            }
        }
    }

    fn known(&self, version: &Version, x: &str, y: &str) -> String {
        match version {
            Version::Entry(field) => format!("f{}({x}, {y})", field.0),
            Version::Written { object, value, before } => {
                let before = self.known(before, x, y);
                let is = same(x, object);
                any(&[all(&[is.clone(), same(y, value)]), all(&[not(&is), before])])
            }
        }
    }

    /// Of a field that holds Booleans: these are always known.
    pub fn flag(&self, version: &Version, x: &str) -> String {
        match version {
            Version::Entry(field) => format!("{x} in F{}", field.0),
            Version::Written { object, value, before } => {
                let is = same(x, object);
                any(&[all(&[is.clone(), value.clone()]), all(&[not(&is), self.flag(before, x)])])
            }
        }
    }

    /// Whether a route leads from x to y, neither of which is null.
    fn way(&mut self, heap: &Heap, route: &Route, x: &str, y: &str, mode: Mode) -> String {
        match route {
            Route::Field(field) => match heap.fields.get(field).cloned() {
                Some(version) => {
                    let there = not(&same(y, self.layout.null()));
                    all(&[there, self.holds(heap, *field, &version, x, y, mode)])
                }
                None => mode.unknown().into(),
            },
            Route::Either(parts) => any(&parts.iter().map(|part| self.way(heap, part, x, y, mode)).collect::<Vec<_>>()),
            Route::Sequence(parts) => match &parts[..] {
                [] => same(x, y),
                [only] => self.way(heap, only, x, y, mode),
                [first, rest @ ..] => {
                    let middle = self.fresh("m");
                    let first = self.way(heap, first, x, &middle, mode);
                    let rest = self.way(heap, &Route::Sequence(rest.to_vec()), &middle, y, mode);
                    format!("(ex1 {middle}: ({first} & {rest}))")
                }
            },
            Route::Optional(inner) => any(&[same(x, y), self.way(heap, inner, x, y, mode)]),
            Route::Plus(inner) => {
                let middle = self.fresh("m");
                let first = self.way(heap, inner, x, &middle, mode);
                let rest = self.star(heap, inner, &middle, y, mode);
                format!("(ex1 {middle}: ({first} & {rest}))")
            }
            Route::Star(inner) => self.star(heap, inner, x, y, mode),
        }
    }

    /// Every set with x in it that the route does not lead out of has y in it.
    fn star(&mut self, heap: &Heap, route: &Route, x: &str, y: &str, mode: Mode) -> String {
        let (set, a, b) = (self.fresh("S"), self.fresh("m"), self.fresh("m"));
        let step = self.way(heap, route, &a, &b, mode);
        format!(
            "(all2 {set}: (({x} in {set} & (all1 {a}, {b}: (({a} in {set} & {step}) => {b} in {set}))) => {y} in {set}))"
        )
    }
}

/// Whether it is known what a field of x holds.
pub fn is_known(version: &Version, x: &str) -> String {
    match version {
        Version::Entry(field) => format!("k{}({x})", field.0),
        Version::Written { object, before, .. } => any(&[same(x, object), is_known(before, x)]),
    }
}

/// What is said of the values of terms, by way of all that is read.
fn exists<const N: usize>(mode: Mode, readings: [Reading; N], says: String) -> String {
    let steps: Vec<Step> = readings.into_iter().flat_map(|r| r.steps).collect();
    steps.into_iter().rev().fold(says, |says, step| {
        let known = match step.holds {
            Some((name, holds)) => format!("(ex1 {name}: {})", all(&[holds, says])),
            None => says,
        };
        let read = if mode == Mode::May { any(&[step.unknown, known]) } else { known };
        all(&[step.is_there, read])
    })
}

pub fn same(a: &str, b: &str) -> String {
    if a == b { "true".into() } else { format!("{a} = {b}") }
}

pub fn not(a: &str) -> String {
    match a {
        "true" => "false".into(),
        "false" => "true".into(),
        _ => format!("~({a})"),
    }
}

pub fn all(parts: &[String]) -> String {
    joined(parts, " & ", "true", "false")
}

pub fn any(parts: &[String]) -> String {
    joined(parts, " | ", "false", "true")
}

fn joined(parts: &[String], sign: &str, none: &str, whole: &str) -> String {
    if parts.iter().any(|p| p == whole) {
        return whole.into();
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|p| *p != none).collect();
    match parts[..] {
        [] => none.into(),
        [only] => only.into(),
        _ => format!("({})", parts.join(sign)),
    }
}
