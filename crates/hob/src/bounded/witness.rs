//! The way back from the engine: what it found is built in the interpreter's heap and run there, and told in Hob's words.
//!
//! What goes in: an element of the [space](super::space). What comes out: a counterexample whose every step the interpreter has
//! done itself, or why it does not confirm it: then nothing may be claimed.

use super::chosen::{spoken_of_by, variables_elsewhere};
use super::picture::{compare, picture};
use super::{Role, Subject, Task};
use crate::interp::heap_formula::{definition_of, holds};
use crate::interp::{
    Abstraction, Call, Fault, Heap, Machine, Names, ObjId, ObjSet, Options, Script, SpecValue, Stop, Value,
};
use crate::interp::{ViolationKind, evaluate};
use crate::program::*;
use ir::space::{Concrete, Space};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use verdict::heap::{HeapExample, Kind, Snapshot, Violation};
use work::on_large_stack;

/// A run that takes more is not going to end.
const STEPS: u64 = 200_000;
/// Nested calls. The engine follows fewer.
const DEPTH: usize = 5_000;
/// A run on a number far from 0 that takes as many may have been too long for the engine.
const LONG: u64 = 1_000;
/// Fields and elements.
const MEMORY: usize = 1 << 20;

/// Why the interpreter does not confirm it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unconfirmed {
    /// It depends on sets or Booleans of other modules in a state that could not be made up, since they have their own representation, or
    /// on what their code does: at this call, if it is known.
    OtherModules { call: Option<(Span, ProcId)> },
    /// A number far from 0 makes the run so long, or so deep, that nobody follows it to its end.
    TakesLong,
    /// The interpreter disagrees with the engine: a bug of ours.
    Disagrees(String),
}

/// What the interpreter confirms.
#[derive(Clone, Debug)]
pub struct Confirmed {
    pub example: HeapExample,
    pub violations: Vec<Violation>,
}

/// Runs what the engine found in the interpreter.
pub fn confirm(
    program: &Program,
    task: &Task,
    operation: usize,
    space: &Space,
    found: &Concrete,
) -> Result<Confirmed, Unconfirmed> {
    on_large_stack(|| {
        let mut world = Script::default();
        let options = Options { check_contracts: true, steps: STEPS, depth: DEPTH, memory: MEMORY, seed: 0 };
        let mut machine = Machine::new(program, &mut world, &options);
        let mut builder = Builder {
            program,
            task,
            space,
            found,
            objects: FxHashMap::default(),
            arrays: FxHashMap::default(),
            chosen: FxHashMap::default(),
            undefined: FxHashMap::default(),
        };
        let arguments = builder
            .build(machine.heap_mut(), operation)
            .map_err(|()| Unconfirmed::Disagrees("the state does not fit into memory".into()))?;
        machine.choose(std::mem::take(&mut builder.chosen), task.contracted.iter().copied().collect());
        for (variable, value) in std::mem::take(&mut builder.undefined) {
            machine.suppose(variable, value);
        }
        let is_faithful = builder.is_faithful(&mut machine);
        let mut replay = Replay { program, task, machine, is_far: builder.is_far() };
        if !is_faithful && !replay.keeps_invariants_elsewhere() {
            return Err(Unconfirmed::OtherModules { call: None });
        }
        let confirmed = match task.subjects[operation] {
            Subject::Proc(proc) => replay.proc(proc, &arguments),
            Subject::Start => replay.start(),
            Subject::New(object) => replay.new_object(object),
        };
        confirmed.map_err(|why| match why {
            Unconfirmed::TakesLong | Unconfirmed::OtherModules { .. } => why,
            Unconfirmed::Disagrees(_) if is_faithful && !task.has_other_results => why,
            Unconfirmed::Disagrees(_) => {
                let call = match task.subjects[operation] {
                    Subject::Proc(proc) => called_elsewhere(program, proc),
                    Subject::Start | Subject::New(_) => None,
                };
                Unconfirmed::OtherModules { call }
            }
        })
    })
}

