//! The order in which a clause is run, found once for every set of known arguments.
//!
//! In: a clause and which of its heads (and metavariables) are known. Out: a [`Plan`] that binds every metavariable, or the one that
//! nothing determines. Any order gives the same instances; this one asks cheap questions first, calls judgments with as much known
//! as possible, and guesses a value of a finite domain only if no premise finds it.
//!
//! A *mode* of a judgment is the set of its known arguments. Which modes can be run at all is a greatest fixpoint: a rule may call a
//! mode as long as every rule of it has a plan.

use super::clause::*;
use crate::definition::*;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub enum Step {
    /// Match a known head.
    Match(usize),
    /// Compare a known head that is not only a pattern.
    Confirm(usize),
    /// Run a premise; if it is a judgment, with these arguments known.
    Premise(usize, u32),
    /// Every member of a finite domain.
    Guess(MetaId),
}

#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub steps: Vec<Step>,
}

/// More arguments than that, and only the modes with the last few unknown are considered.
const MOST_ARGUMENTS: usize = 8;

#[derive(Clone, Debug, Default)]
pub struct Mode {
    pub runs: bool,
    /// Some answer may come from a guess.
    pub guesses: bool,
    /// One per rule of the judgment.
    pub plans: Vec<(RuleId, Rc<Plan>)>,
    /// Why it does not run: the rule and what it leaves open.
    pub open: Option<(RuleId, String)>,
}

/// All modes of all judgments, by the mask of known arguments.
#[derive(Clone, Debug, Default)]
pub struct Modes {
    modes: Vec<Vec<Mode>>,
}

impl Modes {
    pub fn get(&self, judgment: JudgId, mask: u32) -> Option<&Mode> {
        self.modes.get(judgment.index())?.get(mask as usize)
    }

    pub fn runs(&self, judgment: JudgId, mask: u32) -> bool {
        self.get(judgment, mask).is_some_and(|mode| mode.runs)
    }

    pub fn guesses(&self, judgment: JudgId, mask: u32) -> bool {
        self.get(judgment, mask).is_none_or(|mode| mode.guesses)
    }

    pub fn new(lang: &Lang, clauses: &[Clause]) -> Modes {
        let mut modes = Modes { modes: Vec::new() };
        for judgment in &lang.judgments {
            let required = required(lang, judgment);
            let masks = 1u32 << judgment.args.len().min(MOST_ARGUMENTS);
            modes.modes.push(
                (0..masks)
                    .map(|mask| Mode {
                        runs: judgment.args.len() <= MOST_ARGUMENTS && required.is_none_or(|arg| mask >> arg & 1 == 1),
                        ..Mode::default()
                    })
                    .collect(),
            );
        }
        // Each round plans with what the last one found; guessing only orders premises, so it need not settle.
        for _ in 0..12 {
            if !modes.round(lang, clauses) {
                break;
            }
        }
        modes
    }

    fn round(&mut self, lang: &Lang, clauses: &[Clause]) -> bool {
        let mut next = self.clone();
        let mut changed = false;
        for (j, judgment) in lang.judgments.iter().enumerate() {
            let id = JudgId(j as u32);
            for mask in 0..self.modes[j].len() as u32 {
                let mode = &mut next.modes[j][mask as usize];
                if !mode.runs {
                    continue;
                }
                mode.plans.clear();
                for (rule, _) in lang.rules_of(id) {
                    let clause = &clauses[rule.index()];
                    match plan(lang, clause, mask, vec![false; clause.metas.len()], self) {
                        Ok(found) => mode.plans.push((rule, Rc::new(found))),
                        Err(meta) => {
                            // A step is always asked for from the state before.
                            if judgment.reduction.is_some() && mask & 2 == 0 {
                                mode.open = Some((rule, clause.metas[meta.index()].name.clone()));
                            }
                            mode.open.get_or_insert((rule, clause.metas[meta.index()].name.clone()));
                            mode.runs = false;
                            changed = true;
                            break;
                        }
                    }
                }
            }
        }
        loop {
            let mut more = false;
            for j in 0..next.modes.len() {
                for mask in 0..next.modes[j].len() {
                    let mode = &next.modes[j][mask];
                    if mode.guesses || !mode.runs {
                        continue;
                    }
                    let guesses = mode.plans.iter().any(|(rule, plan)| {
                        if super::grows(lang, lang.rule(*rule)) {
                            return true;
                        }
                        plan.steps.iter().any(|step| match step {
                            Step::Guess(_) => true,
                            Step::Premise(p, mask) => match &clauses[rule.index()].premises[*p] {
                                Premise::Judgment(callee, _) => next.guesses(*callee, *mask),
                                _ => false,
                            },
                            _ => false,
                        })
                    });
                    if guesses {
                        next.modes[j][mask].guesses = true;
                        more = true;
                    }
                }
            }
            if !more {
                break;
            }
            changed = true;
        }
        *self = next;
        changed
    }
}

