//! The plugin `bounded`: sets that are defined by reachability or arrays, checked on all states up to a bound by the glass box engine.
//!
//! What goes in: a module and its `use plugin "bounded"`. What comes out: a [`Task`], that is a program of the IR whose one class is
//! the state of the module and whose operations are what has to be checked (docs/hob.md, "The plugin bounded"):
//! - each public procedure, from every state that satisfies its effective precondition and the invariants of the representation, those
//!   of other sections of the module included, with arguments that a caller from outside can have ([`outside`]): it runs into no
//!   error, and its `ensures`, its frame and the invariants of the representation hold at the end. Procedures of other sections that can break an invariant are among them ([`procs`]);
//! - each procedure of the module at every call on the way, public or private: its `requires`, its `ensures`, its frame;
//! - the start of the program: all sets are empty, all invariants hold;
//! - a new object of each type, whoever makes it: it is in no set, changes none, breaks no invariant (stationarity).
//!
//! [`space`] says which states there are with a bound, [`witness`] leads back: it builds the state in the interpreter and runs the
//! procedure there. Nobody is shown what the interpreter does not confirm.
//!
//! Calls of other modules are followed by their contracts, `havoc` and `choice` by values of the state ([`chosen`]).
//!
//! Calls that come back into the module: [`comes_back`].
//!
//! Not supported, each with a diagnostic where it stands and only if a run gets there: calls that return arrays of arrays, or come back and may change
//! some, ways that depend on texts, floats, chance or input, sizes of quantified sets.

mod body;
pub mod chosen;
mod code;
mod comes_back;
mod contract;
mod expr;
mod fold;
mod heap;
mod integers;
mod model;
mod numbering;
mod outside;
mod picture;
mod route;
pub mod space;
mod spec;
mod subsets;
mod values;
pub mod witness;

pub(crate) use chosen::public_invariants;
pub use contract::procs;
pub(crate) use contract::{conjuncts, unchanged};
pub use model::Role;

use crate::program::*;
use body::{Procs, clause, formals};
use code::At;
use contract::{at_calls, is_given_elsewhere};
use fold::Env;
use ir::{Checked, CheckedKind, ClassId, MethodId, Operation, OperationKind, Spec, SpecArgument, Ty};
use model::Model;
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};
use spec::When;

/// The name of the plugin.
pub const PLUGIN: &str = "bounded";

/// What an operation of a [`Task`] is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// The start of the program.
    Start,
    /// A new object of a type.
    New(TypeId),
    Proc(ProcId),
}

/// What has to hold at the end of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obligation {
    /// A clause of `ensures` by its number, and which part of it.
    Ensures(usize, Span),
    /// The set or Boolean is what it was.
    Frame(SpecVarId),
    /// An invariant of the representation, by its number in [`Task::invariants`].
    Representation(usize),
    /// An invariant of a scope, at the start.
    Scope(ScopeId, Span),
    /// The set is empty, the Boolean is false.
    Empty(SpecVarId),
    /// The new object is not in the set.
    Outside(SpecVarId),
}

/// A module as the engine checks it.
#[derive(Clone, Debug)]
pub struct Task {
    pub module: ModuleId,
    pub program: ir::Program,
    pub checked: Checked,
    /// By operation.
    pub subjects: Vec<Subject>,
    /// Private procedures, checked at their calls, and the public ones that may get there.
    pub at_calls: Vec<(ProcId, Vec<ProcId>)>,
    /// By method of a postcondition.
    pub obligations: FxHashMap<MethodId, Obligation>,
    /// By field of the IR.
    pub roles: Vec<Role>,
    /// Types of objects and their classes.
    pub types: Vec<(TypeId, ClassId)>,
    /// The invariants of the representation, of all sections of the module.
    pub invariants: Vec<HeapInvariant>,
    /// Those of a state, and of an argument.
    pub integers: space::Integers,
    /// What runs are free in, by [`Role::Chosen`].
    pub chosen: Vec<chosen::Chosen>,
    /// Calls that are followed by the callee's contract.
    pub contracted: Vec<Span>,
    /// Whether a callee that is run to replay an example may return something else than it did there.
    pub has_other_results: bool,
}

impl Task {
    /// The types of the arguments of an operation.
    pub fn formals(&self, hob: &Program, operation: usize) -> Vec<Type> {
        match self.subjects[operation] {
            Subject::Proc(proc) => {
                let proc = hob.proc(proc);
                proc.locals.iter().take(proc.formals as usize).map(|l| l.ty.clone()).collect()
            }
            Subject::Start | Subject::New(_) => Vec::new(),
        }
    }

