//! A check, on every program up to a size, with types unified.

use super::programs::Sieve;
use super::solve::{Found, Goals, open_programs, ordered};
use super::{Inference, Stuck, suits};
use crate::definition::*;
use crate::enumerate::check::{errors_of, names_in, without_errors};
use crate::enumerate::coverage::Observer;
use crate::enumerate::outcome::{Failure, Limits, Outcome, Report};
use crate::enumerate::{Enumerator, Scope};
use crate::interp::clause::*;
use crate::interp::{Bindings, Fault};
use crate::term::{Term, TermId};
use crate::universe::Universe;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// Ground instances that are tried before a failure of the general case is given up on.
const MOST_INSTANCES: usize = 400;

/// A check in the form that is run.
pub(super) struct Task<'a> {
    check: &'a Check,
    /// With the premises.
    clause: Rc<Clause>,
    conclusions: Vec<Rc<Clause>>,
    /// The programs that make up the size.
    drawn: Vec<MetaId>,
    sieve: Option<Sieve>,
    /// The total size at hand.
    size: RefCell<u32>,
    /// Subjects of the first premise, of this size.
    subjects: RefCell<FxHashSet<TermId>>,
    maps: RefCell<FxHashMap<MetaId, Rc<Vec<Template>>>>,
}

/// A map whose types are to be found out: its entries, unknown where there is no term.
type Template = Vec<(ProdId, TermId, Vec<Option<TermId>>)>;

/// Decides a check, or nothing if it is not carried.
pub(in crate::enumerate) fn run(en: &mut Enumerator, check: &Check, limits: &Limits) -> Result<Option<Report>, Fault> {
    let lang = en.interp.lang;
    if !suits(lang) || !check.total.is_empty() {
        return Ok(None);
    }
    let Ok(inputs) = en.inputs(check) else { return Ok(None) };
    let Some(task) = Task::new(lang, check, inputs) else { return Ok(None) };
    let mut inference = Inference::new(en);
    match inference.try_sizes(&task, limits) {
        Ok(report) => Ok(Some(report)),
        Err(Stuck::NotCarried) => Ok(None),
        Err(Stuck::Fault(fault)) => Err(fault),
    }
}

