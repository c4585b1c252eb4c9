//! What known sums say of their terms (docs/engine.md, "Keys as an order"): bounds of each term by those of the others, when a decision was made.
//!
//! Kept: all that it sets follows from what was asserted.

use super::Propagator;
use formula::{Depth, Graph, LinearId, Term};

/// Up to so many sums are looked at after each decision.
const SUMS: usize = 16;

/// And so often: two of them may narrow each other by one each time.
const ROUNDS: usize = 4;

impl Propagator {
    /// What known sums say of their terms, if there are few of them, and all that follows: a `size` is at least as many entries as are there, and
    /// nothing more is there once it is reached. It rests on so many decisions.
    pub fn narrow_sums(&mut self, graph: &mut Graph, depth: Depth) -> Result<(), Depth> {
        if self.equations.len() > SUMS {
            return Ok(());
        }
        for _ in 0..ROUNDS {
            let before = self.assignments;
            let mut is_new = false;
            for at in 0..self.equations.len() {
                is_new |= self.narrow_sum(graph, self.equations[at], depth)?;
                self.follow(graph)?;
            }
            if !is_new && self.assignments == before {
                break;
            }
        }
        Ok(())
    }

    /// Whether it says anything new.
    fn narrow_sum(&mut self, graph: &mut Graph, linear: LinearId, depth: Depth) -> Result<bool, Depth> {
        let Some(sum) = graph.resolve_linear(graph.linear(linear)) else { return Ok(false) };
        let (lo, hi) = graph.linear_bounds(&sum);
        if lo > 0 || hi < 0 {
            return Err(depth);
        }
        let mut is_new = false;
        for &(term, coefficient) in &sum.terms {
            let (least, most) = graph.bounds(term);
            let factor = i128::from(coefficient);
            // What the others add up to leaves this for the term, times its coefficient.
            let (from, to) = match coefficient {
                1.. => (i128::from(most) * factor - hi, i128::from(least) * factor - lo),
                _ => (i128::from(least) * factor - hi, i128::from(most) * factor - lo),
            };
            if coefficient.abs() != 1 {
                continue;
            }
            let (from, to) = if coefficient == 1 { (from, to) } else { (-to, -from) };
            if from <= i128::from(least) && i128::from(most) <= to {
                continue;
            }
            let is_allowed = |value: i64| from <= i128::from(value) && i128::from(value) <= to;
            match graph.term(term) {
                Term::Var(_) => {
                    let (from, to) = (from.max(i128::from(least)), to.min(i128::from(most)));
                    let (Ok(from), Ok(to)) = (i64::try_from(from), i64::try_from(to)) else { continue };
                    self.narrow(graph, (term, (from, to), depth))?;
                    is_new = true;
                }
                Term::Ite(c, a, b) => {
                    if let (Some(a), Some(b)) = (graph.as_constant(a), graph.as_constant(b)) {
                        match (is_allowed(a), is_allowed(b)) {
                            (false, false) => return Err(depth),
                            (false, true) => self.queue.push((!c, depth)),
                            (true, false) => self.queue.push((c, depth)),
                            (true, true) => {}
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(is_new)
    }
}
