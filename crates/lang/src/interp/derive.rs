//! Derivation trees, of the least height.
//!
//! In: a derivable judgment. Out: one of its lowest derivations; among those the first in the order of the rules. Found by iterative
//! deepening over the ground instances of rules, which the tables make cheap.

use super::clause::*;
use super::{Args, Bindings, Fault, Interp, mask_of};
use crate::definition::*;
use crate::term::TermId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derivation {
    pub rule: RuleId,
    pub judgment: JudgId,
    pub args: Vec<TermId>,
    /// Per metavariable of the rule.
    pub bindings: Vec<Option<TermId>>,
    /// One per premise of the rule, in order.
    pub premises: Vec<Support>,
}

/// What a premise rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Support {
    Derivation(Box<Derivation>),
    /// Derivations under a `forall`, one per entry.
    Entries(Vec<Derivation>),
    /// A side condition, or a step: this premise of the rule.
    Side(usize),
}

impl Derivation {
    pub fn height(&self) -> usize {
        1 + self.children().map(Derivation::height).max().unwrap_or(0)
    }

    pub fn children(&self) -> impl Iterator<Item = &Derivation> {
        self.premises.iter().flat_map(|support| match support {
            Support::Derivation(derivation) => std::slice::from_ref(&**derivation).iter(),
            Support::Entries(derivations) => derivations.iter(),
            Support::Side(_) => [].iter(),
        })
    }

    /// Every rule used, in preorder.
    pub fn rules(&self, out: &mut Vec<RuleId>) {
        out.push(self.rule);
        self.children().for_each(|child| child.rules(out));
    }
}

type Atom = (JudgId, Args);

/// A rule, the alternatives of contexts in which it was applied, and what it rests on.
type Use = (RuleId, Vec<(SortId, usize)>, Vec<Atom>);

/// A ground instance of a rule: what each premise rests on.
struct Instance {
    rule: RuleId,
    row: Bindings,
    atoms: Vec<Vec<Atom>>,
}

/// What is known about derivations; kept between questions.
#[derive(Default)]
pub(super) struct Search {
    /// Of atoms whose lowest derivation is not known.
    instances: FxHashMap<Atom, Rc<Vec<Rc<Instance>>>>,
    /// No derivation of at most this height.
    none: FxHashMap<Atom, usize>,
    /// The instance of a lowest derivation, and its height.
    best: FxHashMap<Atom, (usize, Rc<Instance>)>,
}

/// Deeper derivations than that are not drawn.
const TALLEST: usize = 200;

