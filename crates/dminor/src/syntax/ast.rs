//! What was written, with its places (docs/dminor.md, "Grammar"). Sugar is kept as it is. Two pieces of text are equal if they read the
//! same, wherever they stand: spans do not count.

use num_bigint::BigInt;
use source::Span;

/// A name or a label.
#[derive(Clone, Debug)]
pub struct Ident {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// Declarations may also stand outside of any module.
    pub name: Option<Ident>,
    pub decls: Vec<Decl>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decl {
    Type { name: Ident, definition: Type, notes: Vec<Note> },
    Function { name: Ident, parameters: Vec<(Ident, Type)>, result: Type, body: Expr },
}

/// `//# wider: #/properties/iban/pattern: texts have no patterns` above a type: how it differs from the schema that it was imported
/// from. `check` repeats it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    pub differs: Differs,
    pub text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Differs {
    /// It has values that the schema does not allow.
    Wider,
    /// It lacks values that the schema allows.
    Narrower,
    Either,
}

impl Differs {
    /// In the text of a program.
    pub fn word(self) -> &'static str {
        match self {
            Differs::Wider => "wider",
            Differs::Narrower => "narrower",
            Differs::Either => "wider or narrower",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    Name(String),
    /// `T*`
    Collection(Box<Type>),
    /// `T?`
    Nullable(Box<Type>),
    /// `!T`
    Not(Box<Type>),
    And(Box<Type>, Box<Type>),
    Or(Box<Type>, Box<Type>),
    /// `{l: T; …}`
    Entity(Vec<(Ident, Type)>),
    /// `(x: T where e)`, or `T where e`, in which the variable is called `value`.
    Refinement(Option<Ident>, Box<Type>, Box<Expr>),
    /// `{e}`
    Singleton(Box<Expr>),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Neg,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Gt,
    Le,
    Ge,
    Cons,
    Add,
    Sub,
    Concat,
    Mul,
    Div,
}

impl BinaryOp {
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Cons => "::",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Concat => "++",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    Null,
    Logical(bool),
    /// Never negative: `-1` is the negation of 1.
    Integer(BigInt),
    Text(String),
    Var(String),
    Call(Ident, Vec<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `e1 ? e2 : e3`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Let(Ident, Box<Expr>, Box<Expr>),
    /// `e in T`
    Test(Box<Expr>, Box<Type>),
    /// `e : T`
    Ascribe(Box<Expr>, Box<Type>),
    Entity(Vec<(Ident, Expr)>),
    Collection(Vec<Expr>),
    /// `e.l`
    Select(Box<Expr>, Ident),
    /// `e.Count`
    Count(Box<Expr>),
    /// `from x in e1 let y = e2 invariant i accumulate e3`
    Accumulate(Box<Accumulate>),
    /// `from x in e1 where p select e2`
    Query(Box<Query>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accumulate {
    pub item: Ident,
    pub source: Expr,
    pub accumulator: Ident,
    /// An ascription here is the type of the accumulator.
    pub initial: Expr,
    pub invariant: Option<Expr>,
    pub body: Expr,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    pub item: Ident,
    pub source: Expr,
    pub filter: Option<Expr>,
    pub select: Expr,
}

impl PartialEq for Ident {
    fn eq(&self, other: &Ident) -> bool {
        self.text == other.text
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        self.kind == other.kind
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Ident {}
impl Eq for Type {}
impl Eq for Expr {}
