//! Helpers: methods that are not private, but run as parts of operations.
//!
//! A method that an operation calls on `this` sees whatever the operation has made of the state so far; to run it on
//! every valid state as well would report what no caller does. What the operations never call so can only be meant for
//! other classes: it is an operation. Works on lowered code, where calls are resolved.

use super::Picker;
use crate::resolve::*;
use ir::{ExprKind, LocalId, MethodId, Program, Ty};
use rustc_hash::FxHashSet;

impl Picker<'_> {
    /// Those of `rest` that run as parts of `offered` ones or of each other. Of methods that call each other in a circle
    /// the first is none.
    pub fn helpers(&mut self, class: ClassIx, offered: &[MethodIx], rest: &[MethodIx]) -> Vec<MethodIx> {
        if rest.is_empty() {
            return Vec::new();
        }
        let ids = |low: &mut crate::lower::Lowering, methods: &[MethodIx]| {
            methods.iter().map(|m| low.method_id(*m)).collect::<Vec<MethodId>>()
        };
        let (offered, candidates) = (ids(&mut self.low, offered), ids(&mut self.low, rest));
        let class = self.low.class_id(class);
        self.low.run();
        let calls = Calls { program: &self.low.program, candidates: &candidates, class };
        let by_offered = calls.reached(&offered);
        let by_each: Vec<FxHashSet<MethodId>> = candidates.iter().map(|m| calls.reached(&[*m])).collect();
        let is_helper = |&at: &usize| {
            let id = candidates[at];
            let mut others = (0..candidates.len()).filter(|other| *other != at && by_each[*other].contains(&id));
            by_offered.contains(&id)
                || others.any(|other| other < at || !by_each[at].contains(&candidates[other]))
        };
        (0..candidates.len()).filter(is_helper).map(|at| rest[at]).collect()
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
        let on_this = self.is_this(&args[0]) && self.program.is_subclass(self.class, of);
        let classes = (0..self.program.classes.len() as u32).map(ir::ClassId);
        classes
            .filter(|&c| if on_this { c == self.class } else { self.program.is_subclass(c, of) })
            .filter_map(|c| self.program.class(c).dispatch.get(&selector).copied())
            .collect()
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
