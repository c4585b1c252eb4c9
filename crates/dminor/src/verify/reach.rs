//! What in a program rests on what: the named types and the functions that a subject leads to.

use super::{Kind, Subject, Unproved, Why};
use crate::program::*;
use std::collections::BTreeSet;

/// What each subject uses directly.
pub(super) struct Uses {
    types: Vec<Vec<Subject>>,
    functions: Vec<Vec<Subject>>,
}

impl Uses {
    pub fn new(program: &Program) -> Uses {
        let of_type = |named: &NamedType| names_in(&named.definition).into_iter().map(Subject::Type).collect();
        let of_function = |k: usize| {
            let id = FunId(k as u32);
            let mut called = Vec::new();
            calls(&program.function(id).body, &mut called);
            let types = named_by(program, id).into_iter().map(Subject::Type);
            called.into_iter().map(Subject::Function).chain(types).collect()
        };
        Uses {
            types: program.types.iter().map(of_type).collect(),
            functions: (0..program.functions.len()).map(of_function).collect(),
        }
    }

    fn of(&self, subject: Subject) -> &[Subject] {
        match subject {
            Subject::Type(id) => &self.types[id.0 as usize],
            Subject::Function(id) => &self.functions[id.0 as usize],
        }
    }

    /// Everything that a verdict on a subject takes to be fine: what it uses, directly or not, but for itself.
    pub fn rests_on(&self, subject: Subject) -> BTreeSet<Subject> {
        let mut all = BTreeSet::from([subject]);
        let mut todo = vec![subject];
        while let Some(next) = todo.pop() {
            todo.extend(self.of(next).iter().filter(|used| all.insert(**used)));
        }
        all.remove(&subject);
        all
    }

    /// The types that are fine, and lead to none that is not.
    pub fn fine(&self, is_fine: &[bool]) -> Vec<bool> {
        let mut used_by: Vec<Vec<usize>> = vec![Vec::new(); self.types.len()];
        for (k, uses) in self.types.iter().enumerate() {
            for used in uses {
                if let Subject::Type(id) = used {
                    used_by[id.0 as usize].push(k);
                }
            }
        }
        let mut fine = is_fine.to_vec();
        let mut todo: Vec<usize> = (0..fine.len()).filter(|k| !fine[*k]).collect();
        while let Some(k) = todo.pop() {
            todo.extend(used_by[k].iter().filter(|user| std::mem::replace(&mut fine[**user], false)));
        }
        fine
    }
}

/// The functions that an expression calls.
fn calls(expr: &Expr, out: &mut Vec<FunId>) {
    if let ExprKind::Call(id, _) = &expr.kind
        && !out.contains(id)
    {
        out.push(*id);
    }
    expr.each_part(&mut |part| calls(part, out));
}

/// The types and the functions of a program, in the order of the text.
pub(super) fn subjects(program: &Program) -> (Vec<Subject>, Vec<Subject>) {
    let types = (0..program.types.len() as u32).map(|k| Subject::Type(TypeId(k)));
    let functions = (0..program.functions.len() as u32).map(|k| Subject::Function(FunId(k)));
    (types.collect(), functions.collect())
}

/// The types that a function rests on and that are not fine.
pub(crate) fn ill_formed(program: &Program, subject: Subject, well_formed: &[bool]) -> Vec<Unproved> {
    let Subject::Function(id) = subject else { return Vec::new() };
    let ill = named_by(program, id).into_iter().filter(|id| !well_formed[id.0 as usize]);
    ill.map(|id| Unproved {
        kind: Kind::IllFormed(program.named(id).name.clone()),
        span: program.named(id).name_span,
        why: Why::IllFormed,
        path: Vec::new(),
    })
    .collect()
}

/// Named types in a function, and in the signatures of what it calls.
fn named_by(program: &Program, id: FunId) -> Vec<TypeId> {
    let mut named = Vec::new();
    let function = program.function(id);
    function.parameters.iter().for_each(|(_, ty)| named_in(ty, &mut named));
    named_in(&function.result, &mut named);
    names_of(&function.body, program, &mut named);
    named
}

/// The named types that a type rests on.
pub(super) fn names_in(ty: &Type) -> Vec<TypeId> {
    let mut named = Vec::new();
    named_in(ty, &mut named);
    named
}

/// Named types in a type.
fn named_in(ty: &Type, out: &mut Vec<TypeId>) {
    if let TypeKind::Named(id) = ty.kind
        && !out.contains(&id)
    {
        out.push(id);
    }
    ty.each_part(&mut |part| named_in(part, out));
    ty.each_expr(&mut |e| types_of(e, out));
}

fn types_of(expr: &Expr, out: &mut Vec<TypeId>) {
    expr.each_type(&mut |ty| named_in(ty, out));
    expr.each_part(&mut |part| types_of(part, out));
}

/// Named types in a body, and in the signatures of what it calls.
fn names_of(expr: &Expr, program: &Program, out: &mut Vec<TypeId>) {
    types_of(expr, out);
    if let ExprKind::Call(id, _) = &expr.kind {
        let called = program.function(*id);
        called.parameters.iter().for_each(|(_, ty)| named_in(ty, out));
        named_in(&called.result, out);
    }
    expr.each_part(&mut |part| names_of(part, program, out));
}

pub(super) fn has_accumulate(program: &Program, subject: Subject) -> bool {
    let found = |expr: &Expr| expr.has(&|kind| matches!(kind, ExprKind::Accumulate(_)));
    match subject {
        Subject::Type(id) => {
            let mut any = false;
            program.named(id).definition.each_expr(&mut |e| any |= found(e));
            any
        }
        Subject::Function(id) => found(&program.function(id).body),
    }
}
