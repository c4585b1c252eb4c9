//! Finding what breaks a check (docs/lang.md, "Tiers" and "Search").
//!
//! Order, so that the usual answers come first: (1) arguments that do not depend on positions or sizes, per rule (`local`); (2) for what
//! they leave open, all trees up to a small size, growing: a violation found there is minimised there; (3) the whole bound, class
//! by class. Preserved: `Fails` is a model of the premises and the violation, of which no smaller one exists; `Holds` means that (1)
//! or (3) excluded every class.

use crate::count;
use crate::decode::{Decoded, confirms};
use crate::encoder::Encoder;
use crate::guards::State;
use crate::local::Preservation;
use crate::outcome::*;
use crate::plan::Plan;
use crate::property::Setup;
use crate::query::{Found, Model, Query};
use crate::shape::{Extent, is_tree};
use formula::Lit;
use lang::term::Terms;
use lang::*;
use rustc_hash::FxHashSet;

/// What ended a search early.
#[derive(Debug)]
pub enum Halt {
    Stopped,
    NotCarried(NotCarried),
    Broken(String),
}

/// Sizes up to which all trees are looked at before the whole bound is.
const SIZES: [u32; 6] = [3, 5, 7, 10, 13, 16];
/// As long as they need no more slots than that.
const MOST_SLOTS: usize = 500;

pub struct Search<'a, 'l> {
    pub terms: &'a mut Terms<'l>,
    pub plan: &'a Plan<'l>,
    pub options: &'a Options,
    pub work: Work,
}

pub fn check<'l>(terms: &mut Terms<'l>, check: &'l Check, options: &Options) -> Outcome {
    terms.heed(&options.limits.stop);
    let outcome = match Plan::new(terms, check) {
        Ok(plan) => check_planned(terms, &plan, options),
        Err(trouble) => trouble.into(),
    };
    match outcome {
        // What was built since a limit was reached is cut short: nothing holds by it.
        Outcome::Holds(_) | Outcome::Vacuous | Outcome::NotCarried(_) if options.limits.reached() => Outcome::Stopped,
        outcome => outcome,
    }
}

fn check_planned<'l>(terms: &mut Terms<'l>, plan: &Plan<'l>, options: &Options) -> Outcome {
    let members = plan.lang.sort_ids().map(|s| plan.finite.of(plan.lang, s).len()).max().unwrap_or(0);
    let work = Work { members: members as u64, ..Work::default() };
    match (Search { terms, plan, options, work }).run() {
        Ok(outcome) => outcome,
        Err(Halt::Stopped) => Outcome::Stopped,
        Err(Halt::NotCarried(n)) => Outcome::NotCarried(n),
        Err(Halt::Broken(why)) => Outcome::Broken(why),
    }
}

/// A way to break a check: the step it is by, and when.
type Violation = (Option<(RuleId, Vec<u8>)>, Lit);

/// What is left to exclude, and by which argument the rest was.
struct Open {
    rules: Vec<RuleId>,
    tier: Tier,
}

impl<'a, 'l> Search<'a, 'l> {
    fn run(&mut self) -> Result<Outcome, Halt> {
        let steps = self
            .plan
            .check
            .premises
            .iter()
            .filter(
                |l| matches!(&l.premise, Premise::Judgment(j, _) if self.plan.lang.judgment(*j).reduction.is_some()),
            )
            .count();
        if steps > 2 {
            return Err(Halt::NotCarried(NotCarried::new("more than two steps in a check", self.plan.check.span)));
        }
        let kept = Preservation::find(self.plan);
        let mut open =
            Open { rules: self.plan.steps.as_ref().map_or(Vec::new(), |s| s.rules.clone()), tier: Tier::Two };
        if steps == 1
            && self.options.tier == Tier::Zero
            && let Some(kept) = &kept
        {
            open.rules = self.not_local(kept)?;
            open.tier = Tier::Zero;
        }
        let mut settled = steps == 1 && open.rules.is_empty();
        if steps == 0 && self.options.tier == Tier::Zero {
            settled = crate::induction::progresses(self)?;
            if settled {
                open.tier = Tier::Zero;
            }
        }
        if steps == 2 && self.options.tier == Tier::Zero {
            settled = crate::determinism::holds_by_induction(self)?;
            if settled {
                open.tier = Tier::Zero;
            }
        }
        if !settled {
            if let Some(failure) = self.small(steps, &open.rules)? {
                return Ok(Outcome::Fails(Box::new(failure)));
            }
            if let Some(failure) = self.whole(steps, &mut open, kept.as_ref())? {
                return Ok(Outcome::Fails(Box::new(failure)));
            }
        }
        count::report(self, open.tier)
    }

