//! What eliminating universal sets takes: a limit in steps, and connectives taken apart and put together again.

use super::stopped;
use crate::store::{Formula, Node, Store};
use work::Stop;

/// Steps of all eliminations of a decision: a step is a choice for a region, or an atom replaced.
const MOST_STEPS: u64 = 400_000;

pub(super) struct Budget {
    left: u64,
    stop: Stop,
}

impl Budget {
    pub(super) fn new(stop: &Stop) -> Budget {
        Budget { left: MOST_STEPS, stop: stop.clone() }
    }

    /// Why there is no time left.
    pub(super) fn stopped(&self) -> String {
        stopped(&self.stop)
    }

    pub(super) fn spend(&mut self, steps: u64) -> Result<(), String> {
        let before = self.left;
        self.left = self.left.saturating_sub(steps);
        if self.left == 0 {
            return Err(format!("eliminating a universal set takes more than {MOST_STEPS} steps"));
        }
        if before >> 10 != self.left >> 10 && self.stop.is_due() {
            return Err(self.stopped());
        }
        Ok(())
    }
}

/// The formulas a connective is made of.
pub(super) fn children(node: &Node) -> Vec<Formula> {
    match node {
        Node::Not(f) | Node::Exists(_, f) | Node::Forall(_, f) => vec![*f],
        Node::And(parts) | Node::Or(parts) => parts.to_vec(),
        Node::Implies(a, b) | Node::Iff(a, b) => vec![*a, *b],
        _ => Vec::new(),
    }
}

/// The connective with other formulas in the places of its own.
pub(super) fn rebuilt(store: &mut Store, f: Formula, part: &mut dyn FnMut(Formula) -> Formula) -> Formula {
    match store.node(f).clone() {
        Node::Not(g) => {
            let g = part(g);
            store.not(g)
        }
        Node::And(parts) => {
            let parts: Vec<Formula> = parts.iter().map(|&g| part(g)).collect();
            store.and(parts)
        }
        Node::Or(parts) => {
            let parts: Vec<Formula> = parts.iter().map(|&g| part(g)).collect();
            store.or(parts)
        }
        Node::Implies(a, b) => {
            let (a, b) = (part(a), part(b));
            store.implies(a, b)
        }
        Node::Iff(a, b) => {
            let (a, b) = (part(a), part(b));
            store.iff(a, b)
        }
        _ => f,
    }
}
