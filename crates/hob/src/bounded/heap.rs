//! Formulas about the concrete heap as declarative code: definitions of sets, invariants of the representation.
//!
//! Kept: an atom with an undefined term (a field of null, an index out of bounds) is false, so no code made here ever throws.
//! Sums do not wrap. Quantified integers: [`super::integers`].

use super::code::At;
use super::fold::{Env, Fold, Name};
use super::model::Model;
use super::route::{State, automaton};
use crate::program::*;
use ir::{CompareOp, Expr, ExprKind, LogicOp, MethodId, Ty};
use source::Diagnostic;

/// The variable for what an element may be; ELEMENT is below it.
const START: u32 = u32::MAX - 1;

/// A term: when it has a value, the value, its type.
pub struct Term {
    pub is_defined: Expr,
    pub value: Expr,
    object: Option<TypeId>,
}

impl Model<'_> {
    pub fn heap_formula(&mut self, at: At, f: &HeapFormula, env: &Env) -> Expr {
        match f {
            HeapFormula::True => at.bool(true),
            HeapFormula::False => at.bool(false),
            HeapFormula::Not(a) => at.not(self.heap_formula(at, a, env)),
            HeapFormula::And(parts) => {
                let parts: Vec<Expr> = parts.iter().map(|p| self.heap_formula(at, p, env)).collect();
                at.all(parts)
            }
            HeapFormula::Or(parts) => {
                let parts: Vec<Expr> = parts.iter().map(|p| self.heap_formula(at, p, env)).collect();
                at.any(parts)
            }
            HeapFormula::Implies(a, b) => {
                let (a, b) = (self.heap_formula(at, a, env), self.heap_formula(at, b, env));
                at.or(at.not(a), b)
            }
            HeapFormula::Iff(a, b) => {
                let (a, b) = (self.heap_formula(at, a, env), self.heap_formula(at, b, env));
                at.logic(LogicOp::Eq, a, b)
            }
            HeapFormula::Compare(_, a, b) | HeapFormula::Reach(a, _, b) if is_beyond(a, env) || is_beyond(b, env) => {
                at.bool(false)
            }
            HeapFormula::Holds(term) if is_beyond(term, env) => at.bool(false),
            HeapFormula::Compare(op, a, b) => {
                let is_opaque = |t| matches!(self.term_type(t, env), Some(Type::Float | Type::String));
                if is_opaque(a) || is_opaque(b) {
                    let message = "the plugin `bounded` does not look into floats and texts";
                    return at.unsupported(Diagnostic::error("hob-bounded-opaque", at.0, message), Ty::Bool);
                }
                let (a, b) = (self.term(at, a, env), self.term(at, b, env));
                let holds = comparison(at, *op, a.value, b.value);
                at.all([a.is_defined, b.is_defined, holds])
            }
            HeapFormula::Holds(term) => {
                let term = self.term(at, term, env);
                at.and(term.is_defined, term.value)
            }
            HeapFormula::Reach(from, route, to) => self.reach(at, from, route, to, env),
            HeapFormula::Quantified { exists, variable, ty, body, .. } => {
                let fold = if *exists { Fold::Any } else { Fold::All };
                match ty {
                    Type::Object(object) => self.over_objects(at, env, fold, (*variable, *object), |model, env| {
                        model.heap_formula(at, body, env)
                    }),
                    Type::Int => self.over_integers(at, env, *exists, *variable, body),
                    Type::Bool => {
                        self.over_booleans(at, env, fold, *variable, |model, env| model.heap_formula(at, body, env))
                    }
                    _ => {
                        let message = "a formula about the heap quantifies over objects, integers and Booleans only";
                        let problem = Diagnostic::error("hob-bounded-quantifier", at.0, message);
                        at.unsupported(problem, Ty::Bool)
                    }
                }
            }
        }
    }

    pub fn term(&mut self, at: At, term: &HeapTerm, env: &Env) -> Term {
        let plain = |value: Expr| Term { is_defined: at.bool(true), value, object: None };
        match term {
            HeapTerm::Null => plain(at.null()),
            HeapTerm::Int(value) if i32::try_from(*value).is_err() => plain(at.expr(ExprKind::Int(*value), Ty::Long)),
            HeapTerm::Int(value) => plain(at.int(*value)),
            HeapTerm::Bool(value) => plain(at.bool(*value)),
            HeapTerm::Global(global) => {
                let field = self.global(*global);
                let object = object_of(&self.hob.globals[global.index()].ty);
                Term { object, ..plain(self.of_state(at, field)) }
            }
            HeapTerm::Local(local) => {
                let name = Name::Local(*local);
                let value = env.read(at, name).unwrap_or_else(|| at.null());
                Term { object: env.object(name), ..plain(value) }
            }
            HeapTerm::Bound(variable) => {
                let name = Name::Bound(*variable);
                let value = env.read(at, name).unwrap_or_else(|| at.null());
                Term { object: env.object(name), ..plain(value) }
            }
            HeapTerm::Field(object, field) => {
                let inner = self.term(at, object, env);
                let made = self.field_of(*field);
                let is_defined = at.and(inner.is_defined, at.not_null(inner.value.clone()));
                let value = at.field(&self.ir, inner.value, made);
                Term { is_defined, value, object: object_of(&self.hob.field(*field).ty) }
            }
            HeapTerm::Index(array, index) => {
                let (array_term, index) = (self.term(at, array, env), self.term(at, index, env));
                let a = || array_term.value.clone();
                let i = || index.value.clone();
                let is_defined = at.all([
                    array_term.is_defined.clone(),
                    index.is_defined.clone(),
                    at.not_null(a()),
                    comparison(at, BinaryOp::AtMost, at.int(0), i()),
                    comparison(at, BinaryOp::Less, i(), at.length(a())),
                ]);
                let i = match index.value.ty {
                    Ty::Long => at.expr(ExprKind::Convert(Box::new(i())), Ty::Int),
                    _ => i(),
                };
                let value = at.element(&self.ir, a(), i);
                Term { is_defined, value, object: self.element_object(array, env) }
            }
            HeapTerm::Length(array) => {
                let array = self.term(at, array, env);
                let is_defined = at.and(array.is_defined, at.not_null(array.value.clone()));
                Term { is_defined, ..plain(at.length(array.value)) }
            }
            HeapTerm::Arithmetic(op, a, b) => {
                let (a, mut b) = (self.term(at, a, env), self.term(at, b, env));
                let made = match op {
                    BinaryOp::Add => ir::BinaryOp::Add,
                    BinaryOp::Subtract => ir::BinaryOp::Sub,
                    BinaryOp::Multiply => ir::BinaryOp::Mul,
                    BinaryOp::Divide => ir::BinaryOp::Div,
                    _ => ir::BinaryOp::Rem,
                };
                if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) {
                    // Whether it has a value is asked apart: the code has one in any case.
                    let is_zero = comparison(at, BinaryOp::Equal, b.value.clone(), at.int(0));
                    b.is_defined = at.and(b.is_defined, at.not(is_zero.clone()));
                    b.value = at.conditional(is_zero, at.long(at.int(1)), at.long(b.value));
                }
                let value = at.binary_long(made, a.value, b.value);
                Term { is_defined: at.and(a.is_defined, b.is_defined), ..plain(value) }
            }
        }
    }

    /// The type of objects of an array's elements, by what the array is.
    fn element_object(&self, array: &HeapTerm, env: &Env) -> Option<TypeId> {
        match self.term_type(array, env)? {
            Type::Array(element) => object_of(&element),
            _ => None,
        }
    }

    fn term_type(&self, term: &HeapTerm, env: &Env) -> Option<Type> {
        match term {
            HeapTerm::Global(global) => Some(self.hob.globals[global.index()].ty.clone()),
            HeapTerm::Field(_, field) => Some(self.hob.field(*field).ty.clone()),
            HeapTerm::Bound(variable) => env.object(Name::Bound(*variable)).map(Type::Object),
            HeapTerm::Local(local) => env.object(Name::Local(*local)).map(Type::Object),
            HeapTerm::Index(array, _) => match self.term_type(array, env)? {
                Type::Array(element) => Some(*element),
                _ => None,
            },
            _ => None,
        }
    }

    fn reach(&mut self, at: At, from: &HeapTerm, route: &Route, to: &HeapTerm, env: &Env) -> Expr {
        // Of an element it is asked where each object leads to that it may be: the same for all elements, and for what else asks it.
        if let (HeapTerm::Index(array, _), false) = (from, is_beyond(from, env))
            && let Some(start) = self.element_object(array, env)
        {
            let y = HeapTerm::Bound(START);
            let is_it = HeapFormula::Compare(BinaryOp::Equal, y.clone(), from.clone());
            return self.over_objects(at, env, Fold::Any, (START, start), |model, env| {
                let is_it = model.heap_formula(at, &is_it, env);
                let leads = model.reach(at, &y, route, to, env);
                at.logic(LogicOp::And, is_it, leads)
            });
        }
        let (a, b) = (self.term(at, from, env), self.term(at, to, env));
        // Of null alone: nothing leads anywhere.
        let (Some(start), Some(end)) = (a.object, b.object) else { return at.bool(false) };
        let Some(states) = automaton(self.hob, route, start) else {
            let message = "a route leads over fields that hold objects";
            return at.unsupported(Diagnostic::error("hob-bounded-route", at.0, message), Ty::Bool);
        };
        let key = format!("{end:?} {states:?}");
        let methods = match self.routes.get(&key) {
            Some(methods) => methods.clone(),
            None => {
                let methods = self.route_methods(at, &states, end);
                self.routes.insert(key, methods.clone());
                methods
            }
        };
        // On the shortest way no object is met twice in one state.
        let mut steps = at.int(0);
        for (q, state) in states.iter().enumerate() {
            if states.iter().any(|s| s.next.iter().any(|(_, target)| *target == q)) {
                steps = at.add(steps, self.count(at, state.object));
            }
        }
        let arguments = vec![self.this(at), a.value, b.value, steps];
        at.all([a.is_defined, b.is_defined, at.call(methods[0], arguments, Ty::Bool)])
    }

    /// One method per state: whether y is where the rest of the route leads to from x, in so many steps at most.
    fn route_methods(&mut self, at: At, states: &[State], end: TypeId) -> Vec<MethodId> {
        let goal = Ty::Class(self.objects(end).class);
        let mut methods = Vec::new();
        for state in states {
            let class = Ty::Class(self.objects(state.object).class);
            let parameters = vec![("x".to_string(), class), ("y".to_string(), goal), ("steps".to_string(), Ty::Int)];
            methods.push(self.method("leads to", parameters, Ty::Bool, at.0));
        }
        for (state, &method) in states.iter().zip(&methods) {
            let x = || at.local(ir::LocalId(1), self.ir.methods[method.index()].locals[1].ty);
            let y = || at.local(ir::LocalId(2), goal);
            let steps = || at.local(ir::LocalId(3), Ty::Int);
            let is_there = if state.ends && state.object == end { at.same(x(), y()) } else { at.bool(false) };
            let (x, is_not_null) = (x(), at.not_null(x()));
            let mut further = Vec::new();
            for &(field, target) in &state.next {
                let field = self.field_of(field);
                let next = at.field(&self.ir, x.clone(), field);
                let fewer = at.add(steps(), at.int(-1));
                further.push(at.call(methods[target], vec![self.this(at), next, y(), fewer], Ty::Bool));
            }
            let may_go_on = at.compare(CompareOp::Gt, steps(), at.int(0));
            let value = at.and(is_not_null, at.or(is_there, at.and(may_go_on, at.any(further))));
            self.define(method, Vec::new(), vec![at.ret(value)], true);
        }
        methods
    }
}