/// The argument without which a judgment would make up programs.
fn required(lang: &Lang, judgment: &Judgment) -> Option<usize> {
    if judgment.reduction.is_some() {
        return Some(0);
    }
    judgment.subject.or_else(|| {
        judgment.args.iter().position(|sort| !is_interned(lang, *sort) && !lang.is_map(*sort)).or_else(|| {
            // Only maps: the last one is judged.
            judgment.args.iter().rposition(|sort| lang.is_map(*sort))
        })
    })
}

/// What running a premise next would give.
struct Ready {
    cost: u32,
    mask: u32,
    binds: Vec<MetaId>,
}

struct Planner<'a> {
    lang: &'a Lang,
    clause: &'a Clause,
    modes: &'a Modes,
    /// In how many premises or heads each metavariable occurs.
    occurs: Vec<usize>,
}

/// The order for the heads in `mask` and the metavariables in `known`; or what nothing determines.
pub fn plan(lang: &Lang, clause: &Clause, mask: u32, mut known: Known, modes: &Modes) -> Result<Plan, MetaId> {
    let planner = Planner { lang, clause, modes, occurs: occurrences(clause) };
    let mut plan = Plan::default();
    let is_given = |i: usize| mask >> i & 1 == 1;
    for (i, head) in clause.heads.iter().enumerate().filter(|(i, _)| is_given(*i)) {
        plan.steps.push(Step::Match(i));
        let mut binds = Vec::new();
        pattern(head, &mut binds, &mut Vec::new());
        binds.iter().for_each(|m| known[m.index()] = true);
    }
    planner.premises(&mut known, &mut plan, None)?;
    // What the premises left open of the heads.
    for (i, head) in clause.heads.iter().enumerate() {
        if is_given(i) && is_pattern(head) {
            continue;
        }
        while let Some(meta) = missing(lang, head, &known, &mut Vec::new()) {
            planner.guess(meta, &mut known, &mut plan)?;
        }
        if is_given(i) {
            plan.steps.push(Step::Confirm(i));
        }
    }
    Ok(plan)
}

/// In how many premises or heads each metavariable of a clause occurs.
pub fn occurrences(clause: &Clause) -> Vec<usize> {
    let mut occurs = vec![0; clause.metas.len()];
    let mut count = |mut metas: Vec<MetaId>| {
        metas.sort();
        metas.dedup();
        metas.iter().for_each(|m| occurs[m.index()] += 1);
    };
    for head in &clause.heads {
        let mut metas = Vec::new();
        head.metas(&mut metas);
        count(metas);
    }
    for premise in &clause.premises {
        let mut metas = Vec::new();
        premise.metas(&mut metas);
        count(metas);
    }
    occurs
}

/// Runs what is ready of the premises that `rest` names, without guessing; for the enumerator, which finds subjects itself.
pub fn next_ready(
    lang: &Lang,
    clause: &Clause,
    modes: &Modes,
    known: &Known,
    rest: &[usize],
    most: u32,
) -> Option<(usize, u32, Vec<MetaId>)> {
    let planner = Planner { lang, clause, modes, occurs: occurrences(clause) };
    let ready = rest.iter().filter_map(|p| planner.ready(&clause.premises[*p], known).map(|r| (r.cost, *p, r)));
    let (cost, p, ready) = ready.min_by_key(|(cost, p, _)| (*cost, *p))?;
    (cost <= most).then_some((p, ready.mask, ready.binds))
}

/// A premise that costs more than this guesses.
pub const GUESSING: u32 = 1000;

