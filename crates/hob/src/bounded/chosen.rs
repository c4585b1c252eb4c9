//! What a run is free in: `havoc`, `choice`, and what procedures of other modules do, of which only the contract is known.
//!
//! The state holds the values that a run is going to meet at each such place, [`TIMES`] of them, as fields of their own; a run takes one
//! after the other, and gets no further if it asks once more: then the answer is unknown. So every value within the bound is tried, as
//! those of arguments are, and the interpreter can be given the same ones ([`super::witness`]).

use super::body::{default_value, formals};
use super::code::At;
use super::contract::{conjuncts, unchanged};
use super::fold::{Env, Name};
use super::heap::object_of;
use super::model::{Model, Objects, Role};
use super::spec::{ELEMENT, When};
use crate::flags::Written;
use crate::interp::{IS_NEW, MADE, RESULT, names_of};
use crate::program::*;
use crate::told::{Told, told};
use ir::{CompareOp, Expr as Code, LocalId as Slot, MethodId, StmtKind as Kind, Ty};
use source::{Diagnostic, Span};

/// The part of a call that is whether new objects are in a set that it changes.
const ANY: u32 = u32::MAX;

/// How often a run may ask at one place.
pub const TIMES: usize = 8;

/// The same of a call that returns an array: each is one more in every state.
const ARRAYS: usize = 2;

/// A value that some place is going to meet: which statement or call, and which part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    pub place: (Span, u32),
    pub ty: Type,
    /// It may be an object that is not there when the procedure begins.
    pub is_later: bool,
}

impl Chosen {
    /// Which of the objects it is that the run has made, 0 if none.
    pub fn is_number(&self) -> bool {
        self.place.1 & MADE != 0 && self.place.1 != ANY
    }
}

impl<'p> Model<'p> {
    /// The next value for a place, objects that the run has made included. Texts and floats are of no interest. None: no value of that type
    /// can be kept.
    pub fn chosen(&mut self, at: At, part: u32, ty: &Type) -> Option<Code> {
        let value = self.chosen_by(at, part, ty, false)?;
        match ty {
            Type::Object(object) if self.makes(*object) => self.chosen_or_made(at, part, *object, value),
            _ => Some(value),
        }
    }

    /// Whether a run of the module's code may make objects of the type, or get new ones.
    fn makes(&self, object: TypeId) -> bool {
        let is_made = |e: &Expr| {
            matches!(e.kind, ExprKind::New(_) | ExprKind::Call(..) | ExprKind::Intrinsic(..))
                && e.ty == Type::Object(object)
        };
        let mut found = false;
        for proc in &self.hob.module(self.module).procs {
            let body = self.hob.proc(*proc).body.as_deref().unwrap_or_default();
            crate::visit::exprs(body, &mut |e| found |= is_made(e));
        }
        found
    }

    /// A chosen object, or one that the run has made: whoever was given it may return it.
    fn chosen_or_made(&mut self, at: At, part: u32, object: TypeId, value: Code) -> Option<Code> {
        let class = value.ty;
        let which = self.chosen_by(at, part | MADE, &Type::Int, true)?;
        let parameters = vec![("value".to_string(), class), ("which".to_string(), Ty::Int)];
        let (is_made, made) = {
            let which = || at.local(Slot(2), Ty::Int);
            let made = at.call(self.made_at(at, object), vec![self.this(at), which()], class);
            (at.compare(CompareOp::Gt, which(), at.int(0)), made)
        };
        let is_there = at.or(at.not(is_made.clone()), at.not_null(made.clone()));
        let may_be = self.returning("may be", parameters.clone(), is_there);
        let is = self.returning("is", parameters, at.conditional(is_made, made, at.local(Slot(1), class)));
        let method = self.method("choose", Vec::new(), class, at.0);
        let given = vec![self.this(at), at.local(Slot(1), class), at.local(Slot(2), Ty::Int)];
        let body = vec![
            self.are_few(at, at.int(TIMES as i64)),
            at.run(at.set_local(Slot(1), value)),
            at.run(at.set_local(Slot(2), which)),
            at.stmt(Kind::Assume(at.call(may_be, given.clone(), Ty::Bool))),
            at.ret(at.call(is, given, class)),
        ];
        self.define(method, vec![class, Ty::Int], body, false);
        Some(at.call(method, vec![self.this(at)], class))
    }

