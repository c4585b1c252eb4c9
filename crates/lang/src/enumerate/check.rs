//! Checks, decided by trying every assignment in order of size.
//!
//! In: a check and limits. Out: the first of its smallest counterexamples, or that there is none up to a size. Premises in the reading of
//! the limits; a conclusion that does not hold there is looked at again in the open reading, and is no violation if it holds then.

use super::coverage::Observer;
use super::draw::{CheckMaps, Job};
use super::maps::is_nameless;
use super::order::{Draw, Order, Planner};
use super::outcome::{Failure, Limits, Outcome, Report};
use super::{Enumerator, Scope, infer};
use crate::definition::*;
use crate::interp::clause::*;
use crate::interp::plan::{self, Plan};
use crate::interp::{Args, Bindings, Fault, Interp, Limit, Reading};
use crate::term::{Term, TermId};
use work::on_large_stack;

/// Runs a check on a thread of its own, with a stack for deep definitions; `then` sees the terms of the report.
pub fn run_check<'l, R: Send>(
    lang: &'l Lang,
    check: &'l Check,
    limits: &Limits,
    then: impl FnOnce(&mut Enumerator<'l>, Report) -> R + Send,
) -> Result<R, Fault> {
    run_check_over(lang, check, limits, false, then)
}

/// The same; with `all_names`, maps that differ only in names are all taken, instead of one for all: to see that it makes no difference.
pub fn run_check_over<'l, R: Send>(
    lang: &'l Lang,
    check: &'l Check,
    limits: &Limits,
    all_names: bool,
    then: impl FnOnce(&mut Enumerator<'l>, Report) -> R + Send,
) -> Result<R, Fault> {
    on_large_stack(|| {
        let interp = Interp::new(lang, Some(check), limits.reading)?;
        let mut enumerator = Enumerator::new(interp, Some(check));
        enumerator.all_names = all_names;
        let report = enumerator.run(check, limits)?;
        Ok(then(&mut enumerator, report))
    })
}

/// Maps that are tried where a conclusion says that there is one.
const MOST_LARGER_MAPS: usize = 200_000;

/// A conclusion in the form that is run.
struct Conclusion {
    clause: Clause,
    plan: Plan,
}

/// A check in the form that is run: its premises, and each conclusion.
struct Compiled {
    clause: Clause,
    conclusions: Vec<Conclusion>,
}

impl<'l> Enumerator<'l> {
    fn compile(&self, check: &Check) -> Result<Compiled, Fault> {
        let lang = self.interp.lang;
        let all = check.premises.iter().chain(check.conclusions.iter().flatten());
        let whole = Clause::new(None, &check.metas, &[], all.map(|p| &p.premise));
        let part =
            |from: usize, len: usize| Clause { premises: whole.premises[from..from + len].to_vec(), ..whole.clone() };
        let clause = part(0, check.premises.len());
        let undetermined =
            |meta: MetaId| Fault::Undetermined { rule: None, meta: whole.metas[meta.index()].name.clone() };
        let mut known = vec![false; whole.metas.len()];
        for premise in &clause.premises {
            let mut metas = Vec::new();
            premise.metas(&mut metas);
            metas.iter().for_each(|m| known[m.index()] = true);
        }
        for (meta, _) in &check.exists {
            known[meta.index()] |= lang.is_map(whole.metas[meta.index()].sort);
        }
        let mut conclusions = Vec::new();
        let mut from = clause.premises.len();
        for located in &check.conclusions {
            let clause = part(from, located.len());
            from += located.len();
            let plan = plan::plan(lang, &clause, 0, known.clone(), &self.interp.code.modes)
                .map_err(|meta| unrunnable(&self.interp, &clause).unwrap_or(undetermined(meta)))?;
            conclusions.push(Conclusion { clause, plan });
        }
        Ok(Compiled { clause, conclusions })
    }

    /// Completes an assignment, of which perhaps not all is given, to one that satisfies the premises of a check and none of its
    /// conclusions, with types unbounded. None if it is no counterexample.
    pub fn confirm(&mut self, check: &Check, given: &[Option<TermId>]) -> Result<Option<Vec<Option<TermId>>>, Fault> {
        match self.confirm_in(Reading::Open, check, given) {
            Err(fault) if is_endless(&fault) => self.confirm_in(Reading::Wide, check, given),
            told => told,
        }
    }