    /// Whether a premise of the check is a step.
    pub fn takes_step(&self) -> bool {
        let is_step = |l: &Located| matches!(&l.premise, Premise::Judgment(j, _) if self.plan.lang.judgment(*j).reduction.is_some());
        self.plan.check.premises.iter().any(is_step)
    }

    pub fn encoder(&self) -> Encoder<'a, 'l> {
        Encoder::new(self.plan, &self.options.limits)
    }

    pub fn query(&self) -> Query {
        Query::new(self.options.certify, &self.options.limits)
    }

    /// Adds up what was done; and passes on what could not be.
    pub fn finish(&mut self, encoder: &Encoder, query: &Query) -> Result<(), Halt> {
        self.work.slots = self.work.slots.max(encoder.shape.slots.len() as u64);
        self.work.nodes += encoder.graph.node_count() as u64;
        self.work.variables += query.variables();
        self.work.clauses += query.clauses();
        self.work.queries += query.asked;
        self.work.certified += query.certified();
        match &encoder.not_carried {
            _ if encoder.stopped => Err(Halt::Stopped),
            Some(n) => Err(Halt::NotCarried(n.clone())),
            None => Ok(()),
        }
    }

    pub fn halted(why: Option<String>) -> Halt {
        why.map_or(Halt::Stopped, Halt::Broken)
    }

    pub fn gave_up(encoder: &Encoder) -> Halt {
        let unknown = || NotCarried::new("a form that is not carried", encoder.plan.check.span);
        Halt::NotCarried(encoder.not_carried.clone().unwrap_or_else(unknown))
    }

    /// Tier 0: the rules for which the local obligation is not shown.
    fn not_local(&mut self, kept: &Preservation) -> Result<Vec<RuleId>, Halt> {
        let Some(steps) = &self.plan.steps else { return Ok(Vec::new()) };
        let all = steps.rules.clone();
        let mut open = Vec::new();
        for rule in all {
            let mut shown = false;
            let depth = height(&self.plan.lang.rule(rule).conclusion[0]);
            // Only what the left side names, then everything down to a level.
            for horizon in [None, Some(depth), Some(depth + 2)] {
                if self.local_rule(rule, kept, horizon)? {
                    shown = true;
                    break;
                }
            }
            if !shown {
                open.push(rule);
            }
        }
        Ok(open)
    }

