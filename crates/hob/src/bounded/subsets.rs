//! Quantifiers over sets: every set of the objects there are, each with and without an object outside of all other sets.
//!
//! A set is a number whose bits say which objects are in it; those of all types have places one after the other. An outsider more or less
//! is all that a condition without sizes and further quantifiers can tell of a set beside that, so others are refused.

use super::code::At;
use super::fold::{Env, Name};
use super::model::Model;
use super::spec::{ELEMENT, When};
use crate::program::*;
use ir::{BinaryOp as Op, CompareOp, Expr, LocalId as Slot, LogicOp, MethodId, Ty};

impl Model<'_> {
    /// None if the condition can tell more than that.
    pub fn over_sets(
        &mut self,
        at: At,
        exists: bool,
        variable: u32,
        body: &Formula,
        env: &Env,
        when: When,
    ) -> Option<Expr> {
        if env.outsiders() > 0 || !is_plain(body, variable) {
            return None;
        }
        let inner = env.with(Name::Bound(variable), Ty::Int, None);
        let without = self.formula(body, &inner, when);
        let with = self.formula(body, &inner.with_outsider(variable, 0), when);
        let (one, op) =
            if exists { (at.or(without, with), LogicOp::Or) } else { (at.and(without, with), LogicOp::And) };
        let each = self.returning("each set", inner.parameters(), one);

        let parameters = env.parameters();
        let first = parameters.len() as u32 + 1;
        let (sum, set, end) = (Slot(first), Slot(first + 1), Slot(first + 2));
        let method = self.method("every set", parameters, Ty::Bool, at.0);
        let mut places = at.int(0);
        for object in self.types() {
            places = at.add(places, self.count(at, object));
        }
        let (so_far, n) = (at.local(sum, Ty::Bool), || at.local(set, Ty::Int));
        let mut arguments = env.arguments(at, self);
        arguments.push(n());
        let asked = at.logic(op, so_far.clone(), at.call(each, arguments, Ty::Bool));
        let body = vec![
            at.run(at.set_local(sum, at.bool(!exists))),
            at.run(at.set_local(set, at.int(0))),
            at.run(at.set_local(end, at.binary(Op::Shl, at.int(1), places))),
            at.while_loop(
                0,
                at.compare(CompareOp::Lt, n(), at.local(end, Ty::Int)),
                vec![at.run(at.set_local(sum, asked))],
                vec![at.set_local(set, at.add(n(), at.int(1)))],
            ),
            at.ret(so_far),
        ];
        self.define(method, vec![Ty::Bool, Ty::Int, Ty::Int], body, true);
        Some(at.call(method, env.arguments(at, self), Ty::Bool))
    }

    /// Whether the object that an atom is asked of is in a quantified set.
    pub fn in_subset(&mut self, at: At, set: Expr, object: TypeId, env: &Env) -> Expr {
        let (Some(x), Some(number)) = (env.read(at, Name::Bound(ELEMENT)), env.read(at, Name::Number(ELEMENT))) else {
            return at.bool(false);
        };
        let place = self.place_of(at, object);
        let place = at.call(place, vec![self.this(at), x, number], Ty::Int);
        let bit = at.binary(Op::And, at.binary(Op::Shr, set, place), at.int(1));
        at.compare(CompareOp::Eq, bit, at.int(1))
    }

    /// A method: the place of an object, after those of types before its own. New ones come after those of the state.
    fn place_of(&mut self, at: At, object: TypeId) -> MethodId {
        let objects = self.objects(object);
        let class = Ty::Class(objects.class);
        let parameters = vec![("x".to_string(), class), ("number".to_string(), Ty::Int)];
        let method = self.method("place", parameters, Ty::Int, at.0);
        let (x, number, sum, other) = (Slot(1), Slot(2), Slot(3), Slot(4));
        let mut before = at.int(0);
        for earlier in self.types().into_iter().take_while(|t| *t != object) {
            before = at.add(before, self.count(at, earlier));
        }
        let (number, sum_now) = (at.local(number, Ty::Int), || at.local(sum, Ty::Int));
        let is_old = at.compare(CompareOp::Ge, number.clone(), at.int(0));
        let all = at.length(self.of_state(at, objects.all));
        let made_before = |of| at.field(&self.ir, at.local(of, class), objects.made_before);
        let body = vec![
            at.run(at.set_local(sum, before)),
            at.cond(is_old, vec![at.ret(at.add(sum_now(), number))], Vec::new()),
            at.run(at.set_local(sum, at.add(sum_now(), all))),
            at.run(at.set_local(other, made_before(x))),
            at.while_loop(
                0,
                at.not_null(at.local(other, class)),
                vec![at.run(at.set_local(sum, at.add(sum_now(), at.int(1))))],
                vec![at.set_local(other, made_before(other))],
            ),
            at.ret(sum_now()),
        ];
        self.define(method, vec![Ty::Int, class], body, true);
        method
    }
}

/// Neither quantifiers, nor sizes of what has the set in it.
fn is_plain(formula: &Formula, variable: u32) -> bool {
    let is = |f: &Formula| is_plain(f, variable);
    match &formula.kind {
        FormulaKind::Quantified { .. } | FormulaKind::OverRelation(_) | FormulaKind::Uninterpreted(_) => false,
        FormulaKind::Card(set, ..) => !mentions(set, variable),
        FormulaKind::Not(a) => is(a),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().all(is),
        FormulaKind::Implies(a, b) | FormulaKind::Iff(a, b) => is(a) && is(b),
        _ => true,
    }
}

fn mentions(set: &SetExpr, variable: u32) -> bool {
    match set {
        SetExpr::Empty => false,
        SetExpr::Union(a, b) | SetExpr::Inter(a, b) | SetExpr::Diff(a, b) => {
            mentions(a, variable) || mentions(b, variable)
        }
        SetExpr::Name(name) => name.subject == Subject::Bound(variable),
    }
}
