//! Which rules and alternatives the assignments of a check exercise, with a smallest witness of each.
//!
//! Assignments come in order of size, so the first that shows something is a smallest. Derivations are followed only while some rule is known
//! to have an instance but no witness, and each judgment once: rules without any instance cost nothing.

use super::Enumerator;
use super::outcome::{Coverage, Witness};
use crate::definition::*;
use crate::interp::clause::Clause;
use crate::interp::{Args, Bindings, Fault};
use crate::term::{Term, TermId};
use rustc_hash::FxHashSet;

pub struct Observer {
    coverage: Coverage,
    /// The programs that the check is about.
    inputs: Vec<MetaId>,
    /// Parts of programs that were looked at.
    seen: FxHashSet<TermId>,
    /// What was followed: everything that its derivations use has a witness.
    followed: FxHashSet<(JudgId, Args)>,
    /// Per judgment, those that its derivations lead to.
    leads_to: Vec<Vec<JudgId>>,
    /// Judgments that are asked for in ways that are not followed: an instance is all there is to show.
    aside: Vec<JudgId>,
}

impl Observer {
    pub fn new(lang: &Lang, check: &Check, inputs: &[MetaId]) -> Observer {
        let alternatives = lang.sort_ids().flat_map(|id| match &lang.sort(id).kind {
            SortKind::Sub { alts, .. } | SortKind::Context { alts, .. } => {
                (0..alts.len()).map(|i| (id, i, None)).collect()
            }
            _ => Vec::new(),
        });
        let leads_to: Vec<Vec<JudgId>> = (0..lang.judgments.len() as u32).map(|j| leads_to(lang, JudgId(j))).collect();
        let aside = asked_aside(lang, check).into_iter().flat_map(|j| leads_to[j.index()].clone()).collect();
        Observer {
            coverage: Coverage {
                rules: vec![None; lang.rules.len()],
                prods: vec![None; lang.prods.len()],
                alternatives: alternatives.collect(),
            },
            inputs: inputs.to_vec(),
            seen: FxHashSet::default(),
            followed: FxHashSet::default(),
            leads_to,
            aside,
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
        for input in self.inputs.clone() {
            if let Some(term) = row.get(input) {
                self.look(enumerator, term, term);
            }
        }
        let lang = enumerator.interp.lang;
        let due = self.due(enumerator);
        let contexts_due = self.contexts_due(enumerator);
        for located in check.premises.iter().chain(check.conclusions.iter().flatten()) {
            let mut row = row.clone();
            let (judgment, forms) = match &located.premise {
                Premise::Judgment(judgment, forms) => (*judgment, &forms[..]),
                Premise::Steps(judgment, form) => (*judgment, std::slice::from_ref(form)),
                _ => continue,
            };
            let is_step = lang.judgment(judgment).reduction.is_some();
            // Of a step, the state before.
            let forms = if is_step { &forms[..1] } else { forms };
            let leads_to = &self.leads_to[judgment.index()];
            let is_wanted = (is_step && contexts_due) || due.iter().any(|j| leads_to.contains(j));
            // A state that the check puts together.
            let is_new =
                |form: &Form| matches!(form, Form::Node(prod, _) if self.coverage.prods[prod.index()].is_none());
            if !is_wanted && !forms.iter().any(is_new) {
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
            args.iter().for_each(|arg| self.look(enumerator, *arg, *arg));
            if args.len() == forms.len() && !args.iter().any(|arg| *enumerator.interp.terms.get(*arg) == Term::Error) {
                let witness = Witness::Assignment(row.all().take(check.metas.len()).collect());
                self.follow(enumerator, (judgment, args), &witness)?;
            }
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
        let witness = Witness::Assignment(row.all().take(check.metas.len()).collect());
        rules.iter().for_each(|rule| self.show(*rule, &witness));
        self.observe(enumerator, check, clause, row)
    }

    fn show(&mut self, rule: RuleId, witness: &Witness) {
        self.coverage.rules[rule.index()].get_or_insert_with(|| witness.clone());
    }

    /// The judgments of rules that have an instance, but no witness.
    fn due(&self, enumerator: &Enumerator) -> Vec<JudgId> {
        let lang = enumerator.interp.lang;
        let rules = enumerator.interp.first_instances().iter().zip(&self.coverage.rules).enumerate();
        let due = rules.filter(|(_, (first, witness))| first.is_some() && witness.is_none());
        due.map(|(i, _)| lang.rules[i].judgment).collect()
    }

    /// The same for alternatives of contexts.
    fn contexts_due(&self, enumerator: &Enumerator) -> bool {
        let used = enumerator.interp.contexts_used();
        self.coverage.alternatives.iter().any(|(sort, alt, witness)| witness.is_none() && used.contains(&(*sort, *alt)))
    }

    /// Everything that the derivations of a judgment, or the steps of a state, use.
    fn follow(&mut self, enumerator: &mut Enumerator, from: (JudgId, Args), witness: &Witness) -> Result<(), Fault> {
        let is_step = |atom: &(JudgId, Args)| enumerator.interp.lang.judgment(atom.0).reduction.is_some();
        let whole = is_step(&from).then_some(from.1[0]);
        let mut pending = vec![from];
        while let Some(atom) = pending.pop() {
            if !self.followed.insert(atom.clone()) {
                continue;
            }
            match enumerator.interp.uses(&atom) {
                Ok(uses) => {
                    for (rule, contexts, atoms) in uses {
                        self.show(rule, witness);
                        for (sort, alt, shown) in &mut self.coverage.alternatives {
                            if shown.is_none() && contexts.contains(&(*sort, *alt)) {
                                *shown = whole.or(Some(atom.1[0]));
                            }
                        }
                        pending.extend(atoms);
                    }
                }
                Err(Fault::NotRunnable(_) | Fault::Undetermined { .. }) => {
                    self.aside.extend(self.leads_to[atom.0.index()].clone())
                }
                Err(fault) => return Err(fault),
            }
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

    /// What was seen. Rules that were asked for aside are shown by an instance.
    pub fn finish(mut self, enumerator: &Enumerator) -> Coverage {
        let lang = enumerator.interp.lang;
        for (i, first) in enumerator.interp.first_instances().iter().enumerate() {
            if self.coverage.rules[i].is_none() && self.aside.contains(&lang.rules[i].judgment) {
                self.coverage.rules[i] = first.clone().map(Witness::Conclusion);
            }
        }
        self.coverage
    }
}

/// The judgments that derivations of this one lead to, itself included.
fn leads_to(lang: &Lang, judgment: JudgId) -> Vec<JudgId> {
    let mut reached = vec![judgment];
    let mut at = 0;
    while at < reached.len() {
        for (_, rule) in lang.rules_of(reached[at]) {
            for located in &rule.premises {
                located.premise.each_judgment(&mut |callee, _| {
                    if !reached.contains(&callee) {
                        reached.push(callee);
                    }
                });
            }
        }
        at += 1;
    }
    reached
}

/// Judgments that are asked for where derivations do not show them: negated, for every entry, by functions, of maps that are said to exist.
fn asked_aside(lang: &Lang, check: &Check) -> Vec<JudgId> {
    let mut aside = Vec::new();
    let mut add = |premise: &Premise, all: bool| {
        premise.each_judgment(&mut |judgment, is_inside| {
            if all || is_inside {
                aside.push(judgment);
            }
        })
    };
    lang.rules.iter().flat_map(|r| &r.premises).for_each(|l| add(&l.premise, false));
    lang.funs.iter().flat_map(|f| &f.equations).flat_map(|e| &e.conditions).for_each(|l| add(&l.premise, true));
    for located in check.premises.iter().chain(check.conclusions.iter().flatten()) {
        let mut metas = Vec::new();
        located.premise.metas(&mut metas);
        add(&located.premise, check.exists.iter().any(|(m, _)| metas.contains(m)));
    }
    aside
}
