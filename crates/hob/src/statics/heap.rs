//! Conditions of abstractions: `x.f = c` of the flag plugin, and formulas about the heap of the bounded one.
//!
//! Names are the bound variable, variables of quantifiers, variables of the module, and fields that the module itself contributes.

use super::resolver::Resolver;
use super::sections::Naming;
use crate::program::{BinaryOp, Constant, Definition, FieldId, HeapFormula, HeapTerm, ModuleId, Route, Type, TypeId};
use crate::syntax::ast::{Ident, Quoted};
use crate::syntax::heap::{self, Heap, HeapKind};
use source::Span;

const FLAG: &str =
    "a set of the flag plugin is one field and one constant: `x.f = 1`, `x.f = true`; others need plugin \"bounded\"";

impl<'a> Resolver<'a, '_> {
    fn parsed(&mut self, module: ModuleId, quoted: &Quoted) -> Option<Heap> {
        let fields = &self.program.module(module).fields;
        let is_field = |name: &str| fields.iter().any(|f| self.program.field(*f).name == name);
        heap::parse(quoted, &is_field, self.diagnostics)
    }

    /// `x.f = c`.
    pub(super) fn flag(
        &mut self,
        module: ModuleId,
        naming: &Naming<'a>,
        variable: &Ident,
        object: TypeId,
        predicate: &Quoted,
    ) -> Option<Definition> {
        let heap = self.parsed(module, predicate)?;
        if let HeapKind::Compare(BinaryOp::Equal, left, right) = &heap.kind
            && let HeapKind::Field(inner, field) = &left.kind
            && matches!(&inner.kind, HeapKind::Name(name) if *name == variable.text)
        {
            let constant = match right.kind {
                HeapKind::Int(value) => Constant::Int(value),
                HeapKind::Bool(value) => Constant::Bool(value),
                _ => {
                    self.error("bad-definition", right.span, "a constant is expected here", FLAG);
                    return None;
                }
            };
            let mut terms = Terms { resolver: self, module, naming, bound: Vec::new(), numbers: 0 };
            let (id, ty) = terms.field(object, field)?;
            let constant = match constant {
                Constant::Int(n @ (0 | 1)) if ty == Type::Bool => {
                    let message = format!("field `{}` is a bool: this is read as `{}`", field.text, n == 1);
                    let problem = source::Diagnostic::warning("bool-as-number", right.span, message);
                    self.diagnostics.push(problem.help("write `true` or `false`"));
                    Constant::Bool(n == 1)
                }
                _ => constant,
            };
            let fits = match constant {
                Constant::Int(n) => {
                    ty == Type::Int && i32::try_from(n).is_ok() || ty == Type::Byte && i8::try_from(n).is_ok()
                }
                Constant::Bool(_) => ty == Type::Bool,
            };
            if !fits {
                let message = format!("field `{}` has type {}", field.text, self.type_text(&ty));
                let help = "an int is compared with a number that fits it, a bool with `true` or `false`";
                self.error("type-mismatch", right.span, message, help);
                return None;
            }
            return Some(Definition::Flag { object, field: id, constant });
        }
        self.error("bad-definition", heap.span, "the flag plugin does not know this condition", FLAG);
        None
    }

    /// A definition has a variable, an invariant has none.
    pub(super) fn heap_formula(
        &mut self,
        module: ModuleId,
        naming: &Naming<'a>,
        quoted: &Quoted,
        variable: Option<(&Ident, TypeId)>,
    ) -> Option<HeapFormula> {
        let heap = self.parsed(module, quoted)?;
        let bound: Vec<_> = variable.into_iter().map(|(n, ty)| (n.text.clone(), 0, Type::Object(ty))).collect();
        let mut terms = Terms { resolver: self, module, naming, bound, numbers: 1 };
        terms.formula(&heap)
    }
}

struct Terms<'r, 's, 'a, 'd> {
    resolver: &'r mut Resolver<'a, 'd>,
    module: ModuleId,
    naming: &'s Naming<'a>,
    bound: Vec<(String, u32, Type)>,
    numbers: u32,
}

impl Terms<'_, '_, '_, '_> {
    fn fail<T>(&mut self, id: &'static str, span: Span, message: String, help: &str) -> Option<T> {
        self.resolver.error(id, span, message, help);
        None
    }