    /// `List.add`, "the start", "a new Entry".
    pub fn name(&self, hob: &Program, operation: usize) -> String {
        match self.subjects[operation] {
            Subject::Proc(proc) => hob.proc_name(proc),
            Subject::Start => format!("the start of {}", hob.module(self.module).name),
            Subject::New(object) => format!("a new {}", hob.types[object.index()].name),
        }
    }

    fn array_type(&self, ty: &Type) -> Option<Ty> {
        let Type::Array(element) = ty else { return None };
        let element = match &**element {
            Type::Bool => Ty::Bool,
            Type::Object(object) => Ty::Class(self.types.iter().find(|(t, _)| t == object)?.1),
            Type::Array(_) => self.array_type(element)?,
            _ => Ty::Int,
        };
        let place = self.program.arrays.iter().position(|&e| e == element)?;
        Some(Ty::Array(ir::ArrayId(place as u32)))
    }
}

/// The module as a program of the IR. Errors are about the module as a whole; what a single procedure does that is not supported is
/// found when it is checked.
pub fn translate(program: &Program, module: ModuleId, plugin_use: &PluginUse) -> Result<Task, Vec<Diagnostic>> {
    let checked = procs(program, module, plugin_use);
    let all_invariants: Vec<HeapInvariant> =
        program.module(module).plugins.iter().flat_map(|p| p.invariants.iter().cloned()).collect();
    let mut translation = Translation {
        model: Model::new(program, module),
        procs: Procs::default(),
        checked: &checked,
        representation: &all_invariants,
        invariants: Vec::new(),
        operations: Vec::new(),
        subjects: Vec::new(),
        obligations: FxHashMap::default(),
    };
    translation.run();
    let model = translation.model;
    if !model.problems.is_empty() {
        return Err(model.problems);
    }
    let types = model.types();
    let types = types.into_iter().filter_map(|t| Some((t, model.class_of(t)?))).collect();
    let (mut ir, roles, state, integers) = (model.ir, model.roles, model.state, model.integers);
    let (chosen, contracted, has_other_results) = (model.chosen, model.contracted, model.has_other_results);
    for index in 0..ir.methods.len() {
        let method = &ir.methods[index];
        let (class, selector) = (method.class, method.selector);
        if !method.is_constructor {
            ir.classes[class.index()].dispatch.insert(selector, MethodId(index as u32));
        }
    }
    ir::purity::mark(&mut ir);
    let problems = ir::wellformed::problems(&ir);
    if let Some(problem) = problems.first() {
        let message = format!("the plugin `bounded` made a program that is not well-formed: {problem}");
        return Err(vec![Diagnostic::error("internal", program.module(module).span, message)]);
    }
    Ok(Task {
        module,
        program: ir,
        checked: Checked {
            class: state,
            kind: CheckedKind::DataStructure,
            invariant: translation.invariants[0],
            operations: translation.operations,
            show: None,
        },
        subjects: translation.subjects,
        at_calls: at_calls(program, &checked, plugin_use),
        obligations: translation.obligations,
        roles,
        types,
        invariants: all_invariants,
        integers,
        chosen,
        contracted,
        has_other_results,
    })
}

struct Translation<'p> {
    model: Model<'p>,
    procs: Procs,
    checked: &'p [ProcId],
    representation: &'p [HeapInvariant],
    /// `true`, then the invariants of the representation.
    invariants: Vec<MethodId>,
    operations: Vec<Operation>,
    subjects: Vec<Subject>,
    obligations: FxHashMap<MethodId, Obligation>,
}

fn spec(method: MethodId, parameters: usize, has_result: bool) -> Spec {
    let mut arguments: Vec<SpecArgument> = (0..parameters).map(SpecArgument::Parameter).collect();
    if has_result {
        arguments.push(SpecArgument::Result);
    }
    Spec { method, arguments }
}

impl<'p> Translation<'p> {
    fn run(&mut self) {
        let hob = self.model.hob;
        let module = hob.module(self.model.module);
        let at = At(module.span);
        let always = self.model.returning("always", Vec::new(), at.bool(true));
        self.invariants.push(always);
        for invariant in self.representation {
            let at = At(invariant.span);
            let value = self.model.heap_formula(at, &invariant.formula, &Env::default());
            let method = self.model.returning("invariant", Vec::new(), value);
            self.invariants.push(method);
        }
        self.model.representation = self.invariants[1..].to_vec();
        // What the procedures speak of is known before anything is made for all of it.
        let is_checked = |p: &ProcId| hob.proc(*p).body.is_some() && !hob.proc(*p).private;
        let procs: Vec<ProcId> = self.checked.iter().copied().filter(is_checked).collect();
        for &proc in &procs {
            self.procs.body_of(&mut self.model, proc);
        }
        self.procs.finish(&mut self.model);
        let snapshot = self.model.method("keep", Vec::new(), Ty::Void, module.span);
        let well_formed = self.model.refers_to_what_is_there();
        self.start();
        for object in self.model.types() {
            self.new_object(object, snapshot, well_formed);
        }
        for proc in procs {
            self.proc(proc, snapshot, well_formed);
        }
        self.snapshot(snapshot);
        self.procs.finish_calls(&mut self.model, snapshot);
    }