/// The first call of another module in a procedure: what it does there may be what the answer depends on.
fn called_elsewhere(program: &Program, proc: ProcId) -> Option<(Span, ProcId)> {
    let proc = program.proc(proc);
    let mut found = None;
    crate::visit::exprs(proc.body.as_deref().unwrap_or_default(), &mut |e| match e.kind {
        ExprKind::Call(callee, _) if program.proc(callee).module != proc.module => {
            found = found.or(Some((e.span, callee)));
        }
        _ => {}
    });
    found
}

/// Builds the state of an element.
struct Builder<'a> {
    program: &'a Program,
    task: &'a Task,
    space: &'a Space,
    found: &'a Concrete,
    objects: FxHashMap<ir::ObjId, ObjId>,
    arrays: FxHashMap<ir::ObjId, Value>,
    /// What the run meets where it is free.
    chosen: FxHashMap<(Span, u32), VecDeque<Value>>,
    /// What sets and Booleans are that nobody defines.
    undefined: FxHashMap<SpecVarId, SpecValue>,
}

impl Builder<'_> {
    /// Whether it may have any value: nobody defines it, not even a section of the module that is not read.
    fn is_undefined(&self, abstraction: &Abstraction, variable: SpecVarId) -> bool {
        let module = self.program.spec_var(variable).module;
        !abstraction.is_defined(variable) && (module != self.task.module || !self.program.module(module).has_unread())
    }

    /// Returns the arguments.
    fn build(&mut self, heap: &mut Heap, operation: usize) -> Result<Vec<Value>, ()> {
        let (program, task) = (self.program, self.task);
        let mut undefined: FxHashMap<SpecVarId, BTreeSet<ObjId>> = FxHashMap::default();
        let abstraction = Abstraction::new(program);
        for (index, object) in self.space.objects.iter().enumerate() {
            let ir::Ty::Class(class) = object.ty else { continue };
            let Some(&(ty, _)) = task.types.iter().find(|(_, c)| *c == class) else { continue };
            let is_there = |(role, value)| role == Role::IsThere && value == ir::Value::Bool(true);
            if self.slots(index, class).into_iter().any(is_there) {
                let made = heap.allocate(ty).map_err(drop)?;
                self.objects.insert(ir::ObjId(index as u32), made);
            }
        }
        let mut there: Vec<(ir::ObjId, Option<ObjId>)> =
            self.objects.iter().map(|(o, made)| (*o, Some(*made))).collect();
        there.sort_unstable_by_key(|(o, _)| *o);
        there.extend(self.space.main.map(|main| (main, None)));
        for (id, made) in there {
            let ir::Ty::Class(class) = self.space.object(id).ty else { continue };
            for (role, value) in self.slots(id.index(), class) {
                match (role, made) {
                    (Role::Global(global), _) => {
                        let value = self.value(heap, &program.globals[global.index()].ty, value)?;
                        heap.set_global(global, value);
                    }
                    (Role::Field(field), Some(made)) => {
                        let value = self.value(heap, &program.field(field).ty, value)?;
                        heap.set_field(made, field, value);
                    }
                    (Role::Chosen(at), _) => {
                        let chosen = &task.chosen[at as usize];
                        let value = self.value(heap, &chosen.ty, value)?;
                        self.chosen.entry(chosen.place).or_default().push_back(value);
                    }
                    (Role::Foreign(variable), _) if !self.is_undefined(&abstraction, variable) => {
                        self.foreign(heap, variable, made, value);
                    }
                    (Role::Foreign(variable), Some(made)) => {
                        let set = undefined.entry(variable).or_default();
                        set.extend((value == ir::Value::Bool(true)).then_some(made));
                    }
                    (Role::Foreign(variable), None) => {
                        let value = SpecValue::Bool(value == ir::Value::Bool(true));
                        self.undefined.insert(variable, value);
                    }
                    _ => {}
                }
            }
        }
        for role in &task.roles {
            if let Role::Foreign(variable) = role
                && matches!(program.spec_var(*variable).kind, SpecVarKind::Set(_))
                && self.is_undefined(&abstraction, *variable)
            {
                let set = undefined.remove(variable).unwrap_or_default();
                self.undefined.entry(*variable).or_insert_with(|| SpecValue::Set(Rc::new(set.into_iter().collect())));
            }
        }
        let types = task.formals(program, operation);
        types.iter().zip(&self.found.arguments).map(|(ty, &value)| self.value(heap, ty, value)).collect()
    }

    fn is_far(&self) -> bool {
        let near = self.task.integers.near;
        let near = near.0..=near.1.max(self.space.n);
        let values = self.found.objects.iter().flatten().chain(&self.found.arguments);
        values.into_iter().any(|v| matches!(v, ir::Value::Int(n) if !near.contains(n)))
    }

    fn slots(&self, index: usize, class: ir::ClassId) -> Vec<(Role, ir::Value)> {
        let fields = self.task.program.instance_fields(class);
        let roles = fields.iter().map(|f| self.task.roles[f.index()]);
        roles.zip(self.found.objects[index].iter().copied()).collect()
    }

    /// Membership in a set of another module: a flag can be set; other sets stay what the other module's fields make them.
    fn foreign(&self, heap: &mut Heap, variable: SpecVarId, object: Option<ObjId>, value: ir::Value) {
        if value != ir::Value::Bool(true) {
            return;
        }
        match (object, definition_of(self.program, variable).map(|set| &set.definition)) {
            (Some(object), Some(Definition::Flag { field, constant, object: ty })) if heap.type_of(object) == *ty => {
                let value = match *constant {
                    Constant::Bool(value) => Value::Bool(value),
                    Constant::Int(value) => Value::Int(value as i32).stored_as(&self.program.field(*field).ty),
                };
                heap.set_field(object, *field, value);
            }
            (None, _) => {
                let module = self.program.module(self.program.spec_var(variable).module);
                let global = module.plugins.iter().flat_map(|p| &p.predvars).find(|(v, _)| *v == variable);
                if let Some((_, global)) = global {
                    heap.set_global(*global, Value::Bool(true));
                }
            }
            _ => {}
        }
    }

    /// Whether the sets and Booleans of other modules are what the engine took them for.
    fn is_faithful(&self, machine: &mut Machine<'_, '_>) -> bool {
        let there = self.objects.iter().map(|(id, made)| (*id, Some(*made)));
        there.chain(self.space.main.map(|main| (main, None))).all(|(id, made)| {
            let ir::Ty::Class(class) = self.space.object(id).ty else { return true };
            self.slots(id.index(), class).into_iter().all(|(role, value)| {
                let Role::Foreign(variable) = role else { return true };
                let is_so = match (machine.spec_value(variable), made) {
                    (SpecValue::Set(set), Some(made)) => set.contains(made),
                    (SpecValue::Bool(value), None) => value,
                    _ => return false,
                };
                value == ir::Value::Bool(is_so)
            })
        })
    }

    fn value(&mut self, heap: &mut Heap, ty: &Type, value: ir::Value) -> Result<Value, ()> {
        Ok(match (ty, value) {
            (Type::Array(element), ir::Value::Obj(id)) => {
                if let Some(array) = self.arrays.get(&id) {
                    return Ok(array.clone());
                }
                let values = self.found.objects[id.index()].clone();
                let array = heap.allocate_array(values.len(), &Value::default_of(element)).map_err(drop)?;
                self.arrays.insert(id, Value::Array(array));
                for (index, value) in values.into_iter().enumerate() {
                    let value = self.value(heap, element, value)?;
                    heap.set_element(array, index as i64, value);
                }
                Value::Array(array)
            }
            (_, ir::Value::Obj(id)) => self.objects.get(&id).map_or(Value::Null, |o| Value::Object(*o)),
            (_, ir::Value::Bool(value)) => Value::Bool(value),
            (Type::String, _) => Value::text(""),
            (_, ir::Value::Int(value)) => Value::Int(value as i32).stored_as(ty),
            (_, ir::Value::Null) => Value::Null,
        })
    }
}

