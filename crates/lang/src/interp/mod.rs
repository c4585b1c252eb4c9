//! The concrete interpreter: the meaning of a definition, run on trees. The least relations closed under the rules, by tabled search.
//!
//! In: a definition. Out: for a judgment and what is known of its arguments, every derivable tuple; every step of a term; derivations.
//! It shares with the encoding only the definition, terms and finite domains, and is the oracle for it.
//!
//! Readings. *Plain* is the meaning of a check: types that the rules determine are not bounded, and only what a rule leaves free comes
//! from the bound of its sort; a type with such a part in it is within the bound as a whole. *Open* is the same with free types one level
//! deeper, for conclusions, which are judged without a bound. *Strict*: types live in the finite domain D, as in the encoding; a rule
//! instance with a type outside does not exist, and is counted as clipped. Integers are bounded in none (docs/lang.md, "What a verdict
//! means").

mod bindings;
mod build;
pub mod clause;
mod derive;
mod fault;
mod growth;
mod matching;
mod miss;
pub mod plan;
mod premise;
mod step;
mod table;

pub use bindings::{Args, Bindings, OPEN, mask_of};
pub use derive::{Derivation, Support};
pub use fault::{Fault, Limit};
pub use growth::Builders;
pub use miss::{Miss, Reason};
pub use step::Step;
pub use table::Answer;

use crate::definition::*;
use crate::term::{TermId, Terms};
use crate::universe::{DEFAULT_DEPTH, Universe};
use clause::Clause;
use plan::Modes;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;
use work::Stop;

/// How types that leave the finite domain are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Unbounded where the rules determine them, else of the domain.
    Plain,
    /// Plain, in the deeper domain.
    Open,
    /// Of the domain.
    Strict,
    /// Strict, in the deeper domain.
    Wide,
}

impl Reading {
    /// Whether types that the rules determine may leave the domain.
    pub fn is_open(self) -> bool {
        matches!(self, Reading::Plain | Reading::Open)
    }

    fn is_deeper(self) -> bool {
        matches!(self, Reading::Open | Reading::Wide)
    }
}

/// The deeper domain of the open reading is taken only if it is small: guessing multiplies.
const MOST_GUESSES: usize = 200;

/// One reading with everything found in it.
struct World {
    reading: Reading,
    universe: Universe,
    /// What a type with free variables is measured by.
    bounds: Vec<Bound>,
    tables: table::Tables,
    last_steps: Option<(JudgId, TermId, table::Answers)>,
    search: derive::Search,
    functions: FxHashMap<(FunId, Args), Option<TermId>>,
    /// Per rule: instances that do not exist only because a type is outside the domain.
    clipped: Vec<u64>,
    /// A type has grown beyond measure where types are not bounded: what was found since is not all there is.
    overgrown: Option<Limit>,
    /// Per rule: an instance does not exist because a variable would leave the scope of its binder.
    escaped: Vec<bool>,
    /// Per rule: the conclusion of its first instance.
    first: Vec<Option<Args>>,
    /// Alternatives of contexts in which something stepped.
    contexts: Vec<(SortId, usize)>,
}

/// What is compiled once per definition.
pub(crate) struct Code {
    pub(crate) rules: Vec<Clause>,
    equations: Vec<Vec<Clause>>,
    /// Conditions of equations, after their left sides matched.
    conditions: Vec<Vec<Result<plan::Plan, MetaId>>>,
    pub(crate) modes: Modes,
    /// All `var` sorts.
    pub(crate) vars: Vec<SortId>,
    /// Rules per judgment.
    pub(crate) of_judgment: Vec<Vec<RuleId>>,
    /// Reductions none of whose premises leads back to them.
    is_plain: Vec<bool>,
    /// Rules that make a larger type of one that the same judgment gives the same subject: there is no end to what they determine, so
    /// it counts as left free.
    grows: Vec<bool>,
}

pub struct Interp<'l> {
    pub lang: &'l Lang,
    pub terms: Terms<'l>,
    pub stop: Stop,
    /// Instances of rules that may still be looked at.
    pub(crate) work_left: u64,
    check: Option<&'l Check>,
    pub(crate) code: Rc<Code>,
    worlds: Vec<World>,
    current: usize,
    /// Types beyond the bounds that every domain has.
    admitted: Vec<TermId>,
    /// Calls of functions within each other.
    calls: Vec<(FunId, Args)>,
    deepest: (usize, usize),
    ticks: u32,
}

