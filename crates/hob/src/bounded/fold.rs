//! Loops over all objects of a type, as methods: all, any, how many.
//!
//! What goes in: a condition on one object. What comes out: a call of a method that asks it of every object that is there, and of
//! every object that the run made. An object comes with its number among those there may be at the beginning, -1 if it is new.

use super::code::{At, THIS};
use super::model::Model;
use crate::program::{HeapTerm, LocalId, TypeId};
use ir::{CompareOp, Expr, LogicOp, MethodId, Ty};

/// What a method knows beside the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Name {
    /// A variable of the procedure.
    Local(LocalId),
    /// A bound variable.
    Bound(u32),
    /// The number of the object that a bound variable is.
    Number(u32),
}

/// The parameters of the method whose code is made, after the state.
#[derive(Clone, Default, Debug)]
pub struct Env {
    names: Vec<(Name, Ty, Option<TypeId>)>,
    /// Bound variables that stand for no object that there is, and for which of those.
    outside: Vec<(u32, u32)>,
    /// Integers that are an index of no array.
    beyond: Vec<u32>,
}

impl Env {
    #[must_use]
    pub fn with(&self, name: Name, ty: Ty, object: Option<TypeId>) -> Env {
        let mut env = self.clone();
        env.names.push((name, ty, object));
        env
    }

    #[must_use]
    pub fn with_outsider(&self, variable: u32, outsider: u32) -> Env {
        let mut env = self.clone();
        env.outside.push((variable, outsider));
        env
    }

    /// The integer is an index of no array, itself or with a constant added.
    #[must_use]
    pub fn with_beyond(&self, variable: u32) -> Env {
        let mut env = self.clone();
        env.beyond.push(variable);
        env
    }

    pub fn beyond(&self) -> &[u32] {
        &self.beyond
    }

    /// How many outsiders the variables around may stand for.
    pub fn outsiders(&self) -> u32 {
        self.outside.iter().map(|(_, outsider)| outsider + 1).max().unwrap_or(0)
    }

    pub fn is_outsider(&self, variable: u32, outsider: u32) -> bool {
        self.outside.contains(&(variable, outsider))
    }

    pub fn parameters(&self) -> Vec<(String, Ty)> {
        self.names.iter().map(|(name, ty, _)| (format!("{name:?}"), *ty)).collect()
    }

    /// The last of the name: an inner variable hides an outer one.
    pub fn read(&self, at: At, name: Name) -> Option<Expr> {
        let place = self.names.iter().rposition(|(n, ..)| *n == name)?;
        Some(at.local(ir::LocalId(place as u32 + 1), self.names[place].1))
    }

    /// Whether a bound variable stands for a set.
    pub fn is_set(&self, variable: u32) -> bool {
        self.names.iter().any(|(n, ty, _)| *n == Name::Bound(variable) && *ty == Ty::Int)
    }

    /// The type of objects of a name.
    pub fn object(&self, name: Name) -> Option<TypeId> {
        self.names.iter().rev().find(|(n, ..)| *n == name)?.2
    }

    /// Whether all variables of a term are known here.
    pub fn knows(&self, term: &HeapTerm) -> bool {
        match term {
            HeapTerm::Null | HeapTerm::Int(_) | HeapTerm::Bool(_) | HeapTerm::Global(_) | HeapTerm::Local(_) => true,
            HeapTerm::Bound(variable) => self.names.iter().any(|(n, ..)| *n == Name::Bound(*variable)),
            HeapTerm::Field(a, _) | HeapTerm::Length(a) => self.knows(a),
            HeapTerm::Index(a, b) | HeapTerm::Arithmetic(_, a, b) => self.knows(a) && self.knows(b),
        }
    }