    /// The same in a reading.
    pub fn confirm_in(
        &mut self,
        reading: Reading,
        check: &Check,
        given: &[Option<TermId>],
    ) -> Result<Option<Vec<Option<TermId>>>, Fault> {
        let lang = self.interp.lang;
        let Compiled { clause, conclusions } = self.compile(check)?;
        let mut known = vec![false; clause.metas.len()];
        let terms: Args = given.iter().flatten().copied().collect();
        let mut start = Bindings::new(clause.metas.len(), self.interp.fresh_levels(&terms));
        for (i, term) in given.iter().enumerate() {
            if let Some(term) = term {
                known[i] = true;
                start.set(MetaId(i as u32), *term);
            }
        }
        let plan = plan::plan(lang, &clause, 0, known, &self.interp.code.modes)
            .map_err(|meta| Fault::Undetermined { rule: None, meta: clause.metas[meta.index()].name.clone() })?;
        let goal = Goal { check, clause: &clause, conclusions: &conclusions };
        let ask = |interp: &mut Interp<'l>| {
            for row in interp.run(&clause, &plan, &[], start.clone())? {
                if !goal.concludes(interp, &row)? {
                    return Ok(Some(row.all().take(check.metas.len()).collect()));
                }
            }
            Ok(None)
        };
        self.interp.in_reading(reading, ask)
    }

    /// The programs that a check is about: its metavariables that no premise yields, and whose sizes count.
    pub fn inputs(&self, check: &Check) -> Result<Vec<MetaId>, Fault> {
        inputs(&self.interp, check)
    }

    /// Tries a check in the reading at hand, up to its bounds or a size.
    pub fn run(&mut self, check: &Check, limits: &Limits) -> Result<Report, Fault> {
        self.interp.stop = limits.stop.clone();
        self.draws = 0;
        self.most_draws = limits.max_draws;
        self.interp.work_left = limits.max_work;
        let told = self.run_sizes(check, limits);
        self.interp.work_left = u64::MAX;
        told
    }

    fn run_sizes(&mut self, check: &Check, limits: &Limits) -> Result<Report, Fault> {
        if limits.unify
            && let Some(report) = infer::run(self, check, limits)?
        {
            return Ok(report);
        }
        let lang = self.interp.lang;
        let Compiled { clause, conclusions } = self.compile(check)?;
        let code = self.interp.code.clone();
        let order = check_order(&self.interp, &clause)?;
        let maps = CheckMaps {
            total: check.total.clone(),
            canonical: if self.all_names { Vec::new() } else { canonical_maps(lang, &clause, &order.draws) },
            ..CheckMaps::default()
        };
        let mut trial = Trial {
            goal: Goal { check, clause: &clause, conclusions: &conclusions },
            observer: Observer::new(lang, check, &inputs_of(&order)),
            assignments: 0,
            most: limits.max_assignments,
            clipped: 0,
            found: None,
            is_sized: order.weights.iter().any(|w| *w > 0),
        };
        let mut terms = Vec::new();
        let mut outcome = None;
        let mut cut = None;
        let sizes = self.sizes_to_try(check, &order, limits);
        for size in 0..=sizes {
            let scope: Scope = code.vars.iter().map(|_| 0).collect();
            let job = Job { clause: &clause, order: &order, total: size, scope: scope.clone(), maps: Some(&maps) };
            let start = Bindings::new(clause.metas.len(), scope);
            self.first_subjects.clear();
            let done = self.draw(&job, 0, start, &mut |enumerator, row| trial.visit(enumerator, row));
            if let Some((size_found, row)) = trial.found.take() {
                let size = if trial.is_sized { size } else { size_found };
                let assignment = row.all().take(check.metas.len()).collect();
                outcome = Some(Outcome::Fails(Failure { size, assignment }));
                terms.push(self.first_subjects.len() as u64);
                break;
            }
            match done {
                Ok(()) => terms.push(self.first_subjects.len() as u64),
                Err(fault @ (Fault::Stopped | Fault::Limit(_))) => {
                    outcome = Some(Outcome::Stopped { size });
                    cut = fault.limit();
                    break;
                }
                Err(fault) => return Err(fault),
            }
        }
        let clipped = self.interp.clipped().iter().enumerate().filter(|(_, n)| **n > 0);
        let clipped_instances = clipped.map(|(i, n)| (RuleId(i as u32), *n)).collect();
        let Trial { assignments, clipped, observer, .. } = trial;
        let holds = if assignments == 0 { Outcome::Vacuous } else { Outcome::Holds };
        let coverage = observer.finish(self);
        Ok(Report {
            outcome: outcome.unwrap_or(holds),
            assignments,
            terms,
            clipped,
            clipped_instances,
            coverage,
            is_inferred: false,
            cut,
        })
    }

    /// The largest total size of inputs within their bounds.
    fn sizes_to_try(&self, check: &Check, order: &Order, limits: &Limits) -> u32 {
        let inputs = order.weights.iter().zip(&check.metas).filter(|(weight, _)| **weight > 0);
        let bound = inputs.fold(0u32, |sum, (_, meta)| sum.saturating_add(self.largest(check, meta.sort)));
        bound.min(limits.max_size.unwrap_or(u32::MAX))
    }
}

