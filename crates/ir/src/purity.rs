//! Which expressions have declarative syntax (dissertation, 5.4): they are translated instead of executed, so that they
//! add nothing to the path constraint but their error condition.
//!
//! What goes in: a lowered program. What comes out: the same with [`Expr::pure`] set. A call is pure if the method is
//! `@Declarative`, or so small that it may as well be: one `return` of a pure expression, reached without recursion.

use crate::program::*;

/// Sets [`Expr::pure`] everywhere.
pub fn mark(program: &mut Program) {
    let mut methods = std::mem::take(&mut program.methods);
    let mut transparent: Vec<bool> = methods.iter().map(|m| m.is_declarative).collect();
    // What a selector may run: all of it must be transparent.
    let mut targets: Vec<Vec<MethodId>> = Vec::new();
    for class in &program.classes {
        for (selector, &method) in &class.dispatch {
            if targets.len() <= selector.index() {
                targets.resize(selector.index() + 1, Vec::new());
            }
            targets[selector.index()].push(method);
        }
    }
    // Starting from the declarative ones, one more level of small methods per round: recursion never gets in.
    loop {
        let mut changed = false;
        for (index, method) in methods.iter_mut().enumerate() {
            let marker = Marker { transparent: &transparent, targets: &targets };
            if let Some(body) = &mut method.body {
                marker.block(body);
            }
            if !transparent[index] && is_single_return(method) {
                transparent[index] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    program.methods = methods;
}

/// `{ return e; }` with a pure e.
fn is_single_return(method: &Method) -> bool {
    let Some([Stmt { kind: StmtKind::Return(Some(value)), .. }]) = method.body.as_deref() else { return false };
    value.pure && !method.is_constructor
}

struct Marker<'a> {
    transparent: &'a [bool],
    targets: &'a [Vec<MethodId>],
}

impl Marker<'_> {
    fn block(&self, block: &mut Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Expr(e) | StmtKind::Throw(e) | StmtKind::Assume(e) => {
                self.expr(e);
            }
            StmtKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.block(then);
                self.block(otherwise);
            }
            StmtKind::Loop { condition, body, update, .. } => {
                self.expr(condition);
                self.block(body);
                self.exprs(update);
            }
            StmtKind::Labelled { body, .. } | StmtKind::Block(body) => self.block(body),
            StmtKind::Switch { on, cases, .. } => {
                self.expr(on);
                for case in cases {
                    self.block(&mut case.body);
                }
            }
            StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(None) => {}
            StmtKind::Return(Some(e)) => {
                self.expr(e);
            }
            StmtKind::Try { body, catches, finally } => {
                self.block(body);
                for catch in catches {
                    self.block(&mut catch.body);
                }
                self.block(finally);
            }
            StmtKind::Assert { condition, message } => {
                self.expr(condition);
                if let Some(message) = message {
                    self.expr(message);
                }
            }
        }
    }

    fn exprs(&self, exprs: &mut [Expr]) -> bool {
        let mut all = true;
        for e in exprs {
            all &= self.expr(e);
        }
        all
    }

    fn expr(&self, e: &mut Expr) -> bool {
        let pure = match &mut e.kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Null
            | ExprKind::String(_)
            | ExprKind::Local(_)
            | ExprKind::Static(_) => true,
            ExprKind::SetLocal(_, a) | ExprKind::SetStatic(_, a) => {
                self.expr(a);
                false
            }
            ExprKind::Field(a, _)
            | ExprKind::Length(a)
            | ExprKind::Not(a)
            | ExprKind::Negate(_, a)
            | ExprKind::Complement(_, a)
            | ExprKind::Convert(a)
            | ExprKind::InstanceOf(a, _)
            | ExprKind::Cast(a, _) => self.expr(a),
            ExprKind::SetField(a, _, b) => {
                self.expr(a);
                self.expr(b);
                false
            }
            // A read at an index that varies is executed at each of its values: formulas stay small.
            ExprKind::Element(a, b) => {
                let index_is_constant = matches!(b.kind, ExprKind::Int(_));
                self.expr(a) & self.expr(b) & index_is_constant
            }
            // Executed at each value of the operand, as an index is: half of a size is what lists go by.
            ExprKind::Binary(BinaryOp::Shr, _, a, b) => {
                let is_constant = matches!(a.kind, ExprKind::Int(_));
                self.expr(a) & self.expr(b) & is_constant
            }
            ExprKind::Binary(_, _, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::Logic(_, a, b)
            | ExprKind::AndThen(a, b)
            | ExprKind::OrElse(a, b)
            | ExprKind::Same(a, b) => self.expr(a) & self.expr(b),
            ExprKind::Conditional(a, b, c) => self.expr(a) & self.expr(b) & self.expr(c),
            ExprKind::SetElement(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
                false
            }
            ExprKind::Call(method, args) => self.exprs(args) & self.transparent[method.index()],
            ExprKind::CallVirtual(selector, args) => {
                let targets = self.targets.get(selector.index()).map_or(&[][..], |t| t);
                self.exprs(args) & targets.iter().all(|m| self.transparent[m.index()])
            }
            ExprKind::New(_, _, args)
            | ExprKind::NewArray(args)
            | ExprKind::ArrayLiteral(args)
            | ExprKind::Concat(args) => {
                self.exprs(args);
                false
            }
            ExprKind::Sequence(block, value) => {
                self.block(block);
                self.expr(value);
                false
            }
            ExprKind::Intrinsic(intrinsic, args) => {
                self.exprs(args) & !matches!(intrinsic, Intrinsic::ArrayCopy | Intrinsic::Clone | Intrinsic::Float(..))
            }
            ExprKind::Unsupported(_) => false,
        };
        e.pure = pure;
        pure
    }
}