    /// The same; later, it may be an object that is not there when the procedure begins.
    pub fn chosen_by(&mut self, at: At, part: u32, ty: &Type, is_later: bool) -> Option<Code> {
        match ty {
            Type::Array(_) | Type::Null | Type::Nothing => None,
            Type::String | Type::Float => Some(at.int(0)),
            _ => Some(self.one_of(at, part, ty, is_later, TIMES)),
        }
    }

    /// Whether an array that another module returns may be one that the run has made, or have objects in it that the run has made: of such
    /// arrays a state has none, so that what is in it is taken for anything.
    fn may_have_got(&self, ty: &Type) -> bool {
        let Type::Array(element) = ty else { return false };
        if matches!(**element, Type::Object(object) if self.makes(object)) {
            return true;
        }
        let (mut is_made, mut is_given) = (false, false);
        for proc in &self.hob.module(self.module).procs {
            crate::visit::exprs(self.hob.proc(*proc).body.as_deref().unwrap_or_default(), &mut |e| match &e.kind {
                ExprKind::NewArray(_) => is_made |= e.ty == *ty,
                ExprKind::Call(callee, arguments) if self.hob.proc(*callee).module != self.module => {
                    // By itself or in another array.
                    is_given |= arguments.iter().any(|a| matches!(a.ty, Type::Array(_)));
                }
                _ => {}
            });
        }
        is_made && is_given
    }

    /// An array that another module returns: any that it can have, that is none that sets look into.
    fn returned_array(&mut self, at: At, ty: &Type) -> Code {
        let value = self.one_of(at, RESULT, ty, false, ARRAYS);
        let parameters = vec![("array".to_string(), value.ty)];
        let Some(is_from_outside) = self.are_from_outside(&parameters) else { return value };
        let method = self.method("returned", Vec::new(), value.ty, at.0);
        let array = at.local(Slot(1), value.ty);
        let holds = at.call(is_from_outside, vec![self.this(at), array.clone()], Ty::Bool);
        let made = value.ty;
        let body = vec![at.run(at.set_local(Slot(1), value)), at.stmt(Kind::Assume(holds)), at.ret(array)];
        self.define(method, vec![made], body, false);
        at.call(method, vec![self.this(at)], made)
    }

    fn one_of(&mut self, at: At, part: u32, ty: &Type, is_later: bool, times: usize) -> Code {
        let made = self.ty(ty);
        let asked = self.field(self.state, "asked", Ty::Int, Role::Asked, at.0);
        let n = || at.local(Slot(1), Ty::Int);
        let mut body = vec![
            at.run(at.set_local(Slot(1), self.of_state(at, asked))),
            at.run(at.set_field(self.this(at), asked, at.add(n(), at.int(1)))),
        ];
        for k in 0..times {
            let role = Role::Chosen(self.chosen.len() as u32);
            self.chosen.push(Chosen { place: (at.0, part), ty: ty.clone(), is_later });
            let value = self.field(self.state, "chosen", made, role, at.0);
            let is_next = at.compare(CompareOp::Eq, n(), at.int(k as i64));
            body.push(at.cond(is_next, vec![at.ret(self.of_state(at, value))], Vec::new()));
        }
        body.push(at.ret(at.unsupported(too_often(at, times), made)));
        let method = self.method("choose", Vec::new(), made, at.0);
        self.define(method, vec![Ty::Int], body, false);
        at.call(method, vec![self.this(at)], made)
    }

    /// Why a call of another module cannot be followed by its contract.
    pub fn refusal(&self, callee: ProcId) -> Option<String> {
        let hob = self.hob;
        let (proc, name) = (hob.proc(callee), hob.proc_name(callee));
        if let Some(Type::Array(element)) = proc.result.map(|r| &proc.locals[r.index()].ty) {
            if matches!(**element, Type::Array(_)) {
                return Some(format!("{name} returns an array of arrays; let it return its rows one by one"));
            }
            if self.compares_arrays() {
                return Some(format!("{name} returns an array, and this module asks whether arrays are the same one"));
            }
        }
        let is_array = |ty: &Type| matches!(ty, Type::Array(_));
        let (globals, fields) = self.written_by(callee);
        let changes_arrays = globals.iter().any(|g| is_array(&hob.globals[g.index()].ty))
            || fields.iter().any(|f| is_array(&hob.field(*f).ty))
            || self.effects.reaches(callee, self.module)
                && self.effects.writes(callee, Written::Element)
                && self.has_arrays();
        changes_arrays.then(|| format!("{name} may call this module in turn, which may change its arrays"))
    }

