//! Formulas of the specification language as declarative code, and membership of objects in sets.
//!
//! Sets of the module are computed by their definition; unprimed names after the beginning of a procedure are looked up in what was
//! kept then ([`Model::old`]). Sets of other modules are Booleans of objects that nothing but calls changes. An equation of sets is asked
//! of every object there is. A quantifier ranges over them, of all types, and over outsiders: the universe is infinite (docs/hob.md,
//! "Specification"), so there are always objects that are in no set and that no variable holds, as many as there are quantifiers.

use super::code::At;
use super::fold::{Env, Fold, Name};
use super::model::Model;
use crate::program::*;
use ir::{CompareOp, Expr, ExprKind, LogicOp, MethodId, Ty};
use source::Diagnostic;

/// When a formula is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Unprimed names are what they are now: a precondition, an invariant.
    Entry,
    /// Unprimed names are what they were when the procedure began.
    Later,
    /// Unprimed names are what they were when a procedure of another module was called, of what it changes.
    Called,
}

/// The object that an atom is asked of; no quantifier is within an atom.
pub const ELEMENT: u32 = u32::MAX;

impl Model<'_> {
    pub fn formula(&mut self, f: &Formula, env: &Env, when: When) -> Expr {
        let at = At(f.span);
        match &f.kind {
            FormulaKind::True => at.bool(true),
            FormulaKind::False => at.bool(false),
            FormulaKind::Bool(name) => self.boolean(at, *name, env, when),
            FormulaKind::Equal(a, b) => self.equal(at, a, b, env, when),
            FormulaKind::NotEqual(a, b) => at.not(self.equal(at, a, b, env, when)),
            FormulaKind::Subset(a, b) => {
                self.every_element(at, [a, b], env, when, |inside, also| at.or(at.not(inside), also))
            }
            FormulaKind::Card(set, op, number) => {
                let mut count = at.int(0);
                for object in self.types_of(set, env) {
                    let here = self.over_objects(at, env, Fold::Count, (ELEMENT, object), |model, env| {
                        model.member(at, set, object, env, when)
                    });
                    count = at.add(count, here);
                }
                let others = (0..env.outsiders()).filter(|&o| has_outsider(set, o, env)).count();
                count = at.add(count, at.int(others as i64));
                let op = match op {
                    CardOp::Equal => CompareOp::Eq,
                    CardOp::AtMost => CompareOp::Le,
                    CardOp::AtLeast => CompareOp::Ge,
                };
                at.compare(op, count, at.int(i64::from(*number).min(i32::MAX.into())))
            }
            FormulaKind::Disjoint(sets) => {
                let mut parts = Vec::new();
                for (i, a) in sets.iter().enumerate() {
                    for b in &sets[i + 1..] {
                        parts.push(self.every_element(at, [a, b], env, when, |x, y| at.not(at.and(x, y))));
                    }
                }
                at.all(parts)
            }
            FormulaKind::Not(a) => at.not(self.formula(a, env, when)),
            FormulaKind::And(parts) => {
                let parts: Vec<Expr> = parts.iter().map(|p| self.formula(p, env, when)).collect();
                at.all(parts)
            }
            FormulaKind::Or(parts) => {
                let parts: Vec<Expr> = parts.iter().map(|p| self.formula(p, env, when)).collect();
                at.any(parts)
            }
            FormulaKind::Implies(a, b) => {
                let (a, b) = (self.formula(a, env, when), self.formula(b, env, when));
                at.or(at.not(a), b)
            }
            FormulaKind::Iff(a, b) => {
                let (a, b) = (self.formula(a, env, when), self.formula(b, env, when));
                at.logic(LogicOp::Eq, a, b)
            }
            FormulaKind::Quantified { set: true, name, exists, variable, body } => {
                self.over_sets(at, *exists, *variable, body, env, when).unwrap_or_else(|| {
                    let message = format!(
                        "the plugin `bounded` does not follow `{name}` over all sets beside its size or another quantifier"
                    );
                    let problem = Diagnostic::error("hob-bounded-set-quantifier", f.span, message)
                        .label("ranges over sets of objects")
                        .help("quantify over objects, or leave this procedure to another plugin");
                    at.unsupported(problem, Ty::Bool)
                })
            }
            FormulaKind::Quantified { exists, variable, body, .. } => {
                let fold = if *exists { Fold::Any } else { Fold::All };
                let mut parts = Vec::new();
                for object in self.types() {
                    parts.push(
                        self.over_objects(at, env, fold, (*variable, object), |model, env| {
                            model.formula(body, env, when)
                        }),
                    );
                }
                // One more than the quantifiers around may have taken.
                for outsider in 0..=env.outsiders() {
                    parts.push(self.formula(body, &env.with_outsider(*variable, outsider), when));
                }
                if *exists { at.any(parts) } else { at.all(parts) }
            }
            FormulaKind::Heap(formula) => self.heap_formula(at, formula, env),
            FormulaKind::OverRelation(relation) => {
                let message =
                    format!("`{}` is a relation: nothing about it is decided", self.hob.spec_var(*relation).name);
                at.unsupported(Diagnostic::error("hob-relation", f.span, message), Ty::Bool)
            }
            FormulaKind::Uninterpreted(_) => {
                let problem = Diagnostic::error("hob-bounded-text", f.span, "this formula cannot be read")
                    .label("written for a theorem prover")
                    .help("say it with sets, or leave this procedure to another plugin");
                at.unsupported(problem, Ty::Bool)
            }
        }
    }

    fn equal(&mut self, at: At, a: &SetExpr, b: &SetExpr, env: &Env, when: When) -> Expr {
        self.every_element(at, [a, b], env, when, |x, y| match (&x.kind, &y.kind) {
            (ExprKind::Bool(x), ExprKind::Bool(y)) => at.bool(x == y),
            _ => at.logic(LogicOp::Eq, x, y),
        })
    }

    /// A relation of the memberships in two sets, of every object that may be in one of them.
    fn every_element(
        &mut self,
        at: At,
        [a, b]: [&SetExpr; 2],
        env: &Env,
        when: When,
        relation: impl Fn(Expr, Expr) -> Expr,
    ) -> Expr {
        let mut types = self.types_of(a, env);
        types.extend(self.types_of(b, env));
        types.sort_unstable();
        types.dedup();
        let mut parts = Vec::new();
        for object in types {
            parts.push(self.over_objects(at, env, Fold::All, (ELEMENT, object), |model, env| {
                let first = model.member(at, a, object, env, when);
                let second = model.member(at, b, object, env, when);
                relation(first, second)
            }));
        }
        for o in 0..env.outsiders() {
            parts.push(relation(at.bool(has_outsider(a, o, env)), at.bool(has_outsider(b, o, env))));
        }
        at.all(parts)
    }

    /// The types of the objects that a set may hold.
    fn types_of(&mut self, set: &SetExpr, env: &Env) -> Vec<TypeId> {
        match set {
            SetExpr::Empty => Vec::new(),
            SetExpr::Union(a, b) | SetExpr::Inter(a, b) | SetExpr::Diff(a, b) => {
                let mut types = self.types_of(a, env);
                types.extend(self.types_of(b, env));
                types.sort_unstable();
                types.dedup();
                types
            }
            SetExpr::Name(name) => match name.subject {
                Subject::SpecVar(variable) => self.types_of_variable(variable),
                Subject::Local(local) => env.object(Name::Local(local)).into_iter().collect(),
                Subject::Bound(bound) if env.is_set(bound) => self.types(),
                Subject::Bound(bound) => env.object(Name::Bound(bound)).into_iter().collect(),
            },
        }
    }

    pub fn types_of_variable(&mut self, variable: SpecVarId) -> Vec<TypeId> {
        match (self.definitions.get(&variable), self.hob.spec_var(variable).kind) {
            (Some(set), _) => {
                let mut types = Vec::new();
                self.types_of_definition(&set.definition, &mut types, 0);
                types.sort_unstable();
                types.dedup();
                types
            }
            (None, SpecVarKind::Set(Some(object))) => {
                self.objects(object);
                vec![object]
            }
            (None, SpecVarKind::Set(None)) => self.types(),
            (None, SpecVarKind::Bool | SpecVarKind::Relation) => Vec::new(),
        }
    }

    fn types_of_definition(&self, definition: &Definition, types: &mut Vec<TypeId>, depth: usize) {
        match definition {
            Definition::Union(a, b) | Definition::Inter(a, b) => {
                self.types_of_definition(a, types, depth);
                self.types_of_definition(b, types, depth);
            }
            // A set defined by itself is an error elsewhere.
            Definition::Named(other) if depth < self.definitions.len() => {
                if let Some(set) = self.definitions.get(other) {
                    self.types_of_definition(&set.definition, types, depth + 1);
                }
            }
            Definition::Named(_) => {}
            Definition::Flag { object, .. } | Definition::Heap { object, .. } => types.push(*object),
        }
    }

    /// Whether the object that an atom is asked of is in a set.
    pub fn member(&mut self, at: At, set: &SetExpr, object: TypeId, env: &Env, when: When) -> Expr {
        match set {
            SetExpr::Empty => at.bool(false),
            SetExpr::Union(a, b) => {
                let (a, b) = (self.member(at, a, object, env, when), self.member(at, b, object, env, when));
                at.or(a, b)
            }
            SetExpr::Inter(a, b) => {
                let (a, b) = (self.member(at, a, object, env, when), self.member(at, b, object, env, when));
                at.and(a, b)
            }
            SetExpr::Diff(a, b) => {
                let (a, b) = (self.member(at, a, object, env, when), self.member(at, b, object, env, when));
                at.and(a, at.not(b))
            }
            SetExpr::Name(name) => {
                let Some(x) = env.read(at, Name::Bound(ELEMENT)) else { return at.bool(false) };
                let other = match name.subject {
                    Subject::SpecVar(variable) => {
                        if when == When::Called && !name.primed && self.called.contains(&variable) {
                            let kept = self.at_call(variable, Some(object));
                            return at.field(&self.ir, x, kept);
                        }
                        let is_old = when == When::Later && !name.primed && self.may_move(variable);
                        if !is_old {
                            return self.in_set(at, variable, object, x);
                        }
                        let kept = self.old(variable, Some(object));
                        let Some(number) = env.read(at, Name::Number(ELEMENT)) else { return at.bool(false) };
                        let was_there = at.compare(CompareOp::Ge, number.clone(), at.int(0));
                        let was_in = at.element(&self.ir, self.of_state(at, kept), number);
                        return at.and(was_there, was_in);
                    }
                    Subject::Local(local) => Name::Local(local),
                    Subject::Bound(bound) => Name::Bound(bound),
                };
                match env.read(at, other) {
                    Some(set) if set.ty == Ty::Int => self.in_subset(at, set, object, env),
                    Some(y) if env.object(other) == Some(object) => at.same(x, y),
                    _ => at.bool(false),
                }
            }
        }
    }

    /// Whether the module's code may change it. A set that nobody defines stays what it is, as those of other modules do.
    pub fn is_own(&self, variable: SpecVarId) -> bool {
        self.definitions.contains_key(&variable) || self.predvars.contains_key(&variable)
    }

    /// Whether it may change while a procedure of the module runs: its own, and those of other modules that calls change.
    pub fn may_move(&self, variable: SpecVarId) -> bool {
        self.is_own(variable) || self.changing.contains(&variable)
    }

    /// Whether an object is in a set now.
    pub fn in_set(&mut self, at: At, variable: SpecVarId, object: TypeId, x: Expr) -> Expr {
        if !self.is_own(variable) {
            let field = self.foreign(variable, Some(object));
            return at.field(&self.ir, x, field);
        }
        let method = self.member_method(variable, object);
        at.call(method, vec![self.this(at), x], Ty::Bool)
    }

    fn member_method(&mut self, variable: SpecVarId, object: TypeId) -> MethodId {
        if let Some(&method) = self.members.get(&(variable, object)) {
            return method;
        }
        let Some(&set) = self.definitions.get(&variable) else {
            let at = At(self.hob.spec_var(variable).span);
            return self.returning("in", Vec::new(), at.bool(false));
        };
        let class = Ty::Class(self.objects(object).class);
        let name = format!("in {}", self.hob.spec_var(variable).name);
        let method = self.method(&name, vec![("x".to_string(), class)], Ty::Bool, set.span);
        // Known before it is made: a definition by itself does not end, and is an error elsewhere.
        self.members.insert((variable, object), method);
        let env = Env::default().with(Name::Bound(0), class, Some(object));
        let value = self.defined(At(set.span), &set.definition, object, &env);
        self.define(method, Vec::new(), vec![At(set.span).ret(value)], true);
        method
    }

    fn defined(&mut self, at: At, definition: &Definition, object: TypeId, env: &Env) -> Expr {
        let x = || env.read(at, Name::Bound(0)).unwrap_or_else(|| at.null());
        match definition {
            Definition::Union(a, b) => {
                let (a, b) = (self.defined(at, a, object, env), self.defined(at, b, object, env));
                at.or(a, b)
            }
            Definition::Inter(a, b) => {
                let (a, b) = (self.defined(at, a, object, env), self.defined(at, b, object, env));
                at.and(a, b)
            }
            Definition::Named(other) => self.in_set(at, *other, object, x()),
            Definition::Flag { object: of, field, constant } if *of == object => {
                let field = self.field_of(*field);
                let value = at.field(&self.ir, x(), field);
                match *constant {
                    Constant::Bool(true) => value,
                    Constant::Bool(false) => at.not(value),
                    Constant::Int(c) if i32::try_from(c).is_err() => at.bool(false),
                    Constant::Int(c) => at.compare(CompareOp::Eq, value, at.int(c)),
                }
            }
            Definition::Heap { object: of, formula } if *of == object => self.heap_formula(at, formula, env),
            Definition::Flag { .. } | Definition::Heap { .. } => at.bool(false),
        }
    }

    fn boolean(&mut self, at: At, name: NameRef, env: &Env, when: When) -> Expr {
        let other = match name.subject {
            Subject::SpecVar(variable) => {
                if when == When::Called && !name.primed && self.called.contains(&variable) {
                    let kept = self.at_call(variable, None);
                    return self.of_state(at, kept);
                }
                if when == When::Later && !name.primed && self.may_move(variable) {
                    let kept = self.old(variable, None);
                    return self.of_state(at, kept);
                }
                return self.boolean_now(at, variable);
            }
            Subject::Local(local) => Name::Local(local),
            Subject::Bound(bound) => Name::Bound(bound),
        };
        match env.read(at, other) {
            Some(value) if value.ty == Ty::Bool => value,
            _ => at.bool(false),
        }
    }

    /// What a spec Boolean is now.
    pub fn boolean_now(&mut self, at: At, variable: SpecVarId) -> Expr {
        if !self.is_own(variable) {
            let field = self.foreign(variable, None);
            return self.of_state(at, field);
        }
        match self.predvars.get(&variable) {
            Some(&global) => {
                let field = self.global(global);
                self.of_state(at, field)
            }
            // Not the module's own: see above.
            None => at.bool(false),
        }
    }
}

/// Whether an object that is in no set is the one that a bound variable stands for.
fn has_outsider(set: &SetExpr, outsider: u32, env: &Env) -> bool {
    let has = |set| has_outsider(set, outsider, env);
    match set {
        SetExpr::Empty => false,
        SetExpr::Union(a, b) => has(a) || has(b),
        SetExpr::Inter(a, b) => has(a) && has(b),
        SetExpr::Diff(a, b) => has(a) && !has(b),
        SetExpr::Name(name) => match name.subject {
            Subject::Bound(variable) => env.is_outsider(variable, outsider),
            Subject::SpecVar(_) | Subject::Local(_) => false,
        },
    }
}