    /// All of them, as arguments of a call with the same ones first.
    pub fn arguments(&self, at: At, model: &Model<'_>) -> Vec<Expr> {
        let names = self.names.iter().enumerate();
        let locals = names.map(|(i, (_, ty, _))| at.local(ir::LocalId(i as u32 + 1), *ty));
        std::iter::once(model.this(at)).chain(locals).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    All,
    Any,
    Count,
}

impl Model<'_> {
    pub fn over_objects(
        &mut self,
        at: At,
        env: &Env,
        fold: Fold,
        (variable, object): (u32, TypeId),
        condition: impl FnOnce(&mut Self, &Env) -> Expr,
    ) -> Expr {
        let objects = self.objects(object);
        let class = Ty::Class(objects.class);
        let inner = env.with(Name::Bound(variable), class, Some(object)).with(Name::Number(variable), Ty::Int, None);
        let condition = condition(self, &inner);
        let Some(x) = inner.read(at, Name::Bound(variable)) else { return at.bool(false) };
        let is_there = at.field(&self.ir, x, objects.is_there);
        let value = match fold {
            Fold::All => at.or(at.not(is_there), condition),
            Fold::Any => at.and(is_there, condition),
            Fold::Count => at.conditional(at.and(is_there, condition), at.int(1), at.int(0)),
        };
        let each = self.returning("each", inner.parameters(), value);
        let whole = self.every(at, env, fold, object, each);
        at.call(whole, env.arguments(at, self), if fold == Fold::Count { Ty::Int } else { Ty::Bool })
    }

    /// The method that calls `each` for every object.
    fn every(&mut self, at: At, env: &Env, fold: Fold, object: TypeId, each: MethodId) -> MethodId {
        let objects = self.objects(object);
        let (class, result) = (Ty::Class(objects.class), if fold == Fold::Count { Ty::Int } else { Ty::Bool });
        let parameters = env.parameters();
        let first = parameters.len() as u32 + 1;
        let (sum, index, new) = (ir::LocalId(first), ir::LocalId(first + 1), ir::LocalId(first + 2));
        let method = self.method("every", parameters, result, at.0);
        let read = |local, ty| at.local(local, ty);
        let add = |model: &Self, x: Expr, number: Expr| {
            let mut arguments = env.arguments(at, model);
            arguments.extend([x, number]);
            let one = at.call(each, arguments, result);
            let so_far = read(sum, result);
            at.run(at.set_local(
                sum,
                match fold {
                    Fold::All => at.logic(LogicOp::And, so_far, one),
                    Fold::Any => at.logic(LogicOp::Or, so_far, one),
                    Fold::Count => at.add(so_far, one),
                },
            ))
        };
        let start = match fold {
            Fold::All => at.bool(true),
            Fold::Any => at.bool(false),
            Fold::Count => at.int(0),
        };
        let all = || self.of_state(at, objects.all);
        let i = || read(index, Ty::Int);
        let next = at.field(&self.ir, read(new, class), objects.made_before);
        let body = vec![
            at.run(at.set_local(sum, start)),
            at.run(at.set_local(index, at.int(0))),
            at.while_loop(
                0,
                at.compare(CompareOp::Lt, i(), at.length(all())),
                vec![add(self, at.element(&self.ir, all(), i()), i())],
                vec![at.set_local(index, at.add(i(), at.int(1)))],
            ),
            at.run(at.set_local(new, self.of_state(at, objects.made))),
            at.while_loop(
                1,
                at.not_null(read(new, class)),
                vec![add(self, read(new, class), at.int(-1))],
                vec![at.set_local(new, next)],
            ),
            at.ret(read(sum, result)),
        ];
        self.define(method, vec![result, Ty::Int, class], body, true);
        method
    }

    /// How many objects of a type there may be: those of the beginning, whether they are there or not, and new ones.
    pub fn count(&mut self, at: At, object: TypeId) -> Expr {
        let objects = self.objects(object);
        let class = Ty::Class(objects.class);
        if let Some(&method) = self.counts.get(&object) {
            return at.call(method, vec![self.this(at)], Ty::Int);
        }
        let method = self.method("count", Vec::new(), Ty::Int, at.0);
        let (sum, new) = (ir::LocalId(THIS.0 + 1), ir::LocalId(THIS.0 + 2));
        let read = |local, ty| at.local(local, ty);
        let body = vec![
            at.run(at.set_local(sum, at.length(self.of_state(at, objects.all)))),
            at.run(at.set_local(new, self.of_state(at, objects.made))),
            at.while_loop(
                0,
                at.not_null(read(new, class)),
                vec![at.run(at.set_local(sum, at.add(read(sum, Ty::Int), at.int(1))))],
                vec![at.set_local(new, at.field(&self.ir, read(new, class), objects.made_before))],
            ),
            at.ret(read(sum, Ty::Int)),
        ];
        self.define(method, vec![Ty::Int, class], body, true);
        self.counts.insert(object, method);
        at.call(method, vec![self.this(at)], Ty::Int)
    }
}
