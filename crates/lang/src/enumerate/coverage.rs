//! Which rules and alternatives the assignments of a check exercise, with a smallest witness of each.
//!
//! Assignments come in order of size, so the first that shows something is a smallest. A derivation is drawn only while some rule is known
//! to have an instance but no witness: rules without any cost nothing.

use super::Enumerator;
use super::outcome::{Coverage, Witness};
use crate::definition::*;
use crate::interp::clause::Clause;
use crate::interp::{Args, Bindings, Fault};
use crate::term::{Term, TermId};
use rustc_hash::FxHashSet;

/// Derivations drawn for a rule that has instances, in vain.
const MOST_TRIES: u32 = 100;

pub struct Observer {
    pub coverage: Coverage,
    tries: Vec<u32>,
    /// The same for contexts in which nothing steps.
    context_tries: u32,
    seen: FxHashSet<TermId>,
}

impl Observer {
    pub fn new(lang: &Lang) -> Observer {
        let alternatives = lang.sort_ids().flat_map(|id| match &lang.sort(id).kind {
            SortKind::Sub { alts, .. } | SortKind::Context { alts, .. } => {
                (0..alts.len()).map(|i| (id, i, None)).collect()
            }
            _ => Vec::new(),
        });
        Observer {
            coverage: Coverage {
                rules: vec![None; lang.rules.len()],
                prods: vec![None; lang.prods.len()],
                alternatives: alternatives.collect(),
            },
            tries: vec![0; lang.rules.len()],
            context_tries: 0,
            seen: FxHashSet::default(),
        }
    }

    /// Looks at an assignment that satisfies the premises.
    pub fn observe(
        &mut self,
        enumerator: &mut Enumerator,
        check: &Check,
        clause: &Clause,
        row: &Bindings,
    ) -> Result<(), Fault> {
        for (term, meta) in row.all().zip(&clause.metas) {
            if let Some(term) = term
                && enumerator.interp.lang.sort(meta.sort).is_tree
            {
                self.look(enumerator, term, term);
            }
        }
        let first = enumerator.interp.first_instances();
        let is_due = |i: usize| first[i].is_some() && self.coverage.rules[i].is_none() && self.tries[i] < MOST_TRIES;
        let due: Vec<usize> = (0..first.len()).filter(|i| is_due(*i)).collect();
        let lang = enumerator.interp.lang;
        let is_open = |(sort, _, witness): &(SortId, usize, Option<TermId>)| {
            witness.is_none() && matches!(lang.sort(*sort).kind, SortKind::Context { .. })
        };
        let contexts_due = self.context_tries < MOST_TRIES && self.coverage.alternatives.iter().any(is_open);
        if due.is_empty() && !contexts_due {
            return Ok(());
        }
        self.context_tries += u32::from(contexts_due);
        due.iter().for_each(|i| self.tries[*i] += 1);
        let all = check.premises.iter().chain(check.conclusions.iter().flatten());
        for located in all {
            let mut row = row.clone();
            let (judgment, forms) = match &located.premise {
                Premise::Judgment(judgment, forms) => (*judgment, &forms[..]),
                Premise::Steps(judgment, form) => (*judgment, std::slice::from_ref(form)),
                _ => continue,
            };
            if due.is_empty() && lang.judgment(judgment).reduction.is_none() {
                continue;
            }
            let mut args = Args::new();
            for form in forms {
                let mut metas = Vec::new();
                form.metas(&mut metas);
                if metas.iter().any(|m| row.get(*m).is_none()) {
                    break;
                }
                match enumerator.interp.build(clause, form, &mut row)? {
                    Some(arg) => args.push(arg),
                    None => break,
                }
            }
            self.rules_of(enumerator, judgment, &args, &row, check)?;
        }
        Ok(())
    }

    /// The same for an assignment whose derivations used these rules.
    pub fn observe_derived(
        &mut self,
        enumerator: &mut Enumerator,
        check: &Check,
        clause: &Clause,
        row: &Bindings,
        rules: &[RuleId],
    ) -> Result<(), Fault> {
        for rule in rules {
            let witness = || Witness::Assignment(row.all().take(check.metas.len()).collect());
            self.coverage.rules[rule.index()].get_or_insert_with(witness);
        }
        self.observe(enumerator, check, clause, row)
    }

    fn rules_of(
        &mut self,
        enumerator: &mut Enumerator,
        judgment: JudgId,
        args: &Args,
        row: &Bindings,
        check: &Check,
    ) -> Result<(), Fault> {
        let declared = enumerator.interp.lang.judgment(judgment);
        let mut rules = Vec::new();
        if declared.reduction.is_some() {
            let Some(before) = args.first() else { return Ok(()) };
            if *enumerator.interp.terms.get(*before) == Term::Error {
                return Ok(());
            }
            for step in enumerator.interp.steps(judgment, *before)? {
                rules.push(step.rule);
                for (sort, alt) in step.contexts {
                    let found = self.coverage.alternatives.iter_mut().find(|(s, a, _)| *s == sort && *a == alt);
                    if let Some((_, _, witness)) = found {
                        witness.get_or_insert(*before);
                    }
                }
            }
        } else if args.len() == declared.args.len()
            && let Some(derivation) = enumerator.interp.derivation(judgment, args)?
        {
            derivation.rules(&mut rules);
        }
        for rule in rules {
            let witness = || Witness::Assignment(row.all().take(check.metas.len()).collect());
            self.coverage.rules[rule.index()].get_or_insert_with(witness);
        }
        Ok(())
    }

    /// The productions and shapes of a tree.
    fn look(&mut self, enumerator: &mut Enumerator, whole: TermId, part: TermId) {
        if !self.seen.insert(part) {
            return;
        }
        let lang = enumerator.interp.lang;
        let Some((prod, args)) = enumerator.interp.terms.node(part) else { return };
        let args = args.to_vec();
        self.coverage.prods[prod.index()].get_or_insert(whole);
        for (sort, alt, witness) in &mut self.coverage.alternatives {
            if witness.is_none()
                && let SortKind::Sub { base, alts } = &lang.sort(*sort).kind
                && *base == lang.prod(prod).sort
                && enumerator.interp.terms.matches_shape(part, &alts[*alt].form)
            {
                *witness = Some(whole);
            }
        }
        args.into_iter().for_each(|arg| self.look(enumerator, whole, arg));
    }

    /// Rules with instances but no assignment to show them: the instance itself.
    pub fn finish(mut self, enumerator: &Enumerator) -> Coverage {
        for (witness, first) in self.coverage.rules.iter_mut().zip(enumerator.interp.first_instances()) {
            if witness.is_none() {
                *witness = first.clone().map(Witness::Conclusion);
            }
        }
        self.coverage
    }
}