pub fn object_of(ty: &Type) -> Option<TypeId> {
    match ty {
        Type::Object(object) => Some(*object),
        _ => None,
    }
}

/// Of two values of one type.
pub fn comparison(at: At, op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let compare = match op {
        BinaryOp::Less => CompareOp::Lt,
        BinaryOp::AtMost => CompareOp::Le,
        BinaryOp::Greater => CompareOp::Gt,
        BinaryOp::AtLeast => CompareOp::Ge,
        BinaryOp::NotEqual => CompareOp::Ne,
        _ => CompareOp::Eq,
    };
    if a.ty == Ty::Long || b.ty == Ty::Long {
        return at.compare(compare, at.long(a), at.long(b));
    }
    if a.ty == Ty::Int {
        return at.compare(compare, a, b);
    }
    let equal = if a.ty == Ty::Bool { at.logic(LogicOp::Eq, a, b) } else { at.same(a, b) };
    if compare == CompareOp::Ne { at.not(equal) } else { equal }
}

/// Whether a term has an element in it whose index is known to be out of bounds.
fn is_beyond(term: &HeapTerm, env: &Env) -> bool {
    match term {
        HeapTerm::Null
        | HeapTerm::Int(_)
        | HeapTerm::Bool(_)
        | HeapTerm::Global(_)
        | HeapTerm::Local(_)
        | HeapTerm::Bound(_) => false,
        HeapTerm::Field(a, _) | HeapTerm::Length(a) => is_beyond(a, env),
        HeapTerm::Arithmetic(_, a, b) => is_beyond(a, env) || is_beyond(b, env),
        HeapTerm::Index(array, index) => {
            let shifted = env.beyond().iter().any(|&v| crate::integers::shift(index, v).is_some());
            shifted || is_beyond(array, env) || is_beyond(index, env)
        }
    }
}
