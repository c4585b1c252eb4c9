//! Loops of declarative code that never end (dissertation, 2.9.1): at more heads than there are states, one of them comes
//! again, and with it all that follows.
//!
//! What decides how a loop goes on are the variables that its conditions read, directly or through others, and what it wrote
//! into objects that this code made; nothing else changes meanwhile. Each of them is somewhere between the values that it was
//! seen with: integers in a range, references among some objects. What never changed is in one state only.

use crate::statements::Locals;
use crate::symbolic::Symbolic;
use crate::value::{Obj, Sym};
use formula::Lit;
use ir::*;

pub(crate) struct LoopParts<'a> {
    pub label: LabelId,
    pub condition: &'a Expr,
    pub body: &'a [Stmt],
    pub update: &'a [Expr],
    /// Which locals have a value before the first iteration: others have none at its head.
    pub is_assigned: Vec<bool>,
}

/// The states of a loop at its head so far; the first ones are not looked at, since most loops end before.
#[derive(Default)]
pub(crate) struct Heads {
    count: u32,
    seen: u64,
    watched: Option<Watched>,
}

/// What decides how the loop goes on, and the values it was seen with.
struct Watched {
    locals: Vec<(LocalId, Values)>,
    /// Slots of all fresh objects, if the loop writes into some.
    slots: Option<Vec<Values>>,
}

/// What a variable was seen with.
struct Values {
    first: Sym,
    /// None if it was always the same.
    hull: Option<Hull>,
}

enum Hull {
    Numbers(i64, i64),
    Objects(Vec<Obj>),
}

impl Symbolic<'_> {
    /// At a head: whether the loop was in one of its states before.
    pub(crate) fn must_repeat(&mut self, parts: &LoopParts<'_>, heads: &mut Heads, env: &Locals) -> bool {
        const SOME: u32 = 4;
        heads.count += 1;
        if heads.count <= SOME {
            return false;
        }
        let mut watched = match heads.watched.take() {
            Some(watched) => watched,
            None if heads.seen == 0 => self.watched(parts, env),
            None => return false,
        };
        heads.seen += 1;
        // An object more than before, into which the loop may write, is a state that was not seen.
        let slots: Vec<Sym> = match watched.slots {
            Some(_) => self.heap.fresh.iter().flat_map(|o| o.slots.iter().copied()).collect(),
            None => Vec::new(),
        };
        if watched.slots.as_ref().is_some_and(|s| s.len() != slots.len()) {
            return false;
        }
        let mut states: u64 = 1;
        for (local, values) in &mut watched.locals {
            let Some(value) = env[local.index()] else { return false };
            states = states.saturating_mul(self.see(values, value));
        }
        for (values, value) in watched.slots.iter_mut().flatten().zip(slots) {
            states = states.saturating_mul(self.see(values, value));
        }
        heads.watched = Some(watched);
        heads.seen > states
    }

    fn watched(&self, parts: &LoopParts<'_>, env: &Locals) -> Watched {
        let (relevant, writes) = parts.relevant();
        let values = |first: Sym| Values { first, hull: None };
        let is_relevant = |local: LocalId| parts.is_assigned[local.index()] && (writes || relevant.contains(&local));
        let locals = (0..env.len() as u32).map(LocalId).filter(|&local| is_relevant(local));
        let locals = locals.filter_map(|local| Some((local, values(env[local.index()]?)))).collect();
        let slots = self.heap.fresh.iter().flat_map(|o| o.slots.iter().copied().map(values)).collect();
        Watched { locals, slots: writes.then_some(slots) }
    }

    /// One more value of a variable; in how many states it may have been.
    fn see(&mut self, values: &mut Values, value: Sym) -> u64 {
        if values.hull.is_none() {
            if values.first == value {
                return 1;
            }
            values.hull = Some(self.hull(values.first));
        }
        let more = self.hull(value);
        match (&mut values.hull, more) {
            (Some(Hull::Numbers(lo, hi)), Hull::Numbers(low, high)) => {
                (*lo, *hi) = ((*lo).min(low), (*hi).max(high));
                hi.abs_diff(*lo).saturating_add(1)
            }
            (Some(Hull::Objects(objects)), Hull::Objects(more)) => {
                objects.extend(more);
                objects.sort_unstable();
                objects.dedup();
                objects.len() as u64
            }
            // Types agree in a well-formed program.
            _ => u64::MAX,
        }
    }

    fn hull(&mut self, value: Sym) -> Hull {
        match value {
            Sym::Bool(lit) => match self.graph.known(lit) {
                Lit::TRUE => Hull::Numbers(1, 1),
                Lit::FALSE => Hull::Numbers(0, 0),
                _ => Hull::Numbers(0, 1),
            },
            Sym::Int(term) => {
                let (lo, hi) = self.graph.bounds(term);
                Hull::Numbers(lo, hi)
            }
            Sym::Ref(id) => Hull::Objects(self.alternatives(id).into_iter().map(|(obj, _)| obj).collect()),
        }
    }
}

impl LoopParts<'_> {
    /// The locals that conditions of the loop read, directly or through others, and whether it writes into objects.
    fn relevant(&self) -> (Vec<LocalId>, bool) {
        let (mut relevant, mut assigned, mut writes) = (Vec::new(), Vec::new(), false);
        // What an expression assigns may depend on all that it reads: it may assign on one side of a condition only.
        let mut visit = |e: &Expr, decides: bool| {
            let (mut reads, mut sets) = (Vec::new(), Vec::new());
            ir::walk::expression(e, &mut |e| match e.kind {
                ExprKind::Local(local) => reads.push(local),
                ExprKind::SetLocal(local, _) => sets.push(local),
                ExprKind::SetField(..) | ExprKind::SetElement(..) | ExprKind::SetStatic(..) => writes = true,
                ExprKind::Intrinsic(Intrinsic::ArrayCopy, _) => writes = true,
                _ => {}
            });
            if decides {
                relevant.extend_from_slice(&reads);
            }
            assigned.extend(sets.into_iter().map(|local| (local, reads.clone())));
        };
        visit(self.condition, true);
        self.update.iter().for_each(|e| visit(e, false));
        ir::walk::nodes(self.body, &mut |node| match node {
            ir::walk::Node::Stmt(stmt) => {
                if let StmtKind::If { condition: e, .. }
                | StmtKind::Loop { condition: e, .. }
                | StmtKind::Switch { on: e, .. } = &stmt.kind
                {
                    visit(e, true);
                }
                true
            }
            ir::walk::Node::Expr(e) => {
                visit(e, false);
                false
            }
        });
        let mut next = 0;
        while let Some(&local) = relevant.get(next) {
            for read in assigned.iter().filter(|(l, _)| *l == local).flat_map(|(_, reads)| reads) {
                if !relevant.contains(read) {
                    relevant.push(*read);
                }
            }
            next += 1;
        }
        (relevant, writes)
    }
}