    fn formula(&mut self, heap: &Heap) -> Option<HeapFormula> {
        let both = |this: &mut Self, left: &Heap, right: &Heap| {
            let (left, right) = (this.formula(left), this.formula(right));
            Some((left?, right?))
        };
        Some(match &heap.kind {
            HeapKind::Bool(true) => HeapFormula::True,
            HeapKind::Bool(false) => HeapFormula::False,
            HeapKind::Not(inner) => HeapFormula::Not(Box::new(self.formula(inner)?)),
            HeapKind::And(left, right) => {
                let (left, right) = both(self, left, right)?;
                let mut parts = if let HeapFormula::And(parts) = left { parts } else { vec![left] };
                parts.push(right);
                HeapFormula::And(parts)
            }
            HeapKind::Or(left, right) => {
                let (left, right) = both(self, left, right)?;
                let mut parts = if let HeapFormula::Or(parts) = left { parts } else { vec![left] };
                parts.push(right);
                HeapFormula::Or(parts)
            }
            HeapKind::Implies(left, right) => {
                let (left, right) = both(self, left, right)?;
                HeapFormula::Implies(Box::new(left), Box::new(right))
            }
            HeapKind::Iff(left, right) => {
                let (left, right) = both(self, left, right)?;
                HeapFormula::Iff(Box::new(left), Box::new(right))
            }
            HeapKind::Compare(op, left, right) => return self.comparison(*op, left, right, heap.span),
            HeapKind::Reach(left, route, right) => return self.reach(left, route, right),
            HeapKind::Quantified { exists, variables, ty, body } => {
                let naming = self.naming;
                let ty = self.resolver.type_of(naming, ty)?;
                if !matches!(ty, Type::Int | Type::Bool | Type::Object(_)) {
                    let message = format!("a quantifier cannot range over {}", self.resolver.type_text(&ty));
                    return self.fail("type-mismatch", heap.span, message, "it ranges over int, bool or objects");
                }
                let outside = self.bound.len();
                for variable in variables {
                    self.bound.push((variable.text.clone(), self.numbers, ty.clone()));
                    self.numbers += 1;
                }
                let inner = self.formula(body);
                let numbers: Vec<(String, u32, Type)> = self.bound.drain(outside..).collect();
                let mut inner = inner?;
                for (name, variable, ty) in numbers.into_iter().rev() {
                    inner = HeapFormula::Quantified { exists: *exists, variable, name, ty, body: Box::new(inner) };
                }
                inner
            }
            _ => {
                let (term, ty) = self.term(heap)?;
                if ty != Type::Bool {
                    let message =
                        format!("a condition is expected, but this has type {}", self.resolver.type_text(&ty));
                    return self.fail("type-mismatch", heap.span, message, "compare it, as in `e = 1` or `e != null`");
                }
                HeapFormula::Holds(term)
            }
        })
    }

    fn comparison(&mut self, op: BinaryOp, left: &Heap, right: &Heap, span: Span) -> Option<HeapFormula> {
        let is_equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        if is_equality && (is_condition(left) || is_condition(right)) {
            let (left, right) = (self.formula(left), self.formula(right));
            let iff = HeapFormula::Iff(Box::new(left?), Box::new(right?));
            return Some(if op == BinaryOp::Equal { iff } else { HeapFormula::Not(Box::new(iff)) });
        }
        let (first, second) = (self.term(left), self.term(right));
        let ((left, l), (right, r)) = (first?, second?);
        let whole = |ty: &Type| matches!(ty, Type::Int | Type::Byte);
        let fits = if is_equality {
            let with_null =
                |a: &Type, b: &Type| *a == Type::Null && matches!(b, Type::Object(_) | Type::Array(_) | Type::Null);
            l == r && !matches!(l, Type::Float | Type::String)
                || whole(&l) && whole(&r)
                || with_null(&l, &r)
                || with_null(&r, &l)
        } else {
            whole(&l) && whole(&r)
        };
        if fits {
            return Some(HeapFormula::Compare(op, left, right));
        }
        let message =
            format!("{} and {} cannot be compared so", self.resolver.type_text(&l), self.resolver.type_text(&r));
        let help = "`=` and `!=` compare ints, Booleans, characters and objects of one type, `<` and its kin ints";
        self.fail("type-mismatch", span, message, help)
    }

