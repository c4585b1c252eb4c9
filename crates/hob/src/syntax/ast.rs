//! What the four kinds of files say, before any name is resolved. The languages: docs/hob.md, "Implementation", "Specification" and
//! "Abstraction".

use source::Span;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    pub text: String,
    pub span: Span,
}

/// `[Module "."] ID`.
#[derive(Clone, Debug)]
pub struct Name {
    pub module: Option<Ident>,
    pub name: Ident,
}

/// The inside of a string literal, verbatim; `span` covers the inside, so that an offset in the text is one in the file.
#[derive(Clone, Debug)]
pub struct Quoted {
    pub text: String,
    pub span: Span,
}

/// All modules and scopes of some files.
#[derive(Clone, Debug, Default)]
pub struct Files {
    pub impls: Vec<ImplModule>,
    pub specs: Vec<SpecModule>,
    pub abstractions: Vec<AbstModule>,
    pub scopes: Vec<Scope>,
    /// Defaults outside of any module or scope: the whole program's.
    pub defaults: Vec<Default>,
}

/// `= OF with A <- B, ...`.
#[derive(Clone, Debug)]
pub struct Instance {
    pub of: Ident,
    pub with: Vec<(Ident, Ident)>,
}

// The implementation language (`.fl`).

#[derive(Clone, Debug)]
pub struct ImplModule {
    pub name: Ident,
    pub body: ImplBody,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ImplBody {
    Members { formats: Vec<Format>, references: Vec<(Ident, TypeName)>, procs: Vec<Proc> },
    Instance(Instance),
}

#[derive(Clone, Debug)]
pub struct Format {
    pub name: Ident,
    pub fields: Vec<(Ident, TypeName)>,
}

/// `int`, `bool`, …, or the name of a format, followed by some `[]`.
#[derive(Clone, Debug)]
pub struct TypeName {
    pub name: Ident,
    pub dimensions: usize,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Proc {
    pub private: bool,
    pub name: Ident,
    pub formals: Vec<(Ident, TypeName)>,
    pub returns: Option<(Ident, TypeName)>,
    /// The clauses of a private procedure; on a public one an error.
    pub requires: Option<Quoted>,
    pub modifies: Vec<Name>,
    pub ensures: Option<Quoted>,
    pub body: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Block(Vec<Stmt>),
    Locals(TypeName, Vec<(Ident, Option<Expr>)>),
    Assign(Expr, Expr),
    Expr(Expr),
    Return(Option<Expr>),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While {
        invariant: Option<Quoted>,
        condition: Expr,
        body: Box<Stmt>,
    },
    For {
        invariant: Option<Quoted>,
        init: Option<Box<Stmt>>,
        condition: Option<Expr>,
        step: Option<Box<Stmt>>,
        body: Box<Stmt>,
    },
    Assert {
        label: Option<Quoted>,
        formula: Quoted,
    },
    Assume {
        label: Option<Quoted>,
        formula: Quoted,
    },
    Pragma(Quoted),
    Havoc(Vec<Ident>),
    Choice(Box<Stmt>, Box<Stmt>),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(i64),
    Float(f64),
    Bool(bool),
    Char(char),
    String(String),
    Null,
    Name(String),
    /// `e.f`; `a.length` of an array too.
    Field(Box<Expr>, Ident),
    Index(Box<Expr>, Box<Expr>),
    Call(Name, Vec<Expr>),
    New(Ident),
    NewArray(TypeName, Vec<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `++e`, `e--` and their kin.
    Step {
        place: Box<Expr>,
        up: bool,
        prefix: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Not,
    Negate,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    OrElse,
    AndThen,
    Or,
    Xor,
    And,
    Equal,
    NotEqual,
    Less,
    Greater,
    AtMost,
    AtLeast,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl BinaryOp {
    /// It must be a relation.
    #[inline]
    pub(crate) fn compares<T: PartialOrd>(self, a: &T, b: &T) -> bool {
        match self {
            BinaryOp::Less => a < b,
            BinaryOp::AtMost => a <= b,
            BinaryOp::Greater => a > b,
            BinaryOp::AtLeast => a >= b,
            BinaryOp::NotEqual => a != b,
            _ => a == b,
        }
    }
}

// The specification language (`.sl`), and scopes (`.scope`, also in `.sl`).

#[derive(Clone, Debug)]
pub struct SpecModule {
    pub name: Ident,
    pub body: SpecBody,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum SpecBody {
    Members(SpecMembers),
    Instance(Instance),
}

#[derive(Clone, Debug, Default)]
pub struct SpecMembers {
    pub formats: Vec<Ident>,
    pub variables: Vec<SpecVariable>,
    pub defaults: Vec<Default>,
    pub invariants: Vec<Invariant>,
    pub predicates: Vec<Predicate>,
    pub procs: Vec<ProcSpec>,
}

/// One name of `specvar A, B : T set;`, or of the paper's `set S`, `predvar b`.
#[derive(Clone, Debug)]
pub struct SpecVariable {
    pub name: Ident,
    pub kind: SpecVariableKind,
}

#[derive(Clone, Debug)]
pub enum SpecVariableKind {
    Bool,
    /// The paper's `set S;` has no type.
    Set(Option<Ident>),
    /// `(A * B) set`.
    Relation(Vec<Ident>),
}

#[derive(Clone, Debug)]
pub struct Default {
    pub name: Ident,
    /// The first stands for the clause that the default applies to, the others are names of formals.
    pub parameters: Vec<Ident>,
    pub pointcut: Option<Pointcut>,
    pub formula: Formula,
}

#[derive(Clone, Debug)]
pub enum Pointcut {
    Minus(Box<Pointcut>, Box<Pointcut>),
    Both(Box<Pointcut>, Box<Pointcut>),
    Either(Box<Pointcut>, Box<Pointcut>),
    Not(Box<Pointcut>),
    Pre(Selection),
    Post(Selection),
    PrePost(Selection),
}

#[derive(Clone, Debug)]
pub enum Selection {
    Minus(Box<Selection>, Box<Selection>),
    Both(Box<Selection>, Box<Selection>),
    Either(Box<Selection>, Box<Selection>),
    Not(Box<Selection>),
    /// Of any formals if none are written: `proc *.init()`.
    Proc {
        module: Option<Pattern>,
        name: Pattern,
        formals: Vec<TypePattern>,
        returns: Option<TypePattern>,
    },
    Module(Visibility, Pattern),
    Scope(Visibility, Pattern),
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    Public,
    Private,
    All,
}

/// A name, or its beginning followed by `*`. `this` is the declaring module.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub text: String,
    pub prefix: bool,
    pub span: Span,
}

/// A type, or the beginning of its name followed by `*`.
#[derive(Clone, Debug)]
pub struct TypePattern {
    pub ty: TypeName,
    pub prefix: bool,
}

#[derive(Clone, Debug)]
pub struct Invariant {
    pub public: bool,
    pub formula: Formula,
    pub span: Span,
}

/// `predicate @p(a, b) = B;`, a named formula.
#[derive(Clone, Debug)]
pub struct Predicate {
    pub name: Ident,
    pub parameters: Vec<Ident>,
    pub formula: Formula,
}

#[derive(Clone, Debug)]
pub struct ProcSpec {
    pub private: bool,
    pub name: Ident,
    pub formals: Vec<(Ident, TypeName)>,
    pub returns: Option<(Ident, TypeName)>,
    pub suspends: Vec<Name>,
    pub requires: Option<Formula>,
    pub modifies: Vec<Name>,
    pub calls: Vec<Ident>,
    pub ensures: Option<Formula>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Scope {
    pub name: Ident,
    pub modules: Vec<Ident>,
    pub exports: Vec<Ident>,
    pub invariants: Vec<Invariant>,
    pub defaults: Vec<Default>,
    pub span: Span,
}

/// A formula or a set expression: the grammar does not tell them apart (docs/hob.md, "Specification": `&` and `inter` share a level).
#[derive(Clone, Debug)]
pub struct Formula {
    pub kind: FormulaKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum FormulaKind {
    True,
    False,
    Empty,
    /// `primed` if followed by `'`.
    Name {
        name: Name,
        primed: bool,
    },
    Binary(FormulaOp, Box<Formula>, Box<Formula>),
    Not(Box<Formula>),
    Card(Box<Formula>, CardOp, u32),
    Disjoint(Vec<Formula>),
    /// The variables range over singletons, or over sets if `set`.
    Quantified {
        exists: bool,
        variables: Vec<Ident>,
        elements: Option<Ident>,
        set: bool,
        body: Box<Formula>,
    },
    /// `@p(a, b)` or `@p'(a, b)`.
    Predicate {
        name: Ident,
        primed: bool,
        arguments: Vec<Formula>,
    },
    /// For a theorem prover; nobody here understands it.
    Uninterpreted(Quoted),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormulaOp {
    Equal,
    NotEqual,
    Subset,
    Implies,
    Iff,
    Or,
    Union,
    Difference,
    And,
    Intersection,
    /// `x * y`, in relations.
    Product,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardOp {
    Equal,
    AtMost,
    AtLeast,
}

// The abstraction language (`.al`).

#[derive(Clone, Debug)]
pub struct AbstModule {
    pub name: Ident,
    pub body: AbstBody,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum AbstBody {
    Plugins(Vec<PluginUse>),
    Instance(Instance),
}

#[derive(Clone, Debug)]
pub struct PluginUse {
    pub plugin: Quoted,
    pub sets: Vec<(Ident, SetDefinition)>,
    pub predvars: Vec<Ident>,
    pub invariants: Vec<Quoted>,
    /// Which fields belong to this section; of no other meaning.
    pub formats: Vec<Format>,
    /// Of a plugin that is not ours: there is something that is not read; where exactly, and why.
    pub unread: Option<(Span, Option<(Span, String)>)>,
    /// None: all procedures of the module.
    pub procs: Option<Vec<Ident>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum SetDefinition {
    Union(Box<SetDefinition>, Box<SetDefinition>),
    Intersection(Box<SetDefinition>, Box<SetDefinition>),
    Named(Ident),
    /// `{ x : T | "..." }`
    Comprehension {
        variable: Ident,
        elements: Ident,
        predicate: Quoted,
    },
}
