//! Which classes the objects of an initial state may have: not those within methods.
//!
//! A lambda or an anonymous class may implement the type of a field, but its objects hold copies of variables that no
//! bound limits; an initial state made of them would be one that no program can make. They are marked as if they were
//! library code, but only where a field or parameter could hold them: reports take steps and clauses in library code
//! for uninteresting, and the condition in `forall(0, n, i -> …)` is not.

use crate::lower::Lowering;
use ir::{Checked, ClassId, ClassKind, Program, Ty};

pub fn leave_out_local_classes(low: &mut Lowering, checked: &[Checked]) {
    let ids = || (0..low.program.classes.len() as u32).map(ClassId);
    let is_local = |id: ClassId| low.table.within_method(low.class_ix(id));
    let program = &low.program;
    let fields = program.fields.iter().filter(|f| !f.is_static && !is_local(f.class)).map(|f| f.ty);
    let operations = checked.iter().flat_map(|c| &c.operations);
    let parameters = operations.flat_map(|o| &program.method(o.method).parameters).map(|p| p.ty);
    let mut holders: Vec<ClassId> = fields
        .chain(parameters)
        .filter_map(|ty| match innermost(program, ty) {
            // An `Object` is an opaque one, whatever classes there are.
            Ty::Class(class) if class != program.known.object => Some(class),
            _ => None,
        })
        .collect();
    holders.sort_unstable();
    holders.dedup();
    let is_constant =
        |id: ClassId| program.class(id).superclass.is_some_and(|s| program.class(s).kind == ClassKind::Enum);
    let left_out: Vec<ClassId> = ids()
        .filter(|&id| is_local(id) && !is_constant(id) && holders.iter().any(|&h| program.is_subclass(id, h)))
        .collect();
    for id in left_out {
        low.program.classes[id.index()].is_input = false;
    }
}

/// What an array of arrays holds in the end.
pub fn innermost(program: &Program, mut ty: Ty) -> Ty {
    while let Ty::Array(array) = ty {
        ty = program.element_ty(array);
    }
    ty
}
