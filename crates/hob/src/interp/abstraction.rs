//! The abstract sets of a concrete heap: the abstraction function of every module whose plugins define its sets.
//!
//! What goes in: a heap. What comes out: the value of each set and Boolean of the specification, [`SpecValue::Unknown`] where no
//! plugin defines it. A set is computed when somebody asks, and again only after something that its definition looks at has changed.

use super::heap::{Heap, Watch};
use super::heap_formula::{definition_of, holds, member_set};
use super::objset::ObjSet;
use super::value::Value;
use crate::program::*;
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone, PartialEq, Debug)]
pub enum SpecValue {
    Set(Rc<ObjSet>),
    Bool(bool),
    /// Nobody says what it is.
    Unknown,
}

impl SpecValue {
    /// None if either is unknown.
    pub fn same(&self, other: &SpecValue) -> Option<bool> {
        match (self, other) {
            (SpecValue::Set(a), SpecValue::Set(b)) => Some(Rc::ptr_eq(a, b) || a == b),
            (SpecValue::Bool(a), SpecValue::Bool(b)) => Some(a == b),
            _ => None,
        }
    }
}

/// What a definition looks at.
#[derive(Clone, Debug, Default)]
struct Support {
    fields: Vec<FieldId>,
    globals: Vec<GlobalId>,
    types: Vec<TypeId>,
    arrays: bool,
}

#[derive(Clone, Debug)]
enum Source {
    Set(Support),
    Bool(GlobalId),
    Unknown,
}

#[derive(Clone, Debug)]
pub struct Abstraction {
    sources: Vec<Source>,
    /// What sets and Booleans are supposed to be that nobody defines.
    supposed: FxHashMap<SpecVarId, SpecValue>,
    /// The last value, and the heap's clock when it was computed.
    known: Vec<Option<(u64, Rc<ObjSet>)>>,
    /// Of each module: what each of its invariants looks at, and the heap's clock when it last held.
    invariants: Vec<Vec<(Support, u64)>>,
}

impl Abstraction {
    pub fn new(program: &Program) -> Abstraction {
        let source = |i: usize| {
            let variable = SpecVarId(i as u32);
            let module = program.module(program.spec_vars[i].module);
            match program.spec_vars[i].kind {
                SpecVarKind::Relation => Source::Unknown,
                SpecVarKind::Bool => {
                    let mut pairs = module.plugins.iter().flat_map(|plugin| &plugin.predvars);
                    pairs.find(|pair| pair.0 == variable).map_or(Source::Unknown, |pair| Source::Bool(pair.1))
                }
                SpecVarKind::Set(_) => definition_of(program, variable).map_or(Source::Unknown, |set| {
                    let mut support = Support::default();
                    support.of_definition(program, &set.definition, &mut vec![variable]);
                    Source::Set(support)
                }),
            }
        };
        let of_module = |module| {
            let support = |invariant: &HeapInvariant| {
                let mut support = Support::default();
                support.of_formula(&invariant.formula);
                (support, 0)
            };
            invariants_of(program, module).map(support).collect()
        };
        let modules = (0..program.modules.len() as u32).map(ModuleId);
        let count = program.spec_vars.len();
        Abstraction {
            sources: (0..count).map(source).collect(),
            supposed: FxHashMap::default(),
            known: vec![None; count],
            invariants: modules.map(of_module).collect(),
        }
    }

    /// Whether some plugin says what it is.
    pub fn is_defined(&self, variable: SpecVarId) -> bool {
        !matches!(self.sources[variable.index()], Source::Unknown)
    }

    /// From now on an undefined set or Boolean has this value.
    pub fn suppose(&mut self, variable: SpecVarId, value: SpecValue) {
        self.supposed.insert(variable, value);
    }

    /// Code of a module runs. If all of its abstraction is read, nothing changes what that leaves undefined; otherwise it may be anything now.
    /// Whether anything is forgotten.
    pub fn forget(&mut self, program: &Program, module: ModuleId) -> bool {
        let before = self.supposed.len();
        let declared = program.module(module);
        if declared.plugins.is_empty() || declared.has_unread() {
            self.supposed.retain(|variable, _| program.spec_var(*variable).module != module);
        }
        before != self.supposed.len()
    }

    /// What the heap must date the changes of.
    pub fn watch(&self, program: &Program) -> Watch {
        let mut watch = Watch::everything(program, false);
        let mut add = |support: &Support| {
            support.fields.iter().for_each(|field| watch.fields[field.index()] = true);
            support.globals.iter().for_each(|global| watch.globals[global.index()] = true);
            support.types.iter().for_each(|ty| watch.types[ty.index()] = true);
            watch.arrays |= support.arrays;
        };
        self.invariants.iter().flatten().for_each(|(support, _)| add(support));
        for source in &self.sources {
            match source {
                Source::Set(support) => add(support),
                Source::Bool(global) => add(&Support { globals: vec![*global], ..Support::default() }),
                Source::Unknown => {}
            }
        }
        watch
    }