    /// Whether a rule keeps everything its redex has, with nothing said below the horizon.
    fn local_rule(&mut self, rule: RuleId, kept: &Preservation, horizon: Option<u32>) -> Result<bool, Halt> {
        let plan = self.plan;
        let mut encoder = self.encoder();
        let mut query = self.query();
        let Some(mut setup) = encoder.set_up(&|sort| Extent { horizon: Some(0), ..plan.extent(sort) }) else {
            return Err(Self::gave_up(&encoder));
        };
        // The redex in the place of the program; premises about the program do not apply to it.
        let Some(sort) = rule_sort(plan, rule) else { return Ok(false) };
        let Some(&(meta, _)) = setup.trees.first() else { return Ok(false) };
        let program = plan.check.metas[meta.index()].sort;
        let slot = encoder.root(sort, Extent { horizon, ..plan.extent(program) });
        if horizon.is_none() {
            let mut places = Vec::new();
            pattern_places(plan, &plan.lang.rule(rule).conclusion[0], &mut Vec::new(), &mut places);
            encoder.shape.concrete.insert(slot, places);
        }
        let form = setup.steps[0].0.clone();
        let Some(state) = encoder.state_of(&form, &setup.binds) else { return Ok(false) };
        let state = State { root: encoder.at_slot(slot), ..state };
        let mut classes = Vec::new();
        encoder.classes_at(&state, slot, sort, Lit::TRUE, &mut classes);
        setup.state = Some(state);
        let Some(class) = classes.into_iter().find(|c| c.rule == rule) else {
            // No class because the rule can never apply; not because it could not be encoded.
            self.finish(&encoder, &query)?;
            return Ok(true);
        };
        let mut all = Vec::new();
        for (i, at) in setup.premise_of.iter().enumerate() {
            if let Some(at) = at
                && i != kept.premise
            {
                all.push(setup.premises[*at]);
            }
        }
        all.extend(store_premises(&setup));
        if kept.has_context && kept.descends {
            let forms = match &plan.check.premises[kept.premise].premise {
                Premise::Judgment(_, forms) => forms.clone(),
                _ => Vec::new(),
            };
            let ctx = encoder.forms_ctx(kept.judgment, &forms, &setup.binds);
            let redex = encoder.at_slot(slot);
            if let Some(typed) = ctx.and_then(|ctx| encoder.typed(kept.judgment, sort, redex, ctx)) {
                all.push(typed);
            }
        }
        let broken = encoder.breaks_locally(&setup, &class, kept);
        let focus_binds = self.contexts_bind();
        let Some(broken) = broken.filter(|_| !encoder.strained && !focus_binds) else {
            self.finish(&encoder, &query)?;
            return Ok(false);
        };
        all.push(broken);
        let found = query.ask(&encoder.graph, &all);
        self.finish(&encoder, &query)?;
        match found {
            Found::Nothing => Ok(true),
            Found::Model(_) => Ok(false),
            Found::Unknown(why) => Err(Self::halted(why)),
        }
    }

    /// Whether evaluation goes under binders.
    pub fn contexts_bind(&self) -> bool {
        let lang = self.plan.lang;
        let contexts = lang.sorts.iter().any(|s| match &s.kind {
            SortKind::Context { alts, .. } => alts.iter().any(|a| hole_is_bound(lang, &a.form)),
            _ => false,
        });
        let rules = self
            .plan
            .steps
            .iter()
            .flat_map(|s| &s.congruences)
            .any(|(rule, meta)| meta_is_bound(lang, &lang.rule(*rule).conclusion[0], *meta));
        contexts || rules
    }

    /// All trees up to growing sizes, exactly.
    fn small(&mut self, steps: usize, rules: &[RuleId]) -> Result<Option<Failure>, Halt> {
        let limit = self.largest_bound();
        for size in SIZES {
            if limit.is_some_and(|l| size > l) || !self.is_small(size) {
                break;
            }
            if let Some(failure) = self.up_to(steps, rules, size)? {
                return Ok(Some(failure));
            }
        }
        Ok(None)
    }

    /// The bound, if it is one of size.
    fn largest_bound(&self) -> Option<u32> {
        let trees = self.plan.check.metas.iter().filter(|m| is_tree(self.plan.lang, m.sort));
        trees.map(|m| self.plan.extent(m.sort).size).try_fold(0u32, |n, s| Some(n.max(s?)))
    }

    pub fn is_small(&self, size: u32) -> bool {
        self.needs_at_most(size, MOST_SLOTS)
    }

