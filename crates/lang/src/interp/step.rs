//! Reduction: where a rule may apply, and what the whole becomes.
//!
//! In: a reduction and a term. Out: every step. With contexts, the term is taken apart in every way the context sort allows, the rules
//! apply to what is in the hole, and the result is put back. In contexts over configurations (`W ::= ⟨ E, μ ⟩`) the rules see the
//! configuration with the hole's content in place of the whole program, and what they make of the store is kept (docs/lang.md, "Contexts").

use super::{Args, Bindings, Fault, Interp, OPEN};
use crate::definition::*;
use crate::term::{Term, TermId};

/// One step of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub rule: RuleId,
    /// The arguments on the way from the term to the hole's content.
    pub path: Vec<usize>,
    /// What the rule's left side matched; variables bound on the way are free in it.
    pub redex: TermId,
    /// Per metavariable of the rule.
    pub bindings: Vec<Option<TermId>>,
    /// What the right side gave.
    pub contractum: TermId,
    /// The whole term afterwards.
    pub result: TermId,
    /// The alternatives of context sorts that led to the redex.
    pub contexts: Vec<(SortId, usize)>,
}

/// A node on the way to the hole.
#[derive(Clone)]
struct Level {
    node: TermId,
    arg: usize,
    /// The variables that opened its binders, innermost last.
    opened: Vec<(SortId, u32)>,
}

/// The way to a place, what is there, and what the rules see of it.
pub(super) type Place = (Vec<usize>, TermId, TermId);

struct Focus {
    levels: Vec<Level>,
    /// The sort of the hole, and what is in it.
    hole: SortId,
    content: TermId,
    contexts: Vec<(SortId, usize)>,
}

