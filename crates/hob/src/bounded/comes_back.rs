//! Calls of other modules that come back into this one: its procedures run meanwhile, from a state in which the invariants of the
//! representation hold, and leave one in which they hold again.
//!
//! So after such a call every variable and field that code may have written which runs meanwhile holds any value: the one that it held, one of
//! the state, or an object that the run itself has made. There may be objects that were not there. What of that is so is assumed afterwards: the
//! invariants, what the callee ensures, and that sets are kept which it does not list. Kept: every state after the call whose values are
//! within the bound is one of these.

use super::chosen::{TIMES, too_often};
use super::code::At;
use super::model::{Model, Role};
use crate::flags::Written;
use crate::program::*;
use ir::{CompareOp, Expr as Code, LocalId as Slot, LogicOp, MethodId, StmtKind as Kind, Ty};
use source::Diagnostic;

/// Parts of such a call, beside its result: what variables hold afterwards, and what fields of new objects do; see [`Model::becomes`].
const HOLDS: u32 = 2;

impl Model<'_> {
    /// The module's variables and fields that may be written while a callee of another module runs.
    pub fn written_by(&self, callee: ProcId) -> (Vec<GlobalId>, Vec<FieldId>) {
        let module = self.hob.module(self.module);
        if !self.effects.reaches(callee, self.module) {
            return (Vec::new(), Vec::new());
        }
        // Of code that is not there it is not known what it writes.
        let is_any = module.procs.iter().any(|p| self.hob.proc(*p).body.is_none());
        let is_written = |what: Written| is_any || self.effects.writes(callee, what);
        let globals = module.globals.iter().copied().filter(|g| is_written(Written::Global(*g)));
        let fields = module.fields.iter().copied().filter(|f| is_written(Written::Field(*f)));
        (globals.collect(), fields.collect())
    }

    pub fn comes_back_changed(&self, callee: ProcId) -> bool {
        let (globals, fields) = self.written_by(callee);
        !globals.is_empty() || !fields.is_empty()
    }

    /// The module's sets and Booleans that its code may change.
    pub fn own_variables(&self) -> Vec<SpecVarId> {
        let variables = self.hob.module(self.module).spec_vars.iter().copied();
        variables.filter(|v| self.is_own(*v)).collect()
    }

    /// Gives what may have been written any value.
    pub fn come_back(&mut self, at: At, callee: ProcId, formals: usize, locals: &mut Vec<Ty>) -> ir::Block {
        let (globals, fields) = self.written_by(callee);
        let asked = self.field(self.state, "asked", Ty::Int, Role::Asked, at.0);
        let turn = self.of_state(at, asked);
        let bound = self.bound(at);
        let mut code = vec![self.are_few(at, bound)];
        for object in self.types() {
            let objects = self.objects(object);
            let there = self.by_turn(at, objects.class, Ty::Bool, Role::ChosenIn);
            let (ir, this) = (self.ir.clone(), self.this(at));
            code.extend(self.at_each(at, &objects, formals, locals, |x, number| {
                let is_new = at.compare(CompareOp::Lt, number, at.int(0));
                let later = at.call(there, vec![this.clone(), x.clone(), turn.clone()], Ty::Bool);
                let is_there = at.logic(LogicOp::Or, at.field(&ir, x.clone(), objects.is_there), later);
                let is_there = at.logic(LogicOp::Or, is_new, is_there);
                at.set_field(x, objects.is_there, is_there)
            }));
        }
        let mut part = HOLDS;
        for global in globals {
            let ty = self.hob.globals[global.index()].ty.clone();
            let field = self.global(global);
            let Some((value, which)) = self.any_new(at, &mut part, &ty) else { continue };
            locals.extend([value.ty, Ty::Int]);
            let slots = [Slot((formals + locals.len() - 1) as u32), Slot((formals + locals.len()) as u32)];
            let old = self.of_state(at, field);
            let value = self.becomes(at, &ty, old, [value, which], slots, &mut code);
            code.push(at.run(at.set_field(self.this(at), field, value)));
        }
        for id in fields {
            let declared = self.hob.field(id);
            let (objects, field, ty) = (self.objects(declared.object), self.field_of(id), declared.ty.clone());
            let Some((of_new, which_of_new)) = self.any_new(at, &mut part, &ty) else { continue };
            let (made, class) = (of_new.ty, Ty::Class(objects.class));
            let value = self.by_turn(at, objects.class, made, Role::ChosenField(id));
            let which = self.by_turn(at, objects.class, Ty::Int, Role::ChosenWhich);
            let parameters =
                vec![("x".to_string(), class), ("number".to_string(), Ty::Int), ("turn".to_string(), Ty::Int)];
            let method = self.method("holds", parameters, made, at.0);
            let (x, number, at_turn) =
                (at.local(Slot(1), class), at.local(Slot(2), Ty::Int), at.local(Slot(3), Ty::Int));
            let old = at.field(&self.ir, x.clone(), field);
            let given = vec![self.this(at), x, at_turn];
            let of_old = [at.call(value, given.clone(), made), at.call(which, given, Ty::Int)];
            let slots = [Slot(4), Slot(5)];
            let (mut then, mut otherwise) = (Vec::new(), Vec::new());
            let value = self.becomes(at, &ty, old.clone(), [of_new, which_of_new], slots, &mut then);
            then.push(at.ret(value));
            let value = self.becomes(at, &ty, old, of_old, slots, &mut otherwise);
            otherwise.push(at.ret(value));
            let is_new = at.compare(CompareOp::Lt, number, at.int(0));
            self.define(method, vec![made, Ty::Int], vec![at.cond(is_new, then, otherwise)], false);
            let this = self.this(at);
            code.extend(self.at_each(at, &objects, formals, locals, |x, number| {
                let value = at.call(method, vec![this.clone(), x.clone(), number, turn.clone()], made);
                at.set_field(x, field, value)
            }));
        }
        code.push(at.run(at.set_field(self.this(at), asked, at.add(turn, at.int(1)))));
        code
    }

    /// Any value for a variable, or for a field of an object that the run has made, and which; see [`Model::becomes`]. None: nobody
    /// looks into it.
    fn any_new(&mut self, at: At, part: &mut u32, ty: &Type) -> Option<(Code, Code)> {
        if matches!(ty, Type::String | Type::Float) {
            return None;
        }
        let (value, which) = (self.chosen_by(at, *part, ty, true)?, self.chosen_by(at, *part + 1, &Type::Int, true)?);
        *part += 2;
        Some((value, which))
    }

    /// A method that takes a field of an object for each turn.
    fn by_turn(&mut self, at: At, class: ir::ClassId, ty: Ty, role: Role) -> MethodId {
        let of = Ty::Class(class);
        let method = self.method("at turn", vec![("x".to_string(), of), ("turn".to_string(), Ty::Int)], ty, at.0);
        let (x, turn) = (at.local(Slot(1), of), at.local(Slot(2), Ty::Int));
        let mut body = Vec::new();
        for k in 0..TIMES {
            let field = self.field(class, "chosen", ty, role, at.0);
            let is_it = at.compare(CompareOp::Eq, turn.clone(), at.int(k as i64));
            body.push(at.cond(is_it, vec![at.ret(at.field(&self.ir, x.clone(), field))], Vec::new()));
        }
        body.push(at.ret(at.unsupported(too_often(at, TIMES), ty)));
        self.define(method, Vec::new(), body, false);
        method
    }

    /// What a value becomes, of what it was, another one, and which: below 0 what it was, 0 the other, k > 0 the k-th of the objects that
    /// the run has made, the last one first. The two are kept in these variables.
    fn becomes(
        &mut self,
        at: At,
        ty: &Type,
        old: Code,
        [other, which]: [Code; 2],
        [other_slot, which_slot]: [Slot; 2],
        code: &mut ir::Block,
    ) -> Code {
        let made = other.ty;
        code.push(at.run(at.set_local(other_slot, other)));
        code.push(at.run(at.set_local(which_slot, which)));
        let given = |model: &Self| vec![model.this(at), old, at.local(other_slot, made), at.local(which_slot, Ty::Int)];
        // Both are declarative, that is one formula where code would go several ways.
        let parameters = vec![("old".to_string(), made), ("other".to_string(), made), ("which".to_string(), Ty::Int)];
        let (other, which) = (at.local(Slot(2), made), at.local(Slot(3), Ty::Int));
        let is_old = at.compare(CompareOp::Lt, which.clone(), at.int(0));
        let mut is_there = self.is_of_state(at, other.clone(), ty);
        let mut value = other;
        if let Type::Object(object) = ty {
            let is_made = at.compare(CompareOp::Gt, which.clone(), at.int(0));
            let of_made = at.call(self.made_at(at, *object), vec![self.this(at), which], made);
            value = at.conditional(is_made.clone(), of_made.clone(), value);
            is_there = at.conditional(is_made, at.not_null(of_made), is_there);
        }
        let value = at.conditional(is_old.clone(), at.local(Slot(1), made), value);
        let may_be = self.returning("may become", parameters.clone(), at.or(is_old, is_there));
        let becomes = self.returning("becomes", parameters, value);
        let given = given(self);
        code.push(at.stmt(Kind::Assume(at.call(may_be, given.clone(), Ty::Bool))));
        at.call(becomes, given, made)
    }

    /// A declarative method: the k-th of the objects that the run has made, or null.
    pub fn made_at(&mut self, at: At, object: TypeId) -> MethodId {
        let objects = self.objects(object);
        let class = Ty::Class(objects.class);
        let method = self.method("made", vec![("which".to_string(), Ty::Int)], class, at.0);
        let (which, x) = (at.local(Slot(1), Ty::Int), || at.local(Slot(2), class));
        let step = vec![
            at.set_local(Slot(2), at.field(&self.ir, x(), objects.made_before)),
            at.set_local(Slot(1), at.add(which.clone(), at.int(-1))),
        ];
        let is_further = at.compare(CompareOp::Gt, which, at.int(1));
        let body = vec![
            at.run(at.set_local(Slot(2), self.of_state(at, objects.made))),
            at.while_loop(0, at.and(is_further, at.not_null(x())), Vec::new(), step),
            at.ret(x()),
        ];
        self.define(method, vec![class], body, true);
        method
    }

    /// The run has made no more objects of a type than can be told apart by a number up to that one.
    pub fn are_few(&mut self, at: At, most: Code) -> ir::Stmt {
        let method = self.method("are few", Vec::new(), Ty::Void, at.0);
        let count = || at.local(Slot(1), Ty::Int);
        let (mut body, mut slots) = (Vec::new(), vec![Ty::Int]);
        for (label, object) in self.types().into_iter().enumerate() {
            let objects = self.objects(object);
            slots.push(Ty::Class(objects.class));
            let slot = Slot(slots.len() as u32);
            let x = || at.local(slot, Ty::Class(objects.class));
            let step = vec![
                at.set_local(slot, at.field(&self.ir, x(), objects.made_before)),
                at.set_local(Slot(1), at.add(count(), at.int(1))),
            ];
            let message = "the plugin `bounded` follows this only if few objects were made before";
            let problem = Diagnostic::error("hob-bounded-call", at.0, message)
                .label("here a run may go on in several ways, with any of these objects");
            let too_many = at.compare(CompareOp::Gt, count(), most.clone());
            body.extend([
                at.run(at.set_local(Slot(1), at.int(0))),
                at.run(at.set_local(slot, self.of_state(at, objects.made))),
                at.while_loop(label as u32, at.not_null(x()), Vec::new(), step),
                at.cond(too_many, vec![at.run(at.unsupported(problem, Ty::Int))], Vec::new()),
            ]);
        }
        body.push(at.stmt(Kind::Return(None)));
        self.define(method, slots, body, false);
        at.run(at.call(method, vec![self.this(at)], Ty::Void))
    }
}
