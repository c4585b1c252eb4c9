//! F\[T](t) and W\[T](t) as Boogie formulas (docs/dminor.md, "The logical semantics"). Named types are predicates with a definition, and so
//! are types that are asked of a term which is no variable or path: their quantifiers need triggers, and their conditions a variable.

use super::loops::free_in_type;
use super::terms::{Term, and, bag, entity, equal, extend, is, not, or, simple, truth};
use super::{Logic, Origin, params};
use crate::program::{ExprKind, Type, TypeKind};

/// Types that nest deeper get a name, or n of them would take n² letters.
const DEEPEST_TYPE: usize = 16;

impl Logic<'_> {
    /// Of any term.
    pub(super) fn inside_of_term(&mut self, ty: &Type, term: &str) -> Vec<String> {
        if is_flat(ty) {
            return self.inside(ty, term);
        }
        let name = self.predicate(ty);
        let arguments = self.arguments(&free_in_type(ty), &[term.to_string()]);
        vec![format!("in.{name}({arguments})")]
    }

    pub(super) fn wrong_of_term(&mut self, ty: &Type, term: &str) -> String {
        if is_flat(ty) {
            return self.wrong(ty, term);
        }
        let name = self.predicate(ty);
        if self.harmless.contains(&name) {
            return "false".to_string();
        }
        let arguments = self.arguments(&free_in_type(ty), &[term.to_string()]);
        format!("wrong.{name}({arguments})")
    }

    /// Functions `in.name` and `wrong.name` of the free variables and a value.
    fn predicate(&mut self, ty: &Type) -> String {
        let key = (Origin::Type, std::ptr::from_ref(ty) as usize);
        if let Some(name) = self.made.get(&key) {
            return name.clone();
        }
        let name = self.fresh("type");
        self.made.insert(key, name.clone());
        let outer = std::mem::take(&mut self.known);
        let depth = std::mem::take(&mut self.depth);
        let is_in = self.inside(ty, "v");
        let wrong = self.wrong(ty, "v");
        let parameters = params(&self.names_of(&free_in_type(ty)), &[("v", "Value")]);
        (self.known, self.depth) = (outer, depth);
        self.declare(&format!("function in.{name}({parameters}): bool {{ {} }}", and(&is_in)));
        if wrong == "false" {
            self.harmless.insert(name.clone());
        } else {
            self.declare(&format!("function wrong.{name}({parameters}): bool {{ {wrong} }}"));
        }
        name
    }

    /// F\[T](t), as conjuncts.
    pub(super) fn inside(&mut self, ty: &Type, t: &str) -> Vec<String> {
        if !is_flat(ty) && (!simple(t) || self.depth > DEEPEST_TYPE) {
            return self.inside_of_term(ty, t);
        }
        self.depth += 1;
        let all = self.inside_parts(ty, t);
        self.depth -= 1;
        all
    }

    fn inside_parts(&mut self, ty: &Type, t: &str) -> Vec<String> {
        let mut all = Vec::new();
        match &ty.kind {
            TypeKind::Any => {}
            TypeKind::Empty => all.push("false".to_string()),
            TypeKind::Integer => extend(&mut all, [is("Int", t)]),
            TypeKind::Text => extend(&mut all, [is("Text", t)]),
            TypeKind::Logical => extend(&mut all, [is("Bool", t)]),
            TypeKind::Collection(inner) => {
                extend(&mut all, [is("Coll", t)]);
                let m = self.fresh("m");
                let inner = self.inside(inner, &m);
                if !inner.is_empty() {
                    let count = format!("cnt({}, {m})", bag(t));
                    all.push(format!("(forall {m}: Value :: {{{count}}} {count} > 0 ==> {})", and(&inner)));
                }
            }
            TypeKind::Entity(fields) => {
                extend(&mut all, [is("Ent", t)]);
                for field in fields {
                    let (label, fields) = (self.label(&field.label), entity(t));
                    extend(&mut all, [format!("has({fields}, {label})")]);
                    let inner = self.inside(&field.ty, &format!("dot({fields}, {label})"));
                    extend(&mut all, inner);
                }
            }
            TypeKind::Refinement(x, base, e) => {
                extend(&mut all, self.inside(base, t));
                let Term { ok, val } = self.with(*x, t.to_string(), |l| l.term(e));
                extend(&mut all, ok);
                extend(&mut all, [is("Bool", &val), truth(&val)]);
            }
            TypeKind::And(a, b) => {
                extend(&mut all, self.inside(a, t));
                extend(&mut all, self.inside(b, t));
            }
            TypeKind::Or(a, b) => {
                let (a, b) = (self.inside(a, t), self.inside(b, t));
                extend(&mut all, [or(vec![and(&a), and(&b)])]);
            }
            TypeKind::Not(inner) => {
                let inner = self.inside(inner, t);
                extend(&mut all, [not(&and(&inner))]);
            }
            TypeKind::Nullable(inner) => {
                let inner = self.inside(inner, t);
                extend(&mut all, [or(vec![format!("({t} == null)"), and(&inner)])]);
            }
            TypeKind::Singleton(e) => {
                let Term { ok, val } = self.term(e);
                extend(&mut all, ok);
                all.push(equal(t, &val));
            }
            TypeKind::Named(id) => all.push(format!("in.{}({t})", self.program.named(*id).name)),
        }
        all
    }

    /// W\[T](t); `false` if it can be seen that the test cannot fail.
    pub(super) fn wrong(&mut self, ty: &Type, t: &str) -> String {
        if !is_flat(ty) && (!simple(t) || self.depth > DEEPEST_TYPE) {
            return self.wrong_of_term(ty, t);
        }
        self.depth += 1;
        let wrong = self.wrong_parts(ty, t);
        self.depth -= 1;
        wrong
    }

    fn wrong_parts(&mut self, ty: &Type, t: &str) -> String {
        match &ty.kind {
            TypeKind::Any | TypeKind::Empty | TypeKind::Integer | TypeKind::Text | TypeKind::Logical => "false".into(),
            TypeKind::Collection(inner) => {
                let m = self.fresh("m");
                let inner = self.wrong(inner, &m);
                if inner == "false" {
                    return inner;
                }
                let count = format!("cnt({}, {m})", bag(t));
                let is_one = format!("(exists {m}: Value :: {{{count}}} {count} > 0 && {inner})");
                and(&[is("Coll", t), is_one])
            }
            TypeKind::Entity(fields) => {
                let mut parts = Vec::new();
                for field in fields {
                    let (label, fields) = (self.label(&field.label), entity(t));
                    let inner = self.wrong(&field.ty, &format!("dot({fields}, {label})"));
                    if inner != "false" {
                        parts.push(and(&[is("Ent", t), format!("has({fields}, {label})"), inner]));
                    }
                }
                or(parts)
            }
            TypeKind::Refinement(x, base, e) => {
                let base_wrong = self.wrong(base, t);
                let base_in = self.inside(base, t);
                let Term { ok, val } = self.with(*x, t.to_string(), |l| l.term(e));
                let mut needed = ok;
                extend(&mut needed, [is("Bool", &val)]);
                if self.reading.strict_type_tests {
                    return or(vec![base_wrong, not(&and(&needed))]);
                }
                needed.retain(|c| !base_in.contains(c));
                let mut fails = base_in;
                fails.push(not(&and(&needed)));
                if needed.is_empty() { base_wrong } else { or(vec![base_wrong, and(&fails)]) }
            }
            TypeKind::And(a, b) | TypeKind::Or(a, b) => {
                let parts = vec![self.wrong(a, t), self.wrong(b, t)];
                or(parts)
            }
            TypeKind::Not(inner) | TypeKind::Nullable(inner) => self.wrong(inner, t),
            TypeKind::Singleton(e) => {
                let ok = self.term(e).ok;
                not(&and(&ok))
            }
            TypeKind::Named(id) => {
                if self.may_fail[id.0 as usize] {
                    format!("wrong.{}({t})", self.program.named(*id).name)
                } else {
                    "false".to_string()
                }
            }
        }
    }
}

/// Without quantifiers and conditions, and short: good for any term.
fn is_flat(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Any
        | TypeKind::Empty
        | TypeKind::Integer
        | TypeKind::Text
        | TypeKind::Logical
        | TypeKind::Named(_) => true,
        TypeKind::Singleton(e) => matches!(e.kind, ExprKind::Constant(_)),
        TypeKind::Not(inner) | TypeKind::Nullable(inner) => {
            matches!(inner.kind, TypeKind::Named(_) | TypeKind::Integer | TypeKind::Text | TypeKind::Logical)
        }
        TypeKind::Collection(inner) => matches!(inner.kind, TypeKind::Any),
        _ => false,
    }
}