    /// Keeps memberships as they are now.
    fn snapshot(&mut self, method: MethodId) {
        let at = At(self.model.span);
        let mut code = Vec::new();
        let index = ir::LocalId(1);
        let i = || at.local(index, Ty::Int);
        for (label, (variable, object, kept)) in self.model.olds.clone().into_iter().enumerate() {
            let model = &mut self.model;
            let Some(object) = object else {
                let now = model.boolean_now(at, variable);
                let this = model.this(at);
                code.push(at.run(at.set_field(this, kept, now)));
                continue;
            };
            let all = model.objects(object).all;
            let all = || model.of_state(at, all);
            let ty = model.ir.field(kept).ty;
            let fresh = at.expr(ir::ExprKind::NewArray(vec![at.length(all())]), ty);
            code.push(at.run(at.set_field(model.this(at), kept, fresh)));
            code.push(at.run(at.set_local(index, at.int(0))));
            let condition = at.compare(ir::CompareOp::Lt, i(), at.length(all()));
            let x = at.element(&model.ir, all(), i());
            let array = model.of_state(at, kept);
            let value = model.in_set(at, variable, object, x);
            let body = vec![at.run(at.set_element(array, i(), value))];
            code.push(at.while_loop(label as u32, condition, body, vec![at.set_local(index, at.add(i(), at.int(1)))]));
        }
        self.model.define(method, vec![Ty::Int], code, false);
    }

    fn operation(
        &mut self,
        subject: Subject,
        method: MethodId,
        (preconditions, postconditions): (Vec<Spec>, Vec<(Spec, Obligation)>),
        span: Span,
    ) {
        let name = match subject {
            Subject::Start => "the start".to_string(),
            Subject::New(object) => format!("new {}", self.model.hob.types[object.index()].name),
            Subject::Proc(proc) => self.model.hob.proc(proc).name.clone(),
        };
        for (spec, obligation) in &postconditions {
            self.obligations.insert(spec.method, *obligation);
        }
        self.operations.push(Operation {
            method,
            name,
            kind: OperationKind::Method,
            preconditions,
            postconditions: postconditions.into_iter().map(|(spec, _)| spec).collect(),
            may_throw: vec![ir::MayThrow { class: self.model.exit, except: Vec::new() }],
            left_out: Vec::new(),
            compared: None,
            others: Vec::new(),
            made: None,
            orders: None,
            block: None,
            span,
        });
        self.subjects.push(subject);
    }

    /// The invariants of the representation, as specifications.
    fn representation(&self) -> Vec<(Spec, Obligation)> {
        let methods = self.invariants.iter().skip(1).enumerate();
        methods.map(|(i, &method)| (spec(method, 0, false), Obligation::Representation(i))).collect()
    }

    fn start(&mut self) {
        let hob = self.model.hob;
        let span = hob.module(self.model.module).span;
        let at = At(span);
        let mut after = Vec::new();
        for variable in self.model.own_variables() {
            let subject = crate::program::Subject::SpecVar(variable);
            let name = NameRef { subject, primed: false, span: hob.spec_var(variable).span };
            let kind = match hob.spec_var(variable).kind {
                SpecVarKind::Bool => {
                    FormulaKind::Not(Box::new(Formula { kind: FormulaKind::Bool(name), span: name.span }))
                }
                SpecVarKind::Set(_) => FormulaKind::Equal(SetExpr::Name(name), SetExpr::Empty),
                SpecVarKind::Relation => continue,
            };
            let value = self.model.formula(&Formula { kind, span: name.span }, &Env::default(), When::Entry);
            let method = self.model.returning("is empty", Vec::new(), value);
            after.push((spec(method, 0, false), Obligation::Empty(variable)));
        }
        after.extend(self.representation());
        for (index, scope) in hob.scopes.iter().enumerate() {
            if !scope.modules.contains(&self.model.module) {
                continue;
            }
            for invariant in &scope.invariants {
                let value = self.model.formula(&invariant.formula, &Env::default(), When::Entry);
                let method = self.model.returning("scope", Vec::new(), value);
                let obligation = Obligation::Scope(ScopeId(index as u32), invariant.span);
                after.push((spec(method, 0, false), obligation));
            }
        }
        let is_default = self.model.is_default();
        let method = self.model.method("start", Vec::new(), Ty::Void, span);
        self.model.define(method, Vec::new(), vec![at.stmt(ir::StmtKind::Return(None))], false);
        self.operation(Subject::Start, method, (vec![spec(is_default, 0, false)], after), span);
    }