struct Replay<'p, 'w> {
    program: &'p Program,
    task: &'p Task,
    machine: Machine<'p, 'w>,
    /// There is a number far from 0.
    is_far: bool,
}

impl Replay<'_, '_> {
    fn proc(mut self, id: ProcId, arguments: &[Value]) -> Result<Confirmed, Unconfirmed> {
        let program = self.program;
        let proc = program.proc(id);
        self.valid()?;
        let spoken = spoken_elsewhere(program, self.task.module, id);
        let before = picture(&mut self.machine, self.task.module, &spoken, usize::MAX);
        let given = self.machine.heap().object_count();
        let shown: Vec<String> = arguments.iter().map(|a| self.show(a)).collect();
        let mut call = format!("{}({})", proc.name, shown.join(", "));
        let (outcome, violation) = match self.machine.call(id, arguments) {
            Ok(result) => {
                let outcome = result.map_or("returned".to_string(), |r| format!("returned {}", self.show(&r)));
                let Some(span) = self.broken_invariant() else {
                    return Err(match self.machine.checks().skipped {
                        _ if self.is_far && self.machine.steps() > LONG => Unconfirmed::TakesLong,
                        0 => Unconfirmed::Disagrees("the interpreter finds nothing wrong".into()),
                        _ => self.depends_on(None),
                    });
                };
                let message = format!("{} breaks an invariant of the representation", program.proc_name(id));
                let told = Diagnostic::error("hob-representation", span, message)
                    .label("does not hold when it returns")
                    .related(proc.span, "this procedure");
                (outcome, Violation { kind: Kind::Invariant, problem: told })
            }
            Err(stop) => match *stop {
                Stop::Violation(found) if found.kind == ViolationKind::Requires && is_outermost(&found.stack) => {
                    return Err(Unconfirmed::Disagrees("the arguments do not meet `requires`".into()));
                }
                // What is followed by its contract has no code here.
                Stop::Fault { fault: Fault::NoImplementation(callee), span, .. } => {
                    return Err(Unconfirmed::OtherModules { call: Some((span, callee)) });
                }
                // By other code: what this module ends is no violation.
                Stop::Exit(_) => return Err(Unconfirmed::OtherModules { call: called_elsewhere(program, id) }),
                Stop::Assumption { .. } | Stop::Interrupted => {
                    return Err(Unconfirmed::Disagrees("an assumption ends the run".into()));
                }
                Stop::Steps { .. } | Stop::Fault { fault: Fault::TooDeep | Fault::OutOfMemory, .. } if self.is_far => {
                    return Err(Unconfirmed::TakesLong);
                }
                stop if self.is_of_another_module(&stop) => return Err(self.depends_on(Some(&stop))),
                stop => (outcome_of(&stop), violation_of(program, &stop)),
            },
        };
        let met: Vec<String> = self.machine.taken.iter().map(|value| self.show(value)).collect();
        if !met.is_empty() {
            call += &format!(", where calls of other modules and free choices come to {}", met.join(", "));
        }
        let mut after = picture(&mut self.machine, self.task.module, &spoken, given);
        compare(&before, &mut after);
        Ok(confirmed(before, call, Some(after), outcome, vec![violation]))
    }

