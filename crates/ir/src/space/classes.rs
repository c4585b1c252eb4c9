//! Which classes a state may hold objects of, and which of them tree fields lead to.

use crate::program::*;
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
    let of_ty = |mut ty: Ty| {
        while let Ty::Array(array) = ty {
            ty = program.element_ty(array);
        }
        match ty {
            Ty::Class(class) => program.state_subclasses(class).collect(),
            _ => Vec::new(),
        }
    };
    let mut start = vec![checked];
    start.extend(program.static_state.iter().map(|s| s.class));
    for parameter in &program.method(operation.method).parameters {
        start.extend(of_ty(parameter.ty));
    }
    closure(start, |class| {
        program.instance_fields(class).into_iter().flat_map(|f| of_ty(program.field(f).ty)).collect()
    })
}
