//! The bounds in force, read off the space that they span (`--bounds`).

use ir::space::{Domain, Shape, Space, SpaceObject};
use ir::{Checked, ClassId, ClassKind, ObjId, Operation, OperationKind, Program, Ty, Value};
use verdict::{BoundLine, Bounds};

/// "every tree within 7 places, height at most 3"
pub fn space_text(space: &Space, operation: &Operation) -> String {
    let n = space.n;
    if operation.kind != OperationKind::Method && space.arguments.is_empty() && space.static_state.is_empty() {
        return String::new();
    }
    let Some(first) = space.trees.first() else {
        return match operation.kind {
            OperationKind::Method => format!("every state within the bounds of size {n}"),
            _ => format!("every argument within the bounds of size {n}"),
        };
    };
    let is_list = space.trees.iter().all(|t| t.fan_out <= 1);
    let what = if is_list { "list" } else { "tree" };
    let places = if n == 1 { "1 place".to_string() } else { format!("{n} places") };
    let nodes = if n == 1 { "1 node".to_string() } else { format!("{n} nodes") };
    let height = space.trees.iter().map(|t| t.height()).max().unwrap_or(first.height());
    let height = if is_list { String::new() } else { format!(", height at most {height}") };
    match (space.trees.len(), space.shape) {
        _ if !space.budgets.is_empty() => format!("every state with at most {nodes} in its {what}s"),
        (1, Shape::Complete) => format!("every {what} within {places}{height}"),
        (1, Shape::Any) => format!("every {what} of at most {nodes}"),
        (2, Shape::Complete) => format!("every pair of {what}s within {places} each{height}"),
        (2, Shape::Any) => format!("every pair of {what}s of at most {nodes} each"),
        (k, Shape::Complete) => format!("every state of {k} {what}s within {places} each{height}"),
        (k, Shape::Any) => format!("every state of {k} {what}s of at most {nodes} each"),
    }
}

pub fn bounds(program: &Program, checked: &Checked, operation: &Operation, space: &Space) -> Bounds {
    let mut lines = Vec::new();
    let mut seen: Vec<ClassId> = Vec::new();
    for object in space.objects.iter().skip(space.statics) {
        let Ty::Class(class) = object.ty else { continue };
        let info = program.class(class);
        let is_plain = info.kind == ClassKind::Box || class == program.known.object || class == program.known.string;
        if is_plain || seen.contains(&class) {
            continue;
        }
        seen.push(class);
        lines.extend(class_line(program, checked, space, class));
        for (field, domain) in program.instance_fields(class).into_iter().zip(&object.slots) {
            let field = program.field(field);
            if !field.is_synthetic {
                let what = format!("{}.{}", program.class(field.class).name, field.name);
                lines.push(line(program, space, what, domain, &field.bound, field.ty));
            }
        }
    }
    let method = program.method(operation.method);
    for (parameter, domain) in method.parameters.iter().zip(&space.arguments) {
        let what = format!("{}: {}", method.name, parameter.name);
        lines.push(line(program, space, what, domain, &parameter.bound, parameter.ty));
    }
    Bounds {
        class: program.class(checked.class).name.clone(),
        operation: operation.name.clone(),
        size: space.n,
        lines,
        log10: space.log10_size(),
        space: space_text(space, operation),
    }
}

/// How many objects of a class a state may hold.
fn class_line(program: &Program, checked: &Checked, space: &Space, class: ClassId) -> Option<BoundLine> {
    let of_class = |o: &&SpaceObject| o.ty == Ty::Class(class);
    let count = space.objects.iter().skip(space.statics).filter(of_class).count();
    let what = format!("class {}", program.class(class).name);
    let in_trees = space.objects.iter().skip(space.statics).filter(of_class).any(|o| o.place.is_some());
    let is_static = program.static_state.iter().any(|s| s.class == class);
    if class == checked.class && count == 1 || is_static {
        return None;
    }
    let bound = if in_trees { format!("at {count} places in trees") } else { format!("at most {count} objects") };
    Some(BoundLine { what, bound, is_default: program.class(class).max.is_none() })
}

fn line(program: &Program, space: &Space, what: String, domain: &Domain, bound: &ir::Bound, ty: Ty) -> BoundLine {
    let is_default = match ty {
        Ty::Class(class) if program.class(class).kind != ClassKind::Box => {
            !bound.tree && !bound.non_null && bound.one_of.is_none()
        }
        Ty::Array(_) => bound.lengths.is_empty() && bound.range.is_none() && !bound.non_null && !bound.tree,
        _ => bound.range.is_none(),
    };
    let is_tree = bound.tree && matches!(ty, Ty::Class(_));
    let mut text = if is_tree { "a tree edge".to_string() } else { domain_text(program, space, domain) };
    if is_default && is_widened(space, domain) {
        text.push_str(", as the code compares");
    }
    BoundLine { what, bound: text, is_default }
}