    /// Invariants of scopes that the module is outside of: in a state that is not the engine's they are not known to hold.
    fn keeps_invariants_elsewhere(&mut self) -> bool {
        let program = self.program;
        let outside = program.scopes.iter().filter(|s| !s.modules.contains(&self.task.module));
        let mut names = Now { program, machine: &mut self.machine };
        outside.flat_map(|s| &s.invariants).all(|i| evaluate(&i.formula, &mut names) != Some(false))
    }

    /// The call that led out of the module.
    fn depends_on(&self, stop: Option<&Stop>) -> Unconfirmed {
        let stack = match stop {
            Some(Stop::Violation(found)) => &found.stack[..],
            Some(Stop::Fault { stack, .. } | Stop::Assumption { stack, .. } | Stop::Steps { stack, .. }) => stack,
            Some(Stop::Interrupted | Stop::Exit(_)) | None => &[],
        };
        let out = stack.iter().find(|call| self.program.proc(call.proc).module != self.task.module);
        Unconfirmed::OtherModules { call: out.and_then(|call| Some((call.called_at?, call.proc))) }
    }

    /// Whether a run ended by a fault of other code: in a state that its module need not ever be in, and that says nothing about ours.
    fn is_of_another_module(&self, stop: &Stop) -> bool {
        let blamed = match stop {
            // Whoever calls must see to it.
            Stop::Violation(found) if matches!(found.kind, ViolationKind::Requires | ViolationKind::Leaving) => {
                found.stack.iter().rev().nth(1)
            }
            Stop::Violation(found) => found.stack.last(),
            Stop::Fault { stack, .. } | Stop::Assumption { stack, .. } | Stop::Steps { stack, .. } => stack.last(),
            Stop::Interrupted | Stop::Exit(_) => None,
        };
        blamed.is_some_and(|call| self.program.proc(call.proc).module != self.task.module)
    }

