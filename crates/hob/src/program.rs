//! A Hob program in which every name is resolved, every instance is expanded and every contract is complete.
//!
//! What goes in: what `statics` made of the files. What comes out: plain data that the interpreter, the flag analysis and the other
//! plugins read. Invariants: every index is in range; expressions have the types their operators ask for; a clause of `requires`
//! has no primed name; a formal is never assigned.

use source::Span;

pub use crate::syntax::ast::{BinaryOp, CardOp, Quoted, UnaryOp};

source::index_newtype!(
    /// Into [`Program::modules`].
    ModuleId,
    /// Into [`Program::types`]: a type of objects, which several modules may contribute fields to.
    TypeId,
    /// Into [`Program::fields`]; a field is one of a module, a type and a name.
    FieldId,
    /// Into [`Program::globals`]: a module's variable.
    GlobalId,
    /// Into [`Program::procs`].
    ProcId,
    /// Into [`Program::spec_vars`]: an abstract set or Boolean.
    SpecVarId,
    /// Into [`Program::scopes`].
    ScopeId,
    /// Into [`Proc::locals`]: formals first, then the result's name if there is one, then the body's variables, each its own.
    LocalId
);

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub modules: Vec<Module>,
    pub types: Vec<ObjectType>,
    pub fields: Vec<Field>,
    pub globals: Vec<Global>,
    pub procs: Vec<Proc>,
    pub spec_vars: Vec<SpecVar>,
    /// A module with invariants of its own is also a scope of itself that exports itself (docs/hob.md, "Scopes and invariants").
    pub scopes: Vec<Scope>,
}

#[derive(Clone, Debug)]
pub struct Module {
    pub name: String,
    /// Of its name in the implementation, or else in the specification.
    pub span: Span,
    pub has_implementation: bool,
    pub has_specification: bool,
    /// The module it is an instance of, by name: what the user wrote is there.
    pub instance_of: Option<String>,
    pub globals: Vec<GlobalId>,
    pub fields: Vec<FieldId>,
    pub procs: Vec<ProcId>,
    pub spec_vars: Vec<SpecVarId>,
    /// How the sets are defined and who checks which procedures; empty: callees are trusted to keep their contracts.
    pub plugins: Vec<PluginUse>,
}

impl Module {
    /// Whether there is a section that nobody checks: what it defines is not known.
    pub fn has_unread(&self) -> bool {
        self.plugins.iter().any(|p| matches!(p.checker, Checker::Nobody(_)))
    }
}

