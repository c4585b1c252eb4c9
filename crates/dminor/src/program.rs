//! A program with every name resolved: what the interpreter runs, and what a verifier translates (docs/dminor.md, "Values and types",
//! "Programs" and "Semantics"). Derived types and sugar are nodes of their own, since they have simpler meanings than their encodings.
//! Every node knows its place.
//!
//! Variables are unique in a program: no two binders share a [`VarId`], so substitution cannot capture, and `value` nests.

pub use crate::syntax::ast::{Differs, Note};
use crate::value::{Label, Value};
use source::Span;
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(pub u32);

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub types: Vec<NamedType>,
    pub functions: Vec<Function>,
    pub variables: Vec<Variable>,
    /// What is left to show before every refinement is pure.
    pub obligations: Vec<Obligation>,
}

/// `type N : T;`, closed. It may be recursive; then every recursion is on a strictly smaller part of the value (docs/dminor.md, "Recursive
/// types").
#[derive(Clone, Debug)]
pub struct NamedType {
    pub name: String,
    pub name_span: Span,
    pub definition: Type,
    /// The variables bound in it.
    pub variables: Range<u32>,
    /// Whether its definition leads back to it.
    pub is_recursive: bool,
    /// How it differs from the schema that it was imported from.
    pub notes: Vec<Note>,
}

/// `f(x1: T1, …) : U { e }`. A parameter may occur in the types after it, in U and in e.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub name_span: Span,
    pub parameters: Vec<(VarId, Type)>,
    pub result: Type,
    pub body: Expr,
    /// The variables bound in it, the parameters first.
    pub variables: Range<u32>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub span: Span,
}

/// An accumulate in a refinement: its result must not depend on the order in which members are taken (docs/dminor.md, "Purity").
#[derive(Clone, Debug)]
pub struct Obligation {
    pub accumulate: Accumulate,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    Any,
    Empty,
    Integer,
    Text,
    Logical,
    Collection(Box<Type>),
    /// At least these fields, with distinct labels.
    Entity(Vec<Field>),
    Refinement(VarId, Box<Type>, Box<Expr>),
    And(Box<Type>, Box<Type>),
    Or(Box<Type>, Box<Type>),
    Not(Box<Type>),
    Nullable(Box<Type>),
    Singleton(Box<Expr>),
    Named(TypeId),
}

#[derive(Clone, Debug)]
pub struct Field {
    pub label: Label,
    pub label_span: Span,
    pub ty: Type,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// Primitive operators, with their operand types (docs/dminor.md, "Semantics").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Logical
    Not,
    And,
    Or,
    /// Any × Any, total
    Eq,
    Ne,
    /// Integer × Integer
    Lt,
    Gt,
    Le,
    Ge,
    Add,
    Sub,
    Mul,
    /// Euclidean, as `div` of SMT-LIB: the remainder is never negative. Error if the divisor is 0.
    Div,
    /// Integer
    Neg,
    /// Any × Any*
    Cons,
    /// Any* × Any*
    Concat,
    /// Any*
    Count,
}

impl Op {
    pub fn symbol(self) -> &'static str {
        match self {
            Op::Not => "!",
            Op::And => "&&",
            Op::Or => "||",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Gt => ">",
            Op::Le => "<=",
            Op::Ge => ">=",
            Op::Add => "+",
            Op::Sub | Op::Neg => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Cons => "::",
            Op::Concat => "++",
            Op::Count => ".Count",
        }
    }
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A scalar.
    Constant(Value),
    Var(VarId),
    Op(Op, Vec<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Let(VarId, Box<Expr>, Box<Expr>),
    Test(Box<Expr>, Box<Type>),
    Ascribe(Box<Expr>, Box<Type>),
    /// Distinct labels.
    Entity(Vec<(Label, Expr)>),
    Collection(Vec<Expr>),
    Select(Box<Expr>, Label),
    Call(FunId, Vec<Expr>),
    Accumulate(Box<Accumulate>),
    Query(Box<Query>),
}

