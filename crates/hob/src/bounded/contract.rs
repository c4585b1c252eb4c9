//! Who is checked, where a private procedure is called; parts of contracts: the conjuncts of a clause, the frame as formulas.

use crate::depends::{Depends, Touch};
use crate::escape::Kept;
use crate::program::*;
use crate::rests_on::reached;
use source::Span;

/// What this section checks: its own procedures, and those of the module's other sections that can break what it relies on. They may
/// write what an invariant of the representation depends on, or call a private procedure of this section.
pub fn procs(hob: &Program, module: ModuleId, section: &PluginUse) -> Vec<ProcId> {
    let declared = hob.module(module);
    let invariants = Depends::of_invariants(declared);
    let is_private_here = |p: &ProcId| hob.proc(*p).private && section.procs.contains(p);
    let concerns = |id: &ProcId, other: &PluginUse| {
        // What a public callee does to the representation is checked by itself.
        let way = reached(hob, *id, |callee| hob.proc(callee).private);
        way.iter().any(is_private_here)
            || other.plugin != section.plugin && way.iter().any(|p| writes(hob, *p, &invariants))
    };
    let mut found = section.procs.clone();
    for other in declared.plugins.iter().filter(|p| !std::ptr::eq(*p, section)) {
        let public = other.procs.iter().filter(|p| !hob.proc(**p).private && hob.proc(**p).body.is_some());
        found.extend(public.filter(|p| !section.procs.contains(p) && concerns(p, other)));
    }
    found.sort_unstable();
    found
}

fn writes(hob: &Program, proc: ProcId, what: &Depends) -> bool {
    let mut found = false;
    crate::visit::places(hob.proc(proc).body.as_deref().unwrap_or_default(), &mut |place| {
        found |= match place {
            Place::Local(_) => false,
            Place::Global(global) => what.depends_on(&Touch::Global(*global)),
            Place::Field(_, field) => what.depends_on(&Touch::Field(*field)),
            Place::Index(..) => what.depends_on(&Touch::Element),
        }
    });
    found
}

/// The private procedures of a section, each with the public ones of those checked from which calls lead to it.
pub fn at_calls(hob: &Program, checked: &[ProcId], section: &PluginUse) -> Vec<(ProcId, Vec<ProcId>)> {
    let public = checked.iter().copied().filter(|p| !hob.proc(*p).private);
    let ways: Vec<(ProcId, Vec<ProcId>)> = public.map(|p| (p, reached(hob, p, |_| true))).collect();
    let callers = |callee: &ProcId| ways.iter().filter(|(_, way)| way.contains(callee)).map(|(p, _)| *p).collect();
    let private = section.procs.iter().copied().filter(|p| hob.proc(*p).private);
    private.map(|callee| (callee, callers(&callee))).collect()
}

/// Whether an array that sets look into is given to it where this plugin does not follow the call with its arguments: by procedures of
/// other sections.
pub fn is_given_elsewhere(hob: &Program, kept: &Kept, proc: ProcId) -> bool {
    let plugins = &hob.module(hob.proc(proc).module).plugins;
    let is_here = |caller: &ProcId| plugins.iter().any(|p| p.checker == Checker::Bounded && p.procs.contains(caller));
    kept.given.iter().any(|(caller, callee)| *callee == proc && !is_here(caller))
}

/// `S' = S`, or the same of a Boolean.
pub fn unchanged(hob: &Program, variable: SpecVarId, span: Span) -> Formula {
    let name = |primed| NameRef { subject: Subject::SpecVar(variable), primed, span };
    let kind = match hob.spec_var(variable).kind {
        SpecVarKind::Set(_) => FormulaKind::Equal(SetExpr::Name(name(true)), SetExpr::Name(name(false))),
        SpecVarKind::Bool => {
            let bool = |primed| Box::new(Formula { kind: FormulaKind::Bool(name(primed)), span });
            FormulaKind::Iff(bool(true), bool(false))
        }
        SpecVarKind::Relation => FormulaKind::OverRelation(variable),
    };
    Formula { kind, span }
}

pub fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match &formula.kind {
        FormulaKind::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        _ => vec![formula],
    }
}