impl<'a> Task<'a> {
    fn new(lang: &Lang, check: &'a Check, drawn: Vec<MetaId>) -> Option<Task<'a>> {
        let premises = check.premises.iter().map(|l| &l.premise);
        let all = premises.clone().chain(check.conclusions.iter().flatten().map(|l| &l.premise));
        let whole = Clause::new(None, &check.metas, &[], all);
        let part = |from: usize, len: usize| {
            Rc::new(Clause { premises: whole.premises[from..from + len].to_vec(), ..whole.clone() })
        };
        let clause = in_order(lang, &part(0, check.premises.len()), &drawn);
        let mut from = clause.premises.len();
        let mut conclusions = Vec::new();
        for located in &check.conclusions {
            conclusions.push(part(from, located.len()));
            from += located.len();
        }
        // Only one program is sifted: by the judgment that the first premise about it makes.
        let sieve = clause.premises.iter().find_map(|premise| match premise {
            Premise::Judgment(judgment, forms) => {
                let subject = lang.judgment(*judgment).subject?;
                matches!(&forms[subject], Form::Meta(m) if drawn == [*m]).then(|| Sieve::new(lang, *judgment))?
            }
            _ => None,
        });
        let exists_maps_only = check.exists.iter().all(|(m, _)| {
            let sort = check.metas[m.index()].sort;
            lang.is_map(sort) || is_type(lang, sort)
        });
        (!drawn.is_empty() && exists_maps_only).then(|| Task {
            check,
            clause,
            conclusions,
            drawn,
            sieve,
            size: RefCell::new(0),
            subjects: RefCell::default(),
            maps: RefCell::default(),
        })
    }
}

/// The premises in an order in which only inputs have to be drawn: what a step or an equation yields is known when it is asked about.
fn in_order(lang: &Lang, clause: &Clause, drawn: &[MetaId]) -> Rc<Clause> {
    let mut known = vec![false; clause.metas.len()];
    let mut rest = clause.premises.clone();
    let mut premises = Vec::new();
    while !rest.is_empty() {
        let is_given = |m: MetaId| known[m.index()] || drawn.contains(&m) || lang.is_map(clause.metas[m.index()].sort);
        let ready = rest.iter().position(|p| open_programs(lang, clause, p, &is_given).is_empty());
        let premise = rest.remove(ready.unwrap_or(0));
        let mut metas = Vec::new();
        premise.metas(&mut metas);
        metas.iter().for_each(|m| known[m.index()] = true);
        premises.push(premise);
    }
    Rc::new(Clause { premises, ..clause.clone() })
}

/// More maps with open types are not looked at.
const MOST_TEMPLATES: usize = 100_000;

impl<'e, 'l> Inference<'e, 'l> {
    fn try_sizes(&mut self, task: &Task, limits: &Limits) -> Result<Report, Stuck> {
        let lang = self.en.interp.lang;
        self.en.interp.stop = limits.stop.clone();
        let mut observer = Observer::new(lang, task.check, &task.drawn);
        let (mut assignments, mut terms, mut outcome, mut cut) = (0, Vec::new(), None, None);
        let largest = |m: &MetaId| self.en.largest(task.check, task.clause.metas[m.index()].sort);
        let bound = task.drawn.iter().map(largest).fold(0, u32::saturating_add);
        for size in 0..=bound.min(limits.max_size.unwrap_or(u32::MAX)) {
            *task.size.borrow_mut() = size;
            task.subjects.borrow_mut().clear();
            let scope: Scope = self.en.interp.code.vars.iter().map(|_| 0).collect();
            let start = Bindings::new(task.clause.metas.len(), scope);
            let mut failure = None;
            let mut seen = FxHashSet::default();
            let told = self.solve(&Goals::Check { task, at: 0, row: start }, &mut |inference, row| {
                let row = inference.resolved(row);
                // Other derivations of the same.
                if !seen.insert(row.all().collect::<Vec<_>>()) {
                    return Ok(false);
                }
                if assignments >= limits.max_assignments {
                    return Err(Stuck::Fault(Fault::Stopped));
                }
                assignments += 1;
                let rules = inference.used.clone();
                let shown = inference.grounded(&row);
                observer.observe_derived(inference.en, task.check, &task.clause, &shown, &rules)?;
                failure = inference.broken_instance(task, &row)?;
                Ok(failure.is_some())
            });
            terms.push(task.subjects.borrow().len() as u64);
            match told {
                Ok(true) => {
                    let Some(row) = failure else { return Err(Stuck::NotCarried) };
                    let assignment: Vec<Option<TermId>> = row.all().take(task.check.metas.len()).collect();
                    self.replay(task, &row, &assignment)?;
                    outcome = Some(Outcome::Fails(Failure { size, assignment }));
                    break;
                }
                Ok(false) => {}
                Err(Stuck::Fault(fault)) => {
                    outcome = Some(Outcome::Stopped { size });
                    cut = fault.limit();
                    break;
                }
                Err(stuck) => return Err(stuck),
            }
        }
        let holds = if assignments == 0 { Outcome::Vacuous } else { Outcome::Holds };
        Ok(Report {
            outcome: outcome.unwrap_or(holds),
            assignments,
            terms,
            clipped: 0,
            clipped_instances: Vec::new(),
            coverage: observer.finish(self.en),
            is_inferred: true,
            cut,
        })
    }

    /// The premises of a check from number `at`; what a premise needs to know is drawn before it.
    pub(super) fn solve_check(
        &mut self,
        task: &Task,
        at: usize,
        row: &Bindings,
        found: Found<'_, 'e, 'l>,
    ) -> Result<bool, Stuck> {
        let lang = self.en.interp.lang;
        if at == 1 {
            // Counted as the other enumerator does: by the first premise.
            let first = task.drawn.iter().find_map(|m| row.get(*m));
            task.subjects.borrow_mut().extend(first);
        }
        let Some(premise) = task.clause.premises.get(at) else {
            let used: u32 = task.drawn.iter().filter_map(|m| row.get(*m)).map(|t| self.en.interp.terms.size(t)).sum();
            let is_whole = task.drawn.iter().all(|m| row.get(*m).is_some()) && used == *task.size.borrow();
            return if is_whole { found(self, row) } else { Ok(false) };
        };
        let open = open_programs(lang, &task.clause, premise, &|m| row.get(m).is_some());
        // Maps first: there are few of them.
        let is_map = |m: &&MetaId| lang.is_map(task.clause.metas[m.index()].sort);
        match open.iter().find(is_map).or(open.first()) {
            Some(meta) => self.draw(task, at, *meta, row, found),
            None => {
                self.premise(&task.clause, premise, row.clone(), found, &|row| Goals::Check { task, at: at + 1, row })
            }
        }
    }

