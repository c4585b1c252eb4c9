//! What a run is free in: `havoc`, `choice`, and what procedures of other modules do, of which only the contract is known.
//!
//! The state holds the values that a run is going to meet at each such place, [`TIMES`] of them, as fields of their own; a run takes one
//! after the other, and gets no further if it asks once more: then the answer is unknown. So every value within the bound is tried, as
//! those of arguments are, and the interpreter can be given the same ones ([`super::witness`]).

use super::body::{clause, default_value, formals};
use super::code::At;
use super::contract::conjuncts;
use super::model::{Model, Role};
use super::spec::When;
use crate::flags::Written;
use crate::interp::{IS_NEW, RESULT, names_of};
use crate::program::*;
use ir::{CompareOp, Expr as Code, LocalId as Slot, MethodId, StmtKind as Kind, Ty};
use source::{Diagnostic, Span};

/// How often a run may ask at one place.
const TIMES: usize = 3;

/// A value that some place is going to meet: which statement or call, and which part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    pub place: (Span, u32),
    pub ty: Type,
}

impl<'p> Model<'p> {
    /// The next value for a place. Texts and floats are of no interest. None: no value of that type can be kept.
    pub fn chosen(&mut self, at: At, part: u32, ty: &Type) -> Option<Code> {
        let made = match ty {
            Type::Array(_) | Type::Null | Type::Nothing => return None,
            Type::String | Type::Float => return Some(at.int(0)),
            _ => self.ty(ty),
        };
        let asked = self.field(self.state, "asked", Ty::Int, Role::Asked, at.0);
        let n = || at.local(Slot(1), Ty::Int);
        let mut body = vec![
            at.run(at.set_local(Slot(1), self.of_state(at, asked))),
            at.run(at.set_field(self.this(at), asked, at.add(n(), at.int(1)))),
        ];
        for k in 0..TIMES {
            let role = Role::Chosen(self.chosen.len() as u32);
            self.chosen.push(Chosen { place: (at.0, part), ty: ty.clone() });
            let value = self.field(self.state, "chosen", made, role, at.0);
            let is_next = at.compare(CompareOp::Eq, n(), at.int(k as i64));
            body.push(at.cond(is_next, vec![at.ret(self.of_state(at, value))], Vec::new()));
        }
        let message = format!("the plugin `bounded` follows this {TIMES} times in a run, and no further");
        let problem =
            Diagnostic::error("hob-bounded-choice", at.0, message).label("here a run may go on in several ways");
        body.push(at.ret(at.unsupported(problem, made)));
        let method = self.method("choose", Vec::new(), made, at.0);
        self.define(method, vec![Ty::Int], body, false);
        Some(at.call(method, vec![self.this(at)], made))
    }

    /// Why a call of another module cannot be followed by its contract.
    pub fn refusal(&self, callee: ProcId) -> Option<String> {
        let hob = self.hob;
        let (proc, effects) = (hob.proc(callee), &self.effects);
        let name = hob.proc_name(callee);
        if effects.reaches(callee, self.module) {
            return Some(format!("{name} may call this module in turn"));
        }
        if let Some(&changed) = self.spoken_of.iter().find(|v| effects.changes(callee, **v)) {
            let changed = hob.name_from(self.module, changed);
            return Some(format!("{name} may change {changed}, which contracts of this module speak of"));
        }
        let left = hob.scopes.iter().filter(|s| s.modules.contains(&self.module) && !s.modules.contains(&proc.module));
        if let Some(scope) = left.into_iter().find(|s| s.invariants.iter().any(|i| i.public)) {
            return Some(format!("{} has a public invariant, which must hold when {name} is called", scope.name));
        }
        let given = proc.locals.iter().take(proc.formals as usize).chain(proc.result.map(|r| &proc.locals[r.index()]));
        if given.into_iter().any(|local| matches!(local.ty, Type::Array(_))) {
            return Some(format!("{name} is given an array, or returns one"));
        }
        if effects.writes(callee, Written::Element) && self.has_arrays() {
            return Some(format!("{name} may write into arrays"));
        }
        for part in proc.contract.ensures.iter().flat_map(|c| conjuncts(&c.formula)) {
            let (has_result, is_moving) = self.looks_at(callee, part);
            if has_result && is_moving {
                return Some(format!("what {name} returns depends on sets that it changes"));
            }
        }
        None
    }

    /// Whether part of an `ensures` speaks of the result, and of what the callee may change or the module may have changed before.
    fn looks_at(&self, callee: ProcId, part: &Formula) -> (bool, bool) {
        let result = self.hob.proc(callee).result;
        let (mut has_result, mut is_moving) = (false, false);
        names_of(part, &mut |name| match name.subject {
            Subject::Local(local) => has_result |= Some(local) == result,
            Subject::SpecVar(v) => is_moving |= self.effects.changes(callee, v) || self.is_own(v) && !name.primed,
            Subject::Bound(_) => {}
        });
        (has_result, is_moving)
    }

