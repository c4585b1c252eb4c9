//! One state of all those that differ only in which object is which: the others are left out.
//!
//! Objects of a type are numbered, 0 to n - 1, and no code depends on the numbers (see [`super::space`]), so any renumbering of a
//! state is as good as the state. The one that is kept is numbered as a traversal meets the objects: the module's variables and what
//! their arrays hold, and arrays among the arguments, then what the fields of object 0 of each type hold, of object 1, and so on. If
//! nothing before its turn refers to the next number, it goes to the first argument that has none yet, or else to any object. So the
//! structure comes first, level by level, and objects outside of it last, which makes its shapes easy to tell apart.
//!
//! As a condition: what refers to object i + 1 comes after something that refers to object i, or after the turn of i; and if nothing
//! refers to i before its turn, the arguments are null or have numbers below i, up to one that is i. Kept: every state has such a
//! numbering, by the traversal itself. Objects that are not there are met by nothing and come last; their fields are null, which nobody
//! can see.

use super::code::At;
use super::model::{Model, Objects};
use crate::program::TypeId;
use ir::{CompareOp, Expr, LocalId, LogicOp, MethodId, Stmt, Ty};

/// The locals of the method that is made: the number that is asked about, the number whose turn it is, two truth values, whether each
/// argument has a number below the one that is asked about, and an index per dimension of an array.
#[derive(Clone, Copy)]
struct Locals {
    i: LocalId,
    turn: LocalId,
    seen: LocalId,
    is_so: LocalId,
    numbered: LocalId,
    index: LocalId,
}