    fn compares_arrays(&self) -> bool {
        let mut found = false;
        for proc in &self.hob.module(self.module).procs {
            crate::visit::exprs(self.hob.proc(*proc).body.as_deref().unwrap_or_default(), &mut |e| {
                if let ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, a, b) = &e.kind {
                    found |= matches!((&a.ty, &b.ty), (Type::Array(_), Type::Array(_)));
                }
            });
        }
        found
    }

    /// What a call may change, of what a state keeps.
    pub fn changes(&self, callee: ProcId) -> Vec<SpecVarId> {
        let frame = &self.hob.proc(callee).contract.frame;
        let changes = |v: &&SpecVarId| self.effects.changes(callee, **v) && !frame.contains(v);
        self.spoken_of.iter().filter(changes).copied().collect()
    }

    /// The procedures of other modules that the module calls.
    pub fn called_elsewhere(&self) -> Vec<ProcId> {
        let mut found = Vec::new();
        for proc in &self.hob.module(self.module).procs {
            crate::visit::exprs(self.hob.proc(*proc).body.as_deref().unwrap_or_default(), &mut |e| match e.kind {
                ExprKind::Call(callee, _) if self.hob.proc(callee).module != self.module => found.push(callee),
                _ => {}
            });
        }
        found
    }

    /// The formals of a callee, and its result.
    fn env_of(&mut self, callee: ProcId, result: Option<LocalId>) -> Env {
        let proc = self.hob.proc(callee);
        let mut env = Env::default();
        for local in (0..proc.formals).map(LocalId).chain(result) {
            let ty = &proc.locals[local.index()].ty;
            let made = self.ty(ty);
            env = env.with(Name::Local(local), made, object_of(ty));
        }
        env
    }

    /// Gives sets and Booleans the values that a callee says, all at once. Its result is the first of the locals, after the formals.
    fn change(&mut self, at: At, callee: ProcId, locals: &mut Vec<Ty>) -> ir::Block {
        let env = self.env_of(callee, self.hob.proc(callee).result);
        let formals = self.hob.proc(callee).formals as usize;
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for variable in self.changes(callee) {
            match told(self.hob, callee, variable) {
                Some(Told::Set(set)) => {
                    for object in self.types_of_variable(variable) {
                        let objects = self.objects(object);
                        let class = Ty::Class(objects.class);
                        let inner = env.with(Name::Bound(ELEMENT), class, Some(object)).with(
                            Name::Number(ELEMENT),
                            Ty::Int,
                            None,
                        );
                        let value = self.member(at, set, object, &inner, When::Entry);
                        let becomes = self.returning("becomes", inner.parameters(), value);
                        let next = self.field(objects.class, "becomes", Ty::Bool, Role::OldBool, at.0);
                        let field = self.foreign(variable, Some(object));
                        let given = env.arguments(at, self);
                        before.extend(self.at_each(at, &objects, formals, locals, |x, number| {
                            let arguments = given.iter().cloned().chain([x.clone(), number]).collect();
                            at.set_field(x, next, at.call(becomes, arguments, Ty::Bool))
                        }));
                        let ir = self.ir.clone();
                        after.extend(self.at_each(at, &objects, formals, locals, |x, _| {
                            at.set_field(x.clone(), field, at.field(&ir, x, next))
                        }));
                    }
                }
                Some(Told::Bool(formula)) => {
                    let value = self.formula(formula, &env, When::Entry);
                    let becomes = self.returning("becomes", env.parameters(), value);
                    locals.push(Ty::Bool);
                    let slot = Slot((formals + locals.len()) as u32);
                    before.push(at.run(at.set_local(slot, at.call(becomes, env.arguments(at, self), Ty::Bool))));
                    let field = self.foreign(variable, None);
                    after.push(at.run(at.set_field(self.this(at), field, at.local(slot, Ty::Bool))));
                }
                Some(Told::Always(value)) => {
                    let field = self.foreign(variable, None);
                    after.push(at.run(at.set_field(self.this(at), field, at.bool(value))));
                }
                None => after.extend(self.becomes_any(at, variable, formals, locals)),
            }
        }
        before.extend(after);
        before
    }

    /// Gives a set or Boolean any value: what of it is true is assumed afterwards.
    fn becomes_any(&mut self, at: At, variable: SpecVarId, formals: usize, locals: &mut Vec<Ty>) -> ir::Block {
        let any_bool = |model: &mut Self| model.chosen(at, ANY, &Type::Bool).unwrap_or_else(|| at.bool(false));
        if matches!(self.hob.spec_var(variable).kind, SpecVarKind::Bool) {
            let (field, value) = (self.foreign(variable, None), any_bool(self));
            return vec![at.run(at.set_field(self.this(at), field, value))];
        }
        let mut code = Vec::new();
        for object in self.types_of_variable(variable) {
            let objects = self.objects(object);
            let class = Ty::Class(objects.class);
            let parameters =
                vec![("x".to_string(), class), ("number".to_string(), Ty::Int), ("turn".to_string(), Ty::Int)];
            let method = self.method("is any", parameters, Ty::Bool, at.0);
            let (x, number, turn) = (at.local(Slot(1), class), at.local(Slot(2), Ty::Int), at.local(Slot(3), Ty::Int));
            let is_new = at.compare(CompareOp::Lt, number, at.int(0));
            let mut body = vec![at.cond(is_new, vec![at.ret(any_bool(self))], Vec::new())];
            for k in 0..TIMES {
                let value = self.field(objects.class, "chosen", Ty::Bool, Role::ChosenIn, at.0);
                let is_it = at.compare(CompareOp::Eq, turn.clone(), at.int(k as i64));
                body.push(at.cond(is_it, vec![at.ret(at.field(&self.ir, x.clone(), value))], Vec::new()));
            }
            body.push(at.ret(at.unsupported(too_often(at, TIMES), Ty::Bool)));
            self.define(method, Vec::new(), body, false);
            let asked = self.field(self.state, "asked", Ty::Int, Role::Asked, at.0);
            let (field, this) = (self.foreign(variable, Some(object)), self.this(at));
            let turn = self.of_state(at, asked);
            code.extend(self.at_each(at, &objects, formals, locals, |x, number| {
                let value = at.call(method, vec![this.clone(), x.clone(), number, turn.clone()], Ty::Bool);
                at.set_field(x, field, value)
            }));
            let next = at.add(self.of_state(at, asked), at.int(1));
            code.push(at.run(at.set_field(self.this(at), asked, next)));
        }
        code
    }

    /// Keeps what the sets and Booleans are that a callee changes, for what it ensures about them: [`When::Called`].
    fn keep_for_call(&mut self, at: At, called: &[SpecVarId], formals: usize, locals: &mut Vec<Ty>) -> ir::Block {
        let mut code = Vec::new();
        for &variable in called {
            if matches!(self.hob.spec_var(variable).kind, SpecVarKind::Bool) {
                let (now, kept) = (self.boolean_now(at, variable), self.at_call(variable, None));
                code.push(at.run(at.set_field(self.this(at), kept, now)));
            }
            for object in self.types_of_variable(variable) {
                let objects = self.objects(object);
                let kept = self.at_call(variable, Some(object));
                let x = at.local(Slot(1), Ty::Class(objects.class));
                let is_in = self.in_set(at, variable, object, x.clone());
                let is_in = self.returning("is in", vec![("x".to_string(), x.ty)], is_in);
                let this = self.this(at);
                code.extend(self.at_each(at, &objects, formals, locals, |x, _| {
                    at.set_field(x.clone(), kept, at.call(is_in, vec![this.clone(), x], Ty::Bool))
                }));
            }
        }
        code
    }

    /// A formula about the sets as they are now.
    pub fn holds_now(&mut self, at: At, formula: &Formula) -> Code {
        let value = self.formula(formula, &Env::default(), When::Entry);
        let holds = self.returning("holds now", Vec::new(), value);
        at.call(holds, vec![self.this(at)], Ty::Bool)
    }

    /// Runs something for every object of a type: those of the state, each with its number, and new ones.
    pub fn at_each(
        &mut self,
        at: At,
        objects: &Objects,
        parameters: usize,
        locals: &mut Vec<Ty>,
        run: impl Fn(Code, Code) -> Code,
    ) -> ir::Block {
        let class = Ty::Class(objects.class);
        let mut slot = |ty| {
            locals.push(ty);
            Slot((parameters + locals.len()) as u32)
        };
        let (index, new) = (slot(Ty::Int), slot(class));
        let label = locals.len() as u32;
        let (i, x) = (|| at.local(index, Ty::Int), || at.local(new, class));
        let all = || self.of_state(at, objects.all);
        let there = run(at.element(&self.ir, all(), i()), i());
        let next = at.set_local(new, at.field(&self.ir, x(), objects.made_before));
        vec![
            at.run(at.set_local(index, at.int(0))),
            at.while_loop(
                label,
                at.compare(CompareOp::Lt, i(), at.length(all())),
                vec![at.run(there)],
                vec![at.set_local(index, at.add(i(), at.int(1)))],
            ),
            at.run(at.set_local(new, self.of_state(at, objects.made))),
            at.while_loop(label + 1, at.not_null(x()), vec![at.run(run(x(), at.int(-1)))], vec![next]),
        ]
    }

    /// Whether part of an `ensures` speaks of what the callee has changed, as it is afterwards.
    fn looks_at_changed(&self, callee: ProcId, part: &Formula) -> bool {
        let frame = &self.hob.proc(callee).contract.frame;
        let mut is_so = false;
        names_of(part, &mut |name| {
            if let Subject::SpecVar(v) = name.subject {
                is_so |= name.primed && self.effects.changes(callee, v) && !frame.contains(&v);
            }
        });
        is_so
    }

    pub fn has_arrays(&self) -> bool {
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
        let mut locals = Vec::new();
        if let Some(ty) = result {
            locals.push(return_ty);
            let value = match ty {
                Type::Array(_) => self.returned_array(at, ty),
                _ => self.chosen(at, RESULT, ty).unwrap_or_else(|| default_value(at, return_ty)),
            };
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
        let env = self.env_of(callee, proc.result);
        for part in proc.contract.ensures.iter().flat_map(|c| conjuncts(&c.formula)) {
            // All that it speaks of is now what it was when the callee was called.
            if !self.looks_at_changed(callee, part) {
                let value = self.formula(part, &env, When::Entry);
                let holds = self.returning("is ensured", env.parameters(), value);
                body.push(at.stmt(Kind::Assume(at.call(holds, given.clone(), Ty::Bool))));
            }
        }
        // What is not said to be some value may be any that what is ensured allows.
        let own = if self.comes_back_changed(callee) { self.own_variables() } else { Vec::new() };
        let is_all_told = own.is_empty() && self.changes(callee).into_iter().all(|v| told(hob, callee, v).is_some());
        let mut called = self.changes(callee);
        called.extend(&own);
        if !is_all_told {
            body.extend(self.keep_for_call(at, &called, count as usize, &mut locals));
        }
        let change = self.change(at, callee, &mut locals);
        // The interpreter runs what changes sets or arrays, and nothing else: it has no other way to change them. What that returns is one of the
        // results that there may be.
        let writes_elements = self.shares_arrays && self.effects.writes(callee, Written::Element);
        let is_shared = writes_elements || result.is_some_and(|ty| self.may_have_got(ty));
        if change.is_empty() && own.is_empty() && !writes_elements {
            self.contracted.push(at.0);
        } else {
            self.has_other_results |= result.is_some() || !is_all_told;
        }
        body.extend(change);
        self.called = called;
        let mut known: Vec<Code> = Vec::new();
        if !own.is_empty() {
            body.extend(self.come_back(at, callee, count as usize, &mut locals));
            known.extend(self.representation.iter().map(|method| at.call(*method, vec![self.this(at)], Ty::Bool)));
            let frame = &proc.contract.frame;
            let is_kept = |v: &SpecVarId| frame.contains(v) || !self.effects.changes(callee, *v);
            let kept: Vec<SpecVarId> = own.into_iter().filter(is_kept).collect();
            for variable in kept {
                let formula = unchanged(hob, variable, at.0);
                let value = self.formula(&formula, &Env::default(), When::Called);
                let holds = self.returning("is kept", Vec::new(), value);
                known.push(at.call(holds, vec![self.this(at)], Ty::Bool));
            }
        }
        for part in proc.contract.ensures.iter().flat_map(|c| conjuncts(&c.formula)) {
            if !is_all_told && self.looks_at_changed(callee, part) {
                let value = self.formula(part, &env, When::Called);
                let holds = self.returning("is ensured", env.parameters(), value);
                known.push(at.call(holds, given.clone(), Ty::Bool));
            }
        }
        for (_, invariant) in self.effects.invariants_at_call(hob, self.module, callee) {
            known.push(self.holds_now(at, &invariant.formula));
        }
        if !self.changes(callee).is_empty() {
            for invariant in self.public_invariants.clone() {
                known.push(self.holds_now(at, &invariant.formula));
            }
        }
        body.extend(known.into_iter().map(|holds| at.stmt(Kind::Assume(holds))));
        if is_shared {
            let shared = self.shared();
            body.push(at.run(at.set_field(self.this(at), shared, at.bool(true))));
        }
        body.push(at.stmt(Kind::Return(if return_ty == Ty::Void { None } else { given.pop() })));
        self.define(method, locals, body, false);
        method
    }
}

