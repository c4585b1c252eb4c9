//! Several calls that end a declarative method by calling it again, made one: the arguments are chosen first.
//!
//! `check(s.next, held | 1)` in one case and `check(s.next, held & 2)` in another are two translations of the same node, and four of the
//! next one: a judgement that hands on what it computes would take 2^n of them for a list of n. What goes in: a body. What comes out: one that
//! gives the same, with one such call at its end, if there are several that differ in computed numbers or Booleans only.

use ir::*;
use rustc_hash::FxHashSet;

/// A body, and how many locals it has.
pub struct OneCall {
    pub body: Block,
    pub locals: usize,
}

/// None if the body is best as it is.
pub fn one_call(program: &Program, id: MethodId) -> Option<OneCall> {
    let method = program.method(id);
    let mut tails = Tails { program, id, label: LabelId(u32::MAX), calls: Vec::new() };
    let mut body = tails.block(method.body.as_ref()?, None);
    if !tails.is_worth_it() {
        return None;
    }
    let (first, span) = (method.locals.len(), method.span);
    let mut call = tails.calls.swap_remove(0);
    let (ExprKind::Call(_, args) | ExprKind::CallVirtual(_, args)) = &mut call.kind else { return None };
    for (arg, local) in args.iter_mut().zip(first as u32..) {
        arg.kind = ExprKind::Local(LocalId(local));
    }
    let locals = first + args.len();
    body = vec![Stmt { kind: StmtKind::Labelled { label: tails.label, body }, span }];
    body.push(Stmt { kind: StmtKind::Return(Some(call)), span });
    Some(OneCall { body, locals })
}

struct Tails<'a> {
    program: &'a Program,
    id: MethodId,
    /// Of the block that is left for the one call.
    label: LabelId,
    calls: Vec<Expr>,
}

