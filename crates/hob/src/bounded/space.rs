//! The states of a module within a bound, as a space of the engine.
//!
//! With bound n a state has at most n objects of each type (`is there` says which), whatever they and the module's variables refer to:
//! structures, objects outside of any structure that point into it, cycles, sharing. Arguments are null or any of these objects. Arrays
//! have at most n elements; there are as many arrays of a type as there are places for them, and places may share one.
//! Integers are from -1 to n, and around every number that the module's code and definitions mention; characters are those of ASCII.
//! Sets of other modules hold whatever they hold.
//!
//! All objects of a type are alike: no code of [`super`] depends on their order, so one numbering of them is enough
//! ([`super::numbering`]). The arrays of a type are numbered by the places that may hold them: the k-th holds one of the first k.

use super::Task;
use super::model::Role;
use crate::program::*;
use ir::space::{Domain, Presence, Shape, Space, SpaceObject};
use ir::{ObjId, Ty, Value};
use rustc_hash::FxHashMap;

/// What a verdict has to say about its bound, beside the [`integers`].
pub fn bound_text(n: i64) -> String {
    let (objects, elements) = (if n == 1 { "object" } else { "objects" }, if n == 1 { "element" } else { "elements" });
    format!("at most {n} {objects} of each type, arrays of at most {n} {elements}")
}

/// Numbers up to here are joined with those around 0 to one range.
const SMALL: u64 = 64;

/// The integers of a state, and of an argument: from -1 to n, and each number that the module's code and definitions mention, with
/// those next to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Integers {
    /// From the first to the greater of n and the second.
    pub near: (i64, i64),
    /// Ranges beyond, ascending.
    pub far: Vec<(i64, i64)>,
}

impl Integers {
    /// All ranges with bound n, ascending.
    pub fn ranges(&self, n: i64) -> Vec<(i64, i64)> {
        let near = (self.near.0, self.near.1.max(n));
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        let mut all: Vec<(i64, i64)> = self.far.iter().copied().chain([near]).collect();
        all.sort_unstable();
        for (from, to) in all {
            match ranges.last_mut() {
                Some(last) if from <= last.1 + 1 => last.1 = last.1.max(to),
                _ => ranges.push((from, to)),
            }
        }
        ranges
    }

    /// `integers from -1 to 4 and from 99 to 101`.
    pub fn text(&self, n: i64) -> String {
        let ranges: Vec<String> = self.ranges(n).iter().map(|(from, to)| format!("from {from} to {to}")).collect();
        match &ranges[..] {
            [all @ .., last] if !all.is_empty() => format!("integers {} and {last}", all.join(", ")),
            _ => format!("integers {}", ranges.join("")),
        }
    }
}

pub fn integers(program: &Program, module: ModuleId) -> Integers {
    let declared = program.module(module);
    let (mut lo, mut hi) = (-1, -1);
    let mut far = Vec::new();
    let mut mention = |number: i64| {
        if number.unsigned_abs() < SMALL {
            lo = lo.min(number - 1);
            hi = hi.max(number + 1);
        } else if let Ok(number) = i32::try_from(number) {
            far.push((i64::from(number.saturating_sub(1)), i64::from(number.saturating_add(1))));
        }
    };
    for proc in &declared.procs {
        let mut is_negative = false;
        crate::visit::exprs(program.proc(*proc).body.as_deref().unwrap_or_default(), &mut |e| match &e.kind {
            ExprKind::Unary(UnaryOp::Negate, _) => is_negative = true,
            ExprKind::Int(number) if std::mem::take(&mut is_negative) => mention(number.wrapping_neg()),
            ExprKind::Int(number) => mention(*number),
            _ => is_negative = false,
        });
    }
    for plugin_use in &declared.plugins {
        for set in &plugin_use.sets {
            of_definition(&set.definition, &mut mention);
        }
        for invariant in &plugin_use.invariants {
            of_formula(&invariant.formula, &mut mention);
        }
    }
    far.sort_unstable();
    far.dedup();
    Integers { near: (lo, hi), far }
}

fn of_definition(definition: &Definition, mention: &mut dyn FnMut(i64)) {
    match definition {
        Definition::Union(a, b) | Definition::Inter(a, b) => {
            of_definition(a, mention);
            of_definition(b, mention);
        }
        Definition::Named(_) => {}
        Definition::Flag { constant, .. } => {
            if let Constant::Int(number) = constant {
                mention(*number);
            }
        }
        Definition::Heap { formula, .. } => of_formula(formula, mention),
    }
}