impl Planner<'_> {
    fn premises(&self, known: &mut Known, plan: &mut Plan, only: Option<usize>) -> Result<(), MetaId> {
        let mut rest: Vec<usize> =
            (0..self.clause.premises.len()).filter(|p| only.is_none_or(|only| only == *p)).collect();
        while !rest.is_empty() {
            let best = rest
                .iter()
                .enumerate()
                .filter_map(|(at, p)| self.ready(&self.clause.premises[*p], known).map(|r| (r.cost, at, r)))
                .min_by_key(|(cost, at, _)| (*cost, *at));
            if let Some((_, at, ready)) = best {
                // A relation between types, of which nothing is known: one argument is guessed and the rest found, which is far less
                // than every pair that each rule would make of every pair.
                if ready.mask == 0
                    && let Premise::Judgment(_, args) = &self.clause.premises[rest[at]]
                    && let [Form::Meta(first), _, ..] = args[..]
                    && is_type(self.lang, self.clause.metas[first.index()].sort)
                {
                    self.guess(first, known, plan)?;
                    continue;
                }
                plan.steps.push(Step::Premise(rest.remove(at), ready.mask));
                ready.binds.iter().for_each(|m| known[m.index()] = true);
                continue;
            }
            // Nothing is ready: guess what is open in the first premise in which that is possible.
            let open = rest.iter().flat_map(|p| {
                let mut metas = Vec::new();
                self.clause.premises[*p].metas(&mut metas);
                metas
            });
            let open: Vec<MetaId> = open.filter(|m| !known[m.index()]).collect();
            match open.iter().find(|m| is_interned(self.lang, self.clause.metas[m.index()].sort)) {
                Some(meta) => self.guess(*meta, known, plan)?,
                None => return Err(open.first().copied().unwrap_or(MetaId(0))),
            }
        }
        Ok(())
    }

    fn guess(&self, meta: MetaId, known: &mut Known, plan: &mut Plan) -> Result<(), MetaId> {
        if !is_interned(self.lang, self.clause.metas[meta.index()].sort) {
            return Err(meta);
        }
        known[meta.index()] = true;
        plan.steps.push(Step::Guess(meta));
        Ok(())
    }

    fn is_known(&self, form: &Form, known: &Known) -> bool {
        is_known(self.lang, form, known)
    }

    /// Binds of matching these forms, if the rest of them can be computed then.
    fn matching<'f>(&self, forms: impl Iterator<Item = &'f Form>, known: &Known) -> Option<Vec<MetaId>> {
        let (mut binds, mut needs) = (Vec::new(), Vec::new());
        forms.for_each(|form| pattern(form, &mut binds, &mut needs));
        needs.iter().all(|m| known[m.index()] || binds.contains(m)).then_some(binds)
    }

    fn ready(&self, premise: &Premise, known: &Known) -> Option<Ready> {
        let is_known = |form: &Form| self.is_known(form, known);
        let check = |ok: bool| ok.then(|| Ready { cost: 0, mask: 0, binds: Vec::new() });
        match premise {
            Premise::Judgment(judgment, args) => {
                let mut mask = 0;
                for (i, arg) in args.iter().enumerate() {
                    mask |= (is_known(arg) as u32) << i;
                }
                if !self.modes.runs(*judgment, mask) {
                    return None;
                }
                let binds =
                    self.matching(args.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 0).map(|(_, a)| a), known)?;
                let free = args.len() as u32 - mask.count_ones();
                let guesses = self.modes.guesses(*judgment, mask);
                let cost = if free == 0 { 2 } else { 4 + 4 * free + guesses as u32 * GUESSING };
                Some(Ready { cost, mask, binds })
            }
            Premise::Entry { key, fields, env, .. } => {
                let binds = self.matching(std::iter::once(key).chain(fields), known)?;
                is_known(env).then(|| Ready { cost: if is_known(key) { 1 } else { 3 }, mask: 0, binds })
            }
            Premise::InDomain { key, map, holds: true } => {
                let binds = self.matching(std::iter::once(key), known)?;
                is_known(map).then(|| Ready { cost: if is_known(key) { 0 } else { 3 }, mask: 0, binds })
            }
            Premise::InDomain { key, map, holds: false } => check(is_known(key) && is_known(map)),
            Premise::Equal { left, right, holds } => {
                let (pattern, side) = match (is_known(left), is_known(right)) {
                    (true, true) => return check(true),
                    (true, false) => (right, 1),
                    (false, true) => (left, 2),
                    (false, false) => return None,
                };
                let binds = self.matching(std::iter::once(pattern), known)?;
                let local = |m: &MetaId| known[m.index()] || self.occurs[m.index()] <= 1;
                (*holds || binds.iter().all(local)).then_some(Ready {
                    cost: 1,
                    mask: side,
                    binds: if *holds { binds } else { Vec::new() },
                })
            }
            Premise::Is { form, .. } | Premise::Steps(_, form) => check(is_known(form)),
            Premise::SameDomain(left, right) | Premise::Compare(_, left, right) => {
                check(is_known(left) && is_known(right))
            }
            Premise::Fresh(meta) => {
                let before = self.clause.heads.first().is_none_or(is_known);
                before.then(|| Ready { cost: 0, mask: 0, binds: vec![*meta] })
            }
            Premise::Forall { key, fields, env, body, .. } => {
                let mut inner = known.clone();
                std::iter::once(key).chain(fields).for_each(|m| inner[m.index()] = true);
                if !is_known(env) {
                    return None;
                }
                let mask = self.closed(body, &inner)?;
                Some(Ready { cost: 2, mask, binds: Vec::new() })
            }
            Premise::Not(inner) => {
                let mask = self.closed(inner, known)?;
                Some(Ready { cost: 2, mask, binds: Vec::new() })
            }
        }
    }

    /// A premise inside another: it binds nothing outside, so what is open in it must occur in it alone.
    fn closed(&self, inner: &Premise, known: &Known) -> Option<u32> {
        let ready = self.ready(inner, known)?;
        ready.binds.iter().all(|m| known[m.index()] || self.occurs[m.index()] <= 1).then_some(ready.mask)
    }
}
