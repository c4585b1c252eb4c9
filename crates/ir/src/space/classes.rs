//! Which classes a state may hold objects of, and which of them tree fields lead to.

use crate::program::*;
use crate::seen::Kind;
use crate::task::Operation;
use rustc_hash::FxHashSet;

/// Where the tree fields of a class lead: its concrete target classes.
pub(super) fn tree_targets(program: &Program, class: ClassId) -> Vec<ClassId> {
    let mut targets = Vec::new();
    for field in program.instance_fields(class) {
        let field = program.field(field);
        let target = match field.ty {
            Ty::Class(c) => Some(c),
            Ty::Array(a) => match program.element_ty(a) {
                Ty::Class(c) => Some(c),
                _ => None,
            },
            _ => None,
        };
        if let (true, Some(target)) = (field.bound.tree, target) {
            match &field.bound.one_of {
                Some(classes) => targets.extend(classes.iter().flat_map(|&c| program.concrete_subclasses(c))),
                None => targets.extend(program.state_subclasses(target)),
            }
        }
    }
    targets
}

/// Classes reachable from a class over tree fields, itself not counted unless on a cycle.
pub(super) fn tree_classes(program: &Program, from: ClassId) -> FxHashSet<ClassId> {
    closure(tree_targets(program, from), |class| tree_targets(program, class))
}

fn closure(start: Vec<ClassId>, next: impl Fn(ClassId) -> Vec<ClassId>) -> FxHashSet<ClassId> {
    let mut seen = FxHashSet::default();
    let mut stack = start;
    while let Some(class) = stack.pop() {
        if seen.insert(class) {
            stack.extend(next(class));
        }
    }
    seen
}

/// The classes that a state may hold objects of: what fields of any kind lead to, from the checked class and the parameters.
pub(super) fn state_classes(program: &Program, checked: ClassId, operation: &Operation) -> FxHashSet<ClassId> {
    let fitting = |mut ty: Ty, bound: &Bound| {
        while let Ty::Array(array) = ty {
            ty = program.element_ty(array);
        }
        let Ty::Class(class) = ty else { return Vec::new() };
        let asked = bound.seen.types.iter().filter_map(|kind| match kind {
            Kind::Class(asked) if !program.class(class).is_input => Some(*asked),
            _ => None,
        });
        let declared = (class != program.known.object).then_some(class);
        asked.chain(declared).flat_map(|c| program.state_subclasses(c)).collect()
    };
    let mut start = vec![checked];
    start.extend(program.static_state.iter().map(|s| s.class));
    for parameter in &program.method(operation.method).parameters {
        start.extend(fitting(parameter.ty, &parameter.bound));
    }
    closure(start, |class| {
        let fields = program.instance_fields(class).into_iter().map(|f| program.field(f));
        fields.flat_map(|field| fitting(field.ty, &field.bound)).collect()
    })
}