/// Whether a default range, or that of elements or boxes, goes beyond 0..n-1.
fn is_widened(space: &Space, domain: &Domain) -> bool {
    let beyond = |domain: &Domain| match domain {
        Domain::Int { lo, hi } => *lo < 0 || *hi > (space.n - 1).max(0),
        Domain::Ints(_) => true,
        _ => false,
    };
    match domain {
        Domain::Slot { objects, .. } => objects.iter().any(|&o| space.object(o).slots.iter().any(beyond)),
        _ => beyond(domain),
    }
}

fn domain_text(program: &Program, space: &Space, domain: &Domain) -> String {
    let or_null = |nullable: bool, what: String| if nullable { format!("null or {what}") } else { what };
    match domain {
        Domain::Fixed(Value::Null) => "null".to_string(),
        Domain::Fixed(Value::Bool(b)) => b.to_string(),
        Domain::Fixed(Value::Int(i)) => i.to_string(),
        Domain::Fixed(Value::Obj(_)) => "the checked object".to_string(),
        Domain::Bool => "false, true".to_string(),
        Domain::Int { lo, hi } => format!("{lo}..{hi}"),
        Domain::Ints(values) => ranges_text(values),
        Domain::Ref { nullable, objects } | Domain::Grow { nullable, objects } => {
            let text = objects_text(program, space, objects);
            or_null(*nullable, text)
        }
        Domain::Slot { nullable, objects, .. } => {
            let Some(&first) = objects.first() else { return "null".to_string() };
            let object = space.object(first);
            let what = match object.ty {
                Ty::Array(_) => array_text(program, space, object),
                Ty::Class(class) if program.class(class).kind == ClassKind::Box => {
                    object.slots.first().map(|d| domain_text(program, space, d)).unwrap_or_default()
                }
                _ => "an object of its own".to_string(),
            };
            or_null(*nullable, what)
        }
    }
}

fn array_text(program: &Program, space: &Space, object: &SpaceObject) -> String {
    let elements = object.slots.first().map(|d| domain_text(program, space, d)).unwrap_or_default();
    let (lo, hi) = object.length;
    let length = if lo == hi { lo.to_string() } else { format!("{lo}..{hi}") };
    format!("an array of {length} elements: {elements}")
}

/// "any of 8 opaque objects, 3 objects of Integer"
fn objects_text(program: &Program, space: &Space, objects: &[ObjId]) -> String {
    if let Some(array) = objects.first().map(|&o| space.object(o)).filter(|o| matches!(o.ty, Ty::Array(_))) {
        return format!("{}; {} places may share it", array_text(program, space, array), objects.len());
    }
    let known = &program.known;
    let (mut opaque, mut strings, mut constants) = (0, 0, 0);
    let mut others: Vec<(Ty, usize)> = Vec::new();
    for &object in objects {
        match space.object(object).ty {
            ty if ty == Ty::Class(known.object) => opaque += 1,
            ty if ty == Ty::Class(known.string) && object.index() < space.statics => constants += 1,
            ty if ty == Ty::Class(known.string) => strings += 1,
            ty => match others.iter_mut().find(|(other, _)| *other == ty) {
                Some((_, count)) => *count += 1,
                None => others.push((ty, 1)),
            },
        }
    }
    // All of one type, which the reader knows.
    if let ([(_, count)], 0, 0) = (&others[..], opaque, strings) {
        return format!("any of {count} objects");
    }
    let mut parts = Vec::new();
    if opaque > 0 {
        parts.push(format!("{opaque} opaque objects"));
    }
    if strings > 0 {
        let constant = if constants > 0 { " or a constant of the program" } else { "" };
        parts.push(format!("{strings} opaque strings{constant}"));
    }
    parts.extend(others.iter().map(|(ty, count)| format!("{count} of {}", program.ty_name(*ty))));
    match parts.is_empty() {
        true => "any of 0 objects".to_string(),
        false => format!("any of {}", parts.join(", ")),
    }
}

/// "-1..4, 99..101"
fn ranges_text(values: &[i64]) -> String {
    let mut parts: Vec<(i64, i64)> = Vec::new();
    for &value in values {
        match parts.last_mut() {
            Some((_, hi)) if *hi == value - 1 => *hi = value,
            _ => parts.push((value, value)),
        }
    }
    let text = |(lo, hi): (i64, i64)| if lo == hi { lo.to_string() } else { format!("{lo}..{hi}") };
    parts.into_iter().map(text).collect::<Vec<_>>().join(", ")
}
