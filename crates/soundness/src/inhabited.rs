//! Which classes are not empty, without a model per class: a program in a class is a redex and a context, and what fits into the
//! hole of a context is independent of how the rest is filled (docs/lang.md, "Classes and guards").
//!
//! In: the classes of a check whose one premise is a judgment about one closed program, without stores. Out: for each class whether
//! some program satisfies the premise and is in it. From the root down, the tuples with which a judgment may be needed at a
//! slot are propagated through contexts and ground instances; that the other subtrees exist, and the redex, is asked of small
//! encodings of their own, one per number of slots, which all positions with that room share. Exact if contexts bind nothing and the
//! rules see trees only through judgments; otherwise nothing is said, and the caller asks for a model per class.

use crate::encoder::{BinderAt, CtxId, Encoder, EnvVal, Refs};
use crate::guards::{Class, State};
use crate::plan::Plan;
use crate::property::Setup;
use crate::query::Query;
use crate::rules::{Context, Extension, Instance, JudgmentPlan, RulePlan, Test, tree_subject};
use crate::search::{Halt, Search};
use crate::shape::{Extent, Shape, SlotId, is_tree};
use formula::Lit;
use lang::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// With which tuples a judgment about what is at a slot may be needed.
#[derive(Clone, Default, Debug)]
struct Needs {
    tuples: BTreeMap<JudgId, Vec<bool>>,
    /// Some rule does not ask at all.
    untyped: bool,
}

/// Variables bound around a subtree: their sorts, and their entries in the environment.
type Scope = Vec<(SortId, Option<u32>)>;

/// A tree of a sort with a shape, of which these judgments hold where these variables are bound.
type Wanted = (SortId, usize, Vec<(JudgId, u32)>, Scope);

/// What an instance asks of each subtree.
type Tests = FxHashMap<usize, (Vec<(JudgId, u32)>, Scope)>;

/// A rule, room, tuples of which one is needed, or none at all.
type Asked = (RuleId, u64, Vec<(JudgId, Vec<bool>)>, bool);
/// Slots that evaluation reaches, by depth, with contexts and needs.
type Pending = BTreeMap<(u32, SlotId), Vec<(Option<SortId>, Needs)>>;

/// A small encoding: everything within some room.
struct Pool<'p, 'l> {
    encoder: Encoder<'p, 'l>,
    query: Query,
    root: SlotId,
}

struct Inhabited<'s, 'a, 'l> {
    search: &'s mut Search<'a, 'l>,
    pools: FxHashMap<(SortId, u64, Vec<SortId>), Pool<'a, 'l>>,
    /// Shapes asked about, by number.
    forms: Vec<Form>,
    /// The least room in which one was found, and the largest in which none was.
    found: FxHashMap<Wanted, (Option<u64>, u64)>,
    redexes: FxHashMap<Asked, bool>,
    bound: Extent,
    /// Bodies are judged once per type, so there must not be much room for them.
    multiplies: bool,
    /// Something would have taken too long.
    gave_up: bool,
}

/// Room without end, below a horizon.
const ENDLESS: u64 = u64::MAX;
/// Room for most of what there is.
const SMALL: u64 = 15;

/// Per class whether it is inhabited; None: this argument does not apply.
pub fn non_empty(search: &mut Search, encoder: &mut Encoder, setup: &Setup) -> Result<Option<Vec<bool>>, Halt> {
    let plan = search.plan;
    let Some((judgment, meta)) = applies(search) else { return Ok(None) };
    let bound = plan.extent(plan.check.metas[meta.index()].sort);
    let mut inhabited = Inhabited {
        search,
        pools: FxHashMap::default(),
        forms: Vec::new(),
        found: FxHashMap::default(),
        redexes: FxHashMap::default(),
        bound,
        multiplies: plan.multiplies(),
        gave_up: false,
    };
    let answer = inhabited.run(encoder, setup, judgment);
    let answer = if inhabited.gave_up { Ok(None) } else { answer };
    let pools = std::mem::take(&mut inhabited.pools);
    for pool in pools.values() {
        search.finish(&pool.encoder, &pool.query)?;
    }
    answer
}

