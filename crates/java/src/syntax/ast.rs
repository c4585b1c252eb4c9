//! Our own typed syntax of Java: what the rest of the front-end reads. Every node has the span of its text; nothing here
//! knows tree-sitter. Parentheses are gone; annotations keep only the last part of their name.

use source::Span;
use std::rc::Rc;

pub type Name = Rc<str>;

#[derive(Clone, Debug)]
pub struct Ident {
    pub name: Name,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prim {
    Bool,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
}

#[derive(Clone, Debug)]
pub struct Unit {
    /// Empty for the unnamed package.
    pub package: String,
    pub imports: Vec<Import>,
    pub classes: Vec<Rc<ClassDecl>>,
    /// The types after `new`, without those of anonymous classes, and how many arguments each gets.
    pub made: Vec<(TypeRef, usize)>,
}

#[derive(Clone, Debug)]
pub struct Import {
    /// With dots; without the `.*`.
    pub path: String,
    pub is_static: bool,
    pub wildcard: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclKind {
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
}

#[derive(Clone, Debug, Default)]
pub struct Modifiers {
    pub is_public: bool,
    pub is_private: bool,
    pub is_protected: bool,
    pub is_static: bool,
    pub is_final: bool,
    pub is_abstract: bool,
    pub is_native: bool,
    pub is_default: bool,
    pub annotations: Vec<Annotation>,
}

impl Modifiers {
    pub fn annotation(&self, name: &str) -> Option<&Annotation> {
        self.annotations.iter().find(|a| &*a.name.name == name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.annotation(name).is_some()
    }
}

#[derive(Clone, Debug)]
pub struct Annotation {
    pub name: Ident,
    /// `value` where the key was left out.
    pub arguments: Vec<(Ident, AnnotationValue)>,
    pub span: Span,
}

impl Annotation {
    /// All values, arrays taken apart.
    pub fn values(&self) -> impl Iterator<Item = &AnnotationValue> {
        self.arguments.iter().flat_map(|(_, value)| value.parts())
    }