pub fn too_often(at: At, times: usize) -> Diagnostic {
    let message = format!("the plugin `bounded` follows this {times} times in a run, and no further");
    Diagnostic::error("hob-bounded-choice", at.0, message).label("here a run may go on in several ways")
}

/// Variables of other modules that contracts, formulas in code and invariants speak of, those of callees included, and public invariants that
/// say something of these: a state keeps them. The second are these invariants.
pub fn spoken_of(hob: &Program, module: ModuleId) -> (Vec<SpecVarId>, Vec<&Invariant>) {
    let mut found = Vec::new();
    for proc in &hob.module(module).procs {
        spoken_of_by(hob, *proc, &mut |formula| variables_elsewhere(hob, module, formula, &mut found));
    }
    let (within, outside): (Vec<&Scope>, Vec<&Scope>) = hob.scopes.iter().partition(|s| s.modules.contains(&module));
    for invariant in within.iter().flat_map(|s| &s.invariants) {
        variables_elsewhere(hob, module, &invariant.formula, &mut found);
    }
    let mut others: Vec<&Invariant> = outside.iter().flat_map(|s| &s.invariants).filter(|i| i.public).collect();
    let mut public = Vec::new();
    loop {
        let concerns = |invariant: &&Invariant| {
            let mut concerned = Vec::new();
            variables_elsewhere(hob, module, &invariant.formula, &mut concerned);
            concerned.iter().any(|v| found.contains(v))
        };
        let Some(at) = others.iter().position(concerns) else { return (found, public) };
        let invariant = others.remove(at);
        variables_elsewhere(hob, module, &invariant.formula, &mut found);
        public.push(invariant);
    }
}

