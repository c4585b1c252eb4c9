//! Life cycles: which procedures move objects from which set to which, as their contracts say (paper, section 2: typestate transitions).
//!
//! What goes in: a module. What comes out: its moves. An object that a procedure is given, or returns, or of which `ensures` says that there is
//! one, comes from the sets that `requires` puts it in or that `ensures` takes it out of, and goes to those that `ensures` puts it in. What
//! `ensures` says under a condition is a case of its own, beside what it says in any case.

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
        let objects = given.filter(|l| matches!(declared.locals[l.index()].ty, Type::Object(_))).map(Subject::Local);
        let required: Vec<&Formula> = declared.contract.requires.iter().flat_map(|c| parts(&c.formula)).collect();
        for ensured in cases(declared.contract.ensures.iter().flat_map(|c| parts(&c.formula)).collect()) {
            let some = ensured.iter().filter_map(|part| match &part.kind {
                FormulaKind::Quantified { exists: true, set: false, variable, .. } => Some(Subject::Bound(*variable)),
                _ => None,
            });
            let ensured: Vec<&Formula> = ensured
                .iter()
                .flat_map(|part| match &part.kind {
                    FormulaKind::Quantified { exists: true, set: false, body, .. } => parts(body),
                    _ => vec![*part],
                })
                .collect();
            for object in objects.clone().chain(some) {
                found.extend(moves_of(proc, object, &required, &ensured));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What is ensured under each condition, with what is ensured in any case.
fn cases(ensured: Vec<&Formula>) -> Vec<Vec<&Formula>> {
    let (mut always, mut under): (Vec<&Formula>, Vec<(Condition, Vec<&Formula>)>) = (Vec::new(), Vec::new());
    for part in ensured {
        let FormulaKind::Implies(condition, then) = &part.kind else {
            always.push(part);
            continue;
        };
        let condition = match &condition.kind {
            FormulaKind::Bool(name) => Some((name.subject, true)),
            FormulaKind::Not(inner) => match &inner.kind {
                FormulaKind::Bool(name) => Some((name.subject, false)),
                _ => None,
            },
            _ => None,
        };
        match under.iter_mut().find(|(other, _)| condition.is_some() && *other == condition) {
            Some((_, ensured)) => ensured.extend(parts(then)),
            None => under.push((condition, parts(then))),
        }
    }
    if under.is_empty() {
        return vec![always];
    }
    under.into_iter().map(|(_, then)| always.iter().copied().chain(then).collect()).collect()
}

/// A Boolean that is true or false. None: anything else.
type Condition = Option<(Subject, bool)>;

fn moves_of(proc: ProcId, object: Subject, required: &[&Formula], ensured: &[&Formula]) -> Vec<Move> {
    let is = |name: &NameRef| name.subject == object;
    let (mut from, mut gone, mut to) = (Vec::new(), Vec::new(), Vec::new());
    for part in required {
        if let FormulaKind::Subset(SetExpr::Name(x), SetExpr::Name(set)) = &part.kind
            && is(x)
        {
            from.extend(variable(set));
        }
    }
    for part in ensured {
        match &part.kind {
            FormulaKind::Subset(SetExpr::Name(x), SetExpr::Name(set)) if is(x) => {
                if set.primed { &mut to } else { &mut from }.extend(variable(set));
            }
            FormulaKind::Equal(SetExpr::Name(after), changed) if after.primed => {
                let set = variable(after);
                let names = |a: &SetExpr, b: &SetExpr| {
                    let is_set = matches!(a, SetExpr::Name(n) if variable(n) == set && !n.primed);
                    is_set && matches!(b, SetExpr::Name(n) if is(n))
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
