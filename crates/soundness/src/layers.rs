//! Rules about the very subject of their premises, where one premise is not enough (docs/lang.md, "Layers"): `Γ ⊢ t : T1` and `Γ ⊢ t : T2`
//! give `Γ ⊢ t : T1 & T2`.
//!
//! At one slot such rules are Horn clauses over tuples. Those with one premise and no other condition are edges, closed once and for all
//! (`rules`); the others are applied in layers, each followed by the closure. How many layers are needed, and which tuples a layer may
//! add, is asked of the solver before any slot is looked at: for which tuples is there *any* first layer, and any truth of the
//! other conditions, such that one more layer adds them? With none left, the formula of the last layer is the least fixpoint whatever the
//! slot is, so both "only if" and "if" hold. A bound by counting would be the number of tuples.
//!
//! Not carried: circles through several judgments, and through other environments (`Rules::check_cycles`).

use crate::NotCarried;
use crate::query::{Found, Query, Reader};
use crate::rules::{Clause, Instance, JudgmentPlan, Layered, Layers, RulePlan, Test};
use formula::{Graph, Lit};
use lang::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

impl Layered {
    /// If the rule has premises that are its own judgment, in the same environments, of the same subject.
    pub fn of(lang: &Lang, plan: &JudgmentPlan, rule: &Rule, prepared: &RulePlan, index: usize) -> Option<Layered> {
        let own: Vec<bool> = prepared.tests.iter().map(|t| is_own(plan, rule, t)).collect();
        if !own.contains(&true) {
            return None;
        }
        let Form::Meta(t) = rule.conclusion[plan.subject] else { return None };
        let sort = rule.metas[t.index()].sort;
        let is_plain = prepared.fixed.is_empty() && lang.base(sort) == sort && own.iter().all(|o| *o);
        Some(Layered { index, own, is_plain })
    }

    pub fn clause(&self, instance: &Instance) -> Clause {
        let tests = instance.tests.iter().filter(|(test, _)| self.own[*test as usize]);
        let mut body: SmallVec<[u32; 2]> = tests.map(|(_, value)| *value).collect();
        body.sort_unstable();
        body.dedup();
        Clause { body, head: instance.out }
    }

    /// What a plain rule says about single tuples.
    pub fn edges(&self, prepared: &RulePlan) -> Vec<(u32, u32)> {
        let clauses = prepared.instances.iter().filter(|_| self.is_plain).map(|i| self.clause(i));
        clauses.filter(|c| c.body.len() == 1).map(|c| (c.body[0], c.head)).collect()
    }
}

/// Whether a test is the judgment itself, about the subject, in the environments of the conclusion.
pub fn is_own(plan: &JudgmentPlan, rule: &Rule, test: &Test) -> bool {
    let Test::Premise { premise, contexts } = test else { return false };
    let Premise::Judgment(j, forms) = &rule.premises[*premise].premise else { return false };
    let straight = contexts.iter().enumerate().all(|(i, c)| c.env == Some(i) && c.extensions.is_empty());
    let subject = &rule.conclusion[plan.subject];
    *j == plan.judgment && matches!(subject, Form::Meta(_)) && forms[plan.subject] == *subject && straight
}