impl<'l> Interp<'l> {
    /// For the bounds of a check, or those of the language alone.
    pub fn new(lang: &'l Lang, check: Option<&'l Check>, reading: Reading) -> Result<Interp<'l>, Fault> {
        let mut terms = Terms::new(lang);
        let rules: Vec<Clause> = lang.rule_ids().map(|id| Clause::of_rule(id, lang.rule(id))).collect();
        let modes = Modes::new(lang, &rules);
        let equations: Vec<Vec<Clause>> =
            lang.funs.iter().map(|fun| fun.equations.iter().map(equation).collect()).collect();
        let conditions = equations
            .iter()
            .map(|clauses| {
                clauses
                    .iter()
                    .map(|c| {
                        let mask = (1u32 << (c.heads.len() - 1).min(31)) - 1;
                        plan::plan(lang, c, mask, vec![false; c.metas.len()], &modes)
                    })
                    .collect()
            })
            .collect();
        let vars = lang.sort_ids().filter(|s| lang.sort(*s).kind == SortKind::Var).collect();
        let of_judgment =
            (0..lang.judgments.len()).map(|j| lang.rules_of(JudgId(j as u32)).map(|(id, _)| id).collect()).collect();
        let is_plain = plain_reductions(lang);
        let grows = lang.rules.iter().map(|rule| grows(lang, rule)).collect();
        let world = World::build(&mut terms, check, reading)?;
        Ok(Interp {
            lang,
            terms,
            stop: Stop::default(),
            work_left: u64::MAX,
            check,
            code: Rc::new(Code { rules, equations, conditions, modes, vars, of_judgment, is_plain, grows }),
            worlds: vec![world],
            current: 0,
            admitted: Vec::new(),
            calls: Vec::new(),
            deepest: deepest(),
            ticks: 0,
        })
    }

    fn world(&mut self) -> &mut World {
        &mut self.worlds[self.current]
    }

    pub fn universe(&self) -> &Universe {
        &self.worlds[self.current].universe
    }

    pub fn modes(&self) -> &Modes {
        &self.code.modes
    }

    /// Asks a question in the other reading, on the same terms.
    pub fn in_reading<R>(
        &mut self,
        reading: Reading,
        ask: impl FnOnce(&mut Interp<'l>) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        let before = self.current;
        self.current = match self.worlds.iter().position(|w| w.reading == reading) {
            Some(found) => found,
            None => {
                let mut world = World::build(&mut self.terms, self.check, reading)?;
                world.admit(&self.terms, &self.admitted);
                self.worlds.push(world);
                self.worlds.len() - 1
            }
        };
        let answer = ask(self);
        self.current = before;
        answer
    }

    /// Widens the domains of every reading by these types and their parts. What was found in narrower ones is forgotten.
    pub fn admit(&mut self, types: &[TermId]) {
        if types.iter().all(|ty| self.admitted.contains(ty)) {
            return;
        }
        let mut all = types.to_vec();
        let mut at = 0;
        while at < all.len() {
            let parts = self.terms.node(all[at]).map_or(Vec::new(), |(_, args)| args.to_vec());
            all.extend(parts.into_iter().filter(|part| self.terms.node(*part).is_some()));
            at += 1;
        }
        self.worlds.iter_mut().for_each(|world| world.admit(&self.terms, &all));
        self.admitted = all;
    }

    /// All derivable argument tuples that extend the given ones.
    pub fn solve(&mut self, judgment: JudgId, args: &[Option<TermId>]) -> Result<Vec<Args>, Fault> {
        let args: Args = args.iter().map(|arg| arg.unwrap_or(OPEN)).collect();
        let answers = self.answers(judgment, &args)?;
        Ok(answers.iter().map(|answer| answer.args.clone()).collect())
    }

    /// Whether a judgment is derivable for ground arguments.
    pub fn holds(&mut self, judgment: JudgId, args: &[TermId]) -> Result<bool, Fault> {
        Ok(!self.answers(judgment, &Args::from_slice(args))?.is_empty())
    }

    /// The rules that leave a type free where the premises of a check are derived: it is taken from the bound of its sort.
    pub fn guessing(&self, check: &Check) -> Vec<RuleId> {
        let mut pending: Vec<(JudgId, u32)> = Vec::new();
        for located in &check.premises {
            if let Premise::Judgment(judgment, _) = located.premise {
                let sorts = self.lang.judgment(judgment).args.iter().enumerate();
                let known = sorts.filter(|(_, sort)| !clause::is_type(self.lang, **sort));
                pending.push((judgment, known.fold(0, |mask, (i, _)| mask | 1 << i)));
            }
        }
        let (mut seen, mut found) = (Vec::new(), Vec::new());
        while let Some((judgment, mask)) = pending.pop() {
            let Some(mode) = self.code.modes.get(judgment, mask).filter(|mode| mode.runs) else { continue };
            if seen.contains(&(judgment, mask)) {
                continue;
            }
            seen.push((judgment, mask));
            for (rule, plan) in &mode.plans {
                let clause = &self.code.rules[rule.index()];
                let mut guesses = self.code.grows[rule.index()];
                for step in &plan.steps {
                    match step {
                        plan::Step::Guess(meta) => {
                            guesses |= clause::is_type(self.lang, clause.metas[meta.index()].sort)
                        }
                        plan::Step::Premise(premise, mask) => {
                            if let Premise::Judgment(callee, _) = clause.premises[*premise] {
                                pending.push((callee, *mask));
                            }
                        }
                        plan::Step::Match(_) | plan::Step::Confirm(_) => {}
                    }
                }
                if guesses && !found.contains(rule) {
                    found.push(*rule);
                }
            }
        }
        found.sort();
        found
    }

    /// Per rule, how many instances the finite domain clipped so far.
    pub fn clipped(&self) -> &[u64] {
        &self.worlds[self.current].clipped
    }

    /// The rules of which some instance does not exist, because a variable would leave the scope of its binder.
    pub fn escaped(&self) -> Vec<RuleId> {
        let has_escaped = |rule: &RuleId| self.worlds.iter().any(|world| world.escaped[rule.index()]);
        self.lang.rule_ids().filter(has_escaped).collect()
    }

    /// Per rule, the conclusion of the first instance that was found.
    pub fn first_instances(&self) -> &[Option<Args>] {
        &self.worlds[self.current].first
    }

    /// The alternatives of contexts in which something has stepped.
    pub fn contexts_used(&self) -> &[(SortId, usize)] {
        &self.worlds[self.current].contexts
    }

    /// Whether a type is in the finite domain; one with free variables is, if its measure is.
    pub fn in_domain(&self, sort: SortId, term: TermId) -> bool {
        let world = &self.worlds[self.current];
        if world.universe.contains(sort, term) {
            return true;
        }
        (self.terms.has_free(term) || self.terms.has_loose(term))
            && match world.bounds[sort.index()] {
                Bound::Size(n) => self.terms.size(term) <= n,
                Bound::Depth(n) | Bound::Height(n) | Bound::Nodes(n) | Bound::Count(n) => self.terms.height(term) <= n,
                Bound::Range(_, hi) => self.terms.height(term) as i64 <= hi,
            }
    }

    /// The first levels that occur in none of these trees, per `var` sort.
    pub(crate) fn fresh_levels(&self, trees: &[TermId]) -> SmallVec<[u32; 2]> {
        let level = |sort: &SortId| {
            trees.iter().filter(|t| **t != OPEN).map(|t| self.terms.free_level(*t, *sort)).max().unwrap_or(0)
        };
        self.code.vars.iter().map(level).collect()
    }

    /// So many instances more were looked at.
    pub(crate) fn spend(&mut self, instances: usize) -> Result<(), Fault> {
        self.work_left = self.work_left.checked_sub(instances as u64).ok_or(Fault::Stopped)?;
        Ok(())
    }

    pub(crate) fn tick(&mut self) -> Result<(), Fault> {
        self.ticks += 1;
        if self.ticks & 1023 == 0 && self.stop.is_due() {
            return Err(Fault::Stopped);
        }
        Ok(())
    }
}