/// The programs that a check is about: its metavariables that no premise yields, and whose sizes count.
pub fn inputs(interp: &Interp, check: &Check) -> Result<Vec<MetaId>, Fault> {
    let clause = Clause::new(None, &check.metas, &[], check.premises.iter().map(|p| &p.premise));
    let order = check_order(interp, &clause)?;
    Ok(inputs_of(&order))
}

fn inputs_of(order: &Order) -> Vec<MetaId> {
    (0..order.weights.len() as u32).map(MetaId).filter(|m| order.weights[m.index()] > 0).collect()
}

fn check_order(interp: &Interp, clause: &Clause) -> Result<Order, Fault> {
    let code = &interp.code;
    let planner = Planner { lang: interp.lang, clause, modes: &code.modes, vars: &code.vars };
    planner.check().map_err(|meta| unrunnable(interp, clause).unwrap_or_else(|| interp.undetermined(clause, meta)))
}

/// A judgment of a clause that cannot be run however much is known: why not.
fn unrunnable(interp: &Interp, clause: &Clause) -> Option<Fault> {
    clause.premises.iter().find_map(|premise| {
        let Premise::Judgment(judgment, forms) = premise else { return None };
        let all = (1u32 << forms.len().min(31)) - 1;
        let open = interp.modes().get(*judgment, all).filter(|mode| !mode.runs)?.open.clone();
        let (rule, meta) = open?;
        Some(Fault::Undetermined { rule: Some(rule), meta })
    })
}

/// Maps of which one stands for all that differ only in names: drawn before anything else that could mention a name, with entries that
/// mention none. With each, the earlier ones over the same names: the renaming must leave those as they are.
fn canonical_maps(lang: &Lang, clause: &Clause, draws: &[Draw]) -> Vec<(MetaId, Vec<MetaId>)> {
    let key = |meta: MetaId| {
        let prods = lang.prods_of(clause.metas[meta.index()].sort);
        prods.iter().find_map(|p| lang.prod(*p).args.get(1).copied())
    };
    let mut maps: Vec<MetaId> = Vec::new();
    let mut canonical = Vec::new();
    for draw in draws {
        let Draw::Map(meta, _) = draw else { break };
        let earlier: Vec<MetaId> = maps.iter().copied().filter(|m| key(*m) == key(*meta)).collect();
        let is_nameless = |m: &MetaId| key(*m).is_some_and(|k| is_nameless(lang, clause.metas[m.index()].sort, k));
        if earlier.is_empty() || (is_nameless(meta) && earlier.iter().all(is_nameless)) {
            canonical.push((*meta, earlier));
        }
        maps.push(*meta);
    }
    canonical
}

/// Whether there is no end to what the rules say of unbounded types: then the bounded ones have the last word.
fn is_endless(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::Limit(Limit::Depth { .. } | Limit::Answers { .. } | Limit::Instances { .. } | Limit::Height { .. })
    )
}

/// What an assignment has to satisfy.
struct Goal<'a> {
    check: &'a Check,
    clause: &'a Clause,
    conclusions: &'a [Conclusion],
}

struct Trial<'a> {
    goal: Goal<'a>,
    observer: Observer,
    assignments: u64,
    most: u64,
    clipped: u64,
    found: Option<(u32, Bindings)>,
    is_sized: bool,
}

impl Trial<'_> {
    fn visit(&mut self, enumerator: &mut Enumerator, row: Bindings) -> Result<(), Fault> {
        if self.assignments >= self.most {
            return Err(Fault::Stopped);
        }
        self.assignments += 1;
        let holds = self.goal.concludes(&mut enumerator.interp, &row)?;
        self.observer.observe(enumerator, self.goal.check, self.goal.clause, &row)?;
        if holds {
            return Ok(());
        }
        let open = enumerator.interp.in_reading(Reading::Open, |interp| self.goal.concludes(interp, &row));
        let holds = match open {
            // No end of types: then in a domain that is only one level deeper.
            Err(fault) if is_endless(&fault) => {
                enumerator.interp.in_reading(Reading::Wide, |interp| self.goal.concludes(interp, &row))?
            }
            other => other?,
        };
        if holds {
            self.clipped += 1;
            return Ok(());
        }
        if self.is_sized {
            self.found = Some((0, row));
            return Err(Fault::Stopped);
        }
        // Without programs the size is that of the types, and the smallest is found in the end.
        let size = row.all().flatten().map(|t| enumerator.interp.terms.size(t)).sum();
        if self.found.as_ref().is_none_or(|(least, _)| size < *least) {
            self.found = Some((size, row));
        }
        Ok(())
    }
}

