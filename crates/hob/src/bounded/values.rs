//! What a state of the module is made of, as declarative code: that it refers only to objects that are there, and holds only integers
//! of the space; how long its longest array is; and that all of it is as at the start of the program.

use super::code::{At, THIS};
use super::fold::{Env, Fold, Name};
use super::model::{Model, Role};
use crate::program::Type;
use ir::{CompareOp, Expr, FieldId, LocalId, LogicOp, MethodId, Ty};
use rustc_hash::FxHashMap;

/// The variable of loops over objects that are made here.
pub const EACH: u32 = u32::MAX - 1;

/// What is asked of the values that a state holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    /// Null, or an object that is there; so are the elements of an array. An integer of the space.
    IsThere,
    /// 0, false or null.
    IsDefault,
}

impl Model<'_> {
    /// A declarative method: variables, fields and elements refer to objects that are there.
    pub fn refers_to_what_is_there(&mut self) -> MethodId {
        self.of_all_values("refers to what is there", Question::IsThere)
    }

    /// A declarative method: every variable and every field has its default value.
    pub fn is_default(&mut self) -> MethodId {
        self.of_all_values("is as at the start", Question::IsDefault)
    }

    /// A declarative method with parameters of these types: they are there.
    pub fn are_there(&mut self, parameters: Vec<(String, Ty)>, types: &[Type]) -> MethodId {
        let at = At(self.span);
        let mut arrays = FxHashMap::default();
        let mut parts = Vec::new();
        for (i, ((_, made), ty)) in parameters.iter().zip(types).enumerate() {
            let value = at.local(LocalId(i as u32 + 1), *made);
            parts.push(self.ask(at, Question::IsThere, value, ty, &mut arrays));
        }
        self.returning("are there", parameters, at.all(parts))
    }

    fn of_all_values(&mut self, name: &str, question: Question) -> MethodId {
        let at = At(self.span);
        let mut arrays = FxHashMap::default();
        let mut parts = Vec::new();
        for (field, ty) in self.asked_of(self.state, question) {
            let value = self.of_state(at, field);
            parts.push(self.ask(at, question, value, &ty, &mut arrays));
        }
        for object in self.types() {
            let class = self.objects(object).class;
            let fields = self.asked_of(class, question);
            if fields.is_empty() {
                continue;
            }
            parts.push(self.over_objects(at, &Env::default(), Fold::All, (EACH, object), |model, env| {
                let mut parts = Vec::new();
                for (field, ty) in fields {
                    let Some(x) = env.read(at, Name::Bound(EACH)) else { continue };
                    let value = at.field(&model.ir, x, field);
                    parts.push(model.ask(at, question, value, &ty, &mut arrays));
                }
                at.all(parts)
            }));
        }
        self.returning(name, Vec::new(), at.all(parts))
    }

    /// At the start, the sets of other modules are empty as well.
    fn asked_of(&self, class: ir::ClassId, question: Question) -> Vec<(FieldId, Type)> {
        let fields = self.ir.class(class).fields.iter().copied();
        fields
            .filter_map(|f| match self.roles[f.index()] {
                Role::Global(global) => Some((f, self.hob.globals[global.index()].ty.clone())),
                Role::Field(field) => Some((f, self.hob.field(field).ty.clone())),
                Role::Chosen(at) if question == Question::IsThere => {
                    let chosen = &self.chosen[at as usize];
                    (!chosen.is_later).then(|| (f, chosen.ty.clone()))
                }
                Role::Foreign(_) if question == Question::IsDefault => Some((f, Type::Bool)),
                _ => None,
            })
            .collect()
    }

    /// The fields of a class that the user declared.
    pub fn users_fields(&self, class: ir::ClassId) -> Vec<FieldId> {
        let fields = self.ir.class(class).fields.iter().copied();
        fields.filter(|f| matches!(self.roles[f.index()], Role::Global(_) | Role::Field(_))).collect()
    }

    /// Whether a value is null or an object that is there now, or an integer of the space.
    pub fn is_of_state(&mut self, at: At, value: Expr, ty: &Type) -> Expr {
        self.ask(at, Question::IsThere, value, ty, &mut FxHashMap::default())
    }

    fn ask(
        &mut self,
        at: At,
        question: Question,
        value: Expr,
        ty: &Type,
        arrays: &mut FxHashMap<Type, MethodId>,
    ) -> Expr {
        if question == Question::IsDefault {
            return match value.ty {
                Ty::Bool => at.not(value),
                Ty::Int => at.compare(CompareOp::Eq, value, at.int(0)),
                _ => at.same(value, at.null()),
            };
        }
        match ty {
            Type::Object(object) => {
                let is_there = self.objects(*object).is_there;
                let is_there = at.field(&self.ir, value.clone(), is_there);
                at.or(at.same(value, at.null()), is_there)
            }
            Type::Array(element) if self.is_asked(element) => {
                let method = self.elements_are_there(at, value.ty, element, arrays);
                let call = at.call(method, vec![self.this(at), value.clone()], Ty::Bool);
                at.or(at.same(value, at.null()), call)
            }
            Type::Int | Type::Byte if self.is_asked(ty) => self.is_of_space(at, value),
            _ => at.bool(true),
        }
    }

    /// Whether not all that fits a value of that type is there.
    fn is_asked(&self, ty: &Type) -> bool {
        match ty {
            Type::Object(_) => true,
            Type::Array(element) => self.is_asked(element),
            Type::Int | Type::Byte => !self.integers.far.is_empty(),
            _ => false,
        }
    }

    /// The integer is in one of the ranges of the space.
    fn is_of_space(&mut self, at: At, value: Expr) -> Expr {
        let between = |from: Expr, to: Expr| {
            let after = at.compare(CompareOp::Le, from, value.clone());
            at.and(after, at.compare(CompareOp::Le, value.clone(), to))
        };
        let (least, most) = self.integers.near;
        let n = self.bound(at);
        let near = [between(at.int(least), n), between(at.int(least), at.int(most))];
        let far = self.integers.far.clone();
        at.any(near.into_iter().chain(far.into_iter().map(|(from, to)| between(at.int(from), at.int(to)))))
    }

    fn elements_are_there(
        &mut self,
        at: At,
        array: Ty,
        element: &Type,
        arrays: &mut FxHashMap<Type, MethodId>,
    ) -> MethodId {
        if let Some(&method) = arrays.get(element) {
            return method;
        }
        let method = self.method("elements are there", vec![("a".to_string(), array)], Ty::Bool, at.0);
        arrays.insert(element.clone(), method);
        let a = at.local(LocalId(1), array);
        let value = at.element(&self.ir, a.clone(), at.local(LocalId(3), Ty::Int));
        let one = self.ask(at, Question::IsThere, value, element, arrays);
        let sum = at.logic(LogicOp::And, at.local(LocalId(2), Ty::Bool), one);
        let body = vec![
            at.run(at.set_local(LocalId(2), at.bool(true))),
            self.each_index(at, a, LocalId(3), at.run(at.set_local(LocalId(2), sum))),
            at.ret(at.local(LocalId(2), Ty::Bool)),
        ];
        self.define(method, vec![Ty::Bool, Ty::Int], body, true);
        method
    }

    /// `for (i = 0; i < a.length; i++)`; the local starts as 0.
    fn each_index(&self, at: At, array: Expr, index: LocalId, body: ir::Stmt) -> ir::Stmt {
        let i = || at.local(index, Ty::Int);
        let start = at.run(at.set_local(index, at.int(0)));
        let condition = at.compare(CompareOp::Lt, i(), at.length(array));
        let step = at.set_local(index, at.add(i(), at.int(1)));
        at.stmt(ir::StmtKind::Block(vec![start, at.while_loop(0, condition, vec![body], vec![step])]))
    }

    /// The length of the longest array that these variables, and fields of objects, hold; 0 without any.
    pub fn longest(&mut self, at: At, mut holders: Vec<FieldId>) -> Expr {
        holders.sort_unstable();
        holders.dedup();
        let method = match self.longest.get(&holders) {
            Some(&method) => method,
            None => {
                let method = self.make_longest(&holders);
                self.longest.insert(holders, method);
                method
            }
        };
        at.call(method, vec![self.this(at)], Ty::Int)
    }

    fn make_longest(&mut self, holders: &[FieldId]) -> MethodId {
        let at = At(self.span);
        let mut arrays = FxHashMap::default();
        let mut body = vec![at.run(at.set_local(LocalId(1), at.int(0)))];
        let most = LocalId(1);
        let keep = |value: Expr| {
            let greater = at.compare(CompareOp::Gt, value.clone(), at.local(most, Ty::Int));
            at.run(at.set_local(most, at.conditional(greater, value, at.local(most, Ty::Int))))
        };
        for field in self.users_fields(self.state).into_iter().filter(|f| holders.contains(f)) {
            let value = self.of_state(at, field);
            body.push(keep(self.longest_of(at, value, &mut arrays)));
        }
        let mut locals = vec![Ty::Int];
        let mut labels = 0;
        for object in self.types() {
            let objects = self.objects(object);
            let fields: Vec<FieldId> =
                self.users_fields(objects.class).into_iter().filter(|f| holders.contains(f)).collect();
            if fields.is_empty() {
                continue;
            }
            let class = Ty::Class(objects.class);
            let (x, i) = (LocalId(1 + locals.len() as u32), LocalId(2 + locals.len() as u32));
            locals.extend([class, Ty::Int]);
            let mut inner = Vec::new();
            for field in fields {
                let value = at.field(&self.ir, at.local(x, class), field);
                let is_there = at.field(&self.ir, at.local(x, class), objects.is_there);
                let length = self.longest_of(at, value, &mut arrays);
                inner.push(keep(at.conditional(is_there, length, at.int(0))));
            }
            let all = self.of_state(at, objects.all);
            let mut old = vec![at.run(at.set_local(x, at.element(&self.ir, all.clone(), at.local(i, Ty::Int))))];
            old.extend(inner.iter().cloned());
            body.extend([
                at.run(at.set_local(i, at.int(0))),
                at.while_loop(
                    labels,
                    at.compare(CompareOp::Lt, at.local(i, Ty::Int), at.length(all)),
                    old,
                    vec![at.set_local(i, at.add(at.local(i, Ty::Int), at.int(1)))],
                ),
                at.run(at.set_local(x, self.of_state(at, objects.made))),
                at.while_loop(
                    labels + 1,
                    at.not_null(at.local(x, class)),
                    inner,
                    vec![at.set_local(x, at.field(&self.ir, at.local(x, class), objects.made_before))],
                ),
            ]);
            labels += 2;
        }
        body.push(at.ret(at.local(most, Ty::Int)));
        let method = self.method("longest array", Vec::new(), Ty::Int, at.0);
        self.define(method, locals, body, true);
        method
    }

    /// The length of an array or of the longest array in it, 0 for null.
    fn longest_of(&mut self, at: At, array: Expr, arrays: &mut FxHashMap<ir::ArrayId, MethodId>) -> Expr {
        let Ty::Array(id) = array.ty else { return at.int(0) };
        let call = |model: &Self, method, array: Expr| at.call(method, vec![model.this(at), array], Ty::Int);
        if let Some(&method) = arrays.get(&id) {
            return call(self, method, array);
        }
        let method = self.method("length", vec![("a".to_string(), Ty::Array(id))], Ty::Int, at.0);
        arrays.insert(id, method);
        let (a, most) = (at.local(LocalId(THIS.0 + 1), Ty::Array(id)), LocalId(2));
        let mut body = vec![
            at.cond(at.same(a.clone(), at.null()), vec![at.ret(at.int(0))], Vec::new()),
            at.run(at.set_local(most, at.length(a.clone()))),
        ];
        if let Ty::Array(_) = self.ir.element_ty(id) {
            let element = at.element(&self.ir, a.clone(), at.local(LocalId(3), Ty::Int));
            let inner = self.longest_of(at, element, arrays);
            let greater = at.compare(CompareOp::Gt, inner.clone(), at.local(most, Ty::Int));
            let longer = at.conditional(greater, inner, at.local(most, Ty::Int));
            body.push(self.each_index(at, a, LocalId(3), at.run(at.set_local(most, longer))));
        }
        body.push(at.ret(at.local(most, Ty::Int)));
        self.define(method, vec![Ty::Int, Ty::Int], body, true);
        call(self, method, array)
    }
}