pub fn applies(search: &Search) -> Option<(JudgId, MetaId)> {
    let plan = search.plan;
    let (lang, check) = (plan.lang, plan.check);
    let steps = plan.steps.as_ref()?;
    let mut premises = check
        .premises
        .iter()
        .filter(|l| !matches!(&l.premise, Premise::Judgment(j, _) if lang.judgment(*j).reduction.is_some()));
    let (Some(premise), None) = (premises.next(), premises.next()) else { return None };
    let Premise::Judgment(judgment, forms) = &premise.premise else { return None };
    let of = plan.rules.judgments.get(judgment)?;
    let Form::Meta(meta) = forms[of.subject] else { return None };
    let closed = of.envs.iter().all(|e| {
        let env = plan.rules.envs.get(&lang.judgment(*judgment).args[*e]);
        env.is_some_and(|p| p.by_pointer && matches!(forms[*e], Form::Node(prod, _) if prod == p.empty))
    });
    let mut outs: Vec<&Form> = of.outs.iter().map(|(i, _)| &forms[*i]).collect();
    let free = outs.iter().all(|f| matches!(f, Form::Meta(_)));
    outs.dedup();
    let sort = check.metas[meta.index()].sort;
    let fits = closed
        && free
        && outs.len() == of.outs.len()
        && !steps.is_configuration
        && lang.base(sort) == sort
        && plan.extent(sort).size.is_none()
        && plan.is_local(*judgment)
        // There, what is needed of a subtree is several tuples at once.
        && plan.reach(*judgment).iter().all(|j| plan.rules.judgments.get(j).is_none_or(|p| p.layers.is_none()))
        && !search.contexts_bind()
        && steps.congruences.is_empty();
    fits.then_some((*judgment, meta))
}

