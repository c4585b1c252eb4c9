//! Life cycles: which procedures move objects from which set to which, as their contracts say (paper, section 2: typestate transitions).
//!
//! What goes in: a module. What comes out: its moves. An object that a procedure is given, or returns, or of which `ensures` says that there is
//! one, comes from the sets that `requires` puts it in or that `ensures` takes it out of, and goes to those that `ensures` puts it in. What
//! `ensures` says under a condition is a case of its own, beside what it says in any case. All other objects are looked at one by one: where
//! each may be afterwards that was in one set, or in none ([`of_others`]). What a procedure may not change keeps its objects.

use crate::program::*;
use std::collections::BTreeMap;

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
            let frame = &declared.contract.frame;
            for object in objects.clone().chain(some) {
                found.extend(moves_of(proc, frame, object, &required, &ensured));
            }
            found.extend(of_others(proc, frame, &ensured));
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

fn moves_of(
    proc: ProcId,
    frame: &[SpecVarId],
    object: Subject,
    required: &[&Formula],
    ensured: &[&Formula],
) -> Vec<Move> {
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
            FormulaKind::Not(inner) => {
                if let FormulaKind::Subset(SetExpr::Name(x), SetExpr::Name(set)) = &inner.kind
                    && is(x)
                    && set.primed
                {
                    gone.extend(variable(set));
                }
            }
            FormulaKind::Disjoint(sets) if sets.iter().any(|set| matches!(set, SetExpr::Name(x) if is(x))) => {
                sets.iter().for_each(|set| united(set, &mut gone));
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
    gone.sort_unstable();
    gone.dedup();
    for sets in [&mut from, &mut gone, &mut to] {
        sets.retain(|set| !frame.contains(set));
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

/// The sets afterwards that a union is made of.
fn united(set: &SetExpr, found: &mut Vec<SpecVarId>) {
    match set {
        SetExpr::Union(a, b) => {
            united(a, found);
            united(b, found);
        }
        SetExpr::Name(name) if name.primed => found.extend(variable(name)),
        _ => {}
    }
}

/// More sets than these in one contract are not looked at.
const MOST_SETS: usize = 6;

/// The sets that an object is in before, and after, by their numbers.
#[derive(Clone, Copy)]
struct Memberships {
    before: u32,
    after: u32,
}

/// The moves of objects that the procedure is not about: of each that is in one set, or in none, where what is ensured lets it be
/// afterwards. Only sets of which that says something count.
fn of_others(proc: ProcId, frame: &[SpecVarId], ensured: &[&Formula]) -> Vec<Move> {
    let mut numbers: BTreeMap<SpecVarId, u32> = BTreeMap::new();
    for part in ensured {
        crate::interp::names_of(part, &mut |name| {
            let next = numbers.len() as u32;
            if let Some(set) = variable(name) {
                numbers.entry(set).or_insert(next);
            }
        });
    }
    if numbers.len() > MOST_SETS {
        return Vec::new();
    }
    let all = || 0..1u32 << numbers.len();
    let pairs = || all().flat_map(|before| all().map(move |after| Memberships { before, after }));
    // About an object that the procedure is given a part may say nothing, and nothing of its sets then.
    let says: Vec<&Formula> =
        ensured.iter().copied().filter(|part| pairs().any(|at| allows(part, at, &numbers) == Some(false))).collect();
    let mut told: Vec<SpecVarId> = Vec::new();
    for part in &says {
        crate::interp::names_of(part, &mut |name| told.extend(variable(name).filter(|_| name.primed)));
    }
    let keeps = |at: Memberships| {
        numbers.iter().all(|(set, k)| {
            let may_change = told.contains(set) && !frame.contains(set);
            may_change || at.before >> k & 1 == at.after >> k & 1
        })
    };
    let name = |bits: u32| numbers.iter().filter(move |(_, k)| bits >> **k & 1 == 1).map(|(set, _)| Some(*set));
    let mut found = Vec::new();
    for before in all().filter(|sets| sets.count_ones() <= 1) {
        let is_allowed = |after: &u32| {
            let at = Memberships { before, after: *after };
            keeps(at) && says.iter().all(|part| allows(part, at, &numbers) != Some(false))
        };
        let mut ends: Vec<u32> = all().filter(is_allowed).collect();
        // Where it can be in one set, to be in several is no other move.
        if ends.iter().any(|after| after.count_ones() <= 1) {
            ends.retain(|after| after.count_ones() <= 1);
        }
        for after in ends.into_iter().filter(|after| *after != before) {
            let from = name(before & !after).next().unwrap_or(None);
            let to: Vec<_> = if after & !before == 0 { vec![None] } else { name(after & !before).collect() };
            found.extend(to.into_iter().map(|to| Move { from, to, proc }));
        }
    }
    found
}

/// Whether a formula lets an object be in these sets that no variable of the procedure holds; None: it is not about single objects.
fn allows(formula: &Formula, at: Memberships, numbers: &BTreeMap<SpecVarId, u32>) -> Option<bool> {
    let is_in = |set: &SetExpr| is_member(set, at, numbers);
    Some(match &formula.kind {
        FormulaKind::Equal(a, b) => is_in(a) == is_in(b),
        FormulaKind::Subset(a, b) => !is_in(a) || is_in(b),
        FormulaKind::Disjoint(sets) => sets.iter().filter(|set| is_in(set)).count() <= 1,
        _ => return None,
    })
}

fn is_member(set: &SetExpr, at: Memberships, numbers: &BTreeMap<SpecVarId, u32>) -> bool {
    let is_in = |set: &SetExpr| is_member(set, at, numbers);
    match set {
        SetExpr::Empty => false,
        SetExpr::Union(a, b) => is_in(a) || is_in(b),
        SetExpr::Inter(a, b) => is_in(a) && is_in(b),
        SetExpr::Diff(a, b) => is_in(a) && !is_in(b),
        SetExpr::Name(name) => variable(name).and_then(|set| numbers.get(&set)).is_some_and(|k| {
            let sets = if name.primed { at.after } else { at.before };
            sets >> k & 1 == 1
        }),
    }
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
