//! Finds out that a loop never ends because its state repeats (docs/java.md, "Divergence").
//!
//! What a loop does next depends only on the locals of its method, the static fields, and what they reach; of the locals, not
//! on those that only count: they are read by nothing but arithmetic that ends in such locals. Whenever two heads of the
//! same execution of a loop agree in all the rest, up to the numbers of objects that were made since, it repeats for ever.
//! States are compared in full, no hashes; Brent's algorithm keeps one earlier state per active loop.
//! Only a run that exceeded its steps is repeated under watch: it costs a walk through the state per iteration.

use super::{Chooser, Eval, Interp, Outcome, Stop};
use crate::program::*;
use crate::value::*;
use crate::walk::Node;
use rustc_hash::FxHashMap;
use source::Span;

pub(super) struct Watch {
    /// Objects from here on are new: they are known by how they are reached, older ones by their number.
    new: ObjId,
    /// Words that may still be compared.
    budget: u64,
    /// A new object's number got into the computation: states that look alike may differ.
    hashed_new: bool,
    scratch: Vec<u64>,
}

impl Watch {
    pub(super) fn hashed(&mut self, object: ObjId) {
        self.hashed_new |= object >= self.new;
    }
}

/// What is remembered of one execution of a loop.
#[derive(Default)]
pub(super) struct Heads {
    seen: u64,
    kept: Vec<u64>,
    /// Locals that matter; found out at the first head.
    matters: Vec<bool>,
}

/// The parts of a loop.
#[derive(Clone, Copy)]
pub(super) struct LoopParts<'p> {
    pub condition: &'p Expr,
    pub body: &'p [Stmt],
    pub update: &'p [Expr],
}

impl LoopParts<'_> {
    /// Of so many locals, those on which it may depend how the loop goes on.
    fn matters(self, locals: usize) -> Vec<bool> {
        let mut matters = vec![false; locals];
        // Assignments of arithmetic that cannot throw, with what they read.
        let mut computed: Vec<(LocalId, Vec<LocalId>)> = Vec::new();
        let mut visit = |e: &Expr| match &e.kind {
            ExprKind::SetLocal(local, value) if is_arithmetic(value) => {
                let mut reads = Vec::new();
                locals_of(value, &mut |local| reads.push(local));
                computed.push((*local, reads));
            }
            _ => locals_of(e, &mut |local| matters[local.index()] = true),
        };
        visit(self.condition);
        self.update.iter().for_each(&mut visit);
        crate::walk::nodes(self.body, &mut |node| match node {
            // What is returned says nothing of how the loop goes on: it does not.
            Node::Stmt(s) => !matches!(&s.kind, StmtKind::Return(Some(e)) if is_arithmetic(e)),
            Node::Expr(e) => {
                visit(e);
                false
            }
        });
        loop {
            let mut changed = false;
            for (local, reads) in &computed {
                if matters[local.index()] {
                    for read in reads {
                        changed |= !std::mem::replace(&mut matters[read.index()], true);
                    }
                }
            }
            if !changed {
                return matters;
            }
        }
    }
}

fn locals_of(e: &Expr, found: &mut dyn FnMut(LocalId)) {
    crate::walk::expression(e, &mut |e| {
        if let ExprKind::Local(local) | ExprKind::SetLocal(local, _) = e.kind {
            found(local);
        }
    });
}

/// Reads locals, computes, and has no other effect than its value.
fn is_arithmetic(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Null | ExprKind::Local(_) => true,
        ExprKind::Not(a) | ExprKind::Negate(_, a) | ExprKind::Complement(_, a) | ExprKind::Convert(a) => {
            is_arithmetic(a)
        }
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => false,
        ExprKind::Binary(_, _, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::Logic(_, a, b)
        | ExprKind::AndThen(a, b)
        | ExprKind::OrElse(a, b) => is_arithmetic(a) && is_arithmetic(b),
        ExprKind::Conditional(c, a, b) => is_arithmetic(c) && is_arithmetic(a) && is_arithmetic(b),
        _ => false,
    }
}