    fn has_arrays(&self) -> bool {
        let module = self.hob.module(self.module);
        let of_procs = module.procs.iter().flat_map(|p| &self.hob.proc(*p).locals).map(|l| &l.ty);
        let of_globals = module.globals.iter().map(|g| &self.hob.globals[g.index()].ty);
        let of_fields = module.fields.iter().map(|f| &self.hob.field(*f).ty);
        of_procs.chain(of_globals).chain(of_fields).any(|ty| matches!(ty, Type::Array(_)))
    }

    /// What a call of another module's procedure at this place comes to: any result that its `ensures` allows.
    pub fn by_contract(&mut self, at: At, callee: ProcId) -> MethodId {
        let hob = self.hob;
        let proc = hob.proc(callee);
        let parameters = formals(self, callee);
        let count = parameters.len() as u32;
        let result = proc.result.map(|r| &proc.locals[r.index()].ty);
        let return_ty = result.map_or(Ty::Void, |ty| self.ty(ty));
        let method = self.method(&hob.proc_name(callee), parameters.clone(), return_ty, at.0);
        let mut given = vec![self.this(at)];
        given.extend(parameters.iter().enumerate().map(|(i, (_, ty))| at.local(Slot(i as u32 + 1), *ty)));
        let slot = Slot(count + 1);
        let mut body = Vec::new();
        self.contracted.push(at.0);
        let mut locals = Vec::new();
        if let Some(ty) = result {
            locals.push(return_ty);
            let value = self.chosen(at, RESULT, ty).unwrap_or_else(|| default_value(at, return_ty));
            body.push(at.run(at.set_local(slot, value)));
            given.push(at.local(slot, return_ty));
        }
        if let Some(Type::Object(object)) = result
            && let Some(is_new) = self.chosen(at, IS_NEW, &Type::Bool)
        {
            let objects = self.objects(*object);
            let this = self.this(at);
            let new = at.expr(ir::ExprKind::New(objects.class, objects.constructor, vec![this]), return_ty);
            body.push(at.cond(is_new, vec![at.run(at.set_local(slot, new))], Vec::new()));
        }
        for part in proc.contract.ensures.iter().flat_map(|c| conjuncts(&c.formula)) {
            if !self.looks_at(callee, part).1 {
                let holds = clause(self, callee, part, When::Later);
                body.push(at.stmt(Kind::Assume(at.call(holds, given.clone(), Ty::Bool))));
            }
        }
        body.push(at.stmt(Kind::Return(if return_ty == Ty::Void { None } else { given.pop() })));
        self.define(method, locals, body, false);
        method
    }
}

/// Variables of other modules that contracts, formulas in code and invariants speak of, those of callees included: a state keeps them.
pub fn spoken_of(hob: &Program, module: ModuleId) -> Vec<SpecVarId> {
    let mut found = Vec::new();
    let mut look = |formula: &Formula| {
        names_of(formula, &mut |name| {
            if let Subject::SpecVar(variable) = name.subject
                && hob.spec_var(variable).module != module
                && !found.contains(&variable)
            {
                found.push(variable);
            }
        });
    };
    for proc in hob.module(module).procs.iter().map(|p| hob.proc(*p)) {
        proc.contract.requires.iter().chain(&proc.contract.ensures).for_each(|c| look(&c.formula));
        let body = proc.body.as_deref().unwrap_or_default();
        formulas(body, &mut look);
        crate::visit::exprs(body, &mut |e| {
            if let ExprKind::Call(callee, _) = e.kind {
                let contract = &hob.proc(callee).contract;
                contract.requires.iter().chain(&contract.ensures).for_each(|c| look(&c.formula));
            }
        });
    }
    let scopes = hob.scopes.iter().filter(|s| s.modules.contains(&module));
    scopes.flat_map(|s| &s.invariants).for_each(|i| look(&i.formula));
    found
}

/// Formulas that stand in code.
fn formulas(body: &[Stmt], look: &mut dyn FnMut(&Formula)) {
    for statement in body {
        match &statement.kind {
            StmtKind::Assert { formula, .. } | StmtKind::Assume { formula, .. } => look(formula),
            StmtKind::Block(inner) => formulas(inner, look),
            StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => {
                formulas(a, look);
                formulas(b, look);
            }
            StmtKind::While { invariant, body, .. } => {
                invariant.iter().for_each(|i| look(i));
                formulas(body, look);
            }
            _ => {}
        }
    }
}
