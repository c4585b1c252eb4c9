//! Programs of one size that may have a type.
//!
//! In: a sort, a size, the variables in scope. Out: every program of this size except some that have no type wherever they stand. Which are
//! those: the judgment fails of them even if nothing is known of the environments. A part of a program is judged as it stands if every rule
//! about its production has a premise that judges the part itself. If some rule judges it only with something put in for a variable (the
//! body of a polymorphic let), then parts that mention the variable are never left out.

use super::solve::Goals;
use super::{Inference, Stuck};
use crate::definition::*;
use crate::enumerate::Scope;
use crate::interp::Bindings;
use crate::interp::clause::Clause;
use crate::term::{Term, TermId};
use std::rc::Rc;

/// How a part of a production is judged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Judged {
    Not,
    Substituted,
    AsItStands,
}

/// The judgment whose subjects are drawn.
pub(super) struct Sieve {
    judgment: JudgId,
    subject: usize,
    clause: Rc<Clause>,
    /// Per production and argument.
    parts: Vec<Vec<Judged>>,
}

impl Sieve {
    pub(super) fn new(lang: &Lang, judgment: JudgId) -> Option<Sieve> {
        let declared = lang.judgment(judgment);
        let subject = declared.subject?;
        // Arguments are the subject, types and maps: everything else would have to be known.
        let is_open = |sort: SortId| lang.is_map(sort) || crate::interp::clause::is_type(lang, sort);
        if declared.args.iter().enumerate().any(|(i, sort)| i != subject && !is_open(*sort)) {
            return None;
        }
        let clause = Rc::new(super::asking(lang, judgment));
        let mut parts: Vec<Vec<Judged>> = lang.prods.iter().map(|p| vec![Judged::AsItStands; p.args.len()]).collect();
        for (_, rule) in lang.rules_of(judgment) {
            match &rule.conclusion[subject] {
                Form::Node(prod, forms) => {
                    for (part, form) in parts[prod.index()].iter_mut().zip(forms) {
                        *part = (*part).min(judged(rule, judgment, subject, form));
                    }
                }
                // A rule about any subject says nothing of its parts; another one does, unless this one has no premise about it.
                form if judged(rule, judgment, subject, form) == Judged::AsItStands => {}
                _ => return None,
            }
        }
        Some(Sieve { judgment, subject, clause, parts })
    }
}

fn judged(rule: &Rule, judgment: JudgId, subject: usize, part: &Form) -> Judged {
    let of_premise = |located: &Located| match &located.premise {
        Premise::Judgment(j, forms) if *j == judgment => match &forms[subject] {
            form if form == part => Judged::AsItStands,
            Form::Subst { body, .. } if **body == *part => Judged::Substituted,
            _ => Judged::Not,
        },
        _ => Judged::Not,
    };
    rule.premises.iter().map(of_premise).max().unwrap_or(Judged::Not)
}

impl Inference<'_, '_> {
    /// Programs over the variables in scope; `instead` of which variables something is put in, a bit per level.
    pub(super) fn programs(
        &mut self,
        sieve: &Sieve,
        sort: SortId,
        size: u32,
        scope: &Scope,
        instead: &Scope,
    ) -> Result<Rc<Vec<TermId>>, Stuck> {
        let lang = self.en.interp.lang;
        let key = (sort, size, scope.clone(), instead.clone());
        if let Some(known) = self.programs.get(&key) {
            return Ok(known.clone());
        }
        let mut found = Vec::new();
        match &lang.sort(sort).kind {
            SortKind::Sub { base, .. } if lang.sort(*base).is_tree => {
                let members = self.programs(sieve, *base, size, scope, instead)?;
                found.extend(members.iter().copied().filter(|t| self.en.interp.terms.is_member(*t, sort)));
            }
            SortKind::Grammar { prods } if lang.sort(sort).is_tree => {
                let is_judged = lang.judgment(sieve.judgment).args[sieve.subject] == sort;
                for prod in prods {
                    let Some(rest) = size.checked_sub(lang.prod(*prod).weight) else { continue };
                    let mut rows = Vec::new();
                    self.rows(sieve, *prod, rest, (scope, instead), &mut Vec::new(), &mut rows)?;
                    for tree in rows {
                        if !is_judged || self.mentions(tree, instead) || self.may_have_a_type(sieve, tree)? {
                            found.push(tree);
                        }
                    }
                }
            }
            _ => found.extend(self.en.raw(sort, size, scope)?.iter()),
        }
        let found = Rc::new(found);
        self.programs.insert(key, found.clone());
        Ok(found)
    }