    fn reach(&mut self, left: &Heap, route: &heap::Route, right: &Heap) -> Option<HeapFormula> {
        let (from, to) = (self.term(left), self.term(right));
        let ((from, from_ty), (to, to_ty)) = (from?, to?);
        let Type::Object(start) = from_ty else {
            let message = format!("a route begins at an object, not at {}", self.resolver.type_text(&from_ty));
            return self.fail("type-mismatch", left.span, message, "write `root<next*>x`, where `root` is an object");
        };
        let (route, ends) = self.route(route, &[start])?;
        match to_ty {
            Type::Object(end) if ends.contains(&end) => Some(HeapFormula::Reach(from, route, to)),
            _ => {
                let message = format!("the route does not lead to {}", self.resolver.type_text(&to_ty));
                self.fail("type-mismatch", right.span, message, "look at the types of the fields on the route")
            }
        }
    }

    /// The types that the route leads to from any of those.
    fn route(&mut self, route: &heap::Route, from: &[TypeId]) -> Option<(Route, Vec<TypeId>)> {
        Some(match route {
            heap::Route::Field(name) => {
                let names = &self.resolver.names[self.module.index()].fields;
                let found: Vec<FieldId> =
                    from.iter().filter_map(|t| names.get(&(*t, name.text.as_str()))).copied().collect();
                let Some(id) = found.first().copied() else {
                    self.field(from[0], name)?;
                    return None;
                };
                if found.len() > 1 {
                    let message = format!("field `{}` may be of several types here", name.text);
                    return self.fail("ambiguous-name", name.span, message, "split the route into two");
                }
                match &self.resolver.program.field(id).ty {
                    Type::Object(to) => (Route::Field(id), vec![*to]),
                    ty => {
                        let message =
                            format!("field `{}` has type {}", name.text, self.resolver.type_text(&ty.clone()));
                        return self.fail(
                            "type-mismatch",
                            name.span,
                            message,
                            "a route goes along fields that hold objects",
                        );
                    }
                }
            }
            heap::Route::Sequence(parts) => {
                let (mut at, mut resolved) = (from.to_vec(), Vec::new());
                for part in parts {
                    let (part, to) = self.route(part, &at)?;
                    resolved.push(part);
                    at = to;
                }
                (Route::Sequence(resolved), at)
            }
            heap::Route::Either(parts) => {
                let (mut to, mut resolved) = (Vec::new(), Vec::new());
                for part in parts {
                    let (part, ends) = self.route(part, from)?;
                    resolved.push(part);
                    add(&mut to, &ends);
                }
                (Route::Either(resolved), to)
            }
            heap::Route::Star(inner) | heap::Route::Plus(inner) => {
                // As often as new types come up.
                let mut reached = from.to_vec();
                let (mut part, mut ends) = self.route(inner, &reached)?;
                while add(&mut reached, &ends) {
                    (part, ends) = self.route(inner, &reached)?;
                }
                if matches!(route, heap::Route::Plus(_)) {
                    (Route::Plus(Box::new(part)), ends)
                } else {
                    (Route::Star(Box::new(part)), reached)
                }
            }
            heap::Route::Optional(inner) => {
                let (part, ends) = self.route(inner, from)?;
                let mut to = from.to_vec();
                add(&mut to, &ends);
                (Route::Optional(Box::new(part)), to)
            }
        })
    }

