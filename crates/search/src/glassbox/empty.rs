//! Places that no valid state fills (docs/engine.md, "Places that no state fills"). What goes in: S, and what propagation knows of all its
//! states. What comes out: slots that are empty in all of them, often since a precondition bounds a `size`; S is then translated once more
//! without these places.
//!
//! Kept: each is empty in every state of S, so S without them has the same states. With `certify` the exact solver must agree.

use super::{End, GlassBox};
use crate::exact::{Exact, Found};
use crate::explore::Explorer;
use formula::{Graph, Lit};
use ir::space::SlotId;
use sat::Preset;
use symex::Symbolic;

/// So many assignments may be made for this.
const ASSIGNMENTS: u64 = 300_000;

/// S is translated once more if one of so many places is empty.
const SHARE: usize = 4;

impl<'p> GlassBox<'p> {
    /// The slots that no state fills, if leaving them out is worth another translation. What is found is known from then on.
    pub(super) fn never_filled(&mut self) -> Vec<SlotId> {
        // Whoever writes an invariant of all states chooses the size for it. And states that translation cut off count as invalid, but are
        // yet to be heard of.
        let operation = self.choices.as_ref().map_or(self.operation, |choices| &choices.state);
        if operation.preconditions.is_empty() || self.symbolic.cut_off().is_some() {
            return Vec::new();
        }
        let filled = self.symbolic.filled();
        let most = self.explorer.propagator.assignments + ASSIGNMENTS;
        // The lowest places first: those above one that may be filled may be filled as well.
        let (mut is_possible, mut is_above) = (vec![false; filled.len()], vec![false; filled.len()]);
        for at in (0..filled.len()).rev() {
            let is_open = !is_possible[at] && !is_above[at] && self.symbolic.graph.value(filled[at].1).is_none();
            if !is_open || self.explorer.propagator.assignments > most {
                continue;
            }
            let is_empty = self.is_never(filled[at].1, |graph| {
                for (is_possible, (_, lit)) in is_possible.iter_mut().zip(&filled) {
                    *is_possible |= graph.value(*lit) == Some(true);
                }
            });
            if is_empty {
                for (is_above, (_, lit)) in is_above.iter_mut().zip(&filled) {
                    *is_above |= self.symbolic.graph.entails(filled[at].1, *lit);
                }
            }
        }
        // Above one that is empty, from the top: those below an empty one are empty.
        for at in (0..filled.len()).filter(|at| is_above[*at]) {
            if self.symbolic.graph.value(filled[at].1).is_none() && self.explorer.propagator.assignments <= most {
                self.is_never(filled[at].1, |_| {});
            }
        }
        let is_empty = |(_, lit): &&(SlotId, Lit)| self.symbolic.graph.value(*lit) == Some(false);
        let empty: Vec<SlotId> = filled.iter().filter(is_empty).map(|(slot, _)| *slot).collect();
        if empty.len() * SHARE < filled.len() { Vec::new() } else { empty }
    }

    /// Whether a literal is seen to be false in all states; it is known then. If not, `look` sees what follows from it.
    fn is_never(&mut self, lit: Lit, look: impl FnOnce(&Graph)) -> bool {
        let (graph, propagator) = (&mut self.symbolic.graph, &mut self.explorer.propagator);
        let level = propagator.level(graph);
        let is_never = !propagator.assert(graph, lit) || propagator.has_no_solution(graph);
        if !is_never {
            look(graph);
        }
        propagator.undo_to(graph, level);
        let is_known = is_never && propagator.assert(graph, !lit);
        if is_never && !is_known {
            // S has no state at all, which the first question about it is to find.
            propagator.undo_to(graph, level);
        }
        is_known
    }

    /// S without these places, from the beginning.
    pub(super) fn leave_empty(&mut self, empty: &[SlotId]) -> Result<(), End> {
        if self.options.certify {
            let filled: Vec<Lit> =
                self.symbolic.filled().into_iter().filter(|(slot, _)| empty.contains(slot)).map(|f| f.1).collect();
            let mut exact = Exact::new(&self.conditions, Preset::Search, true, self.options.solver_limits());
            match exact.find(&mut self.symbolic.graph, &[], &filled) {
                Found::Nothing => {}
                Found::Model(_) => return Err(End::Rejected("a state fills a place that is said to be empty".into())),
                Found::Unknown => return Err(End::Stopped(symex::Stop::Interrupted)),
                Found::Rejected(why) => return Err(End::Rejected(why)),
            }
        }
        let Symbolic { program, space, limits, .. } = &self.symbolic;
        let mut symbolic = Symbolic::new(program, space, &self.statics, *limits);
        symbolic.interrupted = self.symbolic.interrupted.take();
        symbolic.reached = self.symbolic.reached.take();
        symbolic.leave_empty(empty);
        self.symbolic = symbolic;
        let assignments = self.explorer.propagator.assignments;
        self.explorer = Explorer::new(self.options.solver_limits());
        self.explorer.propagator.assignments = assignments;
        Ok(())
    }
}
