//! Formulas of the specification language as MONA's: sets of objects are sets of positions, without null's.
//!
//! A set of the module is what its definition says of a heap; where that is not known, it is any set between what must and what may be in
//! it. Sets and Booleans of other modules are what they were: nothing but calls changes them ([`super::calls`]).

use super::execute::{State, Value};
use super::heap::{Bound, Heap, all, any, not, same};
use super::{Prover, Shown, open};
use crate::program::*;
use source::Span;

/// Of what is not known: a formula must hold in any case, or it may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Must,
    May,
}

impl Mode {
    pub fn other(self) -> Mode {
        match self {
            Mode::Must => Mode::May,
            Mode::May => Mode::Must,
        }
    }

    /// Of an atom that nothing is known of.
    pub fn unknown(self) -> &'static str {
        match self {
            Mode::Must => "false",
            Mode::May => "true",
        }
    }
}

/// What unprimed names are: what they are now, or what they were when the procedure began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    Entry,
    Later,
}

/// Larger numbers of elements make large automata.
const MOST_COUNTED: u32 = 6;

impl Prover<'_> {
    pub fn formula(&mut self, state: &mut State, formula: &Formula, when: When, mode: Mode) -> Shown<String> {
        self.within(state, formula, when, mode, &Bound::default())
    }

    fn within(&mut self, state: &mut State, f: &Formula, when: When, mode: Mode, bound: &Bound) -> Shown<String> {
        Ok(match &f.kind {
            FormulaKind::True => "true".into(),
            FormulaKind::False => "false".into(),
            FormulaKind::Bool(name) => self.boolean(state, *name, when, f.span)?,
            FormulaKind::Equal(a, b) => self.each(state, [a, b], when, bound, f.span, same_truth)?,
            FormulaKind::NotEqual(a, b) => not(&self.each(state, [a, b], when, bound, f.span, same_truth)?),
            FormulaKind::Subset(a, b) => {
                self.each(state, [a, b], when, bound, f.span, |a, b| format!("({a} => {b})"))?
            }
            FormulaKind::Card(set, op, count) => {
                let at_least = self.at_least(state, set, *count, when, bound, f.span)?;
                match op {
                    CardOp::AtLeast => at_least,
                    CardOp::AtMost => not(&self.at_least(state, set, count.saturating_add(1), when, bound, f.span)?),
                    CardOp::Equal => {
                        let more = self.at_least(state, set, count.saturating_add(1), when, bound, f.span)?;
                        all(&[at_least, not(&more)])
                    }
                }
            }
            FormulaKind::Disjoint(sets) => {
                let mut parts = Vec::new();
                for (i, a) in sets.iter().enumerate() {
                    for b in &sets[i + 1..] {
                        parts.push(self.each(state, [a, b], when, bound, f.span, |a, b| format!("~({a} & {b})"))?);
                    }
                }
                all(&parts)
            }
            FormulaKind::Not(a) => not(&self.within(state, a, when, mode.other(), bound)?),
            FormulaKind::And(parts) => all(&self.parts(state, parts, when, mode, bound)?),
            FormulaKind::Or(parts) => any(&self.parts(state, parts, when, mode, bound)?),
            FormulaKind::Implies(a, b) => {
                let a = self.within(state, a, when, mode.other(), bound)?;
                any(&[not(&a), self.within(state, b, when, mode, bound)?])
            }
            FormulaKind::Iff(a, b) => {
                let (a_here, b_here) =
                    (self.within(state, a, when, mode, bound)?, self.within(state, b, when, mode, bound)?);
                let other = mode.other();
                let (a_other, b_other) =
                    (self.within(state, a, when, other, bound)?, self.within(state, b, when, other, bound)?);
                any(&[all(&[a_here, b_here]), all(&[not(&a_other), not(&b_other)])])
            }
            FormulaKind::Quantified { exists, variable, set: false, body, .. } => {
                let name = self.fresh("q");
                let body = self.within(state, body, when, mode, &bound.with(*variable, &name))?;
                let there = not(&same(&name, self.layout.null()));
                if *exists {
                    format!("(ex1 {name}: ({there} & {body}))")
                } else {
                    format!("(all1 {name}: ({there} => {body}))")
                }
            }
            FormulaKind::Heap(formula) => self.heap_formula(state, formula, mode)?,
            FormulaKind::Quantified { .. } => return open(f.span, "a quantifier ranges over sets"),
            FormulaKind::Uninterpreted(_) => return open(f.span, "this formula cannot be read"),
            FormulaKind::OverRelation(_) => return open(f.span, "it speaks of a relation"),
        })
    }

    fn parts(
        &mut self,
        state: &mut State,
        parts: &[Formula],
        when: When,
        mode: Mode,
        bound: &Bound,
    ) -> Shown<Vec<String>> {
        parts.iter().map(|part| self.within(state, part, when, mode, bound)).collect()
    }

    /// A relation of the memberships in two sets, of every object.
    fn each(
        &mut self,
        state: &mut State,
        [a, b]: [&SetExpr; 2],
        when: When,
        bound: &Bound,
        span: Span,
        relation: impl Fn(&str, &str) -> String,
    ) -> Shown<String> {
        let x = self.fresh("e");
        let (a, b) = (self.member(state, a, &x, when, bound, span)?, self.member(state, b, &x, when, bound, span)?);
        Ok(match relation(&a, &b) {
            always if always == "true" => always,
            relation => format!("(all1 {x}: {relation})"),
        })
    }

    fn at_least(
        &mut self,
        state: &mut State,
        set: &SetExpr,
        count: u32,
        when: When,
        bound: &Bound,
        span: Span,
    ) -> Shown<String> {
        if count == 0 {
            return Ok("true".into());
        }
        if count > MOST_COUNTED {
            return open(span, format!("it counts beyond {MOST_COUNTED}"));
        }
        let names: Vec<String> = (0..count).map(|_| self.fresh("e")).collect();
        let mut parts = Vec::new();
        for (i, x) in names.iter().enumerate() {
            parts.push(self.member(state, set, x, when, bound, span)?);
            parts.extend(names[..i].iter().map(|y| not(&same(x, y))));
        }
        Ok(format!("(ex1 {}: {})", names.join(", "), all(&parts)))
    }

    fn member(
        &mut self,
        state: &mut State,
        set: &SetExpr,
        x: &str,
        when: When,
        bound: &Bound,
        span: Span,
    ) -> Shown<String> {
        let mut both = |prover: &mut Self, a: &SetExpr, b: &SetExpr| {
            Ok((prover.member(state, a, x, when, bound, span)?, prover.member(state, b, x, when, bound, span)?))
        };
        Ok(match set {
            SetExpr::Empty => "false".into(),
            SetExpr::Union(a, b) => {
                let (a, b) = both(self, a, b)?;
                any(&[a, b])
            }
            SetExpr::Inter(a, b) => {
                let (a, b) = both(self, a, b)?;
                all(&[a, b])
            }
            SetExpr::Diff(a, b) => {
                let (a, b) = both(self, a, b)?;
                all(&[a, not(&b)])
            }
            SetExpr::Name(name) => {
                let is = |y: &str| all(&[same(x, y), not(&same(x, self.layout.null()))]);
                match name.subject {
                    Subject::SpecVar(variable) => {
                        let set = self.set_of(state, when, name.primed, variable, span)?;
                        format!("{x} in {set}")
                    }
                    Subject::Local(local) => match state.locals.get(&local) {
                        Some(Value::Object(y)) => is(y),
                        _ => return open(span, "a variable that holds no object stands for a set"),
                    },
                    Subject::Bound(number) => match bound.get(number) {
                        Some(y) => is(y),
                        None => return open(span, "a quantifier ranges over sets"),
                    },
                }
            }
        })
    }

    fn boolean(&mut self, state: &mut State, name: NameRef, when: When, span: Span) -> Shown<String> {
        let value = match name.subject {
            Subject::SpecVar(variable) if self.is_own(variable) => {
                let plugins = &self.program.module(self.module).plugins;
                let tied = plugins.iter().flat_map(|p| &p.predvars).find(|(v, _)| *v == variable);
                let heap = if when == When::Later && !name.primed { &state.entry } else { &state.heap };
                tied.and_then(|(_, global)| heap.globals.get(global)).cloned()
            }
            Subject::SpecVar(variable) => Some(Value::Bool(named_elsewhere(state, when, name.primed, variable, false))),
            Subject::Local(local) => state.locals.get(&local).cloned(),
            Subject::Bound(_) => None,
        };
        match value {
            Some(Value::Bool(text)) => Ok(text),
            _ => open(span, "it speaks of a Boolean that is not followed"),
        }
    }

    /// The name of what a set is.
    pub fn set_of(
        &mut self,
        state: &mut State,
        when: When,
        primed: bool,
        variable: SpecVarId,
        span: Span,
    ) -> Shown<String> {
        if !self.is_own(variable) {
            let SpecVarKind::Set(elements) = self.program.spec_var(variable).kind else {
                return open(span, "it speaks of a set that is none");
            };
            if !self.layout.can_hold(elements) {
                return open(span, "it speaks of objects of other types");
            }
            return Ok(named_elsewhere(state, when, primed, variable, true));
        }
        let heap = if when == When::Later && !primed { (*state.entry).clone() } else { state.heap.clone() };
        if let Some(known) = state.sets.get(&(heap.stamp, variable)) {
            return Ok(known.clone());
        }
        let (name, x) = (self.fresh("C"), self.fresh("e"));
        let must = self.defined(state, &heap, variable, &x, Mode::Must, 0)?;
        let may = self.defined(state, &heap, variable, &x, Mode::May, 0)?;
        let (Some(must), Some(may)) = (must, may) else {
            return open(span, "a set is defined by something that is not about objects");
        };
        state.define(
            &name,
            match must == may {
                true => format!("(all1 {x}: ({x} in {name} <=> {must}))"),
                false => format!("(all1 {x}: (({must} => {x} in {name}) & ({x} in {name} => {may})))"),
            },
        );
        state.sets.insert((heap.stamp, variable), name.clone());
        Ok(name)
    }

    fn defined(
        &mut self,
        state: &mut State,
        heap: &Heap,
        variable: SpecVarId,
        x: &str,
        mode: Mode,
        depth: usize,
    ) -> Shown<Option<String>> {
        let plugins = &self.program.module(self.module).plugins;
        let set = plugins.iter().flat_map(|p| &p.sets).find(|s| s.variable == variable);
        // A set defined by itself is an error elsewhere.
        match set.filter(|_| depth <= plugins.iter().map(|p| p.sets.len()).sum()) {
            Some(set) => self.definition(state, heap, &set.definition, x, mode, depth),
            None => Ok(None),
        }
    }

    fn definition(
        &mut self,
        state: &mut State,
        heap: &Heap,
        definition: &Definition,
        x: &str,
        mode: Mode,
        depth: usize,
    ) -> Shown<Option<String>> {
        let there = |prover: &Self, object: TypeId| all(&[heap.has(x), prover.layout.typed(x, object)]);
        Ok(match definition {
            Definition::Union(a, b) | Definition::Inter(a, b) => {
                let first = self.definition(state, heap, a, x, mode, depth)?;
                let second = self.definition(state, heap, b, x, mode, depth)?;
                let (Some(first), Some(second)) = (first, second) else { return Ok(None) };
                let is_union = matches!(definition, Definition::Union(..));
                Some(if is_union { any(&[first, second]) } else { all(&[first, second]) })
            }
            Definition::Named(other) => self.defined(state, heap, *other, x, mode, depth + 1)?,
            Definition::Flag { object, field, constant } => {
                let holds = match (constant, heap.fields.get(field).cloned()) {
                    (Constant::Bool(true), Some(version)) => self.flag(&version, x),
                    (Constant::Bool(false), Some(version)) => not(&self.flag(&version, x)),
                    _ => mode.unknown().into(),
                };
                Some(all(&[there(self, *object), holds]))
            }
            Definition::Heap { object, formula } => {
                let says = self.about(state, heap, formula, &Bound::default().with(0, x), mode)?;
                says.map(|says| all(&[there(self, *object), says]))
            }
        })
    }
}

fn same_truth(a: &str, b: &str) -> String {
    if a == b { "true".into() } else { format!("({a} <=> {b})") }
}

/// What a set or Boolean of another module is now, or was when the procedure began.
fn named_elsewhere(state: &mut State, when: When, primed: bool, variable: SpecVarId, is_set: bool) -> String {
    let heap = if when == When::Later && !primed { &*state.entry } else { &state.heap };
    heap.elsewhere.get(&variable).cloned().unwrap_or_else(|| {
        state.elsewhere.insert(variable, is_set);
        elsewhere(variable)
    })
}

/// The name of a set or Boolean of another module, as long as no call has changed it.
pub fn elsewhere(variable: SpecVarId) -> String {
    format!("Z{}", variable.0)
}