impl Interp<'_> {
    /// A derivation of least height, if the judgment is derivable.
    pub fn derivation(&mut self, judgment: JudgId, args: &[TermId]) -> Result<Option<Derivation>, Fault> {
        let atom = (judgment, Args::from_slice(args));
        if self.lang.judgment(judgment).reduction.is_some() || !self.holds(judgment, args)? {
            return Ok(None);
        }
        let mut search = std::mem::take(&mut self.world().search);
        let found = self.lowest(&mut search, &atom);
        self.world().search = search;
        found
    }

    fn lowest(&mut self, search: &mut Search, atom: &Atom) -> Result<Option<Derivation>, Fault> {
        for height in 1..=TALLEST {
            if self.derivable(search, atom, height)? {
                return Ok(self.tree(search, atom));
            }
        }
        Ok(None)
    }

    fn derivable(&mut self, search: &mut Search, atom: &Atom, height: usize) -> Result<bool, Fault> {
        if let Some((best, _)) = search.best.get(atom) {
            return Ok(*best <= height);
        }
        let none = search.none.get(atom).copied().unwrap_or(0);
        if height <= none {
            return Ok(false);
        }
        let instances = match search.instances.get(atom) {
            Some(known) => known.clone(),
            None => {
                let found = Rc::new(self.instances(atom)?);
                search.instances.insert(atom.clone(), found.clone());
                found
            }
        };
        // Lower ones first, so that what is kept is the lowest.
        for height in none + 1..=height {
            for instance in instances.iter() {
                let mut all = true;
                for atom in instance.atoms.iter().flatten() {
                    if !self.derivable(search, atom, height - 1)? {
                        all = false;
                        break;
                    }
                }
                if all {
                    search.best.insert(atom.clone(), (height, instance.clone()));
                    search.instances.remove(atom);
                    return Ok(true);
                }
            }
            search.none.insert(atom.clone(), height);
        }
        Ok(false)
    }

    /// Every ground instance of a rule with this conclusion.
    fn instances(&mut self, (judgment, args): &Atom) -> Result<Vec<Rc<Instance>>, Fault> {
        let code = self.code.clone();
        let mut out = Vec::new();
        for rule in &code.of_judgment[judgment.index()] {
            let clause = &code.rules[rule.index()];
            if !self.may_apply(clause, args) {
                continue;
            }
            let known = code.modes.get(*judgment, mask_of(args)).and_then(|m| m.plans.iter().find(|(r, _)| r == rule));
            let Some((_, plan)) = known else { return Err(Fault::NotRunnable(*judgment)) };
            let start = Bindings::new(clause.metas.len(), self.fresh_levels(args));
            for mut row in self.run(clause, plan, args, start)? {
                let mut atoms = Vec::new();
                for premise in &clause.premises {
                    atoms.push(self.atoms_of(clause, premise, &mut row)?);
                }
                out.push(Rc::new(Instance { rule: *rule, row, atoms }));
            }
        }
        Ok(out)
    }

    /// What the derivations of a judgment use at their roots, or the steps of a state: rules, alternatives of contexts, and what each rests on.
    pub(crate) fn uses(&mut self, atom: &Atom) -> Result<Vec<Use>, Fault> {
        if self.lang.judgment(atom.0).reduction.is_none() {
            let instances = self.instances(atom)?.into_iter();
            return Ok(instances.map(|i| (i.rule, Vec::new(), i.atoms.iter().flatten().cloned().collect())).collect());
        }
        let code = self.code.clone();
        let mut out = Vec::new();
        for step in self.steps(atom.0, atom.1[0])? {
            let clause = &code.rules[step.rule.index()];
            let mut row = Bindings::new(clause.metas.len(), self.fresh_levels(&atom.1));
            let known = step.bindings.iter().enumerate().filter_map(|(i, t)| Some((MetaId(i as u32), (*t)?)));
            known.for_each(|(meta, term)| row.set(meta, term));
            let mut atoms = Vec::new();
            for premise in &clause.premises {
                match premise {
                    // A step of a part.
                    Premise::Judgment(judgment, forms) if self.lang.judgment(*judgment).reduction.is_some() => {
                        let before = self.build(clause, &forms[0], &mut row)?;
                        atoms.extend(before.map(|before| (*judgment, Args::from_slice(&[before]))));
                    }
                    _ => atoms.extend(self.atoms_of(clause, premise, &mut row)?),
                }
            }
            out.push((step.rule, step.contexts, atoms));
        }
        Ok(out)
    }

    /// The judgments that a premise of an instance rests on.
    fn atoms_of(&mut self, clause: &Clause, premise: &Premise, row: &mut Bindings) -> Result<Vec<Atom>, Fault> {
        match premise {
            Premise::Judgment(judgment, forms) if self.lang.judgment(*judgment).reduction.is_none() => {
                let mut args = Args::new();
                for form in forms {
                    let Some(arg) = self.build(clause, form, row)? else { return Ok(Vec::new()) };
                    args.push(arg);
                }
                Ok(vec![(*judgment, args)])
            }
            Premise::Forall { prod, key, fields, env, body } => {
                let mut metas = Vec::new();
                body.metas(&mut metas);
                let open = |row: &Bindings, m: &MetaId| row.get(*m).is_none() && m != key && !fields.contains(m);
                if metas.iter().any(|m| open(row, m)) {
                    return Ok(Vec::new());
                }
                let Some(env) = self.build(clause, env, row)? else { return Ok(Vec::new()) };
                let mut atoms = Vec::new();
                for (p, k, found) in self.terms.entries(env) {
                    if p == *prod {
                        let mut inner = row.clone();
                        inner.set(*key, k);
                        fields.iter().zip(found).for_each(|(m, t)| inner.set(*m, t));
                        atoms.extend(self.atoms_of(clause, body, &mut inner)?);
                    }
                }
                Ok(atoms)
            }
            _ => Ok(Vec::new()),
        }
    }

    fn tree(&self, search: &Search, atom: &Atom) -> Option<Derivation> {
        let (_, instance) = search.best.get(atom)?;
        let clause = &self.code.rules[instance.rule.index()];
        let mut premises = Vec::new();
        for (i, (premise, atoms)) in clause.premises.iter().zip(&instance.atoms).enumerate() {
            premises.push(match (premise, &atoms[..]) {
                (Premise::Judgment(..), [atom]) => Support::Derivation(Box::new(self.tree(search, atom)?)),
                (_, [_, ..]) => {
                    Support::Entries(atoms.iter().map(|atom| self.tree(search, atom)).collect::<Option<Vec<_>>>()?)
                }
                _ => Support::Side(i),
            });
        }
        Some(Derivation {
            rule: instance.rule,
            judgment: atom.0,
            args: atom.1.to_vec(),
            premises,
            bindings: instance.row.all().take(self.lang.rule(instance.rule).metas.len()).collect(),
        })
    }
}
