//! Matching forms against ground trees.
//!
//! In: forms, trees, what is bound so far. Out: every extension of the bindings under which the forms are the trees. There is at most
//! one, except that an environment over atoms or locations has no last entry: `Γ, x:T` takes each in turn.
//!
//! Going under a binder opens it with a new variable, above every variable of the trees at hand.

use super::clause::*;
use super::{Bindings, Fault, Interp, Limit, Reading};
use crate::definition::*;
use crate::term::{Term, TermId};

/// Types so much taller than those within the bound are no answer where types are not bounded: a rule that makes them grow forever would not
/// end.
const TALLEST: u32 = 60;

/// How tall types within a bound get, at most.
fn measure(bound: Bound) -> u32 {
    match bound {
        Bound::Size(n) | Bound::Depth(n) | Bound::Height(n) | Bound::Nodes(n) | Bound::Count(n) => n,
        Bound::Range(_, hi) => hi.clamp(0, u32::MAX.into()) as u32,
    }
}

/// What matching leaves for later.
enum Later<'f> {
    /// To be computed, and compared.
    Compute(&'f Form, TermId),
    /// Any entry may be the last.
    Split(ProdId, &'f [Form], TermId),
}

impl Interp<'_> {
    /// Matches all pairs. Parts that are no patterns are computed and compared in the end, or with `lenient` left alone.
    pub(crate) fn matches(
        &mut self,
        clause: &Clause,
        pairs: &[(&Form, TermId)],
        mut b: Bindings,
        lenient: bool,
        out: &mut Vec<Bindings>,
    ) -> Result<(), Fault> {
        let mut later = Vec::new();
        for (form, term) in pairs {
            if !self.match_form(clause, form, *term, &mut b, &mut later) {
                return Ok(());
            }
        }
        if later.is_empty() {
            out.push(b);
            return Ok(());
        }
        self.finish(clause, later, b, lenient, out)
    }

    /// Matches a form that is only a pattern, in place; none if something in it has to be computed.
    pub(crate) fn match_tree(&mut self, clause: &Clause, form: &Form, term: TermId, b: &mut Bindings) -> Option<bool> {
        let mut later = Vec::new();
        let does = self.match_form(clause, form, term, b, &mut later);
        (!does || later.is_empty()).then_some(does)
    }

    fn finish(
        &mut self,
        clause: &Clause,
        mut later: Vec<Later>,
        mut b: Bindings,
        lenient: bool,
        out: &mut Vec<Bindings>,
    ) -> Result<(), Fault> {
        let Some(at) = later.iter().position(|l| matches!(l, Later::Split(..))) else {
            for l in later {
                if let Later::Compute(form, term) = l
                    && !lenient
                    && self.build(clause, form, &mut b)? != Some(term)
                {
                    return Ok(());
                }
            }
            out.push(b);
            return Ok(());
        };
        let Later::Split(prod, forms, map) = later.remove(at) else { return Ok(()) };
        let entries = self.terms.entries(map);
        // An entry that was overwritten cannot be told from the map: if the rest is known, the extension is compared.
        let mut metas = Vec::new();
        forms[0].metas(&mut metas);
        let is_rest_known = metas.iter().all(|m| b.get(*m).is_some());
        for (p, key, fields) in &entries {
            if *p != prod {
                continue;
            }
            let mut next = b.clone();
            let mut further = Vec::new();
            for l in &later {
                further.push(match l {
                    Later::Compute(form, term) => Later::Compute(form, *term),
                    Later::Split(prod, forms, term) => Later::Split(*prod, forms, *term),
                });
            }
            if is_rest_known {
                let Some(rest) = self.build(clause, &forms[0], &mut next)? else { continue };
                if self.terms.extend(prod, rest, *key, fields) != map {
                    continue;
                }
            } else {
                let mut rest = self.terms.empty_of(map);
                for (p, k, f) in &entries {
                    if k != key {
                        rest = self.terms.extend(*p, rest, *k, f);
                    }
                }
                if !self.match_form(clause, &forms[0], rest, &mut next, &mut further) {
                    continue;
                }
            }
            let entry = std::iter::once(key).chain(fields);
            if forms[1..].iter().zip(entry).all(|(f, t)| self.match_form(clause, f, *t, &mut next, &mut further)) {
                self.finish(clause, further, next, lenient, out)?;
            }
        }
        Ok(())
    }

    fn match_form<'f>(
        &mut self,
        clause: &Clause,
        form: &'f Form,
        term: TermId,
        b: &mut Bindings,
        later: &mut Vec<Later<'f>>,
    ) -> bool {
        match form {
            Form::Meta(meta) => self.bind(clause, *meta, term, b),
            Form::Node(prod, forms) => {
                let Some((p, _)) = self.terms.node(term) else { return false };
                if is_unordered_entry(self.lang, *prod) {
                    later.push(Later::Split(*prod, forms, term));
                    return true;
                }
                if p != *prod {
                    return false;
                }
                if !self.lang.prod(p).binders.is_empty() {
                    return self.match_binder(clause, p, forms, term, b, later);
                }
                (0..forms.len()).all(|i| {
                    let Some((_, args)) = self.terms.node(term) else { return false };
                    let arg = args[i];
                    self.match_argument(clause, (p, i), &forms[i], arg, b, later)
                })
            }
            Form::Any(sort) => self.terms.is_member(term, *sort),
            Form::Hole(_) => false,
            Form::Int(n) => *self.terms.get(term) == Term::Int(*n),
            Form::Atom(sort, k) => *self.terms.get(term) == Term::Atom(*sort, *k),
            Form::Error => *self.terms.get(term) == Term::Error,
            _ => {
                later.push(Later::Compute(form, term));
                true
            }
        }
    }

    /// An argument of a production. A type that a tree contains is bounded as a whole, whether a metavariable stands for it or a form with
    /// parts of its own.
    fn match_argument<'f>(
        &mut self,
        clause: &Clause,
        (prod, at): (ProdId, usize),
        form: &'f Form,
        arg: TermId,
        b: &mut Bindings,
        later: &mut Vec<Later<'f>>,
    ) -> bool {
        let (sort, outer) = (self.lang.prod(prod).args[at], self.lang.prod(prod).sort);
        let is_whole = matches!(form, Form::Node(..)) && is_type(self.lang, sort) && !is_type(self.lang, outer);
        self.match_form(clause, form, arg, b, later) && (!is_whole || self.is_allowed(clause, sort, arg))
    }

    fn match_binder<'f>(
        &mut self,
        clause: &Clause,
        prod: ProdId,
        forms: &'f [Form],
        term: TermId,
        b: &mut Bindings,
        later: &mut Vec<Later<'f>>,
    ) -> bool {
        let lang = self.lang;
        let production = lang.prod(prod);
        let Some((_, args)) = self.terms.node(term) else { return false };
        let mut args = args.to_vec();
        // One variable per binder, the same in all its scopes.
        let mut vars = Vec::new();
        for binder in &production.binders {
            let sort = production.args[binder.var];
            let Form::Meta(meta) = forms[binder.var] else { return false };
            let var = match b.get(meta) {
                Some(var) => var,
                None => {
                    let var = self.new_variable(sort, b);
                    b.set(meta, var);
                    var
                }
            };
            let Term::Free(_, level) = *self.terms.get(var) else { return false };
            // A variable that is free below already cannot be the bound one.
            if binder.scope.iter().any(|i| self.terms.occurs(args[*i], sort, level)) {
                return false;
            }
            vars.push((sort, var));
        }
        for (i, arg) in args.iter_mut().enumerate() {
            for (binder, (sort, var)) in production.binders.iter().zip(&vars).rev() {
                if binder.scope.contains(&i) {
                    *arg = self.terms.open(*arg, *sort, *var);
                }
            }
        }
        (0..forms.len())
            .all(|i| production.is_binder(i) || self.match_argument(clause, (prod, i), &forms[i], args[i], b, later))
    }

    /// A variable above all others at hand.
    pub(crate) fn new_variable(&mut self, sort: SortId, b: &mut Bindings) -> TermId {
        let Some(at) = self.code.vars.iter().position(|s| *s == sort) else { return super::OPEN };
        let level = b.fresh[at];
        b.fresh[at] += 1;
        self.terms.intern(Term::Free(sort, level))
    }

    /// Binds a metavariable, or compares; a member of its sort only, and within the domain in the strict reading.
    pub(crate) fn bind(&mut self, clause: &Clause, meta: MetaId, term: TermId, b: &mut Bindings) -> bool {
        if let Some(bound) = b.get(meta) {
            return bound == term;
        }
        let sort = clause.metas[meta.index()].sort;
        let ok = match &self.lang.sort(sort).kind {
            SortKind::Sub { .. } => self.terms.is_member(term, sort),
            SortKind::Grammar { .. } => match self.terms.get(term) {
                Term::Node(prod, _) => self.lang.prod(*prod).sort == sort,
                Term::Error => self.lang.sort(sort).is_tree,
                _ => false,
            },
            SortKind::Var => matches!(self.terms.get(term), Term::Free(s, _) if *s == sort),
            SortKind::Atom => matches!(self.terms.get(term), Term::Atom(s, _) if *s == sort),
            SortKind::Loc => matches!(self.terms.get(term), Term::Loc(s, _) if *s == sort),
            SortKind::Int => matches!(self.terms.get(term), Term::Int(_)),
            SortKind::Env { .. } | SortKind::Store { .. } => {
                self.terms.node(term).is_some_and(|(prod, _)| self.lang.prod(prod).sort == sort)
            }
            SortKind::Context { .. } => false,
        };
        if !ok {
            return false;
        }
        if !self.is_allowed(clause, sort, term) {
            return false;
        }
        b.set(meta, term);
        true
    }

    /// Whether a value is within the domain, where the reading asks for that.
    fn is_allowed(&mut self, clause: &Clause, sort: SortId, term: TermId) -> bool {
        let world = &self.worlds[self.current];
        if !world.reading.is_open() {
            return self.is_within(clause, sort, term);
        }
        let most = TALLEST + 4 * measure(world.bounds[sort.index()]);
        if self.terms.height(term) <= most || !is_type(self.lang, sort) {
            return true;
        }
        // A conclusion is asked of given types: there the measure only cuts what leads nowhere.
        if world.reading == Reading::Plain {
            self.world().overgrown.get_or_insert(Limit::Height { rule: clause.rule, most });
        }
        false
    }

    /// Whether a value of a metavariable stays in the domain; counts it as clipped if not.
    pub(crate) fn is_within(&mut self, clause: &Clause, sort: SortId, term: TermId) -> bool {
        if !is_type(self.lang, sort) || self.in_domain(sort, term) {
            return true;
        }
        if let Some(rule) = clause.rule {
            self.world().clipped[rule.index()] += 1;
        }
        false
    }
}
