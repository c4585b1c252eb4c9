//! Ground instances by joins: which assignments of a rule's finite metavariables satisfy a list of goals (docs/lang.md, "Judgments at a
//! slot").
//!
//! In: goals (a form is a member of its domain, a tuple is in a table, a side condition). Out: every satisfying assignment, once
//! per way to satisfy the goals. Goals are taken in the order that binds most: what is ground is tested, tables with something
//! bound are looked up, forms with structure are matched against their domain, and only then single metavariables run over all.

use crate::finite::{Finite, arith, compare};
use lang::term::{Term, TermId, Terms};
use lang::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The members of a judgment over finite sorts.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub rows: Vec<Vec<TermId>>,
    /// Rules that derived one of them.
    pub used: FxHashSet<RuleId>,
    set: FxHashSet<Vec<TermId>>,
    /// Rows by the member in a column.
    columns: Vec<FxHashMap<TermId, Vec<u32>>>,
}

impl Table {
    pub fn insert(&mut self, row: Vec<TermId>) -> bool {
        if !self.set.insert(row.clone()) {
            return false;
        }
        self.columns.resize(row.len(), FxHashMap::default());
        for (column, &term) in self.columns.iter_mut().zip(&row) {
            column.entry(term).or_default().push(self.rows.len() as u32);
        }
        self.rows.push(row);
        true
    }