impl Layers {
    /// How often the rules have to be applied. The closure of the plan is there already.
    pub fn find(lang: &Lang, plan: &JudgmentPlan, rules: Vec<Layered>) -> Result<Layers, NotCarried> {
        let mut layers = Layers { rules, plain: Vec::new(), news: Vec::new() };
        let mut graph = Graph::new();
        let mut clauses: Vec<(Lit, Clause)> = Vec::new();
        for layered in &layers.rules {
            let prepared = &plan.rules[layered.index];
            if layered.is_plain {
                let plain = prepared.instances.iter().map(|i| layered.clause(i));
                layers.plain.extend(plain.filter(|c| says_more(plan, c)));
                continue;
            }
            let cond = graph.var();
            let mut rows: FxHashMap<(u16, u32), Lit> = FxHashMap::default();
            for instance in &prepared.instances {
                let mut all = cond;
                for &(test, value) in instance.tests.iter().filter(|(test, _)| !layered.own[*test as usize]) {
                    let lit = *rows.entry((test, value)).or_insert_with(|| graph.var());
                    all = graph.and(all, lit);
                }
                clauses.push((all, layered.clause(instance)));
            }
        }
        let mut query = Query::new(true, &sat::Limits { conflicts: Some(MOST_CONFLICTS), ..Default::default() });
        let first: Vec<Lit> = (0..plan.width).map(|_| graph.var()).collect();
        let mut row = close(&mut graph, plan, &first, None);
        let every = vec![true; plan.width];
        while layers.news.len() <= plan.width {
            let next = layers.apply(&mut graph, plan, &clauses, &row, &every);
            let more: Vec<Lit> = next.iter().zip(&row).map(|(n, r)| graph.and(*n, !*r)).collect();
            let Some(new) = satisfiable(&mut query, &graph, &more) else { break };
            if !new.contains(&true) {
                return Ok(layers);
            }
            layers.news.push(new);
            row = next;
        }
        let rule = lang.rule(plan.rules[layers.rules[0].index].rule);
        let reason = format!("rule {}: how often it has to be applied to one subject was not found out", rule.name);
        Err(NotCarried::new(reason, rule.span))
    }

    /// One layer, of which only some tuples are wanted: the others stay.
    pub fn apply(
        &self,
        graph: &mut Graph,
        plan: &JudgmentPlan,
        others: &[(Lit, Clause)],
        row: &[Lit],
        new: &[bool],
    ) -> Vec<Lit> {
        let mut next = row.to_vec();
        let plain = self.plain.iter().map(|c| (Lit::TRUE, c));
        for (cond, clause) in plain.chain(others.iter().map(|(l, c)| (*l, c))) {
            let head = clause.head as usize;
            if new[head] {
                let body = graph.and_all(clause.body.iter().map(|b| row[*b as usize]));
                let derived = graph.and(cond, body);
                next[head] = graph.or(next[head], derived);
            }
        }
        close(graph, plan, &next, Some(new))
    }
}

/// Of one query. All of them together take 0.3 s for intersections within intersections among 237 types.
const MOST_CONFLICTS: u32 = 200_000;

/// Which of these formulas have a model, each by itself. None: a limit.
fn satisfiable(query: &mut Query, graph: &Graph, lits: &[Lit]) -> Option<Vec<bool>> {
    let mut found = vec![false; lits.len()];
    loop {
        let open: Vec<Lit> = lits.iter().zip(&found).filter(|(_, f)| !**f).map(|(l, _)| *l).collect();
        match query.ask_some(graph, &[], Some(&open)) {
            Found::Nothing => return Some(found),
            Found::Unknown(_) => return None,
            Found::Model(model) => {
                let mut reader = Reader::new(graph, &model);
                let before = found.iter().filter(|f| **f).count();
                found.iter_mut().zip(lits).for_each(|(f, l)| *f |= reader.is_true(*l));
                if found.iter().filter(|f| **f).count() == before {
                    return None;
                }
            }
        }
    }
}

/// Whether a clause is no consequence of the closure.
fn says_more(plan: &JudgmentPlan, clause: &Clause) -> bool {
    let leads = |from: u32| match &plan.closure {
        Some(closure) => closure[clause.head as usize].contains(&from),
        None => from == clause.head,
    };
    !clause.body.iter().any(|b| leads(*b))
}

/// Follows edges; only to some tuples, if they are given.
pub fn close(graph: &mut Graph, plan: &JudgmentPlan, row: &[Lit], only: Option<&[bool]>) -> Vec<Lit> {
    let Some(closure) = &plan.closure else { return row.to_vec() };
    let mut out = row.to_vec();
    for (to, from) in closure.iter().enumerate().filter(|(to, _)| only.is_none_or(|o| o[*to])) {
        out[to] = graph.or_all(from.iter().map(|f| row[*f as usize]));
    }
    out
}