    fn show(&self, value: &Value) -> String {
        match value {
            Value::Object(object) => self.machine.heap().name(self.program, *object),
            Value::Array(array) => {
                let elements = (0..self.machine.heap().length(*array) as i64)
                    .filter_map(|i| self.machine.heap().element(*array, i).map(|e| self.show(e)));
                format!("[{}]", elements.collect::<Vec<_>>().join(", "))
            }
            Value::Null => "null".into(),
            Value::Bool(value) => value.to_string(),
            Value::Float(value) => value.to_string(),
            Value::Text(text) => format!("{text:?}"),
            Value::Int(_) | Value::Byte(_) | Value::Char(_) => value.integer().unwrap_or(0).to_string(),
        }
    }

    /// The invariants of the representation hold.
    fn valid(&self) -> Result<(), Unconfirmed> {
        match self.broken_invariant() {
            None => Ok(()),
            Some(_) => Err(Unconfirmed::Disagrees("the state does not satisfy the invariants".into())),
        }
    }

    /// The place of the first invariant of the representation that does not hold.
    fn broken_invariant(&self) -> Option<Span> {
        let broken = |i: &&HeapInvariant| holds(self.program, self.machine.heap(), &i.formula) == Some(false);
        self.task.invariants.iter().find(broken).map(|i| i.span)
    }

    fn start(mut self) -> Result<Confirmed, Unconfirmed> {
        let program = self.program;
        let mut names = Now { program, machine: &mut self.machine };
        let mut violations = Vec::new();
        let mut found = |kind, message: String, span: Span, label: &str| {
            let problem = Diagnostic::error("hob-start", span, message).label(label);
            violations.push(Violation { kind, problem });
        };
        for &variable in &program.module(self.task.module).spec_vars {
            let declared = program.spec_var(variable);
            let is_wrong = match names.machine.spec_value(variable) {
                SpecValue::Set(set) => !set.is_empty(),
                SpecValue::Bool(value) => value,
                SpecValue::Unknown => false,
            };
            if is_wrong {
                let what = if declared.kind == SpecVarKind::Bool { "is true" } else { "is not empty" };
                let message = format!("`{}` {what} at the start of the program", declared.name);
                found(Kind::Postcondition, message, declared.span, "at the start all sets are empty, Booleans false");
            }
        }
        for scope in program.scopes.iter().filter(|s| s.modules.contains(&self.task.module)) {
            for invariant in &scope.invariants {
                if evaluate(&invariant.formula, &mut names) == Some(false) {
                    let message = "an invariant does not hold at the start of the program".to_string();
                    found(Kind::Invariant, message, invariant.span, "false when all sets are as at the start");
                }
            }
        }
        if let Some(span) = self.broken_invariant() {
            let message = "an invariant of the representation does not hold at the start of the program".to_string();
            found(Kind::Invariant, message, span, "false when variables and fields are 0, false and null");
        }
        self.told(violations, "the start of the program")
    }

    fn told(mut self, violations: Vec<Violation>, call: &str) -> Result<Confirmed, Unconfirmed> {
        if violations.is_empty() {
            return Err(Unconfirmed::Disagrees("the interpreter finds nothing wrong".into()));
        }
        let before = picture(&mut self.machine, self.task.module, &[], usize::MAX);
        Ok(confirmed(before, call.to_string(), None, String::new(), violations))
    }

