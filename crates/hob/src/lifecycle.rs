//! Life cycles: which procedures move objects from which set to which, as their contracts say (paper, section 2: typestate transitions).
//!
//! What goes in: a module. What comes out: its moves. An object that a procedure is given, or returns, comes from the sets that `requires`
//! puts it in or that `ensures` takes it out of, and goes to those that `ensures` puts it in.

use crate::program::*;

/// From a set or from nowhere, to a set or to nowhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Move {
    pub from: Option<SpecVarId>,
    pub to: Option<SpecVarId>,
    pub proc: ProcId,
}

pub fn moves(program: &Program, module: ModuleId) -> Vec<Move> {
    let mut found = Vec::new();
    for &proc in &program.module(module).procs {
        let declared = program.proc(proc);
        if declared.private {
            continue;
        }
        let given = (0..declared.formals).map(LocalId).chain(declared.result);
        for local in given.filter(|l| matches!(declared.locals[l.index()].ty, Type::Object(_))) {
            found.extend(moves_of(declared, proc, local));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn moves_of(declared: &Proc, proc: ProcId, local: LocalId) -> Vec<Move> {
    let contract = &declared.contract;
    let (mut from, mut gone, mut to) = (Vec::new(), Vec::new(), Vec::new());
    for part in contract.requires.iter().flat_map(|c| parts(&c.formula)) {
        if let FormulaKind::Subset(SetExpr::Name(x), SetExpr::Name(set)) = &part.kind
            && is(x, local)
        {
            from.extend(variable(set));
        }
    }
    for part in contract.ensures.iter().flat_map(|c| parts(&c.formula)) {
        match &part.kind {
            FormulaKind::Subset(SetExpr::Name(x), SetExpr::Name(set)) if is(x, local) => {
                if set.primed { &mut to } else { &mut from }.extend(variable(set));
            }
            FormulaKind::Equal(SetExpr::Name(after), changed) if after.primed => {
                let set = variable(after);
                let names = |a: &SetExpr, b: &SetExpr| {
                    let is_set = matches!(a, SetExpr::Name(n) if variable(n) == set && !n.primed);
                    is_set && matches!(b, SetExpr::Name(n) if is(n, local))
                };
                match changed {
                    SetExpr::Union(a, b) if names(a, b) || names(b, a) => to.extend(set),
                    SetExpr::Diff(a, b) if names(a, b) => gone.extend(set),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    // What it is required to be in and does not leave it stays in.
    let leaves: Vec<SpecVarId> = if to.is_empty() { gone.clone() } else { from.iter().chain(&gone).copied().collect() };
    let starts: Vec<Option<SpecVarId>> = match leaves.iter().filter(|s| !to.contains(s)).count() {
        0 => vec![None],
        _ => leaves.into_iter().filter(|s| !to.contains(s)).map(Some).collect(),
    };
    if to.is_empty() {
        return gone.into_iter().map(|set| Move { from: Some(set), to: None, proc }).collect();
    }
    let pairs = starts.iter().flat_map(|from| to.iter().map(move |to| (*from, *to)));
    pairs.map(|(from, to)| Move { from, to: Some(to), proc }).collect()
}

fn is(name: &NameRef, local: LocalId) -> bool {
    name.subject == Subject::Local(local)
}

fn variable(name: &NameRef) -> Option<SpecVarId> {
    match name.subject {
        Subject::SpecVar(id) => Some(id),
        _ => None,
    }
}

fn parts(formula: &Formula) -> Vec<&Formula> {
    match &formula.kind {
        FormulaKind::And(parts_of) => parts_of.iter().flat_map(parts).collect(),
        _ => vec![formula],
    }
}
