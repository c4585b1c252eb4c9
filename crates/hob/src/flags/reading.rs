//! Formulas of the specification language as facts: each name gets the value it has at a moment.

use super::vocabulary::{Tracked, Vocabulary};
use crate::program::*;
use rustc_hash::FxHashMap;
use sets::{Compare, Formula as Fact, Sort, Term, Var};

/// Values that variables have at some moment.
#[derive(Clone, Copy)]
pub enum Moment<'a> {
    Entry,
    Now,
    /// As in the map, and as now where it says nothing.
    Before(&'a FxHashMap<Tracked, Var>),
}

#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// An object as the set of itself.
    Set(Term),
    Bool(Fact),
    Int(i64),
    /// An int: for some constants whether it has that value, in [`super::walk::Walk::numbers`].
    Number(usize),
    /// Of a type that is not followed.
    Other,
}

/// How names are read: unprimed and primed variables, and what stands for a local.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    pub unprimed: Moment<'a>,
    pub primed: Moment<'a>,
    /// None: the procedure's own locals, as they are now.
    pub locals: Option<&'a [Value]>,
}

impl Reading<'_> {
    /// The procedure's own contract, assertions and invariants.
    pub const OWN: Reading<'static> = Reading { unprimed: Moment::Entry, primed: Moment::Now, locals: None };
    /// What holds now, written without primes.
    pub const NOW: Reading<'static> = Reading { unprimed: Moment::Now, primed: Moment::Now, locals: None };
}

impl<'p> Vocabulary<'p> {
    fn at(&self, moment: Moment, what: Tracked) -> Option<Var> {
        let pair = self.tracked.get(&what)?;
        Some(match moment {
            Moment::Entry => pair.entry,
            Moment::Now => pair.now,
            Moment::Before(map) => map.get(&what).copied().unwrap_or(pair.now),
        })
    }

    /// The value of a spec variable. One that the module cannot see is a fresh one: nothing is known of it (docs/hob.md, "Scopes and
    /// invariants").
    pub fn spec_set(&mut self, id: SpecVarId, moment: Moment) -> Term {
        if let Some(definition) = self.definition(id) {
            return self.own_set(definition, moment);
        }
        let var = self.at(moment, Tracked::Spec(id)).unwrap_or_else(|| self.hidden(id));
        self.store.set(var)
    }

    /// A set of the module as a term over its base sets.
    fn own_set(&mut self, definition: &'p Definition, moment: Moment) -> Term {
        match definition {
            Definition::Union(a, b) => {
                let parts = [self.own_set(a, moment), self.own_set(b, moment)];
                self.store.union(parts)
            }
            Definition::Inter(a, b) => {
                let parts = [self.own_set(a, moment), self.own_set(b, moment)];
                self.store.inter(parts)
            }
            Definition::Named(id) => self.spec_set(*id, moment),
            Definition::Flag { field, constant, .. } => match self.at(moment, Tracked::Base(*field, *constant)) {
                Some(var) => self.store.set(var),
                None => self.store.empty(),
            },
            Definition::Heap { .. } => self.store.empty(),
        }
    }

    pub fn spec_bool(&mut self, id: SpecVarId, moment: Moment) -> Fact {
        let var = self.at(moment, Tracked::Spec(id)).unwrap_or_else(|| self.hidden(id));
        self.store.boolean(var)
    }

    fn hidden(&mut self, id: SpecVarId) -> Var {
        let sort = if self.program.spec_var(id).kind == SpecVarKind::Bool { Sort::Bool } else { Sort::Set };
        let like = self.store.variable(&self.program.name_from(self.module, id), sort);
        self.store.fresh(like)
    }

    /// `S' = S`, or `b' <=> b`, between two moments.
    pub fn unchanged(&mut self, id: SpecVarId, from: Moment, to: Moment) -> Fact {
        if self.program.spec_var(id).kind == SpecVarKind::Bool {
            let (a, b) = (self.spec_bool(id, to), self.spec_bool(id, from));
            self.store.iff(a, b)
        } else {
            let (a, b) = (self.spec_set(id, to), self.spec_set(id, from));
            self.store.equal(a, b)
        }
    }

    pub fn formula(&mut self, f: &Formula, reading: Reading) -> Fact {
        self.formula_under(f, reading, &mut FxHashMap::default())
    }

    /// A set without bound variables in it.
    pub fn set_of(&mut self, set: &SetExpr, reading: Reading) -> Term {
        self.set_expr(set, reading, &FxHashMap::default())
    }