impl Goal<'_> {
    /// Whether one of the conclusions holds.
    fn concludes(&self, interp: &mut Interp, row: &Bindings) -> Result<bool, Fault> {
        let errors = errors_of(interp, row);
        for conclusion in self.conclusions {
            let holds = match without_errors(&conclusion.clause, &errors) {
                None => self.holds(interp, conclusion, 0, row.clone())?,
                Some(clause) => {
                    let known = row.all().map(|term| term.is_some()).collect();
                    let plan = plan::plan(interp.lang, &clause, 0, known, interp.modes())
                        .map_err(|meta| interp.undetermined(&clause, meta))?;
                    self.holds(interp, &Conclusion { clause, plan }, 0, row.clone())?
                }
            };
            if holds {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tries the maps that exist, then the conclusion itself.
    fn holds(&self, interp: &mut Interp, conclusion: &Conclusion, at: usize, row: Bindings) -> Result<bool, Fault> {
        let Some((meta, over)) = self.check.exists.get(at) else {
            return Ok(!interp.run(&conclusion.clause, &conclusion.plan, &[], row)?.is_empty());
        };
        if !interp.lang.is_map(self.clause.metas[meta.index()].sort) {
            return self.holds(interp, conclusion, at + 1, row);
        }
        for map in self.larger_maps(interp, *meta, *over, &row)? {
            let mut next = row.clone();
            next.set(*meta, map);
            if self.holds(interp, conclusion, at + 1, next)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The maps over another one that may matter: for every name that occurs and is not in it, any entry or none; the likeliest first.
    fn larger_maps(
        &self,
        interp: &mut Interp,
        meta: MetaId,
        over: Option<MetaId>,
        row: &Bindings,
    ) -> Result<Vec<TermId>, Fault> {
        let lang = interp.lang;
        let sort = self.clause.metas[meta.index()].sort;
        let prods = lang.prods_of(sort);
        let empty = interp.terms.make(prods[0], Vec::new());
        let base = over.and_then(|m| row.get(m)).unwrap_or(empty);
        let mut maps = vec![base];
        let Some(key_sort) = prods.get(1).and_then(|p| lang.prod(*p).args.get(1)).copied() else { return Ok(maps) };
        let inside = interp.terms.domain(base);
        let mut stored: Vec<(TermId, Vec<TermId>)> = Vec::new();
        let mut names = Vec::new();
        for term in row.all().flatten() {
            if let Some((prod, _)) = interp.terms.node(term)
                && matches!(lang.sort(lang.prod(prod).sort).kind, SortKind::Store { .. })
            {
                stored.extend(interp.terms.entries(term).into_iter().map(|(_, key, fields)| (key, fields)));
            }
            names_in(interp, term, key_sort, &mut names);
        }
        names.sort();
        names.dedup();
        names.retain(|name| !inside.contains(name));
        let mentioned = types_in(interp, row);
        for name in names {
            let content: Vec<TermId> =
                stored.iter().filter(|(key, _)| *key == name).flat_map(|(_, fields)| fields.clone()).collect();
            let mut next = Vec::new();
            for map in maps {
                // What is stored may mention names that only the larger map has.
                let entries = self.entries_for(interp, &prods[1..], &content, map, &mentioned)?;
                let larger: Vec<TermId> =
                    entries.iter().map(|(prod, fields)| interp.terms.extend(*prod, map, name, fields)).collect();
                // What the store holds wants a type; a name that is only mentioned may do without.
                if content.is_empty() {
                    next.push(map);
                    next.extend(larger);
                } else {
                    next.extend(larger);
                    next.push(map);
                }
                if next.len() > MOST_LARGER_MAPS {
                    return Err(Fault::Limit(Limit::Members { sort, most: MOST_LARGER_MAPS }));
                }
            }
            maps = next;
        }
        Ok(maps)
    }

    /// Entries of one field: the types of what the store holds, those that the check is about, then every type of the domain.
    fn entries_for(
        &self,
        interp: &mut Interp,
        prods: &[ProdId],
        content: &[TermId],
        base: TermId,
        mentioned: &[TermId],
    ) -> Result<Vec<(ProdId, Vec<TermId>)>, Fault> {
        let lang = interp.lang;
        let mut entries = Vec::new();
        for prod in prods {
            let [_, _, field] = lang.prod(*prod).args[..] else { continue };
            let mut fields = Vec::new();
            for tree in content {
                fields.extend(self.types_of(interp, *tree, field, base)?);
            }
            fields.extend(
                mentioned.iter().filter(|t| interp.terms.node(**t).is_some_and(|(p, _)| lang.prod(p).sort == field)),
            );
            fields.extend(interp.universe().members(field));
            let mut seen = rustc_hash::FxHashSet::default();
            fields.retain(|f| seen.insert(*f));
            entries.extend(fields.into_iter().map(|f| (*prod, vec![f])));
        }
        Ok(entries)
    }

    /// What any judgment says a stored tree to be of, within the smaller map and no other variables.
    fn types_of(&self, interp: &mut Interp, tree: TermId, field: SortId, base: TermId) -> Result<Vec<TermId>, Fault> {
        let lang = interp.lang;
        let Some((prod, _)) = interp.terms.node(tree) else { return Ok(Vec::new()) };
        let (sort, base_sort) = (lang.prod(prod).sort, interp.terms.node(base).map(|(p, _)| lang.prod(p).sort));
        let mut types = Vec::new();
        for j in 0..lang.judgments.len() as u32 {
            let declared = lang.judgment(JudgId(j));
            let Some(last) = declared.args.iter().rposition(|s| *s == field) else { continue };
            let mut args = Vec::new();
            for (i, s) in declared.args.iter().enumerate() {
                args.push(if i == last {
                    None
                } else if Some(*s) == base_sort {
                    Some(base)
                } else if lang.base(*s) == sort {
                    Some(tree)
                } else if lang.is_map(*s) {
                    Some(interp.terms.make(lang.prods_of(*s)[0], Vec::new()))
                } else {
                    None
                });
            }
            let mask = args.iter().enumerate().fold(0, |m, (i, a)| m | (a.is_some() as u32) << i);
            if mask.count_ones() + 1 == declared.args.len() as u32 && interp.modes().runs(JudgId(j), mask) {
                types.extend(interp.solve(JudgId(j), &args)?.iter().map(|answer| answer[last]));
            }
        }
        Ok(types)
    }
}

/// The types of an assignment, and their parts: they may be beyond the bound.
fn types_in(interp: &Interp, row: &Bindings) -> Vec<TermId> {
    let mut found: Vec<TermId> = row.all().flatten().collect();
    let mut at = 0;
    while at < found.len() {
        let parts = interp.terms.node(found[at]).map_or(Vec::new(), |(_, args)| args.to_vec());
        let is_new = |part: &TermId| !found.contains(part);
        let parts: Vec<TermId> = parts.into_iter().filter(is_new).collect();
        found.extend(parts);
        at += 1;
    }
    let is_a_type =
        |t: &TermId| interp.terms.node(*t).is_some_and(|(p, _)| is_type(interp.lang, interp.lang.prod(p).sort));
    found.retain(is_a_type);
    found
}

/// The metavariables that stand for `error`.
pub(super) fn errors_of(interp: &Interp, row: &Bindings) -> Vec<MetaId> {
    let is_error = |term: Option<TermId>| term.is_some_and(|t| *interp.terms.get(t) == Term::Error);
    row.all().enumerate().filter(|(_, term)| is_error(*term)).map(|(i, _)| MetaId(i as u32)).collect()
}

/// A conclusion without what it says of an error: that is true of every final state, except that equality tells an error from others
/// (docs/lang.md, "Declared errors"). None if it says nothing.
pub(super) fn without_errors(conclusion: &Clause, errors: &[MetaId]) -> Option<Clause> {
    let is_settled = |premise: &Premise| {
        let mut metas = Vec::new();
        premise.metas(&mut metas);
        !matches!(premise, Premise::Equal { .. }) && metas.iter().any(|m| errors.contains(m))
    };
    conclusion.premises.iter().any(is_settled).then(|| Clause {
        premises: conclusion.premises.iter().filter(|p| !is_settled(p)).cloned().collect(),
        ..conclusion.clone()
    })
}

/// Every name of a sort that occurs in a tree.
pub(super) fn names_in(interp: &Interp, term: TermId, sort: SortId, out: &mut Vec<TermId>) {
    match interp.terms.get(term) {
        Term::Atom(s, _) | Term::Loc(s, _) if *s == sort => out.push(term),
        Term::Node(_, args) => args.iter().for_each(|arg| names_in(interp, *arg, sort, out)),
        _ => {}
    }
}
