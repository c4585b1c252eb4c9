//! Value classes: their objects never change, and no code can tell two equal ones from one. So a tree that holds one twice is as good
//! as a tree that holds two: immutable terms, which a substitution puts into several places.

use crate::program::*;
use crate::walk;
use rustc_hash::FxHashSet;

/// The classes of the inputs that are such.
pub fn value_classes(program: &Program) -> FxHashSet<ClassId> {
    if program.looks_at_identity() {
        return FxHashSet::default();
    }
    let compared = Compared::new(program);
    let written = written(program);
    let is_constant = |class| {
        let mut fields = program.instance_fields(class).into_iter();
        let is_final = |f: FieldId| program.field(f).is_final || !written.contains(&f);
        fields.all(|f| is_final(f) && !matches!(program.field(f).ty, Ty::Array(_)))
    };
    let all = program.concrete_subclasses(program.known.object);
    let plain = all.filter(|&c| program.class(c).is_input && program.class(c).kind == ClassKind::Class);
    let mut values: FxHashSet<ClassId> = plain.filter(|&c| is_constant(c) && !compared.has(program, c)).collect();
    // What hangs below it is shared with it.
    loop {
        let hangs_on = |class: &ClassId| {
            let fields = program.instance_fields(*class).into_iter().map(|f| program.field(f));
            let trees = fields.filter(|f| f.bound.tree).filter_map(|f| match f.ty {
                Ty::Class(below) => Some(below),
                _ => None,
            });
            trees.flat_map(|below| program.state_subclasses(below)).collect::<Vec<_>>()
        };
        let others: Vec<ClassId> =
            values.iter().copied().filter(|c| hangs_on(c).iter().any(|below| !values.contains(below))).collect();
        if others.is_empty() {
            return values;
        }
        others.iter().for_each(|c| _ = values.remove(c));
    }
}

/// Fields that are written other than by a constructor, of its own object: the others might as well be `final`.
fn written(program: &Program) -> FxHashSet<FieldId> {
    let mut written = FxHashSet::default();
    for method in &program.methods {
        let Some(body) = &method.body else { continue };
        walk::block(body, &mut |e| {
            if let ExprKind::SetField(object, field, _) = &e.kind
                && !(method.is_constructor && matches!(object.kind, ExprKind::Local(LocalId(0))))
            {
                written.insert(*field);
            }
        });
    }
    written
}

/// What the code compares by `==`.
#[derive(Default)]
struct Compared {
    /// The types of both sides.
    types: Vec<(Ty, Ty)>,
    /// Called as `equals`: of a class that has none of its own, that is `==`.
    equals: FxHashSet<SelectorId>,
}

impl Compared {
    fn new(program: &Program) -> Compared {
        let mut compared = Compared::default();
        let is_objects = |m: &Method| m.name == "equals" && m.class == program.known.object;
        let equals: FxHashSet<SelectorId> =
            program.methods.iter().filter(|m| is_objects(m)).map(|m| m.selector).collect();
        for method in &program.methods {
            let Some(body) = &method.body else { continue };
            let is_shortcut = program.hurries(method);
            walk::block(body, &mut |e| match &e.kind {
                ExprKind::Same(a, b) if !is_shortcut && a.ty != Ty::Null && b.ty != Ty::Null => {
                    compared.types.push((a.ty, b.ty));
                }
                ExprKind::CallVirtual(selector, _) if equals.contains(selector) => {
                    _ = compared.equals.insert(*selector)
                }
                ExprKind::Call(m, _) if is_objects(program.method(*m)) => {
                    compared.equals.insert(program.method(*m).selector);
                }
                _ => {}
            });
        }
        compared
    }

    /// Whether two objects of a class may be compared.
    fn has(&self, program: &Program, class: ClassId) -> bool {
        let by_equals = |selector| {
            let runs = program.class(class).dispatch.get(selector);
            runs.is_none_or(|&m| program.method(m).class == program.known.object)
        };
        self.types.iter().any(|&(a, b)| may_hold(program, a, class) && may_hold(program, b, class))
            || self.equals.iter().any(by_equals)
    }
}

fn may_hold(program: &Program, ty: Ty, class: ClassId) -> bool {
    program.is_subtype(Ty::Class(class), ty)
}
