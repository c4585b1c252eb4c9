//! What PALE's declarations say of a heap: data fields form the backbone, pointers are what their formulas say.

use super::build::{and, apart, either, for_all, not, or};
use super::pale::{self, Declared, Member};
use super::syntax::Term;
use super::{Bound, Language, Reader};
use crate::program::{self, BinaryOp, FieldId, HeapFormula, HeapInvariant, HeapTerm, Route, Type, TypeId};
use crate::syntax::ast::Quoted;
use std::rc::Rc;

impl Reader<'_, '_, '_, '_> {
    /// What PALE's declarations say of a heap: the backbone is a forest, pointers are what their formulas say. Only objects of the backbone
    /// are spoken of: what else there is has nothing to do with the structure.
    pub(super) fn graph(&mut self, quoted: &[Quoted]) -> Option<Vec<HeapInvariant>> {
        let declared = self.shape(quoted)?;
        let backbone = self.backbone.clone();
        let mut found = Vec::new();
        if let Some(first) = quoted.first() {
            let formula = self.forest(&backbone);
            found.push(HeapInvariant { formula, span: first.span });
        }
        for (declaration, text) in &declared {
            self.text = Some((*text).clone());
            let formula = match declaration {
                Declared::Type { name, fields } => {
                    let object = self.object_called(name)?;
                    self.pointers(object, fields, &backbone)?
                }
                Declared::Variable(Member { is_data: false, formula: Some(said), .. }) | Declared::Formula(said) => {
                    self.read(said, &[])?
                }
                Declared::Variable(variable) => {
                    self.term(&Term::Name(variable.name.clone()), &[])?;
                    continue;
                }
            };
            if !matches!(formula, HeapFormula::True) {
                found.push(HeapInvariant { formula, span: text.span });
            }
        }
        Some(found)
    }

    /// What is declared, and the backbone of it.
    pub(super) fn shape<'q>(&mut self, quoted: &'q [Quoted]) -> Option<Vec<(Declared, &'q Quoted)>> {
        if self.language != Language::Pale {
            return Some(Vec::new());
        }
        let mut declared: Vec<(Declared, &Quoted)> = Vec::new();
        for text in quoted {
            self.text = Some(text.clone());
            let found = pale::declarations(&text.text).map_err(|unread| self.unexpected(unread)).ok()?;
            declared.extend(found.into_iter().map(|d| (d, text)));
        }
        let (mut data, mut roots) = (Vec::new(), Vec::new());
        for (declaration, _) in &declared {
            match declaration {
                Declared::Type { name, fields } => {
                    let object = self.object_called(name)?;
                    for field in fields.iter().filter(|f| f.is_data) {
                        match self.field(object, &field.name)? {
                            (id, Type::Object(to)) if self.object_called(&field.ty) == Some(to) => {
                                data.push((object, id, to));
                            }
                            _ => return None,
                        }
                    }
                }
                Declared::Variable(variable) if variable.is_data => {
                    let (term, ty) = self.term(&Term::Name(variable.name.clone()), &[])?;
                    let Type::Object(object) = ty else { return None };
                    roots.push((term, object));
                }
                Declared::Variable(_) | Declared::Formula(_) => {}
            }
        }
        self.backbone = Rc::new(Backbone { data, roots });
        Some(declared)
    }

    /// No two data variables or data fields of the backbone lead to the same object.
    fn forest(&mut self, backbone: &Backbone) -> HeapFormula {
        let mut parts = Vec::new();
        for (i, (a, object)) in backbone.roots.iter().enumerate() {
            for (b, other) in &backbone.roots[i + 1..] {
                if object == other {
                    parts.push(apart(a, b));
                }
            }
        }
        for &(owner, field, to) in &backbone.data {
            let number = self.number();
            let x = HeapTerm::Bound(number);
            let next = HeapTerm::Field(Box::new(x.clone()), field);
            let mut inner = Vec::new();
            inner.extend(backbone.roots.iter().filter(|(_, object)| *object == to).map(|(root, _)| apart(root, &next)));
            for &(other_owner, other_field, other_to) in &backbone.data {
                if other_to != to {
                    continue;
                }
                if owner == other_owner && other_field > field {
                    inner.push(apart(&next, &HeapTerm::Field(Box::new(x.clone()), other_field)));
                }
                let number = self.number();
                let y = HeapTerm::Bound(number);
                let there = HeapTerm::Field(Box::new(y.clone()), other_field);
                let mut cases = vec![not(backbone.has(&y)), apart(&next, &there)];
                if owner == other_owner {
                    cases.push(HeapFormula::Compare(BinaryOp::Equal, x.clone(), y.clone()));
                }
                inner.push(for_all(number, "y", Type::Object(other_owner), or(cases)));
            }
            let body = or(vec![not(backbone.has(&x)), and(inner)]);
            parts.push(for_all(number, "x", Type::Object(owner), body));
        }
        and(parts)
    }

    fn pointers(&mut self, object: TypeId, fields: &[Member], backbone: &Backbone) -> Option<HeapFormula> {
        let mut parts = Vec::new();
        for member in fields {
            let (id, ty) = self.field(object, &member.name)?;
            let Some(said) = member.formula.as_ref().filter(|_| !member.is_data) else { continue };
            let number = self.number();
            let this = HeapTerm::Bound(number);
            let own = HeapTerm::Field(Box::new(this.clone()), id);
            let env = [
                (member.name.clone(), Bound::Term(own, ty)),
                ("this".to_string(), Bound::Variable(number, Type::Object(object))),
            ];
            let says = self.read(said, &env)?;
            let body = or(vec![not(backbone.has(&this)), says]);
            parts.push(for_all(number, "this", Type::Object(object), body));
        }
        Some(and(parts))
    }
}

#[derive(Default)]
pub(super) struct Backbone {
    /// Owner, field, and what it leads to.
    data: Vec<(TypeId, FieldId, TypeId)>,
    roots: Vec<(HeapTerm, TypeId)>,
}

impl Backbone {
    pub(super) fn declared(&self) -> Option<program::Backbone> {
        let root = |(term, _): &(HeapTerm, TypeId)| match term {
            HeapTerm::Global(global) => Some(*global),
            _ => None,
        };
        let roots = self.roots.iter().map(root).collect::<Option<_>>()?;
        Some(program::Backbone { fields: self.data.iter().map(|(_, field, _)| *field).collect(), roots })
    }

    /// Whether an object is reached from a root.
    pub(super) fn has(&self, x: &HeapTerm) -> HeapFormula {
        let fields: Vec<Route> = self.data.iter().map(|(_, field, _)| Route::Field(*field)).collect();
        let way = Route::Star(Box::new(either(fields)));
        or(self.roots.iter().map(|(root, _)| HeapFormula::Reach(root.clone(), way.clone(), x.clone())).collect())
    }
}