    /// A new object, made here or in any other module.
    fn new_object(&mut self, object: TypeId, snapshot: MethodId, well_formed: MethodId) {
        let hob = self.model.hob;
        let span = hob.module(self.model.module).span;
        let at = At(span);
        let objects = self.model.objects(object);
        let class = Ty::Class(objects.class);
        let method = self.model.method("new object", Vec::new(), class, span);
        let new = at.expr(ir::ExprKind::New(objects.class, objects.constructor, vec![self.model.this(at)]), class);
        let keep = at.call(snapshot, vec![self.model.this(at)], Ty::Void);
        self.model.define(method, Vec::new(), vec![at.run(keep), at.ret(new)], false);
        let mut after = Vec::new();
        for variable in self.model.own_variables() {
            if self.model.types_of_variable(variable).contains(&object) {
                let set = At(hob.spec_var(variable).span);
                let x = set.local(ir::LocalId(1), class);
                let inside = self.model.in_set(set, variable, object, x);
                let outside = self.model.returning("outside", vec![("x".to_string(), class)], set.not(inside));
                after.push((spec(outside, 0, true), Obligation::Outside(variable)));
            }
        }
        for variable in self.model.own_variables() {
            let formula = unchanged(hob, variable, hob.spec_var(variable).span);
            let value = self.model.formula(&formula, &Env::default(), When::Later);
            let frame = self.model.returning("unchanged", Vec::new(), value);
            after.push((spec(frame, 0, false), Obligation::Frame(variable)));
        }
        after.extend(self.representation());
        if after.is_empty() {
            return;
        }
        let numbered = self.model.is_numbered(Vec::new());
        let mut before = vec![spec(well_formed, 0, false), spec(numbered, 0, false)];
        before.extend(self.representation().into_iter().map(|(spec, _)| spec));
        self.operation(Subject::New(object), method, (before, after), span);
    }

    fn proc(&mut self, id: ProcId, snapshot: MethodId, well_formed: MethodId) {
        let hob = self.model.hob;
        let proc = hob.proc(id);
        let at = At(proc.span);
        let parameters = formals(&mut self.model, id);
        let count = parameters.len();
        let body = self.procs.body_of(&mut self.model, id);
        let return_ty = self.model.ir.method(body).return_ty;
        let method = self.model.method(&proc.name, parameters.clone(), return_ty, proc.span);
        let mut actuals = vec![self.model.this(at)];
        let given = parameters.iter().enumerate();
        actuals.extend(given.map(|(i, (_, ty))| at.local(ir::LocalId(i as u32 + 1), *ty)));
        let run = at.call(body, actuals, return_ty);
        let keep = at.run(at.call(snapshot, vec![self.model.this(at)], Ty::Void));
        let code = if return_ty == Ty::Void { vec![keep, at.run(run)] } else { vec![keep, at.ret(run)] };
        self.model.define(method, Vec::new(), code, false);

        let numbered = self.model.is_numbered(parameters.clone());
        let mut before = vec![spec(well_formed, 0, false), spec(numbered, count, false)];
        if count > 0 {
            let types: Vec<Type> = proc.locals.iter().take(count).map(|l| l.ty.clone()).collect();
            let there = self.model.are_there(parameters.clone(), &types);
            before.push(spec(there, count, false));
        }
        if !is_given_elsewhere(hob, &self.model.kept, id)
            && let Some(outside) = self.model.are_from_outside(&parameters)
        {
            before.push(spec(outside, count, false));
        }
        before.extend(self.representation().into_iter().map(|(spec, _)| spec));
        for invariant in self.model.public_invariants.clone() {
            let value = self.model.formula(&invariant.formula, &Env::default(), When::Entry);
            let method = self.model.returning("public invariant", Vec::new(), value);
            before.push(spec(method, 0, false));
        }
        for (method, _) in self.procs.requires(&mut self.model, id) {
            before.push(spec(method, count, false));
        }
        let mut after = Vec::new();
        for (number, ensured) in proc.contract.ensures.iter().enumerate() {
            for part in conjuncts(&ensured.formula) {
                let method = clause(&mut self.model, id, part, When::Later);
                let obligation = Obligation::Ensures(number, part.span);
                after.push((spec(method, count, proc.result.is_some()), obligation));
            }
        }
        for &variable in &proc.contract.frame {
            if !self.model.may_move(variable) {
                continue;
            }
            let formula = unchanged(hob, variable, proc.contract.span);
            let method = clause(&mut self.model, id, &formula, When::Later);
            after.push((spec(method, count, proc.result.is_some()), Obligation::Frame(variable)));
        }
        after.extend(self.representation());
        self.operation(Subject::Proc(id), method, (before, after), proc.span);
    }
}