    fn term(&mut self, heap: &Heap) -> Option<(HeapTerm, Type)> {
        Some(match &heap.kind {
            HeapKind::Null => (HeapTerm::Null, Type::Null),
            HeapKind::Int(value) => (HeapTerm::Int(*value), Type::Int),
            HeapKind::Bool(value) => (HeapTerm::Bool(*value), Type::Bool),
            HeapKind::Name(name) => return self.variable(name, heap.span),
            HeapKind::Field(inner, field) => {
                let (inner_term, ty) = self.term(inner)?;
                match ty {
                    Type::Array(_) if field.text == "length" => (HeapTerm::Length(Box::new(inner_term)), Type::Int),
                    Type::Object(object) => {
                        let (id, ty) = self.field(object, field)?;
                        (HeapTerm::Field(Box::new(inner_term), id), ty)
                    }
                    ty => {
                        let message =
                            format!("a value of type {} has no field `{}`", self.resolver.type_text(&ty), field.text);
                        return self.fail(
                            "type-mismatch",
                            field.span,
                            message,
                            "objects have fields, arrays a `length`",
                        );
                    }
                }
            }
            HeapKind::Index(array, index) => {
                let (array_term, index_term) = (self.term(array), self.term(index));
                let ((array_term, ty), (index_term, index_ty)) = (array_term?, index_term?);
                let Type::Array(of) = ty else {
                    let message = format!("a value of type {} has no elements", self.resolver.type_text(&ty));
                    return self.fail("type-mismatch", array.span, message, "only arrays have elements `a[i]`");
                };
                if !matches!(index_ty, Type::Int | Type::Byte) {
                    let message = format!("an index has type int, not {}", self.resolver.type_text(&index_ty));
                    return self.fail("type-mismatch", index.span, message, "write a number or an int variable");
                }
                (HeapTerm::Index(Box::new(array_term), Box::new(index_term)), *of)
            }
            HeapKind::Arithmetic(op, left, right) => {
                let (first, second) = (self.term(left), self.term(right));
                let ((first, l), (second, r)) = (first?, second?);
                if !matches!((&l, &r), (Type::Int | Type::Byte, Type::Int | Type::Byte)) {
                    let message = "arithmetic is for ints".to_string();
                    return self.fail("type-mismatch", heap.span, message, "sets are joined outside of the quotes");
                }
                (HeapTerm::Arithmetic(*op, Box::new(first), Box::new(second)), Type::Int)
            }
            _ => {
                let message = "this is a condition, but a value is expected".to_string();
                return self.fail(
                    "type-mismatch",
                    heap.span,
                    message,
                    "conditions are joined by `&`, `|`, `=>`, `<=>`",
                );
            }
        })
    }

    fn variable(&mut self, name: &str, span: Span) -> Option<(HeapTerm, Type)> {
        if let Some((_, number, ty)) = self.bound.iter().rev().find(|(n, _, _)| n == name) {
            return Some((HeapTerm::Bound(*number), ty.clone()));
        }
        if let Some(id) = self.resolver.names[self.module.index()].globals.get(name) {
            let ty = self.resolver.program.globals[id.index()].ty.clone();
            return (ty != Type::Nothing).then_some((HeapTerm::Global(*id), ty));
        }
        let globals = self.resolver.names[self.module.index()].globals.keys().copied();
        let known = globals.chain(self.bound.iter().map(|(n, _, _)| n.as_str()));
        let help = self.resolver.suggest(name, known, "names are variables of the module and of quantifiers");
        self.fail("unknown-name", span, format!("there is no variable `{name}` here"), &help)
    }

    fn field(&mut self, object: TypeId, field: &Ident) -> Option<(FieldId, Type)> {
        let key = (object, field.text.as_str());
        if let Some(id) = self.resolver.names[self.module.index()].fields.get(&key).copied() {
            let ty = self.resolver.program.field(id).ty.clone();
            return (ty != Type::Nothing).then_some((id, ty));
        }
        let ty = self.resolver.program.types[object.index()].name.clone();
        if let Some(k) = self.resolver.names.iter().position(|n| n.fields.contains_key(&key)) {
            let owner = &self.resolver.program.modules[k].name;
            let message = format!("field `{}` of `{ty}` belongs to module `{owner}`", field.text);
            let help = "a set is defined over fields of its own module: define it there";
            return self.fail("foreign-field", field.span, message, help);
        }
        let names = &self.resolver.names[self.module.index()].fields;
        let known = names.keys().filter(|(t, _)| *t == object).map(|(_, n)| *n);
        let help = self.resolver.suggest(&field.text, known, "add it to the format in the implementation");
        let message = format!("this module gives type `{ty}` no field `{}`", field.text);
        self.fail("unknown-field", field.span, message, &help)
    }
}

/// Whether some of the types are new.
fn add(all: &mut Vec<TypeId>, more: &[TypeId]) -> bool {
    let known = all.len();
    for ty in more {
        if !all.contains(ty) {
            all.push(*ty);
        }
    }
    all.len() > known
}

/// Written as a condition, not as a value.
fn is_condition(heap: &Heap) -> bool {
    !matches!(
        heap.kind,
        HeapKind::Null
            | HeapKind::Int(_)
            | HeapKind::Bool(_)
            | HeapKind::Name(_)
            | HeapKind::Field(..)
            | HeapKind::Index(..)
            | HeapKind::Arithmetic(..)
    )
}
