//! Antecedents that are never true: `F => G` says nothing if no state satisfies F. Asked of each implication in a procedure's contract,
//! assertions and loop invariants, together with its written `requires` and what always holds of the sets.

use super::reading::{Moment, Reading};
use super::walk::Walk;
use crate::program::*;
use sets::Formula as Fact;
use source::Diagnostic;

impl<'p> Walk<'_, 'p> {
    /// A warning for each.
    pub fn vacuous(&mut self) -> Vec<Diagnostic> {
        let proc = self.body();
        let entry = Reading { primed: Moment::Entry, ..Reading::OWN };
        let is_written = |clause: &&'p Clause| clause.reason == Reason::Written;
        let required: Vec<Fact> =
            proc.contract.requires.iter().filter(is_written).map(|c| self.v.formula(&c.formula, entry)).collect();
        let required = self.v.store.and(required);
        // If `requires` never holds, that is the warning.
        if !self.is_possible(required) {
            return Vec::new();
        }
        let mut asked: Vec<(Formula, Reading, bool)> = Vec::new();
        for (clauses, reading) in [(&proc.contract.requires, entry), (&proc.contract.ensures, Reading::OWN)] {
            for clause in clauses {
                // A default and an invariant are of many procedures: what one of them requires does not matter.
                let here = clause.reason == Reason::Written;
                antecedents(&clause.formula, &mut Vec::new(), &mut |f| asked.push((f, reading, here)));
            }
        }
        let mut waiting: Vec<&Stmt> = proc.body.iter().flatten().collect();
        while let Some(stmt) = waiting.pop() {
            let formula = match &stmt.kind {
                StmtKind::Block(body) => {
                    waiting.extend(body);
                    continue;
                }
                StmtKind::If { then: a, otherwise: b, .. } | StmtKind::Choice(a, b) => {
                    waiting.extend(a.iter().chain(b));
                    continue;
                }
                StmtKind::While { invariant, body, .. } => {
                    waiting.extend(body);
                    invariant.as_ref()
                }
                StmtKind::Assert { formula, .. } | StmtKind::Assume { formula, .. } => Some(formula),
                _ => None,
            };
            if let Some(formula) = formula {
                antecedents(formula, &mut Vec::new(), &mut |f| asked.push((f, Reading::OWN, true)));
            }
        }
        let mut warnings = Vec::new();
        for (antecedent, reading, here) in asked {
            if self.stops_at(antecedent.span) {
                break;
            }
            let fact = self.v.formula(&antecedent, reading);
            let fact = if here { self.v.store.and([fact, required]) } else { fact };
            if !self.is_possible(fact) {
                let message = "this is never true, so what follows from it says nothing";
                let label = "no state satisfies it, given what is required and how the sets are defined";
                let help = "correct it, or remove the implication";
                warnings.push(
                    Diagnostic::warning("hob-vacuous", antecedent.span, message)
                        .label(if here { label } else { "no state satisfies it, by how the sets are defined" })
                        .help(help),
                );
            }
        }
        warnings.sort_by_key(|w| w.span);
        warnings.dedup_by_key(|w| w.span);
        warnings
    }
}

/// The left sides of implications; within quantifiers, that some objects satisfy them.
fn antecedents<'f>(formula: &'f Formula, around: &mut Vec<&'f Formula>, found: &mut dyn FnMut(Formula)) {
    match &formula.kind {
        FormulaKind::Implies(a, b) => {
            let mut asked = (**a).clone();
            for quantified in around.iter().rev() {
                if let FormulaKind::Quantified { variable, name, set, .. } = &quantified.kind {
                    let (variable, name, set) = (*variable, name.clone(), *set);
                    let span = asked.span;
                    let kind = FormulaKind::Quantified { exists: true, variable, name, set, body: Box::new(asked) };
                    asked = Formula { kind, span };
                }
            }
            found(asked);
            antecedents(a, around, found);
            antecedents(b, around, found);
        }
        FormulaKind::Iff(a, b) => {
            antecedents(a, around, found);
            antecedents(b, around, found);
        }
        FormulaKind::Not(inner) => antecedents(inner, around, found),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().for_each(|p| antecedents(p, around, found)),
        FormulaKind::Quantified { body, .. } => {
            around.push(formula);
            antecedents(body, around, found);
            around.pop();
        }
        _ => {}
    }
}
