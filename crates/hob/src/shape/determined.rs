//! Fields that are not laid out: what they hold is known where an invariant determines it (`pointer prev : Node[this^Node.next = {prev}]`),
//! that is where exactly one value fits what the invariants say of it.

use super::execute::{State, Value};
use super::formula::Mode;
use super::heap::{Bound, all, any, not, same};
use super::layout::steps;
use super::{Prover, Shown};
use crate::program::*;
use std::fmt::Write;

impl Prover<'_> {
    /// Of which objects the invariants say what a field holds; of one that is followed, beside those of the blocks.
    pub fn determined(&mut self, state: &mut State, field: FieldId) -> Shown {
        let null = self.layout.null();
        let mut says = Vec::new();
        for invariant in self.invariants.clone() {
            let mut parts = Vec::new();
            split(&invariant.formula, &[], &mut parts);
            for (variables, part) in parts {
                says.extend(self.says_of(state, variables, part, field)?);
            }
        }
        let f = field.0;
        let declared = self.program.field(field);
        let Type::Object(target) = declared.ty else { return Ok(()) };
        let (owner, is) = (self.layout.typed("x", declared.object), self.layout.typed("y", target));
        let there = any(&[same("y", null), all(&["y in A".into(), is])]);
        let mut text = String::new();
        let [is_inside, holds_inside] = match self.layout.is_followed(field) {
            true => [format!("i{f}(x)"), format!("j{f}(x, y)")],
            false => ["false".into(), "false".into()],
        };
        if says.is_empty() {
            _ = writeln!(text, "pred k{f}(var1 x) = {is_inside};\npred f{f}(var1 x, var1 y) = {holds_inside};");
            state.say(text);
            return Ok(());
        }
        says.insert(0, not(&is_inside));
        _ = writeln!(text, "pred d{f}(var1 x, var1 y) = {owner} & x in A & {there} & {};", all(&says));
        let outside = all(&[owner, "x in A".into(), not(&is_inside)]);
        self.something_fits.push(format!("all1 x: {outside} => (ex1 y: d{f}(x, y))"));
        let is_one = format!("(ex1 y: (d{f}(x, y) & (all1 z: d{f}(x, z) => z = y)))");
        let holds = format!("(d{f}(x, y) & k{f}(x))");
        _ = writeln!(text, "pred k{f}(var1 x) = {};", any(&[is_inside, is_one]));
        _ = writeln!(text, "pred f{f}(var1 x, var1 y) = {};", any(&[holds_inside, holds]));
        state.say(text);
        Ok(())
    }

    /// What a part of an invariant says of the field of x, if it holds y: x is the one object whose field it speaks of.
    fn says_of(
        &mut self,
        state: &mut State,
        mut variables: Variables,
        body: &HeapFormula,
        field: FieldId,
    ) -> Shown<Option<String>> {
        let heap = state.heap.clone();
        let mut owners = Vec::new();
        let is_block = |from: &HeapTerm, route: &Route| match (from, route) {
            (HeapTerm::Global(g), Route::Star(step)) => self.block_of(&heap, step, &format!("g{}", g.0)).is_some(),
            _ => false,
        };
        fields_of(body, field, &is_block, &mut owners);
        let Some(first) = owners.first().cloned() else { return Ok(None) };
        let is_alone = owners.iter().all(|o| match (o, &first) {
            (HeapTerm::Bound(a), HeapTerm::Bound(b)) => a == b,
            (HeapTerm::Global(a), HeapTerm::Global(b)) => a == b,
            _ => false,
        });
        if !is_alone {
            return Ok(None);
        }
        let holds = u32::MAX;
        let instead = replaced(body, field, holds);
        let mut bound = Bound::default().with(holds, "y");
        let mut around = Vec::new();
        let owner = match &first {
            HeapTerm::Bound(of) if variables.iter().any(|(v, _)| v == of) => {
                bound = bound.with(*of, "x");
                variables.retain(|(v, _)| v != of);
                None
            }
            HeapTerm::Global(of) => match heap.globals.get(of) {
                Some(Value::Object(name)) => Some(name.clone()),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        for (variable, object) in variables {
            let name = self.fresh("q");
            bound = bound.with(variable, &name);
            around.push((name, object));
        }
        let Some(mut says) = self.about(state, &heap, &instead, &bound, Mode::May)? else { return Ok(None) };
        for (name, object) in around.into_iter().rev() {
            let domain = all(&[heap.has(&name), self.layout.typed(&name, object)]);
            says = format!("(all1 {name}: ({domain} => {says}))");
        }
        Ok(Some(match owner {
            Some(owner) => any(&[not(&same("x", &owner)), says]),
            None => says,
        }))
    }
}

/// For all of which something is said.
type Variables = Vec<(u32, TypeId)>;

/// The conjuncts, each with the universal quantifiers around it.
fn split<'f>(formula: &'f HeapFormula, around: &[(u32, TypeId)], parts: &mut Vec<(Variables, &'f HeapFormula)>) {
    match formula {
        HeapFormula::And(all) => all.iter().for_each(|part| split(part, around, parts)),
        HeapFormula::Quantified { exists: false, variable, ty: Type::Object(object), body, .. } => {
            let mut inner = around.to_vec();
            inner.push((*variable, *object));
            split(body, &inner, parts);
        }
        _ => parts.push((around.to_vec(), formula)),
    }
}

/// The objects whose field a formula speaks of.
fn fields_of(
    formula: &HeapFormula,
    field: FieldId,
    is_block: &dyn Fn(&HeapTerm, &Route) -> bool,
    owners: &mut Vec<HeapTerm>,
) {
    fn of_term(term: &HeapTerm, field: FieldId, owners: &mut Vec<HeapTerm>) {
        if let HeapTerm::Field(of, f) = term {
            if *f == field {
                owners.push((**of).clone());
            }
            of_term(of, field, owners);
        }
    }
    match formula {
        HeapFormula::Compare(_, a, b) => {
            of_term(a, field, owners);
            of_term(b, field, owners);
        }
        HeapFormula::Reach(a, route, b) => {
            let mut fields = Vec::new();
            steps(route, &mut fields);
            if fields.contains(&field) && !is_block(a, route) {
                // Of any object: none is the one.
                owners.extend([HeapTerm::Null, HeapTerm::Null]);
            }
            of_term(a, field, owners);
            of_term(b, field, owners);
        }
        HeapFormula::Holds(term) => of_term(term, field, owners),
        HeapFormula::Not(a) => fields_of(a, field, is_block, owners),
        HeapFormula::Quantified { body, .. } => fields_of(body, field, is_block, owners),
        HeapFormula::And(parts) | HeapFormula::Or(parts) => {
            parts.iter().for_each(|p| fields_of(p, field, is_block, owners));
        }
        HeapFormula::Implies(a, b) | HeapFormula::Iff(a, b) => {
            fields_of(a, field, is_block, owners);
            fields_of(b, field, is_block, owners);
        }
        HeapFormula::True | HeapFormula::False => {}
    }
}

/// The formula with a variable for what the field holds.
fn replaced(formula: &HeapFormula, field: FieldId, by: u32) -> HeapFormula {
    fn term(of: &HeapTerm, field: FieldId, by: u32) -> HeapTerm {
        match of {
            HeapTerm::Field(_, f) if *f == field => HeapTerm::Bound(by),
            HeapTerm::Field(inner, f) => HeapTerm::Field(Box::new(term(inner, field, by)), *f),
            other => other.clone(),
        }
    }
    let inside = |f: &HeapFormula| Box::new(replaced(f, field, by));
    let each = |parts: &[HeapFormula]| parts.iter().map(|p| replaced(p, field, by)).collect();
    match formula {
        HeapFormula::Compare(op, a, b) => HeapFormula::Compare(*op, term(a, field, by), term(b, field, by)),
        HeapFormula::Reach(a, route, b) => HeapFormula::Reach(term(a, field, by), route.clone(), term(b, field, by)),
        HeapFormula::Holds(of) => HeapFormula::Holds(term(of, field, by)),
        HeapFormula::Not(a) => HeapFormula::Not(inside(a)),
        HeapFormula::And(parts) => HeapFormula::And(each(parts)),
        HeapFormula::Or(parts) => HeapFormula::Or(each(parts)),
        HeapFormula::Implies(a, b) => HeapFormula::Implies(inside(a), inside(b)),
        HeapFormula::Iff(a, b) => HeapFormula::Iff(inside(a), inside(b)),
        HeapFormula::Quantified { exists, variable, name, ty, body } => HeapFormula::Quantified {
            exists: *exists,
            variable: *variable,
            name: name.clone(),
            ty: ty.clone(),
            body: inside(body),
        },
        HeapFormula::True | HeapFormula::False => formula.clone(),
    }
}