impl Interp<'_> {
    /// Every step of a term.
    pub fn steps(&mut self, reduction: JudgId, term: TermId) -> Result<Vec<Step>, Fault> {
        // What its premises ask is tabled, and must be complete before this is.
        self.answers(reduction, &Args::from_slice(&[term, OPEN]))?;
        self.one_step(reduction, term)
    }

    pub(super) fn one_step(&mut self, reduction: JudgId, term: TermId) -> Result<Vec<Step>, Fault> {
        let code = self.code.clone();
        let lang = self.lang;
        let mut steps = Vec::new();
        for focus in self.foci(reduction, term) {
            let Some((redex, configuration)) = self.redex(reduction, &focus)? else { continue };
            for rule in &code.of_judgment[reduction.index()] {
                let clause = &code.rules[rule.index()];
                let args = [redex, OPEN];
                if !self.may_apply(clause, &args) {
                    continue;
                }
                let mode = code.modes.get(reduction, 1).filter(|mode| mode.runs);
                let plan = mode.and_then(|mode| mode.plans.iter().find(|(r, _)| r == rule));
                let Some((_, plan)) = plan else {
                    return Err(match code.modes.get(reduction, 1).and_then(|mode| mode.open.clone()) {
                        Some((rule, meta)) => Fault::Undetermined { rule: Some(rule), meta },
                        None => Fault::NotRunnable(reduction),
                    });
                };
                let start = Bindings::new(clause.metas.len(), self.fresh_levels(&[term, redex]));
                let levels = start.fresh.clone();
                for mut row in self.run(clause, plan, &args, start)? {
                    let Some(answer) = self.conclude(clause, &args, &mut row, &levels)? else { continue };
                    let contractum = answer.args[1];
                    let Some(result) = self.plug(&focus, configuration, contractum) else { continue };
                    let world = self.world();
                    world.first[rule.index()].get_or_insert_with(|| Args::from_slice(&[term, result]));
                    focus.contexts.iter().for_each(|used| {
                        if !world.contexts.contains(used) {
                            world.contexts.push(*used);
                        }
                    });
                    let metas = lang.rule(*rule).metas.len();
                    steps.push(Step {
                        rule: *rule,
                        path: focus.levels.iter().map(|level| level.arg).collect(),
                        redex,
                        bindings: row.all().take(metas).collect(),
                        contractum,
                        result,
                        contexts: focus.contexts.clone(),
                    });
                }
            }
        }
        Ok(steps)
    }

    /// Every place where a rule may apply: the way to it, what is there, and what the rules see of it.
    pub(super) fn redexes(&mut self, reduction: JudgId, term: TermId) -> Result<Vec<Place>, Fault> {
        let mut redexes = Vec::new();
        for focus in self.foci(reduction, term) {
            if let Some((redex, _)) = self.redex(reduction, &focus)? {
                redexes.push((focus.levels.iter().map(|level| level.arg).collect(), focus.content, redex));
            }
        }
        Ok(redexes)
    }

    /// Every way to take a term apart.
    fn foci(&mut self, reduction: JudgId, term: TermId) -> Vec<Focus> {
        let declared = self.lang.judgment(reduction);
        let mut out: Vec<Focus> = Vec::new();
        let mut kept: Vec<Focus> = Vec::new();
        match declared.reduction.and_then(|r| r.contexts) {
            None => out.push(Focus { levels: Vec::new(), hole: declared.args[0], content: term, contexts: Vec::new() }),
            Some(contexts) => {
                let mut fresh = self.fresh_levels(&[term]).to_vec();
                let mut way = Way { levels: Vec::new(), contexts: Vec::new() };
                self.decompose(contexts, term, &mut way, &mut fresh, &mut out);
            }
        }
        // Two alternatives may lead to one place.
        for focus in out {
            let path = |f: &Focus| f.levels.iter().map(|level| level.arg).collect::<Vec<_>>();
            match kept.iter_mut().find(|k| path(k) == path(&focus)) {
                Some(known) => known.contexts.extend(focus.contexts),
                None => kept.push(focus),
            }
        }
        kept
    }

    fn decompose(&mut self, context: SortId, term: TermId, way: &mut Way, fresh: &mut [u32], out: &mut Vec<Focus>) {
        let lang = self.lang;
        let SortKind::Context { alts, .. } = &lang.sort(context).kind else { return };
        for (i, alt) in alts.iter().enumerate() {
            // A context that is another one, in a circle.
            let here = way.levels.len();
            if way.contexts.iter().any(|(sort, _, at)| *sort == context && *at == here) {
                return;
            }
            way.contexts.push((context, i, here));
            self.descend(&alt.form, term, way, fresh, out);
            way.contexts.pop();
        }
    }

    fn descend(&mut self, form: &Form, term: TermId, way: &mut Way, fresh: &mut [u32], out: &mut Vec<Focus>) {
        let lang = self.lang;
        match form {
            Form::Hole(sort) if self.terms.is_member(term, *sort) => out.push(Focus {
                levels: way.levels.clone(),
                hole: *sort,
                content: term,
                contexts: way.contexts.iter().map(|(sort, alt, _)| (*sort, *alt)).collect(),
            }),
            Form::Any(sort) => self.decompose(*sort, term, way, fresh, out),
            Form::Node(prod, forms) => {
                let Some((p, args)) = self.terms.node(term) else { return };
                if p != *prod {
                    return;
                }
                let args = args.to_vec();
                let Some(arg) = forms.iter().position(|f| goes_on(lang, f)) else { return };
                let production = lang.prod(p);
                for (i, form) in forms.iter().enumerate() {
                    if i != arg && !production.is_binder(i) && !self.terms.matches_shape(args[i], form) {
                        return;
                    }
                }
                let mut content = args[arg];
                let mut opened = Vec::new();
                let before = fresh.to_vec();
                for binder in production.binders_over(arg) {
                    let sort = production.args[binder.var];
                    let Some(at) = self.code.vars.iter().position(|s| *s == sort) else { return };
                    opened.push((sort, fresh[at]));
                    fresh[at] += 1;
                }
                for (sort, level) in opened.iter().rev() {
                    let var = self.terms.intern(Term::Free(*sort, *level));
                    content = self.terms.open(content, *sort, var);
                }
                way.levels.push(Level { node: term, arg, opened });
                self.descend(&forms[arg], content, way, fresh, out);
                way.levels.pop();
                fresh.copy_from_slice(&before);
            }
            _ => {}
        }
    }

    /// What the rules see, and the level of the configuration if they see one.
    fn redex(&mut self, reduction: JudgId, focus: &Focus) -> Result<Option<(TermId, Option<usize>)>, Fault> {
        let lang = self.lang;
        let state = lang.base(lang.judgment(reduction).args[0]);
        let hole = lang.base(focus.hole);
        if hole == state {
            return Ok(Some((focus.content, None)));
        }
        let is_state = |level: &Level| self.terms.node(level.node).is_some_and(|(p, _)| lang.prod(p).sort == state);
        let missing = Fault::NoConfiguration { reduction, hole: focus.hole };
        let Some(at) = focus.levels.iter().rposition(is_state) else { return Err(missing) };
        let Level { node, arg, .. } = &focus.levels[at];
        let Some((prod, args)) = self.terms.node(*node) else { return Ok(None) };
        let mut args = args.to_vec();
        args[*arg] = focus.content;
        let same = &lang.prod(prod).args;
        let fits = |p: &ProdId| {
            let sorts = &lang.prod(*p).args;
            sorts.len() == same.len()
                && (0..sorts.len()).all(|i| if i == *arg { lang.base(sorts[i]) == hole } else { sorts[i] == same[i] })
        };
        let prod = if fits(&prod) { Some(prod) } else { lang.prods_of(state).into_iter().find(fits) };
        let Some(prod) = prod else { return Err(missing) };
        Ok(Some((self.terms.make(prod, args), Some(at))))
    }

    /// The whole term with the contractum in place of the redex.
    fn plug(&mut self, focus: &Focus, configuration: Option<usize>, contractum: TermId) -> Option<TermId> {
        let lang = self.lang;
        if *self.terms.get(contractum) == Term::Error {
            return Some(contractum);
        }
        let mut content = contractum;
        let mut rest = None;
        if let Some(at) = configuration {
            let (_, args) = self.terms.node(contractum)?;
            let args = args.to_vec();
            content = *args.get(focus.levels[at].arg)?;
            if !self.terms.is_member(content, lang.base(focus.hole)) {
                return None;
            }
            rest = Some((at, args));
        }
        for (i, level) in focus.levels.iter().enumerate().rev() {
            for (sort, var) in &level.opened {
                content = self.terms.close(content, *sort, *var);
            }
            let (prod, args) = self.terms.node(level.node)?;
            let mut args = args.to_vec();
            if let Some((at, others)) = &rest
                && *at == i
            {
                if others.len() != args.len() {
                    return None;
                }
                args.clone_from(others);
            }
            args[level.arg] = content;
            content = self.terms.make(prod, args);
        }
        Some(content)
    }
}

/// The way down so far; with each context alternative, the number of levels above it.
struct Way {
    levels: Vec<Level>,
    contexts: Vec<(SortId, usize, usize)>,
}

/// Whether the hole, or the context that leads to it, is in this form.
fn goes_on(lang: &Lang, form: &Form) -> bool {
    match form {
        Form::Hole(_) => true,
        Form::Any(sort) => matches!(lang.sort(*sort).kind, SortKind::Context { .. }),
        Form::Node(_, args) => args.iter().any(|arg| goes_on(lang, arg)),
        _ => false,
    }
}