fn of_formula(formula: &HeapFormula, mention: &mut dyn FnMut(i64)) {
    match formula {
        HeapFormula::True | HeapFormula::False => {}
        HeapFormula::Not(a) | HeapFormula::Quantified { body: a, .. } => of_formula(a, mention),
        HeapFormula::And(parts) | HeapFormula::Or(parts) => parts.iter().for_each(|p| of_formula(p, mention)),
        HeapFormula::Implies(a, b) | HeapFormula::Iff(a, b) => {
            of_formula(a, mention);
            of_formula(b, mention);
        }
        HeapFormula::Compare(_, a, b) | HeapFormula::Reach(a, _, b) => {
            of_term(a, mention);
            of_term(b, mention);
        }
        HeapFormula::Holds(a) => of_term(a, mention),
    }
}

fn of_term(term: &HeapTerm, mention: &mut dyn FnMut(i64)) {
    match term {
        HeapTerm::Int(number) => mention(*number),
        HeapTerm::Field(a, _) | HeapTerm::Length(a) => of_term(a, mention),
        HeapTerm::Index(a, b) | HeapTerm::Arithmetic(_, a, b) => {
            of_term(a, mention);
            of_term(b, mention);
        }
        HeapTerm::Null | HeapTerm::Bool(_) | HeapTerm::Global(_) | HeapTerm::Local(_) | HeapTerm::Bound(_) => {}
    }
}

/// The space of the operation of this number.
pub fn space(hob: &Program, task: &Task, operation: usize, n: i64) -> Space {
    let mut builder = Builder {
        hob,
        task,
        n,
        integers: ends(&task.integers, n),
        objects: Vec::new(),
        of_type: FxHashMap::default(),
        all: FxHashMap::default(),
        arrays: FxHashMap::default(),
        placed: FxHashMap::default(),
    };
    builder.reserve(operation);
    builder.fill();
    let arguments = task.formals(hob, operation).iter().map(|ty| builder.domain(ty)).collect();
    Space {
        n,
        shape: Shape::Complete,
        objects: builder.objects,
        statics: 0,
        main: Some(ObjId(0)),
        static_state: Vec::new(),
        arguments,
        slots: Vec::new(),
        budgets: Vec::new(),
        trees: Vec::new(),
        refused: None,
        left_out: Vec::new(),
    }
}

/// The least and the greatest; those between that are not in any range are left out by a precondition ([`Model::are_there`]).
///
/// [`Model::are_there`]: super::model::Model
fn ends(integers: &Integers, n: i64) -> (i64, i64) {
    let ranges = integers.ranges(n);
    (ranges.first().map_or(-1, |r| r.0), ranges.last().map_or(n, |r| r.1))
}

struct Builder<'a> {
    hob: &'a Program,
    task: &'a Task,
    n: i64,
    integers: (i64, i64),
    objects: Vec<SpaceObject>,
    of_type: FxHashMap<TypeId, Vec<ObjId>>,
    /// The array of all objects of a type.
    all: FxHashMap<TypeId, ObjId>,
    /// By type, the arrays that places of that type may hold.
    arrays: FxHashMap<Type, Vec<ObjId>>,
    /// By type, how many places for arrays there are so far.
    placed: FxHashMap<Type, usize>,
}

