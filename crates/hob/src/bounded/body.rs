//! Procedures as methods of the state: statements, and the methods that are made for a procedure.
//!
//! Assertions, assumptions and loop invariants stand where the user wrote them, and unprimed names in them are the values at the
//! procedure's beginning. A procedure that another one of the module calls is checked there, public or private: inside the module the
//! representation may be broken, and what a procedure needs of it no contract can say. What was at the beginning of the caller is put
//! aside while it runs.

use super::code::At;
use super::contract::{conjuncts, unchanged};
use super::fold::{Env, Name};
use super::heap::object_of;
use super::model::Model;
use super::spec::When;
use crate::program::*;
use ir::{Expr as Code, LocalId as Slot, MethodId, StmtKind as Kind, Ty};
use rustc_hash::FxHashMap;
use source::Diagnostic;

/// The methods made for procedures.
#[derive(Default)]
pub struct Procs {
    bodies: FxHashMap<ProcId, MethodId>,
    requires: FxHashMap<ProcId, Vec<(MethodId, usize)>>,
    /// Declared and not defined yet.
    waiting: Vec<(ProcId, MethodId)>,
    /// Runs the body and checks the contract.
    calls: FxHashMap<ProcId, MethodId>,
    /// What such a method runs, and the clauses it checks.
    guarded: Vec<(ProcId, MethodId, MethodId, Vec<MethodId>)>,
}

impl Procs {
    /// What runs when a procedure is called from within the module: its body, then the check of its `ensures` and frame.
    pub fn call_of(&mut self, model: &mut Model<'_>, id: ProcId) -> MethodId {
        if let Some(&method) = self.calls.get(&id) {
            return method;
        }
        let body = self.body_of(model, id);
        let return_ty = model.ir.method(body).return_ty;
        let proc = model.hob.proc(id);
        let parameters = formals(model, id);
        let method = model.method(&proc.name, parameters, return_ty, proc.span);
        self.calls.insert(id, method);
        let mut clauses = Vec::new();
        for ensured in &proc.contract.ensures {
            for part in conjuncts(&ensured.formula) {
                clauses.push(clause(model, id, part, When::Later));
            }
        }
        for &variable in &proc.contract.frame {
            if model.may_move(variable) {
                let formula = unchanged(model.hob, variable, proc.contract.span);
                clauses.push(clause(model, id, &formula, When::Later));
            }
        }
        self.guarded.push((id, method, body, clauses));
        method
    }

    /// Defines the methods of [`Procs::call_of`]: everything that may have to be put aside is known.
    pub fn finish_calls(&mut self, model: &mut Model<'_>, keep: MethodId) {
        for (id, method, body, clauses) in std::mem::take(&mut self.guarded) {
            let at = At(model.hob.proc(id).span);
            let return_ty = model.ir.method(method).return_ty;
            let mut actuals = vec![model.this(at)];
            for (i, (_, ty)) in formals(model, id).into_iter().enumerate() {
                actuals.push(at.local(Slot(i as u32 + 1), ty));
            }
            let mut types = Vec::new();
            let mut temporary = |ty| {
                types.push(ty);
                Slot((actuals.len() + types.len() - 1) as u32)
            };
            let (mut code, mut back) = (Vec::new(), Vec::new());
            for &(.., field) in &model.olds {
                let ty = model.ir.field(field).ty;
                let aside = temporary(ty);
                code.push(at.run(at.set_local(aside, model.of_state(at, field))));
                back.push(at.run(at.set_field(model.this(at), field, at.local(aside, ty))));
            }
            code.push(at.run(at.call(keep, vec![model.this(at)], Ty::Void)));
            let run = at.call(body, actuals.clone(), return_ty);
            let mut given = actuals.clone();
            if return_ty == Ty::Void {
                code.push(at.run(run));
            } else {
                let result = temporary(return_ty);
                code.push(at.run(at.set_local(result, run)));
                given.push(at.local(result, return_ty));
            }
            for clause in clauses {
                let condition = at.call(clause, given.clone(), Ty::Bool);
                code.push(at.stmt(Kind::Assert { condition, message: None }));
            }
            code.extend(back);
            if return_ty != Ty::Void {
                code.extend(given.pop().map(|result| at.ret(result)));
            }
            model.define(method, types, code, false);
        }
    }