    /// Whether a variable occurs for which something is put in.
    fn mentions(&self, tree: TermId, instead: &Scope) -> bool {
        let interp = &self.en.interp;
        interp.code.vars.iter().zip(instead).any(|(sort, levels)| {
            (0..32).any(|level| levels >> level & 1 == 1 && interp.terms.occurs(tree, *sort, level))
        })
    }

    fn may_have_a_type(&mut self, sieve: &Sieve, tree: TermId) -> Result<bool, Stuck> {
        let lang = self.en.interp.lang;
        let mark = self.mark();
        let mut row = Bindings::new(sieve.clause.metas.len(), self.en.interp.fresh_levels(&[tree]));
        for (i, meta) in sieve.clause.metas.iter().enumerate() {
            let arg = if i == sieve.subject {
                tree
            } else if lang.is_map(meta.sort) {
                self.unknown(meta.sort)
            } else {
                continue;
            };
            row.set(MetaId(i as u32), arg);
        }
        let goals = Goals::Premises { clause: sieve.clause.clone(), at: 0, row, next: Rc::new(Goals::Done) };
        let found = self.solve(&goals, &mut |_, _| Ok(true))?;
        self.take_back(mark);
        Ok(found)
    }

    /// Every way to fill the arguments of a production with `rest` in all.
    fn rows(
        &mut self,
        sieve: &Sieve,
        prod: ProdId,
        rest: u32,
        (scope, instead): (&Scope, &Scope),
        row: &mut Vec<TermId>,
        out: &mut Vec<TermId>,
    ) -> Result<(), Stuck> {
        let lang = self.en.interp.lang;
        let production = lang.prod(prod);
        let arg = row.len();
        if arg == production.args.len() {
            if rest == 0 {
                self.en.interp.tick()?;
                self.en.count_draw()?;
                out.push(self.en.interp.terms.make(prod, row.clone()));
            }
            return Ok(());
        }
        if production.is_binder(arg) {
            row.push(self.en.interp.terms.intern(Term::Binder(production.args[arg])));
            self.rows(sieve, prod, rest, (scope, instead), row, out)?;
            row.pop();
            return Ok(());
        }
        let part = sieve.parts[prod.index()][arg];
        let (mut below, mut instead_below, mut opened) = (scope.clone(), instead.clone(), Vec::new());
        for binder in production.binders_over(arg) {
            let sort = production.args[binder.var];
            if let Some(at) = self.en.interp.code.vars.iter().position(|s| *s == sort) {
                opened.push((sort, below[at]));
                // More variables than bits: nothing is left out.
                if below[at] >= 32 {
                    return Err(Stuck::NotCarried);
                }
                if part == Judged::Substituted {
                    instead_below[at] |= 1 << below[at];
                }
                below[at] += 1;
            }
        }
        let others: u32 = production.args[arg + 1..].iter().map(|s| self.en.least[s.index()]).sum();
        let Some(most) = rest.checked_sub(others) else { return Ok(()) };
        let is_last = (arg + 1..production.args.len()).all(|i| production.is_binder(i));
        let from = if is_last { rest } else { self.en.least[production.args[arg].index()] };
        for size in from..=most {
            let choices = if part == Judged::Not {
                self.en.raw(production.args[arg], size, &below)?
            } else {
                self.programs(sieve, production.args[arg], size, &below, &instead_below)?
            };
            for choice in choices.iter() {
                let mut tree = *choice;
                for (sort, level) in &opened {
                    tree = self.en.interp.terms.close(tree, *sort, *level);
                }
                row.push(tree);
                self.rows(sieve, prod, rest - size, (scope, instead), row, out)?;
                row.pop();
            }
        }
        Ok(())
    }
}
