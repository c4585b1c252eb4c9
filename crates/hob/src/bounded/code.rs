//! Expressions and statements of the IR, short to write. All of one span: the text that they were made for.

use ir::{BinaryOp, Block, CompareOp, Expr, ExprKind, FieldId, LabelId, LocalId, LogicOp, MethodId, Stmt, StmtKind};
use ir::{Program, Ty, Width};
use source::{Diagnostic, Span};

/// Makes code for what stands there.
#[derive(Clone, Copy)]
pub struct At(pub Span);

/// The receiver of every method that is made here: the state of the module.
pub const THIS: LocalId = LocalId(0);

impl At {
    pub fn expr(self, kind: ExprKind, ty: Ty) -> Expr {
        Expr { kind, ty, span: self.0, pure: false }
    }

    pub fn bool(self, value: bool) -> Expr {
        self.expr(ExprKind::Bool(value), Ty::Bool)
    }

    pub fn int(self, value: i64) -> Expr {
        self.expr(ExprKind::Int(value), Ty::Int)
    }

    pub fn null(self) -> Expr {
        self.expr(ExprKind::Null, Ty::Null)
    }

    pub fn local(self, local: LocalId, ty: Ty) -> Expr {
        self.expr(ExprKind::Local(local), ty)
    }

    pub fn set_local(self, local: LocalId, value: Expr) -> Expr {
        let ty = value.ty;
        self.expr(ExprKind::SetLocal(local, Box::new(value)), ty)
    }

    pub fn field(self, program: &Program, object: Expr, field: FieldId) -> Expr {
        self.expr(ExprKind::Field(Box::new(object), field), program.field(field).ty)
    }

    pub fn set_field(self, object: Expr, field: FieldId, value: Expr) -> Expr {
        let ty = value.ty;
        self.expr(ExprKind::SetField(Box::new(object), field, Box::new(value)), ty)
    }

    pub fn element(self, program: &Program, array: Expr, index: Expr) -> Expr {
        let ty = match array.ty {
            Ty::Array(array) => program.element_ty(array),
            // An element of null: there is no such run.
            _ => Ty::Int,
        };
        self.expr(ExprKind::Element(Box::new(array), Box::new(index)), ty)
    }

    pub fn set_element(self, array: Expr, index: Expr, value: Expr) -> Expr {
        let ty = value.ty;
        self.expr(ExprKind::SetElement(Box::new(array), Box::new(index), Box::new(value)), ty)
    }

    pub fn length(self, array: Expr) -> Expr {
        self.expr(ExprKind::Length(Box::new(array)), Ty::Int)
    }

    #[allow(clippy::should_implement_trait, reason = "of code, not of values")]
    pub fn not(self, a: Expr) -> Expr {
        match a.kind {
            ExprKind::Bool(value) => self.bool(!value),
            _ => self.expr(ExprKind::Not(Box::new(a)), Ty::Bool),
        }
    }

    /// `&&`
    pub fn and(self, a: Expr, b: Expr) -> Expr {
        match (&a.kind, &b.kind) {
            (ExprKind::Bool(true), _) => b,
            (ExprKind::Bool(false), _) | (_, ExprKind::Bool(true)) => a,
            _ => self.expr(ExprKind::AndThen(Box::new(a), Box::new(b)), Ty::Bool),
        }
    }

    /// `||`
    pub fn or(self, a: Expr, b: Expr) -> Expr {
        match (&a.kind, &b.kind) {
            (ExprKind::Bool(false), _) => b,
            (ExprKind::Bool(true), _) | (_, ExprKind::Bool(false)) => a,
            _ => self.expr(ExprKind::OrElse(Box::new(a), Box::new(b)), Ty::Bool),
        }
    }

    pub fn all(self, parts: impl IntoIterator<Item = Expr>) -> Expr {
        parts.into_iter().fold(self.bool(true), |all, part| self.and(all, part))
    }

    pub fn any(self, parts: impl IntoIterator<Item = Expr>) -> Expr {
        parts.into_iter().fold(self.bool(false), |any, part| self.or(any, part))
    }

    pub fn logic(self, op: LogicOp, a: Expr, b: Expr) -> Expr {
        self.expr(ExprKind::Logic(op, Box::new(a), Box::new(b)), Ty::Bool)
    }

    pub fn compare(self, op: CompareOp, a: Expr, b: Expr) -> Expr {
        self.expr(ExprKind::Compare(op, Box::new(a), Box::new(b)), Ty::Bool)
    }

    pub fn same(self, a: Expr, b: Expr) -> Expr {
        self.expr(ExprKind::Same(Box::new(a), Box::new(b)), Ty::Bool)
    }

    pub fn not_null(self, a: Expr) -> Expr {
        self.not(self.same(a, self.null()))
    }

    pub fn conditional(self, condition: Expr, a: Expr, b: Expr) -> Expr {
        let ty = a.ty;
        self.expr(ExprKind::Conditional(Box::new(condition), Box::new(a), Box::new(b)), ty)
    }

    pub fn binary(self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        self.expr(ExprKind::Binary(op, Width::W32, Box::new(a), Box::new(b)), Ty::Int)
    }

    /// As a number of 64 bits.
    pub fn long(self, a: Expr) -> Expr {
        match a.kind {
            _ if a.ty == Ty::Long => a,
            ExprKind::Int(value) => self.expr(ExprKind::Int(value), Ty::Long),
            _ => self.expr(ExprKind::Convert(Box::new(a)), Ty::Long),
        }
    }

    pub fn binary_long(self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let (a, b) = (self.long(a), self.long(b));
        self.expr(ExprKind::Binary(op, Width::W64, Box::new(a), Box::new(b)), Ty::Long)
    }

    pub fn add(self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Add, a, b)
    }

    pub fn call(self, method: MethodId, arguments: Vec<Expr>, ty: Ty) -> Expr {
        self.expr(ExprKind::Call(method, arguments), ty)
    }

    /// An error if a run gets there.
    pub fn unsupported(self, problem: Diagnostic, ty: Ty) -> Expr {
        self.expr(ExprKind::Unsupported(Box::new(problem)), ty)
    }

    pub fn stmt(self, kind: StmtKind) -> Stmt {
        Stmt { kind, span: self.0 }
    }

    pub fn run(self, e: Expr) -> Stmt {
        self.stmt(StmtKind::Expr(e))
    }

    pub fn ret(self, e: Expr) -> Stmt {
        self.stmt(StmtKind::Return(Some(e)))
    }

    pub fn cond(self, condition: Expr, then: Block, otherwise: Block) -> Stmt {
        self.stmt(StmtKind::If { condition, then, otherwise })
    }

    pub fn while_loop(self, label: u32, condition: Expr, body: Block, update: Vec<Expr>) -> Stmt {
        self.stmt(StmtKind::Loop { label: LabelId(label), test_first: true, condition, body, update })
    }
}
