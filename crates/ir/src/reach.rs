//! What the runs of operations may reach, their specifications included: methods, and the fields that they look at. What other fields hold does not
//! matter to them.
//!
//! What goes in: a program, what is checked. What comes out: sets that are never too small. A virtual call may run any method of its name.

use crate::program::*;
use crate::task::{Checked, CheckedKind, Operation};
use crate::walk;
use rustc_hash::FxHashSet;

pub fn fields_read(program: &Program, checked: &Checked, operation: &Operation) -> FxHashSet<FieldId> {
    let mut read = FxHashSet::default();
    for method in methods_run(program, roots(checked, operation)) {
        let Some(body) = &program.method(method).body else { continue };
        walk::block(body, &mut |e| {
            if let ExprKind::Field(_, field) | ExprKind::Static(field) = e.kind {
                read.insert(field);
            }
        });
    }
    read
}

/// What is run for an operation to begin with.
pub fn roots(checked: &Checked, operation: &Operation) -> Vec<MethodId> {
    let specs = operation.preconditions.iter().chain(&operation.postconditions).chain(&operation.others);
    let mut roots: Vec<MethodId> = specs.map(|s| s.method).chain([operation.method, checked.invariant]).collect();
    if let CheckedKind::Language { is_final_state } = checked.kind {
        roots.push(is_final_state);
    }
    roots
}

/// Everything with a body that may run when these do.
pub fn methods_run(program: &Program, roots: Vec<MethodId>) -> FxHashSet<MethodId> {
    let mut todo = roots;
    let (mut seen, mut called) = (FxHashSet::default(), FxHashSet::default());
    // The checked object may be of a class that overrides them.
    for selector in todo.iter().map(|m| program.method(*m).selector).collect::<Vec<SelectorId>>() {
        if called.insert(selector) {
            todo.extend(program.implementations(selector));
        }
    }
    while let Some(method) = todo.pop() {
        let Some(body) = program.method(method).body.as_ref().filter(|_| seen.insert(method)) else { continue };
        walk::block(body, &mut |e| match &e.kind {
            ExprKind::Call(target, _) | ExprKind::New(_, target, _) => todo.push(*target),
            ExprKind::CallVirtual(selector, _) if called.insert(*selector) => {
                todo.extend(program.implementations(*selector));
            }
            _ => {}
        });
    }
    seen
}