/// Per judgment, whether it is a reduction none of whose premises leads back to it. Functions may ask judgments: then none is.
fn plain_reductions(lang: &Lang) -> Vec<bool> {
    fn called(premise: &Premise, out: &mut Vec<usize>) {
        match premise {
            Premise::Judgment(judgment, _) | Premise::Steps(judgment, _) => out.push(judgment.index()),
            Premise::Forall { body, .. } => called(body, out),
            Premise::Not(inner) => called(inner, out),
            _ => {}
        }
    }
    let mut calls = vec![Vec::new(); lang.judgments.len()];
    for rule in &lang.rules {
        rule.premises.iter().for_each(|p| called(&p.premise, &mut calls[rule.judgment.index()]));
    }
    let mut asked = Vec::new();
    lang.funs
        .iter()
        .flat_map(|f| &f.equations)
        .flat_map(|e| &e.conditions)
        .for_each(|c| called(&c.premise, &mut asked));
    let leads_back = |from: usize| {
        let mut reached = calls[from].clone();
        let mut at = 0;
        while at < reached.len() {
            for next in &calls[reached[at]] {
                if !reached.contains(next) {
                    reached.push(*next);
                }
            }
            at += 1;
        }
        reached.contains(&from)
    };
    let is_plain = |j: usize| asked.is_empty() && lang.judgments[j].reduction.is_some() && !leads_back(j);
    (0..lang.judgments.len()).map(is_plain).collect()
}