impl Tails<'_> {
    /// Whether all are of one kind, with the same references, and with numbers or Booleans that are computed in more than one way. (A
    /// constant, or a parameter and a constant, is the same in many calls: those are in the cache.)
    fn is_worth_it(&self) -> bool {
        let Some((first, others)) = self.calls.split_first() else { return false };
        let is_virtual = |call: &Expr| matches!(call.kind, ExprKind::CallVirtual(..));
        if others.is_empty() || others.iter().any(|call| is_virtual(call) != is_virtual(first)) {
            return false;
        }
        let mut is_computed = false;
        for at in 0..arguments(first).len() {
            let at_it = self.calls.iter().filter_map(|call| arguments(call).get(at));
            let texts: FxHashSet<String> = at_it.clone().map(|a| print::expr(self.program, self.id, a)).collect();
            if texts.len() > 1 {
                if at_it.clone().any(|a| a.ty.is_reference()) {
                    return false;
                }
                is_computed |= at_it.clone().any(is_computed_anew);
            }
        }
        is_computed
    }

    /// The call that an expression is, if it is one of the method itself.
    fn is_own_call(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Call(method, _) => *method == self.id,
            ExprKind::CallVirtual(selector, _) => {
                let class = self.program.method(self.id).class;
                self.program.class(class).dispatch.get(selector) == Some(&self.id)
            }
            _ => false,
        }
    }

    /// Whether the value may be that of such a call.
    fn ends_in_call(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::AndThen(_, last) | ExprKind::OrElse(_, last) => self.ends_in_call(last),
            ExprKind::Conditional(_, yes, no) => self.ends_in_call(yes) || self.ends_in_call(no),
            // A `switch` with values: each case sets the local.
            ExprKind::Sequence(block, last) => match last.kind {
                ExprKind::Local(local) => {
                    let mut found = false;
                    walk::block(block, &mut |e| {
                        found |=
                            matches!(&e.kind, ExprKind::SetLocal(l, value) if *l == local && self.ends_in_call(value));
                    });
                    found
                }
                _ => self.ends_in_call(last),
            },
            _ => self.is_own_call(e),
        }
    }

    /// With what a `return` of the local gives returned at once, where it is set and a `break` leads to that `return`: nothing may come between.
    fn block(&mut self, block: &[Stmt], result: Option<LocalId>) -> Block {
        let mut out = Vec::new();
        for (stmt, next) in block.iter().zip(block.iter().skip(1).map(Some).chain([None])) {
            let breaks = next.is_some_and(|next| matches!(next.kind, StmtKind::Break(_)));
            let within = result.filter(|_| breaks || next.is_none());
            let kind = match &stmt.kind {
                StmtKind::Return(Some(e)) => {
                    self.value(e, &mut out);
                    continue;
                }
                StmtKind::Expr(Expr { kind: ExprKind::SetLocal(local, e), .. })
                    if Some(*local) == result && breaks && self.ends_in_call(e) =>
                {
                    self.value(e, &mut out);
                    continue;
                }
                StmtKind::If { condition, then, otherwise } => StmtKind::If {
                    condition: condition.clone(),
                    then: self.block(then, within),
                    otherwise: self.block(otherwise, within),
                },
                StmtKind::Labelled { label, body } => {
                    StmtKind::Labelled { label: *label, body: self.block(body, within) }
                }
                StmtKind::Block(body) => StmtKind::Block(self.block(body, within)),
                StmtKind::Switch { label, on, cases } => {
                    let cases = cases.iter().map(|case| Case { body: self.block(&case.body, within), ..case.clone() });
                    StmtKind::Switch { label: *label, on: on.clone(), cases: cases.collect() }
                }
                other => other.clone(),
            };
            out.push(Stmt { kind, span: stmt.span });
        }
        out
    }

    /// Statements that return the value, or choose the arguments and go to the call.
    fn value(&mut self, e: &Expr, out: &mut Block) {
        let stmt = |kind| Stmt { kind, span: e.span };
        let returned = |value: Expr| stmt(StmtKind::Return(Some(value)));
        if !self.ends_in_call(e) {
            out.push(returned(e.clone()));
            return;
        }
        match &e.kind {
            ExprKind::AndThen(first, last) | ExprKind::OrElse(first, last) => {
                let is_and = matches!(e.kind, ExprKind::AndThen(..));
                let settled = vec![returned(Expr { kind: ExprKind::Bool(!is_and), ..e.clone() })];
                let (then, otherwise) = if is_and { (Vec::new(), settled) } else { (settled, Vec::new()) };
                out.push(stmt(StmtKind::If { condition: (**first).clone(), then, otherwise }));
                self.value(last, out);
            }
            ExprKind::Conditional(condition, yes, no) => {
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                self.value(yes, &mut then);
                self.value(no, &mut otherwise);
                out.push(stmt(StmtKind::If { condition: (**condition).clone(), then, otherwise }));
            }
            ExprKind::Sequence(block, last) => {
                let result = if let ExprKind::Local(local) = last.kind { Some(local) } else { None };
                out.extend(self.block(block, result));
                self.value(last, out);
            }
            ExprKind::Call(_, args) | ExprKind::CallVirtual(_, args) => {
                let first = self.program.method(self.id).locals.len() as u32;
                for (arg, local) in args.iter().zip(first..) {
                    let kind = ExprKind::SetLocal(LocalId(local), Box::new(arg.clone()));
                    out.push(stmt(StmtKind::Expr(Expr { kind, ..arg.clone() })));
                }
                out.push(stmt(StmtKind::Break(self.label)));
                self.calls.push(e.clone());
            }
            _ => out.push(returned(e.clone())),
        }
    }
}

fn arguments(call: &Expr) -> &[Expr] {
    match &call.kind {
        ExprKind::Call(_, args) | ExprKind::CallVirtual(_, args) => args,
        _ => &[],
    }
}

fn is_computed_anew(e: &Expr) -> bool {
    let is_plain = |e: &Expr| matches!(e.kind, ExprKind::Local(_) | ExprKind::Int(_) | ExprKind::Bool(_));
    match &e.kind {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, _, a, b) => !is_plain(a) || !is_plain(b),
        _ => !is_plain(e),
    }
}