    fn formula_under(&mut self, f: &Formula, reading: Reading, bound: &mut FxHashMap<u32, Var>) -> Fact {
        match &f.kind {
            FormulaKind::True => self.store.truth(true),
            FormulaKind::False => self.store.truth(false),
            FormulaKind::Bool(name) => self.bool_name(*name, reading),
            FormulaKind::Equal(a, b) => {
                let (a, b) = (self.set_expr(a, reading, bound), self.set_expr(b, reading, bound));
                self.store.equal(a, b)
            }
            FormulaKind::NotEqual(a, b) => {
                let (a, b) = (self.set_expr(a, reading, bound), self.set_expr(b, reading, bound));
                self.store.not_equal(a, b)
            }
            FormulaKind::Subset(a, b) => {
                let (a, b) = (self.set_expr(a, reading, bound), self.set_expr(b, reading, bound));
                self.store.subset(a, b)
            }
            FormulaKind::Card(set, op, count) => {
                let set = self.set_expr(set, reading, bound);
                let compare = match op {
                    CardOp::Equal => Compare::Equal,
                    CardOp::AtMost => Compare::AtMost,
                    CardOp::AtLeast => Compare::AtLeast,
                };
                self.store.card(set, compare, *count)
            }
            FormulaKind::Disjoint(sets) => {
                let sets: Vec<Term> = sets.iter().map(|s| self.set_expr(s, reading, bound)).collect();
                self.store.disjoint(sets)
            }
            FormulaKind::Not(inner) => {
                let inner = self.formula_under(inner, reading, bound);
                self.store.not(inner)
            }
            FormulaKind::And(parts) => {
                let parts: Vec<Fact> = parts.iter().map(|p| self.formula_under(p, reading, bound)).collect();
                self.store.and(parts)
            }
            FormulaKind::Or(parts) => {
                let parts: Vec<Fact> = parts.iter().map(|p| self.formula_under(p, reading, bound)).collect();
                self.store.or(parts)
            }
            FormulaKind::Implies(a, b) => {
                let (a, b) = (self.formula_under(a, reading, bound), self.formula_under(b, reading, bound));
                self.store.implies(a, b)
            }
            FormulaKind::Iff(a, b) => {
                let (a, b) = (self.formula_under(a, reading, bound), self.formula_under(b, reading, bound));
                self.store.iff(a, b)
            }
            FormulaKind::Quantified { exists, variable, name, set, body } => {
                let like = self.store.variable(name, Sort::Set);
                let var = self.store.fresh(like);
                bound.insert(*variable, var);
                let body = self.formula_under(body, reading, bound);
                bound.remove(variable);
                if *set {
                    return if *exists { self.store.exists(&[var], body) } else { self.store.forall(&[var], body) };
                }
                // Over singletons. The original puts a conjunction under `forall` too: always false (docs/hob.md, "Where we differ from the
                // original").
                let term = self.store.set(var);
                let single = self.store.card(term, Compare::Equal, 1);
                if *exists {
                    let body = self.store.and([single, body]);
                    self.store.exists(&[var], body)
                } else {
                    let body = self.store.implies(single, body);
                    self.store.forall(&[var], body)
                }
            }
            // Not interpreted here: it may be true or false.
            FormulaKind::Uninterpreted(text) => {
                let like = self.store.variable(&format!("\"{}\"", text.text), Sort::Bool);
                let var = self.store.fresh(like);
                self.opaque.insert(var, "it has a formula for a theorem prover".to_owned());
                self.store.boolean(var)
            }
            FormulaKind::Heap(_) => {
                let like = self.store.variable("about the heap", Sort::Bool);
                let var = self.store.fresh(like);
                self.opaque.insert(var, "it has a formula about the heap".to_owned());
                self.store.boolean(var)
            }
            FormulaKind::OverRelation(id) => {
                let name = self.program.name_from(self.module, *id);
                let like = self.store.variable(&format!("about {name}"), Sort::Bool);
                let var = self.store.fresh(like);
                self.opaque.insert(var, format!("`{name}` is a relation: nothing about it is decided"));
                self.store.boolean(var)
            }
        }
    }

    /// Why some part of the fact is not interpreted, so that a model of its negation shows nothing.
    pub fn opaque_part(&self, fact: Fact) -> Option<&String> {
        self.store.free(fact).iter().find_map(|var| self.opaque.get(var))
    }

    fn bool_name(&mut self, name: NameRef, reading: Reading) -> Fact {
        let moment = if name.primed { reading.primed } else { reading.unprimed };
        match name.subject {
            Subject::SpecVar(id) => self.spec_bool(id, moment),
            Subject::Local(id) => match self.local(id, reading) {
                Value::Bool(fact) => fact,
                _ => self.store.truth(true),
            },
            Subject::Bound(_) => self.store.truth(true),
        }
    }

    pub fn local(&mut self, id: LocalId, reading: Reading) -> Value {
        if let Some(locals) = reading.locals {
            return locals.get(id.index()).copied().unwrap_or(Value::Other);
        }
        match self.now(Tracked::Local(id)) {
            Some(var) if self.store.sort(var) == Sort::Set => Value::Set(self.store.set(var)),
            Some(var) => Value::Bool(self.store.boolean(var)),
            None => Value::Other,
        }
    }

    fn set_expr(&mut self, e: &SetExpr, reading: Reading, bound: &FxHashMap<u32, Var>) -> Term {
        match e {
            SetExpr::Empty => self.store.empty(),
            SetExpr::Name(name) => {
                let moment = if name.primed { reading.primed } else { reading.unprimed };
                match name.subject {
                    Subject::SpecVar(id) => self.spec_set(id, moment),
                    Subject::Local(id) => match self.local(id, reading) {
                        Value::Set(term) => term,
                        _ => self.store.empty(),
                    },
                    Subject::Bound(id) => match bound.get(&id) {
                        Some(var) => self.store.set(*var),
                        None => self.store.empty(),
                    },
                }
            }
            SetExpr::Union(a, b) => {
                let parts = [self.set_expr(a, reading, bound), self.set_expr(b, reading, bound)];
                self.store.union(parts)
            }
            SetExpr::Inter(a, b) => {
                let parts = [self.set_expr(a, reading, bound), self.set_expr(b, reading, bound)];
                self.store.inter(parts)
            }
            SetExpr::Diff(a, b) => {
                let (a, b) = (self.set_expr(a, reading, bound), self.set_expr(b, reading, bound));
                self.store.diff(a, b)
            }
        }
    }
}