    fn draw(
        &mut self,
        task: &Task,
        at: usize,
        meta: MetaId,
        row: &Bindings,
        found: Found<'_, 'e, 'l>,
    ) -> Result<bool, Stuck> {
        let lang = self.en.interp.lang;
        let sort = task.clause.metas[meta.index()].sort;
        if lang.is_map(sort) {
            for template in self.templates(task, meta, sort)?.iter() {
                let mark = self.mark();
                let mut next = row.clone();
                let map = self.instance(sort, template);
                next.set(meta, map);
                if self.solve(&Goals::Check { task, at, row: next }, found)? {
                    return Ok(true);
                }
                self.take_back(mark);
            }
            return Ok(false);
        }
        if !task.drawn.contains(&meta) {
            return Err(Stuck::NotCarried);
        }
        let used: u32 = task.drawn.iter().filter_map(|m| row.get(*m)).map(|t| self.en.interp.terms.size(t)).sum();
        let Some(rest) = task.size.borrow().checked_sub(used) else { return Ok(false) };
        let is_last = task.drawn.iter().all(|m| *m == meta || row.get(*m).is_some());
        let most = self.en.largest(task.check, sort);
        for size in if is_last { rest } else { 0 }..=rest.min(most) {
            let scope = row.fresh.clone();
            let programs = match &task.sieve {
                Some(sieve) => {
                    let instead: Scope = scope.iter().map(|_| 0).collect();
                    self.programs(sieve, sort, size, &scope, &instead)?
                }
                None => self.en.raw(sort, size, &scope)?,
            };
            for program in programs.iter().filter(|p| self.en.fits(sort, **p)).copied().collect::<Vec<_>>() {
                let mut next = row.clone();
                next.set(meta, program);
                let mark = self.mark();
                if self.solve(&Goals::Check { task, at, row: next }, found)? {
                    return Ok(true);
                }
                self.take_back(mark);
            }
        }
        Ok(false)
    }

    /// All maps of a sort over names or locations, types left open.
    fn templates(&mut self, task: &Task, meta: MetaId, sort: SortId) -> Result<Rc<Vec<Template>>, Stuck> {
        if let Some(known) = task.maps.borrow().get(&meta) {
            return Ok(known.clone());
        }
        let lang = self.en.interp.lang;
        let mut maps: Vec<Template> = vec![Vec::new()];
        let extensions: Vec<ProdId> = lang.prods_of(sort)[1..].to_vec();
        let Some(key) = extensions.first().and_then(|p| lang.prod(*p).args.get(1)).copied() else {
            return Err(Stuck::NotCarried);
        };
        let is_one = extensions.iter().all(|p| lang.prod(*p).args.get(1) == Some(&key));
        if !is_one || !matches!(lang.sort(key).kind, SortKind::Atom | SortKind::Loc) {
            return Err(Stuck::NotCarried);
        }
        for name in self.en.interp.universe().members(key).to_vec() {
            let mut next = maps.clone();
            for prod in &extensions {
                let mut rows: Vec<Vec<Option<TermId>>> = vec![Vec::new()];
                for field in &lang.prod(*prod).args[2..] {
                    let values: Vec<Option<TermId>> = if is_type(lang, *field) {
                        vec![None]
                    } else {
                        self.en.values(*field)?.into_iter().map(Some).collect()
                    };
                    if rows.len().saturating_mul(values.len()) > MOST_TEMPLATES {
                        return Err(Stuck::NotCarried);
                    }
                    rows = rows.iter().flat_map(|row| values.iter().map(|v| [&row[..], &[*v]].concat())).collect();
                }
                if next.len().saturating_add(maps.len().saturating_mul(rows.len())) > MOST_TEMPLATES {
                    return Err(Stuck::NotCarried);
                }
                for map in &maps {
                    next.extend(rows.iter().map(|row| {
                        let entry = (*prod, name, row.clone());
                        map.iter().cloned().chain([entry]).collect::<Template>()
                    }));
                }
            }
            maps = next;
        }
        maps.sort_by_key(Vec::len);
        let maps = Rc::new(maps);
        task.maps.borrow_mut().insert(meta, maps.clone());
        Ok(maps)
    }

