//! Parts of contracts: the conjuncts of a clause, the frame as formulas, where a private procedure is called, what is assumed.

use crate::flags::Assumption;
use crate::program::*;
use source::Span;

/// The private procedures, each with the public ones from which calls lead to it.
pub fn at_calls(hob: &Program, plugin_use: &PluginUse) -> Vec<(ProcId, Vec<ProcId>)> {
    let reached = |from: ProcId| {
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&proc) = reached.get(next) {
            next += 1;
            crate::visit::exprs(hob.proc(proc).body.as_deref().unwrap_or_default(), &mut |e| {
                if let ExprKind::Call(callee, _) = e.kind
                    && hob.proc(callee).module == hob.proc(from).module
                    && !reached.contains(&callee)
                {
                    reached.push(callee);
                }
            });
        }
        reached
    };
    let (private, public): (Vec<ProcId>, Vec<ProcId>) = plugin_use.procs.iter().partition(|p| hob.proc(**p).private);
    let ways: Vec<(ProcId, Vec<ProcId>)> = public.into_iter().map(|p| (p, reached(p))).collect();
    let callers = |callee: &ProcId| ways.iter().filter(|(_, way)| way.contains(callee)).map(|(p, _)| *p).collect();
    private.into_iter().map(|callee| (callee, callers(&callee))).collect()
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
    };
    Formula { kind, span }
}

pub fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match &formula.kind {
        FormulaKind::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        _ => vec![formula],
    }
}

/// What the body of a procedure assumes: a verdict on it rests on that.
pub fn assumptions(proc: &Proc) -> Vec<Assumption> {
    let mut found = Vec::new();
    let mut waiting: Vec<&Stmt> = proc.body.iter().flatten().collect();
    while let Some(statement) = waiting.pop() {
        match &statement.kind {
            StmtKind::Block(body) | StmtKind::While { body, .. } => waiting.extend(body),
            StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => waiting.extend(a.iter().chain(b)),
            StmtKind::Assume { label, formula } => {
                found.push(Assumption { span: statement.span, formula: formula.span, label: label.clone() });
            }
            _ => {}
        }
    }
    found.sort_by_key(|a| a.span);
    found
}