    /// Whether the trees of a size need no more slots.
    pub fn needs_at_most(&self, size: u32, most: usize) -> bool {
        let plan = self.plan;
        let mut encoder = self.encoder();
        for meta in plan.check.metas.iter().filter(|m| is_tree(plan.lang, m.sort)) {
            let mut next = encoder.shape.slots.len();
            encoder.root(meta.sort, plan.extent(meta.sort).with_size(size));
            while next < encoder.shape.slots.len() {
                for position in 0..plan.grammar.branching as u8 {
                    encoder.slot_kid(crate::shape::SlotId(next as u32), position);
                }
                next += 1;
                if encoder.shape.slots.len() > most {
                    return false;
                }
            }
        }
        true
    }

    /// A smallest violation among all trees up to a size.
    pub fn up_to(&mut self, steps: usize, rules: &[RuleId], size: u32) -> Result<Option<Failure>, Halt> {
        let plan = self.plan;
        let mut encoder = self.encoder();
        let mut query = self.query();
        let Some(mut setup) = encoder.set_up(&|sort| plan.extent(sort).with_size(size)) else {
            return Err(Self::gave_up(&encoder));
        };
        if encoder.set_up_steps(&mut setup).is_none() {
            return Err(Self::gave_up(&encoder));
        }
        let Some(violations) = violations(&mut encoder, &mut query, &setup, steps, rules)? else {
            return Err(Self::gave_up(&encoder));
        };
        if let Some(n) = &encoder.not_carried {
            return Err(Halt::NotCarried(n.clone()));
        }
        let sizes = encoder.total_size(&setup, size);
        let lits: Vec<Lit> = violations.iter().map(|v| v.1).collect();
        let mut all = setup.premises.clone();
        all.extend(sizes.get(size as usize).map(|l| !*l));
        let mut best = None;
        loop {
            match query.ask_some(&encoder.graph, &all, Some(&lits)) {
                Found::Nothing => break,
                Found::Unknown(why) => return Err(Self::halted(why)),
                Found::Model(model) => {
                    let failure = self.decoded(&mut encoder, &setup, &violations, &model, &all)?;
                    let smaller = failure.size.checked_sub(1);
                    best = Some(failure);
                    match smaller {
                        Some(most) if (most as usize) < sizes.len() => all.push(!sizes[most as usize]),
                        Some(_) => {}
                        None => break,
                    }
                }
            }
        }
        self.finish(&encoder, &query)?;
        if let Some(best) = &mut best {
            best.work = self.work;
        }
        Ok(best)
    }

    /// The counterexample in a model.
    fn decoded(
        &mut self,
        encoder: &mut Encoder,
        setup: &Setup,
        violations: &[Violation],
        model: &Model,
        all: &[Lit],
    ) -> Result<Failure, Halt> {
        let violation = violations.iter().find(|v| confirms(&encoder.graph, model, &[v.1]));
        let Some((class, _)) = violation.filter(|_| confirms(&encoder.graph, model, all)) else {
            return Err(Halt::Broken("a model of the clauses is none of the formulas".into()));
        };
        let (size, assignment) = self.assignment(encoder, setup, model)?;
        Ok(Failure { size, assignment, class: class.clone(), work: self.work })
    }

    /// The values of the check's metavariables in a model.
    pub fn assignment(
        &mut self,
        encoder: &mut Encoder,
        setup: &Setup,
        model: &Model,
    ) -> Result<(u32, Vec<Option<lang::term::TermId>>), Halt> {
        let mut size = 0;
        let mut assignment = Vec::new();
        for (i, value) in setup.binds.metas.clone().iter().enumerate() {
            let Some(value) = value else {
                assignment.push(None);
                continue;
            };
            let sort = self.plan.check.metas[i].sort;
            let mut seen = Decoded::default();
            let Some(term) = encoder.decode(self.terms, model, value, sort, &mut seen) else {
                return Err(Halt::Broken(format!("no value for {} in a model", self.plan.check.metas[i].name)));
            };
            if is_tree(self.plan.lang, sort) {
                size += self.terms.size(term);
            }
            assignment.push(Some(term));
        }
        Ok((size, assignment))
    }

