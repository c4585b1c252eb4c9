//! Specifications that come with the command and are taken without `--spec`: of the collections that the inputs make and keep in fields.
//! States hold such objects then; the library classes themselves are not checked.

use super::beside::Spec;
use crate::syntax::ast::{ClassDecl, Import, Member, TypeRef, TypeRefKind, Unit};

/// What fields are declared as that keep one, beside its own class.
const HOLDERS: &[&str] = &[
    "Collection",
    "Deque",
    "Iterable",
    "List",
    "Map",
    "NavigableMap",
    "NavigableSet",
    "Queue",
    "Set",
    "SortedMap",
    "SortedSet",
];

/// What they are given may be an order, which their specifications leave out.
const ORDERED: &[&str] = &["LinkedHashMap", "PriorityQueue", "TreeMap", "TreeSet"];

/// The classes with such a specification.
pub fn wanted(units: &[Unit], specs: &[Spec]) -> Vec<&'static str> {
    let (mut held, mut declared) = (Vec::new(), Vec::new());
    units.iter().flat_map(|u| &u.classes).for_each(|class| read(class, &mut held, &mut declared));
    let is_wanted = |class: &&str| {
        let simple = class.rsplit('.').next().unwrap_or(class);
        let named = |name: &str| name == simple || name == *class;
        let is_kept = held.iter().any(|ty| named(ty) || HOLDERS.contains(&ty.as_str()));
        let made = units.iter().flat_map(|unit| unit.made.iter().map(move |made| (unit, made)));
        let is_it = |unit: &Unit, ty: &str| {
            let imports = |i: &Import| {
                !i.is_static
                    && (i.path == *class || i.wildcard && class.strip_prefix(&*i.path) == Some(&format!(".{simple}")))
            };
            ty == *class || ty == simple && unit.imports.iter().any(imports)
        };
        let counts: Vec<usize> =
            made.filter(|(unit, (ty, _))| is_it(unit, &name(ty))).map(|(_, (_, count))| *count).collect();
        let is_plain = !ORDERED.contains(&simple) || counts.iter().all(|count| *count == 0);
        let is_given = declared.contains(&simple) || specs.iter().any(|s| s.is_for_class(class));
        is_kept && is_plain && !counts.is_empty() && !is_given
    };
    crate::specs::all().filter(is_wanted).collect()
}

/// The types that fields name, those of type arguments among them; and the classes.
fn read<'u>(class: &'u ClassDecl, held: &mut Vec<String>, declared: &mut Vec<&'u str>) {
    declared.push(&class.name.name);
    for member in &class.members {
        match member {
            Member::Field(field) => named_in(&field.ty, held),
            Member::Class(nested) => read(nested, held, declared),
            _ => {}
        }
    }
}

fn named_in(ty: &TypeRef, held: &mut Vec<String>) {
    match &ty.kind {
        TypeRefKind::Named(parts) => {
            held.push(name(ty));
            parts.iter().filter_map(|(_, arguments)| arguments.as_ref()).flatten().for_each(|a| named_in(a, held));
        }
        TypeRefKind::Array(of) | TypeRefKind::Wildcard(Some((_, of))) => named_in(of, held),
        _ => {}
    }
}

fn name(ty: &TypeRef) -> String {
    let TypeRefKind::Named(parts) = &ty.kind else { return String::new() };
    parts.iter().map(|(name, _)| &*name.name).collect::<Vec<_>>().join(".")
}
