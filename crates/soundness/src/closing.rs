//! What follows from what is known of a subject, at a slot: the closure of a judgment, and its layers (`layers`).

use crate::encoder::{CtxId, Encoder, OvId, Row};
use crate::layers::close;
use crate::rules::{Clause, JudgmentPlan, Layered};
use formula::Lit;

impl Encoder<'_, '_> {
    /// Follows rules about the same subject, to the least fixpoint.
    pub fn close(&mut self, plan: &JudgmentPlan, row: Vec<Lit>, node: OvId, ctx: CtxId) -> Row {
        let mut row = close(&mut self.graph, plan, &row, None);
        let Some(layers) = &plan.layers else { return row.into() };
        let mut others = Vec::new();
        for layered in layers.rules.iter().filter(|l| !l.is_plain) {
            others.extend(self.clauses(plan, layered, node, ctx));
        }
        for new in &layers.news {
            row = layers.apply(&mut self.graph, plan, &others, &row, new);
        }
        row.into()
    }

    /// The same as far as it does not depend on the subject: what is known of a tree that nothing else is known of.
    pub fn close_any(&mut self, plan: &JudgmentPlan, row: Vec<Lit>) -> Row {
        let mut row = close(&mut self.graph, plan, &row, None);
        if let Some(layers) = &plan.layers {
            for new in &layers.news {
                row = layers.apply(&mut self.graph, plan, &[], &row, new);
            }
        }
        row.into()
    }

    /// The ground instances of a rule about its own subject at a node, each with what else it asks for.
    pub fn clauses(&mut self, plan: &JudgmentPlan, of: &Layered, node: OvId, ctx: CtxId) -> Vec<(Lit, Clause)> {
        let prepared = &plan.rules[of.index];
        let mut out = Vec::new();
        for way in self.ways(plan, of.index, node, ctx) {
            let rows: Vec<Row> = (prepared.tests.iter().zip(&of.own))
                .map(
                    |(test, own)| {
                        if *own { Row::from([]) } else { self.test_of(plan, of.index, test, node, ctx, &way.1) }
                    },
                )
                .collect();
            for instance in &prepared.instances {
                let mut all = way.0;
                for &(test, value) in instance.tests.iter().filter(|(test, _)| !of.own[*test as usize]) {
                    let lit = rows[test as usize].get(value as usize).copied().unwrap_or(Lit::FALSE);
                    all = self.graph.and(all, lit);
                }
                if all != Lit::FALSE {
                    out.push((all, of.clause(instance)));
                }
            }
        }
        out
    }
}
