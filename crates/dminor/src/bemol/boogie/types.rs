//! F\[T](t) and W\[T](t) as Boogie formulas (docs/dminor.md, "The logical semantics"). Named types are predicates with a definition, and so
//! are types that are asked of a term that is not a variable or path: their quantifiers need triggers, and their conditions a variable.

use super::code::{Code, Sort, Val, and, call, extend, not, or};
use super::loops::free_in_type;
use super::terms::Term;
use super::{Logic, Origin, params};
use crate::program::{ExprKind, Type, TypeKind};

/// Types that nest deeper get a name, or n of them would take n² letters.
const DEEPEST_TYPE: usize = 16;

impl Logic<'_> {
    /// Of any term.
    pub(super) fn inside_of_term(&mut self, ty: &Type, term: &Val) -> Vec<Code> {
        if is_flat(ty) {
            return self.inside(ty, term);
        }
        let name = self.predicate(ty);
        let arguments = self.arguments(&free_in_type(ty), &[term.code()]);
        vec![call(&format!("in.{name}"), &arguments)]
    }

    pub(super) fn wrong_of_term(&mut self, ty: &Type, term: &Val) -> Code {
        if is_flat(ty) {
            return self.wrong(ty, term);
        }
        let name = self.predicate(ty);
        if self.harmless.contains(&name) {
            return Code::False;
        }
        let arguments = self.arguments(&free_in_type(ty), &[term.code()]);
        call(&format!("wrong.{name}"), &arguments)
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
        let is_in = self.inside(ty, &Val::name("v"));
        let wrong = self.wrong(ty, &Val::name("v"));
        let parameters = params(&self.names_of(&free_in_type(ty)), &[("v", "Value")]);
        (self.known, self.depth) = (outer, depth);
        self.declare(&format!("function in.{name}({parameters}): bool {{ {} }}", and(&is_in)));
        if wrong == Code::False {
            self.harmless.insert(name.clone());
        } else {
            self.declare(&format!("function wrong.{name}({parameters}): bool {{ {wrong} }}"));
        }
        name
    }

    /// F\[T](t), as conjuncts.
    pub(super) fn inside(&mut self, ty: &Type, t: &Val) -> Vec<Code> {
        if !is_flat(ty) && (!t.is_simple() || self.depth > DEEPEST_TYPE) {
            return self.inside_of_term(ty, t);
        }
        self.depth += 1;
        let all = self.inside_parts(ty, t);
        self.depth -= 1;
        all
    }

    fn inside_parts(&mut self, ty: &Type, t: &Val) -> Vec<Code> {
        let mut all = Vec::new();
        match &ty.kind {
            TypeKind::Any => {}
            TypeKind::Empty => all.push(Code::False),
            TypeKind::Integer => extend(&mut all, [t.is(Sort::Int)]),
            TypeKind::Text => extend(&mut all, [t.is(Sort::Text)]),
            TypeKind::Logical => extend(&mut all, [t.is(Sort::Bool)]),
            TypeKind::Collection(inner) => {
                extend(&mut all, [t.is(Sort::Coll)]);
                let m = self.fresh("m");
                let inner = self.inside(inner, &Val::name(&m));
                if !inner.is_empty() {
                    let count = format!("cnt({}, {m})", t.payload(Sort::Coll));
                    let all_members = format!("(forall {m}: Value :: {{{count}}} {count} > 0 ==> {})", and(&inner));
                    all.push(Code::Other(all_members));
                }
            }
            TypeKind::Entity(fields) => {
                extend(&mut all, [t.is(Sort::Ent)]);
                for field in fields {
                    let place = [t.payload(Sort::Ent), self.label(&field.label)];
                    extend(&mut all, [call("has", &place)]);
                    let inner = self.inside(&field.ty, &Val::Other(call("dot", &place)));
                    extend(&mut all, inner);
                }
            }
            TypeKind::Refinement(x, base, e) => {
                extend(&mut all, self.inside(base, t));
                let Term { ok, val } = self.with(*x, t.clone(), |l| l.term(e));
                extend(&mut all, ok);
                extend(&mut all, [val.is(Sort::Bool), val.truth()]);
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
                extend(&mut all, [or(vec![Code::Other(format!("({t} == null)")), and(&inner)])]);
            }
            TypeKind::Singleton(e) => {
                let Term { ok, val } = self.term(e);
                extend(&mut all, ok);
                all.push(t.equal(&val));
            }
            TypeKind::Named(id) => all.push(call(&format!("in.{}", self.program.named(*id).name), &[t.code()])),
        }
        all
    }

    /// W\[T](t); `false` if it can be seen that the test cannot fail.
    pub(super) fn wrong(&mut self, ty: &Type, t: &Val) -> Code {
        if !is_flat(ty) && (!t.is_simple() || self.depth > DEEPEST_TYPE) {
            return self.wrong_of_term(ty, t);
        }
        self.depth += 1;
        let wrong = self.wrong_parts(ty, t);
        self.depth -= 1;
        wrong
    }

    fn wrong_parts(&mut self, ty: &Type, t: &Val) -> Code {
        match &ty.kind {
            TypeKind::Any | TypeKind::Empty | TypeKind::Integer | TypeKind::Text | TypeKind::Logical => Code::False,
            TypeKind::Collection(inner) => {
                let m = self.fresh("m");
                let inner = self.wrong(inner, &Val::name(&m));
                if inner == Code::False {
                    return inner;
                }
                let count = format!("cnt({}, {m})", t.payload(Sort::Coll));
                let is_one = format!("(exists {m}: Value :: {{{count}}} {count} > 0 && {inner})");
                and(&[t.is(Sort::Coll), Code::Other(is_one)])
            }
            TypeKind::Entity(fields) => {
                let mut parts = Vec::new();
                for field in fields {
                    let place = [t.payload(Sort::Ent), self.label(&field.label)];
                    let inner = self.wrong(&field.ty, &Val::Other(call("dot", &place)));
                    if inner != Code::False {
                        parts.push(and(&[t.is(Sort::Ent), call("has", &place), inner]));
                    }
                }
                or(parts)
            }
            TypeKind::Refinement(x, base, e) => {
                let base_wrong = self.wrong(base, t);
                let base_in = self.inside(base, t);
                let Term { ok, val } = self.with(*x, t.clone(), |l| l.term(e));
                let mut needed = ok;
                extend(&mut needed, [val.is(Sort::Bool)]);
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
                    call(&format!("wrong.{}", self.program.named(*id).name), &[t.code()])
                } else {
                    Code::False
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