impl Model<'_> {
    /// A declarative method with these parameters: the objects are numbered as the traversal meets them.
    pub fn is_numbered(&mut self, parameters: Vec<(String, Ty)>) -> MethodId {
        let at = At(self.span);
        let first = parameters.len() as u32 + 1;
        let local = |k| LocalId(first + k);
        let given: Vec<Expr> =
            parameters.iter().enumerate().map(|(k, (_, ty))| at.local(LocalId(k as u32 + 1), *ty)).collect();
        let locals = Locals {
            i: local(0),
            turn: local(1),
            seen: local(2),
            is_so: local(3),
            numbered: local(4),
            index: local(4 + given.len() as u32),
        };
        let method = self.method("is numbered as met", parameters.clone(), Ty::Bool, at.0);
        let mut dimensions = 0;
        let mut body = vec![at.run(at.set_local(locals.is_so, at.bool(true)))];
        let mut labels = 0;
        let mut label = || {
            labels += 1;
            labels - 1
        };
        for object in self.types() {
            let objects = self.objects(object);
            let mut each = vec![at.run(at.set_local(locals.seen, at.bool(false)))];
            let next_is_there =
                at.field(&self.ir, self.numbered(at, &objects, self.next(at, locals)), objects.is_there);
            let is_there =
                at.field(&self.ir, self.numbered(at, &objects, at.local(locals.i, Ty::Int)), objects.is_there);
            each.push(self.require(at, locals, at.or(at.not(next_is_there), is_there)));
            let arrays = given.iter().filter(|g| matches!(g.ty, Ty::Array(_))).cloned();
            for root in self.variables(at).into_iter().chain(arrays) {
                self.meet(at, locals, &objects, root, 0, &mut dimensions, &mut label, &mut each);
            }
            for (turn, fields) in self.turns(at, object, locals) {
                let mut met = Vec::new();
                for field in fields {
                    self.meet(at, locals, &objects, field, 0, &mut dimensions, &mut label, &mut met);
                }
                if met.is_empty() {
                    continue;
                }
                each.push(at.run(at.set_local(locals.turn, at.int(0))));
                let step = at.set_local(locals.turn, at.add(at.local(locals.turn, Ty::Int), at.int(1)));
                each.push(at.while_loop(label(), turn, met, vec![step]));
            }
            let of_type = given.iter().enumerate().filter(|(_, g)| g.ty == Ty::Class(objects.class));
            let of_type: Vec<(LocalId, &Expr)> =
                of_type.map(|(k, g)| (LocalId(locals.numbered.0 + k as u32), g)).collect();
            let mut is_its_turn = at.bool(true);
            for &(numbered, argument) in of_type.iter().rev() {
                body.push(at.run(at.set_local(numbered, at.same(argument.clone(), at.null()))));
                let is_it = at.same(argument.clone(), self.numbered(at, &objects, at.local(locals.i, Ty::Int)));
                let is_numbered = at.local(numbered, Ty::Bool);
                is_its_turn = at.logic(LogicOp::Or, is_it, at.logic(LogicOp::And, is_numbered, is_its_turn));
            }
            let seen = at.local(locals.seen, Ty::Bool);
            each.push(self.require(at, locals, at.logic(LogicOp::Or, seen, is_its_turn)));
            for &(numbered, argument) in &of_type {
                let is_it = at.same(argument.clone(), self.numbered(at, &objects, at.local(locals.i, Ty::Int)));
                let now = at.logic(LogicOp::Or, at.local(numbered, Ty::Bool), is_it);
                each.push(at.run(at.set_local(numbered, now)));
            }
            body.push(at.run(at.set_local(locals.i, at.int(0))));
            let all = self.of_state(at, objects.all);
            let has_next = at.compare(CompareOp::Lt, self.next(at, locals), at.length(all));
            let step = at.set_local(locals.i, self.next(at, locals));
            body.push(at.while_loop(label(), has_next, each, vec![step]));
        }
        body.push(at.ret(at.local(locals.is_so, Ty::Bool)));
        let mut types = vec![Ty::Int, Ty::Int, Ty::Bool, Ty::Bool];
        types.extend(vec![Ty::Bool; given.len()]);
        types.extend(vec![Ty::Int; dimensions]);
        self.define(method, types, body, true);
        method
    }

    fn next(&self, at: At, locals: Locals) -> Expr {
        at.add(at.local(locals.i, Ty::Int), at.int(1))
    }

    fn numbered(&self, at: At, objects: &Objects, number: Expr) -> Expr {
        at.element(&self.ir, self.of_state(at, objects.all), number)
    }

    /// The module's variables that hold objects, or arrays of them.
    fn variables(&self, at: At) -> Vec<Expr> {
        self.users_fields(self.state).into_iter().map(|f| self.of_state(at, f)).collect()
    }

    /// The fields of the objects whose turn comes before that of object i of a type, with the condition that it does.
    fn turns(&mut self, at: At, object: TypeId, locals: Locals) -> Vec<(Expr, Vec<Expr>)> {
        let mut turns = Vec::new();
        for other in self.types() {
            let objects = self.objects(other);
            let (turn, i) = (at.local(locals.turn, Ty::Int), at.local(locals.i, Ty::Int));
            let is_before = at.compare(if other < object { CompareOp::Le } else { CompareOp::Lt }, turn.clone(), i);
            let all = self.of_state(at, objects.all);
            let is_one = at.compare(CompareOp::Lt, turn.clone(), at.length(all));
            let x = self.numbered(at, &objects, turn);
            let fields =
                self.users_fields(objects.class).into_iter().map(|f| at.field(&self.ir, x.clone(), f)).collect();
            turns.push((at.and(is_before, is_one), fields));
        }
        turns
    }

    /// A value, or what an array holds, is met.
    #[allow(clippy::too_many_arguments, reason = "the state of one traversal")]
    fn meet(
        &self,
        at: At,
        locals: Locals,
        objects: &Objects,
        value: Expr,
        depth: u32,
        dimensions: &mut usize,
        label: &mut dyn FnMut() -> u32,
        code: &mut Vec<Stmt>,
    ) {
        match value.ty {
            Ty::Class(class) if class == objects.class => {
                let is_next = at.same(value.clone(), self.numbered(at, objects, self.next(at, locals)));
                let is_it = at.same(value, self.numbered(at, objects, at.local(locals.i, Ty::Int)));
                let seen = at.local(locals.seen, Ty::Bool);
                code.push(self.require(at, locals, at.logic(LogicOp::Or, at.not(is_next), seen.clone())));
                code.push(at.run(at.set_local(locals.seen, at.logic(LogicOp::Or, seen, is_it))));
            }
            Ty::Array(array) => {
                let index = LocalId(locals.index.0 + depth);
                let element = at.element(&self.ir, value.clone(), at.local(index, Ty::Int));
                let mut inner = Vec::new();
                self.meet(at, locals, objects, element, depth + 1, dimensions, label, &mut inner);
                if inner.is_empty() {
                    return;
                }
                *dimensions = (*dimensions).max(depth as usize + 1);
                let _ = array;
                code.push(at.run(at.set_local(index, at.int(0))));
                let condition = at.compare(CompareOp::Lt, at.local(index, Ty::Int), at.length(value.clone()));
                let step = at.set_local(index, at.add(at.local(index, Ty::Int), at.int(1)));
                let each = at.while_loop(label(), condition, inner, vec![step]);
                code.push(at.cond(at.not_null(value), vec![each], Vec::new()));
            }
            _ => {}
        }
    }

    fn require(&self, at: At, locals: Locals, condition: Expr) -> Stmt {
        at.run(at.set_local(locals.is_so, at.logic(LogicOp::And, at.local(locals.is_so, Ty::Bool), condition)))
    }
}
