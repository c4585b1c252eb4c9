//! What sets and invariants that look at the heap depend on: code of other sections of the module may change them too, and whoever
//! holds an array that they look into.

use crate::program::*;
use rustc_hash::FxHashSet;

/// What such a set or invariant depends on.
#[derive(Default)]
pub struct Depends {
    fields: FxHashSet<FieldId>,
    globals: FxHashSet<GlobalId>,
    elements: bool,
    /// It quantifies over objects: a new one may change it.
    objects: bool,
    /// Places whose arrays it looks into, and how deep: 2 for `a[i][j]`.
    pub indexed: Vec<(Holder, usize)>,
}

/// A place of a module that holds an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Holder {
    Global(GlobalId),
    Field(FieldId),
}

/// A step of the code that may touch it.
pub enum Touch {
    Field(FieldId),
    Global(GlobalId),
    Element,
    New,
}

impl Depends {
    /// `named` gives the definitions of the module's other sets.
    pub fn of<'p>(definition: &'p Definition, named: &dyn Fn(SpecVarId) -> Option<&'p Definition>) -> Depends {
        let mut it = Depends::default();
        it.definition(definition, named);
        it
    }

    pub fn of_formula(formula: &HeapFormula) -> Depends {
        let mut it = Depends::default();
        it.formula(formula);
        it
    }

    /// The module's invariants of the representation, of all its sections.
    pub fn of_invariants(module: &Module) -> Depends {
        let mut it = Depends::default();
        module.plugins.iter().flat_map(|p| &p.invariants).for_each(|i| it.formula(&i.formula));
        it
    }

    pub fn depends_on(&self, touch: &Touch) -> bool {
        match touch {
            Touch::Field(field) => self.fields.contains(field),
            Touch::Global(global) => self.globals.contains(global),
            Touch::Element => self.elements,
            Touch::New => self.objects,
        }
    }

    fn definition<'p>(&mut self, definition: &'p Definition, named: &dyn Fn(SpecVarId) -> Option<&'p Definition>) {
        match definition {
            Definition::Union(a, b) | Definition::Inter(a, b) => {
                self.definition(a, named);
                self.definition(b, named);
            }
            // Definitions have no cycles.
            Definition::Named(id) => named(*id).into_iter().for_each(|d| self.definition(d, named)),
            Definition::Flag { field, .. } => drop(self.fields.insert(*field)),
            Definition::Heap { formula, .. } => self.formula(formula),
        }
    }

    fn formula(&mut self, formula: &HeapFormula) {
        match formula {
            HeapFormula::True | HeapFormula::False => {}
            HeapFormula::Not(inner) => self.formula(inner),
            HeapFormula::And(parts) | HeapFormula::Or(parts) => parts.iter().for_each(|p| self.formula(p)),
            HeapFormula::Implies(a, b) | HeapFormula::Iff(a, b) => {
                self.formula(a);
                self.formula(b);
            }
            HeapFormula::Compare(_, a, b) => {
                self.term(a);
                self.term(b);
            }
            HeapFormula::Holds(term) => self.term(term),
            HeapFormula::Reach(a, route, b) => {
                self.term(a);
                self.route(route);
                self.term(b);
            }
            HeapFormula::Quantified { ty, body, .. } => {
                self.objects |= matches!(ty, Type::Object(_));
                self.elements |= *ty == Type::Int;
                self.formula(body);
            }
        }
    }

    fn term(&mut self, term: &HeapTerm) {
        match term {
            HeapTerm::Null | HeapTerm::Int(_) | HeapTerm::Bool(_) | HeapTerm::Bound(_) | HeapTerm::Local(_) => {}
            HeapTerm::Global(global) => drop(self.globals.insert(*global)),
            HeapTerm::Field(inner, field) => {
                self.fields.insert(*field);
                self.term(inner);
            }
            HeapTerm::Index(a, b) => {
                self.elements = true;
                let (mut array, mut depth) = (&**a, 1);
                while let HeapTerm::Index(inner, _) = array {
                    (array, depth) = (inner, depth + 1);
                }
                match array {
                    HeapTerm::Global(global) => self.indexed.push((Holder::Global(*global), depth)),
                    HeapTerm::Field(_, field) => self.indexed.push((Holder::Field(*field), depth)),
                    _ => {}
                }
                self.term(a);
                self.term(b);
            }
            HeapTerm::Length(inner) => self.term(inner),
            HeapTerm::Arithmetic(_, a, b) => {
                self.term(a);
                self.term(b);
            }
        }
    }

    fn route(&mut self, route: &Route) {
        match route {
            Route::Field(field) => drop(self.fields.insert(*field)),
            Route::Sequence(parts) | Route::Either(parts) => parts.iter().for_each(|p| self.route(p)),
            Route::Star(inner) | Route::Plus(inner) | Route::Optional(inner) => self.route(inner),
        }
    }
}
