//! Methods that are not private, nor public: other classes of the package may call them.
//!
//! One that an operation calls on `this` sees whatever the operation has made of the state so far; to run it on every valid
//! state as well would report what no caller does: it is a helper. What the operations never call so can only be meant for
//! other classes: it is an operation, if it changes or asserts anything and can be analysed. Works on lowered code, where
//! calls are resolved.

use super::Picker;
use super::left_out::{NotChecked, Reach, Why};
use crate::lower::Lowering;
use crate::resolve::*;
use ir::{ExprKind, LocalId, MethodId, Program, Ty};
use rustc_hash::FxHashSet;

impl Picker<'_> {
    /// Those of `rest` that are operations beside the `offered` ones. Of methods that call each other in a circle, the
    /// first is.
    pub fn for_the_package(&mut self, class: ClassIx, offered: &[MethodIx], rest: &[MethodIx]) -> Vec<MethodIx> {
        if rest.is_empty() {
            return Vec::new();
        }
        let ids = |low: &mut Lowering, methods: &[MethodIx]| {
            let ids = methods.iter().map(|m| low.method_id(*m)).collect::<Vec<MethodId>>();
            low.run();
            ids
        };
        let offered = ids(&mut self.low, offered);
        // What is wrong with a method that no operation needs is no reason to refuse the class.
        let mark = self.low.table.diagnostics.len();
        let candidates = ids(&mut self.low, rest);
        let problems = self.low.table.diagnostics.split_off(mark);
        let class_id = self.low.class_id(class);
        let program = &self.low.program;
        let calls = Calls { program, candidates: &candidates, class: class_id };
        let by_offered = calls.reached(&offered);
        let by_each: Vec<FxHashSet<MethodId>> = candidates.iter().map(|m| calls.reached(&[*m])).collect();
        let is_helper = |at: usize| {
            let id = candidates[at];
            let mut others = (0..candidates.len()).filter(|other| *other != at && by_each[*other].contains(&id));
            by_offered.contains(&id) || others.any(|other| other < at || !by_each[at].contains(&candidates[other]))
        };
        let reach = Reach { program };
        let (mut operations, mut refused) = (Vec::new(), Vec::new());
        for at in (0..candidates.len()).filter(|at| !is_helper(*at)) {
            let bodies = reach.from([candidates[at]]);
            let is_refused = !problems.is_empty() || reach.is_unsupported(&bodies);
            match is_refused {
                true => refused.push(rest[at]),
                false if reach.has_effect(&bodies) => operations.push(rest[at]),
                false => {}
            }
        }
        if !refused.is_empty() {
            self.not_checked.push(NotChecked { class, methods: refused, why: Why::Refused });
        }
        operations
    }
}

struct Calls<'c> {
    program: &'c Program,
    candidates: &'c [MethodId],
    class: ir::ClassId,
}

impl Calls<'_> {
    /// What runs when these do, as far as candidates are called on `this`; they themselves only if called again.
    fn reached(&self, from: &[MethodId]) -> FxHashSet<MethodId> {
        let mut seen = FxHashSet::default();
        let mut todo = from.to_vec();
        let mut looked = FxHashSet::default();
        while let Some(method) = todo.pop() {
            let caller = self.program.method(method);
            let Some(body) = caller.body.as_ref().filter(|_| looked.insert(method)) else { continue };
            ir::walk::block(body, &mut |e| {
                let (callees, receiver) = match &e.kind {
                    ExprKind::Call(callee, args) => (vec![*callee], args.first()),
                    ExprKind::New(_, callee, _) => (vec![*callee], None),
                    ExprKind::CallVirtual(selector, args) => (self.targets(*selector, args), args.first()),
                    _ => return,
                };
                let is_on_this = !caller.is_static && receiver.is_some_and(|r| self.is_this(r));
                for callee in callees.into_iter().filter(|c| is_on_this || !self.candidates.contains(c)) {
                    seen.insert(callee);
                    todo.push(callee);
                }
            });
        }
        seen
    }

    fn targets(&self, selector: ir::SelectorId, args: &[ir::Expr]) -> Vec<MethodId> {
        let Some(Ty::Class(of)) = args.first().map(|a| a.ty) else { return Vec::new() };
        if self.is_this(&args[0]) && self.program.is_subclass(self.class, of) {
            return self.program.class(self.class).dispatch.get(&selector).copied().into_iter().collect();
        }
        self.program.targets(selector, of).collect()
    }

    /// `this`, or the outer instance of an inner class.
    fn is_this(&self, e: &ir::Expr) -> bool {
        match &e.kind {
            ExprKind::Local(LocalId(0)) => true,
            ExprKind::Field(object, field) => self.program.field(*field).is_synthetic && self.is_this(object),
            _ => false,
        }
    }
}