    /// The first invariant of the module's representation that does not hold.
    pub fn broken<'p>(&mut self, program: &'p Program, heap: &Heap, module: ModuleId) -> Option<&'p HeapInvariant> {
        for (invariant, (support, held)) in invariants_of(program, module).zip(&mut self.invariants[module.index()]) {
            if !support.changed_after(heap, *held) {
                continue;
            }
            match holds(program, heap, &invariant.formula) {
                Some(false) => return Some(invariant),
                Some(true) => *held = heap.clock(),
                None => {}
            }
        }
        None
    }

    /// The value in this heap, which must be the one of the questions before, maybe changed.
    pub fn value(&mut self, program: &Program, heap: &Heap, variable: SpecVarId) -> SpecValue {
        let i = variable.index();
        match &self.sources[i] {
            Source::Unknown => self.supposed.get(&variable).cloned().unwrap_or(SpecValue::Unknown),
            Source::Bool(global) => match heap.global(*global) {
                Value::Bool(b) => SpecValue::Bool(*b),
                _ => SpecValue::Unknown,
            },
            Source::Set(support) => {
                if let Some((when, set)) = &self.known[i]
                    && !support.changed_after(heap, *when)
                {
                    return SpecValue::Set(Rc::clone(set));
                }
                let Some(definition) = definition_of(program, variable) else { return SpecValue::Unknown };
                let Some(set) = compute(program, heap, &definition.definition) else { return SpecValue::Unknown };
                let set = Rc::new(set);
                self.known[i] = Some((heap.clock(), Rc::clone(&set)));
                SpecValue::Set(set)
            }
        }
    }
}

fn invariants_of(program: &Program, module: ModuleId) -> impl Iterator<Item = &HeapInvariant> {
    program.module(module).plugins.iter().flat_map(|plugin| &plugin.invariants)
}

fn compute(program: &Program, heap: &Heap, definition: &Definition) -> Option<ObjSet> {
    match definition {
        // By far the most frequent: without a detour through the view.
        Definition::Flag { object, field, constant } => {
            Some(heap.of_type(*object).iter().copied().filter(|id| heap.field(*id, *field).is(*constant)).collect())
        }
        _ => member_set(program, heap, definition),
    }
}

impl Support {
    fn changed_after(&self, heap: &Heap, when: u64) -> bool {
        self.fields.iter().any(|field| heap.field_changed(*field) > when)
            || self.types.iter().any(|ty| heap.type_changed(*ty) > when)
            || self.globals.iter().any(|global| heap.global_changed(*global) > when)
            || self.arrays && heap.arrays_changed() > when
    }

    fn of_definition(&mut self, program: &Program, definition: &Definition, within: &mut Vec<SpecVarId>) {
        match definition {
            Definition::Union(a, b) | Definition::Inter(a, b) => {
                self.of_definition(program, a, within);
                self.of_definition(program, b, within);
            }
            Definition::Named(variable) => {
                if !within.contains(variable)
                    && let Some(set) = definition_of(program, *variable)
                {
                    within.push(*variable);
                    self.of_definition(program, &set.definition, within);
                    within.pop();
                }
            }
            Definition::Flag { object, field, .. } => {
                self.types.push(*object);
                self.fields.push(*field);
            }
            Definition::Heap { object, formula } => {
                self.types.push(*object);
                self.of_formula(formula);
            }
        }
    }

    fn of_formula(&mut self, formula: &HeapFormula) {
        match formula {
            HeapFormula::True | HeapFormula::False => {}
            HeapFormula::Not(a) => self.of_formula(a),
            HeapFormula::And(parts) | HeapFormula::Or(parts) => parts.iter().for_each(|part| self.of_formula(part)),
            HeapFormula::Implies(a, b) | HeapFormula::Iff(a, b) => {
                self.of_formula(a);
                self.of_formula(b);
            }
            HeapFormula::Compare(_, a, b) => {
                self.of_term(a);
                self.of_term(b);
            }
            HeapFormula::Holds(a) => self.of_term(a),
            HeapFormula::Reach(a, route, b) => {
                self.of_term(a);
                self.of_route(route);
                self.of_term(b);
            }
            HeapFormula::Quantified { ty, body, .. } => {
                if let Type::Object(ty) = ty {
                    self.types.push(*ty);
                }
                self.of_formula(body);
            }
        }
    }

    fn of_term(&mut self, term: &HeapTerm) {
        match term {
            HeapTerm::Null | HeapTerm::Int(_) | HeapTerm::Bool(_) | HeapTerm::Bound(_) | HeapTerm::Local(_) => {}
            HeapTerm::Global(global) => self.globals.push(*global),
            HeapTerm::Field(a, field) => {
                self.fields.push(*field);
                self.of_term(a);
            }
            HeapTerm::Length(a) => self.of_term(a),
            HeapTerm::Index(a, b) => {
                self.arrays = true;
                self.of_term(a);
                self.of_term(b);
            }
            HeapTerm::Arithmetic(_, a, b) => {
                self.of_term(a);
                self.of_term(b);
            }
        }
    }

    fn of_route(&mut self, route: &Route) {
        match route {
            Route::Field(field) => self.fields.push(*field),
            Route::Sequence(parts) | Route::Either(parts) => parts.iter().for_each(|part| self.of_route(part)),
            Route::Star(part) | Route::Plus(part) | Route::Optional(part) => self.of_route(part),
        }
    }
}