#[derive(Clone, Debug)]
pub struct Accumulate {
    pub item: VarId,
    pub source: Expr,
    pub accumulator: VarId,
    pub initial: Expr,
    /// The ascription on the initial value: the type of the accumulator (docs/dminor.md, "Loop invariants"). It is in `initial` no more.
    pub annotation: Option<Type>,
    /// `rest` and the invariant (docs/dminor.md, "Loop invariants").
    pub invariant: Option<(VarId, Expr)>,
    pub body: Expr,
}

#[derive(Clone, Debug)]
pub struct Query {
    pub item: VarId,
    pub source: Expr,
    pub filter: Option<Expr>,
    pub select: Expr,
}

impl Program {
    pub fn named(&self, id: TypeId) -> &NamedType {
        &self.types[id.0 as usize]
    }

    pub fn function(&self, id: FunId) -> &Function {
        &self.functions[id.0 as usize]
    }

    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    pub fn type_called(&self, name: &str) -> Option<TypeId> {
        self.types.iter().position(|t| t.name == name).map(|k| TypeId(k as u32))
    }

    pub fn function_called(&self, name: &str) -> Option<FunId> {
        self.functions.iter().position(|f| f.name == name).map(|k| FunId(k as u32))
    }
}

impl Expr {
    /// The expressions that it is made of, but for those in types.
    pub fn each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Constant(_) | ExprKind::Var(_) => {}
            ExprKind::Op(_, parts) | ExprKind::Collection(parts) | ExprKind::Call(_, parts) => {
                parts.iter().for_each(visit);
            }
            ExprKind::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| visit(e)),
            ExprKind::Let(_, a, b) => [a, b].into_iter().for_each(|e| visit(e)),
            ExprKind::Test(e, _) | ExprKind::Ascribe(e, _) | ExprKind::Select(e, _) => visit(e),
            ExprKind::Entity(fields) => fields.iter().for_each(|(_, e)| visit(e)),
            ExprKind::Accumulate(a) => {
                visit(&a.source);
                visit(&a.initial);
                if let Some((_, invariant)) = &a.invariant {
                    visit(invariant);
                }
                visit(&a.body);
            }
            ExprKind::Query(q) => {
                visit(&q.source);
                if let Some(filter) = &q.filter {
                    visit(filter);
                }
                visit(&q.select);
            }
        }
    }

    /// Whether it, or one of its parts at any depth, is of a kind; types aside.
    pub fn has(&self, is: &dyn Fn(&ExprKind) -> bool) -> bool {
        let mut found = is(&self.kind);
        self.each_part(&mut |part| found = found || part.has(is));
        found
    }

    /// The types that stand in it, outside of its parts.
    pub fn each_type<'a>(&'a self, visit: &mut dyn FnMut(&'a Type)) {
        match &self.kind {
            ExprKind::Test(_, ty) | ExprKind::Ascribe(_, ty) => visit(ty),
            ExprKind::Accumulate(a) => a.annotation.iter().for_each(visit),
            _ => {}
        }
    }
}

impl Type {
    /// The types that it is made of.
    pub fn each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Type)) {
        match &self.kind {
            TypeKind::Collection(t) | TypeKind::Not(t) | TypeKind::Nullable(t) | TypeKind::Refinement(_, t, _) => {
                visit(t);
            }
            TypeKind::And(a, b) | TypeKind::Or(a, b) => {
                visit(a);
                visit(b);
            }
            TypeKind::Entity(fields) => fields.iter().for_each(|f| visit(&f.ty)),
            _ => {}
        }
    }

    /// The conditions and singletons that stand in it, at any depth.
    pub fn each_expr<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            TypeKind::Refinement(_, _, e) | TypeKind::Singleton(e) => visit(e),
            _ => {}
        }
        self.each_part(&mut |t| t.each_expr(visit));
    }
}