    pub fn body_of(&mut self, model: &mut Model<'_>, id: ProcId) -> MethodId {
        if let Some(&method) = self.bodies.get(&id) {
            return method;
        }
        let proc = model.hob.proc(id);
        let parameters = formals(model, id);
        let return_ty = match proc.result {
            Some(result) => model.ty(&proc.locals[result.index()].ty),
            None => Ty::Void,
        };
        let method = model.method(&proc.name, parameters, return_ty, proc.span);
        self.bodies.insert(id, method);
        self.waiting.push((id, method));
        method
    }

    /// The methods of a procedure's `requires`, each with the number of its clause.
    pub fn requires(&mut self, model: &mut Model<'_>, id: ProcId) -> Vec<(MethodId, usize)> {
        if let Some(methods) = self.requires.get(&id) {
            return methods.clone();
        }
        let clauses = &model.hob.proc(id).contract.requires;
        let methods: Vec<_> =
            clauses.iter().enumerate().map(|(i, c)| (clause(model, id, &c.formula, When::Entry), i)).collect();
        self.requires.insert(id, methods.clone());
        methods
    }

    /// Defines what was declared.
    pub fn finish(&mut self, model: &mut Model<'_>) {
        while let Some((id, method)) = self.waiting.pop() {
            let proc = model.hob.proc(id);
            let Some(statements) = &proc.body else { continue };
            let inner: Vec<Ty> = proc.locals.iter().skip(proc.formals as usize).map(|l| model.ty(&l.ty)).collect();
            let mut body =
                Body { model, procs: self, proc: id, temporaries: inner, first: 1 + proc.formals, labels: 0 };
            let mut code = Vec::new();
            // A variable that is declared nowhere on the way starts with its default value as well.
            for local in proc.formals as usize..proc.locals.len() {
                let ty = body.model.ty(&proc.locals[local].ty);
                let at = At(proc.span);
                code.push(at.run(at.set_local(Slot(local as u32 + 1), default_value(at, ty))));
            }
            code.extend(body.block(statements));
            let return_ty = body.model.ir.method(method).return_ty;
            if return_ty != Ty::Void {
                let at = At(proc.end);
                code.push(at.stmt(Kind::Assert { condition: at.bool(false), message: None }));
                code.push(at.ret(default_value(at, return_ty)));
            }
            let locals = body.temporaries;
            model.define(method, locals, code, false);
        }
    }
}

/// A clause of a contract: of the formals, and of the result if there is one and it is asked later.
pub fn clause(model: &mut Model<'_>, id: ProcId, formula: &Formula, when: When) -> MethodId {
    let proc = model.hob.proc(id);
    let mut env = Env::default();
    let result = proc.result.filter(|_| when == When::Later);
    for local in (0..proc.formals).map(LocalId).chain(result) {
        let declared = &proc.locals[local.index()];
        let ty = model.ty(&declared.ty);
        env = env.with(Name::Local(local), ty, object_of(&declared.ty));
    }
    let value = model.formula(formula, &env, when);
    model.returning("clause", env.parameters(), value)
}

pub fn formals(model: &mut Model<'_>, id: ProcId) -> Vec<(String, Ty)> {
    let proc = model.hob.proc(id);
    proc.locals.iter().take(proc.formals as usize).map(|l| (l.name.clone(), model.ty(&l.ty))).collect()
}

pub fn default_value(at: At, ty: Ty) -> Code {
    match ty {
        Ty::Bool => at.bool(false),
        Ty::Int => at.int(0),
        _ => at.null(),
    }
}