    /// Those that are string literals.
    pub fn strings(&self) -> impl Iterator<Item = &str> {
        self.values().filter_map(|value| match value {
            AnnotationValue::Expr(Expr { kind: ExprKind::Literal(Literal::String(text)), .. }) => Some(text.as_str()),
            _ => None,
        })
    }
}

impl AnnotationValue {
    /// The elements of an array, or itself.
    pub fn parts(&self) -> &[AnnotationValue] {
        match self {
            AnnotationValue::Array(parts, _) => parts,
            value => std::slice::from_ref(value),
        }
    }
}

#[derive(Clone, Debug)]
pub enum AnnotationValue {
    Expr(Expr),
    Array(Vec<AnnotationValue>, Span),
    Annotation(Span),
}

#[derive(Clone, Debug)]
pub struct ClassDecl {
    pub name: Ident,
    pub kind: DeclKind,
    pub modifiers: Modifiers,
    pub type_params: Vec<TypeParam>,
    pub superclass: Option<TypeRef>,
    pub interfaces: Vec<TypeRef>,
    pub constants: Vec<EnumConstant>,
    /// In textual order: initialisers run in it.
    pub members: Vec<Member>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct TypeParam {
    pub name: Ident,
    pub bounds: Vec<TypeRef>,
}

#[derive(Clone, Debug)]
pub enum Member {
    Field(Rc<FieldDecl>),
    Method(Rc<MethodDecl>),
    Class(Rc<ClassDecl>),
    Initialiser { is_static: bool, body: Rc<Block> },
}

#[derive(Clone, Debug)]
pub struct EnumConstant {
    pub name: Ident,
    pub arguments: Vec<Expr>,
    pub body: Option<Rc<ClassDecl>>,
    pub span: Span,
}

/// One declarator: `int a, b[];` is two of them.
#[derive(Clone, Debug)]
pub struct FieldDecl {
    pub name: Ident,
    pub ty: TypeRef,
    pub modifiers: Rc<Modifiers>,
    pub init: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct MethodDecl {
    pub name: Ident,
    pub modifiers: Modifiers,
    pub type_params: Vec<TypeParam>,
    /// `void` for a constructor.
    pub return_ty: TypeRef,
    pub params: Vec<Param>,
    pub varargs: bool,
    pub throws: Vec<TypeRef>,
    pub body: Option<Block>,
    pub is_constructor: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub name: Ident,
    pub ty: TypeRef,
    pub modifiers: Modifiers,
}

#[derive(Clone, Debug)]
pub struct TypeRef {
    pub kind: TypeRefKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeRefKind {
    Void,
    /// `var`, or a type that is left to inference.
    Var,
    Prim(Prim),
    /// `java.util.Map<K, V>.Entry`: each part with its arguments. `None`: no angle brackets; empty: the diamond.
    Named(Vec<(Ident, Option<Vec<TypeRef>>)>),
    Array(Box<TypeRef>),
    /// `?`, `? extends T` (false), `? super T` (true).
    Wildcard(Option<(bool, Box<TypeRef>)>),
}

pub type Block = Vec<Stmt>;

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

impl Stmt {
    /// The statements directly within it, not counting classes and lambdas.
    pub fn parts(&self) -> Vec<&Stmt> {
        match &self.kind {
            StmtKind::Block(b) | StmtKind::Synchronized(_, b) => b.iter().collect(),
            StmtKind::If(_, a, b) => std::iter::once(&**a).chain(b.as_deref()).collect(),
            StmtKind::While(_, b) | StmtKind::Do(b, _) | StmtKind::Labelled(_, b) => vec![b],
            StmtKind::For { init, body, .. } => init.iter().chain([&**body]).collect(),
            StmtKind::ForEach { body, .. } => vec![body],
            StmtKind::Try { body, catches, finally } => {
                let catches = catches.iter().flat_map(|c| &c.body);
                body.iter().chain(catches).chain(finally.iter().flatten()).collect()
            }
            StmtKind::Switch(switch) => {
                let bodies = switch.arms.iter().filter_map(|arm| match &arm.body {
                    ArmBody::Block(body) => Some(body),
                    ArmBody::Expr(_) => None,
                });
                bodies.flatten().collect()
            }
            _ => Vec::new(),
        }
    }
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Local {
        is_final: bool,
        ty: TypeRef,
        declarators: Vec<Declarator>,
    },
    Class(Rc<ClassDecl>),
    Expr(Expr),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    Do(Box<Stmt>, Expr),
    For {
        init: Vec<Stmt>,
        condition: Option<Expr>,
        update: Vec<Expr>,
        body: Box<Stmt>,
    },
    ForEach {
        ty: TypeRef,
        name: Ident,
        iterable: Expr,
        body: Box<Stmt>,
    },
    Labelled(Ident, Box<Stmt>),
    Break(Option<Ident>),
    Continue(Option<Ident>),
    Return(Option<Expr>),
    Yield(Expr),
    Throw(Expr),
    Try {
        body: Block,
        catches: Vec<Catch>,
        finally: Option<Block>,
    },
    Synchronized(Expr, Block),
    Assert(Expr, Option<Expr>),
    Switch(Switch),
    Block(Block),
    /// `this(…)` or `super(…)`, perhaps `outer.super(…)`.
    ConstructorCall {
        is_super: bool,
        outer: Option<Expr>,
        arguments: Vec<Expr>,
    },
}

#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: Ident,
    pub ty: TypeRef,
    pub init: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct Catch {
    pub types: Vec<TypeRef>,
    pub name: Ident,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct Switch {
    pub on: Box<Expr>,
    pub arms: Vec<Arm>,
}

#[derive(Clone, Debug)]
pub struct Arm {
    pub labels: Vec<CaseLabel>,
    pub is_arrow: bool,
    pub body: ArmBody,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum CaseLabel {
    Default,
    Value(Expr),
    /// With its guard, what comes after `when`.
    Pattern(Pattern, Option<Expr>),
}

/// What an object is compared with, and what its parts are called where it matches.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub kind: PatternKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `T x`; within a record also `var x`.
    Type(TypeRef, Ident),
    /// `R(T x, S(var y), _)`
    Record(TypeRef, Vec<Pattern>),
    /// `_`
    Any,
}

#[derive(Clone, Debug)]
pub enum ArmBody {
    /// `-> e;`: a statement, or the value.
    Expr(Expr),
    Block(Block),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Literal {
    Bool(bool),
    Int(i64),
    Long(i64),
    Char(u16),
    Float(f64),
    Double(f64),
    String(String),
    Null,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    Complement,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    UShr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    AndThen,
    OrElse,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Literal(Literal),
    Name(Name),
    This,
    /// `Outer.this`
    QualifiedThis(Box<Expr>),
    /// `super` or `X.super`: only before a dot.
    Super(Option<Box<Expr>>),
    Field(Box<Expr>, Ident),
    Index(Box<Expr>, Box<Expr>),
    Call {
        target: Option<Box<Expr>>,
        type_args: Vec<TypeRef>,
        name: Ident,
        arguments: Vec<Expr>,
    },
    New {
        outer: Option<Box<Expr>>,
        ty: TypeRef,
        arguments: Vec<Expr>,
        body: Option<Rc<ClassDecl>>,
    },
    /// `ty` is the type of the whole array.
    NewArray {
        ty: TypeRef,
        lengths: Vec<Expr>,
        init: Option<Box<Expr>>,
    },
    ArrayInit(Vec<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Update {
        increment: bool,
        prefix: bool,
        operand: Box<Expr>,
    },
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    InstanceOf(Box<Expr>, TypeRef, Option<Ident>),
    /// `instanceof` a pattern.
    Matches(Box<Expr>, Pattern),
    Cast(TypeRef, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Lambda(Rc<Lambda>),
    /// `None`: `::new`.
    MethodRef(RefTarget, Option<Ident>),
    Switch(Switch),
    ClassLiteral(TypeRef),
    /// Something the syntax knows and nothing else does; its name, and what to do instead.
    Unsupported(&'static str, &'static str),
}

#[derive(Clone, Debug)]
pub struct Lambda {
    pub params: Vec<(Ident, Option<TypeRef>)>,
    pub body: LambdaBody,
}

#[derive(Clone, Debug)]
pub enum LambdaBody {
    Expr(Expr),
    Block(Block),
}

#[derive(Clone, Debug)]
pub enum RefTarget {
    /// A name or an expression: resolved later.
    Expr(Box<Expr>),
    Type(TypeRef),
}
