//! Sets of the module that another of its plugins defines, by the heap: code that this plugin follows may change them too.

use crate::program::*;
use rustc_hash::FxHashSet;

/// What such a set depends on.
#[derive(Default)]
pub struct HeapSet {
    fields: FxHashSet<FieldId>,
    globals: FxHashSet<GlobalId>,
    elements: bool,
    /// It quantifies over objects: a new one may change it.
    objects: bool,
}

/// A step of the code that may touch it.
pub enum Touch {
    Field(FieldId),
    Global(GlobalId),
    Element,
    New,
}

impl HeapSet {
    /// `named` gives the definitions of the module's other sets.
    pub fn of<'p>(definition: &'p Definition, named: &dyn Fn(SpecVarId) -> Option<&'p Definition>) -> HeapSet {
        let mut it = HeapSet::default();
        it.definition(definition, named);
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
            HeapTerm::Null | HeapTerm::Int(_) | HeapTerm::Bool(_) | HeapTerm::Bound(_) => {}
            HeapTerm::Global(global) => drop(self.globals.insert(*global)),
            HeapTerm::Field(inner, field) => {
                self.fields.insert(*field);
                self.term(inner);
            }
            HeapTerm::Index(a, b) => {
                self.elements = true;
                self.term(a);
                self.term(b);
            }
            HeapTerm::Length(inner) => self.term(inner),
            HeapTerm::Add(a, b) | HeapTerm::Subtract(a, b) => {
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