/// Whether a rule puts a type together of what its own judgment says of its own subject.
pub(crate) fn grows(lang: &Lang, rule: &Rule) -> bool {
    let Some(subject) = lang.judgment(rule.judgment).subject else { return false };
    let is_own = |p: &Located| matches!(&p.premise, Premise::Judgment(j, forms) if *j == rule.judgment && forms[subject] == rule.conclusion[subject]);
    let sorts = &lang.judgment(rule.judgment).args;
    let builds = rule.conclusion.iter().zip(sorts).any(|(form, sort)| {
        let mut metas = Vec::new();
        form.metas(&mut metas);
        clause::is_type(lang, *sort) && matches!(form, Form::Node(..)) && !metas.is_empty()
    });
    matches!(rule.conclusion[subject], Form::Meta(_)) && builds && rule.premises.iter().any(is_own)
}

/// The right side is a head like the left ones, so that planning knows what it needs.
fn equation(equation: &Equation) -> Clause {
    let heads: Vec<Form> = equation.left.iter().cloned().chain([equation.right.clone()]).collect();
    Clause::new(None, &equation.metas, &heads, equation.conditions.iter().map(|c| &c.premise))
}

impl World {
    fn build(terms: &mut Terms, check: Option<&Check>, reading: Reading) -> Result<World, Fault> {
        let lang = terms.lang;
        let mut deeper = 0;
        let mut universe = Universe::build(terms, check, 0).map_err(|e| Fault::Limit(Limit::Universe(e)))?;
        if reading.is_deeper()
            && let Ok(found) = Universe::build(terms, check, 1)
            && lang.sort_ids().all(|s| found.members(s).len() <= MOST_GUESSES.max(universe.members(s).len()))
        {
            (universe, deeper) = (found, 1);
        }
        let bounds = lang.sort_ids().map(|s| {
            match lang.bound(check, s).or(lang.bound(check, lang.base(s))).unwrap_or(Bound::Depth(DEFAULT_DEPTH)) {
                Bound::Size(n) => Bound::Size(n + deeper),
                Bound::Depth(n) => Bound::Depth(n + deeper),
                bound => bound,
            }
        });
        Ok(World {
            reading,
            universe,
            bounds: bounds.collect(),
            tables: table::Tables::default(),
            last_steps: None,
            search: derive::Search::default(),
            functions: FxHashMap::default(),
            clipped: vec![0; lang.rules.len()],
            overgrown: None,
            escaped: vec![false; lang.rules.len()],
            first: vec![None; lang.rules.len()],
            contexts: Vec::new(),
        })
    }
}

impl World {
    fn admit(&mut self, terms: &Terms, types: &[TermId]) {
        for term in types {
            if let Some((prod, _)) = terms.node(*term) {
                self.universe.admit(terms.lang.prod(prod).sort, *term);
            }
        }
        self.tables = table::Tables::default();
        self.search = derive::Search::default();
        self.last_steps = None;
    }
}

/// Room for as many calls as are made on a large stack.
const ENOUGH: usize = 256 << 20;

/// How deep calls may go on this thread: (judgments, functions).
fn deepest() -> (usize, usize) {
    if work::room() >= ENOUGH { (4_000, 2_000) } else { (60, 60) }
}