    fn instance(&mut self, sort: SortId, template: &Template) -> TermId {
        let lang = self.en.interp.lang;
        let empty = lang.prods_of(sort)[0];
        let mut map = self.en.interp.terms.make(empty, Vec::new());
        for (prod, key, values) in template {
            let sorts = &lang.prod(*prod).args[2..];
            let fields: Vec<TermId> =
                values.iter().zip(sorts).map(|(value, sort)| value.unwrap_or_else(|| self.unknown(*sort))).collect();
            map = self.en.interp.terms.extend(*prod, map, *key, &fields);
        }
        map
    }

    fn resolved(&mut self, row: &Bindings) -> Bindings {
        let mut resolved = row.clone();
        for (i, term) in row.all().enumerate() {
            if let Some(term) = term {
                let term = self.resolve(term);
                resolved.set(MetaId(i as u32), term);
            }
        }
        resolved
    }

    /// An instance of an assignment that breaks the check. None if the conclusion holds of all.
    fn broken_instance(&mut self, task: &Task, row: &Bindings) -> Result<Option<Bindings>, Stuck> {
        if self.concludes(task, row)? {
            return Ok(None);
        }
        let mut open = Vec::new();
        for term in row.all().flatten() {
            self.unknowns_in(term, &mut open);
        }
        // Types are not bounded: where those of the domain are too few to differ, larger ones are tried.
        for deeper in [0, 2] {
            let Ok(types) = Universe::build(&mut self.en.interp.terms, Some(task.check), deeper) else { continue };
            let mut rows: Vec<Vec<TermId>> = vec![Vec::new()];
            for (_, sort) in &open {
                let members = types.members(*sort);
                rows = members.iter().flat_map(|m| rows.iter().map(|row| [&row[..], &[*m]].concat())).collect();
                rows.sort_by_key(|row| row.iter().map(|t| self.en.interp.terms.size(*t)).sum::<u32>());
                rows.truncate(MOST_INSTANCES);
            }
            for types in rows {
                let mark = self.mark();
                for ((unknown, sort), ty) in open.iter().zip(types) {
                    let unknown = self.en.interp.terms.intern(Term::Unknown(*sort, *unknown));
                    self.unify(unknown, ty);
                }
                let instance = self.resolved(row);
                let holds = self.concludes(task, &instance)?;
                self.take_back(mark);
                if !holds {
                    return Ok(Some(instance));
                }
            }
        }
        // Each instance tried holds, but not for one reason.
        Err(Stuck::NotCarried)
    }

    fn unknowns_in(&self, term: TermId, out: &mut Vec<(u32, SortId)>) {
        match self.en.interp.terms.get(term) {
            Term::Unknown(sort, k) if !out.contains(&(*k, *sort)) => out.push((*k, *sort)),
            Term::Node(_, args) => args.iter().for_each(|arg| self.unknowns_in(*arg, out)),
            _ => {}
        }
    }

    /// With the smallest type wherever any will do.
    fn grounded(&mut self, row: &Bindings) -> Bindings {
        let mut open = Vec::new();
        row.all().flatten().for_each(|term| self.unknowns_in(term, &mut open));
        let mark = self.mark();
        for (k, sort) in open {
            if let Some(least) = self.en.interp.universe().members(sort).first().copied() {
                let unknown = self.en.interp.terms.intern(Term::Unknown(sort, k));
                self.unify(unknown, least);
            }
        }
        let grounded = self.resolved(row);
        self.take_back(mark);
        grounded
    }

    /// Whether one of the conclusions holds; what is unknown before is any type whatsoever.
    fn concludes(&mut self, task: &Task, row: &Bindings) -> Result<bool, Stuck> {
        let lang = self.en.interp.lang;
        let (mark, rigid) = (self.mark(), self.rigid);
        self.rigid = self.unknowns.len() as u32;
        let errors = errors_of(&self.en.interp, row);
        let mut holds = false;
        for conclusion in &task.conclusions {
            let said = without_errors(conclusion, &errors);
            let clause = Rc::new(ordered(lang, said.as_ref().unwrap_or(conclusion)));
            holds = self.exists(task, &clause, 0, row.clone())?;
            if holds {
                break;
            }
        }
        self.take_back(mark);
        self.rigid = rigid;
        Ok(holds)
    }

