//! Walks over resolved formulas: priming, copies whose quantifiers have numbers of their own, sizes, the spec variables mentioned.

use crate::program::{Formula, FormulaKind, NameRef, SetExpr, SpecVarId, Subject};
use source::Span;

/// All names of a formula, bound ones too.
pub(super) fn each_name(formula: &mut Formula, act: &mut dyn FnMut(&mut NameRef)) {
    match &mut formula.kind {
        FormulaKind::True
        | FormulaKind::False
        | FormulaKind::Uninterpreted(_)
        | FormulaKind::Heap(_)
        | FormulaKind::OverRelation(_) => {}
        FormulaKind::Bool(name) => act(name),
        FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) | FormulaKind::Subset(a, b) => {
            each_name_of_set(a, act);
            each_name_of_set(b, act);
        }
        FormulaKind::Card(set, _, _) => each_name_of_set(set, act),
        FormulaKind::Disjoint(sets) => sets.iter_mut().for_each(|s| each_name_of_set(s, act)),
        FormulaKind::Not(inner) | FormulaKind::Quantified { body: inner, .. } => each_name(inner, act),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter_mut().for_each(|p| each_name(p, act)),
        FormulaKind::Implies(a, b) | FormulaKind::Iff(a, b) => {
            each_name(a, act);
            each_name(b, act);
        }
    }
}

fn each_name_of_set(set: &mut SetExpr, act: &mut dyn FnMut(&mut NameRef)) {
    match set {
        SetExpr::Empty => {}
        SetExpr::Name(name) => act(name),
        SetExpr::Union(a, b) | SetExpr::Inter(a, b) | SetExpr::Diff(a, b) => {
            each_name_of_set(a, act);
            each_name_of_set(b, act);
        }
    }
}

fn prime_name(name: &mut NameRef) {
    name.primed |= matches!(name.subject, Subject::SpecVar(_));
}

/// The same of the state at the exit. Formals do not change; variables of quantifiers have no state.
pub(super) fn prime(formula: &mut Formula) {
    each_name(formula, &mut prime_name);
}

pub(super) fn prime_set(set: &mut SetExpr) {
    each_name_of_set(set, &mut prime_name);
}

/// A copy in which each quantifier has a number of its own.
pub(super) fn copied(formula: &Formula, next: &mut u32) -> Formula {
    let mut copy = formula.clone();
    renumber(&mut copy, &mut Vec::new(), next);
    copy
}

fn renumber(formula: &mut Formula, renamed: &mut Vec<(u32, u32)>, next: &mut u32) {
    if let FormulaKind::Quantified { variable, body, .. } = &mut formula.kind {
        renamed.push((*variable, *next));
        *variable = *next;
        *next += 1;
        renumber(body, renamed, next);
        renamed.pop();
        return;
    }
    match &mut formula.kind {
        FormulaKind::Not(inner) => renumber(inner, renamed, next),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => {
            parts.iter_mut().for_each(|p| renumber(p, renamed, next));
        }
        FormulaKind::Implies(a, b) | FormulaKind::Iff(a, b) => {
            renumber(a, renamed, next);
            renumber(b, renamed, next);
        }
        _ if renamed.is_empty() => {}
        // What is left has no quantifier inside.
        _ => each_name(formula, &mut |name| {
            if let Subject::Bound(number) = &mut name.subject
                && let Some((_, new)) = renamed.iter().rev().find(|(old, _)| old == number)
            {
                *number = *new;
            }
        }),
    }
}

/// Puts the clause where [`super::formulas::CLAUSE`] stands for it.
pub(super) fn replace_clause(formula: &mut Formula, clause: &Formula, next: &mut u32) {
    match &mut formula.kind {
        FormulaKind::Bool(name) if name.subject == Subject::Bound(super::formulas::CLAUSE) => {
            formula.kind = copied(clause, next).kind;
        }
        FormulaKind::Not(inner) | FormulaKind::Quantified { body: inner, .. } => replace_clause(inner, clause, next),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => {
            parts.iter_mut().for_each(|p| replace_clause(p, clause, next));
        }
        FormulaKind::Implies(a, b) | FormulaKind::Iff(a, b) => {
            replace_clause(a, clause, next);
            replace_clause(b, clause, next);
        }
        _ => {}
    }
}

pub(super) fn size(formula: &Formula) -> usize {
    match &formula.kind {
        FormulaKind::True
        | FormulaKind::False
        | FormulaKind::Uninterpreted(_)
        | FormulaKind::Heap(_)
        | FormulaKind::OverRelation(_)
        | FormulaKind::Bool(_) => 1,
        FormulaKind::Equal(a, b) | FormulaKind::NotEqual(a, b) | FormulaKind::Subset(a, b) => {
            1 + size_of_set(a) + size_of_set(b)
        }
        FormulaKind::Card(set, _, _) => 1 + size_of_set(set),
        FormulaKind::Disjoint(sets) => 1 + sets.iter().map(size_of_set).sum::<usize>(),
        FormulaKind::Not(inner) | FormulaKind::Quantified { body: inner, .. } => 1 + size(inner),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => 1 + parts.iter().map(size).sum::<usize>(),
        FormulaKind::Implies(a, b) | FormulaKind::Iff(a, b) => 1 + size(a) + size(b),
    }
}

pub(super) fn size_of_set(set: &SetExpr) -> usize {
    match set {
        SetExpr::Empty | SetExpr::Name(_) => 1,
        SetExpr::Union(a, b) | SetExpr::Inter(a, b) | SetExpr::Diff(a, b) => 1 + size_of_set(a) + size_of_set(b),
    }
}

/// The spec variables that a formula mentions, and where.
pub(super) fn mentioned(formula: &Formula) -> Vec<(SpecVarId, Span)> {
    let mut found = Vec::new();
    each_name(&mut formula.clone(), &mut |name| {
        if let Subject::SpecVar(id) = name.subject {
            found.push((id, name.span));
        }
    });
    found
}