    pub fn contains(&self, row: &[TermId]) -> bool {
        self.set.contains(row)
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Goal<'a> {
    /// The form is a member of the sort, within its domain.
    Member(&'a Form, SortId),
    Table(JudgId, &'a [Form]),
    /// The same, from these rows on only: what is new in a round.
    Newer(JudgId, &'a [Form], usize),
    Condition(&'a Premise),
}

impl Goal<'_> {
    fn each_form(&self, visit: &mut dyn FnMut(&Form)) {
        match self {
            Goal::Member(form, _) => visit(form),
            Goal::Table(_, forms) | Goal::Newer(_, forms, _) => forms.iter().for_each(visit),
            Goal::Condition(premise) => premise.each_form(visit),
        }
    }
}

pub type Assignment = Vec<Option<TermId>>;

/// Metavariables that a match has bound.
type Bound = SmallVec<[usize; 4]>;

type Found<'a, J> = &'a mut dyn FnMut(&J, &Assignment);

/// What a join reads.
pub struct Join<'a, 'l> {
    pub terms: &'a mut Terms<'l>,
    pub finite: &'a Finite,
    pub tables: &'a FxHashMap<JudgId, Table>,
    pub metas: &'a [Meta],
    /// Set when a goal needs something that is not carried here.
    pub failed: bool,
    /// Stop after so many assignments.
    pub most: usize,
}

impl Join<'_, '_> {
    /// Every assignment that satisfies the goals. A goal that is met binds all its metavariables: so in which order they are met is the same
    /// for all assignments, and is found once.
    pub fn solve(&mut self, goals: &[Goal], assignment: &mut Assignment, out: &mut dyn FnMut(&Self, &Assignment)) {
        let mut is_bound: Vec<bool> = assignment.iter().map(Option::is_some).collect();
        let (mut left, mut order) = (goals.to_vec(), Vec::with_capacity(goals.len()));
        while let Some((first, _)) = left.iter().enumerate().min_by_key(|(_, goal)| rank(goal, &is_bound)) {
            let goal = left.remove(first);
            goal.each_form(&mut |form| metas_of(form).iter().for_each(|meta| is_bound[meta.index()] = true));
            order.push(goal);
        }
        self.solve_in_order(&order, assignment, out);
    }

    fn solve_in_order(&mut self, goals: &[Goal], assignment: &mut Assignment, out: Found<'_, Self>) {
        if self.most == 0 || self.terms.is_late() {
            return;
        }
        let Some((goal, rest)) = goals.split_first() else {
            self.most -= 1;
            out(self, assignment);
            return;
        };
        match *goal {
            Goal::Member(form, sort) => {
                if let Some(term) = self.build(form, assignment) {
                    let domain = self.finite.of(self.terms.lang, sort);
                    if domain.position(term).is_some_and(|p| self.finite.allows(sort, p)) {
                        self.solve_in_order(rest, assignment, out);
                    }
                    return;
                }
                if !is_pattern(form) {
                    self.failed = true;
                    return;
                }
                let finite = self.finite;
                let domain = finite.of(self.terms.lang, sort);
                for (i, member) in domain.members.iter().enumerate() {
                    if finite.allows(sort, i as u32) {
                        self.try_match([(form, *member)], rest, assignment, out);
                    }
                }
            }
            Goal::Table(judgment, forms) => self.solve_table(judgment, forms, 0, rest, assignment, out),
            Goal::Newer(judgment, forms, from) => self.solve_table(judgment, forms, from, rest, assignment, out),
            Goal::Condition(premise) => match premise {
                Premise::Equal { left, right, holds: true } => {
                    let sides = (self.build(left, assignment), self.build(right, assignment));
                    match sides {
                        (Some(a), Some(b)) if a == b => self.solve_in_order(rest, assignment, out),
                        (Some(_), Some(_)) => {}
                        (Some(a), None) => self.try_match([(right, a)], rest, assignment, out),
                        (None, Some(b)) => self.try_match([(left, b)], rest, assignment, out),
                        (None, None) => self.failed = true,
                    }
                }
                _ => match self.condition(premise, assignment) {
                    Some(true) => self.solve_in_order(rest, assignment, out),
                    Some(false) => {}
                    None => self.failed = true,
                },
            },
        }
    }

    fn solve_table(
        &mut self,
        judgment: JudgId,
        forms: &[Form],
        from: usize,
        rest: &[Goal],
        assignment: &mut Assignment,
        out: Found<'_, Self>,
    ) {
        let tables = self.tables;
        let Some(table) = tables.get(&judgment) else { return };
        if table.rows.is_empty() {
            return;
        }
        // The shortest list of rows that has to be looked at.
        let mut listed: Option<&[u32]> = None;
        for (column, form) in forms.iter().enumerate() {
            if let Some(term) = self.build(form, assignment) {
                let rows = table.columns[column].get(&term).map_or(&[][..], |rows| &rows[..]);
                if listed.is_none_or(|best| rows.len() < best.len()) {
                    listed = Some(rows);
                }
            }
        }
        let mut try_row = |row: usize| {
            let pairs = forms.iter().zip(table.rows[row].iter().copied());
            self.try_match(pairs, rest, assignment, out);
        };
        match listed {
            Some(rows) => rows.iter().map(|row| *row as usize).filter(|row| *row >= from).for_each(&mut try_row),
            None => (from..table.rows.len()).for_each(&mut try_row),
        }
    }

    /// Matches all pairs, goes on, and takes the bindings back.
    fn try_match<'f>(
        &mut self,
        pairs: impl IntoIterator<Item = (&'f Form, TermId)>,
        rest: &[Goal],
        assignment: &mut Assignment,
        out: Found<'_, Self>,
    ) {
        let mut bound = Bound::new();
        if pairs.into_iter().all(|(form, term)| self.matches(form, term, assignment, &mut bound)) {
            self.solve_in_order(rest, assignment, out);
        }
        for m in bound {
            assignment[m] = None;
        }
    }

    fn condition(&mut self, premise: &Premise, assignment: &Assignment) -> Option<bool> {
        match premise {
            Premise::Equal { left, right, holds } => {
                Some((self.build(left, assignment)? == self.build(right, assignment)?) == *holds)
            }
            Premise::Compare(how, a, b) => {
                Some(compare(*how, self.number(a, assignment)?, self.number(b, assignment)?))
            }
            Premise::Is { form, sort, holds } => {
                let term = self.build(form, assignment)?;
                Some(self.terms.is_member(term, *sort) == *holds)
            }
            Premise::Not(inner) => Some(!self.condition(inner, assignment)?),
            Premise::Judgment(judgment, forms) => {
                let row: Option<Vec<TermId>> = forms.iter().map(|f| self.build(f, assignment)).collect();
                Some(self.tables.get(judgment)?.contains(&row?))
            }
            _ => None,
        }
    }

    fn number(&mut self, form: &Form, assignment: &Assignment) -> Option<i64> {
        let term = self.build(form, assignment)?;
        if let Term::Int(n) = self.terms.get(term) { Some(*n) } else { None }
    }

    /// Builds a form whose metavariables are all bound.
    pub fn build(&mut self, form: &Form, assignment: &Assignment) -> Option<TermId> {
        match form {
            Form::Meta(m) => assignment[m.index()],
            Form::Int(n) => Some(self.terms.intern(Term::Int(*n))),
            Form::Atom(sort, k) => Some(self.terms.intern(Term::Atom(*sort, *k))),
            Form::Arith(op, a, b) => {
                let n = arith(*op, self.number(a, assignment)?, self.number(b, assignment)?);
                Some(self.terms.intern(Term::Int(n)))
            }
            Form::Node(prod, args) => {
                let production = self.terms.lang.prod(*prod);
                let mut built = Vec::with_capacity(args.len());
                for (i, arg) in args.iter().enumerate() {
                    if production.is_binder(i) {
                        built.push(self.terms.intern(Term::Binder(production.args[i])));
                        continue;
                    }
                    let mut term = self.build(arg, assignment)?;
                    let over: Vec<usize> = production.binders_over(i).map(|b| b.var).collect();
                    for var in over.into_iter().rev() {
                        let Form::Meta(m) = &args[var] else { return None };
                        let Term::Free(sort, level) = *self.terms.get(assignment[m.index()]?) else { return None };
                        term = self.terms.close(term, sort, level);
                    }
                    built.push(term);
                }
                Some(self.terms.make(*prod, built))
            }
            Form::Subst { body, pairs } => {
                let body = self.build(body, assignment)?;
                let pairs: Option<Vec<(TermId, TermId)>> = pairs
                    .iter()
                    .map(|(by, var)| Some((self.build(by, assignment)?, self.build(var, assignment)?)))
                    .collect();
                Some(self.terms.substitute(body, &pairs?))
            }
            _ => None,
        }
    }

    pub fn matches(&mut self, form: &Form, term: TermId, assignment: &mut Assignment, bound: &mut Bound) -> bool {
        match form {
            Form::Any(sort) => self.terms.is_member(term, *sort),
            Form::Meta(m) => match assignment[m.index()] {
                Some(known) => known == term,
                None => {
                    let sort = self.metas[m.index()].sort;
                    if !self.terms.is_member(term, sort) {
                        return false;
                    }
                    assignment[m.index()] = Some(term);
                    bound.push(m.index());
                    true
                }
            },
            Form::Node(prod, forms) => {
                let Some((p, args)) = self.terms.node(term) else { return false };
                if p != *prod {
                    return false;
                }
                let mut args = args.to_vec();
                let production = self.terms.lang.prod(*prod);
                for binder in &production.binders {
                    let Form::Meta(m) = &forms[binder.var] else { return false };
                    let sort = production.args[binder.var];
                    let level = assignment.iter().flatten().filter(|t| matches!(self.terms.get(**t), Term::Free(..)));
                    let free = Term::Free(sort, level.count() as u32);
                    let free = self.terms.intern(free);
                    assignment[m.index()] = Some(free);
                    bound.push(m.index());
                    for &arg in &binder.scope {
                        args[arg] = self.terms.open(args[arg], sort, free);
                    }
                }
                (0..args.len()).all(|i| production.is_binder(i) || self.matches(&forms[i], args[i], assignment, bound))
            }
            _ => self.build(form, assignment) == Some(term),
        }
    }
}

fn metas_of(form: &Form) -> Vec<MetaId> {
    let mut metas = Vec::new();
    form.metas(&mut metas);
    metas
}

/// Which goal is met next, given what is bound: the smaller, the sooner.
fn rank(goal: &Goal, is_bound: &[bool]) -> u32 {
    let missing = |form: &Form| metas_of(form).iter().filter(|meta| !is_bound[meta.index()]).count() as u32;
    match goal {
        Goal::Member(form, _) => match (missing(form), form) {
            (0, _) => 0,
            (n, Form::Node(..)) => 40 - n.min(9),
            _ if is_pattern(form) => 60,
            _ => 90,
        },
        Goal::Table(_, forms) | Goal::Newer(_, forms, _) => {
            let open = forms.iter().filter(|f| missing(f) > 0).count();
            let newer = u32::from(matches!(goal, Goal::Table(..)));
            match open {
                0 => 0,
                n if n < forms.len() => 10 + newer,
                _ => 30 + newer,
            }
        }
        Goal::Condition(Premise::Equal { left, right, holds: true }) => match (missing(left), missing(right)) {
            (0, _) | (_, 0) => 1,
            _ => 95,
        },
        Goal::Condition(premise) => {
            let mut open = 0;
            premise.each_form(&mut |f| open += missing(f));
            if open == 0 { 1 } else { 99 }
        }
    }
}

/// Whether a form can be matched: nothing in it has to be computed.
pub fn is_pattern(form: &Form) -> bool {
    let mut pattern = matches!(form, Form::Meta(_) | Form::Node(..) | Form::Any(_) | Form::Int(_) | Form::Atom(..));
    form.each_child(&mut |child| pattern &= is_pattern(child));
    pattern
}
