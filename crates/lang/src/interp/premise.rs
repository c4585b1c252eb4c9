//! Running plans: premises one after the other, each turning the instances so far into those that satisfy it too.

use super::clause::*;
use super::plan::{Plan, Step};
use super::{Args, Bindings, Fault, Interp, Limit, OPEN};
use crate::definition::*;
use crate::term::{Term, TermId};

/// More instances of one rule than that: its types have no end, or its domain is too large to be searched.
const MOST_ROWS: usize = 400_000;

impl Interp<'_> {
    /// Every instance of a clause for the given heads, in the order of the plan.
    pub(crate) fn run(
        &mut self,
        clause: &Clause,
        plan: &Plan,
        args: &[TermId],
        start: Bindings,
    ) -> Result<Vec<Bindings>, Fault> {
        let mut rows = vec![start];
        let mut next = Vec::new();
        for step in &plan.steps {
            for row in rows.drain(..) {
                self.run_step(clause, step, args, row, &mut next)?;
                if next.len() > MOST_ROWS {
                    return Err(Fault::Limit(Limit::Instances { rule: clause.rule, most: MOST_ROWS }));
                }
            }
            self.spend(next.len())?;
            std::mem::swap(&mut rows, &mut next);
            if rows.is_empty() {
                return Ok(rows);
            }
        }
        // What was guessed counts within the domain only, whatever it is combined with.
        if self.worlds[self.current].reading.is_open() {
            rows.retain(|row| !row.guessed || self.is_row_within(clause, row));
        }
        Ok(rows)
    }

    fn is_row_within(&mut self, clause: &Clause, row: &Bindings) -> bool {
        row.all().zip(&clause.metas).all(|(term, meta)| term.is_none_or(|term| self.is_within(clause, meta.sort, term)))
    }

    fn run_step(
        &mut self,
        clause: &Clause,
        step: &Step,
        args: &[TermId],
        mut row: Bindings,
        out: &mut Vec<Bindings>,
    ) -> Result<(), Fault> {
        match step {
            Step::Match(head) => self.matches(clause, &[(&clause.heads[*head], args[*head])], row, true, out),
            Step::Confirm(head) => {
                if self.build(clause, &clause.heads[*head], &mut row)? == Some(args[*head]) {
                    out.push(row);
                }
                Ok(())
            }
            Step::Premise(premise, mask) => self.premise(clause, &clause.premises[*premise], *mask, row, out),
            Step::Guess(meta) => {
                let sort = clause.metas[meta.index()].sort;
                for term in self.universe().members(sort).to_vec() {
                    let mut next = row.clone();
                    next.guessed |= is_type(self.lang, sort);
                    next.set(*meta, term);
                    out.push(next);
                }
                Ok(())
            }
        }
    }

    /// Every extension of an instance that satisfies a premise. The mask is the plan's: which arguments of a judgment are known, which
    /// side of an equation is matched. What cannot be built has no instance.
    pub(crate) fn premise(
        &mut self,
        clause: &Clause,
        premise: &Premise,
        mask: u32,
        mut row: Bindings,
        out: &mut Vec<Bindings>,
    ) -> Result<(), Fault> {
        let holds = match premise {
            Premise::Judgment(judgment, forms) => {
                return self.judgment_premise(clause, (*judgment, forms), mask, row, out);
            }
            Premise::Entry { prod, key, fields, env } => {
                return self.entry_premise(clause, *prod, (key, fields), env, row, out);
            }
            Premise::InDomain { key, map, holds } => {
                return self.domain_premise(clause, (key, map, *holds), row, out);
            }
            Premise::Equal { left, right, holds } => {
                return self.equation(clause, (left, right, *holds), mask, row, out);
            }
            Premise::Fresh(meta) => return self.fresh(clause, *meta, row, out),
            Premise::Is { form, sort, holds } => {
                let term = self.build(clause, form, &mut row)?;
                term.is_some_and(|term| self.terms.is_member(term, *sort) == *holds)
            }
            Premise::SameDomain(left, right) => {
                let sides = self.build_both(clause, left, right, &mut row)?;
                sides.is_some_and(|(left, right)| self.terms.domain(left) == self.terms.domain(right))
            }
            Premise::Compare(compare, left, right) => {
                let sides = self.build_both(clause, left, right, &mut row)?;
                sides.is_some_and(|(left, right)| self.compares(*compare, left, right))
            }
            Premise::Forall { prod, key, fields, env, body } => {
                self.for_all(clause, *prod, (*key, fields), env, body, mask, &mut row)?
            }
            Premise::Not(inner) => {
                let copy = row.clone();
                let found = self.settled(|interp| {
                    let mut found = Vec::new();
                    interp.premise(clause, inner, mask, copy, &mut found)?;
                    Ok(found)
                })?;
                found.is_empty()
            }
            Premise::Steps(reduction, form) => match self.build(clause, form, &mut row)? {
                Some(term) => !self.answers(*reduction, &Args::from_slice(&[term, OPEN]))?.is_empty(),
                None => false,
            },
        };
        if holds {
            out.push(row);
        }
        Ok(())
    }

    fn build_both(
        &mut self,
        clause: &Clause,
        left: &Form,
        right: &Form,
        row: &mut Bindings,
    ) -> Result<Option<(TermId, TermId)>, Fault> {
        let Some(left) = self.build(clause, left, row)? else { return Ok(None) };
        let Some(right) = self.build(clause, right, row)? else { return Ok(None) };
        Ok(Some((left, right)))
    }

    fn judgment_premise(
        &mut self,
        clause: &Clause,
        (judgment, forms): (JudgId, &[Form]),
        mask: u32,
        mut row: Bindings,
        out: &mut Vec<Bindings>,
    ) -> Result<(), Fault> {
        let mut args = Args::new();
        for (i, form) in forms.iter().enumerate() {
            let arg = if mask >> i & 1 == 1 { self.build(clause, form, &mut row)? } else { Some(OPEN) };
            let Some(arg) = arg else { return Ok(()) };
            args.push(arg);
        }
        let answers = self.answers(judgment, &args)?;
        self.spend(answers.len())?;
        for answer in answers.iter() {
            let mut next = row.clone();
            next.guessed |= answer.guessed;
            let open = (0..forms.len()).filter(|i| mask >> i & 1 == 0);
            let pairs: Vec<(&Form, TermId)> = open.map(|i| (&forms[i], answer.args[i])).collect();
            self.matches(clause, &pairs, next, false, out)?;
        }
        Ok(())
    }

    fn entry_premise(
        &mut self,
        clause: &Clause,
        prod: ProdId,
        (key, fields): (&Form, &[Form]),
        env: &Form,
        mut row: Bindings,
        out: &mut Vec<Bindings>,
    ) -> Result<(), Fault> {
        let Some(env) = self.build(clause, env, &mut row)? else { return Ok(()) };
        if row.has_all(key) {
            let Some(key) = self.build(clause, key, &mut row)? else { return Ok(()) };
            let Some((_, found)) = self.terms.entry(env, key).filter(|(p, _)| *p == prod) else { return Ok(()) };
            let pairs: Vec<(&Form, TermId)> = fields.iter().zip(found).collect();
            return self.matches(clause, &pairs, row, false, out);
        }
        for (_, k, found) in self.innermost(env).into_iter().filter(|(p, ..)| *p == prod) {
            let pairs: Vec<(&Form, TermId)> = std::iter::once((key, k)).chain(fields.iter().zip(found)).collect();
            self.matches(clause, &pairs, row.clone(), false, out)?;
        }
        Ok(())
    }

    fn domain_premise(
        &mut self,
        clause: &Clause,
        (key, map, holds): (&Form, &Form, bool),
        mut row: Bindings,
        out: &mut Vec<Bindings>,
    ) -> Result<(), Fault> {
        let Some(map) = self.build(clause, map, &mut row)? else { return Ok(()) };
        let domain = self.terms.domain(map);
        if !row.has_all(key) {
            for k in domain {
                self.matches(clause, &[(key, k)], row.clone(), false, out)?;
            }
            return Ok(());
        }
        let Some(key) = self.build(clause, key, &mut row)? else { return Ok(()) };
        if domain.contains(&key) == holds {
            out.push(row);
        }
        Ok(())
    }

    fn equation(
        &mut self,
        clause: &Clause,
        (left, right, holds): (&Form, &Form, bool),
        mask: u32,
        mut row: Bindings,
        out: &mut Vec<Bindings>,
    ) -> Result<(), Fault> {
        if mask == 0 {
            let sides = self.build_both(clause, left, right, &mut row)?;
            if sides.is_some_and(|(left, right)| (left == right) == holds) {
                out.push(row);
            }
            return Ok(());
        }
        let (known, pattern) = if mask == 1 { (left, right) } else { (right, left) };
        let Some(known) = self.build(clause, known, &mut row)? else { return Ok(()) };
        if holds {
            return self.matches(clause, &[(pattern, known)], row, false, out);
        }
        let mut found = Vec::new();
        self.matches(clause, &[(pattern, known)], row.clone(), false, &mut found)?;
        if found.is_empty() {
            out.push(row);
        }
        Ok(())
    }

    fn compares(&self, compare: Compare, left: TermId, right: TermId) -> bool {
        let (Term::Int(left), Term::Int(right)) = (self.terms.get(left), self.terms.get(right)) else { return false };
        match compare {
            Compare::Eq => left == right,
            Compare::Ne => left != right,
            Compare::Lt => left < right,
            Compare::Le => left <= right,
            Compare::Gt => left > right,
            Compare::Ge => left >= right,
        }
    }

    /// Whether every entry satisfies the body; what had to be guessed for one is guessed.
    #[allow(clippy::too_many_arguments)]
    fn for_all(
        &mut self,
        clause: &Clause,
        prod: ProdId,
        (key, fields): (MetaId, &[MetaId]),
        env: &Form,
        body: &Premise,
        mask: u32,
        row: &mut Bindings,
    ) -> Result<bool, Fault> {
        let Some(env) = self.build(clause, env, row)? else { return Ok(false) };
        for (_, k, found) in self.innermost(env).into_iter().filter(|(p, ..)| *p == prod) {
            let mut inner = row.clone();
            inner.clear(key);
            fields.iter().for_each(|m| inner.clear(*m));
            let bound = self.bind(clause, key, k, &mut inner)
                && fields.iter().zip(&found).all(|(m, t)| self.bind(clause, *m, *t, &mut inner));
            let mut satisfied = Vec::new();
            if bound {
                self.premise(clause, body, mask, inner, &mut satisfied)?;
            }
            let Some(guessed) = satisfied.iter().map(|s| s.guessed).min() else { return Ok(false) };
            row.guessed |= guessed;
        }
        Ok(true)
    }

    /// The entries of a map that no later one hides.
    fn innermost(&self, map: TermId) -> Vec<(ProdId, TermId, Vec<TermId>)> {
        let mut entries = self.terms.entries(map);
        entries.reverse();
        let mut seen = Vec::new();
        entries.retain(|(_, key, _)| {
            let is_new = !seen.contains(key);
            seen.push(*key);
            is_new
        });
        entries.reverse();
        entries
    }

    /// A location outside the bound, so that a full heap is never a stuck state (docs/lang.md, "After a step"), and outside every store at
    /// hand.
    fn fresh(
        &mut self,
        clause: &Clause,
        meta: MetaId,
        mut row: Bindings,
        out: &mut Vec<Bindings>,
    ) -> Result<(), Fault> {
        let sort = clause.metas[meta.index()].sort;
        let mut taken = Vec::new();
        for (term, other) in row.all().zip(&clause.metas) {
            if let Some(term) = term
                && matches!(self.lang.sort(other.sort).kind, SortKind::Store { .. })
            {
                taken.extend(self.terms.domain(term));
            }
        }
        if let Some(bound) = row.get(meta) {
            if !taken.contains(&bound) {
                out.push(row);
            }
            return Ok(());
        }
        let mut level = self.universe().members(sort).len() as u32;
        let location = loop {
            let location = match self.lang.sort(sort).kind {
                SortKind::Loc => self.terms.intern(Term::Loc(sort, level)),
                SortKind::Atom => self.terms.intern(Term::Atom(sort, level)),
                SortKind::Var => self.new_variable(sort, &mut row),
                _ => return Ok(()),
            };
            if !taken.contains(&location) {
                break location;
            }
            level += 1;
        };
        row.set(meta, location);
        out.push(row);
        Ok(())
    }
}