    fn new_object(mut self, object: TypeId) -> Result<Confirmed, Unconfirmed> {
        let program = self.program;
        self.valid()?;
        let mut abstraction = Abstraction::new(program);
        let variables = &program.module(self.task.module).spec_vars;
        let mut sets = |heap: &Heap| -> Vec<SpecValue> {
            variables.iter().map(|&v| abstraction.value(program, heap, v)).collect()
        };
        let before = picture(&mut self.machine, self.task.module, &[], usize::MAX);
        let (given, old) = (self.machine.heap().object_count(), sets(self.machine.heap()));
        let full = |_| Unconfirmed::Disagrees("the state does not fit into memory".into());
        let made = self.machine.heap_mut().allocate(object).map_err(full)?;
        let new = sets(self.machine.heap());
        let ty = &program.types[object.index()].name;
        let mut violations = Vec::new();
        for ((&variable, old), new) in variables.iter().zip(&old).zip(&new) {
            let (declared, definition) = (program.spec_var(variable), definition_of(program, variable));
            let message = match new {
                SpecValue::Set(set) if set.contains(made) => {
                    format!("a new {ty} is in `{}` from the beginning, whoever makes it", declared.name)
                }
                _ if old.same(new) == Some(false) => format!("a new {ty} changes `{}`", declared.name),
                _ => continue,
            };
            let told = Diagnostic::error("hob-new-object", definition.map_or(declared.span, |d| d.span), message)
                .label("depends on objects whose fields are 0, false and null")
                .help("other modules make objects at any time: only what this module did to one may put it into a set");
            violations.push(Violation { kind: Kind::Postcondition, problem: told });
        }
        if let Some(span) = self.broken_invariant() {
            let message = format!("an invariant of the representation does not hold once there is a new {ty}");
            let told = Diagnostic::error("hob-new-object", span, message)
                .label("false for an object whose fields are 0, false and null")
                .help("speak of objects in the structure only: `root<next*>x => ...`");
            violations.push(Violation { kind: Kind::Invariant, problem: told });
        }
        if violations.is_empty() {
            return Err(Unconfirmed::Disagrees("the interpreter finds nothing wrong".into()));
        }
        let mut after = picture(&mut self.machine, self.task.module, &[], given);
        compare(&before, &mut after);
        Ok(confirmed(before, format!("new {ty}()"), Some(after), String::new(), violations))
    }
}

fn confirmed(
    before: Snapshot,
    call: String,
    after: Option<Snapshot>,
    outcome: String,
    violations: Vec<Violation>,
) -> Confirmed {
    let example = HeapExample {
        before,
        notes: Vec::new(),
        call,
        path: Vec::new(),
        gap: None,
        after,
        outcome,
        pictures: Vec::new(),
    };
    Confirmed { example, violations }
}

fn is_outermost(stack: &[Call]) -> bool {
    stack.last().is_none_or(|call| call.called_at.is_none())
}

fn outcome_of(stop: &Stop) -> String {
    match stop {
        Stop::Fault { .. } => "stopped by an error".into(),
        Stop::Steps { .. } => "did not end".into(),
        _ => "broke its contract".into(),
    }
}

fn violation_of(program: &Program, stop: &Stop) -> Violation {
    let mut problem = stop.diagnostic(program);
    let kind = match stop {
        Stop::Violation(v) => match v.kind {
            ViolationKind::Ensures | ViolationKind::Frame(_) => Kind::Postcondition,
            ViolationKind::Representation | ViolationKind::Leaving => Kind::Invariant,
            ViolationKind::Requires | ViolationKind::Assertion(_) | ViolationKind::LoopInvariant => Kind::Assertion,
        },
        Stop::Steps { .. } => {
            problem.message = format!("the run does not end within {STEPS} steps");
            Kind::Divergence
        }
        _ => Kind::Exception,
    };
    Violation { kind, problem }
}

/// Sets and Booleans as they are now; no procedure runs.
struct Now<'a, 'p, 'w> {
    program: &'p Program,
    machine: &'a mut Machine<'p, 'w>,
}

impl Names for Now<'_, '_, '_> {
    fn value(&mut self, name: &NameRef) -> SpecValue {
        match name.subject {
            crate::program::Subject::SpecVar(variable) => self.machine.spec_value(variable),
            _ => SpecValue::Set(Rc::new(ObjSet::default())),
        }
    }

    fn objects(&self) -> usize {
        self.machine.heap().object_count()
    }

    fn heap(&mut self, formula: &HeapFormula) -> Option<bool> {
        holds(self.program, self.machine.heap(), formula)
    }
}

/// Sets and Booleans of other modules that a procedure has to do with.
fn spoken_elsewhere(program: &Program, module: ModuleId, proc: ProcId) -> Vec<SpecVarId> {
    let mut found = Vec::new();
    spoken_of_by(program, proc, &mut |formula| variables_elsewhere(program, module, formula, &mut found));
    found.sort_unstable();
    found
}