impl Builder<'_> {
    fn add(&mut self, ty: Ty, length: (i64, i64), interchangeable: bool) -> ObjId {
        let presence = Presence::Always;
        self.objects.push(SpaceObject {
            ty,
            presence,
            slots: Vec::new(),
            length,
            place: None,
            interchangeable,
            group: 0,
            instance: None,
        });
        ObjId(self.objects.len() as u32 - 1)
    }

    /// The objects, without what they hold.
    fn reserve(&mut self, operation: usize) {
        let task = self.task;
        self.add(Ty::Class(task.checked.class), (0, 0), false);
        for &(object, class) in &task.types {
            let objects: Vec<ObjId> = (0..self.n).map(|_| self.add(Ty::Class(class), (0, 0), false)).collect();
            self.of_type.insert(object, objects);
        }
        for (field, role) in task.program.fields.iter().zip(&task.roles) {
            if let Role::All(object) = role {
                let array = self.add(field.ty, (self.n, self.n), false);
                self.all.insert(*object, array);
            }
        }
        // Places for arrays, outermost types first: a new array has places for further ones.
        let mut places: Vec<(Type, i64)> = Vec::new();
        for role in &task.roles {
            match role {
                Role::Global(global) => places.push((self.hob.globals[global.index()].ty.clone(), 1)),
                Role::Field(field) => places.push((self.hob.field(*field).ty.clone(), self.n)),
                Role::Chosen(at) => places.push((task.chosen[*at as usize].ty.clone(), 1)),
                _ => {}
            }
        }
        places.extend(task.formals(self.hob, operation).into_iter().map(|ty| (ty, 1)));
        places.retain(|(ty, _)| matches!(ty, Type::Array(_)));
        while let Some(next) = places.iter().map(|(ty, _)| dimensions(ty)).max() {
            let Some((ty, _)) = places.iter().find(|(ty, _)| dimensions(ty) == next).cloned() else { break };
            let count: i64 = places.iter().filter(|(t, _)| *t == ty).map(|(_, count)| count).sum();
            places.retain(|(t, _)| *t != ty);
            let Some(made) = task.array_type(&ty) else { continue };
            let arrays: Vec<ObjId> = (0..count).map(|_| self.add(made, (0, self.n), false)).collect();
            self.arrays.insert(ty.clone(), arrays);
            if let Type::Array(element) = ty
                && matches!(*element, Type::Array(_))
            {
                places.push((*element, count * self.n));
            }
        }
    }

    fn fill(&mut self) {
        let task = self.task;
        for index in 0..self.objects.len() {
            if let Ty::Class(class) = self.objects[index].ty {
                let fields = task.program.instance_fields(class);
                self.objects[index].slots = fields.iter().map(|f| self.of_role(task.roles[f.index()])).collect();
            }
        }
        for (object, array) in &self.all {
            let objects = self.of_type.get(object).map_or(&[][..], |o| o);
            self.objects[array.index()].slots = objects.iter().map(|&o| Domain::Fixed(Value::Obj(o))).collect();
        }
        let mut arrays: Vec<(ObjId, Type)> = Vec::new();
        for (ty, of_type) in &self.arrays {
            if let Type::Array(element) = ty {
                arrays.extend(of_type.iter().map(|a| (*a, (**element).clone())));
            }
        }
        arrays.sort_unstable_by_key(|(array, _)| *array);
        for (array, element) in arrays {
            self.objects[array.index()].slots = (0..self.n).map(|_| self.domain(&element)).collect();
        }
    }

    fn of_role(&mut self, role: Role) -> Domain {
        match role {
            Role::Global(global) => self.domain(&self.hob.globals[global.index()].ty),
            Role::Field(field) => self.domain(&self.hob.field(field).ty),
            Role::All(object) => {
                self.all.get(&object).map_or(Domain::Fixed(Value::Null), |&a| Domain::Fixed(Value::Obj(a)))
            }
            Role::Nothing => Domain::Fixed(Value::Null),
            Role::OldBool | Role::Shared => Domain::Fixed(Value::Bool(false)),
            Role::Asked => Domain::Fixed(Value::Int(0)),
            Role::ChosenField(field) => self.domain(&self.hob.field(field).ty),
            Role::ChosenWhich => Domain::Int { lo: -1, hi: self.n },
            Role::Chosen(at) if self.task.chosen[at as usize].is_number() => {
                Domain::Int { lo: 0, hi: super::chosen::TIMES as i64 }
            }
            Role::Chosen(at) => self.domain(&self.task.chosen[at as usize].ty),
            Role::Bound => Domain::Fixed(Value::Int(self.n)),
            Role::IsThere | Role::Foreign(_) | Role::ChosenIn => Domain::Bool,
        }
    }

    fn domain(&mut self, ty: &Type) -> Domain {
        let among = |objects: &[ObjId]| Domain::Ref { nullable: true, objects: objects.to_vec() };
        match ty {
            Type::Bool => Domain::Bool,
            Type::Int => Domain::Int { lo: self.integers.0, hi: self.integers.1 },
            Type::Byte => Domain::Int { lo: self.integers.0.max(-128), hi: self.integers.1.min(127) },
            Type::Char => Domain::Int { lo: 0, hi: 127 },
            // Nobody looks into them.
            Type::Float | Type::String => Domain::Fixed(Value::Int(0)),
            Type::Object(object) => among(self.of_type.get(object).map_or(&[], |o| o)),
            Type::Array(_) => {
                let arrays = self.arrays.get(ty).map_or(&[][..], |a| a);
                let placed = self.placed.entry(ty.clone()).or_default();
                *placed += 1;
                among(&arrays[..arrays.len().min(*placed)])
            }
            Type::Null | Type::Nothing => Domain::Fixed(Value::Null),
        }
    }
}

fn dimensions(ty: &Type) -> usize {
    match ty {
        Type::Array(element) => 1 + dimensions(element),
        _ => 0,
    }
}