/// About a second's worth.
const BUDGET: u64 = 100_000_000;

impl<'p, C: Chooser> Interp<'p, C> {
    /// As [`Interp::run_virtual`], but for a few steps only: what takes more is worth a watch from the start.
    pub fn run_briefly(&mut self, method: MethodId, arguments: &[Value]) -> Outcome {
        const FEW: u64 = 10_000;
        let steps = self.limits.steps;
        self.limits.steps = steps.min(FEW);
        let outcome = self.run_virtual(method, arguments);
        self.limits.steps = steps;
        outcome
    }

    /// As [`Interp::run_virtual`], and the run stops with [`Stop::Repeats`] once a loop's state repeats.
    pub fn run_watched(&mut self, method: MethodId, arguments: &[Value]) -> Outcome {
        let new = ObjId(self.heap.object_count() as u32);
        self.watch = Some(Box::new(Watch { new, budget: BUDGET, hashed_new: false, scratch: Vec::new() }));
        let outcome = self.run_virtual(method, arguments);
        self.watch = None;
        outcome
    }

    /// At the head of a loop, before its condition is evaluated (unless `test` is false).
    #[cold]
    pub(super) fn watch_head(&mut self, heads: &mut Heads, parts: LoopParts<'p>, test: bool, span: Span) -> Eval<()> {
        let Some(mut watch) = self.watch.take() else { return Ok(()) };
        if watch.budget > 0 && !watch.hashed_new && test {
            let mut state = std::mem::take(&mut watch.scratch);
            if heads.seen == 0 {
                heads.matters = parts.matters(self.linked.frame(self.method).len());
            }
            self.describe_state(watch.new, &heads.matters, &mut state);
            watch.budget = watch.budget.saturating_sub(state.len() as u64);
            if heads.seen > 0 && state == heads.kept {
                return self.halt(Stop::Repeats { span });
            }
            heads.seen += 1;
            if heads.seen.is_power_of_two() {
                std::mem::swap(&mut heads.kept, &mut state);
            }
            watch.scratch = state;
        }
        self.watch = Some(watch);
        Ok(())
    }

    fn describe_state(&self, new: ObjId, matters: &[bool], out: &mut Vec<u64>) {
        out.clear();
        let mut reached = Reached { new, numbers: FxHashMap::default(), queue: Vec::new() };
        for (&value, _) in self.stack[self.base..].iter().zip(matters).filter(|(_, matters)| **matters) {
            reached.describe(Some(value), out);
        }
        for &value in self.heap.statics(&self.linked.layout) {
            reached.describe(value, out);
        }
        let mut next = 0;
        while let Some(&object) = reached.queue.get(next) {
            next += 1;
            let ty = match self.heap.ty(object) {
                crate::Ty::Class(class) => u64::from(class.0) << 1,
                crate::Ty::Array(array) => u64::from(array.0) << 1 | 1,
                _ => 0,
            };
            out.extend([ty, self.heap.len(object).into()]);
            for &slot in self.heap.slots(object) {
                reached.describe(slot, out);
            }
        }
    }
}

struct Reached {
    new: ObjId,
    numbers: FxHashMap<ObjId, u64>,
    queue: Vec<ObjId>,
}

impl Reached {
    fn describe(&mut self, value: Option<Value>, out: &mut Vec<u64>) {
        let words = match value {
            None => [0, 0],
            Some(Value::Null) => [1, 0],
            Some(Value::Bool(value)) => [2, value.into()],
            Some(Value::Int(value)) => [3, value as u64],
            Some(Value::Obj(object)) => {
                let next = self.numbers.len() as u64;
                let number = *self.numbers.entry(object).or_insert_with(|| {
                    self.queue.push(object);
                    next
                });
                if object < self.new { [4, object.0.into()] } else { [5, number] }
            }
        };
        out.extend(words);
    }
}