    /// Tries the maps that exist: over the given one, with an unknown type or none for every other name that occurs.
    fn exists(&mut self, task: &Task, clause: &Rc<Clause>, at: usize, row: Bindings) -> Result<bool, Stuck> {
        let lang = self.en.interp.lang;
        let Some((meta, over)) = task.check.exists.get(at) else {
            let goals = Goals::Premises { clause: clause.clone(), at: 0, row, next: Rc::new(Goals::Done) };
            return self.solve(&goals, &mut |_, _| Ok(true));
        };
        let sort = clause.metas[meta.index()].sort;
        if !lang.is_map(sort) {
            return self.exists(task, clause, at + 1, row);
        }
        let prods = lang.prods_of(sort);
        let [empty, prod] = prods[..] else { return Err(Stuck::NotCarried) };
        let empty = self.en.interp.terms.make(empty, Vec::new());
        let base = over.and_then(|m| row.get(m)).unwrap_or(empty);
        let [_, key, fields @ ..] = &lang.prod(prod).args[..] else { return Err(Stuck::NotCarried) };
        if fields.iter().any(|f| !is_type(lang, *f)) {
            return Err(Stuck::NotCarried);
        }
        let mut names = Vec::new();
        for term in row.all().flatten() {
            names_in(&self.en.interp, term, *key, &mut names);
        }
        names.sort();
        names.dedup();
        let inside = self.en.interp.terms.domain(base);
        names.retain(|name| !inside.contains(name));
        if names.len() > 12 {
            return Err(Stuck::NotCarried);
        }
        // Most names want a type.
        for left_out in 0..1u32 << names.len() {
            let mark = self.mark();
            let mut map = base;
            for (_, name) in names.iter().enumerate().filter(|(i, _)| left_out >> i & 1 == 0) {
                let fields: Vec<TermId> = fields.iter().map(|sort| self.unknown(*sort)).collect();
                map = self.en.interp.terms.extend(prod, map, *name, &fields);
            }
            let mut next = row.clone();
            next.set(*meta, map);
            if self.exists(task, clause, at + 1, next)? {
                return Ok(true);
            }
            self.take_back(mark);
        }
        Ok(false)
    }

    /// The interpreter must find the counterexample too: its domain is widened by the types of one derivation of the premises.
    fn replay(&mut self, task: &Task, row: &Bindings, assignment: &[Option<TermId>]) -> Result<(), Stuck> {
        let lang = self.en.interp.lang;
        let is_step = |p: &Premise| matches!(p, Premise::Judgment(j, _) if lang.judgment(*j).reduction.is_some());
        let premises = task.clause.premises.iter().filter(|p| !is_step(p)).cloned().collect();
        self.admit_types_of(Clause { premises, ..(*task.clause).clone() }, row.clone())?;
        // What a conclusion denies has a derivation, perhaps with other types.
        for premise in task.conclusions.iter().flat_map(|c| &c.premises) {
            if let Premise::Not(inner) = premise {
                let premises = vec![(**inner).clone()];
                self.admit_types_of(Clause { premises, ..(*task.clause).clone() }, row.clone())?;
            }
        }
        match self.en.confirm(task.check, assignment)? {
            Some(_) => Ok(()),
            None => Err(Stuck::NotCarried),
        }
    }

    /// Widens the domain of the interpreter by the types of the first derivation of these premises.
    pub(super) fn admit_types_of(&mut self, clause: Clause, row: Bindings) -> Result<(), Stuck> {
        self.trail.clear();
        self.unknowns.clear();
        self.asked = Some(Vec::new());
        let goals = Goals::Premises { clause: Rc::new(clause), at: 0, row, next: Rc::new(Goals::Done) };
        let mut types = Vec::new();
        self.solve(&goals, &mut |inference, _| {
            let asked = inference.asked.take().unwrap_or_default();
            let mut row = Bindings::new(asked.len(), Default::default());
            asked.iter().enumerate().for_each(|(i, ty)| row.set(MetaId(i as u32), *ty));
            let row = inference.resolved(&row);
            types = inference.grounded(&row).all().flatten().collect();
            Ok(true)
        })?;
        self.asked = None;
        self.en.interp.admit(&types);
        Ok(())
    }
}