#[derive(Clone, Debug)]
pub struct ObjectType {
    pub name: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Int,
    Bool,
    Float,
    String,
    Char,
    Byte,
    Object(TypeId),
    Array(Box<Type>),
    /// Of `null` alone.
    Null,
    /// Of a call without a result.
    Nothing,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub module: ModuleId,
    pub object: TypeId,
    pub name: String,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub module: ModuleId,
    pub name: String,
    pub ty: Type,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct SpecVar {
    pub module: ModuleId,
    pub name: String,
    pub kind: SpecVarKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecVarKind {
    /// Of objects of that type, if it is known.
    Set(Option<TypeId>),
    Bool,
    /// Of pairs: read, and nothing that speaks of it is decided.
    Relation,
}

#[derive(Clone, Debug)]
pub struct Scope {
    pub name: String,
    /// Made of a module's own invariants.
    pub implicit: bool,
    pub modules: Vec<ModuleId>,
    pub exports: Vec<ModuleId>,
    pub invariants: Vec<Invariant>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Invariant {
    pub public: bool,
    /// Without primes.
    pub formula: Formula,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Proc {
    pub module: ModuleId,
    pub name: String,
    /// Of its name: in the implementation if there is one, or else in the specification.
    pub span: Span,
    pub private: bool,
    pub formals: u32,
    /// The local that names the result.
    pub result: Option<LocalId>,
    pub locals: Vec<Local>,
    pub contract: Contract,
    /// None without an implementation.
    pub body: Option<Vec<Stmt>>,
    /// The closing brace of the body.
    pub end: Span,
    /// Variables that a formula mentions before their declaration: they live as long as the procedure.
    pub hoisted: Vec<LocalId>,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: Type,
    pub span: Span,
}

/// What a procedure needs and ensures (docs/hob.md, "Contracts", "Scopes and invariants" and "Defaults"), without the frame.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    pub requires: Vec<Clause>,
    pub modifies: Vec<SpecVarId>,
    pub ensures: Vec<Clause>,
    /// What it must leave as it is: the variables the module can see that `modifies` does not list and that no scope hides.
    pub frame: Vec<SpecVarId>,
    /// Modules that it may call, if the specification says; None if it does not.
    pub calls: Option<Vec<ModuleId>>,
    /// Of the `requires` keyword (or the procedure), `modifies`, `ensures`: where to point.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub reason: Reason,
    pub formula: Formula,
    pub span: Span,
}

/// Where a clause comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    Written,
    /// The default of that name.
    Default(String),
    /// An invariant of a scope. Not for callers outside of the scope: they neither check nor know it, unless it is public.
    Invariant(ScopeId),
}

/// A formula of the specification language.
#[derive(Clone, Debug)]
pub struct Formula {
    pub kind: FormulaKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum FormulaKind {
    True,
    False,
    Bool(NameRef),
    Equal(SetExpr, SetExpr),
    NotEqual(SetExpr, SetExpr),
    Subset(SetExpr, SetExpr),
    Card(SetExpr, CardOp, u32),
    /// Pairwise.
    Disjoint(Vec<SetExpr>),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Iff(Box<Formula>, Box<Formula>),
    /// Over singletons, or over sets. The number is the one of [`Subject::Bound`], unique in the program's formulas.
    Quantified {
        exists: bool,
        variable: u32,
        name: String,
        set: bool,
        body: Box<Formula>,
    },
    Uninterpreted(Quoted),
    /// About the heap: of a plugin that looks there.
    Heap(Box<HeapFormula>),
    /// A condition on a relation, which no plugin decides.
    OverRelation(SpecVarId),
}

#[derive(Clone, Debug)]
pub enum SetExpr {
    Empty,
    Name(NameRef),
    Union(Box<SetExpr>, Box<SetExpr>),
    Inter(Box<SetExpr>, Box<SetExpr>),
    Diff(Box<SetExpr>, Box<SetExpr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NameRef {
    pub subject: Subject,
    pub primed: bool,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    SpecVar(SpecVarId),
    /// A formal or the result in a contract; any variable in scope in an assertion, assumption or loop invariant. An object
    /// is the set of itself, null the empty set.
    Local(LocalId),
    Bound(u32),
}

/// Who checks the procedures of a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checker {
    Flags,
    /// The plugin `bounded`, whatever language the section is written in.
    Bounded,
    /// They are trusted, and why.
    Nobody(String),
}

/// One `use plugin`.
#[derive(Clone, Debug)]
pub struct PluginUse {
    pub plugin: String,
    pub span: Span,
    pub sets: Vec<SetDefinition>,
    /// A spec Boolean and the module variable of the same name.
    pub predvars: Vec<(SpecVarId, GlobalId)>,
    pub checker: Checker,
    /// Of the representation, for plugins other than `flags`.
    pub invariants: Vec<HeapInvariant>,
    /// Of PALE.
    pub backbone: Option<Backbone>,
    pub procs: Vec<ProcId>,
}

/// Fields and variables that the invariants say form a forest: no two of them lead to the same object, as far as objects are reached.
#[derive(Clone, Debug)]
pub struct Backbone {
    pub fields: Vec<FieldId>,
    pub roots: Vec<GlobalId>,
}

#[derive(Clone, Debug)]
pub struct SetDefinition {
    pub variable: SpecVarId,
    pub definition: Definition,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Definition {
    Union(Box<Definition>, Box<Definition>),
    Inter(Box<Definition>, Box<Definition>),
    Named(SpecVarId),
    /// `{ x : T | "x.f = c" }`, a base set of the flag analysis.
    Flag {
        object: TypeId,
        field: FieldId,
        constant: Constant,
    },
    /// Any other predicate: for plugins that look at the heap. The variable is [`HeapTerm::Bound`] 0.
    Heap {
        object: TypeId,
        formula: HeapFormula,
    },
}

impl Definition {
    /// The other sets that it names.
    pub fn names(&self, act: &mut dyn FnMut(SpecVarId)) {
        match self {
            Definition::Union(a, b) | Definition::Inter(a, b) => {
                a.names(act);
                b.names(act);
            }
            Definition::Named(variable) => act(*variable),
            Definition::Flag { .. } | Definition::Heap { .. } => {}
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Constant {
    Int(i64),
    Bool(bool),
}

#[derive(Clone, Debug)]
pub struct HeapInvariant {
    pub formula: HeapFormula,
    pub span: Span,
}

/// A formula about the concrete heap of a module: `root<next*>x`, `exists i : int. 0 <= i & i < size & a[i] = x`.
///
/// An atom with an undefined term (a field of null, an index out of bounds) is false. Objects quantified over are those of the
/// type that exist; integers are all values of type int ([`crate::integers`]). Arithmetic does not wrap.
#[derive(Clone, Debug)]
pub enum HeapFormula {
    True,
    False,
    Not(Box<HeapFormula>),
    And(Vec<HeapFormula>),
    Or(Vec<HeapFormula>),
    Implies(Box<HeapFormula>, Box<HeapFormula>),
    Iff(Box<HeapFormula>, Box<HeapFormula>),
    /// `=`, `!=`, `<`, `<=`, `>`, `>=`.
    Compare(BinaryOp, HeapTerm, HeapTerm),
    /// A Boolean term.
    Holds(HeapTerm),
    /// `a<R>b`: b is where the route R leads to from a. Neither may be null.
    Reach(HeapTerm, Route, HeapTerm),
    Quantified {
        exists: bool,
        variable: u32,
        name: String,
        ty: Type,
        body: Box<HeapFormula>,
    },
}

#[derive(Clone, Debug)]
pub enum HeapTerm {
    Null,
    Int(i64),
    Bool(bool),
    Global(GlobalId),
    /// In an assertion or an invariant of a loop.
    Local(LocalId),
    Bound(u32),
    Field(Box<HeapTerm>, FieldId),
    Index(Box<HeapTerm>, Box<HeapTerm>),
    Length(Box<HeapTerm>),
    /// `+`, `-`, `*`, `/`, `%`; undefined if it divides by 0.
    Arithmetic(BinaryOp, Box<HeapTerm>, Box<HeapTerm>),
}

/// A regular expression of fields: `next`, `left|right`, `next.data`, `next*`, `next+`, `next?`.
#[derive(Clone, Debug)]
pub enum Route {
    Field(FieldId),
    Sequence(Vec<Route>),
    Either(Vec<Route>),
    Star(Box<Route>),
    Plus(Box<Route>),
    Optional(Box<Route>),
}

// The implementation language.

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Block(Vec<Stmt>),
    /// A declaration without a value sets the default: a variable of a loop's body starts anew each time.
    Declare(LocalId, Option<Expr>),
    Assign(Place, Expr),
    /// A call, or `e++`.
    Expr(Expr),
    Return(Option<Expr>),
    If {
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// Also `for`: its first part stands before, its step runs at the end of each round.
    While {
        invariant: Option<Formula>,
        condition: Expr,
        body: Vec<Stmt>,
        step: Option<Box<Stmt>>,
    },
    Assert {
        label: Option<String>,
        formula: Formula,
    },
    Assume {
        label: Option<String>,
        formula: Formula,
    },
    Pragma(String),
    Havoc(Vec<LocalId>),
    Choice(Vec<Stmt>, Vec<Stmt>),
}

/// What can be assigned.
#[derive(Clone, Debug)]
pub enum Place {
    Local(LocalId),
    Global(GlobalId),
    Field(Box<Expr>, FieldId),
    Index(Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
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
    Local(LocalId),
    Global(GlobalId),
    Field(Box<Expr>, FieldId),
    Index(Box<Expr>, Box<Expr>),
    Length(Box<Expr>),
    Call(ProcId, Vec<Expr>),
    Intrinsic(Intrinsic, Vec<Expr>),
    New(TypeId),
    /// The lengths of the first dimensions; the type is the expression's.
    NewArray(Vec<Expr>),
    Unary(UnaryOp, Box<Expr>),
    /// `+` of a string and anything joins texts. An int beside a float is converted by a [`ExprKind::ToFloat`].
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    ToFloat(Box<Expr>),
    Step {
        place: Box<Place>,
        up: bool,
        prefix: bool,
    },
}

pub use crate::intrinsics::Intrinsic;

impl Program {
    pub fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.index()]
    }

    pub fn proc(&self, id: ProcId) -> &Proc {
        &self.procs[id.index()]
    }

    pub fn spec_var(&self, id: SpecVarId) -> &SpecVar {
        &self.spec_vars[id.index()]
    }

    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    pub fn module_named(&self, name: &str) -> Option<ModuleId> {
        self.modules.iter().position(|m| m.name == name).map(|i| ModuleId(i as u32))
    }

    /// The generic module that a module is an instance of, through other instances; its own name if it is none.
    pub fn origin(&self, module: ModuleId) -> &str {
        let mut found = self.module(module);
        while let Some(of) = &found.instance_of {
            match self.modules.iter().find(|m| m.name == *of) {
                Some(original) => found = original,
                // Only its instances are there.
                None => return of,
            }
        }
        &found.name
    }

    /// `Board.setExposed`.
    pub fn proc_name(&self, id: ProcId) -> String {
        let proc = self.proc(id);
        format!("{}.{}", self.module(proc.module).name, proc.name)
    }
}

impl Program {
    /// Whether code of a module may call another and speak of its variables: no scope hides it (docs/hob.md, "Scopes and invariants").
    pub fn sees(&self, from: ModuleId, to: ModuleId) -> bool {
        self.hiding(from, to).is_none()
    }

    /// The scope that hides a module from another.
    pub fn hiding(&self, from: ModuleId, to: ModuleId) -> Option<&Scope> {
        let hides = |scope: &&Scope| {
            scope.modules.contains(&to) && !scope.exports.contains(&to) && !scope.modules.contains(&from)
        };
        self.scopes.iter().filter(|_| from != to).find(hides)
    }

    /// A spec variable as a module's specification calls it: `Content`, or `List.Content` of another module.
    pub fn name_from(&self, module: ModuleId, id: SpecVarId) -> String {
        let variable = self.spec_var(id);
        if variable.module == module {
            variable.name.clone()
        } else {
            format!("{}.{}", self.module(variable.module).name, variable.name)
        }
    }
}

impl std::fmt::Display for Constant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Constant::Int(n) => write!(f, "{n}"),
            Constant::Bool(b) => write!(f, "{b}"),
        }
    }
}