/// The body of one procedure, being made.
pub struct Body<'m, 'p> {
    pub model: &'m mut Model<'p>,
    pub procs: &'m mut Procs,
    pub proc: ProcId,
    /// The types of the locals after the formals.
    temporaries: Vec<Ty>,
    first: u32,
    labels: u32,
}

impl<'p> Body<'_, 'p> {
    fn declared(&self) -> &'p Proc {
        self.model.hob.proc(self.proc)
    }

    pub fn local(&mut self, at: At, local: LocalId) -> Code {
        let declared = self.declared();
        let ty = self.model.ty(&declared.locals[local.index()].ty);
        at.local(Slot(local.0 + 1), ty)
    }

    pub fn temporary(&mut self, ty: Ty) -> Slot {
        self.temporaries.push(ty);
        Slot(self.first + self.temporaries.len() as u32 - 1)
    }

    /// The variables that a formula may speak of.
    pub fn env(&mut self) -> Env {
        let declared = self.declared();
        let mut env = Env::default();
        for local in self.spoken() {
            let ty = &declared.locals[local.index()].ty;
            let made = self.model.ty(ty);
            env = env.with(Name::Local(local), made, object_of(ty));
        }
        env
    }

    pub fn env_arguments(&mut self, at: At) -> Vec<Code> {
        self.spoken().into_iter().map(|local| self.local(at, local)).collect()
    }

    fn spoken(&self) -> Vec<LocalId> {
        let locals = self.declared().locals.iter().enumerate();
        let spoken = locals.filter(|(_, l)| !matches!(l.ty, Type::Float | Type::String | Type::Nothing));
        spoken.map(|(i, _)| LocalId(i as u32)).collect()
    }

    fn block(&mut self, statements: &[Stmt]) -> ir::Block {
        let mut code = Vec::new();
        for statement in statements {
            self.statement(statement, &mut code);
        }
        code
    }

    fn statement(&mut self, statement: &Stmt, code: &mut ir::Block) {
        let at = At(statement.span);
        match &statement.kind {
            StmtKind::Block(inner) => code.extend(self.block(inner)),
            StmtKind::Declare(local, value) => {
                let value = match value {
                    Some(value) => self.stored(value, &self.declared().locals[local.index()].ty),
                    None => {
                        let ty = self.local(at, *local).ty;
                        default_value(at, ty)
                    }
                };
                code.push(at.run(at.set_local(Slot(local.0 + 1), value)));
            }
            StmtKind::Assign(place, value) => {
                let ty = self.type_of(place);
                let (before, place) = self.place(at, place);
                code.extend(before);
                let value = self.stored(value, &ty);
                code.push(at.run(place.write(at, value)));
            }
            StmtKind::Expr(e) => {
                let e = self.expr(e);
                code.push(at.run(e));
            }
            StmtKind::Return(value) => {
                let declared = self.declared();
                let result = declared.result.map(|r| &declared.locals[r.index()].ty);
                let value = value.as_ref().map(|v| self.stored(v, result.unwrap_or(&v.ty)));
                code.push(at.stmt(Kind::Return(value)));
            }
            StmtKind::If { condition, then, otherwise } => {
                let condition = self.expr(condition);
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                code.push(at.cond(condition, then, otherwise));
            }
            StmtKind::While { invariant, condition, body, step } => {
                let mut rounds = Vec::new();
                // One that is not read need not hold for what the loop does to be right.
                let invariant = invariant.as_ref().filter(|i| !matches!(i.kind, FormulaKind::Uninterpreted(_)));
                if let Some(invariant) = invariant {
                    let holds = self.here(invariant);
                    code.push(at.stmt(Kind::Assert { condition: holds, message: None }));
                }
                let test = self.expr(condition);
                rounds.extend(self.block(body));
                if let Some(step) = step {
                    self.statement(step, &mut rounds);
                }
                if let Some(invariant) = invariant {
                    let holds = self.here(invariant);
                    rounds.push(at.stmt(Kind::Assert { condition: holds, message: None }));
                }
                self.labels += 1;
                code.push(at.while_loop(self.labels, test, rounds, Vec::new()));
            }
            StmtKind::Assert { formula, .. } => {
                let condition = self.here(formula);
                code.push(at.stmt(Kind::Assert { condition, message: None }));
            }
            StmtKind::Assume { formula, .. } => {
                let condition = self.here(formula);
                code.push(at.stmt(Kind::Assume(condition)));
            }
            StmtKind::Pragma(_) => {}
            StmtKind::Havoc(locals) => {
                for (part, local) in locals.iter().enumerate() {
                    let ty = &self.declared().locals[local.index()].ty;
                    let value = self.model.chosen(at, part as u32, ty).unwrap_or_else(|| {
                        let message = "the plugin `bounded` does not follow `havoc` of an array";
                        let problem = Diagnostic::error("hob-bounded-choice", statement.span, message)
                            .label("it may be any array here")
                            .help("make the array an argument of the procedure");
                        at.unsupported(problem, Ty::Null)
                    });
                    code.push(at.run(at.set_local(Slot(local.0 + 1), value)));
                }
            }
            StmtKind::Choice(one, other) => {
                let (one, other) = (self.block(one), self.block(other));
                let is_first = self.model.chosen(at, 0, &Type::Bool).unwrap_or_else(|| at.bool(true));
                code.push(at.cond(is_first, one, other));
            }
        }
    }

    pub fn type_of(&self, place: &Place) -> Type {
        let hob = self.model.hob;
        match place {
            Place::Local(local) => self.declared().locals[local.index()].ty.clone(),
            Place::Global(global) => hob.globals[global.index()].ty.clone(),
            Place::Field(_, field) => hob.field(*field).ty.clone(),
            Place::Index(array, _) => match &array.ty {
                Type::Array(element) => (**element).clone(),
                _ => Type::Null,
            },
        }
    }

    /// What an assignment or step goes to, with the object or array and the index evaluated once.
    pub fn place(&mut self, at: At, place: &Place) -> (ir::Block, Target) {
        let mut before = Vec::new();
        let mut keep = |body: &mut Self, e: Code| {
            let ty = e.ty;
            let kept = body.temporary(ty);
            before.push(At(e.span).run(At(e.span).set_local(kept, e.clone())));
            At(e.span).local(kept, ty)
        };
        let target = match place {
            Place::Local(local) => Target::Local(Slot(local.0 + 1), self.local(at, *local).ty),
            Place::Global(global) => {
                let field = self.model.global(*global);
                Target::Field(self.model.this(at), field)
            }
            Place::Field(object, field) => {
                let object = self.expr(object);
                let object = keep(self, object);
                Target::Field(object, self.model.field_of(*field))
            }
            Place::Index(array, index) => {
                let array = self.expr(array);
                let array = keep(self, array);
                let index = self.expr(index);
                let index = keep(self, index);
                Target::Element(array, index)
            }
        };
        (before, target)
    }
}

/// Where a value goes.
pub enum Target {
    Local(Slot, Ty),
    Field(Code, ir::FieldId),
    Element(Code, Code),
}

impl Target {
    pub fn read(&self, at: At, program: &ir::Program) -> Code {
        match self {
            Target::Local(local, ty) => at.local(*local, *ty),
            Target::Field(object, field) => at.field(program, object.clone(), *field),
            Target::Element(array, index) => at.element(program, array.clone(), index.clone()),
        }
    }

    pub fn write(&self, at: At, value: Code) -> Code {
        match self {
            Target::Local(local, _) => at.set_local(*local, value),
            Target::Field(object, field) => at.set_field(object.clone(), *field, value),
            Target::Element(array, index) => at.set_element(array.clone(), index.clone(), value),
        }
    }
}