    /// The whole bound: per class tier 1, then tier 2; or one query, without steps.
    fn whole(&mut self, steps: usize, open: &mut Open, kept: Option<&Preservation>) -> Result<Option<Failure>, Halt> {
        let plan = self.plan;
        let mut encoder = self.encoder();
        let mut query = self.query();
        let Some(mut setup) = encoder.set_up(&|sort| plan.extent(sort)) else { return Err(Self::gave_up(&encoder)) };
        if encoder.set_up_steps(&mut setup).is_none() {
            return Err(Self::gave_up(&encoder));
        }
        let mut found = None;
        match steps {
            1 => {
                let rules: FxHashSet<RuleId> = open.rules.iter().copied().collect();
                let kept = kept.filter(|_| self.options.tier != Tier::Two && !self.contexts_bind());
                let mut tier = if kept.is_some() { Tier::One } else { Tier::Two };
                for i in 0..setup.classes.len() {
                    let class = setup.classes[i].clone();
                    if !rules.contains(&class.rule) {
                        continue;
                    }
                    if let Some(kept) = kept {
                        encoder.strained = false;
                        let broken = encoder.breaks_locally(&setup, &class, kept);
                        if let Some(broken) = broken.filter(|_| !encoder.strained) {
                            let mut all = setup.premises.clone();
                            all.push(broken);
                            match query.ask(&encoder.graph, &all) {
                                Found::Nothing => continue,
                                Found::Model(_) => {}
                                Found::Unknown(why) => return Err(Self::halted(why)),
                            }
                        }
                    }
                    encoder.strained = false;
                    let Some(broken) = encoder.breaks(&setup, &class) else { return Err(Self::gave_up(&encoder)) };
                    tier = Tier::Two;
                    let violations = [(Some((class.rule, encoder.shape.path(class.slot))), broken)];
                    if let Some(failure) = self.ask_violation(&mut encoder, &mut query, &setup, &violations)? {
                        found = Some(failure);
                        break;
                    }
                }
                open.tier = open.tier.max(tier);
                if self.options.tier != Tier::Zero {
                    open.tier = tier;
                }
            }
            _ => {
                let Some(violations) = violations(&mut encoder, &mut query, &setup, steps, &open.rules)? else {
                    return Err(Self::gave_up(&encoder));
                };
                found = self.ask_violation(&mut encoder, &mut query, &setup, &violations)?;
                open.tier = Tier::Two;
            }
        }
        self.finish(&encoder, &query)?;
        drop(encoder);
        // Smaller ones may be in other classes: those of fewer slots.
        let Some(mut failure) = found else { return Ok(None) };
        let all_rules = self.plan.steps.as_ref().map_or(Vec::new(), |s| s.rules.clone());
        while failure.size > 0 {
            match self.up_to(steps, &all_rules, failure.size - 1)? {
                Some(smaller) => failure = smaller,
                None => break,
            }
        }
        failure.work = self.work;
        Ok(Some(failure))
    }

    fn ask_violation(
        &mut self,
        encoder: &mut Encoder,
        query: &mut Query,
        setup: &Setup,
        violations: &[Violation],
    ) -> Result<Option<Failure>, Halt> {
        if let Some(n) = &encoder.not_carried {
            return Err(Halt::NotCarried(n.clone()));
        }
        let lits: Vec<Lit> = violations.iter().map(|v| v.1).collect();
        match query.ask_some(&encoder.graph, &setup.premises, Some(&lits)) {
            Found::Nothing => Ok(None),
            Found::Unknown(why) => Err(Self::halted(why)),
            Found::Model(model) => self.decoded(encoder, setup, violations, &model, &setup.premises.clone()).map(Some),
        }
    }
}

