//! What a contract says that a set or Boolean is after a call, by what was before: `S' = S + x`, `b' <=> F`, `b'`, `not b'`.

use crate::bounded::conjuncts;
use crate::interp::names_of;
use crate::program::*;

#[derive(Clone, Copy)]
pub enum Told<'p> {
    Set(&'p SetExpr),
    Bool(&'p Formula),
    Always(bool),
}

/// None: the contract leaves it open, or relates it to other values after the call.
pub fn told(program: &Program, callee: ProcId, variable: SpecVarId) -> Option<Told<'_>> {
    let is_it = |name: &NameRef| name.primed && name.subject == Subject::SpecVar(variable);
    let is_before = |formula: &Formula| {
        let mut is_so = true;
        names_of(formula, &mut |name| is_so &= !name.primed || !matches!(name.subject, Subject::SpecVar(_)));
        is_so
    };
    let parts = program.proc(callee).contract.ensures.iter().flat_map(|c| conjuncts(&c.formula));
    parts.into_iter().find_map(|part| match &part.kind {
        FormulaKind::Equal(SetExpr::Name(name), set) if is_it(name) => {
            let kind = FormulaKind::Equal(set.clone(), SetExpr::Empty);
            is_before(&Formula { kind, span: part.span }).then_some(Told::Set(set))
        }
        FormulaKind::Iff(a, b) if matches!(&a.kind, FormulaKind::Bool(name) if is_it(name)) => {
            is_before(b).then_some(Told::Bool(b))
        }
        FormulaKind::Bool(name) if is_it(name) => Some(Told::Always(true)),
        FormulaKind::Not(a) if matches!(&a.kind, FormulaKind::Bool(name) if is_it(name)) => Some(Told::Always(false)),
        _ => None,
    })
}