impl<'a, 'l> Inhabited<'_, 'a, 'l> {
    fn run(&mut self, encoder: &mut Encoder, setup: &Setup, judgment: JudgId) -> Result<Option<Vec<bool>>, Halt> {
        let plan = self.search.plan;
        let lang = plan.lang;
        let (Some(steps), Some(state)) = (&plan.steps, &setup.state) else { return Ok(None) };
        let Some(root) = encoder.slot_of(state.root) else { return Ok(None) };
        let mut pending: Pending = BTreeMap::new();
        let mut first = Needs::default();
        first.tuples.insert(judgment, vec![true; plan.rules.judgments[&judgment].width]);
        pending.insert((1, root), vec![(steps.contexts, first)]);
        let mut holes: FxHashMap<SlotId, Needs> = FxHashMap::default();
        let mut room: FxHashMap<SlotId, u64> = FxHashMap::default();
        while let Some(((_, slot), mut list)) = pending.pop_first() {
            let mut next = 0;
            while next < list.len() {
                let (context, needs) = list[next].clone();
                next += 1;
                let Some(context) = context else {
                    merge(holes.entry(slot).or_default(), &needs);
                    continue;
                };
                let SortKind::Context { alts, .. } = &lang.sort(context).kind else { continue };
                for alt in alts {
                    match &alt.form {
                        Form::Hole(_) => merge(holes.entry(slot).or_default(), &needs),
                        Form::Any(inner) => add(&mut list, Some(*inner), &needs),
                        Form::Node(prod, forms) => {
                            let at = forms.iter().position(|f| crate::guards::has_hole(lang, f));
                            let Some(at) = at else { continue };
                            let inner = match &forms[at] {
                                Form::Any(c) => Some(*c),
                                Form::Hole(_) => None,
                                // A hole further down: not taken apart here.
                                Form::Node(..) => return Ok(None),
                                _ => continue,
                            };
                            let Some(kids) = kids(encoder, &mut room, slot, *prod) else { continue };
                            let Some(below) = self.through(*prod, forms, at, &needs, &kids)? else {
                                return Ok(None);
                            };
                            let Some((kid, _)) = kids[at] else { continue };
                            if below.untyped || !below.tuples.is_empty() {
                                let depth = encoder.shape.get(kid).depth;
                                add(pending.entry((depth, kid)).or_default(), inner, &below);
                            }
                        }
                        _ => continue,
                    }
                }
            }
        }
        let mut answers = Vec::new();
        for class in &setup.classes {
            let Some(needs) = holes.get(&class.slot) else {
                answers.push(false);
                continue;
            };
            let size = measure(&mut encoder.shape, plan, &mut room, class.slot);
            answers.push(self.redex(class, size, needs)?);
        }
        Ok(Some(answers))
    }

    /// What is needed of the subtree in the hole of a frame; None: beyond this argument.
    fn through(
        &mut self,
        prod: ProdId,
        forms: &[Form],
        at: usize,
        needs: &Needs,
        kids: &[Option<(SlotId, u64)>],
    ) -> Result<Option<Needs>, Halt> {
        let plan = self.search.plan;
        let lang = plan.lang;
        let field_sorts: Vec<SortId> =
            lang.prod(prod).args.iter().copied().filter(|s| crate::tables::is_finite(lang, *s)).collect();
        let mut below = Needs::default();
        if needs.untyped && self.siblings(prod, forms, at, &Tests::default(), kids)? {
            below.untyped = true;
        }
        for (judgment, wanted) in &needs.tuples {
            let of = &plan.rules.judgments[judgment];
            let derived = derived(of, wanted);
            for prepared in &of.rules {
                let subject = match &lang.rule(prepared.rule).conclusion[of.subject] {
                    Form::Node(p, args) if *p == prod => args,
                    Form::Node(..) => continue,
                    _ if of.closure_rules.iter().any(|(r, _)| *r == prepared.rule) => continue,
                    // Another rule about any subject.
                    _ => return Ok(None),
                };
                for instance in prepared.instances.iter().filter(|i| derived[i.out as usize]) {
                    let Some(mut tests) = self.tests_below(prod, subject, prepared, instance) else { return Ok(None) };
                    if !has_fields(plan, &field_sorts, prepared, instance) {
                        continue;
                    }
                    let hole = tests.remove(&at).unwrap_or_default().0;
                    let is_known = match hole[..] {
                        [] => below.untyped,
                        [(j, t)] => below.tuples.get(&j).is_some_and(|s| s[t as usize]),
                        _ => return Ok(None),
                    };
                    if is_known || !self.siblings(prod, forms, at, &tests, kids)? {
                        continue;
                    }
                    match hole[..] {
                        [(j, t)] => {
                            let width = plan.rules.judgments[&j].width;
                            below.tuples.entry(j).or_insert_with(|| vec![false; width])[t as usize] = true;
                        }
                        _ => below.untyped = true,
                    }
                }
            }
        }
        Ok(Some(below))
    }

    /// What an instance of a rule asks of the subtrees of its subject; None: beyond this argument.
    fn tests_below(&self, prod: ProdId, subject: &[Form], prepared: &RulePlan, instance: &Instance) -> Option<Tests> {
        let lang = self.search.plan.lang;
        let mut tests = Tests::default();
        for &(test, value) in &instance.tests {
            let (premise, contexts) = match &prepared.tests[test as usize] {
                Test::Field(_) => continue,
                Test::Premise { premise, contexts } => (*premise, contexts),
                Test::Entry { .. } | Test::InDomain { .. } => return None,
            };
            let Premise::Judgment(j, args) = &lang.rule(prepared.rule).premises[premise].premise else { return None };
            let about = tree_subject(lang, *j).map(|s| &args[s]);
            let arg = subject.iter().position(|a| Some(a) == about)?;
            let scope = self.scope(prod, arg, subject, contexts, prepared, instance)?;
            let known = tests.entry(arg).or_insert_with(|| (Vec::new(), scope.clone()));
            if known.1 != scope {
                return None;
            }
            known.0.push((*j, value));
        }
        Some(tests)
    }

    /// Whether the other subtrees of a frame exist, with these judgments.
    fn siblings(
        &mut self,
        prod: ProdId,
        forms: &[Form],
        at: usize,
        tests: &Tests,
        kids: &[Option<(SlotId, u64)>],
    ) -> Result<bool, Halt> {
        let plan = self.search.plan;
        for (arg, form) in forms.iter().enumerate() {
            let Some((_, room)) = kids[arg].filter(|_| arg != at) else { continue };
            let sort = plan.lang.base(plan.lang.prod(prod).args[arg]);
            let number = match self.forms.iter().position(|f| f == form) {
                Some(n) => n,
                None => {
                    self.forms.push(form.clone());
                    self.forms.len() - 1
                }
            };
            let production = plan.lang.prod(prod);
            let unasked = || production.binders_over(arg).map(|b| (production.args[b.var], None)).collect();
            let (mut judgments, scope) = tests.get(&arg).cloned().unwrap_or_else(|| (Vec::new(), unasked()));
            judgments.sort();
            judgments.dedup();
            if !self.exists((sort, number, judgments, scope), room)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a closed tree exists within some room. More room never hurts.
    fn exists(&mut self, wanted: Wanted, room: u64) -> Result<bool, Halt> {
        let mut known = self.found.get(&wanted).copied().unwrap_or((None, 0));
        if known.0.is_none_or(|l| l > room) && known.1 < room {
            for step in ladder(self.search.plan, self.bound, room) {
                if step <= known.1 || known.0.is_some_and(|l| step >= l) {
                    continue;
                }
                if self.multiplies && step > SMALL {
                    self.gave_up = true;
                    break;
                }
                // Below a horizon anything goes: if not even then, never.
                if known.1 > 0 && known.0.is_none() && step > SMALL && !self.ask(&wanted, ENDLESS)? {
                    known.1 = ENDLESS;
                    break;
                }
                if self.ask(&wanted, step)? {
                    known.0 = Some(step);
                    break;
                }
                known.1 = step;
            }
        }
        self.found.insert(wanted, known);
        Ok(known.0.is_some_and(|l| l <= room))
    }

    fn ask(&mut self, wanted: &Wanted, room: u64) -> Result<bool, Halt> {
        let form = self.forms[wanted.1].clone();
        let pool = self.pool(wanted.0, room, &wanted.3);
        let tree = pool.encoder.at_slot(pool.root);
        let ctx = contexts(&mut pool.encoder, &wanted.2, &wanted.3);
        let mut all = vec![pool.encoder.shape_matches(tree, &form)];
        for ((judgment, value), ctx) in wanted.2.iter().zip(ctx) {
            let row = pool.encoder.judge(*judgment, tree, ctx);
            all.push(row[*value as usize]);
        }
        pool.query.is_possible(&pool.encoder.graph, &all, None).map_err(Search::halted)
    }

    /// Whether a rule has a redex at a slot with this room and these needs.
    fn redex(&mut self, class: &Class, room: u64, needs: &Needs) -> Result<bool, Halt> {
        let tuples: Vec<(JudgId, Vec<bool>)> = needs.tuples.iter().map(|(j, t)| (*j, t.clone())).collect();
        let plan = self.search.plan;
        let Some(sort) = crate::search::rule_sort(plan, class.rule) else { return Ok(false) };
        // In little room first, then whether there is any hope at all.
        let mut rooms = ladder(plan, self.bound, room);
        if let Some(large) = rooms.iter().position(|r| *r > SMALL) {
            rooms.insert(large, ENDLESS);
        }
        for step in rooms {
            if self.multiplies && step > SMALL {
                self.gave_up = true;
                return Ok(false);
            }
            let key = (class.rule, step, tuples.clone(), needs.untyped);
            let found = match self.redexes.get(&key) {
                Some(known) => *known,
                None => {
                    let found = self.ask_redex(class.rule, sort, step, needs)?;
                    self.redexes.insert(key, found);
                    found
                }
            };
            if (step == ENDLESS) != found {
                return Ok(found);
            }
        }
        Ok(false)
    }

    fn ask_redex(&mut self, rule: RuleId, sort: SortId, room: u64, needs: &Needs) -> Result<bool, Halt> {
        let pool = self.pool(sort, room, &Scope::new());
        let tree = pool.encoder.at_slot(pool.root);
        let state = State { root: tree, stores: Vec::new(), prod: None };
        let mut classes = Vec::new();
        pool.encoder.classes_at(&state, pool.root, sort, Lit::TRUE, &mut classes);
        let Some(class) = classes.into_iter().find(|c| c.rule == rule) else { return Ok(false) };
        let mut some = Vec::new();
        for (judgment, tuples) in &needs.tuples {
            let ctx = contexts(&mut pool.encoder, &[(*judgment, 0)], &Scope::new())[0];
            let row = pool.encoder.judge(*judgment, tree, ctx);
            some.extend(tuples.iter().zip(row.iter()).filter(|(t, _)| **t).map(|(_, l)| *l));
        }
        let some = if needs.untyped { None } else { Some(&some[..]) };
        pool.query.is_possible(&pool.encoder.graph, &[class.guard], some).map_err(Search::halted)
    }

    fn pool(&mut self, sort: SortId, room: u64, scope: &Scope) -> &mut Pool<'a, 'l> {
        let search = &self.search;
        let bound = self.bound;
        let vars: Vec<SortId> = scope.iter().map(|(v, _)| *v).collect();
        self.pools.entry((sort, room, vars)).or_insert_with(|| {
            let mut encoder = search.encoder();
            let none = Extent { nodes: None, height: None, size: None, horizon: None };
            let extent = match room {
                ENDLESS => Extent { horizon: Some(3), ..none },
                _ if bound.nodes.is_some() => Extent { nodes: Some(room), ..none },
                _ => Extent { height: Some(room as u32), ..none },
            };
            let root = encoder.root(sort, extent);
            let free = free_variables(&mut encoder, scope);
            encoder.free.insert(root, free);
            Pool { encoder, query: search.query(), root }
        })
    }

    /// The variables bound around a subtree in a premise; None: environments that are built otherwise.
    fn scope(
        &self,
        prod: ProdId,
        arg: usize,
        subject: &[Form],
        contexts: &[Context],
        prepared: &RulePlan,
        instance: &Instance,
    ) -> Option<Scope> {
        let plan = self.search.plan;
        let lang = plan.lang;
        let production = lang.prod(prod);
        let mut scope = Scope::new();
        for binder in production.binders_over(arg) {
            let Form::Meta(x) = &subject[binder.var] else { return None };
            let extension = contexts.iter().flat_map(|c| &c.extensions).find(|e| match e {
                Extension::Annotated(m) | Extension::Variable(m, _) => m == x,
                Extension::Key(..) => false,
            });
            let entry = match extension {
                None | Some(Extension::Variable(_, None)) => None,
                Some(Extension::Variable(_, Some(fields))) => Some(*fields),
                Some(Extension::Annotated(_)) => {
                    let (mut values, mut sizes) = (Vec::new(), Vec::new());
                    for &field in plan.rules.annotations.get(&(prod, binder.var))? {
                        let is_field = |s: &&SortId| crate::tables::is_finite(lang, **s);
                        let number = production.args[..field].iter().filter(is_field).count();
                        let test = prepared.tests.iter().position(|t| *t == Test::Field(number))?;
                        values.push(instance.tests.iter().find(|(t, _)| *t as usize == test)?.1);
                        sizes.push(plan.finite.of(lang, production.args[field]).len());
                    }
                    Some(crate::rules::tuple(&values, &sizes))
                }
                Some(Extension::Key(..)) => return None,
            };
            scope.push((production.args[binder.var], entry));
        }
        let is_key = |e: &Extension| matches!(e, Extension::Key(..));
        let plain = contexts.iter().all(|c| c.env.is_some() && !c.extensions.iter().any(is_key));
        plain.then_some(scope)
    }
}

/// The tuples from which one of these follows by rules about the same subject.
fn derived(of: &JudgmentPlan, wanted: &[bool]) -> Vec<bool> {
    let Some(closure) = &of.closure else { return wanted.to_vec() };
    let mut derived = vec![false; of.width];
    for (_, from) in closure.iter().enumerate().filter(|(to, _)| wanted[*to]) {
        from.iter().for_each(|f| derived[*f as usize] = true);
    }
    derived
}

/// Whether the fields that an instance asks for are among those that programs have at first.
fn has_fields(plan: &Plan, sorts: &[SortId], prepared: &RulePlan, instance: &Instance) -> bool {
    instance.tests.iter().all(|&(test, value)| match prepared.tests[test as usize] {
        Test::Field(k) => (value as usize) < plan.finite.of(plan.lang, sorts[k]).before,
        _ => true,
    })
}

fn free_variables(encoder: &mut Encoder, scope: &Scope) -> Refs {
    let keys = scope.iter().enumerate().map(|(i, (var, _))| BinderAt::Free(i as u32, *var));
    keys.collect::<Vec<_>>().into_iter().map(|at| (encoder.binder(at), Lit::TRUE)).collect()
}

/// The contexts of judgments about a tree in which these variables are free.
fn contexts(encoder: &mut Encoder, judgments: &[(JudgId, u32)], scope: &Scope) -> Vec<CtxId> {
    let plan = encoder.plan;
    let free = free_variables(encoder, scope);
    let mut out = Vec::new();
    for (judgment, _) in judgments {
        let args = &plan.lang.judgment(*judgment).args;
        let mut envs = Vec::new();
        for e in &plan.rules.judgments[judgment].envs {
            let env = &plan.rules.envs[&args[*e]];
            let mut overrides = Vec::new();
            for ((key, _), (var, entry)) in free.iter().zip(scope) {
                if *var == env.key {
                    overrides.push((*key, entry.map(|f| encoder.constant(f as usize, env.width))));
                }
            }
            overrides.sort_by_key(|(k, _)| *k);
            envs.push(encoder.env(EnvVal::Pointer(overrides)));
        }
        out.push(encoder.ctx(envs));
    }
    out
}

/// Rooms of complete trees, and the room itself.
fn ladder(plan: &Plan, bound: Extent, room: u64) -> Vec<u64> {
    let mut steps = Vec::new();
    let mut step = 1u64;
    while step < room {
        steps.push(step);
        step = match bound.nodes {
            Some(_) => step.saturating_mul(plan.grammar.branching as u64).saturating_add(1),
            None => step + 1,
        };
    }
    steps.push(room);
    steps
}

/// How much room the tree at a slot has: slots, or levels.
fn measure(shape: &mut Shape, plan: &Plan, room: &mut FxHashMap<SlotId, u64>, slot: SlotId) -> u64 {
    if let Some(known) = room.get(&slot) {
        return *known;
    }
    let bound = shape.extent_of(slot);
    let count = match (bound.nodes, bound.height) {
        (Some(nodes), None) => {
            // Level by level: the first place below the slot, and how many there are.
            let branching = plan.grammar.branching as u64;
            let (mut from, mut width, mut count) = (shape.get(slot).place, 1u64, 0u64);
            while from < nodes {
                count += width.min(nodes - from);
                from = from.saturating_mul(branching).saturating_add(1);
                width = width.saturating_mul(branching);
            }
            count
        }
        (_, Some(height)) => u64::from(height + 1 - shape.get(slot).depth),
        (None, None) => 0,
    };
    room.insert(slot, count);
    count
}

/// The slots of a production's subtrees with their room; None if there is no room for one.
#[allow(clippy::type_complexity)]
fn kids(
    encoder: &mut Encoder,
    room: &mut FxHashMap<SlotId, u64>,
    slot: SlotId,
    prod: ProdId,
) -> Option<Vec<Option<(SlotId, u64)>>> {
    let plan = encoder.plan;
    let production = plan.lang.prod(prod);
    let mut out = Vec::new();
    for (arg, sort) in production.args.iter().enumerate() {
        if !is_tree(plan.lang, *sort) || production.is_binder(arg) {
            out.push(None);
            continue;
        }
        let kid = encoder.slot_kid(slot, plan.grammar.position[prod.index()][arg]?)?;
        out.push(Some((kid, measure(&mut encoder.shape, plan, room, kid))));
    }
    Some(out)
}

fn merge(into: &mut Needs, needs: &Needs) {
    into.untyped |= needs.untyped;
    for (judgment, tuples) in &needs.tuples {
        let known = into.tuples.entry(*judgment).or_insert_with(|| vec![false; tuples.len()]);
        known.iter_mut().zip(tuples).for_each(|(k, t)| *k |= *t);
    }
}

fn add(list: &mut Vec<(Option<SortId>, Needs)>, context: Option<SortId>, needs: &Needs) {
    match list.iter_mut().find(|(c, _)| *c == context) {
        Some((_, known)) => merge(known, needs),
        None => list.push((context, needs.clone())),
    }
}
