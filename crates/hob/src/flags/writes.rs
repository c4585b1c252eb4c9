//! Assignments (docs/hob.md, "Statements"): variables, fields, elements.

use super::indexes::Variable;
use super::oblige::{Blame, Goal, Kind};
use super::reading::Value;
use super::spots::Spot;
use super::vocabulary::Tracked;
use super::walk::{Walk, constant};
use crate::depends::Touch;
use crate::program::*;
use sets::{Compare, Formula as Fact, Var};
use source::Span;

impl<'p> Walk<'_, 'p> {
    /// An int variable is followed as several Booleans.
    pub fn assign_local(&mut self, fact: Fact, local: LocalId, value: Value, source: Option<&Expr>) -> Fact {
        let fact = self.lead_elsewhere(fact, Variable::Local(local), source);
        let mut fact = self.assign_tracked(fact, Tracked::Local(local), value);
        let ranges = self.ranges(|int| int.hangs_on(local));
        if !ranges.is_empty() {
            let step = self.step(fact, ranges);
            fact = self.end_step(step, []);
        }
        let whats = self.v.numbers_of(local);
        if whats.is_empty() {
            return fact;
        }
        let mut relation = Vec::new();
        let mut bound = Vec::new();
        for what in &whats {
            let Tracked::Number(_, constant) = what else { continue };
            if let (Some(is), Some(now)) = (self.number_is(value, *constant), self.v.now(*what)) {
                let var = self.v.temp_bool();
                let b = self.v.store.boolean(var);
                let same = self.v.store.iff(b, is);
                fact = self.v.store.and([fact, same]);
                relation.push(self.same(now, var));
                bound.push(var);
            }
        }
        let mut step = self.step(fact, whats);
        step.hats.extend(bound);
        self.end_step(step, relation)
    }

    /// What is followed of a variable: itself, what it is as an int, what is where it leads to.
    pub fn hanging_on(&self, local: LocalId) -> Vec<Tracked> {
        let mut found = self.spots(|spot| spot.hangs_on(Variable::Local(local)));
        found.extend(self.gaps(Variable::Local(local)));
        found.extend(self.ranges(|int| int.hangs_on(local)));
        found.extend(self.v.numbers_of(local));
        found.push(Tracked::Local(local));
        found
    }

    /// Whether an int has that value, if that is followed.
    pub fn number_is(&mut self, value: Value, constant: i64) -> Option<Fact> {
        match value {
            Value::Int(n) => Some(self.v.store.truth(n == constant)),
            Value::Number(at) => self.numbers[at].iter().find(|(c, _)| *c == constant).map(|(_, fact)| *fact),
            _ => None,
        }
    }

    pub fn assign(&mut self, fact: Fact, place: &'p Place, value: &'p Expr) -> Fact {
        match place {
            Place::Local(local) => {
                let (fact, assigned) = self.eval(fact, value);
                self.assign_local(fact, *local, assigned, Some(value))
            }
            Place::Global(global) => {
                let (fact, assigned) = self.eval(fact, value);
                let fact = self.touch(fact, &Touch::Global(*global));
                let fact = self.lead_elsewhere(fact, Variable::Global(*global), Some(value));
                let what = self.v.global(*global).unwrap_or(Tracked::Spot(Spot::Global(*global)));
                self.assign_tracked(fact, what, assigned)
            }
            Place::Field(object, field) => {
                let (fact, object_value) = self.eval(fact, object);
                let constant = constant(value);
                let (fact, value) = self.eval(fact, value);
                let fact = self.dereference(fact, object_value, object.span);
                self.write_field(fact, object_value, *field, constant, value)
            }
            Place::Index(array, index) => {
                let (fact, _) = self.eval(fact, array);
                let (fact, _) = self.eval(fact, index);
                let (fact, written) = self.eval(fact, value);
                let fact = self.touch(fact, &Touch::Element);
                let at = Spot::element(array, index).filter(|_| !has_effects(value));
                self.write_element(fact, array, at, written)
            }
        }
    }

    pub fn assign_tracked(&mut self, fact: Fact, what: Tracked, value: Value) -> Fact {
        let Some(pair) = self.v.tracked.get(&what).copied() else { return fact };
        // The value may mention the variable itself: it is bound to a name of its own first.
        let (bound, equation) = match value {
            Value::Set(term) => {
                let var = self.v.hat(pair.now);
                let set = self.v.store.set(var);
                (var, self.v.store.equal(set, term))
            }
            Value::Bool(formula) => {
                let var = self.v.temp_bool();
                let b = self.v.store.boolean(var);
                (var, self.v.store.iff(b, formula))
            }
            Value::Other | Value::Int(_) | Value::Number(_) => {
                let step = self.step(fact, [what]);
                return self.end_step(step, []);
            }
        };
        let fact = self.v.store.and([fact, equation]);
        let mut step = self.step(fact, [what]);
        step.hats.push(bound);
        let assigned = self.same(pair.now, bound);
        self.end_step(step, [assigned])
    }

    /// Sets of the module that another plugin defines may be any afterwards.
    pub fn touch(&mut self, fact: Fact, touch: &Touch) -> Fact {
        let touched = self.v.touched(touch);
        if touched.is_empty() {
            return fact;
        }
        let step = self.step(fact, touched);
        self.end_step(step, [])
    }

    /// `x.f = c`, `x.f = b`, `x.f = *` (docs/hob.md, "Statements").
    pub fn write_field(
        &mut self,
        fact: Fact,
        object: Value,
        field: FieldId,
        constant: Option<Constant>,
        value: Value,
    ) -> Fact {
        let fact = self.touch(fact, &Touch::Field(field));
        let fact = self.write_object(fact, object, field, value);
        let fact = self.write_array(fact, object, field);
        let over = self.v.over_field(field);
        let Value::Set(object) = object else { return fact };
        if over.is_empty() {
            return fact;
        }
        let step = self.step(fact, self.ranges(|int| int.is_of(field)));
        let mut fact = self.end_step(step, []);
        // Which of the constants an int is, in names of their own: the step changes the state that it was read in.
        let mut bound: Vec<Option<Fact>> = Vec::new();
        for (_, c) in &over {
            let is = if let (None, Constant::Int(n)) = (constant, c) { self.number_is(value, *n) } else { None };
            bound.push(is.map(|is| {
                let var = self.v.temp_bool();
                self.temps.push(var);
                let b = self.v.store.boolean(var);
                let same = self.v.store.iff(b, is);
                fact = self.v.store.and([fact, same]);
                b
            }));
        }
        let step = self.step(fact, over.iter().map(|(what, _)| *what));
        let pairs: Vec<(Constant, Var, Var)> =
            over.iter().map(|(what, c)| (*c, step.before[what], self.v.tracked[what].now)).collect();
        let with = |walk: &mut Self, constant: Constant| -> Fact {
            let parts: Vec<Fact> = pairs
                .iter()
                .map(|(c, old, new)| {
                    let (old, new) = (walk.v.store.set(*old), walk.v.store.set(*new));
                    let changed =
                        if *c == constant { walk.v.store.union([old, object]) } else { walk.v.store.diff(old, object) };
                    walk.v.store.equal(new, changed)
                })
                .collect();
            walk.v.store.and(parts)
        };
        let relation = match (constant, value) {
            (Some(constant), _) => with(self, constant),
            (None, Value::Bool(b)) => {
                let (on, off) = (with(self, Constant::Bool(true)), with(self, Constant::Bool(false)));
                let not_b = self.v.store.not(b);
                let (on, off) = (self.v.store.and([b, on]), self.v.store.and([not_b, off]));
                self.v.store.or([on, off])
            }
            (None, Value::Int(_) | Value::Number(_)) => {
                let mut parts = Vec::new();
                for ((_, old, new), is) in pairs.iter().zip(&bound) {
                    let (old, new) = (self.v.store.set(*old), self.v.store.set(*new));
                    let (with, without) = (self.v.store.union([old, object]), self.v.store.diff(old, object));
                    let (mut joins, mut leaves) = (self.v.store.equal(new, with), self.v.store.equal(new, without));
                    if let Some(is) = *is {
                        let is_not = self.v.store.not(is);
                        (joins, leaves) = (self.v.store.and([is, joins]), self.v.store.and([is_not, leaves]));
                    }
                    parts.push(self.v.store.or([joins, leaves]));
                }
                self.v.store.and(parts)
            }
            // Unknown: the object may join or leave any of them, nothing else moves. The original's versions are unsound.
            (None, _) => {
                let parts: Vec<Fact> = pairs
                    .iter()
                    .map(|(_, old, new)| {
                        let (old, new) = (self.v.store.set(*old), self.v.store.set(*new));
                        let (old, new) = (self.v.store.diff(old, object), self.v.store.diff(new, object));
                        self.v.store.equal(new, old)
                    })
                    .collect();
                self.v.store.and(parts)
            }
        };
        self.end_step(step, [relation])
    }

    /// At a field access: a run that goes on has found the object; with `--check-null` it must be there.
    pub fn dereference(&mut self, fact: Fact, object: Value, span: Span) -> Fact {
        let Value::Set(object) = object else { return fact };
        let goal = self.v.store.card(object, Compare::Equal, 1);
        if !self.options.check_null {
            return self.v.store.and([fact, goal]);
        }
        self.oblige(fact, vec![Goal::new(goal, Blame::Null(span))], Kind::Null, span)
    }
}

/// Whether variables may have other values once the expression is evaluated: a place that was found before would have another name.
fn has_effects(e: &Expr) -> bool {
    let mut found = false;
    crate::visit::condition(
        e,
        &mut |e| found |= matches!(e.kind, ExprKind::Call(..) | ExprKind::Step { .. }),
        &mut |_| {},
    );
    found
}