pub fn public_invariants(hob: &Program, module: ModuleId) -> Vec<&Invariant> {
    spoken_of(hob, module).1
}

/// Formulas of a procedure's contract and code, and of the contracts of those that it calls.
pub fn spoken_of_by(hob: &Program, proc: ProcId, look: &mut dyn FnMut(&Formula)) {
    let proc = hob.proc(proc);
    proc.contract.requires.iter().chain(&proc.contract.ensures).for_each(|c| look(&c.formula));
    let body = proc.body.as_deref().unwrap_or_default();
    formulas(body, look);
    crate::visit::exprs(body, &mut |e| {
        if let ExprKind::Call(callee, _) = e.kind {
            let contract = &hob.proc(callee).contract;
            contract.requires.iter().chain(&contract.ensures).for_each(|c| look(&c.formula));
        }
    });
}

/// Adds the variables of other modules that a formula speaks of.
pub fn variables_elsewhere(hob: &Program, module: ModuleId, formula: &Formula, found: &mut Vec<SpecVarId>) {
    names_of(formula, &mut |name| {
        if let Subject::SpecVar(variable) = name.subject
            && hob.spec_var(variable).module != module
            && !found.contains(&variable)
        {
            found.push(variable);
        }
    });
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
                invariant.iter().for_each(&mut *look);
                formulas(body, look);
            }
            _ => {}
        }
    }
}
