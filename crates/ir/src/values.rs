//! Value classes: their objects never change, and no code can tell two equal ones from one. So a tree that holds one twice is as good
//! as a tree that holds two: immutable terms, which a substitution puts into several places.

use crate::program::*;
use crate::walk;
use rustc_hash::FxHashSet;

/// The classes of the inputs that are such.
pub fn value_classes(program: &Program) -> FxHashSet<ClassId> {
    let Some(compared) = compared(program) else { return FxHashSet::default() };
    let is_told = |class| compared.iter().any(|&(a, b)| may_hold(program, a, class) && may_hold(program, b, class));
    let is_constant = |class| {
        let mut fields = program.instance_fields(class).into_iter().map(|f| program.field(f));
        fields.all(|f| f.is_final && !matches!(f.ty, Ty::Array(_)))
    };
    let all = program.concrete_subclasses(program.known.object);
    let plain = all.filter(|&c| program.class(c).is_input && program.class(c).kind == ClassKind::Class);
    let mut values: FxHashSet<ClassId> = plain.filter(|&c| is_constant(c) && !is_told(c)).collect();
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

/// The types of what is compared by `==`; None if identity hashes are looked at.
fn compared(program: &Program) -> Option<Vec<(Ty, Ty)>> {
    let mut compared = Vec::new();
    let mut looks_at_hashes = false;
    for method in &program.methods {
        let Some(body) = &method.body else { continue };
        let is_shortcut = method.name == "equals" && program.class(method.class).is_built_in;
        walk::block(body, &mut |e| match &e.kind {
            ExprKind::Same(a, b) if !is_shortcut && a.ty != Ty::Null && b.ty != Ty::Null => compared.push((a.ty, b.ty)),
            ExprKind::Intrinsic(Intrinsic::IdentityHash, _) => looks_at_hashes = true,
            _ => {}
        });
    }
    (!looks_at_hashes).then_some(compared)
}

fn may_hold(program: &Program, ty: Ty, class: ClassId) -> bool {
    program.is_subtype(Ty::Class(class), ty)
}
