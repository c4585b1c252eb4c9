//! When two results are the same to whoever called.

use super::{lineage, methods};
use crate::resolve::overload::{Argument, Selection};
use crate::resolve::*;
use crate::syntax::ast::{MethodDecl, Prim};
use std::rc::Rc;

/// That both threw the same, or nothing: two fields of what a driver returns.
pub fn same_exceptions(t: &str, u: &str) -> String {
    format!(
        "(both$.{t} == null ? both$.{u} == null : both$.{u} != null && both$.{t}.getClass() == both$.{u}.getClass())"
    )
}

/// When two results are the same to whoever called: a Boolean expression over two pure ones. None if nothing says so for these types.
pub fn same_values(table: &mut Table, left: &Type, right: &Type, l: &str, r: &str) -> Option<String> {
    same_at(table, [left, right], [l, r], 0)
}

/// `depth`: within how many arrays.
fn same_at(table: &mut Table, [left, right]: [&Type; 2], [l, r]: [&str; 2], depth: usize) -> Option<String> {
    if let (Type::Array(x), Type::Array(y)) = (left, right) {
        // Not the same array, as a rule: each made its own.
        let i = format!("i{depth}$");
        let each = same_at(table, [x, y], [&format!("{l}[{i}]"), &format!("{r}[{i}]")], depth + 1)?;
        let elements = format!("glassbox.GlassBox.forall(0, {l}.length, {i} -> {each})");
        return Some(format!("({l} == null ? {r} == null : {r} != null && {l}.length == {r}.length && {elements})"));
    }
    let alike = |a: Prim, b: Prim| (a == Prim::Bool) == (b == Prim::Bool);
    let by = |x: &str, equal: &str, y: &str| format!("({l} == {r} || {l} != null && {r} != null && {x}.{equal}({y}))");
    let nullable = |x: &str, says: String| Some(format!("({x} != null && {says})"));
    match (left, right) {
        (Type::Prim(a), Type::Prim(b)) => return alike(*a, *b).then(|| format!("{l} == {r}")),
        (Type::Prim(a), other) => {
            return match table.unboxed(other) {
                Some(b) if alike(*a, b) => nullable(r, format!("{l} == {r}")),
                None if *other == table.object() => nullable(r, format!("{r}.equals({l})")),
                _ => None,
            };
        }
        (_, Type::Prim(_)) => return same_at(table, [right, left], [r, l], depth),
        _ => {}
    }
    let [x, y] = [left, right].map(|ty| table.erasure(ty));
    let is_related = table.is_subtype(&x, &y) || table.is_subtype(&y, &x);
    let is_interface = |ty: &Type| matches!(ty, Type::Class(c, _) if table.class(*c).is_interface());
    let may_be_one = is_related || is_interface(&x) || is_interface(&y);
    match () {
        _ if is_value(table, &y) && may_be_one => Some(by(r, "equals", l)),
        _ if is_value(table, &x) && may_be_one => Some(by(l, "equals", r)),
        _ if has_equal_to(table, &x, &y) && may_be_one => Some(by(l, "equalTo", r)),
        _ if has_equal_to(table, &y, &x) && may_be_one => Some(by(r, "equalTo", l)),
        _ if may_be_one => Some(format!("{l} == {r}")),
        // An object of a module, and one of its abstraction.
        _ => [(&x, &y, l, r), (&y, &x, r, l)].into_iter().find_map(|(module, other, m, o)| {
            let (function, of) = abstracted(table, module)?;
            let is_its = has_equal_to(table, &of, other);
            is_its.then(|| format!("({m} == null ? {o} == null : {o} != null && {m}.{function}().equalTo({o}))"))
        }),
    }
}

/// Boxes and strings, which are compared by `equals`.
pub fn is_value(table: &Table, ty: &Type) -> bool {
    let Type::Class(class, _) = ty else { return false };
    let values = ["Boolean", "Byte", "Short", "Character", "Integer", "Long", "String"];
    table.class(*class).unit.package == "java.lang" && values.contains(&&*table.class(*class).simple)
}

pub fn has_equal_to(table: &mut Table, of: &Type, other: &Type) -> bool {
    let candidates = table.find_methods(of, "equalTo");
    let found = matches!(table.select(&candidates, &[Argument::Typed(other.clone())]), Selection::Found(..));
    found
}

/// The abstraction function of a class, and what it gives.
fn abstracted(table: &mut Table, ty: &Type) -> Option<(String, Type)> {
    let Type::Class(class, _) = *ty else { return None };
    let decls = lineage(table, class);
    let found = |m: &&Rc<MethodDecl>| m.modifiers.has("Abstraction") && !m.modifiers.is_private;
    let function = decls.iter().flat_map(|(_, d)| methods(d)).find(found).cloned()?;
    let candidate = table.find_methods(ty, &function.name.name).into_iter().find(|c| c.params.is_empty())?;
    Some((function.name.name.to_string(), table.erasure(&candidate.ret)))
}