/// Premises that are not of the check: members of their sorts, sizes.
fn store_premises(setup: &Setup) -> Vec<Lit> {
    let named: Vec<usize> = setup.premise_of.iter().flatten().copied().collect();
    (0..setup.premises.len()).filter(|i| !named.contains(i)).map(|i| setup.premises[i]).collect()
}

/// Every way to break the check, with the class it is in. None: not carried.
fn violations(
    encoder: &mut Encoder,
    query: &mut Query,
    setup: &Setup,
    steps: usize,
    rules: &[RuleId],
) -> Result<Option<Vec<Violation>>, Halt> {
    let mut out = Vec::new();
    match steps {
        0 => {
            let Some(fine) = encoder.concludes(setup, &setup.binds) else { return Ok(None) };
            out.push((None, !fine));
        }
        1 => {
            for class in setup.classes.iter().filter(|c| rules.contains(&c.rule)) {
                let Some(broken) = encoder.breaks(setup, class) else { return Ok(None) };
                out.push((Some((class.rule, encoder.shape.path(class.slot))), broken));
            }
        }
        _ => {
            for (i, j) in crate::determinism::pairs(encoder, query, setup)? {
                let (one, two) = (&setup.classes[i], &setup.classes[j]);
                let Some(broken) = encoder.pair_breaks(setup, one, two) else { return Ok(None) };
                out.push((Some((one.rule, encoder.shape.path(one.slot))), broken));
            }
        }
    }
    Ok(Some(out))
}

/// The sort that a rule contracts.
pub fn rule_sort(plan: &Plan, rule: RuleId) -> Option<SortId> {
    let rule = plan.lang.rule(rule);
    match &rule.conclusion[0] {
        Form::Node(prod, _) if plan.steps.as_ref().is_some_and(|s| s.is_configuration) => {
            let args = &plan.lang.prod(*prod).args;
            args.iter().find(|s| is_tree(plan.lang, **s)).map(|s| plan.lang.base(*s))
        }
        Form::Node(prod, _) => Some(plan.lang.prod(*prod).sort),
        Form::Meta(m) => Some(plan.lang.base(rule.metas[m.index()].sort)),
        _ => None,
    }
}

/// The places of a pattern's nodes, from the root of the program.
fn pattern_places(plan: &Plan, form: &Form, path: &mut Vec<u8>, out: &mut Vec<Vec<u8>>) {
    let Form::Node(prod, args) = form else { return };
    let is_state = plan.steps.as_ref().is_some_and(|s| s.is_configuration && s.state == plan.lang.prod(*prod).sort);
    if is_state {
        args.iter().for_each(|arg| pattern_places(plan, arg, path, out));
        return;
    }
    out.push(path.clone());
    for (arg, position) in args.iter().zip(&plan.grammar.position[prod.index()]) {
        if let Some(position) = position {
            path.push(*position);
            pattern_places(plan, arg, path, out);
            path.pop();
        }
    }
}

/// Levels of a pattern.
pub fn height(form: &Form) -> u32 {
    let mut most = 0;
    form.each_child(&mut |child| most = most.max(height(child)));
    most + 1
}

fn hole_is_bound(lang: &Lang, form: &Form) -> bool {
    match form {
        Form::Node(prod, args) => args.iter().enumerate().any(|(i, arg)| {
            crate::guards::has_hole(lang, arg)
                && (lang.prod(*prod).binders_over(i).next().is_some() || hole_is_bound(lang, arg))
        }),
        _ => false,
    }
}

fn meta_is_bound(lang: &Lang, form: &Form, meta: MetaId) -> bool {
    match form {
        Form::Node(prod, args) => args.iter().enumerate().any(|(i, arg)| {
            let mut metas = Vec::new();
            arg.metas(&mut metas);
            metas.contains(&meta)
                && (lang.prod(*prod).binders_over(i).next().is_some() || meta_is_bound(lang, arg, meta))
        }),
        _ => false,
    }
}
